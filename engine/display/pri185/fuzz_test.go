// SPDX-License-Identifier: MIT

package pri185

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

// FuzzFind checks that matches are in order, in range, on rune boundaries, and are their parts put together; that All
// gives what Find gives; that a match does not depend on lines around it, and is found on its own.
func FuzzFind(f *testing.F) {
	for i, s := range shapes() {
		if i%9 < 2 {
			f.Add(s[0]+s[1]+s[1]+s[2], byte(i))
		}
	}
	for _, s := range []string{
		"see http://ab.cd/ef?gh#ij, a@b.com (דוח/א.txt)", "http://x@a.com/א/ב", "http://a.com/x@b.com/א/ב", "·a.com:·a.com:/א", "\u2066\"א/ב\"\u2069.", "a.com··/x!!", "א/a@b.com://c",
	} {
		for o := range byte(32) {
			f.Add(s, o)
		}
	}
	options := allOptions()
	f.Fuzz(func(t *testing.T, text string, option byte) {
		o := options[option%32]
		all := slices.Collect(All(text, o))
		end := 0
		for _, m := range all {
			checkMatch(t, text, end, m, o)
			if one, ok := Find(text, end, o); !ok || one != m {
				t.Fatalf("%+v: Find(%q, %d) = %+v, All has %+v", o, text, end, one, m)
			}
			if alone, o := m.In(text), o; !o.Draft {
				if m.Kind == FileName { // a letter after it may be all that keeps it from being a domain
					o.NoIRI, o.NoEmail = true, true
				}
				if a, ok := Find(alone, 0, o); !ok || a.Kind != m.Kind || a.Span != (engine.Span{End: len(alone)}) {
					t.Fatalf("%+v: %q in %q is on its own %+v", o, alone, text, a)
				}
			}
			end = m.End
		}
		if m, ok := Find(text, end, o); ok {
			t.Fatalf("%+v: Find(%q, %d) = %+v, All has no more", o, text, end, m)
		}
		i := 0
		for m := range All("\n"+text+"\n", o) {
			if i == len(all) || all[i].Start+1 != m.Start || all[i].End+1 != m.End || all[i].Kind != m.Kind {
				t.Fatalf("%+v: in lines, %q has %+v", o, text, m)
			}
			i++
		}
		if i != len(all) {
			t.Fatalf("%+v: in lines, %q has only %d of %d", o, text, i, len(all))
		}
	})
}

// checkMatch checks what m says about text; the match before it ends at end.
func checkMatch(t *testing.T, text string, end int, m Match, o Options) {
	t.Helper()
	fail := func(why string) {
		t.Helper()
		t.Fatalf("%+v, %q: %+v %s", o, text, m, why)
	}
	if m.Start < end || m.End <= m.Start || m.End > len(text) {
		fail("is out of order")
	}
	if s := m.In(text); !utf8.ValidString(s) || !utf8.RuneStart(s[0]) {
		fail("is not UTF-8")
	}
	last, n := utf8.DecodeLastRuneInString(m.In(text))
	before, _ := utf8.DecodeLastRuneInString(text[m.Start : m.End-n])
	switch {
	case o.Draft || !inclusionChar(last):
	case m.Kind == FileName && !o.Strict && pathSep(last) && !inclusionChar(before):
	default:
		fail("ends in an inclusionChar")
	}
	// The parts are the whole, one after the other.
	at := m.Start
	parts := []engine.Span{m.Scheme, m.Local, m.Domain, m.Path, m.Query, m.Fragment}
	for i, p := range parts {
		if i == 2 && m.Kind == Email {
			if text[at] != '@' {
				fail("has no @")
			}
			at++
		}
		if p.Empty() {
			if p != (engine.Span{}) {
				fail("has an empty part")
			}
			continue
		}
		if p.Start != at {
			fail("has a gap")
		}
		at = p.End
	}
	switch m.Kind {
	case IRI:
		if o.NoIRI || at != m.End || m.Domain.Empty() || !m.Local.Empty() {
			fail("is no IRI")
		}
	case Email:
		if o.NoEmail || at != m.End || m.Domain.Empty() || !m.Scheme.Empty() || !m.Path.Empty() || m.Local.Empty() && !o.Strict {
			fail("is no address")
		}
	case FileName:
		if o.NoFileName || at != m.Start {
			fail("is no file name")
		}
		sep, letter := false, false
		for _, r := range m.In(text) {
			if !char(r) {
				fail("has what is no char")
			}
			sep, letter = sep || pathSep(r), letter || rightToLeftLetter(r)
		}
		if !o.Strict && (!sep || !letter) {
			fail("lacks a path_sep or a right-to-left letter")
		}
	default:
		fail("has no kind")
	}
}
