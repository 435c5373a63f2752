// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// A pool has elements that are not in use: there is one for each tag.
type pool struct {
	free  []*element
	fresh []element
}

// get returns an element that is zero.
func (p *pool) get() *element {
	e := p.take()
	*e = element{}
	return e
}

// take returns an element that is anything.
func (p *pool) take() *element {
	if n := len(p.free); n > 0 {
		e := p.free[n-1]
		p.free = p.free[:n-1]
		return e
	}
	if len(p.fresh) == 0 {
		p.fresh = make([]element, 64)
	}
	e := &p.fresh[0]
	p.fresh = p.fresh[1:]
	return e
}

// unused, if not nil, is what the elements in pools become: in tests, something that nobody who looks at them should see.
var unused *element

// put takes back an element that is off the stack of open elements, unless it may be needed yet: in the list of active formatting
// elements, as the form, or as the one whose first letter decides.
func (p *pool) put(e *element) {
	if e.kind&(formatting|ghost) == 0 && e.name != atom.Form && e.name != atom.Bdi {
		p.add(e)
	}
}

// add takes back an element that nothing refers to but, if its first letter decides, a link that is not settled.
func (p *pool) add(e *element) {
	if e.dir == firstLetter {
		return
	}
	if unused != nil {
		*e = *unused
	}
	p.free = append(p.free, e)
}

// Renderings are where links are written, one after the other, until none of them is needed any more: then there is room again. What is full is left to those who
// have a part of it.
type renderings struct {
	text  []byte
	edits []edit
}

const (
	renderedText  = 4 << 10 // bytes
	renderedEdits = 32
)

// reset makes room: nobody may have a rendering any more.
func (r *renderings) reset() {
	if unused != nil {
		for i := range r.text {
			r.text[i] = '<'
		}
		for i := range r.edits {
			r.edits[i] = edit{-1, -1, "<"}
		}
	} else {
		clear(r.edits) // of their texts
	}
	r.text, r.edits = r.text[:0], r.edits[:0]
}

// begin returns where a rendering of some n bytes begins, and its edits, if they are recorded. They are given to end.
func (r *renderings) begin(n int, record bool) ([]byte, []edit) {
	if cap(r.text)-len(r.text) < n {
		r.text = make([]byte, 0, max(n, renderedText))
	}
	const most = 8 // of nearly all links
	if record && cap(r.edits)-len(r.edits) < most {
		r.edits = make([]edit, 0, renderedEdits)
	}
	return r.text[len(r.text):], r.edits[len(r.edits):]
}

// end keeps what has become of what begin returned. What did not fit is elsewhere.
func (r *renderings) end(text []byte, edits []edit) {
	if len(text) <= cap(r.text)-len(r.text) {
		r.text = r.text[:len(r.text)+len(text)]
	}
	if len(edits) <= cap(r.edits)-len(r.edits) {
		r.edits = r.edits[:len(r.edits)+len(edits)]
	}
}
