// SPDX-License-Identifier: MIT

package explain

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

const (
	// MaxMisses is how many places of a text that look like links and are none are tried.
	MaxMisses = 200

	// MaxCauses is the greatest number of causes of a near miss.
	MaxCauses = 3

	// maxTrials is how many sets of causes are tried at one place.
	maxTrials = 100

	// A near miss goes no further to the left and to the right of the place that makes it look like a link, in bytes, and what belongs to more is not
	// explained. To the left, there is room for a scheme, user information and a name.
	reachBack = 400
	reach     = 4000
)

// A Miss is what looks like a link and is none.
type Miss struct {
	Start  int     `json:"start"` // in bytes
	End    int     `json:"end"`   // exclusive
	Text   string  `json:"text"`
	Causes []Cause `json:"causes"` // without all of them it would be a link; with one of them left, it is none
	With   string  `json:"with"`   // what would be the link without them: the text, if they are about options only
}

// A Cause is why there is no link.
type Cause struct {
	Name     string `json:"name"`     // such as "unknown-tld"
	Sentence string `json:"sentence"` // with bidi controls as escapes

	edits []edit                // how to take it away in the text
	set   func(*engine.Options) // and in the options; either may be absent
}

// An edit replaces a range of a text.
type edit struct {
	engine.Span
	with string
}

// Misses returns the near misses of text, in order. They do not overlap, nor do they overlap links.
// more says that there are further places that have not been tried, see [MaxMisses].
func (e *Explainer) Misses(text string) (list []Miss, more bool) {
	list = []Miss{}
	tried := 0
	linked, done := 0, 0 // the end of the last link, and of the last near miss
	link, ok := e.d.Find(text, 0)
	for i := 0; i < len(text); i++ {
		if ok && i >= link.Start {
			linked = link.End
			i = max(i, linked-1)
			link, ok = e.d.Find(text, linked)
			continue
		}
		// A dot directly behind a link is none of a name.
		if i < done || i == linked && dotAt(text, i) > 0 || !looks(text, i) {
			continue
		}
		if tried == MaxMisses {
			return list, true
		}
		tried++
		end := len(text)
		if ok {
			end = link.Start
		}
		if m, found := e.miss(text, i, linked, end); found && m.Start >= done {
			list = append(list, m)
			done = m.End
		}
	}
	return list, false
}

// looks reports whether what stands at i makes something look like a link: a dot between two characters of a name, an "@" before one, "://", or the colon of
// a well-known scheme.
func looks(text string, i int) bool {
	switch text[i] {
	case '.', 0xE3, 0xEF:
		n := dotAt(text, i)
		if n == 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if !nameRune(before) && before != '-' && !invisible(before) {
			return false
		}
		j := i + n
		for dotAt(text, j) > 0 {
			j += dotAt(text, j)
		}
		after, _ := utf8.DecodeRuneInString(text[j:])
		if !nameRune(after) && !invisible(after) {
			return false
		}
		return !number(text, i)
	case '@':
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		return nameRune(after)
	case ':':
		if strings.HasPrefix(text[i:], "://") {
			after, _ := utf8.DecodeRuneInString(text[i+3:])
			return i > 0 && schemeByte(text[i-1]) && (nameRune(after) || strings.ContainsRune("[-_%/", after))
		}
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		return opaque(text[schemeStart(text, i):i]) && (nameRune(after) || after == '+') || refused(text, i)
	}
	return false
}

// number reports whether the dot at i is in a number: only digits, and other than three dots.
func number(text string, i int) bool {
	in := func(c byte) bool { return c >= '0' && c <= '9' || c == '.' }
	start, end := i, i
	for start > 0 && in(text[start-1]) && i-start < reachBack {
		start--
	}
	for end < len(text) && in(text[end]) && end-i < reachBack {
		end++
	}
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	digits := strings.Trim(text[start:end], ".")
	return !nameRune(before) && before != '@' && before != '/' && !nameRune(after) && strings.Count(digits, ".") != 3
}

