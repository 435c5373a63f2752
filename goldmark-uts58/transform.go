// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"cmp"
	"html"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/internal/attrs"
)

// A transformer makes the links of a document.
type transformer struct{ *settings }

// Transform implements parser.ASTTransformer.
func (t transformer) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	st, _ := pc.Get(stateKey).(*state)
	w := walkers.Get().(*walker)
	w.settings, w.source = t.settings, reader.Source()
	if st != nil {
		w.linkified, w.arena = st.linkified, st.arena
	}
	w.controls = display.BeginsRightToLeft(view(w.source)) || bytes.Contains(w.source, []byte("&#"))
	w.block(doc)
	w.notes()
	if w.originals != nil {
		doc.AddMeta(originalsKey, w.originals)
	}
	if st != nil {
		st.steps += w.steps + w.raw.steps
		st.done()
	}
	w.release()
}

// walkers are those that wait for another document, with the room that they have.
var walkers = sync.Pool{New: func() any { return new(walker) }}

// mostKept is the greatest number of links in a block whose room is kept for another document.
const mostKept = 256

// release gives the walker back, without anything of its document.
func (w *walker) release() {
	if max(cap(w.made), cap(w.contents), cap(w.segments), cap(w.spaces), cap(w.links), cap(w.edits)) > mostKept {
		return
	}
	clear(w.made[:cap(w.made)])
	clear(w.contents[:cap(w.contents)])
	clear(w.edits[:cap(w.edits)])
	*w = walker{made: w.made[:0], contents: w.contents[:0], segments: w.segments[:0], spaces: w.spaces[:0], links: w.links[:0], edits: w.edits[:0]}
	walkers.Put(w)
}

// forget forgets the links of a block.
func (w *walker) forget() {
	clear(w.made)
	clear(w.contents)
	w.made, w.contents, w.segments, w.links = w.made[:0], w.contents[:0], w.segments[:0], w.links[:0]
}

// A walker goes through one document.
type walker struct {
	*settings
	source    []byte
	raw       tracker
	steps     int
	specials  specials
	signs     signs
	controls  bool                 // there may be a bidi control that begins right-to-left text
	linkified map[int]bool         // where in the source extension.Linkify would have made links
	foreign   int                  // inline nodes that no links are made in, but for these
	footnotes *extast.FootnoteList // or nil
	looked    bool                 // whether rtl is known: that there may be a right-to-left letter in the source
	rtl       bool

	originals map[ast.Node]string // the addresses of links before the hook changed them

	// In the block that is gone through:
	last     string        // of what the reader sees, not empty unless something stands between it and the next
	begins   bool          // there was a bidi control that begins right-to-left text
	links    []engine.Link // that were found
	made     []match       // those that are made
	contents []content     // of the runs that have links, and of the last one
	segments []segment     // of the runs that have links

	spaces []segment      // of the run that is gone through
	edits  []display.Edit // of a link
	arena  arena
}

// block goes through a block, or the document.
func (w *walker) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.HTMLBlock:
		b := n.Lines().Value(w.source)
		if n.HasClosure() {
			b = append(b, n.ClosureLine.Value(w.source)...)
		}
		w.raw.follow(b)
		return
	case *ast.LinkReferenceDefinition:
		return
	case *extast.FootnoteList:
		w.footnotes = n
		return
	}
	s, paragraph := scopeSpecial, false
	switch n.Kind() {
	case ast.KindParagraph:
		paragraph = true
	case ast.KindTextBlock:
		s, paragraph = scopeOpen, true
	case ast.KindDocument:
		s = scopeOpen
	case extast.KindTable, extast.KindTableCell:
		s = scopeWall
	}
	e := w.raw.enter(s, attributeDir(n))
	if first := n.FirstChild(); first != nil && first.Type() == ast.TypeInline {
		w.last, w.begins = "", false
		w.inline(n, true)
		w.finish(n)
	} else {
		for c := first; c != nil; c = c.NextSibling() {
			w.block(c)
		}
	}
	if n.Kind() != ast.KindDocument {
		w.raw.leave(e, paragraph)
	}
}

