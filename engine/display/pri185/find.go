// SPDX-License-Identifier: MIT

package pri185

import (
	"iter"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

// Find returns the first structure that begins at or after from, a byte offset into text. The text before from is not
// looked at. It takes time linear in the length of the text after from, even where it finds something at once: to
// find all of them, use [All].
func Find(text string, from int, o Options) (Match, bool) {
	f := newFinder(text, o)
	return f.find(max(from, 0))
}

// All yields the structures of text in order. It gives what a loop over [Find] gives, each search starting at the
// end of the last match, and takes time linear in the length of text.
func All(text string, o Options) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		f := newFinder(text, o)
		for m, ok := f.find(0); ok && yield(m); m, ok = f.find(m.End) {
		}
	}
}

// A finder finds the structures of one text. What it has looked at ahead of the place where it searches it remembers,
// so that no part of the text is scanned more than a fixed number of times. All of it depends on the text
// alone, never on where the search began.
type finder struct {
	text  string
	o     Options
	steps int // bytes and code points looked at, for the growth test

	run struct {
		engine.Span     // the run of chars scanned last, from where it was first met
		good        int // where it ends under the extra condition
	}
	noScheme int // no IRI with a scheme begins before this offset, from where the search is
	noDomain int // no domainWithTLD begins before this offset

	mail struct {
		run    int         // the end of the run that was searched; -1 if there is none
		at     int         // its last "@" with a domainWithTLD; -1 if there is none
		domain engine.Span // that domain
	}
	name struct {
		engine.Span     // the part of a run that was searched
		end         int // where the file name in it ends
		last        int // the last offset at which it may begin; -1 if there is none
	}
}

func newFinder(text string, o Options) *finder {
	f := &finder{text: text, o: o}
	f.mail.run = -1
	return f
}

// find returns the first structure from i on.
func (f *finder) find(i int) (Match, bool) {
	for i < len(f.text) {
		r, n := f.decode(i)
		if m := f.at(i, r); m.Kind != None {
			if m.Kind == Email {
				f.name.Span = engine.Span{} // it may end inside an IRI
			}
			return m, true
		}
		i += n
	}
	return Match{}, false
}

// at returns the longest structure that begins at i, where r stands.
func (f *finder) at(i int, r rune) Match {
	var best Match
	if !f.o.NoIRI {
		best = f.iri(i, r)
	}
	if !char(r) {
		return best
	}
	if !f.o.NoEmail {
		if m := f.email(i); m.End > best.End {
			best = m
		}
	}
	if !f.o.NoFileName {
		if m := f.fileName(i, r); m.End > best.End {
			best = m
		}
	}
	return best
}

// decode returns the code point at i and its length. For a byte that is not UTF-8 it is -1.
func (f *finder) decode(i int) (rune, int) {
	f.steps++
	if c := f.text[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, n := utf8.DecodeRuneInString(f.text[i:])
	if r == utf8.RuneError && n == 1 {
		r = -1
	}
	return r, n
}

// scanRun makes f.run the run of chars that i is in.
func (f *finder) scanRun(i int) {
	if f.run.Start <= i && i < f.run.End {
		return
	}
	f.run.Start, f.run.good = i, i
	for i < len(f.text) {
		r, n := f.decode(i)
		if !char(r) {
			break
		}
		if !inclusionChar(r) {
			f.run.good = i + n
		} else if f.o.Draft {
			f.run.good = i
		}
		i += n
	}
	f.run.End = i
}

// trim applies the extra condition to what ends at end and begins at or after start: it excludes the final
// inclusionChar, and those before it. The draft excludes only one.
func (f *finder) trim(start, end int) int {
	for end > start {
		r, n := utf8.DecodeLastRuneInString(f.text[start:end])
		f.steps++
		if !inclusionChar(r) {
			break
		}
		end -= n
		if f.o.Draft {
			break
		}
	}
	return end
}
