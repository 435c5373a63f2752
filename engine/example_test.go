// SPDX-License-Identifier: MIT

package engine_test

import (
	"fmt"
	"log"

	"github.com/bidilink/bidilink/engine"
)

func Example() {
	d, err := engine.New(engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text := "Смотри пример.рф/путь (или example.com/a_(b)), пиши на desk@example.com."
	for l := range d.Links(text) {
		fmt.Println(l.Kind, l.In(text), string(d.AppendHref(nil, text, l)))
	}
	// Output:
	// url пример.рф/путь https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C
	// url example.com/a_(b) https://example.com/a_(b)
	// email desk@example.com mailto:desk@example.com
}

func ExampleNew() {
	_, err := engine.New(engine.Options{Schemes: []string{"ftp", "javascript"}})
	fmt.Println(err)
	// Output:
	// engine: Schemes: "javascript" is refused: links of that scheme run code or read local data
}

func ExampleDetector_Find() {
	d, _ := engine.New(engine.Options{})
	text := "http://example.com:8080/path?query#fragment, and so on"
	if l, ok := d.Find(text, 0); ok {
		for _, part := range []engine.Span{l.Scheme, l.Host, l.Port, l.Path, l.Query, l.Fragment} {
			fmt.Println(part.In(text))
		}
	}
	// Output:
	// http://
	// example.com
	// :8080
	// /path
	// ?query
	// #fragment
}

func ExampleDetector_Segments() {
	d, _ := engine.New(engine.Options{})
	text := "see example.com, please"
	for s := range d.Segments(text) {
		fmt.Printf("%s %q\n", s.Kind, s.In(text))
	}
	// Output:
	// none "see "
	// url "example.com"
	// none ", please"
}

func ExampleDetector_LinksBytes() {
	d, _ := engine.New(engine.Options{})
	for l := range d.LinksBytes([]byte("see example.com")) {
		fmt.Println(l.Start, l.End)
	}
	// Output:
	// 4 15
}

func ExampleDetector_AppendLinks() {
	d, _ := engine.New(engine.Options{Bare: engine.BareWWW})
	fmt.Println(len(d.AppendLinks(nil, "www.example.com, example.org, https://example.net")))
	// Output:
	// 2
}

// Another detector stopped at the first letter beyond ASCII.
func ExampleDetector_Extend() {
	d, _ := engine.New(engine.Options{})
	text := "http://intranet/straße, siehe dort"
	l, _ := d.Extend(text, 0, len("http://intranet/stra"))
	fmt.Println(l.In(text))
	// Output:
	// http://intranet/straße
}

func ExampleDetector_Stop() {
	d, _ := engine.New(engine.Options{})
	text := "(see example.com/a)."
	l, _ := d.Find(text, 0)
	s := d.Stop(text, l)
	fmt.Printf("%q is %s: %s\n", s.Rune, s.Term, s.Rule)
	// Output:
	// ')' is Close: a Close that matches no Open
}
