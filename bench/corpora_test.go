// SPDX-License-Identifier: MIT

package bench

import (
	"iter"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/bench/corpus"
	"github.com/bidilink/bidilink/engine"
)

// TestCorpora checks that bidilink finds exactly the links that the generator put in: by paragraphs and in
// the whole text, in strings and in bytes.
func TestCorpora(t *testing.T) {
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Corpora() {
		t.Run(c.Name, func(t *testing.T) {
			var r report
			for _, p := range c.Paragraphs {
				r.compare(t, p.Text, p.Links, d.Links(p.Text))
			}
			t.Log("paragraphs:", r)
			r = report{quiet: r.missed+r.extra > 0} // the same again
			r.compare(t, c.Text, c.Links(), d.Links(c.Text))
			t.Log("whole:", r)
			r = report{quiet: r.missed+r.extra > 0}
			r.compare(t, c.Text, c.Links(), d.LinksBytes([]byte(c.Text)))
			t.Log("bytes:", r)
		})
	}
}

type report struct {
	right, missed, extra int
	quiet                bool
}

// shown is how many mismatches are printed of a corpus.
const shown = 40

func (r *report) compare(t *testing.T, text string, want []corpus.Link, found iter.Seq[engine.Link]) {
	t.Helper()
	fail := func(what string, l corpus.Link) {
		t.Helper()
		if !r.quiet && r.missed+r.extra <= shown {
			t.Errorf("%s %s", what, marked(text, l))
		} else {
			t.Fail()
		}
	}
	next := 0
	for l := range found {
		got := corpus.Link{Start: l.Start, End: l.End, Email: l.Kind == engine.Email}
		for next < len(want) && want[next].Start < got.Start {
			r.missed++
			fail("missed", want[next])
			next++
		}
		if next < len(want) && want[next] == got {
			r.right++
			next++
			continue
		}
		r.extra++
		fail("extra ", got)
	}
	for ; next < len(want); next++ {
		r.missed++
		fail("missed", want[next])
	}
}

// marked returns the surroundings of a link, with the link between ⸠ and ⸡.
func marked(text string, l corpus.Link) string {
	before, after := text[:l.Start], text[l.End:]
	if len(before) > 40 {
		before = before[len(before)-40:]
	}
	if len(after) > 40 {
		after = after[:40]
	}
	kind := "url:   "
	if l.Email {
		kind = "email: "
	}
	return kind + strings.ToValidUTF8(before, "") + "⸠" + text[l.Start:l.End] + "⸡" + strings.ToValidUTF8(after, "")
}
