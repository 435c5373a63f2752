// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/htmlwalk"
)

// FuzzMDTwice: a pass of bidilink html over the HTML of bidilink md changes nothing, but where the author said in Markdown only that something is no
// link, or what htmlwalk sees otherwise: there is raw HTML, a backslash, or a NUL.
func FuzzMDTwice(f *testing.F) {
	for _, s := range []string{
		"see https://e.com/*a*, a_b@e.com", "**e.com** `e.com` [e.com](x) e.com", "# e.com\n\n|a|\n|-|\n|e.com|\n", "שלום e.com http://דוגמה.ישראל/א%D7%90ב",
		"**pay**pal.com *a*b@e.com e.com*x*", "a.рфhttp://e.com/ <https://e.com>e.com", "![e.com](x)e.com e.com[^1]\n\n[^1]: e.com\n", "- [ ] e.com\n- ~~e.com~~ &amp;e.com &#1488;",
		"http://[::1]/x https://e.com/\u05d0\u200fb", "> e.com  \n> e.com\n\n    e.com", "a\u202e *b* e.com e.com\n\ne.com\u202b", "e.com &#8238; e.com",
	} {
		f.Add(s, byte(0))
		f.Add(s, byte(1))
	}
	f.Fuzz(func(t *testing.T, source string, mode byte) {
		e := &uts58.Extender{}
		o := htmlwalk.Options{}
		if mode%2 == 1 {
			e.Isolation, e.Dir = display.IsolateAll, display.RTL
			o.Isolate, o.Dir = display.IsolateAll, display.RTL
		}
		md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote, e),
			goldmark.WithRendererOptions(gmhtml.WithUnsafe()))
		if strings.ContainsAny(source, "\\\x00") {
			return
		}
		doc := md.Parser().Parse(text.NewReader([]byte(source)))
		raw := false
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			raw = raw || n.Kind() == ast.KindRawHTML || n.Kind() == ast.KindHTMLBlock
			return ast.WalkContinue, nil
		})
		var once, twice bytes.Buffer
		if err := md.Renderer().Render(&once, []byte(source), doc); err != nil {
			t.Fatal(err)
		}
		if raw {
			return
		}
		if _, err := htmlwalk.Rewrite(&twice, bytes.NewReader(once.Bytes()), o); err != nil {
			return
		}
		if once.String() != twice.String() {
			t.Errorf("source %q\nonce  %q\ntwice %q", source, once.String(), twice.String())
		}
	})
}
