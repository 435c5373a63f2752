// SPDX-License-Identifier: MIT

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/bidilink/bidilink/bench/corpus"
	"github.com/bidilink/bidilink/engine"
)

// A Case is a text with the links that are in it.
type Case struct {
	Text  string
	Links []Span
}

// A Score says how many links a peer found of those that are there, exactly, and how many it found at all.
type Score struct{ Right, Found, There int }

// Precision is the share of the links found that are there; 1 if none was found.
func (s Score) Precision() float64 { return share(s.Right, s.Found) }

// Recall is the share of the links that are there which were found; 1 if there are none.
func (s Score) Recall() float64 { return share(s.Right, s.There) }

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// Sample returns n paragraphs of a corpus, evenly spread, or all if there are not as many.
func Sample(c corpus.Corpus, n int) []Case {
	n = min(n, len(c.Paragraphs))
	cases := make([]Case, n)
	for i := range cases {
		p := c.Paragraphs[i*len(c.Paragraphs)/n]
		cases[i].Text = p.Text
		for _, l := range p.Links {
			cases[i].Links = append(cases[i].Links, Span{l.Start, l.End})
		}
	}
	return cases
}

// UCD is the environment variable with the folder of the published files of UTS #58.
const UCD = "BIDILINK_UCD"

// Conformance returns the lines of LinkDetectionTest.txt, or none if [UCD] is not set.
func Conformance() ([]Case, error) {
	dir := os.Getenv(UCD)
	if dir == "" {
		return nil, nil
	}
	path := filepath.Join(dir, engine.UnicodeVersion, "LinkDetectionTest.txt")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", UCD, err)
	}
	var cases []Case
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		c, err := marked(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// marked returns the text without the marks ⸠ and ⸡, and the links between them.
func marked(line string) (c Case, err error) {
	var b strings.Builder
	for rest := line; ; {
		before, after, found := strings.Cut(rest, "⸠")
		b.WriteString(before)
		if !found {
			return Case{b.String(), c.Links}, nil
		}
		link, after, found := strings.Cut(after, "⸡")
		if !found {
			return c, fmt.Errorf("⸠ without ⸡: %s", line)
		}
		start := b.Len()
		b.WriteString(link)
		c.Links = append(c.Links, Span{start, b.Len()})
		rest = after
	}
}

// Judge has a peer find the links of the cases, and returns the score and how many cases were reproduced exactly.
//
// A peer that reads HTML is given the text as a paragraph of HTML; where its result, read as HTML again, has a link, there is one in the
// text. Of one that reads Markdown, the texts of the links are compared, since the text itself is another one afterwards.
func Judge(p Peer, r Reader, cases []Case) (score Score, exact int, err error) {
	texts := make([]string, len(cases))
	for i, c := range cases {
		texts[i] = c.Text
		if p.Input == HTML {
			texts[i] = "<p>" + escape.Replace(c.Text) + "</p>"
		}
	}
	found, err := r.Found(texts)
	if err != nil {
		return score, 0, err
	}
	for i, c := range cases {
		text, links := c.Text, []Span(nil)
		if p.Input == Text {
			links = found.Links[i]
		} else {
			text, links = anchors(found.HTML[i])
		}
		want, got := keys(p, c.Text, c.Links), keys(p, text, links)
		if slices.Equal(want, got) {
			exact++
		}
		score.Found += len(got)
		score.There += len(want)
		left := make(map[string]int)
		for _, k := range want {
			left[k]++
		}
		for _, k := range got {
			if left[k] > 0 {
				left[k]--
				score.Right++
			}
		}
	}
	return score, exact, nil
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// keys returns what is compared of each link: its place, or its text.
func keys(p Peer, text string, links []Span) []string {
	out := make([]string, len(links))
	for i, l := range links {
		if p.Input == Markdown {
			out[i] = text[l.Start:l.End]
		} else {
			out[i] = strconv.Itoa(l.Start) + "-" + strconv.Itoa(l.End)
		}
	}
	return out
}

// anchors returns the text of HTML, and the places in it of what is in anchors.
func anchors(doc string) (text string, links []Span) {
	var b strings.Builder
	start := -1
	for z := html.NewTokenizer(strings.NewReader(doc)); ; {
		switch z.Next() {
		case html.ErrorToken: // the end: a string has no errors
			return b.String(), links
		case html.TextToken:
			b.Write(z.Text())
		case html.StartTagToken:
			if name, has := z.TagName(); string(name) == "a" && has && start < 0 {
				start = b.Len()
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" && start >= 0 {
				links = append(links, Span{start, b.Len()})
				start = -1
			}
		}
	}
}
