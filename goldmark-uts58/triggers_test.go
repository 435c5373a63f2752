// SPDX-License-Identifier: MIT

package uts58

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A triggered is an inline parser with triggers, and nothing else.
type triggered string

func (p triggered) Trigger() []byte { return []byte(p) }

func (triggered) Parse(ast.Node, text.Reader, parser.Context) ast.Node { return nil }

// An eager is a shield that is called for everything, but for what character references are of: goldmark splits texts at triggers.
type eager struct{ *shield }

func (eager) Trigger() []byte { return []byte("!\"$%'()*+,-./:=>?@^_{|}~") }

// A wrapper is an inline parser round another.
type wrapper struct{ parser.InlineParser }

// A wrapping is a parser.Option that wraps the shields that are there.
type wrapping struct{}

func (wrapping) SetParserOption(c *parser.Config) {
	for i, v := range c.InlineParsers {
		if s, ok := v.Value.(*shield); ok {
			c.InlineParsers[i].Value = wrapper{s}
		}
	}
}

// A capture is a parser.Option that remembers the configuration.
type capture struct{ config *parser.Config }

func (c *capture) SetParserOption(config *parser.Config) { c.config = config }

// TestTriggers: a shield is called only where another parser behind it is, or everywhere if one before it may be called within a link.
func TestTriggers(t *testing.T) {
	with := func(priority int, triggers string) goldmark.Option {
		return goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(triggered(triggers), priority)))
	}
	const all = `$'*+-.:=@^_~`
	for name, c := range map[string]struct {
		option goldmark.Option
		want   string
	}{
		"nothing":              {goldmark.WithExtensions(), "*_"},
		"GFM, footnotes":       {goldmark.WithExtensions(extension.GFM, extension.Footnote), "*_~"},
		"typographer":          {goldmark.WithExtensions(extension.Typographer), `"'*,-.>_`},
		"behind":               {with(999, "#"), "#*_"},
		"before":               {with(300, "#"), all},
		"before, never inside": {with(300, " ![<`"), "*_"},
		"before, exclamation":  {with(300, "!"), all},
		"letters before":       {with(300, "e：€\t"), "*_"},
		"letters behind":       {with(999, "e：€\t"), "*_"},
		"as the shield":        {with(shieldPriority, "#"), all},
		"another shield":       {goldmark.WithExtensions(&Extender{}), "*_"},
	} {
		var config capture
		md := goldmark.New(c.option, goldmark.WithExtensions(&Extender{}))
		md.Parser().AddOptions(&config)
		for _, v := range config.config.InlineParsers {
			if s, ok := v.Value.(*shield); ok {
				if got := string(s.Trigger()); got != c.want {
					t.Errorf("%s: %q, want %q", name, got, c.want)
				}
			}
		}
	}
	md := goldmark.New(goldmark.WithExtensions(&Extender{}))
	md.Parser().AddOptions(wrapping{}, parser.WithInlineParsers(util.Prioritized(triggered("#"), 999)))
	const want = "<p><a href=\"https://example.com/_a_\">https://example.com/_a_</a></p>\n"
	if got := convert(t, md, "https://example.com/_a_"); got != want {
		t.Errorf("in a wrapper: %s", got)
	}
}

// FuzzTriggers: a shield that is called as seldom as can be gives the same HTML as one that is called everywhere.
func FuzzTriggers(f *testing.F) {
	seeds(f, func(source string) {
		f.Add(source, byte(0))
		f.Add(source, byte(1))
		f.Add(source, byte(2))
		f.Add(source, byte(3))
	})
	var seldom, everywhere []goldmark.Markdown
	for _, with := range [][]goldmark.Extender{
		nil,
		{extension.GFM, extension.Footnote, extension.DefinitionList},
		{extension.Table, extension.Strikethrough, extension.Typographer},
		{extension.GFM, extension.Typographer, extension.CJK},
	} {
		options := []goldmark.Option{goldmark.WithExtensions(with...), goldmark.WithRendererOptions(html.WithUnsafe()), goldmark.WithParserOptions(parser.WithAttribute())}
		e := &Extender{}
		seldom = append(seldom, goldmark.New(append(options, goldmark.WithExtensions(e))...))
		s, err := e.settings()
		if err != nil {
			f.Fatal(err)
		}
		s.escapedSpace = slices.Contains(with, goldmark.Extender(extension.CJK))
		i := slices.Index(with, goldmark.Extender(extension.GFM))
		linkify := i >= 0
		if linkify {
			// Linkify changes nothing, but what its triggers do. QUIRK: if white space is a trigger, goldmark keeps some of it before a line break, and
			// more of the East Asian line breaks.
			with = slices.Replace(slices.Clone(with), i, i+1, []goldmark.Extender{extension.Table, extension.Strikethrough, extension.TaskList}...)
		}
		other := goldmark.New(append([]goldmark.Option{goldmark.WithExtensions(with...)}, options[1:]...)...)
		if linkify {
			other.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(triggered(" *_~("), 999)))
		}
		other.Parser().AddOptions(
			parser.WithInlineParsers(util.Prioritized(eager{&shield{settings: s}}, shieldPriority)),
			parser.WithASTTransformers(util.Prioritized(transformer{s}, 50)),
		)
		other.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(NewRenderer(), 500)))
		if s.escapedSpace {
			other.Renderer().AddOptions(&plainRenderer{}) // for line breaks
		}
		everywhere = append(everywhere, other)
	}
	f.Fuzz(func(t *testing.T, source string, i byte) {
		n := int(i) % len(seldom)
		if n == 3 && !utf8.ValidString(source) {
			return // QUIRK: goldmark's East Asian line breaks panic on continuation bytes.
		}
		if got, want := convert(t, seldom[n], source), convert(t, everywhere[n], source); got != want {
			t.Errorf("source %q\nseldom     %q\neverywhere %q", source, got, want)
		}
	})
}
