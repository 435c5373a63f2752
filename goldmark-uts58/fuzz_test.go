// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	xhtml "golang.org/x/net/html"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// seeds adds the sources of all cases.
func seeds(f *testing.F, add func(source string)) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		f.Fatal("no cases", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for c := range strings.SplitSeq(string(data), caseSeparator) {
			if parts := strings.SplitN(c, attributeSeparator, 3); len(parts) == 3 {
				add(parts[1])
			}
		}
	}
	add("*a http://a.com/*b* [x](<y> `z` \\* &amp;\n\n> ~~a.com/~~\n")
}

const ours = "data-link-of-ours"

// anchors are our links, with their isolates.
var (
	anchors  = regexp.MustCompile(`(?s)(?:<bdi dir="(?:ltr|rtl)">)?<a [^>]* ` + ours + `="1"(?: dir="(?:ltr|rtl)")?>(.*?)</a>(</bdi>)?`)
	isolates = regexp.MustCompile(`<bdi dir="(?:ltr|rtl)">|</bdi>`)
)

// without takes our links out of HTML.
func without(out string) string {
	return anchors.ReplaceAllStringFunc(out, func(s string) string {
		m := anchors.FindStringSubmatch(s)
		tail := ""
		if m[2] != "" && !strings.HasPrefix(s, "<bdi") {
			tail = m[2] // it is not of ours
		}
		return isolates.ReplaceAllString(m[1], "") + tail
	})
}

// FuzzRender: rendering never panics; an anchor of ours is never in an element where there must be none; and without our tags, the HTML is that of goldmark
// alone, if no delimiter of emphasis was shielded, which is the only difference that the extension makes beside its links.
func FuzzRender(f *testing.F) {
	seeds(f, func(source string) {
		for mode := range byte(4) {
			f.Add(source, mode)
		}
	})
	for _, source := range []string{
		"<a>\n\n[^1]: x </a>\n\ne.com [^1] a.com [^2]\n\n[^2]: <pre>\n", "<label><div>\n\n|a|\n|-|\n|</label> e.com|\n\ne.com", "<script><!--<script></script>\n\ne.com\n</script>",
		"<svg><style></svg>\n\ne.com </style>", "<select><option>a</select><div><marquee><code></marquee></code></div>\n\ne.com", "x <div contenteditable>\n\ne.com\n</div> e.com",
		"<noscript><b title=\"</noscript>\">\n\ne.com", "<table><tr><td><summary><td></table></summary> e.com", "- <kbd><ul></kbd> e.com\n- <math><mi></math></kbd> e.com",
	} {
		for mode := range byte(4) {
			f.Add(source, mode)
		}
	}
	extensions := goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.DefinitionList, extension.Footnote)
	options := []goldmark.Option{extensions, goldmark.WithRendererOptions(html.WithUnsafe()), goldmark.WithParserOptions(parser.WithAttribute(), parser.WithAutoHeadingID())}
	alone := goldmark.New(options...)
	hook := func(l *Link) bool {
		l.Attributes = []Attribute{{ours, "1"}}
		return true
	}
	var extended []goldmark.Markdown
	for _, e := range []*Extender{{}, {Isolation: display.IsolateAll, Dir: display.RTL}, {Isolate: Attr, Links: engine.Options{LocalHosts: true, Schemes: []string{"tel"}}}, {GFM: true}} {
		e.Link = hook
		extended = append(extended, goldmark.New(append(options[:len(options):len(options)], goldmark.WithExtensions(e))...))
	}
	f.Fuzz(func(t *testing.T, source string, mode byte) {
		md := extended[int(mode)%len(extended)]
		pc := parser.NewContext()
		doc := md.Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
		var out bytes.Buffer
		if err := md.Renderer().Render(&out, []byte(source), doc); err != nil {
			t.Fatal(err)
		}
		checkNesting(t, out.String(), source)
		if st, ok := pc.Get(stateKey).(*state); ok && st.hidden > 0 || display.HasControl(xhtml.UnescapeString(source)) {
			// Bidi controls are written as escapes.
			return
		}
		if got, want := without(out.String()), convert(t, alone, source); got != want {
			t.Errorf("source %q\nwithout our tags %q\nalone            %q\nHTML %q", source, got, want, out.String())
		}
	})
}

