// SPDX-License-Identifier: MIT

package uts58

import (
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// A match is a link that is to be made.
type match struct {
	engine.Link           // in a content
	content     int       // its index in the contents of the block
	from, to    int       // in the source
	segments    []segment // of the source that its text is from
	href        []byte
	ascii       bool        // it is ASCII, as shown
	node        ast.Node    // in the tree, without children yet; nil if there is to be no link after all
	dir         *rawElement // that says what direction the text around has, or nil
	begins      bool        // it stands behind a bidi control that begins right-to-left text
}

// shortest is the length of the shortest links: t.co.
const shortest = 4

// shortestPiece is the length of the shortest links that a piece of a word may be: h:x, with a scheme of one letter.
const shortestPiece = 3

// mayHoldLink reports whether there may be a link in text, by what every link has: one of the dots of a host, those beyond ASCII among them, or a colon.
func mayHoldLink(text string) bool {
	b := bytesOf(text)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := load(b[i:])
		if (x|zeros(x^'.'*ones)|zeros(x^':'*ones))&highs != 0 {
			return true
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '.' || c == ':' || c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// appendMatches appends the links of the last content that are to be made to w.made, in order.
//
// As in HTML, of a word whose pieces beside the links would alone hold another link, none is made, so that a pass over the
// HTML changes nothing.
func (w *walker) appendMatches() {
	c := &w.contents[len(w.contents)-1]
	text := c.text
	w.steps += len(text)
	if len(text) < shortest {
		return
	}
	w.links = w.find.AppendLinks(w.links[:0], text)
	links := w.links
	k := cursor{c: c}
	for at := 0; len(links) > 0; {
		start, end := links[0].Start, links[0].End
		for start > at && !isTagSpace(text[start-1]) {
			start--
		}
		for end < len(text) && !isTagSpace(text[end]) {
			end++
		}
		w.steps += 2 * (end - start)
		n := 1
		for n < len(links) && links[n].Start < end {
			n++
		}
		before := ""
		if start == 0 {
			before = w.before()
		}
		if before == "" || w.standsAlone(before, text[:end], links[0]) {
			w.appendWord(&k, text[:end], start, links[:n])
		}
		links, at = links[n:], end
	}
}

// standsAlone reports whether l, the first link of text, is one behind the character before it as well.
func (s *settings) standsAlone(before, text string, l engine.Link) bool {
	n := len(before)
	again, ok := s.find.Find(before+text, n)
	return ok && again.Start == l.Start+n && again.End == l.End+n
}

// appendWord appends the links of the word that begins at start and goes to the end of text.
func (w *walker) appendWord(k *cursor, text string, start int, links []engine.Link) {
	n, done := len(w.made), start
	if w.foreign > 0 {
		if from, ok := k.start(links[0].Start); !ok || !w.linkified[from] {
			return
		}
	}
	for i := range links {
		l := &links[i]
		if w.holds(text[done:l.Start]) {
			w.made = w.made[:n]
			return
		}
		if !suppressed(k.c, l) {
			if !w.appendMatch(k, text, l) {
				w.made = w.made[:n]
				return
			}
		}
		done = l.End
	}
	if w.holds(text[done:]) {
		w.made = w.made[:n]
	}
}

// holds reports whether there is a link in a piece of a word.
func (s *settings) holds(text string) bool {
	if len(text) < shortestPiece || !mayHoldLink(text) {
		return false
	}
	_, ok := s.find.Find(text, 0)
	return ok
}

// suppressed reports whether the author has put a backslash in the scheme or host of a link, or before the "@".
func suppressed(c *content, l *engine.Link) bool {
	if len(c.refs) == 0 {
		return false
	}
	if l.Kind == engine.Email {
		return c.escaped(l.Start, l.Local.Start) || c.escaped(l.Local.End, l.Host.End)
	}
	end := max(l.Scheme.End, l.Host.End, l.Port.End)
	return c.escaped(l.Start, end)
}

// appendMatch appends how a link is to be made. It does not, and reports false, if the link is refused, there is no address, or an end
// of it is within a character reference.
func (w *walker) appendMatch(k *cursor, text string, l *engine.Link) bool {
	if w.Refuse != 0 && display.Check(text, *l)&w.Refuse != 0 {
		return false
	}
	from, ok := k.start(l.Start)
	if !ok {
		return false
	}
	to, ok := k.end(l.End)
	if !ok {
		return false
	}
	room := w.arena.hrefs.room(l.Len() + len("https://"))
	href := w.find.AppendHref(room, text, *l)
	if len(href) == 0 || !utf8.Valid(href) {
		return false
	}
	ascii := true
	for i := range l.Len() {
		ascii = ascii && text[l.Start+i] < utf8.RuneSelf
	}
	w.made = append(w.made, match{ascii: ascii, Link: *l, content: len(w.contents) - 1, from: from, to: to, href: w.arena.hrefs.take(room, href)})
	return true
}
