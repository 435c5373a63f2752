// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"math/bits"
	"strings"
	"unsafe"

	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/goldmark-uts58/internal/charref"
)

// A content is what the reader sees of a range of the source, and where each byte of it comes from.
type content struct {
	text string // a view of the source or of a buffer that nobody changes
	base int    // the offset into the source of the first byte of text, if there are no refs before it
	refs []ref  // what is not a copy of the source, in order
	copy string // of text, once somebody else has been given it; empty until then
}

// A ref is a range of the source that shows as another text: an escape, a character reference, padding (of an empty range), or a gap
// between two segments (of an empty text).
type ref struct {
	from, to   int // in the source
	start, end int // in the text
	escape     bool
}

// contentOf returns the content of segments of the source. Those marked raw have neither escapes nor character references, and
// none has any if all of them are plain. With escapedSpace, a backslash before a blank is white space between words, though the reader sees none.
func contentOf(source []byte, segments []segment, plain, escapedSpace bool) content {
	c := content{base: segments[0].Start}
	whole := true
	for i := range segments {
		s := &segments[i]
		if s.Padding > 0 || i > 0 && s.Start != segments[i-1].Stop || !plain && !s.raw && special(source[s.Start:s.Stop]) {
			whole = false
			break
		}
	}
	if whole {
		c.text = view(source[c.base:segments[len(segments)-1].Stop])
		return c
	}
	d := decoder{escapedSpace: escapedSpace}
	at := c.base
	for _, s := range segments {
		if s.Start != at || s.Padding > 0 {
			d.replace(at, s.Start, strings.Repeat(" ", s.Padding), false)
		}
		if s.raw {
			d.buf = append(d.buf, source[s.Start:s.Stop]...)
		} else {
			d.decode(source, s.Start, s.Stop)
		}
		at = s.Stop
	}
	c.text, c.refs = view(d.buf), d.refs
	return c
}

// special reports whether there may be an escape, a character reference or a NUL in b.
func special(b []byte) bool {
	return bytes.IndexByte(b, '\\') >= 0 || bytes.IndexByte(b, '&') >= 0 || bytes.IndexByte(b, 0) >= 0
}

// A specials knows where the next escape, character reference and NUL may be.
type specials struct {
	from int    // where it was asked last
	next [3]int // the first backslash, ampersand and NUL from there on, or what is before, if it is not known
}

// plain reports whether there is none in source[from:to]. It is meant to be asked from the beginning of the source to its end, and then looks at each byte once.
func (s *specials) plain(source []byte, from, to int) bool {
	if from < s.from {
		return !special(source[from:to])
	}
	s.from = from
	for i, c := range [...]byte{'\\', '&', 0} {
		if s.next[i] < from || from == 0 {
			s.next[i] = len(source)
			if n := bytes.IndexByte(source[from:], c); n >= 0 {
				s.next[i] = from + n
			}
		}
		if s.next[i] < to {
			return false
		}
	}
	return true
}

// signs knows where the next byte may be that says that there is something to do: of an escape, a character reference or a NUL, or of one of the dots of a
// host or a colon, one of which every link has.
type signs struct{ from, next int }

// nearEnd is the distance from the end of a run from which on it is worth while to look whether white space follows a dot.
const nearEnd = 32

// in reports whether there may be one in the run source[from:to]. It is meant to be asked from the beginning of the source to its end, and then looks at each byte once.
func (s *signs) in(source []byte, from, to int) bool {
	if from < s.from {
		return nextSign(source[:to], from) < to
	}
	s.from = from
	if s.next < from || from == 0 {
		s.next = nextSign(source, from)
	}
	for s.next < to && to-s.next <= nearEnd && (source[s.next] == '.' || source[s.next] == ':') && (s.next+1 == to || isTagSpace(source[s.next+1])) {
		// The dots and colons of links are not the last of a word, nor of a run.
		s.next = nextSign(source, s.next+1)
	}
	return s.next < to
}