// dotAt returns the length of the dot of IDNA at i, or 0.
func dotAt(text string, i int) int {
	switch {
	case i >= len(text):
		return 0
	case text[i] == '.':
		return 1
	case strings.HasPrefix(text[i:], "\u3002"), strings.HasPrefix(text[i:], "\uff0e"), strings.HasPrefix(text[i:], "\uff61"):
		return 3
	}
	return 0
}

// nameRune reports whether r looks like part of a name: a letter, a mark or a number.
func nameRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return r != utf8.RuneError && unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

// invisible reports whether nobody sees r: a format character, but none that is a blank.
func invisible(r rune) bool {
	return r == 0xAD || r == 0x200B || r == 0x2060 || r == 0xFEFF || unicode.Is(unicode.Cf, r) || r >= 0xFE00 && r <= 0xFE0F
}

// miss explains why there is no link at i, or reports that it cannot. A link ends at from, and one begins at to: what is sought lies between.
func (e *Explainer) miss(text string, i, from, to int) (Miss, bool) {
	c, ok := candidateAt(text, i)
	if !ok {
		return Miss{}, false
	}
	if _, ok := e.find(c, nil); ok {
		return Miss{}, false // what looks like a link belongs to one
	}
	causes := e.causes(c)
	trials := 0
	for n := 1; n <= MaxCauses; n++ {
		pick := make([]int, n)
		for k := range pick {
			pick[k] = k
		}
		for n <= len(causes) {
			if trials == maxTrials {
				return Miss{}, false
			}
			trials++
			set := make([]Cause, n)
			for k, p := range pick {
				set[k] = causes[p]
			}
			if f, ok := e.find(c, set); ok {
				m := Miss{Start: f.span.Start, End: f.span.End, Text: f.span.In(text), Causes: set, With: f.text}
				return m, from <= m.Start && m.End <= to
			}
			// The next n of them, in order.
			k := n - 1
			for k >= 0 && pick[k] == len(causes)-n+k {
				k--
			}
			if k < 0 {
				break
			}
			pick[k]++
			for k++; k < n; k++ {
				pick[k] = pick[k-1] + 1
			}
		}
	}
	return Miss{}, false
}

// A found is a link that there is without some causes.
type found struct {
	span engine.Span // the same in the text as it is
	text string      // the link
}

// find looks for a link at the place of c, in the text and with the options as they are without causes.
func (e *Explainer) find(c candidate, causes []Cause) (found, bool) {
	o := e.options
	var edits []edit
	for _, x := range causes {
		if x.set != nil {
			x.set(&o)
		}
		edits = append(edits, x.edits...)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.Start - b.Start })
	d := e.d
	if len(causes) > 0 {
		var err error
		if d, err = engine.New(o); err != nil {
			return found{}, false
		}
	}
	var b strings.Builder
	at := make([]int, 0, len(c.piece)+1) // of each byte of the result, where it is in the piece
	last := 0
	for _, x := range edits {
		if x.Start < last {
			return found{}, false // two edits of the same place
		}
		b.WriteString(c.piece[last:x.Start])
		for ; last < x.Start; last++ {
			at = append(at, last)
		}
		b.WriteString(x.with)
		for range x.with {
			at = append(at, x.Start)
		}
		last = x.End
	}
	b.WriteString(c.piece[last:])
	for ; last <= len(c.piece); last++ {
		at = append(at, last)
	}
	text := b.String()
	for l := range d.Links(text) {
		span := engine.Span{Start: at[l.Start], End: at[l.End]}
		if span.Start > max(c.at, c.name.End) {
			break
		}
		if (span.Start > c.at || c.at >= span.End) && (span.Start >= c.name.End || c.name.Start >= span.End) {
			continue
		}
		// What an edit has taken away at an edge of the link belongs to what looks like one.
		for _, x := range edits {
			if x.Start < x.End && x.Start == span.End {
				span.End = x.End
			}
		}
		for _, x := range slices.Backward(edits) {
			if x.Start < x.End && x.End == span.Start {
				span.Start = x.Start
			}
		}
		return found{engine.Span{Start: c.start + span.Start, End: c.start + span.End}, l.In(text)}, true
	}
	return found{}, false
}
