// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"slices"
	"strings"

	"github.com/bidilink/bidilink/engine/display"
)

// A tracker follows raw HTML, inline and in blocks, in the order in which it is rendered. It knows less than a browser: where in doubt, there
// are no links. Its open elements are those that may be open in a browser, or more; an end tag closes one if it does so in every browser.
type tracker struct {
	stack   []*rawElement  // the open elements that matter: see start. Among them are those of Markdown's blocks, without name
	names   map[string]int // how many of a name are in stack
	refused int            // elements in stack that no links may be in
	dirs    int            // elements in stack with a direction
	inner   *rawElement    // the innermost of these, if it is known
	raw     string         // the element whose content is raw text, up to its end tag
	comment bool           // in the script that raw is, there was what begins a comment
	strict  bool           // whether raw is raw text depends on the browser
	lost    bool           // the HTML cannot be followed
	steps   int
}

// maxOpen is how many elements may be open: browsers have a limit of 512, and do different things beyond.
const maxOpen = 512

type rawElement struct {
	name    string
	dir     dir
	refuses bool              // no link may be in it, and only its own end tag closes it
	scope   scope             // what end tags in it cannot close
	gone    bool              // it is in the stack no more
	mute    bool              // its dir says nothing more
	strong  display.Direction // of the first letter in it, outside links, that has one: what auto means
}

// A scope says which end tags within an element do not close elements that it is in (HTML §13.2.4.2).
type scope uint8

const (
	scopeOpen    scope = iota // none
	scopeSpecial              // those of elements without rules of their own, such as label and span
	scopeCell                 // all, but for those of tables
	scopeWall                 // all
)

// dir is the value of a dir attribute.
type dir uint8

const (
	noDir dir = iota
	leftToRight
	rightToLeft
	firstLetter // auto
)

