// SPDX-License-Identifier: MIT

package hostname

import "testing"

var benchHosts = []struct{ name, host string }{
	{"ascii", "www.example.com"},
	{"short", "t.co"},
	{"upper", "WWW.EXAMPLE.COM"},
	{"long", "a-rather-long-name.of.many.labels.example.photography"},
	{"longer", "a-rather-long-name.of.many.labels.and.more.than.sixty.three.bytes.example.com"},
	{"multi", "www.example.co.uk"},
	{"jp", "example.jp"},
	{"hyphens", "r3---sn-apo3qvuoxuxbt-j5pe.googlevideo.com"},
	{"cyrillic", "пример.рф"},
	{"cyrillic-cap", "Пример.рф"},
	{"greek", "παράδειγμα.ελ"},
	{"latin", "bücher.example.com"},
	{"arabic", "مثال.مصر"},
	{"hebrew", "דוגמה.com"},
	{"devanagari", "उदाहरण.भारत"},
	{"bengali", "বাংলা.ভারত"},
	{"thai", "ตัวอย่าง.ไทย"},
	{"han", "中国。中国"},
	{"kana", "例え.みんな"},
	{"hangul", "한국어.한국"},
	{"emoji", "🍕.ws"},
	{"a-label", "xn--e1afmkfd.xn--p1ai"},
	{"slow", "ｅｘａｍｐｌｅ.com"},
	{"unknown", "e.g"},
	{"unknown-file", "main.go"},
	{"number", "3.14"},
	{"ipv4", "192.168.0.1"},
	{"invalid", "a..b"},
}

var sink Status

func BenchmarkClassify(b *testing.B) {
	for _, h := range benchHosts {
		b.Run(h.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(h.host)))
			for b.Loop() {
				sink = Classify(h.host)
			}
		})
	}
}

func BenchmarkAppendASCII(b *testing.B) {
	buf := make([]byte, 0, 256)
	for _, h := range benchHosts {
		b.Run(h.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				AppendASCII(buf, h.host)
			}
		})
	}
}

func BenchmarkOf(b *testing.B) {
	s := "пример.рф中国。中国www.example.com"
	var p Props
	for b.Loop() {
		for _, r := range s {
			p |= Of(r)
		}
	}
	sink = Status(p)
}
