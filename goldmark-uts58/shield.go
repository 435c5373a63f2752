// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"reflect"
	"slices"
	"unicode/utf8"
	"unsafe"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine"
)

// A shield is an inline parser that makes plain text of what looks like a link, so that no other parser finds emphasis, quotes
// or emoji in it. It decides nothing: the transformer seeks links in the text that is there in the end.
type shield struct {
	*settings
	config *parser.Config // that it is in, or nil
	asked  bool           // it is asking the other parsers for their triggers
}

// shieldPriority is before emphasis, and behind code spans, links and raw HTML.
const shieldPriority = 450

// SetParserOption implements parser.Option: it puts the shield among the inline parsers, and a plainParser.
func (s *shield) SetParserOption(c *parser.Config) {
	s.config = c
	c.InlineParsers = append(c.InlineParsers, util.Prioritized(s, shieldPriority), util.Prioritized(&plainParser{shield: s}, plainParserPriority))
}

// everything is what a shield is triggered by that begins as early in a link as it can. Every link with a scheme has a colon, every other a dot
// before anything that has a meaning in Markdown, but for local parts, where nearly any punctuation may stand; and two
// hyphens in a host are a dash to the typographer.
const everything = ".:@-_*~'+=^$"

// Trigger implements parser.InlineParser. goldmark asks when all parsers are there, and looks into the text at every trigger that there is, which takes longer than all
// else: so it is only those of the parsers behind the shield, which there is nothing to do without. But if
// a parser before it may find something in the midst of a link, the shield has to begin before that.
func (s *shield) Trigger() []byte {
	if s.config == nil || s.asked {
		return []byte(everything)
	}
	s.asked = true
	defer func() { s.asked = false }()
	s.escapedSpace = s.config.EscapedSpace
	var triggers []byte
	in := false
	for i, v := range s.config.InlineParsers {
		switch v.Value.(type) {
		case *shield:
			in = in || v.Value == s
			continue
		case *plainParser:
			continue
		}
		p, ok := v.Value.(parser.InlineParser)
		if !ok {
			continue
		}
		if reflect.TypeOf(p) == linkifyType && v.Priority > shieldPriority {
			// goldmark asks it for its triggers later.
			s.config.InlineParsers[i].Value = linkify{p}
			continue
		}
		t := p.Trigger()
		for _, c := range t {
			switch {
			case !util.IsPunct(c) || bytes.IndexByte([]byte("[]<`"), c) >= 0 || c == '!' && bytes.IndexByte(t, '[') >= 0:
				// Not in a link, or a shield ends there anyway. In the midst of a text, goldmark looks for no trigger but punctuation and white space.
			case v.Priority <= shieldPriority:
				triggers = append(triggers, everything...)
			default:
				triggers = append(triggers, c)
			}
		}
	}
	if !in {
		return []byte(everything) // it is in another configuration
	}
	slices.Sort(triggers)
	return slices.Compact(triggers)
}

// A state is what the extension remembers while a document is parsed, in the parser's context.
type state struct {
	source      *byte         // the source
	end         int           // of the line that was looked at last
	start, stop int           // the word in it that links are of
	links       []engine.Span // in the source, in order
	next        int           // the first of links that the position is not behind
	steps       int           // bytes and delimiters looked at, for the tests of linear growth
	linkified   map[int]bool  // where in the source extension.Linkify would have made links
	hidden      int           // characters that may be delimiters in shields, for tests
	lines       int           // calls of the plainParser, for tests
	found       []engine.Link // in a word
	escaped     ast.Node      // the block in whose next line the first character is escaped, or nil
	arena       arena
}

var stateKey = parser.NewContextKey()

// stateOf returns the state in a context.
func stateOf(pc parser.Context) *state {
	st, _ := pc.Get(stateKey).(*state)
	if st == nil {
		st = &state{}
		pc.Set(stateKey, st)
	}
	return st
}

// done forgets the document: the context may be used for another one, in the same buffer.
func (st *state) done() {
	*st = state{links: st.links[:0], steps: st.steps, hidden: st.hidden, lines: st.lines}
}

// linkifyType is the type of the parser of extension.Linkify.
var linkifyType = reflect.TypeOf(extension.NewLinkifyParser())

