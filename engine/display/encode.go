// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/hostname"
)

// EncodeComponents returns the link l of text, and that link in the string returned, with the components percent-encoded that break a rule in
// which: see draft-ietf-iri-bidi-guidelines, section 3, whose rules are [WarnRestrictions]. The link that it returns means the
// same URL, and has none of the warnings in which. One without such warnings stays as it is.
//
// A component is encoded as a whole: everything in it that is beyond ASCII, so that no right-to-left character is left, and it reads from left to
// right. ASCII stays: an escaped digit (%31) behaves no better than a digit. So do bytes that are not UTF-8.
//
//   - A label of a host becomes an A-label. [WarnScripts] and [WarnLookalike] stay, since A-labels have them as well. If IDNA refuses the
//     host, it stays, and so do all the warnings about it.
//   - A local part can only be encoded in a mailto: URL: a bare address becomes one.
//   - [WarnDigits] encodes the component with right-to-left letters that stands beside the number.
//   - With [WarnCrossing], if fields still change places when those that break other rules are encoded, all components with
//     right-to-left characters are. Then every order displays the link as it is written, from left to right.
//
// With [WarnRestrictions] alone, components that keep the rules stay, and are displayed as they were: neighbours
// among them still change places in the [Embedding] order.
func EncodeComponents(text string, l engine.Link, which Warnings) (string, engine.Link) {
	if isASCII(l.In(text)) {
		return encodeMarked(text, l, nil, nil)
	}
	components := AppendComponents(nil, text, l)
	marked := make([]bool, len(components))
	for i, c := range components {
		marked[i] = c.Check(text)&which != 0
	}
	if which&WarnDigits != 0 {
		besideDigits(text, components, func(i int) { marked[i] = true })
	}
	text, l = encodeMarked(text, l, components, marked)
	if which&WarnCrossing == 0 || !RightToLeft(text) || !crossing(text, l) {
		return text, l
	}
	components = AppendComponents(components[:0], text, l)
	for i, c := range components {
		marked[i] = c.Classes.RightToLeft()
	}
	return encodeMarked(text, l, components, marked)
}

// encodeMarked encodes the components that are marked.
func encodeMarked(text string, l engine.Link, components []Component, marked []bool) (string, engine.Link) {
	var edits []Edit
	bare := l.Kind == engine.Email && l.Scheme.Empty()
	labels := hostLabels{text: text, link: l}
	mailto := false
	for i, c := range components {
		s := c.In(text)
		if !marked[i] || isASCII(s) {
			labels.skip(c)
			continue
		}
		var encoded string
		switch {
		case c.Kind == HostLabel && !l.Host.Empty():
			encoded = labels.next(c)
		case c.Kind == LocalPart && bare:
			edits = append(edits, Edit{l.Start, l.Start, "mailto:"})
			encoded, mailto = encodeLocal(s), true
		default:
			encoded = encodeBeyondASCII(s)
		}
		edits = append(edits, Edit{c.Start, c.End, encoded})
	}
	out, to := rewrite(text, l, edits)
	if mailto {
		to.Scheme = engine.Span{Start: 0, End: len("mailto:")}
	}
	return out, to
}

// rewrite returns the link l of text with edits, which are in order and do not cross the borders of its parts.
func rewrite(text string, l engine.Link, edits []Edit) (string, engine.Link) {
	var b strings.Builder
	at := l.Start
	for _, e := range edits {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.Text)
		at = e.End
	}
	b.WriteString(text[at:l.End])
	for _, s := range []*engine.Span{&l.Scheme, &l.Local, &l.Host, &l.Port, &l.Path, &l.Query, &l.Fragment} {
		if *s != (engine.Span{}) {
			s.Start, s.End = moved(s.Start, edits)-l.Start, moved(s.End, edits)-l.Start
		}
	}
	l.Span = engine.Span{Start: 0, End: b.Len()}
	return b.String(), l
}

// moved returns where an offset is after edits.
func moved(offset int, edits []Edit) int {
	to := offset
	for _, e := range edits {
		if e.End <= offset {
			to += len(e.Text) - (e.End - e.Start)
		}
	}
	return to
}

// encodeBeyondASCII escapes the characters of s that are beyond ASCII.
func encodeBeyondASCII(s string) string {
	dst := make([]byte, 0, 3*len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r < utf8.RuneSelf || r == utf8.RuneError && n == 1 {
			dst = append(dst, s[i])
		} else {
			dst = appendEscapes(dst, s[i:i+n])
		}
		i += n
	}
	return string(dst)
}

// encodeLocal escapes a local part that is not in the form of a URL: "%" in it is itself. What RFC 6068 §2 wants to be escaped, is.
func encodeLocal(s string) string {
	dst := make([]byte, 0, 3*len(s))
	for i := range len(s) {
		if c := s[i]; '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("-._~!$*+", c) >= 0 {
			dst = append(dst, c)
		} else {
			dst = appendEscapes(dst, s[i:i+1])
		}
	}
	return string(dst)
}

// hostLabels gives the A-labels of a host, one after the other.
type hostLabels struct {
	text  string
	link  engine.Link
	ready bool
	ascii []string // nil if the host has none
	at    int      // index of the next label
}

// skip passes over a component that stays.
func (h *hostLabels) skip(c Component) {
	if c.Kind == HostLabel {
		h.at++
	}
}

// next returns the A-label of a component that is the next label, or the label.
func (h *hostLabels) next(c Component) string {
	if !h.ready {
		h.ready = true
		h.ascii = asciiLabels(h.link.Host.In(h.text))
	}
	h.at++
	if h.at > len(h.ascii) {
		return c.In(h.text)
	}
	return h.ascii[h.at-1]
}

// asciiLabels returns the A-labels of a host, or nil if IDNA refuses it. They are as many as its labels: nothing but [isDot] is a dot to IDNA.
func asciiLabels(host string) []string {
	host = strings.TrimSuffix(host, ".")
	for _, dot := range [...]string{"\u3002", "\uff0e", "\uff61"} {
		host = strings.TrimSuffix(host, dot)
	}
	a, ok := hostname.AppendASCII(nil, host)
	if !ok {
		return nil
	}
	return strings.Split(string(a), ".")
}
