// SPDX-License-Identifier: MIT

package bench

import (
	"html"
	"iter"
	"slices"
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

// TestDocuments checks that bidilink makes links of exactly what the generator put into the HTML mails and the Markdown posts, besides the
// anchors that are there without it.
func TestDocuments(t *testing.T) {
	for _, p := range Peers() {
		if p.Name != BidilinkHTML && p.Name != GoldmarkOurs {
			continue
		}
		c := corpus.Build(map[Input]string{HTML: "mail", Markdown: "posts"}[p.Input])
		texts := Texts(c, false, 0)
		found, err := (&inProcess{Peer: p}).Found(texts)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i, doc := range found.HTML {
			var want, got []string
			for _, l := range c.Paragraphs[i].Links {
				link := texts[i][l.Start:l.End]
				if p.Input == HTML {
					link = html.UnescapeString(link)
				}
				want = append(want, link)
			}
			text, links := anchors(doc)
			for _, l := range links {
				if link := text[l.Start:l.End]; strings.Contains(link, ".") { // the other anchors have words
					got = append(got, link)
				}
			}
			if !slices.Equal(got, want) {
				if wrong++; wrong <= 10 {
					t.Errorf("%s, document %d:\n got %q\nwant %q", c.Name, i, got, want)
				}
			}
		}
		t.Logf("%s: %d documents, %d wrong", c.Name, len(texts), wrong)
	}
}

// TestAllocations checks that what is measured of bidilink is finding links, and not the collection of garbage.
func TestAllocations(t *testing.T) {
	for _, p := range Peers() {
		if p.Name != Bidilink {
			continue
		}
		text := Corpora()[1].Paragraphs[0].Text
		if n := testing.AllocsPerRun(100, func() { p.Find(text) }); n > 0 {
			t.Errorf("%v allocations for a paragraph", n)
		}
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
			t.Errorf("%s %s", what, surroundings(text, l))
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

// surroundings returns the surroundings of a link, with the link between ⸠ and ⸡.
func surroundings(text string, l corpus.Link) string {
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
