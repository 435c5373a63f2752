// SPDX-License-Identifier: MIT

// Markdown measures goldmark alone, with our extension, with extension.Linkify, and alone with the links that ours makes written by hand, in one run, in turns, on one
// thread, and prints a table.
//
//	go run ./cmd/markdown           # about a minute
//	go run ./cmd/markdown -quick    # some seconds, for CI
//	go run ./cmd/markdown -check    # exit 1 if a goal is missed
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/bench/clock"
	"github.com/bidilink/bidilink/bench/corpus"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// documents are as long as an article: 16 KB each.
const documents = 16 << 10

// variants are what takes turns.
var variants = [...]struct {
	with []goldmark.Extender
	hand bool // the links are written by hand
}{
	alone:    {},
	ours:     {with: []goldmark.Extender{&uts58.Extender{}}},
	linkify:  {with: []goldmark.Extender{extension.Linkify}},
	rendered: {with: []goldmark.Extender{&uts58.Extender{}, foreign{}}},
	hand:     {hand: true},
}

const (
	alone = iota
	ours
	linkify
	rendered // ours, with goldmark's renderer
	hand
)

// goals are the least ratios of ours to goldmark alone, with our renderer and with goldmark's. Dense and multi have none: goldmark alone makes no links of them, and has less to
// write by half.
var goals = map[string][2]float64{"prose": {0.92, 0.92}, "sparse": {0.92, 0.92}, "punctuation": {0.92, 0.92}, "marked": {0.92, 0.85}}

// leastByHand is the least ratio of ours to the same links written by hand, on each corpus.
const leastByHand = 0.92

// A foreign is a renderer of nothing behind goldmark's. Since it is there, goldmark-uts58 leaves the texts and links to goldmark's.
type foreign struct{}

func (foreign) Extend(m goldmark.Markdown) {
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(foreign{}, 2000)))
}

func (foreign) RegisterFuncs(renderer.NodeRendererFuncRegisterer) {}

func main() {
	rounds := flag.Int("rounds", 9, "turns that each variant gets; a cell is the median")
	least := flag.Duration("time", 300*time.Millisecond, "least time of a turn")
	size := flag.Int("size", 1<<20, "bytes of each corpus")
	quick := flag.Bool("quick", false, "short turns: 5 rounds of 20 ms at least")
	check := flag.Bool("check", false, "exit 1 if a goal is missed")
	flag.Parse()
	if *quick {
		*rounds, *least, *size = 5, 20*time.Millisecond, 128<<10
	}
	runtime.GOMAXPROCS(1)
	fmt.Printf("%s %s/%s, one thread; MB/s of processor time, 1 MB = 10⁶ bytes\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Println("| corpus | alone | uts58 | Linkify | by hand | uts58 : alone | with goldmark's renderer : alone | by hand : alone | uts58 : by hand | uts58 : Linkify | links, uts58 | links, Linkify |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	var missed []string
	for _, name := range []string{"prose", "punctuation", "sparse", "marked", "dense", "multi"} {
		texts := load(name, *size)
		written := byHand(texts)
		var speeds [len(variants)][]float64
		for round := range *rounds + 1 {
			for i, v := range variants {
				sources := texts
				if v.hand {
					sources = written
				}
				if s := turn(v.with, sources, texts, *least); round > 0 { // the first is to warm up
					speeds[i] = append(speeds[i], s)
				}
			}
		}
		toAlone, renderedToAlone, toHand := ratio(speeds[ours], speeds[alone]), ratio(speeds[rendered], speeds[alone]), ratio(speeds[ours], speeds[hand])
		fmt.Printf("| %s | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f | %.2f | %.2f | %d | %d |\n", name, median(speeds[alone]), median(speeds[ours]), median(speeds[linkify]), median(speeds[hand]),
			toAlone, renderedToAlone, ratio(speeds[hand], speeds[alone]), toHand, ratio(speeds[ours], speeds[linkify]), links(variants[ours].with, texts), links(variants[linkify].with, texts))
		if g, ok := goals[name]; ok && (toAlone < g[0] || renderedToAlone < g[1]) {
			missed = append(missed, fmt.Sprintf("%s: at least %.2f of the speed of goldmark alone, %.2f with goldmark's renderer", name, g[0], g[1]))
		}
		if toHand < leastByHand {
			missed = append(missed, fmt.Sprintf("%s: at least %.2f of the speed of goldmark alone with the same links written by hand", name, leastByHand))
		}
	}
	if len(missed) > 0 {
		fmt.Println("\nMISSED: " + strings.Join(missed, "\nMISSED: "))
		if *check {
			os.Exit(1)
		}
	}
}

// byHand returns the documents with the links that our extension makes written as [text](<address>), in elements that isolate them where ours does so.
func byHand(texts []string) []string {
	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{}))
	var out []string
	for _, source := range texts {
		w := writer{source: source}
		w.links(md.Parser().Parse(gmtext.NewReader([]byte(source))))
		w.copy(len(source))
		out = append(out, w.b.String())
	}
	return out
}

// A writer writes a document by hand.
type writer struct {
	source string
	at     int // what is before it has been written
	b      strings.Builder
}

