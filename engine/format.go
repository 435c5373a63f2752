// SPDX-License-Identifier: MIT

package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/confusable"
	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/internal/linkprop"
)

// FormatOptions configure how URLs and addresses are written. The zero value is what [Format] and [FormatURL] use:
// minimal escaping as UTS #58 has it.
type FormatOptions struct {
	// Lookalikes also escapes characters that look like the syntax of URLs (⁄ ？ ＃ ＝ ꞉) or like a blank,
	// but are neither. Default: they stay.
	Lookalikes bool
}

// Format writes p minimally escaped: what [FormatOptions.AppendParts] appends by default.
func Format(p Parts) string { return string(FormatOptions{}.AppendParts(nil, p)) }

// FormatURL writes a URL or an address minimally escaped: what [FormatOptions.AppendURL] appends by default.
// It returns an error that wraps [ErrURL] for what is neither.
func FormatURL(url string) (string, error) {
	dst, err := FormatOptions{}.AppendURL(nil, url)
	return string(dst), err
}

// AppendParts appends p to dst, minimally escaped: of a path, a query and a fragment, and of the local part of
// an address, only that is escaped without which the link would end too early or be taken apart otherwise.
//
// UTS #58 §4: a character is escaped if it is Hard, a Close that matches no Open, syntax of its part or the
// beginning of the next, or a Soft that ends the last part; a "%" only if two hex digits follow. Beyond that:
//
//   - bidi controls and other Default_Ignorable code points are escaped, except ZWJ and ZWNJ between letters;
//   - "\" in a path, which browsers take for "/", and a "+" in a query, which servers take for a blank;
//   - in a local part with a dot, ! $ * ^ ` { | } ~, which end what may be a host (a.de|b@example.com is two links);
//   - a Close that the standard's algorithm leaves but its detection does not accept: in ([)) it drops the "["
//     at the first ")", and lets the second match "(", while detection still has the "[" open.
//
// For hosts that finding accepts, the result between two blanks is found whole. Exceptions are an empty query at
// the end ("?" is Soft, and has no escape that means the same), a local part of more than 64 bytes, the fragment of
// a mailto: URL, and its query where the option MailtoQuery is not set.
//
// The host is written as it is, but for what is invisible in it. An address that needs an escape gets its mailto:
// (in a bare address, "%" means itself). Parts that no URL can hold are left out: a scheme that is none, a port
// that is no number.
func (o FormatOptions) AppendParts(dst []byte, p Parts) []byte {
	u := pieces{local: p.Local, host: p.Host, address: p.Local != ""}
	if validScheme(p.Scheme) {
		u.scheme = p.Scheme
	}
	if u.address {
		if u.scheme != "" || len(p.Query) > 0 || p.HasFragment || p.Fragment != "" || !o.plainLocal(p.Local) {
			u.scheme, u.local = "mailto", escapeSyntax(p.Local, "%")
		}
	} else {
		u.hier = u.scheme != "" && u.host != "" && !isMailto(u.scheme)
		if digits(p.Port) {
			u.port = p.Port
		}
	}

	var b []byte
	if len(p.Path) > 0 && !u.address {
		set := "%/?#"
		switch {
		case u.host == "":
			set = "?#" // an opaque path, in the form of a string
		case u.special():
			set = `%/?#\`
		}
		for i, s := range p.Path {
			if i > 0 {
				b = append(b, '/')
			}
			b = append(b, escapeSyntax(s, set)...)
		}
		u.path, u.hasPath = string(b), true
	}
	if len(p.Query) > 0 {
		b = b[:0]
		for i, q := range p.Query {
			if i > 0 {
				b = append(b, '&')
			}
			b = append(b, escapeSyntax(q.Key, "%#&=+")...)
			if q.HasValue || q.Value != "" {
				b = append(b, '=')
				b = append(b, escapeSyntax(q.Value, "%#&=+")...)
			}
		}
		u.query, u.hasQuery = string(b), true
	}
	directives := p.Directives
	for len(directives) > 0 && directives[len(directives)-1] == "" {
		directives = directives[:len(directives)-1]
	}
	if p.HasFragment || p.Fragment != "" || len(directives) > 0 {
		b = appendFragment(b[:0], escapeSyntax(p.Fragment, "%"), len(directives) > 0)
		for i, s := range directives {
			b = append(b, directiveMark...)
			b = appendFragment(b, s, i < len(directives)-1)
		}
		u.fragment, u.hasFragment = string(b), true
	}
	f := formatter{o: o, structured: true}
	return f.url(dst, &u)
}

// AppendURL appends url, minimally escaped, to dst: as AppendParts does, but what parts the string keeps parting
// it, and escapes that mean something else than their character stay, byte for byte: of syntax (%2F in a path, %26
// %3D %2B in a query, %3A in :~: …), of "%", and of bytes that are not UTF-8. The scheme is written in lower case,
// and "\" in the path of a web URL as "/", which is how browsers read it.
//
// Five pairs of LinkFormattingTest.txt are about structure that their string does not carry: a "/" in the name of a
// segment, a "#" in a path, a "&" or "=" in the name or value of a query, which stand there unescaped. Only [Parts]
// can say that.
func (o FormatOptions) AppendURL(dst []byte, url string) ([]byte, error) {
	u, err := split(url)
	if err != nil {
		return dst, err
	}
	o.needMailto(&u)
	f := formatter{o: o}
	return f.url(dst, &u), nil
}

// A formatter writes pieces minimally escaped.
type formatter struct {
	o          FormatOptions
	structured bool // the pieces were made from Parts: an escaped "%" in them is a "%" that may be written as it is
	special    bool // "\" in the path is "/"
	opaque     bool // the path is the scheme's affair
}

// url appends the whole.
func (f *formatter) url(dst []byte, u *pieces) []byte {
	if u.scheme != "" {
		dst = appendLower(dst, u.scheme)
		dst = append(dst, ':')
		if u.hier {
			dst = append(dst, "//"...)
		}
	}
	if u.address {
		if u.scheme == "" {
			dst = append(dst, u.local...)
		} else {
			dst = f.local(dst, u.local)
		}
		dst = append(dst, '@')
	}
	dst = appendHost(dst, u.host)
	if u.port != "" {
		dst = append(dst, ':')
		dst = append(dst, u.port...)
	}
	// The last part is where a Soft may not be the end. An empty query cannot be found: what stands before it
	// is last.
	last := inPath
	if u.hasFragment {
		last = inFragment
	} else if u.query != "" {
		last = inQuery
	}
	f.special, f.opaque = u.special(), u.host == ""
	if u.hasPath {
		if !f.opaque {
			dst = append(dst, '/')
		}
		dst = f.part(dst, inPath, u.path, last == inPath)
	}
	if u.hasQuery {
		dst = append(dst, '?')
		dst = f.part(dst, inQuery, u.query, last == inQuery)
	}
	if u.hasFragment {
		dst = append(dst, '#')
		dst = f.part(dst, inFragment, u.fragment, true)
	}
	return dst
}

// part appends s, which is what follows the initiator of the part p.
//
// UTS #58 §4, with the termination algorithm of §3 running beside it on what is written.
func (f *formatter) part(dst []byte, p part, s string, last bool) []byte {
	var (
		standard  brackets // popped by each Close, as §4 has it
		detection brackets // popped by each Close that matches, as §3 has it
		directive bool     // within the directives of a fragment
		before    = token{r: -1}
		before2   = token{r: -1}
	)
	for i := 0; i < len(s); {
		if from := i; plain[s[i]] {
			for i++; i < len(s) && plain[s[i]]; i++ {
			}
			dst = append(dst, s[from:i]...)
			before, before2 = token{r: rune(s[i-1])}, token{r: -1}
			continue
		}
		if p == inFragment && strings.HasPrefix(s[i:], directiveMark) {
			dst = append(dst, directiveMark...)
			standard.n, detection.n = 0, 0
			directive = true
			i += len(directiveMark)
			before, before2 = token{r: -1}, token{r: -1}
			continue
		}
		t := nextToken(s, i)
		next := nextToken(s, i+t.n)
		raw := false
		switch {
		case t.bad:
		case !t.escaped && f.delimits(p, t.r):
			// Syntax that parts the part; no bracket matches across it.
			if t.r == '\\' {
				t.r = '/'
			}
			raw = true
			standard.n, detection.n = 0, 0
		case t.r == '%':
			// Two hex digits behind a "%" would make it an escape. In a string an escaped "%" stays.
			if !t.escaped || f.structured && !directive && !(f.opaque && p == inPath) {
				raw = !next.hexDigit() || !nextToken(s, i+t.n+next.n).hexDigit()
			}
		case t.escaped && f.syntax(p, directive, t.r):
		case t.escaped && p == inFragment && t.r == '~' && before.r == ':' && next.r == ':':
		case t.escaped && p == inFragment && t.r == ':' && before.r == '~' && before2.r == ':':
		case t.escaped && p == inFragment && t.r == ':' && next.r == '~' && nextToken(s, i+t.n+next.n).r == ':':
			// It would make a ":~:" that is none.
		case ignorable(t.r) && !(joiner(t.r) && before.letter() && next.letter()):
		case f.o.Lookalikes && lookalike(t.r) != 0:
		default:
			switch linkprop.Of(t.r).Term() {
			case Include:
				raw = true
			case Soft:
				raw = !last || i+t.n < len(s)
			case Open:
				if raw = detection.n < maxOpen; raw {
					standard.push(t.r)
					detection.push(t.r)
				}
			case Close:
				open := linkprop.Opening(t.r)
				raw = standard.top() == open && detection.top() == open
				standard.pop()
				if raw {
					detection.pop()
				}
			}
		}
		if raw {
			dst = utf8.AppendRune(dst, t.r)
		} else {
			dst = t.appendEscaped(dst, s[i:i+t.n])
		}
		i += t.n
		before, before2 = t, before
	}
	return dst
}

// brackets are the Opens of a part that no Close has matched.
type brackets struct {
	open [maxOpen]rune
	n    int
}

func (b *brackets) push(r rune) { b.open[b.n] = r; b.n++ }

func (b *brackets) pop() { b.n = max(b.n-1, 0) }

// top returns the innermost Open, or -1, which is the Link_Bracket of nothing.
func (b *brackets) top() rune {
	if b.n == 0 {
		return -1
	}
	return b.open[b.n-1]
}

// plain marks ASCII characters that are written as they are wherever they stand unescaped: those
// that are Include, but for "%", and what delimits or, as "~", is part of what does.
var plain = func() (t [256]bool) {
	for c := range byte(utf8.RuneSelf) {
		t[c] = linkprop.ASCII(c).Term() == Include && strings.IndexByte(`%/\=&~`, c) < 0
	}
	return t
}()

// delimits reports whether r, unescaped, parts the part p (UTS #58 §3, clearStackOpen; ":~:" is no single
// character).
func (f *formatter) delimits(p part, r rune) bool {
	switch p {
	case inPath:
		return r == '/' || r == '\\' && f.special
	case inQuery:
		return r == '=' || r == '&'
	}
	return false
}

// syntax reports whether r could mean something else in the part p if it were not escaped.
func (f *formatter) syntax(p part, directive bool, r rune) bool {
	switch p {
	case inPath:
		return r == '/' || r == '?' || r == '#' || r == '\\' && f.special || f.opaque && reserved(r)
	case inQuery:
		return r == '=' || r == '&' || r == '+' || r == '#'
	}
	return directive && (r == '&' || r == ',' || r == '-' || r == '=') // text=prefix-,start,end,-suffix&text=…
}

// reserved reports whether r is reserved (RFC 3986 §2.2) and no bracket: schemes give such characters a meaning.
func reserved(r rune) bool {
	return r < utf8.RuneSelf && strings.IndexByte(":/?#@!$&'*+,;=", byte(r)) >= 0
}

// local appends the local part of an address behind mailto:, escaped where it is not Link_Email or would be taken
// for the end of the address or of its local part.
func (f *formatter) local(dst []byte, s string) []byte {
	dotted := hasDot(s)
	before := token{r: '.'} // no dot at the edges, or beside another
	for i := 0; i < len(s); {
		t := nextToken(s, i)
		next := nextToken(s, i+t.n)
		raw := false
		switch {
		case t.bad:
		case t.r == '%':
			if !t.escaped || f.structured {
				raw = !next.hexDigit() || !nextToken(s, i+t.n+next.n).hexDigit()
			}
		case t.r == '.':
			raw = before.r != '.' && next.r >= 0
		default:
			raw = f.o.mailable(t.r, dotted)
		}
		if raw {
			dst = utf8.AppendRune(dst, t.r)
			before = t
		} else {
			dst = t.appendEscaped(dst, s[i:i+t.n])
			before = token{r: -1}
		}
		i += t.n
	}
	return dst
}

// hasDot reports whether there is a dot in s, escaped or not.
func hasDot(s string) bool {
	return strings.IndexByte(s, '.') >= 0 || strings.Contains(s, "%2E") || strings.Contains(s, "%2e")
}

// mailable reports whether r, which is neither a dot nor "%", stands for itself in a local part, which may have a
// dot in it: then what stands round the dot may be a host, and characters that are rare in local parts end it
// (a.de|b@example.com is two links).
func (o FormatOptions) mailable(r rune, dotted bool) bool {
	if r < utf8.RuneSelf && dotted && class[r]&cLocal == 0 {
		return false
	}
	return email(r) && r != '/' && r != '?' && r != '#' && !ignorable(r) && !(o.Lookalikes && lookalike(r) != 0)
}

// needMailto makes a bare address that needs an escape a mailto: URL.
func (o FormatOptions) needMailto(u *pieces) {
	if u.address && u.scheme == "" && !o.plainLocal(u.local) {
		u.scheme, u.local = "mailto", escapeSyntax(u.local, "%")
	}
}

// plainLocal reports whether a local part can stand in a bare address.
func (o FormatOptions) plainLocal(s string) bool {
	before, dotted := '.', strings.IndexByte(s, '.') >= 0
	for i, r := range s {
		if r == '.' && (before == '.' || i == len(s)-1) || r != '.' && r != '%' && !o.mailable(r, dotted) {
			return false
		}
		before = r
	}
	return utf8.ValidString(s) && !piece(s)
}

// appendHost appends a host as it is, or, if something in it is invisible, as IDNA reads it. What no host
// holds is escaped.
func appendHost(dst []byte, host string) []byte {
	literal := strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]")
	if !literal && strings.ContainsFunc(host, unseen) {
		var buf [256]byte
		if a, ok := appendASCIIHost(buf[:0], host); ok {
			return hostname.AppendUnicode(dst, string(a))
		}
	}
	for i := 0; i < len(host); {
		r, n := utf8.DecodeRuneInString(host[i:])
		switch {
		case r < utf8.RuneSelf && (!forbiddenHost(host[i]) || literal && strings.IndexByte("[]:", host[i]) >= 0):
			dst = append(dst, host[i])
		case r < utf8.RuneSelf || unseen(r) || r == utf8.RuneError && n == 1:
			for _, c := range view(host[i : i+n]) {
				dst = appendEscape(dst, c)
			}
		default:
			dst = append(dst, host[i:i+n]...)
		}
		i += n
	}
	return dst
}

// unseen reports whether r, beyond ASCII, is never written in a host: it is invisible or ends a link. Joiners
// are: IDNA has them only where they are seen.
func unseen(r rune) bool {
	return r >= utf8.RuneSelf && (ignorable(r) && !joiner(r) || linkprop.Of(r).Term() == Hard)
}

// A token is a character of a part as a string has it: as it is, or in escapes.
type token struct {
	r       rune // -1 at the end
	n       int  // bytes in the string
	escaped bool
	bad     bool // r is a byte that is not UTF-8
}

func (t token) letter() bool {
	return !t.bad && t.r >= 0 && (unicode.IsLetter(t.r) || unicode.IsMark(t.r))
}

func (t token) hexDigit() bool { return t.r >= 0 && t.r < utf8.RuneSelf && isHex(byte(t.r)) }

// nextToken returns the token at s[i]. Bytes that are UTF-8 together are one character even if some of them are
// escaped and some are not: those will be escaped, and read as one character from then on.
func nextToken(s string, i int) token {
	if i >= len(s) {
		return token{r: -1}
	}
	if s[i] < utf8.RuneSelf && (s[i] != '%' || !wellFormed(s, i)) {
		return token{r: rune(s[i]), n: 1}
	}
	if r, n := utf8.DecodeRuneInString(s[i:]); n > 1 {
		return token{r: r, n: n}
	}
	var buf [utf8.UTFMax]byte
	var end [utf8.UTFMax]int // of each byte, as written
	k := 0
	for j := i; j < len(s) && k < len(buf); k++ {
		c, n := s[j], 1
		if c == '%' && wellFormed(s, j) {
			c, n = unhex(s[j+1])<<4|unhex(s[j+2]), 3
		}
		if k > 0 && c&0xC0 != 0x80 {
			break
		}
		j += n
		buf[k], end[k] = c, j
	}
	r, n := utf8.DecodeRune(buf[:k])
	if r == utf8.RuneError && n == 1 {
		return token{r: rune(buf[0]), n: end[0] - i, escaped: s[i] == '%', bad: true}
	}
	return token{r: r, n: end[n-1] - i, escaped: true}
}

// appendEscaped appends the token, written as s in the string, escaped: byte for byte, if it is written so.
func (t token) appendEscaped(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		if s[i] == '%' && wellFormed(s, i) {
			dst = append(dst, s[i:i+3]...)
			i += 3
			continue
		}
		dst = appendEscape(dst, s[i])
		i++
	}
	return dst
}

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(dst, '%', hex[c>>4], hex[c&15])
}

// escapeSyntax escapes the ASCII characters of set.
func escapeSyntax(s, set string) string {
	if !strings.ContainsAny(s, set) {
		return s
	}
	b := make([]byte, 0, len(s)+8)
	for i := range len(s) {
		if c := s[i]; strings.IndexByte(set, c) >= 0 {
			b = appendEscape(b, c)
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}

// appendFragment appends the text of a fragment or directive, in which ":~:" is text. If more follows, a ":~:"
// does.
func appendFragment(dst []byte, s string, more bool) []byte {
	for i := range len(s) {
		if strings.HasPrefix(s[i:], directiveMark) || more && s[i:] == ":~" {
			dst = append(dst, "%3A"...)
		} else {
			dst = append(dst, s[i])
		}
	}
	return dst
}

// validScheme reports whether s is the name of a scheme (RFC 3986 §3.1).
func validScheme(s string) bool {
	for i := range len(s) {
		if class[s[i]]&cScheme == 0 || i == 0 && (s[0]|0x20 < 'a' || s[0]|0x20 > 'z') {
			return false
		}
	}
	return s != ""
}

// appendLower appends ASCII in lower case.
func appendLower(dst []byte, s string) []byte {
	for i := range len(s) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

func joiner(r rune) bool { return r == 0x200C || r == 0x200D }

// ignorable reports whether r has the property Default_Ignorable_Code_Point, which all bidi controls have too: it
// is invisible, and two texts that differ only in it look alike.
func ignorable(r rune) bool { return confusable.Ignorable(r) }

// lookalike returns the syntax character that r, beyond ASCII, is taken for, or 0.
func lookalike(r rune) rune { return confusable.Syntax(r) }
