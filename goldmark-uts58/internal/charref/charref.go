// SPDX-License-Identifier: MIT

// Package charref reads character references in Markdown as goldmark does.
package charref

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/util"
)

// longestName is the length of the longest name of a character reference.
const longestName = len("CounterClockwiseContourIntegral")

// At returns what the character reference at the beginning of b, which begins with "&", stands for, and its length; 0 if there is none:
// CommonMark §2.5, as far as goldmark has it.
func At(b []byte) (string, int) {
	is, begin, most, base := util.IsAlphaNumeric, 1, longestName, 0
	if bytes.HasPrefix(b, []byte("&#x")) || bytes.HasPrefix(b, []byte("&#X")) {
		is, begin, most, base = util.IsHexDecimal, 3, 6, 16
	} else if bytes.HasPrefix(b, []byte("&#")) {
		is, begin, most, base = util.IsNumeric, 2, 7, 10
	}
	i := begin
	for i < len(b) && i <= begin+most && is(b[i]) {
		i++
	}
	if i == begin || i == len(b) || b[i] != ';' || i > begin+most {
		return "", 0
	}
	if base == 0 {
		e, ok := util.LookUpHTML5EntityByName(string(b[begin:i]))
		if !ok {
			return "", 0
		}
		return string(e.Characters), i + 1
	}
	v, _ := strconv.ParseUint(string(b[begin:i]), base, 32)
	return string(util.ToValidRune(rune(v))), i + 1
}

// AppendText appends what the text of a node shows, or what a destination stands for: escapes and references are decoded in one pass, so that what one of
// them stands for is not decoded again, and NUL is U+FFFD.
func AppendText(dst, b []byte) []byte {
	for len(b) > 0 {
		i := bytes.IndexAny(b, "\\&\x00")
		if i < 0 {
			break
		}
		dst, b = append(dst, b[:i]...), b[i:]
		switch b[0] {
		case '\\':
			if len(b) > 1 && util.IsPunct(b[1]) {
				b = b[1:]
			}
			dst, b = append(dst, b[0]), b[1:]
		case '&':
			text, n := At(b)
			if n == 0 {
				text, n = "&", 1
			}
			dst, b = append(dst, text...), b[n:]
		default:
			dst, b = append(dst, "\ufffd"...), b[1:]
		}
	}
	return append(dst, b...)
}
