// SPDX-License-Identifier: MIT

package engine

import (
	"math/bits"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/linkprop"
)

// maxOpen is how many opening brackets may be open at once in a part of a link (UTS #58 §3).
// One more ends the link before it.
const maxOpen = 125

// part is a part of a URL after its host: the state of the termination algorithm.
type part uint8

const (
	inPath part = iota
	inQuery
	inFragment
)

// Term is a value of the Link_Term property (UTS #58 §3).
type Term = linkprop.Term

// The values of Link_Term.
const (
	Hard    = linkprop.Hard    // a link ends before it
	Soft    = linkprop.Soft    // included only if something that is not Soft follows in the link
	Include = linkprop.Include // part of the link
	Open    = linkprop.Open    // included; what Close must match
	Close   = linkprop.Close   // included if it matches the last Open, else like Hard
)

// terminate finds the end of a link whose host and port end at i. It returns the end, and where and
// why the algorithm stopped; l gets its Path, Query and Fragment.
//
// UTS #58 §3, termination: one pass that remembers the last good end, safe, and never looks ahead.
// What begins at i must be an initiator (/ ? #), or, of an opaque scheme, anything.
//
// This is the algorithm as long as no bracket is open; at the first that opens, terminateBrackets begins anew.
func (d *Detector) terminate(text string, i int, opaque bool, l *Link) (end, stop int, rule Rule) {
	if d.noPlain {
		return d.terminateBrackets(text, i, opaque, l)
	}
	var (
		b        = view(text)
		from     = i
		path     = i  // where each part begins; -1 if it does not
		query    = -1 //
		fragment = -1 //
		safe     = i  // the last good end
	)
	if !opaque && (i == len(b) || terms[b[i]] != tSlash && terms[b[i]] != tQuestion && terms[b[i]] != tNumber) {
		if i == len(b) {
			return i, i, EndOfText
		}
		return i, i, HostEnd
	}
	if i < len(b) {
		// A query or fragment may stand at once, also of an opaque scheme: magnet:?xt=…
		switch b[i] {
		case '?':
			path, query = -1, i
			i++
		case '#':
			path, fragment = -1, i
			i++
			safe = i
		}
	}
	rule = EndOfText
scan:
	for i < len(b) {
		// Nearly every character of nearly every link: what parts the segments of a path or the pairs of a query is like any
		// other, since there is no bracket to forget. The Soft ones are counted back from where the others end.
		if start := i; b[i] < utf8.RuneSelf {
			// One alone, between letters beyond ASCII, is not worth eight.
			for i+8 <= len(b) && b[i+1] < utf8.RuneSelf {
				m := stops(load(b[i:]))
				if m != 0 {
					i += bits.TrailingZeros64(m) >> 3
					break
				}
				i += 8
			}
			for i < len(b) && terms[b[i]] <= tSoft {
				i++
			}
			for j := i; j > start; j-- {
				if terms[b[j-1]] != tSoft {
					safe = j
					break
				}
			}
			if i == len(b) {
				break
			}
		}
		switch terms[b[i]] {
		case tQuestion:
			if query < 0 && fragment < 0 {
				query = i
			}
			i++
		case tNumber:
			if fragment < 0 {
				fragment = i
			}
			i++
			safe = i
		case tHard:
			rule = HardStop
			break scan
		case tOpen:
			// A pair with nothing in it that has to do with brackets.
			j := i + 1
			for j < len(b) {
				if terms[b[j]] == tInclude {
					j++
				} else if k := includes(b, j); k > j {
					j = k
				} else {
					break
				}
			}
			if j == len(b) || terms[b[j]] != tClose || rune(b[i]) != linkprop.Opening(rune(b[j])) {
				return d.terminateBrackets(text, from, opaque, l)
			}
			i = j + 1
			safe = i
		case tClose:
			rule = UnmatchedClose
			break scan
		default: // beyond ASCII
			if j := includes(b, i); j > i {
				i, safe = j, j
				continue
			}
			r, n := utf8.DecodeRuneInString(text[i:])
			switch d.term(r, n) {
			case Include:
				i += n
				safe = i
			case Soft:
				i += n
			case Open:
				return d.terminateBrackets(text, from, opaque, l)
			case Close:
				rule = UnmatchedClose
				break scan
			default:
				rule = HardStop
				break scan
			}
		}
	}
	l.split(path, query, fragment, safe)
	return safe, i, rule
}

