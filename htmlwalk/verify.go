// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/bidilink/bidilink/engine/display"
)

// ErrDifferent is what [Verify] fails with.
var ErrDifferent = errors.New("htmlwalk: more differs than links")

// Verify checks an output of [Rewrite] against its input, without relying on the walk that made it. It fails with an error that wraps
// [ErrDifferent] unless
//
//   - the output is the input with start and end tags of a, bdi and span inserted, and with bidi controls within the inserted anchors replaced by
//     their percent escapes; and
//   - golang.org/x/net/html parses both to the same tree, with scripting and without, once each inserted element is taken out and its content
//     left in its place; none of them is within an anchor.
//
// An input that cannot be parsed, because it is too deep, cannot be verified: that is an error, too. Equal documents are not parsed.
func Verify(input, output []byte) error { return VerifyFragment(input, output, "") }

// verified is rewrite with the output verified: see Options.Verify.
func (rw *Rewriter) verified(w io.Writer, r io.Reader, find finder, record func(edit)) (Stats, error) {
	o := rw.o
	plain := *rw
	plain.o.Verify = false
	var in, out bytes.Buffer
	var edits []edit
	stats, err := plain.rewrite(&out, io.TeeReader(r, &in), find, func(e edit) { edits = append(edits, e) })
	if err != nil && out.Len() == 0 {
		return stats, err
	}
	output := out.Bytes()
	if different := VerifyFragment(in.Bytes(), output, o.Context); different != nil {
		stats, edits, output, err = Stats{Bytes: stats.Bytes}, nil, in.Bytes(), errors.Join(different, err)
	}
	if _, failed := w.Write(output); failed != nil {
		return stats, fmt.Errorf("htmlwalk: writing: %w", failed)
	}
	if record != nil {
		for _, e := range edits {
			record(e)
		}
	}
	return stats, err
}

// VerifyFragment is [Verify] for a fragment of an element, which is empty for a document: see Options.Context.
func VerifyFragment(input, output []byte, context string) error {
	if bytes.Equal(input, output) {
		return nil
	}
	marked, tags, err := markInsertions(input, output)
	if err != nil {
		return err
	}
	for _, scripting := range []bool{true, false} {
		if err := verifyTrees(input, marked.text, marked.mark, tags, scripting, context); err != nil {
			return fmt.Errorf("%w (scripting %v)", err, scripting)
		}
	}
	return nil
}

// A markedOutput is an output whose inserted start tags have an attribute more, and whose replaced characters are as they were.
type markedOutput struct {
	text []byte
	mark string // the name of the attribute
}

// markInsertions compares an output with its input, byte by byte, and returns it with marks, and the number of start tags that were inserted.
//
// Where both have the same, it is the input's: an inserted start tag stands before text, possibly over other inserted ones, where the input has no tag, so that no
// tag of the input is taken for one of ours; and which of two equal end tags in a row was inserted does not matter.
func markInsertions(input, output []byte) (m markedOutput, tags int, err error) {
	m.mark = "data-bidilink-inserted"
	for bytes.Contains(bytes.ToLower(input), []byte(m.mark)) {
		m.mark += "-"
	}
	m.text = make([]byte, 0, len(output)+len(output)/8)
	i, j, anchor := 0, 0, false
	for j < len(output) {
		if tag := ourTag(output[j:]); tag != nil && !bytes.HasPrefix(input[i:], tag) {
			end := bytes.HasPrefix(tag, []byte("</"))
			if end {
				m.text = append(m.text, tag...)
			} else {
				m.text = append(m.text, tag[:len(tag)-1]...)
				m.text = append(append(append(m.text, ' '), m.mark...), '>')
				tags++
			}
			if tag[1] == 'a' || end && tag[2] == 'a' {
				if anchor == !end {
					return m, 0, fmt.Errorf("%w: an anchor in an anchor, or an end without one, at byte %d of the output", ErrDifferent, j)
				}
				anchor = !end
			}
			j += len(tag)
			continue
		}
		if i < len(input) && input[i] == output[j] {
			m.text = append(m.text, input[i])
			i++
			j++
			continue
		}
		old, escapes := replaced(input[i:], output[j:])
		if !anchor || escapes == 0 {
			return m, 0, fmt.Errorf("%w: at byte %d of the input, %d of the output", ErrDifferent, i, j)
		}
		m.text = append(m.text, input[i:i+old]...)
		i += old
		j += escapes
	}
	if i != len(input) {
		return m, 0, fmt.Errorf("%w: the output ends at byte %d of the input", ErrDifferent, i)
	}
	return m, tags, nil
}

