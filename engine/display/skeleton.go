// SPDX-License-Identifier: MIT

package display

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/engine"
)

// A skeleton is a text without the five controls that marks are made of: LRM, LRE, PDF, LRI, PDI. The links of the text with marks are
// found in it, for in the text itself a mark may stand in the midst of a host.
type skeleton struct {
	text  string
	gaps  []gap // where controls were taken out, in order
	steps int   // bytes and controls looked at, for the test of linear growth
}

// A gap is a place where controls were taken out. At its front stand those that close a link before it, at its back those that open
// one behind it; the first never are LRI or LRE, the last never PDI or PDF, and LRM is both only between links that touch, which get no marks.
type gap struct {
	at          int    // where in the text of the skeleton
	marks       string // the controls, of three bytes each
	front, back int    // how many bytes of them are marks of links
}

// left returns the controls of g that are no marks of links.
func (g *gap) left() string { return g.marks[g.front : len(g.marks)-g.back] }

// markAt reports whether text begins with one of the five controls. One before a stray byte of a code point is none of them:
// without it, that byte could become part of another code point.
func markAt(text string) bool {
	if len(text) < 3 || text[0] != lrm[0] || len(text) > 3 && !utf8.RuneStart(text[3]) {
		return false
	}
	switch text[:3] {
	case lrm, lre, pdf, lri, pdi:
		return true
	}
	return false
}

// newSkeleton takes the controls out of text. Without any, it allocates nothing.
func newSkeleton(text string) *skeleton {
	k := &skeleton{}
	var b []byte
	at := 0 // up to here, the text is in b
	for i := 0; ; {
		n := strings.IndexByte(text[i:], lrm[0])
		if n < 0 {
			break
		}
		i += n
		if !markAt(text[i:]) {
			i++
			continue
		}
		b = append(b, text[at:i]...)
		start := i
		for markAt(text[i:]) {
			i += 3
		}
		at = i
		k.gaps = append(k.gaps, gap{at: len(b), marks: text[start:i]})
	}
	k.steps = len(text)
	if k.gaps == nil {
		k.text = text
		return k
	}
	k.text = string(append(b, text[at:]...))
	return k
}

// An insertion is a mark, or several, at an offset of the text of a skeleton.
type insertion struct {
	at      int
	closing bool // at the front of what else stands there
	marks   string
}

// append appends the text of k with what is left in the gaps, and with insertions, which are in order.
func (k *skeleton) append(dst []byte, insertions []insertion) []byte {
	at := 0
	gaps := k.gaps
	for len(gaps) > 0 || len(insertions) > 0 {
		next := len(k.text)
		if len(gaps) > 0 {
			next = gaps[0].at
		}
		if len(insertions) > 0 {
			next = min(next, insertions[0].at)
		}
		dst = append(dst, k.text[at:next]...)
		at = next
		for len(insertions) > 0 && insertions[0].at == at && insertions[0].closing {
			dst = append(dst, insertions[0].marks...)
			insertions = insertions[1:]
		}
		if len(gaps) > 0 && gaps[0].at == at {
			dst = append(dst, gaps[0].left()...)
			gaps = gaps[1:]
		}
		for len(insertions) > 0 && insertions[0].at == at && !insertions[0].closing {
			dst = append(dst, insertions[0].marks...)
			insertions = insertions[1:]
		}
	}
	return append(dst, k.text[at:]...)
}

// place says where the marks of [MarksIsolate] stand.
type place uint8

const (
	direct  place = iota // LRI and PDI touch the link
	outside              // a space stands between each and the link
	lineEnd              // LRI touches the link, and the end of the paragraph closes it
)

// placeOf returns the place for the marks of a link, and for lineEnd where the line ends.
//
// The display is that of LRI and PDI that touch the link. A space within an isolate is where it is without, unless white space goes on
// to a tab or to the end of the line: there the bidi algorithm gives it the direction of the paragraph (UAX #9, L1).
func (k *skeleton) placeOf(l engine.Span) (p place, end int) {
	text, i := k.text, l.End
	for i < len(text) && text[i] == ' ' {
		i++
	}
	k.steps += i - l.End + 1
	if i == len(text) {
		return lineEnd, i
	}
	if c, _ := bidiClass(text[i:]); c == bidi.B {
		return lineEnd, i
	}
	if l.Start == 0 || text[l.Start-1] != ' ' || text[l.End] != ' ' || !utf8.RuneStart(text[l.End+1]) {
		return direct, 0
	}
	for i < len(text) {
		c, n := bidiClass(text[i:])
		switch c {
		case bidi.WS, bidi.BN, bidi.Control:
			i += n
			k.steps += n
			continue
		case bidi.B, bidi.S:
			return direct, 0
		}
		return outside, 0
	}
	return direct, 0
}

