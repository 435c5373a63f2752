// SPDX-License-Identifier: MIT

package mailfilter

import (
	"strings"

	"github.com/bidilink/bidilink/engine/display"
)

// The bidi controls that are put round links in plain text.
const (
	lri = "\u2066"
	pdi = "\u2069"
)

// isolates returns the changes that put isolates round the links of a plain text that have right-to-left characters: beyond the blanks where there is
// one on either side, so that other programs still find the link. Links with a bidi control in them or next to them are left alone: so a
// second run changes nothing, and what somebody has arranged stays so.
func (f *filter) isolates(body []byte, p *Part) []edit {
	text := string(body)
	var edits []edit
	done := 0
	for l := range f.detector.Links(text) {
		link := l.In(text)
		if !display.RightToLeft(link) || display.HasControl(link) || controlAround(text, l.Start, l.End) {
			continue
		}
		if f.o.Refuse != 0 && display.Check(text, l)&f.o.Refuse != 0 {
			continue
		}
		start, end := l.Start, l.End
		if start > done && text[start-1] == ' ' && end < len(text) && text[end] == ' ' {
			start, end = start-1, end+1
		}
		if controlAround(text, start, end) {
			continue
		}
		edits = append(edits, edit{start, start, lri}, edit{end, end, pdi})
		done = end
		p.Links++
		p.Isolated++
	}
	return edits
}

// controlAround reports whether a bidi control stands directly before start or behind end.
func controlAround(text string, start, end int) bool {
	last := func(s string) string { return s[max(0, len(s)-3):] }
	return display.HasControl(strings.ToValidUTF8(last(text[:start]), "")) || display.HasControl(strings.ToValidUTF8(text[end:min(len(text), end+3)], ""))
}
