// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/bidilink/bidilink/htmlwalk"
)

// A reporter says what came of the pages.
type reporter struct {
	*site
	out, errs io.Writer
	bar       *progressbar.ProgressBar // or nil
	total     chan int                 // gets the number of pages, once it is known
	stop      func()                   // ends the counting
	err       error                    // of out; nothing is written to it any more

	mu   sync.Mutex // held while something is said or counted
	over bool       // the summary was written

	// What is counted.
	files, changed, links, isolated, inPart, skipped, errors, swept int
}

// newReporter returns a reporter. Its progress bar needs to be told how many pages there are: they are counted meanwhile.
func newReporter(s *site, args []string) *reporter {
	r := &reporter{site: s, out: s.c.OutOrStdout(), errs: s.c.ErrOrStderr()}
	lines := (s.list || s.diff || s.json) && isTerminal(r.out)
	if !s.quiet && !s.verbose && !lines && isTerminal(r.errs) && os.Getenv("TERM") != "dumb" {
		// It has no colors, so NO_COLOR has nothing to switch off.
		r.bar = progressbar.NewOptions(-1,
			progressbar.OptionSetWriter(r.errs),
			progressbar.OptionSetDescription("pages"),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
		r.total = make(chan int, 1)
		ctx, stop := context.WithCancel(context.Background())
		r.stop = stop
		go func() {
			if n, all := s.count(ctx, args); all && n > 0 {
				r.total <- n
			}
		}()
	}
	return r
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// say writes a message about a file, or about all.
func (r *reporter) say(format string, args ...any) {
	if r.bar != nil {
		r.bar.Clear()
	}
	fmt.Fprintf(r.errs, "bidilink: "+format+"\n", args...)
}

// result counts and reports what came of a page.
func (r *reporter) result(p result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p.none {
		if !r.quiet {
			r.say("%s: no file in it matches", shown(p.name))
		}
		return
	}
	r.files++
	r.links += p.stats.Links
	r.isolated += p.stats.Isolated
	if p.changed {
		r.changed++
	}
	if p.named && p.skip != "" && p.err == nil {
		p.err = leftAlone(p.skip)
	}
	copied := p.copied()
	switch {
	case p.err != nil:
		r.errors++
		r.say("%s: %v", shown(p.name), cause(p.err))
	case p.skip != "":
		if !p.minor {
			r.skipped++
		}
		if r.verbose || !p.minor && !r.quiet {
			r.say("%s: left alone: %s", shown(p.name), p.skip)
		}
	case copied != "":
		r.inPart++
		if !r.quiet {
			r.say("%s", copied)
		}
	}
	if !r.quiet {
		for _, w := range p.warnings {
			r.say("%s: %s", shown(p.name), w)
		}
	}
	if r.verbose && p.err == nil && p.skip == "" {
		r.say("%s", p.links())
	}
	r.print(p)
	if r.bar != nil {
		select {
		case n := <-r.total:
			r.bar.ChangeMax(n)
		default:
		}
		r.bar.Add(1)
	}
}

// removed counts and reports a temporary file that was left behind, and is no more. It may be called while others report.
func (r *reporter) removed(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return
	}
	r.swept++
	if r.verbose {
		r.say("%s: removed: a temporary file of a run that was killed", shown(name))
	}
}

// print writes to standard output what the flags ask for.
func (r *reporter) print(p result) {
	var line []byte
	switch {
	case r.json:
		line = p.appendJSON(nil)
	case r.diff:
		line = p.diff
	case r.list && p.changed:
		if r.null {
			line = append([]byte(p.name), 0)
		} else {
			line = append([]byte(shown(p.name)), '\n')
		}
	}
	if len(line) == 0 || r.err != nil {
		return
	}
	if r.bar != nil {
		r.bar.Clear()
	}
	if _, err := r.out.Write(line); err != nil {
		r.err = cause(err)
	}
}

// end writes the summary.
func (r *reporter) end(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.bar != nil {
		r.stop()
		r.bar.Finish()
		r.bar.Clear()
		r.bar = nil
	}
	if r.quiet {
		return
	}
	verb := "would change"
	if r.writes() {
		verb = "changed"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %s %s, %s", r.changed, count(r.files, "file"), verb, count(r.links, "link"))
	if r.isolated > 0 {
		fmt.Fprintf(&b, ", %d isolated", r.isolated)
	}
	for _, c := range []struct {
		n    int
		what string
	}{{r.inPart, "copied in part"}, {r.skipped, "left alone"}, {r.errors, "in error"}} {
		if c.n > 0 {
			fmt.Fprintf(&b, ", %d %s", c.n, c.what)
		}
	}
	if r.swept > 0 {
		fmt.Fprintf(&b, ", %s removed", count(r.swept, "temporary file"))
	}
	if r.verbose {
		fmt.Fprintf(&b, ", %.1f s", d.Seconds())
	}
	r.say("%s", b.String())
}

// count writes a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// copied says from where on a document was copied unchanged, or returns "".
func (p *result) copied() string {
	at := p.stats.Copied
	if at.Reason == htmlwalk.NotCopied {
		return ""
	}
	return fmt.Sprintf("%s:%d: copied unchanged from here on: %v", shown(p.name), at.Line, at.Reason)
}

// links says which links were made.
func (p *result) links() string {
	m := fmt.Sprintf("%s: %s", shown(p.name), count(p.stats.Links, "link"))
	if p.stats.Isolated > 0 {
		m += fmt.Sprintf(", %d isolated", p.stats.Isolated)
	}
	return m
}

// A pageReport is a result as --json writes it.
type pageReport struct {
	File      string      `json:"file"`
	FileBytes []byte      `json:"fileBytes"`
	Changed   bool        `json:"changed"`
	Links     int         `json:"links"`
	Isolated  int         `json:"isolated"`
	Copied    *copyReport `json:"copied"`
	Skipped   *string     `json:"skipped"`
	Warnings  []string    `json:"warnings"`
	Error     *string     `json:"error"`
}

type copyReport struct {
	Reason string `json:"reason"`
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
}

func (p *result) appendJSON(dst []byte) []byte {
	o := pageReport{File: shown(p.name), Changed: p.changed, Links: p.stats.Links, Isolated: p.stats.Isolated, Warnings: p.warnings}
	if o.File != p.name {
		o.FileBytes = []byte(p.name)
	}
	if o.Warnings == nil {
		o.Warnings = []string{}
	}
	if at := p.stats.Copied; at.Reason != htmlwalk.NotCopied {
		o.Copied = &copyReport{at.Reason.String(), at.Line, at.Offset}
	}
	if p.skip != "" {
		o.Skipped = &p.skip
	}
	if p.err != nil {
		m := cause(p.err).Error()
		o.Error = &m
	}
	b := bytes.NewBuffer(dst)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.Encode(o) // cannot fail
	return b.Bytes()
}
