// SPDX-License-Identifier: MIT

// Package confusable knows the characters that readers do not see, and those that they take for the syntax of URLs.
package confusable

import (
	"slices"
	"unicode"
)

// Ignorable reports whether r has the property Default_Ignorable_Code_Point, which all bidi controls have too: it
// is invisible, and two texts that differ only in it look alike.
func Ignorable(r rune) bool { return r >= 0xAD && unicode.Is(ignorables, r) }

// ignorables is Default_Ignorable_Code_Point. A test of package engine derives it from the tables of the standard library.
var ignorables = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00AD, 0x00AD, 1}, // SOFT HYPHEN
		{0x034F, 0x034F, 1}, // COMBINING GRAPHEME JOINER
		{0x061C, 0x061C, 1}, // ARABIC LETTER MARK
		{0x115F, 0x1160, 1}, // Hangul fillers
		{0x17B4, 0x17B5, 1}, // Khmer inherent vowels
		{0x180B, 0x180F, 1}, // Mongolian variation selectors and vowel separator
		{0x200B, 0x200F, 1}, // zero-width space, joiners, marks
		{0x202A, 0x202E, 1}, // embeddings and overrides
		{0x2060, 0x206F, 1}, // word joiner, invisible operators, isolates
		{0x3164, 0x3164, 1}, // HANGUL FILLER
		{0xFE00, 0xFE0F, 1}, // variation selectors
		{0xFEFF, 0xFEFF, 1}, // ZERO WIDTH NO-BREAK SPACE
		{0xFFA0, 0xFFA0, 1}, // HALFWIDTH HANGUL FILLER
		{0xFFF0, 0xFFF8, 1}, // reserved
	},
	R32: []unicode.Range32{
		{0x1BCA0, 0x1BCA3, 1}, // shorthand format controls
		{0x1D173, 0x1D17A, 1}, // musical format controls
		{0xE0000, 0xE0FFF, 1}, // tags, variation selectors, reserved
	},
	LatinOffset: 1,
}

