// SPDX-License-Identifier: MIT

// Package uba finds the order in which text with right-to-left letters is displayed, by the Unicode
// Bidirectional Algorithm, UAX #9: levels (rules P2 to I2), and the order of one line (L1 and L2).
//
//	var p uba.Paragraph
//	p.SetString("http://ab.אב.ij", uba.LTR)
//	for _, i := range p.VisualOrder(nil) {
//		… // the code points of the text from left to right, by index
//	}
//
// It passes every line of BidiTest.txt and BidiCharacterTest.txt.
//
// # Guarantees
//
// Any text has an answer; a byte that is not UTF-8 counts as U+FFFD. Time is linear in the text, whatever is
// nested in it: 125 levels and 63 brackets, the limits of UAX #9, bound every stack. Nothing recurses. A [Paragraph]
// keeps its buffers, about 25 bytes for each code point, and does not allocate once they are large enough.
//
// # Limits
//
// Classes and brackets are those of golang.org/x/text/unicode/bidi ([UnicodeVersion]: 15.0.0 below Go 1.27); of that
// package nothing but the properties is used, because the order that it computes is not that of UAX #9. It has R for 140 unassigned code points whose default is AL.
//
// The whole text is one line: there is no line breaking. Mirroring (L4) and the placing of marks (L3) are for
// whoever draws: the code points are kept, "(" in right-to-left text is still "(".
package uba
