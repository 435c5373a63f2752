// SPDX-License-Identifier: MIT

package display

import "unicode/utf8"

// An Edit replaces a range of a text, which is empty where something is inserted.
type Edit struct {
	Start, End int // byte offsets into the text
	Text       string
}

// edits returns what a layout changes in its text: open and close stand round each inner isolate, and a bidi control becomes its escapes.
func (y Layout) edits(dst []Edit, text string, open, close func(Isolated) string) []Edit {
	if len(y.Inner) == 0 && !HasControl(text[y.Start:y.End]) {
		return dst
	}
	var stack []Isolated
	inner := y.Inner
	for i := y.Start; ; {
		for len(stack) > 0 && stack[len(stack)-1].End == i {
			dst = append(dst, Edit{i, i, close(stack[len(stack)-1])})
			stack = stack[:len(stack)-1]
		}
		for len(inner) > 0 && inner[0].Start == i {
			dst = append(dst, Edit{i, i, open(inner[0])})
			stack = append(stack, inner[0])
			inner = inner[1:]
		}
		if i >= y.End {
			return dst
		}
		r, n := utf8.DecodeRuneInString(text[i:y.End])
		if IsControl(r) {
			dst = append(dst, Edit{i, i + n, string(appendEscapes(nil, text[i:i+n]))})
		}
		i += n
	}
}

// apply appends the text of y with its edits.
func (y Layout) apply(dst []byte, text string, open, close func(Isolated) string) []byte {
	at := y.Start
	for _, e := range y.edits(nil, text, open, close) {
		dst = append(append(dst, text[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(dst, text[at:y.End]...)
}
