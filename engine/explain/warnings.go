// SPDX-License-Identifier: MIT

package explain

import "github.com/bidilink/bidilink/engine/display"

// A Warning says what is suspicious about a link.
type Warning struct {
	Name     string `json:"name"` // as in [display.Warnings.Names]
	Sentence string `json:"sentence"`
}

var sentences = map[display.Warnings]string{
	display.WarnControl:      "A bidi control is in the link: it turns round what a reader sees, and cannot be typed. It is always shown as escapes.",
	display.WarnInvisible:    "A character is in the link that nobody sees.",
	display.WarnMixed:        "One part of the link has both right-to-left and left-to-right letters, so that their order on the screen does not tell the order in memory.",
	display.WarnEdge:         "A part with right-to-left letters does not begin and end with one: what stands at its edge is seen at the other side.",
	display.WarnOtherClasses: "A part with right-to-left letters has something else in it, such as a digit or a hyphen. Many good links do.",
	display.WarnDigits:       "A part with right-to-left letters stands beside a number, which can change its place where the link is displayed in one piece.",
	display.WarnCrossing:     "Parts of the link change places where it is displayed in one piece, as in an address bar: a path may be seen where the host belongs.",
	display.WarnScripts:      "A label of the host mixes scripts as no language does: a letter may look like one of another script.",
	display.WarnLookalike:    "A character looks like the syntax of URLs, or like a blank, and is neither.",
}

// warnings returns the warnings of a set, in its order.
func warnings(w display.Warnings) []Warning {
	list := []Warning{}
	for bit := display.Warnings(1); bit != 0 && bit <= w; bit <<= 1 {
		if w&bit != 0 {
			list = append(list, Warning{Name: bit.String(), Sentence: sentences[bit]})
		}
	}
	return list
}
