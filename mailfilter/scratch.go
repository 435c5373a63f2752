// SPDX-License-Identifier: MIT

package mailfilter

import (
	"sync"

	"github.com/bidilink/bidilink/htmlwalk"
)

// scratchSize is how many bytes a scratch has: enough for a message of usual size.
const scratchSize = 128 << 10

// A scratch is where the bytes are that nobody needs when the message is done with: parts decoded, changed, and decoded again. It is given to one message after the other.
// The nil scratch has no room, so that everything is allocated.
type scratch struct {
	buf   []byte
	edits []htmlwalk.Edit // those of one part
}

var scratches = sync.Pool{New: func() any { return &scratch{buf: make([]byte, 0, scratchSize)} }}

// empty returns an empty slice with room for n bytes.
func (s *scratch) empty(n int) []byte {
	if s == nil || n > cap(s.buf)-len(s.buf) {
		return make([]byte, 0, n)
	}
	at := len(s.buf)
	s.buf = s.buf[:at+n]
	return s.buf[at : at : at+n]
}

// mostEdits is the most edits for which room is kept.
const mostEdits = 4000

// poison has a scratch that is given back be full of what everything goes wrong with: in tests.
var poison bool

// release gives back the scratch, with nothing of the message in it. Nobody may have a part of it.
func (s *scratch) release() {
	clear(s.buf)
	if poison {
		for i := range s.buf {
			s.buf[i] = '<'
		}
	}
	s.buf = s.buf[:0]
	if clear(s.edits); cap(s.edits) > mostEdits {
		s.edits = nil
	}
	scratches.Put(s)
}
