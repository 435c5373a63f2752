// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bidilink/bidilink/bench"
	"github.com/bidilink/bidilink/bench/corpus"
)

// none stands where nothing was measured.
const none = "–"

// columns are the corpora of the speeds, in the order of the table.
var columns = slices.Concat(corpus.Names, corpus.Documents)

// write prints the table, with the ratios in its last lines, and what is missing below it.
func (r *results) write(w io.Writer) {
	fmt.Fprintf(w, "%s, %v\n\n", r.Date, r.Machine)
	fmt.Fprintf(w, "MB/s of processor time (1 MB = 10⁶ bytes): the median of %d turns, ± half of what is between lowest and highest. Accuracy: lines of LinkDetectionTest.txt that are exactly reproduced; "+
		"precision / recall by exact place, and hits in prose, over %d paragraphs of each corpus.\n\n", r.Rounds, r.Sample)
	fmt.Fprint(w, "| peer | reads |")
	for _, name := range columns {
		fmt.Fprintf(w, " %s |", name)
	}
	lines := "lines"
	if r.Lines > 0 {
		lines = fmt.Sprintf("lines of %d", r.Lines)
	}
	fmt.Fprintf(w, " %s |", lines)
	for _, name := range corpus.Names[1:] {
		fmt.Fprintf(w, " %s P / R |", name)
	}
	fmt.Fprintf(w, " prose, hits |\n|---|---|%s\n", strings.Repeat("---:|", len(columns)+len(corpus.Names)+1))
	for _, p := range r.Rows {
		if p.working() {
			p.line(w, "", true)
			if p.peer.Input == bench.Text && !p.peer.NoWhole {
				p.line(w, " whole", false)
			}
		}
	}
	for _, c := range comparisons {
		r.comparison(w, c)
	}
	r.absent(w)
	for _, p := range r.Rows {
		if p.Failed != "" {
			fmt.Fprintf(w, "\n%s failed: %s\n", p.Name, p.Failed)
		}
	}
}

// absent prints which peers are not installed, together those of which the same is said.
func (r *results) absent(w io.Writer) {
	var said []string
	for _, p := range r.Rows {
		if p.Missing == "" || slices.Contains(said, p.Missing) {
			continue
		}
		said = append(said, p.Missing)
		var names []string
		for _, q := range r.Rows {
			if q.Missing == p.Missing {
				names = append(names, q.Name)
			}
		}
		fmt.Fprintf(w, "\n%s: %s\n", strings.Join(names, ", "), p.Missing)
	}
}

// line prints the figures of one reading of a peer.
func (p *row) line(w io.Writer, reading string, accuracy bool) {
	name := p.Name
	if p.Version != "" {
		name += " " + p.Version
	}
	reads := map[bench.Input]string{bench.Text: "paragraphs", bench.HTML: "HTML", bench.Markdown: "Markdown"}[p.peer.Input]
	if reading != "" {
		reads = "whole"
	}
	if p.Part > 0 {
		reads += fmt.Sprintf(", %d KiB", p.Part>>10)
	}
	fmt.Fprintf(w, "| %s | %s |", name, reads)
	for _, name := range columns {
		fmt.Fprintf(w, " %s |", speed(p.Speeds[name+reading]))
	}
	if !accuracy || p.Scores == nil {
		fmt.Fprintln(w, strings.Repeat(" |", len(corpus.Names)+1))
		return
	}
	lines := none
	if p.Exact != nil {
		lines = fmt.Sprint(*p.Exact)
	}
	fmt.Fprintf(w, " %s |", lines)
	for _, name := range corpus.Names[1:] {
		fmt.Fprintf(w, " %.3f / %.3f |", p.Scores[name].Precision(), p.Scores[name].Recall())
	}
	fmt.Fprintf(w, " %d |\n", p.Scores[corpus.Names[0]].Found)
}

// speed returns the median with half of the spread, or nothing.
func speed(v []float64) string {
	if len(v) == 0 {
		return ""
	}
	m := median(v)
	return fmt.Sprintf("%s ±%.0f%%", figure(m), (slices.Max(v)-slices.Min(v))/2/m*100)
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

// A comparison is a line of ratios: of two peers, or of two readings of one.
type comparison struct {
	a, aReading, b, bReading string
}

var comparisons = []comparison{
	{bench.Bidilink, "", bench.LinkifyGo, ""},
	{bench.Bidilink, "", bench.LinkifyRust, ""},
	{bench.Bidilink, " whole", bench.LinkifyRust, " whole"},
	{bench.Bidilink, "", bench.IndexByte, ""},
	{bench.Bidilink, " whole", bench.Bidilink, ""},
	{bench.BidilinkHTML, "", bench.Tokenizer, ""},
	{bench.BidilinkHTML, "", "rinku", ""},
	{bench.GoldmarkOurs, "", bench.Goldmark, ""},
	{bench.GoldmarkOurs, "", "goldmark-linkify", ""},
	{bench.GoldmarkOurs, "", "cmark-gfm-autolink", ""},
}

// comparison prints the ratios of two peers, unless none was measured.
func (r *results) comparison(w io.Writer, c comparison) {
	a, b := r.row(c.a), r.row(c.b)
	var cells strings.Builder
	any := false
	for _, name := range columns {
		if x, ok := ratio(a.Speeds[name+c.aReading], b.Speeds[name+c.bReading]); ok {
			fmt.Fprintf(&cells, " %.2f |", x)
			any = true
		} else {
			cells.WriteString(" |")
		}
	}
	if any {
		fmt.Fprintf(w, "| %s%s : %s%s | ratio |%s%s\n", c.a, c.aReading, c.b, c.bReading, cells.String(), strings.Repeat(" |", len(corpus.Names)+1))
	}
}
