// SPDX-License-Identifier: MIT

package plaintext

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	gmtext "github.com/yuin/goldmark/text"

	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// TestGrowth: steps, bytes that are looked at and written, are linear in the length of the document.
func TestGrowth(t *testing.T) {
	const n = 100 // brackets nest in goldmark only so deep
	md := goldmark.New(extensions(&uts58.Extender{}))
	for name, c := range map[string]struct{ before, piece, between, after string }{
		"words":          {"", "word ", "", ""},
		"no spaces":      {"", "word", "", ""},
		"one ideograph":  {"", "字", "", ""},
		"links":          {"", "https://e.com/a ", "", ""},
		"absorbed":       {"", "<https://e.com/(>", "", ""},
		"notes":          {"", "[a](https://e.com/(b) ", "", ""},
		"labels":         {"", "[https://e.com/a](https://e.com/b)", "", ""},
		"brackets":       {"", "<https://e.com/a>(", "", ""},
		"quotes":         {"", "> ", "", ""},
		"a deep quote":   {strings.Repeat("> ", n), "word\n", "", ""},
		"items":          {"", "- ", "", ""},
		"a deep item":    {strings.Repeat("- ", n), "word ", "", ""},
		"numbers":        {"", "1000000. ", "", ""},
		"lines":          {"", "- a\n", "", ""},
		"paragraphs":     {"", "a\n\n", "", ""},
		"breaks":         {"", "a<br>", "", ""},
		"headings":       {"", "# a\n", "", ""},
		"one heading":    {"# ", "a ", "", ""},
		"cells":          {"", "a|", "", ""},
		"rows":           {"|a|b|\n|-|-|\n", "|c|d|\n", "", ""},
		"a wide table":   {"|" + strings.Repeat("a", 2000) + "|b|\n|-|-|\n", "|c|d|\n", "", ""},
		"labelled cells": {"|head|b|\n|-|-|\n|" + strings.Repeat("a", 100) + "|b|\n", "|c|d|\n", "", ""},
		"footnotes":      {"[^1]: a [b](c)\n\n", "[^1] ", "", ""},
		"combining":      {"", "\u0301", "", ""},
		"emoji":          {"", "👩\u200d", "", ""},
		"regions":        {"", "🇮", "", ""},
		"marks":          {"", "!", "", ""},
		"spaced marks":   {"", "! ", "", ""},
		"soft breaks":    {"", "字\n", "", ""},
		"images":         {"", "![a", "", ""},
		"nested images":  {"", "![b", "", "](a)"},
		"a wide head":    {"|a", "\u0301", "|b|\n|-|-|\n|" + strings.Repeat("a", 100) + "|b|\n", "|c|d|\n"},
		"hyphens":        {"", "-- ", "", ""},
		"struck":         {"", "~~https://e.com/~~", "", ""},
		"code":           {"", "    a\n", "", ""},
		"spans":          {"", "`a` ", "", ""},
	} {
		for _, o := range []Options{{}, {Footnotes: true}, {Flowed: true, Width: 20}} {
			r, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			steps := func(n int) int {
				source := []byte(c.before + strings.Repeat(c.piece, n) + c.between + strings.Repeat(c.after, n))
				return r.render(source, md.Parser().Parse(gmtext.NewReader(source))).steps
			}
			if small, large := steps(n), steps(2*n); large > 22*small/10+50 {
				t.Errorf("%s, %+v: %d steps, then %d", name, o, small, large)
			}
		}
	}
}
