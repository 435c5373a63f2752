// SPDX-License-Identifier: MIT

package uba

import (
	"fmt"
	"strings"
	"testing"
)

// ruleTests has cases for every rule. Levels are written one after the other, x for -1; deep ones are tested in TestLimits.
var ruleTests = []struct {
	rule      string
	text      string
	direction Direction
	level     int8
	levels    string
}{
	{"empty", "", Auto, 0, ""},
	{"empty", "", RTL, 1, ""},
	{"P1", "אa\nאa", Auto, 1, "12112"},
	{"P1, X8", "\u202bab\nab", LTR, 0, "x22000"},
	{"P2", "1אa", Auto, 1, "212"},
	{"P2", "1aא", Auto, 0, "001"},
	{"P2, isolate skipped", "\u2067א\u2069a", Auto, 0, "0100"},
	{"P2, isolate without PDI", "\u2066aא", Auto, 0, "023"},
	{"P2, PDI without isolate", "\u2069א", Auto, 1, "11"},
	{"P2, embedding not skipped", "\u202aא\u202ca", Auto, 1, "x3x2"},
	{"P3", "1+1", Auto, 0, "000"},
	{"X2", "\u202ba\u202c", LTR, 0, "x2x"},
	{"X3", "\u202aא\u202c", LTR, 0, "x3x"},
	{"X4", "\u202ea1\u202c", LTR, 0, "x11x"},
	{"X5", "\u202dא1\u202cא", LTR, 0, "x22x1"},
	{"X5a", "a\u2067b\u2069c", LTR, 0, "00200"},
	{"X5b", "א\u2066ב\u2069ג", RTL, 1, "11311"},
	{"X5c, RTL", "\u20681א\u2069a", LTR, 0, "02100"},
	{"X5c, LTR", "\u2068aא\u2069b", LTR, 0, "02300"},
	{"X5c, nested", "\u2068\u2068א\u2069a\u2069b", LTR, 0, "0232200"},
	{"X5c, nothing strong", "\u20681\u2069b", RTL, 1, "1212"},
	{"X6", "\u202e\u2066\u2069!\u202ca", LTR, 0, "x111x0"},
	{"X6a, overrides end", "\u2066\u202ea\u2069a", LTR, 0, "0x300"},
	{"X6a, isolate in override", "a\u202e\u2066b\u2069c\u202c", LTR, 0, "0x1211x"},
	{"X7, PDF does not end an isolate", "\u2067\u202ca\u2069", LTR, 0, "0x20"},
	{"X7, PDF alone", "a\u202cb", LTR, 0, "0x0"},
	{"X9", "א\u200b\u00adb", LTR, 0, "1xx0"},
	{"X10, sequence across an isolate", "א\u2066b\u20691", LTR, 0, "11212"},
	{"X10, sos", "a\u202b!\u202c", LTR, 0, "0x1x"},
	{"W1", "א\u05bc\u05bc", LTR, 0, "111"},
	{"W1, sos", "\u05bcא", RTL, 1, "11"},
	{"W1, after PDI", "א\u2067\u2069\u0300ב", LTR, 0, "11111"},
	{"W2", "ع1", LTR, 0, "12"},
	{"W2, not for Hebrew", "א1:%ע", LTR, 0, "12111"},
	{"W2, percent after Arabic", "ع%20", LTR, 0, "1122"},
	{"W2, percent after Hebrew", "א%20", LTR, 0, "1222"},
	{"W3", "ع!ع", LTR, 0, "111"},
	{"W4, ES", "א1+2", LTR, 0, "1222"},
	{"W4, CS", "א1,2", LTR, 0, "1222"},
	{"W4, CS with Arabic numbers", "ع٢,٢", LTR, 0, "1222"},
	{"W4, not ES with Arabic numbers", "ع٢+٢", LTR, 0, "1212"},
	{"W4, not of two kinds", "א1,٢", LTR, 0, "1212"},
	{"W4, not two of them", "א1,,2", LTR, 0, "12112"},
	{"W4, not after a terminator", "א1$,2", LTR, 0, "12212"},
	{"W5, before", "א$$1", LTR, 0, "1222"},
	{"W5, after", "א1$$", LTR, 0, "1222"},
	{"W5, BN between", "א$\u200b1", LTR, 0, "12x2"},
	{"W5, not AN", "ع$٢", LTR, 0, "112"},
	{"W6", "א$+,א", LTR, 0, "11111"},
	{"W7", "a1", RTL, 1, "22"},
	{"W7, sos", "1א", LTR, 0, "01"},
	{"W7, after R", "א1a", LTR, 0, "120"},
	{"N0 b", "א(a)ב", RTL, 1, "11211"},
	{"N0 c1", "א(ב)a", LTR, 0, "11110"},
	{"N0 c2", "a(ב)א", LTR, 0, "00101"},
	{"N0 d", "א()a", LTR, 0, "1000"},
	{"N0, numbers are R", "א(1)a", LTR, 0, "11210"},
	{"N0, an earlier pair is context", "א(ב)[ג]a", LTR, 0, "11111110"},
	{"N0, nested", "a(א[ב]c)ד", LTR, 0, "00111" + "1001"},
	{"N0, canonically equivalent", "א\u2329ב\u3009a", LTR, 0, "11110"},
	{"N0, canonically equivalent", "א\u3008ב\u232aa", LTR, 0, "11110"},
	{"N0, marks on brackets", "א(ב)\u0300a", LTR, 0, "111110"},
	{"N0, crossing", "א(ב[ג)ד]a", LTR, 0, "11111110" + "0"},
	{"N0, not in an override", "\u202d(\u202cא)a", LTR, 0, "x2x100"},
	{"N1", "א!ב", LTR, 0, "111"},
	{"N1, numbers are R", "א!1", LTR, 0, "112"},
	{"N1, L", "a!b", RTL, 1, "222"},
	{"N2", "א!a", LTR, 0, "100"},
	{"N2", "א!a", RTL, 1, "112"},
	{"I1", "אa1٢", LTR, 0, "1002"},
	{"I2", "אa1٢", RTL, 1, "1222"},
	{"L1, tab", "א \tב", LTR, 0, "1001"},
	{"L1, end", "א \u200b\u2067\u2069 ", LTR, 0, "10x000"},
	{"L1, end of embedding", "a\u202bא  \u202c", LTR, 0, "0x100x"},
	{"L1, not in the midst", "א ב", LTR, 0, "111"},
	{"L1, separator", "a\u2029", RTL, 1, "21"},
	{"not UTF-8", "א\xffב\xff", LTR, 0, "1110"},
}

