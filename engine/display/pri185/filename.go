// SPDX-License-Identifier: MIT

package pri185

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

// FileNames yields the file names of text that a reader may see in another order than they are written in: those
// that [All] finds where it does not look for e-mail addresses. Among them are also addresses of the web without a
// scheme that begin with more than a domain (שם/example.com); whoever links text decides which of the two counts.
func FileNames(text string) iter.Seq[engine.Span] {
	return func(yield func(engine.Span) bool) {
		if !mayHold(text) {
			return
		}
		for m := range All(text, Options{NoEmail: true}) {
			if m.Kind == FileName && !yield(m.Span) {
				return
			}
		}
	}
}

// mayHold reports whether text has a path_sep and a byte that may begin a right-to-left letter: U+0590 and what is above
// begin with 0xd6 or more. Most texts have not both, and this is much faster than to search them.
func mayHold(text string) bool {
	sep, beyond := false, false
	for i := range len(text) {
		c := text[i]
		sep = sep || pathSep(rune(c))
		beyond = beyond || c >= 0xd6
		if sep && beyond {
			return true
		}
	}
	return false
}

// fileName returns the bidi_filename that begins at i, where r stands, which is a char.
//
//	path_sep? char+ (path_sep char+)* path_sep?
//
// A char may be a path_sep itself, so this is any run of chars. Our tailoring makes the run a file name only
// if it has a path_sep and a right-to-left letter.
func (f *finder) fileName(i int, r rune) Match {
	if f.name.Start > i || i >= f.name.End {
		if f.o.Strict {
			f.word(i)
		} else {
			f.path(i)
		}
	}
	if i > f.name.last || !f.o.Strict && !begins(r) {
		return Match{}
	}
	return Match{Span: engine.Span{Start: i, End: f.name.end}, Kind: FileName}
}

// word finds where the run of chars at i ends as a file name, and where it may begin.
func (f *finder) word(i int) {
	f.scanRun(i)
	f.name.Span = engine.Span{Start: i, End: f.run.End}
	f.name.end, f.name.last = f.run.good, f.run.good-1
}

// path does what word does, with our tailoring, for the run up to an IRI with a scheme.
func (f *finder) path(i int) {
	f.name.last = -1
	if m := f.withScheme(i); m.Kind != None {
		f.name.Span = m.Span
		return
	}
	f.scanRun(i)
	run := f.nextScheme(i, f.run.End)
	f.name.Span = engine.Span{Start: i, End: run}
	end := f.trim(i, run)
	for end > i {
		r, n := utf8.DecodeLastRuneInString(f.text[i:end])
		if !invisible(r) {
			break
		}
		f.steps++
		if end -= n; !f.o.Draft {
			end = f.trim(i, end)
		}
	}
	// It may begin at or before the last separator and the last right-to-left letter.
	sep := i + strings.LastIndexAny(f.text[i:end], `/\`)
	if f.steps += end - i; sep < i {
		return
	}
	letter := end
	for letter > i {
		r, n := utf8.DecodeLastRuneInString(f.text[i:letter])
		f.steps++
		letter -= n
		if rightToLeftLetter(r) {
			f.name.last = min(sep, letter)
			break
		}
	}
	if f.name.end = end; end < run && pathSep(rune(f.text[end])) {
		f.name.end++
	}
}
