// SPDX-License-Identifier: MIT

package hostname

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

func FuzzClassify(f *testing.F) {
	for _, c := range classifyTests {
		f.Add(c.host)
	}
	for _, h := range benchHosts {
		f.Add(h.host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		check(t, host)
		// The ASCII form is a name of the same kind, and its own ASCII form.
		if a, ok := AppendASCII(nil, host); ok {
			if got, want := Classify(string(a)), Classify(host); got != want {
				t.Errorf("Classify(%q) = %d, but Classify(%+q) = %d", a, got, host, want)
			}
			if b, ok := AppendASCII(nil, string(a)); !ok || string(b) != string(a) {
				t.Errorf("AppendASCII(%q) = %q, %v", a, b, ok)
			}
		}
	})
}

// alphabets are characters that meet in names, and those that make a difference to a rule.
var alphabets = []string{
	"abcxyzn019-", "ABCXYZ-Nn0", "abcüäößéÜÉ\u0301\u0308\u0323", "абвяйёАЙЁ\u0306", "αβγςΣΆϊ\u0301\u0313\u0345",
	"אבגדשָּ\u05b7\u05c1֔״׳1-a", "ابتثمأؤي\u064b\u0651\u0653\u0654٣۳3-a", "कखगतनहिी़्ऱ\u0951\u200d\u200c१", "বাংলাদেশো্য়\u09be\u09d7\u09c7",
	"ตัวอย่างน้ำผู้\u0e33\u0e38\u0e48", "ລາວຳ\u0eb3\u0ec8\u0eb8", "中国例え。．｡みんなガカ\u3099ーｶﾞ・", "한국어가각\u1100\u1161\u11a8ᄀ", "ௌகெொ\u0bbe\u0bd7\u0bc6", "🍕❤\ufe0f🏽\u200d→“",
	"ａＢ１－．ﬁ№ℵ①²½\u00ad\u034f", "\u200c\u200dنمه\u0640ेक्", "\u0f71\u0f72\u0f74ཀཱི", "ÅKΩ\u0340\u0374", "≠<\u0338_ \x00",
}

// randomHost puts a name together from one or two alphabets a label.
func randomHost(rnd *rand.Rand) string {
	var host []byte
	for i, n := 0, 1+rnd.IntN(3); i < n; i++ {
		if i > 0 {
			host = append(host, '.')
		}
		a := []rune(alphabets[rnd.IntN(len(alphabets))])
		if rnd.IntN(3) == 0 {
			a = append(a, []rune(alphabets[rnd.IntN(len(alphabets))])...)
		}
		var label []rune
		for range 1 + rnd.IntN(1+rnd.IntN(14)) {
			label = append(label, a[rnd.IntN(len(a))])
		}
		if rnd.IntN(4) == 0 {
			if p, err := idna.Punycode.ToASCII(string(label)); err == nil {
				if rnd.IntN(4) == 0 {
					p = strings.ToUpper(p)
				}
				host = append(host, p...)
				continue
			}
		}
		host = append(host, string(label)...)
	}
	if rnd.IntN(2) == 0 {
		host = append(host, []string{".com", ".рф", ".مصر", ".ไทย", ".co.uk", ".1", "。中国", ".xn--p1ai"}[rnd.IntN(8)]...)
	}
	return string(host)
}

func TestRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	count := map[Status]int{}
	for range 50000 {
		host := randomHost(rnd)
		check(t, host)
		count[Classify(host)]++
	}
	t.Logf("%d invalid, %d names, %d suffixes, %d registrable", count[Invalid], count[Name], count[Suffix], count[Registrable])
}

func FuzzPunycode(f *testing.F) {
	for _, s := range []string{"ü", "bücher", "пример", "中国", "a-ü", "-ü-", "他们为什么不说中文", "3年B組金八先生", "-> $1.00 <-ü", "é\U0010ffff", "mgbh0fb", "bcher-kva"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkPunycode(t, s)
	})
}

func checkPunycode(t *testing.T, s string) {
	t.Helper()
	if len(s) > 1000 || s == "" {
		return
	}
	// As digits.
	if isASCII(s) {
		lower := []byte(s)
		for i, c := range lower {
			if c == '.' {
				return
			}
			if 'A' <= c && c <= 'Z' {
				lower[i] += 'a' - 'A'
			}
		}
		s = string(lower)
		want, err := idna.Punycode.ToUnicode("xn--" + s)
		var u [maxLabel]rune
		n := decode(&u, lower)
		got := string(u[:n])
		if n == 0 && err == nil {
			// x/net/idna has the empty label, a surrogate as U+FFFD, and more than fits into a label.
			if want != "" && !contains([]rune(want), utf8.RuneError) && utf8.RuneCountInString(want) <= maxLabel {
				t.Errorf("decode(%q) fails, want %q", s, want)
			}
		} else if n != 0 && (err != nil || got != want) {
			t.Errorf("decode(%q) = %q, want %q, %v", s, got, want, err)
		}
		return
	}
	// As a label.
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxLabel {
		return
	}
	var buf [bufSize]byte
	var runes [maxLabel + 1]pcRune
	var basic uint64
	o, n, pos := 0, 0, 0
	for _, r := range s {
		if r == '.' {
			return
		}
		if r < utf8.RuneSelf {
			basic |= 1 << pos
			buf[o] = byte(r)
			o++
		} else {
			runes[n] = makePCRune(r, pos)
			n++
		}
		pos++
	}
	if basic != 0 {
		buf[o] = '-'
		o++
	}
	sortRunes(runes[:n])
	e := encode(&buf, o, bufSize, basic, runes[:n])
	want, err := idna.Punycode.ToASCII(s)
	if err != nil {
		return
	}
	if e < 0 || "xn--"+string(buf[:e]) != want {
		t.Errorf("encode(%q) = %q, want %q", s, buf[:max(e, 0)], want)
		return
	}
	var u [maxLabel]rune
	m := decode(&u, buf[:e])
	if string(u[:m]) != s {
		t.Errorf("decode(%q) = %q, want %q", buf[:e], string(u[:m]), s)
	}
}
