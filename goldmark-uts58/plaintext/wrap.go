// SPDX-License-Identifier: MIT

package plaintext

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/bidilink/bidilink/engine"
)

// wrap writes a text as one or more lines, and returns how many columns the widest has, without what stands before it. The atoms, in order, are not
// broken.
func (w *writer) wrap(text string, atoms []engine.Span) (widest int) {
	if text == "" {
		return 0
	}
	w.steps += len(text)
	start := w.start()
	var line strings.Builder
	used, space := 0, false // columns of the line, and whether a space comes before the next word
	left := w.left(start)
	for k := (cutter{text: text, atoms: atoms, flowed: w.o.Flowed}); k.next(left); {
		add := k.width
		if space {
			add++
		}
		// A flowed line that goes on ends in a space, and gets one before it if it looks like a quote, or begins with "From ".
		most := left
		if w.o.Flowed && k.more() {
			most--
		}
		if w.o.Flowed && w.depth == 0 && line.Len() > 0 && stuffed(start+line.String()[:min(line.Len(), len("From "))]+" ") {
			most--
		}
		// A flowed line of "--" and a space would begin the signature.
		if line.Len() > 0 && used+add > most && !(w.o.Flowed && line.String() == "--" && strings.TrimLeft(start, " ") == "") {
			widest = max(widest, used)
			w.put(start, line.String(), w.o.Flowed)
			line.Reset()
			start, used, add = w.indent.text, 0, k.width
			if w.o.Flowed {
				start = ""
			}
			left = w.left(start)
		} else if space {
			line.WriteByte(' ')
		}
		line.WriteString(k.text[k.begin:k.end])
		used += add
		space = k.space
	}
	w.put(start, line.String(), false)
	return max(widest, used)
}

// A cutter takes a text apart where a line may end.
type cutter struct {
	text   string
	atoms  []engine.Span
	flowed bool

	begin, end, width int  // the last word
	space             bool // stands behind it

	at, to, state int    // a segment of UAX #14 that is longer than a line, if at < to
	rest          string // what is behind that
	started       bool
}

// more reports whether there is a word behind the last one.
func (k *cutter) more() bool { return k.at < k.to || k.rest != "" }

// next takes the next word. A piece of text that UAX #14 would not break, though there are spaces in it, is broken at these if it is wider than most columns.
func (k *cutter) next(most int) bool {
	if !k.started {
		k.started, k.rest, k.state = true, k.text, -1
	}
	if k.at < k.to {
		k.word(k.spaceIn(k.at, k.to))
		return true
	}
	if k.rest == "" {
		return false
	}
	from := len(k.text) - len(k.rest)
	if end := k.asciiWord(from); end > from {
		k.rest, k.state = k.text[end:], -1
		k.at = from
		k.word(end)
		k.to = k.at
		return true
	}
	for k.rest != "" {
		_, k.rest, _, k.state = uniseg.FirstLineSegmentInString(k.rest, k.state)
		if k.mayEnd(len(k.text) - len(k.rest)) {
			break
		}
	}
	k.at, k.to = from, len(k.text)-len(k.rest)
	if end := k.spaceIn(k.at, k.to); end < k.to && columns(k.text[k.at:k.to]) > most {
		k.word(end)
	} else {
		k.word(k.to)
	}
	return true
}

// asciiWord returns the offset behind a word of ASCII and its space, if the word begins at an offset behind a space, and UAX #14 lets a line end there whatever
// else stands in the text: a letter or digit follows, and no opening bracket stands before the space (LB14, LB18). Otherwise it returns from.
func (k *cutter) asciiWord(from int) int {
	if from > 0 && k.text[from-1] != ' ' {
		return from
	}
	for i := from; i < len(k.text); i++ {
		switch c := k.text[i]; {
		case c >= utf8.RuneSelf:
			return from
		case c == ' ':
			if i == from || i+1 == len(k.text) || !alphanumeric(k.text[i+1]) || strings.IndexByte("([{", k.text[i-1]) >= 0 {
				return from
			}
			return i + 1
		}
	}
	return from
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// columns returns how many columns a text has.
func columns(s string) int {
	if printable(s) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}

// word takes the word from k.at to end, where the space is that may stand behind it.
func (k *cutter) word(end int) {
	k.begin, k.end = k.at, end
	k.at = end
	if k.space = k.text[end-1] == ' '; k.space {
		k.end--
	}
	k.width = columns(k.text[k.begin:k.end])
}

// spaceIn returns the offset behind the first space in a range of the text, or its end. There is none in an atom.
func (k *cutter) spaceIn(from, to int) int {
	if i := strings.IndexByte(k.text[from:to], ' '); i >= 0 {
		return from + i + 1
	}
	return to
}

// mayEnd reports whether a line may end before an offset, where UAX #14 allows it. The offsets grow.
func (k *cutter) mayEnd(at int) bool {
	if at == len(k.text) || k.text[at-1] == ' ' {
		return true
	}
	for len(k.atoms) > 0 && k.atoms[0].End <= at {
		k.atoms = k.atoms[1:]
	}
	if k.flowed || len(k.atoms) > 0 && k.atoms[0].Start < at {
		return false
	}
	return k.text[at-1] >= utf8.RuneSelf || k.text[at] >= utf8.RuneSelf
}