// A linkify stands for the parser of extension.Linkify, which would take what is not in its links from other parsers: footnotes and code spans behind a URL. It makes no
// links, but remembers where that one would have: in inline nodes of other extensions, ours are only made there.
type linkify struct{ parser.InlineParser }

// SetOption implements parser.SetOptioner.
func (p linkify) SetOption(name parser.OptionName, value any) {
	if o, ok := p.InlineParser.(parser.SetOptioner); ok {
		o.SetOption(name, value)
	}
}

// Parse implements parser.InlineParser.
func (p linkify) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	last := parent.LastChild()
	stop := 0
	t, ok := last.(*ast.Text)
	if ok {
		stop = t.Segment.Stop
	}
	link, _ := p.InlineParser.Parse(parent, block, pc).(*ast.AutoLink)
	if link == nil {
		return nil
	}
	// It has appended the character before the link, or made the last text longer by it.
	if now := parent.LastChild(); now != last {
		parent.RemoveChild(parent, now)
	}
	if ok {
		t.Segment.Stop = stop
	}
	st := stateOf(pc)
	if st.linkified == nil {
		st.linkified = map[int]bool{}
	}
	label, source := link.Label(block.Source()), block.Source()
	st.linkified[cap(source)-cap(label)] = true
	return nil
}

// maxDelimiters is how many delimiters a shield looks back for one that could be closed in it.
const maxDelimiters = 64

// Parse implements parser.InlineParser.
func (s *shield) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, seg := block.PeekLine()
	if seg.Padding > 0 || line[0] == '.' && (len(line) == 1 || isTagSpace(line[1])) {
		return nil
	}
	st := stateOf(pc)
	if source := block.Source(); seg.Start < st.start || seg.Start >= st.stop || st.source != unsafe.SliceData(source) || st.end != seg.Stop {
		st.source, st.end = unsafe.SliceData(source), seg.Stop
		s.findWord(st, source, lineStart(parent, block, seg), seg.Start)
	}
	for st.next < len(st.links) && st.links[st.next].End <= seg.Start {
		st.next++
	}
	if st.next == len(st.links) || seg.Start <= st.links[st.next].Start {
		// A delimiter where a link begins may be emphasis round it.
		return nil
	}
	n := s.length(st, line, seg.Start, block, pc)
	if n == 0 {
		return nil
	}
	block.Advance(n)
	if last, ok := parent.LastChild().(*ast.Text); ok && last.Segment.Stop == seg.Start && !last.SoftLineBreak() && !last.HardLineBreak() && !last.IsRaw() {
		// It is appended anew: fewer nodes.
		last.Segment.Stop += n
		return last
	}
	return ast.NewTextSegment(text.NewSegment(seg.Start, seg.Start+n))
}

// lineStart returns where in the source the line begins that a reader of parent is in.
func lineStart(parent ast.Node, block text.Reader, seg text.Segment) int {
	if parent.Type() == ast.TypeInline {
		return seg.Start
	}
	lines := parent.Lines()
	if n, _ := block.Position(); 0 <= n && n < lines.Len() {
		if l := lines.At(n); l.Stop == seg.Stop && l.Start <= seg.Start {
			return l.Start
		}
	}
	return seg.Start
}

