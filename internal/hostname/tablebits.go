// SPDX-License-Identifier: MIT

package hostname

// Props are the properties of a code point that [Of] returns.
type Props uint8

const (
	// Label marks the characters of labels: ASCII letters, digits and hyphen; beyond ASCII what UTS #46
	// has as valid or mapped (nontransitional, STD3 rules).
	//
	// UTS #46 also admits punctuation, symbols and signs ("valid; NV8") that IDNA2008 does not have in
	// labels and that in running text stand directly beside a host: “example.com”, example.com—and,
	// a.com→b.com, example.com™, 👉example.com. These are no label characters here; [Symbol] has them:
	//
	//   - the general categories P*, Z*, S* and C*, except the exceptions of RFC 5892 (U+00B7, U+0375,
	//     U+05F3, U+05F4, U+06FD, U+06FE, U+0F0B, U+3007, U+30FB);
	//   - the four dots, which separate labels (U+002E, U+3002, U+FF0E, U+FF61);
	//   - of category No: what is mapped to ASCII digits (² ₂ ① and the like): footnote and list marks;
	//   - the ordinal indicators ª and º, which are footnote marks too;
	//   - whatever is mapped to something that contains a character that is no label character itself
	//     (℀ is a/c, ½ is 1⁄2).
	//
	// What IDNA ignores (U+00AD, variation selectors) and the joiners U+200C and U+200D are not marked either:
	// whether they are part of a label depends on what stands around them.
	Label Props = 1 << iota

	// Attaches marks letters, marks and letter-like signs of scripts that are written without spaces or
	// attach particles to words: Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer and Myanmar, including
	// the characters that those share with other scripts (ー U+30FC, 〆 U+3006, ・ U+30FB and so on).
	Attaches

	// RTL marks the bidi classes R and AL.
	RTL

	// The upper bits are a class: how the code point is dealt with without x/net/idna.
	classShift = iota
)

// The first classes are fixed; those from classFirst on are described by classInfo.
const (
	classSlow    = iota // only x/net/idna knows
	classIgnored        // mapped to nothing
	classUpper          // mapped to unicode.ToLower
	classAM             // U+0E33 and U+0EB3, mapped to two characters, r+0x1a and r-1
	classFirst
)

// The bits of classInfo. All its classes are valid in A-labels and as they are: neither mapping nor
// normalisation changes a character of theirs on its own.
const (
	bidiL       = 1 << iota
	bidiR       // R and AL
	bidiEN      // European numbers, ASCII digits
	bidiAN      // Arabic numbers
	bidiNeutral // ES, CS, ET, ON and BN
	bidiNSM

	infoMark  // a mark: begins no label
	infoMaybe // NFC_Quick_Check is Maybe: may compose with the character before
	infoFirst // may compose with a character after it

	infoGroupShift = iota // the rank of the combining class, see rank in gen.go

	bidiMask = 1<<6 - 1
)

// The table is in two stages: blockIndex maps a code point's block to a row of blocks.
const (
	blockShift = 8
	blockMask  = 1<<blockShift - 1
)

// A key of tlds is a top-level domain of up to 8 bytes, the first in the lowest byte. The top bits of
// its bytes are free, and say how many labels the longer suffixes of the domain have.
const (
	tldTwo    = 1 << 7  // there are suffixes of two labels
	tldThree  = 1 << 15 // of three
	tldFour   = 1 << 23 // of four
	tldWild2  = 1 << 31 // those of two by a wildcard
	tldWild3  = 1 << 39 // some of three by wildcards
	tldALabel = 1 << 47 // some have A-labels before the domain
	tldFlags  = tldTwo | tldThree | tldFour | tldWild2 | tldWild3 | tldALabel

	tldBits = 12      // of the size of tlds
	tldMul  = hashMul // multiplies a key; the top bits are its place
	hashMul = 0x9e3779b97f4a7c15
)

// An entry of rules is the place of a name in ruleText, its length, and what it is; 0 is an empty
// entry. Its place in rules is given by the hash of the name; collisions go to the next free entry.
const (
	ruleBits     = 13 // of the size of rules
	mayBits      = 16 // of the bits in mayRule, which has one for each entry of rules, and is read first: it is small, and mostly says no
	ruleLenShift = 17
	ruleLenMask  = 63
	ruleSuffix   = 1 << 23 // a rule, or a top-level domain
	ruleWild     = 1 << 24 // every name with one label more is a suffix
	ruleNot      = 1 << 25 // an exception from that
	ruleTwo      = 1 << 26 // of a top-level domain: as tldTwo and so on
	ruleThree    = 1 << 27
	ruleFour     = 1 << 28
	ruleWild2    = 1 << 29
	ruleWild3    = 1 << 30
	ruleALabel   = 1 << 31
)

// beginBits has a bit for the characters up to U+FFFF with which a top-level domain beyond ASCII may begin, in any form, as far as they tell: the first of one of
// unicodeTLDs, those that may compose with the next, and those that are not plain.

// firstOfTLD has a bit for the first characters of unicodeTLDs, modulo firstSize; pairOfTLD has one for the first two,
// the first times pairMul plus the second, modulo firstSize. A bit may be that of another character too.
const (
	firstSize = 2048
	pairMul   = 37
)

// mayUnicode has a bit for each public suffix of two labels or more with characters beyond ASCII; where is said by unicodeHash.
const unicodeBits = 12

// placeOfTLD holds the place of each of unicodeTLDs plus one; where in it is given by the hash of the name, see unicodeTLD.
const placeBits = 9
