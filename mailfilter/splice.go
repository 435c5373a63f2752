// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"strings"
)

// An edit replaces a range of bytes by text. Edits are in order and do not overlap.
type edit struct {
	start, end int
	text       string
}

// opens reports whether what the edit inserts belongs to what follows.
func (e edit) opens() bool { return !strings.HasPrefix(e.text, "</") && e.text != pdi }

// grown returns how many bytes the edits add.
func grown(edits []edit) int {
	n := 0
	for _, e := range edits {
		n += len(e.text)
	}
	return n
}

// apply returns text with the edits, whose offsets count from base less than those of text.
func apply(s *scratch, text []byte, edits []edit, base int) ([]byte, bool) {
	dst := s.empty(len(text) + grown(edits))
	at := 0
	for _, e := range edits {
		if e.start-base < at || e.end < e.start || e.end-base > len(text) {
			return nil, false
		}
		dst = append(append(dst, text[at:e.start-base]...), e.text...)
		at = e.end - base
	}
	return append(dst, text[at:]...), true
}

// maxLine is the longest line that mail may have, without its end (RFC 5322 §2.1.1).
const maxLine = 998

// breakLines puts line ends into the tags that are inserted where a line would get too long: <a⏎href="…">, </a⏎>. White space there
// means nothing. The offsets of the edits are those of raw. It returns false if a line gets too long all the same. What comes of a line that
// was too long before is not longer than it.
func breakLines(raw []byte, edits []edit, eol string) bool {
	for i := 0; i < len(edits); {
		start := bytes.LastIndexByte(raw[:edits[i].start], '\n') + 1
		end := len(raw)
		if k := bytes.IndexByte(raw[edits[i].start:], '\n'); k >= 0 {
			end = edits[i].start + k
		}
		if end > start && raw[end-1] == '\r' {
			end--
		}
		length, j := end-start, i
		for ; j < len(edits) && edits[j].start <= end; j++ {
			length += len(edits[j].text) - (edits[j].end - edits[j].start)
		}
		if length > maxLine && !breakLine(start, end, edits[i:j], eol) {
			return false
		}
		i = j
	}
	return true
}

// A tear is a place in the text of an edit where a line may end.
type tear struct {
	edit, at int
	blank    bool // there is a blank, which the line end takes the place of
	before   int  // bytes between the last tear and this one
}

// breakLine does it for the line of raw from start to end. It returns false if a line is too long still.
func breakLine(start, end int, edits []edit, eol string) bool {
	limit := max(maxLine, end-start)
	var tears []tear
	n, at := 0, start
	for i, e := range edits {
		n += e.start - at
		at = e.end
		done := 0
		add := func(offset int, blank bool) {
			tears = append(tears, tear{i, offset, blank, n + offset - done})
			n, done = 0, offset
			if blank {
				done++
			}
		}
		if strings.HasPrefix(e.text, "<") && strings.HasSuffix(e.text, ">") {
			if k := strings.IndexByte(e.text, ' '); k >= 0 {
				add(k, true)
			}
			add(len(e.text)-1, false)
		}
		n += len(e.text) - done
	}
	last := n + end - at
	fits, col := true, 0
	broken := make([]bool, len(tears))
	for i, t := range tears {
		col += t.before
		if col > limit {
			fits = false
		}
		next := last
		if i+1 < len(tears) {
			next = tears[i+1].before
		}
		if t.blank {
			next++
		}
		if col+next > maxLine {
			broken[i], col = true, 0
		} else if t.blank {
			col++
		}
	}
	if col+last > limit {
		fits = false
	}
	// From behind, so that offsets hold.
	for i := len(tears) - 1; i >= 0; i-- {
		if t := tears[i]; broken[i] {
			text := edits[t.edit].text
			rest := text[t.at:]
			if t.blank {
				rest = rest[1:]
			}
			edits[t.edit].text = text[:t.at] + eol + rest
		}
	}
	return fits
}

// eolOf returns the line end that is used in raw, or else in what stands before it in the message.
func eolOf(raw, before []byte) string {
	i := bytes.IndexByte(raw, '\n')
	if i < 0 {
		raw = before
		i = bytes.LastIndexByte(raw, '\n')
	}
	if i > 0 && raw[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// A change is a body that takes the place of that of an entity.
type change struct {
	entity int
	body   []byte
}

// assemble appends the message with the changes, which are in order, to dst.
func assemble(dst, msg []byte, entities []entity, changes []change) []byte {
	size := len(msg)
	for _, c := range changes {
		e := &entities[c.entity]
		size += len(c.body) - (e.end - e.body)
	}
	out := dst
	if size > cap(dst)-len(dst) {
		out = append(make([]byte, 0, len(dst)+size), dst...)
	}
	at := 0
	for _, c := range changes {
		e := &entities[c.entity]
		out = append(append(out, msg[at:e.body]...), c.body...)
		at = e.end
	}
	return append(out, msg[at:]...)
}
