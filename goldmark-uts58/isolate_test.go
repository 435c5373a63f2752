// SPDX-License-Identifier: MIT

package uts58

import (
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine/display"
)

// TestMayHoldRTL: what package display takes for right-to-left text is never passed over.
func TestMayHoldRTL(t *testing.T) {
	passed := 0
	for r := rune(0); r <= 0x10FFFF; r++ {
		s := "12345" + string(r) + "678"
		switch may := mayHoldRTL([]byte(s)); {
		case display.RightToLeftText(s):
			// Wherever it stands in the words of eight bytes, and whatever is beside it.
			for n := range 9 {
				for _, filler := range []string{"a", "\u0915", "\u6f22", "\u2014"} {
					before := strings.Repeat(filler, 9-n)
					if at := nextRTL([]byte(before + s[5:] + filler + "012345678")); at != len(before) {
						t.Errorf("%U behind %q: %d", r, before, at)
					}
				}
			}
		case !may:
			passed++
		}
	}
	if passed < 50000 {
		t.Errorf("only %d characters are passed over", passed)
	}
}
