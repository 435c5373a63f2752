// SPDX-License-Identifier: MIT

package display

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/uba"
)

// A Layout says how a link or a file name has to be isolated to be displayed in an order.
type Layout struct {
	engine.Span            // of the whole
	Dir         Direction  // of the isolate round the whole: LTR or RTL
	Inner       []Isolated // in it, in order; one that lies in another follows it
	Fields      []Field    // all of them
}

// An Isolated is a range that needs an isolate of its own.
type Isolated struct {
	engine.Span
	Dir     Direction
	Escapes bool // a row of escapes, and not a field
}

// Layout returns the layout of the link l of text in a paragraph of a direction.
//
//   - Embedding needs no isolate but the outer one.
//   - The others need no other if each field is, by the bidi algorithm, where it belongs already. If not, each field
//     gets one that holds a character which goes against the direction of the whole, or a number. One that is laid out on its
//     own displays as between two marks (LRM or RLM) of that direction, which is how PRI 185 puts it, but for brackets, which pair across marks.
//   - In such a field, a row of escapes ("%D7%90") gets one between right-to-left characters (Arabic numbers among them), and wherever
//     else it would not be read in one piece from left to right.
//
// A bidi control counts as its escapes: it is never written.
func (o Order) Layout(text string, l engine.Link, paragraph Direction) Layout {
	y := Layout{Span: l.Span, Dir: LTR, Fields: AppendFields(make([]Field, 0, 12), text, l)}
	switch o {
	case Environment:
		y.Dir = max(paragraph, LTR)
	case Content:
		y.Dir = contentDirection(y.Fields)
	case TLD:
		y.Dir = tldDirection(text, l)
	}
	if o != Embedding {
		y.isolateFields(text)
	}
	return y
}

// FileLayout returns the layout of a file name, a range of text. There is no top-level domain: [TLD] is like [Content].
func (o Order) FileLayout(text string, name engine.Span, paragraph Direction) Layout {
	y := Layout{Span: name, Dir: LTR, Fields: AppendFileFields(nil, text, name)}
	switch o {
	case Environment:
		y.Dir = max(paragraph, LTR)
	case Content, TLD:
		y.Dir = contentDirection(y.Fields)
	}
	if o != Embedding {
		y.isolateFields(text)
	}
	return y
}

// contentDirection is RTL if there is a right-to-left character in the fields.
func contentDirection(fields []Field) Direction {
	for _, f := range fields {
		if f.Classes.RightToLeft() {
			return RTL
		}
	}
	return LTR
}

// tldDirection is RTL if the last label of the host has right-to-left characters, and no left-to-right ones.
func tldDirection(text string, l engine.Link) Direction {
	host := l.Host
	if host.Empty() && !l.Scheme.Empty() {
		host, _ = opaqueHost(text, l.Path)
	}
	var last Classes
	for rest := host.In(text); rest != ""; {
		i := strings.IndexFunc(rest, isDot)
		if i < 0 {
			last = classesOf(rest)
			break
		}
		last = classesOf(rest[:i])
		_, n := utf8.DecodeRuneInString(rest[i:])
		rest = rest[i+n:]
	}
	if last&Right != 0 && last&Left == 0 {
		return RTL
	}
	return LTR
}

// isolateFields finds the inner isolates.
func (y *Layout) isolateFields(text string) {
	against := Right | Arabic
	if y.Dir == RTL {
		against = Left | Arabic | European | Escapes | Control
	}
	needed := false
	for _, f := range y.Fields {
		needed = needed || f.Classes&against != 0
	}
	if !needed {
		return
	}
	embeds, known := y.embeds(text, against)
	if known && embeds {
		return
	}
	var p uba.Paragraph
	var all, escapes []Isolated
	for _, f := range y.Fields {
		if f.Classes&against == 0 {
			continue
		}
		all = append(all, Isolated{f.Span, y.Dir, false})
		if f.Classes&(Escapes|Control) != 0 {
			n := len(escapes)
			escapes = appendRows(escapes, &p, text, f.Span, y.Dir)
			all = append(all, escapes[n:]...)
		}
	}
	if known {
		y.Inner = all
		return
	}
	y.Inner = escapes
	embedded := visual(&p, y.isolated(text), y.Dir)
	y.Inner = all
	if embedded == visual(&p, y.isolated(text), y.Dir) {
		y.Inner = escapes
	}
}

// embeds reports whether all fields are where they belong without isolates of their own. It knows where that is plain, without the bidi algorithm:
// in a whole from left to right, in which a field that goes against it has only right-to-left letters, and hyphens between them, and what follows
// such fields is a letter of ASCII. Then each row of these fields is one run from right to left, with the separators between them, so that the fields
// of a row are turned round; and numbers and brackets belong to the whole.
func (y *Layout) embeds(text string, against Classes) (is, known bool) {
	if y.Dir != LTR {
		return false, false
	}
	is = true
	first, last := -1, -1 // of a row
	endRow := func() bool {
		if first < last {
			if y.Fields[first].In(text) == y.Fields[last].In(text) {
				return false // it may be the same the other way round
			}
			is = false
		}
		first, last = -1, -1
		return true
	}
	for i, f := range y.Fields {
		switch {
		case f.Classes&against != 0:
			if f.Classes != Right && !hyphenated(f.In(text)) {
				return false, false
			}
			if first < 0 {
				first = i
			}
			last = i
		case first >= 0 && !f.Empty():
			if c, _ := classOf(f.In(text)); c != Left || text[f.Start] >= utf8.RuneSelf || !endRow() {
				return false, false
			}
		}
	}
	return is, endRow()
}

// hyphenated reports whether s is right-to-left letters with hyphens or low lines between them.
func hyphenated(s string) bool {
	between := true // not behind a letter
	for i := 0; i < len(s); {
		c, n := classOf(s[i:])
		switch {
		case c == Right:
			between = false
		case s[i] != '-' && s[i] != '_' || i == 0:
			return false
		default:
			between = true
		}
		i += n
	}
	return !between
}

// appendRows appends the rows of escapes of a field that need an isolate in direction d: those between right-to-left characters, which
// a letter or digit of theirs would part or turn round, and those that a reader does not find in one piece, from left to right. It uses the buffers of p.
func appendRows(dst []Isolated, p *uba.Paragraph, text string, field engine.Span, d Direction) []Isolated {
	var rows []engine.Span
	first, last := field.End, field.Start // of the right-to-left characters
	for i := field.Start; i < field.End; {
		n := escape(text[i:field.End])
		if n == 0 {
			c, size := classOf(text[i:field.End])
			if c.RightToLeft() {
				first, last = min(first, i), i
			}
			if c != Control {
				i += size
				continue
			}
			n = size
		}
		if k := len(rows) - 1; k >= 0 && rows[k].End == i {
			rows[k].End = i + n
		} else {
			rows = append(rows, engine.Span{Start: i, End: i + n})
		}
		i += n
	}
	begin := len(dst)
	y := Layout{Span: field, Dir: d}
	whole := wholeRows(p, y.isolated(text), d)
	for i, row := range rows {
		if first < row.Start && row.End <= last || !whole[i] {
			dst = append(dst, Isolated{row, LTR, true})
		}
	}
	if n := len(dst) - begin; n == 0 || n == len(rows) {
		return dst
	}
	// In an isolate, a row is neutral to what is round it. That may turn another one round: then each gets an isolate.
	y.Inner = dst[begin:]
	if slices.Contains(wholeRows(p, y.isolated(text), d), false) {
		dst = dst[:begin]
		for _, row := range rows {
			dst = append(dst, Isolated{row, LTR, true})
		}
	}
	return dst
}
