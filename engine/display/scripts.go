// SPDX-License-Identifier: MIT

package display

import (
	"slices"
	"sort"
	"strings"
	"unicode"
)

// mixedScripts reports whether a label fails the Highly Restrictive level of UTS #39 §5.2, as [WarnScripts] says.
func mixedScripts(label string) bool {
	var (
		resolved [16]string // UTS #39 §5.1: the augmented scripts that each character so far may be of
		n        = -1       // of them; below 0: any
		covers   = [...]bool{true, true, true}
		last     string // the script of the character before
	)
	for _, r := range label {
		scripts := scriptsOf(r, last)
		if scripts == "" {
			continue
		}
		last = scripts
		var own [16]string
		k := 0
		within := [len(covering)]bool{}
		for s := range strings.SplitSeq(scripts, " ") {
			own[k] = s
			k++
			for i, c := range covering {
				within[i] = within[i] || slices.Contains(c, s)
			}
		}
		for _, a := range augmented(own[:k]) {
			if a != "" {
				own[k] = a
				k++
			}
		}
		for i := range covers {
			covers[i] = covers[i] && within[i]
		}
		if n < 0 {
			resolved, n = own, k
		} else {
			kept := 0
			for _, s := range resolved[:n] {
				if slices.Contains(own[:k], s) {
					resolved[kept] = s
					kept++
				}
			}
			n = kept
		}
		if n == 0 && covers == [len(covers)]bool{} {
			return true
		}
	}
	return false
}

// covering are the sets of scripts that may stand beside one another (UTS #39 §5.2).
var covering = [3][]string{{"Latin", "Han", "Hiragana", "Katakana"}, {"Latin", "Han", "Bopomofo"}, {"Latin", "Han", "Hangul"}}

// augmented returns the writing systems that a character of these scripts belongs to as well (UTS #39 §5.1).
func augmented(scripts []string) (systems [3]string) {
	for _, s := range scripts {
		if s == "Han" || s == "Hiragana" || s == "Katakana" {
			systems[0] = "Jpan"
		}
		if s == "Han" || s == "Bopomofo" {
			systems[1] = "Hanb"
		}
		if s == "Han" || s == "Hangul" {
			systems[2] = "Kore"
		}
	}
	return systems
}

// scriptsOf returns the scripts that r is used in, names of package unicode with blanks between them; "" stands for all.
// guess is what it returned last, which is mostly right.
func scriptsOf(r rune, guess string) string {
	if r < 0x80 {
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			return "Latin"
		}
		return ""
	}
	i := sort.Search(len(scriptExtensions), func(i int) bool { return scriptExtensions[i].hi >= r })
	if i < len(scriptExtensions) && scriptExtensions[i].lo <= r {
		return scriptExtensions[i].scripts
	}
	if t := unicode.Scripts[guess]; t != nil && unicode.Is(t, r) {
		return guess
	}
	for _, name := range [...]string{"Common", "Inherited", "Latin", "Cyrillic", "Arabic", "Hebrew", "Han", "Greek"} {
		if unicode.Is(unicode.Scripts[name], r) {
			if name == "Common" || name == "Inherited" {
				return ""
			}
			return name
		}
	}
	for name, t := range unicode.Scripts {
		if unicode.Is(t, r) {
			return name
		}
	}
	return "Unknown"
}

// scriptExtensions are characters that are used in other scripts than that of package unicode, or, of Common and
// Inherited ones, not in all (Script_Extensions, UAX #24), as far as labels have them; sorted.
var scriptExtensions = [...]struct {
	lo, hi  rune
	scripts string
}{
	{0x0342, 0x0342, "Greek"},
	{0x0345, 0x0345, "Greek"},
	{0x0363, 0x036F, "Latin"},
	{0x0483, 0x0483, "Cyrillic Old_Permic"},
	{0x0484, 0x0484, "Cyrillic Glagolitic"},
	{0x0485, 0x0486, "Cyrillic Latin"},
	{0x0487, 0x0487, "Cyrillic Glagolitic"},
	{0x0640, 0x0640, "Adlam Arabic Hanifi_Rohingya Mandaic Manichaean Old_Uyghur Psalter_Pahlavi Sogdian Syriac"},
	{0x064B, 0x0655, "Arabic Syriac"},
	{0x0660, 0x0669, "Arabic Thaana Yezidi"},
	{0x0670, 0x0670, "Arabic Syriac"},
	{0x0966, 0x096F, "Devanagari Dogra Kaithi Mahajani"},
	{0x09E6, 0x09EF, "Bengali Chakma Syloti_Nagri"},
	{0x0A66, 0x0A6F, "Gurmukhi Multani"},
	{0x0AE6, 0x0AEF, "Gujarati Khojki"},
	{0x0BE6, 0x0BEF, "Grantha Tamil"},
	{0x0CE6, 0x0CEF, "Kannada Nandinagari"},
	{0x1040, 0x1049, "Chakma Myanmar Tai_Le"},
	{0x3005, 0x3007, "Han"},
	{0x302A, 0x302D, "Bopomofo Han"},
	{0x3031, 0x3035, "Hiragana Katakana"},
	{0x303C, 0x303C, "Han Hiragana Katakana"},
	{0x3099, 0x309A, "Hiragana Katakana"},
	{0x30FB, 0x30FB, "Bopomofo Han Hangul Hiragana Katakana Yi"},
	{0x30FC, 0x30FC, "Hiragana Katakana"},
	{0xA66F, 0xA66F, "Cyrillic Glagolitic"},
	{0xA9CF, 0xA9CF, "Buginese Javanese"},
	{0xFF65, 0xFF65, "Bopomofo Han Hangul Hiragana Katakana Yi"},
	{0xFF70, 0xFF70, "Hiragana Katakana"},
	{0xFF9E, 0xFF9F, "Hiragana Katakana"},
	{0x11301, 0x11301, "Grantha Tamil"},
	{0x11303, 0x11303, "Grantha Tamil"},
	{0x1133B, 0x1133C, "Grantha Tamil"},
}
