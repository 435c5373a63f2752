// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"html"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/bidilink/bidilink/engine/display"
)

// verifyEdits reports whether the edits are of the kinds that are allowed: tags of ours, isolates in plain text, and escapes in
// place of bidi controls.
func verifyEdits(text []byte, edits []edit, plain bool) bool {
	at := 0
	for _, e := range edits {
		if e.start < at || e.end < e.start || e.end > len(text) {
			return false
		}
		at = e.end
		switch {
		case plain:
			if e.start != e.end || e.text != lri && e.text != pdi {
				return false
			}
		case e.start < e.end:
			control := html.UnescapeString(string(text[e.start:e.end]))
			if r, n := utf8.DecodeRuneInString(control); n != len(control) || !display.IsControl(r) || strings.Trim(e.text, "%0123456789ABCDEF") != "" {
				return false
			}
		default:
			if !isOurTag(e.text) {
				return false
			}
		}
	}
	return true
}

// isOurTag reports whether s is a tag that is inserted.
func isOurTag(s string) bool {
	switch s {
	case "</a>", "</bdi>", "</span>", `<bdi dir="ltr">`, `<bdi dir="rtl">`, `<span dir="ltr">`, `<span dir="rtl">`:
		return true
	}
	href, ok := strings.CutPrefix(s, `<a href="`)
	if ok {
		href, ok = strings.CutSuffix(href, `">`)
	}
	if !ok || href == "" {
		return false
	}
	for i := range len(href) {
		if c := href[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' {
			return false
		}
	}
	return true
}

// verifyPart reports whether the new body of a part stands for its text with the edits, and for nothing else. The text was in an encoding, or in UTF-8 if that is
// nil.
func verifyPart(s *scratch, e *entity, body, text []byte, enc encoding.Encoding, edits []edit, limit int64) bool {
	decoded, reason := e.decode(s, body, limit)
	if reason != NoReason {
		return false
	}
	got, ok := decoded, true
	// With ASCII between its characters, a text that is in UTF-8, or in ASCII, still is.
	if enc != nil || !betweenCharacters(text, edits) {
		got, _, ok = decodeCharset(e.charset, decoded)
	}
	if !ok || len(got) != len(text)+net(edits) {
		return false
	}
	at := 0
	for _, e := range edits {
		kept := text[at:e.start]
		if !bytes.Equal(got[:len(kept)], kept) || string(got[len(kept):len(kept)+len(e.text)]) != e.text {
			return false
		}
		got = got[len(kept)+len(e.text):]
		at = e.end
	}
	return bytes.Equal(got, text[at:])
}

// betweenCharacters reports whether the edits of a text in UTF-8 are ASCII, without escape characters, and begin and end between two of its characters.
func betweenCharacters(text []byte, edits []edit) bool {
	for _, e := range edits {
		for _, at := range [...]int{e.start, e.end} {
			if at < len(text) && !utf8.RuneStart(text[at]) {
				return false
			}
		}
		for i := range len(e.text) {
			if c := e.text[i]; c >= utf8.RuneSelf || c == 0x1b {
				return false
			}
		}
	}
	return true
}

// net returns how much longer a text gets by edits.
func net(edits []edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.text) - (e.end - e.start)
	}
	return n
}

// verifyMessage reports whether the new message has the same parts as the old one, and the same bytes but for the bodies of
// those that are changed.
func (f *filter) verifyMessage(msg []byte, entities []entity, changes []change, out []byte) bool {
	again, reason, err := f.scan(out, entities)
	if err != nil || reason != NoReason || len(again) != len(entities) {
		return false
	}
	shift, next := 0, 0
	copied, at := 0, 0 // up to here, in the old and in the new, all is compared
	for i := range entities {
		was, is := &entities[i], &again[i]
		if is.start != was.start+shift || is.body != was.body+shift || is.parent != was.parent || is.depth != was.depth ||
			is.candidate != was.candidate || is.html != was.html || is.reason != was.reason || is.suspect != was.suspect ||
			!bytes.Equal(is.boundary, was.boundary) {
			return false
		}
		if next == len(changes) || changes[next].entity != i {
			continue
		}
		body := changes[next].body
		if !bytes.Equal(msg[copied:was.body], out[at:is.body]) || !bytes.Equal(out[is.body:is.end], body) {
			return false
		}
		copied, at = was.end, is.end
		shift += len(body) - (was.end - was.body)
		next++
	}
	return next == len(changes) && bytes.Equal(msg[copied:], out[at:])
}
