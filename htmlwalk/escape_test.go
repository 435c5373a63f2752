// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// chunked are readers that give a document in pieces.
var chunked = []func(io.Reader) io.Reader{
	func(r io.Reader) io.Reader { return r },
	iotest.HalfReader,
	iotest.OneByteReader,
	func(r io.Reader) io.Reader { return &slowReader{r, 7000} },
	func(r io.Reader) io.Reader { return iotest.DataErrReader(&slowReader{r, 16 << 10}) },
}

// A slowReader gives at most n bytes at a time.
type slowReader struct {
	r io.Reader
	n int
}

func (p *slowReader) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n)]) }

// What is before an escape sequence of ISO-2022 gets its links, wherever the sequence is and however the document is read.
func TestEscapes(t *testing.T) {
	const link = `<a href="https://e.com">e.com</a>`
	long, filler := strings.Repeat("x", 40_000), strings.Repeat("<p>xx</p>", 3184)
	for _, c := range []struct {
		name, before, after string // the latter is copied
		reason              Reason
		line                int
	}{
		{"in a long tag", "<p>see @", "<b title=\"" + long + "\x1b$B\">e.com", Charset, 1},
		{"in a tag", filler + "<p>\nsee @", "<b title=\"\x1b$B\">e.com", Charset, 2},
		{"in an end tag", filler + "<p><b>see @", "</b title=\"\x1b(I\">e.com", Charset, 1},
		{"in the end tag of an isolate", filler + "<p><bdi>@", "</bdi title=\"\x1b(I\">e.com", Charset, 1},
		{"in a comment", filler + "<p>see @", "<!-- \x1b$B -->e.com", Charset, 1},
		{"in a text", filler + "<p>see @<b>", "x \x1b$B e.com", Charset, 1},
		{"in a void element", filler + "<p>see @<br>", "<img alt=\x1b$B>e.com", Charset, 1},
		{"in a wbr tag", filler + "<p>", "see\ne.com<wbr title=\"\x1b$B\">e.com", Charset, 1},
		{"behind a wbr tag", filler + "<p>@\n<b>", "see e.co<wbr>m \x1b$B e.com", Charset, 2},
		{"none", filler + "<p>see @ <b title=\"\x1b[0m\"> @ <i title=\"" + long + "\"> @", "", NotCopied, 0},
		{"behind utf-8", "<meta charset=utf-8>" + filler + "<p>see @ <b title=\"\x1b$B\"> @", "", NotCopied, 0},
	} {
		doc, want := strings.ReplaceAll(c.before, "@", "e.com")+c.after, strings.ReplaceAll(c.before, "@", link)+c.after
		for _, reference := range []bool{false, true} {
			for i, chunk := range chunked {
				var out bytes.Buffer
				stats, err := Rewrite(&out, chunk(strings.NewReader(doc)), Options{ReferenceScanner: reference})
				if got := out.String(); got != want || err != nil {
					t.Errorf("%s, reference %v, reader %d: %v, %d links, %d bytes, want %d", c.name, reference, i, err, strings.Count(got, "<a "), len(got), len(want))
				}
				if stats.Copied.Reason != c.reason || stats.Copied.Line != c.line {
					t.Errorf("%s, reference %v, reader %d: copied %+v, want %v from line %d", c.name, reference, i, stats.Copied, c.reason, c.line)
				}
			}
		}
	}
}
