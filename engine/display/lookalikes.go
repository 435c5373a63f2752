// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/confusable"
	"github.com/bidilink/bidilink/internal/hostname"
)

// checkLabel returns the warnings about a label of a host that its A-label has as well. What follows is what stands behind it.
func checkLabel(label, following string) (w Warnings) {
	if isALabel(label) {
		label = string(hostname.AppendUnicode(nil, label))
	}
	if isASCII(label) {
		return 0
	}
	if hasLookalike(label) || hasHostLookalike(label, following) {
		w |= WarnLookalike
	}
	if mixedScripts(label) {
		w |= WarnScripts
	}
	return w
}

// hasALabel reports whether the host of an ASCII link may have A-labels.
func hasALabel(s string) bool {
	for i := 0; i+4 < len(s); i++ {
		if s[i+2] == '-' && isALabel(s[i:]) {
			return true
		}
	}
	return false
}

// isALabel reports whether s begins as an A-label does.
func isALabel(s string) bool {
	return len(s) > 4 && s[0]|0x20 == 'x' && s[1]|0x20 == 'n' && s[2] == '-' && s[3] == '-'
}

// hasLookalike reports whether s has a character that looks like the syntax of URLs anywhere.
func hasLookalike(s string) bool {
	for _, r := range s {
		if confusable.Syntax(r) != 0 {
			return true
		}
	}
	return false
}

// hasHostLookalike reports whether a label has a character that looks like syntax among ASCII: next to a letter or digit of ASCII, or
// with nothing but its like in the label. The middle dot of Catalan (l·l) in a label before .cat is none.
func hasHostLookalike(label, following string) bool {
	only := true
	before := rune(-1)
	for i, r := range label {
		if like := confusable.HostSyntax(r); like != 0 {
			after, _ := utf8.DecodeRuneInString(label[i+utf8.RuneLen(r):])
			catalan := r == 0xB7 && before|0x20 == 'l' && after|0x20 == 'l' && underCat(following)
			if (isAlphanumeric(before) || isAlphanumeric(after)) && !catalan {
				return true
			}
		} else {
			only = false
		}
		before = r
	}
	return only && label != ""
}

// underCat reports whether what stands behind a label is the top-level domain cat, and the end of the host.
func underCat(s string) bool {
	const cat = ".cat"
	if len(s) < len(cat) || !strings.EqualFold(s[:len(cat)], cat) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(s[len(cat):], "."))
	return !isLetter(r) && !('0' <= r && r <= '9') && r != '-'
}

func isAlphanumeric(r rune) bool {
	return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
}
