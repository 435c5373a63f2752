// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Nearly all tokens of a page are texts without a link, and tags of ordinary elements that stand where they should. The walker skims over these: it
// reads the buffer of its scanner itself, does what each such token does, and writes them together. At the first token that is something else, or that
// the buffer does not hold, it stops: that one is scanned and processed as the rules say. What skimming does must be what the
// rules do: FuzzWalk and TestWalks compare.

// maySkim reports whether the walker is in a state in which it may skim.
func (w *walker) maySkim() bool {
	p := w.root
	return w.place == inTheBody && len(w.parsers) == 1 && w.parsers[0] == p && w.rawText == 0 && w.quick.rawTag == "" && len(w.pending.raw) == 0 &&
		!p.inTemplates() && p.mode >= inBody && p.mode <= inCell && p.mode != inColumnGroup && p.top().ns == htmlNS &&
		w.legacy == nil && (!w.in.escapes || w.isUTF8) && w.out.err == nil
}

// Where the last text is that the next may follow directly, if not in the buffer.
const (
	noText    = -1 // there is none
	keptAside = -2 // w.before has its last character, if that matters
)

// skim goes on over tokens, up to one that it leaves to the scanner, which is then at the end of the token before. It returns why the document
// cannot be followed further; then the scanner is at the token where that is so.
func (w *walker) skim() Reason {
	z, p := w.quick, w.root
	b := z.buf
	if len(b)-z.end >= z.max {
		b = b[:z.end+z.max-1] // no token in it is too long
	}
	begin := z.end                  // of the token that is being looked at
	from := begin                   // what is before it is written
	base := w.offset - int64(begin) // of the buffer in the input
	opened := w.opened              // the element that the last token opened, or nil
	last, lastEnd := keptAside, 0   // the last text
	selecting := len(w.selection.skip)+len(w.selection.linkIn) > 0
	reason := NotCopied
	trace := w.trace

tokens:
	for {
		i := begin
		// A text.
		linkable, beyond, first := false, false, 0
	text:
		for {
			if i+10 > len(b) {
				break tokens
			}
			x := binary.LittleEndian.Uint64(b[i:])
			// "&" and "." differ in a bit.
			found := (x | hasByte(x, '<') | hasByte(x|0x08*lowBits, '.') | hasByte(x, ':') | hasByte(x, '@')) & highBits
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
			if i+2 >= len(b) {
				break tokens
			}
			switch c := b[i]; {
			case c == '<':
				if beginsMarkup(b[i+1]) {
					break text
				}
				i++
				continue
			case c == '.':
				next := i + 1
				for isDigit(b[next]) {
					if next++; next+1 >= len(b) {
						break tokens
					}
				}
				// As in couldHoldLink.
				switch d := b[next]; {
				case isTagSpace(d), next == i+1 && endsSentence(b[next:]), next > i+1 && strings.IndexByte(behindNumber, d) >= 0, d == '<' && beginsMarkup(b[next+1]):
					i = next
					continue
				}
			case c == ':' && isTagSpace(b[i+1]):
				i++
				continue
			case c == '&':
				if n := commonReference(bytesView(b[i:])); n > 0 {
					i += n
					continue
				}
			case c >= utf8.RuneSelf && w.own && !w.o.WrapFileNames:
				// No link is made of such bytes alone, but for the other dots of IDNA.
				beyond = true
				dot := false
				if i, dot = passBeyond(b, i); !dot {
					continue
				}
			}
			linkable, first = true, i-begin
			for {
				n := bytes.IndexByte(b[i:], '<')
				if n < 0 || i+n+2 >= len(b) {
					break tokens
				}
				if i += n; beginsMarkup(b[i+1]) {
					break text
				}
				i++
			}
		}
		c := b[i+1]
		if i > begin {
			if c|0x20 == 'w' || c == '/' && b[i+2]|0x20 == 'w' {
				break // perhaps it goes on behind a wbr
			}
			if c := b[begin]; c <= ' ' || c == '&' {
				kind, nul := classify(b[begin:i])
				if kind != solid {
					top := p.top()
					if nul || kind == absent || (top.name == atom.Pre || top.name == atom.Listing) && p.dormant() {
						break
					}
					if p.inFlow() || top.kind&isTable == 0 {
						p.reconstruct()
					}
					if p.reason != NotCopied {
						z.start, z.end = begin, i
						reason = p.reason
						break
					}
					if trace != nil {
						trace(html.TextToken, base+int64(i))
					}
					last, opened = noText, nil
					goto tag
				}
			}
			around := linkable && opened != nil && c == '/'
			if around {
				if n, _ := z.scanTag(b[i:], len("</")); n < 0 {
					break
				}
			}
			if p.dormant() {
				if p.reconstruct(); p.reason != NotCopied {
					z.start, z.end = begin, i
					reason = p.reason
					break
				}
			}
			if linkable || w.autos || beyond && w.blocks {
				// Before anything that may settle what is held back, the output has all that is before.
				w.out.Write(b[from:begin])
				from = begin
			}
			if linkable {
				w.aside(b, last, lastEnd)
				run := &w.pending
				run.raw, run.offset, run.opened, run.first = b[begin:i:i], base+int64(begin), opened, first
				run.before = append(run.before[:0], w.before...)
				tt := html.StartTagToken
				if c == '/' {
					tt = html.EndTagToken
				}
				w.writePending(true, tt, b[i:])
				from = i
				if w.full {
					z.start, z.end = i, i
					return LinkLimit
				}
				w.clearRun()
			} else if w.autos {
				w.seeRun(b[begin:i])
			} else if beyond && w.blocks && mayBeRightToLeft(b[begin:i]) {
				w.seeText(bytesView(b[begin:i]))
			}
			if trace != nil {
				trace(html.TextToken, base+int64(i))
			}
			last, lastEnd, opened = begin, i, nil
			begin = i
		}
	tag:
		begin = i
		at, isEnd := i+1, false
		switch c {
		case '/':
			at, isEnd = i+2, true
		case '!', '?':
			// A comment, or what is read as one: nothing is foreign, and the doctype is behind.
			if i+len("<!doctype") >= len(b) {
				break tokens
			}
			var n int
			var tt html.TokenType
			if c == '!' {
				tt, n = z.scanDeclaration(b[i:], false)
			} else {
				tt, n = scanComment(b[i:], false)
			}
			if n < 0 {
				break tokens
			}
			if trace != nil {
				trace(tt, base+int64(i+n))
			}
			begin, opened = i+n, nil
			continue
		}
		if at+9 > len(b) || !isLetter(b[at]) {
			break
		}
		const bit6 = 0x40 * lowBits
		name := binary.LittleEndian.Uint64(b[at:])
		n := bits.TrailingZeros64(^name&bit6) / 8 // of a letter, bit 6 is set
		if n < 8 && isDigit(b[at+n]) {
			n++
		}
		end := b[at+n]
		if inTag[end]&endsName == 0 {
			break
		}
		mask := ^uint64(0) >> (64 - 8*n)
		key := name&mask | 0x20*lowBits&mask
		t := &w.known[hashOf(key)]
		if t.key != key || t.does == otherwise {
			break
		}
		to, notable, lastNotable := at+n+1, 0, 0
		if end != '>' {
			if to, _, notable, lastNotable = skipAttributes(b, at+n); to < 0 {
				break
			}
		}
		if t.element.kind&blockLevel != 0 && (w.block != block{} || w.out.holding()) {
			w.out.Write(b[from:begin])
			from = begin
			w.out.settle(w.block.rtl)
			w.block = block{}
		}
		if t.element.kind&phrasing == 0 {
			last = noText
		}

		if isEnd {
			w.quickEnd(t)
			opened = nil
		} else {
			if len(p.open)+4 > p.limit {
				break
			}
			if t.does == void {
				if !p.inFlow() {
					break
				}
				p.reconstruct()
				opened = nil
			} else {
				e := w.pool.take()
				*e = t.element
				if notable > 0 && (notable != lastNotable || !isIdleRole(b[notable:to])) {
					if _, ok := e.attributesOf(b[begin:to], notable-begin, lastNotable-begin); !ok {
						w.pool.put(e)
						break
					}
					w.seeDirection(e)
				}
				if selecting {
					w.selection.apply(e, b[begin:to], at+n-begin)
				}
				if t.element.kind&formatting != 0 && t.does != anchors && end != '>' {
					e.more = w.moreOf(b[at+n : to])
				}
				w.quickStart(t, e)
				if opened = nil; p.top() == e {
					opened = e
				} else if !e.kept {
					w.pool.put(e)
				}
			}
		}
		if trace != nil {
			tt := html.EndTagToken
			if !isEnd {
				tt, _ = z.scan(b[begin:to], true)
				z.rawTag = ""
			}
			trace(tt, base+int64(to))
		}
		if p.reason != NotCopied {
			z.start, z.end = begin, to
			begin = to
			reason = p.reason
			break
		}
		begin = to
		if p.top().ns != htmlNS {
			break
		}
	}

	if reason == NotCopied {
		z.start, z.end = begin, begin
	}
	w.offset = base + int64(z.start)
	w.out.Write(b[from:z.end])
	w.aside(b, last, lastEnd)
	w.opened = opened
	w.allowCDATA()
	return reason
}

