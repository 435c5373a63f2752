// SPDX-License-Identifier: MIT

package uts58

import (
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
	ast.DumpHelper(e, source, level, map[string]string{"Tag": e.Tag, "Dir": e.Dir.String()}, nil)
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

// A linkRenderer renders links as goldmark's own renderer does, only faster: that copies an address half a dozen times to see whether anything in
// it has to be escaped. It is there if no other renderer is that knows links.
type linkRenderer struct {
	config *renderer.Config
	other  renderer.NodeRendererFunc
}

// linkPriority is directly before goldmark's own renderer.
const linkPriority = 999

// SetConfig implements renderer.Option.
func (l *linkRenderer) SetConfig(c *renderer.Config) {
	l.config = c
	c.NodeRenderers = append(c.NodeRenderers, util.Prioritized(l, linkPriority))
}

// RegisterFuncs implements renderer.NodeRenderer.
func (l *linkRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	own := false
	for _, v := range l.config.NodeRenderers {
		switch other := v.Value.(type) {
		case *linkRenderer:
		case *html.Renderer:
			// It has its options by now, since renderers of a lower precedence get them first.
			if v.Priority <= linkPriority || own {
				return
			}
			own = true
			other.RegisterFuncs(linkFunc{&l.other})
		default:
			if v.Priority >= linkPriority {
				return
			}
		}
	}
	if l.other != nil {
		r.Register(ast.KindLink, l.render)
	}
}

// A linkFunc takes the function that renders links.
type linkFunc struct{ f *renderer.NodeRendererFunc }

func (l linkFunc) Register(kind ast.NodeKind, f renderer.NodeRendererFunc) {
	if kind == ast.KindLink {
		*l.f = f
	}
}

func (l *linkRenderer) render(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</a>")
		return ast.WalkContinue, nil
	}
	link := n.(*ast.Link)
	if link.Title != nil || link.Attributes() != nil || !plainAddress(link.Destination) {
		return l.other(w, source, n, entering)
	}
	_, _ = w.WriteString(`<a href="`)
	_, _ = w.Write(link.Destination)
	_, _ = w.WriteString(`">`)
	return ast.WalkContinue, nil
}

// plain are the bytes that goldmark's renderer writes in an address as they are.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = isASCIIAlnum(byte(c))
	}
	for _, c := range []byte("-._~:/?#@!$'()*+,;=") {
		t[c] = true
	}
	return t
}()

// plainAddress reports whether goldmark's renderer writes an address as it is: nothing in it is escaped, and it has no scheme that runs code or reads files.
func plainAddress(address []byte) bool {
	if len(address) == 0 {
		return true
	}
	switch address[0] | 0x20 {
	case 'j', 'v', 'f', 'd': // javascript, vbscript, file, data
		return false
	}
	for i, c := range address {
		if !plain[c] && (c != '%' || i+2 >= len(address) || !util.IsHexDecimal(address[i+1]) || !util.IsHexDecimal(address[i+2])) {
			return false
		}
	}
	return true
}
