// SPDX-License-Identifier: MIT

package serve

import (
	"net/http"
	"strings"
)

// What the parser of Markdown takes for a text is quadratic in these numbers, and linear in all else.
const (
	maxOpenBrackets = 500    // of one kind that are open in a block
	maxDelimiters   = 10_000 // runs of * _ ~ in a block
	maxMarkers      = 100    // of quotes, items and notes at the beginning of a line
)

// checkMarkdown refuses texts for which the parser takes much longer than for others of their length. What counts as open is what it may look for the end of
// (CommonMark §6.3): for each of these, it reads to the end of the line, or of the block. What it takes as a literal may count too.
func checkMarkdown(text string) error {
	n := 0
	var round, square, angle, delimiters int
	for line := range strings.Lines(text) {
		n++
		refuse := func(what string, most int) error {
			p := failure(http.StatusUnprocessableEntity, "line %d: more than %d %s; such Markdown is not rendered", n, most, what)
			p.Line = n
			return p
		}
		if strings.Trim(line, " \t\r\n") == "" { // §4.9: the end of a block
			round, square, delimiters = 0, 0, 0
			continue
		}
		if markers(line) > maxMarkers {
			return refuse("quotes, items and notes in each other", maxMarkers)
		}
		angle = 0 // ends with the line
		for i := 0; i < len(line); i++ {
			switch c := line[i]; c {
			case '\\':
				if i+1 < len(line) && punctuation(line[i+1]) {
					i++ // §2.4
				}
			case '(':
				round++
			case ')':
				round = max(0, round-1)
			case '[':
				square++
			case ']':
				square = max(0, square-1)
				if strings.HasPrefix(line[i:], "](<") {
					angle++
				}
			case '>':
				angle = 0
			case '*', '_', '~':
				if i == 0 || line[i-1] != c {
					delimiters++
				}
			}
			switch {
			case round > maxOpenBrackets, square > maxOpenBrackets, angle > maxOpenBrackets:
				return refuse("open brackets in a block", maxOpenBrackets)
			case delimiters > maxDelimiters:
				return refuse("runs of * _ ~ in a block", maxDelimiters)
			}
		}
	}
	return nil
}

// markers counts the markers of quotes, list items and footnotes that a line begins with.
func markers(line string) int {
	n := 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
		case c == '>':
			n++
		case (c == '-' || c == '+' || c == '*' || (c == '.' || c == ')') && i > 0 && '0' <= line[i-1] && line[i-1] <= '9') && i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t'):
			n++
		case '0' <= c && c <= '9':
		case c == '[' && i+1 < len(line) && line[i+1] == '^':
			label, _, ok := strings.Cut(line[i:], "]:")
			if !ok {
				return n
			}
			i += len(label) + 1
			n++
		default:
			return n
		}
	}
	return n
}

// punctuation reports whether a byte is ASCII punctuation, which a backslash escapes.
func punctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
