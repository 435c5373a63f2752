// SPDX-License-Identifier: MIT

package confusable

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSyntax(t *testing.T) {
	if !slices.IsSortedFunc(lookalikes[:], func(a, b struct{ r, like rune }) int { return int(a.r - b.r) }) {
		t.Fatal("the table is not sorted")
	}
	found := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		like := Syntax(r)
		if like == 0 {
			continue
		}
		found++
		if r < utf8.RuneSelf || !strings.ContainsRune(`/?#&=.:@%\+ `, like) {
			t.Errorf("%U is taken for %q", r, like)
		}
	}
	if found != len(lookalikes) {
		t.Errorf("%d found, of %d", found, len(lookalikes))
	}
}

func TestHostSyntax(t *testing.T) {
	if !slices.IsSortedFunc(hostLookalikes[:], func(a, b struct{ r, like rune }) int { return int(a.r - b.r) }) {
		t.Fatal("the table is not sorted")
	}
	found := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		like := HostSyntax(r)
		if like == 0 {
			continue
		}
		found++
		if r < utf8.RuneSelf || Syntax(r) != 0 || !strings.ContainsRune("/.-!", like) {
			t.Errorf("%U is taken for %q", r, like)
		}
	}
	if found != len(hostLookalikes) {
		t.Errorf("%d found, of %d", found, len(hostLookalikes))
	}
}

func TestIgnorable(t *testing.T) {
	for r, want := range map[rune]bool{
		-1: false, 0: false, 'a': false, 0xAC: false, 0xAD: true, 0x61C: true, 0x200A: false, 0x200B: true, 0x200F: true, 0x2010: false,
		0xFE0F: true, 0xFEFF: true, 0xE0001: true, utf8.MaxRune: false,
	} {
		if Ignorable(r) != want {
			t.Errorf("%U: want %v", r, want)
		}
	}
}
