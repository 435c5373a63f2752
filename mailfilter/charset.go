// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// fit are the charsets that texts may be changed in, by the names of the WHATWG's list: in each of them, ASCII characters can stand between any
// two others as the bytes that they are. Not among them are UTF-16; ISO-2022-JP, which has states; "replacement", which is what the list has for ISO-2022-KR,
// ISO-2022-CN and HZ; x-user-defined; and ISO-8859-8, which is Hebrew in visual order (RFC 1556), so that its links are written
// backwards. ISO-8859-8-I is as it should be.
var fit = map[string]bool{
	"utf-8":      true,
	"iso-8859-2": true, "iso-8859-3": true, "iso-8859-4": true, "iso-8859-5": true, "iso-8859-6": true, "iso-8859-7": true, "iso-8859-8-i": true,
	"iso-8859-10": true, "iso-8859-13": true, "iso-8859-14": true, "iso-8859-15": true, "iso-8859-16": true,
	"windows-874": true, "windows-1250": true, "windows-1251": true, "windows-1252": true, "windows-1253": true, "windows-1254": true,
	"windows-1255": true, "windows-1256": true, "windows-1257": true, "windows-1258": true,
	"koi8-r": true, "koi8-u": true, "ibm866": true, "macintosh": true, "x-mac-cyrillic": true,
	"gbk": true, "gb18030": true, "big5": true, "euc-jp": true, "shift_jis": true, "euc-kr": true,
}

// decodeCharset returns a text in UTF-8, and the encoding that it was in, or nil if its bytes are the same in UTF-8. It returns false if the charset is
// unknown or unfit, or the bytes are not of it: encoded again, the text must be what it was.
func decodeCharset(name string, body []byte) ([]byte, encoding.Encoding, bool) {
	name = strings.ToLower(strings.Trim(name, " \t'\""))
	if bytes.IndexByte(body, 0x1b) >= 0 && (bytes.Contains(body, []byte("\x1b$")) || bytes.Contains(body, []byte("\x1b(I"))) {
		return nil, nil, false // of ISO-2022, whatever the header says: the bytes of "<" may be in another character
	}
	if name == "" || name == "us-ascii" || name == "ascii" || name == "ansi_x3.4-1968" {
		return body, nil, isASCII(body)
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, nil, false
	}
	canonical, err := htmlindex.Name(enc)
	if err != nil || !fit[canonical] {
		return nil, nil, false
	}
	if isASCII(body) {
		return body, nil, true
	}
	if canonical == "utf-8" {
		return body, nil, utf8.Valid(body)
	}
	text, err := enc.NewDecoder().Bytes(body)
	if err != nil {
		return nil, nil, false
	}
	again, err := enc.NewEncoder().Bytes(text)
	if err != nil || !bytes.Equal(again, body) {
		return nil, nil, false
	}
	return text, enc, true
}

func isASCII(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// inCharset returns the changes of a text with the offsets that they have in the bytes that it was decoded from. It returns false if
// a change is not between two characters.
func inCharset(enc encoding.Encoding, body []byte, edits []edit) ([]edit, bool) {
	if enc == nil {
		return edits, true
	}
	list := make([]edit, len(edits))
	dec := enc.NewDecoder()
	var scratch [1024]byte
	at, offset := 0, 0 // in the text, in the body
	seek := func(to int) bool {
		for at < to {
			// The decoder stops where the next character does not fit.
			nDst, nSrc, _ := dec.Transform(scratch[:min(len(scratch), to-at)], body[offset:], true)
			if nDst == 0 {
				return false
			}
			at += nDst
			offset += nSrc
		}
		return at == to
	}
	for i, e := range edits {
		if !seek(e.start) {
			return nil, false
		}
		list[i] = edit{start: offset, text: e.text}
		if !seek(e.end) {
			return nil, false
		}
		list[i].end = offset
	}
	return list, true
}
