// SPDX-License-Identifier: MIT

package engine

import (
	"fmt"
	"strings"
	"testing"
)

// shapes are texts of about n bytes that are hard on detectors.
var shapes = map[string]func(n int) string{}

func init() {
	repeat := func(unit string) func(int) string {
		return func(n int) string { return strings.Repeat(unit, n/len(unit)+1) }
	}
	around := func(before, unit, after string) func(int) string {
		return func(n int) string { return before + strings.Repeat(unit, n/len(unit)+1) + after }
	}
	for _, unit := range []string{
		"@", "a@", "a.", "1.1.", "www.", "http://", "://", ".", "..a", "a@b.", "a@b.co", "a@b.co@", "a.co,", "a.co+", "a.co=",
		"a.co:", "a.co:1", "a.co:99999", "a.co_", "a.co/", "a.co/(", "a.co?", "a.co#", "a.co-", "http://a.co!", "http://a.co:x", "http://a:b@",
		"mailto:", "mailto:a@", "mailto:a@b.co", "mailto:a@b.co?", "xn--", "xn--a.", "xn--p1ai.", "http://[", "http://[::1]", "[::1]:",
		"例", "例。", "。", "．", "｡", "例.中国", "a例", "a.co例", "a.co。", "a.co。例", "例え.テスト。", "かな.", "가.한국", "ไทย", "ไทย.ไทย",
		"а.рф", "אב.קום", "אa.", "e\u0301.", "\u200e", "a\u200e", "a.co\u200e", "a.co\u200d", "\u200ea.co", "a\u2060.", "\xff", "a.co\xff", "\x00", "a.co\x00",
		"é.", "É.", "ｅ．", "a-", "-.", "a.-", "_a.co", "%a.co", "/a.co", "tel:", "ftp://", "ftp:", "xmpp:a@b.co", "http://a", "mailto:a@b", "a:",
	} {
		shapes[fmt.Sprintf("%+q…", unit)] = repeat(unit)
	}
	for _, c := range [][3]string{
		{"example.com/", ".", "b"}, {"example.com/", ".", " b"}, {"example.com/", ".,;:!?'", "b"}, {"example.com/", "(", ""}, {"example.com/", ")", ""},
		{"example.com/", "()", ""}, {"example.com/", "([{<", ""}, {"example.com/", "([{<>}])", ""}, {"example.com/", "《", "》"}, {"example.com/", "\u200e", "b"},
		{"example.com/", "\u200e", " b"}, {"example.com/", "a/", ""}, {"example.com?", "a=b&", ""}, {"example.com#", "a:~:", ""}, {"example.com#", "(:~:", ""},
		{"example.com/?", "?", "b"}, {"example.com", "。", "b"}, {"example.com", ".", "b"}, {"", "a", "@example.com"}, {"", "a.", "@example.com"}, {"", "a.", "com"},
		{"", "é", "@example.com"}, {"", "é", ".com"}, {"", "é.", "com"}, {"http://", "a:", "@example.com"}, {"http://", "é", "@example.com"}, {"http://example.com", "!", "@example.com"},
		{"http://example.com:", "1", "/"}, {"http://example.com", "_", "a"}, {"mailto:a@b.co?", "a=b&", ""}, {"tel:", ".", "b"}, {"", "word ", ""}, {"", "word. ", ""}, {"", "слово. ", ""},
		{"", "言葉、", ""}, {"", "言葉。", ""}, {"", "e.g. ", ""}, {"", "3.14 ", ""}, {"", "a\n", ""}, {"", "https://example.com/a ", ""}, {"", "a.b.c.d.e.f.g ", ""}, {"", "http://1.1.1.1 ", ""},
	} {
		shapes[fmt.Sprintf("%+q %+q… %+q", c[0], c[1], c[2])] = around(c[0], c[1], c[2])
	}
}

// TestGrowth counts the bytes and code points looked at for n, 2n and 4n bytes of every shape, in all profiles:
// twice the text takes at most 2.2 times the steps.
func TestGrowth(t *testing.T) {
	if len(shapes) < 100 {
		t.Fatalf("%d shapes", len(shapes))
	}
	for _, o := range []Options{
		{}, {Strict: true}, {LocalHosts: true, Schemes: []string{"ftp", "tel", "xmpp"}, MailtoQuery: true, StopAtCJKPunctuation: true},
		{Bare: BareNone, NoEmail: true}, {MaxLength: 100},
	} {
		d, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for name, shape := range shapes {
			const n = 4000
			var steps [3]int
			for i := range steps {
				steps[i] = d.steps(shape(n << i))
			}
			if most := 60 * 4 * n; steps[2] > most {
				t.Errorf("%s: %d steps for %d bytes, more than %d", name, steps[2], 4*n, most)
			}
			for i := 1; i < len(steps); i++ {
				if ratio := float64(steps[i]) / float64(max(steps[i-1], 100)); ratio > 2.2 {
					t.Errorf("%s, %+v: steps %v: ratio %.2f", name, o, steps, ratio)
				}
			}
		}
	}
}

// steps finds all links of text, one by one and in one go, and returns the greater number of steps.
func (d *Detector) steps(text string) int {
	one := 0
	for i := 0; ; {
		f := finder{d: d, text: text, from: i, chunk: chunkOne}
		ok := f.find()
		one += f.steps
		if !ok {
			break
		}
		i = f.link.End
	}
	f := finder{d: d, text: text, chunk: chunkMany}
	for f.find() {
		f.from = f.link.End
	}
	return max(one, f.steps)
}