// bidiClass returns the class of the code point that s begins with, and its length.
func bidiClass(s string) (bidi.Class, int) {
	r, n := utf8.DecodeRuneInString(s)
	p, _ := bidi.LookupRune(r)
	switch r {
	case 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069:
		return bidi.Control, n
	}
	return p.Class(), n
}

// A markedLink is a link of a skeleton, and the marks that stand round it.
type markedLink struct {
	engine.Link
	fields []engine.Span // those with right-to-left characters
	gap    int           // the index of the first gap at or after the character before it
	bare   bool          // no mark may stand at its end: another link or a stray byte does

	// How many bytes of the controls are marks of this link, the innermost ones: before the space before it, at its start and end, and
	// behind the space after it; and how many LRM there are at each end of its fields (those at its own ends are counted there, too).
	before, start, end, after int
	layers                    int

	// The link in the text with what is no mark, if it is one there.
	found bool
	in    engine.Link
}

// prepare finds the fields of l and its first gap, given that of the link before it.
func (k *skeleton) prepare(l *markedLink, gap int) {
	l.gap = gap
	for l.gap < len(k.gaps) && k.gaps[l.gap].at < l.Start-1 {
		l.gap++
		k.steps++
	}
	l.bare = l.bare || l.End < len(k.text) && !utf8.RuneStart(k.text[l.End])
	k.steps += l.Len()
	var buf [16]Field
	for _, f := range AppendFields(buf[:0], k.text, l.Link) {
		if f.Classes.RightToLeft() {
			l.fields = append(l.fields, f.Span)
		}
	}
}

// near reports whether a gap is in l, or so near to it that marks of it may stand there.
func (k *skeleton) near(l *markedLink) bool {
	return l.gap < len(k.gaps) && k.gaps[l.gap].at <= l.End+1
}

// edges calls do with the gaps at the inner ends of the fields of l.
func (k *skeleton) edges(l *markedLink, do func(g *gap, closing bool)) {
	none := gap{}
	i := l.gap
	at := func(offset int) *gap {
		for i < len(k.gaps) && k.gaps[i].at < offset {
			i++
			k.steps++
		}
		k.steps++
		if i < len(k.gaps) && k.gaps[i].at == offset {
			return &k.gaps[i]
		}
		return &none
	}
	for _, f := range l.fields {
		if f.Start > l.Start {
			do(at(f.Start), false)
		}
		if f.End < l.End {
			do(at(f.End), true)
		}
	}
}

// outer returns the gaps before the space before l, at its start, at its end, and behind the space after it; nil for those that are not there.
func (k *skeleton) outer(l *markedLink) (before, start, end, after *gap) {
	for i := l.gap; i < len(k.gaps) && k.gaps[i].at <= l.End+1; i++ {
		k.steps++
		switch g := &k.gaps[i]; g.at {
		case l.Start - 1:
			before = g
		case l.Start:
			start = g
		case l.End:
			end = g
		case l.End + 1:
			after = g
		}
	}
	return before, start, end, after
}

// controls returns the controls of a gap, none for nil.
func (g *gap) controls() string {
	if g == nil {
		return ""
	}
	return g.marks
}

// peel finds the marks round l, layer by layer. Only those that [ToTextual] makes if textual is set.
// It does not look at what are marks of other links.
func (k *skeleton) peel(l *markedLink, textual bool) {
	if l.bare || !k.near(l) {
		return
	}
	g0, g1, g2, g3 := k.outer(l)
	before, start, end, after := g0.controls(), g1.controls(), g2.controls(), g3.controls()
	p, eol := direct, 0
	if !textual {
		p, eol = k.placeOf(l.Span)
	}
	if p == lineEnd {
		for i := l.gap; i < len(k.gaps) && k.gaps[i].at <= eol; i++ {
			k.steps++
			if k.gaps[i].at > l.End {
				p = direct // what else stands before the end of the line could close it
			}
		}
	}
	most := math.MaxInt
	k.edges(l, func(g *gap, closing bool) {
		n := len(g.marks)
		if closing {
			n -= len(trimLeft(g.marks))
		} else {
			n -= len(trimRight(g.marks))
		}
		k.steps += n
		most = min(most, n/len(lrm))
	})
	first := len(l.fields) > 0 && l.fields[0].Start == l.Start
	last := len(l.fields) > 0 && l.fields[len(l.fields)-1].End == l.End
	const n = len(lrm)
	for {
		k.steps++
		switch {
		case len(l.fields) > 0 && l.layers < most && (!first || strings.HasSuffix(start, lrm)) && (!last || strings.HasPrefix(end, lrm)):
			l.layers++
			if first {
				start = start[:len(start)-n]
			}
			if last {
				end = end[n:]
			}
		case strings.HasSuffix(start, lre) && strings.HasPrefix(end, pdf):
			start, end = start[:len(start)-n], end[n:]
		case !textual && strings.HasSuffix(start, lri) && strings.HasPrefix(end, pdi):
			start, end = start[:len(start)-n], end[n:]
		case p == outside && strings.HasSuffix(before, lri) && strings.HasPrefix(after, pdi):
			before, after = before[:len(before)-n], after[n:]
		case p == lineEnd && strings.HasSuffix(start, lri) && end == "":
			start = start[:len(start)-n]
		default:
			l.before, l.start = len(g0.controls())-len(before), len(g1.controls())-len(start)
			l.end, l.after = len(g2.controls())-len(end), len(g3.controls())-len(after)
			return
		}
	}
}

