// SPDX-License-Identifier: MIT

package hostname

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

var classifyTests = []struct {
	host  string
	want  Status
	ascii string // if it is not host in lower case
}{
	{"example.com", Registrable, ""},
	{"WWW.Example.COM", Registrable, ""},
	{"a.b.c.d.e.example.com", Registrable, ""},
	{"com", Suffix, ""},
	{"co.uk", Suffix, ""},
	{"CO.UK", Suffix, ""},
	{"uk", Suffix, ""},
	{"example.co.uk", Registrable, ""},
	{"blogspot.com", Registrable, ""}, // only the private section has it
	{"a.github.io", Registrable, ""},

	// Wildcards and exceptions.
	{"ck", Suffix, ""},
	{"example.ck", Suffix, ""},
	{"www.ck", Registrable, ""},
	{"a.example.ck", Registrable, ""},
	{"a.www.ck", Registrable, ""},
	{"kawasaki.jp", Registrable, ""}, // as the list's algorithm has it: the rule is jp
	{"x.kawasaki.jp", Suffix, ""},
	{"y.x.kawasaki.jp", Registrable, ""},
	{"city.kawasaki.jp", Registrable, ""},
	{"a.city.kawasaki.jp", Registrable, ""},
	{"kobe.jp", Registrable, ""},
	{"sch.uk", Registrable, ""},
	{"x.sch.uk", Suffix, ""},
	{"nom.br", Registrable, ""},
	{"x.nom.br", Suffix, ""},

	// No suffix.
	{"localhost", Name, ""},
	{"LOCALHOST", Name, ""},
	{"e.g", Name, ""},
	{"a.local", Name, ""},
	{"example.123a", Name, ""},
	{"comx", Name, ""},
	{"a.example.onion", Registrable, ""},
	{"main.go", Name, ""},
	{"main.rs", Registrable, ""},
	{"xn--ls8h", Name, ""},

	// Labels.
	{"", Invalid, ""},
	{".", Invalid, ""},
	{".com", Invalid, ""},
	{"example.com.", Invalid, ""},
	{"example..com", Invalid, ""},
	{"example.com。", Invalid, ""},
	{"-a.com", Invalid, ""},
	{"a-.com", Invalid, ""},
	{"-", Invalid, ""},
	{"a.-.com", Invalid, ""},
	{"a-b.com", Registrable, ""},
	{"a--b.com", Registrable, ""},
	{"r3---sn-apo3qvuoxuxbt-j5pe.googlevideo.com", Registrable, ""},
	{"ab--cd.com", Registrable, ""},
	{"a_b.com", Invalid, ""},
	{"_dmarc.example.com", Invalid, ""},
	{"a b.com", Invalid, ""},
	{"a/b.com", Invalid, ""},
	{"a@b.com", Invalid, ""},
	{"a\x00b.com", Invalid, ""},
	{"a\x7fb.com", Invalid, ""},
	{"a\xffb.com", Invalid, ""},
	{"a\xc3.com", Invalid, ""},
	{"\xed\xa0\x80.com", Invalid, ""},
	{"com\xff", Invalid, ""},
	{strings.Repeat("a", 63) + ".com", Registrable, ""},
	{strings.Repeat("a", 64) + ".com", Invalid, ""},
	{strings.Repeat("a.", 125) + "com", Registrable, ""}, // 253 bytes
	{strings.Repeat("a.", 125) + "info", Invalid, ""},
	{strings.Repeat("a.", 124) + "info", Registrable, ""},
	{strings.Repeat("a", 3000), Invalid, ""},
	{strings.Repeat("\u00ad", 1100) + "a.com", Invalid, ""},

	// Numbers.
	{"1.2.3.4", IPv4, ""},
	{"0.0.0.0", IPv4, ""},
	{"255.255.255.255", IPv4, ""},
	{"１.２.３.４", IPv4, "1.2.3.4"},
	{"192.168.0.1", IPv4, ""},
	{"256.1.1.1", Invalid, ""},
	{"1.2.3.256", Invalid, ""},
	{"1.2.3.1000", Invalid, ""},
	{"01.2.3.4", Invalid, ""},
	{"1.2.3.00", Invalid, ""},
	{"1.2.3", Invalid, ""},
	{"1.2.3.4.5", Invalid, ""},
	{"a.1.2.3.4", Invalid, ""},
	{"1.2.3.4a", Name, ""},
	{"3.14", Invalid, ""},
	{"123", Invalid, ""},
	{"example.123", Invalid, ""},
	{"example.0x1f", Invalid, ""},
	{"0X", Invalid, ""},
	{"0x1g", Name, ""},
	{"1.2.3.com", Registrable, ""},
	{"3.14.com", Registrable, ""},
	{"1.2.3.٤", Invalid, ""},

	// IDNA.
	{"пример.рф", Registrable, "xn--e1afmkfd.xn--p1ai"},
	{"ПРИМЕР.РФ", Registrable, "xn--e1afmkfd.xn--p1ai"},
	{"xn--e1afmkfd.xn--p1ai", Registrable, ""},
	{"XN--E1AFMKFD.XN--P1AI", Registrable, ""},
	{"xn--e1afmkfd.рф", Registrable, "xn--e1afmkfd.xn--p1ai"},
	{"рф", Suffix, "xn--p1ai"},
	{"bücher.example.com", Registrable, "xn--bcher-kva.example.com"},
	{"Bu\u0308cher.example.com", Registrable, "xn--bcher-kva.example.com"},
	{"faß.de", Registrable, "xn--fa-hia.de"},
	{"παράδειγμα.ελ", Registrable, "xn--hxajbheg2az3al.xn--qxam"},
	{"ΠΑΡΆΔΕΙΓΜΑ.ελ", Registrable, "xn--hxajbheg2az3al.xn--qxam"},
	{"مثال.إيران", Name, "xn--mgbh0fb.xn--kgbe3a4fra"},
	{"مثال.مصر", Registrable, "xn--mgbh0fb.xn--wgbh1c"},
	{"דוגמה.קום", Registrable, "xn--6dbbec0c.xn--9dbq2a"},
	{"例え.テスト", Name, "xn--r8jz45g.xn--zckzah"},
	{"例え。みんな", Registrable, "xn--r8jz45g.xn--q9jyb4c"},
	{"例え．ＣＯＭ", Registrable, "xn--r8jz45g.com"},
	{"例え｡jp", Registrable, "xn--r8jz45g.jp"},
	{"中国。中国", Registrable, "xn--fiqs8s.xn--fiqs8s"},
	{"한국.한국", Registrable, "xn--3e0b707e.xn--3e0b707e"},
	{"ตัวอย่าง.ไทย", Registrable, "xn--72c1a1bt4awk9o.xn--o3cw4h"},
	{"ทีวี.ไทย", Registrable, "xn--o3c6a2bb.xn--o3cw4h"},
	{"उदाहरण.भारत", Registrable, "xn--p1b6ci4b4b3a.xn--h2brj9c"},
	{"हिन्दी.भारत", Registrable, "xn--j2bd4cyah0f.xn--h2brj9c"},
	{"বাংলা.ভারত", Registrable, "xn--54b7fta0cc.xn--45brj9c"},
	{"🍕.ws", Registrable, "xn--vi8h.ws"},
	{"個人.hk", Suffix, "xn--gmqw5a.hk"},
	{"a.個人.hk", Registrable, "a.xn--gmqw5a.hk"},
	{"a.xn--gmqw5a.hk", Registrable, ""},

	// Joiners, where CONTEXTJ allows them and where it does not.
	{"क्\u200dष.com", Registrable, "xn--11b2ezcw70k.com"},
	{"نامه\u200cای.com", Registrable, "xn--mgba3gch31f060k.com"},
	{"a\u200db.com", Invalid, ""},
	{"a\u200cb.com", Invalid, ""},

	// What the mapping removes or changes.
	{"exam\u00adple.com", Registrable, "example.com"},
	{"❤\ufe0f.ws", Registrable, "xn--qei.ws"},
	{"ｅｘａｍｐｌｅ.com", Registrable, "example.com"},
	{"a.\u00ad.com", Invalid, ""},
	{"a－.com", Invalid, ""},
	{"\u0301a.com", Invalid, ""},
	{"a.\u094d.com", Invalid, ""},
	{"\ufffd.com", Invalid, ""},
	{"a\u202eb.com", Invalid, ""},

	// Hyphens of labels that are not ASCII.
	{"ü-a.com", Registrable, "xn---a-wka.com"},
	{"-ü.com", Invalid, ""},
	{"ü-.com", Invalid, ""},
	{"ab--ü.com", Invalid, ""},
	{"xn--ü.com", Invalid, ""},
	{"ü--a.com", Registrable, "xn----a-goa.com"},
	{"üü--a.com", Invalid, ""},

	// A-labels that are none.
	{"xn--.com", Invalid, ""},
	{"xn--a.com", Invalid, ""},
	{"xn--a-.com", Invalid, ""},
	{"xn--zz.com", Invalid, ""},
	{"xn--99999999.com", Invalid, ""},
	{"xn---.com", Invalid, ""},
	{"xn--a-ecp.ru", Invalid, ""},
	{"xn--xn---epa.com", Invalid, ""},
	{"xn----eha.com", Invalid, ""}, // -ü
	{"xn--ab---3ra.com", Invalid, ""},
	{"xn--bcher-kva8445foa.com", Registrable, ""},

	// The Bidi rule.
	{"אב.com", Registrable, "xn--4dbc.com"},
	{"א1.com", Registrable, "xn--1-zhc.com"},
	{"1א.com", Invalid, ""},
	{"אa.com", Invalid, ""},
	{"aא.com", Invalid, ""},
	{"א-ב.com", Registrable, "xn----zhce.com"},
	{"123.אב", Invalid, ""},
	{"1a.אב.com", Invalid, ""},
	{"a1.אב.com", Registrable, "a1.xn--4dbc.com"},
	{"אב.1a.com", Invalid, ""},
	{"1a.xn--4dbc.com", Invalid, ""},
	{"1.пример.рф", Registrable, "1.xn--e1afmkfd.xn--p1ai"},
	{"مثال٣.com", Registrable, "xn--mgbh0fb7m.com"},
	{"مثال۳.com", Registrable, "xn--mgbh0fb78f.com"},
	{"مثال٣3.com", Invalid, ""},
	{"٣مثال.com", Invalid, ""},
	{"a٣.com", Invalid, ""},
	{"ℵa.com", Invalid, ""}, // mapped to א: the rule applies to what the mapping makes
}

