// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/net/html"
)

// A run is a piece of text that links are sought in: what the reader sees, and where each byte of it comes from.
// It ends at any tag or comment but wbr, which the reader sees only at the end of a line.
type run struct {
	text string // without tags, and with character references decoded; it lives as long as the raw bytes, until the next decode
	refs []ref  // the character references, holes and NULs, in order; empty if text is the raw bytes
	buf  []byte // what text is kept in if it is not the raw bytes

	legacy *legacy // what the raw bytes are in, or nil: UTF-8
	plain  bool    // they are in UTF-8, and there is no NUL
}

// A ref is a character reference, a hole or a NUL, as byte ranges of the raw and of the decoded text. In the latter, only that
// of a reference is not empty.
type ref struct{ rawStart, rawEnd, start, end int32 }

func newRef(rawStart, rawEnd, start, end int) ref {
	return ref{int32(rawStart), int32(rawEnd), int32(start), int32(end)}
}

// A hole is a range of bytes that are not text: a wbr tag.
type hole struct{ start, end int }

// decode sets r to the text of raw, the bytes of text tokens that are not raw text, with wbr tags in the holes.
// HTML §13.2.5.72 (character reference state), for text: a reference without semicolon counts where the
// standard's list has it so, whatever follows; but none goes over a tag. NUL is dropped, as it is in the body: HTML §13.2.6.4.7.
func (r *run) decode(raw []byte, holes []hole) {
	s := bytesView(raw)
	r.text, r.refs = s, r.refs[:0]
	beyond := 0
	if r.legacy != nil {
		beyond = countBeyondASCII(s)
	}
	r.plain = r.legacy == nil && strings.IndexByte(s, 0) < 0
	if len(holes) == 0 && beyond == 0 && strings.IndexByte(s, '&') < 0 && (r.plain || strings.IndexByte(s, 0) < 0) {
		return
	}
	if len(s) > 1<<10 {
		// A text may be nothing but references: no buffer grows by steps.
		refs := strings.Count(s, "&") + strings.Count(s, "\x00") + len(holes)
		r.refs = slices.Grow(r.refs, min(refs, len(s)/2+1)+beyond)
	}
	r.buf = slices.Grow(r.buf[:0], len(s)+2*beyond)
	done := 0
	for _, h := range holes {
		r.decodeText(s[:h.start], done)
		r.refs = append(r.refs, newRef(h.start, h.end, len(r.buf), len(r.buf)))
		done = h.end
	}
	r.decodeText(s, done)
	r.text = bytesView(r.buf)
}

// decodeText appends the text of s[done:], which has no holes. In an encoding other than UTF-8, each character beyond ASCII is a ref.
func (r *run) decodeText(s string, done int) {
	for i := done; i < len(s); {
		var text string
		var n int
		switch c := s[i]; {
		case c == '&':
			text, n = decodeReference(s[i:])
		case c == 0 && (r.legacy != nil || i+1 == len(s) || utf8.RuneStart(s[i+1])): // or else what is no character would become one
			n = 1
		case c >= utf8.RuneSelf && r.legacy != nil:
			text, n = r.legacy.next(s[i:])
		}
		if n == 0 {
			if i++; r.plain {
				if next := strings.IndexByte(s[i:], '&'); next < 0 {
					break
				} else {
					i += next
				}
			}
			continue
		}
		r.buf = append(r.buf, s[done:i]...)
		start := len(r.buf)
		r.buf = append(r.buf, text...)
		r.refs = append(r.refs, newRef(i, i+n, start, len(r.buf)))
		i += n
		done = i
	}
	r.buf = append(r.buf, s[done:]...)
}

// cursor maps offsets into the text of a run, which must not decrease, to offsets into its raw bytes.
type cursor struct {
	r *run
	i int // the references before i end at or before the last offset
}

// start returns the offset into the raw bytes where the byte at offset of the text begins, behind a hole; and false if that is
// within a reference, so that the raw bytes cannot be cut there.
func (c *cursor) start(offset int) (int, bool) {
	for c.i < len(c.r.refs) && int(c.r.refs[c.i].end) <= offset {
		c.i++
	}
	return c.raw(offset)
}

