// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// kind is what the parser asks about an element.
type kind uint32

const (
	special        kind = 1 << iota // HTML §13.2.4.2
	formatting                      // HTML §13.2.4.2
	implied                         // its end tag may be implied: HTML §13.2.6.3
	endsScope                       // HTML §13.2.4.2
	endsTableScope                  //
	isList                          // ol, ul
	isButton                        //
	isHeading                       //
	isTable                         // a text directly in it goes elsewhere
	isCell                          // td, th
	rawContent                      // the tokenizer reads its content as text
	htmlPoint                       // an HTML integration point
	mathPoint                       // a MathML text integration point
	ghost                           // see newGhost
	hard                            // see isHard
	skipped                         // see isSkipped
	phrasing                        // the reader takes it for one text with what is around it
	blockLevel                      // see isBlock
)

// kindOf returns the kind of the HTML elements with a name.
func kindOf(name atom.Atom) kind {
	k := treeKindOf(name)
	if isHard(name) {
		k |= hard
	}
	if isSkipped(name) {
		k |= skipped
	}
	if isPhrasing(name) {
		k |= phrasing
	}
	if isBlock(name) {
		k |= blockLevel
	}
	return k
}

// treeKindOf returns what the parser needs of it.
func treeKindOf(name atom.Atom) kind {
	switch name {
	case atom.Html, atom.Template:
		return special | endsScope | endsTableScope
	case atom.Table:
		return special | endsScope | endsTableScope | isTable
	case atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
		return special | isTable
	case atom.Td, atom.Th:
		return special | endsScope | isCell
	case atom.Applet, atom.Caption, atom.Marquee, atom.Object, atom.Select:
		return special | endsScope
	case atom.Ol, atom.Ul:
		return special | isList
	case atom.Button:
		return special | isButton
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return special | isHeading
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return formatting
	case atom.Dd, atom.Dt, atom.Li, atom.P:
		return special | implied
	case atom.Optgroup, atom.Option, atom.Rb, atom.Rp, atom.Rt, atom.Rtc:
		return implied
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		return special | rawContent
	case atom.Address, atom.Area, atom.Article, atom.Aside, atom.Base, atom.Basefont, atom.Bgsound, atom.Blockquote,
		atom.Body, atom.Br, atom.Center, atom.Col, atom.Colgroup, atom.Details, atom.Dir, atom.Div,
		atom.Dl, atom.Embed, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frame, atom.Frameset,
		atom.Head, atom.Header, atom.Hgroup, atom.Hr,
		atom.Img, atom.Input, atom.Keygen, atom.Link, atom.Main, atom.Menu, atom.Meta, atom.Nav,
		atom.Listing, atom.Param, atom.Pre, atom.Search, atom.Section, atom.Source, atom.Summary, atom.Track, atom.Wbr:
		return special
	}
	return 0
}
