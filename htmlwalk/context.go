// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/bidilink/bidilink/engine/display"
)

// flags are what the name and the attributes of an element say about links in it.
type flags struct {
	hard     bool  // no links in it, nor in what is in it
	links    state // links in it or not, as its name, its role and the options have it
	said     state // the same, as its data-bidilink attribute has it
	editable state // contenteditable
	dir      direction
}

type state uint8

const (
	inherited state = iota
	on
	off
)

// direction is the value of a dir attribute that matters to us.
type direction uint8

const (
	noDirection direction = iota
	leftToRight
	firstLetter // auto
	rightToLeft
)

// setAttr takes up an attribute. The key is in lower case; of several with the same key, the first counts.
func (f *flags) setAttr(key, value string) {
	switch key {
	case "contenteditable":
		switch strings.ToLower(value) {
		case "", "true", "plaintext-only":
			f.editable = on
		case "false":
			f.editable = off
		}
	case "dir":
		switch strings.ToLower(value) {
		case "ltr":
			f.dir = leftToRight
		case "auto":
			f.dir = firstLetter
		case "rtl":
			f.dir = rightToLeft
		}
	case "role":
		if !strings.ContainsAny(value, "bBlL") {
			break
		}
		for role := range strings.FieldsSeq(strings.ToLower(value)) {
			if role == "button" || role == "link" {
				f.links = off
			}
		}
	case "data-bidilink":
		switch strings.ToLower(value) {
		case "on":
			f.said = on
		case "off":
			f.said = off
		}
	}
}

// own returns whether there are links in the element, as far as it says.
func (f *flags) own() state {
	if f.said != inherited {
		return f.said
	}
	return f.links
}

// merge takes up the attributes of a further html or body tag, which count if the element does not have them.
func (f *flags) merge(g flags) {
	if f.links == inherited {
		f.links = g.links
	}
	if f.said == inherited {
		f.said = g.said
	}
	if f.editable == inherited {
		f.editable = g.editable
	}
	if f.dir == noDirection {
		f.dir = g.dir
	}
}

// isHard reports whether an element of this name never has links in it. Raw text elements are not among them, as the
// tokenizer finds no tags in them; nor is head, which is a state of the walker.
func isHard(name atom.Atom) bool {
	switch name {
	case atom.A, atom.Button, // no interactive content in them; an anchor would end the anchor
		atom.Select, atom.Option, atom.Optgroup, atom.Datalist, // text only
		atom.Noscript: // only for some readers
		return true
	}
	return false
}

// isSkipped reports whether an element of this name has no links in it by default.
func isSkipped(name atom.Atom) bool {
	switch name {
	case atom.Label, atom.Summary, // a click has a meaning already
		atom.Code, atom.Pre, atom.Samp, atom.Kbd, atom.Tt, atom.Var, atom.Listing, // examples and program text
		atom.Template,                                                 // inert, and often a pattern for a script
		atom.Audio, atom.Video, atom.Canvas, atom.Object, atom.Applet: // seldom seen
		return true
	}
	return false
}

// flagsOf returns what elements of a kind say about links by themselves.
func flagsOf(k kind) flags {
	f := flags{hard: k&hard != 0}
	if k&skipped != 0 {
		f.links = off
	}
	return f
}

// isPhrasing reports whether the reader takes the content of an element for one text with what is around it: not what is a block or
// a control. Code is: in <code>list</code>-request@example.com, it stands for a part of the name. Anchors are transparent: after a second run, some are ours.
func isPhrasing(name atom.Atom) bool {
	switch name {
	case 0, atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font,
		atom.I, atom.Ins, atom.Kbd, atom.Mark, atom.Nobr, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong,
		atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr:
		return true
	}
	return false
}

// staysInHead reports whether a start tag leaves the head open: HTML §13.2.6.4.4.
func staysInHead(name atom.Atom) bool {
	switch name {
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Script, atom.Style, atom.Title, atom.Head, atom.Html,
		atom.Template, atom.Noscript:
		return true
	}
	return false
}

// maxNested is the number of elements that we nest: bdi, a, and in it a span, a field, and a row of escapes.
const maxNested = 5

