// SPDX-License-Identifier: MIT

package uts58

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// KindElement is the kind of an [Element].
var KindElement = ast.NewNodeKind("UTS58Element")

// An Element is an HTML element that has no node in goldmark: the bdi or span with a dir attribute that isolates a link or a field of one,
// or the anchor of a link whose address goldmark's renderer would change.
type Element struct {
	ast.BaseInline
	Tag string // bdi, span or a
}

// Kind implements ast.Node.
func (e *Element) Kind() ast.NodeKind { return KindElement }

// Dump implements ast.Node.
func (e *Element) Dump(source []byte, level int) {
	ast.DumpHelper(e, source, level, map[string]string{"Tag": e.Tag}, nil)
}

// NewRenderer returns the renderer of the kind [KindElement]. The extension registers it with the renderer of the goldmark.Markdown that it extends; other
// renderers that are to show the tree need it, if links are isolated by [Bdi].
func NewRenderer() renderer.NodeRenderer { return elementRenderer{} }

type elementRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (elementRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(KindElement, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		e := n.(*Element)
		if !entering {
			_, _ = w.WriteString("</" + e.Tag + ">")
			return ast.WalkContinue, nil
		}
		_, _ = w.WriteString("<" + e.Tag)
		html.RenderAttributes(w, e, nil)
		_ = w.WriteByte('>')
		return ast.WalkContinue, nil
	})
}
