// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

var (
	// ErrEncoding says that the input is in an encoding in which the bytes of "<" or "&" can mean
	// something else, such as UTF-16 or ISO-2022-JP.
	ErrEncoding = errors.New("htmlwalk: neither UTF-8 nor compatible with ASCII")

	// ErrBinary says that the input is not text.
	ErrBinary = errors.New("htmlwalk: binary data")
)

// sniffed is how much of a document is looked at before anything is written. HTML wants the meta element of the encoding
// in the first 1024 bytes; pages do not always obey.
const sniffed = 16 << 10

// byteOrderMarks are those of encodings that cannot be walked. That of UTF-32 begins with that of UTF-16.
var byteOrderMarks = []struct{ mark, name string }{
	{"\xff\xfe\x00\x00", "UTF-32"},
	{"\x00\x00\xfe\xff", "UTF-32"},
	{"\xff\xfe", "UTF-16"},
	{"\xfe\xff", "UTF-16"},
}

const utf8BOM = "\xef\xbb\xbf"

// A fitness says what can be done with an encoding that a document says it is in.
type fitness uint8

const (
	utf8Encoding  fitness = iota // or says nothing
	otherEncoding                // some extension of ASCII
	unfitEncoding                // none that can be walked
)

// magic are the beginnings of formats that are met beside HTML and may have no NUL near their beginning.
var magic = [...]struct{ begin, name string }{
	{"%PDF-", "PDF"}, {"\x89PNG\r\n", "PNG"}, {"GIF8", "GIF"}, {"\xff\xd8\xff", "JPEG"},
	{"PK\x03\x04", "a ZIP archive"}, {"\x1f\x8b", "gzip"}, {"BZh", "bzip2"}, {"(\xb5\x2f\xfd", "Zstandard"}, {"\xfd7zXZ\x00", "xz"},
	{"wOFF", "a font"}, {"wOF2", "a font"},
}

// sniff looks at the beginning of a document, and returns the label of the encoding that it says it is in, or "" if that is UTF-8 or nothing, and whether something says that it is UTF-8. A label
// that is given from outside counts more than what is in the document, but for its byte order mark; unless the latter names an encoding that cannot be walked. An XML declaration counts if it is to be read as HTML, and less
// than a meta element.
func sniff(head []byte, given string, xhtml bool) (label string, isUTF8 bool, err error) {
	for _, b := range byteOrderMarks {
		if bytes.HasPrefix(head, []byte(b.mark)) {
			return "", false, fmt.Errorf("%w: a byte order mark of %s", ErrEncoding, b.name)
		}
	}
	for _, m := range magic {
		if bytes.HasPrefix(head, []byte(m.begin)) {
			return "", false, fmt.Errorf("%w: %s", ErrBinary, m.name)
		}
	}
	// Text has no NUL, and UTF-16 of HTML has one in every other byte; a page with a few by mistake is still a page.
	nul := 0
	if bytes.IndexByte(head, 0) >= 0 {
		nul = bytes.Count(head, []byte{0})
	}
	if nul > 2 && nul*16 > len(head) {
		if utf16Text(head) {
			return "", false, fmt.Errorf("%w: UTF-16 without a byte order mark", ErrEncoding)
		}
		return "", false, fmt.Errorf("%w: %d of the first %d bytes are NUL", ErrBinary, nul, len(head))
	}
	label, isUTF8, err = labelOf(head, given, xhtml)
	if err != nil {
		return "", false, err
	}
	if nul > 0 && label == "" && !utf8.Valid(head) && (len(head) < sniffed || !utf8Prefix(head)) {
		// As in compressed data: in a page, either is a slip.
		return "", false, fmt.Errorf("%w: NUL bytes, and not UTF-8", ErrBinary)
	}
	if !isUTF8 && designates(head) {
		return "", false, fmt.Errorf("%w: an escape sequence of ISO-2022", ErrEncoding)
	}
	return label, isUTF8, nil
}

// labelOf returns the label of the encoding that counts, or "", and whether something says that it is UTF-8.
func labelOf(head []byte, given string, xhtml bool) (label string, isUTF8 bool, err error) {
	if bytes.HasPrefix(head, []byte(utf8BOM)) {
		return "", true, nil
	}
	asked := given != ""
	if given, err = fit(given, "given"); err != nil {
		return "", false, err
	}
	if xhtml && !asked {
		if xml := encodingOfXML(head); xml != "" {
			// A meta element counts more, as in HTML.
			if given, err = fit(xml, "declared"); err != nil {
				return "", false, err
			}
		}
	}
	if !holdsMeta(head) {
		return given, asked && given == "", err
	}
	z := newBytesScanner(head)
	for {
		switch z.Next(0) {
		case html.ErrorToken:
			return given, asked && given == "", nil
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, end := z.Raw(), z.nameEnd
			if end != len("<meta") || !hasName(tag[1:], "meta") {
				continue
			}
			label := charsetOfTag(tag, end)
			if label == "" {
				continue
			}
			if label, err = fit(label, "declared"); asked {
				label = given
			}
			return strings.Clone(label), label == "", err // head may change
		}
	}
}

// isXML reports whether a document begins with an XML declaration, or with what would be one without the white space before it.
func isXML(head []byte) bool {
	for len(head) > 0 && isTagSpace(head[0]) {
		head = head[1:]
	}
	return bytes.HasPrefix(head, []byte("<?xml"))
}

