// SPDX-License-Identifier: MIT

package display

import (
	"unicode/utf8"
)

// ToTextual returns an IRI as draft-duerst-iri-bidi has it in plain text (section 4.3, "textual context"): with an LRM before and after
// each component that has right-to-left characters, and, in a right-to-left paragraph, LRE and PDF round the whole. That displays
// it in the order [Constant], but for brackets, which pair across components (א(ב/ג)ד), and for escapes beside right-to-left characters,
// which the draft does nothing about. It is for texts that are read, or turned back: most programs that find links take the marks for part
// of the link, or end it there.
//
// A component is a [Field]. Right-to-left characters are those of the classes R and AL, and the numbers of class AN, which attract what stands
// beside them to a right-to-left neighbour just as letters do.
//
// The IRI is what [Parse] takes. Marks that it has are replaced: ToTextual(ToTextual(s, d), d) is ToTextual(s, d). Anything else, and what
// is not UTF-8, is returned as it is.
func ToTextual(iri string, paragraph Direction) string {
	k, l, ok := parseSkeleton(iri)
	if !ok {
		return iri
	}
	return string(k.append(nil, textualMarks(nil, &l, paragraph)))
}

// FromTextual returns the IRI that [ToTextual] wrote, the processing representation of the draft: it removes LRM, LRE and PDF from those
// positions, as often as they stand there, and from no others. Any other control is kept. An LRM is a mark only if all
// components with right-to-left characters are between two.
//
// FromTextual(ToTextual(s, d)) is FromTextual(s); which is s if it has none of these characters.
func FromTextual(textual string) string {
	k, _, ok := parseSkeleton(textual)
	if !ok {
		return textual
	}
	return string(k.append(nil, nil))
}

// parseSkeleton parses an IRI with or without marks, and takes them away.
func parseSkeleton(s string) (*skeleton, markedLink, bool) {
	k := newSkeleton(s)
	l, ok := Parse(k.text)
	if !ok || !utf8.ValidString(s) {
		return nil, markedLink{}, false
	}
	m := markedLink{Link: l}
	k.prepare(&m, 0)
	k.peel(&m, true)
	k.take(&m, 1)
	return k, m, true
}

// textualMarks appends the marks of a link.
func textualMarks(dst []insertion, l *markedLink, paragraph Direction) []insertion {
	if paragraph == RTL {
		dst = append(dst, insertion{l.Start, false, lre})
	}
	for _, f := range l.fields {
		dst = append(dst, insertion{f.Start, false, lrm}, insertion{f.End, true, lrm})
	}
	if paragraph == RTL {
		dst = append(dst, insertion{l.End, true, pdf})
	}
	return dst
}

// ToEmbedding returns an IRI in the left-to-right embedding of draft-ietf-iri-bidi-guidelines (section 2) and RFC 3987: between LRE and PDF.
// That displays it in the order [Embedding].
//
// A number or a neutral character that follows the PDF may be drawn to the link in right-to-left text; isolates ([MarksIsolate]) are without
// that fault. The draft's other form, an LRM before and after the whole, is not here: it is NOT RECOMMENDED there, and fails
// in right-to-left paragraphs, where the parts of most links still change places.
func ToEmbedding(iri string) string { return lre + iri + pdf }

// FromEmbedding returns the IRI that [ToEmbedding] wrote. A string that does not begin with LRE and end with PDF is returned as it is.
func FromEmbedding(s string) string {
	if len(s) >= len(lre)+len(pdf) && s[:len(lre)] == lre && s[len(s)-len(pdf):] == pdf {
		return s[len(lre) : len(s)-len(pdf)]
	}
	return s
}
