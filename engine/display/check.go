// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"strings"

	"github.com/bidilink/bidilink/engine"
)

// Warnings are what is suspicious about a link: a set of bits.
type Warnings uint16

const (
	// WarnControl, "control": a bidi control is in the link. It turns what a reader sees round, and cannot be typed
	// (draft-ietf-iri-bidi-guidelines §2, draft-duerst-iri-bidi §5). Package display always shows it as escapes.
	WarnControl Warnings = 1 << iota

	// WarnInvisible, "invisible": another character that is not seen, a Default_Ignorable code point (soft hyphen, zero-width
	// space, variation selectors, tags). ZWJ and ZWNJ between letters are none.
	WarnInvisible

	// WarnMixed, "mixed": a component has both right-to-left and left-to-right letters (draft-ietf-iri-bidi-guidelines §3, 1).
	WarnMixed

	// WarnEdge, "edge": a component with right-to-left letters does not begin and end with one
	// (draft-ietf-iri-bidi-guidelines §3, 2).
	WarnEdge

	// WarnOtherClasses, "other-classes": a component with right-to-left letters has something else as well, be it a digit or a hyphen
	// (draft-duerst-iri-bidi §5, 3). For information: the author of that rule would have it softened, and many good links break it.
	WarnOtherClasses

	// WarnDigits, "digits": a component with right-to-left letters stands before one that begins with digits, or after one of
	// digits only. European digits (class EN) count only if the last letter before them in the link, of class L, R or AL, is of class R or AL: behind an L,
	// or with no letter before them, they are like one (UAX #9, W7) and cannot move. Arabic-Indic digits (class AN) always count. Where the link is
	// displayed as one piece, as in an address bar, such a number changes its place, from the path into the host even. As parts of
	// a file name, א.1 and 1.א are displayed alike in every order; only the former has this warning.
	WarnDigits

	// WarnCrossing, "crossing": fields change places where the link is displayed as one piece, as in the order [Embedding]: [Constant]
	// needs an isolate round a field, one in Layout.Inner that is not of escapes. Where only escapes are displayed otherwise, there is no warning.
	WarnCrossing

	// WarnScripts, "scripts": a label of the host mixes scripts as no language does: it fails the Highly Restrictive
	// level of UTS #39 §5.2. A label passes if all its characters are of one script, or if they are Latin and those of Chinese
	// (with Bopomofo), Japanese or Korean. Characters of Common and Inherited script go with any: digits and the hyphen are such.
	//
	// Approximated: scripts are those of package unicode (15.0.0 in Go 1.26), Script_Extensions those of a short table of
	// marks, digits and letters in use today (Vedic marks count as Inherited); a character without a script is alone with itself. The
	// other half of that level, the list of allowed characters, is not looked at: IDNA has its own. Names in one script that look like
	// names in another (аррӏе) pass. An A-label (xn--…) is decoded, since browsers and readable texts show what it stands for, unless it stands for
	// nothing that IDNA allows.
	WarnScripts

	// WarnLookalike, "lookalike": a character that looks like the syntax of URLs, or like a blank, but is neither (⁄ ？ ＃ ＝ ꞉): the
	// same that [engine.FormatOptions] escapes. The dots of IDNA in a host are dots. In a label of a host, some more count, which are good
	// characters elsewhere: ノ ﾉ 丿 U+0337 U+0338 (for a slash), · ・ ･ (a dot), ‐ ‑ (a hyphen), ǃ. They do next to a letter or digit of ASCII
	// (google.comノlogin.example.jp), or if nothing else is in the label; l·l in a label before .cat does not. A-labels are decoded.
	WarnLookalike

	allWarnings = WarnLookalike<<1 - 1
)

// WarnRestrictions are the restrictions of draft-ietf-iri-bidi-guidelines, sections 2 and 3. Links that keep them may still look the same as another one in the
// order [Constant]: e.com/א.1 and e.com/1.א do, since an extension is a component. See [WarnAmbiguous].
const WarnRestrictions = WarnControl | WarnMixed | WarnEdge

// WarnAmbiguous are the warnings about links that may look the same as another one in the order [Constant]. Among links of letters, hyphens, European
// digits and separators that have none of them, no two do. The package comment says what else may.
const WarnAmbiguous = WarnRestrictions | WarnDigits

var warningNames = [...]string{"control", "invisible", "mixed", "edge", "other-classes", "digits", "crossing", "scripts", "lookalike"}

// Names returns the names of the warnings in w, in the order of the constants. The names do not change.
func (w Warnings) Names() []string {
	var names []string
	for i, n := range warningNames {
		if w&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String returns the names of the warnings in w, joined by commas, or "none".
func (w Warnings) String() string {
	if w&allWarnings == 0 {
		return "none"
	}
	return strings.Join(w.Names(), ",")
}

// ParseWarnings returns the set of the warnings of these names, as [Warnings.Names] gives them.
func ParseWarnings(names []string) (Warnings, error) {
	var w Warnings
next:
	for _, name := range names {
		for i, n := range warningNames {
			if n == name {
				w |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("display: unknown warning %q: want some of %s", name, strings.Join(warningNames[:], ", "))
	}
	return w, nil
}

// Check returns what is suspicious about a link of text. Nothing is said about what escapes stand for: a reader sees the escapes. A-labels in the host
// are decoded for [WarnScripts] and [WarnLookalike]; a link of ASCII without such has no warnings. Time is linear in the length of the link.
func Check(text string, l engine.Link) Warnings {
	s := l.In(text)
	ascii := isASCII(s)
	if ascii && !hasALabel(s) {
		return 0
	}
	var buf [24]Component
	components := AppendComponents(buf[:0], text, l)
	var w Warnings
	for _, c := range components {
		w |= c.Check(text)
	}
	if ascii || !RightToLeft(s) {
		return w
	}
	besideDigits(text, components, func(int) { w |= WarnDigits })
	if crossing(text, l) {
		w |= WarnCrossing
	}
	return w
}

// crossing reports whether the constant display of a link needs an isolate round a field.
func crossing(text string, l engine.Link) bool {
	for _, i := range Constant.Layout(text, l, LTR).Inner {
		if !i.Escapes {
			return true
		}
	}
	return false
}