// aside puts the last character of a text of the buffer aside, which ends at an offset.
func (w *walker) aside(b []byte, last, end int) {
	switch {
	case last == keptAside:
		return
	case last == noText:
		w.before = w.before[:0]
		return
	}
	for b[end-1] == 0 {
		end--
	}
	w.before = appendLastCharacter(w.before[:0], b[last:end])
}

// beginsMarkup reports whether "<" and a byte begin markup.
func beginsMarkup(c byte) bool { return isLetter(c) || c == '/' || c == '!' || c == '?' }

// passBeyond goes on, from a byte beyond ASCII, over bytes of a text none of which makes a link. It returns where
// it ends, and whether a dot of IDNA beyond ASCII may begin there.
func passBeyond(b []byte, i int) (end int, dot bool) {
	for i+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[i:])
		found := (hasByte(x, '<') | hasByte(x|0x08*lowBits, '.') | hasByte(x, ':') | hasByte(x, '@') | hasByte(x, 0xe3) | hasByte(x, 0xef)) & highBits
		if found == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(found) / 8
		switch b[i] {
		case 0xe3, 0xef:
			if i+2 < len(b) && !isIdeographicDot(b[i:]) {
				i++
				continue
			}
			return i, true
		}
		break
	}
	return i, false
}

// isIdeographicDot reports whether b begins with U+3002, U+FF0E or U+FF61.
func isIdeographicDot(b []byte) bool {
	return b[0] == 0xe3 && b[1] == 0x80 && b[2] == 0x82 || b[0] == 0xef && (b[1] == 0xbc && b[2] == 0x8e || b[1] == 0xbd && b[2] == 0xa1)
}

