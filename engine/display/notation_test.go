// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"testing"
)

// Bidi Notation (RFC 3987 §1.4): UPPER CASE stands for right-to-left letters; anything else stands for itself.
// No two letters of either row form a ligature, and none is a mark.
var (
	hebrewLetters = []rune("אבגדהוזחטיךכלםמןנסעףפץצקרש") // bidi class R
	arabicLetters = []rune("ابتثجحخدذرزسشصضطظعغفقكمنهو") // bidi class AL, without lam
)

// scripts are what tests in the notation run in.
var scripts = []struct {
	name string
	of   func(string) string
}{
	{"Hebrew", hebrew},
	{"Arabic", arabic},
}

// hebrew returns s with Hebrew letters for upper case.
func hebrew(s string) string { return inScript(s, hebrewLetters) }

// arabic returns s with Arabic letters for upper case.
func arabic(s string) string { return inScript(s, arabicLetters) }

func inScript(s string, letters []rune) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return letters[r-'A']
		}
		return r
	}, s)
}

// latin returns s with upper case for the letters of either script: the inverse of hebrew and arabic.
func latin(s string) string {
	return strings.Map(func(r rune) rune {
		for i := range hebrewLetters {
			if r == hebrewLetters[i] || r == arabicLetters[i] {
				return 'A' + rune(i)
			}
		}
		return r
	}, s)
}

func TestNotation(t *testing.T) {
	const all = "http://ABCDEFGHIJKLMNOPQRSTUVWXYZ.abcz/09?٣%d7"
	for _, script := range scripts {
		s := script.of(all)
		if latin(s) != all {
			t.Errorf("%s: %q is %q in the notation", script.name, s, latin(s))
		}
		if c := classesOf(script.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ")); c != Right {
			t.Errorf("%s: classes %b", script.name, c)
		}
	}
	if len(hebrewLetters) != 26 || len(arabicLetters) != 26 {
		t.Error("not 26 letters")
	}
}
