// SPDX-License-Identifier: MIT

package engine

import (
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
)

// joined reports whether the run is only a piece of a name: "_" and a letter follow, or an invisible
// character stands between it and more of the name.
func (f *finder) joined(r run) bool {
	text := f.text
	if r.end < len(text) {
		switch c := text[r.end]; {
		case c == '_':
			// A domain may hold "_" (WHATWG URL, forbidden domain code points), a public suffix may not.
			i := r.end
			for i < len(text) && text[i] == '_' {
				i++
			}
			f.steps += i - r.end
			if i < len(text) && (class[text[i]]&cLabel != 0 || text[i] >= utf8.RuneSelf) {
				return true
			}
		case c >= utf8.RuneSelf && !f.d.opts.KeepControls:
			if f.invisibleAfter(r) {
				return true
			}
		}
	}
	return r.start > 0 && text[r.start-1] >= utf8.RuneSelf && !f.d.opts.KeepControls && f.invisibleBefore(r.start, labelRune)
}

// invisible reports whether r has no width and is no boundary of words: in the midst of a host it
// makes one name look like another.
func invisible(r rune) bool {
	return bidiControl(r) || r == 0xAD || r == 0x200C || r == 0x200D || r == 0x2060 || r == 0xFEFF || r >= 0xFE00 && r <= 0xFE0F
}

// skipInvisible returns the offset after the invisible characters at i. U+200B is one of them: it parts words, but between two
// ASCII letters it only makes one name look like another. It is reported.
func (f *finder) skipInvisible(i int) (end int, space bool) {
	for i < len(f.text) && f.text[i] >= utf8.RuneSelf {
		c, n := utf8.DecodeRuneInString(f.text[i:])
		if c != 0x200B && !invisible(c) {
			break
		}
		space = space || c == 0x200B
		i += n
		f.steps++
	}
	return i, space
}

// skipInvisibleBack is skipInvisible to the left.
func (f *finder) skipInvisibleBack(i int) (start int, space bool) {
	for i > 0 && f.text[i-1] >= utf8.RuneSelf {
		c, n := utf8.DecodeLastRuneInString(f.text[:i])
		if c != 0x200B && !invisible(c) {
			break
		}
		space = space || c == 0x200B
		i -= n
		f.steps++
	}
	return i, space
}

// invisibleAfter reports whether invisible characters follow the run, and then more of a name.
func (f *finder) invisibleAfter(r run) bool {
	i, space := f.skipInvisible(r.end)
	if i == r.end || i == len(f.text) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(f.text[:r.end])
	c, n := utf8.DecodeRuneInString(f.text[i:])
	if space {
		return last < utf8.RuneSelf && c < utf8.RuneSelf && labelRune(c)
	}
	if c == '.' || ideographicDot(view(f.text), i) {
		// A dot: the sentence ends, unless a label follows.
		i, _ = f.skipInvisible(i + n)
		c, _ = utf8.DecodeRuneInString(f.text[i:])
		return labelRune(c)
	}
	return labelRune(c) && (r.end > r.name || !opposed(last, c))
}

// invisibleBefore reports whether invisible characters stand before start, where a name begins, and before
// them more of a name: a character for which part is true.
func (f *finder) invisibleBefore(start int, part func(rune) bool) bool {
	i, space := f.skipInvisibleBack(start)
	if i == start || i == 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(f.text[start:])
	c, n := utf8.DecodeLastRuneInString(f.text[:i])
	if space && (first >= utf8.RuneSelf || c >= utf8.RuneSelf) {
		return false
	}
	if c == '.' || ideographicDot(view(f.text), i-n) {
		c, _ = utf8.DecodeLastRuneInString(f.text[:i-n])
		return part(c)
	}
	if c == '@' || c == '/' || c == '\\' || c == '_' || c == '%' {
		return true // the tail of something all the same
	}
	return part(c) && !opposed(c, first)
}

// opposed reports whether one of two label characters is a letter that runs right to left and the other is an
// ASCII letter: no label holds both (RFC 5893, the Bidi rule).
func opposed(a, b rune) bool {
	letter := func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
	rtl := func(r rune) bool { return r >= utf8.RuneSelf && hostname.Of(r)&hostname.RTL != 0 }
	return letter(a) && rtl(b) || rtl(a) && letter(b)
}

// bidiControl reports whether r has the property Bidi_Control.
func bidiControl(r rune) bool {
	return r == 0x061C || r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// edgeControl reports whether r stays outside at the edges of a link: the bidi controls,
// ZERO WIDTH SPACE, WORD JOINER and ZERO WIDTH NO-BREAK SPACE.
func edgeControl(r rune) bool {
	return bidiControl(r) || r == 0x200B || r == 0x2060 || r == 0xFEFF
}
