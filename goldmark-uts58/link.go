// SPDX-License-Identifier: MIT

package uts58

import (
	"github.com/yuin/goldmark/ast"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/attrs"
)

// A Link is a link that is about to be made, as the hook [Extender].Link sees it.
type Link struct {
	Text        string // the text that the link was found in, as the reader sees it. Changes to it have no effect
	engine.Link        // the link: spans of Text. Changes to it have no effect

	// Href is the address. It may be changed, to one with a scheme that links may have, or with none: relative to the page. Unless
	// Links.IRI is set, and Isolate is Bdi, what is beyond ASCII in it is written in ASCII: A-labels in the host, percent-encoded elsewhere. What is
	// not fit for an address (white space, controls, bidi controls, another scheme) makes that there is no link.
	Href string

	// Attributes may be added to; there are none at first. Left out are href, dir and those that run code or load things (on*, style, src*, *src, formaction,
	// action, ping, is), what is no name, and values with control characters. goldmark's renderer knows a list of attributes, and leaves others out, but for data-*. The
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
	if !attrs.Href(l.Href, s.schemes) {
		return false
	}
	l.Attributes = attrs.Clean(l.Attributes)
	return true
}

// originalsKey is the key of what [Originals] returns among the metadata of a document.
const originalsKey = "github.com/bidilink/bidilink/goldmark-uts58 originals"

// Originals returns the addresses that the links of a document had before the hook [Extender].Link changed them, by the nodes of these links: of the kinds
// ast.KindLink and [KindElement]. Package plaintext writes them, since nobody wants to read what such a hook adds. The map must not be changed; it is nil if
// no address was changed.
func Originals(doc *ast.Document) map[ast.Node]string {
	m, _ := doc.Meta()[originalsKey].(map[ast.Node]string)
	return m
}
