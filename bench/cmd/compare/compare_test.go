// SPDX-License-Identifier: MIT

package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bidilink/bidilink/bench"
)

// made returns results as if they had been measured.
func made() *results {
	exact := 300
	scores := map[string]bench.Score{"sparse": {Right: 3, Found: 4, There: 6}}
	r := &results{Date: "2026-01-02", Rounds: 3, Sample: 10, Lines: 344, Machine: machine{Go: "go", Processor: "cpu", Cores: 2}}
	for _, w := range []row{
		{Name: bench.Bidilink, Speeds: map[string][]float64{"prose": {1000, 1200, 1100}, "prose whole": {880, 960, 880}}, Exact: &exact, Scores: scores},
		{Name: bench.LinkifyRust, Version: "0.9.0", Speeds: map[string][]float64{"prose": {500, 1200, 1000}}},
		{Name: "rinku", Missing: "not installed: apt-get install ruby-rinku"},
		{Name: "linkify-it", Missing: "not installed: npm"},
		{Name: "linkifyjs", Missing: "not installed: npm"},
		{Name: "bleach", Failed: "it has burst"},
	} {
		r.Rows = append(r.Rows, &w)
	}
	return r
}

func TestTable(t *testing.T) {
	var b strings.Builder
	made().write(&b)
	for _, want := range []string{
		"2026-01-02, go, cpu, 2 cores\n",
		"the median of 3 turns",
		"| lines of 344 |",
		"| bidilink | paragraphs | 1100 ±9% |  |",
		"| 300 | 0.750 / 0.500 |",
		"| bidilink | whole | 880 ±5% |",
		"| linkify-rust 0.9.0 | paragraphs | 1000 ±35% |",
		"| bidilink : linkify-rust | ratio | 1.10 | |",
		"| bidilink whole : bidilink | ratio | 0.80 | |",
		"\nrinku: not installed: apt-get install ruby-rinku\n\nlinkify-it, linkifyjs: not installed: npm\n",
		"bleach failed: it has burst\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	columns := 0
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		if n := strings.Count(line, "|"); columns == 0 {
			columns = n
		} else if n != columns {
			t.Errorf("%d columns, want %d: %s", n, columns, line)
		}
	}
}

func TestGoals(t *testing.T) {
	r := made()
	var b strings.Builder
	if r.goals(&b) {
		t.Errorf("missed:\n%s", &b)
	}
	if n := strings.Count(b.String(), "ok "); n != 2 { // beside linkify (Rust), and the whole text
		t.Errorf("%d goals:\n%s", n, &b)
	}
	r.row(bench.LinkifyRust).Speeds["prose"] = []float64{1000, 1200, 1100}
	if b.Reset(); !r.goals(&b) || !strings.Contains(b.String(), "MISSED prose  bidilink : linkify-rust") {
		t.Errorf("a goal is not missed:\n%s", &b)
	}
	r.row(bench.LinkifyRust).Speeds = nil
	r.Rows = append(r.Rows, &row{Name: bench.IndexByte, Speeds: map[string][]float64{"prose": {2000, 2000, 2000}}})
	if b.Reset(); !r.goals(&b) || !strings.Contains(b.String(), "MISSED prose  bidilink : indexbyte") {
		t.Errorf("without linkify (Rust), the loop does not stand for it:\n%s", &b)
	}
}

// TestMeasure measures the yardsticks of one kind, which takes no time.
func TestMeasure(t *testing.T) {
	s := settings{rounds: 2, least: time.Millisecond, sample: 3, quick: true}
	r, err := measure(s, regexp.MustCompile("^(bidilink-html|tokenizer)$"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	for _, w := range r.Rows {
		if v := w.Speeds["mail"]; len(v) != 2 || v[0] <= 0 || len(w.Speeds) != 1 {
			t.Errorf("%s: %v", w.Name, w.Speeds)
		}
	}
	if score := r.row("bidilink-html").Scores["dense"]; score.There == 0 || score.Right != score.There || score.Found != score.There {
		t.Errorf("bidilink-html: %+v", score)
	}
	if r.row(bench.Tokenizer).Scores != nil {
		t.Error("a yardstick was judged")
	}
}
