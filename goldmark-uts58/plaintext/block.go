// SPDX-License-Identifier: MIT

package plaintext

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/bidilink/bidilink/goldmark-uts58/internal/charref"
)

// A writer writes one text.
type writer struct {
	*Renderer
	source    []byte
	limit     int // columns of a line
	room      int // columns of a line for indentation and quote marks
	originals map[ast.Node]string
	footnotes map[int]*extast.Footnote // by their index
	unwritten []*extast.Footnote       // in order, those that the last of notes may have to write
	root      ast.Node                 // what is written
	taken     map[int]bool             // numbers that stand in brackets in the text; nil as long as there is no note
	last      int                      // the number of the last note
	numbers   map[string]int           // of notes: by the address as people read it, or "\n" and the index of a footnote
	queue     []note                   // notes in the order of their numbers
	out       []byte
	lines     int // that were written, without blank ones
	steps     int // bytes that were looked at, for tests

	indent          // of the lines
	first    string // what stands before the next line in place of indent.text, with the markers of items
	hasFirst bool
	blank    bool   // an empty line comes before the next one
	between  string // what stands on the empty line
}

// An indent is what stands before lines.
type indent struct {
	text  string // spaces; unless the text is flowed, also quote marks
	depth int    // quote marks of a flowed text
}

// A note is an address, or a footnote.
type note struct {
	number   int
	address  string
	footnote *extast.Footnote
}

// width returns how many columns an indent has.
func (i indent) width() int {
	if i.depth > 0 {
		return i.depth + 1 + len(i.text)
	}
	return len(i.text)
}

// marks returns what stands before each line of a flowed text.
func (i indent) marks() string {
	if i.depth == 0 {
		return ""
	}
	return strings.Repeat(">", i.depth) + " "
}

// start returns what stands before the next line, quote marks of a flowed text aside.
func (w *writer) start() string {
	if w.hasFirst {
		return w.first
	}
	return w.indent.text
}

// put writes a line. If it is soft, it goes on in the next one.
func (w *writer) put(start, line string, soft bool) {
	if w.blank && w.lines > 0 {
		w.out = append(append(w.out, w.between...), '\n')
	}
	w.blank, w.hasFirst = false, false
	begin := len(w.out)
	if w.o.Flowed {
		// RFC 3676 §4.4: behind quote marks there is always a space.
		w.out = append(w.out, w.marks()...)
		if w.depth == 0 && (stuffed(start+line) || soft && stuffed(start+line+" ")) { // "From", and the space of a soft line
			w.out = append(w.out, ' ')
		}
	}
	w.out = append(append(w.out, start...), line...)
	if soft {
		w.out = append(w.out, ' ')
	} else {
		w.out = append(w.out[:begin], bytes.TrimRight(w.out[begin:], " \t")...)
	}
	w.out = append(w.out, '\n')
	w.lines++
	w.steps += len(w.out) - begin
}

// stuffed reports whether a line of a flowed text gets a space before it: RFC 3676 §4.4.
func stuffed(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, ">") || strings.HasPrefix(line, "From ")
}

// separate makes that there is an empty line before the next one.
func (w *writer) separate() {
	w.blank = true
	if w.o.Flowed {
		w.between = strings.TrimRight(w.marks(), " ")
	} else {
		w.between = strings.TrimRight(w.indent.text, " ")
	}
}

// push indents what follows by the width of marker, which the first line begins with instead. What it returns is for pop.
func (w *writer) push(marker string) (indent, int) {
	saved := w.indent
	n := columns(marker)
	if w.hasFirst && columns(w.first)+n > w.room {
		w.put(w.first, "", false)
	}
	w.first, w.hasFirst = w.start()+marker, true
	if w.indent.width()+n <= w.room {
		w.indent.text += strings.Repeat(" ", n)
	}
	return saved, w.lines
}

