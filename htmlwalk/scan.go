// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"

	"golang.org/x/net/html"
)

// A scanner cuts HTML into tokens: HTML §13.2.5. Those are the tokens of html.Tokenizer, byte for byte and type for type, with its
// methods; but the scanner only looks for where they end. It does not take tags apart, so it allocates nothing, and it searches a block of
// the input at a time. FuzzScanner holds the two equal.
type scanner struct {
	r          io.Reader
	buf        []byte
	keep       int  // what is before it in buf is not needed any more
	start, end int  // of the current token in buf
	max        int  // the token is to be shorter
	cut        bool // it is not: there is but its beginning
	err        error
	cdata      bool    // there are CDATA sections
	rawTag     string  // the raw text element whose content comes next, or empty
	nameEnd    int     // of a tag, in the token
	notable    int     // the first attribute of the tag that may be one that attributesOf looks for in all elements, or 0
	out        *output // has what it is given of buf passed before that moves; or nil
	counted    int     // the newlines in buf before it are in lines
	lines      int
}

const (
	readSize = 16 << 10
	// farthest is how far behind its end it can be seen where a token ends.
	farthest = len("</plaintext>") + 4
)

// newScanner returns a scanner of what is in buf, which it goes on to read into, and then of what r gives.
func newScanner(r io.Reader, longest int, buf []byte) *scanner {
	return &scanner{r: r, max: longest, buf: buf}
}

// newBytesScanner returns a scanner of a document that is in memory, and is not written to.
func newBytesScanner(b []byte) *scanner {
	return &scanner{buf: b, max: len(b) + 1, err: io.EOF}
}

func (z *scanner) AllowCDATA(is bool)               { z.cdata = is }
func (z *scanner) NextIsNotRawText()                { z.rawTag = "" }
func (z *scanner) tag() (nameEnd int, notable bool) { return z.nameEnd, z.notable > 0 }
func (z *scanner) readAll() bool                    { return z.err != nil }

// Raw returns the current token. It is valid until the next call of Next.
func (z *scanner) Raw() []byte { return z.buf[z.start:z.end] }

// Kept returns the n bytes before the current token, and Last those before its end: no more than what was kept.
func (z *scanner) Kept(n int) []byte { return z.buf[z.start-n : z.start] }
func (z *scanner) Last(n int) []byte { return z.buf[z.end-n : z.end] }

// Buffered returns what is read of the input and is behind the current token.
func (z *scanner) Buffered() []byte { return z.buf[z.end:] }

// Err returns why there is no token: ErrBufferExceeded, or the error of the reader.
func (z *scanner) Err() error {
	if z.cut {
		return html.ErrBufferExceeded
	}
	return z.err
}

// newlines returns the number of newlines before the current token.
func (z *scanner) newlines() int {
	if z.counted < z.start {
		z.lines += bytes.Count(z.buf[z.counted:z.start], []byte{'\n'})
		z.counted = z.start
	}
	return z.lines
}

// Next goes to the next token. The keep bytes before it stay in memory. At the end of the input, it returns an ErrorToken that is empty, or an unfinished tag; where a
// token is too long, one with the beginning of it.
func (z *scanner) Next(keep int) html.TokenType {
	z.start = z.end
	z.keep = z.start - keep
	for {
		b := z.buf[z.start:]
		tt, n := z.scan(b, z.err != nil)
		if n < 0 && len(b) >= z.max+farthest {
			n = len(b)
		}
		if n >= z.max {
			z.cut = true
			z.end = z.start + z.max
			return html.ErrorToken
		}
		if n >= 0 {
			z.end = z.start + n
			return tt
		}
		z.fill()
	}
}

// fill reads on. It reads as much as the unfinished token has already, so that the time is linear, in however small pieces the input comes.
func (z *scanner) fill() {
	have := len(z.buf) - z.start
	want := max(1, have)
	if cap(z.buf)-len(z.buf) < want {
		z.newlines()
		if z.out != nil {
			z.out.pass()
		}
		kept := z.buf[z.keep:]
		to := z.buf[:0]
		if need := len(kept) + want; need > cap(z.buf)/4*3 {
			to = make([]byte, 0, max(2*cap(z.buf), need+readSize))
		}
		z.buf = to[:copy(to[:len(kept)], kept)]
		z.start -= z.keep
		z.end, z.counted, z.keep = z.start, z.start, 0
	}
	for empty := 0; z.err == nil && len(z.buf)-z.start < have+want; {
		n, err := z.r.Read(z.buf[len(z.buf):cap(z.buf)])
		z.buf = z.buf[:len(z.buf)+n]
		z.err = err
		if n == 0 && err == nil {
			if empty++; empty == 100 {
				z.err = io.ErrNoProgress
			}
		}
	}
}

