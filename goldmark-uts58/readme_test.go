// SPDX-License-Identifier: MIT

package uts58_test

import (
	"bytes"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"

	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

var (
	readmeRow    = regexp.MustCompile("(?m)^\\|[^|]*\\| `([^|]*)` \\| `([^|]*)` \\|$")
	readmeAnchor = regexp.MustCompile(`<a [^>]*>`)
)

// The table of differences in README.md.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := readmeRow.FindAllStringSubmatch(string(readme), -1)
	if len(rows) != 18 {
		t.Errorf("%d rows, want 18", len(rows))
	}
	for _, row := range rows {
		for i, e := range []*uts58.Extender{{Isolate: uts58.None}, {Isolate: uts58.None, GFM: true}} {
			want := row[i+1]
			source := strings.NewReplacer("⸠", "", "⸡", "").Replace(want)
			var out bytes.Buffer
			if err := goldmark.New(goldmark.WithExtensions(e)).Convert([]byte(source), &out); err != nil {
				t.Fatal(err)
			}
			got := strings.TrimSuffix(strings.TrimPrefix(out.String(), "<p>"), "</p>\n")
			got = html.UnescapeString(strings.ReplaceAll(readmeAnchor.ReplaceAllString(got, "⸠"), "</a>", "⸡"))
			if got != want {
				t.Errorf("%s, GFM %v\n got  %s\n want %s", source, e.GFM, got, want)
			}
		}
	}
}
