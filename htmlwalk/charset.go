// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"github.com/bidilink/bidilink/engine"
)

// A legacy is an encoding other than UTF-8 in which ASCII stands for itself, and the bytes of "<", ">", "&", quotes and blanks are in no
// other character. So the markup can be read from the bytes, and what is inserted is ASCII.
//
// In encodings with several bytes a character, letters and some other ASCII can be the second byte, and in GB 18030 digits the second and
// fourth. Where a character begins and ends, and what is left of one that is malformed, is as in the Encoding Standard (WHATWG): a byte of ASCII that does not
// make a character with what is before it stands for itself. Hence an anchor that begins or ends at the bound of a character changes no other.
type legacy struct {
	single  *[128]string                       // what the bytes beyond ASCII stand for, if each is a character
	length  func(s string) (n int, whole bool) // or else what the next character may be: see shiftJIS
	decoder *encoding.Decoder
	buf     [16]byte
	raw     [4]byte
}

// malformed is what stands for bytes that are no character: it is none in UTF-8 either, and ends a link.
const malformed = "\xff"

// newLegacy returns the encoding with a label of the Encoding Standard, which is none of UTF-8 or one that cannot be walked; or nil
// if there is none, or one that browsers lay out, or decode, in a way of their own.
func newLegacy(label string) *legacy {
	e, name := charset.Lookup(label)
	l := new(legacy)
	switch name {
	case "", "iso-8859-8", "x-user-defined", "replacement": // of these, the first is Hebrew in visual order: the addresses run backwards
		return nil
	case "shift_jis":
		l.length = shiftJIS
	case "euc-jp":
		l.length = eucJP
	case "euc-kr":
		l.length = eucKR
	case "big5":
		l.length = big5
	case "gbk", "gb18030":
		l.length = gb18030
		e, _ = charset.Lookup("gb18030") // browsers decode both alike
	}
	if encodingOf(name) == unfitEncoding {
		return nil
	}
	l.decoder = e.NewDecoder()
	if l.length == nil {
		l.single = new([128]string)
		for i := range l.single {
			b, err := l.decoder.Bytes([]byte{byte(0x80 + i)})
			if r, _ := utf8.DecodeRune(b); err != nil || r == utf8.RuneError {
				b = []byte(malformed)
			}
			l.single[i] = string(b)
		}
	}
	return l
}

// choose decides whether the document is in the encoding of its label, and sees to it. It returns what of the document is yet to be read, and
// why it is not known what that is in.
//
// A label in a document is often wrong where the document is in UTF-8, as it came with a header that says so. Hence a document whose
// label is its own is in UTF-8 if all of it is; but not if it could be in an encoding with several bytes a character as well, whose bounds are others.
func (w *walker) choose(rest io.Reader) (io.Reader, Reason) {
	l := newLegacy(w.label)
	if w.o.Charset == "" {
		all, _ := io.ReadAll(io.LimitReader(rest, int64(w.o.MaxToken)+1)) // the error is kept in w.in
		rest = io.MultiReader(bytes.NewReader(all), rest)
		switch long := len(all) > w.o.MaxToken; {
		case long && utf8Prefix(all):
			return rest, SizeLimit
		case long || !utf8.Valid(all):
		case l == nil || l.single != nil || isASCII(bytesView(all)) || !l.reads(all):
			return rest, NotCopied
		default:
			return rest, Charset
		}
	}
	if l == nil {
		return rest, Charset
	}
	w.legacy, w.run.legacy, w.selection.legacy = l, l, l
	w.o.MaxToken = min(w.o.MaxToken, math.MaxInt32/utf8.UTFMax)
	w.attributes = appendAttributes(nil, w.o.Attributes, l)
	if w.own && w.o.Links.IRI {
		links := w.o.Links
		links.IRI = false
		if d, err := engine.New(links); err == nil {
			w.find = d
		}
	}
	return rest, NotCopied
}

// legacyName reports whether a name of a tag, which is not in UTF-8, is not in ASCII: whether two of these are the same, the bytes do not
// tell.
func (w *walker) legacyName(m *more) bool { return w.legacy != nil && m != nil && !isASCII(m.other) }

// maySplit reports whether a CDATA section may have a character whose second byte the tokenizer takes for the end of the section.
func (w *walker) maySplit(raw []byte) bool {
	return w.legacy != nil && w.legacy.single == nil && !isASCII(bytesView(raw))
}

