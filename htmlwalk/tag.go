// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The tokenizer allocates for each name and attribute that it is asked for. What matters here is read from the raw bytes of
// the tag instead, which the tokenizer has found the end of.

// isTagSpace reports whether c separates attributes.
func isTagSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

// A knownTag is a name of at most eight bytes, and what is known about its elements.
type knownTag struct {
	key     uint64  // the bytes, as shortName gives them
	element element // one without attributes
	does    action  // what the tags do, where that is simple
}

// A seenTag is another name of at most eight bytes that atom knows.
type seenTag struct {
	key  uint64 // as above
	name atom.Atom
	kind kind
}

// hashOf returns a hash of the bytes of a name, in which all names of HTML elements differ.
func hashOf(key uint64) uint64 { return key * 0x160372591a8856e3 >> (64 - 9) }

// commonNames are the names of HTML elements of at most eight bytes, but for those that hardly occur.
var commonNames = [...]atom.Atom{
	atom.A, atom.Abbr, atom.Acronym, atom.Address, atom.Area, atom.Article, atom.Aside, atom.Audio, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Body, atom.Br,
	atom.Button, atom.Canvas, atom.Caption, atom.Center, atom.Cite, atom.Code, atom.Col, atom.Colgroup, atom.Data, atom.Dd, atom.Del, atom.Details, atom.Dfn, atom.Dialog, atom.Dir, atom.Div,
	atom.Dl, atom.Dt, atom.Em, atom.Embed, atom.Fieldset, atom.Figure, atom.Font, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
	atom.Head, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.I, atom.Iframe, atom.Img, atom.Input, atom.Ins, atom.Kbd, atom.Label, atom.Legend, atom.Li, atom.Link, atom.Main,
	atom.Map, atom.Mark, atom.Menu, atom.Meta, atom.Meter, atom.Nav, atom.Noscript, atom.Ol, atom.Option, atom.Output, atom.P, atom.Picture, atom.Pre, atom.Q, atom.S, atom.Samp,
	atom.Script, atom.Section, atom.Select, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Style, atom.Sub, atom.Summary, atom.Sup, atom.Svg, atom.Table, atom.Tbody,
	atom.Td, atom.Template, atom.Textarea, atom.Tfoot, atom.Th, atom.Thead, atom.Time, atom.Title, atom.Tr, atom.Tt, atom.U, atom.Ul, atom.Var, atom.Video, atom.Wbr,
}

// knownTags returns what is known about these names, at their hashes.
var knownTags = sync.OnceValue(func() *[512]knownTag {
	t := new([512]knownTag)
	for _, name := range commonNames {
		tag := []byte(name.String())
		key, _ := shortName(tag, 0, len(tag))
		k := kindOf(name)
		t[hashOf(key)] = knownTag{key, element{name: name, kind: k, flags: flagsOf(k)}, actionOf(name)}
	}
	return t
})

// shortName returns the name of at most eight bytes that ends at an offset of a tag, in lower case: its bytes as a number. It returns false for
// a longer one, and for one with a control character in it.
func shortName(raw []byte, at, end int) (key uint64, ok bool) {
	const (
		bit5 = 0x20 * lowBits // in lower-case letters, digits and "-", all of ASCII but the controls, "@", capital letters and six signs behind them
		bit6 = 0x40 * lowBits
	)
	n := end - at
	if n > 8 {
		return 0, false
	}
	mask := ^uint64(0) >> (64 - 8*n)
	if at+8 <= len(raw) {
		key = binary.LittleEndian.Uint64(raw[at:]) & mask
	} else {
		for i := end - 1; i >= at; i-- {
			key = key<<8 | uint64(raw[i])
		}
	}
	// No name that is known has one of the signs.
	return key | bit5&mask, (key|key<<1)&bit6&mask == bit6&mask
}

// tagName returns the name between two offsets of a tag, and what elements of the name are; more has the name if atom does not know it.
func (w *walker) tagName(raw []byte, at, end int) (name atom.Atom, k kind, m *more) {
	key, ok := shortName(raw, at, end)
	if ok {
		if t := &w.known[hashOf(key)]; t.key == key {
			return t.element.name, t.element.kind, nil
		}
		t := &w.seen[hashOf(key)%uint64(len(w.seen))]
		if t.key == key && t.name != 0 {
			return t.name, t.kind, nil
		}
		if name, _ = knownName(raw, at); name != 0 {
			*t = seenTag{key, name, kindOf(name)}
			return name, t.kind, nil
		}
	} else if name, _ = knownName(raw, at); name != 0 {
		return name, kindOf(name), nil
	}
	var buf [32]byte
	if end-at > len(buf) {
		return 0, kindOf(0), &more{other: otherName(raw[at:end])}
	}
	b := buf[:end-at]
	for i := range b {
		b[i] = lower(raw[at+i])
	}
	m, ok = w.others[string(b)]
	if !ok {
		m = &more{other: otherName(b)}
		if len(w.others) < 1000 {
			if w.others == nil {
				w.others = map[string]*more{}
			}
			w.others[string(b)] = m
		}
	}
	return 0, kindOf(0), m
}

