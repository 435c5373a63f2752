// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Not all parsers build the same tree: with scripting on (browsers) a noscript holds raw text, with scripting off (mail programs,
// crawlers) markup; and parsers from before 2025 ignore most tags in a select. A profile is one of these four; profiles is a set of them.
//
// The walker follows each. Where two come to different states, it forks a parser, and puts the two together again once they are in
// the same state. A link is made where it may be made by all of them; where they do not agree on what is text and what is markup,
// the rest is copied.
type profiles uint8

const (
	scriptingOn  profiles = 0b0011
	formerSelect profiles = 0b0101
	newSelect    profiles = 0b1010
	everyProfile profiles = 0b1111
)

// scripting reports whether the parser has scripting on.
func (p *parser) scripting() bool { return p.profiles&scriptingOn != 0 }

// oldSelect reports whether the parser is one from before 2025.
func (p *parser) oldSelect() bool { return p.profiles&formerSelect != 0 }

// fork gives the profiles of a set parsers of their own.
func (w *walker) fork(set profiles) {
	for _, p := range w.parsers {
		if in := p.profiles & set; in != 0 && in != p.profiles {
			q := p.clone(w.freeBit())
			p.profiles, q.profiles = in, p.profiles&^set
			w.parsers = append(w.parsers, q)
		}
	}
}

// freeBit returns a bit that no parser has.
func (w *walker) freeBit() uint8 {
	var taken uint8
	for _, p := range w.parsers {
		taken |= p.bit
	}
	return ^taken & (taken + 1)
}

// join puts parsers together that are in the same state.
func (w *walker) join() {
	for i := 0; i < len(w.parsers); i++ {
		for k := len(w.parsers) - 1; k > i; k-- {
			p, q := w.parsers[i], w.parsers[k]
			if p.same(q) {
				p.profiles |= q.profiles
				p.steps += q.steps
				q.leave()
				w.parsers = append(w.parsers[:k], w.parsers[k+1:]...)
			}
		}
	}
}

// startIn has parsers process a start tag. It reports whether those of them that have scripting on, if it is a noscript, read raw text.
func startIn(parsers []*parser, e *element, t tagBits) (raw bool, reason Reason) {
	name, kind, asked := e.name, e.kind, false
	if len(parsers) == 1 && name != atom.Noscript {
		p := parsers[0]
		raw = p.start(e, t)
		return raw && p.reason == NotCopied, p.reason
	}
	for i, p := range parsers {
		one := e
		if i > 0 {
			// An element is changed only until it is open: each parser has its own.
			other := *e
			other.ns, other.kind = htmlNS, kind
			one = &other
		}
		r := p.start(one, t)
		if p.reason != NotCopied {
			return false, p.reason
		}
		if name == atom.Noscript && !p.scripting() {
			continue
		}
		if asked && r != raw {
			return false, Select
		}
		raw, asked = r, true
	}
	return raw, NotCopied
}

// endIn has parsers process an end tag.
func endIn(parsers []*parser, name atom.Atom, more *more) Reason {
	other := ""
	if more != nil {
		other = more.other
	}
	for _, p := range parsers {
		if p.end(name, other); p.reason != NotCopied {
			return p.reason
		}
	}
	return NotCopied
}

const (
	cdataStart = "<![CDATA["
	cdataEnd   = "]]>"
)

// textTo has parsers process a text of a kind, which is neither raw text nor a CDATA section. The token before it opened an element, unless that is nil.
func textTo(parsers []*parser, raw []byte, k textKind, nul bool, opened *element) Reason {
	newline := k == blank && (len(raw) == 1 && (raw[0] == '\n' || raw[0] == '\r') || string(raw) == "\r\n")
	afterPre := opened != nil && (opened.name == atom.Pre || opened.name == atom.Listing)
	for _, p := range parsers {
		if p.text(k, nul, newline, afterPre); p.reason != NotCopied {
			return p.reason
		}
	}
	return NotCopied
}