// notes goes through the footnotes of the document, as they are rendered: behind all else, in the order of the references to them, and without those that
// nothing refers to.
func (w *walker) notes() {
	if w.footnotes == nil {
		return
	}
	var notes []*extast.Footnote
	for c := w.footnotes.FirstChild(); c != nil; c = c.NextSibling() {
		if n, ok := c.(*extast.Footnote); ok && n.Index >= 0 {
			notes = append(notes, n)
		}
	}
	slices.SortFunc(notes, func(a, b *extast.Footnote) int { return cmp.Compare(a.Index, b.Index) })
	e := w.raw.enter(scopeSpecial, noDir)
	for _, n := range notes {
		w.block(n)
	}
	w.raw.leave(e, false)
}

// attributeDir returns the dir attribute of a node.
func attributeDir(n ast.Node) dir {
	if n.Attributes() == nil {
		return noDir
	}
	switch v, _ := n.AttributeString("dir"); v := v.(type) {
	case []byte:
		return dirOf(string(v))
	case string:
		return dirOf(v)
	}
	return noDir
}

// inline goes through the children of a node, and makes links of them if it may.
func (w *walker) inline(parent ast.Node, may bool) {
	for c := parent.FirstChild(); c != nil; {
		next := c.NextSibling()
		switch n := c.(type) {
		case *ast.Text:
			next = w.run(parent, n, may)
		case *ast.RawHTML:
			b := n.Segments.Value(w.source)
			w.raw.follow(b)
			if len(b) > 3 && strings.EqualFold(view(b[:3]), "<br") {
				w.last = ""
			}
		case *ast.String:
			s := string(n.Value)
			if !n.IsRaw() {
				s = html.UnescapeString(s)
			}
			w.see(s)
		case *ast.AutoLink:
			if t := w.unlink(n, may); t != nil {
				next = w.run(parent, t, may)
			} else {
				w.see(string(n.Label(w.source)))
			}
		case *ast.CodeSpan:
			w.inline(n, false)
			w.last = "" // as in HTML: a reader does not take it for one word with what is around it
		case *ast.Link:
			w.inline(n, false)
		case *ast.Image:
			w.last = ""
		default:
			w.other(c, may)
		}
		c = next
	}
}

// other goes through a node that is neither text nor of those that are left alone.
func (w *walker) other(n ast.Node, may bool) {
	if n.Type() != ast.TypeInline {
		// A block within inline nodes is nothing that goldmark makes.
		return
	}
	known := false
	for _, k := range w.settings.inline {
		known = known || k == n.Kind()
	}
	e := w.raw.enter(scopeOpen, attributeDir(n))
	if !known {
		w.last = ""
		w.foreign++
	}
	w.inline(n, may && (known || len(w.linkified) > 0))
	if !known {
		w.last = ""
		w.foreign--
	}
	if e != nil {
		w.raw.leave(e, true)
	}
}

// see takes up what the reader sees.
func (w *walker) see(s string) {
	w.seeLetters(s)
	w.seeLast(s)
}

// seeLetters takes up text outside links that are made, for what it says about the direction of text: of elements with dir="auto", and behind
// bidi controls.
func (w *walker) seeLetters(s string) {
	w.begins = w.begins || w.controls && display.BeginsRightToLeft(s)
	if e := w.raw.directed(); e != nil && e.dir == firstLetter && e.strong == display.Unknown {
		e.strong = display.FirstStrong(s)
	}
}

// seeLast remembers what the reader sees last.
func (w *walker) seeLast(s string) {
	if s != "" {
		w.last = s
	}
}

// before returns the last character of what the reader sees, if nothing stands between it and the next, and it is not white space.
func (w *walker) before() string {
	s := w.last
	if s == "" || isTagSpace(s[len(s)-1]) {
		return ""
	}
	r, n := utf8.DecodeLastRuneInString(s)
	if r == utf8.RuneError && n == 1 {
		return ""
	}
	return s[len(s)-n:]
}

