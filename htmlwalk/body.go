// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// The insertion mode "in body": HTML §13.2.6.4.7.

func (p *parser) startInBody(e *element, t tagBits) (raw bool) {
	switch e.name {
	case atom.Html:
		p.mergeInto(0, e)
	case atom.Body:
		if len(p.open) > 1 && p.open[1].isHTML(atom.Body) {
			p.mergeInto(1, e)
		}
	case atom.Frameset:
		if !p.inTemplates() {
			p.fail(Frameset)
		}
	case atom.Caption, atom.Col, atom.Colgroup, atom.Frame, atom.Head, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr:
		// Ignored.
	case atom.Base, atom.Basefont, atom.Bgsound, atom.Link, atom.Meta, atom.Script, atom.Style, atom.Title, atom.Noframes, atom.Template:
		raw, _ = p.startMetadata(e)
		return raw
	case atom.Param, atom.Source, atom.Track:
		// Void.
	case atom.Textarea, atom.Noembed, atom.Iframe:
		// Raw text: closed before the next tag that is for us.
		return true
	case atom.Noscript:
		if p.scripting() {
			return true
		}
		p.reconstruct()
		p.push(e)
	case atom.Xmp:
		p.popUntil(inButtonScope, atom.P)
		p.reconstruct()
		return true
	case atom.Plaintext:
		p.fail(Plaintext)
	case atom.Area, atom.Br, atom.Embed, atom.Img, atom.Image, atom.Keygen, atom.Wbr:
		p.reconstruct()
	case atom.Input:
		p.popUntil(inScope, atom.Select)
		p.reconstruct()
	case atom.Hr:
		p.popUntil(inButtonScope, atom.P)
		if p.has(inScope, atom.Select) {
			p.closeImplied(0)
		}
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl,
		atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Main, atom.Menu, atom.Nav, atom.Ol,
		atom.P, atom.Search, atom.Section, atom.Summary, atom.Ul, atom.Pre, atom.Listing:
		p.popUntil(inButtonScope, atom.P)
		p.push(e)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		p.popUntil(inButtonScope, atom.P)
		if p.top().kind&isHeading != 0 {
			p.pop()
		}
		p.push(e)
	case atom.Form:
		if p.form != nil && !p.inTemplates() {
			return false
		}
		p.popUntil(inButtonScope, atom.P)
		p.push(e)
		if !p.inTemplates() {
			p.form = e
		}
	case atom.Li:
		p.closeItem(atom.Li, atom.Li)
		p.push(e)
	case atom.Dd, atom.Dt:
		p.closeItem(atom.Dd, atom.Dt)
		p.push(e)
	case atom.Button:
		p.popUntil(inScope, atom.Button)
		p.reconstruct()
		p.push(e)
	case atom.A:
		if i := p.lastActive(atom.A); i >= 0 {
			old := p.formatting[i]
			p.endFormatting(atom.A)
			p.remove(old)
			p.deactivate(old)
		}
		p.reconstruct()
		p.pushFormatting(e)
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		p.reconstruct()
		p.pushFormatting(e)
	case atom.Nobr:
		p.reconstruct()
		if p.has(inScope, atom.Nobr) {
			p.endFormatting(atom.Nobr)
			p.reconstruct()
		}
		p.pushFormatting(e)
	case atom.Applet, atom.Marquee, atom.Object:
		p.reconstruct()
		p.push(e)
		p.mark()
	case atom.Table:
		if p.noQuirks {
			p.popUntil(inButtonScope, atom.P)
		}
		p.push(e)
		p.mode = inTable
	case atom.Select:
		if p.popUntil(inScope, atom.Select) {
			return false
		}
		p.reconstruct()
		p.push(e)
		if p.oldSelect() {
			switch p.mode {
			case inTable, inCaption, inTableBody, inRow, inCell:
				p.mode = inSelectInTable
			default:
				p.mode = inSelect
			}
		}
	case atom.Option, atom.Optgroup:
		if p.has(inScope, atom.Select) {
			except := atom.Atom(0)
			if e.name == atom.Option {
				except = atom.Optgroup
			}
			p.closeImplied(except)
		} else if p.top().isHTML(atom.Option) {
			p.pop()
		}
		p.reconstruct()
		p.push(e)
	case atom.Rb, atom.Rtc:
		if p.has(inScope, atom.Ruby) {
			p.closeImplied(0)
		}
		p.push(e)
	case atom.Rp, atom.Rt:
		if p.has(inScope, atom.Ruby) {
			p.closeImplied(atom.Rtc)
		}
		p.push(e)
	case atom.Svg:
		p.reconstruct()
		p.insertForeign(e, svgNS, t)
	case atom.Math:
		p.reconstruct()
		p.insertForeign(e, mathNS, t)
	default:
		p.reconstruct()
		p.push(e)
	}
	return false
}