func setOf(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// skipped are the elements that never have links in them: anchors and other interactive content, where a click has a meaning already, text that is no prose, and
// what has rules of its own.
var skipped = setOf("a", "button", "label", "summary", "option", "optgroup", "datalist", "select",
	"code", "pre", "samp", "kbd", "tt", "var", "listing",
	"audio", "video", "canvas", "object", "applet", "svg", "math", "template", "noscript")

// rawText are the elements whose content is raw text.
var rawText = setOf("script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "plaintext")

// void are the elements without content.
var void = setOf("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input", "keygen", "link", "meta", "param", "source", "track", "wbr")

// scopes are the elements that not every end tag goes over. Those of svg, math, select and noscript depend on the browser, or on whether it runs scripts.
var scopes = func() map[string]scope {
	m := map[string]scope{"applet": scopeWall, "marquee": scopeWall, "object": scopeWall, "table": scopeWall, "template": scopeWall, "svg": scopeWall, "math": scopeWall, "select": scopeWall, "noscript": scopeWall,
		"caption": scopeCell, "td": scopeCell, "th": scopeCell}
	for _, name := range []string{"address", "article", "aside", "blockquote", "body", "button", "center", "colgroup", "dd", "details", "dir", "div", "dl", "dt", "fieldset",
		"figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "html", "li", "listing", "main", "menu", "nav", "ol", "p", "pre",
		"search", "section", "summary", "tbody", "tfoot", "thead", "tr", "ul",
		"mi", "mo", "mn", "ms", "mtext", "annotation-xml", "foreignobject", "desc"} {
		m[name] = scopeSpecial
	}
	return m
}()

// through are the elements whose end tags go over special ones.
var through = setOf("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
	"address", "article", "aside", "blockquote", "button", "center", "details", "dir", "div", "dl", "fieldset", "figcaption", "figure", "footer", "header", "hgroup",
	"listing", "main", "menu", "nav", "ol", "pre", "search", "section", "select", "ul",
	"p", "li", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "applet", "marquee", "object", "form", "template")

// tableParts are the elements whose end tags go over cells.
var tableParts = setOf("table", "caption", "colgroup", "tbody", "tfoot", "thead", "tr", "td", "th")

// blocks reports whether an end tag of a name, in e, closes nothing that e is in.
func (e *rawElement) blocks(name string) bool {
	switch {
	case e.scope == scopeOpen:
		return false
	case e.scope == scopeWall:
		return true
	case tableParts[name]:
		return false
	case e.scope == scopeCell || !through[name]:
		return true
	}
	return name == "li" && (e.name == "ul" || e.name == "ol") || name == "p" && e.name == "button"
}

// mayLink reports whether there may be links now.
func (t *tracker) mayLink() bool {
	return !t.lost && t.raw == "" && t.refused == 0
}

// directed returns the innermost element that says what direction its text has, or nil.
func (t *tracker) directed() *rawElement {
	if t.dirs == 0 {
		return nil
	}
	for i := len(t.stack) - 1; t.inner == nil; i-- {
		t.steps++
		if e := t.stack[i]; e.dir != noDir && !e.mute {
			t.inner = e
		}
	}
	return t.inner
}

// push opens an element, which may be a node of goldmark's: one without name.
func (t *tracker) push(e *rawElement) {
	if len(t.stack) == maxOpen {
		t.lost = true
		e.gone = true
		return
	}
	if e.name == "bdi" && e.dir == noDir {
		e.dir = firstLetter
	}
	if e.dir != noDir {
		t.dirs++
		t.inner = e
	}
	if t.names == nil {
		t.names = make(map[string]int)
	}
	t.names[e.name]++
	if e.refuses {
		t.refused++
	}
	t.stack = append(t.stack, e)
}

// cut closes the element at index n of the stack, and of those behind it the ones that are not kept.
func (t *tracker) cut(n int, keep func(e *rawElement) bool) {
	kept := t.stack[:n]
	for i, e := range t.stack[n:] {
		t.steps++
		if i > 0 && keep(e) {
			kept = append(kept, e)
			continue
		}
		e.gone = true
		t.names[e.name]--
		if e.refuses {
			t.refused--
		}
		t.undirect(e)
	}
	clear(t.stack[len(kept):])
	t.stack = kept
}

// undirect takes it that an element says nothing about the direction from now on. The links that were in it still know it.
func (t *tracker) undirect(e *rawElement) {
	if e.dir == noDir || e.mute {
		return
	}
	t.dirs--
	if t.inner == e {
		t.inner = nil
	}
	e.mute = true
}

// enter opens the element that a node is rendered as. If nothing is open, and it has no direction, it does not matter, and the result is nil.
func (t *tracker) enter(s scope, d dir) *rawElement {
	if len(t.stack) == 0 && d == noDir {
		return nil
	}
	e := &rawElement{dir: d, scope: s}
	t.push(e)
	return e
}

// leave closes the element of a node, or if it is nil the one that did not matter. Its end tag does not close every element that is open in it: <p><div></p> leaves the div open.
// Unless the node is a paragraph, these say nothing more about the direction.
func (t *tracker) leave(e *rawElement, paragraph bool) {
	if len(t.stack) == 0 || e != nil && e.gone {
		return
	}
	n := 0
	if e != nil {
		for n = len(t.stack) - 1; t.stack[n] != e; n-- {
		}
	} else {
		// There is none: one that is closed at once stands for it.
		t.stack = slices.Insert(t.stack, 0, &rawElement{})
		t.names[""]++
	}
	t.cut(n, func(e *rawElement) bool {
		if !e.refuses && e.scope == scopeOpen {
			return false
		}
		if !paragraph {
			t.undirect(e)
		}
		return true
	})
}

// follow takes up a piece of raw HTML.
func (t *tracker) follow(b []byte) {
	if t.lost {
		return
	}
	t.steps += len(b)
	for {
		if t.raw != "" {
			all := b
			if b = t.rawEnd(b); t.hides(all[:len(all)-len(b)]) {
				t.lost = true
			}
			if b == nil || t.lost {
				return
			}
		}
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return
		}
		if b = b[i:]; len(b) < 2 {
			return
		}
		n := 0
		switch c := b[1]; {
		case bytes.HasPrefix(b, []byte("<!--")):
			n = commentLength(b)
		case bytes.HasPrefix(b, []byte("<![CDATA[")) && (t.names["svg"] > 0 || t.names["math"] > 0):
			n = 0 // a section in there, a comment elsewhere, and they end in different places
		case c == '!' || c == '?':
			n = bytes.IndexByte(b, '>') + 1
		case isASCIILetter(c):
			n = t.tag(b, 1)
		case c == '/' && len(b) > 2 && isASCIILetter(b[2]):
			n = t.tag(b, 2)
		case c == '/' && len(b) > 2:
			n = bytes.IndexByte(b, '>') + 1
		default:
			n = 1
		}
		if n <= 0 || t.lost || t.hides(b[1:n]) {
			// A tag or comment that goes on behind the block: what is in it, only a browser knows.
			t.lost = true
			return
		}
		b = b[n:]
	}
}

// commentLength returns the length of the comment at the beginning of b, or 0.
func commentLength(b []byte) int {
	if bytes.HasPrefix(b, []byte("<!-->")) {
		return len("<!-->")
	}
	if bytes.HasPrefix(b, []byte("<!--->")) {
		return len("<!--->")
	}
	n := 0
	for _, end := range []string{"-->", "--!>"} {
		if i := bytes.Index(b[4:], []byte(end)); i >= 0 && (n == 0 || 4+i+len(end) < n) {
			n = 4 + i + len(end)
		}
	}
	return n
}

// hides reports whether an end tag of noscript is in b where only a browser that runs scripts sees it, for which the content of noscript is raw text.
func (t *tracker) hides(b []byte) bool {
	return t.names["noscript"] > 0 && bytes.Contains(bytes.ToLower(b), []byte("</noscript"))
}

// rawEnd returns what is behind the end tag of the element whose content is raw text, or nil.
func (t *tracker) rawEnd(b []byte) []byte {
	for t.raw != "plaintext" {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return nil
		}
		b = b[i:]
		switch {
		case t.raw == "script" && bytes.HasPrefix(b, []byte("<!--")):
			t.comment = true
		case t.comment && foldPrefix(view(b), "<script"):
			// An end tag of script may close this one only (HTML §13.2.5.26, script data double escaped state).
			t.lost = true
			return nil
		case isEndTag(b, t.raw):
			n := t.tag(b, 2)
			if n == 0 {
				t.lost = true
				return nil
			}
			t.raw, t.comment, t.strict = "", false, false
			return b[n:]
		case t.strict:
			t.lost = true // a tag, or text
			return nil
		}
		b = b[1:]
	}
	return nil
}

