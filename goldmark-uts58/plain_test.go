// SPDX-License-Identifier: MIT

package uts58

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A shieldOnly is a parser.Option that puts a shield among the inline parsers, and no plainParser.
type shieldOnly struct{ *shield }

func (s shieldOnly) SetParserOption(c *parser.Config) {
	s.config = c
	c.InlineParsers = append(c.InlineParsers, util.Prioritized(s.shield, shieldPriority))
}

// A dollars is an inline parser that makes a string of what stands between dollar signs, and asks for question marks in vain.
type dollars struct{}

func (dollars) Trigger() []byte { return []byte("$?") }

func (dollars) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	n := strings.IndexByte(view(line[1:]), '$')
	if line[0] != '$' || n < 0 {
		return nil
	}
	block.Advance(n + 2)
	return ast.NewString(line[1 : n+1])
}

// tree writes a tree with all that goldmark's inline parsers put in it.
func tree(b *strings.Builder, n ast.Node, depth int) {
	fmt.Fprintf(b, "%*s%s at %d, %d children", depth, "", n.Kind(), n.Pos(), n.ChildCount())
	switch n := n.(type) {
	case *ast.Text:
		fmt.Fprintf(b, " %v soft %v hard %v raw %v", n.Segment, n.SoftLineBreak(), n.HardLineBreak(), n.IsRaw())
	case *ast.String:
		fmt.Fprintf(b, " %q", n.Value)
	case *ast.Link:
		fmt.Fprintf(b, " %q", n.Destination)
	}
	b.WriteString("\n")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		tree(b, c, depth+1)
	}
}

// FuzzPlainParser: the tree is the same without the parser of what no other one wants.
func FuzzPlainParser(f *testing.F) {
	seeds(f, func(source string) {
		for mode := range byte(5) {
			f.Add(source, mode)
		}
	})
	for _, source := range []string{
		"a\\\nb  \nc\\\\\\\n\\*d*\\  \r\n\\<\\\r\n e   \r\nf \n", "a_b\\ c\n_\\\n", "*a* b!\n c] *d\t\n\\", "- a\n\n  b  \n- \tc *d*\n", "|a\\|b *c|d|\n|-|-|\n|\\|e\\\\|f|", "# a \\# *\n\nb \\\n---\n",
		"a $b$ ?$ c?\n$$", "\\\n\\\n\\", " a\\\\\\\n*\\*b*", "> a  \n>  b\\\n> \\*",
		"é: a：b€ e\te *e* \xe2\n\te e", "wow! a] <b !!!\n![ ]! a[i] = b[j] \\! < c  \n]\\\n! \\", "- \ta! ]\n  \t! b] <\n\n\t! !", "*a!* [b!](/c)! ]!\r\n!]\\\r\n",
	} {
		for mode := range byte(5) {
			f.Add(source, mode)
		}
	}
	var with, without []goldmark.Markdown
	for _, extensions := range [][]goldmark.Extender{
		nil,
		{extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote, extension.DefinitionList},
		{extension.Table, extension.Typographer},
		{extension.CJK},
		{extension.Table, extension.Strikethrough, extension.Footnote},
	} {
		options := []goldmark.Option{goldmark.WithExtensions(extensions...), goldmark.WithRendererOptions(html.WithUnsafe()), goldmark.WithParserOptions(parser.WithAttribute())}
		if len(extensions) == 2 {
			options = append(options, goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(dollars{}, 300))))
		}
		if len(extensions) == 3 {
			// Triggers that goldmark never looks for.
			options = append(options, goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(triggered("：€é"), 300), util.Prioritized(triggered("e\t\n\x00"), 700))))
		}
		with = append(with, goldmark.New(append(options, goldmark.WithExtensions(&Extender{}))...))
		s, err := (&Extender{}).settings()
		if err != nil {
			f.Fatal(err)
		}
		md := goldmark.New(options...)
		md.Parser().AddOptions(shieldOnly{&shield{settings: s}}, parser.WithASTTransformers(util.Prioritized(transformer{s}, 50)))
		without = append(without, md)
	}
	f.Fuzz(func(t *testing.T, source string, mode byte) {
		n := int(mode) % len(with)
		if n == 3 && !utf8.ValidString(source) {
			return // QUIRK: goldmark's East Asian line breaks panic on continuation bytes.
		}
		var got, want strings.Builder
		tree(&got, with[n].Parser().Parse(text.NewReader([]byte(source))), 0)
		tree(&want, without[n].Parser().Parse(text.NewReader([]byte(source))), 0)
		if got.String() != want.String() {
			t.Errorf("source %q\n%s\nwithout\n%s", source, got.String(), want.String())
		}
	})
}

