// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/testutil"

	"github.com/bidilink/bidilink/engine/display"
)

var update = flag.Bool("update", false, "write the expected HTML of testdata/*.txt anew")

// standard are the extensions that come with goldmark, but for Linkify.
var standard = []goldmark.Extender{extension.Table, extension.Strikethrough, extension.TaskList, extension.DefinitionList, extension.Footnote,
	extension.Typographer}

// markdown returns a goldmark with the standard extensions, more of them, and raw HTML.
func markdown(more ...goldmark.Extender) goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(standard...), goldmark.WithExtensions(more...), goldmark.WithRendererOptions(html.WithUnsafe()))
}

// convert renders a text.
func convert(t testing.TB, md goldmark.Markdown, source string) string {
	t.Helper()
	var out bytes.Buffer
	if err := md.Convert([]byte(source), &out); err != nil {
		t.Fatalf("%q: %v", source, err)
	}
	return out.String()
}

// The cases are in the format of goldmark's own tests.
func TestCases(t *testing.T) {
	for name, md := range map[string]goldmark.Markdown{
		"cases": markdown(&Extender{}),
		// extension.Linkify beside it changes nothing, before or behind it.
		"cases with Linkify":        markdown(&Extender{}, extension.Linkify),
		"cases with Linkify before": markdown(extension.Linkify, &Extender{}),
		"gfm with Linkify":          goldmark.New(goldmark.WithExtensions(&Extender{GFM: true}, extension.Linkify), goldmark.WithRendererOptions(html.WithUnsafe())),
		"cjk":                       goldmark.New(goldmark.WithExtensions(extension.GFM, extension.CJK, &Extender{})),
		"attr":                      markdown(&Extender{Isolate: Attr}),
		"none":                      markdown(&Extender{Isolate: None}),
		"mail":                      markdown(&Extender{Profile: display.Mail}),
		"gfm":                       goldmark.New(goldmark.WithExtensions(&Extender{GFM: true}), goldmark.WithRendererOptions(html.WithUnsafe())),
		"safe":                      goldmark.New(goldmark.WithExtensions(&Extender{})),
	} {
		name, with, _ := strings.Cut(name, " ")
		file := filepath.Join("testdata", name+".txt")
		if *update && with == "" {
			rewrite(t, md, file)
		}
		testutil.DoTestCaseFile(md, file, t)
	}
}

const (
	attributeSeparator = "\n//- - - - - - - - -//\n"
	caseSeparator      = "\n//= = = = = = = = = = = = = = = = = = = = = = = =//\n"
)

// rewrite writes the expected HTML of a file of cases anew.
func rewrite(t *testing.T, md goldmark.Markdown, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for c := range strings.SplitSeq(string(data), caseSeparator) {
		parts := strings.SplitN(c, attributeSeparator, 3)
		if len(parts) < 3 {
			continue
		}
		source := parts[1]
		if strings.Contains(parts[0], "enableEscape") {
			source = strings.NewReplacer(`\\`, `\`, `\r`, "\r", `\n`, "\n", `\t`, "\t", `\x00`, "\x00").Replace(source)
		}
		html := strings.TrimSuffix(convert(t, md, source), "\n")
		if strings.Contains(parts[0], "enableEscape") {
			html = strings.NewReplacer(`\`, `\\`, "\r", `\r`, "\t", `\t`).Replace(html)
		}
		out.WriteString(strings.TrimLeft(parts[0], "\n") + attributeSeparator + parts[1] + attributeSeparator + html + caseSeparator + "\n\n\n")
	}
	if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
