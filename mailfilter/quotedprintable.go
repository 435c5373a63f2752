// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
)

// A qpKind is what a piece of quoted-printable text is.
type qpKind uint8

const (
	qpLiteral qpKind = iota // one byte that stands for itself
	qpEscape                // =XX
	qpSoft                  // a soft line break, which stands for nothing
	qpEnd                   // a line end, which stands for itself
	qpBad                   // not quoted-printable
)

// nextQP returns the kind and the length of the piece of raw at i, and what an escape stands for (RFC 2045 §6.7). Lower-case digits
// are read as well. White space at the end of a line stands for itself: it may have been added on the way, but it may also be part of the text, and nobody sees it in HTML. Behind "=",
// programs do not agree about it: that is not quoted-printable.
func nextQP(raw []byte, i int) (kind qpKind, n int, value byte) {
	switch c := raw[i]; {
	case c == '=':
		if i+2 < len(raw) {
			if hi, ok := unhex(raw[i+1]); ok {
				if lo, ok := unhex(raw[i+2]); ok {
					return qpEscape, 3, hi<<4 | lo
				}
			}
		}
		switch rest := raw[i+1:]; {
		case len(rest) == 0:
			return qpSoft, 1, 0
		case rest[0] == '\n':
			return qpSoft, 2, 0
		case rest[0] == '\r' && len(rest) > 1 && rest[1] == '\n':
			return qpSoft, 3, 0
		}
		return qpBad, 1, 0
	case c == '\n':
		return qpEnd, 1, 0
	case c == '\r':
		if i+1 < len(raw) && raw[i+1] == '\n' {
			return qpEnd, 2, 0
		}
		return qpBad, 1, 0
	case c >= ' ' && c < 0x7f || c == '\t':
		return qpLiteral, 1, c
	}
	return qpBad, 1, 0
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

// decodeQP returns what raw stands for, and false if it is not quoted-printable, or stands for more than limit bytes, of which
// the result then has one more.
func decodeQP(s *scratch, raw []byte, limit int64) ([]byte, bool) {
	dst := s.empty(int(min(int64(len(raw)), limit+1)))
	for i := 0; i < len(raw); {
		kind, n, value := nextQP(raw, i)
		switch kind {
		case qpBad:
			return nil, false
		case qpEscape, qpLiteral:
			dst = append(dst, value)
		case qpEnd:
			dst = append(dst, raw[i:i+n]...)
		}
		if int64(len(dst)) > limit {
			return dst[:limit+1], false
		}
		i += n
	}
	return dst, true
}

// qpWidth is the longest line that RFC 2045 allows, with the "=" of a soft line break.
const qpWidth = 76

// widthOfQP returns where the writer of raw broke lines.
func widthOfQP(raw []byte) int {
	width := 0
	for len(raw) > 0 {
		line := raw
		if i := bytes.IndexByte(raw, '\n'); i >= 0 {
			line = raw[:i+1]
		}
		raw = raw[len(line):]
		if line = chomp(line); bytes.HasSuffix(line, []byte("=")) {
			width = max(width, len(line))
		}
	}
	if width < 20 || width > qpWidth {
		return qpWidth
	}
	return width
}

// A qpWriter writes quoted-printable text. Of lines that are not touched, the bytes stay as they are.
type qpWriter struct {
	dst     []byte
	col     int // of the current line
	last    int // length of the last piece in it
	touched bool
	width   int
	eol     string
}

// piece writes one piece of the original: that of n bytes at i.
func (w *qpWriter) piece(kind qpKind, raw []byte, i, n int) {
	p := raw[i : i+n]
	if kind == qpSoft || kind == qpEnd {
		w.dst = append(w.dst, p...)
		w.col, w.last, w.touched = 0, 0, false
		return
	}
	if w.touched {
		if n := w.trailing(raw[i:]); n > 0 && w.col+n > w.width-1 {
			w.softBreak()
		}
		w.put(p)
		return
	}
	w.dst = append(w.dst, p...)
	w.col += len(p)
	w.last = len(p)
}

// trailing returns the length of the blanks that raw begins with, if the line ends behind them and they have room in one; or 0. Decoders drop them (RFC 2045 §6.7,
// rule 3), but not those before a soft line break: so there must be none among them.
func (w *qpWriter) trailing(raw []byte) int {
	n := 0
	for n < len(raw) && n < w.width && (raw[n] == ' ' || raw[n] == '\t') {
		n++
	}
	if rest := raw[n:]; n == w.width || len(rest) > 0 && rest[0] != '\n' && !bytes.HasPrefix(rest, []byte("\r\n")) {
		return 0
	}
	return n
}

func (w *qpWriter) softBreak() {
	w.dst = append(append(w.dst, '='), w.eol...)
	w.col = 0
}

// put writes a literal or an escape into a touched line.
func (w *qpWriter) put(p []byte) {
	if w.col+len(p) > w.width-1 {
		w.softBreak()
		// What stands at the beginning of a line may be taken for a delimiter, the end of the message, or the next message of an mbox.
		if c := p[0]; c == '-' || c == '.' || c == 'F' {
			w.dst = appendQP(w.dst, c)
			w.col = 3
			return
		}
	}
	w.dst = append(w.dst, p...)
	w.col += len(p)
}

func appendQP(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '=', digits[c>>4], digits[c&15])
}

