// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"

	"github.com/bidilink/bidilink/bench"
	"github.com/bidilink/bidilink/bench/corpus"
)

// The goals by paragraphs, beside linkify (Rust). Where that is not installed, the loop of indexbyte stands for it: the same multiples of
// version 0.11.0, as it was beside the loop on other texts of the same kinds.
var (
	besideRust = map[string]float64{"prose": 1.1, "sparse": 1.1, "dense": 1.1, "multi": 0.8}
	besideLoop = map[string]float64{"prose": 0.58, "sparse": 0.55, "dense": 0.374, "multi": 0.416}
)

// goals prints which of our goals are met, of those whose peers were measured, and reports whether one is missed.
func (r *results) goals(w io.Writer) (missed bool) {
	goal := func(corpus string, c comparison, want float64) {
		got, ok := ratio(r.row(c.a).Speeds[corpus+c.aReading], r.row(c.b).Speeds[corpus+c.bReading])
		if !ok {
			return
		}
		result := "ok    "
		if got < want {
			result, missed = "MISSED", true
		}
		fmt.Fprintf(w, "%s %-6s %-30s %6.2f, goal %.2f\n", result, corpus, c.a+c.aReading+" : "+c.b+c.bReading, got, want)
	}
	for _, c := range corpus.Names {
		goal(c, comparison{bench.Bidilink, "", bench.LinkifyGo, ""}, 4)
	}
	beside, goals := bench.LinkifyRust, besideRust
	if len(r.row(bench.LinkifyRust).Speeds) == 0 {
		beside, goals = bench.IndexByte, besideLoop
	}
	for _, c := range corpus.Names {
		goal(c, comparison{bench.Bidilink, "", beside, ""}, goals[c])
	}
	if beside != bench.IndexByte {
		goal("prose", comparison{bench.Bidilink, "", bench.IndexByte, ""}, 0.5)
		goal("multi", comparison{bench.Bidilink, "", bench.IndexByte, ""}, 0.35)
	}
	for _, c := range corpus.Names {
		goal(c, comparison{bench.Bidilink, " whole", bench.Bidilink, ""}, 0.8)
	}
	return missed
}