func (w *writer) copy(to int) {
	w.b.WriteString(w.source[w.at:to])
	w.at = to
}

// links writes the links in a node, and what is before them.
func (w *writer) links(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		l, ok := c.(*ast.Link)
		e, isolated := c.(*uts58.Element)
		switch {
		case isolated || ok && w.source[l.Pos()] != '[':
			w.copy(c.Pos())
			w.link(c)
			if isolated && e.Tag == "a" {
				panic("an address that goldmark would change")
			}
		default:
			w.links(c)
		}
	}
}

// escaper escapes what has a meaning in the text of a link.
var escaper = strings.NewReplacer("[", `\[`, "]", `\]`, "*", `\*`)

// link writes a node of a link.
func (w *writer) link(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.b.WriteString(escaper.Replace(w.source[n.Segment.Start:n.Segment.Stop]))
		w.at = n.Segment.Stop
		return
	case *uts58.Element:
		fmt.Fprintf(&w.b, `<%s dir="%s">`, n.Tag, n.Dir)
		defer fmt.Fprintf(&w.b, "</%s>", n.Tag)
	case *ast.Link:
		w.b.WriteString("[")
		defer fmt.Fprintf(&w.b, "](<%s>)", n.Destination)
	default:
		panic(n.Kind().String())
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.link(c)
	}
}

// load returns documents of a corpus. Marked is sparse with headings, lists, emphasis and links; punctuation is prose with characters that may have a meaning in Markdown, but
// have none there.
func load(name string, size int) []string {
	from := name
	switch name {
	case "marked":
		from = "sparse"
	case "punctuation":
		from = "prose"
	}
	var texts []string
	var b strings.Builder
	for i, p := range corpus.Build(from).Paragraphs {
		text := p.Text
		switch name {
		case "marked":
			text = mark(i, text)
		case "punctuation":
			text = punctuate(i, text)
		}
		b.WriteString(text + "\n\n")
		if size -= len(text); b.Len() >= documents || size <= 0 {
			texts = append(texts, b.String())
			b.Reset()
		}
		if size <= 0 {
			break
		}
	}
	return texts
}

// mark writes a paragraph as Markdown.
func mark(i int, text string) string {
	words := strings.Split(text, " ")
	for j := range words {
		switch plain := !strings.ContainsAny(words[j], "./@"); {
		case plain && j%17 == 3:
			words[j] = "*" + words[j] + "*"
		case plain && j%41 == 7:
			words[j] = "[" + words[j] + "](/page)"
		case plain && j%53 == 9:
			words[j] = "`" + words[j] + "`"
		}
	}
	text = strings.Join(words, " ")
	switch i % 6 {
	case 0:
		return "## Heading " + strings.Join(words[:min(3, len(words))], " ") + "\n\n" + text
	case 2:
		return "- " + strings.ReplaceAll(text, ". ", ".\n- ")
	case 4:
		return "> " + text
	}
	return text
}

// punctuate writes a paragraph as a dialogue of exclamations, as sentences about arrays and intervals, or as comparisons, in turns.
func punctuate(i int, text string) string {
	words := strings.Split(text, " ")
	for j, w := range words {
		switch {
		case i%3 == 0 && j%4 == 3:
			words[j] = strings.TrimRight(w, ".,") + "!"
		case i%3 == 0 && j%31 == 10:
			words[j] = `"Oh!!!" ` + w
		case i%3 == 1 && j%9 == 4:
			words[j] = "row[" + strings.TrimRight(w, ".,") + "] !="
		case i%3 == 1 && j%13 == 6:
			words[j] = "]0, 1] " + w
		case i%3 == 2 && j%6 == 2:
			words[j] = w + " <"
		case i%3 == 2 && j%17 == 5:
			words[j] = `C:\` + w + " <= !"
		}
	}
	return strings.Join(words, " ")
}

// turn converts the documents again and again for at least the given time and returns the throughput in MB/s, of the texts that they were before.
func turn(with []goldmark.Extender, documents, texts []string, least time.Duration) float64 {
	md := goldmark.New(goldmark.WithExtensions(with...), goldmark.WithRendererOptions(html.WithUnsafe()))
	runtime.GC()
	var out bytes.Buffer
	size := 0
	for start := clock.Now(); ; {
		for i, d := range documents {
			out.Reset()
			if err := md.Convert([]byte(d), &out); err != nil {
				panic(err)
			}
			size += len(texts[i])
		}
		if d := clock.Now() - start; d >= least {
			return float64(size) / d.Seconds() / 1e6
		}
	}
}

// links returns how many links there are in the HTML.
func links(with []goldmark.Extender, texts []string) (n int) {
	md := goldmark.New(goldmark.WithExtensions(with...))
	for _, text := range texts {
		var out bytes.Buffer
		if err := md.Convert([]byte(text), &out); err != nil {
			panic(err)
		}
		n += bytes.Count(out.Bytes(), []byte("<a href="))
	}
	return n
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// ratio returns the median of the ratios within a round, where both had the same neighbours.
func ratio(a, b []float64) float64 {
	var v []float64
	for i := range a {
		v = append(v, a[i]/b[i])
	}
	return median(v)
}
