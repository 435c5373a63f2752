// SPDX-License-Identifier: MIT

package display

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/internal/confusable"
)

// Check returns what is suspicious about a component of text on its own: all warnings but [WarnDigits] and [WarnCrossing]. An A-label
// has the [WarnScripts] and [WarnLookalike] of what it stands for, and no others.
//
// A character is right-to-left if its bidi class is R or AL, and left-to-right if it is L. Digits of any kind are neither. A
// combining mark belongs to the letter before it, and what the bidi algorithm passes over (class BN: the joiners) to nothing. An
// escape ("%D7%90") is no letter, whatever it stands for: it does not make a component mixed, but one with
// right-to-left letters that begins or ends with it breaks the second restriction, and any breaks the third.
func (c Component) Check(text string) Warnings {
	s := c.In(text)
	var w Warnings
	if c.Kind == HostLabel {
		w = checkLabel(s, text[c.End:])
	}
	if isASCII(s) {
		return w
	}
	if c.Classes&Control != 0 {
		w |= WarnControl
	}
	if c.Classes&Right != 0 {
		w |= restrictions(s, c.Classes)
	}
	if hasInvisible(s) {
		w |= WarnInvisible
	}
	if hasLookalike(s) {
		w |= WarnLookalike
	}
	return w
}

// restrictions checks a component with right-to-left letters.
func restrictions(s string, classes Classes) (w Warnings) {
	// draft-ietf-iri-bidi-guidelines §3, 1; draft-duerst-iri-bidi §5, 1
	if classes&Left != 0 {
		w |= WarnMixed
	}
	// draft-ietf-iri-bidi-guidelines §3, 2, and draft-duerst-iri-bidi §5, 3
	first, last, others := -1, -1, false
	for _, r := range s {
		k := kindOf(r)
		if k == kindIgnored || k == kindMark && last >= 0 {
			continue
		}
		if first < 0 {
			first = int(k)
		}
		last = int(k)
		others = others || k != kindRight
	}
	if first != int(kindRight) || last != int(kindRight) {
		w |= WarnEdge
	}
	if others {
		w |= WarnOtherClasses
	}
	return w
}

// A kind is what a character is to the restrictions.
type kind uint8

const (
	kindNeutral  kind = iota // punctuation, symbols
	kindLeft                 // L
	kindRight                // R, AL
	kindEuropean             // EN
	kindArabic               // AN
	kindMark                 // NSM
	kindIgnored              // BN
	kindControl              // a bidi control
)

func kindOf(r rune) kind {
	if IsControl(r) {
		return kindControl
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.L:
		return kindLeft
	case bidi.R, bidi.AL:
		return kindRight
	case bidi.EN:
		return kindEuropean
	case bidi.AN:
		return kindArabic
	case bidi.NSM:
		return kindMark
	case bidi.BN:
		return kindIgnored
	}
	return kindNeutral
}

// hasInvisible reports whether s has an invisible character that is no bidi control: a Default_Ignorable code point, but for ZWJ
// and ZWNJ between letters, where many scripts need them.
func hasInvisible(s string) bool {
	before := rune(-1)
	for i, r := range s {
		if confusable.Ignorable(r) && !IsControl(r) {
			after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if r != 0x200C && r != 0x200D || !isLetter(before) || !isLetter(after) {
				return true
			}
		}
		before = r
	}
	return false
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// besideDigits calls found with the index of each component that has right-to-left letters and stands beside a number that moves, see [WarnDigits]: the
// next one begins with it, or the one before is of digits only (draft-ietf-iri-bidi-guidelines, examples 10 and 11). Components with
// neither letters nor digits do not count: the bidi algorithm carries numbers over them. It may call found twice for one.
func besideDigits(text string, components []Component, found func(int)) {
	before, beforeMoves := -1, false // the last component with letters or digits, and whether it is a number that moves
	strong := kindLeft               // the last letter so far: what an isolate begins with (sos, UAX #9 X10) counts as one
	for i, c := range components {
		b := beginning(c.In(text))
		if b.first == kindNeutral {
			continue
		}
		// UAX #9 W7, W2: a European number is a left-to-right letter where the last letter before it is one.
		moves := b.arabic || b.european && strong == kindRight
		if before >= 0 {
			if moves && components[before].Classes&Right != 0 {
				found(before)
			}
			if beforeMoves && c.Classes&Right != 0 {
				found(i)
			}
		}
		before, beforeMoves = i, moves && b.strong == kindNeutral
		if b.strong != kindNeutral {
			strong = b.strong
		}
	}
}

// A start is how a component begins, and its last letter. An escape is what is displayed of it, and so is a bidi
// control, which is displayed as one.
type start struct {
	first            kind // the first letter or digit, or neutral if there is none
	european, arabic bool // whether there are such digits before the first letter
	strong           kind // the last letter, left or right, or neutral if there is none
}

func beginning(s string) (b start) {
	for _, r := range s {
		k := kindOf(r)
		switch k {
		case kindControl:
			k = kindLeft
			b.strong = k
		case kindLeft, kindRight:
			b.strong = k
		case kindEuropean:
			b.european = b.european || b.strong == kindNeutral
		case kindArabic:
			b.arabic = b.arabic || b.strong == kindNeutral
		default:
			continue
		}
		if b.first == kindNeutral {
			b.first = k
		}
	}
	return b
}

// isASCII reports whether s is.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
