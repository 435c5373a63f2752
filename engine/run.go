// SPDX-License-Identifier: MIT

package engine

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
)

// A run is the longest run of label characters and dots of IDNA round a trigger: what a host can be.
type run struct {
	start, end int  // in bytes, with the dots at the end
	last       int  // where the last label begins
	name       int  // where it ends, and the dots at the end begin
	beyond     int  // where the first code point beyond ASCII begins; end if there is none
	dot        int  // where one of the dots between its labels is
	top        bool // the last label is known to be one that a host may end in
	none       bool // up to name it is known to be no host: it ends in no domain
	sure       bool // up to name it is known to be [hostname.Registrable]
	broken     bool // it has an empty label, or begins before the finder's from
}

// extendLeft moves the start of r over the label characters and dots before it.
func (f *finder) extendLeft(r *run) {
	b, i, from := view(f.text), r.start, f.from
	if from > 0 && from < i && b[from-1] >= utf8.RuneSelf && class[b[from]]&cAlnum != 0 && !f.d.opts.NoHostPrefix {
		from = 0 // a host may begin at f.from behind words that are attached to it: see afterWords
	}
	dot := true // a dot begins at i, or a label that stands before one is missing
	// ASCII, eight bytes at a time: most names end within two steps, and a loop over the bytes costs more for guessing
	// wrong where it ends than for all its bytes.
	for i >= from+8 {
		w := load(b[i-8:])
		stops := dots(w)
		n := bits.LeadingZeros64(^(inLabel(w)|stops)&highs) >> 3 // how many there are, 8 if that is all
		stops &^= 1<<(64-8*n) - 1
		after := stops >> 8 // whether a dot follows
		if dot {
			after |= 1 << 63
		}
		r.broken = r.broken || stops&after != 0
		if n > 0 {
			dot = b[i-n] == '.'
		}
		i -= n
		if n < 8 {
			break
		}
	}
	for i > from {
		c := b[i-1]
		if class[c]&cLabel != 0 {
			i--
			dot = false
			continue
		}
		if c < utf8.RuneSelf {
			if c != '.' {
				break
			}
			r.broken = r.broken || dot
			i, dot = i-1, true
			continue
		}
		if i >= 3 && ideographicDot(b, i-3) {
			r.broken = r.broken || dot
			i, dot = i-3, true
			r.beyond = i
			continue
		}
		c2, n := lastRune(b[:i])
		if hostname.Of(c2)&hostname.Label == 0 && !f.label(c2, i-n, i) {
			break
		}
		i -= n
		r.beyond, dot = i, false
	}
	f.steps += r.start - i + 1
	r.broken = r.broken || dot || i <= from && f.hostBefore(i)
	r.start = i
}

// inLabel has the high bit of each byte of w set that is an ASCII label character.
func inLabel(w uint64) uint64 {
	// With the high bits clear, x + (0x80 - c) sets the high bit of each byte that is at least c.
	x := w &^ highs
	y := x | 0x20*ones
	letter := (y + (0x80-'a')*ones) &^ (y + (0x80-'z'-1)*ones)
	digit := (x + (0x80-'0')*ones) &^ (x + (0x80-'9'-1)*ones)
	hyphen := (x + (0x80-'-')*ones) &^ (x + (0x80-'-'-1)*ones)
	return (letter | digit | hyphen) & highs &^ w
}

// dots has the high bit of each byte of w set that is a full stop.
func dots(w uint64) uint64 {
	x := w&^highs ^ '.'*ones
	return highs &^ (x + 0x7F*ones | w)
}

