// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/atom"
)

// The tokenizer allocates for each name and attribute that it is asked for. What matters here is read from the raw bytes of
// the tag instead, which the tokenizer has found the end of.

// isTagSpace reports whether c separates attributes.
func isTagSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' }

// tagName returns the name that begins at the offset of a tag, and where it ends; other is the name if atom does not know it.
func tagName(raw []byte, at int) (name atom.Atom, other string, end int) {
	var buf [32]byte
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
	if name == 0 {
		b := bytes.ReplaceAll(raw[at:end], []byte{0}, []byte("\ufffd"))
		for i, c := range b {
			b[i] = lower(c)
		}
		other = string(b)
	}
	return name, other, end
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
	skip := func() {
		for isTagSpace(raw[i]) {
			i++
		}
	}
	for len(key) == 0 {
		skip()
		if raw[i] == '>' {
			return nil, nil, i
		}
		start := i
		for c := raw[i]; !isTagSpace(c) && c != '/' && c != '>' && (c != '=' || i == start); c = raw[i] {
			i++
		}
		key = raw[start:i]
		skip()
		if raw[i] == '/' {
			i++
			continue
		}
		if raw[i] != '=' {
			continue
		}
		i++
		skip()
		start = i
		switch quote := raw[i]; quote {
		case '>':
		case '\'', '"':
			n := bytes.IndexByte(raw[i+1:], quote)
			value = raw[i+1 : i+1+n]
			i += 1 + n + 1
		default:
			for c := raw[i]; !isTagSpace(c) && c != '>'; c = raw[i] {
				i++
			}
			value = raw[start:i]
		}
	}
	return key, value, i
}

// attributesOf sets the flags that the attributes of a tag stand for, which begin at an offset. It reports whether type is hidden, and
// false if it takes the tokenizer to read them.
func (e *element) attributesOf(raw []byte, at int) (hidden, ok bool) {
	var seen [4]bool
	for {
		var key, value []byte
		key, value, at = nextAttribute(raw, at)
		if len(key) == 0 {
			return hidden, true
		}
		if isFormatting(e.name) && e.name != atom.A {
			return false, false
		}
		which := 0
		name := ""
		switch k := bytesView(key); {
		case strings.EqualFold(k, "contenteditable"):
			which, name = 0, "contenteditable"
		case strings.EqualFold(k, "dir"):
			which, name = 1, "dir"
		case strings.EqualFold(k, "role"):
			which, name = 2, "role"
		case e.name == atom.Input && strings.EqualFold(k, "type"):
			which, name = 3, "type"
		default:
			continue
		}
		if seen[which] {
			continue
		}
		seen[which] = true
		if bytes.ContainsAny(value, "&\x00") {
			return false, false
		}
		if which == 3 {
			hidden = strings.EqualFold(bytesView(value), "hidden")
		} else {
			e.setAttr(name, bytesView(value))
		}
	}
}