// scan returns the type and the length of the token that b begins with; last says that nothing follows b. The length is negative if
// it takes more input to tell.
func (z *scanner) scan(b []byte, last bool) (html.TokenType, int) {
	if z.rawTag != "" {
		n := z.scanRaw(b)
		if n < 0 {
			if !last {
				return 0, n
			}
			n = len(b)
		}
		z.rawTag = ""
		if n > 0 {
			return html.TextToken, n
		}
	}
	i := 0
	for {
		if i < len(b) && b[i] != '<' {
			n := bytes.IndexByte(b[i:], '<')
			if n < 0 {
				i = len(b)
			} else {
				i += n
			}
		}
		if i+1 >= len(b) {
			switch {
			case !last:
				return 0, -1
			case len(b) == 0:
				return html.ErrorToken, 0
			}
			return html.TextToken, len(b)
		}
		if c := b[i+1]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			break
		}
		i++
	}
	if i > 0 {
		return html.TextToken, i
	}
	switch b[1] {
	case '!':
		return z.scanDeclaration(b, last)
	case '?':
		return scanComment(b, last)
	case '/':
		if len(b) == 2 {
			if last {
				return html.TextToken, 2
			}
			return 0, -1
		}
		if !isLetter(b[2]) {
			return scanComment(b, last)
		}
		n, _ := z.scanTag(b, len("</"))
		if n < 0 && last {
			return html.ErrorToken, len(b)
		}
		return html.EndTagToken, n
	}
	n, slash := z.scanTag(b, len("<"))
	if n < 0 {
		if last {
			return html.ErrorToken, len(b)
		}
		return 0, n
	}
	z.rawTag = rawTag(b[1:z.nameEnd])
	if slash {
		return html.SelfClosingTagToken, n
	}
	return html.StartTagToken, n
}

// rawTag returns the name of a raw text element, or "".
func rawTag(name []byte) string {
	s := ""
	switch lower(name[0]) {
	case 'i':
		s = "iframe"
	case 'n':
		switch {
		case len(name) == len("noembed"):
			s = "noembed"
		case len(name) != len("noscript"):
		case lower(name[2]) == 's':
			s = "noscript"
		default:
			s = "noframes"
		}
	case 'p':
		s = "plaintext"
	case 's':
		if len(name) == len("style") {
			s = "style"
		} else {
			s = "script"
		}
	case 't':
		if len(name) == len("title") {
			s = "title"
		} else {
			s = "textarea"
		}
	case 'x':
		s = "xmp"
	}
	if len(name) != len(s) || !hasName(name, s) {
		return ""
	}
	return s
}

// hasName reports whether b begins with a name, which is in lower case, whatever the case of its letters.
func hasName(b []byte, name string) bool {
	if len(b) < len(name) {
		return false
	}
	for i := range len(name) {
		if lower(b[i]) != name[i] {
			return false
		}
	}
	return true
}

// Bytes that end something in a tag.
const (
	endsName  = 1 << iota // white space, / and >
	endsKey               // the same and =
	endsValue             // white space and >
	tagSpace
)

var inTag = [256]uint8{
	' ': endsName | endsKey | endsValue | tagSpace, '\t': endsName | endsKey | endsValue | tagSpace, '\n': endsName | endsKey | endsValue | tagSpace,
	'\f': endsName | endsKey | endsValue | tagSpace, '\r': endsName | endsKey | endsValue | tagSpace,
	'/': endsName | endsKey, '>': endsName | endsKey | endsValue, '=': endsKey,
}

// scanTag returns the length of the tag that b begins with, the name of which is at an offset, or -1 if b does not hold its end; and whether it closes
// itself: HTML §13.2.5.8 and 32 to 40.
func (z *scanner) scanTag(b []byte, i int) (n int, slash bool) {
	for ; i < len(b) && inTag[b[i]]&endsName == 0; i++ {
	}
	z.nameEnd = i
	n, slash, z.notable, _ = skipAttributes(b, i)
	if n < 0 {
		return -1, false
	}
	slash = b[n-2] == '/' && (slash || z.repeats(b[:n]))
	return n, slash
}

