// SPDX-License-Identifier: MIT

package hostname

// Only the ICANN section of the public suffix list counts. The list's algorithm looks for the longest
// rule that matches a name; here it is enough to know whether the name as a whole is a suffix, which
// takes one look-up, or two where there are wildcards.

const lower8 = 0x2020202020202020 // lower-cases letters, and leaves digits, hyphens and dots alone

// load8 returns the 8 bytes at s[i:], the first in the lowest byte.
func load8(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

func load4(s string, i int) uint64 {
	_ = s[i+3]
	return uint64(uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24)
}

// loadShort returns the bytes of s, which has 1 to 7, as load8 does.
func loadShort(s string) uint64 {
	n := len(s)
	if n >= 4 {
		return load4(s, 0) | load4(s, n-4)<<(8*(n-4)&63)
	}
	return uint64(s[0]) | uint64(s[n>>1])<<(8*(n>>1)&63) | uint64(s[n-1])<<(8*(n-1)&63)
}

// status says what the valid name s of the given number of labels is; its last one begins at tld.
func status(s string, tld, labels int) Status {
	c := s[tld]
	if c <= '9' && c >= '0' {
		if st := numeric(s, tld); st != Name {
			return st
		}
	}
	info := ending(s, tld)
	if info == 0 {
		return Name
	}
	return suffix(s, info, labels)
}

// suffix is status for a name whose last label is a top-level domain, with its entry.
func suffix(s string, info uint64, labels int) Status {
	if labels == 1 {
		return Suffix
	}
	if info&tldFlags == 0 || labels > 4 || info&(tldTwo<<(8*(labels-2)&63)) == 0 {
		return Registrable
	}
	return multi(s, info&(tldWild2<<(8*(labels-2)&63)) != 0) // a flag beyond tldWild3 is not there
}

// ending returns the entry of tlds for the last label of s, which is ASCII and begins at tld, or what longTLD returns for
// it; 0 if it is no top-level domain.
func ending(s string, tld int) uint64 {
	n := len(s) - tld
	if n > 8 {
		return longTLD(s[tld:])
	}
	var k uint64
	if len(s) >= 8 {
		k = load8(s, len(s)-8)
	} else {
		k = loadShort(s) << (8 * (8 - len(s)) & 63)
	}
	k = (k | lower8) >> (8 * (8 - n) & 63)
	for h := k * tldMul >> (64 - tldBits); ; h++ {
		info := tlds[h%(1<<tldBits)]
		if info&^uint64(tldFlags) == k || info == 0 {
			return info
		}
	}
}

// longTLD returns the flags of a top-level domain of more than 8 bytes, with a further bit set; 0 if it is none.
func longTLD(s string) uint64 {
	e := rule(s)
	if e&ruleSuffix == 0 {
		return 0
	}
	info := uint64(1)
	if e&ruleTwo != 0 {
		info |= tldTwo
	}
	if e&ruleThree != 0 {
		info |= tldThree
	}
	if e&ruleFour != 0 {
		info |= tldFour
	}
	if e&ruleWild2 != 0 {
		info |= tldWild2
	}
	if e&ruleWild3 != 0 {
		info |= tldWild3
	}
	if e&ruleALabel != 0 {
		info |= tldALabel
	}
	return info
}

// multi says whether s, of two labels or more, is a suffix as a whole.
func multi(s string, wild bool) Status {
	switch e := rule(s); {
	case e&ruleNot != 0:
		return Registrable
	case e&ruleSuffix != 0:
		return Suffix
	}
	if wild {
		i := 0
		for s[i] != '.' {
			i++
		}
		if rule(s[i+1:])&ruleWild != 0 {
			return Suffix
		}
	}
	return Registrable
}

// rule returns the entry of rules for s, 0 if there is none.
func rule(s string) uint32 {
	if len(s) > maxRule {
		return 0
	}
	// The words of s in lower case; the last may overlap the one before.
	var last uint64
	h := uint64(len(s))
	if len(s) >= 8 {
		for i := 0; i+8 < len(s); i += 8 {
			h = (h ^ (load8(s, i) | lower8)) * hashMul
			h ^= h >> 32
		}
		last = load8(s, len(s)-8) | lower8
	} else {
		last = loadShort(s) | lower8>>(8*(8-len(s))&63)
	}
	h = (h ^ last) * hashMul
	if bit := h >> (64 - mayBits); mayRule[bit/64]>>(bit%64)&1 == 0 {
		return 0
	}
	for h >>= 64 - ruleBits; ; h++ {
		e := rules[h%(1<<ruleBits)]
		if e == 0 || int(e>>ruleLenShift&ruleLenMask) == len(s) && match(s, int(e&(1<<ruleLenShift-1)), last) {
			return e
		}
	}
}

// match reports whether the text at off, which is as long as s, is s in lower case; last is the last word of s.
func match(s string, off int, last uint64) bool {
	if len(s) < 8 {
		return loadShort(ruleText[off:off+len(s)]) == last
	}
	if load8(ruleText, off+len(s)-8) != last {
		return false
	}
	for i := 0; i+8 < len(s); i += 8 {
		if load8(ruleText, off+i) != load8(s, i)|lower8 {
			return false
		}
	}
	return true
}

// numeric looks at a name whose last label, at tld, begins with a digit. It returns Name if
// that is no number.
func numeric(s string, tld int) Status {
	hex := len(s)-tld >= 2 && s[tld] == '0' && s[tld+1]|0x20 == 'x'
	for i := tld; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
		case hex && i == tld+1, hex && 'a' <= c|0x20 && c|0x20 <= 'f':
		default:
			return Name
		}
	}
	numbers, digits, n := 0, 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == '.':
			numbers++
			digits, n = 0, 0
		case s[i] < '0' || s[i] > '9' || digits > 0 && n == 0:
			return Invalid
		default:
			digits++
			if n = 10*n + int(s[i]-'0'); n > 255 {
				return Invalid
			}
		}
	}
	if numbers != 4 {
		return Invalid
	}
	return IPv4
}
