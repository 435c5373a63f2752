// SPDX-License-Identifier: MIT

package explain

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/linkprop"
)

// A Begin says why a link starts where it does.
type Begin struct {
	Offset int       `json:"offset"` // the start of the link, in bytes
	Before CodePoint `json:"before"` // what stands before it
	// Rule is "text": the text begins; "link": another link ends there; "scheme", "host" or "local": what the link begins with, which what stands before is no part of.
	Rule     string `json:"rule"`
	Sentence string `json:"sentence"`
}

// begin says why l, a link of text, starts where it does; the one before ends at last.
func begin(text string, l engine.Link, last int) Begin {
	b := Begin{Offset: l.Start, Before: codePointBefore(text, l.Start)}
	what := ""
	switch {
	case !l.Scheme.Empty():
		b.Rule, what = "scheme", "its scheme, "+l.Scheme.In(text)
	case !l.Local.Empty():
		b.Rule, what = "local", "its local part"
	default:
		b.Rule, what = "host", "its host"
	}
	switch {
	case l.Start == 0:
		b.Rule, b.Sentence = "text", "the text begins, with "+what
	case l.Start == last:
		b.Rule, b.Sentence = "link", "another link ends before it; this one begins with "+what
	default:
		b.Sentence = fmt.Sprintf("it begins with %s; %s before it does not belong to that", what, b.Before.Name)
	}
	return b
}

// A Stop says why a link ends where it does.
type Stop struct {
	engine.Stop `json:"-"`

	Offset int       `json:"offset"` // the end of the link, in bytes
	At     int       `json:"at"`     // where the algorithm stopped; beyond Offset if only Soft code points lie between
	First  CodePoint `json:"first"`  // the first one that is not part of the link
	Last   CodePoint `json:"last"`   // the one at At
	Term   string    `json:"term"`   // Link_Term of First, with the tailoring; empty at the end of the text
	// Rule is "text", "hard", "close", "open", "host", "address" or "query", as EndOfText and so on of package engine; "query" is the end
	// of the query of a mailto: URL, which has no fragment.
	Rule     string `json:"rule"`
	Sentence string `json:"sentence"`
}

var rules = map[engine.Rule]string{
	engine.EndOfText: "text", engine.HardStop: "hard", engine.UnmatchedClose: "close", engine.StackFull: "open",
	engine.HostEnd: "host", engine.AddressEnd: "address",
}

// stop says why l, a link of text, ends where it does.
func (e *Explainer) stop(text string, l engine.Link) Stop {
	s := e.d.Stop(text, l)
	x := Stop{Stop: s, Offset: s.Offset, At: s.At, First: codePointAt(text, s.Offset), Last: codePointAt(text, s.At), Rule: rules[s.Rule]}
	if s.Offset < len(text) {
		x.Term = s.Term.String()
	}
	if l.Kind == engine.Email && s.Rune == '#' && !l.Query.Empty() {
		x.Rule, x.At, x.Last = "query", s.Offset, x.First
		x.Sentence = "a mailto: URL has no fragment: NUMBER SIGN ends it"
		return x
	}
	switch s.Rule {
	case engine.HostEnd:
		what := "host"
		if !l.Port.Empty() {
			what = "port"
		}
		x.Sentence = afterHost(what, text, s)
		return x
	case engine.AddressEnd:
		if sentence := afterDot(text, s); sentence != "" {
			x.Sentence = sentence
			return x
		}
		x.Sentence = fmt.Sprintf("an address ends with its host, before %s", x.First.Name)
		return x
	}
	// What made the algorithm stop.
	var why string
	switch s.Rule {
	case engine.EndOfText:
		why = "nothing follows"
		if s.At == s.Offset {
			x.Sentence = "the text ends"
			return x
		}
	case engine.HardStop:
		why = x.Last.Name + " is Hard"
	case engine.UnmatchedClose:
		why = x.Last.Name + " is Close and matches no bracket that is open in this part of the link"
	case engine.StackFull:
		why = x.Last.Name + " is Open, and 125 brackets are open already"
	}
	if s.At == s.Offset {
		x.Sentence = why
		return x
	}
	soft := x.First.Name + " is Soft"
	if _, n := utf8.DecodeRuneInString(text[s.Offset:]); s.Offset+n < s.At {
		soft = x.First.Name + " and what else stands before the end of the text are Soft"
		if s.At < len(text) {
			soft = x.First.Name + " and what else stands before " + x.Last.Name + " are Soft"
		}
	}
	if s.Rule == engine.EndOfText {
		x.Sentence = soft + ", and nothing follows"
	} else {
		x.Sentence = soft + ", and nothing follows that belongs to the link: " + why
	}
	return x
}

// afterHost says why a host or port is the last part of its link.
func afterHost(what, text string, s engine.Stop) string {
	name := codePointAt(text, s.Offset).Name
	if sentence := afterDot(text, s); sentence != "" && what == "host" {
		return sentence
	}
	switch r := s.Rune; {
	case r == '.' || r == 0x3002 || r == 0xFF0E || r == 0xFF61:
		return fmt.Sprintf("%s after the %s is a dot, but what follows it is no part of this link", name, what)
	case r == ':':
		return fmt.Sprintf("COLON after the %s begins no port from 1 to 65535", what)
	case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
		return fmt.Sprintf("%s belongs to what follows the %s: with it, there would be no host that can be linked", name, what)
	}
	return fmt.Sprintf("the %s ends: %s is no part of one, and begins no path (/), query (?) or fragment (#)", what, name)
}

// afterDot says why a dot, or a row of dots, behind a host is no part of its link, or returns "" if none stands there, or what follows it looks like a label.
func afterDot(text string, s engine.Stop) string {
	end := s.Offset
	for dotAt(text, end) > 0 {
		end += dotAt(text, end)
	}
	if end == s.Offset {
		return ""
	}
	dots, first := codePointAt(text, s.Offset).Name, end == s.Offset+dotAt(text, s.Offset)
	if s.Term == engine.Hard {
		return dots + " is Hard"
	}
	if !first {
		dots += " and the dots behind it are Soft"
	} else {
		dots += " is Soft"
	}
	r, n := utf8.DecodeRuneInString(text[end:])
	name := codePointAt(text, end).Name
	switch {
	case n == 0:
		return dots + ", and nothing follows"
	case nameRune(r):
		return ""
	case linkprop.Of(r).Term() == engine.Hard || r == utf8.RuneError && n == 1:
		return fmt.Sprintf("%s, and nothing follows that belongs to the link: %s is Hard", dots, name)
	case r == '/' || r == '?' || r == '#':
		// Behind a host these belong to a link, with the dot; behind an address they do not.
		return ""
	}
	return fmt.Sprintf("%s, and nothing follows that belongs to the link: %s begins no label, path (/), query (?) or fragment (#)", dots, name)
}
