// SPDX-License-Identifier: MIT

package uts58

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine/display"
)

// KindElement is the kind of an [Element].
var KindElement = ast.NewNodeKind("UTS58Element")

// An Element is an HTML element that has no node in goldmark: the bdi or span that isolates a link or a field of one,
// or the anchor of a link whose address goldmark's renderer would change.
type Element struct {
	ast.BaseInline
	Tag string            // bdi, span or a
	Dir display.Direction // the dir attribute; Unknown if there is none
}

// Kind implements ast.Node.
func (e *Element) Kind() ast.NodeKind { return KindElement }

// Dump implements ast.Node.
func (e *Element) Dump(source []byte, level int) {
	// In one map, the order would be another each time.
	ast.DumpHelper(e, source, level, map[string]string{"Tag": e.Tag}, func(level int) {
		fmt.Printf("%sDir: %s\n", strings.Repeat("    ", level), e.Dir)
	})
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
			_, _ = w.WriteString("</")
			_, _ = w.WriteString(e.Tag)
			_ = w.WriteByte('>')
			return ast.WalkContinue, nil
		}
		_ = w.WriteByte('<')
		_, _ = w.WriteString(e.Tag)
		if e.Dir != display.Unknown {
			_, _ = w.WriteString(` dir="`)
			_, _ = w.WriteString(e.Dir.String())
			_ = w.WriteByte('"')
		}
		if e.Attributes() != nil {
			html.RenderAttributes(w, e, nil)
		}
		_ = w.WriteByte('>')
		return ast.WalkContinue, nil
	})
}
