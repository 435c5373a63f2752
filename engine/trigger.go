// SPDX-License-Identifier: MIT

package engine

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/internal/scan"
)

// Every link holds one of a few rare characters: a host has a dot of IDNA (U+002E, U+3002, U+FF0E,
// U+FF61), an IPv6 literal begins with "[", and what else can be a link (a host of one label, an
// opaque path) has a colon before it. The search looks for these alone, many bytes at a time, and the
// rest of the detector decides to the left and to the right of what it finds.

// ASCII classes, one byte of bits for each byte value.
const (
	cLabel    uint8 = 1 << iota // letter, digit, hyphen: a label character
	cDot                        // U+002E
	cDigit                      // 0 to 9
	cScheme                     // may stand in the name of a scheme, RFC 3986 §3.1
	cUserinfo                   // may stand in userinfo, RFC 3986 §3.2.1
	cAlnum                      // letter or digit
	cLocal                      // Link_Email, and used in local parts: no bar of a table, no emphasis
	cBeyond                     // not ASCII
)

var class = func() (t [256]uint8) {
	for c := range 256 {
		b := byte(c)
		switch {
		case b >= 0x80:
			t[c] = cBeyond
		case b >= '0' && b <= '9':
			t[c] = cLabel | cDigit | cScheme | cUserinfo | cAlnum | cLocal
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			t[c] = cLabel | cScheme | cUserinfo | cAlnum | cLocal
		}
	}
	t['-'] = cLabel | cScheme | cUserinfo
	t['.'] = cDot | cScheme | cUserinfo
	t['+'] = cScheme | cUserinfo
	for _, b := range []byte("_~!$&'()*,;=:%") {
		t[b] |= cUserinfo
	}
	for _, b := range []byte("+-_.='%&") {
		t[b] |= cLocal
	}
	return t
}()

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeros has the high bit of each zero byte of x set, and perhaps some bits above the lowest of these: the
// lowest is exact. Of its other bits nothing is said: and it with highs.
func zeros(x uint64) uint64 { return (x - ones) &^ x }

// Chunks of text are searched for the rare triggers before they are searched for full stops, so that nothing is searched
// twice. A search that ends with its first link takes small ones.
const (
	chunkOne  = 512
	chunkMany = 1 << 13
)

// next returns the offset of the first trigger at or after i, or len(text).
// A dot that nothing follows which could belong to a host is no trigger: it ends a sentence.
func (f *finder) next(i int) int {
	if f.d.colons {
		return nextByte(f.text, i)
	}
	if f.d.schemesOnly && !f.d.noPlain {
		return f.nextScheme(i)
	}
	if scan.Fast && !f.d.noScan && len(f.text) >= scan.Block+scan.Ahead {
		return f.nextHit(i)
	}
	b := view(f.text)
	for i < len(b) {
		if i >= f.ahead {
			f.ahead = min(i+f.chunk, len(b))
			f.bracket = nextBracket(b, i, f.ahead)
			f.ideographic = nextLead(b, i, f.ahead)
			f.lead = true
		}
		if f.bracket < i {
			f.bracket = nextBracket(b, i, f.ahead)
		}
		if f.ideographic < i || f.lead {
			f.ideographic = nextIdeographic(b, max(i, f.ideographic), f.ahead, f.d.anyName)
			f.lead = false
		}
		end := min(f.bracket, f.ideographic)
		if p := f.nextDot(i, end); p < end {
			return p
		}
		if end < f.ahead {
			return end
		}
		i = end
	}
	return len(b)
}

// A block of the text is searched for full stops at once.
const block = 32

// longestScan is the greatest number of bytes that package scan is given at once, since a goroutine in it cannot be preempted: some 0.1 ms.
const longestScan = 1 << 20

// nextHit is next for texts of a block or more, where package scan can be used.
func (f *finder) nextHit(i int) int {
	b := view(f.text)
	last := len(b) - scan.Block - scan.Ahead // where the last block begins
	for {
		if left := f.scanned - i; left > 0 {
			for hits := f.hits >> ((scan.Block - left) & 63); hits != 0; hits &= hits - 1 {
				j := i + bits.TrailingZeros64(hits)
				switch b[j] {
				case '.':
					if class[b[j+1]]&(cLabel|cDot) != 0 || trigger(b, j) {
						return j
					}
				case '/':
					if j >= 2 && b[j-1] == '/' && b[j-2] == ':' {
						return j + 1
					}
				default:
					if j+8 <= len(b) && !f.d.anyName {
						// U+3002 before a character of three bytes with which no domain begins, as nearly always: see sentence. An ASCII beginning before it
						// is found by its own full stop.
						w := load(b[j:])
						if w&0xFFFFFF == 0x8280E3 && w>>24&0xC0C0F0 == 0x8080E0 && !hostname.Begins(byte(w>>24), byte(w>>32), byte(w>>40)) {
							continue
						}
					}
					if (f.d.anyName || !sentence(b, j)) && trigger(b, j) {
						return j
					}
				}
			}
			i = f.scanned
		}
		if i >= last+scan.Block {
			break
		}
		block, hits := scan.Triggers(b[:min(len(b)-i, longestScan)+i], i)
		f.hits, f.scanned = hits, block+scan.Block
		i = max(i, block)
	}
	for ; i < len(b); i++ {
		if trigger(b, i) {
			return i
		}
	}
	return len(b)
}

