// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/engine/display/pri185"
)

// A finder finds links and writes their tags. It is a *engine.Detector but for tests.
type finder interface {
	Find(text string, from int) (engine.Link, bool)
	AppendHref(dst []byte, text string, l engine.Link) []byte
}

// An anchor is a link that is to be made, or a file name that is to be isolated.
type anchor struct {
	link       engine.Link // in the decoded text; of a file name, it is but a span
	start, end int         // in the raw bytes
	cursor     cursor      // at the start
	tag        int         // the start tag ends there in tags; it begins where the one before it ends
}

// isName reports whether a is a file name.
func (a *anchor) isName() bool { return a.link.Kind == engine.None }

// anchors returns the links that are to be made in a run, in order.
func (w *walker) anchors(r *run) []anchor {
	list := w.links[:0]
	w.tags = w.tags[:0]
	c := cursor{r: r}
	for from := 0; ; {
		l, ok := w.find.Find(r.text, from)
		if !ok {
			break
		}
		start, end := l.Start, l.End
		for start > from && !isTagSpace(r.text[start-1]) {
			start--
		}
		for end < len(r.text) && !isTagSpace(r.text[end]) {
			end++
		}
		if start > 0 || len(w.pending.before) == 0 || w.standsAlone(r.text[:end], l) {
			list = w.appendWord(list, &c, r.text[:end], start, l)
		}
		from = end
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
	before, tags := len(list), len(w.tags)
	done := start
	for ok := true; ok; l, ok = w.next(text, done) {
		a, made := w.anchor(c, text, l)
		if !made || w.holdsLink(text[done:l.Start]) {
			w.tags = w.tags[:tags]
			return list[:before]
		}
		list = append(list, a)
		done = l.End
	}
	if w.holdsLink(text[done:]) {
		w.tags = w.tags[:tags]
		return list[:before]
	}
	return list
}

// names returns list, the links of a run, together with the file names beside them, in order.
func (w *walker) names(r *run, list []anchor) []anchor {
	found, c, at, tags := w.both[:0], cursor{r: r}, 0, 0
	between := func(end int) {
		// A second run sees the names of a word and the pieces beside them alone: where one holds a link, or a name a control, without which a part
		// of it might be one, none of the word's names is isolated.
		first, word, done, good := len(found), at, at, true // the names of the word, its end, that of the last of them
		endWord := func() {
			if !good || w.holdsLink(r.text[done:word]) {
				found = found[:first]
			}
			first, good = len(found), true
		}
		for name := range pri185.FileNames(r.text[at:end]) {
			name.Start, name.End = name.Start+at, name.End+at
			if name.Start >= word {
				endWord()
				done = word + strings.LastIndexAny(r.text[word:name.Start], space) + 1
				word = end
				if i := strings.IndexAny(r.text[name.End:end], space); i >= 0 {
					word = name.End + i
				}
			}
			start, ok := c.start(name.Start)
			begin := c
			end, whole := c.end(name.End)
			if !ok || !whole || display.HasControl(name.In(r.text)) || w.holdsLink(r.text[done:name.Start]) || w.holdsLink(name.In(r.text)) {
				good = false
			}
			found = append(found, anchor{engine.Link{Span: name}, start, end, begin, tags})
			done = name.End
		}
		endWord()
	}
	for _, a := range list {
		between(a.link.Start)
		found = append(found, a)
		at, tags = a.link.End, a.tag
	}
	between(len(r.text))
	w.both = found
	return found
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

// anchor prepares a link of text. It returns false if the link cannot be made: it is refused, it has no href, or it
// begins or ends within a character reference.
func (w *walker) anchor(c *cursor, text string, l engine.Link) (anchor, bool) {
	start, ok := c.start(l.Start)
	if !ok {
		return anchor{}, false
	}
	begin := *c
	end, ok := c.end(l.End)
	if !ok {
		return anchor{}, false
	}
	if w.o.Refuse != 0 && display.Check(text, l)&w.o.Refuse != 0 {
		return anchor{}, false
	}
	if w.existing {
		// Nothing in it changes, not even a bidi control.
		return anchor{l, start, end, begin, 0}, strings.IndexFunc(l.In(text), display.IsControl) < 0
	}
	if w.tags, ok = w.appendAnchor(w.tags, text, l); !ok {
		return anchor{}, false
	}
	return anchor{l, start, end, begin, len(w.tags)}, true
}

// appendValue appends href as it stands between double quotes. It returns false if that is empty, or holds white space, a control or
// what is not UTF-8.
func appendValue(dst []byte, href string) ([]byte, bool) {
	for i := range len(href) {
		if b := href[i]; b <= ' ' || b == 0x7f {
			return dst, false
		}
	}
	return escapeValue(dst, href), href != "" && utf8.ValidString(href)
}

// escapeValue appends a value of an attribute as it stands between double quotes.
func escapeValue(dst []byte, value string) []byte {
	done := 0
	for i := range len(value) {
		var escaped string
		switch value[i] {
		case '&':
			escaped = "&amp;"
		case '"':
			escaped = "&quot;"
		case '<':
			escaped = "&lt;"
		case '>':
			escaped = "&gt;"
		default:
			continue
		}
		dst = append(append(dst, value[done:i]...), escaped...)
		done = i + 1
	}
	return append(dst, value[done:]...)
}

// writeRun writes the pending run, with the links that are made in it. It is all of the content of the element around, unless that is nil.
func (w *walker) writeRun(around *element) {
	raw, done, tag := w.pending.raw, 0, 0
	w.run.decode(raw, w.pending.holes)
	w.shown = ""
	list := w.anchors(&w.run)
	at := 0
	for _, a := range list {
		w.seeText(w.run.text[at:a.link.Start])
		if link := a.link.In(w.run.text); !w.o.Isolate.Isolates(link, display.LTR) {
			w.seeText(link)
		}
		at = a.link.End
	}
	w.seeText(w.run.text[at:])
	if w.o.WrapFileNames && !w.existing && w.o.Isolate != display.IsolateNone && !w.parsers[0].holds(atom.Bdi) {
		list = w.names(&w.run, list)
	}
	if len(list) == 0 {
		w.out.Write(raw)
		return
	}
	if !w.existing {
		links := 0
		for i := range list {
			if !list[i].isName() {
				links++
			}
		}
		if w.made += links; w.made > w.o.MaxLinks {
			w.full = true
			w.dropRun()
			return
		}
	}
	if word := strings.Trim(w.run.text, space); around != nil && list[0].link.Len() != len(word) {
		around = nil
	}
	if !w.out.holding() {
		w.rendered.reset()
	}
	tags := bytesView(w.tags)
	if w.out.record != nil {
		tags = strings.Clone(tags) // it is in what is recorded
	}
	now, later, auto, settled := w.contexts()
	for _, a := range list {
		w.out.Write(raw[done:a.start])
		r := w.render(a, tags[tag:a.tag], now, around)
		if settled || w.sameIn(a.link.In(w.run.text), now, later) {
			w.out.link(r)
		} else if r2 := w.render(a, tags[tag:a.tag], later, around); bytes.Equal(r.text, r2.text) {
			w.out.link(r)
		} else {
			w.out.hold(r, r2, auto)
		}
		if a.isName() {
			w.stats.FileNames++
		} else if !w.existing {
			w.stats.Links++
		}
		tag, done = a.tag, a.end
	}
	w.out.Write(raw[done:])
}

// sameIn reports whether a link is written in the same way in both contexts.
func (w *walker) sameIn(link string, a, b context) bool {
	return (a.paragraph == b.paragraph || w.o.Order != display.Environment) && w.o.Isolate.Isolates(link, a.text) == w.o.Isolate.Isolates(link, b.text)
}

// needsLayout reports whether there may be something else to a link, in a context, than that it is left-to-right.
func (w *walker) needsLayout(link string, c context) bool {
	if w.o.Order == display.Environment && c.paragraph == display.RTL {
		return true
	}
	for i := range len(link) {
		if link[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// render returns how a link or a file name is written in a context. It is all of the content of the element around, unless that is nil.
func (w *walker) render(a anchor, tag string, c context, around *element) rendering {
	text := w.run.text
	link := a.link.In(text)
	y := display.Layout{Span: a.link.Span, Dir: display.LTR}
	var outside, inside [2]string
	layout := w.o.Order.Layout
	if a.isName() {
		layout = func(text string, l engine.Link, d display.Direction) display.Layout {
			return w.o.Order.FileLayout(text, l.Span, d)
		}
	}
	if w.existing {
		// Whether it was written by us must not matter.
		c.text = display.LTR
	}
	isolated := w.o.Isolate.Isolates(link, c.text)
	if isolated {
		if w.needsLayout(link, c) {
			y = layout(text, a.link, c.paragraph)
		}
		outside[0], outside[1] = w.o.Profile.Outside(y.Dir)
		inside[0], inside[1] = w.o.Profile.Inside(y.Dir)
		if around != nil && around.gives(y.Dir, link) {
			// A second isolate would do nothing.
			outside, isolated = [2]string{}, false
			if around.name != atom.Bdi {
				inside = [2]string{}
			}
		}
	}
	b := builder{raw: w.pending.raw, offset: w.pending.offset, at: a.start, record: w.out.record != nil}
	b.text, b.edits = w.rendered.begin(len(tag)+a.end-a.start+len(`<bdi dir="ltr"><span dir="ltr"></span></a></bdi>`), b.record)
	b.insert(a.start, outside[0])
	if !a.isName() && !w.existing {
		b.insert(a.start, tag)
	}
	b.insert(a.start, inside[0])
	cursor := a.cursor
	w.edits = y.AppendEdits(w.edits[:0], text, w.o.Profile)
	for _, e := range w.edits {
		switch {
		case e.Start < e.End:
			start, _ := cursor.start(e.Start)
			end, _ := cursor.end(e.End)
			b.replace(start, end, e.Text)
		case strings.HasPrefix(e.Text, "</"):
			end, _ := cursor.end(e.Start)
			b.insert(end, e.Text)
		default:
			start, _ := cursor.start(e.Start)
			b.insert(start, e.Text)
		}
	}
	b.copy(a.end)
	b.insert(a.end, inside[1])
	if !a.isName() && !w.existing {
		b.insert(a.end, "</a>")
	}
	b.insert(a.end, outside[1])
	w.rendered.end(b.text, b.edits)
	return rendering{b.text, b.edits, isolated}
}

// A builder writes a part of a run with changes.
type builder struct {
	raw    []byte
	offset int64 // of raw in the input
	at     int   // in raw: up to here, it is written
	record bool
	text   []byte
	edits  []edit
}

// copy writes the run up to an offset.
func (b *builder) copy(to int) {
	b.text = append(b.text, b.raw[b.at:to]...)
	b.at = to
}

// replace writes the run up to start, and text instead of what is between start and end.
func (b *builder) replace(start, end int, text string) {
	b.copy(start)
	b.text = append(b.text, text...)
	b.at = end
	if b.record {
		b.edits = append(b.edits, edit{b.offset + int64(start), b.offset + int64(end), text})
	}
}

func (b *builder) insert(at int, text string) {
	if text != "" {
		b.replace(at, at, text)
	}
}
