// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"slices"
)

// appendMailDiff appends a unified diff of a message before and after, which may have more lines than before: what is common at the beginning and at the end of each block of lines that differ is
// left out but for three lines.
func appendMailDiff(dst []byte, name string, a, b []byte) []byte {
	label := diffName(name)
	dst = fmt.Appendf(dst, "--- %s\n+++ %s\n", label, label)
	x, y := slices.Collect(bytes.Lines(a)), slices.Collect(bytes.Lines(b))
	for i, j := 0, 0; ; {
		n := 0
		for i+n < len(x) && j+n < len(y) && bytes.Equal(x[i+n], y[j+n]) {
			n++
		}
		i, j = i+n, j+n
		if i == len(x) && j == len(y) {
			return dst
		}
		p, q := resync(x[i:], y[j:])
		before, after := min(n, diffContext), 0
		for after < diffContext && i+p+after < len(x) && j+q+after < len(y) && bytes.Equal(x[i+p+after], y[j+q+after]) {
			after++
		}
		dst = fmt.Appendf(dst, "@@ -%s +%s @@\n", hunkRange(i-before, before+p+after), hunkRange(j-before, before+q+after))
		for _, line := range x[i-before : i] {
			dst = appendLine(dst, ' ', line)
		}
		for _, line := range x[i : i+p] {
			dst = appendLine(dst, '-', line)
		}
		for _, line := range y[j : j+q] {
			dst = appendLine(dst, '+', line)
		}
		for _, line := range x[i+p : i+p+after] {
			dst = appendLine(dst, ' ', line)
		}
		i, j = i+p+after, j+q+after
	}
}

// resync returns how many lines of x and of y are to be left out so that the next one is the same, and is longer than a few bytes or
// followed by another that is the same.
func resync(x, y [][]byte) (int, int) {
	const far = 4000
	where := map[string]int{}
	for j := min(len(y), far) - 1; j >= 0; j-- {
		where[string(y[j])] = j
	}
	for i := range min(len(x), far) {
		j, ok := where[string(x[i])]
		if ok && (len(x[i]) > 4 || i+1 < len(x) && j+1 < len(y) && bytes.Equal(x[i+1], y[j+1]) || i+1 == len(x) && j+1 == len(y)) {
			return i, j
		}
	}
	return len(x), len(y)
}