// nextScheme is next for detectors that find nothing but hosts with "://" directly before them: only the triggers in the characters
// behind one matter, up to the first that is in no host.
func (f *finder) nextScheme(i int) int {
	b := view(f.text)
	for {
		for ; i < f.hostEnds; i++ {
			if trigger(b, i) || b[i] == '[' && nextBracket(b, i, i+1) == i {
				return i
			}
		}
		k := strings.Index(f.text[i:], "://")
		if k < 0 {
			return len(b)
		}
		i += k + len("://")
		end := i
		for end < len(b) && (class[b[end]]&(cLabel|cDot|cBeyond) != 0 || b[end] == '[') {
			end++
		}
		f.steps += end - i
		f.hostEnds = end
	}
}

// nextDot returns the offset of the first full stop in text[i:end] that is a trigger, or end.
func (f *finder) nextDot(i, end int) int {
	b := view(f.text)
	for i < end {
		m := uint64(0)
		if i < f.looked {
			m = f.dots >> ((i + block - f.looked) & 63) // the rest of a block
		} else {
			for ; i < end && i+block < len(b); i += block {
				s := b[i : i+block+1]
				m0 := zeros(load(s[0:])^'.'*ones) & goesOn(load(s[1:]))
				m1 := zeros(load(s[8:])^'.'*ones) & goesOn(load(s[9:]))
				m2 := zeros(load(s[16:])^'.'*ones) & goesOn(load(s[17:]))
				m3 := zeros(load(s[24:])^'.'*ones) & goesOn(load(s[25:]))
				if (m0|m1|m2|m3)&highs != 0 {
					m = bitmap(m0) | bitmap(m1)<<8 | bitmap(m2)<<16 | bitmap(m3)<<24
					f.dots, f.looked = m, i+block
					break
				}
			}
			if m == 0 {
				break
			}
		}
		// A bit is a dot, or what zeros marks above one; a byte that may belong to a host follows.
		for ; m != 0; m &= m - 1 {
			j := i + bits.TrailingZeros64(m)
			if j >= end {
				return end
			}
			if b[j] == '.' && (class[b[j+1]]&(cLabel|cDot) != 0 || trigger(b, j)) {
				return j
			}
		}
		i = f.looked
	}
	for ; i < end; i++ {
		if b[i] == '.' && trigger(b, i) {
			return i
		}
	}
	return end
}