// next returns the character that s begins with, which is beyond ASCII, and its length in bytes. The text is valid until the next call.
func (l *legacy) next(s string) (string, int) {
	if l.single != nil {
		return l.single[s[0]-0x80], 1
	}
	n, whole := l.length(s)
	if !whole && n == 1 {
		return malformed, 1
	}
	copy(l.raw[:], s[:n])
	end, _, err := l.decoder.Transform(l.buf[:], l.raw[:n], true)
	if r, _ := utf8.DecodeRune(l.buf[:end]); err == nil && end > 0 && r != utf8.RuneError {
		return bytesView(l.buf[:end]), n
	}
	if !whole && s[n-1] < utf8.RuneSelf {
		n--
	}
	return malformed, n
}

// append appends a text in UTF-8.
func (l *legacy) append(dst []byte, s string) []byte {
	done := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		dst = append(dst, s[done:i]...)
		c, n := l.next(s[i:])
		dst = append(dst, c...)
		i += n
		done = i
	}
	return append(dst, s[done:]...)
}

// decode returns a text in UTF-8. A nil l is UTF-8 itself.
func (l *legacy) decode(s []byte) string {
	if l == nil || isASCII(bytesView(s)) {
		return string(s)
	}
	return string(l.append(nil, bytesView(s)))
}

// reads reports whether s is well-formed.
func (l *legacy) reads(s []byte) bool {
	for i := 0; i < len(s); {
		n := 1
		if s[i] >= utf8.RuneSelf {
			var c string
			if c, n = l.next(bytesView(s[i:])); c == malformed {
				return false
			}
		}
		i += n
	}
	return true
}

// The functions that follow return how many bytes the first character of s, which is beyond ASCII, has: Encoding Standard, the decoders. If whole is false, it
// may be no character, of which a last byte of ASCII is not part; if moreover it is one byte, it is none for sure.

func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return '<' // what ends a text
}

func in(c, first, last byte) bool { return first <= c && c <= last }

func shiftJIS(s string) (n int, whole bool) {
	switch c, next := s[0], at(s, 1); {
	case c == 0x80, in(c, 0xa1, 0xdf):
		return 1, true
	case c == 0xa0, c > 0xfc, len(s) == 1:
		return 1, false
	case in(next, 0x40, 0x7e), in(next, 0x80, 0xfc):
		return 2, in(c, 0xf0, 0xf9) // the latter are for private use
	case next < utf8.RuneSelf:
		return 1, false
	}
	return 2, false
}

func eucJP(s string) (n int, whole bool) {
	switch c, next := s[0], at(s, 1); {
	case c != 0x8e && c != 0x8f && !in(c, 0xa1, 0xfe), next < utf8.RuneSelf:
		return 1, false
	case c == 0x8f && in(next, 0xa1, 0xfe):
		if at(s, 2) < utf8.RuneSelf {
			return 2, false
		}
		return 3, false
	}
	return 2, false
}

func eucKR(s string) (n int, whole bool) {
	if c, next := s[0], at(s, 1); !in(c, 0x81, 0xfe) || next < 0x41 || len(s) == 1 {
		return 1, false
	}
	return 2, false
}

func big5(s string) (n int, whole bool) {
	if c, next := s[0], at(s, 1); !in(c, 0x81, 0xfe) || !in(next, 0x40, 0x7e) && next < utf8.RuneSelf {
		return 1, false
	}
	return 2, false
}

func gb18030(s string) (n int, whole bool) {
	switch c, next := s[0], at(s, 1); {
	case c == 0x80:
		return 1, true
	case c == 0xff:
		return 1, false
	case isDigit(next):
		if in(at(s, 2), 0x81, 0xfe) && isDigit(at(s, 3)) {
			return 4, true
		}
		return 1, false
	case in(next, 0x40, 0x7e), in(next, 0x80, 0xfe):
		return 2, true
	case next < utf8.RuneSelf:
		return 1, false
	}
	return 2, false
}

// countBeyondASCII counts the bytes beyond ASCII.
func countBeyondASCII(s string) int {
	n := 0
	for i := range len(s) {
		n += int(s[i] >> 7)
	}
	return n
}

func isASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		if binary.LittleEndian.Uint64(bytesOf(s))&highBits != 0 {
			return false
		}
	}
	return countBeyondASCII(s) == 0
}

// appendReferences appends a value with its characters beyond ASCII as character references.
func appendReferences(dst []byte, value string) []byte {
	for _, r := range value {
		if r < utf8.RuneSelf {
			dst = append(dst, byte(r))
		} else {
			dst = fmt.Appendf(dst, "&#x%X;", r)
		}
	}
	return dst
}
