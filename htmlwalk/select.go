// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// Parsers from before 2025 read the content of a select in insertion modes of their own, which ignore most tags; since, it is read
// like other content. Both are in use: see profiles.

// startInSelect processes a start tag by the former rules for "in select" and "in select in table".
func (p *parser) startInSelect(e *element) (raw, done bool) {
	switch e.name {
	case atom.Html:
		p.mergeInto(0, e)
	case atom.Option:
		if p.top().isHTML(atom.Option) {
			p.pop()
		}
		p.push(e)
	case atom.Optgroup:
		if p.top().isHTML(atom.Option) {
			p.pop()
		}
		if p.top().isHTML(atom.Optgroup) {
			p.pop()
		}
		p.push(e)
	case atom.Hr:
		if p.top().isHTML(atom.Option) {
			p.pop()
		}
		if p.top().isHTML(atom.Optgroup) {
			p.pop()
		}
	case atom.Select:
		p.closeSelect()
	case atom.Input, atom.Keygen, atom.Textarea:
		return false, !p.closeSelect()
	case atom.Script, atom.Template:
		return p.startMetadata(e)
	case atom.Caption, atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr, atom.Td, atom.Th:
		if p.mode == inSelectInTable {
			return false, !p.closeSelect()
		}
	}
	return false, true
}

// closeSelect closes the select and all in it.
func (p *parser) closeSelect() bool {
	for i := len(p.open) - 1; i > 0; i-- {
		switch e := p.open[i]; {
		case e.isHTML(atom.Select):
			p.cut(i)
			p.resetMode()
			return true
		case !e.isHTML(atom.Option) && !e.isHTML(atom.Optgroup):
			return false
		}
	}
	return false
}

// endInSelect processes an end tag by the same rules.
func (p *parser) endInSelect(name atom.Atom) bool {
	switch name {
	case atom.Optgroup:
		if n := len(p.open); p.top().isHTML(atom.Option) && p.open[n-2].isHTML(atom.Optgroup) {
			p.pop()
		}
		if p.top().isHTML(atom.Optgroup) {
			p.pop()
		}
	case atom.Option:
		if p.top().isHTML(atom.Option) {
			p.pop()
		}
	case atom.Select:
		p.closeSelect()
	case atom.Template:
		p.endTemplate()
	case atom.Caption, atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr, atom.Td, atom.Th:
		if p.mode == inSelectInTable && p.has(inTableScope, name) {
			return !p.closeSelect()
		}
	}
	return true
}
