// SPDX-License-Identifier: MIT

// Compare measures bidilink and its peers in one run, in turns, on one thread, and prints a table.
//
//	go run ./cmd/compare            # about two minutes
//	go run ./cmd/compare -quick     # some milliseconds a cell, for CI
//	go run ./cmd/compare -check     # exit 1 if a goal is missed
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/bidilink/bidilink/bench"
	"github.com/bidilink/bidilink/bench/clock"
	"github.com/bidilink/bidilink/bench/corpus"
)

func main() {
	rounds := flag.Int("rounds", 7, "turns that every peer gets; a cell is the median")
	least := flag.Duration("time", 300*time.Millisecond, "least time of a turn")
	quick := flag.Bool("quick", false, "short turns: 5 rounds of 5 ms at least")
	check := flag.Bool("check", false, "exit 1 if a goal is missed")
	date := flag.String("date", time.Now().UTC().Format(time.DateOnly), "date to print")
	flag.Parse()

	part := bench.PartSize
	if *quick {
		*rounds, *least, part = 5, 5*time.Millisecond, 8<<10
	}
	runtime.GOMAXPROCS(1)
	tables := make(map[string]table)
	for _, c := range bench.Corpora() {
		tables[c.Name] = measure(c, *rounds, *least, part)
	}
	write(os.Stdout, tables, *date, part)
	fmt.Println()
	counts(os.Stdout)
	fmt.Println()
	if missed := goals(os.Stdout, tables); missed && *check {
		os.Exit(1)
	}
}

// A cell is one peer with one reading of a corpus.
type cell struct {
	peer  string
	whole bool
}

// A table has the throughputs of one corpus in MB/s, one for each round.
type table map[cell][]float64

// measure gives each peer its turn in every round, so that what else the machine does falls on all alike.
func measure(c corpus.Corpus, rounds int, least time.Duration, part int) table {
	t := make(table)
	for round := range rounds + 1 {
		for _, p := range bench.Peers() {
			for _, whole := range []bool{false, true} {
				if whole && p.NoWhole {
					continue
				}
				speed := turn(p, p.Texts(c, whole, part), least)
				if round > 0 { // the first is to warm up
					k := cell{p.Name, whole}
					t[k] = append(t[k], speed)
				}
			}
		}
	}
	return t
}

// sink keeps the results of the peers alive.
var sink int

