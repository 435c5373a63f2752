// SPDX-License-Identifier: MIT

package engine

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/internal/linkprop"
	"github.com/bidilink/bidilink/internal/scan"
)

// Most links are plain: a host of ASCII, or of letters that IDNA leaves as they are, between characters that have nothing to do with names. This file
// finds them in one step, and leaves everything else to the rules in initiate.go and email.go. Where it decides, they would decide the same.

// The window that is looked at round a full stop, in bytes: what stands before it and what follows. Most hosts lie in it as a whole. With package
// scan it is longer behind, a block of that package.
const (
	windowBefore = 16
	windowAfter  = 24
)

// plain is dot for the full stop at p, if what stands round it is a plain link or surely none. If it is not done, it has
// changed nothing.
func (f *finder) plain(p int) (next int, ok, done bool) {
	b := view(f.text)
	if p == 0 || p+1 == len(b) {
		return 0, false, false
	}
	switch k := class[b[p+1]] | class[b[p-1]]&cBeyond; {
	case k&cDot != 0:
		return p + 1, false, true
	case k&cBeyond != 0:
		return f.plainBeyond(p)
	case k&cDigit != 0:
		if next = f.plainNumber(p); next > 0 {
			return next, false, true
		}
	}

	// One bit for each byte of the window. The run round p must begin and end in it.
	var part, dots, hyphens uint64
	var at, size int // the place of p in the window
	if scan.Fast && !f.d.noScan {
		size = scan.Block
		if len(b) >= size {
			at = p - min(max(p-windowBefore, 0), len(b)-size)
			part, dots, hyphens = scan.Host(b, p-at)
		} else {
			var padded [scan.Block]byte
			copy(padded[:], b)
			at = p
			part, dots, hyphens = scan.Host(padded[:], 0)
		}
	} else {
		if p < windowBefore || p+windowAfter > len(b) {
			return 0, false, false
		}
		at, size = windowBefore, windowBefore+windowAfter
		part, dots, hyphens = hostBits(b[p-windowBefore : p+windowAfter])
	}
	f.steps += size
	// at is not 0: that would be a full stop with which the text begins.
	before := min(bits.LeadingZeros64(^part<<((64-at)&63)), at)
	after := min(bits.TrailingZeros64(^part>>(at&63)), size-at)
	start, end := p-before, p+after
	next = end
	n := end - start
	if before == at && start > 0 || at+after == size && end < len(b) || n == 64 {
		return 0, false, false // it may go on outside the window, or has more bits than are shifted here
	}
	dots = dots >> ((at - before) & 63) & (1<<(n&63) - 1)
	hyphens = hyphens >> ((at - before) & 63) & (1<<(n&63) - 1)
	if dots&(dots<<1|1) != 0 {
		return 0, false, false
	}
	if dots>>((n-1)&63) != 0 { // the full stop of the sentence
		n--
		dots &^= 1 << (n & 63)
		if dots == 0 {
			return 0, false, false
		}
	}
	last, name := start+64-bits.LeadingZeros64(dots), start+n
	if class[b[last]]&cDigit != 0 || !f.apartAfter(end) {
		return 0, false, false
	}
	ending := hostname.EndingAt(f.text[:name], last)
	if ending == 0 {
		return next, false, true
	}
	if start <= f.from && f.from > 0 || !f.apartBefore(start) {
		return 0, false, false
	}
	r := run{start: start, end: end, last: last, name: name, beyond: end, dot: last - 1, top: true}
	return f.plainLink(&r, ending.Classify(f.text[start:name], dots, hyphens))
}