// nextSign returns the offset of the first sign in b at or behind i, or len(b).
func nextSign(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		x := load(b[i:])
		m := zeros(x^'.'*ones) | zeros(x^':'*ones) | zeros(x^'\\'*ones) | zeros(x^'&'*ones) | zeros(x)
		if beyond := x & highs; beyond != 0 {
			// U+3002, U+FF0E and U+FF61 begin with E3 and EF, beside which E7 and EB are found here.
			m |= zeros((x|0x0C*ones)^0xEF*ones) & beyond
		}
		if m &= highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(b); i++ {
		switch b[i] {
		case '.', ':', '\\', '&', 0, 0xE3, 0xE7, 0xEB, 0xEF:
			return i
		}
	}
	return i
}

func isSpecial(c byte) bool { return c == '\\' || c == '&' || c == 0 }

// A segment is that of an ast.Text.
type segment struct {
	text.Segment
	raw bool
}

// A decoder decodes text as goldmark's html.Writer does.
type decoder struct {
	buf          []byte
	refs         []ref
	escapedSpace bool
}

func (d *decoder) replace(from, to int, text string, escape bool) {
	start := len(d.buf)
	d.buf = append(d.buf, text...)
	d.refs = append(d.refs, ref{from, to, start, len(d.buf), escape})
}

// decode appends the text of source[from:to].
func (d *decoder) decode(source []byte, from, to int) {
	done := from
	for i := from; i < to; {
		n := bytes.IndexAny(source[i:to], "\\&\x00")
		if n < 0 {
			break
		}
		i += n
		switch source[i] {
		case '\\':
			if i+1 < to && util.IsPunct(source[i+1]) {
				d.buf = append(d.buf, source[done:i]...)
				d.replace(i, i+2, string(source[i+1:i+2]), true)
				done = i + 2
				i++
			} else if i+1 < to && source[i+1] == ' ' && d.escapedSpace {
				d.buf = append(d.buf, source[done:i]...)
				d.replace(i, i+2, " ", false)
				done = i + 2
				i++
			}
			i++
		case '&':
			if text, n := charref.At(source[i:to]); n > 0 {
				d.buf = append(d.buf, source[done:i]...)
				d.replace(i, i+n, text, false)
				i += n
				done = i
			} else {
				i++
			}
		default:
			d.buf = append(d.buf, source[done:i]...)
			d.replace(i, i+1, "\ufffd", false)
			i++
			done = i
		}
	}
	if done < to {
		d.buf = append(d.buf, source[done:to]...)
	}
}

// A cursor maps offsets into a content, which must not decrease, to offsets into the source.
type cursor struct {
	c *content
	i int // the refs before i end at or before the last offset
}

// start returns where the byte at offset begins in the source, behind a gap. It is not ok within a ref.
func (k *cursor) start(offset int) (int, bool) {
	for k.i < len(k.c.refs) && k.c.refs[k.i].end <= offset {
		k.i++
	}
	return k.at(offset)
}

// end returns where the byte before offset ends in the source, in front of a gap.
func (k *cursor) end(offset int) (int, bool) {
	for k.i < len(k.c.refs) && k.c.refs[k.i].end <= offset && k.c.refs[k.i].start < offset {
		k.i++
	}
	return k.at(offset)
}

func (k *cursor) at(offset int) (int, bool) {
	at := k.c.base + offset
	if k.i > 0 {
		last := k.c.refs[k.i-1]
		at = last.to + offset - last.end
	}
	return at, k.i == len(k.c.refs) || offset <= k.c.refs[k.i].start
}

// escaped reports whether there is a backslash escape in a range of the text.
func (c *content) escaped(start, end int) bool {
	// Binary search: the refs are in order.
	lo, hi := 0, len(c.refs)
	for lo < hi {
		if m := (lo + hi) / 2; c.refs[m].end <= start {
			lo = m + 1
		} else {
			hi = m
		}
	}
	for ; lo < len(c.refs) && c.refs[lo].start < end; lo++ {
		if c.refs[lo].escape {
			return true
		}
	}
	return false
}

// view returns b as a string without copying it: nobody changes b as long as the string is used.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf returns s as bytes, which nobody may change, without copying it.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
