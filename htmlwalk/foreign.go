// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// Foreign content: HTML §13.2.6.5.

// A namespace is that of an element.
type namespace uint8

const (
	htmlNS namespace = iota
	svgNS
	mathNS
)

// startsForeign reports whether a start tag is processed by the rules for foreign content (HTML §13.2.6, tree construction dispatcher).
func (p *parser) startsForeign(e *element) bool {
	top := p.top()
	switch {
	case top.ns == htmlNS, top.kind&htmlPoint != 0:
		return false
	case top.kind&mathPoint != 0:
		return e.name == atom.Mglyph || e.name == atom.Malignmark
	case top.ns == mathNS && top.name == atom.AnnotationXml:
		return e.name != atom.Svg
	}
	return true
}

// insertForeign opens an element in a namespace.
func (p *parser) insertForeign(e *element, ns namespace, t tagBits) {
	if t&odd != 0 {
		p.fail(Foreign)
		return
	}
	switch e.name {
	case atom.Html, atom.Frameset, atom.Table, atom.Caption, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr, atom.Td, atom.Th,
		atom.Template, atom.Option, atom.Optgroup, atom.Rb, atom.Rp, atom.Rt, atom.Rtc:
		// QUIRK: golang.org/x/net/html does not always tell these from the HTML elements.
		p.fail(Foreign)
		return
	}
	if t&selfClosing != 0 {
		return
	}
	e.ns, e.kind = ns, 0
	switch {
	case ns == svgNS:
		switch e.name {
		case atom.Foreignobject, atom.Desc, atom.Title:
			e.kind = special | endsScope | htmlPoint
		}
	case e.name == atom.AnnotationXml:
		e.kind = special | endsScope
		if t&htmlEncoding != 0 {
			e.kind |= htmlPoint
		}
	default:
		switch e.name {
		case atom.Mi, atom.Mo, atom.Mn, atom.Ms, atom.Mtext:
			e.kind = special | endsScope | mathPoint
		}
	}
	p.push(e)
}

// popForeign leaves foreign content, or goes to the HTML content in it.
func (p *parser) popForeign() {
	for {
		p.steps++
		if top := p.top(); top.ns == htmlNS || top.kind&(htmlPoint|mathPoint) != 0 {
			return
		}
		p.pop()
	}
}

// endForeign processes an end tag while the top element is foreign. It returns false if the tag is one for the insertion mode.
func (p *parser) endForeign(name atom.Atom, other string) bool {
	if !ascii(other) {
		// QUIRK: golang.org/x/net/html compares names by Unicode's case folding.
		p.fail(Foreign)
		return true
	}
	for i := len(p.open) - 1; p.open[i].ns != htmlNS; i-- {
		p.steps++
		if p.open[i].name == name && p.open[i].other() == other {
			p.cut(i)
			return true
		}
	}
	return false
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// breakout reports whether a start tag ends foreign content.
func breakout(name atom.Atom, t tagBits) bool {
	switch name {
	case atom.B, atom.Big, atom.Blockquote, atom.Body, atom.Br, atom.Center, atom.Code, atom.Dd, atom.Div, atom.Dl, atom.Dt, atom.Em, atom.Embed,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head, atom.Hr, atom.I, atom.Img, atom.Li, atom.Listing, atom.Menu, atom.Meta,
		atom.Nobr, atom.Ol, atom.P, atom.Pre, atom.Ruby, atom.S, atom.Small, atom.Span, atom.Strong, atom.Strike, atom.Sub, atom.Sup, atom.Table,
		atom.Tt, atom.U, atom.Ul, atom.Var:
		return true
	case atom.Font:
		return t&breaksOut != 0
	}
	return false
}
