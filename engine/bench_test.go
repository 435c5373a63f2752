// SPDX-License-Identifier: MIT

package engine_test

import (
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// BenchmarkFind runs over small repeated texts; the module in bench compares with peers on corpora.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"none", "The quick brown fox, e.g. the one of 3.14 feet, jumps over the lazy dog. And it does so again and again, until it is tired. "},
		{"few", strings.Repeat("The quick brown fox jumps over the lazy dog, and it does so again. ", 10) + "See https://example.com/fox. "},
		{"many", "See https://example.com/fox, www.example.org/dog?a=b and mail fox@example.com. "},
		{"Japanese", "速い茶色の狐がのろまな犬を飛び越える。それから、例え.みんな/狐を見る。"},
		{"Russian", "Быстрая лиса прыгает через ленивую собаку. Смотри пример.рф/лиса и пиши на лиса@пример.рф. "},
		// Letters that end as an ideographic dot does, and words with a dot in them.
		{"Tibetan", "ཡིན། བོད་ཡིག་གི་ཡི་གེ་ཡིན། ང་བོད་པ་ཡིན། ཁྱེད་རང་གང་ནས་ཡིན། "},
		{"Burmese", "ဂျပန်နိုင်ငံ၏ ဂုဏ်သိက္ခာသည် ဂရုစိုက်ရန် လိုအပ်ပါသည်။ "},
		{"dots", "Это т.е. слово.слово, été.hiver и имя.фамилия; fox.then e.g. this. "},
		{"hostile", "a.a.a.a@a.a.a.a://a.co:x@((([[[..."},
	} {
		text := strings.Repeat(c.text, 4000/len(c.text)+1)
		d := detector(b, engine.Options{})
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for range d.Links(text) {
					n++
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "links/op")
		})
	}
}
