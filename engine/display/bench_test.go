// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"testing"
)

var benchLinks = []struct{ name, link string }{
	{"ltr", "https://www.example.com/path/to/page.html?query=value&other=1#fragment"},
	{"one field", "https://www.example.com/wiki/" + hebrew("ABCDEF")},
	{"rtl", "https://" + hebrew("ABC.DEF/GHI/JKL") + "?a=" + hebrew("MNO") + "#x"},
	{"escapes", "https://example.com/" + arabic("AB%20CD/EF%20GH")},
	{"long", "https://example.com/" + strings.Repeat(hebrew("AB/"), 1000)},
}

func BenchmarkLayout(b *testing.B) {
	for _, c := range benchLinks {
		b.Run(c.name, func(b *testing.B) {
			l, ok := Parse(c.link)
			if !ok {
				b.Fatal("no link")
			}
			b.SetBytes(int64(len(c.link)))
			b.ReportAllocs()
			for b.Loop() {
				Constant.Layout(c.link, l, LTR)
			}
		})
	}
}

func BenchmarkAppendHTML(b *testing.B) {
	for _, c := range benchLinks {
		b.Run(c.name, func(b *testing.B) {
			l, _ := Parse(c.link)
			y := Constant.Layout(c.link, l, LTR)
			var dst []byte
			b.SetBytes(int64(len(c.link)))
			b.ReportAllocs()
			for b.Loop() {
				dst = y.AppendHTML(dst[:0], c.link, "x", Web)
			}
		})
	}
}
