// SPDX-License-Identifier: MIT

package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainOptions are those that make a difference to what is plain.
var plainOptions = []Options{
	{}, {Strict: true}, {FileNames: true, Bare: BareWWW}, {NoEmail: true, MailtoQuery: true, NoSuffixHosts: true}, {SymbolLabels: true}, {NoHostPrefix: true, KeepQuotes: true},
	{ExcludeTLDs: []string{"com", "рф"}, MaxLength: 30}, {Schemes: []string{"ftp", "tel"}, StopAtCJKPunctuation: true}, {LocalHosts: true},
	{Bare: BareWWW}, {Bare: BareNone, NoEmail: true}, {Bare: BareNone, NoEmail: true, ExtraTLDs: []string{"b", "слово"}, SymbolLabels: true},
}

// comparePlain checks that the links of text are the same by the rules alone, with the fast ways, and with those of them that every
// processor has; and that it is so from every offset.
func comparePlain(t *testing.T, o Options, text string) {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	rules, narrow := *d, *d
	rules.noPlain, rules.noScan = true, true
	narrow.noScan = true
	want := rules.AppendLinks(nil, text)
	for name, d := range map[string]*Detector{"fast": d, "without scan": &narrow} {
		if got := d.AppendLinks(nil, text); !slices.Equal(got, want) {
			t.Fatalf("%+v: %q:\n%s: %v\nby the rules: %v", o, text, name, got, want)
		}
	}
	for i := 0; i <= len(text); i += 1 + i/16 {
		got, ok1 := d.Find(text, i)
		want, ok2 := rules.Find(text, i)
		if ok1 != ok2 || got != want {
			t.Fatalf("%+v: %q from %d: %v, by the rules %v", o, text, i, got, want)
		}
	}
}

// plainPieces are what links are made of, and what ends or spoils them.
var plainPieces = strings.Fields(`. . . . .. 。 ． ｡ @ : / // :// http:// https:// HTTPS:// hTTp:// ftp:// xhttp:// mailto: - -- _ % %20 ? # = & ( ) [ ] < > { }
	, ; ! ' * ~ | + \\ " “ ” « » 0 1 10 255 256 80 :80 :99999 0x1 a b x e Z co com COM uk co.uk jp org de cn xn-- xn--p1ai www. example example.com
	separatelylonglabel abcdefghijklmnopqrstuvwxyz0123456789 photography kawasaki.jp city.kawasaki.jp ck md py java arpa is_valid () é ß É ä п р рф пример ПРИМЕР укр
	ελ א ב קום ישראל م مصر ، भारत हिन्दी । 例 例え テスト 中国 公司 公司.cn 香港 か な が コム みんな 가 한국 ไ ไทย слово été hiver т.е. хвост.слово ß ก ாா ລາວ 、 ， ！ 「 」 （ ） … — · ² ª ™ ❤ 😀 𐐀 ｅ
	/path /a_(b) ?q=(a)&b :~:text /über /путь /パス_(の) user:pw@ john.doe@ info@ елена.лесная@ 'x@example.com' [::1] 1.2.3.4 398.4ms feedreader/2.1 localhost` +
	" \u0301 \u094d \u200d \u200c \u200e \u202e \u2066 \u061c \u200b \u2060 \ufeff \u00ad \ufe0f \x00 \x80 \xe3\x80 \xe3\x80\x82 \xef\xbc \xed\xa0\x80 \xff")

func TestPlain(t *testing.T) {
	n := 40000
	if testing.Short() {
		n = 4000
	}
	r := rand.New(rand.NewPCG(58, 17))
	var b strings.Builder
	for range n {
		b.Reset()
		if r.IntN(3) == 0 {
			b.WriteString("some words before it, which are long enough for a window ")
		}
		for range 1 + r.IntN(12) {
			b.WriteString(plainPieces[r.IntN(len(plainPieces))])
			if r.IntN(6) == 0 {
				b.WriteByte(" \n"[r.IntN(2)])
			}
		}
		if r.IntN(3) == 0 {
			b.WriteString(" and words after it, which are long enough, too, for all that is looked at")
		}
		comparePlain(t, plainOptions[r.IntN(len(plainOptions))], b.String())
	}
}

