// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"strings"

	"github.com/bidilink/bidilink/engine/display"
)

// A tracker follows raw HTML, inline and in blocks, in the order of the document. It knows less than a browser: where in doubt, there
// are no links.
type tracker struct {
	open    [len(skipped)]int // of the elements in skipped, how many are open
	skips   int               // of those, how many in all
	stack   []*rawElement     // the open elements
	names   map[string]int    // how many of a name are in stack
	refused int               // elements in stack that refuse links
	dirs    int               // elements in stack with a direction
	raw     string            // the element whose content is raw text, up to its end tag
	lost    bool              // the HTML cannot be followed
	steps   int
}

type rawElement struct {
	name    string
	dir     dir
	refuses bool
	strong  display.Direction // of the first letter in it, outside links, that has one: what auto means
}

// dir is the value of a dir attribute.
type dir uint8

const (
	noDir dir = iota
	leftToRight
	rightToLeft
	firstLetter // auto
)

// skipped are the elements that never have links in them: anchors and other interactive content, where a click has a meaning already, text that is no prose, and
// what has rules of its own.
var skipped = [...]string{"a", "button", "label", "summary", "option", "optgroup", "datalist", "select",
	"code", "pre", "samp", "kbd", "tt", "var", "listing",
	"audio", "video", "canvas", "object", "applet", "svg", "math", "template", "frameset", "noscript"}

// rawText are the elements whose content is raw text.
var rawText = [...]string{"script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "plaintext"}

// void are the elements without content.
var void = [...]string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}

func indexOf(list []string, name string) int {
	for i, s := range list {
		if s == name {
			return i
		}
	}
	return -1
}

// mayLink reports whether there may be links now.
func (t *tracker) mayLink() bool {
	return !t.lost && t.raw == "" && t.skips == 0 && t.refused == 0
}

// directed returns the innermost element that says what direction its text has, or nil.
func (t *tracker) directed() *rawElement {
	for i := len(t.stack) - 1; i >= 0 && t.dirs > 0; i-- {
		if e := t.stack[i]; e.dir != noDir {
			return e
		}
	}
	return nil
}

// push opens an element, which may be a node of goldmark's with an attribute: one without name.
func (t *tracker) push(e *rawElement) {
	if e.name == "bdi" && e.dir == noDir {
		e.dir = firstLetter
	}
	if e.dir != noDir {
		t.dirs++
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

// truncate closes the elements behind the first n.
func (t *tracker) truncate(n int) {
	for len(t.stack) > n {
		e := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.names[e.name]--
		if e.refuses {
			t.refused--
		}
		if e.dir != noDir {
			t.dirs--
		}
	}
}

// follow takes up a piece of raw HTML.
func (t *tracker) follow(b []byte) {
	if t.lost {
		return
	}
	t.steps += len(b)
	for {
		if t.raw != "" {
			if b = t.rawEnd(b); b == nil {
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
		if n <= 0 {
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

// rawEnd returns what is behind the end tag of the element whose content is raw text, or nil.
func (t *tracker) rawEnd(b []byte) []byte {
	for t.raw != "plaintext" {
		i := bytes.Index(b, []byte("</"))
		if i < 0 {
			return nil
		}
		b = b[i+2:]
		if n := len(t.raw); len(b) > n && strings.EqualFold(view(b[:n]), t.raw) && bytes.IndexByte([]byte(" \t\r\n\f/>"), b[n]) >= 0 {
			if i := bytes.IndexByte(b, '>'); i >= 0 {
				t.raw = ""
				return b[i+1:]
			}
			t.lost = true
			return nil
		}
	}
	return nil
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
	} else {
		t.start(e)
	}
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

// start takes up a start tag.
func (t *tracker) start(e *rawElement) {
	if indexOf(void[:], e.name) >= 0 {
		return
	}
	if indexOf(rawText[:], e.name) >= 0 {
		t.raw = e.name
		return
	}
	if i := indexOf(skipped[:], e.name); i >= 0 {
		// A paragraph that ends does not close them in every case, and a browser opens some of them anew in the next.
		if e.name == "a" && t.open[i] > 0 {
			return // it closes the other
		}
		t.open[i]++
		t.skips++
	}
	t.push(e)
}

// close takes up an end tag.
func (t *tracker) close(name string) {
	if i := indexOf(skipped[:], name); i >= 0 && t.open[i] > 0 {
		t.open[i]--
		t.skips--
	}
	if t.names[name] == 0 {
		return
	}
	n := len(t.stack) - 1
	for t.stack[n].name != name {
		n--
	}
	t.truncate(n)
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
