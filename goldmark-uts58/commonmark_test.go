// SPDX-License-Identifier: MIT

package uts58

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
)

// goldmarkDir returns where goldmark's source is, with its tests.
func goldmarkDir(t testing.TB) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	return strings.TrimSpace(string(out))
}

type example struct {
	Markdown string `json:"markdown"`
	Example  int    `json:"example"`
}

// commonMark returns the examples of the CommonMark specification, as goldmark has them.
func commonMark(t testing.TB) (list []example) {
	data, err := os.ReadFile(filepath.Join(goldmarkDir(t), "_test", "spec.json"))
	if err != nil {
		t.Skip(err)
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 652 {
		t.Fatalf("%d examples", len(list))
	}
	return list
}

// changed are the examples with bare URLs or addresses, which are links then. Of the other bare URLs in the examples, those without a
// known suffix are none, nor is what has white space in it. 606 is an autolink with a backslash, which makes it text with an address.
var changed = []int{602, 606, 608, 611, 612}

// TestCommonMark: nothing else changes in the examples of CommonMark, whatever other extensions there are.
func TestCommonMark(t *testing.T) {
	examples := commonMark(t)
	sets := map[string][]goldmark.Extender{
		"alone": nil, "table": {extension.Table}, "strikethrough": {extension.Strikethrough}, "task list": {extension.TaskList},
		"definition list": {extension.DefinitionList}, "footnote": {extension.Footnote}, "typographer": {extension.Typographer},
		"cjk": {extension.CJK}, "all": append([]goldmark.Extender{extension.CJK}, standard...),
	}
	for name, set := range sets {
		for _, e := range []*Extender{{}, {Isolate: Attr}, {Isolate: None}} {
			options := []goldmark.Option{goldmark.WithExtensions(set...), goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()),
				goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute())}
			without := goldmark.New(options...)
			with := goldmark.New(append(options, goldmark.WithExtensions(e))...)
			var got []int
			for _, x := range examples {
				if convert(t, without, x.Markdown) != convert(t, with, x.Markdown) {
					got = append(got, x.Example)
				}
			}
			if !slices.Equal(got, changed) {
				t.Errorf("%s, Isolate %d: changed %v, want %v", name, e.Isolate, got, changed)
			}
		}
	}
}

// TestLinkify: beside extension.Linkify, all links are ours.
func TestLinkify(t *testing.T) {
	for _, order := range [][]goldmark.Extender{{extension.GFM, &Extender{}}, {&Extender{}, extension.GFM}} {
		md := goldmark.New(goldmark.WithExtensions(order...), goldmark.WithRendererOptions(html.WithUnsafe()))
		for source, want := range map[string]string{
			"https://example.com/a x":                                                    `<a href="https://example.com/a">https://example.com/a</a> x`,
			"see www.example.com, example.com":                                           `see <a href="https://www.example.com">www.example.com</a>, <a href="https://example.com">example.com</a>`,
			"http://foo.invalid http://a_b.example.com:1/":                               `http://foo.invalid http://a_b.example.com:1/`,
			"<a href=x>https://example.com http://foo.invalid</a> <https://example.com>": `<a href=x>https://example.com http://foo.invalid</a> <a href="https://example.com">https://example.com</a>`,
			"https://user@example.com/":                                                  "https://user@example.com/",
			"a@example.com":                                                              `<a href="mailto:a@example.com">a@example.com</a>`,
			"**https://example.com/a**":                                                  `<strong><a href="https://example.com/a">https://example.com/a</a></strong>`,
			"(https://example.com/ä)":                                                    `(<a href="https://example.com/%C3%A4">https://example.com/ä</a>)`,
		} {
			if got := convert(t, md, source); got != "<p>"+want+"</p>\n" {
				t.Errorf("%q\n got %swant %s", source, got, want)
			}
		}
	}
}
