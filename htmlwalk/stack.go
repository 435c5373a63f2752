// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// An element is an open element, or one that a parser will open again.
type element struct {
	name  atom.Atom // 0 for a name that atom does not know
	other string    // the name if name is 0
	attrs string    // of a formatting element: its attributes in a normal form
	flags
}

func (e *element) is(name atom.Atom, other string) bool { return e.name == name && e.other == other }

// A stack is the state of HTML's tree construction (HTML §13.2.4) as far as it decides in which elements a text
// is: the stack of open elements and the list of active formatting elements. It has no tree, and knows the rules for
// the body and for tables only: the walker stops before it gets to anything else. The insertion mode is not stored, as
// it follows from the open elements.
//
// The open elements begin with html and body, whether or not the document has their tags.
type stack struct {
	open       []*element
	formatting []*element // nil is a marker
	form       *element   // the form element pointer; it need not be open
	noQuirks   bool       // the document is not in quirks mode
	limit      int        // of open
	deep       bool       // the limit was passed: open is not to be trusted any more
}

func newStack(limit int) stack {
	return stack{open: []*element{{name: atom.Html}, {name: atom.Body}}, limit: limit}
}

func (s *stack) top() *element { return s.open[len(s.open)-1] }

func (s *stack) push(e *element) {
	if len(s.open) >= s.limit {
		s.deep = true
		return
	}
	s.open = append(s.open, e)
}

// pop removes the top element, but never html and body.
func (s *stack) pop() { s.cut(len(s.open) - 1) }

// cut removes the open elements from i on, but never html and body.
func (s *stack) cut(i int) { s.open = s.open[:max(i, 2)] }

// A scope is a set of elements at which a search for an open element ends: HTML §13.2.4.2.
type scope uint8

const (
	inScope scope = iota
	inListItemScope
	inButtonScope
	inTableScope
)

func (sc scope) stops(name atom.Atom) bool {
	switch name {
	case atom.Html, atom.Table, atom.Template:
		return true
	case atom.Applet, atom.Caption, atom.Td, atom.Th, atom.Marquee, atom.Object, atom.Select:
		return sc != inTableScope
	case atom.Ol, atom.Ul:
		return sc == inListItemScope
	case atom.Button:
		return sc == inButtonScope
	}
	return false
}

// find returns the index of the innermost open element in scope with one of the names, or -1.
func (s *stack) find(sc scope, names ...atom.Atom) int {
	for i := len(s.open) - 1; i >= 0; i-- {
		name := s.open[i].name
		if name != 0 && slices.Contains(names, name) {
			return i
		}
		if sc.stops(name) {
			break
		}
	}
	return -1
}

func (s *stack) has(sc scope, names ...atom.Atom) bool { return s.find(sc, names...) >= 0 }

// popUntil closes the innermost element in scope with one of the names, and all in it. It reports whether there was one.
func (s *stack) popUntil(sc scope, names ...atom.Atom) bool {
	i := s.find(sc, names...)
	if i < 0 {
		return false
	}
	s.cut(i)
	return true
}

// remove takes e off the stack, if it is there, but leaves what is in it open, and in it: that inherits what e says about links.
func (s *stack) remove(e *element) {
	i := slices.Index(s.open, e)
	if i < 0 {
		return
	}
	s.open = slices.Delete(s.open, i, i+1)
	if i < len(s.open) {
		in := s.open[i]
		in.skip = in.skip || e.skip
		if in.editable == inherited {
			in.editable = e.editable
		}
	}
}

// clearTo closes the elements above the innermost with one of the names ("clear the stack back to a … context").
func (s *stack) clearTo(names ...atom.Atom) {
	for i := len(s.open) - 1; i >= 2; i-- {
		if slices.Contains(names, s.open[i].name) {
			s.cut(i + 1)
			return
		}
	}
	s.cut(2)
}

// closeImplied generates implied end tags, except for one name: HTML §13.2.6.3.
func (s *stack) closeImplied(except atom.Atom) {
	for len(s.open) > 2 {
		switch name := s.top().name; name {
		case atom.Dd, atom.Dt, atom.Li, atom.Optgroup, atom.Option, atom.P, atom.Rb, atom.Rp, atom.Rt, atom.Rtc:
			if name == except {
				return
			}
			s.pop()
		default:
			return
		}
	}
}

