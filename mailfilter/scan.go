// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"strconv"
)

// An entity is a message or a part of one, as ranges of bytes of the message.
type entity struct {
	parent   int // in the list of entities, -1 of the message
	depth    int // multiparts round it
	number   int // among the parts of its parent, from 1
	children int
	start    int // of the header
	body     int // of the body, behind the blank line
	end      int // of the body. The line end before a delimiter belongs to the delimiter (RFC 2046 §5.1.1)
	lines    int // of the header

	complete bool // the header ended with a blank line
	suspect  bool // it is in, or behind, a line that begins with a boundary, but is no delimiter of ours: other programs may take it for one
	tainted  bool // such a line with the boundary of this multipart came, and no delimiter of it since

	block     []byte // the header, without the blank line
	head      fields // what is in it
	boundary  []byte // of a multipart that is taken apart; nil of what is opaque
	html      bool   // text/html: what the message is about
	candidate bool   // it is looked at
	reason    Reason // why it is not
	beside    Reason // why a candidate is not, by what is beside it: see withSignatures
	charset   string
	encoding  transferEncoding
	plain     bool // text/plain that is looked at
}

// A scanner finds the entities of a message. It reads each byte once.
type scanner struct {
	f        *filter
	msg      []byte
	entities []entity
	open     []int    // the multiparts whose final delimiter has not come, outermost first
	current  int      // the entity that lines belong to
	inHeader bool     // of current
	refused  Reason   // why the message is left alone as a whole
	known    []entity // see scan
	bareCR   bool     // a CR without LF stands before "--" or behind a boundary: other programs may take it for a line end, and what is round it for a delimiter
}

// scan returns the entities of a message in the order of their beginnings; the first is the message.
//
// Lines end with LF or CRLF, each as it likes. A delimiter is a line that is "--", the boundary of an open multipart, "--" if
// it is the final one, and blanks. It ends all that is open in that multipart. Where the final delimiter is missing, the multipart goes to its parent's end.
//
// If the message is left alone as a whole, the reason is that, and the entities are not all.
//
// A header that is that of the entity in the same place of known, another message or nil, is not read again.
func (f *filter) scan(msg []byte, known []entity) ([]entity, Reason, error) {
	s := &scanner{f: f, msg: msg, known: known, inHeader: true, entities: make([]entity, 0, max(4, len(known)))}
	s.entities = append(s.entities, entity{parent: -1, start: 0, body: len(msg), end: len(msg)})
	if bytes.HasPrefix(msg, []byte("From ")) {
		// The envelope line of mbox, which programs for one mailbox get too.
		if i := bytes.IndexByte(msg, '\n'); i >= 0 {
			s.entities[0].start = i + 1
		}
	}
	for at := s.entities[0].start; at < len(msg); {
		if !s.inHeader && len(s.open) > 0 && !bytes.HasPrefix(msg[at:], []byte("--")) {
			at = s.skip(at)
			continue
		}
		end, err := s.knownHeader(at)
		if end == at && err == nil {
			end = len(msg)
			if i := bytes.IndexByte(msg[at:], '\n'); i >= 0 {
				end = at + i + 1
			}
			err = s.line(at, end)
		}
		if err != nil {
			return nil, NoReason, err
		}
		f.steps += end - at
		at = end
		if s.current == 0 && !s.inHeader && len(s.open) == 0 {
			break // a message without parts, or an epilogue: nothing in it matters
		}
	}
	if s.inHeader {
		if err := s.endHeader(len(msg), len(msg)); err != nil {
			return nil, NoReason, err
		}
	}
	if s.bareCR {
		s.refused = Malformed
	}
	return s.entities, s.refused, nil
}

// knownHeader takes up a header, from an offset on, if it is that of the known entity in the same place, and says where the body begins; or it returns the offset.
func (s *scanner) knownHeader(at int) (int, error) {
	e := &s.entities[s.current]
	if !s.inHeader || at != e.start || s.current >= len(s.known) {
		return at, nil
	}
	k := &s.known[s.current]
	header := k.block[:k.body-k.start] // with the blank line, which is behind it
	if !k.complete || !bytes.HasPrefix(s.msg[at:], header) || bytes.HasPrefix(header, []byte("--")) || bytes.Contains(header, []byte("\n--")) {
		return at, nil
	}
	e.complete, e.lines = true, k.lines
	return at + len(header), s.endHeader(at+len(k.block), at+len(header))
}

// skip takes up the lines of a body from an offset on, none of which begins with "--" but the one at the offset that it returns.
func (s *scanner) skip(at int) int {
	end := len(s.msg)
	if i := bytes.Index(s.msg[at:], []byte("\n--")); i >= 0 {
		end = at + i + 1
	}
	s.f.steps += end - at
	s.bareCR = s.bareCR || bytes.Contains(s.msg[at:end], []byte("\r--"))
	return end
}

// line takes up the line from at to end.
func (s *scanner) line(at, end int) error {
	line := chomp(s.msg[at:end])
	if len(s.open) > 0 {
		if bytes.HasPrefix(line, []byte("--")) {
			if level, final := s.delimiter(line[2:]); level >= 0 {
				return s.delimit(level, final, at, end)
			}
		}
		if bytes.Contains(line, []byte("\r--")) {
			s.bareCR = true
		}
	}
	if !s.inHeader {
		return nil
	}
	e := &s.entities[s.current]
	if len(line) == 0 {
		e.complete = true
		return s.endHeader(at, end)
	}
	e.lines++
	if int64(end-e.start) > s.f.o.MaxHeader {
		return &LimitError{"header bytes", s.f.o.MaxHeader}
	}
	if e.lines > s.f.o.MaxHeaderLines {
		return &LimitError{"header lines", int64(s.f.o.MaxHeaderLines)}
	}
	return nil
}