// closeItem closes the list item that a new one with the name a or b ends, and an open p.
func (p *parser) closeItem(a, b atom.Atom) {
	search := false
	for i := len(p.open) - 1; i > 0; i-- {
		p.steps++
		e := p.open[i]
		if e.isHTML(a) || e.isHTML(b) {
			if search {
				p.fail(Misnested)
			} else {
				p.cut(i)
			}
			break
		}
		if e.isHTML(atom.Search) {
			// QUIRK: it is not special to golang.org/x/net/html.
			search = true
			continue
		}
		if e.kind&special != 0 && !e.isHTML(atom.Address) && !e.isHTML(atom.Div) && !e.isHTML(atom.P) {
			break
		}
	}
	p.popUntil(inButtonScope, atom.P)
}

// deactivate takes e off the list of active formatting elements.
func (p *parser) deactivate(e *element) {
	for i := len(p.formatting) - 1; i >= 0; i-- {
		p.steps++
		if p.formatting[i] == e {
			p.formatting = append(p.formatting[:i], p.formatting[i+1:]...)
			return
		}
	}
}

func (p *parser) endInBody(name atom.Atom, other string) {
	switch name {
	case atom.Body, atom.Html:
		// They leave all elements open.
	case atom.Template:
		p.endTemplate()
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Button, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div,
		atom.Dl, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Header, atom.Hgroup, atom.Listing, atom.Main, atom.Menu,
		atom.Nav, atom.Ol, atom.Pre, atom.Search, atom.Section, atom.Select, atom.Summary, atom.Ul, atom.Dd, atom.Dt:
		p.popUntil(inScope, name)
	case atom.Form:
		if p.inTemplates() {
			p.endTemplateForm()
			return
		}
		form := p.form
		p.form = nil
		if i := p.find(inScope, atom.Form); form == nil || i < 0 || p.open[i] != form {
			return
		}
		p.closeImplied(0)
		p.remove(form)
	case atom.P:
		if !p.popUntil(inButtonScope, atom.P) {
			p.popForeign() // an empty p is made
		}
	case atom.Li:
		p.popUntil(inListItemScope, atom.Li)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		a := p.findAny(inScope, atom.H1, atom.H2, atom.H3)
		if i := max(a, p.findAny(inScope, atom.H4, atom.H5, atom.H6)); i >= 0 {
			p.cut(i)
		}
	case atom.Applet, atom.Marquee, atom.Object:
		if p.popUntil(inScope, name) {
			p.clearFormatting()
		}
	case atom.Br:
		p.popForeign()
		p.reconstruct() // </br> is a br
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		p.endFormatting(name)
	default:
		p.endOther(name, other)
	}
}

// endTemplateForm processes the end tag of a form in a template.
func (p *parser) endTemplateForm() {
	i := p.find(inScope, atom.Form)
	if i < 0 {
		return
	}
	p.closeImplied(0)
	if i < len(p.open) && p.open[i].isHTML(atom.Form) {
		p.cut(i)
	}
}

// endOther processes "any other end tag".
func (p *parser) endOther(name atom.Atom, other string) {
	search := false
	for i := len(p.open) - 1; i > 0; i-- {
		p.steps++
		e := p.open[i]
		if e.is(name, other) {
			if search {
				p.fail(Misnested)
			} else {
				p.cut(i)
			}
			return
		}
		if e.isHTML(atom.Search) {
			// QUIRK: it is not special to golang.org/x/net/html.
			search = true
		} else if e.kind&special != 0 {
			return
		}
	}
}
