// SPDX-License-Identifier: MIT

package hostname

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// sameUnicode skips tests of the tables where the toolchain has another version of Unicode than
// the one they were generated with.
func sameUnicode(t *testing.T) {
	if IDNAVersion != tableVersion {
		t.Skipf("the tables are of Unicode %s, x/net/idna of %s", tableVersion, IDNAVersion)
	}
}

// The exceptions that the comment of Label lists, as the test reads it.
var (
	leftCategories = []*unicode.RangeTable{unicode.P, unicode.Z, unicode.S, unicode.C}
	keptSigns      = []rune{0xb7, 0x375, 0x5f3, 0x5f4, 0x6fd, 0x6fe, 0xf0b, 0x3007, 0x30fb}
	leftSigns      = []rune{0x3002, 0xff0e, 0xff61, 0x200c, 0x200d, 0xaa, 0xba}
)

func contains(s []rune, r rune) bool { return strings.ContainsRune(string(s), r) }

func TestLabel(t *testing.T) {
	sameUnicode(t)
	profile := idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(true),
		idna.CheckHyphens(false), idna.CheckJoiners(false))
	count := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := false
		switch {
		case r < 0x80:
			want = r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
		case 0xd800 <= r && r < 0xe000: // string(r) would be U+FFFD
		default:
			m, err := profile.ToUnicode("a" + string(r) + "a")
			if err != nil {
				break
			}
			if m == "aa" {
				break
			}
			want = true
			switch {
			case contains(keptSigns, r):
			case contains(leftSigns, r), unicode.In(r, leftCategories...):
				want = false
			case unicode.Is(unicode.No, r):
				want = strings.Trim(m[1:len(m)-1], "0123456789") != ""
			}
			if m != norm.NFC.String("a"+string(r)+"a") {
				for _, q := range m {
					want = want && Of(q)&Label != 0
				}
			}
		}
		if got := Of(r)&Label != 0; got != want {
			t.Errorf("Of(%U %q)&Label is %v", r, r, got)
		}
		if want {
			count++
		}
		if Symbol(r) {
			m, err := profile.ToUnicode("a" + string(r) + "a")
			if want || err != nil || m == "aa" || strings.Contains(m, ".") {
				t.Errorf("Symbol(%U %q)", r, r)
			}
		}
	}
	t.Logf("%d label characters", count)
	for r, want := range map[rune]bool{
		'a': true, 'Z': true, '0': true, '-': true, '_': false, '.': false, '%': false, '@': false,
		'ä': true, 'Ä': true, 'ß': true, 'я': true, '中': true, 'ー': true, '々': true, '〆': true, '・': true, '〇': true,
		'〜': false, '、': false, '。': false, '「': false, '　': false, '－': false, 'Ａ': true, '１': true,
		'“': false, '”': false, '’': false, '…': false, '–': false, '—': false, '→': false, '↗': false, '■': false, '●': false,
		'™': false, '®': false, '°': false, '²': false, '①': false, '½': false, '℀': false, '⒈': false, 'º': false,
		'№': false, '♥': false, '🍕': false, '🏽': false, '☃': false, '€': false, '×': false, '´': false, '˜': false,
		'·': true, '״': true, '׳': true, '־': false, '،': false, '؟': false, '٠': true, '۰': true, 'ـ': true, '་': true, '।': false,
		0xad: false, 0x34f: false, 0x200b: false, 0x200c: false, 0x200d: false, 0x200e: false, 0x2060: false, 0xfeff: false,
		0xfe0f: false, 0x180b: false, 0xe0100: false, 0xe0020: false, 0xfffd: false, 0xe000: false, 0x378: false,
		-1: false, 0x110000: false, 0xd800: false, unicode.MaxRune: false,
	} {
		if got := Of(r)&Label != 0; got != want {
			t.Errorf("Of(%U)&Label is %v", r, got)
		}
	}
}

func TestAttaches(t *testing.T) {
	sameUnicode(t)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.L, unicode.M, unicode.Nl) &&
			unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
				unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
			strings.ContainsRune("〆〱〲〳〴〵〼\u3099\u309a゛゜・ーｰﾞﾟ", r)
		if got := Of(r)&Attaches != 0; got != want {
			t.Errorf("Of(%U %q)&Attaches is %v", r, r, got)
		}
	}
	for r, want := range map[rune]bool{
		'中': true, '々': true, '〆': true, 'の': true, 'ノ': true, 'ー': true, '에': true, 'ก': true, 'ำ': true, 'ລ': true,
		'ខ': true, 'က': true, 'ｱ': true, '〇': true,
		'a': false, 'я': false, 'א': false, 'क': false, '。': false, '๑': false, '１': false, 'Ａ': false, '㈱': false,
	} {
		if got := Of(r)&Attaches != 0; got != want {
			t.Errorf("Of(%U)&Attaches is %v", r, got)
		}
	}
}

