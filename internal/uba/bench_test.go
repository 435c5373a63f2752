// SPDX-License-Identifier: MIT

package uba

import (
	"strings"
	"testing"
)

func BenchmarkParagraph(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", "https://www.example.com/path/to/page.html?query=value&other=1#fragment"},
		{"hebrew", "ויקיפדיה היא מיזם רב־לשוני לחיבור אנציקלופדיה שיתופית, חופשית ומהימנה."},
		{"mixed", "ראו http://אתר.example.com/דף/2?שם=ערך (או www.example.org), עמ׳ 12–15."},
		{"brackets", strings.Repeat("[", 63) + "א" + strings.Repeat(")", 10000)},
		{"embeddings", strings.Repeat("\u202bא\u202aa", 10000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			var p Paragraph
			var order []int
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				p.SetString(c.text, LTR)
				order = p.VisualOrder(order[:0])
			}
		})
	}
}
