// SPDX-License-Identifier: MIT

package htmlwalk_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/htmlwalk"
)

func ExampleRewrite() {
	const page = `<p>See example.com, <code>example.org</code> and http://مثال.السعودية/كتاب.</p>
`
	stats, err := htmlwalk.Rewrite(os.Stdout, strings.NewReader(page), htmlwalk.Options{})
	fmt.Println(stats.Links, stats.Isolated, err)
	// Output:
	// <p>See <a href="https://example.com">example.com</a>, <code>example.org</code> and <bdi dir="ltr"><a href="http://xn--mgbh0fb.xn--mgberp4a5d4ar/%D9%83%D8%AA%D8%A7%D8%A8">http://<bdi dir="ltr">مثال</bdi>.<bdi dir="ltr">السعودية</bdi>/<bdi dir="ltr">كتاب</bdi></a></bdi>.</p>
	// 2 1 <nil>
}

func ExampleOptions() {
	o := htmlwalk.Options{
		Links:   engine.Options{Bare: engine.BareWWW, NoEmail: true},
		Isolate: display.IsolateAll,
	}
	htmlwalk.Rewrite(os.Stdout, strings.NewReader("example.com, www.example.com, me@example.com"), o)
	// Output:
	// example.com, <bdi dir="ltr"><a href="https://www.example.com">www.example.com</a></bdi>, me@example.com
}

func ExampleStats() {
	const page = "<p>example.com\n<plaintext>\n<p>example.org\n"
	stats, _ := htmlwalk.Rewrite(os.Stdout, strings.NewReader(page), htmlwalk.Options{})
	fmt.Printf("copied from line %d on: %v\n", stats.Copied.Line, stats.Copied.Reason)
	// Output:
	// <p><a href="https://example.com">example.com</a>
	// <plaintext>
	// <p>example.org
	// copied from line 2 on: a plaintext element
}

func ExampleNew() {
	rw, err := htmlwalk.New(htmlwalk.Options{Attributes: []htmlwalk.Attribute{{Name: "rel", Value: "nofollow"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, doc := range []string{"<p>See example.com.", "<p>And example.org.\n"} {
		if _, err := rw.Rewrite(os.Stdout, strings.NewReader(doc)); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// <p>See <a href="https://example.com" rel="nofollow">example.com</a>.<p>And <a href="https://example.org" rel="nofollow">example.org</a>.
}

func ExampleRewriter_Append() {
	rw, err := htmlwalk.New(htmlwalk.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var page []byte // used again for each document
	for _, doc := range []string{"<p>See example.com.", "<p>And nothing."} {
		var stats htmlwalk.Stats
		page, stats, err = rw.Append(page[:0], []byte(doc))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d: %s\n", stats.Links, page)
	}
	// Output:
	// 1: <p>See <a href="https://example.com">example.com</a>.
	// 0: <p>And nothing.
}
