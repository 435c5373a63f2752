// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/bidilink/bidilink/engine"
)

// encoded returns s in an encoding.
func encoded(t *testing.T, label, s string) string {
	t.Helper()
	b, err := encodingFor(label).NewEncoder().String(s)
	if err != nil {
		t.Fatalf("%s: %q: %v", label, s, err)
	}
	return b
}

// By option and by meta element.
func TestCharset(t *testing.T) {
	const ltr = `<bdi dir="ltr"><a href="https://`
	for _, c := range []struct{ label, in, want string }{
		{"windows-1255", "<p>ש e.com/שלום, x", `<p>ש ` + ltr + `e.com/%D7%A9%D7%9C%D7%95%D7%9D">e.com/שלום</a></bdi>, x`},
		{"windows-1256", "<p>مثال e.com", `<p>مثال ` + ltr + `e.com">e.com</a></bdi>`},
		{"windows-1256", "<p>e.com/\u200fx", `<p>` + ltr + `e.com/%E2%80%8Fx">e.com/%E2%80%8Fx</a></bdi>`},
		{"windows-1251", "<p>см. президент.рф.", `<p>см. <a href="https://xn--d1abbgf6aiiy.xn--p1ai">президент.рф</a>.`},
		{"koi8-r", "<p>см. президент.рф.", `<p>см. <a href="https://xn--d1abbgf6aiiy.xn--p1ai">президент.рф</a>.`},
		{"iso-8859-1", "<p>é e.com/é&eacute;", `<p>é <a href="https://e.com/%C3%A9%C3%A9">e.com/é&eacute;</a>`},
		{"iso-8859-2", "<p>ž e.com/ž", `<p>ž <a href="https://e.com/%C5%BE">e.com/ž</a>`},
		{"shift_jis", "<p>表http://e.com/ソ 次", `<p>表<a href="http://e.com/%E3%82%BD">http://e.com/ソ</a> 次`}, // 0x5C in both
		{"shift_jis", "ｱ.com/x", `<a href="https://xn--cck.com/x">ｱ.com/x</a>`},
		{"shift_jis", "x e.com/ｱ<wbr>ｲ", `x <a href="https://e.com/%EF%BD%B1%EF%BD%B2">e.com/ｱ<wbr>ｲ</a>`},
		{"euc-jp", "<p>日本 e.com/丂。", `<p>日本 <a href="https://e.com/%E4%B8%82">e.com/丂</a>。`}, // three bytes
		{"euc-kr", "<p>한글 example.com에", `<p>한글 <a href="https://example.com">example.com</a>에`},
		{"gbk", "<p>见 例子.com/漢。", `<p>见 <a href="https://xn--fsqu00a.com/%E6%BC%A2">例子.com/漢</a>。`},
		{"gb18030", "<p>e.com/é𠀀 x", `<p><a href="https://e.com/%C3%A9%F0%A0%80%80">e.com/é𠀀</a> x`},
		{"big5", "<p>功能 e.com/許。", `<p>功能 <a href="https://e.com/%E8%A8%B1">e.com/許</a>。`},
	} {
		in, want := encoded(t, c.label, c.in), encoded(t, c.label, c.want)
		if got, stats := rewritten(t, in, Options{Charset: " " + strings.ToUpper(c.label) + "\n"}); got != want || stats.Copied.Reason != NotCopied {
			t.Errorf("%s: %s\n got %q\nwant %q\n%+v", c.label, c.in, got, want, stats)
		}
		meta := "<meta charset='" + c.label + "'>"
		if got, stats := rewritten(t, meta+in, Options{}); got != meta+want {
			t.Errorf("%s: %s by meta\n got %q\nwant %q\n%+v", c.label, c.in, got, meta+want, stats)
		}
		if got, _ := rewritten(t, in, Options{Charset: c.label, Links: engine.Options{IRI: true}}); got != want {
			t.Errorf("%s: %s with IRI: got %q, want %q", c.label, c.in, got, want)
		}
		if err := Verify([]byte(in), []byte(want)); err != nil {
			t.Errorf("%s: %v", c.label, err)
		}
	}
}