// labelEnd returns the offset of the first byte from i on that is no ASCII label character.
func labelEnd(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if m := highs &^ inLabel(load(b[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(b) && class[b[i]]&cLabel != 0 {
		i++
	}
	return i
}

// runFrom returns the run from start on, where a label or the dot after the first label begins.
func (f *finder) runFrom(start int) run {
	b := view(f.text)
	// Labels of ASCII and full stops: the end, and whether two stops stand side by side.
	var k, before, both uint8
	i := start
	for ; i < len(b); i++ {
		if k = class[b[i]]; k&(cLabel|cDot) == 0 {
			break
		}
		both |= k & before
		before = k
	}
	if i < len(b) && k&cBeyond != 0 {
		return f.runBeyond(start)
	}
	r := run{start: start, last: start, name: i, end: i, beyond: i, dot: start}
	for r.name > start && b[r.name-1] == '.' {
		r.name--
	}
	if both&cDot != 0 {
		// Stops at the end are the sentence's: is there a pair before them?
		r.broken = strings.Contains(f.text[start:r.name], "..")
	}
	for j := r.name; j > start; j-- {
		if b[j-1] == '.' {
			r.last = j
			break
		}
	}
	f.steps += i - start + 1
	return r
}

// runBeyond is runFrom for a run that may go on beyond ASCII.
func (f *finder) runBeyond(start int) run {
	b := view(f.text)
	r := run{start: start, last: start, name: start, beyond: -1, dot: start}
	dot, gap := false, false // a dot stands before i; a label between two dots is missing
	i := start
	for {
		j := i
		for j < len(b) && class[b[j]]&cLabel != 0 {
			j++
		}
		if j == i && j < len(b) && b[j] >= utf8.RuneSelf {
			j += f.labelsBeyond(j)
			if j > i && r.beyond < 0 {
				r.beyond = i
			}
		}
		if j > i {
			if dot {
				r.last = i
			}
			r.broken = r.broken || gap
			r.name, dot, i = j, false, j
			continue
		}
		n := 0
		if i < len(b) && b[i] == '.' {
			n = 1
		} else if ideographicDot(b, i) {
			n = 3
			if r.beyond < 0 {
				r.beyond = i
			}
		}
		if n == 0 {
			break
		}
		gap, dot = gap || dot, true
		i += n
	}
	r.end = i
	if r.beyond < 0 {
		r.beyond = i
	}
	f.steps += i - start + 1
	return r
}

// labelsBeyond returns the length in bytes of the label characters beyond ASCII that begin at i.
func (f *finder) labelsBeyond(i int) int {
	b := view(f.text)
	j := i
	for j < len(b) && b[j] >= utf8.RuneSelf {
		r, n := decodeRune(b[j:])
		if hostname.Of(r)&hostname.Label == 0 && !f.label(r, j, j+n) {
			break
		}
		j += n
	}
	return j - i
}

// label reports whether r, at text[start:end] and beyond ASCII, is a label character where it stands, though it
// may not have the property.
//   - ZWJ and ZWNJ are where CONTEXTJ may allow them (RFC 5892, appendix A): between characters beyond ASCII;
//     whether it does allow them is for IDNA to say.
//   - What IDNA ignores (U+00AD, variation selectors), the hyphens U+2010 and U+2011, and the letters and numbers that are marks after a name (² ª ™-like
//     signs of Latin-1 and U+2070 to U+24FF), are in the midst of a name.
//   - The symbols of UTS #46 are if the options have them.
func (f *finder) label(r rune, start, end int) bool {
	if hostname.Of(r)&hostname.Label != 0 {
		return true
	}
	switch {
	case r == 0x200C || r == 0x200D:
		before, _ := utf8.DecodeLastRuneInString(f.text[:start])
		after, _ := utf8.DecodeRuneInString(f.text[end:])
		return before >= utf8.RuneSelf && after >= utf8.RuneSelf && labelRune(before) && labelRune(after)
	case r == 0xAD || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF || r == 0x2010 || r == 0x2011:
		return f.midst(start, end)
	case f.d.opts.SymbolLabels:
		return hostname.Symbol(r)
	case r < 0xC0 || r >= 0x2070 && r < 0x2500:
		return unicode.In(r, unicode.L, unicode.N) && hostname.Symbol(r) && f.midst(start, end)
	}
	return false
}

// midst reports whether a label character stands before start, and one, or a dot and one, at end.
func (f *finder) midst(start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(f.text[:start])
	after, n := utf8.DecodeRuneInString(f.text[end:])
	if after == '.' || ideographicDot(view(f.text), end) {
		after, _ = utf8.DecodeRuneInString(f.text[end+n:])
	}
	return labelRune(before) && labelRune(after)
}

// attached reports whether the part of r beyond ASCII begins with an ideographic dot or a letter of a script that
// attaches to words without a space, and a label character stands before it.
func (f *finder) attached(r *run) bool {
	if r.beyond >= r.name || f.d.opts.NoHostPrefix || r.beyond == 0 || class[f.text[r.beyond-1]]&cLabel == 0 {
		return false
	}
	if ideographicDot(view(f.text), r.beyond) {
		return true
	}
	c, _ := utf8.DecodeRuneInString(f.text[r.beyond:])
	return hostname.Of(c)&hostname.Attaches != 0
}

// hostBefore reports whether a label character or a dot of IDNA ends at i.
func (f *finder) hostBefore(i int) bool {
	if i == 0 {
		return false
	}
	r, n := utf8.DecodeLastRuneInString(f.text[:i])
	if r < utf8.RuneSelf {
		return class[r]&(cLabel|cDot) != 0
	}
	return ideographicDot(view(f.text), i-n) || f.label(r, i-n, i)
}

// labelRune reports whether r is a label character.
func labelRune(r rune) bool {
	if r < utf8.RuneSelf {
		return class[r]&cLabel != 0
	}
	return hostname.Of(r)&hostname.Label != 0
}

// twoLabels reports whether host has a dot of IDNA.
func twoLabels(host string) bool {
	for i := range len(host) {
		if host[i] == '.' || host[i] >= 0xE3 && ideographicDot(view(host), i) {
			return true
		}
	}
	return false
}