// plainBeyond is plain for a dot beside a character beyond ASCII.
func (f *finder) plainBeyond(p int) (next int, ok, done bool) {
	b := view(f.text)
	if next = f.plainName(p); next > 0 {
		return next, false, true
	}
	// Back over the label characters, as in extendLeft.
	start, least := p, max(f.from, p-maxHost)
	for start > least {
		c := b[start-1]
		if c < utf8.RuneSelf {
			if class[c]&(cLabel|cDot) == 0 {
				break
			}
			start--
			continue
		}
		r, n := lastRune(b[:start])
		if hostname.Of(r)&hostname.Label == 0 {
			break
		}
		start -= n
	}
	f.steps += p - start
	if start == p || start <= least && least > 0 || !f.apartBefore(start) {
		return 0, false, false
	}
	h, ok := hostname.Plain(f.text, start)
	f.steps += h.End - start
	switch {
	case !ok:
		return 0, false, false // not plain
	case h.End > p && h.End < len(b) && b[h.End] == '@':
		return h.End + 1, false, true // a local part
	case h.Name <= p:
		return 0, false, false // an empty label, or something else that is not plain, follows the dot
	case h.End < len(b) && b[h.End] == '.':
		return 0, false, false // an empty label
	case !f.apartAfter(h.End):
		return 0, false, false // the run may go on
	case h.Status == hostname.Name && f.ends(h.End):
		// As in dot. An ASCII beginning that is a host would have been found by its own full stop. Where a local part may go on, the
		// rules look on behind it.
		return h.End, false, true
	case h.Status != hostname.Registrable:
		return 0, false, false
	}
	r := run{start: start, end: h.End, last: h.Last, name: h.Name, beyond: start, dot: h.Last - 1, top: true}
	return f.plainLink(&r, h.Status)
}

// plainName is plainBeyond for a dot behind which is one label, with which no host ends, whatever stands before the dot: a word that has
// a dot in it. It returns 0 if it does not decide.
func (f *finder) plainName(p int) (next int) {
	b := view(f.text)
	i := p + 1
	if b[i] < utf8.RuneSelf {
		// As in last. If more labels follow, plainBeyond takes all of them at once.
		i = labelEnd(b, i)
		f.steps += i - p
		switch {
		case i < len(b) && b[i] >= utf8.RuneSelf,
			i+1 < len(b) && b[i] == '.' && class[b[i+1]]&(cLabel|cDot|cBeyond) != 0,
			hostname.MayEnd(f.text[p+1 : i]):
			return 0
		}
		return i
	}
	// As in dot: the run is taken from the dot on, and begins no local part.
	if hostname.MayBegin(f.text[i:]) {
		return 0
	}
	for i < len(b) {
		if class[b[i]]&cLabel != 0 {
			i++
			continue
		}
		if b[i] < utf8.RuneSelf {
			break
		}
		r, n := decodeRune(b[i:])
		if hostname.Of(r)&hostname.Label == 0 {
			break
		}
		i += n
	}
	f.steps += i - p
	if i < len(b) && b[i] == '.' {
		i++ // the full stop of the sentence
	}
	if !f.ends(i) || !f.apartAfter(i) {
		return 0
	}
	return i
}

// ends reports whether no character of ASCII follows at i with which a name or a local part goes on.
func (f *finder) ends(i int) bool {
	return i == len(f.text) || class[f.text[i]]&(cLabel|cDot|cLocal) == 0 && f.text[i] != '@'
}

// lastRune is utf8.DecodeLastRune, with the common forms of two and three bytes without the call. b ends with a byte that is not ASCII.
func lastRune(b []byte) (r rune, n int) {
	if i := len(b); b[i-1]&0xC0 == 0x80 && i >= 3 {
		switch c, d := b[i-2], b[i-3]; {
		case c >= 0xC2 && c < 0xE0:
			return rune(c&0x1F)<<6 | rune(b[i-1]&0x3F), 2
		case c&0xC0 == 0x80 && d >= 0xE0 && d < 0xED && (d > 0xE0 || c >= 0xA0):
			return rune(d&0x0F)<<12 | rune(c&0x3F)<<6 | rune(b[i-1]&0x3F), 3
		}
	}
	return utf8.DecodeLastRune(b)
}

// apartAfter reports whether nothing beyond ASCII follows at i, or a character that is surely no part of a name that ends there, whatever
// stands behind it.
func (f *finder) apartAfter(i int) bool {
	if i == len(f.text) || f.text[i] < utf8.RuneSelf {
		return true
	}
	r, _ := decodeRune(view(f.text)[i:])
	return f.apart(r)
}

// apartBefore is apartAfter for what ends at i, and a name that begins there.
func (f *finder) apartBefore(i int) bool {
	if i == 0 || f.text[i-1] < utf8.RuneSelf {
		return true
	}
	r, _ := lastRune(view(f.text)[:i])
	return f.apart(r)
}