// trimLeft returns s without the LRM that it begins with.
func trimLeft(s string) string {
	for strings.HasPrefix(s, lrm) {
		s = s[len(lrm):]
	}
	return s
}

// trimRight returns s without the LRM that it ends with.
func trimRight(s string) string {
	for strings.HasSuffix(s, lrm) {
		s = s[:len(s)-len(lrm)]
	}
	return s
}

// take takes the marks of l away, or, with the sign -1, gives them back.
func (k *skeleton) take(l *markedLink, sign int) {
	if l.layers > 0 {
		k.edges(l, func(g *gap, closing bool) {
			if closing {
				g.front += sign * l.layers * len(lrm)
			} else {
				g.back += sign * l.layers * len(lrm)
			}
		})
	}
	if l.before+l.start+l.end+l.after == 0 {
		return
	}
	before, start, end, after := k.outer(l)
	if before != nil {
		before.back += sign * l.before
	}
	if start != nil {
		start.back += sign * l.start
	}
	if end != nil {
		end.front += sign * l.end
	}
	if after != nil {
		after.front += sign * l.after
	}
}

// links finds the links of the skeleton and takes their marks away. Those that are no links in the text which that leaves keep theirs: a control
// in the midst of a host, say, lets nothing be a link. It returns that text, too, which the links found are in.
func (k *skeleton) links(d *engine.Detector) (links []markedLink, text string) {
	for l := range d.Links(k.text) {
		links = append(links, markedLink{Link: l})
		if n := len(links); n > 1 && links[n-2].End == l.Start {
			links[n-2].bare, links[n-1].bare = true, true
		}
	}
	gap := 0
	for i := range links {
		l := &links[i]
		k.prepare(l, gap)
		gap = l.gap
		k.peel(l, false)
		k.take(l, 1)
	}
	text = k.text
	if len(links) == 0 || !k.remains() {
		for i := range links {
			links[i].found, links[i].in = true, links[i].Link
		}
		return links, text
	}
	text = string(k.append(nil, nil))
	k.steps += len(text)
	back := offsets{gaps: k.gaps}
	i := 0
	for l := range d.Links(text) { // with KeepControls, a control may be the end of one
		start, end := back.of(l.Start), back.of(l.End)
		for i < len(links) && links[i].Start < start {
			i++
		}
		if i < len(links) && links[i].Start == start && links[i].End == end && !markAt(text[l.End-len(lrm):]) {
			links[i].found, links[i].in = true, l
		}
	}
	for i := range links {
		if l := &links[i]; !l.found {
			k.take(l, -1)
		}
	}
	return links, text
}

// remains reports whether there are controls that are no marks.
func (k *skeleton) remains() bool {
	for i := range k.gaps {
		k.steps++
		if k.gaps[i].left() != "" {
			return true
		}
	}
	return false
}

// offsets gives the offsets into a skeleton for growing offsets into its text with what is left in its gaps.
type offsets struct {
	gaps  []gap
	added int // how many bytes are in the gaps that are passed
}

// of returns the offset for i. An offset in a gap is where the gap is.
func (o *offsets) of(i int) int {
	for len(o.gaps) > 0 {
		g := &o.gaps[0]
		if g.at+o.added >= i {
			break
		}
		n := len(g.left())
		if g.at+o.added+n > i {
			return g.at
		}
		o.added += n
		o.gaps = o.gaps[1:]
	}
	return i - o.added
}
