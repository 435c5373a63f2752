// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html/atom"
)

// TestMain has an element that is in a pool be one in which everything goes wrong, but for benchmarks.
func TestMain(m *testing.M) {
	flag.Parse()
	if bench := flag.Lookup("test.bench"); bench == nil || bench.Value.String() == "" {
		unused = &element{name: atom.Math, ns: mathNS, kind: ^kind(0), flags: flags{hard: true, dir: rightToLeft}}
	}
	os.Exit(m.Run())
}

func TestPool(t *testing.T) {
	var p pool
	seen := map[*element]bool{}
	for _, name := range []atom.Atom{atom.P, atom.B, atom.Form, atom.Bdi, atom.Div} {
		e := p.get()
		if *e != (element{}) || seen[e] {
			t.Fatalf("%v: %+v", name, *e)
		}
		e.name, e.kind = name, kindOf(name)
		p.put(e)
		seen[e] = name != atom.P && name != atom.Div
	}
	if len(p.free) != 1 {
		t.Errorf("%d elements are free, want 1", len(p.free))
	}
}

// What one rendering gets nobody else writes to, also if it does not fit.
func TestRenderings(t *testing.T) {
	var r renderings
	for range 2 {
		var texts, want []string
		var views [][]byte
		var edits [][]edit
		for i := range 300 {
			text, list := r.begin(i%50*100, true)
			if len(text) != 0 || len(list) != 0 {
				t.Fatal(len(text), len(list))
			}
			s := strings.Repeat(string(rune('a'+i%26)), i%50*101+1)
			text = append(text, s...)
			for k := range i % 12 {
				list = append(list, edit{int64(i), int64(k), s})
			}
			r.end(text, list)
			texts, want, views, edits = append(texts, string(text)), append(want, s), append(views, text), append(edits, list)
		}
		for i := range views {
			if string(views[i]) != want[i] || texts[i] != want[i] {
				t.Fatalf("rendering %d was written to", i)
			}
			for k, e := range edits[i] {
				if (e != edit{int64(i), int64(k), want[i]}) {
					t.Fatalf("edit %d of rendering %d was written to", k, i)
				}
			}
		}
		r.reset()
	}
}

// TestRewriter has several goroutines use one Rewriter, each for all documents: what a walker keeps from one is nothing to the next.
func TestRewriter(t *testing.T) {
	docs := append(slices.Clone(gadgets), "", "<p>e.com", strings.Repeat(mail, 20), strings.Repeat("<p dir=rtl>e.com/ש <b>e.com</b>", 300))
	rw, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, doc := range docs {
		out, _ := rewrittenOrRefused(t, doc)
		want = append(want, out)
	}
	var wg sync.WaitGroup
	for first := range 4 {
		wg.Go(func() {
			for i := range docs {
				i = (i + first*len(docs)/4) % len(docs)
				var out bytes.Buffer
				if _, err := rw.Rewrite(&out, strings.NewReader(docs[i])); err != nil && out.Len() > 0 || out.String() != want[i] {
					t.Errorf("%.100q: %v\n got %.500q\nwant %.500q", docs[i], err, out.String(), want[i])
				}
			}
		})
	}
	wg.Wait()
}
