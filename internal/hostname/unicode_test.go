// SPDX-License-Identifier: MIT

package hostname

import (
	"strings"
	"testing"
)

func TestAppendUnicode(t *testing.T) {
	for _, c := range []struct{ name, host, want string }{
		{"no A-label", "Example.COM", "Example.COM"},
		{"empty", "", ""},
		{"all labels", "xn--e1afmkfd.xn--p1ai", "пример.рф"},
		{"one label", "www.xn--bcher-kva.Example", "www.bücher.Example"},
		{"any case", "XN--E1AFMKFD.рф", "пример.рф"},
		{"final dot", "xn--p1ai.", "рф."},
		{"deviation characters", "xn--fa-hia.de", "faß.de"},
		{"right to left", "xn--mgbh0fb.xn--mgberp4a5d4ar", "مثال.السعودية"},
		{"joiner where CONTEXTJ has it", "xn--11b2ezcw70k.com", "क्\u200dष.com"},
		{"not Punycode", "xn--99999999.com", "xn--99999999.com"},
		{"ASCII in Punycode", "xn--a-.com", "xn--a-.com"},
		{"not what IDNA makes of it", "xn--a-ecp.ru", "xn--a-ecp.ru"},
		{"one label of two", "xn--p1ai.xn--zz", "xn--p1ai.xn--zz"},
		{"no label character", "xn--3ug.com", "xn--3ug.com"},
		{"empty label", ".xn--p1ai", ".xn--p1ai"},
		{"only a prefix", "xn--", "xn--"},
		{"other characters", "xn--p1ai/xn--p1ai", "xn--p1ai/xn--p1ai"},
		{"not UTF-8", "xn--p1ai.\xff", "xn--p1ai.\xff"},
		{"too long a label", "xn--" + strings.Repeat("a", 100000) + "-9za.com", "xn--" + strings.Repeat("a", 100000) + "-9za.com"},
		{"too long", strings.Repeat("xn--p1ai.", 300) + "com", strings.Repeat("xn--p1ai.", 300) + "com"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(AppendUnicode([]byte("x"), c.host)); got != "x"+c.want {
				t.Errorf("%q: got %q, want %q", c.host, got[1:], c.want)
			}
		})
	}
}

// FuzzAppendUnicode checks that nothing is lost: the result is the same host.
func FuzzAppendUnicode(f *testing.F) {
	for _, s := range []string{"xn--e1afmkfd.xn--p1ai", "a.XN--p1ai.", "xn--11b2ezcw70k.com", "xn--a-ecp.ru", "xn--3ug.com", ".xn--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, host string) {
		u := string(AppendUnicode(nil, host))
		want, ok := AppendASCII(nil, host)
		got, ok2 := AppendASCII(nil, u)
		if ok != ok2 || string(got) != string(want) {
			t.Fatalf("%q: %q is %q, want %q", host, u, got, want)
		}
		if again := string(AppendUnicode(nil, u)); again != u {
			t.Fatalf("%q: %q, then %q", host, u, again)
		}
	})
}
