// SPDX-License-Identifier: MIT

package mailfilter_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/bidilink/bidilink/mailfilter"
)

func Example() {
	const message = `Subject: a page
Content-Type: text/html; charset=utf-8

<p>See http://example.com/שלום today.</p>
`
	report, err := mailfilter.Rewrite(os.Stdout, strings.NewReader(message), mailfilter.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Result, report.Links)
	// Output:
	// Subject: a page
	// Content-Type: text/html; charset=utf-8
	//
	// <p>See <bdi dir="ltr"><a href="http://example.com/%D7%A9%D7%9C%D7%95%D7%9D"><span dir="ltr">http://example.com/שלום</span></a></bdi> today.</p>
	// modified 1
}

func ExampleRewriteMessage() {
	signed := []byte("Content-Type: multipart/signed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>http://example.com/\n--b--\n")
	_, report, err := mailfilter.RewriteMessage(signed, mailfilter.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Result, report.Reason)
	// Output: skipped signed
}

func ExampleAppendMessage() {
	room := make([]byte, 0, 64<<10) // for one message after the other
	for _, message := range []string{
		"Content-Type: text/html\n\n<p>www.example.com\n",
		"Content-Type: text/html\n\n<p>nothing to do\n",
	} {
		out, report, err := mailfilter.AppendMessage(room[:0], []byte(message), mailfilter.Options{})
		if err != nil {
			log.Fatal(err)
		}
		if report.Result == mailfilter.Modified {
			fmt.Printf("%s", out)
		} else {
			fmt.Printf("%v, %d bytes\n", report.Result, len(out))
		}
	}
	// Output:
	// Content-Type: text/html
	//
	// <p><a href="https://www.example.com">www.example.com</a>
	// unchanged, 0 bytes
}

func ExampleHeader() {
	reason, err := mailfilter.Header([]byte("Subject: x\r\nContent-Type: text/plain\r\n"), mailfilter.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reason)
	// Output: no-candidate
}
