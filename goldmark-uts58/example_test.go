// SPDX-License-Identifier: MIT

package uts58_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

func convert(md goldmark.Markdown, source string) {
	if err := md.Convert([]byte(source), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func Example() {
	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{}))
	convert(md, "See **https://example.com/a_(b)**, http://пример.рф/я or info@example.com; not README.md.\n")
	convert(md, "ראו http://דוגמה.ישראל/א\n")
	// Output:
	// <p>See <strong><a href="https://example.com/a_(b)">https://example.com/a_(b)</a></strong>, <a href="http://xn--e1afmkfd.xn--p1ai/%D1%8F">http://пример.рф/я</a> or <a href="mailto:info@example.com">info@example.com</a>; not README.md.</p>
	// <p>ראו <bdi dir="ltr"><a href="http://xn--6dbbec0c.xn--4dbrk0ce/%D7%90">http://<bdi dir="ltr">דוגמה</bdi>.<bdi dir="ltr">ישראל</bdi>/<bdi dir="ltr">א</bdi></a></bdi></p>
}

// With the other extensions of GFM. extension.GFM would do as well: where its Linkify finds what we find, ours is the link.
func ExampleExtender() {
	md := goldmark.New(goldmark.WithExtensions(
		extension.Table, extension.Strikethrough, extension.TaskList,
		&uts58.Extender{
			Links: engine.Options{Bare: engine.BareWWW, Schemes: []string{"tel"}},
			Dir:   display.RTL,
		},
	))
	convert(md, "- [ ] example.com, www.example.com, tel:+1-201-555-0123\n")
	// Output:
	// <ul>
	// <li><input disabled="" type="checkbox"> example.com, <bdi dir="ltr"><a href="https://www.example.com">www.example.com</a></bdi>, <bdi dir="ltr"><a href="tel:+1-201-555-0123">tel:+1-201-555-0123</a></bdi></li>
	// </ul>
}

// Exactly the links of GitHub Flavored Markdown, isolated where that is needed.
func ExampleExtender_gfm() {
	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{GFM: true}))
	convert(md, "www.example.com/a. example.com http://example.com/~a~\n")
	// Output:
	// <p><a href="http://www.example.com/a">www.example.com/a</a>. example.com <a href="http://example.com/~a">http://example.com/~a</a>~</p>
}

func ExampleExtender_Check() {
	fmt.Println((&uts58.Extender{Links: engine.Options{Schemes: []string{"javascript"}}}).Check())
	// Output:
	// uts58: Links: engine: Schemes: "javascript" is refused: links of that scheme run code or read local data
}

func ExampleExtender_Extend() {
	md := goldmark.New()
	(&uts58.Extender{Isolate: uts58.None}).Extend(md)
	convert(md, "http://דוגמה.ישראל/א\n")
	// Output:
	// <p><a href="http://xn--6dbbec0c.xn--4dbrk0ce/%D7%90">http://דוגמה.ישראל/א</a></p>
}

// The three modes.
func ExampleMode() {
	for _, mode := range []uts58.Mode{uts58.Bdi, uts58.Attr, uts58.None} {
		convert(goldmark.New(goldmark.WithExtensions(&uts58.Extender{Isolate: mode})), "http://דוגמה.com/\n")
	}
	// Output:
	// <p><bdi dir="ltr"><a href="http://xn--6dbbec0c.com/">http://דוגמה.com/</a></bdi></p>
	// <p><a href="http://xn--6dbbec0c.com/" dir="ltr">http://דוגמה.com/</a></p>
	// <p><a href="http://xn--6dbbec0c.com/">http://דוגמה.com/</a></p>
}

// A hook that marks links to other sites, counts clicks on them, and leaves one out.
func ExampleLink() {
	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{
		Link: func(l *uts58.Link) bool {
			switch host := l.Host.In(l.Text); {
			case host == "example.net":
				return false
			case l.Kind == engine.URL && host != "example.com":
				l.Attributes = []uts58.Attribute{{Name: "class", Value: "external"}, {Name: "target", Value: "_blank"}}
				l.Href = "https://example.com/out?to=" + strings.TrimPrefix(l.Href, "https://")
			}
			return true
		},
	}))
	convert(md, "example.com example.org example.net\n")
	// Output:
	// <p><a href="https://example.com">example.com</a> <a href="https://example.com/out?to=example.org" class="external" target="_blank" rel="noopener">example.org</a> example.net</p>
}

func ExampleAttribute() {
	nofollow := func(l *uts58.Link) bool {
		l.Attributes = append(l.Attributes, uts58.Attribute{Name: "rel", Value: "nofollow ugc"})
		return true
	}
	convert(goldmark.New(goldmark.WithExtensions(&uts58.Extender{Link: nofollow})), "example.com\n")
	// Output:
	// <p><a href="https://example.com" rel="nofollow ugc">example.com</a></p>
}

// A renderer of one's own for a part of the tree, here the first heading, needs to know the elements that isolate links.
func ExampleNewRenderer() {
	source := []byte("# ראו http://דוגמה.com\n\nText.\n")
	doc := goldmark.New(goldmark.WithExtensions(&uts58.Extender{})).Parser().Parse(text.NewReader(source))
	r := renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(html.NewRenderer(), 1000),
		util.Prioritized(uts58.NewRenderer(), 500),
	))
	if err := r.Render(os.Stdout, source, doc.FirstChild()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// <h1>ראו <bdi dir="ltr"><a href="http://xn--6dbbec0c.com">http://דוגמה.com</a></bdi></h1>
}

// The links of a document, and which of them are isolated.
func ExampleElement() {
	source := []byte("ראו http://דוגמה.com\n\nSee example.com\n")
	doc := goldmark.New(goldmark.WithExtensions(&uts58.Extender{})).Parser().Parse(text.NewReader(source))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			dir := "none"
			if e, ok := link.Parent().(*uts58.Element); ok {
				dir = e.Dir.String()
			}
			fmt.Printf("%s at %d: %s\n", link.Destination, link.Pos(), dir)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// http://xn--6dbbec0c.com at 7: ltr
	// https://example.com at 34: none
}

// How many links of a document are isolated.
func ExampleKindElement() {
	source := []byte("ראו http://דוגמה.com\n\nSee example.com\n")
	doc := goldmark.New(goldmark.WithExtensions(&uts58.Extender{Order: display.Embedding})).Parser().Parse(text.NewReader(source))
	count := map[ast.NodeKind]int{}
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			count[n.Kind()]++
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(count[uts58.KindElement], "of", count[ast.KindLink])
	// Output:
	// 1 of 2
}

func ExampleElement_Kind() {
	fmt.Println((&uts58.Element{Tag: "bdi"}).Kind(), uts58.KindElement)
	// Output:
	// UTS58Element UTS58Element
}

// What the tree of a document looks like.
func ExampleElement_Dump() {
	source := []byte("http://דוגמה.com\n")
	doc := goldmark.New(goldmark.WithExtensions(&uts58.Extender{Order: display.Embedding})).Parser().Parse(text.NewReader(source))
	doc.FirstChild().FirstChild().Dump(source, 0)
	// Output:
	// UTS58Element {
	//     Pos: 0
	//     Tag: bdi
	//     Dir: ltr
	//     Link {
	//         Pos: 0
	//         Destination: http://xn--6dbbec0c.com
	//         Text {
	//             Pos: 0
	//             Value: "http://דוגמה.com"
	//         }
	//     }
	// }
}
