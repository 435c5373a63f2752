// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/bidilink/bidilink/engine/display"
)

// An element is an open element, or one that a parser will open again.
type element struct {
	name atom.Atom // 0 for a name that atom does not know
	ns   namespace
	kept bool  // it is or was open
	open uint8 // the parsers that have it on their stack, see parser.bit
	kind kind
	more *more // nil for most
	flags
	strong display.Direction // of the first letter in it, if dir is auto and it is known
}

// more is what few elements have.
type more struct {
	other string // the name if atom does not know it
	attrs string // of a formatting element: what stands behind its name in the tag
	norm  string // the same in a normal form, if it was needed
}

func (e *element) other() string {
	if e.more == nil {
		return ""
	}
	return e.more.other
}

func (e *element) attrs() string {
	if e.more == nil {
		return ""
	}
	return e.more.attrs
}

func (e *element) is(name atom.Atom, other string) bool {
	return e.name == name && e.ns == htmlNS && (name != 0 || e.kind&ghost == 0 && e.other() == other)
}

// odd reports whether e may be a reason not to link what is in it.
func (e *element) odd() bool {
	return e.hard || e.links != inherited || e.said != inherited || e.editable != inherited || e.ns != htmlNS
}

// never is behind all open elements.
const never = math.MaxInt

// isHTML reports whether e is the HTML element of a name.
func (e *element) isHTML(name atom.Atom) bool { return e.name == name && e.ns == htmlNS }

// A ghost stands for an element that is off the stack of open elements, but still has open elements in it (a form whose end tag is
// misnested): these are in it as far as links are concerned. It has no name, and is never on top.
func newGhost(e *element) *element { return &element{kind: ghost, flags: e.flags} }

// tagBits are what else matters of a start tag.
type tagBits uint8

const (
	selfClosing  tagBits = 1 << iota // it ends with a slash
	hiddenInput                      // type=hidden
	breaksOut                        // color, face or size: of a font tag that ends foreign content
	htmlEncoding                     // encoding=text/html: of an annotation-xml that has HTML in it
	odd                              // whether it is self-closing is not clear
)

// A parser is the state of HTML's tree construction (HTML §13.2.4) as far as it decides in which elements a text is, and whether the
// tokenizer reads text or markup: the insertion mode, the stack of open elements, the list of active formatting elements, and
// the stack of template insertion modes. It has no tree.
//
// The open elements begin with html, whether or not the document has its tag.
type parser struct {
	profiles   profiles // the parsers that this one stands for
	bit        uint8    // in the elements that are open; no two parsers that share elements have the same
	mode       mode
	open       []*element
	formatting []*element // nil is a marker
	templates  []mode
	rootMode   mode      // what follows from the html element, which stands for the context of a fragment
	context    atom.Atom // of a fragment, if atom knows it
	form       *element  // the form element pointer; it need not be open
	noQuirks   bool      // the document is not in quirks mode
	limit      int       // of open
	reason     Reason    // why the parser cannot be followed any further
	oddAt      int       // the lowest open element that is odd, see element.odd; or never
	steps      int       // elements looked at, for tests
	pool       *pool     // of elements
}

// begin sets a parser to the beginning of a document.
func (p *parser) begin(limit int, elements *pool) {
	*p = parser{
		profiles:   everyProfile,
		bit:        1,
		open:       append(p.open[:0], &element{name: atom.Html, kind: kindOf(atom.Html), open: 1}),
		formatting: p.formatting[:0],
		templates:  p.templates[:0],
		limit:      limit,
		rootMode:   afterHead,
		oddAt:      never,
		pool:       elements,
	}
}

// A mode is an insertion mode: HTML §13.2.4.1. Those before the head are one, as are those after the body and that for the body; raw text
// is the tokenizer's business. The walker ends where those for framesets begin.
type mode uint8

const (
	beforeHead mode = iota
	inHead
	inHeadNoscript
	afterHead
	inBody
	inTable
	inCaption
	inColumnGroup
	inTableBody
	inRow
	inCell
	inTemplate
	inSelect // of parsers older than 2025
	inSelectInTable
)

// fail says that the parser cannot be followed any further.
func (p *parser) fail(r Reason) {
	if p.reason == NotCopied {
		p.reason = r
	}
}