func digits(levels []int8) string {
	var b strings.Builder
	for _, l := range levels {
		if l < 0 {
			b.WriteByte('x')
		} else {
			fmt.Fprint(&b, l)
		}
	}
	return b.String()
}

func TestRules(t *testing.T) {
	var p Paragraph
	for _, c := range ruleTests {
		p.SetString(c.text, c.direction)
		if got := digits(p.Levels()); got != c.levels || p.Level() != c.level {
			t.Errorf("%s: %+q, direction %d: %d, %s; want %d, %s", c.rule, c.text, c.direction, p.Level(), got, c.level, c.levels)
		}
		check(t, &p, c.text, c.direction)
	}
}

func TestLimits(t *testing.T) {
	repeat := strings.Repeat
	for _, c := range []struct {
		rule, text string
		last       int8 // level of the last code point
	}{
		{"BD2", repeat("\u202b", 63) + "א", 125},
		{"BD2", repeat("\u202b", 63) + "a", 126},
		{"BD2, overflow", repeat("\u202b", 70) + "א", 125},
		{"X7, overflow", repeat("\u202b", 70) + repeat("\u202c", 7) + "א", 125},
		{"X7, overflow", repeat("\u202b", 70) + repeat("\u202c", 8) + "א", 123},
		{"X2, an embedding that fits after one that did not", repeat("\u202b", 62) + "\u202a\u202a\u202bא", 125},
		{"X5a, overflow", repeat("\u2067", 70) + "א", 125},
		{"X6a, overflow", repeat("\u2067", 70) + repeat("\u2069", 8) + "א", 123},
		{"X6a ends embeddings that overflow", "\u2067" + repeat("\u202b", 70) + "\u2069א", 1},
		{"X6a ends embeddings that overflow", "\u2067" + repeat("\u202b", 70) + "\u2069\u202b\u202b\u202bא", 5},
		{"X7, no PDF in an isolate that overflows", repeat("\u202b", 63) + "\u2067" + repeat("\u202c", 9) + "א", 125},
		{"BD16, 63 brackets", "א" + repeat("(", 63) + "ב" + repeat(")", 63) + "a(", 0},
	} {
		var p Paragraph
		p.SetString(c.text, LTR)
		if got := p.Levels()[len(p.Levels())-1]; got != c.last {
			t.Errorf("%s: %+q: the last level is %d, not %d", c.rule, c.text, got, c.last)
		}
		check(t, &p, c.text, LTR)
	}
	// BD16: the last bracket is resolved with 63 open ones, and not with 64.
	for n, want := range map[int]int8{63: 1, 64: 0} {
		var p Paragraph
		text := "א" + repeat("(", n) + "ב" + repeat(")", n) + "a"
		p.SetString(text, LTR)
		if got := p.Levels()[2*n+1]; got != want {
			t.Errorf("%d brackets: the last one has level %d, not %d", n, got, want)
		}
		check(t, &p, text, LTR)
	}
	// What is found before the stack is full remains.
	var p Paragraph
	text := "א(ב)a" + repeat("[", 64)
	p.SetString(text, LTR)
	if got := digits(p.Levels()[:5]); got != "11110" {
		t.Errorf("brackets before too many: %s", got)
	}
}

