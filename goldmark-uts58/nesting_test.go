// SPDX-License-Identifier: MIT

package uts58

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// checkNesting complains about an anchor of ours in an element where none must be, as a browser parses it.
func checkNesting(t testing.TB, out, source string) {
	t.Helper()
	for _, scripting := range []bool{true, false} {
		doc, err := html.ParseWithOptions(strings.NewReader(out), html.ParseOptionEnableScripting(scripting))
		if err != nil {
			return // too deep
		}
		var walk func(n *html.Node, in string)
		walk = func(n *html.Node, in string) {
			if n.Type == html.ElementNode {
				switch n.Data {
				case "a", "button", "label", "summary", "code", "pre", "kbd", "samp", "var", "tt", "select", "textarea", "svg", "math", "template", "script", "style":
					if in != "" && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == ours }) {
						t.Errorf("an anchor of ours in %s\nsource %q\nHTML %s", in, source, out)
						return
					}
					in = n.Data
				}
				if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "contenteditable" && a.Val != "false" }) {
					in = n.Data + " contenteditable"
				}
			}
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				walk(c, in)
			}
		}
		walk(doc, "")
	}
	// A parser closes an anchor before the next: what it makes of nested ones are others, side by side.
	depth := 0
	for z := html.NewTokenizer(strings.NewReader(out)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken:
			if name, attr := z.TagName(); string(name) == "a" {
				of := false
				for attr {
					var key []byte
					key, _, attr = z.TagAttr()
					of = of || string(key) == ours
				}
				if depth > 0 && of {
					t.Errorf("an anchor of ours in another\nsource %q\nHTML %s", source, out)
					return
				}
				depth = 1
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" {
				depth = 0
			}
		}
	}
}