// turn reads the texts again and again for at least the given time and returns the throughput in MB/s
// of processor time.
func turn(p bench.Peer, texts []string, least time.Duration) float64 {
	runtime.GC() // nobody pays for another's garbage
	size, n := 0, 0
	for _, text := range texts {
		size += len(text)
	}
	for start := clock.Now(); ; {
		for _, text := range texts {
			sink += p.Find(text)
		}
		n++
		if d := clock.Now() - start; d >= least {
			return float64(n*size) / d.Seconds() / 1e6
		}
	}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// ratio returns the median of the ratios of a to b in the same round: steadier than the ratio of the
// medians, since both had the same neighbours.
func (t table) ratio(a, b cell) float64 {
	var v []float64
	for i := range min(len(t[a]), len(t[b])) {
		v = append(v, t[a][i]/t[b][i])
	}
	return median(v)
}

var (
	ours    = cell{bench.Bidilink, false}
	whole   = cell{bench.Bidilink, true}
	linkify = cell{bench.Linkify, false}
	loop    = cell{bench.IndexByte, false}
)

func write(w io.Writer, tables map[string]table, date string, part int) {
	fmt.Fprintf(w, "%s, %s %s/%s, %s, one thread; MB/s of processor time, 1 MB = 10⁶ bytes\n\n", date, runtime.Version(), runtime.GOOS, runtime.GOARCH, cpu())
	fmt.Fprintf(w, "| peer | reading |")
	for _, name := range corpus.Names {
		fmt.Fprintf(w, " %s |", name)
	}
	fmt.Fprintf(w, "\n|---|---|%s\n", strings.Repeat("---:|", len(corpus.Names)))
	for _, p := range bench.Peers() {
		for _, whole := range []bool{false, true} {
			if whole && p.NoWhole {
				continue
			}
			name, reading := p.Name, "paragraph"
			if version := versions()[p.Name]; version != "" {
				name += " " + version
			}
			if whole {
				reading = "whole"
			}
			if p.Slow {
				reading += fmt.Sprintf(", first %d KiB", part>>10)
			}
			fmt.Fprintf(w, "| %s | %s |", name, reading)
			for _, corpus := range corpus.Names {
				fmt.Fprintf(w, " %s |", figure(median(tables[corpus][cell{p.Name, whole}])))
			}
			fmt.Fprintln(w)
		}
	}
	for _, r := range []struct {
		name string
		a, b cell
	}{
		{"bidilink : linkify | paragraph", ours, linkify},
		{"bidilink : indexbyte | paragraph", ours, loop},
		{"bidilink, whole : paragraph |", whole, ours},
	} {
		fmt.Fprintf(w, "| %s |", r.name)
		for _, corpus := range corpus.Names {
			fmt.Fprintf(w, " %.2f |", tables[corpus].ratio(r.a, r.b))
		}
		fmt.Fprintln(w)
	}
}

// counts prints how many links the detectors find that read all of a corpus, right or wrong.
func counts(w io.Writer) {
	fmt.Fprintf(w, "| links |")
	for _, c := range bench.Corpora() {
		fmt.Fprintf(w, " %s |", c.Name)
	}
	fmt.Fprintf(w, "\n|---|%s\n| put in |", strings.Repeat("---:|", len(bench.Corpora())))
	for _, c := range bench.Corpora() {
		fmt.Fprintf(w, " %d |", len(c.Links()))
	}
	for _, p := range bench.Peers() {
		if p.Slow || p.Yardstick {
			continue
		}
		fmt.Fprintf(w, "\n| %s |", p.Name)
		for _, c := range bench.Corpora() {
			n := 0
			for _, text := range p.Texts(c, false, 0) {
				n += p.Find(text)
			}
			fmt.Fprintf(w, " %d |", n)
		}
	}
	fmt.Fprintln(w)
}

// figure writes v with three digits or, above a thousand, all before the point.
func figure(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// goals prints which of our goals are met, and reports whether one is missed.
func goals(w io.Writer, tables map[string]table) (missed bool) {
	goal := func(corpus, what string, got, want float64) {
		result := "ok    "
		if got < want {
			result, missed = "MISSED", true
		}
		fmt.Fprintf(w, "%s %-6s %-30s %6.2f, goal %.2f\n", result, corpus, what, got, want)
	}
	for _, c := range corpus.Names {
		goal(c, "bidilink : linkify", tables[c].ratio(ours, linkify), 4)
	}
	goal("prose", "bidilink : indexbyte", tables["prose"].ratio(ours, loop), 0.5)
	goal("multi", "bidilink : indexbyte", tables["multi"].ratio(ours, loop), 0.35)
	for _, c := range corpus.Names {
		goal(c, "bidilink, whole : paragraph", tables[c].ratio(whole, ours), 0.8)
	}
	return missed
}

// versions returns the version of each peer that is a module.
func versions() map[string]string {
	v := make(map[string]string)
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, m := range info.Deps {
		switch m.Path {
		case "gitlab.com/golang-commonmark/linkify":
			v[bench.Linkify] = m.Version[strings.LastIndexByte(m.Version, '-')+1:] // the commit: it has no releases
		case "mvdan.cc/xurls/v2":
			v["xurls-relaxed"], v["xurls-strict"] = m.Version, m.Version
		}
	}
	return v
}

// cpu returns the model of the processor where the system tells it.
func cpu() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, value, _ := strings.Cut(s.Text(), ":"); strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
