// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"context"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	proto "github.com/d--j/go-milter"

	"github.com/bidilink/bidilink/mailfilter"
)

// ErrNoRoom says that a message found no room within [Options].MaxMemory.
var ErrNoRoom = errors.New("milter: no memory left for the message")

// ErrBusy says that a message waited for its turn for longer than [Options].Patience.
var ErrBusy = errors.New("milter: too many messages are worked on")

const (
	freeMemory = 64 << 10  // of a message, in bytes, that is not counted
	memoryStep = 256 << 10 // in which memory is reserved

	// What a message needs for each of its bytes: itself, what is lost as it grows, and the new message; and for each that may be in the part that is worked on, that decoded, as
	// text, changed, encoded, and decoded again to be compared. Measured: at most 9 times the length for a message that is one part of HTML. Beyond that is what
	// very many links in little text need (some 4 MB for 5000), in as many messages as are worked on at once.
	needsMessage = 3
	needsPart    = 8
)

// more returns what a message is to reserve beside what it has, to be of n bytes, and whether there can be so much.
func (c *session) more(n int) (int64, bool) {
	if n <= freeMemory {
		return 0, true
	}
	part := min(int64(n), orDefault(c.rules().Options.MaxPart, mailfilter.DefaultMaxPart))
	need := (int64(n)*needsMessage + part*needsPart + memoryStep - 1) / memoryStep * memoryStep
	return max(0, need-c.held), need <= c.s.o.MaxMemory
}

// largeMessage is from which length in bytes on a message is worth a garbage collection. These take about a millisecond; what the message costs by then is
// tens of them.
const largeMessage = 4 << 20

// grow makes room for a message of n bytes. Of a large one, what is left behind when it grows, and the packets that brought it, are given back to the
// system at once: else it would need five times its length.
func (c *session) grow(n int) {
	c.fresh += n - len(c.msg)
	if n > largeMessage && c.fresh >= largeMessage {
		c.fresh = 0
		runtime.GC()
	}
	if n <= cap(c.msg) || n < largeMessage {
		return
	}
	room := int64(n) + int64(n)/2
	if c.announced > int64(n) {
		room = c.announced + largeMessage/8 // the fields that the MTA added
	}
	limit := max(int64(n), orDefault(c.rules().Options.MaxMessage, mailfilter.DefaultMaxMessage))
	c.msg = append(make([]byte, 0, min(room, limit)), c.msg...)
	debug.FreeOSMemory()
}

// size returns the length of the message that a client has announced by SIZE (RFC 1870 §6), or 0.
func size(parameters string) int64 {
	for p := range strings.FieldsSeq(parameters) {
		if name, value, ok := strings.Cut(p, "="); ok && strings.EqualFold(name, "SIZE") {
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil || n < 0 {
				return 0
			}
			return n
		}
	}
	return 0
}

// tryReserve reserves the memory for a message of n bytes, if it is there now.
func (c *session) tryReserve(n int) bool {
	more, ok := c.more(n)
	if !ok || more > 0 && !c.s.memory.TryAcquire(more) {
		return false
	}
	c.hold(more)
	return true
}

func (c *session) hold(n int64) {
	c.held += n
	c.s.reserved.Add(n)
}

func (s *Server) release(n int64) {
	if n > 0 {
		s.reserved.Add(-n)
		s.memory.Release(n)
	}
}

// reserve is tryReserve, but waits for others to end, for Patience in all. It fails if the connection does. What is needed for the work is reserved with what is needed
// to collect the message: so one that is complete never waits for memory.
func (c *session) reserve(n int, m proto.Modifier) (bool, error) {
	more, ok := c.more(n)
	switch {
	case !ok:
		return false, nil
	case c.tryReserve(n):
		return true, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.s.o.Patience-c.waited)
	defer cancel()
	begin := time.Now()
	defer func() { c.waited += time.Since(begin) }()
	done := make(chan error, 1)
	go func() { done <- c.s.memory.Acquire(ctx, more) }()
	got, err := await(c, math.MaxInt64, m, done)
	if err != nil {
		cancel()
		if <-done == nil {
			c.s.memory.Release(more)
		}
		return false, err
	}
	if got != nil {
		return false, nil
	}
	c.hold(more)
	return true, nil
}

// spare are buffers for messages and bodies that are not long.
var spare = sync.Pool{New: func() any { b := make([]byte, 0, freeMemory/2); return &b }}

// lend returns a buffer, which is empty.
func lend() *[]byte { return spare.Get().(*[]byte) }

// poison has a buffer that is given back be full of what everything goes wrong with: in tests.
var poison bool

// putBack takes back what was lent, and has become b, unless that is too long now, and clears it: what failed may have left something behind its end, too. Nobody may have a
// part of it.
func putBack(lent *[]byte, b []byte) {
	if cap(b) > freeMemory {
		return
	}
	b = b[:cap(b)]
	clear(b)
	if poison {
		for i := range b {
			b[i] = '<'
		}
	}
	*lent = b[:0]
	spare.Put(lent)
}