// isEndTag reports whether b begins with an end tag of a name.
func isEndTag(b []byte, name string) bool {
	n := len("</") + len(name)
	return len(b) > n && b[1] == '/' && strings.EqualFold(view(b[2:n]), name) && (isTagSpace(b[n]) || b[n] == '/' || b[n] == '>')
}

// tag takes up a tag whose name begins at an offset of b, and returns its length; 0 if it has no end.
func (t *tracker) tag(b []byte, at int) int {
	i := at
	for i < len(b) && !isTagSpace(b[i]) && b[i] != '/' && b[i] != '>' {
		i++
	}
	e := &rawElement{name: strings.ToLower(string(b[at:i]))}
	seen := 0 // of the attributes that matter, as bits: the first of a name counts
	for {
		for i < len(b) && (isTagSpace(b[i]) || b[i] == '/') {
			i++
		}
		if i == len(b) {
			return 0
		}
		if b[i] == '>' {
			i++
			break
		}
		key, value, n := attribute(b[i:])
		if n == 0 {
			return 0
		}
		i += n
		e.set(strings.ToLower(key), strings.ToLower(value), &seen)
	}
	if at == 2 {
		t.close(e.name)
		return i
	}
	t.start(e)
	return i
}

// attribute returns the key and value of the attribute that b begins with, and its length; 0 if b ends in it.
func attribute(b []byte) (key, value string, n int) {
	i := 0
	for i < len(b) && !isTagSpace(b[i]) && b[i] != '/' && b[i] != '>' && (b[i] != '=' || i == 0) {
		i++
	}
	key = view(b[:i])
	behind := i
	for i < len(b) && isTagSpace(b[i]) {
		i++
	}
	if i == len(b) {
		return "", "", 0
	}
	if b[i] != '=' {
		return key, "", behind
	}
	i++
	for i < len(b) && isTagSpace(b[i]) {
		i++
	}
	if i == len(b) {
		return "", "", 0
	}
	if q := b[i]; q == '"' || q == '\'' {
		n := bytes.IndexByte(b[i+1:], q)
		if n < 0 {
			return "", "", 0
		}
		return key, view(b[i+1 : i+1+n]), i + n + 2
	}
	start := i
	for i < len(b) && !isTagSpace(b[i]) && b[i] != '>' {
		i++
	}
	return key, view(b[start:i]), i
}

