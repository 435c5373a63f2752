// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// A match is a link that is to be made.
type match struct {
	link     int       // its index in the links of the block
	content  int       // the index of its content in those of the block
	from, to int       // in the source
	segments []segment // of the source that its text is from
	href     []byte
	ascii    bool        // it is ASCII, as shown
	plain    bool        // there is nothing in href that an ast.Link or its renderer would take for something else
	node     ast.Node    // in the tree, without children yet; nil if there is to be no link after all
	dir      *rawElement // that says what direction the text around has, or nil
	begins   bool        // it stands behind a bidi control that begins right-to-left text
}

// shortest is the length of the shortest links: t.co.
const shortest = 4

// shortestPiece is the length of the shortest links that a piece of a word may be: h:x, with a scheme of one letter.
const shortestPiece = 3

// mayHoldLink reports whether there may be a link in text, of which something follows its dot or colon.
func mayHoldLink(text string) bool { return nextSign(bytesOf(text), 0) < len(text)-1 }

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
	first := len(w.links)
	w.links = w.find.AppendLinks(w.links, text)
	k := cursor{c: c}
	for at := 0; first < len(w.links); {
		links := w.links[first:]
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
			w.appendWord(&k, text[:end], start, first, n)
		}
		first, at = first+n, end
	}
}

// standsAlone reports whether l, the first link of text, is one behind the character before it as well.
func (s *settings) standsAlone(before, text string, l engine.Link) bool {
	n := len(before)
	again, ok := s.find.Find(before+text, n)
	return ok && again.Start == l.Start+n && again.End == l.End+n
}

// appendWord appends the links of the word that begins at start and goes to the end of text: the count ones from an index on.
func (w *walker) appendWord(k *cursor, text string, start, first, count int) {
	n, done, links := len(w.made), start, w.links[first:first+count]
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
			if !w.appendMatch(k, text, first+i) {
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

// appendMatch appends how the link with an index is to be made. It does not, and reports false, if the link is refused, there is no address, or an end
// of it is within a character reference.
func (w *walker) appendMatch(k *cursor, text string, link int) bool {
	l := &w.links[link]
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
	href, ascii := w.appendPlainHref(room, text, l)
	plain := len(href) > 0
	if !plain {
		href = w.find.AppendHref(room, text, *l)
		if len(href) == 0 || !utf8.Valid(href) {
			return false
		}
	}
	w.made = append(w.made, match{})
	m := &w.made[len(w.made)-1]
	m.link, m.content, m.from, m.to, m.href, m.ascii, m.plain = link, len(w.contents)-1, from, to, w.arena.hrefs.take(room, href), ascii, plain
	return true
}

// What a byte may be in a link, for appendPlainHref.
const (
	notPath   = 1 << iota // it is not written as it is in the path, query or fragment of an address, or not in that of an ast.Link
	notLocal              // it is not written as it is in the local part of an address
	notHost               // it is not written as it is in a host
	notLetter             // it is no lower-case letter
	notASCII
)

var linkBytes = func() (t [256]byte) {
	for i := range t {
		c := byte(i)
		if c >= utf8.RuneSelf {
			t[i] = notASCII
		}
		letter := 'a' <= c && c <= 'z'
		if !letter {
			t[i] |= notLetter
		}
		if !letter && !('0' <= c && c <= '9') && c != '.' && c != '-' {
			t[i] |= notHost
		}
		if !isASCIIAlnum(c) && bytes.IndexByte([]byte("-._~!$*+"), c) < 0 {
			t[i] |= notLocal
		}
		if !isASCIIAlnum(c) && bytes.IndexByte([]byte("-._~!$*+/?#@()=,:;"), c) < 0 {
			t[i] |= notPath
		}
	}
	return t
}()

// appendPlainHref appends the address of a link that was found in text, if it is the link behind a scheme, of http, https or mailto: all others are left to AppendHref.
// It reports whether the link is ASCII in any case.
func (s *settings) appendPlainHref(dst []byte, text string, l *engine.Link) (href []byte, ascii bool) {
	link := l.In(text)
	var all byte
	for i := range len(link) {
		all |= linkBytes[link[i]]
	}
	ascii = all&notASCII == 0
	host := l.Host.In(text)
	if s.GFM || !ascii || host == "" || linkBytes[host[len(host)-1]]&notLetter != 0 {
		return nil, ascii // it may be no host for GFM, or not in its own form if it does not end with a letter
	}
	var in byte
	for i := range len(host) {
		in |= linkBytes[host[i]]
	}
	if in&notHost != 0 {
		return nil, ascii
	}
	scheme := l.Scheme.In(text)
	switch {
	case l.Kind == engine.Email:
		var local byte
		for i := l.Local.Start; i < l.Local.End; i++ {
			local |= linkBytes[text[i]]
		}
		if scheme != "" || local&notLocal != 0 || l.End != l.Host.End {
			return nil, ascii
		}
		dst = append(dst, "mailto:"...)
	case all&notPath != 0:
		return nil, ascii
	case scheme == "" && s.Links.HTTP:
		dst = append(dst, "http://"...)
	case scheme == "":
		dst = append(dst, "https://"...)
	case scheme != "http://" && scheme != "https://":
		return nil, ascii
	}
	return append(dst, link...), ascii
}