// apart reports whether r is punctuation that the rules say nothing about: no label character wherever it stands (label), not invisible, no dot of
// IDNA, and none of Link_Email.
func (f *finder) apart(r rune) bool {
	switch {
	case r < 0xC0:
		if r != '«' && r != '»' {
			return false
		}
	case r == 0x061C, r >= 0x2000 && r < 0x2012, r >= 0x2028 && r < 0x2030, r >= 0x205F && r < 0x2500,
		r >= 0xFE00 && r < 0xFE10, r == 0xFEFF, r >= 0xFFF0, r == 0x3002, r == 0xFF0E, r == 0xFF61:
		return false
	}
	return hostname.Of(r)&hostname.Label == 0 && !email(r) && !f.d.opts.SymbolLabels
}

// plainLink finds the link whose host is r, of the given status, if it is plain. What stands on both sides of r belongs to no name.
func (f *finder) plainLink(r *run, status hostname.Status) (next int, ok, done bool) {
	b := view(f.text)
	start, name, end := r.start, r.name, r.end
	next = end
	var before, behind byte // 0 at the ends of the text
	if start > 0 {
		before = b[start-1]
	}
	if end < len(b) {
		behind = b[end]
	}
	if class[behind]&cLocal != 0 || behind == '@' {
		return 0, false, false
	}
	if status != hostname.Registrable && status != hostname.Suffix {
		return next, false, true
	}

	scheme := start
	switch before {
	case '@':
		if f.d.opts.NoEmail || status != hostname.Registrable {
			return next, false, true
		}
		if f.plainAddress(start, name, behind) {
			return name, true, true
		}
		r.sure = true
		return next, f.address(*r), true
	case '/':
		// All but the letters have to be equal; those are put in lower case.
		const http = 'h' | 't'<<8 | 't'<<16 | 'p'<<24
		var s uint64
		if start >= 8 {
			s = load(b[start-8:])
		} else if len(b) >= 8 {
			s = load(b) << (8 * (8 - start))
		}
		switch {
		case s|lower5 == http|'s'<<32|slashes<<40:
			scheme -= len("https://")
		case (s|lower4<<8)>>8 == http|slashes<<32:
			scheme -= len("http://")
		default:
			return 0, false, false
		}
		if scheme <= f.from && f.from > 0 || scheme > 0 && class[b[scheme-1]]&cScheme != 0 || status == hostname.Suffix && f.d.opts.NoSuffixHosts {
			return 0, false, false
		}
	case '_', '%', '\\':
		return next, false, true
	default:
		if start < f.taken || status == hostname.Suffix {
			return next, false, true
		}
		if r.beyond < name {
			if bare := *r; !f.afterWords(&bare) || bare.start != start {
				return 0, false, false
			}
		}
	}

	l := &f.link
	*l = Link{}
	l.Kind = URL
	l.Span = Span{scheme, name}
	l.Host = Span{start, name}
	if scheme < start {
		l.Scheme = Span{scheme, start}
	}
	switch {
	case behind == '/' && end == name:
		var stop int
		l.End, stop, _ = f.d.terminate(f.text, name, false, l)
		f.steps += stop - name
	case class[behind]&(cUserinfo|cBeyond) != 0 || behind == '/' || behind == '?' || behind == '#':
		if !f.rest(l, r) {
			return next, false, true
		}
	}
	if scheme == start && !f.d.allBare && !f.bare(l) {
		f.taken = l.End
		return next, false, true
	}
	return l.End, true, true
}

const (
	lower4  = 0x20202020 // puts four letters in lower case
	lower5  = 0x2020202020
	slashes = ':' | '/'<<8 | '/'<<16
)

