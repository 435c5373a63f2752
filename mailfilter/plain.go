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

// isolates returns the changes that put isolates round the links of a plain text that have right-to-left characters. Links with a bidi
// control in them or next to them are left alone: so a second run changes nothing, and what somebody has arranged stays so.
func (f *filter) isolates(body []byte, p *Part) []edit {
	text := string(body)
	var edits []edit
	for l := range f.detector.Links(text) {
		link := l.In(text)
		if !display.RightToLeft(link) || display.HasControl(link) || controlAround(text, l.Start, l.End) {
			continue
		}
		edits = append(edits, edit{l.Start, l.Start, lri}, edit{l.End, l.End, pdi})
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
