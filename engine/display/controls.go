// SPDX-License-Identifier: MIT

package display

// Controls are the bidi controls that a layout is written with in plain text.
type Controls uint8

const (
	// Isolates are LRI or RLI … PDI, round the whole and round rows of escapes. Inner fields are between two marks, LRM or RLM.
	Isolates Controls = iota
	// Embeddings are LRE or RLE … PDF round the whole, and LRO … PDF round rows of escapes, which is how PRI 185 has it.
	// Inner fields are between two marks. What follows the whole is not safe from it: a number would join it.
	Embeddings
)

const (
	lrm = "\u200e"
	rlm = "\u200f"
	lre = "\u202a"
	rle = "\u202b"
	pdf = "\u202c"
	lro = "\u202d"
	lri = "\u2066"
	rli = "\u2067"
	pdi = "\u2069"
)

// of returns the left-to-right control or the right-to-left one.
func (d Direction) of(ltr, rtl string) string {
	if d == RTL {
		return rtl
	}
	return ltr
}

// AppendControls appends the link or file name with this layout, as it is written with bidi controls in plain text. Those that are in it
// become escapes.
//
// Plain text with controls in it is for the eyes only: they go along when the link is copied, and most programs that look
// for links get lost in them.
func (y Layout) AppendControls(dst []byte, text string, c Controls) []byte {
	if c == Embeddings {
		dst = append(dst, y.Dir.of(lre, rle)...)
		return append(y.appendControls(dst, text, c), pdf...)
	}
	dst = append(dst, y.Dir.of(lri, rli)...)
	return append(y.appendControls(dst, text, c), pdi...)
}

// appendControls appends what is inside the outer isolate.
func (y Layout) appendControls(dst []byte, text string, c Controls) []byte {
	mark := func(i Isolated) string { return i.Dir.of(lrm, rlm) }
	open := func(i Isolated) string {
		switch {
		case !i.Escapes:
			return mark(i)
		case c == Embeddings:
			return lro
		}
		return lri
	}
	close := func(i Isolated) string {
		switch {
		case !i.Escapes:
			return mark(i)
		case c == Embeddings:
			return pdf
		}
		return pdi
	}
	return y.apply(dst, text, open, close)
}
