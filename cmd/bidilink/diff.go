// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"strings"
)

// diffContext is the number of lines that a diff shows around those that differ.
const diffContext = 3

// appendDiff appends a unified diff of a page before and after. As what we write into a document has no line ends, each line of the one is one of
// the other, and nothing needs to be searched for. Lines are copied byte for byte, in whatever encoding they are.
func appendDiff(dst []byte, name string, before, after []byte) []byte {
	label := diffName(name)
	dst = fmt.Appendf(dst, "--- %s\n+++ %s\n", label, label)
	a, b := bytes.SplitAfter(before, []byte("\n")), bytes.SplitAfter(after, []byte("\n"))
	if len(a) != len(b) {
		// It cannot be; but if it were, this would be right.
		return appendHunk(dst, a, b, 0, 0)
	}
	for i := 0; i < len(a); {
		if bytes.Equal(a[i], b[i]) {
			i++
			continue
		}
		start, end := max(0, i-diffContext), i+1 // end is after the last line that differs
		for j := end; j < len(a) && j <= end+2*diffContext; j++ {
			if !bytes.Equal(a[j], b[j]) {
				end = j + 1
			}
		}
		stop := min(len(a), end+diffContext)
		dst = appendHunk(dst, a[start:stop], b[start:stop], start, diffContext)
		i = end
	}
	return dst
}

// appendHunk appends lines of two documents, which begin after as many others. If they are not the same number, they all differ.
func appendHunk(dst []byte, a, b [][]byte, after, context int) []byte {
	// What is after the last line end is a line only if it is not empty.
	if n := len(a); n > 0 && len(a[n-1]) == 0 {
		a = a[:n-1]
	}
	if n := len(b); n > 0 && len(b[n-1]) == 0 {
		b = b[:n-1]
	}
	dst = fmt.Appendf(dst, "@@ -%s +%s @@\n", hunkRange(after, len(a)), hunkRange(after, len(b)))
	same := func(i int) bool { return context > 0 && bytes.Equal(a[i], b[i]) }
	for i := 0; i < len(a) || i < len(b); {
		if i < len(a) && same(i) {
			dst = appendLine(dst, ' ', a[i])
			i++
			continue
		}
		start := i
		for i < max(len(a), len(b)) && !(i < len(a) && same(i)) {
			i++
		}
		for _, l := range a[min(start, len(a)):min(i, len(a))] {
			dst = appendLine(dst, '-', l)
		}
		for _, l := range b[min(start, len(b)):min(i, len(b))] {
			dst = appendLine(dst, '+', l)
		}
	}
	return dst
}

// hunkRange writes a number of lines that begin after others.
func hunkRange(after, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", after)
	case 1:
		return fmt.Sprint(after + 1)
	}
	return fmt.Sprintf("%d,%d", after+1, n)
}

func appendLine(dst []byte, sign byte, line []byte) []byte {
	dst = append(append(dst, sign), line...)
	if !bytes.HasSuffix(line, []byte("\n")) {
		dst = append(dst, "\n\\ No newline at end of file\n"...)
	}
	return dst
}

// diffName returns a name as patch reads it: in quotes, with octal escapes, if it has a quote or a backslash in it, or what a terminal does not
// show as it is; with a tab after it if it has a blank.
func diffName(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return notShown(r) || r == '"' || r == '\\' }) {
		if strings.Contains(name, " ") {
			name += "\t"
		}
		return name
	}
	quoted := []byte{'"'}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			quoted = append(quoted, '\\', c)
		case c < ' ' || c >= 0x7f:
			quoted = fmt.Appendf(quoted, `\%03o`, c)
		default:
			quoted = append(quoted, c)
		}
	}
	return string(append(quoted, '"'))
}
