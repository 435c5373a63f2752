// SPDX-License-Identifier: MIT

package plaintext

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/yuin/goldmark"
	gmtext "github.com/yuin/goldmark/text"

	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// BenchmarkRender renders a letter as text, and, to compare, as HTML; parsing is not part of it.
func BenchmarkRender(b *testing.B) {
	source, err := os.ReadFile("testdata/letter.md")
	if err != nil {
		b.Fatal(err)
	}
	source = bytes.Repeat(source, 20)
	md := goldmark.New(extensions(&uts58.Extender{}))
	doc := md.Parser().Parse(gmtext.NewReader(source))
	r, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	for name, render := range map[string]func() error{
		"text":  func() error { return r.Render(io.Discard, source, doc) },
		"html":  func() error { return md.Renderer().Render(io.Discard, source, doc) },
		"parse": func() error { md.Parser().Parse(gmtext.NewReader(source)); return nil },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				if err := render(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
