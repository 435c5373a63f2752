// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Classes is a set of bidi classes (UAX #9, table 4), as far as they matter to the order of fields.
type Classes uint8

const (
	Left     Classes = 1 << iota // L: a letter that is written from left to right
	Right                        // R, AL: one that is written from right to left
	Arabic                       // AN: Arabic-Indic digits and their like
	European                     // EN: digits
	Other                        // anything else: marks, punctuation, symbols
	Escapes                      // escapes, %HH; no other class has their letters and digits
	Control                      // bidi controls, Bidi_Control; shown as escapes
)

// RightToLeft reports whether c has R, AL or AN.
func (c Classes) RightToLeft() bool { return c&(Right|Arabic) != 0 }

// classesOf returns the classes of s.
func classesOf(s string) Classes {
	var c Classes
	for i := 0; i < len(s); {
		if n := escape(s[i:]); n > 0 {
			c |= Escapes
			i += n
			continue
		}
		k, n := classOf(s[i:])
		c |= k
		i += n
	}
	return c
}

// classOf returns the class of the code point that s begins with, and its length in bytes.
func classOf(s string) (Classes, int) {
	switch c := s[0]; {
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return Left, 1
	case '0' <= c && c <= '9':
		return European, 1
	case c < utf8.RuneSelf:
		return Other, 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if IsControl(r) {
		return Control, n
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.L:
		return Left, n
	case bidi.R, bidi.AL:
		return Right, n
	case bidi.AN:
		return Arabic, n
	case bidi.EN:
		return European, n
	}
	return Other, n
}

// IsControl reports whether r is a bidi control (Bidi_Control): U+061C, U+200E, U+200F, U+202A to U+202E, or U+2066 to U+2069.
func IsControl(r rune) bool {
	return r == 0x61C || r == 0x200E || r == 0x200F || 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069
}

// HasControl reports whether s holds a bidi control, see [IsControl].
func HasControl(s string) bool {
	for i := beyondASCII(s, 0); i < len(s); i = beyondASCII(s, i) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if IsControl(r) {
			return true
		}
		i += n
	}
	return false
}

// BeginsRightToLeft reports whether s holds a bidi control that begins right-to-left text, or text of its own direction: RLE, RLO, RLI or FSI. Whatever
// follows it in the paragraph, a left-to-right link too, may be turned round.
func BeginsRightToLeft(s string) bool {
	for {
		// All of them begin with the byte E2.
		i := strings.IndexByte(s, 0xe2)
		if i < 0 {
			return false
		}
		switch r, _ := utf8.DecodeRuneInString(s[i:]); r {
		case 0x202b, 0x202e, 0x2067, 0x2068:
			return true
		}
		s = s[i+1:]
	}
}

// escape returns the length of the escape that s begins with, "%" and two hex digits, or 0.
func escape(s string) int {
	if len(s) >= 3 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) {
		return 3
	}
	return 0
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// RightToLeft reports whether s holds a character of bidi class R, AL or AN: a right-to-left letter or an
// Arabic number. Only such a string is displayed in another order than it is written, in left-to-right text without bidi controls.
// Bytes that are not UTF-8 count for nothing.
func RightToLeft(s string) bool {
	return holds(s, 1<<bidi.R|1<<bidi.AL|1<<bidi.AN)
}

// RightToLeftText reports whether s holds a character of bidi class R or AL: then it is, at least in part, right-to-left text.
func RightToLeftText(s string) bool {
	return holds(s, 1<<bidi.R|1<<bidi.AL)
}

// FirstStrong returns the direction of the first letter of s, a character of class L, R or AL, or Unknown if there is none: rule P2 of UAX #9, for
// text without isolates.
func FirstStrong(s string) Direction {
	for _, r := range s {
		if r == utf8.RuneError {
			continue
		}
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return LTR
		case bidi.R, bidi.AL:
			return RTL
		}
	}
	return Unknown
}

// holds reports whether s has a character of one of the classes, none of which ASCII has.
func holds(s string, classes uint32) bool {
	for i := beyondASCII(s, 0); i < len(s); i = beyondASCII(s, i) {
		p, size := bidi.LookupString(s[i:])
		if size == 0 { // an incomplete sequence
			i++
			continue
		}
		if classes&(1<<p.Class()) != 0 {
			return true
		}
		i += size
	}
	return false
}

// beyondASCII returns the offset of the first byte at or after i that is not ASCII, or len(s).
func beyondASCII(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		if (b[0]|b[1]|b[2]|b[3]|b[4]|b[5]|b[6]|b[7])&utf8.RuneSelf != 0 {
			break
		}
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}
