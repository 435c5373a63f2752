// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/attrs"
)

// A Link is a link that is about to be made, as the hook [Options].Link sees it.
type Link struct {
	Text        string // the text that the link was found in, as the reader sees it. Changes to it have no effect
	engine.Link        // the link: spans of Text. Changes to it have no effect

	// Href is the address, not escaped. It may be changed, to one with a scheme that links may have, or with none: relative to the page.
	// Unless Options.Links.IRI is set, what is beyond ASCII in it is written in ASCII: A-labels in the host, percent-encoded elsewhere. What is not fit for an
	// address (white space, controls, bidi controls, a backslash, another scheme, http without a host) makes that there is no link.
	Href string

	// Attributes may be changed; at first they are those of the options. What may not be in Options.Attributes is left out.
	Attributes []Attribute
}

// An Attribute is one of the anchor of a link. Its value is not escaped.
type Attribute struct{ Name, Value string }

// checkAttributes returns the attributes that o has for each anchor, as they are written.
func (o *Options) checkAttributes() ([]Attribute, error) {
	for i, a := range o.Attributes {
		name := strings.ToLower(a.Name)
		if wrong := attrs.Wrong(name, a.Value); wrong != "" {
			return nil, fmt.Errorf("htmlwalk: Attributes: %s", wrong)
		}
		for _, b := range o.Attributes[:i] {
			if strings.ToLower(b.Name) == name {
				return nil, fmt.Errorf("htmlwalk: Attributes: %s twice", name)
			}
		}
	}
	return attrs.Clean(o.Attributes), nil
}

// appendAnchor appends the start tag of the anchor of a link in text, unless the link cannot be made.
func (w *walker) appendAnchor(dst []byte, text string, l engine.Link) ([]byte, bool) {
	before := len(dst)
	w.href = w.find.AppendHref(w.href[:0], text, l)
	href, tail := bytesView(w.href), w.attributes
	if w.o.Link != nil {
		if len(w.href) == 0 {
			return dst, false
		}
		if len(w.shown) < len(text) {
			w.shown = strings.Clone(w.run.text) // once for all links of a run
		}
		link := Link{Text: w.shown, Link: l, Href: strings.Clone(href), Attributes: slices.Clone(w.o.Attributes)}
		if !w.o.Link(&link) || !attrs.Href(link.Href, w.schemes) {
			return dst, false
		}
		href, tail = link.Href, w.appendAttributes(nil, attrs.Clean(link.Attributes))
		if w.legacy != nil || !w.o.Links.IRI {
			href = attrs.ASCII(href)
		}
	}
	dst = append(dst, `<a href="`...)
	dst, ok := appendValue(dst, href)
	if !ok {
		return dst[:before], false
	}
	dst = append(dst, '"')
	return append(append(dst, tail...), '>'), true
}

// appendAttributes appends attributes as they stand in a tag, each with a blank before it.
func (w *walker) appendAttributes(dst []byte, list []Attribute) []byte {
	for _, a := range list {
		dst = append(append(append(dst, ' '), a.Name...), `="`...)
		start := len(dst)
		dst = escapeValue(dst, a.Value)
		if w.legacy != nil && !isASCII(a.Value) {
			dst = appendReferences(dst[:start], string(dst[start:]))
		}
		dst = append(dst, '"')
	}
	return dst
}
