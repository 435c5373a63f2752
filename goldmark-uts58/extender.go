// SPDX-License-Identifier: MIT

package uts58

import (
	"fmt"
	"slices"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// Mode says how a link is isolated from the text around it.
type Mode uint8

const (
	// Bdi wraps links in bdi elements, with further ones round fields where the order needs them. They are nodes of
	// the kind [KindElement].
	Bdi Mode = iota
	// Attr gives links a dir attribute. It adds no node of a kind that goldmark does not have, for
	// programs with renderers of their own, such as Hugo. The order is display.Embedding, whatever [Extender].Order says: an
	// attribute cannot order the fields.
	Attr
	// None does not isolate links. Their order depends on the text around them.
	None
)

// An Extender makes links in Markdown. The zero value is the documented profile. It must not be changed after goldmark has been
// given it, and then several goroutines may use it at once.
//
// It adds inline parsers of the priorities 450 and math.MaxInt, which no other inline parser may have, and a transformer of the priority 50: see Priorities in the package documentation.
type Extender struct {
	// Links says what is a link. Its FileNames is ignored in favour of LinkFileNames. Default: the profile of
	// package engine. Its IRI has no effect unless Isolate is Bdi: the renderers of links percent-encode hosts.
	Links engine.Options

	// LinkFileNames links bare hosts and addresses also if they look like the name of a file (README.md, main.rs), or of something in
	// a program (java.util.Map): see FileNames of package engine. Default: they are left alone.
	LinkFileNames bool

	// GFM finds links where the specification of GitHub Flavored Markdown does, and ends them there, instead of UTS #58:
	// bare hosts only with www., whose address then begins with http://, no public suffix list, only behind white space and * _ ~ (, and up to the
	// next white space or <, but only if "/", "?" or "#" follows the host and port: in all else, a browser sees another host. Of Links, then, only MaxLength and IRI matter. Default: UTS #58.
	GFM bool

	// Refuse leaves links alone that have one of these warnings, as display.Check finds them; and what else is in
	// the same word. Default: none.
	Refuse display.Warnings

	// Isolate says how links are isolated. Default: Bdi.
	Isolate Mode

	// Isolation says which links are isolated. Default: display.IsolateAuto, those with a right-to-left character, and all in
	// right-to-left text.
	Isolation display.Isolation

	// Order says in which order the fields of an isolated link are displayed. Default: display.Constant.
	Order display.Order

	// Profile says which elements Bdi writes: bdi, or, for mail, also spans. Default: display.Web.
	Profile display.Profile

	// Dir is the direction of the text where neither raw HTML nor an attribute says it: the template around it may know. Unless it is
	// display.RTL, such text is right-to-left text, for Isolation, if its block has a right-to-left letter. Default: display.LTR.
	Dir display.Direction

	// Inline are further kinds of inline nodes that links are made in, such as those for marked or inserted text. They must not
	// render as links. Default: emphasis and strikethrough.
	Inline []ast.NodeKind

	// Link is given every link before it is made. It may change Href and Attributes; if it returns false, there is no
	// link. It must be safe for concurrent use. Default: nil, all links are made as they are found.
	Link func(*Link) bool
}

var _ goldmark.Extender = (*Extender)(nil)

// Check returns what is wrong with the fields, or nil.
func (e *Extender) Check() error {
	_, err := e.settings()
	return err
}

// Extend implements goldmark.Extender. It panics if [Extender.Check] returns an error.
func (e *Extender) Extend(m goldmark.Markdown) {
	s, err := e.settings()
	if err != nil {
		panic(err)
	}
	m.Parser().AddOptions(
		&shield{settings: s},
		parser.WithASTTransformers(util.Prioritized(transformer{s}, 50)),
	)
	m.Renderer().AddOptions(&plainRenderer{})
	if e.Isolate == Bdi {
		m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(NewRenderer(), 500)))
	}
}

// A finder finds links and writes their addresses: an *engine.Detector, or one for GFM.
type finder interface {
	Find(text string, from int) (engine.Link, bool)
	AppendLinks(dst []engine.Link, text string) []engine.Link
	AppendHref(dst []byte, text string, l engine.Link) []byte
}

// settings are the fields of an Extender, checked.
type settings struct {
	Extender
	find    finder
	schemes []string // that addresses may have
	inline  []ast.NodeKind

	escapedSpace bool // a backslash before a blank stands for nothing, as in extension.CJK; known when parsing begins
}

func (e *Extender) settings() (*settings, error) {
	s := &settings{Extender: *e}
	if e.Isolate > None || e.Isolation > display.IsolateNone || e.Order > display.TLD || e.Profile > display.Mail || e.Dir > display.RTL {
		return nil, fmt.Errorf("uts58: unknown value (Isolate %d, Isolation %v, Order %v, Profile %d, Dir %d)", e.Isolate, e.Isolation, e.Order, e.Profile, e.Dir)
	}
	if e.Dir == display.Unknown {
		s.Dir = display.LTR
	}
	if e.Isolate == Attr {
		s.Order, s.Profile = display.Embedding, display.Web
	}
	if e.Isolate != Bdi {
		s.Links.IRI = false // goldmark's renderer would percent-encode the host
	}
	o := s.Links
	o.FileNames = !e.LinkFileNames
	d, err := engine.New(o)
	if err != nil {
		return nil, fmt.Errorf("uts58: Links: %w", err)
	}
	s.find = d
	if e.GFM {
		s.find = newGFM(o)
	}
	s.schemes = append([]string{"http", "https", "mailto"}, o.Schemes...)
	s.inline = append(slices.Clone(e.Inline), ast.KindEmphasis, extast.KindStrikethrough)
	return s, nil
}
