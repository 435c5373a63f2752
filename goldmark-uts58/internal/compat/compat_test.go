// SPDX-License-Identifier: MIT

package compat

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	emoji "github.com/yuin/goldmark-emoji"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// TestVersion: the version is that of the root module. Another module must not bring another goldmark in.
func TestVersion(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Skip("no build information")
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/yuin/goldmark" && !strings.Contains(string(data), m.Path+" "+m.Version+"\n") {
			t.Errorf("goldmark %s is not that of the root module", m.Version)
		}
	}
}

func convert(t *testing.T, md goldmark.Markdown, source string) string {
	t.Helper()
	var out bytes.Buffer
	if err := md.Convert([]byte(source), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEmoji(t *testing.T) {
	for _, order := range [][]goldmark.Extender{{emoji.Emoji, &uts58.Extender{}}, {&uts58.Extender{}, emoji.Emoji}} {
		md := goldmark.New(goldmark.WithExtensions(order...))
		for source, want := range map[string]string{
			"https://example.com/:smile:/x :smile:": `<a href="https://example.com/:smile:/x">https://example.com/:smile:/x</a> &#x1f604;`,
			"example.com:smile:":                    `<a href="https://example.com">example.com</a>&#x1f604;`,
			":smile:example.com":                    `&#x1f604;<a href="https://example.com">example.com</a>`,
			"example.com/a:+1:b@c.com :+1:":         `<a href="https://example.com/a:+1:b@c.com">example.com/a:+1:b@c.com</a> &#x1f44d;`,
		} {
			if got := convert(t, md, source); got != "<p>"+want+"</p>\n" {
				t.Errorf("%q\n got %swant %s", source, got, want)
			}
		}
	}
}

func TestHighlighting(t *testing.T) {
	const source = "```go\nx := \"https://example.com\"\n```\n\nhttps://example.com/_a_\n"
	without := convert(t, goldmark.New(goldmark.WithExtensions(highlighting.Highlighting)), source)
	with := convert(t, goldmark.New(goldmark.WithExtensions(highlighting.Highlighting, &uts58.Extender{})), source)
	without = strings.Replace(without, "<p>https://example.com/<em>a</em></p>", `<p><a href="https://example.com/_a_">https://example.com/_a_</a></p>`, 1)
	if with != without {
		t.Errorf("got %s\nwant %s", with, without)
	}
}

// TestCommonMark: in the examples of CommonMark, only those with bare addresses change.
func TestCommonMark(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Skip(err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	if err != nil {
		t.Skip(err)
	}
	var examples []struct {
		Markdown string
		Example  int
	}
	if err := json.Unmarshal(data, &examples); err != nil {
		t.Fatal(err)
	}
	options := []goldmark.Option{goldmark.WithRendererOptions(html.WithUnsafe()),
		goldmark.WithExtensions(emoji.Emoji, highlighting.Highlighting, extension.Typographer, extension.Footnote, extension.Table)}
	without := goldmark.New(options...)
	with := goldmark.New(append(options, goldmark.WithExtensions(&uts58.Extender{}))...)
	var changed []int
	for _, x := range examples {
		if convert(t, without, x.Markdown) != convert(t, with, x.Markdown) {
			changed = append(changed, x.Example)
		}
	}
	if want := []int{602, 606, 608, 611, 612}; !slices.Equal(changed, want) || len(examples) != 652 {
		t.Errorf("changed %v of %d, want %v", changed, len(examples), want)
	}
}