// What is inserted is ASCII.
func TestCharsetInsertions(t *testing.T) {
	o := Options{Charset: "windows-1252", Attributes: []Attribute{{"title", "é<שa"}}}
	if got, want := first(rewritten(t, "\xe9 e.com", o)), "\xe9 <a href=\"https://e.com\" title=\"&#xE9;&lt;&#x5E9;a\">e.com</a>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	o.Link = func(l *Link) bool {
		l.Href += "/é?ש"
		l.Attributes = []Attribute{{"class", "ü&"}}
		return true
	}
	if got, want := first(rewritten(t, "\xe9 e.com", o)), "\xe9 <a href=\"https://e.com/%C3%A9?%D7%A9\" class=\"&#xFC;&amp;\">e.com</a>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	o = Options{Charset: "windows-1255", Skip: ".ש"}
	if got, _ := rewritten(t, "<p class=\xf9>e.com", o); got != "<p class=\xf9>e.com" {
		t.Errorf("selector: %q", got)
	}
}

func first(s string, _ Stats) string { return s }

// Which encoding counts.
func TestCharsetChoice(t *testing.T) {
	for _, c := range []struct {
		name, in string
		o        Options
		want     string
		reason   Reason
	}{
		{"UTF-8 all the same", "<meta charset=windows-1252>é e.com/é", Options{}, `<meta charset=windows-1252>é <a href="https://e.com/%C3%A9">e.com/é</a>`, NotCopied},
		{"but not if asked for", "é e.com/é", Options{Charset: "windows-1252"}, `é <a href="https://e.com/%C3%83%C2%A9">e.com/é</a>`, NotCopied},
		{"byte order mark", "\ufeffé e.com/é", Options{Charset: "windows-1252"}, "\ufeffé <a href=\"https://e.com/%C3%A9\">e.com/é</a>", NotCopied},
		{"option before meta", "<meta charset=gbk>\xe9 e.com/\xe9", Options{Charset: "latin1"}, "<meta charset=gbk>\xe9 <a href=\"https://e.com/%C3%A9\">e.com/\xe9</a>", NotCopied},
		{"option UTF-8", "<meta charset=gbk>联通 e.com", Options{Charset: "utf8"}, `<meta charset=gbk>联通 <a href="https://e.com">e.com</a>`, NotCopied},
		{"UTF-8 or GBK", "<meta charset=gbk>\xc4\x81 e.com", Options{}, "<meta charset=gbk>\xc4\x81 e.com", Charset},
		{"no GBK", "<meta charset=gbk>é\u0080 e.com\u203f", Options{}, "", NotCopied},
		{"Hebrew in visual order", "<meta charset=iso-8859-8>\xe0 e.com", Options{}, "<meta charset=iso-8859-8>\xe0 e.com", Charset},
		{"unknown", "<meta charset=x-nonsense>\xe0 e.com", Options{}, "<meta charset=x-nonsense>\xe0 e.com", Charset},
		{"unknown, UTF-8", "<meta charset=x-nonsense>é e.com", Options{}, `<meta charset=x-nonsense>é <a href="https://e.com">e.com</a>`, NotCopied},
		{"a name", "<x\x81A>e.com", Options{Charset: "shift_jis"}, "<x\x81A>e.com", Charset},
		{"the name of an end tag", "e.com</x\x81A>e.com", Options{Charset: "shift_jis"}, `<a href="https://e.com">e.com</a></x` + "\x81A>e.com", Charset},
		{"CDATA", "<svg><![CDATA[\x81]]></svg>e.com", Options{Charset: "shift_jis"}, "<svg><![CDATA[\x81]]></svg>e.com", CDATA},
		{"a lead byte alone", "\x81<b>e.com</b>\x81&amp; e.com", Options{Charset: "gbk"}, "\x81<b>" + a("e.com") + "</b>\x81&amp; " + a("e.com"), NotCopied},
		{"not a character", "x e.com/\x81 e.com/\x81\x30", Options{Charset: "gbk"}, "x " + a("e.com/") + "\x81 " + a("e.com/") + "\x81\x30", NotCopied},
	} {
		got, stats := rewritten(t, c.in, c.o)
		if c.want == "" {
			if got == c.in {
				t.Errorf("%s: nothing changed", c.name)
			}
			continue
		}
		if got != c.want || stats.Copied.Reason != c.reason {
			t.Errorf("%s: %v\n got %q\nwant %q", c.name, stats.Copied.Reason, got, c.want)
		}
	}
	for _, label := range []string{"utf-16", "iso-2022-jp", "HZ-GB-2312", "utf-7", "utf-32"} {
		var out bytes.Buffer
		if _, err := Rewrite(&out, strings.NewReader("e.com"), Options{Charset: label}); !errors.Is(err, ErrEncoding) || out.Len() > 0 {
			t.Errorf("%s: %v", label, err)
		}
	}
	if _, err := Rewrite(&bytes.Buffer{}, strings.NewReader("<meta charset=iso-2022-jp>e.com"), Options{Charset: "utf-8"}); !errors.Is(err, ErrEncoding) {
		t.Errorf("meta of ISO-2022-JP: %v", err)
	}
	for _, label := range []string{"nonsense", "iso-8859-8", "x-user-defined"} {
		if _, err := Rewrite(&bytes.Buffer{}, strings.NewReader("e.com"), Options{Charset: label}); err == nil {
			t.Errorf("%s: no error", label)
		}
	}
}

