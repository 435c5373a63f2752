// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bufio"

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

// A slot is a link that is written in one of two ways, which depends on what follows in its block.
type slot struct {
	at        int // in held
	otherwise rendering
	rtl       rendering // in right-to-left text
	auto      *element  // its first letter decides, not the block; or nil
}

// An output writes the document. What follows a link that is not settled is held back.
type output struct {
	*bufio.Writer            // keeps the first error of the writer
	record        func(edit) // if not nil, is given the edits, in order
	isolated      func()     // is called for each link that has an isolate
	limit         int        // of what is held back, in bytes; where it is exceeded, all is settled
	due           []byte     // bytes of the input, one after the other in the buffer of the scanner, that are not written yet
	failed        bool       // there was an error
	held          []byte
	slots         []slot
	waiting       int // what the slots need, in bytes
}

// slotSize is what a slot needs beside its text, in bytes: roughly.
const slotSize = 200

// holding reports whether there is a link that is not settled.
func (o *output) holding() bool { return len(o.slots) > 0 }

// Write writes bytes of the input, which must not change before pass is called. It never fails; [bufio.Writer] keeps the error.
func (o *output) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if o.holding() {
		o.held = append(o.held, p...)
		o.bound()
		return len(p), nil
	}
	if n := len(o.due); n == 0 || n == cap(o.due) || &o.due[:n+1][n] != &p[0] {
		o.pass()
		o.due = p
	} else {
		o.due = o.due[:n+len(p)]
	}
	return len(p), nil
}

// pass writes what is due.
func (o *output) pass() {
	if len(o.due) > 0 {
		_, err := o.Writer.Write(o.due)
		o.failed = o.failed || err != nil
		o.due = nil
	}
}

// Flush writes all but what is held back.
func (o *output) Flush() error {
	o.pass()
	return o.Writer.Flush()
}

// link writes a link that is settled.
func (o *output) link(r rendering) {
	if o.holding() {
		o.hold(r, r, nil)
		return
	}
	o.write(r)
}

// hold writes a link that is not settled.
func (o *output) hold(otherwise, rtl rendering, auto *element) {
	o.pass()
	o.slots = append(o.slots, slot{len(o.held), otherwise, rtl, auto})
	o.waiting += slotSize + len(otherwise.text) + len(rtl.text)
	o.bound()
}

// bound settles what is held back, if that is too much.
func (o *output) bound() {
	if len(o.held)+o.waiting > o.limit {
		o.settle(false)
	}
}

func (o *output) write(r rendering) {
	o.pass()
	o.Writer.Write(r.text)
	if r.isolated {
		o.isolated()
	}
	if o.record != nil {
		for _, e := range r.edits {
			o.record(e)
		}
	}
}

// settle writes what is held back: in a block with right-to-left letters or in one without.
func (o *output) settle(rtl bool) {
	if !o.holding() {
		return
	}
	done := 0
	for _, s := range o.slots {
		o.Writer.Write(o.held[done:s.at])
		done = s.at
		if rtl && s.auto == nil || s.auto != nil && s.auto.strong == display.RTL {
			o.write(s.rtl)
		} else {
			o.write(s.otherwise)
		}
	}
	_, err := o.Writer.Write(o.held[done:])
	o.failed = o.failed || err != nil
	clear(o.slots) // of their texts
	o.held, o.slots, o.waiting = o.held[:0], o.slots[:0], 0
}
