// SPDX-License-Identifier: MIT

package uts58

import (
	"testing"

	"github.com/bidilink/bidilink/engine/display"
)

// TestMayHoldRTL: what package display takes for right-to-left text is never passed over.
func TestMayHoldRTL(t *testing.T) {
	passed := 0
	for r := rune(0); r <= 0x10FFFF; r++ {
		s := "12345" + string(r) + "678"
		switch may := mayHoldRTL([]byte(s)); {
		case display.RightToLeftText(s) && !may:
			t.Errorf("%U", r)
		case !may:
			passed++
		}
	}
	if passed < 50000 {
		t.Errorf("only %d characters are passed over", passed)
	}
}
