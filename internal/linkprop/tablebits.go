// SPDX-License-Identifier: MIT

package linkprop

// This file is the layout of the tables, shared by the library and by gen.go.
// The generator reads it as source and takes the constants by name, so it
// must stay without imports and must not refer to other files.

// Term is a value of the Link_Term property (UTS #58 §3): what a code point
// does to a link when the scan from left to right meets it in the path, the
// query or the fragment.
type Term uint8

const (
	// Hard ends the link before the code point: spaces, controls,
	// unassigned code points. It is the default, and zero.
	Hard Term = iota
	// Soft ends the link unless something that belongs to it follows later:
	// punctuation such as the full stop, that is part of a link only inside.
	Soft
	// Include belongs to the link: letters, digits, marks, most symbols.
	Include
	// Open is an opening bracket: it belongs to the link, and its closing
	// partner does too.
	Open
	// Close is a closing bracket: it belongs to the link only when it closes
	// the innermost bracket that is open, as Link_Bracket pairs them.
	Close
)

// Props is all that the tables know about one code point, in one byte:
//
//	bits 0-2  Link_Term
//	bit  3    Link_Email
//	bits 4-7  free, and zero
//
// The zero Props is the default of both properties.
type Props uint8

const (
	termMask Props = 0b0000_0111
	emailBit Props = 0b0000_1000
)

// The two-stage table splits a code point at blockShift: the upper bits
// select a byte of index, that selects a block, and the lower bits select in
// the block. With 8 the lower bits are a byte, so no second bounds check is
// needed; with 7 the tables would be 5 KB smaller but near the 256 blocks
// that a byte can tell apart.
const blockShift = 8
