// SPDX-License-Identifier: MIT

package plaintext_test

import (
	"log"
	"os"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/goldmark-uts58/plaintext"
)

const letter = `# News

See https://hi.wikipedia.org/wiki/%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80 and [our **new** site](https://example.com/new_(2)), which has
more about all this.

- [write to us](mailto:info@example.com)
`

func Example() {
	r, err := plaintext.New(plaintext.Options{})
	if err != nil {
		log.Fatal(err)
	}
	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{}), goldmark.WithRenderer(r))
	if err := md.Convert([]byte(letter), os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// News
	// ====
	//
	// See https://hi.wikipedia.org/wiki/गांधी and our new site
	// <https://example.com/new_(2)>, which has more about all this.
	//
	// * write to us <info@example.com>
}

func ExampleOptions_footnotes() {
	r, err := plaintext.New(plaintext.Options{Footnotes: true, Width: 40})
	if err != nil {
		log.Fatal(err)
	}
	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{}), goldmark.WithRenderer(r))
	if err := md.Convert([]byte(letter), os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// News
	// ====
	//
	// See https://hi.wikipedia.org/wiki/गांधी
	// and our new site [1], which has more
	// about all this.
	//
	// * write to us [2]
	//
	// [1] https://example.com/new_(2)
	// [2] info@example.com
}

// Both halves of a letter from one tree: what the hook adds to the addresses is in the HTML only.
func ExampleRenderer_Render() {
	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{Link: func(l *uts58.Link) bool {
		l.Href += "?utm_source=letter"
		return true
	}}))
	r, err := plaintext.New(plaintext.Options{})
	if err != nil {
		log.Fatal(err)
	}
	source := []byte("See example.com/news.\n")
	var doc ast.Node = md.Parser().Parse(text.NewReader(source))
	if err := md.Renderer().Render(os.Stdout, source, doc); err != nil {
		log.Fatal(err)
	}
	if err := r.Render(os.Stdout, source, doc); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <p>See <a href="https://example.com/news?utm_source=letter">example.com/news</a>.</p>
	// See example.com/news.
}