// plainNumber is plain for a dot that a digit follows. It returns 0 if it does not decide.
func (f *finder) plainNumber(p int) (next int) {
	b := view(f.text)
	i := p + 1
	for i < len(b) && (class[b[i]]&cDigit != 0 || b[i] == '.' && b[i-1] != '.') {
		i++
	}
	f.steps += i - p
	if i == len(b) || b[i-1] == '.' {
		return 0
	}
	if class[b[i]]&cLabel != 0 {
		// No domain begins with a digit: is it the last label?
		end := labelEnd(b, i)
		f.steps += end - i
		if end == len(b) || b[end] == '.' || b[end] >= utf8.RuneSelf {
			return 0
		}
		return end
	}
	if class[b[i]]&(cDot|cBeyond) != 0 {
		return 0
	}
	// Numbers with dots between them, as in number.
	j := p
	for j > f.from && (class[b[j-1]]&cDigit != 0 || b[j-1] == '.') {
		j--
	}
	f.steps += p - j
	if j > f.from {
		switch c := b[j-1]; {
		case c >= utf8.RuneSelf:
			return 0
		case c == '/' && (j < 2 || b[j-2] == '/' || class[b[i]]&cLocal != 0 || b[i] == '@'):
			return 0 // an IPv4 address behind a scheme, or a local part
		}
	}
	return i
}

// plainAddress finds a plain address with the host text[start:name], which may stand in a link. What stands behind it, and the dot
// after it, is given, or 0 at the end of the text.
func (f *finder) plainAddress(start, name int, behind byte) bool {
	b := view(f.text)
	at := start - 1
	if locals[behind]&lMark != 0 || f.d.opts.FileNames {
		return false
	}
	i := at
	both, before := uint8(0), uint8(lDot) // whether two dots stand side by side, or one before the "@"
	for i > f.from && locals[b[i-1]]&(lPlain|lDot) != 0 {
		i--
		k := locals[b[i]]
		both |= k & before
		before = k
	}
	f.steps += at - i
	if i < f.taken || at-i > maxLocal || i == at || (both|before)&lDot != 0 {
		return false
	}
	if i > 0 {
		switch c := b[i-1]; {
		case locals[c] != 0 || c == '@' || c == ':':
			return false
		case class[c]&cUserinfo != 0 && f.authority(i):
			return false
		}
	}
	l := &f.link
	*l = Link{}
	l.Kind = Email
	l.Span = Span{i, name}
	l.Local = Span{i, at}
	l.Host = Span{start, name}
	return true
}

// Classes of the bytes of local parts.
const (
	lPlain uint8 = 1 << iota // Link_Email, and nothing but that
	lDot                     // U+002E
	lMark                    // may stand round an address
	lOther                   // Link_Email, of which the rules know more; beyond ASCII
)

var locals = func() (t [256]uint8) {
	for c := range 256 {
		b := byte(c)
		switch {
		case b == '.':
			t[c] = lDot
		case b >= utf8.RuneSelf || b == '/' || b == '{' || b == '}':
			t[c] = lOther
		case mark(b) && b != '_':
			t[c] = lMark
		case linkprop.ASCII(b).Email():
			t[c] = lPlain
		}
	}
	return t
}()

// hostBits looks at the bytes of a window. It returns bits, the lowest for the first byte, for the characters of ASCII hosts (letters, digits,
// hyphens and dots), for the dots and for the hyphens.
func hostBits(b []byte) (part, dots, hyphens uint64) {
	b = b[:windowBefore+windowAfter]
	for i := 0; i < windowBefore+windowAfter; i += 8 {
		w := binary.LittleEndian.Uint64(b[i : i+8])
		// With the high bits clear, x + (0x80 - c) sets the high bit of each byte that is at least c, and
		// 0x80 - x leaves it to those that are 0.
		x := w &^ highs
		y := x | 0x20*ones
		letter := (y + (0x80-'a')*ones) &^ (y + (0x80-'z'-1)*ones)
		digit := (x + (0x80-'0')*ones) &^ (x + (0x80-'9'-1)*ones)
		dot := highs - (x ^ '.'*ones)
		hyphen := highs - (x ^ '-'*ones)
		ascii := highs &^ w
		part = part>>8 | gather((letter|digit|dot|hyphen)&ascii)
		dots = dots>>8 | gather(dot&ascii)
		hyphens = hyphens>>8 | gather(hyphen&ascii)
	}
	const unused = 64 - windowBefore - windowAfter
	return part >> unused, dots >> unused, hyphens >> unused
}

// gather moves the high bits of the bytes of m, which has no others, to the highest eight bits.
func gather(m uint64) uint64 { return (m >> 7) * 0x0102040810204080 & (0xFF << 56) }
