// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/engine/explain"
)

func showCommand() *cobra.Command {
	var flags linkFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "show [flags] [TEXT...]",
		Short: "Say why a link begins and ends where it does, and how it is displayed",
		Long: `show explains the links of a text: its arguments, joined by spaces, or standard input if there are none, or only "-".

For each link: where it is (offsets in bytes, end exclusive); what begins and what ends it, with the name of the code point, its Link_Term and the
rule; its parts; its href, and the form for people; its fields, which are what is kept in order, with their directions; what is suspicious about
it; and what a reader sees of it in paragraphs of both directions, without mark-up (none) and in each --order of bidilink html.

Then the near misses: what looks like a link and is none, and why. Each cause was tried: without it, there is a link.

Terminals reorder right-to-left text, each in its own way. So links with right-to-left letters are also shown in a notation in which capital letters
stand for those, from A on, and which no terminal changes: http://AB.com/CD in memory, http://BA.com/DC as displayed. Where the letters themselves
are shown, they are from left to right in the order that is meant: a terminal that knows how is told not to reorder them, and directional
controls stand round them for others.

Colors are for terminals, and not if NO_COLOR is set, or TERM is dumb.

With --json, it writes one object, for which the text must be UTF-8, with the members

  text    the text
  links   list of links: {start, end, kind, text, parts, begin, stop, href, readable, fields, notation, displays, warnings}
  misses  list of near misses: {start, end, text, causes, with}
  more    whether there may be further near misses: ` + strconv.Itoa(explain.MaxMisses) + ` places are looked at`,
		Example: `  bidilink show 'See https://example.com/a_(b). Or example.cmo?'
  bidilink show --json http://מזל.ישראל/דרך`,
		RunE: func(c *cobra.Command, args []string) error {
			options, err := flags.engine()
			if err != nil {
				return err
			}
			e, err := explain.New(options)
			if err != nil {
				return err
			}
			text := strings.Join(args, " ")
			if len(args) == 0 || len(args) == 1 && args[0] == stdinName {
				data, err := io.ReadAll(c.InOrStdin())
				if err == nil {
					err = checkText(data)
				}
				if err != nil {
					report(c, stdinName, err)
					return errReported
				}
				text = string(data)
			}
			if text == "" {
				return errors.New("show: no text")
			}
			if asJSON {
				// A string of JSON has U+FFFD for such a byte, and then the offsets would be of another text.
				if i := invalidUTF8(text); i >= 0 {
					return fmt.Errorf("show --json: the text is not UTF-8: byte %02X at offset %d", text[i], i)
				}
			}
			links := slices.AppendSeq([]explain.Link{}, e.Links(text))
			misses, more := e.Misses(text)
			var out bytes.Buffer
			if asJSON {
				enc := json.NewEncoder(&out)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				if err := enc.Encode(explained{text, links, misses, more}); err != nil {
					return err
				}
			} else {
				s := newScreen(c.OutOrStdout())
				s.all(links, misses, more)
				out = s.Buffer
			}
			if _, err := c.OutOrStdout().Write(out.Bytes()); err != nil {
				return fmt.Errorf("standard output: %w", cause(err))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write a JSON object")
	flags.add(c, false)
	flags.addHref(c)
	return c
}

// invalidUTF8 returns the offset of the first byte of text that is not UTF-8, or -1.
func invalidUTF8(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return i
		}
	}
	return -1
}

// explained is what --json writes.
type explained struct {
	Text   string         `json:"text"`
	Links  []explain.Link `json:"links"`
	Misses []explain.Miss `json:"misses"`
	More   bool           `json:"more"`
}

// A screen is what show writes for people.
type screen struct {
	bytes.Buffer
	color    bool // escape sequences for colors
	explicit bool // and those that tell a terminal not to reorder
	width    int  // columns; 0: sentences are not wrapped
}

// newScreen returns a screen for w.
func newScreen(w io.Writer) *screen {
	if !isTerminal(w) {
		return &screen{}
	}
	s := terminalScreen()
	if width, _, err := term.GetSize(int(w.(*os.File).Fd())); err == nil {
		s.width = width
	}
	return s
}

