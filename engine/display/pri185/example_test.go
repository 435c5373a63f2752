// SPDX-License-Identifier: MIT

package pri185_test

import (
	"fmt"

	"github.com/bidilink/bidilink/engine/display/pri185"
)

func ExampleAll() {
	const text = "See http://example.com/a?b, or write to info@example.com."
	for m := range pri185.All(text, pri185.Options{}) {
		fmt.Println(m.Kind, m.In(text))
	}
	// Output:
	// iri http://example.com/a?b
	// email info@example.com
}

func ExampleFind() {
	const text = "(https://example.com/path?query#fragment)"
	m, ok := pri185.Find(text, 0, pri185.Options{})
	fmt.Println(ok, m.Scheme.In(text), m.Domain.In(text), m.Path.In(text), m.Query.In(text), m.Fragment.In(text))
	// Output:
	// true https:// example.com /path ?query #fragment
}

func ExampleFileNames() {
	const text = `Open "C:\מסמכים\report.txt" and/or /home/a/قائمة.txt.`
	for s := range pri185.FileNames(text) {
		fmt.Println(s.In(text))
	}
	// Output:
	// C:\מסמכים\report.txt
	// /home/a/قائمة.txt
}

// By the letter of the issue, every word is a file name, and what is excluded at the end differs from its draft.
func ExampleOptions() {
	const text = "example.com/foo!! bar"
	for _, o := range []pri185.Options{{}, {Strict: true}, {Draft: true}} {
		var found []string
		for m := range pri185.All(text, o) {
			found = append(found, m.In(text))
		}
		fmt.Printf("%q\n", found)
	}
	// Output:
	// ["example.com/foo"]
	// ["example.com/foo" "bar"]
	// ["example.com/foo!"]
}
