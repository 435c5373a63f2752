// SPDX-License-Identifier: MIT

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohugoio/hugo/commands"
	"github.com/gohugoio/hugo/markup/converter"
	"github.com/yuin/goldmark"
)

// TestCustom builds the site with Hugo and our links.
func TestCustom(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("site")); err != nil {
		t.Fatal(err)
	}
	install()
	if err := commands.Execute([]string{"--source", dir, "--quiet"}); err != nil {
		t.Fatal(err)
	}
	for name, parts := range map[string][]string{
		"ar": {
			// The heading has a link, its id is that which Hugo gives it by itself, and the table of contents knows it.
			`<a href="#انظر-httpsexamplecoma_b-أولا">انظر https://example.com/a_(b) أولا</a></li>`,
			`<h2 id="انظر-httpsexamplecoma_b-أولا">انظر <bdi dir="ltr"><a href="https://example.com/a_%28b%29">https://example.com/a_(b)</a></bdi> أولا</h2>`,
			`<bdi dir="ltr"><a href="mailto:info@example.com">info@example.com</a></bdi>، `,
			`<bdi dir="ltr"><a href="http://xn--mgbh0fb.xn--mgberp4a5d4ar/%D9%83%D8%AA%D8%A7%D8%A8">http://مثال.السعودية/كتاب</a></bdi>.`,
			`<bdi><a href="https://example.com/book">book</a></bdi>`,
			`<code>https://example.com</code>`, ` README.md.`,
		},
		"he": {`<bdi dir="ltr"><a href="http://xn--6dbbec0c.xn--4dbrk0ce/%D7%A1%D7%A4%D7%A8/%D7%A2%D7%9E%D7%95%D7%93">http://דוגמה.ישראל/ספר/עמוד</a></bdi>, `},
		"":   {`<bdi dir="ltr"><a href="http://xn--6dbbec0c.xn--4dbrk0ce/%D7%A1%D7%A4%D7%A8/%D7%A2%D7%9E%D7%95%D7%93">http://דוגמה.ישראל/ספר/עמוד</a></bdi>, `},
	} {
		data, err := os.ReadFile(filepath.Join(dir, "public", name, "links", "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(string(data), part) {
				t.Errorf("%s/links/index.html has no %s:\n%s", name, part, data)
			}
		}
	}
}

// Converters that are not as we expect them are errors, not panics.
type (
	noField    struct{ converter.Converter }
	otherField struct {
		converter.Converter
		md string
	}
	nilField struct {
		converter.Converter
		md goldmark.Markdown
	}
)

func TestOtherHugo(t *testing.T) {
	for _, c := range []converter.Converter{nil, noField{}, &noField{}, &otherField{md: "x"}, &nilField{}, (*nilField)(nil), converter.NopConverter} {
		if md, err := markdown(c); err == nil || !strings.Contains(err.Error(), "this version of Hugo does not fit") {
			t.Errorf("%T: %v, %v", c, md, err)
		}
	}
	want := goldmark.New()
	if md, err := markdown(&nilField{md: want}); md != want || err != nil {
		t.Errorf("a converter that fits: %v, %v", md, err)
	}
}
