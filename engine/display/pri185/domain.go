// SPDX-License-Identifier: MIT

package pri185

import (
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/hostname"
)

// maxTLD is a bound in bytes for the last label of a domain, in any form that IDNA maps to a top-level domain.
const maxTLD = 1024

// domain returns the longest domain that begins at i, before the extra condition is applied: labels with one IDNSep
// between them, and perhaps one at the end. It is empty if no label begins there.
func (f *finder) domain(i int) engine.Span {
	d := engine.Span{Start: i, End: i}
	label := false // there is a label before
	for i = d.Start; i < len(f.text); {
		r, n := f.decode(i)
		switch {
		case labelChar(r):
			label = true
		case label && idnSep(r):
			label = false
		default:
			return d
		}
		i += n
		d.End = i
	}
	return d
}

// withTLD reports whether d, which domain returned and trim may have made shorter, is a domainWithTLD.
func (f *finder) withTLD(d engine.Span) bool {
	end := d.End
	if r, n := utf8.DecodeLastRuneInString(d.In(f.text)); idnSep(r) {
		end -= n
	}
	for i := end; i > d.Start && end-i <= maxTLD; {
		r, n := utf8.DecodeLastRuneInString(f.text[d.Start:i])
		f.steps++
		if idnSep(r) {
			f.steps += end - i
			return tld(f.text[i:end])
		}
		i -= n
	}
	return false
}

// tld reports whether label is a top-level domain: a public suffix of one label.
func tld(label string) bool {
	return hostname.MayEnd(label) && hostname.Classify(label) == hostname.Suffix
}
