// SPDX-License-Identifier: MIT

package plaintext

import (
	"errors"
	"fmt"
	"io"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

const (
	defaultWidth = 72
	minWidth     = 20
	maxIndent    = 40 // columns of indentation and quote marks
	minText      = 16 // columns that they leave, at least
	maxTable     = 200
)

// Options configure a [Renderer]. The zero value is the documented profile.
type Options struct {
	// Width is how wide a line may be, in columns: at least 20, or -1 for any. With Flowed, the space at the end of a line counts. Default: 72.
	Width int

	// Footnotes writes the addresses of links that have a text of their own as numbered notes at the end. Numbers in brackets that
	// the text has of its own are left out. Default: they stand behind the text, in angle
	// brackets.
	Footnotes bool

	// Flowed writes format=flowed (RFC 3676, DelSp=no). Default: lines as they are to be seen.
	Flowed bool

	// Tracked writes the addresses that the hook uts58.Extender.Link has left. Default: those that there were before it.
	Tracked bool

	// Images writes the addresses of images beside their alternative text, if they have a scheme. Default: the alternative text only.
	Images bool

	// Links says what is found in the output: what is not broken, and what addresses are checked against. It should be that of
	// uts58.Extender. Default: the profile of package engine.
	Links engine.Options

	// Marks puts bidi controls round the links of the output, as display.Mark does. They go along when a link is copied. Not with Flowed. Default: none.
	Marks display.MarkOptions

	// Signature is what stands below the line "-- " at the end; its lines are not broken. Default: "", no signature.
	Signature string

	// Text returns what to write for inline nodes of other extensions, an emoji for one, or false. It is not asked about the kinds of nodes
	// that goldmark and its extensions have. Default: nil, such a node is written as its children.
	Text func(n ast.Node, source []byte) (string, bool)
}

// A Renderer writes plain text. It is safe for concurrent use, but two goroutines must not render the same tree at once.
type Renderer struct {
	o      Options
	detect *engine.Detector
}

var _ renderer.Renderer = (*Renderer)(nil)

// New returns a Renderer, or an error that names the option which is wrong.
func New(o Options) (*Renderer, error) {
	switch {
	case o.Width == 0:
		o.Width = defaultWidth
	case o.Width != -1 && o.Width < minWidth:
		return nil, fmt.Errorf("plaintext: Width: %d: want %d or more, or -1 for lines of any width", o.Width, minWidth)
	}
	if o.Flowed && o.Marks.Marks != display.MarksNone {
		return nil, errors.New("plaintext: Marks and Flowed exclude each other: a mark behind the space at the end of a line would end the paragraph")
	}
	d, err := engine.New(o.Links)
	if err != nil {
		return nil, fmt.Errorf("plaintext: Links: %w", err)
	}
	return &Renderer{o: o, detect: d}, nil
}

// Render implements renderer.Renderer: it writes the text of a node, of a document for one. Its errors are those of w.
func (r *Renderer) Render(w io.Writer, source []byte, n ast.Node) error {
	_, err := w.Write(r.render(source, n).out)
	return err
}

// AddOptions implements renderer.Renderer. It does nothing: options are about HTML, and renderers of nodes write it.
func (r *Renderer) AddOptions(...renderer.Option) {}

// noLimit is the width of lines of any width.
const noLimit = 1 << 30

// render returns the writer of a text, after its work.
func (r *Renderer) render(source []byte, n ast.Node) *writer {
	w := &writer{Renderer: r, source: source, limit: r.o.Width}
	if w.limit < 0 {
		w.limit = noLimit
	}
	w.room = min(maxIndent, w.limit-minText)
	return w.render(n)
}

func (w *writer) render(n ast.Node) *writer {
	w.numbers, w.root = map[string]int{}, n
	if doc, ok := n.(*ast.Document); ok && !w.o.Tracked {
		w.originals = uts58.Originals(doc)
	}
	w.findFootnotes(n)
	if n.Type() == ast.TypeInline {
		w.paragraph(n.Parent(), n, n.NextSibling())
	} else {
		w.block(n)
	}
	w.notes()
	w.signature()
	if w.o.Marks.Marks != display.MarksNone {
		w.out = display.AppendMarked(nil, w.detect, string(w.out), w.o.Marks)
	}
	return w
}
