// SPDX-License-Identifier: MIT

package uba_test

import (
	"fmt"

	"github.com/bidilink/bidilink/internal/uba"
)

func ExampleParagraph() {
	var p uba.Paragraph
	p.SetString("ab אב 1", uba.LTR)
	fmt.Println(p.Level(), p.Levels())
	fmt.Println(p.VisualOrder(nil))
	p.SetString("ab אב 1", uba.RTL)
	fmt.Println(p.Level(), p.Levels())
	fmt.Println(p.VisualOrder(nil))
	// Output:
	// 0 [0 0 0 1 1 1 2]
	// [0 1 2 6 5 4 3]
	// 1 [2 2 1 1 1 1 2]
	// [6 5 4 3 2 0 1]
}

func ExampleVisual() {
	// Quoted, because what shows this would reorder it once more.
	fmt.Printf("%+q\n", uba.Visual("a.\u05d0.\u05d1/c", uba.LTR))
	fmt.Printf("%+q\n", uba.Visual("a.\u05d0.\u05d1/c", uba.RTL))
	// Output:
	// "a.\u05d1.\u05d0/c"
	// "c/\u05d1.\u05d0.a"
}