// mayBeRightToLeft reports whether there may be a character in the text that is of class R or AL, or begins right-to-left text: by the first bytes of its
// characters.
func mayBeRightToLeft(b []byte) bool {
	const (
		low7   = 0x7f * lowBits
		beyond = (0x80 - 0xd6&0x7f) * lowBits
	)
	for i := 0; i < len(b); i++ {
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:])
			if found := (x&low7 + beyond) & x & highBits; found != 0 { // bytes from 0xd6 on
				i += bits.TrailingZeros64(found) / 8
				break
			}
			i += 8
		}
		if i+2 >= len(b) {
			return len(b) > 0 && slices.Max(b[min(i, len(b)-1):]) >= 0xd6
		}
		next := b[i+1]
		switch c := b[i]; {
		case c < 0xd6, c > 0xf0:
		case c < 0xe0, c == 0xe0 && next < 0xa4, // U+0580 to 08FF
			c == 0xe2 && next == 0x80 && b[i+2] >= 0xa8 && b[i+2] <= 0xaf, c == 0xe2 && next == 0x81, // U+2028 to 202F, 2040 to 207F
			c == 0xef && next >= 0xac && next <= 0xbb,   // U+FB00 to FEFF
			c == 0xf0 && (next == 0x90 || next == 0x9e): // U+10000 to 10FFF, 1E000 to 1EFFF
			return true
		case c == 0xe2 && next == 0x80 && b[i+2] == 0x8f: // U+200F
			return true
		}
	}
	return false
}

// isIdleRole reports whether the attribute that rest of a tag begins with is a role that is neither button nor link.
func isIdleRole(rest []byte) bool {
	const begin = `role="`
	if !bytes.HasPrefix(rest, []byte(begin)) {
		return false
	}
	for _, c := range rest[len(begin):] {
		switch {
		case c == '"':
			return true
		case c|0x20 == 'b', c|0x20 == 'l', c == '&':
			return false
		}
	}
	return false
}

