// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"encoding/binary"
	"html"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/bidilink/bidilink/engine/display"
)

// destinationOf returns an address as that of an ast.Link, which is written as in Markdown: what looks like a character reference is none.
// It is not ok if goldmark's renderer makes another address of it: one without the brackets of an IPv6 host, or with escapes for what is beyond ASCII.
func destinationOf(href []byte) (destination []byte, ok bool) {
	ok = true
	backslash, ampersand := false, false
	for i, c := range href {
		switch {
		case c >= utf8.RuneSelf || c == '[' && bytes.HasSuffix(href[:i], []byte("://")):
			ok = false
		case c == '\\':
			backslash = true
		case c == '&':
			ampersand = true
		}
	}
	if backslash {
		href = bytes.ReplaceAll(href, []byte(`\`), []byte(`\\`))
	}
	if ampersand && bytes.IndexByte(href, ';') >= 0 {
		href = bytes.ReplaceAll(href, []byte("&"), []byte("&amp;"))
	}
	return href, ok
}

// finish gives the links of a block their text, and isolates them.
func (w *walker) finish(block ast.Node) {
	if len(w.made) == 0 {
		w.links = w.links[:0]
		return
	}
	rtl := w.Isolate != None && w.needsText() && w.mayBeRTL() && w.rightToLeft(block)
	for i := range w.made {
		if m := &w.made[i]; m.node != nil {
			w.finishLink(m, rtl)
		}
	}
	w.forget()
}

// needsText reports whether what else stands in the block matters to a link: to one that is isolated in right-to-left text only.
func (w *walker) needsText() bool {
	if w.Isolation != display.IsolateAuto {
		return false
	}
	for i := range w.made {
		m := &w.made[i]
		if m.dir == nil && !m.begins && (m.ascii || !w.Isolation.Isolates(w.links[m.link].In(w.contents[m.content].text), display.LTR)) {
			return true
		}
	}
	return false
}

// mayBeRTL reports whether there may be a right-to-left letter in the document. It looks at the source once.
func (w *walker) mayBeRTL() bool {
	if !w.looked {
		w.looked = true
		w.steps += len(w.source)
		// By name, there is a reference for U+200F only.
		w.rtl = mayHoldRTL(w.source) || bytes.Contains(w.source, []byte("&#")) || bytes.Contains(w.source, []byte("&rlm;"))
	}
	return w.rtl
}

// mayHoldRTL reports whether there may be a character of class R or AL in b.
func mayHoldRTL(b []byte) bool { return nextRTL(b) < len(b) }

// nextRTL returns the offset of the first character of b that may be of class R or AL, or len(b). These are in U+0590..U+08FF, U+200F, U+FB1D..U+FEFF,
// U+10800..U+10FFF and U+1E800..U+1EFFF, here by the first two bytes of their UTF-8.
func nextRTL(b []byte) int {
	i := 0
	for ; i+9 <= len(b); i += 8 {
		x := load(b[i:])
		if x&highs == 0 {
			continue
		}
		low, next := x&^highs, load(b[i+1:])
		// The high bit of each byte of D6 to DF or EF to FF, and of each E0 or E2 that the right byte may follow; perhaps some more.
		two := (low + (0x80-0x56)*ones) &^ (low + (0x80-0x60)*ones)
		more := low + (0x80-0x6F)*ones
		three := zeros((x|2*ones)^0xE2*ones) & (zeros((next&^(3*ones))^0xA0*ones) | zeros(next^0x80*ones))
		for m := x & (two | more | three) & highs; m != 0; m &= m - 1 {
			if j := i + bits.TrailingZeros64(m)/8; beginsRTL(b[j:]) {
				return j
			}
		}
	}
	for ; i < len(b); i++ {
		if beginsRTL(b[i:]) {
			break
		}
	}
	return i
}

// beginsRTL reports whether b may begin with a character of class R or AL.
func beginsRTL(b []byte) bool {
	next := byte(0)
	if len(b) > 1 {
		next = b[1]
	}
	switch c := b[0]; c {
	case 0xE0:
		return next >= 0xA0 && next <= 0xA3
	case 0xE2:
		return bytes.HasPrefix(b, []byte("\u200f"))
	case 0xEF:
		return next >= 0xAC && next <= 0xBB
	case 0xF0:
		return next == 0x90 || next == 0x9E
	default:
		return c >= 0xD6 && c <= 0xDF
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeros has the high bit of each zero byte of x set, and perhaps some bits above the lowest of these. Of its other bits nothing is said.
func zeros(x uint64) uint64 { return (x - ones) &^ x }

// load returns the first eight bytes of b.
func load(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// rightToLeft reports whether there is right-to-left text in a node outside the links that are made, which have no children yet.
func (w *walker) rightToLeft(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		var s []byte
		plain := true
		switch c := c.(type) {
		case *ast.Text:
			s, plain = w.source[c.Segment.Start:c.Segment.Stop], c.IsRaw() || n.Kind() == ast.KindCodeSpan
		case *ast.String:
			s, plain = c.Value, c.IsRaw()
		case *ast.AutoLink:
			s = c.Label(w.source)
		case *ast.Image, *ast.RawHTML:
			continue
		}
		w.steps += len(s)
		if !plain && bytes.IndexByte(s, '&') >= 0 {
			s = []byte(html.UnescapeString(string(s)))
		}
		if display.RightToLeftText(view(s[nextRTL(s):])) || w.rightToLeft(c) {
			return true
		}
	}
	return false
}

// finishLink gives a link its text, and isolates it.
func (w *walker) finishLink(m *match, rtl bool) {
	c, l := &w.contents[m.content], &w.links[m.link]
	paragraph, around := m.dir.textDirection(rtl, w.Dir)
	if m.begins {
		around = display.RTL
	}
	shown := ""
	if !m.ascii {
		shown = l.In(c.text)
	}
	isolated := w.Isolate != None && w.Isolation.Isolates(shown, around)
	f := filler{arena: &w.arena, segments: m.segments, node: m.node, at: m.from}
	w.steps += m.to - m.from
	if !isolated && !display.HasControl(shown) {
		f.fill(m.to)
		return
	}
	y := display.Layout{Span: l.Span, Dir: display.LTR}
	if isolated {
		y = w.Order.Layout(c.text, *l, paragraph)
		if w.Isolate == Attr {
			m.node.SetAttributeString("dir", y.Dir.String())
		} else {
			outer := w.arena.element("bdi", y.Dir, m.from)
			parent := m.node.Parent()
			parent.InsertBefore(parent, m.node, outer)
			outer.AppendChild(outer, m.node)
			if open, _ := w.Profile.Inside(y.Dir); open != "" {
				f.node = w.arena.element(tagOf(open), y.Dir, m.from)
				m.node.AppendChild(m.node, f.node)
			}
		}
	}
	k := cursor{c: c}
	w.edits = y.AppendEdits(w.edits[:0], c.text, w.Profile)
	for _, e := range w.edits {
		switch {
		case e.Start < e.End:
			from, _ := k.start(e.Start)
			to, _ := k.end(e.End)
			f.fill(from)
			s := ast.NewString([]byte(e.Text))
			s.SetRaw(true)
			f.node.AppendChild(f.node, s)
			f.at = to
		case strings.HasPrefix(e.Text, "</"):
			to, _ := k.end(e.Start)
			f.fill(to)
			f.node = f.node.Parent()
		default:
			from, _ := k.start(e.Start)
			f.fill(from)
			d := display.LTR
			if strings.Contains(e.Text, `"rtl"`) {
				d = display.RTL
			}
			child := w.arena.element(tagOf(e.Text), d, from)
			f.node.AppendChild(f.node, child)
			f.node = child
		}
	}
	f.fill(m.to)
}

// tagOf returns the name of a start tag.
func tagOf(tag string) string {
	name, _, _ := strings.Cut(tag[1:], " ")
	return name
}

// A filler appends the source from one place on, as texts, to nodes.
type filler struct {
	arena    *arena
	segments []segment
	node     ast.Node
	at       int
}

// fill appends the source up to a place.
func (f *filler) fill(to int) {
	for len(f.segments) > 0 && f.at < to {
		s := f.segments[0]
		from, stop := max(s.Start, f.at), min(s.Stop, to)
		if from < stop {
			last, ok := f.node.LastChild().(*ast.Text)
			if ok && last.Segment.Stop == from && last.IsRaw() == s.raw {
				last.Segment.Stop = stop
			} else {
				f.node.AppendChild(f.node, f.arena.text(from, stop, s.raw))
			}
			f.at = stop
		}
		if s.Stop > to {
			return
		}
		f.segments = f.segments[1:]
	}
}
