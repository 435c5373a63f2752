// SPDX-License-Identifier: MIT

package corpus_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bidilink/bidilink/bench/corpus"
)

// sums are the SHA-256 of the texts and of the places of the links. Figures in tables that were measured
// on other texts cannot be compared: whoever changes one, measures again.
var sums = map[string]string{
	"prose":  "196ae47baae335062c4280e445cc830e13c0c85e2d6a7c3c9bf5cd05342aeea1",
	"sparse": "697cb70a37cb321800f251300417244440f37b86e802e81ef9375d7db4dfdc9e",
	"dense":  "0440df95f9061973f39f87d31cdc8cbc64d7f99b17b345a66bcecbffef7b98e8",
	"multi":  "a202790b55eadca31f8c1c110060fda83776fb6cca96d4e3970c4c799e25a0bf",
	"mail":   "d7f1937f5df7ad2e3def1bb07e34313c9222f2d6815ea921f7cad644876bf81e",
	"posts":  "49285757a96deaa05a65f260683cc7b4a4bdeb85eb99961004a735c5944e477b",
}

func sum(c corpus.Corpus) string {
	h := sha256.New()
	fmt.Fprintln(h, c.Text)
	for _, l := range c.Links() {
		fmt.Fprintln(h, l.Start, l.End, l.Email)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestSameBytes(t *testing.T) {
	for _, name := range slices.Concat(corpus.Names, corpus.Documents) {
		first, second := sum(corpus.Build(name)), sum(corpus.Build(name))
		t.Logf("%s %s", name, first)
		if first != second {
			t.Errorf("%s: the second text is another one: %s", name, second)
		}
		if first != sums[name] {
			t.Errorf("%s: sha256 %s, want %s", name, first, sums[name])
		}
	}
}

// TestShape holds the corpora to what the tables say of them.
func TestShape(t *testing.T) {
	for _, c := range corpus.All() {
		size, idn, email, scheme := 0, 0, 0, 0
		for i, p := range c.Paragraphs {
			if !utf8.ValidString(p.Text) {
				t.Fatalf("%s: paragraph %d is no UTF-8", c.Name, i)
			}
			if len(p.Text) < 440 || len(p.Text) > 3800 {
				t.Errorf("%s: paragraph %d has %d bytes", c.Name, i, len(p.Text))
			}
			size += len(p.Text)
			end := 0
			for _, l := range p.Links {
				if l.Start < end || l.End <= l.Start || l.End > len(p.Text) {
					t.Fatalf("%s: paragraph %d: link %v after %d", c.Name, i, l, end)
				}
				end = l.End
				text := p.Text[l.Start:l.End]
				if strings.Contains(text, "://") {
					scheme++
				}
				if l.Email {
					email++
				}
				if host := hostOf(text, l.Email); !ascii(host) {
					idn++
				}
			}
		}
		n := len(c.Links())
		t.Logf("%s: %d bytes, %d paragraphs, %d links: %d with scheme, %d addresses, %d with IDN host", c.Name, size, len(c.Paragraphs), n, scheme, email, idn)
		want := map[string][2]int{"prose": {0, 0}, "sparse": {1000, 1400}, "dense": {60, 72}, "multi": {540, 660}}[c.Name]
		if n == 0 && want[0] > 0 || n > 0 && (size/n < want[0] || size/n > want[1]) {
			t.Errorf("%s: %d links in %d bytes, want one in %d to %d", c.Name, n, size, want[0], want[1])
		}
		if c.Name == "multi" && (idn*100 < n*35 || idn*100 > n*45) {
			t.Errorf("multi: %d of %d hosts are IDN, want about 40 %%", idn, n)
		}
		if size < corpus.Size || size > corpus.Size+4000 {
			t.Errorf("%s: %d bytes", c.Name, size)
		}
	}
}

// TestDocuments holds the corpora of documents to what the tables say of them.
func TestDocuments(t *testing.T) {
	for _, name := range corpus.Documents {
		c := corpus.Build(name)
		size := 0
		for i, p := range c.Paragraphs {
			if !utf8.ValidString(p.Text) || !strings.HasSuffix(p.Text, "\n") {
				t.Fatalf("%s: document %d is no UTF-8, or has no end", name, i)
			}
			size += len(p.Text)
			end := 0
			for _, l := range p.Links {
				if l.Start < end || l.End <= l.Start || l.End > len(p.Text) || strings.ContainsAny(p.Text[l.Start:l.End], " <>\n") {
					t.Fatalf("%s: document %d: link %v after %d", name, i, l, end)
				}
				end = l.End
			}
		}
		n := len(c.Links())
		t.Logf("%s: %d bytes, %d documents, %d links", name, size, len(c.Paragraphs), n)
		if mean := size / len(c.Paragraphs); mean < 2000 || mean > 3500 {
			t.Errorf("%s: documents of %d bytes", name, mean)
		}
		if size/n < 600 || size/n > 900 {
			t.Errorf("%s: a link in %d bytes", name, size/n)
		}
	}
}

func hostOf(link string, email bool) string {
	if email {
		_, host, _ := strings.Cut(link, "@")
		return host
	}
	if _, after, found := strings.Cut(link, "://"); found {
		link = after
	}
	if i := strings.IndexAny(link, "/?#:"); i >= 0 {
		link = link[:i]
	}
	return link
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
