// SPDX-License-Identifier: MIT

// Compare measures bidilink and the peers that are installed in one run, in turns, one at a time, and prints a table with the accuracy beside the speed.
//
//	go run ./cmd/compare                         # about four minutes
//	go run ./cmd/compare -quick                  # short turns of short texts, for CI
//	go run ./cmd/compare -check                  # exit 1 if a goal is missed
//	go run ./cmd/compare -only 'bidilink|rust'   # only peers whose name fits
//
// It has to be run in the folder of this module.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/bidilink/bidilink/bench"
	"github.com/bidilink/bidilink/bench/corpus"
)

func main() {
	s := settings{}
	flag.IntVar(&s.rounds, "rounds", 7, "turns that every peer gets, besides one to warm up; a cell is the median")
	flag.DurationVar(&s.least, "time", 150*time.Millisecond, "least processor time of a turn")
	flag.IntVar(&s.sample, "sample", 400, "paragraphs of each corpus that the accuracy is of")
	quick := flag.Bool("quick", false, "5 short turns (5 ms), short texts for all that is slow, and 40 paragraphs for the accuracy")
	check := flag.Bool("check", false, "exit 1 if a goal is missed")
	asJSON := flag.Bool("json", false, "write everything as JSON, with the throughput of every turn in MB/s")
	only := flag.String("only", "", "only the peers whose name this regular expression fits")
	date := flag.String("date", time.Now().UTC().Format(time.DateOnly), "date to print")
	flag.Parse()
	if flag.NArg() > 0 {
		fail(fmt.Errorf("unexpected argument %q", flag.Arg(0)))
	}
	if s.rounds < 1 || s.least <= 0 || s.sample < 1 {
		fail(errors.New("-rounds, -time and -sample must be above 0"))
	}
	if _, err := os.Stat(filepath.Join(bench.Sources, "js", "runner.js")); err != nil {
		fail(fmt.Errorf("run it in the folder of the module bench: %w", err))
	}
	if *quick {
		s.rounds, s.least, s.sample, s.quick = 5, 5*time.Millisecond, 40, true
	}
	fits, err := regexp.Compile(*only)
	if err != nil {
		fail(fmt.Errorf("-only: %w", err))
	}
	runtime.GOMAXPROCS(1)
	r, err := measure(s, fits)
	if err != nil {
		fail(err)
	}
	r.Date = *date
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "\t")
		if err := e.Encode(r); err != nil {
			fail(err)
		}
	} else {
		r.write(os.Stdout)
		fmt.Println()
	}
	out := os.Stdout
	if *asJSON {
		out = os.Stderr
	}
	missed := r.goals(out)
	for _, row := range r.Rows {
		if row.Failed != "" {
			fail(fmt.Errorf("%s: %s", row.Name, row.Failed))
		}
	}
	if missed && *check {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "compare:", err)
	os.Exit(2)
}

type settings struct {
	rounds int
	least  time.Duration
	sample int
	quick  bool
}

// part returns how much a peer reads of each corpus, 0 for all.
func (s settings) part(p bench.Peer) int {
	switch {
	case !s.quick:
		return p.Part
	case p.Part > 0:
		return p.Part / 16
	case p.Input != bench.Text:
		return bench.PartSize
	}
	return 0
}

// A row is what was measured of a peer.
type row struct {
	Name    string
	Version string `json:",omitempty"`
	Input   string
	Part    int    `json:",omitempty"` // bytes of each corpus, if not all
	Missing string `json:",omitempty"` // why it is not installed
	Failed  string `json:",omitempty"` // what went wrong

	// Speeds are in MB/s, one a turn, of each corpus: the name, with " whole" for the whole text at once.
	Speeds map[string][]float64 `json:",omitempty"`

	// Exact is how many lines of LinkDetectionTest.txt the peer reproduces, nil if it was not asked.
	Exact *int `json:",omitempty"`

	// Scores are of a sample of each corpus.
	Scores map[string]bench.Score `json:",omitempty"`

	peer   bench.Peer
	reader bench.Reader
}

// Results are what a run measures.
type results struct {
	Date    string
	Machine machine
	Rounds  int
	Least   time.Duration
	Sample  int
	Lines   int // of LinkDetectionTest.txt; 0 without the file
	Rows    []*row
}

