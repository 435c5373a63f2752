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
	if n := len(p.free); n > 0 {
		e := p.free[n-1]
		p.free = p.free[:n-1]
		*e = element{}
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
	if e.kind&(formatting|ghost) == 0 && e.name != atom.Form && e.name != atom.Bdi && e.dir != firstLetter {
		if unused != nil {
			*e = *unused
		}
		p.free = append(p.free, e)
	}
}