// end is like start, but of the end of the byte before offset, in front of a hole.
func (c *cursor) end(offset int) (int, bool) {
	for c.i < len(c.r.refs) && int(c.r.refs[c.i].end) <= offset && int(c.r.refs[c.i].start) < offset {
		c.i++
	}
	return c.raw(offset)
}

func (c *cursor) raw(offset int) (int, bool) {
	at := offset
	if c.i > 0 {
		last := c.r.refs[c.i-1]
		at = int(last.rawEnd) + offset - int(last.end)
	}
	return at, c.i == len(c.r.refs) || offset <= int(c.r.refs[c.i].start)
}

// longestWithoutSemicolon is the length of the longest names that need no semicolon, such as Aacute and frac12.
const longestWithoutSemicolon = 6

// A charReference is a character reference, and what it stands for.
type charReference struct{ name, text string }

// common are the references that nearly all are, for speed, by their third byte. They stand for nothing that holds a link together,
// that can be in a top-level domain, or that has to do with right-to-left text.
var common = func() (t [256][]charReference) {
	for _, r := range [...]charReference{
		{"&nbsp;", "\u00a0"}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", `"`}, {"&#39;", "'"}, {"&#160;", "\u00a0"}, {"&copy;", "©"}, {"&reg;", "®"}, {"&middot;", "·"},
		{"&bull;", "•"}, {"&hellip;", "…"}, {"&ndash;", "–"}, {"&mdash;", "—"}, {"&lsquo;", "‘"}, {"&rsquo;", "’"}, {"&ldquo;", "“"}, {"&rdquo;", "”"}, {"&laquo;", "«"}, {"&raquo;", "»"}, {"&times;", "×"},
		{"&euro;", "€"}, {"&rarr;", "→"}, {"&larr;", "←"}, {"&apos;", "'"},
		{"&#8217;", "’"}, {"&#8211;", "–"}, {"&#8212;", "—"}, {"&#8220;", "“"}, {"&#8221;", "”"}, {"&#8230;", "…"}, {"&#xa0;", "\u00a0"},
	} {
		t[r.name[2]] = append(t[r.name[2]], r)
	}
	return t
}()

// lookUpCommon returns the reference that s begins with, if it is one of the common ones, or nil.
func lookUpCommon(s string) *charReference {
	if len(s) > 2 {
		list := common[s[2]]
		for i := range list {
			if strings.HasPrefix(s, list[i].name) {
				return &list[i]
			}
		}
	}
	return nil
}

// commonReference returns the length of the reference that s begins with, if it is one of the common ones, or 0.
func commonReference(s string) int {
	if r := lookUpCommon(s); r != nil {
		return len(r.name)
	}
	return 0
}

// decodeReference returns what the character reference at the beginning of s, which begins with "&", stands for,
// and its length; 0 if there is none. The names are those of html.UnescapeString, whose table is not exported: it is
// given one candidate at a time, and what it left over tells the length.
func decodeReference(s string) (string, int) {
	if r := lookUpCommon(s); r != nil {
		return r.text, len(r.name)
	}
	c := candidate(s)
	if len(c) < len("&lt") {
		return "", 0
	}
	decoded := html.UnescapeString(c)
	if decoded == c {
		return "", 0
	}
	if c[1] == '#' {
		return decoded, len(c)
	}
	for n := len("&lt"); n <= 1+longestWithoutSemicolon && n < len(c); n++ {
		if p := html.UnescapeString(c[:n]); p != c[:n] && decoded == p+c[n:] {
			return p, n
		}
	}
	return decoded, len(c)
}

// candidate returns the longest beginning of s, which begins with "&", that may be one reference.
func candidate(s string) string {
	is, i := isAlnum, 1
	if strings.HasPrefix(s, "&#x") || strings.HasPrefix(s, "&#X") {
		is, i = isHex, 3
	} else if strings.HasPrefix(s, "&#") {
		is, i = isDigit, 2
	}
	begin := i
	for i < len(s) && is(s[i]) {
		i++
	}
	if i == begin {
		return ""
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	return s[:i]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// bytesOf returns the bytes of s without copying them: nobody changes them.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// bytesView returns b as a string without copying it: nobody changes b as long as the string is used.
func bytesView(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