// mark inserts a marker at the end of the list of active formatting elements.
func (s *stack) mark() { s.formatting = append(s.formatting, nil) }

// clearFormatting removes the active formatting elements up to the last marker, and the marker.
func (s *stack) clearFormatting() {
	for len(s.formatting) > 0 {
		last := s.formatting[len(s.formatting)-1]
		s.formatting = s.formatting[:len(s.formatting)-1]
		if last == nil {
			return
		}
	}
}

// pushFormatting opens e and makes it active, with the Noah's Ark clause: HTML §13.2.4.3.
func (s *stack) pushFormatting(e *element) {
	s.push(e)
	same := 0
	for i := len(s.formatting) - 1; i >= 0 && s.formatting[i] != nil; i-- {
		if f := s.formatting[i]; f.name == e.name && f.attrs == e.attrs {
			if same++; same == 3 {
				s.formatting = slices.Delete(s.formatting, i, i+1)
				break
			}
		}
	}
	s.formatting = append(s.formatting, e)
}

// reconstruct opens again the active formatting elements that were closed otherwise than by their
// end tags, as a parser does before text: HTML §13.2.4.3.
func (s *stack) reconstruct() {
	i := len(s.formatting)
	for i > 0 && s.formatting[i-1] != nil && !slices.Contains(s.open, s.formatting[i-1]) {
		i--
	}
	for ; i < len(s.formatting) && !s.deep; i++ {
		clone := *s.formatting[i]
		s.push(&clone)
		s.formatting[i] = &clone
	}
}

// A mode is an insertion mode: HTML §13.2.4.1.
type mode uint8

const (
	inBody mode = iota
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
)

// mode returns the insertion mode, which the innermost element of a table decides ("reset the
// insertion mode appropriately").
func (s *stack) mode() mode {
	for i := len(s.open) - 1; i >= 2; i-- {
		switch s.open[i].name {
		case atom.Td, atom.Th:
			return inCell
		case atom.Tr:
			return inRow
		case atom.Tbody, atom.Thead, atom.Tfoot:
			return inTableBody
		case atom.Caption:
			return inCaption
		case atom.Colgroup:
			return inColumnGroup
		case atom.Table:
			return inTable
		}
	}
	return inBody
}

// text does what a text makes a parser do. It says whether the text is nothing but white space, and whether it is empty
// when its NUL characters are dropped.
func (s *stack) text(blank, empty bool) {
	if empty {
		return
	}
	m := s.mode()
	if m == inColumnGroup {
		if blank {
			return
		}
		s.pop()
		m = inTable
	}
	if blank && (m == inTable || m == inTableBody || m == inRow) {
		switch s.top().name {
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			return
		}
	}
	s.reconstruct()
}

// start does what a start tag makes a parser do. The walker keeps from it what it does not know, and the tags html, head and body.
// hidden says that it is an input of type hidden.
func (s *stack) start(e *element, hidden bool) {
	for !s.deep {
		if s.startIn(s.mode(), e, hidden) {
			return
		}
	}
}

// startIn processes a start tag in one mode. It returns false if the tag is to be processed again: HTML §13.2.6.4.
func (s *stack) startIn(m mode, e *element, hidden bool) bool {
	switch m {
	case inCell:
		switch e.name {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			s.popUntil(inTableScope, atom.Td, atom.Th)
			s.clearFormatting()
			return false
		}
	case inCaption:
		switch e.name {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			s.popUntil(inTableScope, atom.Caption)
			s.clearFormatting()
			return false
		}
	case inColumnGroup:
		if e.name != atom.Col {
			s.pop()
			return false
		}
	case inRow:
		switch e.name {
		case atom.Td, atom.Th:
			s.clearTo(atom.Tr)
			s.push(e)
			s.mark()
			return true
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			s.popUntil(inTableScope, atom.Tr)
			return false
		}
		return s.startInTable(e, hidden)
	case inTableBody:
		switch e.name {
		case atom.Tr:
			s.clearTo(atom.Tbody, atom.Tfoot, atom.Thead)
			s.push(e)
			return true
		case atom.Td, atom.Th:
			s.clearTo(atom.Tbody, atom.Tfoot, atom.Thead)
			s.push(&element{name: atom.Tr})
			return false
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
			s.popUntil(inTableScope, atom.Tbody, atom.Thead, atom.Tfoot)
			return false
		}
		return s.startInTable(e, hidden)
	case inTable:
		return s.startInTable(e, hidden)
	}
	s.startInBody(e)
	return true
}

