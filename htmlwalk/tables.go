// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// The insertion modes of tables: HTML §13.2.6.4.9 to 15. Foster parenting moves nodes, but leaves the stack alone.

// tablePart is the kind of tbody and tr.
const tablePart = special | isTable | blockLevel

// implyElement opens an element for which there is no tag.
func (p *parser) implyElement(name atom.Atom) {
	e := p.pool.get()
	e.name, e.kind = name, tablePart
	if name == atom.Colgroup {
		e.kind = kindOf(name)
	}
	p.push(e)
}

// closeCell closes the cell. It reports whether there is one.
func (p *parser) closeCell() bool {
	if !p.popUntilAny(inTableScope, atom.Td, atom.Th, atom.Th) {
		return false
	}
	p.clearFormatting()
	p.mode = inRow
	return true
}

func (p *parser) closeCaption() bool {
	if !p.popUntil(inTableScope, atom.Caption) {
		return false
	}
	p.clearFormatting()
	p.mode = inTable
	return true
}

func (p *parser) closeRow() bool {
	if !p.popUntil(inTableScope, atom.Tr) {
		return false
	}
	p.mode = inTableBody
	return true
}

func (p *parser) closeTableBody() bool {
	if !p.popUntilAny(inTableScope, atom.Tbody, atom.Thead, atom.Tfoot) {
		return false
	}
	p.mode = inTable
	return true
}

// closeTable closes the table. It reports whether there is one.
func (p *parser) closeTable() bool {
	if !p.popUntil(inTableScope, atom.Table) {
		return false
	}
	p.resetMode()
	return true
}

func (p *parser) startInTable(e *element, t tagBits) (raw, done bool) {
	switch e.name {
	case atom.Caption:
		p.clearTo(atom.Table, atom.Table, atom.Table)
		p.mark()
		p.push(e)
		p.mode = inCaption
	case atom.Colgroup:
		p.clearTo(atom.Table, atom.Table, atom.Table)
		p.push(e)
		p.mode = inColumnGroup
	case atom.Tbody, atom.Tfoot, atom.Thead:
		p.clearTo(atom.Table, atom.Table, atom.Table)
		p.push(e)
		p.mode = inTableBody
	case atom.Col:
		p.clearTo(atom.Table, atom.Table, atom.Table)
		p.implyElement(atom.Colgroup)
		p.mode = inColumnGroup
		return false, false
	case atom.Td, atom.Th, atom.Tr:
		p.clearTo(atom.Table, atom.Table, atom.Table)
		p.implyElement(atom.Tbody)
		p.mode = inTableBody
		return false, false
	case atom.Table:
		return false, !p.closeTable()
	case atom.Style, atom.Script, atom.Template:
		return p.startMetadata(e)
	case atom.Form:
		if p.form == nil && !p.inTemplates() {
			p.form = e // and it is closed at once
			e.kept = true
		}
	case atom.Input:
		if t&hiddenInput == 0 {
			p.startInBody(e, t)
		}
	default:
		return p.startInBody(e, t), true
	}
	return false, true
}

func (p *parser) startInTableBody(e *element, t tagBits) (raw, done bool) {
	switch e.name {
	case atom.Tr:
		p.clearTo(atom.Tbody, atom.Tfoot, atom.Thead)
		p.push(e)
		p.mode = inRow
		return false, true
	case atom.Td, atom.Th:
		p.clearTo(atom.Tbody, atom.Tfoot, atom.Thead)
		p.implyElement(atom.Tr)
		p.mode = inRow
		return false, false
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
		return false, !p.closeTableBody()
	}
	return p.startInTable(e, t)
}

func (p *parser) startInRow(e *element, t tagBits) (raw, done bool) {
	switch e.name {
	case atom.Td, atom.Th:
		p.clearTo(atom.Tr, atom.Tr, atom.Tr)
		p.push(e)
		p.mark()
		p.mode = inCell
		return false, true
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
		return false, !p.closeRow()
	}
	return p.startInTable(e, t)
}

func (p *parser) startInCaption(e *element, t tagBits) (raw, done bool) {
	switch e.name {
	case atom.Th:
		// QUIRK: golang.org/x/net/html ignores it.
		p.fail(Misnested)
		return false, true
	case atom.Caption, atom.Col, atom.Colgroup, atom.Tbody, atom.Td, atom.Tfoot, atom.Thead, atom.Tr:
		return false, !p.closeCaption()
	}
	return p.startInBody(e, t), true
}

func (p *parser) startInColumnGroup(e *element) (raw, done bool) {
	switch e.name {
	case atom.Html:
		p.mergeInto(0, e)
		return false, true
	case atom.Col:
		return false, true
	case atom.Template:
		return p.startMetadata(e)
	}
	if !p.top().isHTML(atom.Colgroup) {
		// In a template: it is ignored.
		if e.kind&rawContent != 0 {
			// QUIRK: the tokenizer of golang.org/x/net/html reads raw text all the same.
			p.fail(Template)
		}
		return false, true
	}
	p.pop()
	p.mode = inTable
	return false, false
}

func (p *parser) endInTable(name atom.Atom, other string) {
	switch name {
	case atom.Table:
		p.closeTable()
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		// Ignored.
	default:
		p.endInBody(name, other)
	}
}

func (p *parser) endInTableBody(name atom.Atom, other string) bool {
	switch name {
	case atom.Tbody, atom.Tfoot, atom.Thead:
		if p.has(inTableScope, name) {
			p.closeTableBody()
		}
	case atom.Table:
		return !p.closeTableBody()
	default:
		p.endInTable(name, other)
	}
	return true
}

func (p *parser) endInRow(name atom.Atom, other string) bool {
	switch name {
	case atom.Tr:
		p.closeRow()
	case atom.Table:
		return !p.closeRow()
	case atom.Tbody, atom.Tfoot, atom.Thead:
		return !p.has(inTableScope, name) || !p.closeRow()
	default:
		p.endInTable(name, other)
	}
	return true
}

func (p *parser) endInCell(name atom.Atom, other string) bool {
	switch name {
	case atom.Td, atom.Th:
		if p.popUntil(inTableScope, name) {
			p.clearFormatting()
			p.mode = inRow
		}
	case atom.Body, atom.Caption, atom.Col, atom.Colgroup, atom.Html:
		// Ignored.
	case atom.Table, atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
		return !p.has(inTableScope, name) || !p.closeCell()
	default:
		p.endInBody(name, other)
	}
	return true
}

func (p *parser) endInCaption(name atom.Atom, other string) bool {
	switch name {
	case atom.Caption:
		p.closeCaption()
	case atom.Table:
		return !p.closeCaption()
	case atom.Body, atom.Col, atom.Colgroup, atom.Html, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		// Ignored.
	default:
		p.endInBody(name, other)
	}
	return true
}

func (p *parser) endInColumnGroup(name atom.Atom) bool {
	switch name {
	case atom.Col:
		return true
	case atom.Template:
		p.endTemplate()
		return true
	}
	if !p.top().isHTML(atom.Colgroup) {
		return true
	}
	p.pop()
	p.mode = inTable
	return name == atom.Colgroup
}
