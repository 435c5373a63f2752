// SPDX-License-Identifier: MIT

package uba

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// alphabet has a letter for code points of every class, some brackets, and walls that reach the limits.
var alphabet = []string{
	"a", "א", "ב", "ع", "1", "٢", "+", "$", "%", ",", ":", " ", "\t", "\n", "\u2029", "!", "&", "\u0300", "\u05BC", "\u200b", "\u00ad", "\u200e", "\u200f", "\u061c",
	"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "(", ")", "[", "]", "〈", "〉", "\u2329", "\u232a", "\xff",
	strings.Repeat("\u202a", 61), strings.Repeat("\u202b", 62), strings.Repeat("\u2067\u2066", 62), strings.Repeat("\u2068", 126), strings.Repeat("\u2069", 62), strings.Repeat("(", 62),
}

func check(t *testing.T, p *Paragraph, s string, d Direction) {
	t.Helper()
	p.SetString(s, d)
	level, levels, order := p.Level(), slices.Clone(p.Levels()), p.VisualOrder(nil)
	if level != 0 && level != 1 || d != Auto && level != int8(d) {
		t.Errorf("%+q, %d: paragraph level %d", s, d, level)
	}
	if wantLevel, wantLevels, wantOrder := reference(s, d); level != wantLevel || !slices.Equal(levels, wantLevels) || !slices.Equal(order, wantOrder) {
		t.Fatalf("%+q, %d: %d, %v, %v; the reference has %d, %v, %v", s, d, level, levels, order, wantLevel, wantLevels, wantOrder)
	}
	runes := []rune(s)
	if len(levels) != len(runes) {
		t.Fatalf("%+q: %d levels for %d code points", s, len(levels), len(runes))
	}
	seen := make([]bool, len(runes))
	var kept []rune
	var all classSet
	for i, l := range levels {
		if l < -1 || l > maxDepth+1 {
			t.Errorf("%+q: level %d", s, l)
		}
		seen[i] = l < 0
		if l >= 0 {
			kept = append(kept, runes[i])
		}
		c, _ := classOf(string(runes[i]), runes[i])
		all |= 1 << c
	}
	for _, i := range order {
		if seen[i] {
			t.Fatalf("%+q: order %v is no permutation", s, order)
		}
		seen[i] = true
	}
	if slices.Contains(seen, false) {
		t.Errorf("%+q: order %v is not complete", s, order)
	}
	if all&needsRules == 0 && level == 0 {
		if got := Visual(s, d); got != string(kept) {
			t.Errorf("%+q is displayed as %+q", s, got)
		}
	}
	var fresh Paragraph
	for range 2 {
		fresh.SetString(s, d)
		if again := fresh.VisualOrder(nil); !slices.Equal(fresh.Levels(), levels) || !slices.Equal(again, order) || !slices.Equal(p.VisualOrder(nil), order) {
			t.Errorf("%+q: again, levels %v, order %v; before %v, %v", s, fresh.Levels(), again, levels, order)
		}
	}
}

// TestRandom compares random texts with the reference. Texts of few different pieces nest deeper.
func TestRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	var p Paragraph
	for range 5000 {
		some := make([]string, 2+rnd.IntN(8))
		for i := range some {
			some[i] = alphabet[rnd.IntN(len(alphabet))]
		}
		var b strings.Builder
		for range rnd.IntN(24) {
			b.WriteString(some[rnd.IntN(len(some))])
		}
		check(t, &p, b.String(), Direction(rnd.IntN(3)))
		if t.Failed() {
			return
		}
	}
}

func FuzzParagraph(f *testing.F) {
	for _, c := range ruleTests {
		f.Add(c.text, int8(c.direction))
	}
	for _, s := range alphabet {
		f.Add("a"+s+"א"+s+"1", int8(2))
	}
	f.Fuzz(func(t *testing.T, s string, d int8) {
		if len(s) > 2000 {
			t.Skip("the reference takes long")
		}
		check(t, new(Paragraph), s, Direction(uint8(d)%3))
	})
}
