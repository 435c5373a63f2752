// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/uba"
)

// Visual returns text as a reader sees it in one line of a paragraph of direction d, from left to right: in the order
// that the bidi algorithm (UAX #9) gives it, without bidi controls. Nothing is mirrored; a byte that is not UTF-8 becomes U+FFFD.
func Visual(text string, d Direction) string {
	return strings.Map(func(r rune) rune {
		if IsControl(r) {
			return -1
		}
		return r
	}, uba.Visual(text, d.uba()))
}

// Visual returns what a reader sees of the link or file name with this layout, as [Visual] does. Its bidi controls are seen as escapes.
func (y Layout) Visual(text string) string {
	return Visual(string(y.apply(nil, text, func(i Isolated) string { return i.Dir.of(lri, rli) }, func(Isolated) string { return pdi })), y.Dir)
}

// uba returns the same direction for package uba.
func (d Direction) uba() uba.Direction {
	if d == RTL {
		return uba.RTL
	}
	return uba.LTR
}

// places returns where each code point of s is displayed, from left to right, in a paragraph of direction d, where bidi controls are
// their escapes; and the index of what is shown for the code point at each byte offset.
func places(s string, d Direction) (place, index []int) {
	index = make([]int, len(s)+1)
	var shown []byte
	for i, n := 0, 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		index[i] = n
		n++
		if IsControl(r) {
			n += size*len("%HH") - 1
			shown = appendEscapes(shown, s[i:i+size])
		} else {
			shown = append(shown, s[i:i+size]...)
		}
		i += size
		index[i] = n
	}
	var p uba.Paragraph
	p.SetString(string(shown), d.uba())
	place = make([]int, index[len(s)])
	for i, from := range p.VisualOrder(nil) {
		place[from] = i
	}
	return place, index
}

// appendEscapes appends the bytes of s as escapes.
func appendEscapes(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		dst = append(dst, '%', hex[s[i]>>4], hex[s[i]&15])
	}
	return dst
}