func (p *parser) top() *element { return p.open[len(p.open)-1] }

func (p *parser) push(e *element) {
	if len(p.open) >= p.limit {
		p.fail(DepthLimit)
		return
	}
	e.kept = true
	e.open |= p.bit
	if e.odd() && p.oddAt == never {
		p.oddAt = len(p.open)
	}
	p.open = append(p.open, e)
}

// shrunk is called when elements were taken from the top of the stack.
func (p *parser) shrunk() {
	if p.oddAt >= len(p.open) {
		p.oddAt = never
	}
}

// changed is called when open elements have changed, or some within the stack.
func (p *parser) changed() {
	p.oddAt = never
	if i := slices.IndexFunc(p.open, (*element).odd); i >= 0 {
		p.oddAt = i
	}
}

// pop removes the top element.
func (p *parser) pop() { p.cut(len(p.open) - 1) }

// cut removes the open elements from i on, but never html.
func (p *parser) cut(i int) {
	for i > 1 && p.open[i-1].kind&ghost != 0 {
		i--
	}
	i = max(i, 1)
	for _, e := range p.open[i:] {
		e.open &^= p.bit
		if p.profiles == everyProfile { // else another parser may have it open
			p.pool.put(e)
		}
	}
	p.open = p.open[:i]
	p.shrunk()
}

// A scope is a set of elements at which a search for an open element ends: HTML §13.2.4.2.
type scope kind

const (
	inScope         = scope(endsScope)
	inListItemScope = scope(endsScope | isList)
	inButtonScope   = scope(endsScope | isButton)
	inTableScope    = scope(endsTableScope)
)

// find returns the index of the innermost open element in scope with a name, or -1.
func (p *parser) find(sc scope, name atom.Atom) int { return p.findAny(sc, name, name, name) }

// findAny is find with several names.
func (p *parser) findAny(sc scope, a, b, c atom.Atom) int {
	for i := len(p.open) - 1; i >= 0; i-- {
		e := p.open[i]
		if (e.name == a || e.name == b || e.name == c) && e.ns == htmlNS {
			p.steps += len(p.open) - i
			return i
		}
		if e.kind&kind(sc) != 0 {
			p.steps += len(p.open) - i
			break
		}
	}
	return -1
}

func (p *parser) has(sc scope, name atom.Atom) bool { return p.find(sc, name) >= 0 }

// popUntil closes the innermost element in scope with a name, and all in it. It reports whether there was one.
func (p *parser) popUntil(sc scope, name atom.Atom) bool { return p.popUntilAny(sc, name, name, name) }

func (p *parser) popUntilAny(sc scope, a, b, c atom.Atom) bool {
	i := p.findAny(sc, a, b, c)
	if i < 0 {
		return false
	}
	p.cut(i)
	return true
}

// isOpen reports whether e is in the stack.
func (p *parser) isOpen(e *element) bool { return e.open&p.bit != 0 }

// indexOpen returns the index of e in the stack, or -1.
func (p *parser) indexOpen(e *element) int {
	if !p.isOpen(e) {
		return -1
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		if p.open[i] == e {
			p.steps += len(p.open) - i
			return i
		}
	}
	p.steps += len(p.open)
	return -1
}

// remove takes e off the stack, if it is there, but leaves what is in it open, and in it.
func (p *parser) remove(e *element) {
	i := p.indexOpen(e)
	switch {
	case i < 0:
	case i == len(p.open)-1:
		p.cut(i)
	default:
		p.open[i] = newGhost(e)
		e.open &^= p.bit
	}
}

// clearTo closes the elements above the innermost with one of the names ("clear the stack back to a … context").
func (p *parser) clearTo(a, b, c atom.Atom) {
	for i := len(p.open) - 1; i > 0; i-- {
		switch e := p.open[i]; {
		case e.ns != htmlNS:
		case e.name == a, e.name == b, e.name == c, e.name == atom.Template:
			p.cut(i + 1)
			return
		}
	}
	p.cut(1)
}

// closeImplied generates implied end tags, except for one name: HTML §13.2.6.3.
func (p *parser) closeImplied(except atom.Atom) {
	for p.top().kind&implied != 0 && p.top().name != except {
		p.steps++
		p.pop()
	}
}

