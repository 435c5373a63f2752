// SPDX-License-Identifier: MIT

package uba

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// A Direction is that of a paragraph.
type Direction int8

const (
	LTR  Direction = iota // paragraph level 0
	RTL                   // paragraph level 1
	Auto                  // by the first strong character, left-to-right if there is none: rules P2 and P3
)

// A Paragraph is a text with its levels. The zero value is an empty one. Its methods must not run at the same time.
type Paragraph struct {
	level int8

	// By code point.
	original []class // as in the text, but FSI is replaced by what X5c makes of it
	class    []class // what the rules have made of it so far
	bracket  []rune  // see bracketOf; empty when the text has no bracket
	levels   []int8  // -1: removed by X9
	next     []int   // next in the same isolating run sequence, or -1; in VisualOrder see reorder.go
	closer   []int   // closing bracket of the pair that an opening bracket begins, see neutral.go; empty like bracket

	steps int // code points looked at, for the tests of linear growth
}

// SetString finds the levels of a text. The text is meant to be one paragraph. If there are separators
// (class B: line feed, U+2029 and others) before its end, each part is a paragraph for the rules, with the level
// that the first one has.
func (p *Paragraph) SetString(s string, d Direction) {
	p.reset()
	p.original = slices.Grow(p.original, len(s))
	brackets := false
	for i, r := range s {
		c, b := classOf(s[i:], r)
		p.original = append(p.original, c)
		if b != 0 && !brackets {
			brackets = true
			p.bracket = grow(p.bracket, len(p.original)-1)
			clear(p.bracket)
		}
		if brackets {
			p.bracket = append(p.bracket, b)
		}
	}
	p.resolve(d)
}

// setClasses is SetString for a text that is known by classes only. It has no brackets.
func (p *Paragraph) setClasses(classes []bidi.Class, d Direction) {
	p.reset()
	for _, c := range classes {
		p.original = append(p.original, class(c))
	}
	p.resolve(d)
}

// Level returns the level of the paragraph, 0 or 1.
func (p *Paragraph) Level() int8 { return p.level }

// Levels returns the level of each code point, 0 to 126, after L1 with the text as one line. It is -1 for embeddings,
// overrides, their ends, and class BN, which X9 removes. The slice is good until the next SetString.
func (p *Paragraph) Levels() []int8 { return p.levels }

// Visual returns s as a reader sees it in one line, from left to right. What X9 removes is left out, nothing
// is mirrored, and a byte that is not UTF-8 becomes U+FFFD. See [Paragraph.SetString].
func Visual(s string, d Direction) string {
	var p Paragraph
	p.SetString(s, d)
	runes := []rune(s)
	order := p.VisualOrder(make([]int, 0, len(runes)))
	visual := make([]rune, len(order))
	for i, from := range order {
		visual[i] = runes[from]
	}
	return string(visual)
}

func (p *Paragraph) reset() {
	p.original, p.bracket, p.closer = p.original[:0], p.bracket[:0], p.closer[:0]
	p.steps = 0
}

// grow returns s with length n; what it holds is undefined.
func grow[E any](s []E, n int) []E {
	return slices.Grow(s[:0], n)[:n]
}

// resolve finds the level of every code point of p.original.
func (p *Paragraph) resolve(d Direction) {
	n := len(p.original)
	p.class, p.levels, p.next = grow(p.class, n), grow(p.levels, n), grow(p.next, n)
	if len(p.bracket) != 0 {
		p.closer = grow(p.closer, n)
	}
	p.level = 0
	if d == RTL {
		p.level = 1
	}
	// P1: a separator belongs to the paragraph before it.
	for start := 0; start < n; {
		end := start
		var seen classSet
		for end < n && !seen.has(clB) {
			seen |= 1 << p.original[end]
			end++
		}
		p.steps += end - start
		if d == Auto && start == 0 && seen&(1<<clR|1<<clAL) != 0 {
			p.level = p.firstStrong(end)
		}
		if p.level == 0 && seen&needsRules == 0 {
			p.leftToRight(start, end)
		} else {
			if seen.has(clFSI) {
				p.replaceFSI(start, end)
			}
			p.explicit(start, end)
			p.sequences(start, end)
			p.implicit(start, end)
			p.line(start, end)
		}
		start = end
	}
}

// leftToRight is what the rules come to in a paragraph of level 0 without needsRules: W7 makes every number L, and
// neutrals are between L and L.
func (p *Paragraph) leftToRight(start, end int) {
	p.steps += end - start
	for i, c := range p.original[start:end] {
		if c == clBN {
			p.levels[start+i] = -1
		} else {
			p.levels[start+i] = 0
		}
	}
}
