// SPDX-License-Identifier: MIT

package explain

import (
	"iter"
	"slices"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// An Explainer explains what a detector with certain options finds. It is immutable and safe for concurrent use.
type Explainer struct {
	options engine.Options
	d       *engine.Detector
}

// New checks and copies the options. Its errors are those of [engine.New].
func New(o engine.Options) (*Explainer, error) {
	d, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	o.Schemes, o.ExtraTLDs, o.ExcludeTLDs = slices.Clone(o.Schemes), slices.Clone(o.ExtraTLDs), slices.Clone(o.ExcludeTLDs)
	return &Explainer{options: o, d: d}, nil
}

// A Link is a link and all there is to say about it. Offsets are bytes of the text, ends are exclusive.
type Link struct {
	engine.Link `json:"-"`

	Start    int       `json:"start"`
	End      int       `json:"end"`
	Kind     string    `json:"kind"`     // "url" or "email"
	Text     string    `json:"text"`     // as it stands in the text
	Parts    []Part    `json:"parts"`    // in order, with their delimiters
	Begin    Begin     `json:"begin"`    // why it starts where it does
	Stop     Stop      `json:"stop"`     // why it ends where it does
	Href     string    `json:"href"`     // what a browser should be given; empty if there is none, and so no link is made
	Readable string    `json:"readable"` // the href as people read it
	Fields   []Field   `json:"fields"`   // what stands between separators (PRI 185)
	Notation string    `json:"notation"` // the text with capital letters for right-to-left ones, and bidi controls as escapes; empty if there are no such letters
	Displays []Display `json:"displays"` // what a reader sees
	Warnings []Warning `json:"warnings"`
}

// A Part is a part of a link, as [engine.Link] has it.
type Part struct {
	Name  string `json:"name"` // "scheme", "local", "host", "port", "path", "query" or "fragment"
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// A Field is a field of a link.
type Field struct {
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Text      string `json:"text"`
	Direction string `json:"direction"` // "ltr", "rtl", "mixed", or "neutral": no letter and no Arabic number
}

// Links explains the links of text, in order.
func (e *Explainer) Links(text string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		last := 0
		for l := range e.d.Links(text) {
			if !yield(e.link(text, l, last)) {
				return
			}
			last = l.End
		}
	}
}

// Link explains a link of text that a detector with the same options has found.
func (e *Explainer) Link(text string, l engine.Link) Link { return e.link(text, l, 0) }

// link explains l, a link of text; the one before ends at last.
func (e *Explainer) link(text string, l engine.Link, last int) Link {
	href := string(e.d.AppendHref(nil, text, l))
	x := Link{
		Link: l, Start: l.Start, End: l.End, Kind: l.Kind.String(), Text: l.In(text),
		Parts: parts(text, l), Begin: begin(text, l, last), Stop: e.stop(text, l), Href: href,
		Fields: []Field{}, Warnings: warnings(display.Check(text, l)),
	}
	if href != "" {
		x.Readable = engine.Readable(href)
	}
	for _, f := range display.AppendFields(nil, text, l) {
		x.Fields = append(x.Fields, Field{Start: f.Start, End: f.End, Text: f.In(text), Direction: direction(f.Classes)})
	}
	x.Notation, x.Displays = displays(text, l)
	return x
}

// parts returns the parts of l that there are, in the order in which they stand.
func parts(text string, l engine.Link) []Part {
	var list []Part
	for _, p := range []struct {
		name string
		span engine.Span
	}{
		{"scheme", l.Scheme}, {"local", l.Local}, {"host", l.Host}, {"port", l.Port}, {"path", l.Path}, {"query", l.Query}, {"fragment", l.Fragment},
	} {
		if !p.span.Empty() {
			list = append(list, Part{Name: p.name, Start: p.span.Start, End: p.span.End, Text: p.span.In(text)})
		}
	}
	return list
}

func direction(c display.Classes) string {
	switch left, right := c&display.Left != 0, c.RightToLeft(); {
	case left && right:
		return "mixed"
	case right:
		return "rtl"
	case left:
		return "ltr"
	}
	return "neutral"
}