// encodingOfXML returns the encoding that an XML declaration names, in lower case, or "".
func encodingOfXML(head []byte) string {
	declaration, _, ok := bytes.Cut(head, []byte("?>"))
	if !ok || !isXML(head) {
		return ""
	}
	_, after, _ := strings.Cut(string(declaration), "encoding")
	after, ok = strings.CutPrefix(strings.TrimLeft(after, space), "=")
	if after = strings.TrimLeft(after, space); !ok || after == "" {
		return ""
	}
	name, _, _ := strings.Cut(after[1:], after[:1])
	return strings.ToLower(name)
}

// fit returns a label of an encoding, or "" if that is UTF-8.
func fit(label, how string) (string, error) {
	switch encodingOf(label) {
	case utf8Encoding:
		return "", nil
	case unfitEncoding:
		return "", fmt.Errorf("%w: %s as %q", ErrEncoding, how, label)
	}
	return label, nil
}

// holdsMeta reports whether there may be a meta tag.
func holdsMeta(head []byte) bool {
	for {
		i := bytes.IndexByte(head, '<')
		if i < 0 {
			return false
		}
		if head = head[i+1:]; len(head) >= 4 && strings.EqualFold(bytesView(head[:4]), "meta") {
			return true
		}
	}
}

// utf8Prefix reports whether b is UTF-8, the last character of which may be incomplete.
func utf8Prefix(b []byte) bool {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			return !utf8.FullRune(b)
		}
		b = b[size:]
	}
	return true
}

// utf16Text reports whether at least three quarters of the even or of the odd bytes are NUL, and hardly any of the others.
func utf16Text(head []byte) bool {
	var nul [2]int
	for i, b := range head {
		if b == 0 {
			nul[i%2]++
		}
	}
	most, least := max(nul[0], nul[1]), min(nul[0], nul[1])
	return len(head) >= 4 && most*8 >= len(head)*3 && least*16 <= len(head)
}

// designates reports whether there is an escape sequence of ISO-2022 that makes the bytes of "<" and "&" something else: ESC $, which switches to a set of two bytes a
// character, and ESC ( I, to half-width katakana. Browsers recognise the encoding by it where nothing says which it is.
func designates(b []byte) bool {
	return bytes.Contains(b, []byte("\x1b$")) || bytes.Contains(b, []byte("\x1b(I"))
}

// charsetOfTag returns the encoding that a meta tag names, or "": it may be a part of the tag. The name of the tag ends at an offset.
func charsetOfTag(tag []byte, at int) string {
	var charset, content string
	var pragma bool
	var seen [3]bool
	for {
		var key, value []byte
		if key, value, at = nextAttribute(tag, at); len(key) == 0 {
			break
		}
		which := 0
		switch len(key) {
		case len("charset"): // and content
			if which = 2; hasName(key, "charset") {
				which = 0
			} else if !hasName(key, "content") {
				continue
			}
		case len("http-equiv"):
			if which = 1; !hasName(key, "http-equiv") {
				continue
			}
		default:
			continue
		}
		if seen[which] {
			continue
		}
		seen[which] = true
		if bytes.ContainsAny(value, "&\r\x00") {
			z := tokenize(tag)
			_, more := z.TagName()
			return charsetOfMeta(z, more)
		}
		switch view := bytesView(value); which {
		case 0:
			charset = view
		case 1:
			pragma = strings.EqualFold(view, "content-type")
		case 2:
			content = view
		}
	}
	return charsetOf(charset, content, pragma)
}

// charsetOfMeta does the same. The attributes of the tag are read off z.
func charsetOfMeta(z *html.Tokenizer, more bool) string {
	var charset, content string
	var pragma bool
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "charset":
			charset = string(value)
		case "http-equiv":
			pragma = strings.EqualFold(string(value), "content-type")
		case "content":
			content = string(value)
		}
	}
	return charsetOf(charset, content, pragma)
}

// charsetOf returns the encoding that the attributes of a meta tag name, or "".
func charsetOf(charset, content string, pragma bool) string {
	if charset == "" && pragma {
		charset = charsetIn(strings.ToLower(content))
	}
	return strings.ToLower(strings.Trim(charset, space+`"'`))
}

// charsetIn returns the encoding that the content of a meta element names, in lower case, or "": HTML, "extracting a character encoding from a meta
// element".
func charsetIn(content string) string {
	for {
		_, after, ok := strings.Cut(content, "charset")
		if !ok {
			return ""
		}
		content = after
		if after, ok = strings.CutPrefix(strings.TrimLeft(after, space), "="); !ok {
			continue
		}
		after = strings.TrimLeft(after, space)
		if after != "" && (after[0] == '"' || after[0] == '\'') {
			quoted, _, ok := strings.Cut(after[1:], after[:1])
			if !ok {
				return ""
			}
			return quoted
		}
		if i := strings.IndexAny(after, space+";"); i >= 0 {
			after = after[:i]
		}
		return after
	}
}

// encodingOf says what an encoding label, in lower case, stands for.
func encodingOf(label string) fitness {
	switch label {
	case "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8":
		return utf8Encoding
	case "unicode", "csunicode", "unicodefeff", "unicodefffe", "hz", "hz-gb-2312", "csutf7":
		return unfitEncoding
	}
	for _, p := range []string{"utf-16", "utf16", "utf-32", "utf32", "utf-7", "utf7", "ucs-2", "ucs-4", "iso-10646-ucs", "iso-2022", "csiso2022", "unicode-1-1-utf-7"} {
		if strings.HasPrefix(label, p) {
			return unfitEncoding
		}
	}
	return otherEncoding
}
