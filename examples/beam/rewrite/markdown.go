// SPDX-License-Identifier: MIT

package rewrite

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/goldmark-uts58/frontmatter"
	"github.com/bidilink/bidilink/htmlwalk"
)

func (r *Rewriter) newMarkdown() {
	r.markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote, &uts58.Extender{
		Links: r.html.Links, Isolation: r.html.Isolate, Order: r.html.Order, Dir: r.html.Dir,
		Link: func(l *uts58.Link) bool {
			if l.Kind == engine.Email {
				r.emails++
			} else {
				r.urls++
			}
			return true
		},
	}))
}

// Markdown returns what bidilink md makes of a document: HTML. It fails if bidilink md would write nothing: the document is not text.
func (r *Rewriter) Markdown(data []byte) ([]byte, Counts, error) {
	var c Counts
	if err := checkText(data); err != nil {
		return nil, c, err
	}
	r.urls, r.emails = 0, 0
	source := frontmatter.Text(bytes.TrimPrefix(data, []byte("\ufeff")))
	doc := r.markdown.Parser().Parse(text.NewReader(source))
	c.URLs, c.Emails, c.Links, c.Isolates = r.urls, r.emails, r.urls+r.emails, isolates(doc)
	var out bytes.Buffer
	out.Grow(len(source) + len(source)/4)
	if err := r.markdown.Renderer().Render(&out, source, doc); err != nil {
		return nil, c, err
	}
	c.changed(true)
	return out.Bytes(), c, nil
}

// isolates returns the number of links that have an isolate round them.
func isolates(doc ast.Node) (n int64) {
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		e, ok := node.(*uts58.Element)
		if !entering || !ok || e.Dir == display.Unknown || e.FirstChild() == nil {
			return ast.WalkContinue, nil
		}
		inner, ok := e.FirstChild().(*uts58.Element)
		if e.FirstChild().Kind() == ast.KindLink || ok && inner.Tag == "a" {
			n++
		}
		return ast.WalkContinue, nil
	})
	return n
}

// checkText refuses what is not text, as bidilink md does.
func checkText(data []byte) error {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff"} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return fmt.Errorf("%w: a byte order mark of UTF-16 or UTF-32", htmlwalk.ErrEncoding)
		}
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return fmt.Errorf("%w: a NUL byte at offset %d", htmlwalk.ErrBinary, i)
	}
	return nil
}