// text inserts text.
func (w *qpWriter) text(s string) {
	var buf [3]byte
	if !w.touched && w.col > qpWidth-1 {
		// There is no room for the "=" of a soft line break: it comes before the last piece.
		p := append(buf[:0], w.dst[len(w.dst)-w.last:]...)
		w.dst = w.dst[:len(w.dst)-w.last]
		w.col -= w.last
		w.put(p)
	}
	w.touched = true
	for i := range len(s) {
		if c := s[i]; c == '=' || c >= 0x7f || c < ' ' {
			w.put(appendQP(buf[:0], c))
		} else {
			w.put(append(buf[:0], c))
		}
	}
}

// spliceQP returns raw with changes, whose offsets are those of the decoded text. It writes only the lines anew that there is a change
// in, from the change on.
func spliceQP(s *scratch, raw []byte, edits []edit, eol string) ([]byte, bool) {
	w := &qpWriter{width: widthOfQP(raw), eol: eol}
	w.dst = s.empty(len(raw) + grown(edits) + grown(edits)/4)
	i, decoded := 0, 0
	for _, e := range edits {
		for decoded < e.start {
			if i == len(raw) {
				return nil, false
			}
			kind, n, _ := nextQP(raw, i)
			w.piece(kind, raw, i, n)
			i += n
			decoded += qpLength(kind, n)
		}
		if e.opens() {
			for i < len(raw) {
				kind, n, _ := nextQP(raw, i)
				if kind != qpSoft || i+n == len(raw) {
					break // at the end, there may be no line end in a soft line break
				}
				w.piece(kind, raw, i, n)
				i += n
			}
		}
		if decoded != e.start {
			return nil, false
		}
		w.text(e.text)
		for decoded < e.end {
			if i == len(raw) {
				return nil, false
			}
			kind, n, _ := nextQP(raw, i)
			i += n
			decoded += qpLength(kind, n)
		}
		if decoded != e.end {
			return nil, false
		}
	}
	for w.touched && i < len(raw) {
		kind, n, _ := nextQP(raw, i)
		w.piece(kind, raw, i, n)
		i += n
	}
	return append(w.dst, raw[i:]...), true
}

// qpLength returns how many bytes a piece of n bytes stands for.
func qpLength(kind qpKind, n int) int {
	switch kind {
	case qpEscape, qpLiteral:
		return 1
	case qpEnd:
		return n
	}
	return 0
}