// TestPlainTriggers: the parser is called at all punctuation, or nowhere if another one wants white space or backslashes.
func TestPlainTriggers(t *testing.T) {
	with := func(priority int, triggers string) goldmark.Option {
		return goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(triggered(triggers), priority)))
	}
	for name, c := range map[string]struct {
		option goldmark.Option
		want   int
	}{
		"nothing":         {goldmark.WithExtensions(), 33},
		"standard":        {goldmark.WithExtensions(standard...), 33},
		"another":         {with(700, "#$%"), 33},
		"white space":     {with(700, " "), 0},
		"backslash":       {with(700, `\`), 0},
		"Linkify":         {goldmark.WithExtensions(extension.Linkify), 0},
		"as far behind":   {with(plainParserPriority, "#"), 0},
		"letters":         {with(700, "e\t：€\n"), 33},
		"another of ours": {goldmark.WithExtensions(&Extender{}), 33},
	} {
		var config capture
		md := goldmark.New(c.option, goldmark.WithExtensions(&Extender{}))
		md.Parser().AddOptions(&config)
		found := 0
		for _, v := range config.config.InlineParsers {
			if p, ok := v.Value.(*plainParser); ok {
				found++
				if got := len(p.Trigger()); got != c.want {
					t.Errorf("%s: %d triggers, want %d", name, got, c.want)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: no plainParser", name)
		}
		const want = "<p>a <em>b</em> <a href=\"https://example.com/_c_\">example.com/_c_</a> d?</p>\n"
		if got := convert(t, md, "a *b* example.com/_c_ d?"); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestForeignTriggers: the nodes are those of goldmark alone if another parser has triggers that goldmark never looks for.
func TestForeignTriggers(t *testing.T) {
	const source = "a：b€ e é: *e*\n\te e"
	options := goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(triggered("：€"), 300), util.Prioritized(triggered("eé"), 700)))
	var got, want strings.Builder
	tree(&got, goldmark.New(options, goldmark.WithExtensions(&Extender{})).Parser().Parse(text.NewReader([]byte(source))), 0)
	tree(&want, goldmark.New(options).Parser().Parse(text.NewReader([]byte(source))), 0)
	if got.String() != want.String() {
		t.Errorf("%s\ngoldmark alone\n%s", got.String(), want.String())
	}
}

// TestRefused: where the other parsers refuse, the text is not begun anew, whatever stands in it.
func TestRefused(t *testing.T) {
	const n, lines = 100, 3
	for _, piece := range []string{"] ", "!!! ", "wow! ", "Great! Thanks! ", "a < b < c ", `\a `, "f() <= g(], h[", "a[i] = b[j] "} {
		pc := parser.NewContext()
		st := &state{}
		pc.Set(stateKey, st)
		source := strings.Repeat("a "+strings.Repeat(piece, n)+"z\n", lines)
		goldmark.New(goldmark.WithExtensions(&Extender{})).Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
		// It is begun anew only behind a node, as that of a bracket that is open.
		if want := lines * (1 + n*strings.Count(piece, "[")); st.lines != want {
			t.Errorf("%q: called %d times, want %d", piece, st.lines, want)
		}
	}
}