// TestPlainCases has what chance seldom makes.
func TestPlainCases(t *testing.T) {
	for _, text := range []string{
		"https://example.com/a\u061c b", "https://example.com/(a\u061c) b", "https://example.com/\u200ea\u2066 b", // controls at the end, with brackets and without
		"example.com/john.doe@example.org", "example.com/a/john@example.org x", "пример.рф/john@example.org x", "example.com/a,john@example.org", "example.com/a(john@example.org", "example.com/a[john@example.org x", // what looks like an address in a URL that is no link
		"http://１2.3.4.5/a", "http://１2.3.4.5", "http://例1.2.3.4/", "例1.2 ", // digits that IDNA maps, before others
		"\xe0\x81\xa1.com", "a\xe0\x81\xa1.com", "пример\xe0\x80\xae.рф", "x \xe0\x9f\xbf\xd0\xb0.рф", // longer forms than UTF-8 has
		"a。然", "example.com。然", "foo。然@bar.com", "a。然.com", "a。然。中国", "例。然.com x", "。然.com", "com。然。b.co", // no domain begins after the dot
		"http://a.co", "https://a.co", "xhttp://a.co", "ttp://a.co", "http://a.co.", "a@b.co", "a@b.co.", "@b.co", "a.@b.co", "a.co/", "a.co?", "a.co:80", "a.co@", "a.co'",
		"http://я.рф", "https://я.рф", "xhttp://я.рф", "ttp://я.рф", "http://я.рф.", "a@я.рф", "я@я.рф.", "@я.рф", "я.рф/", "я.рф?", "я.рф:80", "я.рф@", "я.рф'", "я.рф..", "я.рф-",
		"слово.слово", "слово.слово.", "слово.слово..", "слово.слово@a.co", "слово.слово.@a.co", "слово.слово+x@a.co", "слово.слово-", "слово.com例え", "слово.слово。рф", "été.hiver.@a.co",
		"été.hiver.a.co", "été.hiver..", "хвост.com.слово", "хвост.com例.слово", "хвост.example.com例.слово@x", "хвост.слово.слово@a.co", "хвост.слово.слово=a@a.co",
	} {
		for _, o := range plainOptions {
			for _, s := range []string{text, text + " and more words, until the text is longer than two blocks of the package that looks for triggers in it, or three of them",
				"long words, until the text is longer than two blocks of the package that looks for triggers in it, or three of them " + text} {
				comparePlain(t, o, s)
			}
		}
	}
	// Hosts that end or begin at every place in the window.
	for before := range 40 {
		for label := 1; label <= 63; label++ {
			for _, after := range []int{0, 1, 70} {
				if before > 2 && before < 14 || before > 18 && label%9 > 0 {
					continue
				}
				for _, s := range []string{"a." + strings.Repeat("b", label) + ".com", strings.Repeat("b", label) + ".com"} {
					comparePlain(t, Options{}, strings.Repeat(" ", before)+s+strings.Repeat(" ", after))
				}
			}
		}
	}
}

// TestPlainSteps checks that words beyond ASCII with a dot in them take hardly more steps with plain.go than by the rules alone.
func TestPlainSteps(t *testing.T) {
	for _, word := range []string{"été.hiver", "слово.слово", "слово.слово.", "слово.hiver,", "т.е.", "अ.आ", "言葉.言葉", "хвост.com.слово", "3.14", "x.слово"} {
		text := strings.Repeat(word+" ", 1000)
		d := newDetector(t, Options{})
		rules := *d
		rules.noPlain = true

		if got, want := d.steps(text), rules.steps(text); float64(got) > 1.8*float64(want) {
			t.Errorf("%q: %d steps, %d by the rules", word, got, want)
		}
	}
}

// TestRunes compares the decoders with those of unicode/utf8.
func TestRunes(t *testing.T) {
	last := []byte{0x00, 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xA1, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF}
	var b [4]byte
	for _, b[0] = range last {
		for _, b[1] = range last {
			for _, b[2] = range last {
				for _, b[3] = range last {
					r, n := decodeRune(b[:])
					if want, m := utf8.DecodeRune(b[:]); r != want || n != m {
						t.Errorf("decodeRune(%x) = %x, %d; want %x, %d", b, r, n, want, m)
					}
					if b[3] < utf8.RuneSelf {
						continue
					}
					r, n = lastRune(b[:])
					if want, m := utf8.DecodeLastRune(b[:]); r != want || n != m {
						t.Errorf("lastRune(%x) = %x, %d; want %x, %d", b, r, n, want, m)
					}
				}
			}
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		"2026-03-01T00:00:10Z 10.143.202.145 GET http://www.forceway.info/time,81/strong%20visit/?proof=hand&day=7821 200 195.0ms \"https://bitter.co.uk/S_(a).html\" \"curl/8.5.0\"",
		"smtp[12]: from=<john.doe@example.com>, to=<a+b@x.example.co.jp>, relay=mx1.example.org[10.1.2.3]:25",
		"Пишите на елена.лесная@вечер.рф, смотрите https://так-это.рф/путь_(а)?б=в#г и «www.example.com».",
		"名前（www.ときどき.お茶-今年.コム）を。政府https://例え.jp/の/も_椅子）は新しい。ま",
		"ดู https://ก็.ไทย/เก้าอี้ และ हिन्दी https://के-को.in/है/में_तो । भी",
	} {
		f.Add(s, uint8(0))
	}
	f.Fuzz(func(t *testing.T, text string, o uint8) {
		comparePlain(t, plainOptions[int(o)%len(plainOptions)], text)
	})
}