// chomp returns a line without its end.
func chomp(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
		if n > 1 && line[n-2] == '\r' {
			line = line[:n-2]
		}
	}
	return line
}

// delimiter looks for the multipart of which a line that begins with "--" is a delimiter, by what follows these. It returns its
// index in open, or -1. RFC 2046 wants the innermost last: an outer delimiter ends what is in it.
func (s *scanner) delimiter(line []byte) (level int, final bool) {
	begins := -1 // the outermost multipart with whose boundary the line begins
	for i, k := range s.open {
		b := s.entities[k].boundary
		s.f.steps += len(b)
		if !bytes.HasPrefix(line, b) {
			continue
		}
		rest := bytes.TrimRight(line[len(b):], " \t")
		if len(rest) == 0 {
			return i, false
		}
		if string(rest) == "--" {
			return i, true
		}
		// RFC 2046 §5.1.1 would have it that any line that begins with the boundary is a delimiter; no program does that where another has the
		// line for its delimiter, as some boundaries begin with others.
		s.entities[s.current].suspect = true
		s.bareCR = s.bareCR || bytes.IndexByte(rest, '\r') >= 0
		if begins < 0 {
			begins = i
		}
	}
	if begins >= 0 {
		s.taint(begins)
	}
	return -1, false
}

// taint notes that other programs may have another part of the multipart open[level] begin here: all up to its next delimiter is suspect.
func (s *scanner) taint(level int) {
	k := s.open[level]
	s.entities[k].tainted = true
	for i := s.current; i != k; i = s.entities[i].parent {
		s.entities[i].suspect = true
	}
}

// suspects reports whether what begins now is suspect.
func (s *scanner) suspects() bool {
	for _, k := range s.open {
		if s.entities[k].tainted {
			return true
		}
	}
	return false
}

// delimit ends what a delimiter of the multipart open[level] ends, and begins the next part, or the epilogue.
func (s *scanner) delimit(level int, final bool, at, end int) error {
	if s.inHeader {
		if err := s.endHeader(at, at); err != nil {
			return err
		}
	}
	k := s.open[level]
	// What is in the multipart ends with the line before.
	last := at - 1 // there is a line before: the header of the multipart
	if last > 0 && s.msg[last-1] == '\r' {
		last--
	}
	for i := s.current; i != k; i = s.entities[i].parent {
		e := &s.entities[i]
		e.end = max(e.body, last)
	}
	s.open = s.open[:level+1]
	s.current = k
	s.entities[k].tainted = false
	if final {
		s.open = s.open[:level]
		return nil
	}
	if len(s.entities) >= s.f.o.MaxParts {
		return &LimitError{"parts", int64(s.f.o.MaxParts)}
	}
	m := &s.entities[k]
	m.children++
	e := entity{parent: k, depth: m.depth + 1, number: m.children, start: end, body: len(s.msg), end: len(s.msg), suspect: s.suspects()}
	if e.depth > s.f.o.MaxDepth {
		return &LimitError{"depth", int64(s.f.o.MaxDepth)}
	}
	s.entities = append(s.entities, e)
	s.current = len(s.entities) - 1
	s.inHeader = true
	return nil
}

// endHeader ends the header of the current entity at an offset. The body begins at another.
func (s *scanner) endHeader(at, body int) error {
	s.inHeader = false
	e := &s.entities[s.current]
	e.body = body
	if int64(at-e.start) > s.f.o.MaxHeader {
		return &LimitError{"header bytes", s.f.o.MaxHeader}
	}
	e.block = s.msg[e.start:at]
	if s.current < len(s.known) && bytes.Equal(e.block, s.known[s.current].block) {
		e.head = s.known[s.current].head
	} else {
		e.head = readFields(e.block)
	}
	if s.current == 0 {
		if s.refused = s.f.policy(&e.head); s.refused != NoReason {
			return nil // with nothing open, the scanner ends here
		}
	}
	var parent *entity
	if e.parent >= 0 {
		parent = &s.entities[e.parent]
	}
	s.f.classify(e, parent)
	if e.boundary == nil {
		return nil
	}
	for _, k := range s.open {
		if ambiguous(s.entities[k].boundary, e.boundary) {
			e.boundary, e.reason = nil, Malformed
			return nil
		}
	}
	s.open = append(s.open, s.current)
	return nil
}

// ambiguous reports whether a line could be a delimiter of both.
func ambiguous(a, b []byte) bool {
	return bytes.Equal(a, b) || string(a) == string(b)+"--" || string(b) == string(a)+"--"
}

// path returns the name of an entity: "" of the message, "1.2" of the second part of its first.
func path(entities []entity, i int) string {
	if entities[i].parent < 0 {
		return ""
	}
	p := path(entities, entities[i].parent) // no deeper than MaxDepth
	if p != "" {
		p += "."
	}
	return p + strconv.Itoa(entities[i].number)
}
