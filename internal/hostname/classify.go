// SPDX-License-Identifier: MIT

package hostname

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/net/idna"
)

// IDNAVersion is the version of Unicode that x/net/idna follows. It depends on the Go toolchain.
const IDNAVersion = idna.UnicodeVersion

// A Status says what [Classify] finds a host to be.
type Status uint8

const (
	Invalid     Status = iota // no name: a bad label, bad IDNA, too long, or a numeric last label that is of no IPv4 address
	Name                      // valid, but its last label is no top-level domain (so also "localhost")
	Suffix                    // valid, and nothing but a public suffix: co.uk, com
	Registrable               // valid, with at least one label before its public suffix
	IPv4                      // four decimal numbers 0..255 without leading zeros
)

const (
	maxInput = 2048 // bytes; whatever is longer is invalid before any work
	maxName  = 253  // bytes in ASCII form
	maxLabel = 63   // bytes in ASCII form
)

// Classify says what host is. Its labels are separated by any of the four dots of IDNA (U+002E, U+3002,
// U+FF0E, U+FF61), in upper or lower case, Unicode or A-labels; there is no final dot.
//
// A name is valid if UTS #46 has it so: nontransitional, with CheckJoiners, CheckBidi and UseSTD3ASCIIRules. Its ASCII
// form has at most 253 bytes, each label 1 to 63, without a hyphen at either end. Hyphens in third and
// fourth place are allowed in ASCII labels other than A-labels, because there are such hosts
// (r3---sn-x.googlevideo.com), but not in those with other characters (RFC 5891, section 4.2.3.1).
// Where a mapping makes a label right-to-left (U+2135 to U+05D0), the Bidi rule is applied too.
//
// A last label that is a number (digits, or 0x and hexadecimal digits; WHATWG URL) is part of an IPv4
// address in its only usual form, or the host is invalid.
//
// Of the public suffix list, only the ICANN section counts.
func Classify(host string) Status {
	n := len(host)
	if uint(n-1) >= 63 {
		return classifyAny(host)
	}
	// One bit for each byte of host.
	var dots, hyphens uint64
	if n >= 8 {
		for i := 0; i+8 <= n; i += 8 {
			bad, h, d := scan(load8(host, i))
			if bad != 0 {
				return classifyAny(host)
			}
			hyphens |= h << i
			dots |= d << i
		}
		if rest := n & 7; rest != 0 {
			bad, h, d := scan(load8(host, n-8)>>(64-8*rest&63) | padding<<(8*rest&63))
			if bad != 0 {
				return classifyAny(host)
			}
			hyphens |= h << (n &^ 7 & 63)
			dots |= d << (n &^ 7 & 63)
		}
	} else {
		var bad uint64
		if bad, hyphens, dots = scan(loadShort(host) | padding<<(8*n&63)); bad != 0 {
			return classifyAny(host)
		}
	}
	if v := form(host, dots, hyphens); v != good {
		if v == unsure {
			return classifyAny(host)
		}
		return Invalid
	}
	return status(host, 64-bits.LeadingZeros64(dots), bits.OnesCount64(dots)+1)
}

// form looks at the labels of an ASCII host of 1 to 64 bytes, with a bit for each of its dots and hyphens. It is bad if a label is empty or has a
// hyphen at an edge, and unsure if a label may be an A-label.
func form(host string, dots, hyphens uint64) verdict {
	starts, ends := dots<<1|1, dots>>1|1<<(uint(len(host)-1)&63)
	if (dots|hyphens)&(starts|ends) != 0 {
		return bad
	}
	if double := starts & (hyphens >> 2) & (hyphens >> 3); double != 0 && hasALabel(host, double) {
		return unsure
	}
	return good
}

// An Ending is what the tables know of a top-level domain in ASCII; 0 if it is none.
type Ending uint64

// EndingAt returns the ending for the last label of host, which begins at tld, has 1 to 63 characters of ASCII, and is no number.
func EndingAt(host string, tld int) Ending { return Ending(ending(host, tld)) }

// Classify is [Classify] for a host of at most 64 bytes, all ASCII letters, digits, hyphens and dots, that has the ending e, which is not 0.
// It takes bits for its dots and hyphens, the lowest for the first byte.
func (e Ending) Classify(host string, dots, hyphens uint64) Status {
	if v := form(host, dots, hyphens); v != good {
		if v == unsure {
			return classifyAny(host)
		}
		return Invalid
	}
	return suffix(host, uint64(e), bits.OnesCount64(dots)+1)
}

const (
	ones    = 0x0101010101010101
	tops    = 0x80 * ones
	padding = 'a' * ones
)

