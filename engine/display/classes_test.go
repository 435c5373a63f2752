// SPDX-License-Identifier: MIT

package display

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

func TestRightToLeft(t *testing.T) {
	for _, c := range []struct {
		s    string
		want bool
	}{
		{"", false},
		{"https://example.com/a?b=c#d", false},
		{"пример.рф/путь", false},
		{"例え.テスト", false},
		{"http://مثال.السعودية/كتاب", true},
		{"https://example.com/שלום", true},
		{"example.com/٣", true},          // AN: Arabic-Indic digit
		{"example.com/۳", false},         // EN: extended Arabic-Indic digit
		{"example.com/\u200f", true},     // RLM is of class R
		{"example.com/\u200e", false},    // LRM is of class L
		{"example.com/\U0001E900", true}, // Adlam, beyond the BMP
		{"example.com/ހ", true},          // Thaana is AL
		{"\xff\xd8", false},
		{"\xd7", false},
		{"\xffש", true},
	} {
		if got := RightToLeft(c.s); got != c.want {
			t.Errorf("RightToLeft(%q) = %v, want %v", c.s, got, c.want)
		}
	}
}

// Each code point alone and after ASCII gives what its class says.
func TestRightToLeftAll(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		p, _ := bidi.LookupRune(r)
		c := p.Class()
		if want, s := c == bidi.R || c == bidi.AL || c == bidi.AN, "a"+string(r); RightToLeft(s) != want {
			t.Fatalf("RightToLeft(%q) = %v, class %v", s, !want, c)
		}
	}
}

func FuzzRightToLeft(f *testing.F) {
	f.Add("example.com/\xd7שa")
	f.Add("12345678\xe212345678\u2067\xe2\u202e1234567\u061c")
	f.Fuzz(func(t *testing.T, s string) {
		var letter, number, control, begins bool
		for _, r := range s {
			p, _ := bidi.LookupRune(r)
			switch p.Class() {
			case bidi.R, bidi.AL:
				letter = true
			case bidi.AN:
				number = true
			}
			control = control || IsControl(r)
			begins = begins || r == 0x202b || r == 0x202e || r == 0x2067 || r == 0x2068
		}
		if got := RightToLeft(s); got != (letter || number) {
			t.Errorf("RightToLeft(%q) = %v", s, got)
		}
		if got := RightToLeftText(s); got != letter {
			t.Errorf("RightToLeftText(%q) = %v", s, got)
		}
		if got := HasControl(s); got != control {
			t.Errorf("HasControl(%q) = %v", s, got)
		}
		if got := BeginsRightToLeft(s); got != begins {
			t.Errorf("BeginsRightToLeft(%q) = %v", s, got)
		}
	})
}

func TestFirstStrong(t *testing.T) {
	for s, want := range map[string]Direction{
		"": Unknown, "1 /٣\xff.": Unknown, "a": LTR, "-é": LTR, "1.א a": RTL, "«ب": RTL, "\xff\xd7א": RTL, "٣a": LTR, "\U0001E900": RTL,
	} {
		if got := FirstStrong(s); got != want {
			t.Errorf("FirstStrong(%q) = %v, want %v", s, got, want)
		}
	}
}