// set takes up an attribute.
func (e *rawElement) set(key, value string, seen *int) {
	bit := 0
	switch key {
	case "dir":
		bit = 1
	case "contenteditable":
		bit = 2
	case "role":
		bit = 4
	}
	if bit == 0 || *seen&bit != 0 {
		return
	}
	*seen |= bit
	switch bit {
	case 1:
		e.dir = dirOf(value)
	case 2:
		e.refuses = e.refuses || value != "false"
	case 4:
		for role := range strings.FieldsSeq(value) {
			e.refuses = e.refuses || role == "button" || role == "link"
		}
	}
}

func dirOf(value string) dir {
	switch strings.ToLower(value) {
	case "ltr":
		return leftToRight
	case "rtl":
		return rightToLeft
	case "auto":
		return firstLetter
	}
	return noDir
}

// start takes up a start tag. It opens what says something, what end tags do not go over, and what has the name of such an element that is open.
func (t *tracker) start(e *rawElement) {
	switch {
	case void[e.name]:
		return
	case rawText[e.name]:
		t.raw = e.name
		t.strict = t.names["svg"] > 0 || t.names["math"] > 0 || t.names["select"] > 0 && e.name != "script"
		return
	case e.name == "frameset":
		t.lost = true
		return
	case (e.name == "option" || e.name == "optgroup") && t.refused > 0:
		return // in select and datalist, where its end tag may be left out
	case e.name == "a" && t.inAnchor():
		return // it closes the other
	}
	e.refuses = e.refuses || skipped[e.name]
	e.scope = scopes[e.name]
	// End tags that were left out:
	if e.scope == scopeSpecial || e.name == "table" {
		t.end("p")
	}
	switch e.name {
	case "li":
		t.end("li")
	case "dd", "dt":
		t.end("dd")
		t.end("dt")
	case "td", "th", "tr", "tbody", "tfoot", "thead":
		t.end("p")
		t.end("td")
		t.end("th")
		if e.name == "td" || e.name == "th" {
			break
		}
		t.end("tr")
		if e.name != "tr" {
			t.end("tbody")
			t.end("thead")
		}
	}
	if e.refuses || e.scope != scopeOpen || e.dir != noDir || e.name == "bdi" || t.names[e.name] > 0 {
		t.push(e)
	}
}

// end closes the innermost element if it has a name, and may have links in it.
func (t *tracker) end(name string) {
	if n := len(t.stack) - 1; n >= 0 && t.stack[n].name == name && !t.stack[n].refuses {
		t.cut(n, nil)
	}
}

// inAnchor reports whether there is an anchor that another one closes.
func (t *tracker) inAnchor() bool {
	if t.names["a"] == 0 {
		return false
	}
	for i := len(t.stack) - 1; i >= 0; i-- {
		t.steps++
		if e := t.stack[i]; e.name == "a" || e.blocks("a") {
			return e.name == "a"
		}
	}
	return false
}

// close takes up an end tag.
func (t *tracker) close(name string) {
	if t.names[name] == 0 || name == "html" || name == "body" {
		return // what is behind the end tag of body is in it
	}
	n := len(t.stack) - 1
	for ; t.stack[n].name != name; n-- {
		t.steps++
		if t.stack[n].blocks(name) {
			return
		}
	}
	t.cut(n, func(e *rawElement) bool { return e.refuses })
}

func isTagSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// textDirection returns the direction of a paragraph in e, which may be nil, and RTL if what stands in it is right-to-left text: as in HTML, where
// the nearest dir attribute decides, and in what has none a right-to-left letter in the block.
func (e *rawElement) textDirection(rtl bool, base display.Direction) (paragraph, text display.Direction) {
	switch {
	case e == nil && rtl:
		return base, display.RTL
	case e == nil:
		return base, base
	case e.dir == rightToLeft || e.dir == firstLetter && e.strong == display.RTL:
		return display.RTL, display.RTL
	}
	return display.LTR, display.LTR
}
