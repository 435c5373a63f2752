// SPDX-License-Identifier: MIT

package uba

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// UnicodeVersion is the version of the character properties.
const UnicodeVersion = bidi.UnicodeVersion

// A class is a Bidi_Class, table 4, in a byte.
type class uint8

const (
	clL   = class(bidi.L)
	clR   = class(bidi.R)
	clEN  = class(bidi.EN)
	clES  = class(bidi.ES)
	clET  = class(bidi.ET)
	clAN  = class(bidi.AN)
	clCS  = class(bidi.CS)
	clB   = class(bidi.B)
	clS   = class(bidi.S)
	clWS  = class(bidi.WS)
	clON  = class(bidi.ON)
	clBN  = class(bidi.BN)
	clNSM = class(bidi.NSM)
	clAL  = class(bidi.AL)
	clLRO = class(bidi.LRO)
	clRLO = class(bidi.RLO)
	clLRE = class(bidi.LRE)
	clRLE = class(bidi.RLE)
	clPDF = class(bidi.PDF)
	clLRI = class(bidi.LRI)
	clRLI = class(bidi.RLI)
	clFSI = class(bidi.FSI)
	clPDI = class(bidi.PDI)
)

// A classSet has the bit 1<<c for each class c in it.
type classSet uint32

const (
	isolateInitiators classSet = 1<<clLRI | 1<<clRLI | 1<<clFSI
	isolateControls            = isolateInitiators | 1<<clPDI
	// removedByX9 get no level.
	removedByX9 classSet = 1<<clLRE | 1<<clRLE | 1<<clLRO | 1<<clRLO | 1<<clPDF | 1<<clBN
	// neutrals are the NI of N1 and N2.
	neutrals = isolateControls | 1<<clB | 1<<clS | 1<<clWS | 1<<clON
	// needsRules are those without which all of a paragraph of level 0 has level 0.
	needsRules = isolateControls | removedByX9&^(1<<clBN) | 1<<clR | 1<<clAL | 1<<clAN
)

func (s classSet) has(c class) bool { return s&(1<<c) != 0 }

// classOf returns the class of the code point r that s begins with, and what bracketOf returns.
func classOf(s string, r rune) (class, rune) {
	if r == utf8.RuneError {
		return clON, 0 // also for what is not UTF-8, for which x/text says L
	}
	p, _ := bidi.LookupString(s)
	if p.IsBracket() {
		return class(p.Class()), bracketOf(r, p.IsOpeningBracket())
	}
	return class(p.Class()), 0
}

// bracketOf returns, for an opening bracket, the closing one that pairs with it, and the same number below zero
// for that closing bracket (BD14, BD15). U+2329 and U+232A are canonically equivalent to U+3008 and U+3009.
// x/text does not export the pairs; but for six, the closing bracket follows the opening one.
func bracketOf(r rune, opening bool) rune {
	switch {
	case r == 0x232A:
		return -0x3009
	case !opening:
		return -r
	}
	switch r {
	case '[', '{', '［', '｛':
		return r + 2
	case 0x298D:
		return 0x2990
	case 0x298F:
		return 0x298E
	case 0x2329:
		return 0x3009
	}
	return r + 1
}
