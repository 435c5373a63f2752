// SPDX-License-Identifier: MIT

package plaintext

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/bidilink/bidilink/engine"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/goldmark-uts58/internal/charref"
)

// A piece is a part of a line: a text, or an address in one of several forms.
type piece struct {
	text    string
	soft    bool // a line break in the source
	hard    bool // a line break
	address string
	forms   []form
	form    int // the index of the one that is written
}

// A form is a way to write an address: what stands round it, and the address itself.
type form struct{ before, address, after string }

// A collector collects the pieces of inline nodes.
type collector struct {
	*writer
	pieces []piece
	inLink bool
	flat   bool // addresses are not written, nor brackets
}

func (c *collector) text(s string) {
	if s != "" {
		c.pieces = append(c.pieces, piece{text: clean(s, false)})
	}
}

// lines returns the pieces of each line.
func (c *collector) lines() (lines [][]piece) {
	from := 0
	for i, p := range c.pieces {
		if p.hard {
			lines = append(lines, c.pieces[from:i])
			from = i + 1
		}
	}
	return append(lines, c.pieces[from:])
}

// inlineRange collects inline nodes, from first up to end.
func (c *collector) inlineRange(first, end ast.Node) {
	for n := first; n != nil && n != end; n = n.NextSibling() {
		c.inline(n)
	}
}

func (c *collector) children(n ast.Node) { c.inlineRange(n.FirstChild(), nil) }

// inline collects an inline node.
func (c *collector) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		b := n.Value(c.source)
		if !n.IsRaw() {
			b = charref.AppendText(nil, b)
		}
		c.text(string(b))
		switch {
		case n.HardLineBreak():
			c.pieces = append(c.pieces, piece{hard: true})
		case n.SoftLineBreak():
			c.pieces = append(c.pieces, piece{soft: true})
		}
	case *ast.String:
		switch {
		case n.IsCode(): // HTML, of typographic quotes for one
			c.text(html.UnescapeString(string(n.Value)))
		case n.IsRaw():
			c.text(string(n.Value))
		default:
			c.text(string(charref.AppendText(nil, n.Value)))
		}
	case *ast.CodeSpan:
		c.text("`" + c.plain(n) + "`")
	case *ast.Link:
		c.link(n, decoded(n.Destination))
	case *ast.AutoLink:
		address := string(n.URL(c.source))
		c.pieces = append(c.pieces, piece{address: address, forms: c.labelled(string(n.Label(c.source)), address)})
	case *ast.Image:
		c.image(n)
	case *ast.RawHTML:
		if lineBreak(n.Segments.Value(c.source)) {
			c.pieces = append(c.pieces, piece{hard: true})
		}
	case *extast.Strikethrough:
		c.text("~~")
		c.children(n)
		c.text("~~")
	case *extast.TaskCheckBox:
		if n.IsChecked {
			c.text("[x] ")
		} else {
			c.text("[ ] ")
		}
	case *extast.FootnoteLink:
		if f := c.footnotes[n.Index]; f != nil {
			c.text(" " + c.footnote(f))
		}
	case *extast.FootnoteBacklink:
	case *uts58.Element:
		if href, ok := n.AttributeString("href"); ok && n.Tag == "a" {
			s, _ := href.(string)
			c.link(n, s)
		} else {
			c.children(n)
		}
	default:
		if c.o.Text != nil && n.Kind() != ast.KindEmphasis {
			if s, ok := c.o.Text(n, c.source); ok {
				c.text(s)
				return
			}
		}
		c.children(n)
	}
}

// plain returns the text of the children of a node, without addresses.
func (c *collector) plain(n ast.Node) string {
	inner := collector{writer: c.writer, inLink: true, flat: true}
	inner.children(n)
	s := flat(inner.pieces)
	c.steps += len(s)
	return s
}

// flat returns the text of pieces.
func flat(pieces []piece) string {
	var b []byte
	for i, p := range pieces {
		switch {
		case p.soft || p.hard:
			b = appendBreak(b, pieces[i+1:])
		case p.forms != nil:
			b = append(b, p.forms[0].address...)
		default:
			b = append(b, p.text...)
		}
	}
	return string(b)
}

// link collects a link. Its destination is decoded.
func (c *collector) link(n ast.Node, destination string) {
	if c.inLink {
		c.children(n)
		return
	}
	if original, ok := c.originals[n]; ok {
		destination = original
	}
	from := len(c.pieces)
	c.inLink = true
	c.children(n)
	c.inLink = false
	destination = address(destination)
	if destination == "" {
		return
	}
	label := strings.TrimSpace(flat(c.pieces[from:]))
	c.steps += len(label)
	if label == "" || c.same(label, destination) {
		c.pieces = append(c.pieces[:from], piece{address: destination, forms: c.labelled(label, destination)})
		return
	}
	if label == destination && !hasScheme(destination) {
		return // a path that is its own text
	}
	c.refer(destination)
}

