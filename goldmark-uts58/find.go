// SPDX-License-Identifier: MIT

package uts58

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// A match is a link in a content.
type match struct {
	engine.Link
	from, to int // in the source
	href     []byte
}

// space is the white space of HTML. No link goes over it, nor does it matter to a link what is beyond.
const space = " \t\n\f\r"

// shortest is the length of the shortest links: t.co.
const shortest = 4

// appendMatches appends the links of a content that are to be made, in order. before is the last character of what the reader sees directly
// before it, if there is any and it is not white space. seen is told how many bytes were looked at.
//
// As in HTML, of a word whose pieces beside the links would alone hold another link, none is made, so that a pass over the
// HTML changes nothing.
func (s *settings) appendMatches(list []match, c *content, before []byte, seen *int) []match {
	text := c.text
	if len(text) < shortest {
		return list
	}
	k := cursor{c: c}
	for at := 0; ; {
		l, ok := s.find.Find(text, at)
		*seen += len(text) - at
		if ok {
			*seen -= len(text) - l.End
		}
		if !ok {
			return list
		}
		start := at + strings.LastIndexAny(text[at:l.Start], space) + 1
		end := len(text)
		if i := strings.IndexAny(text[l.End:], space); i >= 0 {
			end = l.End + i
		}
		*seen += 2 * (end - start)
		if start > 0 || len(before) == 0 || s.standsAlone(string(before), text[:end], l) {
			list = s.appendWord(list, &k, text[:end], start, l)
		}
		at = end
	}
}

// standsAlone reports whether l, the first link of text, is one behind the character before it as well.
func (s *settings) standsAlone(before, text string, l engine.Link) bool {
	n := len(before)
	again, ok := s.find.Find(before+text, n)
	return ok && again.Start == l.Start+n && again.End == l.End+n
}

// appendWord appends the links of the word that begins at start and goes to the end of text; l is the first.
func (s *settings) appendWord(list []match, k *cursor, text string, start int, l engine.Link) []match {
	n, done := len(list), start
	for ok := true; ok; l, ok = s.next(text, done) {
		if s.holds(text[done:l.Start]) {
			return list[:n]
		}
		if !suppressed(k.c, l) {
			m, ok := s.match(k, text, l)
			if !ok {
				return list[:n]
			}
			list = append(list, m)
		}
		done = l.End
	}
	if s.holds(text[done:]) {
		return list[:n]
	}
	return list
}

func (s *settings) next(text string, at int) (engine.Link, bool) {
	if at == len(text) {
		return engine.Link{}, false
	}
	return s.find.Find(text, at)
}

func (s *settings) holds(text string) bool {
	_, ok := s.next(text, 0)
	return ok
}

// suppressed reports whether the author has put a backslash in the scheme or host of a link, or before the "@".
func suppressed(c *content, l engine.Link) bool {
	if len(c.refs) == 0 {
		return false
	}
	if l.Kind == engine.Email {
		return c.escaped(l.Start, l.Local.Start) || c.escaped(l.Local.End, l.Host.End)
	}
	end := max(l.Scheme.End, l.Host.End, l.Port.End)
	return c.escaped(l.Start, end)
}

// match returns how a link is to be made. It is not ok if the link is refused, there is no address, or an end of it is within a character reference.
func (s *settings) match(k *cursor, text string, l engine.Link) (match, bool) {
	if s.Refuse != 0 && display.Check(text, l)&s.Refuse != 0 {
		return match{}, false
	}
	from, ok := k.start(l.Start)
	if !ok {
		return match{}, false
	}
	to, ok := k.end(l.End)
	if !ok {
		return match{}, false
	}
	href := s.find.AppendHref(make([]byte, 0, l.Len()+len("https://")), text, l)
	return match{l, from, to, href}, len(href) > 0 && utf8.Valid(href)
}