// notableLengths has a bit set for the length of each name of an attribute that matters in all elements.
const notableLengths = 1<<len("dir") | 1<<len("role") | 1<<len("data-bidilink") | 1<<len("contenteditable")

// mayMatter reports whether an attribute of a name that begins with a byte, and has a notable length, may be one that matters in all elements.
func mayMatter(first byte, length int) bool {
	switch length {
	case len("role"):
		return first|0x20 == 'r'
	case len("contenteditable"):
		return first|0x20 == 'c'
	}
	return first|0x20 == 'd'
}

// plainAttribute is more than what is looked at of an attribute of the usual kind: a blank, seven letters, an equals sign, a quote, and eight bytes.
const plainAttribute = 1 + 7 + 2 + 8 + 1

// skipAttributes returns the offset behind the tag whose name ends at i, or -1 if b does not hold it; whether a slash before the end would be no part of a value; and where
// the first and the last attribute begin that may matter in all elements, or 0.
func skipAttributes(b []byte, i int) (n int, slash bool, first, last int) {
	const bit6 = 0x40 * lowBits // no byte that ends a name has it
	slash = true
	for {
		// Nearly all attributes are a blank, a short name of letters, and a value in double quotes.
		for len(b)-i >= plainAttribute {
			p := (*[plainAttribute]byte)(b[i:])
			m := ^binary.LittleEndian.Uint64(p[1:]) & bit6
			n := bits.TrailingZeros64(m) / 8 // of the name
			if p[0] != ' ' || n == 0 || m == 0 || p[1+n&7] != '=' || p[2+n&7] != '"' {
				break
			}
			if notableLengths>>n&1 != 0 && mayMatter(p[1], n) {
				if last = i + 1; first == 0 {
					first = last
				}
			}
			slash = true
			i += n + len(` ="`)
			if m := hasByte(binary.LittleEndian.Uint64(p[3+n&7:]), '"') & highBits; m != 0 {
				i += bits.TrailingZeros64(m)/8 + 1
			} else if n := bytes.IndexByte(b[i+8:], '"'); n >= 0 {
				i += 8 + n + 1
			} else {
				return -1, false, 0, 0
			}
		}
		for i < len(b) && inTag[b[i]]&tagSpace != 0 {
			i++
		}
		if i >= len(b) {
			return -1, false, 0, 0
		}
		if b[i] == '>' {
			return i + 1, slash, first, last
		}
		start := i
		if i+8 <= len(b) {
			if m := ^binary.LittleEndian.Uint64(b[i:]) & bit6; m != 0 {
				i += bits.TrailingZeros64(m) / 8
			} else {
				i += 8
			}
		}
		if i == start && b[i] == '=' {
			i++
		}
		for ; i < len(b) && inTag[b[i]]&endsKey == 0; i++ {
		}
		if length := i - start; length < 16 && notableLengths>>length&1 != 0 && mayMatter(b[start], length) {
			if last = start; first == 0 {
				first = start
			}
		}
		if i+10 <= len(b) && b[i] == '=' && (b[i+1] == '"' || b[i+1] == '\'') {
			quote := b[i+1]
			if m := hasByte(binary.LittleEndian.Uint64(b[i+2:]), quote) & highBits; m != 0 {
				i += 3 + bits.TrailingZeros64(m)/8
			} else if n := bytes.IndexByte(b[i+10:], quote); n < 0 {
				return -1, false, 0, 0
			} else {
				i += 10 + n + 1
			}
			slash = true
			continue
		}
		for i < len(b) && inTag[b[i]]&tagSpace != 0 {
			i++
		}
		if i >= len(b) {
			return -1, false, 0, 0
		}
		slash = true
		switch b[i] {
		case '/':
			i++
			continue
		case '=':
			i++
		default:
			continue
		}
		for i < len(b) && inTag[b[i]]&tagSpace != 0 {
			i++
		}
		if i >= len(b) {
			return -1, false, 0, 0
		}
		switch quote := b[i]; quote {
		case '>':
		case '"', '\'':
			i++
			n := bytes.IndexByte(b[i:], quote)
			if n < 0 {
				return -1, false, 0, 0
			}
			i += n + 1
		default:
			for ; i < len(b) && inTag[b[i]]&endsValue == 0; i++ {
			}
			slash = false
		}
	}
}