// terminalScreen returns a screen for a terminal of unknown width.
func terminalScreen() *screen {
	able := os.Getenv("TERM") != "dumb"
	return &screen{explicit: able, color: able && os.Getenv("NO_COLOR") == ""}
}

// The colors, as SGR parameters.
const (
	linkColor    = "1;32" // bold green
	missColor    = "1;33" // bold yellow
	labelColor   = "36"   // cyan
	warningColor = "31"   // red
	dimColor     = "2"
)

const (
	labelWidth = 10 // of the column of labels, behind an indent of two
	lineStart  = labelWidth + 3
)

// paint returns s in a color.
func (s *screen) paint(color, text string) string {
	if !s.color || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// label begins a line with a label.
func (s *screen) label(text string) {
	s.WriteString("  " + s.paint(labelColor, text) + strings.Repeat(" ", max(0, labelWidth-len(text))+1))
}

// sentence writes a text with a label before it, and wraps it.
func (s *screen) sentence(label, text, color string) {
	s.label(label)
	s.wrapped(lineStart, text, color)
	s.WriteByte('\n')
}

// minText is how many columns a text has at least, however narrow the terminal is.
const minText = 20

// wrapped writes a text that begins in a column, counted from 0, and goes on below that. Each line is told on its own not to be reordered.
func (s *screen) wrapped(column int, text, color string) {
	for i, line := range s.lines(column, text) {
		if i > 0 {
			s.WriteString("\n" + strings.Repeat(" ", column))
		}
		s.WriteString(s.paint(color, ordered(line)))
	}
}

// lines returns the lines of a text that begins in a column: broken at spaces, and in words that are too long for a line.
func (s *screen) lines(column int, text string) []string {
	text = printable(text)
	most := max(s.width-column, minText)
	if s.width == 0 || uniseg.StringWidth(text) <= most {
		return []string{text}
	}
	var lines []string
	var line strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		w := uniseg.StringWidth(word)
		if used > 0 && used+1+w > most {
			lines = append(lines, line.String())
			line.Reset()
			used = 0
		} else if used > 0 {
			line.WriteByte(' ')
			used++
		}
		for state := -1; word != "" && used+w > most; { // only at the beginning of a line
			var cluster string
			var n int
			cluster, word, n, state = uniseg.FirstGraphemeClusterInString(word, state)
			if used+n > most {
				lines = append(lines, line.String())
				line.Reset()
				used = 0
			}
			line.WriteString(cluster)
			used += n
			w -= n
		}
		line.WriteString(word)
		used += w
	}
	return append(lines, line.String())
}

// padded returns text and as many blanks as make it as wide as width. What is told not to be reordered has no width of its own.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
}

// ordered returns text so that it is displayed from left to right in the order in which it stands, with what a terminal does not show as escapes.
func ordered(text string) string {
	text = printable(text)
	if !display.RightToLeft(text) {
		return text
	}
	return "\u202d" + text + "\u202c" // LRO … PDF
}

// printable returns text with bidi controls as percent escapes, and whatever else a terminal does not print as Go writes it.
func printable(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case display.IsControl(r):
			b.WriteString(display.EscapeControls(text[i : i+n]))
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == 0x200C || r == 0x200D || strconv.IsPrint(r):
			b.WriteString(text[i : i+n])
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
		i += n
	}
	return b.String()
}

// all writes everything.
func (s *screen) all(links []explain.Link, misses []explain.Miss, more bool) {
	if s.explicit {
		s.WriteString("\x1b[8l") // ECMA-48 BDSM, explicit: the terminal keeps the order in which it is written
		defer s.WriteString("\x1b[8h")
	}
	for i, l := range links {
		if i > 0 {
			s.WriteByte('\n')
		}
		s.link(l)
	}
	for i, m := range misses {
		if i > 0 || len(links) > 0 {
			s.WriteByte('\n')
		}
		s.miss(m)
	}
	switch {
	case len(links) == 0 && len(misses) == 0:
		s.WriteString("no link, and nothing that looks like one\n")
	case more:
		s.WriteByte('\n')
		s.wrapped(0, fmt.Sprintf("there may be more that looks like a link: %d places were looked at", explain.MaxMisses), "")
		s.WriteByte('\n')
	}
}

