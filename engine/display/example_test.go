// SPDX-License-Identifier: MIT

package display_test

import (
	"fmt"

	"github.com/bidilink/bidilink/engine/display"
)

func ExampleRightToLeft() {
	fmt.Println(display.RightToLeft("https://example.com/path"))
	fmt.Println(display.RightToLeft("https://example.com/مسار"))
	// Output:
	// false
	// true
}
