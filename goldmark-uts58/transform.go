// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/bidilink/bidilink/engine/display"
)

// A transformer makes the links of a document.
type transformer struct{ *settings }

// Transform implements parser.ASTTransformer.
func (t transformer) Transform(doc *ast.Document, reader text.Reader, pc parser.Context) {
	st, _ := pc.Get(stateKey).(*state)
	w := &walker{settings: t.settings, source: reader.Source()}
	w.controls = display.BeginsRightToLeft(view(w.source)) || bytes.Contains(w.source, []byte("&#"))
	w.block(doc)
	if st != nil {
		st.steps += w.steps + w.raw.steps
	}
}

// A walker goes through one document.
type walker struct {
	*settings
	source   []byte
	raw      tracker
	steps    int
	controls bool // there may be a bidi control that begins right-to-left text
	looked   bool // whether rtl is known: that there may be a right-to-left letter in the source
	rtl      bool

	// In the block that is gone through:
	before  [utf8.UTFMax]byte // the last character of what the reader sees, if nothing stands between it and the next, and it is not white space
	nBefore int
	begins  bool   // there was a bidi control that begins right-to-left text
	made    []made // the links
	spaces  []segment
	matches []match
}

// A made is a link whose node is in the tree, but has no children yet.
type made struct {
	node ast.Node
	match
	c        *content
	segments []segment   // of the source that its text is from
	dir      *rawElement // that says what direction the text around has, or nil
	begins   bool        // it stands behind a bidi control that begins right-to-left text
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
	}
	depth := len(w.raw.stack)
	if n.Attributes() != nil {
		if d := attributeDir(n); d != noDir {
			w.raw.push(&rawElement{dir: d})
		}
	}
	if first := n.FirstChild(); first != nil && first.Type() == ast.TypeInline {
		w.nBefore, w.begins, w.made = 0, false, w.made[:0]
		w.inline(n, true)
		w.finish(n)
	} else {
		for c := first; c != nil; c = c.NextSibling() {
			w.block(c)
		}
	}
	w.raw.truncate(min(depth, len(w.raw.stack)))
}

