// SPDX-License-Identifier: MIT

package linkprop

import (
	"slices"
	"strings"
	"testing"
)

var sink Props

// Each text is 4096 runes; ns/op divided by 4096 is the cost of a lookup.
func BenchmarkOf(b *testing.B) {
	for _, bm := range []struct{ name, text string }{
		{"ASCII", "The page https://example.com/a_(b)?c=d#e says (at length) more. "},
		{"Cyrillic", "Страница https://пример.рф/путь говорит об этом (подробно). "},
		{"Han", "这个网页说得更多,请看https://例子.中国/路径,谢谢您。"},
	} {
		text := []rune(bm.text)
		text = slices.Repeat(text, 4096/len(text)+1)[:4096]
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var p Props
				for _, r := range text {
					p |= Of(r)
				}
				sink = p
			}
		})
	}
}

func BenchmarkASCII(b *testing.B) {
	text := strings.Repeat("The page https://example.com/a_(b)?c=d#e says (at length) more. ", 64)
	b.ReportAllocs()
	for b.Loop() {
		var p Props
		for i := range len(text) {
			p |= ASCII(text[i])
		}
		sink = p
	}
}

func BenchmarkOpening(b *testing.B) {
	var o rune
	for b.Loop() {
		for _, c := range brackets {
			o |= Opening(c.close)
		}
	}
	sink = Props(o)
}