// run makes the links of a run: texts side by side, up to a line break. It returns the node behind it.
func (w *walker) run(parent ast.Node, first *ast.Text, may bool) ast.Node {
	if next, ok := w.quiet(first); ok {
		return next
	}
	w.spaces = w.spaces[:0]
	var next ast.Node = first
	broken := false
	for next != nil && !broken {
		n, ok := next.(*ast.Text)
		if !ok {
			a, is := next.(*ast.AutoLink)
			if !is {
				break
			}
			if n = w.unlink(a, may); n == nil {
				break
			}
			next = n
		}
		w.spaces = append(w.spaces, segment{n.Segment, n.IsRaw()})
		broken = n.SoftLineBreak() || n.HardLineBreak()
		next = next.NextSibling()
	}
	start, stop := w.spaces[0].Start, w.spaces[len(w.spaces)-1].Stop
	w.steps += stop - start + len(w.spaces)
	plain := w.specials.plain(w.source, start, stop)
	may = may && w.raw.mayLink()
	if plain && !may && w.raw.dirs == 0 && !w.controls {
		// There is nothing to see but the last character.
		for i := range w.spaces {
			if s := &w.spaces[i]; s.Start < s.Stop {
				w.seeLast(view(w.source[s.Start:s.Stop]))
			}
		}
		if broken {
			w.last = ""
		}
		return next
	}
	c := contentOf(w.source, w.spaces, plain, w.escapedSpace)
	n := len(w.made)
	if may {
		w.contents = append(w.contents, c)
		w.appendMatches()
		if n < len(w.made) {
			w.splice(parent, first, next, w.made[n:])
		} else {
			w.contents = w.contents[:len(w.contents)-1]
		}
	}
	at, begun := 0, -1 // where the first link in the source is that such a control stands before
	for i := range w.made[n:] {
		m := &w.made[n+i]
		l := &w.links[m.link]
		w.seeLetters(c.text[at:l.Start])
		at = l.End
		if w.begins && begun < 0 {
			begun = m.from
		}
	}
	for i := len(w.made) - 1; i >= 0 && begun >= 0 && w.made[i].from >= begun; i-- {
		w.made[i].begins = true
	}
	w.seeLetters(c.text[at:])
	if broken {
		w.last = ""
	} else {
		w.seeLast(c.text)
	}
	return next
}

// quiet goes over a run in which there is nothing to see but the last character, and returns the node behind it; or it is not ok.
func (w *walker) quiet(n *ast.Text) (behind ast.Node, ok bool) {
	if w.controls || w.raw.dirs > 0 {
		return nil, false
	}
	start, stop := n.Segment.Start, n.Segment.Stop
	broken := false
	for {
		broken, behind = n.SoftLineBreak() || n.HardLineBreak(), n.NextSibling()
		if broken {
			break
		}
		next, is := behind.(*ast.Text)
		if !is {
			break
		}
		if next.Segment.Start != stop || next.Segment.Padding > 0 {
			return nil, false
		}
		n, stop = next, next.Segment.Stop
	}
	if _, is := behind.(*ast.AutoLink); is && !broken || w.signs.in(w.source, start, stop) {
		return nil, false
	}
	w.steps += stop - start + 1
	if broken {
		w.last = ""
	} else {
		w.seeLast(view(w.source[start:stop]))
	}
	return behind, true
}

// unlink replaces an autolink without angle brackets, as extension.Linkify makes them, by its text, and returns that; or it returns nil, if
// the autolink has brackets, or none of our links begins where it does.
func (w *walker) unlink(n *ast.AutoLink, may bool) *ast.Text {
	label := n.Label(w.source)
	start := cap(w.source) - cap(label)
	if len(label) == 0 || start < 0 || start >= len(w.source) || &label[0] != &w.source[start] {
		return nil
	}
	end := start + len(label)
	if start > 0 && w.source[start-1] == '<' && end < len(w.source) && w.source[end] == '>' {
		return nil
	}
	if l, ok := w.find.Find(view(label), 0); may && w.raw.mayLink() && (!ok || l.Start > 0) {
		return nil
	}
	t := ast.NewTextSegment(text.NewSegment(start, end))
	parent := n.Parent()
	parent.ReplaceChild(parent, n, t)
	return t
}

