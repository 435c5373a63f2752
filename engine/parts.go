// SPDX-License-Identifier: MIT

package engine

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"
)

// ErrURL is what [ParseParts] and [FormatURL] return, wrapped, for a string that is no URL and no address.
var ErrURL = errors.New("engine: not a URL")

// Parts are a URL or an address taken apart: the structured form of UTS #58. Text in them is decoded; which
// "/" parts two segments and which belongs to the name of one is in the structure, so that nothing is lost.
//
//	https://example.com/α/β%2Fγ?δ=ε&ζ#η:~:text=θ
//
//	Parts{Scheme: "https", Host: "example.com", Path: []string{"α", "β/γ"},
//		Query: []Pair{{Key: "δ", Value: "ε", HasValue: true}, {Key: "ζ"}}, Fragment: "η", Directives: []string{"text=θ"}}
//
// Decoded text may hold bytes that are not UTF-8; they are written as escapes.
type Parts struct {
	Scheme string // in lower case, without colon; empty for a bare host or address
	Local  string // the local part of an address
	Host   string // any form, as written; an IP literal with its brackets; empty: the scheme is opaque (tel:1)
	Port   string // digits
	// Path holds the segments: those of "/a/b" are "a" and "b", and that of "/" is one empty segment.
	// No segment: no path. "." and ".." are what they are to every reader, escaped or not.
	//
	// The path of an opaque scheme begins without "/", and is in the form of a string: escapes are not
	// decoded, because what other characters mean is the scheme's affair.
	Path []string
	// Query holds the pairs; that of "?" is one empty pair. No pair: no query.
	Query       []Pair
	Fragment    string // without its directives
	HasFragment bool   // set for "#" with an empty fragment; else of no effect
	// Directives are the fragment directives, which ":~:" begins, in the form of a string: escapes are not decoded,
	// because what & , - and = mean in them depends on whether they are escaped. None at the end is empty.
	Directives []string
}

// A Pair is a name of a query and its value. Text is decoded as servers do it: "+" is a blank, "%2B" a plus
// (in a mailto: URL, where RFC 6068 has it so, "+" is a plus). It is written as "%20" and "%2B".
type Pair struct {
	Key, Value string
	HasValue   bool // set for "=" with an empty value; else of no effect
}

// pieces are the parts of a URL as substrings of it: where they begin and end is known, nothing is decoded
// but the host, and, of an address without a scheme, there is nothing to decode.
type pieces struct {
	scheme                string // any case
	local, host, port     string
	path, query, fragment string // without "/", "?", "#"
	hasPath, hasQuery     bool
	hasFragment           bool
	hier                  bool // "//" stands before the host
	address               bool // it has a local part
}

// special reports whether "\" is "/" in the path, and "//" must stand behind the scheme (WHATWG URL, special
// schemes).
func (u *pieces) special() bool {
	return u.scheme == "" && !u.address || specialScheme(u.scheme)
}

func specialScheme(s string) bool {
	for _, t := range [...]string{"http", "https", "ftp", "ws", "wss"} {
		if len(s) == len(t) && foldHas(s, t) {
			return true
		}
	}
	return false
}

func isMailto(scheme string) bool { return len(scheme) == len("mailto") && foldHas(scheme, "mailto") }

func errURL(why string) error { return fmt.Errorf("%w: %s", ErrURL, why) }

// split takes url apart. It follows the WHATWG URL parser where that and RFC 3986 differ about what a part is,
// but takes neither user information nor what that parser repairs: blanks at the edges, new lines, missing slashes.
func split(url string) (u pieces, err error) {
	if url == "" {
		return u, errURL("empty")
	}
	if url[0] <= ' ' || url[len(url)-1] <= ' ' {
		return u, errURL("a blank or control at an edge")
	}
	if strings.ContainsAny(url, "\t\n\r") {
		return u, errURL("a tab or new line")
	}
	rest := url
	if n := schemeLen(url); n > 0 {
		u.scheme, rest = url[:n], url[n+1:]
		if strings.HasPrefix(rest, "//") {
			u.hier, rest = true, rest[2:]
		} else if specialScheme(u.scheme) {
			return u, errURL(`no "//" behind the scheme`)
		}
	}
	opaque := u.scheme != "" && !u.hier
	if u.scheme == "" {
		if i := strings.LastIndexByte(url, '@'); i > 0 && bareLocal(url[:i]) {
			if u.host, err = parseHost(url[i+1:]); err == nil {
				u.local, u.address = url[:i], true
				return u, nil
			}
		}
	}

	// What comes before the query and the fragment.
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		u.fragment, u.hasFragment, rest = trimDirectives(rest[i+1:]), true, rest[:i]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		u.query, u.hasQuery, rest = rest[i+1:], true, rest[:i]
	}
	switch {
	case isMailto(u.scheme) && opaque:
		// RFC 6068: one address; a list of them, or none, is an opaque path.
		if i := strings.IndexByte(rest, '@'); i > 0 && !strings.ContainsAny(rest, ",") {
			if u.host, err = parseHost(rest[i+1:]); err == nil {
				u.local, u.address = rest[:i], true
				return u, nil
			}
			u.host = ""
		}
		fallthrough
	case opaque:
		u.path, u.hasPath = rest, rest != ""
		return u, nil
	}
	authority := rest
	for i := range len(rest) {
		if rest[i] == '/' || rest[i] == '\\' && (u.scheme == "" || specialScheme(u.scheme)) {
			authority, u.path, u.hasPath = rest[:i], rest[i+1:], true
			break
		}
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		if u.scheme != "" {
			return u, errURL("user information")
		}
		if u.hasPath || u.hasQuery || u.hasFragment {
			return u, errURL("an address ends with its host")
		}
		u.local, u.address, authority = authority[:i], true, authority[i+1:]
		if u.local == "" || strings.ContainsAny(u.local, "@:") {
			return u, errURL("the local part of the address")
		}
		u.host, err = parseHost(authority)
		return u, err
	}
	host := authority
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.HasSuffix(authority, "]") {
		host, u.port = authority[:i], strings.TrimLeft(authority[i+1:], "0")
		if u.port == "" && authority[i+1:] != "" {
			u.port = "0"
		}
		if u.port != "" && (!digits(u.port) || len(u.port) > 5 || len(u.port) == 5 && u.port > "65535") {
			return u, errURL("the port")
		}
	}
	if u.host, err = parseHost(host); err == nil && u.scheme == "" && !twoLabels(u.host) {
		return u, errURL("a host without a scheme and without a dot")
	}
	return u, err
}

