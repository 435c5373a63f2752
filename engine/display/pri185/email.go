// SPDX-License-Identifier: MIT

package pri185

import (
	"strings"

	"github.com/bidilink/bidilink/engine"
)

// email returns the bidi_email that begins at i, where a char stands.
//
//	char* '@' domainWithTLD
//
// A char may be "@" itself, so the longest one goes to the last "@" of the run that has a domainWithTLD after it.
func (f *finder) email(i int) Match {
	f.scanRun(i)
	if f.mail.run != f.run.End {
		f.lastAt(i, f.run.End)
	}
	at := f.mail.at
	if i > at || i == at && !f.o.Strict {
		return Match{}
	}
	m := Match{Span: engine.Span{Start: i, End: f.mail.domain.End}, Kind: Email, Domain: f.mail.domain}
	if at > i {
		m.Local = engine.Span{Start: i, End: at}
	}
	return m
}

// lastAt finds the last "@" of the run of chars from i to run that a domainWithTLD follows.
func (f *finder) lastAt(i, run int) {
	f.mail.run, f.mail.at = run, -1
	f.steps += run - i
	for {
		k := strings.IndexByte(f.text[i:run], '@')
		if k < 0 {
			return
		}
		at := i + k
		d := f.domain(at + 1)
		i = max(at+1, min(d.End, run))
		if d.End = f.trim(d.Start, d.End); f.withTLD(d) {
			f.mail.at, f.mail.domain = at, d
		}
	}
}
