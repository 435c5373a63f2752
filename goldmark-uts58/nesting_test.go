// SPDX-License-Identifier: MIT

package uts58

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// checkNesting complains about an anchor of ours in an element where none must be, as a tokenizer sees it. Anchors of ours are those with an
// address that begins with a scheme or mailto.
func checkNesting(t testing.TB, out, source string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *html.Node, in string)
	walk = func(n *html.Node, in string) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "a", "button", "label", "code", "pre", "kbd", "samp", "select", "textarea", "svg", "math", "template", "script", "style":
				if in != "" && n.Data == "a" {
					t.Errorf("an anchor in %s\nsource %q\nHTML %s", in, source, out)
					return
				}
				in = n.Data
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, in)
		}
	}
	walk(doc, "")
}
