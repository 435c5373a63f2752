// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"io"
	"strings"

	"github.com/bidilink/bidilink/engine/display"
)

// An edit replaces a range of the input by text: where the range is empty, it is an insertion.
type edit struct {
	start, end int64
	text       string
}

// A rendering is a link as it is written.
type rendering struct {
	text     []byte
	edits    []edit // what was changed, if somebody wants to know
	isolated bool   // it has an isolate round it
}

// A wrap is what a link of ASCII gets in right-to-left text: an isolate round the anchor, and in the profile for mail one in it.
type wrap struct {
	outside, inside [2]string // start and end tags, or empty
	length          int       // of them
	isolated        bool
}

// A slot is a link that is written in one of two ways, which depends on what follows in its block. What is in the buffer is the first of these.
type slot struct {
	at, n int      // in the buffer, and its length there
	auto  *element // its first letter decides, not the block; or nil
	rtl   bool     // the block has a right-to-left letter, see turn

	wrap   *wrap // what it gets in right-to-left text, if it is <a href="…">, bytes of the input, and </a>; or nil
	tag    int   // then, the length of the start tag
	offset int64 // and that of the link in the input

	ways int // else, where the two ways are
}

// Ways are the two ways in which a link is written.
type ways struct {
	otherwise rendering // the text of which is in the buffer, too
	rtl       rendering // in right-to-left text
}

// An output writes the document. What follows a link that is not settled stays in the buffer: it is written as for a block without
// right-to-left letters, and anew if there is one.
type output struct {
	w        io.Writer
	err      error      // the first of w
	record   func(edit) // if not nil, is given the edits, in order
	isolated int        // links that have an isolate
	limit    int        // of what is held back, in bytes; where it is exceeded, all is settled
	whole    bool       // buf is to have all in the end; there is no w
	buf      []byte     // what is written, but not yet given to w
	due      []byte     // bytes of the input, one after the other in the buffer of the scanner, that are not in buf yet
	slots    []slot
	ways     []ways // of those that have no wrap
	held     int    // bytes of the input in buf, behind the first slot
	waiting  int    // what the slots need, in bytes
	spare    []byte
}

const (
	outputSize = 2 * readSize
	// slotSize is what a slot needs beside its text, in bytes: roughly.
	slotSize = 200
)

// holding reports whether there is a link that is not settled.
func (o *output) holding() bool { return len(o.slots) > 0 }

// room returns how many bytes of the input can follow what is due, before all is settled.
func (o *output) room() int { return o.limit - o.held - o.waiting - len(o.due) }

// Write writes bytes of the input, which must not change before pass is called. It never fails: the error is kept.
func (o *output) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if n := len(o.due); n == 0 || n == cap(o.due) || &o.due[:n+1][n] != &p[0] {
		o.pass()
		o.due = p
	} else {
		o.due = o.due[:n+len(p)]
	}
	if o.holding() {
		o.bound()
	}
	return len(p), nil
}

// pass takes what is due into the buffer.
func (o *output) pass() {
	if len(o.due) > 0 {
		if o.holding() {
			o.held += len(o.due)
		}
		o.put(o.due)
		o.due = nil
	}
}

// put appends to the buffer, or writes out both.
func (o *output) put(p []byte) {
	if len(o.buf)+len(p) > outputSize && !o.whole && !o.holding() {
		o.flush()
		if len(p) >= outputSize/2 {
			o.give(p)
			return
		}
	}
	o.buf = append(o.buf, p...)
}

// give writes p to the writer, unless that has failed.
func (o *output) give(p []byte) {
	if o.whole {
		o.buf = append(o.buf, p...)
		return
	}
	if o.err != nil || len(p) == 0 {
		return
	}
	n, err := o.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	o.err = err
}

// flush writes out the buffer. Nothing is held back.
func (o *output) flush() {
	if o.whole {
		return
	}
	o.give(o.buf)
	o.buf = o.buf[:0]
}

// copy writes all, and then what r gives. The errors of the writer are kept here, those of r there.
func (o *output) copy(r io.Reader) {
	if o.Flush() == nil {
		io.Copy(straight{o}, r)
	}
}

// A straight output writes at once.
type straight struct{ o *output }

func (s straight) Write(p []byte) (int, error) {
	if s.o.give(p); s.o.err != nil {
		return 0, s.o.err
	}
	return len(p), nil
}

// Flush writes all, and returns the first error of the writer. Nothing is held back.
func (o *output) Flush() error {
	o.pass()
	o.flush()
	return o.err
}

// link writes a link that is settled.
func (o *output) link(r rendering) {
	if o.holding() {
		o.hold(r, r, nil)
		return
	}
	o.pass()
	o.put(r.text)
	o.made(r)
}

// made says that a link has become final.
func (o *output) made(r rendering) {
	if r.isolated {
		o.isolated++
	}
	if o.record != nil {
		for _, e := range r.edits {
			o.record(e)
		}
	}
}

// hold writes a link that is not settled.
func (o *output) hold(otherwise, rtl rendering, auto *element) {
	o.pass()
	o.slots = append(o.slots, slot{at: len(o.buf), n: len(otherwise.text), auto: auto, ways: len(o.ways)})
	o.ways = append(o.ways, ways{otherwise, rtl})
	o.waiting += slotSize + len(otherwise.text) + len(rtl.text)
	o.buf = append(o.buf, otherwise.text...)
	o.bound()
}

