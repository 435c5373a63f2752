// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"fmt"
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

// TestParserGrowth does the same for what the parsers look at, with documents of 512 KB and of 1 MB.
func TestParserGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	deep := strings.Repeat("<div>", 480)
	half := strings.Repeat("<div>", 245)
	var many strings.Builder // formatting elements that are all different
	for i := range 200 {
		fmt.Fprintf(&many, "<b id=%d>", i)
	}
	for _, c := range []struct{ front, shape string }{
		{"", "<svg>"}, {"", "<svg></svg>"}, {"", "<svg/>"}, {"", "<b>"}, {"", "</b>"}, {"", "<a "}, {"", "<a href=x>"}, {"", "<a>x</p>"}, {"", "<b></b>"},
		{"", "<template>"}, {"", "<template></template>"}, {"", "<table>"}, {"", "<table><td>"}, {"", "<table></table>"}, {"", "<table><tr><td>x</table>"}, {"", "<select>"},
		{"", "<select><option>"}, {"", "<select><div>"}, {"", "<noscript></noscript>"}, {"", "<noscript><p></noscript>"}, {"", "<noscript>"}, {"", "<p>"}, {"", "<li>x"}, {"", "</p>"}, {"", "<x>"}, {"", "</x>"},
		{deep, "<p>x</p>"}, {deep, "</b>"}, {deep, "</x>"}, {deep, "<b></b>"}, {deep, "<li>x</li>"}, {deep, "<a></a>"}, {deep, "<select></select>"}, {deep, "<noscript></noscript>"}, {deep, "<hr>"},
		{deep + "<svg><desc>", "<p>"}, {deep + "<svg>", "<g></g>"}, {deep + "<svg>", "</x>"}, {deep, "<table></table>"}, {deep + "<table>", "<b>x</b>"}, {deep + "<object>", "</object2>"},
		{"<p>" + many.String(), "<p>x"}, {"<p>" + many.String(), "</p>"}, {"<p>" + many.String() + "<object>", "</b>"}, {many.String(), "<div></b>"}, {many.String(), "<b><div></b>x</div>"},
		{"<select><div>", "<p>x</p>"}, {deep + "<select><div>", "<p>x</p>"}, {"<i><noscript><div></noscript>", "<b><p>x</b>"},
		{half + "<p>" + many.String() + "</p>", "<p>x"}, {"<noscript><u></noscript><select><u></select>" + half + "<p>" + many.String() + "</p>", "<p>x"},
		{half + many.String() + "<noscript><q></noscript>", "<i></i>"}, {half + many.String() + "<select><div>", "<i></i>"},
	} {
		steps := func(size int) int {
			w, err := newWalker(io.Discard, strings.NewReader(c.front+strings.Repeat(c.shape, size/len(c.shape))), Options{}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.document(); err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, p := range w.parsers {
				n += p.steps
			}
			return n
		}
		one, two := steps(1<<19), steps(1<<20)
		if float64(two) > 2.2*float64(one)+1e6 {
			t.Errorf("%.20s… %s: %d steps, then %d", c.front, c.shape, one, two)
		}
		// The parser opens up to 512 elements again for a tag of three bytes, in each of four states; it is not to look at all for each of them.
		if two>>20 > 4*512/3*2 {
			t.Errorf("%.20s… %s: %d steps a byte", c.front, c.shape, two>>20)
		}
		t.Logf("%.20s… %s: %d steps a byte", c.front, c.shape, two>>20)
	}
}
