// SPDX-License-Identifier: MIT

package attrs

import (
	"slices"
	"testing"
)

func TestWrong(t *testing.T) {
	for _, name := range []string{"rel", "target", "class", "id", "title", "data-x", "data-a_b2", "hreflang", "referrerpolicy", "lang", "download"} {
		if w := Wrong(name, `a"<>&' é`); w != "" {
			t.Errorf("%s: %s", name, w)
		}
	}
	for _, name := range []string{
		"", "href", "dir", "style", "onclick", "on", "src", "srcdoc", "srcset", "attributionsrc", "formaction", "action", "ping", "is",
		"x y", "a=b", "a>", `a"`, "a/b", "1a", "-a", "é", "a\x00", "a\n", "xlink:href", "<",
	} {
		if Wrong(name, "x") == "" {
			t.Errorf("%q is accepted", name)
		}
	}
	for _, value := range []string{"\x00", "a\nb", "a\rb", "\t", "\x7f", "\u0085", "\xff", "\u2028"} {
		if Wrong("title", value) == "" {
			t.Errorf("value %q is accepted", value)
		}
	}
}

func TestClean(t *testing.T) {
	type list = []Attribute
	for _, c := range []struct{ in, want list }{
		{nil, list{}},
		{list{{"CLASS", "a"}, {"class", "b"}, {"onclick", "x"}}, list{{"class", "a"}}},
		{list{{"target", "_BLANK"}}, list{{"target", "_BLANK"}, {"rel", "noopener"}}},
		{list{{"rel", "nofollow"}, {"target", "_blank"}}, list{{"rel", "nofollow noopener"}, {"target", "_blank"}}},
		{list{{"rel", ""}, {"target", "_blank"}}, list{{"rel", "noopener"}, {"target", "_blank"}}},
		{list{{"rel", "x NoReferrer"}, {"target", "_blank"}}, list{{"rel", "x NoReferrer"}, {"target", "_blank"}}},
		{list{{"rel", "a\x00"}, {"target", "_blank"}}, list{{"target", "_blank"}, {"rel", "noopener"}}},
		{list{{"target", "_self"}, {"target", "_blank"}}, list{{"target", "_self"}}},
	} {
		if got := Clean(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestHref(t *testing.T) {
	schemes := []string{"http", "https", "mailto"}
	for _, href := range []string{"http://e.com", "HTTPS://e.com/a:b", "mailto:a@e.com", "/x", "//e.com", "?a:b", "#x:y", "x", "/a:b", "http://מ.com/é"} {
		if !Href(href, schemes) {
			t.Errorf("%q is refused", href)
		}
	}
	for _, href := range []string{
		"", "javascript:x", "JavaScript:x", "data:x", "vbscript:x", "ftp://e.com", ":x", "java\tscript:x", " javascript:x", "\x01javascript:x",
		"/a b", "/a\nb", "/a\x00", "/\xff", "/\u00a0", "/\u202e", "/\u200f", "/\u2066", "/\u061c", "/\u0085", "/\u2028", `x\y:z`,
	} {
		if Href(href, schemes) {
			t.Errorf("%q is accepted", href)
		}
	}
}
