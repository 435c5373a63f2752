// SPDX-License-Identifier: MIT

package linkprop

import (
	"math"
	"testing"
	"unicode"
)

// These values do not change from one version to the next, so they are tested
// without the files.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		r     rune
		term  Term
		email bool
	}{
		{0, Hard, false},
		{' ', Hard, false},
		{'\n', Hard, false},
		{0x7F, Hard, false},
		{'!', Soft, true},
		{'"', Soft, false},
		{'.', Soft, true},
		{',', Soft, false},
		{'?', Soft, true},
		{'/', Include, true},
		{'@', Include, false},
		{'#', Include, true},
		{'+', Include, true},
		{'a', Include, true},
		{'9', Include, true},
		{'(', Open, false},
		{')', Close, false},
		{'<', Open, false},
		{'>', Close, false},
		{'{', Open, true},
		{'}', Close, true},
		{0xA0, Hard, false},
		{'ä', Include, true},
		{'я', Include, true},
		{'ש', Include, true},
		{'،', Soft, false},
		{'中', Include, true},
		{'。', Soft, false},
		{'「', Open, false},
		{'」', Close, false},
		{0x2028, Hard, false},
		{0xD800, Hard, false},
		{unicode.ReplacementChar, Include, false},
		{0xFFFF, Hard, false},
		{'😀', Include, false},
		{0x20000, Include, true},
		{0xE01EF, Include, true}, // the last with a value that is not the default
		{0xE01F0, Hard, false},
		{0x10FFFF, Hard, false},
		{0x110000, Hard, false},
		{math.MaxInt32, Hard, false},
		{-1, Hard, false},
		{math.MinInt32, Hard, false},
	} {
		p := Of(tt.r)
		if p.Term() != tt.term || p.Email() != tt.email {
			t.Errorf("Of(%#x) = %v, %v; want %v, %v", tt.r, p.Term(), p.Email(), tt.term, tt.email)
		}
	}
}

func TestASCII(t *testing.T) {
	for b := range 256 {
		var want Props
		if b < 0x80 {
			want = Of(rune(b))
		}
		if got := ASCII(byte(b)); got != want {
			t.Errorf("ASCII(%#x) = %v, %v; want %v, %v", b, got.Term(), got.Email(), want.Term(), want.Email())
		}
	}
}

func TestFreeBits(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if p := Of(r); p&^(termMask|emailBit) != 0 || p.Term() > Close {
			t.Fatalf("Of(%#x) = %#08b", r, uint8(p))
		}
	}
}

// Every Close has an opening bracket that is Open, every Open is that of a Close,
// and nothing else has one.
func TestOpening(t *testing.T) {
	opened := map[rune]rune{}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		open := Opening(r)
		if (open != 0) != (Of(r).Term() == Close) {
			t.Errorf("U+%04X is %v, but Opening gives %#x", r, Of(r).Term(), open)
		}
		if open == 0 {
			continue
		}
		if got := Of(open).Term(); got != Open {
			t.Errorf("Opening(U+%04X) = U+%04X, which is %v", r, open, got)
		}
		opened[open] = r
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if _, ok := opened[r]; Of(r).Term() == Open && !ok {
			t.Errorf("U+%04X is Open, but no bracket closes it", r)
		}
	}
	for close, open := range map[rune]rune{
		')': '(', '>': '<', ']': '[', '}': '{', '」': '「', '⸣': '⸢',
		'a': 0, '(': 0, -1: 0, 0: 0, math.MaxInt32: 0,
	} {
		if got := Opening(close); got != open {
			t.Errorf("Opening(%#x) = %#x, want %#x", close, got, open)
		}
	}
}

func TestBracketsSorted(t *testing.T) {
	for i := 1; i < len(brackets); i++ {
		if brackets[i-1].close >= brackets[i].close {
			t.Errorf("brackets[%d] = U+%04X, after U+%04X", i, brackets[i].close, brackets[i-1].close)
		}
	}
}

func TestString(t *testing.T) {
	for term, want := range map[Term]string{
		Hard: "Hard", Soft: "Soft", Include: "Include", Open: "Open", Close: "Close", 7: "Term(7)",
	} {
		if got := term.String(); got != want {
			t.Errorf("Term(%d).String() = %q, want %q", uint8(term), got, want)
		}
	}
}
