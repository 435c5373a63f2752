// SPDX-License-Identifier: MIT

package engine_test

import (
	"errors"
	"fmt"

	"github.com/bidilink/bidilink/engine"
)

func ExampleFormat() {
	fmt.Println(engine.Format(engine.Parts{
		Scheme: "https",
		Host:   "hi.wikipedia.org",
		Path:   []string{"wiki", "महात्मा_गांधी", "A/B (100%)."},
	}))
	fmt.Println(engine.Format(engine.Parts{Local: "δοκιμή", Host: "παράδειγμα.ελ"}))
	// Output:
	// https://hi.wikipedia.org/wiki/महात्मा_गांधी/A%2FB%20(100%)%2E
	// δοκιμή@παράδειγμα.ελ
}

func ExampleFormatURL() {
	for _, url := range []string{
		"https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE_%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80",
		"https://example.com/a%28b%29%29?c=d%26e",
		"https://example.com/a%E2%80%AEb%20c.",
	} {
		s, err := engine.FormatURL(url)
		fmt.Println(s, err)
	}
	// Output:
	// https://hi.wikipedia.org/wiki/महात्मा_गांधी <nil>
	// https://example.com/a(b)%29?c=d%26e <nil>
	// https://example.com/a%E2%80%AEb%20c%2E <nil>
}

func ExampleFormatOptions_AppendURL() {
	o := engine.FormatOptions{Lookalikes: true}
	dst, err := o.AppendURL(nil, "https://example.com/a⁄b？c")
	fmt.Println(string(dst), err)

	_, err = o.AppendURL(nil, "https://user:password@example.com/")
	fmt.Println(errors.Is(err, engine.ErrURL), err)
	// Output:
	// https://example.com/a%E2%81%84b%EF%BC%9Fc <nil>
	// true engine: not a URL: user information
}

func ExampleFormatOptions_AppendParts() {
	p := engine.Parts{
		Host:  "example.com",
		Query: []engine.Pair{{Key: "q", Value: "R&D = ∞?"}, {Key: "debug"}},
	}
	fmt.Printf("%s\n", engine.FormatOptions{}.AppendParts(nil, p))
	// Output:
	// example.com?q=R%26D%20%3D%20∞?&debug
}

func ExampleParseParts() {
	p, err := engine.ParseParts("https://example.com:8080/α/β%2Fγ?q=a+b&x#top:~:text=Reserved,into")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q %q %q\n", p.Scheme, p.Host, p.Port)
	fmt.Printf("%q\n", p.Path)
	fmt.Printf("%+v\n", p.Query)
	fmt.Printf("%q %q\n", p.Fragment, p.Directives)
	// Output:
	// "https" "example.com" "8080"
	// ["α" "β/γ"]
	// [{Key:q Value:a b HasValue:true} {Key:x Value: HasValue:false}]
	// "top" ["text=Reserved,into"]
}

func ExampleReadable() {
	fmt.Println(engine.Readable("https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C%2F%D0%BA"))
	// Output:
	// https://пример.рф/путь%2Fк
}

func ExampleDetector_AppendHref() {
	d, err := engine.New(engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := `See http://пример.рф/"путь" and info@пример.рф.`
	for l := range d.Links(text) {
		fmt.Printf("%s\n%s\n", l.In(text), d.AppendHref(nil, text, l))
	}
	// Output:
	// http://пример.рф/"путь
	// http://xn--e1afmkfd.xn--p1ai/%22%D0%BF%D1%83%D1%82%D1%8C
	// info@пример.рф
	// mailto:info@xn--e1afmkfd.xn--p1ai
}