// lookalikes are characters beyond ASCII that are read as syntax of URLs, sorted, each with what it is taken for.
// Only punctuation and symbols are here, and letters that look like nothing else; not those of everyday words (Arabic zero, and those of
// hostLookalikes).
var lookalikes = [...]struct{ r, like rune }{
	{0x01C0, '/'},  // ǀ LATIN LETTER DENTAL CLICK, in slanted type
	{0x0241, '?'},  // Ɂ LATIN CAPITAL LETTER GLOTTAL STOP (UTS #58, security considerations)
	{0x0294, '?'},  // ʔ LATIN LETTER GLOTTAL STOP
	{0x02D0, ':'},  // ː MODIFIER LETTER TRIANGULAR COLON
	{0x02F8, ':'},  // ˸ MODIFIER LETTER RAISED COLON
	{0x0589, ':'},  // ։ ARMENIAN FULL STOP
	{0x05C3, ':'},  // ׃ HEBREW PUNCTUATION SOF PASUQ
	{0x066A, '%'},  // ٪ ARABIC PERCENT SIGN
	{0x0701, '.'},  // ܁ SYRIAC SUPRALINEAR FULL STOP
	{0x0702, '.'},  // ܂ SYRIAC SUBLINEAR FULL STOP
	{0x0703, ':'},  // ܃ SYRIAC SUPRALINEAR COLON
	{0x0704, ':'},  // ܄ SYRIAC SUBLINEAR COLON
	{0x097D, '?'},  // ॽ DEVANAGARI LETTER GLOTTAL STOP
	{0x1400, '='},  // ᐀ CANADIAN SYLLABICS HYPHEN
	{0x16EC, ':'},  // ᛬ RUNIC MULTIPLE PUNCTUATION
	{0x1735, '/'},  // ᜵ PHILIPPINE SINGLE PUNCTUATION
	{0x1803, ':'},  // ᠃ MONGOLIAN FULL STOP
	{0x1809, ':'},  // ᠉ MONGOLIAN MANCHU FULL STOP
	{0x2024, '.'},  // ․ ONE DOT LEADER
	{0x2041, '/'},  // ⁁ CARET INSERTION POINT
	{0x2044, '/'},  // ⁄ FRACTION SLASH
	{0x2052, '%'},  // ⁒ COMMERCIAL MINUS SIGN
	{0x205A, ':'},  // ⁚ TWO DOT PUNCTUATION
	{0x2215, '/'},  // ∕ DIVISION SLASH
	{0x2216, '\\'}, // ∖ SET MINUS
	{0x2236, ':'},  // ∶ RATIO
	{0x2571, '/'},  // ╱ BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT
	{0x266F, '#'},  // ♯ MUSIC SHARP SIGN
	{0x27CB, '/'},  // ⟋ MATHEMATICAL RISING DIAGONAL
	{0x27CD, '\\'}, // ⟍ MATHEMATICAL FALLING DIAGONAL
	{0x2800, ' '},  // ⠀ BRAILLE PATTERN BLANK
	{0x29F5, '\\'}, // ⧵ REVERSE SOLIDUS OPERATOR
	{0x29F8, '/'},  // ⧸ BIG SOLIDUS
	{0x29F9, '\\'}, // ⧹ BIG REVERSE SOLIDUS
	{0x2E40, '='},  // ⹀ DOUBLE HYPHEN
	{0x2F03, '/'},  // ⼃ KANGXI RADICAL SLASH
	{0x3002, '.'},  // 。 IDEOGRAPHIC FULL STOP, a dot in hosts
	{0x3033, '/'},  // 〳 VERTICAL KANA REPEAT MARK UPPER HALF
	{0x30A0, '='},  // ゠ KATAKANA-HIRAGANA DOUBLE HYPHEN
	{0xA4FD, ':'},  // ꓽ LISU LETTER TONE MYA JEU
	{0xA4FF, '='},  // ꓿ LISU PUNCTUATION FULL STOP
	{0xA60E, '.'},  // ꘎ VAI FULL STOP
	{0xA6EB, '?'},  // ꛫ BAMUM LETTER NTUU
	{0xA778, '&'},  // ꝸ LATIN SMALL LETTER UM
	{0xA789, ':'},  // ꞉ MODIFIER LETTER COLON
	{0xFE13, ':'},  // ︓ PRESENTATION FORM FOR VERTICAL COLON
	{0xFE16, '?'},  // ︖ PRESENTATION FORM FOR VERTICAL QUESTION MARK
	{0xFE30, ':'},  // ︰ PRESENTATION FORM FOR VERTICAL TWO DOT LEADER
	{0xFE52, '.'},  // ﹒ SMALL FULL STOP
	{0xFE55, ':'},  // ﹕ SMALL COLON
	{0xFE56, '?'},  // ﹖ SMALL QUESTION MARK
	{0xFE5F, '#'},  // ﹟ SMALL NUMBER SIGN
	{0xFE60, '&'},  // ﹠ SMALL AMPERSAND
	{0xFE62, '+'},  // ﹢ SMALL PLUS SIGN
	{0xFE66, '='},  // ﹦ SMALL EQUALS SIGN
	{0xFE68, '\\'}, // ﹨ SMALL REVERSE SOLIDUS
	{0xFE6A, '%'},  // ﹪ SMALL PERCENT SIGN
	{0xFE6B, '@'},  // ﹫ SMALL COMMERCIAL AT
	{0xFF03, '#'},  // ＃ FULLWIDTH NUMBER SIGN
	{0xFF05, '%'},  // ％ FULLWIDTH PERCENT SIGN
	{0xFF06, '&'},  // ＆ FULLWIDTH AMPERSAND
	{0xFF0B, '+'},  // ＋ FULLWIDTH PLUS SIGN
	{0xFF0E, '.'},  // ． FULLWIDTH FULL STOP, a dot in hosts
	{0xFF0F, '/'},  // ／ FULLWIDTH SOLIDUS
	{0xFF1A, ':'},  // ： FULLWIDTH COLON
	{0xFF1D, '='},  // ＝ FULLWIDTH EQUALS SIGN
	{0xFF1F, '?'},  // ？ FULLWIDTH QUESTION MARK
	{0xFF20, '@'},  // ＠ FULLWIDTH COMMERCIAL AT
	{0xFF3C, '\\'}, // ＼ FULLWIDTH REVERSE SOLIDUS
	{0xFF61, '.'},  // ｡ HALFWIDTH IDEOGRAPHIC FULL STOP, a dot in hosts
}

// hostLookalikes are others that are read as syntax between ASCII in a host, and are good characters of words elsewhere; sorted.
var hostLookalikes = [...]struct{ r, like rune }{
	{0x00B7, '.'}, // · MIDDLE DOT, of Catalan
	{0x01C3, '!'}, // ǃ LATIN LETTER RETROFLEX CLICK
	{0x0337, '/'}, // ̷ COMBINING SHORT SOLIDUS OVERLAY
	{0x0338, '/'}, // ̸ COMBINING LONG SOLIDUS OVERLAY
	{0x2010, '-'}, // ‐ HYPHEN
	{0x2011, '-'}, // ‑ NON-BREAKING HYPHEN
	{0x30CE, '/'}, // ノ KATAKANA LETTER NO
	{0x30FB, '.'}, // ・ KATAKANA MIDDLE DOT
	{0x4E3F, '/'}, // 丿 CJK IDEOGRAPH, a stroke
	{0xFF65, '.'}, // ･ HALFWIDTH KATAKANA MIDDLE DOT
	{0xFF89, '/'}, // ﾉ HALFWIDTH KATAKANA LETTER NO
}

// Syntax returns the syntax character that r, beyond ASCII, is taken for, or 0.
func Syntax(r rune) rune { return lookup(lookalikes[:], r) }

// HostSyntax returns the character that r, beyond ASCII, is taken for among ASCII in a host, or 0. It is another one than [Syntax] knows.
func HostSyntax(r rune) rune { return lookup(hostLookalikes[:], r) }

func lookup(table []struct{ r, like rune }, r rune) rune {
	if r < table[0].r {
		return 0
	}
	i, ok := slices.BinarySearchFunc(table, r, func(l struct{ r, like rune }, r rune) int { return int(l.r - r) })
	if !ok {
		return 0
	}
	return table[i].like
}
