// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"io"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// counter counts the bytes that the engine is given to look at.
type counter struct {
	*engine.Detector
	n int
}

func (c *counter) Find(text string, from int) (engine.Link, bool) {
	l, ok := c.Detector.Find(text, from)
	if ok {
		c.n += l.End - from
	} else {
		c.n += len(text) - from
	}
	return l, ok
}

// Twice the input is twice the work, whatever it is made of. What the stack costs is bounded by its depth.
func TestGrowth(t *testing.T) {
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range []string{
		"e.com ", "e.com,", "e.com/x.,", "a@e.com;", ".", "@", "&amp;", "&", "e.com&amp;", "<", "<b>e.com", "<a>e.com", "</b>e.com", "(e.com)", "ש.com ",
		"foo.рфhttp://e.com/ ", "foo.рфhttp://e.com/,", "e.com/(", "<p>e.com", "e.com<wbr>", "<wbr>.", "<wbr>e.com ", "\x00<wbr>e.com e.com e.com e.com e.com ", "<b>e.com</b>", "e.com<!-- -->",
	} {
		steps := func(n int) int {
			c := &counter{Detector: d}
			if _, err := rewrite(io.Discard, strings.NewReader(strings.Repeat(shape, n)), Options{}, c, nil); err != nil {
				t.Fatal(err)
			}
			return c.n
		}
		if one, two := steps(2000), steps(4000); float64(two) > 2.2*float64(one)+100 {
			t.Errorf("%q: %d steps, then %d", shape, one, two)
		}
	}
}
