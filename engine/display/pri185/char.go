// SPDX-License-Identifier: MIT

package pri185

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/internal/hostname"
)

// inclusionChars are the 18 characters of inclusionChar.
const inclusionChars = "!\"#%&'*,./:;?@\\¡·¿"

// inclusionChar reports whether r is one of the marks that are part of a structure only inside it.
func inclusionChar(r rune) bool {
	return r <= '¿' && !letterOfASCII(r) && strings.ContainsRune(inclusionChars, r)
}

// exclusionChar reports whether r is a symbol that ends a structure nevertheless.
func exclusionChar(r rune) bool { return r == '<' || r == '>' }

// char reports whether r matches the production char: a letter, number, mark, symbol, dash, connector, format
// character or inclusionChar. Everything else terminates: unassigned code points, surrogates, private use, controls,
// white space, opening, closing and most other punctuation, and "<" and ">".
func char(r rune) bool {
	if r < utf8.RuneSelf {
		return letterOfASCII(r) || r > ' ' && r < 0x7f && !exclusionChar(r) && !strings.ContainsRune("()[]{}", r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S, unicode.Pd, unicode.Pc, unicode.Cf) || inclusionChar(r)
}

// letterOfASCII reports whether r is a letter of ASCII, as most of what is looked at.
func letterOfASCII(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

// pathSep reports whether r is a path_sep.
func pathSep(r rune) bool { return r == '/' || r == '\\' }

// idnSep reports whether r is an IDNSep: one of the four dots of IDNA.
func idnSep(r rune) bool { return r == '.' || r == 0x3002 || r == 0xff0e || r == 0xff61 }

// ignored are the code points that UTS #46 maps to nothing.
var ignored = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1}, {Lo: 0x034f, Hi: 0x034f, Stride: 1}, {Lo: 0x180b, Hi: 0x180d, Stride: 1},
		{Lo: 0x180f, Hi: 0x180f, Stride: 1}, {Lo: 0x200b, Hi: 0x200b, Stride: 1}, {Lo: 0x2060, Hi: 0x2060, Stride: 1},
		{Lo: 0x2064, Hi: 0x2064, Stride: 1}, {Lo: 0xfe00, Hi: 0xfe0f, Stride: 1}, {Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1}, {Lo: 0xe0100, Hi: 0xe01ef, Stride: 1},
	},
	LatinOffset: 1,
}

// labelChar reports whether r is one of the UTS46Chars, as the package comment reads them.
func labelChar(r rune) bool {
	switch {
	case hostname.Of(r)&hostname.Label != 0:
		return true
	case r < utf8.RuneSelf:
		return false
	case r == 0x200c || r == 0x200d || unicode.Is(ignored, r): // the joiners are deviation characters
		return true
	}
	return hostname.Symbol(r) && char(r)
}

// rightToLeftLetter reports whether r is a letter of bidi class R or AL.
func rightToLeftLetter(r rune) bool {
	if r < 0x590 || !unicode.IsLetter(r) {
		return false
	}
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}

// begins reports whether a file name may begin with r, which is a char. Our tailoring.
func begins(r rune) bool {
	if invisible(r) {
		return false
	}
	return !inclusionChar(r) || strings.ContainsRune(`#%&*./@\`, r)
}

// invisible reports whether r is a Bidi control or another character without width that is left outside file names at
// their ends.
func invisible(r rune) bool {
	return unicode.Is(unicode.Bidi_Control, r) || r == 0x200b || r == 0x2060 || r == 0xfeff
}