// inFlow reports whether the insertion mode is one in which actions are what the rules for the body say.
func (p *parser) inFlow() bool { return p.mode == inBody || p.mode == inCell || p.mode == inCaption }

// quickStart does what a start tag with an action makes the only parser do, which is not in foreign content.
func (w *walker) quickStart(t *knownTag, e *element) {
	p := w.root
	switch t.does {
	case plain:
		if p.inFlow() {
			if p.dormant() {
				p.reconstruct()
			}
			p.push(e)
			return
		}
	case formats:
		if p.inFlow() {
			if p.dormant() {
				p.reconstruct()
			}
			p.pushFormatting(e)
			return
		}
	case anchors:
		w.made++
		if p.inFlow() && p.lastActive(atom.A) < 0 {
			p.reconstruct()
			p.pushFormatting(e)
			return
		}
	case blocks:
		if p.inFlow() {
			p.closeP()
			p.push(e)
			return
		}
	case headings:
		if p.inFlow() {
			p.closeP()
			if p.top().kind&isHeading != 0 {
				p.pop()
			}
			p.push(e)
			return
		}
	case items:
		if p.inFlow() {
			if e.name == atom.Li {
				p.closeItem(atom.Li, atom.Li)
			} else {
				p.closeItem(atom.Dd, atom.Dt)
			}
			p.push(e)
			return
		}
	case cells:
		if p.mode == inCell && p.top().kind&isCell != 0 {
			p.cutTop()
			p.clearFormatting()
			p.mode = inRow
		}
		if p.mode == inRow && p.top().name == atom.Tr {
			p.push(e)
			p.mark()
			p.mode = inCell
			return
		}
	case rows:
		if p.mode == inTable && p.top().name == atom.Table {
			p.implyElement(atom.Tbody)
			p.mode = inTableBody
		}
		if p.mode == inTableBody && p.top().kind&isTable != 0 && p.top().name != atom.Table {
			p.push(e)
			p.mode = inRow
			return
		}
	case tables:
		if p.inFlow() {
			if p.noQuirks {
				p.closeP()
			}
			p.push(e)
			p.mode = inTable
			return
		}
	}
	p.start(e, 0)
}

// quickEnd does what an end tag with an action makes the only parser do, which is not in foreign content.
func (w *walker) quickEnd(t *knownTag) {
	p := w.root
	if top := p.top(); top.name == t.element.name && top.ns == htmlNS {
		switch {
		case !p.inFlow():
		case t.does == formats || t.does == anchors:
			n := len(p.formatting)
			if n > 0 && p.formatting[n-1] == top {
				p.formatting = p.formatting[:n-1]
				p.cutTop()
				p.pool.add(top)
				return
			}
		case t.does == cells && p.mode == inCell:
			p.cutTop()
			p.clearFormatting()
			p.mode = inRow
			return
		case t.does >= plain && t.does <= items:
			p.cutTop()
			return
		}
	}
	// A table with nothing open but a cell.
	if n := len(p.open) - 4; t.element.name == atom.Table && p.mode == inCell && n > 0 && p.open[n].isHTML(atom.Table) && p.open[n+1].kind&isTable != 0 && p.open[n+1].name != atom.Table &&
		p.open[n+2].name == atom.Tr && p.open[n+3].kind&isCell != 0 {
		p.cut(n)
		p.clearFormatting()
		p.resetMode()
		return
	}
	p.end(t.element.name, "")
}

// cutTop removes the top element, which is not html, of the only parser.
func (p *parser) cutTop() {
	n := len(p.open) - 1
	if p.open[n-1].kind&ghost != 0 {
		p.cut(n)
		return
	}
	e := p.open[n]
	e.open &^= p.bit
	p.pool.put(e)
	p.open = p.open[:n]
	p.shrunk()
}

// closeP closes an open p that is in button scope.
func (p *parser) closeP() {
	for i := len(p.open) - 1; i >= 0; i-- {
		e := p.open[i]
		if e.name == atom.P && e.ns == htmlNS {
			p.steps += len(p.open) - i
			p.cut(i)
			return
		}
		if e.kind&kind(inButtonScope) != 0 {
			p.steps += len(p.open) - i
			return
		}
	}
}
