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

// Most links are plain: a host of ASCII with ASCII on both sides of it, and nothing about it that the tailoring is about. This file
// finds them in one step, and leaves everything else to the rules in initiate.go and email.go. Where it decides, they would decide the same.

// The window that is looked at round a full stop, in bytes. Most hosts lie in it as a whole.
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
	case k&cBeyond != 0:
		return 0, false, false
	case k&cDigit != 0:
		if next = f.plainNumber(p); next > 0 {
			return next, false, true
		}
	}

	// One bit for each byte of the window. The run round p must begin and end in it.
	var part, dots, hyphens uint64
	var at, size int // the place of p in the window
	if scan.Fast && len(b) >= scan.Block {
		at = p - min(max(p-windowBefore, 0), len(b)-scan.Block)
		size = scan.Block
		part, dots, hyphens = scan.Host(b, p-at)
	} else {
		if p < windowBefore || p+windowAfter > len(b) {
			return 0, false, false
		}
		at, size = windowBefore, windowBefore+windowAfter
		part, dots, hyphens = hostBits(b[p-windowBefore : p+windowAfter])
	}
	f.steps += size
	before := bits.LeadingZeros64(^part << ((64 - at) & 63)) // if at is 0, the run does not begin in the window
	after := bits.TrailingZeros64(^part >> (at & 63))
	if before >= at || at+after >= size {
		return 0, false, false
	}
	start, end := p-before, p+after
	next = end
	n := end - start
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
	behind := b[end]
	if behind >= utf8.RuneSelf || class[b[last]]&cDigit != 0 {
		return 0, false, false
	}
	ending := hostname.EndingAt(f.text[:name], last)
	if ending == 0 {
		return next, false, true
	}
	if class[behind]&cLocal != 0 || behind == '@' || start <= f.from {
		return 0, false, false
	}

	scheme := start
	switch c := b[start-1]; c {
	case '@':
		ok = !f.d.opts.NoEmail && ending.Classify(f.text[start:name], dots, hyphens) == hostname.Registrable
		if !ok {
			return next, false, true
		}
		return f.plainAddress(start, name, end)
	case '/':
		if start < 9 {
			return 0, false, false
		}
		// All but the letters have to be equal; those are put in lower case.
		const http = 'h' | 't'<<8 | 't'<<16 | 'p'<<24
		s := load(b[start-8:])
		switch {
		case s|lower5 == http|'s'<<32|slashes<<40:
			scheme -= len("https://")
		case (s|lower4<<8)>>8 == http|slashes<<32:
			scheme -= len("http://")
		default:
			return 0, false, false
		}
		if scheme <= f.from || class[b[scheme-1]]&cScheme != 0 {
			return 0, false, false
		}
	case '_', '%', '\\':
		return next, false, true
	default:
		if c >= utf8.RuneSelf {
			return 0, false, false
		}
		if start < f.taken {
			return next, false, true
		}
	}
	switch ending.Classify(f.text[start:name], dots, hyphens) {
	case hostname.Registrable:
	case hostname.Suffix:
		if scheme == start || f.d.opts.NoSuffixHosts {
			return next, false, true
		}
	default:
		return next, false, true
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
	case class[behind]&cUserinfo != 0 || behind == '/' || behind == '?' || behind == '#':
		r := run{start: start, end: end, last: last, name: name, beyond: end, dot: last - 1, top: true}
		if !f.rest(l, &r) {
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

// plainAddress is address for a host that may stand in a link, at text[start:name], before end. Behind it is ASCII.
func (f *finder) plainAddress(start, name, end int) (next int, ok, done bool) {
	b := view(f.text)
	at := start - 1
	if locals[b[end]]&lMark != 0 || f.d.opts.FileNames {
		return 0, false, false
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
	if i <= f.from || i < f.taken || at-i > maxLocal || i == at || (both|before)&lDot != 0 {
		return 0, false, false
	}
	switch c := b[i-1]; {
	case locals[c] != 0 || c == '@' || c == ':':
		return 0, false, false
	case class[c]&cUserinfo != 0 && f.authority(i):
		return 0, false, false
	}
	l := &f.link
	*l = Link{}
	l.Kind = Email
	l.Span = Span{i, name}
	l.Local = Span{i, at}
	l.Host = Span{start, name}
	return name, true, true
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
