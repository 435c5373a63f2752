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
	for _, href := range []string{"http://e.com", "HTTPS://e.com/a:b", "mailto:a@e.com", "/x", "//e.com", "?a:b", "#x:y", "x", "/a:b", "http://מ.com/é", "https://[::1]:80/]", "mailto:", "x//y", "?http:x", `https://e.com/\x`} {
		if !Href(href, schemes) {
			t.Errorf("%q is refused", href)
		}
	}
	for _, href := range []string{
		"", "javascript:x", "JavaScript:x", "data:x", "vbscript:x", "ftp://e.com", ":x", "java\tscript:x", " javascript:x", "\x01javascript:x",
		"/a b", "/a\nb", "/a\x00", "/\xff", "/\u00a0", "/\u202e", "/\u200f", "/\u2066", "/\u061c", "/\u0085", "/\u2028", `x\y:z`, `\\e.com`, `/\e.com`, "http:///x", "http://", "https:", "http:e.com", "//", "///x", "https://[bad", "https://[::1/]", `https:\\e.com`, `https://e.com\@f.com/`,
	} {
		if Href(href, schemes) {
			t.Errorf("%q is accepted", href)
		}
	}
}

func TestASCII(t *testing.T) {
	for in, want := range map[string]string{
		"http://e.com/?a=b":              "http://e.com/?a=b",
		"https://é.com:80/é?é#é":         "https://xn--9ca.com:80/%C3%A9?%C3%A9#%C3%A9",
		"//u\u00e9@é.com":                "//u%C3%A9@xn--9ca.com",
		"/é":                             "/%C3%A9",
		"x/é://é":                        "x/%C3%A9://%C3%A9",
		"mailto:é@é.com":                 "mailto:%C3%A9@%C3%A9.com",
		"https://a\u200bb.com/\u200b":    "https://ab.com/%E2%80%8B",
		"https://\u0300.com":             "https://%CC%80.com",
		"https://t.example/?u=é\u200bx#": "https://t.example/?u=%C3%A9%E2%80%8Bx#",
	} {
		if got := ASCII(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