// scan looks at 8 bytes. It returns bits, the lowest for the first byte, for hyphens and for dots,
// and in bad something that is not 0 if there is a byte that is no letter, digit, hyphen or dot.
func scan(w uint64) (bad, hyphens, dots uint64) {
	// With the top bits clear, x + (0x80 - c) sets the top bit of each byte that is at least c.
	x := w &^ tops
	y := x | lower8
	alpha := (y + (0x80-'a')*ones) &^ (y + (0x80-'z'-1)*ones)
	digit := (x + (0x80-'0')*ones) &^ (x + (0x80-'9'-1)*ones)
	other := (x + (0x80-'-')*ones) &^ (x + (0x80-'.'-1)*ones) & tops
	bad = (alpha|digit|other)&tops ^ tops | w&tops
	hyphen := other & (x << 7) // U+002D is odd, U+002E is even
	return bad, gather(hyphen), gather(other ^ hyphen)
}

// gather moves the top bits of the bytes of m, which has no others, to the lowest 8 bits.
func gather(m uint64) uint64 { return (m >> 7) * 0x0102040810204080 >> 56 }

// hasALabel reports whether xn stands at one of the places given by bits.
func hasALabel(host string, places uint64) bool {
	for ; places != 0; places &= places - 1 {
		i := bits.TrailingZeros64(places)
		if host[i]|0x20 == 'x' && host[i+1]|0x20 == 'n' {
			return true
		}
	}
	return false
}

// classifyAny is Classify for any host.
func classifyAny(host string) Status {
	if len(host) > maxInput {
		return Invalid
	}
	if s, ok := quick(host); ok {
		return s
	}
	var buf [bufSize]byte
	n, tld, labels, v := convert(&buf, host)
	switch v {
	case good:
		return status(unsafe.String(&buf[0], n), tld, labels)
	case bad:
		return Invalid
	}
	_, s := slow(host)
	return s
}

// AppendASCII appends host to dst in lower case with A-labels and full stops. It returns dst and
// false if Classify(host) is Invalid.
func AppendASCII(dst []byte, host string) ([]byte, bool) {
	if len(host) > maxInput {
		return dst, false
	}
	var buf [bufSize]byte
	n, tld, labels, v := convert(&buf, host)
	switch v {
	case good:
		if status(unsafe.String(&buf[0], n), tld, labels) == Invalid {
			return dst, false
		}
		return append(dst, buf[:n]...), true
	case bad:
		return dst, false
	}
	a, s := slow(host)
	if s == Invalid {
		return dst, false
	}
	return append(dst, a...), true
}

var profile = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false),
	idna.CheckJoiners(true), idna.CheckHyphens(false), idna.StrictDomainName(true))

// slow leaves the mapping, normalisation, the joiners and the Bidi rule to x/net/idna.
func slow(host string) (string, Status) {
	if !plausible(host) || mixedALabel(host) {
		return "", Invalid
	}
	a, err := profile.ToASCII(host)
	if err != nil || len(a) == 0 || len(a) > maxName {
		return "", Invalid
	}
	// The second round applies the Bidi rule to what the mapping of the first made right-to-left.
	b, err := profile.ToASCII(a)
	if err != nil || a != b {
		return "", Invalid
	}
	labels := 0
	for l := range strings.SplitSeq(a, ".") {
		labels++
		if l == "" || len(l) > maxLabel || l[0] == '-' || l[len(l)-1] == '-' {
			return "", Invalid
		}
		if strings.HasPrefix(l, "xn--") {
			var u [maxLabel]rune
			n := decode(&u, []byte(l[4:]))
			if n == 0 || u[0] == '-' || u[n-1] == '-' || n >= 4 && u[2] == '-' && u[3] == '-' {
				return "", Invalid
			}
		}
	}
	return a, status(a, 1+strings.LastIndexByte(a, '.'), labels)
}

// plausible reports whether host is UTF-8 without U+FFFD and no label is much too long: mapping makes nothing shorter
// except what it removes, and normalisation makes at most four characters one. It
// keeps the quadratic time of x/net/idna's Punycode small.
func plausible(host string) bool {
	n := 0
	for _, r := range host {
		switch r {
		case utf8.RuneError: // invalid UTF-8, or U+FFFD, which is disallowed
			return false
		case '.', 0x3002, 0xff0e, 0xff61:
			n = 0
		default:
			if Of(r)>>classShift != classIgnored {
				n++
			}
			if n > 4*maxLabel {
				return false
			}
		}
	}
	return true
}

// mixedALabel reports whether a label begins as an A-label does but has characters beyond ASCII.
// QUIRK: golang.org/x/net/idna decodes some of these (xn--ѥxa-), though they are no Punycode.
func mixedALabel(host string) bool {
	label, beyond := make([]byte, 0, 4), false
	mixed := func() bool { return beyond && string(label) == "xn--" }
	for _, r := range host {
		switch {
		case r == '.' || r == 0x3002 || r == 0xff0e || r == 0xff61:
			if mixed() {
				return true
			}
			label, beyond = label[:0], false
		case r >= utf8.RuneSelf && Of(r)>>classShift == classIgnored:
		case r >= utf8.RuneSelf:
			beyond = true
			if len(label) < 4 {
				label = append(label, '?', '?', '?', '?')[:4]
			}
		case len(label) < 4:
			label = append(label, byte(unicode.ToLower(r)))
		}
	}
	return mixed()
}
