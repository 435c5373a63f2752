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
func (w *walker) appendAnchor(dst []byte, text string, l *engine.Link) ([]byte, bool) {
	before := len(dst)
	if w.own && w.o.Link == nil {
		// Nearly always, the engine's address may stand in the tag as it is, and is the text.
		dst = append(dst, `<a href="`...)
		start := len(dst)
		if d, ok := w.appendPlainAddress(dst, text, l); ok {
			return append(append(append(d, '"'), w.attributes...), '>'), true
		}
		dst = w.find.AppendHref(dst, text, *l)
		if isPlainValue(dst[start:]) {
			dst = append(dst, '"')
			return append(append(dst, w.attributes...), '>'), true
		}
		w.href = append(w.href[:0], dst[start:]...)
		dst = dst[:before]
	} else {
		w.href = w.find.AppendHref(w.href[:0], text, *l)
	}
	href, tail := bytesView(w.href), w.attributes
	if w.o.Link != nil {
		if len(w.href) == 0 {
			return dst, false
		}
		if len(w.shown) < len(text) {
			w.shown = strings.Clone(w.run.text) // once for all links of a run
		}
		link := Link{Text: w.shown, Link: *l, Href: strings.Clone(href), Attributes: slices.Clone(w.o.Attributes)}
		if !w.o.Link(&link) || !attrs.Href(link.Href, w.schemes) {
			return dst, false
		}
		href, tail = link.Href, appendAttributes(nil, attrs.Clean(link.Attributes), w.legacy)
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

// appendPlainAddress appends the address of a link as it stands in a tag, if the engine writes its text as it is, but for "https://" or the like before it. In doubt, it
// returns false: AppendHref of package engine is what counts.
func (w *walker) appendPlainAddress(dst []byte, text string, l *engine.Link) ([]byte, bool) {
	begin, tail := "", uint8(inTail)
	switch scheme := l.Scheme.In(text); {
	case l.Kind == engine.Email:
		if scheme != "" || l.Local.Empty() {
			return dst, false
		}
		begin, tail = "mailto:", inLocal
	case l.Kind != engine.URL:
		return dst, false
	case scheme == "" && w.o.Links.HTTP:
		begin = "http://"
	case scheme == "":
		begin = "https://"
	case scheme != "https://" && scheme != "http://":
		return dst, false
	}
	host := l.Host.In(text)
	if host == "" || !isLetter(host[len(host)-1]) {
		return dst, false // perhaps an IP literal, or with a dot at its end
	}
	for i := range len(host) {
		if c := host[i]; inAddress[c]&inHost == 0 || c == '-' && host[i-min(i, 1)] == '-' {
			return dst, false // perhaps an A-label
		}
	}
	dst = append(dst, begin...)
	link, done := l.In(text), 0
	for i := range len(link) {
		switch {
		case inAddress[link[i]]&tail != 0:
		case link[i] == '&' && l.Kind == engine.URL:
			dst = append(append(dst, link[done:i]...), "&amp;"...)
			done = i + 1
		case link[i] == '%' && l.Kind == engine.URL && i+2 < len(link) && isHex(link[i+1]) && isHex(link[i+2]): // an escape stays
		case link[i] == '@' && l.Kind == engine.Email:
		default:
			return dst, false
		}
	}
	return append(dst, link[done:]...), true
}

// Bytes of addresses that are written as they are.
const (
	inHost  = 1 << iota // of hosts
	inTail              // of the rest of a URL
	inLocal             // of addresses, but the "@"
)

var inAddress = func() (t [256]uint8) {
	for c := byte('0'); c <= 'z'; c++ {
		switch {
		case isDigit(c), c >= 'a':
			t[c] = inHost | inTail | inLocal
		case isLetter(c):
			t[c] = inTail | inLocal
		}
	}
	t['.'], t['-'], t['_'] = inHost|inTail|inLocal, inHost|inTail|inLocal, inTail|inLocal
	for _, c := range "/?=#:@(),;[]" {
		t[c] = inTail
	}
	for _, c := range "~!$*+" {
		t[c] = inTail | inLocal
	}
	return t
}()

// appendAttributes appends attributes as they stand in a tag, each with a blank before it. The document is in an encoding, or UTF-8 if that is nil.
func appendAttributes(dst []byte, list []Attribute, l *legacy) []byte {
	for _, a := range list {
		dst = append(append(append(dst, ' '), a.Name...), `="`...)
		start := len(dst)
		dst = escapeValue(dst, a.Value)
		if l != nil && !isASCII(a.Value) {
			dst = appendReferences(dst[:start], string(dst[start:]))
		}
		dst = append(dst, '"')
	}
	return dst
}