// splice puts the links into the tree, in place of parts of the texts from first up to end.
func (w *walker) splice(parent ast.Node, first ast.Node, end ast.Node, todo []match) {
	w.segments = append(w.segments, w.spaces...)
	segments := w.segments[len(w.segments)-len(w.spaces):]
	d := w.raw.directed()
	n := first
	for i := 0; n != end; i++ {
		t, next := n.(*ast.Text), n.NextSibling()
		seg := &segments[i]
		at := seg.Start
		for len(todo) > 0 && todo[0].from < seg.Stop {
			m := &todo[0]
			if m.from >= seg.Start {
				m.node = w.node(m)
				if m.node == nil {
					todo = todo[1:]
					continue
				}
				if m.from > at || at == seg.Start && seg.Padding > 0 {
					before := w.arena.text(at, m.from, seg.raw)
					if at == seg.Start {
						before.Segment.Padding = seg.Padding
					}
					parent.InsertBefore(parent, n, before)
				}
				parent.InsertBefore(parent, n, m.node)
				m.segments, m.dir = segments[i:i+within(segments[i:], m)], d
			}
			at = min(m.to, seg.Stop)
			if m.to > seg.Stop {
				break
			}
			todo = todo[1:]
		}
		switch {
		case at == seg.Start && at < seg.Stop || seg.IsEmpty():
			// Nothing was taken from it.
		case at == seg.Stop && !t.SoftLineBreak() && !t.HardLineBreak():
			parent.RemoveChild(parent, n)
		default:
			t.Segment = text.NewSegment(at, seg.Stop)
		}
		n = next
	}
}

// within returns how many segments a link has a part of. The first is that where it begins.
func within(segments []segment, m *match) (n int) {
	for n < len(segments) && segments[n].Start < m.to {
		n++
	}
	return n
}

// node returns the node of a link, without children, or nil if there is to be no link.
func (w *walker) node(m *match) ast.Node {
	href := m.href
	var attributes []Attribute
	changed := false
	if w.Link != nil {
		// The text may be a view of the source, and the hook may keep it: there is a copy, one for all links of the run.
		c := &w.contents[m.content]
		if c.copy == "" {
			c.copy = strings.Clone(c.text)
			w.steps += len(c.text)
		}
		l := Link{Text: c.copy, Link: w.links[m.link], Href: string(m.href)}
		if !w.approve(&l) {
			return nil
		}
		changed = l.Href != string(m.href)
		if !w.Links.IRI {
			l.Href = attrs.ASCII(l.Href)
		}
		href, attributes = []byte(l.Href), l.Attributes
	}
	destination, ok := href, true
	if !m.plain || w.Link != nil {
		host := w.links[m.link].Host
		ok = host.Empty() || w.contents[m.content].text[host.Start] != '['
		if w.Link != nil || w.Links.IRI || bytes.IndexByte(href, '&') >= 0 {
			destination, ok = destinationOf(href)
		}
	}
	var node ast.Node
	switch {
	case ok || w.Isolate != Bdi && !bytes.Contains(href, []byte("://[")):
		l := w.arena.links.next()
		l.Destination = destination
		node = l
	case w.Isolate == Bdi:
		node = &Element{Tag: "a"}
		node.SetAttributeString("href", string(href))
	default:
		return nil
	}
	if changed {
		if w.originals == nil {
			w.originals = map[ast.Node]string{}
		}
		w.originals[node] = string(m.href)
	}
	node.SetPos(m.from)
	for _, a := range attributes {
		node.SetAttributeString(a.Name, a.Value)
	}
	return node
}
