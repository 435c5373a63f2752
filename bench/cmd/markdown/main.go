// SPDX-License-Identifier: MIT

// Markdown measures goldmark alone, with our extension, and with extension.Linkify, in one run, in turns, on one thread, and prints a table.
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
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/bench/clock"
	"github.com/bidilink/bidilink/bench/corpus"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// documents are as long as an article: 16 KB each.
const documents = 16 << 10

// variants are what takes turns.
var variants = []struct {
	name string
	with []goldmark.Extender
}{
	{"alone", nil},
	{"uts58", []goldmark.Extender{&uts58.Extender{}}},
	{"Linkify", []goldmark.Extender{extension.Linkify}},
	{"uts58, goldmark's renderer", []goldmark.Extender{&uts58.Extender{}, foreign{}}},
}

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
	fmt.Println("| corpus | alone | uts58 | Linkify | uts58 : alone | uts58 : Linkify | with goldmark's renderer : alone | links, uts58 | links, Linkify |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	missed := false
	for _, name := range []string{"prose", "sparse", "marked", "dense", "multi"} {
		texts := load(name, *size)
		speeds := make([][]float64, len(variants))
		for round := range *rounds + 1 {
			for i, v := range variants {
				if s := turn(v.with, texts, *least); round > 0 { // the first is to warm up
					speeds[i] = append(speeds[i], s)
				}
			}
		}
		alone, linkify := ratio(speeds[1], speeds[0]), ratio(speeds[1], speeds[2])
		fmt.Printf("| %s | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f | %d | %d |\n", name, median(speeds[0]), median(speeds[1]), median(speeds[2]), alone, linkify,
			ratio(speeds[3], speeds[0]), links(variants[1].with, texts), links(variants[2].with, texts))
		// Where nearly everything is links, they have to be made: that is not what the goals are about.
		missed = missed || name != "dense" && (alone < 0.85 || linkify < 1.5)
	}
	if missed {
		fmt.Println("\nMISSED: at least 0.85 of the speed of goldmark alone, 1.5 times that with Linkify (not dense)")
		if *check {
			os.Exit(1)
		}
	}
}

// load returns documents of a corpus. Marked is sparse with headings, lists, emphasis and links.
func load(name string, size int) []string {
	from := name
	if name == "marked" {
		from = "sparse"
	}
	var texts []string
	var b strings.Builder
	for i, p := range corpus.Build(from).Paragraphs {
		text := p.Text
		if name == "marked" {
			text = mark(i, text)
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

// turn converts the documents again and again for at least the given time and returns the throughput in MB/s.
func turn(with []goldmark.Extender, texts []string, least time.Duration) float64 {
	md := goldmark.New(goldmark.WithExtensions(with...))
	runtime.GC()
	var out bytes.Buffer
	size := 0
	for start := clock.Now(); ; {
		for _, text := range texts {
			out.Reset()
			if err := md.Convert([]byte(text), &out); err != nil {
				panic(err)
			}
			size += len(text)
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
