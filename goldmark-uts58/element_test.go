// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
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
		"directly after": func() []goldmark.Option { return []goldmark.Option{with(linkPriority + 1)} },
		"as ours":        func() []goldmark.Option { return []goldmark.Option{with(linkPriority)} },
		"last":           func() []goldmark.Option { return []goldmark.Option{with(2000)} },
		"other renderer": func() []goldmark.Option { return []goldmark.Option{replaced()} },
	} {
		want := convert(t, goldmark.New(options()...), source)
		if got := convert(t, goldmark.New(append(options(), goldmark.WithExtensions(&Extender{}))...), source); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}

// FuzzLink: links are rendered as goldmark's own renderer does.
func FuzzLink(f *testing.F) {
	for _, s := range []string{"", "/", "https://example.com/a?b=c&d#e", "JavaScript:x", "data:image/png;x", "a%20b%", "%zz", `\(`, "&amp;", "&#1;", "a b", "é", "\xff", "<", "f"} {
		f.Add([]byte(s))
	}
	own := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(html.NewRenderer(), 1000)))
	ours := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(html.NewRenderer(), 1000)), &linkRenderer{})
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
