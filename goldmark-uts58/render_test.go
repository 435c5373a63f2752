// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// A namedLinks renders links as its name.
type namedLinks string

func (l namedLinks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(string(l))
		}
		return ast.WalkSkipChildren, nil
	})
}

// TestLinkRenderers: another renderer of links keeps its place, whatever its priority, and the options of goldmark's own are as they were.
func TestLinkRenderers(t *testing.T) {
	const source = "[a](/x) [b](/y 'z') [c](javascript:d) [e](/&ouml;)"
	with := func(priorities ...int) goldmark.Option {
		var all []util.PrioritizedValue
		for _, p := range priorities {
			all = append(all, util.Prioritized(namedLinks("L"), p))
		}
		return goldmark.WithRendererOptions(renderer.WithNodeRenderers(all...))
	}
	replaced := func() goldmark.Option {
		return goldmark.WithRenderer(renderer.NewRenderer(renderer.WithNodeRenderers(
			util.Prioritized(html.NewRenderer(html.WithUnsafe()), 1000), util.Prioritized(namedLinks("L"), 1001))))
	}
	for name, options := range map[string]func() []goldmark.Option{
		"none":           func() []goldmark.Option { return nil },
		"unsafe":         func() []goldmark.Option { return []goldmark.Option{goldmark.WithRendererOptions(html.WithUnsafe())} },
		"before":         func() []goldmark.Option { return []goldmark.Option{with(100)} },
		"directly after": func() []goldmark.Option { return []goldmark.Option{with(plainPriority + 1)} },
		"as ours":        func() []goldmark.Option { return []goldmark.Option{with(plainPriority)} },
		"last":           func() []goldmark.Option { return []goldmark.Option{with(2000)} },
		"other renderer": func() []goldmark.Option { return []goldmark.Option{replaced()} },
	} {
		want := convert(t, goldmark.New(options()...), source)
		if got := convert(t, goldmark.New(append(options(), goldmark.WithExtensions(&Extender{}))...), source); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

// FuzzLinkAddress: links are rendered as goldmark's own renderer does.
func FuzzLinkAddress(f *testing.F) {
	for _, s := range []string{"", "/", "https://example.com/a?b=c&d#e", "JavaScript:x", "data:image/png;x", "a%20b%", "%zz", `\(`, "&amp;", "&#1;", "&a=1&b=2", "a;b&c", "&c;d", "a b", "é", "\xff", "<", "f"} {
		f.Add([]byte(s))
	}
	own := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(html.NewRenderer(), 1000)))
	ours := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(html.NewRenderer(), 1000)), &plainRenderer{})
	f.Fuzz(func(t *testing.T, address []byte) {
		link := ast.NewLink()
		link.Destination = address
		var a, b bytes.Buffer
		if err := own.Render(&a, nil, link); err != nil {
			t.Fatal(err)
		}
		if err := ours.Render(&b, nil, link); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%q: %s, want %s", address, b.Bytes(), a.Bytes())
		}
	})
}

// FuzzPlain: a document is rendered as by goldmark's own renderer, whatever its options.
func FuzzPlain(f *testing.F) {
	seeds(f, func(source string) {
		for mode := range byte(5) {
			f.Add(source, mode)
		}
	})
	f.Add("a \"b\" <c \\> d\\\ne & &amp; &#34; \x00 12345678\\\"é  \nf\\\\ g&lt\n1234567&", byte(0))
	var own, ours []goldmark.Markdown
	for _, options := range [][]goldmark.Option{
		nil,
		{goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML())},
		{goldmark.WithRendererOptions(html.WithHardWraps()), goldmark.WithExtensions(extension.GFM, extension.Footnote)},
		{goldmark.WithExtensions(extension.CJK, extension.Typographer)},
		{goldmark.WithExtensions(extension.NewCJK(extension.WithEastAsianLineBreaks()), extension.DefinitionList)},
	} {
		own = append(own, goldmark.New(options...))
		md := goldmark.New(options...)
		md.Renderer().AddOptions(&plainRenderer{})
		ours = append(ours, md)
	}
	f.Fuzz(func(t *testing.T, source string, mode byte) {
		n := int(mode) % len(own)
		if n >= 3 && !utf8.ValidString(source) {
			return // QUIRK: goldmark's East Asian line breaks panic on continuation bytes.
		}
		if got, want := convert(t, ours[n], source), convert(t, own[n], source); got != want {
			t.Errorf("source %q\n%q\nwant\n%q", source, got, want)
		}
	})
}
