// SPDX-License-Identifier: MIT

package uba

// weak applies W1 to W7 to a sequence and returns the classes that are left in it.
func (p *Paragraph) weak(s sequence) (seen classSet) {
	// W1 to W3.
	before := s.sos // after W1, with ON for isolates and PDI
	strong := s.sos // the last of L, R and AL
	for i := s.first; i >= 0; i = p.next[i] {
		p.steps++
		c := p.class[i]
		if c == clNSM { // W1: a mark is as what it stands on.
			c = before
		}
		before = c
		switch {
		case c == clL, c == clR:
			strong = c
		case c == clAL: // W3
			strong = c
			c = clR
		case c == clEN && strong == clAL: // W2: numbers are Arabic after Arabic letters.
			c = clAN
		case isolateControls.has(c):
			before = clON
		}
		p.class[i] = c
		seen |= 1 << c
	}
	if seen&(1<<clES|1<<clCS|1<<clET|1<<clEN) == 0 {
		return seen
	}

	// W4: one separator between two numbers of a kind.
	if seen&(1<<clES|1<<clCS) != 0 {
		before := s.sos
		for i := s.first; i >= 0; i = p.next[i] {
			p.steps++
			c := p.class[i]
			if (c == clCS && (before == clEN || before == clAN) || c == clES && before == clEN) &&
				p.next[i] >= 0 && p.class[p.next[i]] == before {
				c = before
				p.class[i] = c
			}
			before = c
		}
	}

	// W5 to W7.
	seen = 0
	before, strong = s.sos, s.sos
	for i := s.first; i >= 0; i = p.next[i] {
		p.steps++
		c := p.class[i]
		switch c {
		case clET:
			// W5: terminators beside a number. All of them are changed at once: the loop then sees them as EN or ON.
			to := clON // W6
			if before == clEN {
				to = clEN
			}
			j := i
			for ; j >= 0 && p.class[j] == clET; j = p.next[j] {
				p.steps++
			}
			if j >= 0 && p.class[j] == clEN {
				to = clEN
			}
			for k := i; k != j; k = p.next[k] {
				p.steps++
				p.class[k] = to
			}
			c = to
		case clES, clCS: // W6
			c = clON
		}
		before = c
		switch {
		case c == clL, c == clR:
			strong = c
		case c == clEN && strong == clL: // W7: numbers are as the letters before them.
			c = clL
		}
		p.class[i] = c
		seen |= 1 << c
	}
	return seen
}