// startInTable processes a start tag by the rules for "in table".
func (s *stack) startInTable(e *element, hidden bool) bool {
	switch e.name {
	case atom.Caption:
		s.clearTo(atom.Table)
		s.mark()
		s.push(e)
	case atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
		s.clearTo(atom.Table)
		s.push(e)
	case atom.Col:
		s.clearTo(atom.Table)
		s.push(&element{name: atom.Colgroup})
		return false
	case atom.Td, atom.Th, atom.Tr:
		s.clearTo(atom.Table)
		s.push(&element{name: atom.Tbody})
		return false
	case atom.Table:
		s.popUntil(inTableScope, atom.Table)
		return false
	case atom.Form:
		if s.form == nil {
			s.form = e // and it is closed at once
		}
	case atom.Input:
		if !hidden {
			s.startInBody(e)
		}
	default:
		// With foster parenting, which moves nodes but leaves the stack alone.
		s.startInBody(e)
	}
	return true
}

// startInBody processes a start tag by the rules for "in body": HTML §13.2.6.4.7.
func (s *stack) startInBody(e *element) {
	switch e.name {
	case atom.Caption, atom.Col, atom.Colgroup, atom.Frame, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		// Ignored.
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track:
		// Void.
	case atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Noframes, atom.Noembed, atom.Iframe:
		// Raw text: closed before the next tag that is for us.
	case atom.Xmp:
		s.popUntil(inButtonScope, atom.P)
		s.reconstruct()
	case atom.Area, atom.Br, atom.Embed, atom.Img, atom.Image, atom.Input, atom.Keygen, atom.Wbr:
		s.reconstruct()
	case atom.Hr:
		s.popUntil(inButtonScope, atom.P)
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl,
		atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Main, atom.Menu, atom.Nav, atom.Ol,
		atom.P, atom.Search, atom.Section, atom.Summary, atom.Ul, atom.Pre, atom.Listing:
		s.popUntil(inButtonScope, atom.P)
		s.push(e)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		s.popUntil(inButtonScope, atom.P)
		if isHeading(s.top().name) {
			s.pop()
		}
		s.push(e)
	case atom.Form:
		if s.form != nil {
			return
		}
		s.popUntil(inButtonScope, atom.P)
		s.push(e)
		s.form = e
	case atom.Li:
		s.closeItem(atom.Li, atom.Li)
		s.push(e)
	case atom.Dd, atom.Dt:
		s.closeItem(atom.Dd, atom.Dt)
		s.push(e)
	case atom.Button:
		s.popUntil(inScope, atom.Button)
		s.reconstruct()
		s.push(e)
	case atom.A:
		for i := len(s.formatting) - 1; i >= 0 && s.formatting[i] != nil; i-- {
			if old := s.formatting[i]; old.name == atom.A {
				s.endFormatting(atom.A)
				s.remove(old)
				s.formatting = without(s.formatting, old)
				break
			}
		}
		s.reconstruct()
		s.pushFormatting(e)
	case atom.Nobr:
		s.reconstruct()
		if s.has(inScope, atom.Nobr) {
			s.endFormatting(atom.Nobr)
			s.reconstruct()
		}
		s.pushFormatting(e)
	case atom.Applet, atom.Marquee, atom.Object:
		s.reconstruct()
		s.push(e)
		s.mark()
	case atom.Table:
		if s.noQuirks {
			s.popUntil(inButtonScope, atom.P)
		}
		s.push(e)
	case atom.Option, atom.Optgroup:
		if s.top().name == atom.Option {
			s.pop()
		}
		s.reconstruct()
		s.push(e)
	case atom.Rb, atom.Rtc:
		if s.has(inScope, atom.Ruby) {
			s.closeImplied(0)
		}
		s.push(e)
	case atom.Rp, atom.Rt:
		if s.has(inScope, atom.Ruby) {
			s.closeImplied(atom.Rtc)
		}
		s.push(e)
	default:
		s.reconstruct()
		if isFormatting(e.name) {
			s.pushFormatting(e)
		} else {
			s.push(e)
		}
	}
}

