// SPDX-License-Identifier: MIT

package uba

// strong returns L or R for a class, with numbers as R, as N0 to N2 see them, and ON for neutrals.
func strong(c class) class {
	switch c {
	case clL:
		return clL
	case clR, clEN, clAN:
		return clR
	}
	return clON
}

// maxBrackets is BD16's limit of open brackets.
const maxBrackets = 63

// kinds is a number that no two closing brackets have the same remainder for, in Unicode 15.0.
const kinds = 315

// An opener is an open bracket.
type opener struct {
	at      int
	bracket rune     // its closing bracket
	inside  classSet // strong classes since
}

// pairs applies N0 to a sequence: paired brackets. The first pass finds the pairs, and for each one whether the
// direction of the sequence is inside; the second one resolves them from left to right. What N0 does to a bracket
// counts for the pairs that begin after it, never for one that encloses it, so nothing is looked at twice.
func (p *Paragraph) pairs(s sequence) {
	own := direction(s.level)
	if !p.findPairs(s, own) {
		return
	}
	context := s.sos // the last strong class: N0 c
	for i := s.first; i >= 0; i = p.next[i] {
		p.steps++
		if p.class[i] == clON && p.bracket[i] > 0 && p.closer[i] != 0 {
			closer, to := p.closer[i], own // N0 b
			if closer < 0 {                // N0 c: only the other direction is inside; so the context decides.
				closer, to = -closer, context
			}
			p.setBracket(i, to)
			p.setBracket(closer, to)
		}
		if c := strong(p.class[i]); c != clON {
			context = c
		}
	}
}

// findPairs finds the pairs of BD16 and reports whether there are any with strong classes inside. It sets closer of every
// opening bracket: the index of its closing one if the class own is inside, the same below zero if only the
// other one is, and 0 for no pair and for no strong class inside (N0 d).
func (p *Paragraph) findPairs(s sequence, own class) (found bool) {
	var stack [maxBrackets]opener
	top := 0              // the number of open brackets
	var open [kinds]uint8 // of each kind, so that a closing bracket that has none costs no search
	for i := s.first; i >= 0; i = p.next[i] {
		p.steps++
		if c := strong(p.class[i]); c != clON {
			if top > 0 {
				stack[top-1].inside |= 1 << c
			}
			continue
		}
		b := p.bracket[i]
		switch {
		case b == 0 || p.class[i] != clON:
		case b > 0:
			p.closer[i] = 0
			if top == maxBrackets {
				// No more pairs in the sequence.
				for ; i >= 0; i = p.next[i] {
					p.steps++
					p.closer[i] = 0
				}
				return found
			}
			stack[top] = opener{at: i, bracket: b}
			top++
			open[b%kinds]++
		case open[-b%kinds] > 0:
			at := top - 1
			for at >= 0 && stack[at].bracket != -b {
				p.steps++
				at--
			}
			if at < 0 {
				continue // two kinds with one remainder
			}
			o := stack[at]
			for top > at { // Those above it are no pairs.
				top--
				open[stack[top].bracket%kinds]--
				o.inside |= stack[top].inside
			}
			if top > 0 {
				stack[top-1].inside |= o.inside
			}
			switch {
			case o.inside.has(own):
				p.closer[o.at] = i
				found = true
			case o.inside != 0:
				p.closer[o.at] = -i
				found = true
			}
		}
	}
	return found
}

// setBracket gives a bracket its class, and the marks on it the same.
func (p *Paragraph) setBracket(i int, to class) {
	p.class[i] = to
	for i = p.next[i]; i >= 0 && p.original[i] == clNSM && p.class[i] == clON; i = p.next[i] {
		p.steps++
		p.class[i] = to
	}
}

// neutral applies N1 and N2 to a sequence.
func (p *Paragraph) neutral(s sequence) {
	before := s.sos
	for i := s.first; i >= 0; {
		p.steps++
		if c := strong(p.class[i]); c != clON {
			before = c
			i = p.next[i]
			continue
		}
		j, after := i, clON
		for ; j >= 0; j = p.next[j] {
			p.steps++
			if after = strong(p.class[j]); after != clON {
				break
			}
		}
		if j < 0 {
			after = s.eos
		}
		to := direction(s.level) // N2
		if before == after {     // N1
			to = before
		}
		for ; i != j; i = p.next[i] {
			p.steps++
			p.class[i] = to
		}
	}
}
