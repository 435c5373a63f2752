// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"math/bits"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// A plainRenderer renders texts and links as goldmark's own renderer does, byte for byte, only faster: goldmark looks up each byte of a text twice, and
// copies an address half a dozen times to see whether anything in it has to be escaped. It is called if no renderer but goldmark's
// own knows texts and links, and if that writes texts as it does by default. With East Asian line breaks, it only puts in those before our links.
type plainRenderer struct {
	config *renderer.Config
	html   *html.Renderer
	text   renderer.NodeRendererFunc // of html
	link   renderer.NodeRendererFunc
}

// plainPriority is directly before goldmark's own renderer.
const plainPriority = 999

// SetConfig implements renderer.Option.
func (p *plainRenderer) SetConfig(c *renderer.Config) {
	p.config = c
	c.NodeRenderers = append(c.NodeRenderers, util.Prioritized(p, plainPriority))
}

// RegisterFuncs implements renderer.NodeRenderer.
func (p *plainRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	p.html = nil
	for _, v := range p.config.NodeRenderers {
		switch other := v.Value.(type) {
		case *plainRenderer:
		case *html.Renderer:
			// It has its options by now, since renderers of a lower precedence get them first.
			if v.Priority <= plainPriority || p.html != nil {
				return
			}
			p.html = other
		default:
			if v.Priority >= plainPriority {
				return
			}
		}
	}
	if p.html == nil {
		return
	}
	p.html.RegisterFuncs(taker{p})
	if p.html.EastAsianLineBreaks != html.EastAsianLineBreaksNone && !p.html.HardWraps {
		r.Register(ast.KindText, p.renderBreak)
		return
	}
	if p.html.Writer != html.DefaultWriter {
		return
	}
	r.Register(ast.KindLink, p.renderLink)
	r.Register(ast.KindText, p.renderText)
}

// A taker takes the functions of goldmark's own renderer.
type taker struct{ p *plainRenderer }

func (t taker) Register(kind ast.NodeKind, f renderer.NodeRendererFunc) {
	switch kind {
	case ast.KindText:
		t.p.text = f
	case ast.KindLink:
		t.p.link = f
	}
}

func (p *plainRenderer) renderText(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	t := n.(*ast.Text)
	soft := t.SoftLineBreak()
	if t.IsRaw() || t.Segment.Padding > 0 || t.Segment.ForceNewline || t.HardLineBreak() ||
		soft && (p.html.HardWraps || p.html.EastAsianLineBreaks != html.EastAsianLineBreaksNone) {
		return p.text(w, source, n, entering)
	}
	b := source[t.Segment.Start:t.Segment.Stop]
	for {
		i := nextEscaped(b)
		_, _ = w.Write(b[:i])
		if i == len(b) {
			break
		}
		switch b[i] {
		case '"':
			_, _ = w.WriteString("&quot;")
		case '<':
			_, _ = w.WriteString("&lt;")
		case '>':
			_, _ = w.WriteString("&gt;")
		default: // a backslash, a character reference, a NUL: what they are does not depend on what is before
			p.html.Writer.Write(w, b[i:])
			i = len(b) - 1
		}
		b = b[i+1:]
	}
	if soft {
		_ = w.WriteByte('\n')
	}
	return ast.WalkContinue, nil
}

// renderBreak renders a text as goldmark's own renderer does, and then the line break before a link of ours, which that leaves out with East Asian
// line breaks: it only looks at texts. Without the link there would be one, unless both letters beside it are East Asian.
func (p *plainRenderer) renderBreak(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	status, err := p.text(w, source, n, entering)
	t := n.(*ast.Text)
	if err != nil || !entering || !t.SoftLineBreak() || t.HardLineBreak() || t.IsRaw() || t.Segment.IsEmpty() {
		return status, err
	}
	link := n.NextSibling()
	if link == nil || link.Kind() != ast.KindLink && link.Kind() != KindElement {
		return status, err
	}
	first := link.FirstChild()
	for first != nil && first.Kind() != ast.KindText {
		first = first.FirstChild()
	}
	if first == nil || first.(*ast.Text).Segment.Start != link.Pos() {
		return status, err // it begins with a bracket: it was written by hand
	}
	before, _ := utf8.DecodeLastRune(t.Segment.Value(source))
	behind, _ := utf8.DecodeRune(first.(*ast.Text).Segment.Value(source))
	if !util.IsEastAsianWideRune(before) || !util.IsEastAsianWideRune(behind) {
		_ = w.WriteByte('\n')
	}
	return status, nil
}

// nextEscaped returns the offset of the first byte of b that is not written as it is, one of " & < > \ and NUL, or len(b).
func nextEscaped(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := load(b[i:])
		// " and & differ in one bit, < and > too.
		if m := (zeros(x) | zeros((x|4*ones)^'&'*ones) | zeros((x|2*ones)^'>'*ones) | zeros(x^'\\'*ones)) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == 0 || c|4 == '&' || c|2 == '>' || c == '\\' {
			break
		}
	}
	return i
}

func (p *plainRenderer) renderLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = w.WriteString("</a>")
		return ast.WalkContinue, nil
	}
	l := n.(*ast.Link)
	if l.Title != nil || l.Attributes() != nil || !plainAddress(l.Destination) {
		return p.link(w, source, n, entering)
	}
	_, _ = w.WriteString(`<a href="`)
	address := l.Destination
	for {
		i := bytes.IndexByte(address, '&')
		if i < 0 {
			break
		}
		_, _ = w.Write(address[:i])
		_, _ = w.WriteString("&amp;")
		address = address[i+1:]
	}
	_, _ = w.Write(address)
	_, _ = w.WriteString(`">`)
	return ast.WalkContinue, nil
}

// plain are the bytes that goldmark's renderer does not write in an address as escapes.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = isASCIIAlnum(byte(c))
	}
	for _, c := range []byte("-._~:/?#@!$'()*+,;=&") {
		t[c] = true
	}
	return t
}()

// plainAddress reports whether goldmark's renderer writes an address as it is, but for ampersands: nothing in it is escaped, it has no character reference, and no
// scheme that runs code or reads files.
func plainAddress(address []byte) bool {
	if len(address) == 0 {
		return true
	}
	switch address[0] | 0x20 {
	case 'j', 'v', 'f', 'd': // javascript, vbscript, file, data
		return false
	}
	ampersand := false
	for i, c := range address {
		ampersand = ampersand || c == '&'
		if c == ';' && ampersand || !plain[c] && (c != '%' || i+2 >= len(address) || !util.IsHexDecimal(address[i+1]) || !util.IsHexDecimal(address[i+2])) {
			return false
		}
	}
	return true
}
