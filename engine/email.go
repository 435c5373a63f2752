// SPDX-License-Identifier: MIT

package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/linkprop"
)

// maxLocal is the greatest length of a local part in bytes (RFC 5321 §4.5.3.1.1).
const maxLocal = 64

// maxHost is a bound for the length of a host in bytes: 253 characters.
const maxHost = 253 * utf8.UTFMax

// email reports whether r may stand in a local part (Link_Email).
func email(r rune) bool { return linkprop.Of(r).Email() }

// mark reports whether c is a quote or a mark of emphasis that may stand in a local part.
func mark(c byte) bool { return c == '\'' || c == '`' || c == '*' || c == '_' || c == '~' || c == '|' }

// localPart reports where the "@" stands that makes the run the local part of an address, or the beginning of one:
// directly behind it (winter.delivery@market.fr) or, if the run is not the host of an address itself, after more
// characters of a local part (first.name+tag@example.com). It returns -1 if there is none. A host that "/",
// "?" or "#" follows has begun a URL.
func (f *finder) localPart(r run) int {
	text, i := f.text, r.end
	if i == len(text) {
		return -1
	}
	if text[i] == '@' {
		return i
	}
	if class[text[i]]&(cLocal|cBeyond) == 0 {
		return -1
	}
	for i < len(text) && i <= r.last+maxLocal {
		c := text[i]
		if c == '@' {
			f.steps += i - r.end
			if i+1 < len(text) && class[text[i+1]]&(cAlnum|cBeyond) != 0 && !f.hostOfAddress(r) {
				return i
			}
			return -1
		}
		if c < utf8.RuneSelf {
			if class[c]&cLocal == 0 {
				break
			}
			i++
			continue
		}
		p, n := utf8.DecodeRuneInString(text[i:])
		if !email(p) {
			break
		}
		i += n
	}
	f.steps += i - r.end
	return -1
}

// hostOfAddress reports whether an "@" stands before the run, which may not be extended to its left yet.
func (f *finder) hostOfAddress(r run) bool {
	f.extendLeft(&r)
	return r.start > 0 && f.text[r.start-1] == '@'
}

// address decides whether the run, which an "@" stands before, is the host of an address.
//
// UTS #58, e-mail: back from the "@" over Link_Email characters, never into an earlier link.
func (f *finder) address(r run) bool {
	if f.d.opts.NoEmail {
		return false
	}
	text := f.text
	at := r.start - 1
	start := at
	for start > f.from && at-start <= maxLocal {
		c := text[start-1]
		if c < utf8.RuneSelf {
			if !linkprop.ASCII(c).Email() {
				break
			}
			start--
			continue
		}
		p, n := utf8.DecodeLastRuneInString(text[:start])
		if !email(p) {
			break
		}
		start -= n
	}
	f.steps += at - start
	start, quoted, ok := f.unquote(start, at, r)
	if !ok {
		return false
	}
	local := Span{start, at}
	if start < f.taken || start < f.from || at-start > maxLocal || !f.validLocal(local, quoted) {
		return false
	}

	mailto := Span{}
	if foldEnds(text[:start], "mailto:") {
		n := len("mailto:")
		if f.d.schemeBegins(text, start-n) {
			mailto = Span{start - n, start}
			if mailto.Start < f.from {
				return false
			}
		}
	}
	if mailto.Empty() && (f.authority(start) || !f.d.opts.KeepQuotes && piece(local.In(text))) {
		return false
	}
	end, ok := f.hostEnd(&r, mailto)
	if !ok {
		return false
	}
	if f.d.opts.FileNames && mailto.Empty() && remote(text[end:]) {
		return false
	}
	l := &f.link
	*l = Link{Kind: Email, Scheme: mailto, Local: local, Host: Span{r.start, end}}
	l.Span = Span{start, end}
	if !mailto.Empty() {
		l.Start = mailto.Start
		if f.d.opts.MailtoQuery && end < len(text) && text[end] == '?' {
			var stop int
			l.End, stop, _ = f.d.terminate(text, end, false, l)
			l.Fragment = Span{}
			if !l.Query.Empty() {
				l.End = l.Query.End
			}
			f.steps += stop - end
		}
	}
	return true
}

