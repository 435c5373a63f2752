// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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
		if start > 0 || len(w.pending.before) == 0 || w.standsAlone(r.text[:end], l.Start, l.End) {
			list = w.appendWord(list, &c, r.text[:end], start, &l)
		}
		from = end
	}
	w.links = list
	return list
}

// standsAlone reports whether the first link of text, from start to end, is one behind the character before the run as well: it is not the
// tail of a name that goes over a tag (<b>pay</b>pal.com), nor the host of an address or of userinfo.
func (w *walker) standsAlone(text string, start, end int) bool {
	w.word = append(append(w.word[:0], w.pending.before...), text...)
	n := len(w.pending.before)
	again, ok := w.find.Find(bytesView(w.word), n)
	return ok && again.Start == start+n && again.End == end+n
}

// space is the white space of HTML. No link goes over it, nor does it matter to a link what is beyond.
const space = " \t\n\f\r"

// appendWord appends the links of the word that begins at start and goes to the end of text; l is the first.
//
// A second run sees the pieces of the word beside the links without the links. Where such a piece alone would hold a link that
// it does not hold here (foo.рф in foo.рфhttp://example.com), or a link cannot be made, none of the word is: so
// a second run changes nothing.
func (w *walker) appendWord(list []anchor, c *cursor, text string, start int, first *engine.Link) []anchor {
	before, tags := len(list), len(w.tags)
	l := first
	var next engine.Link // beyond the loop, lest it is allocated
	for done, ok := start, false; ; {
		list = append(list, anchor{})
		if !w.anchor(&list[len(list)-1], c, text, l) || w.holdsLink(text[done:l.Start]) {
			break
		}
		if done = l.End; w.holdsNone(text[done:]) {
			return list
		}
		if next, ok = w.next(text, done); !ok {
			if w.holdsLink(text[done:]) {
				break
			}
			return list
		}
		l = &next
	}
	w.tags = w.tags[:tags]
	return list[:before]
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

// holdsNone reports whether there is nothing left of a text, or little that cannot hold a link.
func (w *walker) holdsNone(rest string) bool {
	return rest == "" || w.own && len(rest) < 32 && nextLinkByte(bytesOf(rest), 0) == len(rest)
}

// next is Find, which need not be asked about such a text.
func (w *walker) next(text string, from int) (engine.Link, bool) {
	if w.holdsNone(text[from:]) {
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
func (w *walker) anchor(a *anchor, c *cursor, text string, l *engine.Link) (ok bool) {
	if a.start, ok = c.start(l.Start); !ok {
		return false
	}
	a.link, a.cursor = *l, *c
	if a.end, ok = c.end(l.End); !ok {
		return false
	}
	if w.o.Refuse != 0 && display.Check(text, *l)&w.o.Refuse != 0 {
		return false
	}
	if w.existing {
		// Nothing in it changes, not even a bidi control.
		return strings.IndexFunc(l.In(text), display.IsControl) < 0
	}
	w.tags, ok = w.appendAnchor(w.tags, text, l)
	a.tag = len(w.tags)
	return ok
}

// isPlainValue reports whether an address is not empty, and of ASCII characters that stand between double quotes as they are: no white space, controls, quotes,
// "&", "<" and ">".
func isPlainValue(href []byte) bool {
	for _, c := range href {
		if !plainValue[c] {
			return false
		}
	}
	return len(href) > 0
}

var plainValue = func() (t [256]bool) {
	for c := '!'; c <= '~'; c++ {
		t[c] = c != '"' && c != '&' && c != '<' && c != '>'
	}
	return t
}()

// appendValue appends href as it stands between double quotes. It returns false if that is empty, or holds white space, a control or
// what is not UTF-8.
func appendValue(dst []byte, href string) ([]byte, bool) {
	beyond := false
	for i := range len(href) {
		switch c := href[i]; {
		case plainValue[c]:
		case c <= ' ', c == 0x7f:
			return dst, false
		case c >= utf8.RuneSelf:
			beyond = true
		}
	}
	return escapeValue(dst, href), href != "" && (!beyond || utf8.ValidString(href))
}

// escapeValue appends a value of an attribute as it stands between double quotes.
func escapeValue(dst []byte, value string) []byte {
	done := 0
	for i := range len(value) {
		c := value[i]
		if plainValue[c] {
			continue
		}
		var escaped string
		switch c {
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

// writePlain is writeRun where all that is written is anchors and isolates, the links are in ASCII, and the text has nothing to do with right-to-left text. It reports
// whether that is so; if not, it has done nothing.
func (w *walker) writePlain(raw []byte, around *element) bool {
	if !w.simple || w.legacy != nil || w.existing || len(w.pending.holes) > 0 || w.autos || bytes.IndexByte(raw, 0) >= 0 || mayBeRightToLeft(raw) {
		return false
	}
	list, ok := w.plainLinks(raw)
	w.simpleLinks = list
	if !ok || w.made+len(list) > w.o.MaxLinks {
		return false
	}
	var now, later context
	var auto *element
	settled, turned, done := true, false, 0
	for i := range list {
		l := &list[i]
		text := bytesView(raw)
		if l.decoded {
			text = bytesView(w.run.buf)
		}
		if i == 0 {
			if around != nil && (!l.isWord || bytes.ContainsAny(bytes.Trim(raw, space), space)) {
				around = nil
			}
			now, later, auto, settled = w.contexts()
			turned = w.o.Isolate.Isolates("", now.text)
			settled = settled || turned == w.o.Isolate.Isolates("", later.text)
		}
		x := w.wrap(l.link.In(text), around)
		alike, offset := settled || x == &noWrap, w.pending.offset+int64(l.start)
		var ok bool
		if alike && (turned || w.out.record != nil) {
			if w.tags, ok = w.appendAnchor(w.tags[:0], text, &l.link); !ok {
				continue
			}
			w.out.Write(raw[done:l.start])
			w.out.anchor(w.tags, raw[l.start:l.end], offset, alike, turned, x, auto)
		} else {
			w.out.Write(raw[done:l.start])
			done = l.start
			at := w.out.beginAnchor()
			if w.out.buf, ok = w.appendAnchor(w.out.buf, text, &l.link); !ok {
				continue
			}
			w.out.endAnchor(at, raw[l.start:l.end], offset, alike, x, auto)
		}
		w.made++
		w.stats.Links++
		done = l.end
	}
	w.out.Write(raw[done:])
	return true
}

// A simpleLink is a link that is alone in its word.
type simpleLink struct {
	link       engine.Link // in the raw bytes or, if decoded, in the buffer of the run
	decoded    bool
	isWord     bool // it is the whole word
	start, end int  // in the raw bytes
}

// plainLinks returns the links of a text, in order, for writePlain, or false if there is more to it than that takes. Only words that may hold a link are looked at, and only those with
// character references are decoded: one after the other, into the buffer of the run.
func (w *walker) plainLinks(raw []byte) (list []simpleLink, ok bool) {
	r := &w.run
	r.refs, r.buf, r.plain = r.refs[:0], r.buf[:0], true
	list = w.simpleLinks[:0]
	c := cursor{r: r}
	for i, done := w.pending.first, 0; ; {
		if i = nextLinkByte(raw, i); i == len(raw) {
			return list, true
		}
		decoded := false
		start, end := i, i
		for start > done && !isTagSpace(raw[start-1]) {
			start--
			decoded = decoded || raw[start] == '&'
		}
		for end < len(raw) && !isTagSpace(raw[end]) {
			n := 1
			if raw[end] == '&' {
				// Others may stand for white space, or for right-to-left letters.
				if n = commonReference(bytesView(raw[end:])); n == 0 {
					return list, false
				}
				decoded = true
			}
			end += n
		}
		i, done = end, end

		// What follows the white space behind the word does not matter, but the engine is faster where something does.
		text, from, to := bytesView(raw[:min(end+len(blanks), len(raw))]), start, end
		if decoded {
			if len(r.buf) == 0 {
				r.buf = append(r.buf, ' ')
			}
			from = len(r.buf)
			r.refs = append(r.refs, newRef(start, start, from, from))
			r.decodeText(bytesView(raw[:end]), start)
			to = len(r.buf)
			r.buf = append(r.buf, blanks...)
			text = bytesView(r.buf)
		}
		list = append(list, simpleLink{})
		l := &list[len(list)-1]
		l.link, ok = w.detector.Find(text, max(from-1, 0)) // it is also faster from the white space on
		if !ok || l.link.Start >= to || start == 0 && len(w.pending.before) > 0 && !w.standsAlone(text[from:to], l.link.Start-from, l.link.End-from) {
			list = list[:len(list)-1]
			continue
		}
		if !isASCII(l.link.In(text)) || !w.holdsNone(text[from:l.link.Start]) || !w.holdsNone(text[l.link.End:to]) {
			return list, false
		}
		l.decoded, l.isWord = decoded, l.link.Span == engine.Span{Start: from, End: to}
		l.start, l.end = l.link.Start, l.link.End
		if decoded {
			if l.start, ok = c.start(l.link.Start); !ok {
				return list, false
			}
			if l.end, ok = c.end(l.link.End); !ok {
				return list, false
			}
		}
	}
}

// blanks stand behind a word.
const blanks = "                                                                "

// nextLinkByte returns the offset of the first byte of a text in UTF-8, at or behind i, that a link has: see couldHoldLink. It may also be one of a character reference other than those
// which hold no link together, or the length of the text.
func nextLinkByte(text []byte, i int) int {
	for i < len(text) {
		if i+8 <= len(text) {
			x := binary.LittleEndian.Uint64(text[i:])
			// "&" and "." differ in a bit.
			found := (x | hasByte(x|0x08*lowBits, '.') | hasByte(x, ':') | hasByte(x, '@')) & highBits
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
		}
		switch c := text[i]; {
		case c == '.':
			next := i + 1
			for next < len(text) && isDigit(text[next]) {
				next++
			}
			switch {
			case next == len(text), isTagSpace(text[next]), endsSentence(text[next:]):
			case next > i+1 && text[next] != '&' && strings.IndexByte(behindNumber, text[next]) >= 0:
			default:
				return i
			}
			i = next
		case c == '@', c == ':' && i+1 < len(text) && !isTagSpace(text[i+1]):
			return i
		case c == '&':
			n := commonReference(bytesView(text[i:]))
			if n == 0 {
				return i
			}
			i += n
		case c >= utf8.RuneSelf && i+8 <= len(text):
			dot := false
			if i, dot = passBeyond(text, i); dot {
				return i
			}
		case i+3 <= len(text) && isIdeographicDot(text[i:]):
			return i
		default:
			i++
		}
	}
	return len(text)
}

// endsSentence reports whether what a text, which is not empty, begins with is surely no part of a host: an ASCII character, or a reference to one or to U+00A0. The text is behind
// a dot, or a dot and a number.
func endsSentence(rest []byte) bool {
	switch rest[0] {
	case '.', ',', ';', ')', '!', '?', '"', '\'':
		return true
	case '&':
		r := lookUpCommon(bytesView(rest))
		return r != nil && (r.text[0] < utf8.RuneSelf || r.text == "\u00a0")
	}
	return false
}

// behindNumber are characters behind a dot and digits, with which these are no top-level domain.
const behindNumber = `.,;:)!?/&"'`

// writeRun writes the pending run, with the links that are made in it. It is all of the content of the element around, unless that is nil.
func (w *walker) writeRun(around *element) {
	raw, done, tag := w.pending.raw, 0, 0
	if w.writePlain(raw, around) {
		return
	}
	w.run.decode(raw, w.pending.holes)
	w.shown = ""
	list := w.anchors(&w.run)
	at := 0
	ascii := isASCII(w.run.text)
	if ascii && !w.autos {
		at = len(w.run.text) // there is nothing to see
	}
	for _, a := range list {
		if at == len(w.run.text) {
			break
		}
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
	if around != nil && list[0].link.Len() != len(strings.Trim(w.run.text, space)) {
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
	for i := range list {
		a := &list[i]
		w.out.Write(raw[done:a.start])
		if w.o.Order != display.Environment && !a.isName() && !w.existing && (ascii || isASCII(a.link.In(w.run.text))) {
			// There is nothing to lay out, and nothing to escape.
			x := w.wrap(a.link.In(w.run.text), around)
			turned := w.o.Isolate.Isolates("", now.text)
			alike := settled || x == &noWrap || turned == w.o.Isolate.Isolates("", later.text)
			w.out.anchor(w.tags[tag:a.tag], raw[a.start:a.end], w.pending.offset+int64(a.start), alike, turned, x, auto)
			w.stats.Links++
			tag, done = a.tag, a.end
			continue
		}
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

// wrap returns what the anchor of a link in ASCII gets in right-to-left text.
func (w *walker) wrap(link string, around *element) *wrap {
	switch {
	case around == nil || !around.gives(display.LTR, link):
		return &wraps[w.o.Profile]
	case around.name == atom.Bdi:
		// A second isolate would do nothing.
		return &wrapsInBdi[w.o.Profile]
	}
	return &noWrap
}

// Wraps, by profile: in general, and where the link is all of the content of a bdi; and none.
var wraps, wrapsInBdi = wrapsOf(true), wrapsOf(false)
var noWrap wrap

func wrapsOf(outside bool) (list [display.Mail + 1]wrap) {
	for i := range list {
		x, p := &list[i], display.Profile(i)
		x.inside[0], x.inside[1] = p.Inside(display.LTR)
		if outside {
			x.outside[0], x.outside[1] = p.Outside(display.LTR)
			x.isolated = true
		}
		for _, tags := range [][2]string{x.inside, x.outside} {
			x.length += len(tags[0]) + len(tags[1])
		}
	}
	return list
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
func (w *walker) render(a *anchor, tag string, c context, around *element) rendering {
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