// head writes the first line of a link or near miss.
func (s *screen) head(what, color, text string, start, end int) {
	s.WriteString(s.paint(color, what) + "  ")
	s.wrapped(len(what)+2, text, "1")
	s.WriteByte('\n')
	s.label("bytes")
	fmt.Fprintf(s, "%d to %d\n", start, end)
}

func (s *screen) miss(m explain.Miss) {
	s.head("no link", missColor, m.Text, m.Start, m.End)
	for i, c := range m.Causes {
		label := "because"
		if i > 0 {
			label = "and"
		}
		s.sentence(label, c.Sentence, "")
	}
	if m.With != m.Text {
		s.sentence("would be", m.With, "")
	}
}

func (s *screen) link(l explain.Link) {
	s.head(l.Kind, linkColor, l.Text, l.Start, l.End)
	if l.Notation != "" {
		s.label("in memory")
		s.wrapped(lineStart, l.Notation, "")
		const comment = "capital letters stand for right-to-left ones"
		if s.width > 0 && lineStart+uniseg.StringWidth(printable(l.Notation))+3+len(comment) > s.width {
			s.WriteString("\n" + strings.Repeat(" ", lineStart))
			s.wrapped(lineStart, comment, dimColor)
		} else {
			s.WriteString("   " + s.paint(dimColor, comment))
		}
		s.WriteByte('\n')
	}
	s.sentence("begins", l.Begin.Sentence, "")
	end := l.Stop.Sentence
	if l.Stop.First.Number != "" {
		end += fmt.Sprintf(" (%s, Link_Term %s)", l.Stop.First.Number, l.Stop.Term)
	}
	s.sentence("ends", end, "")
	if l.Href == "" {
		s.sentence("href", "none: its host has no valid form, and no link is made", warningColor)
	} else {
		s.label("href")
		s.WriteString(l.Href + "\n") // in one piece, as it is copied
		s.sentence("readable", l.Readable, "")
	}
	label := "parts"
	for _, p := range l.Parts {
		s.piece(label, p.Name, p.Start, p.End, p.Text)
		label = ""
	}
	label = "fields"
	for _, f := range l.Fields {
		s.piece(label, f.Direction, f.Start, f.End, f.Text)
		label = ""
	}
	s.displays(l)
	label = "warnings"
	for _, w := range l.Warnings {
		s.sentence(label, w.Name+": "+w.Sentence, warningColor)
		label = ""
	}
}

// piece writes a part or a field of a link.
func (s *screen) piece(label, what string, start, end int, text string) {
	s.label(label)
	head := fmt.Sprintf("%-9s %4d to %-4d ", what, start, end)
	s.WriteString(head)
	s.wrapped(lineStart+len(head), text, "")
	s.WriteByte('\n')
}

// orderWidth is of the columns of orders and directions.
const orderWidth = len("environment ltr, rtl  ")

// displays writes what is seen of a link: a line for each order, or two if the direction of the paragraph makes a difference. What has no room beside
// the notation is below it.
func (s *screen) displays(l explain.Link) {
	const column = lineStart + orderWidth
	width, visual := 0, 0
	for _, y := range l.Displays {
		width = max(width, uniseg.StringWidth(printable(y.Notation)))
		visual = max(visual, uniseg.StringWidth(printable(y.Visual)))
	}
	beside := s.width == 0 || column+width+2+visual <= s.width
	label := "displays"
	for i := 0; i < len(l.Displays); i++ {
		y, in := l.Displays[i], ""
		switch {
		case i+1 < len(l.Displays) && l.Displays[i+1].Order == y.Order && l.Displays[i+1].Visual == y.Visual:
			in = "ltr, rtl"
			i++
		default:
			in = y.Paragraph
		}
		s.label(label)
		label = ""
		fmt.Fprintf(s, "%-11s %-8s  ", y.Order, in)
		switch {
		case y.Notation == "":
		case beside:
			s.WriteString(padded(ordered(y.Notation), width) + "  ")
		default:
			s.wrapped(column, y.Notation, "")
			s.WriteString("\n" + strings.Repeat(" ", column))
		}
		s.wrapped(column, y.Visual, "")
		s.WriteByte('\n')
	}
}
