// SPDX-License-Identifier: MIT

package engine

import "unicode/utf8"

// Rule says why a link ends where it does.
type Rule uint8

const (
	EndOfText      Rule = iota // the text ends
	HardStop                   // the code point is Hard
	UnmatchedClose             // it is Close and does not match the last Open of its part
	StackFull                  // it is Open, and 125 are open already
	HostEnd                    // the link has no path, query or fragment, and the code point begins none
	AddressEnd                 // an address ends with its host
)

// String returns a few words for people.
func (r Rule) String() string {
	switch r {
	case EndOfText:
		return "the text ends"
	case HardStop:
		return "a Hard code point"
	case UnmatchedClose:
		return "a Close that matches no Open"
	case StackFull:
		return "an Open beyond the limit of 125"
	case HostEnd:
		return "the end of the host"
	case AddressEnd:
		return "the end of the address"
	}
	return "unknown"
}

// A Stop says which code point ended a link, and why.
type Stop struct {
	Offset int  // of the first code point that is not part of the link, in bytes: the link's End
	Rune   rune // that code point; -1 at the end of the text, U+FFFD for a byte that is not UTF-8
	Term   Term // its Link_Term, with the detector's tailoring
	Rule   Rule // why the algorithm went no further than At
	At     int  // where it stopped, in bytes; beyond Offset when only Soft code points lie between, which nothing follows
}

// Stop says which code point ended l, a link that d found in text, and why.
func (d *Detector) Stop(text string, l Link) Stop {
	s := Stop{Offset: l.End, At: l.End, Rune: -1}
	if l.End < len(text) {
		r, n := utf8.DecodeRuneInString(text[l.End:])
		s.Rune = r
		s.Term = d.termOf(r, n)
	}
	from := l.Host.End
	if !l.Port.Empty() {
		from = l.Port.End
	}
	opaque := l.Host.Empty()
	if opaque {
		from = l.Scheme.End
	}
	if l.Kind == Email && l.Query.Empty() {
		s.Rule = AddressEnd
		if l.End == len(text) {
			s.Rule = EndOfText
		}
		return s
	}
	var again Link
	_, s.At, s.Rule = d.terminate(text, from, opaque, &again)
	return s
}

// termOf is term for any code point.
func (d *Detector) termOf(r rune, n int) Term {
	if r >= utf8.RuneSelf {
		return d.term(r, n)
	}
	switch terms[r] {
	case tHard:
		return Hard
	case tSoft, tQuestion:
		return Soft
	case tOpen:
		return Open
	case tClose:
		return Close
	}
	return Include
}