func TestRTL(t *testing.T) {
	sameUnicode(t)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		p, _ := bidi.LookupRune(r)
		want := p.Class() == bidi.R || p.Class() == bidi.AL
		if got := Of(r)&RTL != 0; got != want {
			t.Errorf("Of(%U)&RTL is %v", r, got)
		}
	}
}

// TestClasses compares every code point that is dealt with here with x/net/idna: alone, among letters, in an A-label,
// in a right-to-left name.
func TestClasses(t *testing.T) {
	direct := 0
	var dst [bufSize]byte
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		class := Of(r) >> classShift
		if class == classSlow {
			continue
		}
		direct++
		s := string(r)
		hosts := []string{s + ".q", "1" + s + "1.q", "ש" + s + ".q", "" + s + "ي3.q"}
		if a, err := idna.Punycode.ToASCII("b" + s); err == nil {
			hosts = append(hosts, a+".com", a)
		}
		for _, host := range hosts {
			check(t, host)
		}
		if class < classFirst {
			continue
		}
		if _, _, _, v := convert(&dst, "1"+s+"x"); v == unsure && classInfo[class]&infoMaybe == 0 {
			t.Errorf("%U is left to x/net/idna", r)
		}
	}
	t.Logf("%d code points", direct)
	if direct < 140000 {
		t.Errorf("only %d code points are dealt with here", direct)
	}
}

func check(t *testing.T, host string) {
	t.Helper()
	a, want := reference(host)
	if got := Classify(host); got != want {
		t.Errorf("Classify(%+q) = %d, want %d", host, got, want)
	}
	b, ok := AppendASCII(nil, host)
	if ok != (want != Invalid) || ok && string(b) != a {
		t.Errorf("AppendASCII(%+q) = %q, %v, want %q, %d", host, b, ok, a, want)
	}
}

// TestSequence checks that what sequence lets pass is normalised: all pairs whose second may compose,
// all pairs of marks on a letter.
func TestSequence(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second or two")
	}
	var all, maybes, marks []rune
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		class := Of(r) >> classShift
		if class < classFirst {
			continue
		}
		if !unicode.Is(unicode.Han, r) || r < 0x3500 {
			all = append(all, r)
		}
		if classInfo[class]&infoMaybe != 0 {
			maybes = append(maybes, r)
		}
		if classInfo[class]>>infoGroupShift != 0 {
			marks = append(marks, r)
		}
	}
	var buf []byte
	normal := func(s ...rune) bool {
		buf = buf[:0]
		for _, r := range s {
			buf = append(buf, string(r)...)
		}
		return norm.NFC.IsNormal(buf)
	}
	sure := func(s ...rune) bool {
		var q sequence
		for _, r := range s {
			if !q.add(classInfo[Of(r)>>classShift]) {
				return false
			}
		}
		return true
	}
	passed := 0
	for _, x := range all {
		for _, y := range maybes {
			if sure(x, y) {
				passed++
				if !normal(x, y) {
					t.Fatalf("%U %U", x, y)
				}
			}
		}
	}
	t.Logf("%d characters, %d that may compose, %d marks, %d pairs pass", len(all), len(maybes), len(marks), passed)
	passed = 0
	for _, x := range marks {
		for _, y := range marks {
			for _, base := range []rune{'क', 'ا', 'ก'} {
				if sure(base, x, y) {
					passed++
					if !normal(base, x, y) {
						t.Fatalf("%U %U %U", base, x, y)
					}
				}
			}
		}
	}
	t.Logf("%d pairs of marks pass", passed)
}

func TestSymbol(t *testing.T) {
	sameUnicode(t)
	for r, want := range map[rune]bool{
		'a': false, '.': false, '_': false, 'ä': false, '。': false, '中': false, '“': true, '—': true, '→': true, '👉': true, '♥': true,
		'²': true, '™': true, 'º': true, 0x200d: false, 0x200e: false, 0xad: false, 0xfffd: false, -1: false, 0x110000: false,
	} {
		if got := Symbol(r); got != want {
			t.Errorf("Symbol(%U) is %v", r, got)
		}
	}
}
