// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// The insertion modes before the body, and templates: HTML §13.2.6.4.3 to 6, and 22.

// openHead opens a head for which there is no tag.
func (p *parser) openHead() {
	p.push(&element{name: atom.Head, kind: kindOf(atom.Head)})
	p.mode = inHead
}

// closeHead leaves the head.
func (p *parser) closeHead() {
	p.pop()
	p.mode = afterHead
}

// openBody opens a body for which there is no tag.
func (p *parser) openBody() {
	p.push(&element{name: atom.Body, kind: kindOf(atom.Body)})
	p.mode = inBody
}

// mergeInto takes up the attributes of a further html or body tag. The element may be shared with other parsers, which have them too.
func (p *parser) mergeInto(i int, e *element) {
	if !p.inTemplates() {
		p.open[i].merge(e.flags)
		p.changed()
	}
}

// startInHead processes a start tag by the rules for what comes before the body.
func (p *parser) startInHead(e *element) (raw, done bool) {
	if e.name == atom.Html {
		p.mergeInto(0, e)
		return false, true
	}
	switch p.mode {
	case beforeHead:
		if e.name != atom.Head {
			p.openHead()
			return false, false
		}
		p.push(e)
		p.mode = inHead
		return false, true
	case inHead:
		switch e.name {
		case atom.Head:
			return false, true
		case atom.Noscript:
			if p.scripting() {
				return true, true
			}
			p.push(e)
			p.mode = inHeadNoscript
			return false, true
		}
		if raw, ok := p.startMetadata(e); ok {
			return raw, true
		}
		p.closeHead()
	case inHeadNoscript:
		switch e.name {
		case atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Noframes, atom.Style:
			return p.startMetadata(e)
		case atom.Head, atom.Noscript:
			return false, true
		}
		p.pop()
		p.mode = inHead
	case afterHead:
		switch e.name {
		case atom.Head:
			return false, true
		case atom.Body:
			p.push(e)
			p.mode = inBody
			return false, true
		case atom.Frameset:
			p.fail(Frameset)
			return false, true
		}
		if raw, ok := p.startMetadata(e); ok {
			return raw, true
		}
		p.openBody()
	}
	return false, false
}

// startMetadata processes a start tag of an element that may stand in the head wherever it stands. It returns false if it is another.
func (p *parser) startMetadata(e *element) (raw, ok bool) {
	switch e.name {
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta:
		return false, true // void
	case atom.Script, atom.Style, atom.Title, atom.Noframes:
		return true, true
	case atom.Template:
		for _, o := range p.open {
			if o.ns != htmlNS {
				// QUIRK: golang.org/x/net/html ignores the rest of such a document.
				p.fail(Template)
			}
		}
		p.push(e)
		p.mark()
		p.mode = inTemplate
		p.templates = append(p.templates, inTemplate)
		return false, true
	}
	return false, false
}

// startInTemplate processes a start tag by the rules for "in template".
func (p *parser) startInTemplate(e *element) (raw, done bool) {
	if raw, ok := p.startMetadata(e); ok {
		return raw, true
	}
	switch e.name {
	case atom.Caption, atom.Colgroup, atom.Tbody, atom.Tfoot, atom.Thead:
		p.mode = inTable
	case atom.Col:
		p.mode = inColumnGroup
	case atom.Tr:
		p.mode = inTableBody
	case atom.Td, atom.Th:
		p.mode = inRow
	default:
		p.mode = inBody
	}
	p.templates[len(p.templates)-1] = p.mode
	return false, false
}

// endTemplate processes the end tag of a template, in whatever mode.
func (p *parser) endTemplate() {
	if !p.inTemplates() {
		return
	}
	i := len(p.open) - 1
	for !p.open[i].isHTML(atom.Template) {
		p.steps++
		i--
	}
	p.cut(i)
	p.clearFormatting()
	p.templates = p.templates[:len(p.templates)-1]
	p.resetMode()
}

// endInHead processes an end tag by the rules for what comes before the body.
func (p *parser) endInHead(name atom.Atom) bool {
	if name == atom.Template && p.mode != inHeadNoscript {
		p.endTemplate()
		return true
	}
	leaves := name == atom.Body || name == atom.Html || name == atom.Br
	switch p.mode {
	case beforeHead:
		if leaves || name == atom.Head {
			p.openHead()
			return false
		}
	case inHead:
		if leaves || name == atom.Head {
			p.closeHead()
			return name == atom.Head
		}
	case inHeadNoscript:
		if name == atom.Noscript || name == atom.Br {
			p.pop()
			p.mode = inHead
			return name == atom.Noscript
		}
	case afterHead:
		if leaves {
			p.openBody()
			return false
		}
	}
	return true
}
