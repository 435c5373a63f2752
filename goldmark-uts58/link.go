// SPDX-License-Identifier: MIT

package uts58

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

// A Link is a link that is about to be made, as the hook [Extender].Link sees it.
type Link struct {
	Text        string // the text that the link was found in, as the reader sees it. Changes to it have no effect
	engine.Link        // the link: spans of Text. Changes to it have no effect

	// Href is the address. It may be changed, to one with a scheme that links may have, or with none: relative to the page. What is
	// not fit for an address (white space, controls, another scheme) makes that there is no link.
	Href string

	// Attributes may be added to; there are none at first. Refused are href and those that run code or load things: on*, style, src*, formaction, action,
	// ping, and what is no name. goldmark's renderer knows a list of attributes, and leaves others out, but for data-*. The
	// value "_blank" of target adds rel="noopener".
	Attributes []Attribute
}

// An Attribute is one of the anchor of a link. Its value is not escaped.
type Attribute struct{ Name, Value string }

// approve gives a link to the hook, and reports whether it may be made. Of what the hook has left, it takes out the attributes that may not be.
func (s *settings) approve(l *Link) bool {
	text, link := l.Text, l.Link
	if !s.Link(l) {
		return false
	}
	l.Text, l.Link = text, link
	if !s.validHref(l.Href) {
		return false
	}
	given := l.Attributes
	l.Attributes = nil
	for _, a := range given {
		a.Name = strings.ToLower(a.Name)
		// As in HTML, the first of a name counts.
		if validAttribute(a.Name) && !slices.ContainsFunc(l.Attributes, func(b Attribute) bool { return a.Name == b.Name }) {
			l.Attributes = append(l.Attributes, a)
		}
	}
	addNoopener(l)
	return true
}

// validHref reports whether an address may be that of a link.
func (s *settings) validHref(href string) bool {
	if href == "" || !utf8.ValidString(href) || strings.ContainsFunc(href, func(r rune) bool { return r <= ' ' || 0x7F <= r && r <= 0xA0 }) {
		return false
	}
	colon := strings.IndexByte(href, ':')
	if end := strings.IndexAny(href, "/?#"); colon < 0 || 0 <= end && end < colon {
		return true // relative
	}
	return slices.ContainsFunc(s.schemes, func(name string) bool { return strings.EqualFold(name, href[:colon]) })
}

// validAttribute reports whether the hook may set an attribute, whose name is in lower case.
func validAttribute(name string) bool {
	for i := range len(name) {
		c := name[i]
		if letter := 'a' <= c && c <= 'z'; !letter && (i == 0 || name[i] != '-' && name[i] != '_' && (name[i] < '0' || '9' < name[i])) {
			return false
		}
	}
	switch name {
	case "", "href", "style", "formaction", "action", "ping", "dir":
		return false
	}
	return !strings.HasPrefix(name, "on") && !strings.HasPrefix(name, "src")
}

// addNoopener keeps the page behind target="_blank" from reaching the one with the link.
func addNoopener(l *Link) {
	blank, rel := false, -1
	for i, a := range l.Attributes {
		switch a.Name {
		case "target":
			blank = blank || strings.EqualFold(a.Value, "_blank")
		case "rel":
			rel = i
		}
	}
	switch {
	case !blank:
	case rel < 0:
		l.Attributes = append(l.Attributes, Attribute{"rel", "noopener"})
	case !slices.ContainsFunc(strings.Fields(strings.ToLower(l.Attributes[rel].Value)), func(v string) bool { return v == "noopener" || v == "noreferrer" }):
		l.Attributes[rel].Value += " noopener"
	}
}
