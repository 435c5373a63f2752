// SPDX-License-Identifier: MIT

// Package rewrite makes the links of documents in memory: what the commands bidilink html, md and mail make of a file, byte for byte, and of the HTML
// in WARC files. It knows nothing of Beam.
package rewrite

import (
	"fmt"
	"math"
	"time"

	"github.com/yuin/goldmark"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/examples/beam/warc"
	"github.com/bidilink/bidilink/htmlwalk"
	"github.com/bidilink/bidilink/mailfilter"
)

// Options say how links are found and written. They are data, which a pipeline carries to its workers. The zero value is what the commands do
// without flags.
type Options struct {
	Bare    string // hosts without a scheme that are links: all, www or none. Default: all; in mail, www
	Isolate string // links that are wrapped: auto, bidi, all or none. Default: auto
	Order   string // how their fields are ordered: constant, embedding, environment, content or tld. Default: constant
	Dir     string // direction of text that no dir attribute is about: ltr or rtl. Default: ltr
	Final   bool   // mail that goes no further: change it also if it is signed by DKIM or ARC, or of a list

	MaxRecord int       // bytes of the longest record of a WARC file, compressed or not, and of the longest page in it. Default: 64 MiB
	Date      time.Time // WARC-Date of new records. Default: 1970-01-01, since a record that is written twice must be the same
}

// A Rewriter rewrites documents. It is for one goroutine at a time.
type Rewriter struct {
	html     htmlwalk.Options
	mail     mailfilter.Options
	markdown goldmark.Markdown
	options  Options

	urls, emails int64 // of the Markdown document at hand
}

// New checks the options.
func New(o Options) (*Rewriter, error) {
	if o.MaxRecord < 0 {
		return nil, fmt.Errorf("rewrite: MaxRecord %d: want a positive number", o.MaxRecord)
	}
	if o.MaxRecord == 0 {
		o.MaxRecord = warc.DefaultLimit
	}
	o.MaxRecord = min(o.MaxRecord, math.MaxInt-1)
	if o.Date.IsZero() {
		o.Date = time.Unix(0, 0)
	}
	r := &Rewriter{options: o}
	switch o.Bare {
	case "", "all":
		if o.Bare != "" {
			r.mail.Bare = mailfilter.BareAll
		}
	case "www":
		r.html.Links.Bare = engine.BareWWW
	case "none":
		r.html.Links.Bare = engine.BareNone
		r.mail.Bare = mailfilter.BareNone
	default:
		return nil, fmt.Errorf("rewrite: Bare %q: want all, www or none", o.Bare)
	}
	var err error
	if r.html.Isolate, err = display.ParseIsolation(or(o.Isolate, "auto")); err != nil {
		return nil, fmt.Errorf("rewrite: Isolate: %w", err)
	}
	if r.html.Order, err = display.ParseOrder(or(o.Order, "constant")); err != nil {
		return nil, fmt.Errorf("rewrite: Order: %w", err)
	}
	if r.html.Dir, err = display.ParseDirection(or(o.Dir, "ltr")); err != nil {
		return nil, fmt.Errorf("rewrite: Dir: %w", err)
	}
	r.mail.Isolate, r.mail.Order, r.mail.Dir = r.html.Isolate, r.html.Order, r.html.Dir
	r.mail.RewriteDKIM, r.mail.RewriteLists = o.Final, o.Final
	if err := r.mail.Check(); err != nil {
		return nil, fmt.Errorf("rewrite: %w", err)
	}
	r.newMarkdown()
	return r, nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// Counts say what was done. URLs and Emails are not known of mail, whose links count in Links only.
type Counts struct {
	Links, URLs, Emails, Isolates int64
	Changed, Unchanged            int64            // documents, messages or records
	Skipped                       map[string]int64 // documents, messages or records that were left alone, or from some place on, by reason
}

func (c *Counts) skip(format, reason string) {
	if c.Skipped == nil {
		c.Skipped = map[string]int64{}
	}
	c.Skipped[format+": "+reason]++
}

// changed counts a document, message or record.
func (c *Counts) changed(yes bool) {
	if yes {
		c.Changed++
	} else {
		c.Unchanged++
	}
}