// mayLink reports whether a link may be made of text in the top element, whoever parses it.
func (w *walker) mayLink() bool {
	for _, p := range w.parsers {
		if !p.mayLink() {
			return false
		}
	}
	return true
}

func (p *parser) mayLink() bool {
	if p.oddAt == never && !p.inTemplates() && p.context == 0 && p.inFlow() {
		return len(p.open)+maxNested <= p.limit // what else mayLinkIn asks for is so
	}
	return p.mayLinkIn(nil)
}

// mayLinkIn is mayLink, but for an anchor that is already there.
func (p *parser) mayLinkIn(anchor *element) bool {
	if p.inTemplates() && p.mode != inBody && p.mode != inCell && p.mode != inCaption {
		return false // an anchor would decide which mode the template is in
	}
	table, editable, links := inherited, inherited, inherited
	var passed, linksPassed, editablePassed bool // a special element, when they were decided
	for i := len(p.open) - 1; i >= 0; i-- {
		e := p.open[i]
		if e.hard && e != anchor || e.ns != htmlNS {
			return false
		}
		passed = passed || e.kind&special != 0
		own := e.own()
		if e.kind&formatting != 0 && (linksPassed && (own == off || e.editable == on) || editablePassed && e.editable == on) {
			// Its end tag may yet move it into what allows links here: the adoption agency algorithm, HTML §13.2.6.4.7.
			return false
		}
		if links == inherited {
			links, linksPassed = own, passed && own == on
		}
		if editable == inherited && links != on {
			editable, editablePassed = e.editable, passed && e.editable == off
		}
		if table == inherited {
			switch e.name {
			case atom.Td, atom.Th, atom.Caption:
				table = off
			case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Colgroup:
				// A parser moves such text, and what stands round it, to before the table: foster parenting,
				// HTML §13.2.6.1. So it does where an element in the table, but in no cell, holds the text.
				return false
			case atom.Html:
				switch p.context {
				case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Colgroup:
					return false
				}
			}
		}
	}
	return editable != on && links != off && len(p.open)+maxNested <= p.limit
}

// mayIsolate reports whether a link in the text of an anchor may be isolated, whoever parses it: nothing in the anchor, nor the anchor itself, nor what is directly
// round it gives a direction to the text already.
func (w *walker) mayIsolate() bool {
	for _, p := range w.parsers {
		if !p.mayIsolate() {
			return false
		}
	}
	return true
}

func (p *parser) mayIsolate() bool {
	for i := len(p.open) - 1; i > 0; i-- {
		switch e := p.open[i]; {
		case e.dir != noDirection, e.name == atom.Bdi, e.name == atom.Bdo, e.hard && e.name != atom.A:
			return false
		case e.name == atom.A:
			around := p.open[i-1]
			return around.isolates() == noDirection && around.name != atom.Bdo && p.mayLinkIn(e)
		}
	}
	return false
}

// gives reports whether the element isolates its content from its neighbours in the line, as our bdi does, and lays it out in a direction, if a
// link is all of it.
func (e *element) gives(d display.Direction, link string) bool {
	switch e.isolates() {
	case leftToRight:
		return d == display.LTR
	case rightToLeft:
		return d == display.RTL
	case firstLetter:
		return d == display.LTR && isLetter(link[0])
	}
	return false
}

// holds reports whether an element of this name is open.
func (p *parser) holds(name atom.Atom) bool {
	return slices.ContainsFunc(p.open, func(e *element) bool { return e.name == name })
}

// isolates returns the direction that the element gives its content when it isolates it from its neighbours in the line, as our bdi
// does; otherwise noDirection. A block with a direction has one for all of its content.
func (e *element) isolates() direction {
	switch e.name {
	case atom.Bdi:
		if e.dir == noDirection {
			return firstLetter
		}
		return e.dir
	case atom.Abbr, atom.B, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Dfn, atom.Del, atom.Em, atom.Font, atom.I, atom.Ins,
		atom.Mark, atom.Nobr, atom.S, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U:
		return e.dir
	}
	return noDirection
}