// bareLocal reports whether s, before an "@", is a local part: all Link_Email, and not a URL that has begun with
// a host and "/", "?" or "#", as finding has it.
func bareLocal(s string) bool {
	if i := strings.IndexAny(s, "/?#"); i >= 0 && twoLabels(s[:i]) {
		return false
	}
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !email(r) }) < 0
}

// schemeLen returns the length of the scheme that url begins with, or 0: what looks like one but has a dot is
// a host with a port (example.com:80).
func schemeLen(url string) int {
	for i := range len(url) {
		switch c := url[i]; {
		case c == ':':
			if strings.HasPrefix(url[i:], "://") || strings.IndexByte(url[:i], '.') < 0 {
				return i
			}
			return 0
		case class[c]&cScheme == 0 || i == 0 && (c|0x20 < 'a' || c|0x20 > 'z'):
			return 0
		}
	}
	return 0
}

// parseHost checks a host and decodes the escapes in it.
func parseHost(s string) (string, error) {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		if a, err := netip.ParseAddr(s[1 : len(s)-1]); err != nil || !a.Is6() || a.Zone() != "" {
			return "", errURL("the IP literal")
		}
		return s, nil
	}
	if strings.IndexByte(s, '%') >= 0 {
		s = unescape(s, false)
	}
	if s == "" {
		return "", errURL("no host")
	}
	if !utf8.ValidString(s) {
		return "", errURL("the host is not UTF-8")
	}
	for i := range len(s) {
		if forbiddenHost(s[i]) {
			return "", errURL("a character that no host has")
		}
	}
	return s, nil
}

// forbiddenHost reports whether c is a forbidden domain code point (WHATWG URL, hosts), or a quote, brace or
// comma, which no name has either.
func forbiddenHost(c byte) bool {
	return c <= ' ' || c == 0x7F || strings.IndexByte("\"#%,/:<>?@[\\]^`{|}", c) >= 0
}

// directiveMark begins a fragment directive.
const directiveMark = ":~:"

// trimDirectives cuts the empty directives off the end of a fragment: its last character is Soft, and is
// part of no link.
func trimDirectives(s string) string {
	keep := len(s)
	for i := 0; ; {
		n := strings.Index(s[i:], directiveMark)
		if n < 0 {
			if i < len(s) || i == 0 {
				keep = len(s)
			}
			return s[:keep]
		}
		if n > 0 || i == 0 {
			keep = i + n
		}
		i += n + len(directiveMark)
	}
}

// ParseParts takes a URL, or an address, apart. The URL may lack its scheme (example.com/a, a@example.com).
// User information is an error, because it is never linked; so are a host without a scheme and without a dot, and
// what is no URL at all.
//
// Host and port keep their form, but for percent-escapes in the host, zeros before the port, and a colon without a
// port. A string says less than Parts can: a "/" in it parts segments, a "=" name and value.
func ParseParts(url string) (Parts, error) {
	u, err := split(url)
	if err != nil {
		return Parts{}, err
	}
	p := Parts{Scheme: strings.ToLower(u.scheme), Local: u.local, Host: u.host, Port: u.port}
	if u.address && u.scheme != "" {
		p.Local = unescape(u.local, false)
	}
	if u.hasPath {
		special := u.special()
		for from, i := 0, 0; ; i++ {
			if i == len(u.path) || u.path[i] == '/' || u.path[i] == '\\' && special {
				segment := u.path[from:i]
				if u.host != "" {
					segment = unescape(segment, false)
				}
				p.Path = append(p.Path, segment)
				from = i + 1
			}
			if i == len(u.path) {
				break
			}
		}
	}
	if u.hasQuery {
		form := !isMailto(u.scheme)
		for s := range strings.SplitSeq(u.query, "&") {
			key, value, ok := strings.Cut(s, "=")
			p.Query = append(p.Query, Pair{unescape(key, form), unescape(value, form), ok})
		}
	}
	if u.hasFragment {
		text, directives, ok := strings.Cut(u.fragment, directiveMark)
		p.Fragment, p.HasFragment = unescape(text, false), true
		if ok {
			p.Directives = strings.Split(directives, directiveMark)
		}
	}
	return p, nil
}

// unescape decodes the well-formed escapes of s, and, in a form, "+".
func unescape(s string, form bool) string {
	i := 0
	for i < len(s) && s[i] != '%' && (s[i] != '+' || !form) {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for i < len(s) {
		switch c := s[i]; {
		case c == '%' && wellFormed(s, i):
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 3
			continue
		case c == '+' && form:
			c = ' '
			fallthrough
		default:
			b = append(b, c)
			i++
		}
	}
	return string(b)
}

// wellFormed reports whether the "%" at s[i] begins an escape.
func wellFormed(s string, i int) bool { return i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) }

func isHex(c byte) bool { return c-'0' < 10 || c|0x20-'a' < 6 }

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
