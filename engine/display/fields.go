// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

// A Field is what stands between two separators of a link or file name, or between a separator and an end of it: PRI 185. It may be empty.
type Field struct {
	engine.Span         // in the text that the link is in
	Classes     Classes // of its characters
}

// AppendFields appends the fields of a link of text, in order. What lies between two of them is a separator:
//   - "://", or the colon after mailto and other schemes without "//";
//   - the dots of the host: U+002E, U+3002, U+FF0E, U+FF61;
//   - "@" in an address, or after user information;
//   - the colon before a port;
//   - "/" in the path, and before it;
//   - "?" before the query, "=" and "&" in it;
//   - "#" before the fragment, which is one field.
//
// PRI 185 has no say about user information, ports and mailto; for them, this is an extension.
//
// An opaque path with "@" in it (xmpp:) is like an address.
func AppendFields(dst []Field, text string, l engine.Link) []Field {
	f := fielder{text: text, fields: dst, start: l.Start}
	opaque := false
	if !l.Scheme.Empty() {
		n := len("://")
		if opaque = !strings.HasSuffix(l.Scheme.In(text), "://"); opaque {
			n = len(":")
		}
		f.cut(l.Scheme.End-n, l.Scheme.End)
	}
	if at := l.Host.Start - 1; at >= f.start && text[at] == '@' {
		f.cut(at, at+1)
	}
	f.cutDots(l.Host)
	if !l.Port.Empty() {
		f.cut(l.Port.Start, l.Port.Start+1)
	}
	if opaque && l.Host.Empty() {
		f.cutOpaque(l.Path)
	} else {
		f.cutAny(l.Path, "/")
	}
	f.cutAny(l.Query, "?=&")
	if !l.Fragment.Empty() {
		f.cut(l.Fragment.Start, l.Fragment.Start+1)
	}
	return f.end(l.End)
}

// AppendFileFields appends the fields of a file name, a range of text: what stands between "/" and "\".
func AppendFileFields(dst []Field, text string, name engine.Span) []Field {
	f := fielder{text: text, fields: dst, start: name.Start}
	f.cutAny(name, `/\`)
	return f.end(name.End)
}

// A fielder cuts a text into fields.
type fielder struct {
	text   string
	fields []Field
	start  int // where the next field starts
}

// cut ends a field at a separator.
func (f *fielder) cut(start, end int) {
	f.fields = append(f.fields, Field{engine.Span{Start: f.start, End: start}, classesOf(f.text[f.start:start])})
	f.start = end
}

// end ends the last field. An empty one, after a separator at the end, is one as well.
func (f *fielder) end(end int) []Field {
	f.cut(end, end)
	return f.fields
}

// cutAny cuts at each of the separators in s, which are ASCII. Of the "?" in a query, only the first is one.
func (f *fielder) cutAny(s engine.Span, separators string) {
	for i := s.Start; i < s.End; i++ {
		if c := f.text[i]; strings.IndexByte(separators, c) >= 0 && (c != '?' || i == s.Start) {
			f.cut(i, i+1)
		}
	}
}

// cutDots cuts at the dots of a host.
func (f *fielder) cutDots(host engine.Span) {
	for i := host.Start; i < host.End; {
		r, n := utf8.DecodeRuneInString(f.text[i:])
		if isDot(r) {
			f.cut(i, i+n)
		}
		i += n
	}
}

// cutOpaque cuts the path of a scheme without "//".
func (f *fielder) cutOpaque(path engine.Span) {
	host, ok := opaqueHost(f.text, path)
	if ok {
		at := host.Start - 1
		f.cutAny(engine.Span{Start: path.Start, End: at}, "/")
		f.cut(at, at+1)
		f.cutDots(host)
		path.Start = host.End
	}
	f.cutAny(path, "/")
}

// opaqueHost returns what stands between the last "@" of such a path and the next "/", and whether there is an "@".
func opaqueHost(text string, path engine.Span) (host engine.Span, ok bool) {
	at := strings.LastIndexByte(path.In(text), '@')
	if at < 0 {
		return engine.Span{}, false
	}
	host = engine.Span{Start: path.Start + at + 1, End: path.End}
	if slash := strings.IndexByte(host.In(text), '/'); slash >= 0 {
		host.End = host.Start + slash
	}
	return host, true
}

// isDot reports whether r is a dot of IDNA.
func isDot(r rune) bool { return r == '.' || r == 0x3002 || r == 0xFF0E || r == 0xFF61 }
