// SPDX-License-Identifier: MIT

package mailfilter

import (
	"strings"
	"testing"
)

// Twice the message is twice the work of the scanner, whatever it is made of.
func TestGrowth(t *testing.T) {
	inner := strings.Repeat("-", 60)
	for _, shape := range []struct{ before, shape string }{
		{from + "\n", "x\n"},
		{from + "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n"},
		{from + "Content-Type: multipart/mixed; boundary=b\n\n", "--\n"},
		{from + "Content-Type: multipart/mixed; boundary=\"" + inner + "\"\n\n", "--" + inner + "x\n"},
		{from + "Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: text/html\n\n"},
		{from + "Content-Type: multipart/mixed; boundary=b\n\n", "--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"},
		{from + "Content-Type: multipart/mixed; boundary=b\n\n", "\r--"},
		{from + "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "X: y\n"},
		{from + "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "X: y\n y\n"},
	} {
		steps := func(n int) int {
			f, err := newFilter(Options{MaxParts: 1 << 30, MaxHeaderLines: 1 << 30, MaxHeader: 1 << 40, MaxMessage: 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := f.scan([]byte(shape.before+strings.Repeat(shape.shape, n)), nil); err != nil {
				t.Fatal(err)
			}
			return f.steps
		}
		if one, two := steps(2000), steps(4000); float64(two) > 2.2*float64(one) {
			t.Errorf("%q: %d steps, then %d", shape.shape, one, two)
		}
	}
	// As deep as it may be, each line is compared with each boundary.
	deep := func(depth, n int) int {
		m := "\n" + strings.Repeat("--x\n", n)
		for i := range depth {
			m = multi("mixed", strings.Repeat("x", i+2), m)
		}
		f, err := newFilter(Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.scan([]byte(from+m), nil); err != nil {
			t.Fatal(err)
		}
		return f.steps
	}
	if one, two := deep(19, 4000), deep(19, 8000); float64(two) > 2.2*float64(one) {
		t.Errorf("deep: %d steps, then %d", one, two)
	}
}