// inTemplates reports whether there is a template on the stack.
func (p *parser) inTemplates() bool { return len(p.templates) > 0 }

// resetMode resets the insertion mode appropriately: HTML §13.2.4.1.
func (p *parser) resetMode() {
	for i := len(p.open) - 1; i >= 0; i-- {
		p.steps++
		e := p.open[i]
		if e.ns != htmlNS {
			continue
		}
		switch e.name {
		case atom.Td, atom.Th:
			p.mode = inCell
		case atom.Tr:
			p.mode = inRow
		case atom.Tbody, atom.Thead, atom.Tfoot:
			p.mode = inTableBody
		case atom.Caption:
			p.mode = inCaption
		case atom.Colgroup:
			p.mode = inColumnGroup
		case atom.Table:
			p.mode = inTable
		case atom.Template:
			p.mode = p.templates[len(p.templates)-1]
		case atom.Head:
			p.mode = inHead
		case atom.Body:
			p.mode = inBody
		case atom.Html:
			p.mode = p.rootMode
		case atom.Select:
			if !p.oldSelect() {
				continue
			}
			p.mode = inSelect
			for k := i - 1; k > 0 && !p.open[k].isHTML(atom.Template); k-- {
				if p.open[k].isHTML(atom.Table) {
					p.mode = inSelectInTable
					break
				}
			}
		default:
			continue
		}
		return
	}
}

// doctype does what a doctype makes a parser do.
func (p *parser) doctype(noQuirks bool) {
	if p.mode == beforeHead {
		p.noQuirks = noQuirks
	}
}

// quirks reports whether a doctype switches quirks mode on, in which a table does not end a p.
func quirks(raw, text string) bool {
	switch strings.ToLower(strings.Join(strings.Fields(text), " ")) {
	case "html", `html system "about:legacy-compat"`, `html system 'about:legacy-compat'`:
		return false
	}
	// The parser knows the list of public identifiers: HTML §13.2.6.4.1.
	doc, err := html.Parse(strings.NewReader(raw + "<p><table>"))
	if err != nil {
		return true
	}
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Table {
			return n.Parent.DataAtom == atom.P
		}
	}
	return true
}

// A textKind says what a text consists of, with its character references decoded.
type textKind uint8

const (
	solid  textKind = iota // more than white space
	blank                  // white space, and NUL characters
	absent                 // only NUL characters
)

// text does what a text makes a parser do. It says whether there is a NUL character in it, and whether it is but a
// newline.
func (p *parser) text(k textKind, nul, newline, afterPre bool) {
	if top := p.top(); top.ns != htmlNS && top.kind&(htmlPoint|mathPoint) == 0 {
		return // in foreign content: HTML §13.2.6.5
	}
	// NUL is dropped in the body only: before, it is a character like others.
	white := k == blank && !nul
	for {
		switch p.mode {
		case beforeHead:
			if white {
				return
			}
			p.openHead()
			continue
		case inHead:
			if white {
				return
			}
			p.closeHead()
			continue
		case inHeadNoscript:
			if white {
				return
			}
			p.pop()
			p.mode = inHead
			continue
		case afterHead:
			if white {
				return
			}
			p.openBody()
			continue
		case inColumnGroup:
			if white || !p.top().isHTML(atom.Colgroup) {
				return
			}
			p.pop()
			p.mode = inTable
			continue
		case inTable, inTableBody, inRow:
			if k != solid && p.top().kind&isTable != 0 {
				return
			}
		case inSelect, inSelectInTable:
			return
		}
		break
	}
	if k == absent {
		return
	}
	if top := p.top(); k == blank && top.ns == htmlNS && (top.name == atom.Pre || top.name == atom.Listing) {
		// The newline at its beginning is dropped.
		if newline && afterPre {
			return
		}
		if p.dormant() {
			// QUIRK: golang.org/x/net/html has other views on which newline is the first, and on references to one.
			p.fail(Misnested)
		}
	}
	p.reconstruct()
}

