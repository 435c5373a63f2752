// SPDX-License-Identifier: MIT

package pri185

import (
	"strings"

	"github.com/bidilink/bidilink/engine"
)

// iri returns the bidi_IRI that begins at i, where r stands.
//
//	((scheme "://" domain) | domainWithTLD) ("/" path)? ("?" query)? ("#" fragment)?
//
// One with a scheme is longer than one without.
func (f *finder) iri(i int, r rune) Match {
	if m := f.withScheme(i); m.Kind != None {
		return m
	}
	if i < f.noDomain || !labelChar(r) {
		return Match{}
	}
	d := f.domain(i)
	if m := f.parts(Match{Span: engine.Span{Start: i}, Domain: d}); m.Kind != None {
		return m
	}
	f.noDomain = d.End
	return Match{}
}

// withScheme returns the IRI with a scheme that begins at i.
func (f *finder) withScheme(i int) Match {
	if i < f.noScheme || !alpha(f.text[i]) {
		return Match{}
	}
	s := i
	for s < len(f.text) && schemeChar(f.text[s]) {
		s++
	}
	f.steps += s - i
	if strings.HasPrefix(f.text[s:], "://") {
		if d := f.domain(s + 3); !d.Empty() {
			m := f.parts(Match{Span: engine.Span{Start: i}, Scheme: engine.Span{Start: i, End: s + 3}, Domain: d})
			if m.Kind != None {
				return m
			}
		}
	}
	f.noScheme = s
	return Match{}
}

// nextScheme returns where the first IRI with a scheme begins in the run of chars from i to end; end if there is none.
func (f *finder) nextScheme(i, end int) int {
	for from := i; ; {
		k := strings.Index(f.text[from:end], "://")
		if k < 0 {
			f.steps += end - from
			return end
		}
		k += from
		start := k
		for j := k; j > from && schemeChar(f.text[j-1]); j-- {
			if alpha(f.text[j-1]) {
				start = j - 1
			}
		}
		f.steps += 2 * (k - from)
		if start < k && f.withScheme(start).Kind != None {
			return start
		}
		from = k + 1
	}
}

// parts completes m, whose Domain is as long as it can be, with the parts after it, and applies the extra condition to
// the end. It returns the zero Match if nothing is left of the domain, or it needs a TLD and has none.
func (f *finder) parts(m Match) Match {
	d := &m.Domain
	m.End = d.End
	tail := m.End < len(f.text) && strings.IndexByte("/?#", f.text[m.End]) >= 0
	if tail {
		f.scanRun(m.End)
		m.End = max(m.End, f.run.good)
	}
	// In the draft, the delimiter may be the one final inclusionChar.
	if m.End == d.End && !(tail && f.o.Draft) {
		d.End = f.trim(d.Start, d.End)
		m.End = d.End
	}
	if d.Empty() || m.Scheme.Empty() && !f.withTLD(*d) {
		return Match{}
	}
	m.Kind = IRI
	f.split(&m)
	return m
}

// split finds path, query and fragment between the domain and the end of m. A path ends before "?" or "#", a query
// before "#"; a fragment takes the rest.
func (f *finder) split(m *Match) {
	i := m.Domain.End
	f.steps += 2 * (m.End - i)
	part := func(delimiter byte, stop string) (s engine.Span) {
		if i == m.End || f.text[i] != delimiter {
			return s
		}
		s = engine.Span{Start: i, End: m.End}
		if k := strings.IndexAny(f.text[i+1:m.End], stop); k >= 0 {
			s.End = i + 1 + k
		}
		i = s.End
		return s
	}
	m.Path = part('/', "?#")
	m.Query = part('?', "#")
	m.Fragment = part('#', "")
}

func alpha(c byte) bool { return letterOfASCII(rune(c)) }

// schemeChar reports whether c may stand in a scheme (RFC 3986 §3.1).
func schemeChar(c byte) bool {
	return alpha(c) || '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'
}