// ourTag returns the tag that b begins with, if it is one as we write it, or nil.
func ourTag(b []byte) []byte {
	for _, end := range []string{"</a>", "</bdi>", "</span>"} {
		if bytes.HasPrefix(b, []byte(end)) {
			return b[:len(end)]
		}
	}
	n := 0
	for _, start := range []string{"<a ", "<bdi ", "<span "} {
		if bytes.HasPrefix(b, []byte(start)) {
			n = len(start) - 1
		}
	}
	if n == 0 {
		return nil
	}
	for n < len(b) && b[n] == ' ' {
		n++
		name := n
		for n < len(b) && (b[n] >= 'a' && b[n] <= 'z' || b[n] == '-' || b[n] == '_' || b[n] >= '0' && b[n] <= '9') {
			n++
		}
		if n == name || !bytes.HasPrefix(b[n:], []byte(`="`)) {
			return nil
		}
		n += len(`="`)
		quote := bytes.IndexByte(b[n:], '"')
		if quote < 0 {
			return nil
		}
		n += quote + 1
	}
	if n == len(b) || b[n] != '>' {
		return nil
	}
	return b[:n+1]
}

// replaced returns the lengths of the bidi control that input begins with and of the percent escapes that output has in its place. They are 0 if it is not so.
func replaced(input, output []byte) (old, escapes int) {
	var control []byte
	for len(control) < utf8.UTFMax && len(output) >= escapes+3 && output[escapes] == '%' {
		one, err := url.PathUnescape(string(output[escapes : escapes+3]))
		if err != nil {
			return 0, 0
		}
		control = append(control, one...)
		escapes += 3
		if utf8.FullRune(control) {
			break
		}
	}
	r, n := utf8.DecodeRune(control)
	if n < 2 || n != len(control) || !display.IsControl(r) {
		return 0, 0
	}
	switch {
	case bytes.HasPrefix(input, control):
		return len(control), escapes
	case len(input) > 0 && input[0] == '&':
		// The longest reference to one: &lrm; is not &lrm and a semicolon.
		for end := min(len(input), 64); end > 2; end-- {
			if html.UnescapeString(string(input[:end])) == string(control) {
				return end, escapes
			}
		}
	case len(input) > 0 && (input[0] == 0xfd || input[0] == 0xfe): // windows-1255 and windows-1256
		return 1, escapes
	case len(input) >= 4 && input[0] > 0x80 && input[1]-'0' < 10 && input[2] > 0x80 && input[3]-'0' < 10: // GB 18030
		return 4, escapes
	}
	return 0, 0
}

// verifyTrees compares the trees of an input and of its marked output, in which a number of tags was inserted.
func verifyTrees(input, marked []byte, mark string, tags int, scripting bool, context string) error {
	parse := func(b []byte) (*html.Node, error) {
		b = bytes.TrimPrefix(b, []byte(utf8BOM)) // which a decoder drops
		return parseIn(bytes.NewReader(b), context, scripting)
	}
	before, err := parse(input)
	if err != nil {
		return fmt.Errorf("htmlwalk: the input cannot be verified: %w", err)
	}
	after, err := parse(marked)
	if err != nil {
		return fmt.Errorf("%w: the output does not parse: %w", ErrDifferent, err)
	}
	in, out := outline{next: before}, outline{next: after, mark: mark}
	for {
		x, y := in.step(), out.step()
		if x.kind != y.kind || x.text != y.text || !sameNode(x.node, y.node) {
			return fmt.Errorf("%w: the trees differ: %s, and then %s", ErrDifferent, x, y)
		}
		if x.kind == atEnd {
			break
		}
	}
	if out.marks != tags {
		return fmt.Errorf("%w: %d elements were inserted, %d are in the tree", ErrDifferent, tags, out.marks)
	}
	if out.nested {
		return fmt.Errorf("%w: an anchor in an anchor", ErrDifferent)
	}
	return nil
}