// refer writes an address behind the text of its link, or the number of a note.
func (c *collector) refer(destination string) {
	c.text(" ")
	if c.o.Footnotes {
		c.text(c.number(c.alone(destination)[0].address, note{address: destination}))
		return
	}
	c.pieces = append(c.pieces, piece{address: destination, forms: c.bracketed(destination)})
}

// image collects the alternative text of an image, and, if asked for, its address.
func (c *collector) image(n *ast.Image) {
	if c.flat {
		c.children(n)
		return
	}
	if alt := strings.TrimSpace(c.plain(n)); alt != "" {
		c.text("[" + alt + "]")
	}
	if destination := address(decoded(n.Destination)); c.o.Images && !c.inLink && hasScheme(destination) {
		c.refer(destination)
	}
}

// hasScheme reports whether an address begins with a scheme: RFC 3986 §3.1.
func hasScheme(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && c == ':':
			return true
		case i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.':
			return false
		}
	}
	return false
}

// decoded returns what a destination in the source stands for. NUL stays: in an address it is an escape, as goldmark's renderer has it.
func decoded(destination []byte) string {
	var b []byte
	for i, part := range bytes.Split(destination, []byte{0}) {
		if i > 0 {
			b = append(b, 0)
		}
		b = charref.AppendText(b, part)
	}
	return string(b)
}

// address returns a destination as it can stand in a text, or "" if nothing is written: for a place within the document, or a dangerous one. A backslash becomes
// an escape, as goldmark's renderer has it; browsers would take it for a slash.
func address(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || s[0] == '#' || dangerous(s) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r) {
			for _, x := range []byte(s[i : i+n]) {
				const hex = "0123456789ABCDEF"
				b.Write([]byte{'%', hex[x>>4], hex[x&15]})
			}
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// dangerous reports whether an address has a scheme that goldmark's renderer leaves out. Browsers skip controls and spaces in it.
func dangerous(s string) bool {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, s[:min(len(s), 64)])
	for _, scheme := range []string{"javascript:", "vbscript:", "file:", "data:"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return true
		}
	}
	return false
}

// whole returns the link that is all of s, where it stands in angle brackets.
func (w *writer) whole(s string) (engine.Link, bool) {
	w.steps += len(s)
	text := "<" + s + ">"
	l, ok := w.detect.Find(text, 0)
	return l, ok && l.Start == 1 && l.End == len(text)-1
}

// same reports whether label is an address, and the same one as destination: also where that has a scheme and label has none, or a slash for
// an empty path.
func (w *writer) same(label, destination string) bool {
	l, ok := w.whole(label)
	if !ok {
		return false
	}
	a, b := w.key(label), w.key(destination)
	if l.Kind == engine.URL && l.Scheme.Empty() {
		a, b = withoutScheme(a), withoutScheme(b)
	}
	return a == b
}

func withoutScheme(s string) string {
	return strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
}

// key returns an address in a form to compare: that of an href, made readable, and without the slash of an empty path.
func (w *writer) key(s string) string {
	if l, ok := w.whole(s); ok {
		s = string(w.detect.AppendHref(nil, "<"+s+">", l))
	}
	s = engine.Readable(s)
	if i := strings.Index(s, "://"); i > 0 && strings.IndexByte(s[i+3:], '/') == len(s)-i-4 {
		s = s[:len(s)-1]
	}
	return s
}

// readable returns an address as people read it, if it is found so. With a backslash it stays as it is: engine.Readable would write a slash, but the link of
// such a text has an escape.
func (w *writer) readable(s string) (string, bool) {
	if r := clean(engine.Readable(s), false); r != "" && strings.IndexByte(s, '\\') < 0 {
		if _, ok := w.whole(r); ok {
			return r, true
		}
	}
	_, ok := w.whole(s)
	return s, ok
}

// bracketed returns the forms of an address behind the text of its link.
func (w *writer) bracketed(destination string) []form {
	r, ok := w.readable(destination)
	// In an address without mailto:, "%" is itself.
	if rest, is := strings.CutPrefix(r, "mailto:"); is && strings.IndexByte(rest, '%') < 0 {
		if l, is := w.whole(rest); is && l.Kind == engine.Email {
			r, ok = rest, true
		}
	}
	if !ok {
		// Nothing finds it: its brackets say where it ends.
		r = strings.NewReplacer("<", "%3C", ">", "%3E").Replace(clean(engine.Readable(destination), false))
		return []form{{"<", r, ">"}}
	}
	return []form{{"<", r, ">"}, {" <", r, "> "}}
}