// validLocal reports whether a local part may be linked: it is not empty, no dot stands at its edges or
// beside another, and it is whole.
func (f *finder) validLocal(s Span, quoted bool) bool {
	local := s.In(f.text)
	if local == "" || local[0] == '.' || local[len(local)-1] == '.' || strings.Contains(local, "..") {
		return false
	}
	if s.Start == 0 {
		return !strings.HasPrefix(local, "//")
	}
	before, _ := utf8.DecodeLastRuneInString(f.text[:s.Start])
	switch {
	case before == '@': // what stands before is no local part: @user@social.example
		return false
	case strings.HasPrefix(local, "//"): // userinfo, or a path
		return false
	case before >= utf8.RuneSelf && !f.d.opts.KeepControls && f.invisibleBefore(s.Start, email):
		return false
	case s.Start == f.from && !quoted && f.emailBefore(s.Start):
		return f.addressBefore(s.Start)
	}
	return true
}

// piece reports whether a local part is a piece of something else: a quote ('@example.com'), or the last of a list in braces ({a,b}@example.com).
func piece(local string) bool {
	marks, depth := 0, 0
	for i := range len(local) {
		switch c := local[i]; {
		case mark(c) && c != '_':
			marks++
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth < 0 {
				return true
			}
		}
	}
	return marks == len(local)
}

// emailBefore reports whether a Link_Email character ends at i.
func (f *finder) emailBefore(i int) bool {
	r, _ := utf8.DecodeLastRuneInString(f.text[:i])
	return i > 0 && email(r)
}

// unquote moves the start of a local part over the marks that stand on both sides of its address: they are round it, not
// part of it. Marks may stand before the finder's from. It is not ok if no address may begin after them.
func (f *finder) unquote(start, at int, r run) (unquoted int, quoted, ok bool) {
	text := f.text
	if f.d.opts.KeepQuotes || r.end != r.name || r.end == len(text) || !mark(text[r.end]) {
		return start, false, true
	}
	c, first := text[r.end], start
	if start == f.from {
		for first > 0 && start-first <= maxLocal && text[first-1] == c {
			first--
		}
		if f.emailBefore(first) {
			return start, false, true // more of a local part stands before
		}
	}
	n := 0
	for first+n < at-1 && text[first+n] == c && r.end+n < len(text) && text[r.end+n] == c {
		n++
	}
	f.steps += start - first + n
	switch {
	case n == 0:
		return start, false, true
	case first > 0 && text[first-1] == '@':
		return start, false, false
	}
	return first + n, true, first+n >= f.from
}

// addressBefore reports whether what ends at i may be an address: then a local part may begin there.
func (f *finder) addressBefore(i int) bool {
	j := i
	for j > 0 && i-j <= maxHost {
		r, n := utf8.DecodeLastRuneInString(f.text[:j])
		if !labelRune(r) && r != '.' && !ideographicDot(view(f.text), j-n) {
			break
		}
		j -= n
	}
	f.steps += i - j
	return j > 0 && f.text[j-1] == '@'
}

// localAddress finds an address with a host of one label behind the "mailto:" that ends at p.
func (f *finder) localAddress(p int) (next int, ok bool) {
	text, i := f.text, p+1
	for i < len(text) && i-p <= maxLocal && text[i] != '@' {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !email(r) {
			break
		}
		i += n
	}
	f.steps += i - p
	if i+1 >= len(text) || text[i] != '@' {
		return p + 1, false
	}
	r := f.runFrom(i + 1)
	if twoLabels(text[r.start:r.end]) {
		return p + 1, false // its dot will find it
	}
	if i, ok := f.host(&r); ok {
		return i, true
	}
	return p + 1, false
}