// load returns the first eight bytes of b, the first in the lowest byte.
func load(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// goesOn has the high bit of each byte of x set that may belong to a host: all from "-" on. (Spaces, quotes and
// brackets, with which a sentence goes on after its full stop, come before.)
func goesOn(x uint64) uint64 { return x&^highs + (0x80-'-')*ones | x }

// nextLead returns the offset of the first byte in b[i:end] with which U+3002, U+FF0E or U+FF61 may begin, or end.
func nextLead(b []byte, i, end int) int {
	if k := bytes.IndexByte(b[i:end], 0xE3); k >= 0 {
		end = i + k
	}
	if k := bytes.IndexByte(b[i:end], 0xEF); k >= 0 {
		end = i + k
	}
	return end
}

// nextIdeographic returns the offset of the first of U+3002, U+FF0E and U+FF61 in b[i:end] that is a trigger, or end.
// Unless any name may be a host, those that end a sentence are left out.
func nextIdeographic(b []byte, i, end int, anyName bool) int {
	for ; i+34 <= len(b) && i < end; i += 32 {
		s := b[i : i+34]
		// U+3002 is E3 80 82, U+FF0E is EF BC 8E, U+FF61 is EF BD A1.
		m0 := leads(load(s[0:]), load(s[1:]), load(s[2:]))
		m1 := leads(load(s[8:]), load(s[9:]), load(s[10:]))
		m2 := leads(load(s[16:]), load(s[17:]), load(s[18:]))
		m3 := leads(load(s[24:]), load(s[25:]), load(s[26:]))
		if (m0|m1|m2|m3)&highs == 0 {
			continue
		}
		for m := bitmap(m0) | bitmap(m1)<<8 | bitmap(m2)<<16 | bitmap(m3)<<24; m != 0; m &= m - 1 {
			if j := i + bits.TrailingZeros64(m); (anyName || !sentence(b, j)) && trigger(b, j) {
				return min(j, end)
			}
		}
	}
	for ; i < end; i++ {
		if b[i] >= 0xE3 && ideographicDot(b, i) && (anyName || !sentence(b, i)) && trigger(b, i) {
			return i
		}
	}
	return end
}

// leads marks the bytes of w that are E3 with 80 in the same place of v and 82 in that of u, or EF with BC or BD, as zeros
// does. The comma, the brackets and the full-width forms of Chinese and Japanese, with which every sentence is
// full, are not worth a third comparison for EF: they are fewer than those of E3.
func leads(w, v, u uint64) uint64 {
	return zeros(w^0xE3*ones|v^0x80*ones|u^0x82*ones) | zeros(w^0xEF*ones|v&^ones^0xBC*ones)
}

// sentence reports whether the ideographic dot at b[p] is neither the last one of a host nor the one before which the ASCII
// beginning of a host ends: characters beyond ASCII stand on both sides, and no top-level domain begins after it.
// The search leaves these out, because Chinese and Japanese have one in 120 bytes.
func sentence(b []byte, p int) bool {
	return p > 0 && class[b[p-1]]&cLabel == 0 && p+3 < len(b) && b[p+3] >= utf8.RuneSelf && !hostname.MayBegin(bytesView(b[p+3:]))
}

// bitmap gathers the high bits of the bytes of x in the lowest eight bits.
func bitmap(x uint64) uint64 { return (x & highs >> 7) * 0x0102040810204080 >> 56 }

// nextBracket returns the offset of the first "[" in b[i:end] that "://" stands before, or end.
func nextBracket(b []byte, i, end int) int {
	for i < end {
		k := bytes.IndexByte(b[i:end], '[')
		if k < 0 {
			break
		}
		i += k
		if i >= 3 && b[i-1] == '/' && b[i-2] == '/' && b[i-3] == ':' {
			return i
		}
		i++
	}
	return end
}

// trigger reports whether b[j] is a dot of IDNA that may have a label of a host after it.
func trigger(b []byte, j int) bool {
	switch c := b[j]; {
	case c == '.':
		j++
	case c >= 0xE3 && ideographicDot(b, j):
		j += 3
	default:
		return false
	}
	if j == len(b) {
		return false
	}
	k := class[b[j]]
	return k&(cLabel|cDot) != 0 || k&cBeyond != 0 && hostGoesOn(b[j:])
}

// hostGoesOn reports whether b begins with a character beyond ASCII that may follow a dot in a host: a label character, a
// dot of IDNA, or an invisible character that hides one.
func hostGoesOn(b []byte) bool {
	r, n := decodeRune(b)
	return n > 1 && (hostname.Of(r)&hostname.Label != 0 || ideographicDot(b, 0) || invisible(r))
}

// decodeRune is utf8.DecodeRune, with the common forms of two and three bytes without the call. b is not empty.
func decodeRune(b []byte) (r rune, n int) {
	switch c := b[0]; {
	case c >= 0xC2 && c < 0xE0 && len(b) > 1 && b[1]&0xC0 == 0x80:
		return rune(c&0x1F)<<6 | rune(b[1]&0x3F), 2
	case c >= 0xE0 && c < 0xED && len(b) > 2 && (c > 0xE0 || b[1] >= 0xA0) && b[1]&0xC0 == 0x80 && b[2]&0xC0 == 0x80:
		return rune(c&0x0F)<<12 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F), 3
	}
	return utf8.DecodeRune(b)
}

// ideographicDot reports whether U+3002, U+FF0E or U+FF61 begins at b[j].
func ideographicDot(b []byte, j int) bool {
	if j+3 > len(b) {
		return false
	}
	switch uint32(b[j])<<16 | uint32(b[j+1])<<8 | uint32(b[j+2]) {
	case 0xE38082, 0xEFBC8E, 0xEFBDA1:
		return true
	}
	return false
}

// nextByte is next for detectors that look for colons too.
func nextByte(text string, i int) int {
	b := view(text)
	for ; i < len(b); i++ {
		if c := b[i]; c == ':' || trigger(b, i) || c == '[' && nextBracket(b, i, i+1) == i {
			return i
		}
	}
	return len(b)
}
