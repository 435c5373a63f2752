// SPDX-License-Identifier: MIT

package explain

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

// A CodePoint is one of the text, with its name.
type CodePoint struct {
	Text   string `json:"text"`   // its bytes; empty at an edge of the text
	Number string `json:"number"` // "U+002E"; empty at an edge of the text, and for a byte that is not UTF-8
	Name   string `json:"name"`   // "FULL STOP"; of one without a name, what it is; empty at an edge of the text
}

// codePointAt returns the code point of text at i, which may be the end.
func codePointAt(text string, i int) CodePoint {
	if i >= len(text) {
		return CodePoint{}
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	return codePoint(r, text[i:i+n])
}

// codePointBefore returns the code point of text that ends at i, which may be its beginning.
func codePointBefore(text string, i int) CodePoint {
	if i <= 0 {
		return CodePoint{}
	}
	r, n := utf8.DecodeLastRuneInString(text[:i])
	return codePoint(r, text[i-n:i])
}

func codePoint(r rune, text string) CodePoint {
	if r == utf8.RuneError && len(text) == 1 {
		return CodePoint{Text: text, Name: fmt.Sprintf("the byte %02X (not UTF-8)", text[0])}
	}
	return CodePoint{Text: text, Number: fmt.Sprintf("U+%04X", r), Name: Name(r)}
}

// aliases are names of code points that have none, from NameAliases.txt of the Unicode Character Database.
var aliases = map[rune]string{
	0x00: "NULL", 0x08: "BACKSPACE", 0x09: "CHARACTER TABULATION", 0x0A: "LINE FEED", 0x0B: "LINE TABULATION", 0x0C: "FORM FEED",
	0x0D: "CARRIAGE RETURN", 0x1B: "ESCAPE", 0x7F: "DELETE", 0x85: "NEXT LINE",
}

// Name returns the name of a code point in the Unicode Character Database. One that has none there gets a name of its kind
// and number, such as CJK IDEOGRAPH-4E00 or CONTROL-0001.
func Name(r rune) string {
	name := runenames.Name(r)
	if name != "" && name[0] != '<' {
		return name
	}
	if alias, ok := aliases[r]; ok {
		return alias
	}
	kind := strings.ToUpper(strings.Trim(name, "<>"))
	switch {
	case name == "":
		kind = "UNASSIGNED"
	case strings.HasPrefix(kind, "CJK IDEOGRAPH"):
		kind = "CJK UNIFIED IDEOGRAPH"
	case strings.HasPrefix(kind, "HANGUL SYLLABLE"):
		kind = "HANGUL SYLLABLE"
	}
	return fmt.Sprintf("%s-%04X", kind, r)
}