// split sets the parts of l that begin at path, query and fragment, or do not for -1, and end with the link.
func (l *Link) split(path, query, fragment, end int) {
	if fragment >= 0 && fragment < end {
		l.Fragment = Span{fragment, end}
		end = fragment
	}
	if query >= 0 && query < end {
		l.Query = Span{query, end}
		end = query
	}
	if path >= 0 && path < end {
		l.Path = Span{path, end}
	}
}

// terminateBrackets is terminate for any link: it keeps the brackets that are open.
func (d *Detector) terminateBrackets(text string, i int, opaque bool, l *Link) (end, stop int, rule Rule) {
	var (
		p        = inPath
		path     = i             // where each part begins; -1 if it does not
		query    = -1            //
		fragment = -1            //
		stack    [maxOpen]uint16 // open brackets of this part; none lies beyond U+FFFF
		open     int             // how many
		safe     = i             // the last good end
		b        = view(text)
	)
	if !opaque {
		if i == len(b) {
			return i, i, EndOfText
		}
		switch b[i] {
		case '/':
		case '?':
			p = inQuery
		case '#':
			p = inFragment
		default:
			return i, i, HostEnd
		}
	} else if i < len(b) {
		// A query or fragment may stand at once: magnet:?xt=…
		switch b[i] {
		case '?':
			p = inQuery
		case '#':
			p = inFragment
		}
	}
	if p != inPath {
		path = -1
		if p == inQuery {
			query = i
		} else {
			fragment = i
			safe = i + 1
		}
		i++
	}
	rule = EndOfText
scan:
	for i < len(b) {
		c := b[i]
		switch terms[c] {
		case tInclude:
			i++
			for i < len(b) && terms[b[i]] == tInclude {
				i++
			}
			safe = i
		case tSoft:
			if c == ':' && p == inFragment && open > 0 && i+2 < len(b) && b[i+1] == '~' && b[i+2] == ':' {
				open = 0 // a fragment directive begins
			}
			i++
		case tSlash:
			if p == inPath {
				open = 0
			}
			i++
			safe = i
		case tPair: // = and &
			if p == inQuery {
				open = 0
			}
			i++
			safe = i
		case tQuestion:
			if p == inPath {
				p, open = inQuery, 0
				query = i
			}
			i++
		case tNumber:
			if p != inFragment {
				p, open = inFragment, 0
				fragment = i
			}
			i++
			safe = i
		case tHard:
			rule = HardStop
			break scan
		case tOpen:
			if open == maxOpen {
				rule = StackFull
				break scan
			}
			stack[open] = uint16(c)
			open++
			i++
			safe = i
		case tClose:
			if open == 0 || rune(stack[open-1]) != linkprop.Opening(rune(c)) {
				rule = UnmatchedClose
				break scan
			}
			open--
			i++
			safe = i
		default: // beyond ASCII
			if !d.noPlain {
				if j := includes(b, i); j > i {
					i, safe = j, j
					continue
				}
			}
			r, n := utf8.DecodeRuneInString(text[i:])
			switch d.term(r, n) {
			case Include:
				i += n
				safe = i
			case Soft:
				i += n
			case Open:
				if open == maxOpen {
					rule = StackFull
					break scan
				}
				stack[open] = uint16(r)
				open++
				i += n
				safe = i
			case Close:
				if open == 0 || rune(stack[open-1]) != linkprop.Opening(r) {
					rule = UnmatchedClose
					break scan
				}
				open--
				i += n
				safe = i
			default:
				rule = HardStop
				break scan
			}
		}
	}

	l.split(path, query, fragment, safe)
	return safe, i, rule
}

