// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/bidilink/bidilink/engine/display"
)

// A block is the text between the tags of two block elements: it is laid out together.
type block struct {
	rtl    bool // it has a right-to-left letter outside the links that we make
	begins bool // it has, up to here, a bidi control that begins right-to-left text
}

// seeRun takes up a run in which no link is made.
func (w *walker) seeRun(raw []byte) {
	if !w.blocks {
		return
	}
	text := bytesView(raw)
	if w.legacy != nil {
		w.word = w.legacy.append(w.word[:0], text)
		text = bytesView(w.word)
	}
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	w.seeText(text)
}

// seeDirection takes up what direction the content of an element has.
func (w *walker) seeDirection(e *element) {
	if e.dir == firstLetter || e.name == atom.Bdi {
		w.autos = true
	}
	w.directed = w.directed || e.dir != noDirection || e.name == atom.Bdi
}

// seeText takes up a piece of text, decoded, which is not in an isolate of ours.
func (w *walker) seeText(text string) {
	if !w.blocks {
		return
	}
	if w.autos {
		if d, e := w.parsers[0].direction(); d == firstLetter && e.strong == display.Unknown {
			e.strong = display.FirstStrong(text)
		}
	}
	w.block.begins = w.block.begins || display.BeginsRightToLeft(text)
	if !w.block.rtl && display.RightToLeftText(text) {
		w.block.rtl = true
		w.out.turn()
	}
}

// endBlock ends the block before a tag, if it is one of a block element.
func (w *walker) endBlock(raw []byte) {
	if w.block == (block{}) && !w.out.holding() {
		return
	}
	at := len("<")
	if raw[at] == '/' {
		at++
	}
	end, _ := w.z.tag()
	if _, k, _ := w.tagName(raw, at, end); k&blockLevel != 0 {
		w.out.settle(w.block.rtl)
		w.block = block{}
	}
}

// isBlock reports whether an element of this name is by default, or stands in, a block of its own: HTML §15.3. Line breaks are in
// the midst of a block.
func isBlock(name atom.Atom) bool {
	switch name {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details, atom.Dialog, atom.Dir,
		atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li, atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol,
		atom.Optgroup, atom.Option, atom.P, atom.Plaintext, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td,
		atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp:
		return true
	}
	return false
}

// A context is the text that a link stands in.
type context struct {
	text      display.Direction // RTL if there is right-to-left text in it
	paragraph display.Direction // as far as the document says, else as the options say
}

// contexts returns the context of a text in the top element; and, unless it is settled, the one it has if the block has a
// right-to-left letter further on, or, of an element auto, if its first letter is one.
//
// The nearest dir attribute decides; auto is the direction of the first letter in the element that is in no isolate. What has none is
// right-to-left text if the block has a right-to-left letter outside the links that we make: one of those does not turn an
// English sentence round. Its paragraph is of the direction that the options say. Behind a bidi control that begins right-to-left text,
// all is such text.
func (w *walker) contexts() (now, later context, auto *element, settled bool) {
	d, e := noDirection, (*element)(nil)
	if w.directed {
		d, e = w.parsers[0].direction()
	}
	switch d {
	case leftToRight:
		now, settled = context{display.LTR, display.LTR}, true
	case rightToLeft:
		now, settled = context{display.RTL, display.RTL}, true
	case firstLetter:
		now, later, auto, settled = context{display.LTR, display.LTR}, context{display.RTL, display.RTL}, e, !w.blocks
		if e.strong != display.Unknown {
			now, settled = context{e.strong, e.strong}, true
		}
	default:
		now, later = context{w.o.Dir, w.o.Dir}, context{display.RTL, w.o.Dir}
		if w.block.rtl {
			now = later
		}
		settled = !w.blocks
	}
	if w.block.begins {
		now.text, later.text = display.RTL, display.RTL
	}
	return now, later, auto, settled || now == later
}

// direction returns the direction that the nearest element with a dir attribute has, or that a bdi has without one, and that element.
func (p *parser) direction() (direction, *element) {
	for i := len(p.open) - 1; i >= 0; i-- {
		switch e := p.open[i]; {
		case e.dir != noDirection:
			return e.dir, e
		case e.name == atom.Bdi:
			return firstLetter, e
		}
	}
	return noDirection, nil
}
