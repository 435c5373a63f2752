// SPDX-License-Identifier: MIT

package uts58

import (
	"math"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A plainParser is an inline parser that does what goldmark's loop over a line does, in less time: that one looks up each byte twice. From what begins a line, or is behind
// another node, it looks for the next byte that another parser may want, calls those parsers there, and goes on if they refuse, to the end of the line. It makes the texts that
// goldmark would. It comes behind all others, and goldmark never calls it amid a text.
type plainParser struct {
	shield *shield
	others [0x80][]parser.InlineParser // by trigger, in goldmark's order
	wanted [256]byte                   // 1 for what is in others, and for a backslash
	asked  bool                        // it is asking the other parsers for their triggers
}

// plainParserPriority is behind all others.
const plainParserPriority = math.MaxInt

// Trigger implements parser.InlineParser. goldmark asks when all parsers are there, and in order. Of triggers, it knows punctuation and the blank, which stands for
// all white space and for what else begins a line; it never looks for another. If a blank is a trigger of another parser, or a backslash, this one has none: what is said of backslashes below would not hold.
func (p *plainParser) Trigger() []byte {
	if p.shield.config == nil || p.asked {
		return nil
	}
	p.asked = true
	defer func() { p.asked = false }()
	p.others, p.wanted = [0x80][]parser.InlineParser{}, [256]byte{}
	in := false
	for _, v := range p.shield.config.InlineParsers {
		other, ok := v.Value.(parser.InlineParser)
		if _, another := v.Value.(*plainParser); !ok || another {
			in = in || v.Value == p
			continue
		}
		if v.Priority == plainParserPriority {
			return nil
		}
		for _, c := range other.Trigger() {
			if c == ' ' || c == '\\' {
				return nil
			}
			if util.IsPunct(c) {
				p.others[c] = append(p.others[c], other)
				p.wanted[c] = 1
			}
		}
	}
	if !in {
		return nil // it is in another configuration
	}
	p.wanted['\\'] = 1
	triggers := []byte{' '} // which stands for all that is not punctuation
	for c := byte(0); c < 0x80; c++ {
		if util.IsPunct(c) {
			triggers = append(triggers, c)
		}
	}
	return triggers
}

// Parse implements parser.InlineParser.
func (p *plainParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, seg := block.PeekLine()
	newline := line[len(line)-1] == '\n'
	if !newline && (parent.Type() == ast.TypeInline || parent.Lines().At(parent.Lines().Len()-1).Stop > seg.Stop) {
		return nil // QUIRK: goldmark loses what is at the end of a line without an end, if it is not the last.
	}
	end, hard, visible := breakOf(line)
	stop := end // of what there is to look at
	if newline && end == len(line) {
		stop--
	}
	st := stateOf(pc)
	st.lines++
	i := 0
	switch {
	case seg.Padding > 0:
		i = seg.Padding
	case st.escaped == parent || line[0] != '\\':
		i = 1 // the others have seen it
	}
	if st.escaped != nil {
		st.escaped = nil
	}
	start, at := seg, 0 // where the last text begins, and its offset in the line
	for i < stop {
		st.steps -= i
		i += nextWanted(line[i:stop], &p.wanted)
		st.steps += i
		if i >= stop {
			break
		}
		if line[i] == '\\' {
			i += 2
			continue
		}
		block.Advance(i - at)
		number, pos := block.Position()
		appendText(parent, st, start.Between(pos))
		start, at = pos, i
		for _, other := range p.others[line[i]] {
			if n := other.Parse(parent, block, pc); n != nil {
				if n.Pos() < 0 {
					n.(interface{ SetPos(int) }).SetPos(pos.Start)
				}
				return n
			}
			block.SetPosition(number, pos)
		}
		i++
	}
	if i > stop {
		st.escaped = parent // QUIRK: a backslash before the line break escapes what begins the next line.
	}
	t := st.arena.texts.next()
	t.Segment = text.NewSegmentPadding(start.Start, seg.Start+stop-seg.Padding, start.Padding)
	if !visible {
		t.Segment = t.Segment.TrimRightSpace(block.Source())
	}
	t.SetSoftLineBreak(newline && !hard)
	t.SetHardLineBreak(hard)
	block.AdvanceLine()
	return t
}

// appendText appends a text to parent, or makes the last one longer by it.
func appendText(parent ast.Node, st *state, s text.Segment) {
	if t, ok := parent.LastChild().(*ast.Text); ok && t.Segment.Stop == s.Start && !t.SoftLineBreak() {
		t.Segment = t.Segment.WithStop(s.Stop)
		return
	}
	t := st.arena.texts.next()
	t.Segment = s
	parent.AppendChild(parent, t)
}

// breakOf returns the length of a line without what makes the break at its end a hard one, whether it is one, and whether a backslash says so.
func breakOf(line []byte) (n int, hard, visible bool) {
	n = len(line)
	if n < 2 || line[n-1] != '\n' {
		return n, false, false
	}
	cr := 0
	if n >= 3 && line[n-2] == '\r' {
		cr = 1
	}
	switch {
	case line[n-2-cr] == '\\' && (n == 2+cr || line[n-3-cr] != '\\'):
		return n - 2 - cr, true, true
	case n >= 3+cr && line[n-2-cr] == ' ' && line[n-3-cr] == ' ':
		return n - 3 - cr, true, false
	}
	return n, false, false
}

// nextWanted returns the offset of the first byte of b that is in a set, or len(b).
func nextWanted(b []byte, set *[256]byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		v := b[i : i+8 : i+8]
		if set[v[0]]|set[v[1]]|set[v[2]]|set[v[3]]|set[v[4]]|set[v[5]]|set[v[6]]|set[v[7]] != 0 {
			break
		}
	}
	for i < len(b) && set[b[i]] == 0 {
		i++
	}
	return i
}
