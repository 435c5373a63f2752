// SPDX-License-Identifier: MIT

package frontmatter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/goldmark-uts58/frontmatter"
)

func ExampleText() {
	fmt.Printf("%s", frontmatter.Text([]byte("---\ntitle: News\n---\n# News\n")))
	// Output: # News
}

func TestText(t *testing.T) {
	for _, c := range []struct{ data, rest string }{
		{"---\na: b\n---\nx", "x"},
		{"--- \r\na: b\r\n...\r\nx", "x"},
		{"+++\na = 'b'\n+++\nx\n", "x\n"},
		{"+++\n\na = 'b'\n+++\n", ""},
		{"{\"a\": {\"b\": \"}\"}}\nx", "x"},
		{"{\n  \"a\": 1\n}\n\nx", "\nx"},
		{"---\n\nx\n\n---\ny", ""},
		{"---\nx", ""},
		{"+++\nx", ""},
		{"{x}\ny", ""},
		{"{\"a\": 1} x", ""},
		{"x\n---\na: b\n---\n", ""},
		{"--- x\n---\n", ""},
		{"", ""},
	} {
		want := c.rest
		if want == "" && !strings.HasPrefix(c.data, "+++\n\n") {
			want = c.data
		}
		if got := string(frontmatter.Text([]byte(c.data))); got != want {
			t.Errorf("%q: %q, want %q", c.data, got, want)
		}
	}
}