// tagName returns the name that begins at the offset of a tag, and where it ends; other is the name if atom does not know it.
func tagName(raw []byte, at int) (name atom.Atom, other string, end int) {
	name, end = knownName(raw, at)
	if name == 0 {
		other = otherName(raw[at:end])
	}
	return name, other, end
}

// knownName returns the name that begins at the offset of a tag, and where it ends; 0 if atom does not know it.
func knownName(raw []byte, at int) (name atom.Atom, end int) {
	var buf [32]byte // none is longer
	end = at
	for c := raw[end]; !isTagSpace(c) && c != '/' && c != '>'; c = raw[end] {
		if n := end - at; n < len(buf) {
			buf[n] = lower(c)
		}
		end++
	}
	if n := end - at; n <= len(buf) {
		name = atom.Lookup(buf[:n])
	}
	return name, end
}

// otherName returns a name in lower case.
func otherName(raw []byte) string {
	b := bytes.ReplaceAll(raw, []byte{0}, []byte("\ufffd"))
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// nextAttribute returns the raw key and value of the attribute of a tag that begins at or after an offset, and the
// offset behind it: HTML §13.2.5.32 to 40. The key is empty behind the last.
func nextAttribute(raw []byte, i int) (key, value []byte, next int) {
	for len(key) == 0 {
		i = skipSpace(raw, i)
		if raw[i] == '>' {
			return nil, nil, i
		}
		start := i
		if raw[i] == '=' {
			i++
		}
		for inTag[raw[i]]&endsKey == 0 {
			i++
		}
		key = raw[start:i]
		i = skipSpace(raw, i)
		if raw[i] == '/' {
			i++
			continue
		}
		if raw[i] != '=' {
			continue
		}
		i = skipSpace(raw, i+1)
		start = i
		switch quote := raw[i]; quote {
		case '>':
		case '\'', '"':
			n := bytes.IndexByte(raw[i+1:], quote)
			value = raw[i+1 : i+1+n]
			i += 1 + n + 1
		default:
			for inTag[raw[i]]&endsValue == 0 {
				i++
			}
			value = raw[start:i]
		}
	}
	return key, value, i
}

func skipSpace(raw []byte, i int) int {
	for inTag[raw[i]]&tagSpace != 0 {
		i++
	}
	return i
}

// attributesOf sets the flags that the attributes of a tag stand for, from that at an offset to that at or behind another. It reports what else there is, and
// false if it takes the tokenizer to read them.
func (e *element) attributesOf(raw []byte, at, last int) (bits tagBits, ok bool) {
	var seen [6]bool
	for at <= last {
		var key, value []byte
		key, value, at = nextAttribute(raw, at)
		which := 0
		name := ""
		switch k := bytesView(key); len(k) {
		case 0:
			return bits, true
		case len("dir"):
			which, name = 1, "dir"
		case len("role"), len("color"):
			switch {
			case e.name == atom.Font:
				bits |= fontBits(k)
			case e.name == atom.Input:
				which, name = 3, "type"
			}
			if !strings.EqualFold(k, name) {
				which, name = 2, "role"
				if strings.EqualFold(k, name) && !bytes.ContainsAny(value, "bBlL&") {
					seen[which] = true // it is neither a button nor a link
					continue
				}
			}
		case len("encoding"):
			which, name = 4, "encoding"
			if e.name != atom.AnnotationXml {
				continue
			}
		case len("data-bidilink"):
			which, name = 5, "data-bidilink"
		case len("contenteditable"):
			which, name = 0, "contenteditable"
		}
		if name == "" || !strings.EqualFold(bytesView(key), name) || seen[which] {
			continue
		}
		seen[which] = true
		if bytes.ContainsAny(value, "&\x00") {
			return 0, false
		}
		bits |= e.setAttr(name, bytesView(value))
	}
	return bits, true
}

// attributes has the tokenizer read the attributes of the start tag of e.
func (e *element) attributes(z *html.Tokenizer) (bits tagBits) {
	e.flags = flagsOf(e.kind)
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		bits |= e.setAttr(string(key), string(value))
		if e.name == atom.Font {
			bits |= fontBits(string(key))
		}
	}
	return bits
}

// fontBits says what an attribute of a font tag does in foreign content: HTML §13.2.6.5.
func fontBits(key string) tagBits {
	if strings.EqualFold(key, "color") || strings.EqualFold(key, "face") || strings.EqualFold(key, "size") {
		return breaksOut
	}
	return 0
}

// setAttr takes up an attribute of e.
func (e *element) setAttr(key, value string) tagBits {
	switch {
	case key == "type" && e.name == atom.Input && strings.EqualFold(value, "hidden"):
		return hiddenInput
	case key == "encoding" && e.name == atom.AnnotationXml && (strings.EqualFold(value, "text/html") || strings.EqualFold(value, "application/xhtml+xml")):
		return htmlEncoding
	}
	e.flags.setAttr(key, value)
	return 0
}

// endsInValue reports whether the last attribute of a tag has a value without quotes that goes up to the end of the tag. The
// slash there does not close the element, although golang.org/x/net/html takes it so if there was an attribute of the same name.
func endsInValue(raw []byte, at int) bool {
	for {
		var key, value []byte
		key, value, at = nextAttribute(raw, at)
		if len(key) == 0 {
			return false
		}
		if len(value) > 0 && at == len(raw)-1 {
			return true
		}
	}
}