// Of all sequences of two bytes, and of many longer ones, the text is that of the decoder, if they are well-formed; and whatever they are, ASCII that is no
// part of a character stays.
func TestLegacyDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, label := range legacies {
		l, e := newLegacy(label), encodingFor(label)
		check := func(b []byte) {
			want, err := e.NewDecoder().Bytes(b)
			if strings.HasPrefix(label, "gb") && bytes.ContainsAny(b, ":;<=>?") {
				return // QUIRK: golang.org/x/text takes these for digits in four bytes
			}
			if err != nil || bytes.ContainsRune(want, utf8.RuneError) {
				return
			}
			if got := l.decode(b); got != string(want) {
				t.Errorf("%s: %q is %q, want %q", label, b, got, want)
			}
		}
		for i := range 1 << 16 {
			b := []byte{byte(i >> 8), byte(i)}
			check(b)
			text := l.decode(b)
			if b[0] >= 0x80 && strings.ContainsRune("<>&\"' \t\n\r\f=/!-?#;\x00", rune(b[1])) && !strings.HasSuffix(text, string(rune(b[1]))) {
				t.Errorf("%s: %q is %q", label, b, text)
			}
		}
		for range 50000 {
			b := make([]byte, 2+r.IntN(4))
			for i := range b {
				b[i] = byte(r.IntN(256))
				if r.IntN(3) == 0 {
					b[i] = byte('0' + r.IntN(10))
				}
			}
			check(b)
		}
	}
}

// A document is as it would be in UTF-8.
func TestLegacySoup(t *testing.T) {
	n := 60
	if testing.Short() {
		n = 8
	}
	r := rand.New(rand.NewPCG(5, 6))
	texts := strings.Fields("表.com/ソ е.com/表 ש e.com/ש مثال.com 例子.com/漢字。 e.com에 é&eacute;.com ｱ 中http://e.com/ &rlm; e.com/\u200f")
	for _, label := range legacies {
		e := encoding.ReplaceUnsupported(encodingFor(label).NewEncoder())
		for range n {
			var doc strings.Builder
			for _, c := range soup(r, 20) {
				doc.WriteString(pieces[int(c)%len(pieces)])
				if c%3 == 0 {
					doc.WriteString(texts[r.IntN(len(texts))])
				}
			}
			b, err := e.Bytes([]byte(strings.ToValidUTF8(doc.String(), "?")))
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(3) == 0 {
				b[r.IntN(len(b))] = byte(0x80 + r.IntN(128))
			}
			checkLegacy(t, b, label)
		}
	}
}