// pop ends what push began. A marker that nothing came after gets a line.
func (w *writer) pop(saved indent, lines int) {
	if w.hasFirst && w.lines == lines {
		w.put(w.first, "", false)
	}
	w.indent = saved
}

// quote writes a block quote.
func (w *writer) quote(n ast.Node) {
	saved := w.indent
	switch {
	case w.o.Flowed:
		if w.hasFirst {
			w.put(w.first, "", false) // quote marks stand before all else
		}
		if next := (indent{"", w.depth + 1}); next.width() <= w.room {
			w.indent = next
		}
		w.blocks(n, false)
	case w.indent.width()+2 <= w.room && (!w.hasFirst || columns(w.first)+2 <= w.room):
		had, before, lines := w.hasFirst, w.first, w.lines
		w.first += "> "
		w.indent.text += "> "
		w.blocks(n, false)
		if had && w.lines == lines {
			w.first = before
		}
	default:
		w.blocks(n, false)
	}
	w.indent = saved
}

// blocks writes the children of a block.
func (w *writer) blocks(n ast.Node, tight bool) {
	lines := w.lines
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if !tight && w.lines > lines {
			w.separate()
		}
		w.block(c)
	}
}

// block writes a block.
func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.HTMLBlock, *ast.LinkReferenceDefinition, *extast.FootnoteList:
	case *ast.Heading:
		w.heading(n)
	case *ast.ThematicBreak:
		w.put(w.start(), "* * *", false)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.code(n)
	case *ast.Blockquote:
		w.quote(n)
	case *ast.List:
		w.list(n)
	case *extast.Table:
		w.table(n)
	case *extast.DefinitionDescription:
		saved, lines := w.push("    ")
		w.blocks(n, n.IsTight)
		if w.lines == lines {
			w.hasFirst = false
		}
		w.indent = saved
	case *extast.DefinitionList:
		w.blocks(n, true)
	default:
		if first := n.FirstChild(); first != nil && first.Type() == ast.TypeInline {
			w.paragraph(n, first, nil)
		} else {
			w.blocks(n, false)
		}
	}
}

// paragraph writes the children of n from first up to end.
func (w *writer) paragraph(n, first, end ast.Node) (widest int) {
	var c collector
	c.writer = w
	c.inlineRange(first, end)
	for _, line := range c.lines() {
		widest = max(widest, w.wrap(w.compose(line)))
	}
	return widest
}

// heading writes a heading, underlined by its level.
func (w *writer) heading(n *ast.Heading) {
	if widest := w.paragraph(n, n.FirstChild(), nil); widest > 0 {
		mark := [...]string{"=", "-", "~", ".", ".", "."}[min(max(n.Level, 1), 6)-1]
		w.put(w.start(), strings.Repeat(mark, max(3, min(widest, w.left(w.start())))), false)
	}
}

// left returns how many columns a line has behind its beginning.
func (w *writer) left(start string) int {
	return max(w.limit-columns(start)-len(w.marks()), 1)
}

// code writes a block of code.
func (w *writer) code(n ast.Node) {
	var text []byte
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		text = append(text, s.Value(w.source)...)
	}
	text = bytes.TrimRight(text, "\n")
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		w.verbatim("    ", string(line))
	}
}

// verbatim writes a line as it is. Empty ones are kept.
func (w *writer) verbatim(start, line string) {
	w.put(w.start()+start, clean(line, true), false)
}

// list writes the items of a list.
func (w *writer) list(n *ast.List) {
	lines, number := w.lines, n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if !n.IsTight && w.lines > lines {
			w.separate()
		}
		marker := "* "
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		saved, before := w.push(marker)
		w.blocks(c, n.IsTight)
		w.pop(saved, before)
	}
}