// start does what a start tag makes a parser do. It reports whether the tokenizer reads the content of the element as raw text.
func (p *parser) start(e *element, t tagBits) (raw bool) {
	for p.reason == NotCopied {
		if p.startsForeign(e) {
			if !breakout(e.name, t) {
				p.insertForeign(e, p.top().ns, t)
				return false
			}
			p.popForeign()
		}
		if raw, done := p.startIn(e, t); done {
			return raw
		}
	}
	return false
}

// startIn processes a start tag by the rules of the insertion mode: HTML §13.2.6.4. It returns false if the tag is to be processed again.
func (p *parser) startIn(e *element, t tagBits) (raw, done bool) {
	switch p.mode {
	case inBody:
		return p.startInBody(e, t), true
	case inCell:
		switch e.name {
		case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
			return false, !p.closeCell()
		}
		return p.startInBody(e, t), true
	case inRow:
		return p.startInRow(e, t)
	case inTableBody:
		return p.startInTableBody(e, t)
	case inTable:
		return p.startInTable(e, t)
	case inCaption:
		return p.startInCaption(e, t)
	case inColumnGroup:
		return p.startInColumnGroup(e)
	case inTemplate:
		return p.startInTemplate(e)
	case inSelect, inSelectInTable:
		return p.startInSelect(e)
	}
	return p.startInHead(e)
}

// end does what an end tag makes a parser do.
func (p *parser) end(name atom.Atom, other string) {
	if p.top().ns != htmlNS && p.endForeign(name, other) {
		return
	}
	for p.reason == NotCopied {
		if p.endIn(name, other) {
			return
		}
	}
}

// endIn processes an end tag by the rules of the insertion mode. It returns false if the tag is to be processed again.
func (p *parser) endIn(name atom.Atom, other string) bool {
	switch p.mode {
	case inBody:
		p.endInBody(name, other)
		return true
	case inCell:
		return p.endInCell(name, other)
	case inRow:
		return p.endInRow(name, other)
	case inTableBody:
		return p.endInTableBody(name, other)
	case inTable:
		p.endInTable(name, other)
		return true
	case inCaption:
		return p.endInCaption(name, other)
	case inColumnGroup:
		return p.endInColumnGroup(name)
	case inTemplate:
		if name == atom.Template {
			p.endTemplate()
		}
		return true
	case inSelect, inSelectInTable:
		return p.endInSelect(name)
	}
	return p.endInHead(name)
}

// same reports whether two parsers are in the same state.
func (p *parser) same(q *parser) bool {
	if p.mode != q.mode || len(p.open) != len(q.open) || len(p.formatting) != len(q.formatting) || p.noQuirks != q.noQuirks ||
		(p.form == nil) != (q.form == nil) || !slices.Equal(p.templates, q.templates) {
		return false
	}
	for i := len(p.open) - 1; i >= 0; i-- {
		p.steps++
		e := p.open[i]
		if !sameElement(e, q.open[i]) || e.isHTML(atom.Select) && p.oldSelect() != q.oldSelect() {
			return false // the latter may differ yet
		}
	}
	for i := len(p.formatting) - 1; i >= 0; i-- {
		p.steps++
		a, b := p.formatting[i], q.formatting[i]
		if (a == nil) != (b == nil) || a != nil && (!sameElement(a, b) || p.indexOpen(a) != q.indexOpen(b)) {
			return false
		}
	}
	return p.form == nil || p.indexOpen(p.form) == q.indexOpen(q.form)
}

// sameElement reports whether two elements do the same to what is in them, and to what ends them.
func sameElement(a, b *element) bool {
	return a == b || a.name == b.name && a.other() == b.other() && a.attrs() == b.attrs() && a.ns == b.ns && a.kind == b.kind && a.flags == b.flags
}

// clone returns a parser in the same state, with a bit of its own. They share the elements, which do not change any more.
func (p *parser) clone(bit uint8) *parser {
	q := *p
	q.steps, q.bit = 0, bit
	q.open, q.formatting, q.templates = slices.Clone(p.open), slices.Clone(p.formatting), slices.Clone(p.templates)
	for _, e := range q.open {
		e.open |= bit
	}
	return &q
}

// leave takes the elements off the stack of a parser that is not needed any more.
func (p *parser) leave() {
	for _, e := range p.open {
		e.open &^= p.bit
	}
}
