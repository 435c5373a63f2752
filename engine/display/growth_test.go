// SPDX-License-Identifier: MIT

package display

import (
	"runtime"
	"strings"
	"testing"
)

// longShapes are what long links repeat.
var longShapes = []string{
	"a", "א", "ع", "٣", "1", "/", "א/", "ع1/", "٣-", "?", "א=", "&", "#", "@", ":", ".", "。", "א.", "א@", "%20", "א%20", "ع%31", "%d7א", "٣%31-", "=%31[,\u05b0", "א(/", ")א/", "(א", "\u202b", "א\u2067", "\u2069א/", "\u200f",
	"\u05b0", "\u200d", "\u00ad", "\xff", "\xd7א", "\xe3\x80/", "\U0001e900/a/", "\\", "<&\"",
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestGrowth: what is allocated, which is what is passed on to the bidi algorithm and got from it, grows as the link does, in every order.
func TestGrowth(t *testing.T) {
	worst := 0.0
	for _, shape := range longShapes {
		for _, before := range []string{"http://a.b/", "http://", "xmpp:", "א/%20א/"} {
			for o := Constant; o <= TLD; o++ {
				if before != "http://a.b/" && o != Constant && o != Environment {
					continue // the direction of the whole is all that they add
				}
				use := func(n int) func() {
					link := before + strings.Repeat(shape, n/len(shape))
					return func() {
						l, ok := Parse(link)
						if !ok {
							return
						}
						y := o.Layout(link, l, RTL)
						dst := y.AppendHTML(nil, link, link, Mail)
						y.AppendControls(dst, link, Embeddings)
						y.Visual(link)
					}
				}
				const n = 1024
				once, four := allocated(use(n)), allocated(use(4*n))
				// Slices grow by steps, which a larger one may just have taken.
				if four > 6*once+1<<15 {
					t.Errorf("%+q…, %s: %d bytes, %d for four times the length", before+shape, o, once, four)
				}
				worst = max(worst, float64(four)/(4*n))
			}
		}
	}
	t.Logf("%d shapes, at most %.0f bytes allocated for each byte", len(longShapes), worst)
}

// TestLong: links of 128 KiB.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, shape := range []string{"א/", "ع%31", "%20", "א\u2067", "א(/", "\xff", "?א=", "."} {
		link := "http://a.b/א/" + strings.Repeat(shape, 1<<17/len(shape))
		l, ok := Parse(link)
		if !ok {
			t.Errorf("%+q… is no link", shape)
			continue
		}
		y := Constant.Layout(link, l, RTL)
		if len(y.AppendHTML(nil, link, "", Web)) < len(link) || len(y.AppendControls(nil, link, Isolates)) < len(link) {
			t.Errorf("%+q…: some of it is missing", shape)
		}
	}
}

// TestLeftToRightIsFree: a link without right-to-left characters costs its fields.
func TestLeftToRightIsFree(t *testing.T) {
	link := "https://www.example.com/path/to/page.html?query=value#fragment"
	l, _ := Parse(link)
	for _, o := range []Order{Constant, Embedding, Environment, Content, TLD} {
		if n := testing.AllocsPerRun(10, func() { o.Layout(link, l, LTR) }); n > 1 {
			t.Errorf("%s: %v allocations", o, n)
		}
	}
}
