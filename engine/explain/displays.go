// SPDX-License-Identifier: MIT

package explain

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// A Display is what a reader sees of a link.
type Display struct {
	Order     string `json:"order"`     // as [display.Order.String] has it; "none" is the link without mark-up
	Paragraph string `json:"paragraph"` // the direction of the paragraph round it: "ltr" or "rtl"
	Isolates  int    `json:"isolates"`  // round fields and escapes, in the one that is round the whole
	HTML      string `json:"html"`      // what shows it, without an anchor: text in bdi elements. In that of "none", bidi controls are what they are
	Visual    string `json:"visual"`    // characters from left to right. A program that reorders text shows it in another order
	Notation  string `json:"notation"`  // the same with capital letters for right-to-left ones; empty if there are none
}

var (
	orders     = [...]display.Order{display.Constant, display.Embedding, display.Environment, display.Content, display.TLD}
	directions = [...]display.Direction{display.LTR, display.RTL}
)

// displays returns the notation of l, a link of text, and what is seen of it without mark-up and in each order, in paragraphs
// of both directions.
func displays(text string, l engine.Link) (notation string, list []Display) {
	n := newNotation(text, l)
	if n.rtl {
		notation = n.write(display.EscapeControls(n.link.In(n.text)))
	}
	for _, d := range directions {
		// Without mark-up, nothing makes escapes of bidi controls: nobody sees them, but what they do.
		y := Display{Order: "none", Paragraph: d.String(), HTML: html.EscapeString(l.In(text)), Visual: display.Visual(l.In(text), d)}
		if display.HasControl(l.In(text)) {
			y.HTML = `<bdi dir="` + d.String() + `">` + y.HTML + "</bdi>" // a control reaches to the end of it, as to that of the paragraph
		}
		if n.rtl {
			y.Notation = n.write(display.Visual(n.link.In(n.text), d))
		}
		list = append(list, y)
	}
	for _, o := range orders {
		for _, d := range directions {
			layout := o.Layout(text, l, d)
			y := Display{Order: o.String(), Paragraph: d.String(), Isolates: len(layout.Inner), HTML: string(layout.AppendHTML(nil, text, "", display.Web)), Visual: layout.Visual(text)}
			if n.rtl {
				y.Notation = n.write(o.Layout(n.text, n.link, d).Visual(n.text))
			}
			list = append(list, y)
		}
	}
	return notation, list
}

// A noted is a link whose right-to-left letters are replaced by others of the same bidi class, which stand for capital letters.
type noted struct {
	text string
	link engine.Link
	rtl  bool            // there are such letters
	back map[rune]string // what a letter stands for
}

// Letters of the classes R and AL: A to Z each. Each has two bytes.
var (
	hebrew = []rune("אבגדהוזחטיךכלםמןנסעףפץצקרש")
	arabic = []rune("بتثجحخدذرزسشصضطظعغفقكلمنهو")
)

// newNotation replaces the letters of l: the first becomes A, and so on; after Z comes A again.
func newNotation(text string, l engine.Link) noted {
	n := noted{back: make(map[rune]string)}
	for i := range hebrew {
		n.back[hebrew[i]], n.back[arabic[i]] = string(rune('A'+i)), string(rune('A'+i))
	}
	var b strings.Builder
	at := make([]int, l.Len()+1) // of each byte of the link, where it is in the result
	letters := 0
	for i, s := 0, l.In(text); i < len(s); {
		at[i] = b.Len()
		r, size := utf8.DecodeRuneInString(s[i:])
		p, _ := bidi.LookupRune(r)
		switch class := p.Class(); {
		case class == bidi.R && !display.IsControl(r):
			b.WriteRune(hebrew[letters%len(hebrew)])
			letters++
		case class == bidi.AL && !display.IsControl(r):
			b.WriteRune(arabic[letters%len(arabic)])
			letters++
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	at[l.Len()] = b.Len()
	n.text, n.rtl = b.String(), letters > 0
	move := func(s engine.Span) engine.Span {
		if s.Empty() {
			return engine.Span{}
		}
		return engine.Span{Start: at[s.Start-l.Start], End: at[s.End-l.Start]}
	}
	n.link = engine.Link{Span: move(l.Span), Kind: l.Kind, Scheme: move(l.Scheme), Local: move(l.Local), Host: move(l.Host), Port: move(l.Port),
		Path: move(l.Path), Query: move(l.Query), Fragment: move(l.Fragment)}
	return n
}

// write writes s with capital letters for those that stand for some, other letters of ASCII in lower case, and digits of ASCII for Arabic-Indic ones,
// whose class (AN) makes programs reorder what stands beside them; other characters of that class become "*". Marks are left out: on a
// capital letter they would be that of another language.
func (n noted) write(s string) string {
	var b strings.Builder
	for _, r := range s {
		if c, ok := n.back[r]; ok {
			b.WriteString(c)
			continue
		}
		switch p, _ := bidi.LookupRune(r); {
		case r >= 'A' && r <= 'Z':
			r |= 0x20
		case mark(r):
			continue
		case p.Class() == bidi.AN:
			r = digit(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// digit returns the digit of ASCII with the value of r, or "*" if r is no digit.
func digit(r rune) rune {
	if !unicode.Is(unicode.Nd, r) {
		return '*'
	}
	// The digits of a script stand in a row from zero to nine (Unicode, section 4.6), and no two rows of class AN adjoin.
	value := rune(0)
	for value < 9 && unicode.Is(unicode.Nd, r-value-1) {
		value++
	}
	return '0' + value
}

// mark reports whether r is a mark that is drawn at the character before it (bidi class NSM).
func mark(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return r >= utf8.RuneSelf && p.Class() == bidi.NSM
}