func TestClassify(t *testing.T) {
	for _, c := range classifyTests {
		got := Classify(c.host)
		if got != c.want {
			t.Errorf("Classify(%q) = %d, want %d", c.host, got, c.want)
		}
		check(t, c.host)
		want := c.ascii
		if want == "" {
			want = strings.ToLower(c.host)
		}
		a, ok := AppendASCII([]byte("x:"), c.host)
		if ok != (got != Invalid) {
			t.Errorf("AppendASCII(%q): %v", c.host, ok)
		}
		if !ok {
			want = ""
		}
		if string(a) != "x:"+want {
			t.Errorf("AppendASCII(%q) = %q, want %q", c.host, a, "x:"+want)
		}
	}
}

// TestQuick checks that quick says what the A-labels do, and that no label is longer than longest has it: with characters
// from ranges of all sizes, so that numbers of all lengths are written.
func TestQuick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 0
	for range 300_000 {
		var host []rune
		first, size := rune(0x80+r.IntN(0xf000)), 1+r.IntN(1<<r.IntN(16))
		for range 1 + r.IntN(3) {
			most := 1 + r.IntN(24)
			for range 1 + r.IntN(most) {
				if r.IntN(6) == 0 {
					host = append(host, rune("abcxyzn-019"[r.IntN(11)]))
				} else {
					host = append(host, min(first+rune(r.IntN(size)), 0xffff))
				}
			}
			host = append(host, '.')
		}
		tlds := []string{"com", "JP", "co.uk", "kawasaki.jp", "photography", "nothing"}
		name := string(host)
		if i := r.IntN(len(unicodeTLDs) + len(tlds)); i < len(unicodeTLDs) {
			name += unicodeTLDs[i]
		} else {
			name += tlds[i-len(unicodeTLDs)]
		}
		got, ok := quick(name)
		if !ok {
			continue
		}
		n++
		if a, want := slow(name); got != want {
			t.Fatalf("quick(%q) is %v, %s is %v", name, got, a, want)
		}
	}
	if n < 10_000 {
		t.Errorf("quick decided about %d names only", n)
	}
	for range 300_000 {
		var dst [bufSize]byte
		var runes []pcRune
		first, size := rune(0x80+r.IntN(0xff80)), 1+r.IntN(1<<r.IntN(17))
		count := 1 + r.IntN(maxLabel)
		basic, lo, hi := uint64(0), rune(0x10000), rune(0)
		for i := range count {
			if r.IntN(5) == 0 && i+1 < count {
				basic |= 1 << i
				continue
			}
			c := min(first+rune(r.IntN(size)), 0xffff)
			lo, hi = min(lo, c), max(hi, c)
			runes = append(runes, makePCRune(c, i))
		}
		sortRunes(runes)
		b := bits.OnesCount64(basic)
		if most := longest(count, b, lo, hi); most <= maxLabel {
			n := len("xn--") + encode(&dst, 0, bufSize-20, basic, runes)
			if b > 0 {
				n += b + 1
			}
			if n > most {
				t.Fatalf("%v with %d ASCII ones: %d bytes, more than %d", runes, b, n, most)
			}
		}
	}
}