func TestBrackets(t *testing.T) {
	openers, closers := map[rune]bool{}, map[rune]bool{}
	for r := rune(0); r <= 0x10FFFF; r++ {
		switch _, b := classOf(string(r), r); {
		case b > 0:
			openers[b] = true
			if _, c := classOf(string(b), b); c != -b {
				t.Errorf("%U pairs with %U, which is no closing bracket", r, b)
			}
		case b < 0:
			closers[-b] = true
		}
	}
	remainders := map[rune]bool{}
	for b := range closers {
		remainders[b%kinds] = true
	}
	if len(remainders) != len(closers) {
		t.Errorf("%d closing brackets have %d remainders; kinds is to be changed", len(closers), len(remainders))
	}
	if len(openers) < 63 || len(openers) != len(closers) {
		t.Errorf("%d kinds of opening brackets, %d of closing ones", len(openers), len(closers))
	}
}

func TestVisual(t *testing.T) {
	// As in RFC 3987 §4.4, with Hebrew letters for capitals; what research measured in browsers.
	upper := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'A' && r <= 'Z' {
				return 'א' + r - 'A'
			}
			return r
		}, s)
	}
	for logical, want := range map[string]string{
		"http://ab.CDEFGH.ij/kl/mn/op.html":       "http://ab.HGFEDC.ij/kl/mn/op.html",
		"http://ab.CDE.FGH/ij/kl/mn/op.html":      "http://ab.HGF.EDC/ij/kl/mn/op.html",
		"http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV": "http://VU#TS=RQ;PO=NM?LK/JI/HG/FE.DC.BA",
		"http://AB.CD.ef/gh/IJ/KL.html":           "http://DC.BA.ef/gh/LK/JI.html",
		"http://ab.cd.EF/GH/ij/kl.html":           "http://ab.cd.HG/FE/ij/kl.html",
		"http://ab.CD.EF/GH/IJ/kl.html":           "http://ab.JI/HG/FE.DC/kl.html",
		"http://ab.CDE123FGH.ij/kl/mn/op.html":    "http://ab.HGF123EDC.ij/kl/mn/op.html",
		"http://ab.cd.ef/GH1/2IJ/KL.html":         "http://ab.cd.ef/LK/JI1/2HG.html",
		"http://ab.cd.ef/GH%31/%32IJ/KL.html":     "http://ab.cd.ef/LK/JI%32/%31HG.html",
		"http://ab.CDEFGH.123/kl/mn/op.html":      "http://ab.123.HGFEDC/kl/mn/op.html",
		"http://ab.CDEFGH.123ij/kl/mn/op.html":    "http://ab.123.HGFEDCij/kl/mn/op.html",
		"":                                        "",
		"\xff":                                    "\ufffd",
		"(A)":                                     "(A)",
		"a\n":                                     "a\n",
	} {
		if got := Visual(upper(logical), LTR); got != upper(want) {
			t.Errorf("%s: %+q, want %+q", logical, got, upper(want))
		}
	}
}
