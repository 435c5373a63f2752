// SPDX-License-Identifier: MIT

package uts58

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/bidilink/bidilink/engine/display"
)

// An arena is where the nodes and addresses of the links of a document are from: many in one allocation.
type arena struct {
	links    slab[ast.Link]
	texts    slab[ast.Text]
	elements slab[Element]
	hrefs    buffer
}

// A slab gives out zero values, the more in one allocation the more it has given out.
type slab[T any] struct {
	free []T
	size int // of the last allocation
}

// text returns a text of the source.
func (a *arena) text(from, to int, raw bool) *ast.Text {
	t := a.texts.next()
	t.Segment = text.NewSegment(from, to)
	if raw {
		t.SetRaw(true)
	}
	return t
}

// element returns an element with a direction.
func (a *arena) element(tag string, d display.Direction, at int) *Element {
	e := a.elements.next()
	e.Tag, e.Dir = tag, d
	e.SetPos(at)
	return e
}

const mostInSlab = 64

func (s *slab[T]) next() *T {
	if len(s.free) == 0 {
		s.size = min(max(2, 2*s.size), mostInSlab)
		s.free = make([]T, s.size)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// A buffer gives out byte slices.
type buffer struct {
	free []byte
	size int
}

const mostInBuffer = 4 << 10

// room returns an empty slice to append to, with a capacity of at least n.
func (b *buffer) room(n int) []byte {
	if cap(b.free) < n {
		b.size = min(max(64, 2*b.size), mostInBuffer)
		b.free = make([]byte, 0, max(n, b.size))
	}
	return b.free[:0]
}

// take keeps what was appended to a room, and returns it.
func (b *buffer) take(room, out []byte) []byte {
	n := len(out)
	if cap(out) == cap(room) {
		b.free = b.free[n:n]
	}
	return out[:n:n]
}