// findWord finds the links of the word around a place of the line that begins at line and ends at st.end. No link goes over white space, nor
// does it matter what is beyond.
func (s *shield) findWord(st *state, source []byte, line, at int) {
	start, stop, plain := at, at, true
	for start > line && !isTagSpace(source[start-1]) {
		start--
		plain = plain && !isSpecial(source[start])
	}
	for stop < st.end && !isTagSpace(source[stop]) {
		plain = plain && !isSpecial(source[stop])
		stop++
	}
	st.start, st.stop, st.links, st.next = start, stop, st.links[:0], 0
	st.steps += stop - start
	b := source[start:stop]
	c := content{text: view(b), base: start}
	if !mayHoldLink(c.text) && (plain || bytes.IndexByte(b, '&') < 0) {
		return
	}
	if !plain {
		if n := len(b) - len(bytes.TrimRight(b, `\`)); n%2 == 1 {
			b = b[:len(b)-1] // a hard line break, or not in a link either
		}
		if len(b) == 0 {
			return
		}
		c = contentOf(source, []segment{{Segment: text.NewSegment(start, start+len(b))}}, false, s.escapedSpace)
	}
	k := cursor{c: &c}
	st.found = s.find.AppendLinks(st.found[:0], c.text)
	for i := range st.found {
		l := &st.found[i]
		if suppressed(&c, l) {
			continue
		}
		from, _ := k.start(l.Start)
		to, _ := k.end(l.End)
		st.links = append(st.links, engine.Span{Start: from, End: to})
	}
}

// length returns how much of the beginning of line, which is at start in the source and in the next of the links, is shielded.
func (s *shield) length(st *state, line []byte, start int, block text.Reader, pc parser.Context) int {
	link := &st.links[st.next]
	n := min(link.End-start, len(line))
	openers := open{}
	if last := pc.LastDelimiter(); last != nil {
		openers = openersOf(last, st)
	}
	hidden := 0
	for i := 0; i < n; i++ {
		switch c := line[i]; c {
		case '\\':
			i++
			continue
		case '[', ']', '<', '`':
			// A link, a footnote, raw HTML, a code span: if it is none, the transformer takes it for text of the link again.
			return s.shielded(st, i, hidden)
		case '!':
			if i+1 < len(line) && line[i+1] == '[' {
				return s.shielded(st, i, hidden)
			}
		default:
			if isDelimiter(c) {
				hidden++
			}
			p := openers.of(c)
			if p == nil {
				continue
			}
			run := i + 1
			for run < n && line[run] == c {
				run++
			}
			if run < len(line) && isASCIIAlnum(line[run]) && openers.at(c) < link.Start {
				hidden += run - i - 1
				i = run - 1
				continue
			}
			before := block.PrecendingCharacter()
			if i > 0 {
				before, _ = utf8.DecodeLastRune(line[:i])
			}
			if d := parser.ScanDelimiter(line[i:], before, 1, p); d != nil && d.CanClose {
				// What follows is no longer in the link.
				link.End = start + i
				return s.shielded(st, i, hidden-1)
			}
			hidden += run - i - 1
			i = run - 1
		}
	}
	return s.shielded(st, n, hidden)
}

func (s *shield) shielded(st *state, n, hidden int) int {
	st.steps += n
	if n > 0 {
		st.hidden += hidden
	}
	return n
}

func isDelimiter(c byte) bool { return c == '*' || c == '_' || c == '~' }

func isASCIIAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// open are the delimiters that could still be closed, of which only the kinds matter.
type open struct {
	n    int
	kind [8]opener
}

// An opener is a run of delimiters that could be closed.
type opener struct {
	char   byte
	length int
	at     int // in the source
	by     parser.DelimiterProcessor
}

// of returns the processor of the open delimiters of a character, or nil.
func (o *open) of(c byte) parser.DelimiterProcessor {
	for _, k := range o.kind[:o.n] {
		if k.char == c {
			return k.by
		}
	}
	return nil
}

// at returns where the innermost open delimiters of a character are.
func (o *open) at(c byte) int {
	for _, k := range o.kind[:o.n] {
		if k.char == c {
			return k.at
		}
	}
	return -1
}

// openersOf returns the delimiters that are open behind last. Delimiters are matched at the end of the block; until then, those
// that have been closed are in the list.
func openersOf(last *parser.Delimiter, st *state) (o open) {
	first, n := last, 1
	for ; first.PreviousDelimiter != nil && n < maxDelimiters; n++ {
		first = first.PreviousDelimiter
	}
	st.steps += n
	var stack [maxDelimiters]opener
	top := 0
	for d := first; ; d = d.NextDelimiter {
		left := d.Length
		if d.CanClose {
			for i := top - 1; i >= 0 && left > 0; i-- {
				if stack[i].char != d.Char {
					continue
				}
				if stack[i].length > left {
					stack[i].length -= left
					top, left = i+1, 0
				} else {
					left -= stack[i].length
					top = i
				}
			}
		}
		if d.CanOpen && left > 0 {
			stack[top] = opener{d.Char, left, d.Segment.Start, d.Processor}
			top++
		}
		if d == last {
			break
		}
	}
	for i := top - 1; i >= 0 && o.n < len(o.kind); i-- {
		if o.of(stack[i].char) == nil {
			o.kind[o.n] = stack[i]
			o.n++
		}
	}
	return o
}
