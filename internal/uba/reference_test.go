// SPDX-License-Identifier: MIT

package uba

import "slices"

// reference is UAX #9 as it is worded, without regard to time: matching isolates are searched (BD9), sequences are lists
// (BD13), the content of brackets is looked at pair by pair (N0), and lines are reversed level by level (L2).
// Each separator ends a paragraph.
func reference(s string, d Direction) (level int8, levels []int8, order []int) {
	var all []class
	var brackets []rune
	for i, r := range s {
		c, b := classOf(s[i:], r)
		all, brackets = append(all, c), append(brackets, b)
	}
	level = -1
	for start := 0; start < len(all); {
		end := start
		for end++; end < len(all) && all[end-1] != clB; {
			end++
		}
		if level < 0 {
			switch d {
			case LTR, RTL:
				level = int8(d)
			default:
				level = refStrong(all[start:end])
			}
		}
		levels = append(levels, refParagraph(all[start:end], brackets[start:end], level)...)
		start = end
	}
	if level < 0 {
		level = 0
		if d == RTL {
			level = 1
		}
	}
	for i, l := range levels {
		if l >= 0 {
			order = append(order, i)
		}
	}
	for l := int8(126); l > 0; l-- { // L2
		for i := 0; i < len(order); i++ {
			j := i
			for j < len(order) && levels[max(order[j], 0)] >= l {
				j++
			}
			if j > i {
				slices.Reverse(order[i:j])
				i = j
			}
		}
	}
	return level, levels, order
}

func refMatch(cl []class, i int) int { // BD9
	depth := 0
	for j := i; j < len(cl); j++ {
		switch cl[j] {
		case clLRI, clRLI, clFSI:
			depth++
		case clPDI:
			if depth--; depth == 0 {
				return j
			}
		}
	}
	return len(cl)
}

func refStrong(cl []class) int8 { // P2, P3
	for i := 0; i < len(cl); i++ {
		switch cl[i] {
		case clL:
			return 0
		case clR, clAL:
			return 1
		case clLRI, clRLI, clFSI:
			i = refMatch(cl, i)
		}
	}
	return 0
}

func refParagraph(orig []class, brackets []rune, para int8) []int8 {
	n := len(orig)
	cl, levels, matched := slices.Clone(orig), make([]int8, n), make([]bool, n)
	stack := []status{{para, false, clON}}
	overI, overE, valid := 0, 0, 0
	for i, c := range orig {
		top := stack[len(stack)-1]
		if c == clPDI {
			if overI > 0 {
				overI--
			} else if valid > 0 {
				overE = 0
				for !stack[len(stack)-1].isolate {
					stack = stack[:len(stack)-1]
				}
				stack = stack[:len(stack)-1]
				valid--
			}
			top = stack[len(stack)-1]
		}
		levels[i] = top.level
		if top.override != clON && !removedByX9.has(c) && c != clB {
			cl[i] = top.override
		}
		push := func(rtl, isolate bool, o class) {
			next := top.level + 1
			if (next&1 != 0) != rtl {
				next++
			}
			if next <= 125 && overI == 0 && overE == 0 {
				stack = append(stack, status{next, isolate, o})
				if isolate {
					valid++
				}
			} else if isolate {
				overI++
			} else if overI == 0 {
				overE++
			}
		}
		switch c {
		case clB:
			levels[i] = para
		case clRLE, clLRE:
			push(c == clRLE, false, clON)
		case clRLO:
			push(true, false, clR)
		case clLRO:
			push(false, false, clL)
		case clRLI, clLRI:
			push(c == clRLI, true, clON)
		case clFSI:
			push(refStrong(orig[i+1:refMatch(orig, i)]) == 1, true, clON)
		case clPDF:
			if overI == 0 {
				if overE > 0 {
					overE--
				} else if !top.isolate && len(stack) > 1 {
					stack = stack[:len(stack)-1]
				}
			}
		}
		if removedByX9.has(c) {
			levels[i] = -1
		}
		if j := refMatch(orig, i); isolateInitiators.has(c) && j < n {
			matched[j] = true
		}
	}

	var runs [][]int
	last := -1
	for i := range orig {
		if levels[i] < 0 {
			continue
		}
		if last >= 0 && levels[last] == levels[i] {
			runs[len(runs)-1] = append(runs[len(runs)-1], i)
		} else {
			runs = append(runs, []int{i})
		}
		last = i
	}
	result := slices.Clone(levels)
	for _, run := range runs {
		if orig[run[0]] == clPDI && matched[run[0]] {
			continue // not the first of its sequence
		}
		seq := slices.Clone(run)
		for {
			end := seq[len(seq)-1]
			if !isolateInitiators.has(orig[end]) {
				break
			}
			pdi := refMatch(orig, end)
			at := slices.IndexFunc(runs, func(r []int) bool { return r[0] == pdi })
			if at < 0 {
				break
			}
			seq = append(seq, runs[at]...)
		}
		refSequence(orig, cl, brackets, levels, result, seq, para)
	}
	for i := range orig { // L1
		j := i
		for j < n && (orig[j] == clWS || isolateControls.has(orig[j]) || removedByX9.has(orig[j])) {
			j++
		}
		if result[i] >= 0 && (j == n || orig[j] == clS || orig[j] == clB) {
			result[i] = para
		}
	}
	return result
}

