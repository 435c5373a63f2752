// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/engine"
)

// Marks is a way to write bidi controls round the links of plain text. They go along when a link is copied, and most programs that find links
// take them for part of the link: marks are for texts that are displayed, or printed, and then kept without ([Strip]).
type Marks uint8

const (
	// MarksNone writes none.
	MarksNone Marks = iota

	// MarksIsolate writes LRI and PDI: a link is displayed in the order [Embedding], and nothing round it is drawn to it, unless a
	// bidi control in the link, which stays as it is, ends the isolate. None is written into a link. Between spaces, LRI stands before the one on the left and PDI behind the one on the right, so that none touches
	// the link, and other programs still find it. One space between two links does so for the first; no mark of one link stands
	// beside another that has none. Before the end of a line, which closes an isolate, there is no PDI.
	//
	// Where a program breaks a line between such a space and the link, in a right-to-left paragraph, that space ends up on the
	// other side of the link.
	MarksIsolate

	// MarksEmbedding writes LRE and PDF directly round a link: draft-ietf-iri-bidi-guidelines and RFC 3987, see [ToEmbedding]. The order is [Embedding].
	MarksEmbedding

	// MarksLRM writes what [ToTextual] does: draft-duerst-iri-bidi. The order is [Constant]. In left-to-right lines it changes nothing about a link
	// without right-to-left characters.
	MarksLRM
)

var marksNames = [...]string{"none", "isolate", "embedding", "lrm"}

// String returns "none", "isolate", "embedding" or "lrm".
func (m Marks) String() string {
	if int(m) < len(marksNames) {
		return marksNames[m]
	}
	return fmt.Sprintf("Marks(%d)", uint8(m))
}

// ParseMarks returns the marks of a name, as [Marks.String] gives it.
func ParseMarks(name string) (Marks, error) {
	for i, n := range marksNames {
		if n == name {
			return Marks(i), nil
		}
	}
	return 0, fmt.Errorf("display: unknown marks %q: want one of %s", name, strings.Join(marksNames[:], ", "))
}

// MarkOptions say how [Mark] marks links.
type MarkOptions struct {
	// Marks is what stands round a link. Default: none.
	Marks Marks

	// Isolate says which links get marks. Default: those with a character of bidi class R, AL or AN, or with a bidi control, and all links
	// in right-to-left lines.
	Isolate Isolation

	// Dir is the direction of all lines. Default: a line is right-to-left if it has a character of class R or AL, LRM and its like aside, or a
	// control that begins right-to-left text: RLE, RLO, RLI, FSI.
	Dir Direction

	// Refuse leaves links without marks that have one of these warnings, see [Check]. Default: none.
	Refuse Warnings
}

// Mark marks the links of a text. It first takes away the marks that [Strip] does: marks of another form are replaced, and
// Mark(Mark(x)) is Mark(x). It changes no other byte.
//
// The links are those of d in the text without marks, where other controls stay: a host with a control in it is no link.
// A link with controls in its path keeps them, in the order that they give it. Two links without anything between them get no
// marks, nor does a link that a stray byte of a code point follows.
//
// It takes time linear in the length of the text.
func Mark(d *engine.Detector, text string, o MarkOptions) string {
	return string(AppendMarked(nil, d, text, o))
}

// Strip removes the marks round all links of d, of every form, as often as they stand there, whichever links Mark would mark.
// A control anywhere else is kept, and so is one of a pair without the other, or an LRM at some right-to-left components of a
// link and not at all of them.
//
// Strip(Mark(x)) is Strip(x), which is x if it has no bidi controls, and Strip(Strip(x)) is Strip(x), for any x and any options.
func Strip(d *engine.Detector, text string) string {
	return string(AppendStripped(nil, d, text))
}

// AppendStripped appends what [Strip] returns.
func AppendStripped(dst []byte, d *engine.Detector, text string) []byte {
	k := newSkeleton(text)
	if k.gaps == nil {
		return append(dst, text...)
	}
	k.links(d)
	return k.append(dst, nil)
}

