// SPDX-License-Identifier: MIT

package uba

import "slices"

// A span is a part of the text, whole level runs, that is already in visual order.
type span struct {
	left, right int // first code point of the leftmost and of the rightmost level run
	level       int8
}

// VisualOrder appends to dst the indices of the code points in the order in which they are displayed in one line, from
// left to right: L2. What X9 removes is left out.
//
// L2 reverses once for each level. Here the level runs are put in a list instead, on a stack of spans of rising levels: what
// comes next belongs to the right of a span of an even level and to the left of one of an odd level.
// Paragraph.next of the first code point of a level run is that of the next one to the right.
func (p *Paragraph) VisualOrder(dst []int) []int {
	var stack [maxDepth + 3]span
	top := -1
	before := int8(-1)
	for i, level := range p.levels {
		p.steps++
		if level < 0 || level == before {
			continue
		}
		before = level
		for top > 0 && stack[top].level > level && stack[top-1].level >= level {
			p.steps++
			p.join(&stack[top-1], stack[top])
			top--
		}
		p.next[i] = -1
		run := span{i, i, level}
		if top >= 0 && stack[top].level >= level {
			// Everything in the span has a higher level, so it is a unit for this one.
			stack[top].level = level
			p.join(&stack[top], run)
		} else {
			top++
			stack[top] = run
		}
	}
	for ; top > 0; top-- {
		p.join(&stack[top-1], stack[top])
	}
	if top < 0 {
		return dst
	}
	dst = slices.Grow(dst, len(p.levels))
	for i := stack[0].left; i >= 0; i = p.next[i] {
		from := len(dst)
		level := p.levels[i]
		for j := i; j < len(p.levels) && (p.levels[j] == level || p.levels[j] < 0); j++ {
			p.steps++
			if p.levels[j] == level {
				dst = append(dst, j)
			}
		}
		if level&1 != 0 {
			slices.Reverse(dst[from:])
		}
	}
	return dst
}

// join adds what follows in the text to a span.
func (p *Paragraph) join(s *span, after span) {
	if s.level&1 == 0 {
		p.next[s.right] = after.left
		s.right = after.right
	} else {
		p.next[after.right] = s.left
		s.left = after.left
	}
}
