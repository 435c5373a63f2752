// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"encoding/base64"
)

// decode64 returns what raw stands for, and false if it is not base64 as encoders write it: lines of the alphabet, padding at the end only, no bits left
// over, blank lines only behind. If it stands for more than limit bytes, it returns false, and one byte more than limit.
func decode64(s *scratch, raw []byte, limit int64) ([]byte, bool) {
	n, ok := length64(raw)
	if !ok {
		return nil, false
	}
	if int64(n) > limit+2 {
		return make([]byte, limit+1), false
	}
	// The standard library's decoder skips line ends.
	size := base64.StdEncoding.DecodedLen(len(raw))
	dst := s.empty(size)[:size]
	n, err := base64.StdEncoding.Strict().Decode(dst, raw)
	if err != nil {
		return nil, false
	}
	if int64(n) > limit {
		return dst[:limit+1], false
	}
	return dst[:n], true
}

// length64 checks the lines of raw, and returns how many bytes it stands for, up to the padding.
func length64(raw []byte) (int, bool) {
	chars, blank := 0, false
	for len(raw) > 0 {
		line := raw
		if i := bytes.IndexByte(raw, '\n'); i >= 0 {
			line = raw[:i+1]
		}
		raw = raw[len(line):]
		line = chomp(line)
		if len(line) == 0 {
			blank = true
			continue
		}
		if blank || bytes.IndexByte(line, '\r') >= 0 {
			return 0, false
		}
		chars += len(line)
	}
	return chars / 4 * 3, chars%4 == 0
}

// splice64 returns raw with changes, whose offsets are those of the decoded text. From the first line on that changes, it is
// written anew, in lines as long as before. What stands behind the last line stays.
func splice64(s *scratch, raw, decoded []byte, edits []edit, eol string) ([]byte, bool) {
	if len(edits) == 0 {
		return raw, true
	}
	// The last line that begins at or before the first change, and with a whole group of four characters.
	first, firstDecoded, chars := 0, 0, 0
	width, lines, end := 0, 0, 0
	for at := 0; at < len(raw); {
		next := len(raw)
		if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		n := len(chomp(raw[at:next]))
		if n > 0 {
			if chars%4 == 0 && chars/4*3 <= edits[0].start {
				first, firstDecoded = at, chars/4*3
			}
			chars += n
			if lines++; lines == 1 {
				width = n
			}
			end = at + n
		}
		at = next
	}
	switch {
	case lines < 2 && width <= 76, width > 996:
		width = 76
	default:
		width = max(width/4*4, 4)
	}
	tail, ok := apply(s, decoded[firstDecoded:], edits, firstDecoded)
	if !ok {
		return nil, false
	}
	size := base64.StdEncoding.EncodedLen(len(tail))
	dst := s.empty(first + size + (size/width+1)*len(eol) + len(raw) - end)
	dst = append(dst, raw[:first]...)
	for group := width / 4 * 3; len(tail) > 0; {
		n := min(group, len(tail))
		dst = base64.StdEncoding.AppendEncode(dst, tail[:n])
		if tail = tail[n:]; len(tail) > 0 {
			dst = append(dst, eol...)
		}
	}
	return append(dst, raw[end:]...), true
}
