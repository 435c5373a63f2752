// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/uba"
)

// Visual returns text as a reader sees it in one line of a paragraph of direction d, from left to right: in the order
// that the bidi algorithm (UAX #9) gives it, without bidi controls and characters of class BN (U+200B, U+200C, U+200D, U+00AD and others),
// which it takes out. Nothing is mirrored; a byte that is not UTF-8 becomes U+FFFD.
func Visual(text string, d Direction) string {
	var p uba.Paragraph
	return visual(&p, text, d)
}

// visual is Visual with the buffers of p.
func visual(p *uba.Paragraph, text string, d Direction) string {
	p.SetString(text, d.uba())
	runes := []rune(text)
	var b strings.Builder
	b.Grow(len(text))
	for _, i := range p.VisualOrder(make([]int, 0, len(runes))) {
		if !IsControl(runes[i]) {
			b.WriteRune(runes[i])
		}
	}
	return b.String()
}

// Visual returns what a reader sees of the link or file name with this layout, as [Visual] does. Its bidi controls are seen as escapes.
func (y Layout) Visual(text string) string {
	return Visual(y.isolated(text), y.Dir)
}

// isolated returns the link with y, as its inside is in plain text with isolates.
func (y Layout) isolated(text string) string {
	return string(y.apply(nil, text, func(i Isolated) string { return i.Dir.of(lri, rli) }, func(Isolated) string { return pdi }))
}

// uba returns the same direction for package uba.
func (d Direction) uba() uba.Direction {
	if d == RTL {
		return uba.RTL
	}
	return uba.LTR
}

// wholeRows reports of each row of escapes in s whether it is displayed in one piece, from left to right, in a paragraph of direction d.
func wholeRows(p *uba.Paragraph, s string, d Direction) []bool {
	p.SetString(s, d.uba())
	place := make([]int, utf8.RuneCountInString(s)) // of each code point; 0 for one that is not displayed, of which a row has none
	for i, from := range p.VisualOrder(nil) {
		place[from] = i
	}
	var whole []bool
	for i, n, row := 0, 0, false; i < len(s); n++ {
		if escape(s[i:]) == 0 {
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
			row = false
			continue
		}
		follows := !row || place[n] == place[n-1]+1
		if !row {
			whole = append(whole, true)
			row = true
		}
		if !follows || place[n+1] != place[n]+1 || place[n+2] != place[n]+2 {
			whole[len(whole)-1] = false
		}
		i += len("%HH")
		n += len("%HH") - 1
	}
	return whole
}

// EscapeControls returns s with its bidi controls as escapes (%E2%80%AE), which is how a link is displayed.
func EscapeControls(s string) string {
	if !HasControl(s) {
		return s
	}
	var b []byte
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if IsControl(r) {
			b = appendEscapes(b, s[:n])
		} else {
			b = append(b, s[:n]...)
		}
		s = s[n:]
	}
	return string(b)
}

// appendEscapes appends the bytes of s as escapes.
func appendEscapes(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		dst = append(dst, '%', hex[s[i]>>4], hex[s[i]&15])
	}
	return dst
}
