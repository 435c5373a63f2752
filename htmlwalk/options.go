// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"fmt"
	"math"
	"strings"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// Options configure [Rewrite]. The zero value is the documented profile.
type Options struct {
	// Links says what is a link. Its FileNames is ignored in favour of LinkFileNames. Default: the profile of
	// package engine.
	Links engine.Options

	// LinkFileNames links bare hosts and addresses also if they look like the name of a file (README.md, main.rs), or of something in
	// a program (java.util.Map): see FileNames of package engine. Default: they are left alone.
	LinkFileNames bool

	// Skip says where no links are made, besides where there are none anyway, as a list of selectors separated by commas: a name or *, and any
	// number of .class, #id, [attribute] and [attribute=value]; for instance "blockquote, .nolink, [translate=no], [hidden],
	// [aria-hidden=true]". It is about the elements and what is in them. Default: none.
	Skip string

	// LinkIn says, in the same way, where links are made although by default there are none: in "pre, code, label", or "[contenteditable]". There are elements that it
	// cannot be about, such as a, button and svg; and in a template links are made only behind a tag that shows that it is not one of a part of a table. Of nested elements that Skip, LinkIn, a default or an attribute data-bidilink is
	// about, the innermost decides; of these for one element, data-bidilink ("on" or "off"), then Skip. Default: none.
	LinkIn string

	// Refuse leaves links alone that have one of these warnings, as display.Check finds them; and what else is in
	// the same word. Default: none.
	Refuse display.Warnings

	// WrapFileNames isolates file names with a right-to-left letter and a "/" or "\" in them, as package pri185 finds them. No
	// link is made of them. None is found in a bdi element, nor one with a bidi control in it. In prose, such a word is not always a name: "and/or" in Hebrew is turned round
	// by the order Constant. With IsolateNone, there is nothing to do. Default: they are left alone.
	WrapFileNames bool

	// Order says in which order the fields of an isolated link are displayed. Default: display.Constant.
	Order display.Order

	// Profile says what isolates are written with: bdi elements, or, for mail, elements that mail programs do not
	// drop. Default: display.Web.
	Profile display.Profile

	// Isolate says which links get an isolate round them. None does that is all of the content of a bdi, or of a span, b or
	// the like with a dir attribute, which gives it the direction that it needs. Default: display.IsolateAuto.
	Isolate display.Isolation

	// IsolateExisting also isolates links with right-to-left characters in the text of anchors that are already there, or with
	// display.IsolateAll all links in it. The anchor stays as it is: the isolate is in it. Nothing is done where the anchor, what is in it or what is directly round it
	// has a direction of its own, or the text of the link a bidi control. These links count in Stats.Isolated only, and are not given to Link. Default: anchors are left alone.
	IsolateExisting bool

	// Dir is the direction of paragraphs that no dir attribute says anything about. Unless it is display.RTL, such text is
	// right-to-left text, for Isolate, if its block has a right-to-left letter. Default: display.LTR.
	Dir display.Direction

	// Attributes are written into each anchor, behind href: rel, target, class and others. Refused are href, dir, those that run code
	// or load things (on*, style, src*, *src, formaction, action, ping, is), what is no name, a name twice, and control characters. The value "_blank" of target
	// adds rel="noopener". Default: none.
	Attributes []Attribute

	// Link is given every link before it is made, and may change its address and attributes; if it returns false, no link is made, nor any
	// other in the same word. Its results are checked again. It may be given a link that is not made after all. The visible
	// text it cannot change, as that stays the input's, byte for byte: so there is no way to shorten it either, which a style sheet does better. Default: nil, links are made as they are found.
	Link func(*Link) bool

	// Charset is the label of the encoding of the document, such as "windows-1256", if something outside it says so, as a header. It
	// counts more than a meta element, and less than a byte order mark. Rewrite fails with [ErrEncoding] for one that cannot be walked, and if a meta element names such a one. Default: what the document
	// says, and if it says nothing, UTF-8.
	Charset string

	// XHTML has documents that begin with <?xml read as HTML, as browsers read them if a server calls them text/html (which most do with files named .html).
	// Default: they are copied unchanged, as what they are as XHTML they may not be as HTML.
	XHTML bool

	// Context is the name of the element that the input is a fragment of, such as "td" or "li", as for innerHTML: in a "tr", the tag td begins a
	// cell; in a "pre", there are no links by default. Contexts in which text is raw text (textarea, script), html, head, frameset, select,
	// template, svg and math are refused. Default: the input is a document, or a fragment that stands in the body.
	Context string

	// MaxToken is the length in bytes of the longest tag, comment or text, with the wbr tags in the text; from a longer one on the document is
	// copied unchanged. So is a document that needs to be looked at as a whole, and is longer. At most 2 GiB. What is needed to look at a text can be ten times as much. Default: 8 MiB.
	MaxToken int

	// MaxDepth is the greatest number of open elements, html, body and those that we insert among them; from more on the document is
	// copied unchanged. Some tags take time in proportion to it: for each of them, all open elements may be looked at. So time is linear in the length of the
	// document for any one MaxDepth. Default: 512, which is also where browsers stop nesting.
	MaxDepth int

	// MaxLinks is the greatest number of anchors, those of the input among them; where a text would bring more, the document is copied unchanged from there
	// on. Default: 1,000,000.
	MaxLinks int

	// ReferenceScanner has the tokenizer of golang.org/x/net/html cut the document into tokens, and read the attributes of tags, instead of our own scanner, which is several times faster and
	// held equal to it by tests. The output is the same: this is for those who want to see that. Default: our scanner.
	ReferenceScanner bool

	// Verify has [Rewrite] and [Edits] compare the output with the input, as the function [Verify] does, before anything is written. If there is more of a
	// difference than links, what is written is the input, and the error wraps [ErrDifferent]. The document is in memory as a whole, and parsed four times: that takes some
	// forty times its length. Default: the output is written as it comes.
	Verify bool
}

const (
	defaultMaxToken = 8 << 20
	defaultMaxDepth = 512
	defaultMaxLinks = 1_000_000
)

// withDefaults checks o and fills in what is zero.
func (o Options) withDefaults() (Options, error) {
	if o.MaxToken < 0 || o.MaxDepth < 0 || o.MaxLinks < 0 {
		return o, fmt.Errorf("htmlwalk: negative limit (MaxToken %d, MaxDepth %d, MaxLinks %d)", o.MaxToken, o.MaxDepth, o.MaxLinks)
	}
	if o.Isolate > display.IsolateNone || o.Order > display.TLD || o.Profile > display.Mail || o.Dir > display.RTL {
		return o, fmt.Errorf("htmlwalk: unknown value (Isolate %v, Order %v, Profile %d, Dir %d)", o.Isolate, o.Order, o.Profile, o.Dir)
	}
	if err := checkContext(o.Context); err != nil {
		return o, err
	}
	if o.Charset = strings.ToLower(strings.Trim(o.Charset, space)); o.Charset != "" && encodingOf(o.Charset) == otherEncoding && newLegacy(o.Charset) == nil {
		return o, fmt.Errorf("htmlwalk: Charset: no encoding %q that can be walked", o.Charset)
	}
	if o.MaxToken == 0 {
		o.MaxToken = defaultMaxToken
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = defaultMaxDepth
	}
	if o.MaxLinks == 0 {
		o.MaxLinks = defaultMaxLinks
	}
	o.MaxToken = min(o.MaxToken, math.MaxInt32) // a ref has no more
	o.Links.FileNames = !o.LinkFileNames
	return o, nil
}
