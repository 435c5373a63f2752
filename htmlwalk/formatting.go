// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The list of active formatting elements (HTML §13.2.4.3) and the adoption agency algorithm (§13.2.6.4.7). Where a parser opens a copy of
// an element, the stack has the element itself again: without a tree, they are the same.

// mark inserts a marker at the end of the list.
func (p *parser) mark() { p.formatting = append(p.formatting, nil) }

// clearFormatting removes the active formatting elements up to the last marker, and the marker.
func (p *parser) clearFormatting() {
	for len(p.formatting) > 0 {
		last := p.formatting[len(p.formatting)-1]
		p.formatting = p.formatting[:len(p.formatting)-1]
		if last == nil {
			return
		}
	}
}

// pushFormatting opens e and makes it active, with the Noah's Ark clause.
func (p *parser) pushFormatting(e *element) {
	p.push(e)
	same := 0
	for i := len(p.formatting) - 1; i >= 0 && p.formatting[i] != nil; i-- {
		p.steps++
		if p.formatting[i].name == e.name {
			same++
		}
	}
	if same >= 3 {
		p.noah(e)
	}
	p.formatting = append(p.formatting, e)
}

// noah removes the earliest of three active elements with the name and the attributes of e.
func (p *parser) noah(e *element) {
	same := 0
	for i := len(p.formatting) - 1; i >= 0 && p.formatting[i] != nil; i-- {
		p.steps++
		if f := p.formatting[i]; f.name == e.name && (f.attrs() == e.attrs() || f.normal() == e.normal()) {
			if same++; same == 3 {
				p.formatting = slices.Delete(p.formatting, i, i+1)
				return
			}
		}
	}
}

// normal returns the attributes of a formatting element in a normal form.
func (e *element) normal() string {
	if e.more == nil {
		return ""
	}
	if e.more.norm == "" {
		z := html.NewTokenizer(strings.NewReader("<b" + e.more.attrs))
		z.Next()
		var attrs []string
		for _, a := range z.Token().Attr {
			attrs = append(attrs, a.Key+"="+a.Val)
		}
		slices.Sort(attrs)
		for _, a := range attrs {
			e.more.norm += a + "\x00"
		}
	}
	return e.more.norm
}

// dormant reports whether there are active formatting elements that are not open.
func (p *parser) dormant() bool {
	n := len(p.formatting)
	return n > 0 && p.formatting[n-1] != nil && !p.isOpen(p.formatting[n-1])
}

// reconstruct opens again the active formatting elements that were closed otherwise than by their end tags.
func (p *parser) reconstruct() {
	if !p.dormant() {
		return
	}
	i := len(p.formatting) - 1
	for i > 0 && p.formatting[i-1] != nil && !p.isOpen(p.formatting[i-1]) {
		i--
	}
	for _, e := range p.formatting[i:] {
		p.steps++
		p.push(e)
	}
}

// lastActive returns the index of the last active formatting element with a name, behind the last marker, or -1.
func (p *parser) lastActive(name atom.Atom) int {
	for i := len(p.formatting) - 1; i >= 0 && p.formatting[i] != nil; i-- {
		p.steps++
		if p.formatting[i].name == name {
			return i
		}
	}
	return -1
}

// endFormatting is the adoption agency algorithm, as far as it changes the stack and the list. The numbers are those of its steps.
func (p *parser) endFormatting(name atom.Atom) {
	// 3. The element was dropped from the list.
	if top := p.top(); top.isHTML(name) && !slices.Contains(p.formatting, top) {
		p.pop()
		return
	}
	for range 8 {
		// 4.3. The formatting element.
		at := p.lastActive(name)
		if at < 0 {
			p.endOther(name, "")
			return
		}
		el := p.formatting[at]
		// 4.4, 4.5.
		first := p.indexOpen(el)
		if first < 0 {
			p.formatting = slices.Delete(p.formatting, at, at+1)
			return
		}
		for _, o := range p.open[first+1:] {
			p.steps++
			if o.kind&endsScope == 0 {
				continue
			}
			if p.has(inScope, name) {
				// QUIRK: golang.org/x/net/html looks for any element of the name.
				p.fail(Misnested)
			}
			return
		}
		// 4.7, 4.8. The furthest block: the outermost special element in it.
		furthest := first + 1
		for furthest < len(p.open) && p.open[furthest].kind&special == 0 {
			p.steps++
			furthest++
		}
		if furthest == len(p.open) {
			p.cut(first)
			if at == len(p.formatting)-1 {
				p.formatting = p.formatting[:at]
			} else {
				p.formatting = slices.Delete(p.formatting, at, at+1)
			}
			if p.profiles == everyProfile {
				p.pool.add(el)
			}
			return
		}
		block := p.open[furthest]
		if block.name == atom.Search {
			// QUIRK: it is not special to golang.org/x/net/html.
			p.fail(Misnested)
			return
		}
		// 4.10 to 4.13. The elements between that are not in the list go from the stack.
		bookmark := at
		last := true // no other has been met yet
		for i, inner := furthest-1, 1; i > first; i, inner = i-1, inner+1 {
			p.steps += len(p.formatting)
			listed := slices.Index(p.formatting, p.open[i])
			if listed >= 0 && inner > 3 {
				// QUIRK: golang.org/x/net/html takes the fourth and further from the list only, not from the stack.
				p.fail(Misnested)
				return
			}
			if listed < 0 {
				p.open[i].open &^= p.bit
				p.open = slices.Delete(p.open, i, i+1)
				continue
			}
			if last {
				bookmark = listed + 1
				last = false
			}
		}
		// 4.15 to 4.19. A copy of the formatting element goes into the block. What stands round the element alone goes with it.
		if at < bookmark {
			bookmark--
		}
		p.formatting = slices.Delete(p.formatting, at, at+1)
		p.formatting = slices.Insert(p.formatting, bookmark, el)
		from := first
		for p.open[from-1].kind&ghost != 0 {
			from--
		}
		p.open = slices.Delete(p.open, from, first+1)
		p.open = slices.Insert(p.open, p.indexOpen(block)+1, el)
		p.changed()
	}
}
