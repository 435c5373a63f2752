// SPDX-License-Identifier: MIT

package engine

import (
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/internal/linkprop"
)

// schemeBefore returns the scheme and "://" that end at i. It is not ok if there is none that is linked,
// or if the name of another scheme ends with its name.
func (f *finder) schemeBefore(i int) (Span, bool) {
	text := f.text
	if i < 4 || text[i-2] != '/' || text[i-3] != ':' {
		return Span{}, false
	}
	n := f.d.schemeEnd(text[:i-3])
	if n == 0 {
		return Span{}, false
	}
	return Span{i - 3 - n, i}, true
}

// schemeEnd returns the length of the hierarchical scheme that text ends with, or 0.
func (d *Detector) schemeEnd(text string) int {
	n := 0
	switch {
	case foldEnds(text, "https"):
		n = 5
	case foldEnds(text, "http"):
		n = 4
	default:
		for _, s := range d.schemes {
			if foldEnds(text, s) {
				n = max(n, len(s))
			}
		}
	}
	if n > 0 && !d.schemeBegins(text, len(text)-n) {
		return 0 // the end of the name of another scheme
	}
	return n
}

// web reports whether scheme is "http://" or "https://", in any case.
func web(scheme string) bool {
	return len(scheme) >= 7 && len(scheme) <= 8 && foldHas(scheme, "http") && (len(scheme) == 7 || scheme[4]|0x20 == 's')
}

// schemeBegins reports whether the name of a scheme may begin at i: no character of such names stands before it.
// Tailoring: a hyphen after a right-to-left letter is none. Names of schemes begin with an ASCII letter, and in Hebrew
// prepositions are joined to foreign words with a hyphen.
func (d *Detector) schemeBegins(text string, i int) bool {
	if i == 0 || class[text[i-1]]&cScheme == 0 {
		return true
	}
	if text[i-1] != '-' || d.opts.Strict {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(text[:i-1])
	return r >= utf8.RuneSelf && hostname.Of(r)&hostname.RTL != 0
}

// foldEnds reports whether text ends with suffix, which is lower-case ASCII, in any case.
func foldEnds(text, suffix string) bool {
	return len(text) >= len(suffix) && foldHas(text[len(text)-len(suffix):], suffix)
}

// foldHas reports whether text begins with prefix, which is lower-case ASCII, in any case.
func foldHas(text, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}

// userinfo reports whether what stands at i, behind a scheme and a host, runs on to an "@": then that host is
// userinfo, and the text names another host.
func (f *finder) userinfo(i int) bool {
	text, j := f.text, i
	for j < len(text) && class[text[j]]&(cUserinfo|cBeyond) != 0 {
		if class[text[j]]&cBeyond != 0 {
			r, n := utf8.DecodeRuneInString(text[j:])
			if !userinfoRune(r, n) {
				break
			}
			j += n
			continue
		}
		j++
	}
	f.steps += j - i
	return j < len(text) && text[j] == '@'
}

// userinfoRune reports whether r, beyond ASCII and of n bytes, may stand in userinfo: browsers take anything, but
// here it has to look like part of a link.
func userinfoRune(r rune, n int) bool {
	return !(r == utf8.RuneError && n == 1) && linkprop.Of(r).Term() == Include
}

// authority reports whether i stands in the userinfo of a URL: only userinfo lies between "://" and it.
func (f *finder) authority(i int) bool {
	text, j := f.text, i
	for j > 0 {
		c := text[j-1]
		if class[c]&cUserinfo != 0 {
			j--
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeLastRuneInString(text[:j])
		if !userinfoRune(r, n) {
			break
		}
		j -= n
	}
	f.steps += i - j
	return j >= 3 && text[j-1] == '/' && text[j-2] == '/' && text[j-3] == ':'
}