// anchor writes a link of ASCII: bytes of the input at an offset, with a start tag before them. If it is not settled, it has a wrap in right-to-left
// text, or else if turned is set.
func (o *output) anchor(tag, link []byte, offset int64, settled, turned bool, x *wrap, auto *element) {
	switch {
	case settled && turned && o.record == nil && !o.holding():
		o.pass()
		for _, part := range [...]string{x.outside[0], bytesView(tag), x.inside[0], bytesView(link), x.inside[1], endAnchor, x.outside[1]} {
			o.buf = append(o.buf, part...)
		}
		if x.isolated {
			o.isolated++
		}
		if len(o.buf) > outputSize {
			o.flush()
		}
		return
	case settled && (turned || o.record != nil):
		s := slot{wrap: x, tag: len(tag), offset: offset}
		text := append(append(append([]byte(nil), tag...), link...), endAnchor...)
		o.link(s.render(text, turned, o.record != nil))
		return
	}
	at := o.beginAnchor()
	o.buf = append(o.buf, tag...)
	o.endAnchor(at, link, offset, settled, x, auto)
}

const endAnchor = "</a>"

// beginAnchor returns where in the buffer a start tag of an anchor is to be written, which endAnchor makes a link of: one that is not settled or, if nobody wants to know
// what is changed, one without a wrap.
func (o *output) beginAnchor() int {
	o.pass()
	return len(o.buf)
}

// endAnchor writes the rest of a link whose start tag is in the buffer.
func (o *output) endAnchor(at int, link []byte, offset int64, settled bool, x *wrap, auto *element) {
	tag := len(o.buf) - at
	o.buf = append(append(o.buf, link...), endAnchor...)
	if settled {
		if !o.holding() && len(o.buf) > outputSize {
			o.flush()
		}
		return
	}
	n := len(o.buf) - at
	o.slots = append(o.slots, slot{at: at, n: n, auto: auto, wrap: x, tag: tag, offset: offset})
	o.waiting += slotSize + 2*n + x.length
	o.bound()
}

// render returns a link with its wrap, or without, the text of which is as it is without.
func (s *slot) render(text []byte, wrapped, record bool) (r rendering) {
	x := &noWrap
	if wrapped {
		x = s.wrap
	}
	from, to := s.tag, len(text)-len(endAnchor)
	r.isolated = x.isolated
	r.text = make([]byte, 0, len(text)+x.length)
	insert := func(at int64, tag string) {
		r.text = append(r.text, tag...)
		if record && tag != "" {
			r.edits = append(r.edits, edit{at, at, tag})
		}
	}
	start := bytesView(text[:from])
	if record {
		start = strings.Clone(start)
	}
	insert(s.offset, x.outside[0])
	insert(s.offset, start)
	insert(s.offset, x.inside[0])
	r.text = append(r.text, text[from:to]...)
	behind := s.offset + int64(to-from)
	insert(behind, x.inside[1])
	insert(behind, endAnchor)
	insert(behind, x.outside[1])
	return r
}

// bound settles what is held back, if that is too much.
func (o *output) bound() {
	if o.room() < 0 {
		o.settle(false)
	}
}

// turn settles what is held back, as the block has a right-to-left letter. If the first letter of an element decides about one of the links, and is yet to
// come, all of them wait for it, so that they are made in order.
func (o *output) turn() {
	waits := false
	for i := range o.slots {
		s := &o.slots[i]
		s.rtl = true
		waits = waits || s.auto != nil && s.auto.strong == display.Unknown
	}
	if !waits {
		o.settle(true)
	}
}

// settle settles what is held back: in a block with right-to-left letters or in one without.
func (o *output) settle(rtl bool) {
	if !o.holding() {
		return
	}
	o.pass()
	// Up to done, the buffer is as it stays, or in tail.
	tail, begin, done := o.spare[:0], 0, 0
	for i := range o.slots {
		s := &o.slots[i]
		turned := (rtl || s.rtl) && s.auto == nil || s.auto != nil && s.auto.strong == display.RTL
		if s.wrap != nil && !turned && o.record == nil {
			continue
		}
		var r rendering
		switch {
		case s.wrap != nil:
			r = s.render(o.buf[s.at:s.at+s.n], turned, o.record != nil)
		case turned:
			r = o.ways[s.ways].rtl
		default:
			r = o.ways[s.ways].otherwise
		}
		o.made(r)
		if !turned {
			continue
		}
		if done == 0 {
			begin, done = s.at, s.at
		}
		tail = append(append(tail, o.buf[done:s.at]...), r.text...)
		done = s.at + s.n
	}
	if done > 0 {
		tail = append(tail, o.buf[done:]...)
		o.buf = append(o.buf[:begin], tail...)
		if cap(tail) <= outputSize {
			o.spare = tail
		}
	}
	clear(o.ways) // of their texts
	o.slots, o.ways, o.held, o.waiting = o.slots[:0], o.ways[:0], 0, 0
	if len(o.buf) >= outputSize/2 {
		o.flush()
	}
}