// measure begins all peers that are there, has them judged, and gives each its turn in every round, so that what else the machine does
// falls on all alike.
func measure(s settings, fits *regexp.Regexp) (*results, error) {
	lines, err := bench.Conformance()
	if err != nil {
		return nil, err
	}
	r := &results{Rounds: s.rounds, Least: s.least, Sample: s.sample, Lines: len(lines), Machine: thisMachine()}
	r.Machine.Load[0] = load()
	for _, p := range bench.Peers() {
		if !fits.MatchString(p.Name) {
			continue
		}
		w := &row{Name: p.Name, Input: p.Input.String(), Part: s.part(p), Speeds: make(map[string][]float64), peer: p}
		r.Rows = append(r.Rows, w)
		w.reader, err = p.Open()
		var missing *bench.MissingError
		if errors.As(err, &missing) {
			w.Missing = missing.Error()
			continue
		}
		if err != nil {
			w.Failed = err.Error()
			continue
		}
		w.Version = w.reader.Version()
		defer w.reader.Close()
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("no peer's name fits %v", fits)
	}
	for _, w := range r.Rows {
		if w.working() && !w.peer.Yardstick {
			w.judge(s, lines)
		}
	}
	for _, c := range bench.Corpora() {
		for _, whole := range []bool{false, true} {
			r.turns(s, c, bench.Text, whole)
		}
	}
	for _, name := range corpus.Documents {
		r.turns(s, corpus.Build(name), inputs[name], false)
	}
	r.Machine.Load[1] = load()
	return r, nil
}

// inputs says of what kind the corpora of documents are.
var inputs = map[string]bench.Input{"mail": bench.HTML, "posts": bench.Markdown}

func (w *row) working() bool { return w.Missing == "" && w.Failed == "" }

// judge has the accuracy of a peer told.
func (w *row) judge(s settings, lines []bench.Case) {
	w.Scores = make(map[string]bench.Score)
	for _, c := range bench.Corpora() {
		score, _, err := bench.Judge(w.peer, w.reader, bench.Sample(c, s.sample))
		if err != nil {
			w.Failed = err.Error()
			return
		}
		w.Scores[c.Name] = score
	}
	if len(lines) == 0 {
		return
	}
	_, exact, err := bench.Judge(w.peer, w.reader, lines)
	if err != nil {
		w.Failed = err.Error()
		return
	}
	w.Exact = &exact
}

// turns measures one reading of a corpus with all peers of that input.
func (r *results) turns(s settings, c corpus.Corpus, input bench.Input, whole bool) {
	name := c.Name
	if whole {
		name += " whole"
	}
	var rows []*row
	sizes := make(map[*row]int)
	for _, w := range r.Rows {
		if !w.working() || w.peer.Input != input || whole && w.peer.NoWhole {
			continue
		}
		texts := bench.Texts(c, whole, w.Part)
		if err := w.reader.Read(texts); err != nil {
			w.Failed = err.Error()
			continue
		}
		for _, t := range texts {
			sizes[w] += len(t)
		}
		rows = append(rows, w)
	}
	for round := range s.rounds + 1 {
		for _, w := range rows {
			if w.Failed != "" {
				continue
			}
			least := s.least
			if round == 0 && w.peer.Runner != nil {
				least *= 3 // compilers that work while the program runs need some time
			}
			passes, taken, err := w.reader.Time(least)
			if err != nil {
				w.Failed = err.Error()
			} else if round > 0 { // the first is to warm up
				w.Speeds[name] = append(w.Speeds[name], float64(passes*sizes[w])/taken.Seconds()/1e6)
			}
		}
	}
}

func (r *results) row(name string) *row {
	for _, w := range r.Rows {
		if w.Name == name {
			return w
		}
	}
	return &row{}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// ratio returns the median of the ratios of two throughputs in the same round: steadier than the ratio of the medians, since both had the
// same neighbours. There is none if one was not measured.
func ratio(a, b []float64) (r float64, ok bool) {
	var v []float64
	for i := range min(len(a), len(b)) {
		v = append(v, a[i]/b[i])
	}
	return median(v), len(v) > 0
}
