// SPDX-License-Identifier: MIT

package uts58

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

// gfm finds links as GFM §6.9 (autolinks, extension) does: www., http://, https:// and e-mail addresses. What the specification leaves
// open is as in cmark-gfm: characters beyond ASCII, but white space and punctuation, may stand in a host.
type gfm struct {
	hrefs   *engine.Detector
	longest int
}

func newGFM(o engine.Options) *gfm {
	d, err := engine.New(engine.Options{IRI: o.IRI, HTTP: true})
	if err != nil {
		panic(err) // there is nothing in it to be wrong
	}
	return &gfm{d, o.MaxLength}
}

// AppendHref implements finder.
func (g *gfm) AppendHref(dst []byte, text string, l engine.Link) []byte {
	return g.hrefs.AppendHref(dst, text, l)
}

// AppendLinks implements finder.
func (g *gfm) AppendLinks(dst []engine.Link, text string) []engine.Link {
	for at := 0; at < len(text); {
		l, ok := g.Find(text, at)
		if !ok {
			break
		}
		dst = append(dst, l)
		at = l.End
	}
	return dst
}

// Find implements finder.
func (g *gfm) Find(text string, from int) (engine.Link, bool) {
	for i := from; i < len(text); {
		n := strings.IndexAny(text[i:], ":@wW")
		if n < 0 {
			break
		}
		p := i + n
		i = p + 1
		l, ok := engine.Link{}, false
		switch text[p] {
		case ':':
			l, ok = g.scheme(text, p)
		case '@':
			l, ok = g.address(text, p, from)
		default:
			if foldPrefix(text[p:], "www.") && mayBegin(text, p) {
				if l, ok = g.url(text, p, p); !ok {
					i = max(i, l.End) // a domain that begins in it is none either
				}
			}
		}
		if !ok || l.Start < from {
			continue
		}
		if g.longest > 0 && l.Len() > g.longest {
			i = l.End
			continue
		}
		return l, true
	}
	return engine.Link{}, false
}

func foldPrefix(s, lower string) bool {
	return len(s) >= len(lower) && strings.EqualFold(s[:len(lower)], lower)
}

// scheme finds the URL whose scheme ends at a colon.
func (g *gfm) scheme(text string, colon int) (engine.Link, bool) {
	if !strings.HasPrefix(text[colon:], "://") {
		return engine.Link{}, false
	}
	for _, name := range [...]string{"https", "http"} {
		if start := colon - len(name); start >= 0 && strings.EqualFold(text[start:colon], name) {
			return g.url(text, start, colon+len("://")) // a domain ends at a colon
		}
	}
	return engine.Link{}, false
}

// mayBegin reports whether a URL may begin there: GFM has it so "at the beginning of a line, after whitespace, or any of the delimiting
// characters *, _, ~, and (".
func mayBegin(text string, at int) bool {
	return at == 0 || strings.IndexByte(" \t\n\v\f\r*_~(", text[at-1]) >= 0
}

// url finds the URL that begins at start and has its host at host. If there is none, the link that is returned ends where the domain does.
func (g *gfm) url(text string, start, host int) (engine.Link, bool) {
	end, ok := domain(text, host)
	if !ok || !mayBegin(text, start) {
		return engine.Link{Span: engine.Span{Start: end, End: end}}, false
	}
	stop := end
	for stop < len(text) && text[stop] != '<' && strings.IndexByte(" \t\n\v\f\r", text[stop]) < 0 {
		stop++
	}
	stop = max(trimEnd(text, end, stop), end)
	l := engine.Link{Span: engine.Span{Start: start, End: stop}, Kind: engine.URL, Host: engine.Span{Start: host, End: end}}
	if host > start {
		l.Scheme = engine.Span{Start: start, End: host}
	}
	at := end
	if at+1 < stop && text[at] == ':' && '0' <= text[at+1] && text[at+1] <= '9' {
		l.Port.Start = at
		for at++; at < stop && '0' <= text[at] && text[at] <= '9'; at++ {
		}
		l.Port.End = at
	}
	fragment := stop
	if i := strings.IndexByte(text[at:stop], '#'); i >= 0 {
		fragment = at + i
		l.Fragment = engine.Span{Start: fragment, End: stop}
	}
	query := fragment
	if i := strings.IndexByte(text[at:fragment], '?'); i >= 0 {
		query = at + i
		l.Query = engine.Span{Start: query, End: fragment}
	}
	if at < query {
		if text[at] != '/' {
			// No URL goes on like that: the link ends here.
			return engine.Link{Span: engine.Span{Start: start, End: at}, Kind: engine.URL, Scheme: l.Scheme, Host: l.Host, Port: l.Port}, true
		}
		l.Path = engine.Span{Start: at, End: query}
	}
	return l, true
}

// domain returns the end of the valid domain that begins there: segments of letters, digits, "_" and "-" with periods between them, at least
// one of these, and no "_" in the last two segments.
func domain(text string, at int) (end int, ok bool) {
	i, dots := at, 0
	last, before := false, false // whether there is a "_" in the last segment, and the one before it
	segment := at
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '.':
			if i == segment || i+1 == len(text) || !isDomain(text[i+1:]) {
				return i, i > segment && dots > 0 && !last && !before
			}
			dots++
			last, before = false, last
			segment = i + 1
		case r == '_':
			last = true
		case !isDomain(text[i:]):
			return i, i > segment && dots > 0 && !last && !before
		}
		i += n
	}
	return i, i > segment && dots > 0 && !last && !before
}

func isDomain(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	if r < utf8.RuneSelf {
		return n == 1 && (isASCIIAlnum(byte(r)) || r == '-' || r == '_')
	}
	return n > 1 && !unicode.IsSpace(r) && !unicode.IsPunct(r)
}

// trimEnd takes off what GFM has not as the end of a URL: ? ! . , : * _ ~, closing parentheses without opening ones, and what resembles a
// character reference.
func trimEnd(text string, from, end int) int {
	open := strings.Count(text[from:end], "(") - strings.Count(text[from:end], ")")
	for end > from {
		switch c := text[end-1]; c {
		case '?', '!', '.', ',', ':', '*', '_', '~', '\'', '"':
			end--
		case ')':
			if open >= 0 {
				return end
			}
			open++
			end--
		case ';':
			i := end - 2
			for i > from && isASCIIAlnum(text[i]) {
				i--
			}
			if i == end-2 || text[i] != '&' {
				return end
			}
			end = i
		default:
			return end
		}
	}
	return end
}

// address finds the address with an "@".
func (g *gfm) address(text string, at, from int) (engine.Link, bool) {
	start := at
	for start > from && (isASCIIAlnum(text[start-1]) || strings.IndexByte(".-_+", text[start-1]) >= 0) {
		start--
	}
	end, dots := at+1, 0
	for end < len(text) && (isASCIIAlnum(text[end]) || strings.IndexByte(".-_", text[end]) >= 0) {
		if text[end] == '.' {
			if end+1 == len(text) || !isASCIIAlnum(text[end+1]) {
				break
			}
			dots++
		}
		end++
	}
	if start == at || dots == 0 || text[end-1] == '-' || text[end-1] == '_' {
		return engine.Link{}, false
	}
	return engine.Link{Span: engine.Span{Start: start, End: end}, Kind: engine.Email,
		Local: engine.Span{Start: start, End: at}, Host: engine.Span{Start: at + 1, End: end}}, true
}
