// SPDX-License-Identifier: MIT

package charref

import (
	"bytes"
	"html"
	"testing"

	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

func TestAppendText(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		`a\*b \& \a \`:                  `a*b & \a \`,
		"&amp;lt; \\&lt; &lt &nosuch;":  "&lt; &lt; &lt &nosuch;",
		"&#65;&#x41;&#0;\x00&#1114112;": "AA\ufffd\ufffd\ufffd",
		"&NotEqualTilde;":               "\u2242\u0338",
	} {
		if got := string(AppendText(nil, []byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzAppendText compares with what goldmark's renderer writes.
func FuzzAppendText(f *testing.F) {
	for _, s := range []string{`a\*b&amp;\&lt;&#65;`, "\x00&#0;&CounterClockwiseContourIntegral;&", `\`, "&amp;#38;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		w := &writer{&out}
		gmhtml.DefaultWriter.Write(w, []byte(s))
		if got, want := string(AppendText(nil, []byte(s))), html.UnescapeString(out.String()); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	})
}

type writer struct{ *bytes.Buffer }

func (w *writer) Available() int { return w.Cap() - w.Len() }
func (w *writer) Buffered() int  { return w.Len() }
func (w *writer) Flush() error   { return nil }

var _ util.BufWriter = (*writer)(nil)
