// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A selector says which elements are meant: those with the name, and all of the attributes.
type selector struct {
	name  string // in lower case; empty for any
	tests []attrTest
}

// An attrTest is what an attribute must be.
type attrTest struct {
	key, value string // the key in lower case
	how        attrHow
}

type attrHow uint8

const (
	present attrHow = iota
	equal
	oneOf // a word of it
)

// parseSelectors reads a list of selectors separated by commas: a name or *, then any number of .class, #id, [attribute] and [attribute=value],
// the value with quotes or without. There are no combinators.
func parseSelectors(list string) ([]selector, error) {
	var out []selector
	for rest := strings.TrimLeft(list, space); rest != ""; {
		var s selector
		s.name, rest = word(rest)
		s.name = strings.ToLower(s.name)
		if s.name == "" && strings.HasPrefix(rest, "*") {
			rest = rest[1:]
		} else if s.name == "" && !strings.ContainsAny(rest[:1], ".#[") {
			return nil, fmt.Errorf("selector %q: want a name, .class, #id or [attribute] at %q", list, rest)
		}
		for rest != "" && strings.ContainsAny(rest[:1], ".#[") {
			var t attrTest
			kind := rest[0]
			t.value, rest = word(rest[1:])
			switch kind {
			case '.':
				t.key, t.how = "class", oneOf
			case '#':
				t.key, t.how = "id", equal
			default:
				t.key, t.value = strings.ToLower(t.value), ""
				if strings.HasPrefix(rest, "=") {
					t.how = equal
					rest = rest[1:]
					if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
						end := strings.IndexByte(rest[1:], rest[0])
						if end < 0 {
							return nil, fmt.Errorf("selector %q: a quote is open", list)
						}
						t.value, rest = rest[1:1+end], rest[end+2:]
					} else {
						t.value, rest = word(rest)
					}
				}
				if t.key == "" || !strings.HasPrefix(rest, "]") {
					return nil, fmt.Errorf("selector %q: want [attribute] or [attribute=value]", list)
				}
				rest = rest[1:]
			}
			if kind != '[' && t.value == "" {
				return nil, fmt.Errorf("selector %q: want a name behind %q", list, kind)
			}
			s.tests = append(s.tests, t)
		}
		out = append(out, s)
		rest = strings.TrimLeft(rest, space)
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return nil, fmt.Errorf("selector %q: want a comma at %q", list, rest)
		}
		if rest = strings.TrimLeft(rest[1:], space); rest == "" {
			return nil, fmt.Errorf("selector %q: nothing behind the last comma", list)
		}
	}
	return out, nil
}

// word cuts the letters, digits, hyphens, underscores, colons and characters beyond ASCII at the beginning of s.
func word(s string) (front, rest string) {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '-' && c != '_' && c != ':' && c < 0x80 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// matches reports whether the selector is about an element, the attributes of which begin at an offset of its tag.
func (s *selector) matches(name string, raw []byte, at int, l *legacy) bool {
	return (s.name == "" || s.name == name) && !slices.ContainsFunc(s.tests, func(t attrTest) bool {
		value, ok := attribute(raw, at, t.key, l)
		switch t.how {
		case equal:
			ok = ok && value == t.value
		case oneOf:
			ok = ok && slices.Contains(strings.Fields(value), t.value)
		}
		return !ok
	})
}

// attribute returns the value of the first attribute with a key.
func attribute(raw []byte, at int, key string, l *legacy) (string, bool) {
	for {
		var k, value []byte
		k, value, at = nextAttribute(raw, at)
		switch {
		case len(k) == 0:
			return "", false
		case strings.EqualFold(bytesView(k), key):
			return html.UnescapeString(strings.ReplaceAll(l.decode(value), "\r\n", "\n")), true
		}
	}
}

// selection are the selectors of the options.
type selection struct {
	skip, linkIn []selector
	legacy       *legacy // what the attributes are in, or nil: UTF-8
}

func newSelection(o *Options) (s selection, err error) {
	if s.skip, err = parseSelectors(o.Skip); err != nil {
		return s, fmt.Errorf("htmlwalk: Skip: %w", err)
	}
	if s.linkIn, err = parseSelectors(o.LinkIn); err != nil {
		return s, fmt.Errorf("htmlwalk: LinkIn: %w", err)
	}
	for _, one := range s.linkIn {
		switch name := atom.Lookup([]byte(one.name)); {
		case name == atom.Svg, name == atom.Math, name == atom.Head, name == atom.Frameset, kindOf(name)&(hard|rawContent) != 0:
			return s, fmt.Errorf("htmlwalk: LinkIn: no links can be made in <%s>", one.name)
		}
	}
	return s, nil
}

// apply sets what the selectors say about an element.
func (s *selection) apply(e *element, raw []byte, at int) {
	name := e.name.String() + e.other()
	is := func(one selector) bool { return one.matches(name, raw, at, s.legacy) }
	switch {
	case slices.ContainsFunc(s.skip, is):
		e.links = off
	case slices.ContainsFunc(s.linkIn, is):
		e.links = on
	}
}
