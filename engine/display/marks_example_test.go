// SPDX-License-Identifier: MIT

package display_test

import (
	"fmt"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

func ExampleMark() {
	d, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	const text = "ראו http://example.com/x/ וגם (example.org/דף)."
	for _, m := range []display.Marks{display.MarksIsolate, display.MarksEmbedding, display.MarksLRM} {
		marked := display.Mark(d, text, display.MarkOptions{Marks: m})
		fmt.Println(m, display.Strip(d, marked) == text)
		fmt.Printf("%+q\n", marked)
	}
	// Output:
	// isolate true
	// "\u05e8\u05d0\u05d5\u2066 http://example.com/x/ \u2069\u05d5\u05d2\u05dd (\u2066example.org/\u05d3\u05e3\u2069)."
	// embedding true
	// "\u05e8\u05d0\u05d5 \u202ahttp://example.com/x/\u202c \u05d5\u05d2\u05dd (\u202aexample.org/\u05d3\u05e3\u202c)."
	// lrm true
	// "\u05e8\u05d0\u05d5 \u202ahttp://example.com/x/\u202c \u05d5\u05d2\u05dd (\u202aexample.org/\u200e\u05d3\u05e3\u200e\u202c)."
}

func ExampleAppendMarked() {
	d, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	o := display.MarkOptions{Marks: display.MarksIsolate, Isolate: display.IsolateAll}
	fmt.Printf("%+q\n", display.AppendMarked([]byte("> "), d, "at example.com now", o))
	// Output:
	// "> at\u2066 example.com \u2069now"
}

func ExampleStrip() {
	d, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	// The marks round the link go, the one in the prose stays.
	fmt.Printf("%+q\n", display.Strip(d, "C++\u200e, \u202ahttp://\u200eאב\u200e.com/\u202c"))
	// Output:
	// "C++\u200e, http://\u05d0\u05d1.com/"
}

func ExampleAppendStripped() {
	d, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", display.AppendStripped([]byte("> "), d, "\u2066example.com\u2069!"))
	// Output:
	// > example.com!
}

func ExampleParseMarks() {
	m, err := display.ParseMarks("isolate")
	fmt.Println(m, err)
	// Output:
	// isolate <nil>
}

func ExampleToTextual() {
	const iri = "http://אב.com/ג"
	fmt.Printf("%+q\n", display.ToTextual(iri, display.LTR))
	fmt.Printf("%+q\n", display.ToTextual(iri, display.RTL))
	// Output:
	// "http://\u200e\u05d0\u05d1\u200e.com/\u200e\u05d2\u200e"
	// "\u202ahttp://\u200e\u05d0\u05d1\u200e.com/\u200e\u05d2\u200e\u202c"
}

func ExampleFromTextual() {
	// A control elsewhere stays.
	fmt.Printf("%+q\n", display.FromTextual("\u202ahttp://\u200eאב\u200e.com/a\u200eb\u202c"))
	// Output:
	// "http://\u05d0\u05d1.com/a\u200eb"
}

func ExampleToEmbedding() {
	fmt.Printf("%+q\n", display.ToEmbedding("http://אב.com/"))
	// Output:
	// "\u202ahttp://\u05d0\u05d1.com/\u202c"
}

func ExampleFromEmbedding() {
	fmt.Printf("%+q\n", display.FromEmbedding("\u202ahttp://אב.com/\u202c"))
	// Output:
	// "http://\u05d0\u05d1.com/"
}

func ExampleFromVisual() {
	// As printed, from left to right: bet, alef.
	fmt.Println(display.FromVisual("http://\u05d1\u05d0.com/"))
	// A number at the edge of a name: it may have been before or behind it.
	_, ok := display.FromVisual("http://1\u05d1\u05d0.com/")
	fmt.Println(ok)
	// Output:
	// http://אב.com/ true
	// false
}
