// SPDX-License-Identifier: MIT

package display

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/internal/uba"
)

// FromVisual returns the IRI that is displayed as visual in the order [Constant]: the inverse of [Layout.Visual], as somebody reads a printed
// link, component by component (draft-duerst-iri-bidi, section 4.4).
//
// It is defined, and true, for what keeps the restrictions of draft-ietf-iri-bidi-guidelines, section 3: a field (see [Field]) with a
// right-to-left letter (class R or AL) begins and ends with one and has no left-to-right letter (class L), nor has it a "%" that
// begins no escape; it has not both kinds of numbers (EN and AN, which RFC 5893 forbids in labels, too), nor signs
// of class ET ($, °) and a number; and marks (class NSM) follow
// letters, the last one as well. Rows of escapes count as one character, which is read from left to right. A field may also be such a
// name with an extension that begins with a left-to-right letter and has neither a right-to-left one nor a bracket (שלום.html). A field without right-to-left
// letters has no numbers of class AN, or nothing else. No two such IRIs are displayed alike.
//
// Characters that are not displayed, bidi controls and those of class BN (U+200C), do not come back, nor do bytes that are not UTF-8.
func FromVisual(visual string) (iri string, ok bool) {
	l, ok := Parse(visual)
	if !ok || !utf8.ValidString(visual) {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(visual))
	var buf [16]Field
	var p uba.Paragraph
	at := 0
	for _, f := range AppendFields(buf[:0], visual, l) {
		b.WriteString(visual[at:f.Start])
		field, ok := fieldFromVisual(&p, f.In(visual), f.Classes)
		if !ok {
			return "", false
		}
		b.WriteString(field)
		at = f.End
	}
	b.WriteString(visual[at:])
	iri = b.String()
	l, ok = Parse(iri)
	if !ok || Constant.Layout(iri, l, LTR).Visual(iri) != visual {
		return "", false
	}
	return iri, true
}

// isBracket reports whether r is a bracket that may pair with another one (UAX #9 BD14, BD15).
func isBracket(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.IsBracket()
}

// fieldFromVisual returns the field that is displayed as s, if it keeps the rules of FromVisual.
func fieldFromVisual(p *uba.Paragraph, s string, c Classes) (string, bool) {
	switch {
	case c&Control != 0:
		return "", false
	case c&Right == 0:
		return s, c&Arabic == 0 || c == Arabic
	}
	name, extension := s, ""
	if dot := strings.LastIndexByte(s, '.'); dot >= 0 && c&Left != 0 {
		name, extension = s[:dot], s[dot:]
		if len(extension) == 1 || classesOf(extension).RightToLeft() || strings.IndexFunc(extension, isBracket) >= 0 {
			return "", false
		}
		if first, _ := classOf(extension[1:]); first != Left {
			return "", false
		}
	}
	c = classesOf(name)
	if c&Left != 0 || c&(Arabic|European) == Arabic|European {
		return "", false
	}
	// From right to left, with an object (U+FFFC, neutral as isolates are) for each row of escapes.
	const object = '\uFFFC'
	var runes []rune
	var rows []string
	for i := 0; i < len(name); {
		n := 0
		for escape(name[i+n:]) > 0 {
			n += escape(name[i+n:])
		}
		if n > 0 {
			runes = append(runes, object)
			rows = append(rows, name[i:i+n])
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(name[i:])
		if r == '%' || r == object {
			return "", false
		}
		runes = append(runes, r)
		i += size
	}
	slices.Reverse(runes)
	slices.Reverse(rows)
	letter := false // the last one that is no mark
	for i, r := range runes {
		class, _ := bidi.LookupRune(r)
		mark := class.Class() == bidi.NSM
		if !mark {
			letter = rightToLeftLetter(r)
		}
		if !letter && (i == 0 || i == len(runes)-1 || mark) || class.Class() == bidi.ET && c&European != 0 {
			return "", false
		}
	}
	// Now the letters are in logical order, and the numbers still backwards. In a right-to-left paragraph, the algorithm turns all of
	// it round, and the numbers once more.
	read := string(runes)
	p.SetString(read, uba.RTL)
	order := p.VisualOrder(nil)
	slices.Reverse(order)
	if len(order) != len(runes) {
		return "", false
	}
	var b strings.Builder
	for _, i := range order {
		if runes[i] == object {
			b.WriteString(rows[0])
			rows = rows[1:]
			continue
		}
		b.WriteRune(runes[i])
	}
	b.WriteString(extension)
	return b.String(), true
}

// rightToLeftLetter reports whether the class of r is R or AL, and it is no bidi control.
func rightToLeftLetter(r rune) bool {
	c, _ := classOf(string(r))
	return c == Right
}
