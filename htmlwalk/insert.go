// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// An edit is an insertion: text is written before the byte at offset of the input.
type edit struct {
	at   int64
	text string
}

// A finder finds links and writes their hrefs. It is a *engine.Detector but for tests.
type finder interface {
	Find(text string, from int) (engine.Link, bool)
	AppendHref(dst []byte, text string, l engine.Link) []byte
}

// An anchor is a link that is to be made, as a range of the raw bytes of its run.
type anchor struct {
	start, end int
	length     int // in the decoded text
	href       int // the attribute value ends there in hrefs; it begins where the one before it ends
	isolate    bool
}

// anchors returns the links that are to be made in a run, in order. Around is as for writeRun.
func (w *walker) anchors(r *run, around direction) []anchor {
	list := w.links[:0]
	w.hrefs = w.hrefs[:0]
	c := cursor{r: r}
	for from := 0; ; {
		l, ok := w.find.Find(r.text, from)
		if !ok {
			break
		}
		start := from + strings.LastIndexAny(r.text[from:l.Start], space) + 1
		end := len(r.text)
		if i := strings.IndexAny(r.text[l.End:], space); i >= 0 {
			end = l.End + i
		}
		if start > 0 || len(w.pending.before) == 0 || w.standsAlone(r.text[:end], l) {
			list = w.appendWord(list, &c, r.text[:end], start, l)
		}
		from = end
	}
	if len(list) == 1 && list[0].isolate && around != noDirection {
		// All of the element is the link: a second isolate would do nothing.
		word := strings.Trim(r.text, space)
		if list[0].length == len(word) && (around == leftToRight || around == firstLetter && isLetter(word[0])) {
			list[0].isolate = false
		}
	}
	w.links = list
	return list
}

// standsAlone reports whether l, the first link of text, is one behind the character before the run as well: it is not the
// tail of a name that goes over a tag (<b>pay</b>pal.com), nor the host of an address or of userinfo.
func (w *walker) standsAlone(text string, l engine.Link) bool {
	w.word = append(append(w.word[:0], w.pending.before...), text...)
	n := len(w.pending.before)
	again, ok := w.find.Find(bytesView(w.word), n)
	return ok && again.Start == l.Start+n && again.End == l.End+n
}

// space is the white space of HTML. No link goes over it, nor does it matter to a link what is beyond.
const space = " \t\n\f\r"

// appendWord appends the links of the word that begins at start and goes to the end of text; l is the first.
//
// A second run sees the pieces of the word beside the links without the links. Where such a piece alone would hold a link that
// it does not hold here (foo.рф in foo.рфhttp://example.com), or a link cannot be made, none of the word is: so
// a second run changes nothing.
func (w *walker) appendWord(list []anchor, c *cursor, text string, start int, l engine.Link) []anchor {
	before, hrefs := len(list), len(w.hrefs)
	done := start
	for ok := true; ok; l, ok = w.next(text, done) {
		a, made := w.anchor(c, text, l)
		if !made || w.holdsLink(text[done:l.Start]) {
			w.hrefs = w.hrefs[:hrefs]
			return list[:before]
		}
		list = append(list, a)
		done = l.End
	}
	if w.holdsLink(text[done:]) {
		w.hrefs = w.hrefs[:hrefs]
		return list[:before]
	}
	return list
}

// next is Find, which need not be asked at the end of the text.
func (w *walker) next(text string, from int) (engine.Link, bool) {
	if from == len(text) {
		return engine.Link{}, false
	}
	return w.find.Find(text, from)
}

func (w *walker) holdsLink(text string) bool {
	_, ok := w.next(text, 0)
	return ok
}

// anchor prepares a link of text. It returns false if the link cannot be made: it has no href, or it
// begins or ends within a character reference.
func (w *walker) anchor(c *cursor, text string, l engine.Link) (anchor, bool) {
	start, ok := c.start(l.Start)
	if !ok {
		return anchor{}, false
	}
	end, ok := c.end(l.End)
	if !ok {
		return anchor{}, false
	}
	w.href = w.find.AppendHref(w.href[:0], text, l)
	w.hrefs, ok = appendValue(w.hrefs, w.href)
	if !ok {
		return anchor{}, false
	}
	isolate := false
	switch w.o.Isolate {
	case IsolateBidi:
		isolate = display.RightToLeft(l.In(text))
	case IsolateAll:
		isolate = true
	}
	return anchor{start, end, l.End - l.Start, len(w.hrefs), isolate}, true
}

// appendValue appends href as it stands between double quotes. It returns false if that is empty, or holds white space, a control or
// what is not UTF-8.
func appendValue(dst, href []byte) ([]byte, bool) {
	done := 0
	for i, b := range href {
		if b > '>' && b != 0x7f {
			continue
		}
		var escaped string
		switch b {
		case '&':
			escaped = "&amp;"
		case '"':
			escaped = "&quot;"
		case '<':
			escaped = "&lt;"
		case '>':
			escaped = "&gt;"
		default:
			if b <= ' ' || b == 0x7f {
				return dst, false
			}
			continue
		}
		dst = append(append(dst, href[done:i]...), escaped...)
		done = i + 1
	}
	return append(dst, href[done:]...), len(href) > 0 && utf8.Valid(href)
}

// writeRun writes the pending run, with the links that are made in it. It is all of the content of an element that isolates it and
// gives it the direction around, unless that is noDirection.
func (w *walker) writeRun(around direction) {
	raw, done, href := w.pending.raw, 0, 0
	w.run.decode(raw, w.pending.holes)
	for _, a := range w.anchors(&w.run, around) {
		w.out.Write(raw[done:a.start])
		if a.isolate {
			w.insert(a.start, `<bdi dir="ltr">`, nil, "")
			w.stats.Isolated++
		}
		w.insert(a.start, `<a href="`, w.hrefs[href:a.href], `">`)
		href = a.href
		w.out.Write(raw[a.start:a.end])
		w.insert(a.end, "</a>", nil, "")
		if a.isolate {
			w.insert(a.end, "</bdi>", nil, "")
		}
		w.stats.Links++
		done = a.end
	}
	w.out.Write(raw[done:])
}

// insert writes markup that is not of the input, where the byte at offset of the pending run follows.
func (w *walker) insert(offset int, open string, value []byte, end string) {
	if w.record != nil {
		w.record(edit{w.pending.offset + int64(offset), open + string(value) + end})
	}
	w.out.WriteString(open)
	w.out.Write(value)
	w.out.WriteString(end)
}