// repeats reports whether the last attribute of a tag has the name of another. It is the one whose value ends with the slash before the end of
// the tag. QUIRK: golang.org/x/net/html takes that slash for one that closes the tag.
func (z *scanner) repeats(tag []byte) bool {
	var last []byte
	for at := z.nameEnd; ; {
		key, _, next := nextAttribute(tag, at)
		if len(key) == 0 {
			break
		}
		last, at = key, next
	}
	for at := z.nameEnd; ; {
		key, _, next := nextAttribute(tag, at)
		if len(key) == 0 || &key[0] == &last[0] {
			return false
		}
		if sameKey(key, last) {
			return true
		}
		at = next
	}
}

func sameKey(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// scanComment returns the length of what is read as a comment up to the next ">": HTML §13.2.5.41.
func scanComment(b []byte, last bool) (html.TokenType, int) {
	n := bytes.IndexByte(b, '>') + 1
	switch {
	case n > 0:
		return html.CommentToken, n
	case last:
		return html.CommentToken, len(b)
	}
	return 0, -1
}

// scanDeclaration returns the type and the length of what begins with "<!": HTML §13.2.5.42.
func (z *scanner) scanDeclaration(b []byte, last bool) (html.TokenType, int) {
	const (
		doctype = "<!doctype"
		comment = "<!--"
	)
	if len(b) < len(doctype) && !last {
		return 0, -1
	}
	switch {
	case bytes.HasPrefix(b, []byte(comment)):
		for i := len(comment); ; i++ {
			n := bytes.IndexByte(b[i:], '>')
			if n < 0 {
				if last {
					return html.CommentToken, len(b)
				}
				return 0, -1
			}
			i += n
			if text := b[len(comment):i]; len(text) == 0 || len(text) == 1 && text[0] == '-' ||
				bytes.HasSuffix(text, []byte("--")) || bytes.HasSuffix(text, []byte("--!")) {
				return html.CommentToken, i + 1
			}
		}
	case hasName(b, doctype):
		_, n := scanComment(b, last)
		return html.DoctypeToken, n
	case z.cdata && bytes.HasPrefix(b, []byte(cdataStart)):
		n := bytes.Index(b[len(cdataStart):], []byte(cdataEnd))
		switch {
		case n >= 0:
			return html.TextToken, len(cdataStart) + n + len(cdataEnd)
		case last:
			return html.TextToken, len(b)
		}
		return 0, -1
	}
	return scanComment(b, last)
}

// scanRaw returns the length of the content of a raw text element, up to its end tag, or -1 if b does not hold that.
func (z *scanner) scanRaw(b []byte) int {
	switch z.rawTag {
	case "plaintext":
		return -1
	case "script":
		return scanScript(b)
	}
	for i := 0; ; i++ {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			return -1
		}
		if i += n; endsRaw(b[i:], z.rawTag) {
			return i
		}
	}
}

// endsRaw reports whether b begins with the end tag of a raw text element.
func endsRaw(b []byte, name string) bool {
	at := len("</") + len(name)
	return len(b) > at && b[1] == '/' && hasName(b[2:], name) && inTag[b[at]]&endsName != 0
}

// scanScript does the same for a script: HTML §13.2.5.15 to 31. There, an end tag in a script tag in a comment is none.
// QUIRK: as in golang.org/x/net/html, a "<" in a comment ends it, unless a letter or a slash follows.
func scanScript(b []byte) int {
	const (
		data = iota
		escaped
		doubleEscaped
	)
	state, dashes := data, 0
	for i := 0; i < len(b); {
		c := b[i]
		if state == data {
			n := bytes.IndexByte(b[i:], '<')
			if n < 0 {
				return -1
			}
			i += n
			switch {
			case endsRaw(b[i:], "script"):
				return i
			case bytes.HasPrefix(b[i:], []byte("<!--")):
				state, dashes = escaped, 2
				i += len("<!--")
			default:
				i++
			}
			continue
		}
		i++
		switch {
		case c == '-':
			dashes++
			continue
		case c == '>' && dashes >= 2:
			state = data
		case c != '<':
		case state == escaped && i < len(b) && b[i] == '/':
			if endsRaw(b[i-1:], "script") {
				return i - 1
			}
			i++
		case state == escaped && i < len(b) && isLetter(b[i]):
			n := len("script")
			if hasName(b[i:], "script") && len(b) > i+n && inTag[b[i+n]]&endsName != 0 {
				state = doubleEscaped
				i += n + 1
			}
		case state == escaped:
			state = data
		case endsRaw(b[i-1:], "script"):
			state = escaped
			i += len("/script>")
		}
		dashes = 0
	}
	return -1
}