// closeItem closes the list item that a new one with the name a or b ends, and an open p.
func (s *stack) closeItem(a, b atom.Atom) {
	for i := len(s.open) - 1; i >= 2; i-- {
		name := s.open[i].name
		if name == a || name == b {
			s.cut(i)
			break
		}
		if isSpecial(name) && name != atom.Address && name != atom.Div && name != atom.P {
			break
		}
	}
	s.popUntil(inButtonScope, atom.P)
}

// end does what an end tag makes a parser do.
func (s *stack) end(name atom.Atom, other string) {
	for !s.deep {
		if s.endIn(s.mode(), name, other) {
			return
		}
	}
}

// endIn processes an end tag in one mode. It returns false if the tag is to be processed again.
func (s *stack) endIn(m mode, name atom.Atom, other string) bool {
	switch m {
	case inCell:
		switch name {
		case atom.Td, atom.Th:
			if s.popUntil(inTableScope, name) {
				s.clearFormatting()
			}
			return true
		case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
			return true
		case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
			if !s.has(inTableScope, name) {
				return true
			}
			s.popUntil(inTableScope, atom.Td, atom.Th)
			s.clearFormatting()
			return false
		}
	case inCaption:
		switch name {
		case atom.Caption, atom.Table:
			s.popUntil(inTableScope, atom.Caption)
			s.clearFormatting()
			return name == atom.Caption
		case atom.Body, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			return true
		}
	case inColumnGroup:
		if name == atom.Col {
			return true
		}
		s.pop()
		return name == atom.Colgroup
	case inRow:
		switch name {
		case atom.Tr, atom.Table:
			s.popUntil(inTableScope, atom.Tr)
			return name == atom.Tr
		case atom.Tbody, atom.Tfoot, atom.Thead:
			if !s.has(inTableScope, name) {
				return true
			}
			s.popUntil(inTableScope, atom.Tr)
			return false
		}
		s.endInTable(name, other)
		return true
	case inTableBody:
		switch name {
		case atom.Tbody, atom.Tfoot, atom.Thead:
			s.popUntil(inTableScope, name)
			return true
		case atom.Table:
			s.popUntil(inTableScope, atom.Tbody, atom.Thead, atom.Tfoot)
			return false
		}
		s.endInTable(name, other)
		return true
	case inTable:
		s.endInTable(name, other)
		return true
	}
	s.endInBody(name, other)
	return true
}

// endInTable processes an end tag by the rules for "in table".
func (s *stack) endInTable(name atom.Atom, other string) {
	switch name {
	case atom.Table:
		s.popUntil(inTableScope, atom.Table)
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		// Ignored.
	default:
		s.endInBody(name, other)
	}
}

