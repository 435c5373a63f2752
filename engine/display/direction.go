// SPDX-License-Identifier: MIT

package display

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// RightToLeft reports whether s holds a character of bidi class R, AL or AN: a right-to-left letter or an
// Arabic number. Only such a string is displayed in another order than it is written, in left-to-right text.
// Bytes that are not UTF-8 count for nothing.
func RightToLeft(s string) bool {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		p, size := bidi.LookupString(s[i:])
		if size == 0 { // an incomplete sequence
			i++
			continue
		}
		switch p.Class() {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		}
		i += size
	}
	return false
}
