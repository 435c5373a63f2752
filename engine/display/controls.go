// SPDX-License-Identifier: MIT

package display

// Controls are the bidi controls that a layout is written with in plain text.
type Controls uint8

const (
	// Isolates are LRI or RLI … PDI, round the whole, inner fields and rows of escapes. This is displayed as the HTML is.
	Isolates Controls = iota
	// Embeddings are LRE or RLE … PDF round the whole, two marks, LRM or RLM, round inner fields, and LRO … PDF round rows of escapes, which
	// is how PRI 185 has it. It is for programs older than Unicode 6.3. What follows the whole is not safe from it: a number would join it.
	//
	// This is displayed as Isolates are, but for two things. A bracket in one inner field pairs with one in another
	// (א(ב/ג)ד), and takes the direction of the whole. And a row of escapes takes the direction of what is round
	// it, unless it is directly between two right-to-left letters: behind the last letter of a
	// field (א%31), it is seen left of the letters.
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
	if c != Embeddings {
		return append(dst, y.isolated(text)...)
	}
	open := func(i Isolated) string {
		if i.Escapes {
			return lro
		}
		return i.Dir.of(lrm, rlm)
	}
	close := func(i Isolated) string {
		if i.Escapes {
			return pdf
		}
		return i.Dir.of(lrm, rlm)
	}
	return y.apply(dst, text, open, close)
}
