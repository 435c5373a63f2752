// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine"
)

// A counter counts what a finder is given.
type counter struct {
	finder
	calls, bytes int
}

func (c *counter) Find(text string, from int) (engine.Link, bool) {
	c.calls++
	c.bytes += len(text) - from
	return c.finder.Find(text, from)
}

func (c *counter) AppendLinks(dst []engine.Link, text string) []engine.Link {
	c.calls++
	c.bytes += len(text)
	return c.finder.AppendLinks(dst, text)
}

// TestSkipped: blocks without a dot or colon that may be of a link are not searched, neither by the shield nor by the transformer; of others, the runs that have
// one are, once each.
func TestSkipped(t *testing.T) {
	const words = "text *with* _emphasis_, `code`, [a link](https://example.com/), <b>, <https://example.com/>, @, wörd *слово* مثال ไทย"
	for name, c := range map[string]struct {
		source       string
		calls, bytes int
	}{
		"nothing":               {"# " + words + "\n\n" + words + "\n" + words + "\n\n- " + words + "\n\n> " + words + "\n\n| " + words + " |\n|---|\n| " + words + " |\n", 0, 0},
		"ends of sentences":     {"A *sentence*.\nAnother: this.\n\n- One.\n- *Two*. Three\n", 0, 0},
		"one block of three":    {words + "\n\nsee example.com\n\n" + words + "\n", 1, len("see example.com")},
		"one line of three":     {words + "\nsee example.com\n" + words + "\n", 1, len("see example.com")},
		"one run of a line":     {words + " *example.com* " + words + "\n", 2, 2*len("example.com") + len("**")},
		"no link after all":     {words + "\n\nsee a.b\n", 1, len("see a.b")},
		"an ideographic dot":    {"例え。\n\n" + words + "\n", 1, len("例え。")},
		"a character reference": {"a &copy; b\n\n" + words + "\n", 1, len("a © b")},
	} {
		for _, gfm := range []bool{false, true} {
			s, err := (&Extender{GFM: gfm}).settings()
			if err != nil {
				t.Fatal(err)
			}
			count := &counter{finder: s.find}
			s.find = count
			md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
			md.Parser().AddOptions(&shield{settings: s}, parser.WithASTTransformers(util.Prioritized(transformer{s}, 50)))
			md.Parser().Parse(text.NewReader([]byte(c.source)))
			if count.calls != c.calls || count.bytes != c.bytes {
				t.Errorf("%s, GFM %v: %d calls with %d bytes, want %d with %d", name, gfm, count.calls, count.bytes, c.calls, c.bytes)
			}
		}
	}
}

// FuzzFound: text with a link has a sign of one, and the address of a link that needs no escape is that of the finder, and not taken for something else.
func FuzzFound(f *testing.F) {
	seeds(f, func(source string) { f.Add(source) })
	for _, s := range []string{"http://EXAMPLE.com/A b@Example.com c_d+e@example.com http://1.2.3.4/ http://example.com./a http://[::1]/", "mailto:a@example.com?subject=b", "tel:1 h:x",
		"www.example.com:80/a?b=c&d;e#f(g)", "http://localhost:1313/ mailto:a@localhost", "example。com ｅ．com a｡jp", "xn--mgbh0fb.xn--kgbechtv/%41%zz", "a!b/c'd@example.com", "http://-.m/"} {
		f.Add(s)
	}
	var all []*settings
	for _, e := range []*Extender{{}, {GFM: true}, {LinkFileNames: true, Links: engine.Options{HTTP: true, IRI: true, LocalHosts: true, Schemes: []string{"tel", "h"}, MailtoQuery: true}}, {Links: engine.Options{Strict: true}}} {
		s, err := e.settings()
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		source = strings.ToValidUTF8(source, "\ufffd")
		for i, s := range all {
			for _, l := range s.find.AppendLinks(nil, source) {
				start := max(0, strings.LastIndexAny(source[:l.Start], " \t\n\v\f\r")+1)
				for _, end := range []int{l.End, len(source)} {
					var from signs
					if !mayHoldLink(source[l.Start:end]) || !from.in(bytesOf(source), start, end) || !from.in(bytesOf(source[:end]), l.Start, end) {
						t.Errorf("%d: %q: no sign of %q in the text up to %d", i, source, l.In(source), end)
					}
				}
				want := s.find.AppendHref(nil, source, l)
				got, ascii := s.appendPlainHref(nil, source, &l)
				if len(got) > 0 && !bytes.Equal(got, want) {
					t.Errorf("%d: %q: address %q, want %q", i, l.In(source), got, want)
				}
				if destination, ok := destinationOf(want); len(got) > 0 && (!ok || !bytes.Equal(destination, want)) {
					t.Errorf("%d: %q: destination %q of %q", i, l.In(source), destination, want)
				}
				if ascii != (strings.IndexFunc(l.In(source), func(r rune) bool { return r > 0x7F }) < 0) {
					t.Errorf("%d: %q: ASCII %v", i, l.In(source), ascii)
				}
			}
		}
	})
}
