// SPDX-License-Identifier: MIT

package uba

// maxDepth is BD2's limit of explicit levels.
const maxDepth = 125

// firstStrong returns the level of a paragraph that begins the text and ends at end: P2, P3.
func (p *Paragraph) firstStrong(end int) int8 {
	depth := 0 // of isolates, whose content P2 skips
	for _, c := range p.original[:end] {
		p.steps++
		switch c {
		case clLRI, clRLI, clFSI:
			depth++
		case clPDI:
			depth = max(depth-1, 0)
		case clL:
			if depth == 0 {
				return 0
			}
		case clR, clAL:
			if depth == 0 {
				return 1
			}
		}
	}
	return 0
}

// replaceFSI replaces every FSI by LRI or RLI: X5c. One pass finds the first strong character of all of them.
// An isolate in 126 others exceeds the limit of levels whichever it is, so no more are kept.
func (p *Paragraph) replaceFSI(start, end int) {
	var open [maxDepth + 1]int // the FSI, or -1 for any other isolate and when its direction is known
	depth := 0                 // may be more than len(open)
	for i := start; i < end; i++ {
		p.steps++
		switch c := p.original[i]; c {
		case clLRI, clRLI, clFSI:
			if depth < len(open) {
				open[depth] = -1
				if c == clFSI {
					open[depth] = i
				}
			}
			if c == clFSI {
				p.original[i] = clLRI
			}
			depth++
		case clPDI:
			depth = max(depth-1, 0)
		case clL, clR, clAL:
			if depth == 0 || depth > len(open) || open[depth-1] < 0 {
				continue
			}
			if c != clL {
				p.original[open[depth-1]] = clRLI
			}
			open[depth-1] = -1
		}
	}
}

// A status is an entry of the directional status stack of X1.
type status struct {
	level    int8
	isolate  bool
	override class // clON: neutral
}

// explicit applies X1 to X9: explicit levels and overrides.
func (p *Paragraph) explicit(start, end int) {
	// X1. A push is at a higher level, so there are at most maxDepth of them beside the first.
	var stack [maxDepth + 2]status
	stack[0] = status{level: p.level, override: clON}
	top, overflowIsolates, overflowEmbeddings, validIsolates := 0, 0, 0, 0

	for i := start; i < end; i++ {
		p.steps++
		c := p.original[i]
		switch {
		case c == clB: // X8
			p.levels[i], p.class[i] = p.level, clB
			continue
		case c == clPDF: // X7
			switch {
			case overflowIsolates > 0:
			case overflowEmbeddings > 0:
				overflowEmbeddings--
			case !stack[top].isolate && top > 0:
				top--
			}
		case c == clPDI: // X6a
			switch {
			case overflowIsolates > 0:
				overflowIsolates--
			case validIsolates > 0:
				overflowEmbeddings = 0
				for !stack[top].isolate {
					p.steps++
					top--
				}
				top--
				validIsolates--
			}
		}

		// X6, and the same for isolates and PDI, which have the level outside (X5a, X5b, X6a). X9 removes the others.
		if removedByX9.has(c) {
			p.levels[i] = -1
		} else {
			p.levels[i], p.class[i] = stack[top].level, c
			if stack[top].override != clON {
				p.class[i] = stack[top].override
			}
		}

		// X2 to X5b.
		override := clON
		level := stack[top].level
		switch c {
		case clRLE, clRLO, clRLI:
			level = (level + 1) | 1
		case clLRE, clLRO, clLRI:
			level = (level + 2) &^ 1
		default:
			continue
		}
		switch c {
		case clRLO:
			override = clR
		case clLRO:
			override = clL
		}
		isolate := isolateInitiators.has(c)
		switch {
		case level <= maxDepth && overflowIsolates == 0 && overflowEmbeddings == 0:
			if isolate {
				validIsolates++
			}
			top++
			stack[top] = status{level, isolate, override}
		case isolate:
			overflowIsolates++
		case overflowIsolates == 0:
			overflowEmbeddings++
		}
	}
}
