// SPDX-License-Identifier: MIT

package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainOptions are those that make a difference to what is plain.
var plainOptions = []Options{
	{}, {Strict: true}, {FileNames: true, Bare: BareWWW}, {NoEmail: true, MailtoQuery: true, NoSuffixHosts: true}, {SymbolLabels: true}, {NoHostPrefix: true, KeepQuotes: true},
	{ExcludeTLDs: []string{"com", "рф"}, MaxLength: 30}, {Schemes: []string{"ftp", "tel"}, StopAtCJKPunctuation: true}, {LocalHosts: true},
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
