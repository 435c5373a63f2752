// SPDX-License-Identifier: MIT

package corpus

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A source is a random source whose every use is spelled out here: only the sequence of rand.PCG is
// promised to stay, not what the methods of rand.Rand make of it.
type source struct{ pcg *rand.PCG }

func newSource(seed uint64) source { return source{rand.NewPCG(58, seed)} }

// n returns a number from 0 to n-1.
func (s source) n(n int) int {
	hi, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(hi)
}

// between returns a number from lo to hi.
func (s source) between(lo, hi int) int { return lo + s.n(hi-lo+1) }

// percent is true p times in a hundred.
func (s source) percent(p int) bool { return s.n(100) < p }

// pick returns one of the words, all alike.
func (s source) pick(words []string) string { return words[s.n(len(words))] }

// word returns one of the words, the first ones more often.
func (s source) word(l *list) string {
	x := uint32(s.n(int(l.sums[len(l.sums)-1])))
	lo, hi := 0, len(l.sums)-1
	for lo < hi {
		if mid := (lo + hi) / 2; x < l.sums[mid] {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return l.words[lo]
}

// A list is a word list in the order of frequency, which falls with the rank as it does in natural text.
type list struct {
	words []string
	sums  []uint32 // running sums of the weights
}

func newList(words string) *list {
	l := &list{words: strings.Fields(words)}
	sum := uint32(0)
	for i := range l.words {
		sum += 1 << 20 / uint32(i+8)
		l.sums = append(l.sums, sum)
	}
	return l
}

// A writer collects a paragraph and the places of its links.
type writer struct {
	source
	buf   []byte
	links []Link
}

func (w *writer) put(parts ...string) {
	for _, s := range parts {
		w.buf = append(w.buf, s...)
	}
}

func (w *writer) num(n int) { w.buf = strconv.AppendInt(w.buf, int64(n), 10) }

// pad writes n with at least width digits.
func (w *writer) pad(n, width int) {
	s := strconv.Itoa(n)
	w.put("0000"[:max(0, width-len(s))], s)
}

// link writes a link and notes its place.
func (w *writer) link(l made) {
	start := len(w.buf)
	w.put(l.text)
	w.links = append(w.links, Link{start, len(w.buf), l.email})
}

// template writes s with the link in place of the character ⸠.
func (w *writer) template(s string, l made) {
	before, after, _ := strings.Cut(s, "⸠")
	w.put(before)
	w.link(l)
	w.put(after)
}

// capital makes the letter at offset at upper-case.
func (w *writer) capital(at int) {
	r, n := utf8.DecodeRune(w.buf[at:])
	if u := unicode.ToUpper(r); u != r && utf8.RuneLen(u) == n {
		utf8.EncodeRune(w.buf[at:], u)
	}
}

// A made link is one that is not yet in a text.
type made struct {
	text  string
	email bool
}

func digits(s source, lo, hi int) string { return strconv.Itoa(s.between(lo, hi)) }
