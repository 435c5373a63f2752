// SPDX-License-Identifier: MIT

// Package attrs says what the anchors that we write may have for attributes and addresses, whoever asks for them.
package attrs

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
)

// An Attribute is one of an anchor. Its value is not escaped.
type Attribute = struct{ Name, Value string }

// Wrong says what is wrong with an attribute whose name is in lower case, or returns "".
//
// Refused are names that no tag can have, href, which is there already, dir, which is the business of isolates, and those that run code or
// load things.
func Wrong(name, value string) string {
	if name == "" {
		return "an attribute without a name"
	}
	for i := range len(name) {
		c := name[i]
		if letter := 'a' <= c && c <= 'z'; !letter && (i == 0 || c != '-' && c != '_' && (c < '0' || '9' < c)) {
			return fmt.Sprintf("%q is no name of an attribute", name)
		}
	}
	switch name {
	case "href":
		return "href is set already"
	case "dir":
		return "dir is what isolates are for"
	case "style", "action", "formaction", "ping", "is":
		return name + " may run code or load things"
	}
	if strings.HasPrefix(name, "on") || strings.HasPrefix(name, "src") || strings.HasSuffix(name, "src") {
		return name + " may run code or load things"
	}
	if !utf8.ValidString(value) || strings.ContainsFunc(value, isControl) {
		return fmt.Sprintf("a control character in the value of %s", name)
	}
	return ""
}

// Clean returns the attributes of a list that may be written, with their names in lower case: of several with a name, the first, as in
// HTML. The value "_blank" of target adds rel="noopener", which keeps the page behind the link from reaching the one with the link.
func Clean[A ~struct{ Name, Value string }](list []A) []A {
	var out []Attribute
	rel, blank := -1, false
	for _, one := range list {
		a := Attribute(one)
		a.Name = strings.ToLower(a.Name)
		if Wrong(a.Name, a.Value) != "" || slices.ContainsFunc(out, func(b Attribute) bool { return a.Name == b.Name }) {
			continue
		}
		switch a.Name {
		case "rel":
			rel = len(out)
		case "target":
			blank = strings.EqualFold(strings.TrimSpace(a.Value), "_blank")
		}
		out = append(out, a)
	}
	switch {
	case !blank:
	case rel < 0:
		out = append(out, Attribute{Name: "rel", Value: "noopener"})
	case !slices.ContainsFunc(strings.Fields(strings.ToLower(out[rel].Value)), func(v string) bool { return v == "noopener" || v == "noreferrer" }):
		out[rel].Value = strings.TrimLeft(out[rel].Value+" noopener", " ")
	}
	cleaned := make([]A, len(out))
	for i, a := range out {
		cleaned[i] = A(a)
	}
	return cleaned
}

// Href reports whether an address may be that of a link: it has one of the schemes, which are in lower case, or none, which makes it
// relative to the page; and no white space, no control and no bidi control, all of which must be escaped.
func Href(href string, schemes []string) bool {
	if href == "" || !utf8.ValidString(href) || strings.ContainsFunc(href, func(r rune) bool { return r == ' ' || r == '\u00a0' || isControl(r) || isBidi(r) }) || strings.HasPrefix(href, `\`) || strings.HasPrefix(href, `/\`) {
		return false
	}
	if _, authority, has := cut(href); has && (authority == "" || strings.Contains(authority, `\`) || authority[0] == '[' && !strings.Contains(authority, "]")) {
		return false
	}
	colon := strings.IndexByte(href, ':')
	if end := strings.IndexAny(href, "/?#"); colon < 0 || 0 <= end && end < colon {
		return true
	}
	return slices.ContainsFunc(schemes, func(name string) bool { return strings.EqualFold(name, href[:colon]) })
}

// cut returns what is before the authority of an address, with the slashes, and the authority: what is between these and the next "/", "?" or
// "#". It returns false if the address has none, and need not have one.
func cut(href string) (before, authority string, has bool) {
	scheme := strings.IndexAny(href, ":/?#")
	if scheme < 0 || href[scheme] != ':' {
		scheme = -1
	}
	rest := href[scheme+1:]
	if !strings.HasPrefix(rest, "//") {
		name := strings.ToLower(href[:max(scheme, 0)])
		return "", "", name == "http" || name == "https"
	}
	start := scheme + 1 + len("//")
	authority = href[start:]
	if i := strings.IndexAny(authority, "/?#"); i >= 0 {
		authority = authority[:i]
	}
	return href[:start], authority, true
}

// ASCII returns an address that [Href] accepts in ASCII: with A-labels in the host, and percent-encoded elsewhere. If the host is no name, it is
// percent-encoded as well.
func ASCII(href string) string {
	if !strings.ContainsFunc(href, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return href
	}
	var b []byte
	rest := href
	if before, authority, has := cut(href); has && authority != "" {
		at := strings.LastIndexByte(authority, '@') + 1
		host, port := authority[at:], ""
		if i := strings.LastIndexByte(host, ':'); i >= 0 {
			host, port = host[:i], host[i:]
		}
		b = appendEncoded(b, before+authority[:at])
		name, ok := hostname.AppendASCII(b, host)
		if !ok {
			name = appendEncoded(b, host)
		}
		b = appendEncoded(name, port)
		rest = href[len(before)+len(authority):]
	}
	return string(appendEncoded(b, rest))
}

// appendEncoded appends s with its bytes beyond ASCII percent-encoded.
func appendEncoded(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

func isControl(r rune) bool {
	return r < ' ' || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029'
}

func isBidi(r rune) bool {
	switch {
	case r == '\u061c', r == '\u200e', r == '\u200f', '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
		return true
	}
	return false
}
