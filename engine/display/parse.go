// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"unicode"

	"github.com/bidilink/bidilink/engine"
)

// Parse takes a string that is a URL, an IRI or an address as a whole, and finds its parts: RFC 3986, appendix B, and, without a
// scheme, a host (example.com/path) or an address (user@example.com). It asks of a host nothing but that it is not empty,
// unless the scheme is one without "//", or file. User information is the Local of a [engine.URL].
//
// It returns false if s is empty, has white space or a control character in it, or has no host. (Some of these end a
// paragraph, and no isolate goes over that.)
func Parse(s string) (engine.Link, bool) {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return engine.Link{}, false
	}
	l, ok := parse(s)
	if !ok {
		return engine.Link{}, false
	}
	return l, true
}

// parse is Parse without its conditions on characters; the link means nothing if there is none.
func parse(s string) (l engine.Link, ok bool) {
	l = engine.Link{Span: engine.Span{Start: 0, End: len(s)}, Kind: engine.URL}
	end := len(s)
	if i := strings.IndexByte(s, '#'); i >= 0 {
		l.Fragment = engine.Span{Start: i, End: end}
		end = i
	}
	if i := strings.IndexByte(s[:end], '?'); i >= 0 {
		l.Query = engine.Span{Start: i, End: end}
		end = i
	}
	begin := schemeEnd(s[:end])
	hier := strings.HasPrefix(s[begin:end], "//")
	switch {
	case begin == 0: // a host, or an address
	case hier:
		begin += len("//")
		l.Scheme = engine.Span{Start: 0, End: begin}
	case strings.EqualFold(s[:begin], "mailto:"):
		l.Scheme = engine.Span{Start: 0, End: begin}
		l.Kind = engine.Email
	default:
		if port := leadingDigits(s[begin:end]); port > 0 && strings.Contains(s[:begin], ".") &&
			(begin+port == end || s[begin+port] == '/') {
			begin = 0 // example.com:80/
			break
		}
		l.Scheme = engine.Span{Start: 0, End: begin}
		l.Path = engine.Span{Start: begin, End: end}
		return l, begin < end
	}
	slash := end
	if i := strings.IndexByte(s[begin:end], '/'); i >= 0 && l.Kind == engine.URL {
		slash = begin + i
		l.Path = engine.Span{Start: slash, End: end}
	}
	if at := strings.LastIndexByte(s[begin:slash], '@'); at >= 0 {
		l.Local = engine.Span{Start: begin, End: begin + at}
		begin += at + 1
		if l.Scheme.Empty() {
			l.Kind = engine.Email
		}
	} else if l.Kind == engine.Email {
		return l, false
	}
	host := slash
	if i := strings.LastIndexByte(s[begin:slash], ':'); i >= 0 && leadingDigits(s[begin+i+1:slash]) == slash-begin-i-1 {
		host = begin + i
		l.Port = engine.Span{Start: host, End: slash}
	}
	l.Host = engine.Span{Start: begin, End: host}
	return l, !l.Host.Empty() || strings.EqualFold(l.Scheme.In(s), "file://")
}

// schemeEnd returns the offset after the colon of the scheme that s begins with, or 0.
func schemeEnd(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// leadingDigits returns the number of ASCII digits that s begins with.
func leadingDigits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}
