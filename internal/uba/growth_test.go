// SPDX-License-Identifier: MIT

package uba

import (
	"fmt"
	"strings"
	"testing"
)

// shapes are what is repeated, with what is before and after it.
var shapes = [][3]string{
	{"", "\u202b", ""}, {"", "\u202b", "a"}, {"", "\u202ba", ""}, {"", "\u202b\u202a", "א"}, {"", "\u202ba\u202c", ""}, {"", "\u202c", ""}, {"", "\u202e", "a"},
	{"", "\u2067", ""}, {"", "\u2067a", ""}, {"", "\u2068", ""}, {"", "\u2068", "א"}, {"", "\u2068a", ""}, {"", "\u2068\u2069", ""}, {"", "\u2069", ""}, {"\u2067", "\u2069", ""},
	{"", "\u2067א\u2069a", ""}, {"", "\u202b\u2067", ""}, {"", "\u202b\u2069", ""}, {"", "\u2066\u202b\u2069", ""}, {"", "\u2068(", "א"},
	{"", "(", ""}, {"א", "(", ""}, {"", "(א", ""}, {"", "(a)", "א"}, {"א", "()", ""}, {"", "([{<", ""}, {"א", ")", ""}, {strings.Repeat("[", 63) + "א", ")", ""}, {strings.Repeat("(", 62) + "א", "(א)", ""},
	{strings.Repeat("[", 62) + "א", "()", ""}, {"", "(א[)", ""}, {"", "([)]א", ""}, {"א", "\u2329\u3009", ""},
	{"", "aא", ""}, {"", "a א ", ""}, {"", "א1", ""}, {"", "ع1", ""}, {"א", "$", "1"}, {"א", "$", ""}, {"א", "1$", ""}, {"א", "$,", "1"}, {"א", "1,", ""}, {"א", "+", "1"},
	{"א", "\u0300", ""}, {"א(", "\u0300", ")"}, {"", "א(\u0300a)\u0300", ""}, {"א", "\u200b", "a"}, {"א", "\u200b$\u200b", "1"}, {"א", " ", ""}, {"א", "\t", ""}, {"א", " \t", ""}, {"א", "\n", ""},
	{"", "א\n", ""}, {"", "\u2068\n", ""}, {"", "a", ""}, {"", "א", ""}, {"", "\xff", "א"}, {"\u202b", "a\u202aא\u202b1\u202c\u202c", ""},
}

// TestGrowth counts the code points looked at for n, 2n and 4n of them: twice the text takes at most 2.2 times the steps.
func TestGrowth(t *testing.T) {
	worst := 0.0
	for _, shape := range shapes {
		for _, d := range []Direction{LTR, RTL, Auto} {
			name := fmt.Sprintf("%+q…, %d", shape, d)
			const n = 4000
			var steps [3]int
			for i := range steps {
				var p Paragraph
				repeat := n << i / len([]rune(shape[1]))
				p.SetString(shape[0]+strings.Repeat(shape[1], repeat)+shape[2], d)
				p.VisualOrder(nil)
				steps[i] = p.steps
			}
			each := float64(steps[2]) / (4 * n)
			worst = max(worst, each)
			if each > 20 {
				t.Errorf("%s: %.1f steps for each code point", name, each)
			}
			for i := 1; i < len(steps); i++ {
				if ratio := float64(steps[i]) / float64(steps[i-1]); ratio > 2.2 {
					t.Errorf("%s: steps %v: ratio %.2f", name, steps, ratio)
				}
			}
		}
	}
	t.Logf("%d shapes, at most %.1f steps for each code point", len(shapes), worst)
}

// TestLarge: ten megabytes of controls in one another, and of brackets, take no more steps for each byte than a hundredth of them.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	const size = 10 << 20
	for _, shape := range []string{"\u202b", "\u2067", "\u2068", "(", "\u202b\u2067\u2068(א", "\u2068(\u2069)\u202c", "א)"} {
		var each [2]float64
		for i, n := range [...]int{size / 100, size} {
			var p Paragraph
			text := strings.Repeat(shape, n/len(shape))
			p.SetString("א"+text, Auto)
			p.VisualOrder(nil)
			each[i] = float64(p.steps) / float64(n)
		}
		if each[1] > 1.1*each[0] || each[1] > 20 {
			t.Errorf("%+q…: %.2f steps for each byte, and %.2f in a hundredth of them", shape, each[1], each[0])
		}
	}
}

func TestAllocations(t *testing.T) {
	var p Paragraph
	var order []int
	for _, shape := range shapes {
		text := shape[0] + strings.Repeat(shape[1], 300) + shape[2]
		f := func() {
			p.SetString(text, Auto)
			order = p.VisualOrder(order[:0])
		}
		f()
		if n := testing.AllocsPerRun(5, f); n != 0 {
			t.Errorf("%+q: %v allocations", shape, n)
		}
	}
}