// AppendMarked appends what [Mark] returns.
func AppendMarked(dst []byte, d *engine.Detector, text string, o MarkOptions) []byte {
	k := newSkeleton(text)
	return k.append(dst, k.mark(d, o))
}

// mark takes the marks away and returns the new ones.
func (k *skeleton) mark(d *engine.Detector, o MarkOptions) []insertion {
	links, text := k.links(d)
	if o.Marks == MarksNone || o.Isolate == IsolateNone {
		return nil
	}
	lines := lines{text: k.text, dir: o.Dir}
	dirs := make([]Direction, len(links)) // of the lines of the links that get marks
	for i := range links {
		l := &links[i]
		if l.bare || !l.found {
			continue
		}
		dir := lines.direction(l.Start)
		if o.Isolate.Isolates(l.in.In(text), dir) && (o.Refuse == 0 || Check(text, l.in)&o.Refuse == 0) {
			dirs[i] = dir
		}
		k.steps += l.in.Len()
	}
	k.steps += lines.steps
	var marks []insertion
	used := 0 // the space before this offset has a mark before it or behind it
	for i := range links {
		l := &links[i]
		if dirs[i] == Unknown {
			continue
		}
		switch o.Marks {
		case MarksEmbedding:
			marks = append(marks, insertion{l.Start, false, lre}, insertion{l.End, true, pdf})
		case MarksLRM:
			marks = textualMarks(marks, l, dirs[i])
		case MarksIsolate:
			p, eol := k.placeOf(l.Span)
			switch p {
			case outside:
				// The characters beyond the spaces may be those of other links.
				if used == l.Start || i > 0 && links[i-1].End == l.Start-1 && dirs[i-1] == Unknown ||
					i+1 < len(links) && links[i+1].Start == l.End+1 && dirs[i+1] == Unknown {
					p = direct
				}
			case lineEnd:
				if k.controlsIn(l, eol) {
					p = direct
				}
			}
			switch p {
			case direct:
				marks = append(marks, insertion{l.Start, false, lri}, insertion{l.End, true, pdi})
			case outside:
				marks = append(marks, insertion{l.Start - 1, false, lri}, insertion{l.End + 1, true, pdi})
				used = l.End + 1
			case lineEnd:
				marks = append(marks, insertion{l.Start, false, lri})
			}
		}
	}
	return marks
}

// controlsIn reports whether a control that is no mark stands between the end of l and end.
func (k *skeleton) controlsIn(l *markedLink, end int) bool {
	for i := l.gap; i < len(k.gaps) && k.gaps[i].at <= end; i++ {
		k.steps++
		if k.gaps[i].at >= l.End && k.gaps[i].left() != "" {
			return true
		}
	}
	return false
}

// lines finds the directions of lines, paragraphs of the bidi algorithm.
type lines struct {
	text  string
	dir   Direction // of all; unknown to find it
	next  int       // where the next line begins
	rtl   bool      // the direction of the one before it
	steps int
}

// direction returns the direction of the line of an offset, LTR or RTL. The offsets grow.
func (s *lines) direction(offset int) Direction {
	if s.dir != Unknown {
		return s.dir
	}
	for s.next <= offset && s.next < len(s.text) {
		s.line()
	}
	if s.rtl {
		return RTL
	}
	return LTR
}

// line goes over one line.
func (s *lines) line() {
	s.rtl = false
	for s.next < len(s.text) {
		s.steps++
		if c := s.text[s.next]; c < utf8.RuneSelf {
			s.next++
			if c == '\n' || c == '\r' || 0x1C <= c && c <= 0x1E {
				return
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s.text[s.next:])
		s.next += n
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.B:
			return
		case bidi.R, bidi.AL:
			s.rtl = s.rtl || !IsControl(r)
		case bidi.RLE, bidi.RLO, bidi.RLI, bidi.FSI: // what follows, a link too, may be turned round
			s.rtl = true
		}
	}
}