// endInBody processes an end tag by the rules for "in body".
func (s *stack) endInBody(name atom.Atom, other string) {
	switch name {
	case atom.Body, atom.Html, atom.Template:
		// The first two leave all elements open; there is no template.
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Button, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div,
		atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Listing, atom.Main, atom.Menu,
		atom.Nav, atom.Ol, atom.Pre, atom.Search, atom.Section, atom.Select, atom.Summary, atom.Ul:
		s.popUntil(inScope, name)
	case atom.Form:
		form := s.form
		s.form = nil
		if i := s.find(inScope, atom.Form); form == nil || i < 0 || s.open[i] != form {
			return
		}
		s.closeImplied(0)
		s.remove(form)
	case atom.P:
		s.popUntil(inButtonScope, atom.P) // without one, an empty p is made
	case atom.Li:
		s.popUntil(inListItemScope, atom.Li)
	case atom.Dd, atom.Dt:
		s.popUntil(inScope, name)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		s.popUntil(inScope, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
	case atom.Applet, atom.Marquee, atom.Object:
		if s.popUntil(inScope, name) {
			s.clearFormatting()
		}
	case atom.Br:
		s.reconstruct() // </br> is a br
	default:
		if isFormatting(name) {
			s.endFormatting(name)
		} else {
			s.endOther(name, other)
		}
	}
}

// endOther processes "any other end tag" of "in body".
func (s *stack) endOther(name atom.Atom, other string) {
	for i := len(s.open) - 1; i >= 2; i-- {
		if s.open[i].is(name, other) {
			s.cut(i)
			return
		}
		if isSpecial(s.open[i].name) {
			return
		}
	}
}

// endFormatting is the adoption agency algorithm (HTML §13.2.6.4.7), as far as it changes the stack and the list. The numbers are those
// of its steps.
func (s *stack) endFormatting(name atom.Atom) {
	// 3. The element has no attributes in the list.
	if top := s.top(); top.name == name && !slices.Contains(s.formatting, top) {
		s.pop()
		return
	}
	for range 8 {
		// 4.3. The formatting element.
		at := len(s.formatting) - 1
		for at >= 0 && s.formatting[at] != nil && s.formatting[at].name != name {
			at--
		}
		if at < 0 || s.formatting[at] == nil {
			s.endOther(name, "")
			return
		}
		el := s.formatting[at]
		// 4.4, 4.5.
		first := slices.Index(s.open, el)
		if first < 0 {
			s.formatting = without(s.formatting, el)
			return
		}
		if !s.has(inScope, name) {
			return
		}
		// 4.7, 4.8. The furthest block: the outermost special element in it.
		furthest := first + 1
		for furthest < len(s.open) && !isSpecial(s.open[furthest].name) {
			furthest++
		}
		if furthest == len(s.open) {
			s.cut(first)
			s.formatting = without(s.formatting, el)
			return
		}
		block := s.open[furthest]
		// 4.10 to 4.13. The elements between go from the list from the fourth on, and those that are not in the list go from the
		// stack; the others are replaced by copies.
		bookmark := at
		for i, inner := furthest-1, 1; i > first; i, inner = i-1, inner+1 {
			node := s.open[i]
			listed := slices.Index(s.formatting, node)
			if listed >= 0 && inner > 3 {
				s.formatting = slices.Delete(s.formatting, listed, listed+1)
				if listed <= bookmark {
					bookmark--
				}
				listed = -1
			}
			if listed < 0 {
				s.open = slices.Delete(s.open, i, i+1)
				continue
			}
			clone := *node
			s.formatting[listed], s.open[i] = &clone, &clone
			if s.open[i+1] == block {
				bookmark = listed + 1
			}
		}
		// 4.15 to 4.19. A copy of the formatting element goes into the block.
		clone := *el
		if old := slices.Index(s.formatting, el); old >= 0 {
			if old < bookmark {
				bookmark--
			}
			s.formatting = slices.Delete(s.formatting, old, old+1)
		}
		s.formatting = slices.Insert(s.formatting, bookmark, &clone)
		s.open = without(s.open, el)
		s.open = slices.Insert(s.open, slices.Index(s.open, block)+1, &clone)
	}
}

func without(list []*element, e *element) []*element {
	if i := slices.Index(list, e); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

func isHeading(name atom.Atom) bool {
	switch name {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// isFormatting reports whether an element is in the formatting category: HTML §13.2.4.2.
func isFormatting(name atom.Atom) bool {
	switch name {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

// isSpecial reports whether an element is in the special category: HTML §13.2.4.2.
func isSpecial(name atom.Atom) bool {
	switch name {
	case atom.Address, atom.Applet, atom.Area, atom.Article, atom.Aside, atom.Base, atom.Basefont, atom.Bgsound, atom.Blockquote,
		atom.Body, atom.Br, atom.Button, atom.Caption, atom.Center, atom.Col, atom.Colgroup, atom.Dd, atom.Details, atom.Dir, atom.Div,
		atom.Dl, atom.Dt, atom.Embed, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frame, atom.Frameset,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Iframe,
		atom.Img, atom.Input, atom.Keygen, atom.Li, atom.Link, atom.Listing, atom.Main, atom.Marquee, atom.Menu, atom.Meta, atom.Nav,
		atom.Noembed, atom.Noframes, atom.Noscript, atom.Object, atom.Ol, atom.P, atom.Param, atom.Plaintext, atom.Pre, atom.Script,
		atom.Search, atom.Section, atom.Select, atom.Source, atom.Style, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Template,
		atom.Textarea, atom.Tfoot, atom.Th, atom.Thead, atom.Title, atom.Tr, atom.Track, atom.Ul, atom.Wbr, atom.Xmp:
		return true
	}
	return false
}