// cdataTo does the same for a CDATA section.
func cdataTo(parsers []*parser, raw []byte, opened *element) Reason {
	content := bytes.TrimSuffix(bytes.TrimPrefix(raw, []byte(cdataStart)), []byte(cdataEnd))
	k := solid
	switch {
	case bytes.IndexByte(content, 0) >= 0:
		// QUIRK: golang.org/x/net/html replaces what browsers drop at an integration point.
		return CDATA
	case len(content) == 0:
		k = absent
	case len(bytes.Trim(content, space)) == 0:
		k = blank
	}
	return textTo(parsers, raw, k, false, opened)
}

func allForeign(parsers []*parser) bool {
	for _, p := range parsers {
		if p.top().ns == htmlNS {
			return false
		}
	}
	return true
}

func anyForeign(parsers []*parser) bool {
	for _, p := range parsers {
		if p.top().ns != htmlNS {
			return true
		}
	}
	return false
}

// allowCDATA tells the tokenizer whether there are CDATA sections: in foreign content only.
func (w *walker) allowCDATA() {
	if is := w.parsers[0].top().ns != htmlNS && allForeign(w.parsers); is != w.cdata {
		w.cdata = is
		w.z.AllowCDATA(is)
	}
}

// endNoscript ends a noscript with a tag. The parsers without scripting read what is in it.
func (w *walker) endNoscript(tag []byte) Reason {
	start := len(w.noscript)
	w.noscript = append(w.noscript, tag...)
	reason := w.markup(w.noscript, start)
	w.join()
	w.allowCDATA()
	return reason
}

// withoutScripting returns the parsers that have scripting off.
func (w *walker) withoutScripting() []*parser {
	var parsers []*parser
	for _, p := range w.parsers {
		if !p.scripting() {
			parsers = append(parsers, p)
		}
	}
	return parsers
}

// markup has the parsers without scripting process a piece of markup, which ends with an end tag that begins at an offset: or else
// where they are behind it is not known.
func (w *walker) markup(markup []byte, last int) Reason {
	parsers := w.withoutScripting()
	z := w.tokensOf(markup)
	var rawText atom.Atom
	var opened *element
	for at := 0; ; {
		foreign := allForeign(parsers)
		z.AllowCDATA(foreign)
		tt := z.Next(0)
		raw := z.Raw()
		begin := at
		at += len(raw)
		before := opened
		opened = nil
		reason := NotCopied
		switch tt {
		case html.ErrorToken:
			return Noscript
		case html.TextToken:
			if rawText == 0 && bytes.HasPrefix(raw, []byte(cdataStart)) {
				reason = CDATA
				if !w.maySplit(raw) {
					reason = cdataTo(parsers, raw, before)
				}
			} else if rawText == 0 {
				k, nul := classify(raw)
				reason = textTo(parsers, raw, k, nul, before)
			} else if rawText == atom.Script && hidesScript(raw) {
				reason = ScriptInner
			}
		case html.CommentToken:
			if !foreign && bytes.HasPrefix(raw, []byte(cdataStart)) && anyForeign(parsers) {
				reason = CDATA
			}
		case html.EndTagToken:
			if rawText == 0 {
				end, _ := z.tag()
				name, _, more := w.tagName(raw, len("</"), end)
				if w.legacyName(more) {
					return Charset
				}
				reason = endIn(parsers, name, more)
			}
			rawText = 0
			if reason == NotCopied && begin == last && at == len(markup) {
				return NotCopied
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			e, bits := w.element(z, tt, raw, parsers)
			if w.legacyName(e.more) {
				return Charset
			}
			if e.name == atom.Select {
				w.fork(newSelect)
				parsers = w.withoutScripting()
			}
			raws := e.kind&rawContent != 0
			var is bool
			if is, reason = startIn(parsers, e, bits); is {
				rawText = e.name
			} else if raws {
				z.NextIsNotRawText()
			}
			if parsers[0].top() == e {
				opened = e
			}
			w.seeDirection(e)
		}
		if reason != NotCopied {
			return reason
		}
	}
}