// rawPieces are what FuzzRawHTML makes documents of: one piece for each byte of the input.
var rawPieces = strings.Split(strings.ReplaceAll(" e.com \t¶\t¶e.com¶\t¶> \t¶- \t¶    \t¶¶|a|¶|-|¶|\t|\t|e.com|¶\t[^1]\t[^2]\t¶¶[^1]: \t¶¶[^2]: \t¶# \t*\t[x](\ty)\t¶```¶\t"+
	"<a>\t</a>\t<a href=x>\t<button>\t</button>\t<label>\t</label>\t<summary>\t</summary>\t<code>\t</code>\t<pre>\t</pre>\t<kbd>\t</kbd>\t<tt>\t</tt>\t<select>\t</select>\t<option>\t"+
	"<svg>\t</svg>\t<math>\t</math>\t<mi>\t<foreignObject>\t</foreignObject>\t<desc>\t<title>\t</title>\t<style>\t</style>\t<script>\t</script>\t<!--\t-->\t<textarea>\t</textarea>\t"+
	"<template>\t</template>\t<noscript>\t</noscript>\t<object>\t</object>\t<marquee>\t</marquee>\t<table>\t</table>\t<tr>\t<td>\t</td>\t<caption>\t</caption>\t"+
	"<div>\t</div>\t<p>\t</p>\t<ul>\t</ul>\t<li>\t</li>\t<span>\t</span>\t<b>\t</b>\t<i title='\t'>\t<h1>\t</h1>\t<form>\t</form>\t<body>\t</body>\t"+
	"<div contenteditable>\t<span contenteditable>\t<p contenteditable>\t<li contenteditable>\t<td contenteditable>\t<bdi>\t</bdi>\t<div dir=rtl>\t<![CDATA[\t]]>\t<?\t<br>\t</br>\t<title/>\t<iframe>\t</iframe>\t<xmp>\t</xmp>\t"+
	"<frameset>\t<datalist>\t</datalist>\t<dialog>\t</dialog>\t<details>\t</details>\t<image>\t<input>\t<hr>\t<th>\t<tbody>\t</tbody>\t<col>\t<html>\t<head>\t</head>", "¶", "\n"), "\t")

// FuzzRawHTML: in documents that are made of tags and what Markdown makes of others, no anchor of ours is in an element where there must be none, as browsers see it
// that run scripts, and that do not.
func FuzzRawHTML(f *testing.F) {
	var all []byte
	for i := range rawPieces {
		all = append(all, byte(i))
		f.Add([]byte{byte(i), 0})
	}
	f.Add(all)
	index := func(pieces ...string) (b []byte) {
		for _, p := range pieces {
			i := slices.Index(rawPieces, p)
			if i < 0 {
				f.Fatalf("no piece %q", p)
			}
			b = append(b, byte(i))
		}
		return b
	}
	f.Add(index("<div>", "<label>", "<div>", "</label>", "\n", "\ne.com\n"))
	f.Add(index("<a href=x>", "\n\n|a|\n|-|\n|", "</a>", " e.com ", "|"))
	f.Add(index("<code>", "<table>", "<td>", "</code>", " e.com "))
	f.Add(index("<a>", "\n\n[^1]: ", "</a>", "\n", "\ne.com\n", "[^1]"))
	f.Add(index("<svg>", "<style>", "</svg>", "<script>", "</style>", "</svg>", " e.com ", "</script>"))
	hook := func(l *Link) bool {
		l.Attributes = []Attribute{{ours, "1"}}
		return true
	}
	md := markdown(&Extender{Link: hook})
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 40 {
			return
		}
		var source strings.Builder
		for _, c := range input {
			source.WriteString(rawPieces[int(c)%len(rawPieces)])
		}
		checkNesting(t, convert(t, md, source.String()), source.String())
	})
}