func refSequence(orig, cl []class, brackets []rune, levels, result []int8, seq []int, para int8) {
	level := levels[seq[0]]
	outside := func(i, step int) class {
		for i += step; i >= 0 && i < len(levels); i += step {
			if levels[i] >= 0 {
				return direction(max(level, levels[i]))
			}
		}
		return direction(max(level, para))
	}
	sos, end := outside(seq[0], -1), seq[len(seq)-1]
	eos := outside(end, 1)
	if isolateInitiators.has(orig[end]) {
		eos = direction(max(level, para))
	}
	n := len(seq)
	t := make([]class, n)
	for k, i := range seq {
		t[k] = cl[i]
	}
	before := slices.Clone(t)
	get := func(k int) class {
		if k < 0 {
			return sos
		} else if k >= n {
			return eos
		}
		return t[k]
	}
	lastStrong := func(k int) class {
		for k--; k >= 0; k-- {
			if t[k] == clL || t[k] == clR || t[k] == clAL {
				return t[k]
			}
		}
		return sos
	}
	for k := range t { // W1
		if t[k] == clNSM {
			if t[k] = get(k - 1); isolateControls.has(t[k]) {
				t[k] = clON
			}
		}
	}
	for k := range t { // W2
		if t[k] == clEN && lastStrong(k) == clAL {
			t[k] = clAN
		}
	}
	for k := range t { // W3
		if t[k] == clAL {
			t[k] = clR
		}
	}
	for k := 1; k < n-1; k++ { // W4
		if a, b := t[k-1], t[k+1]; a == b && (t[k] == clCS && (a == clEN || a == clAN) || t[k] == clES && a == clEN) {
			t[k] = a
		}
	}
	for k := range t { // W5
		if t[k] == clET {
			j := k
			for j < n && t[j] == clET {
				j++
			}
			if get(k-1) == clEN && k > 0 || j < n && t[j] == clEN {
				t[k] = clEN
			}
		}
	}
	for k := range t { // W6
		if t[k] == clET || t[k] == clES || t[k] == clCS {
			t[k] = clON
		}
	}
	for k := range t { // W7
		if t[k] == clEN && lastStrong(k) == clL {
			t[k] = clL
		}
	}
	own := direction(level)
	type open struct {
		k int
		b rune
	}
	var stack []open
	var pairs [][2]int
search:
	for k, i := range seq { // BD16
		if b := brackets[i]; t[k] == clON && b > 0 {
			if len(stack) == 63 {
				break
			}
			stack = append(stack, open{k, b})
		} else if t[k] == clON && b < 0 {
			for at := len(stack) - 1; at >= 0; at-- {
				if stack[at].b == -b {
					pairs = append(pairs, [2]int{stack[at].k, k})
					stack = stack[:at]
					continue search
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return a[0] - b[0] })
	for _, pair := range pairs { // N0
		to := clON
		for k := pair[0] + 1; k < pair[1]; k++ {
			if c := strong(t[k]); c == own {
				to = own
				break
			} else if c != clON {
				to = c
			}
		}
		if to == clON {
			continue
		}
		if to != own {
			k := pair[0] - 1
			for k >= 0 && strong(t[k]) == clON {
				k--
			}
			if strong(get(k)) != to {
				to = own
			}
		}
		for _, k := range pair {
			t[k] = to
			for k++; k < n && before[k] == clNSM; k++ {
				t[k] = to
			}
		}
	}
	for k := range t { // N1, N2
		if strong(t[k]) != clON {
			continue
		}
		j := k
		for j < n && strong(t[j]) == clON {
			j++
		}
		if a := strong(get(k - 1)); a == strong(get(j)) {
			for ; k < j; k++ {
				t[k] = a
			}
		} else {
			for ; k < j; k++ {
				t[k] = own
			}
		}
	}
	for k, i := range seq { // I1, I2
		switch {
		case t[k] == own:
		case level&1 == 0 && t[k] != clR:
			result[i] = level + 2
		default:
			result[i] = level + 1
		}
	}
}