// stops has the high bit of each byte of w set that terms does not have as tSoft or less, and of some others.
func stops(w uint64) uint64 {
	// With the high bits clear, x + (0x80 - c) sets the high bit of each byte that is at least c, and
	// 0x80 - x leaves it to those that are 0.
	x := w &^ highs
	y := x | 0x20*ones
	letter := (y + (0x80-'a')*ones) &^ (y + (0x80-'z'-1)*ones)
	number := (x + (0x80-'*')*ones) &^ (x + (0x80-';'-1)*ones)  // * + , - . / digits : ;
	escape := (x + (0x80-'$')*ones) &^ (x + (0x80-'\''-1)*ones) // $ % & '
	equals := highs - (x ^ '='*ones)
	line := highs - (x ^ '_'*ones)
	return highs&^(letter|number|escape|equals|line) | w&highs
}

// includes returns where the characters of two or three bytes end that begin at i and are Include under any options. It is
// term for the letters of all living scripts, straight from their bytes. It stops at U+061C and at what begins with E2 or EF, among which are the
// invisible characters that term has as Soft.
func includes(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; {
		case c >= 0xC2 && c < 0xE0 && i+1 < len(b) && b[i+1]&0xC0 == 0x80:
			if !linkprop.Include2(c, b[i+1]) || c == 0xD8 && b[i+1] == 0x9C {
				return i
			}
			i += 2
		case c >= 0xE0 && c < 0xED && i+2 < len(b) && b[i+1]&0xC0 == 0x80 && b[i+2]&0xC0 == 0x80:
			if !linkprop.Include3(c, b[i+1], b[i+2]) || c == 0xE2 || c == 0xE0 && b[i+1] < 0xA0 {
				return i
			}
			i += 3
		default:
			return i
		}
	}
	return i
}

// ASCII classes of the termination algorithm: Link_Term, with the characters that part a URL on their own.
const (
	tInclude uint8 = iota
	tSlash         // "/", Include: parts the segments of a path
	tPair          // "=" "&", Include: part a query
	tSoft          // the classes up to here are one where no bracket is open
	tHard
	tOpen
	tClose
	tQuestion // "?", Soft: ends a path
	tNumber   // "#", Include: ends a path or query
	tBeyond   // not ASCII
)

var terms = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c >= 0x80:
			t[c] = tBeyond
		case c == '/':
			t[c] = tSlash
		case c == '=' || c == '&':
			t[c] = tPair
		case c == '?':
			t[c] = tQuestion
		case c == '#':
			t[c] = tNumber
		default:
			t[c] = tHard
			switch linkprop.ASCII(byte(c)).Term() {
			case Include:
				t[c] = tInclude
			case Soft:
				t[c] = tSoft
			case Open:
				t[c] = tOpen
			case Close:
				t[c] = tClose
			}
		}
	}
	return t
}()

// term is Link_Term of a code point beyond ASCII of n bytes, with this detector's tailoring.
func (d *Detector) term(r rune, n int) Term {
	if r == utf8.RuneError && n == 1 {
		return Hard // not UTF-8
	}
	t := linkprop.Of(r).Term()
	if t == Include && !d.opts.KeepControls && edgeControl(r) {
		return Soft // tailoring: left outside at the end of a link
	}
	if t == Soft && d.opts.StopAtCJKPunctuation && cjkPunctuation(r) {
		return Hard
	}
	return t
}

// cjkPunctuation reports whether r is a Soft character of Chinese, Japanese or Korean typography:
// ideographic, full-width, half-width, small or vertical.
func cjkPunctuation(r rune) bool {
	return r >= 0x3000 && r <= 0x303F || r >= 0xFE10 && r <= 0xFE6F || r >= 0xFF00 && r <= 0xFF65
}