// parseIn parses a fragment of an element, or a document if there is none.
func parseIn(r io.Reader, context string, scripting bool) (*html.Node, error) {
	option := html.ParseOptionEnableScripting(scripting)
	if context == "" {
		return html.ParseWithOptions(r, option)
	}
	context = strings.ToLower(context)
	nodes, err := html.ParseFragmentWithOptions(r, &html.Node{Type: html.ElementNode, Data: context, DataAtom: atom.Lookup([]byte(context))}, option)
	root := &html.Node{Type: html.DocumentNode}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root, err
}

// sameNode reports whether two nodes are the same, but for what is in them.
func sameNode(x, y *html.Node) bool {
	if x == nil || y == nil {
		return x == y
	}
	if x.Type != y.Type || x.Data != y.Data || x.Namespace != y.Namespace || len(x.Attr) != len(y.Attr) {
		return false
	}
	for i := range x.Attr {
		if x.Attr[i] != y.Attr[i] {
			return false
		}
	}
	return true
}

// A step is what an outline meets.
type step struct {
	kind stepKind
	text string     // of one or more nodes
	node *html.Node // that begins or ends, if it is no text
}

type stepKind uint8

const (
	atEnd stepKind = iota
	atText
	atStart
	atClose
)

// String describes a step for a message.
func (s step) String() string {
	switch s.kind {
	case atEnd:
		return "the end"
	case atText:
		if len(s.text) > 40 {
			return fmt.Sprintf("text %.40q...", s.text)
		}
		return fmt.Sprintf("text %q", s.text)
	case atClose:
		return fmt.Sprintf("the end of %.40q", s.node.Data)
	}
	return fmt.Sprintf("%.40q", s.node.Data)
}

// An outline goes through a tree in the order of the document, and passes over marked elements, but not over what is in them. Texts that
// follow each other are one.
type outline struct {
	next   *html.Node // what comes next, or nil
	close  bool       // it is the end of next
	mark   string
	marks  int
	nested bool // a marked anchor is in an anchor
}

func (o *outline) step() step {
	var text []string
	for o.next != nil {
		n := o.next
		ours := o.mark != "" && n.Type == html.ElementNode && hasAttr(n, o.mark)
		if n.Type != html.TextNode && !ours {
			if len(text) > 0 {
				break
			}
			kind := atStart
			if o.close {
				kind = atClose
			}
			o.advance()
			return step{kind: kind, node: n}
		}
		switch {
		case n.Type == html.TextNode:
			if !o.close && n.Data != "" {
				text = append(text, n.Data)
			}
		case !o.close:
			o.marks++
			for p := n.Parent; p != nil && n.Data == "a"; p = p.Parent {
				o.nested = o.nested || p.Type == html.ElementNode && p.Data == "a"
			}
		}
		o.advance()
	}
	if len(text) > 0 {
		return step{kind: atText, text: strings.Join(text, "")}
	}
	return step{}
}

// advance goes on to the next start or end of a node.
func (o *outline) advance() {
	n := o.next
	switch {
	case !o.close && n.FirstChild != nil:
		o.next = n.FirstChild
	case !o.close:
		o.close = true
	case n.NextSibling != nil:
		o.next, o.close = n.NextSibling, false
	default:
		o.next = n.Parent
	}
}

func hasAttr(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}