// findFootnotes takes the list of footnotes of a document, which is its last block.
func (w *writer) findFootnotes(doc ast.Node) {
	for c := doc.LastChild(); c != nil && w.footnotes == nil; c = c.PreviousSibling() {
		list, ok := c.(*extast.FootnoteList)
		if !ok {
			continue
		}
		w.footnotes = map[int]*extast.Footnote{}
		for f := list.FirstChild(); f != nil; f = f.NextSibling() {
			if f, ok := f.(*extast.Footnote); ok {
				w.footnotes[f.Index] = f
				w.unwritten = append(w.unwritten, f)
			}
		}
	}
}

// number returns the number of a note, as it stands in the text.
func (w *writer) number(key string, n note) string {
	i, ok := w.numbers[key]
	if !ok {
		if w.taken == nil {
			w.findTaken()
		}
		for w.last++; w.taken[w.last]; w.last++ {
		}
		i, n.number = w.last, w.last
		w.queue = append(w.queue, n)
		w.numbers[key] = i
	}
	return "[" + strconv.Itoa(i) + "]"
}

// footnote returns the number of a footnote, as it stands in the text.
func (w *writer) footnote(f *extast.Footnote) string {
	return w.number("\n"+strconv.Itoa(f.Index), note{footnote: f})
}

// findTaken finds the numbers in brackets that the text has of its own, so that no note has one of them.
func (w *writer) findTaken() {
	w.taken = map[int]bool{}
	var b []byte
	_ = ast.Walk(w.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Image:
			// Its alternative text stands in brackets.
			if entering {
				b = append(b, '[')
			} else {
				b = append(b, ']')
			}
			return ast.WalkContinue, nil
		case *ast.Text:
			if entering {
				b = charref.AppendText(b, n.Value(w.source))
			}
			return ast.WalkContinue, nil
		case *ast.String:
			if entering {
				b = charref.AppendText(b, n.Value)
			}
			return ast.WalkContinue, nil
		}
		if entering && n.Type() == ast.TypeBlock {
			b = append(b, '\n')
			switch n.(type) {
			case *ast.CodeBlock, *ast.FencedCodeBlock:
				for i := range n.Lines().Len() {
					s := n.Lines().At(i)
					b = append(b, s.Value(w.source)...)
				}
			}
		}
		return ast.WalkContinue, nil
	})
	b = append(append(b, '\n'), w.o.Signature...)
	w.steps += len(b)
	for _, m := range bracketed.FindAllSubmatch(b, -1) {
		if i, err := strconv.Atoi(string(m[1])); err == nil {
			w.taken[i] = true
		}
	}
}

// bracketed is a number as notes have it.
var bracketed = regexp.MustCompile(`\[([1-9][0-9]{0,8})\]`)

// notes writes the notes. There may be references to further ones in them. Footnotes that nothing written refers to come last: in the text, only those refer
// to each other, or what is not written.
func (w *writer) notes() {
	long := true // the note before is of several blocks
	for i := 0; ; i++ {
		for ; i == len(w.queue) && len(w.unwritten) > 0; w.unwritten = w.unwritten[1:] {
			w.footnote(w.unwritten[0])
		}
		if i == len(w.queue) {
			return
		}
		n := w.queue[i]
		before := long
		if long = n.footnote != nil && n.footnote.ChildCount() > 1; before || long {
			w.separate()
		}
		saved, lines := w.push("[" + strconv.Itoa(n.number) + "] ")
		if n.footnote != nil {
			w.blocks(n.footnote, false)
		} else {
			w.wrap(w.compose([]piece{{address: n.address, forms: w.alone(n.address)}}))
		}
		w.pop(saved, lines)
	}
}

// signature writes the signature: RFC 3676 §4.3.
func (w *writer) signature() {
	text := strings.Trim(strings.ReplaceAll(w.o.Signature, "\r\n", "\n"), "\n")
	if text == "" {
		return
	}
	if w.lines > 0 {
		w.out = append(w.out, '\n')
	}
	w.out = append(w.out, "-- \n"...)
	for line := range strings.SplitSeq(text, "\n") {
		w.verbatim("", line)
	}
}
