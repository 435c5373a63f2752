// SPDX-License-Identifier: MIT

package uba

// A sequence is an isolating run sequence, BD13: level runs, of which all but the last end in an isolate initiator
// and all but the first begin with its PDI. Its code points are linked by Paragraph.next.
type sequence struct {
	first, last int
	level       int8
	sos, eos    class // L or R: what there is before and after it
}

// direction returns the class that a level stands for.
func direction(level int8) class {
	if level&1 != 0 {
		return clR
	}
	return clL
}

// sequences finds the isolating run sequences, X10, and applies the W and N rules to each as soon as it is complete.
//
// A valid isolate with content always ends a level run, and its PDI always begins one. An isolate that exceeds
// the limit of levels is in one level run with its content and its PDI, so it is never at the end of a run, unless
// at the end of the paragraph. So a PDI at the beginning of a run belongs to the innermost open one, if there is one,
// and no more than maxDepth are open.
func (p *Paragraph) sequences(start, end int) {
	var open [maxDepth + 2]sequence
	depth := 0
	var s sequence
	before := -1 // the last code point that X9 has not removed
	for i := start; i < end; i++ {
		p.steps++
		level := p.levels[i]
		if level < 0 {
			continue
		}
		p.next[i] = -1
		if before >= 0 && p.levels[before] == level {
			p.next[before] = i
		} else {
			outer := p.level
			if before >= 0 {
				outer = p.levels[before]
				if isolateInitiators.has(p.original[before]) {
					open[depth] = s
					depth++
				} else {
					s.eos = direction(max(s.level, level))
					p.sequence(s)
				}
			}
			if depth > 0 && p.original[i] == clPDI {
				depth--
				s = open[depth]
				p.next[s.last] = i
			} else {
				s = sequence{first: i, level: level, sos: direction(max(level, outer))}
			}
		}
		s.last = i
		before = i
	}
	if before < 0 {
		return
	}
	// Isolates without a PDI end with the paragraph.
	for {
		s.eos = direction(max(s.level, p.level))
		p.sequence(s)
		if depth == 0 {
			return
		}
		depth--
		s = open[depth]
	}
}

// sequence applies the W and N rules to an isolating run sequence.
func (p *Paragraph) sequence(s sequence) {
	seen := p.weak(s)
	if len(p.bracket) != 0 && seen.has(clON) {
		p.pairs(s)
	}
	if seen&neutrals != 0 {
		p.neutral(s)
	}
}
