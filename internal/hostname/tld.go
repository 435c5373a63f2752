// SPDX-License-Identifier: MIT

package hostname

import (
	"slices"
	"unicode/utf8"
)

// MayEnd reports whether a host with the given last label may be more than a Name: Classify may find
// it to be Suffix, Registrable or IPv4. It is much faster than Classify, and false only if that is sure.
func MayEnd(label string) bool {
	n := len(label)
	if n == 0 {
		return false
	}
	for i := range n {
		if label[i] >= utf8.RuneSelf {
			return mayEndBeyond(label)
		}
	}
	if c := label[0]; c >= '0' && c <= '9' {
		return octet(label)
	}
	if n > 8 {
		return longTLD(label) != 0
	}
	var k uint64
	if n == 8 {
		k = load8(label, 0)
	} else {
		k = loadShort(label)
	}
	k |= lower8 >> (8 * (8 - n) & 63)
	for h := k * tldMul >> (64 - tldBits); ; h++ {
		info := tlds[h%(1<<tldBits)]
		if info&^uint64(tldFlags) == k {
			return true
		}
		if info == 0 {
			return false
		}
	}
}

// octet reports whether s is a number from 0 to 255 without leading zeros. No other name that begins with a digit
// can be more than a Name.
func octet(s string) bool {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || i == 3 || i == 1 && n == 0 {
			return false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n <= 255
}

// mayEndBeyond is MayEnd for a label with characters beyond ASCII.
func mayEndBeyond(label string) bool {
	var seq sequence
	for i, r := range label {
		if i > maxUnicodeTLD+utf8.UTFMax {
			return false // what stands before i is no less in any form
		}
		if r < utf8.RuneSelf {
			if r >= 'A' && r <= 'Z' {
				return true
			}
			seq = infoFirst
			continue
		}
		// What is mapped, or may compose, is for Classify to look at.
		if class := Of(r) >> classShift; class < classFirst || !seq.add(classInfo[class]) {
			return true
		}
	}
	return unicodeTLD(label) >= 0
}

// unicodeTLD returns the place of s in unicodeTLDs, -1 if it is not there.
func unicodeTLD(s string) int {
	n := len(s)
	if n < 4 || n > maxUnicodeTLD {
		return -1
	}
	var k uint64
	if n >= 8 {
		k = load8(s, n-8)
	} else {
		k = loadShort(s)
	}
	for h := (k ^ uint64(n)) * hashMul >> (64 - placeBits); ; h++ {
		switch i := int(placeOfTLD[h%(1<<placeBits)]) - 1; {
		case i < 0:
			return -1
		case unicodeTLDs[i] == s:
			return i
		}
	}
}

// Begins reports whether a top-level domain may begin with the character of three bytes of UTF-8, b, c and d, in any form. If they are
// no UTF-8, none begins with them, and the answer is either.
func Begins(b, c, d byte) bool {
	return beginBits[beginIndex[int(b&0x0f)<<6|int(c&0x3f)]]>>(d&0x3f)&1 != 0
}

// MayBegin reports whether a top-level domain beyond ASCII, in any form, may begin with s, which begins with a character
// beyond ASCII. It is much faster than MayEnd, and false only if that is sure.
func MayBegin(s string) bool {
	if len(s) >= 3 && s[0]&0xf0 == 0xe0 && s[1]&0xc0 == 0x80 && s[2]&0xc0 == 0x80 && !Begins(s[0], s[1], s[2]) {
		return false
	}
	r, n := decodeRune(s)
	class := Of(r) >> classShift
	if class < classFirst {
		return true
	}
	first := firstOfTLD[r%firstSize/64]>>(r%64)&1 != 0
	if !first && classInfo[class]&infoFirst == 0 {
		return false // most of Chinese: nothing composes with it
	}
	// Does it stay what it is? The next character may compose with it.
	r2, n2 := decodeRune(s[n:])
	if n2 < 2 {
		return first
	}
	class = Of(r2) >> classShift
	if class < classFirst {
		return first || Of(r2)&Label != 0
	}
	info := classInfo[class]
	if info&(infoMaybe|infoMark) != 0 {
		return true
	}
	// The second stays too if nothing composes with it.
	pair := uint32(r*pairMul+r2) % firstSize
	if !first || info&infoFirst == 0 && pairOfTLD[pair/64]>>(pair%64)&1 == 0 {
		return false
	}
	// Some common words begin as a domain does. If the label is all plain, it is looked up as a whole.
	var seq sequence
	for i := 0; i <= maxUnicodeTLD; {
		r, n := decodeRune(s[i:])
		p := Of(r)
		if r < utf8.RuneSelf || n < 2 || p&Label == 0 {
			return r < utf8.RuneSelf && asciiInfo[r] != 0 || n > 1 && p>>classShift < classFirst || unicodeTLD(s[:i]) >= 0
		}
		if class := p >> classShift; class < classFirst || !seq.add(classInfo[class]) {
			return true
		}
		i += n
	}
	return false
}

// decodeRune is utf8.DecodeRuneInString. It has the common form of three bytes without a call: that one takes
// longer than all the rest of MayBegin.
func decodeRune(s string) (r rune, n int) {
	if len(s) >= 3 && s[0] >= 0xe0 && s[0] < 0xed && (s[0] > 0xe0 || s[1] >= 0xa0) && s[1]&0xc0 == 0x80 && s[2]&0xc0 == 0x80 {
		return rune(s[0]&0x0f)<<12 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return utf8.DecodeRuneInString(s)
}

// Symbol reports whether UTS #46 has r as valid or mapped although it is no label character: punctuation,
// symbols and signs, which IDNA2008 disallows.
func Symbol(r rune) bool {
	_, ok := slices.BinarySearchFunc(symbols[:], r, func(s struct{ first, last rune }, r rune) int {
		switch {
		case s.last < r:
			return -1
		case s.first > r:
			return 1
		}
		return 0
	})
	return ok
}