// labelled returns the forms of an address that is its own text, or that has none: label is as it was written.
func (w *writer) labelled(label, destination string) []form {
	forms := w.bracketed(destination)
	if label != "" {
		if r, ok := w.readable(label); ok {
			forms = append([]form{{"", r, ""}}, forms...)
		}
	} else if _, ok := w.readable(destination); ok {
		forms = append([]form{{"", forms[0].address, ""}}, forms...)
	}
	return forms
}

// alone returns the forms of an address that a line has to itself.
func (w *writer) alone(destination string) []form {
	forms := w.labelled("", destination)
	if forms[0].before != "" { // there is none that is found
		forms[0].before, forms[0].after = "", ""
	}
	return forms
}

// compose returns the text of a line, without space at its edges and with one where there are several, and what must not be broken in it. Addresses that
// would not be found as they are get another form.
func (w *writer) compose(pieces []piece) (string, []engine.Span) {
	for {
		var b []byte
		var placed, inside []engine.Span
		var of []int
		for i, p := range pieces {
			switch {
			case p.soft || p.hard:
				b = appendBreak(b, pieces[i+1:])
			case p.forms == nil:
				b = appendCollapsed(b, p.text)
			default:
				f := p.forms[p.form]
				b = appendCollapsed(b, f.before)
				start := len(b)
				b = append(b, f.address...)
				end := len(b)
				s := engine.Span{Start: start, End: end}
				inside = append(inside, s)
				if f.before != "" { // the brackets stay at the address
					s.Start--
					s.End++
				}
				b = appendCollapsed(b, f.after)
				placed = append(placed, s)
				of = append(of, i)
			}
		}
		text := strings.TrimSuffix(string(b), " ")
		w.steps += len(text)
		changed := false
		var atoms []engine.Span
		k := 0
		for l := range w.detect.Links(text) {
			for k < len(inside) && inside[k].End <= l.Start {
				changed = w.other(pieces, of[k]) || changed
				atoms = append(atoms, placed[k])
				k++
			}
			if k < len(inside) && inside[k] == l.Span {
				atoms = append(atoms, placed[k])
				k++
				continue
			}
			if n := len(atoms); n == 0 || atoms[n-1].End <= l.Start {
				atoms = append(atoms, l.Span)
			} else {
				atoms[n-1].End = max(atoms[n-1].End, l.End)
			}
			for k < len(inside) && inside[k].Start < l.End {
				changed = w.other(pieces, of[k]) || changed
				n := len(atoms) - 1
				atoms[n].Start, atoms[n].End = min(atoms[n].Start, placed[k].Start), max(atoms[n].End, placed[k].End)
				k++
			}
		}
		for ; k < len(inside); k++ {
			changed = w.other(pieces, of[k]) || changed
			atoms = append(atoms, placed[k])
		}
		if !changed {
			return text, atoms
		}
	}
}

// other takes the next form of an address that was not found, if there is one.
func (w *writer) other(pieces []piece, i int) bool {
	p := &pieces[i]
	if p.form+1 < len(p.forms) {
		p.form++
		return true
	}
	return false
}

// appendCollapsed appends a text with one space for any number of them.
func appendCollapsed(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c != ' ':
			b = append(b, c)
		case len(b) > 0 && b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	return b
}

// appendBreak appends a space for a line break in the source, unless it stands between two characters of Chinese or Japanese text.
func appendBreak(b []byte, next []piece) []byte {
	r, _ := utf8.DecodeLastRune(b)
	if dense(r) && len(next) > 0 && next[0].forms == nil {
		if r, _ := utf8.DecodeRuneInString(next[0].text); dense(r) {
			return b
		}
	}
	return appendCollapsed(b, " ")
}

// dense reports whether r is of a script that is written without spaces, and whose lines end anywhere.
func dense(r rune) bool {
	return r >= 0x2E80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi) || 0x3000 <= r && r <= 0x303F || 0xFF00 <= r && r <= 0xFF65)
}

// lineBreak reports whether a tag is br.
func lineBreak(tag []byte) bool {
	name := strings.ToLower(strings.Trim(string(tag), "<>/ \t\r\n"))
	return name == "br" || strings.HasPrefix(name, "br ")
}

// clean returns a text of one line: white space that would break it becomes a space, and what else is no character of a text becomes U+FFFD.
func clean(s string, tabs bool) string {
	if printable(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' && tabs:
			return r
		case r == '\r' && tabs:
			return -1
		case r == '\t' || r == '\n' || r == '\v' || r == '\f' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
			return ' '
		case unicode.IsControl(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// printable reports whether s is printable ASCII.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