// attributeDir returns the dir attribute of a node.
func attributeDir(n ast.Node) dir {
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
				w.nBefore = 0
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
			w.nBefore = 0 // as in HTML: a reader does not take it for one word with what is around it
		case *ast.Link:
			w.inline(n, false)
		case *ast.Image:
			w.nBefore = 0
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
	depth := len(w.raw.stack)
	if n.Attributes() != nil {
		if d := attributeDir(n); d != noDir {
			w.raw.push(&rawElement{dir: d})
		}
	}
	if !known {
		w.nBefore = 0
	}
	w.inline(n, may && known)
	if !known {
		w.nBefore = 0
	}
	w.raw.truncate(min(depth, len(w.raw.stack)))
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

// seeLast remembers the last character of what the reader sees.
func (w *walker) seeLast(s string) {
	r, n := utf8.DecodeLastRuneInString(s)
	switch {
	case s == "":
	case n == 1 && strings.IndexByte(space, s[len(s)-1]) >= 0 || r == utf8.RuneError && n == 1:
		w.nBefore = 0
	default:
		w.nBefore = copy(w.before[:], s[len(s)-n:])
	}
}

// run makes the links of a run: texts side by side, up to a line break. It returns the node behind it.
func (w *walker) run(parent ast.Node, first *ast.Text, may bool) ast.Node {
	w.spaces = w.spaces[:0]
	var next ast.Node = first
	broken, could := false, false
	for next != nil && !broken {
		n, ok := next.(*ast.Text)
		if a, is := next.(*ast.AutoLink); is {
			if n = w.unlink(a, may); n != nil {
				next, ok = n, true
			}
		}
		if !ok {
			break
		}
		w.spaces = append(w.spaces, segment{n.Segment, n.IsRaw()})
		could = could || couldHoldLink(w.source[n.Segment.Start:n.Segment.Stop])
		broken = n.SoftLineBreak() || n.HardLineBreak()
		next = next.NextSibling()
	}
	last := w.spaces[len(w.spaces)-1].Segment
	w.steps += last.Stop - w.spaces[0].Start + len(w.spaces)
	if !could && len(w.raw.stack) == 0 && !w.controls {
		for i := len(w.spaces) - 1; i >= 0; i-- {
			if s := w.spaces[i]; s.Start < s.Stop {
				w.seeLast(view(w.source[s.Start:s.Stop]))
				break
			}
		}
		if broken {
			w.nBefore = 0
		}
		return next
	}
	c := contentOf(w.source, w.spaces)
	w.matches = w.matches[:0]
	if may && w.raw.mayLink() {
		w.matches = w.appendMatches(w.matches, &c, w.before[:w.nBefore], &w.steps)
	}
	if len(w.matches) > 0 {
		kept := c
		w.splice(parent, first, next, &kept)
	}
	at, begun := 0, -1 // where the first link in the source is that such a control stands before
	for _, m := range w.matches {
		w.seeLetters(c.text[at:m.Start])
		at = m.End
		if w.begins && begun < 0 {
			begun = m.from
		}
	}
	for i := len(w.made) - 1; i >= 0 && begun >= 0 && w.made[i].from >= begun; i-- {
		w.made[i].begins = true
	}
	w.seeLetters(c.text[at:])
	w.seeLast(c.text)
	if broken {
		w.nBefore = 0
	}
	return next
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

// couldHoldLink reports whether there may be a link in b, by what every link has: one of the dots of a host, or a colon; or whether there is
// a character reference, which may be such a one.
func couldHoldLink(b []byte) bool {
	for _, c := range [...]byte{'.', ':', '&', "\u3002"[0], "\uff0e"[0]} {
		if bytes.IndexByte(b, c) >= 0 {
			return true
		}
	}
	return false
}

// splice puts the links into the tree, in place of parts of the texts from first up to end.
func (w *walker) splice(parent ast.Node, first ast.Node, end ast.Node, c *content) {
	segments := append([]segment(nil), w.spaces...)
	d := w.raw.directed()
	todo := w.matches
	n := first
	for i := 0; n != end; i++ {
		t, next := n.(*ast.Text), n.NextSibling()
		seg := segments[i]
		at := seg.Start
		for len(todo) > 0 && todo[0].from < seg.Stop {
			m := todo[0]
			if m.from >= seg.Start {
				node := w.node(c, m)
				if node == nil {
					todo = todo[1:]
					continue
				}
				if m.from > at || at == seg.Start && seg.Padding > 0 {
					before := ast.NewTextSegment(text.NewSegment(at, m.from))
					if at == seg.Start {
						before.Segment.Padding = seg.Padding
					}
					before.SetRaw(seg.raw)
					parent.InsertBefore(parent, n, before)
				}
				parent.InsertBefore(parent, n, node)
				w.made = append(w.made, made{node: node, match: m, c: c, segments: segments[i : i+within(segments[i:], m)], dir: d})
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
func within(segments []segment, m match) (n int) {
	for n < len(segments) && segments[n].Start < m.to {
		n++
	}
	return n
}

// node returns the node of a link, without children, or nil if there is to be no link.
func (w *walker) node(c *content, m match) ast.Node {
	href := m.href
	var attributes []Attribute
	if w.Link != nil {
		// The text may be a view of the source, which the hook may keep.
		l := Link{Text: strings.Clone(c.text), Link: m.Link, Href: string(m.href)}
		if !w.approve(&l) {
			return nil
		}
		href, attributes = []byte(l.Href), l.Attributes
	}
	destination, ok := destinationOf(href)
	var node ast.Node
	switch {
	case ok || w.Isolate != Bdi && !bytes.Contains(href, []byte("://[")):
		link := ast.NewLink()
		link.Destination = destination
		node = link
	case w.Isolate == Bdi:
		node = &Element{Tag: "a"}
		node.SetAttributeString("href", string(href))
	default:
		return nil
	}
	node.SetPos(m.from)
	for _, a := range attributes {
		node.SetAttributeString(a.Name, a.Value)
	}
	return node
}
