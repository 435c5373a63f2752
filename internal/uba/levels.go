// SPDX-License-Identifier: MIT

package uba

// implicit applies I1 and I2: the level of what is left.
func (p *Paragraph) implicit(start, end int) {
	for i := start; i < end; i++ {
		p.steps++
		level := p.levels[i]
		if level < 0 {
			continue
		}
		switch c := p.class[i]; {
		case level&1 == 0 && c == clR: // I1
			level++
		case level&1 == 0 && c != clL: // I1: EN, AN
			level += 2
		case level&1 != 0 && c != clR: // I2
			level++
		}
		p.levels[i] = level
	}
}

// line applies L1: separators, and blanks and isolate controls before them and at the end of the line, have the
// level of the paragraph.
func (p *Paragraph) line(start, end int) {
	blank := true
	for i := end - 1; i >= start; i-- {
		p.steps++
		switch c := p.original[i]; {
		case removedByX9.has(c):
			continue
		case c == clB, c == clS:
			blank = true
		case c != clWS && !isolateControls.has(c):
			blank = false
		}
		if blank {
			p.levels[i] = p.level
		}
	}
}
