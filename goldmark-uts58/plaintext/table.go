// SPDX-License-Identifier: MIT

package plaintext

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// maxLabel is how many columns the head of a column has, at most, that is written before each cell of a table that is too wide.
const maxLabel = 30

// A cell is one of a table.
type cell struct {
	pieces []piece
	text   string
	width  int
}

// table writes a table: its columns side by side if that is not too wide, else each cell on a line of its own.
func (w *writer) table(n *extast.Table) {
	var rows [][]cell
	var widths []int
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		var row []cell
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			x := w.cell(c)
			if len(row) == len(widths) {
				widths = append(widths, 0)
			}
			widths[len(row)] = max(widths[len(row)], x.width)
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	total := -2
	for _, n := range widths {
		total += max(n, 1) + 2
	}
	if total <= min(w.left(w.start()), w.left(w.indent.text), maxTable) {
		w.grid(rows, widths, n.Alignments)
	} else {
		w.records(rows)
	}
}

// cell returns a cell, whose text is one line.
func (w *writer) cell(n ast.Node) cell {
	c := collector{writer: w}
	c.children(n)
	for i := range c.pieces {
		c.pieces[i].soft = c.pieces[i].soft || c.pieces[i].hard
		c.pieces[i].hard = false
	}
	text, _ := w.compose(c.pieces)
	return cell{c.pieces, text, columns(text)}
}

// grid writes a table with its columns side by side, the first row underlined.
func (w *writer) grid(rows [][]cell, widths []int, alignments []extast.Alignment) {
	for i, row := range rows {
		var line strings.Builder
		for j, c := range row {
			pad, before := widths[j]-c.width, 0
			if j < len(alignments) {
				switch alignments[j] {
				case extast.AlignRight:
					before = pad
				case extast.AlignCenter:
					before = pad / 2
				}
			}
			line.WriteString(strings.Repeat(" ", before) + c.text + strings.Repeat(" ", pad-before))
			if j < len(row)-1 {
				line.WriteString("  ")
			}
		}
		if strings.Trim(line.String(), " ") != "" {
			w.put(w.start(), line.String(), false)
		}
		if i == 0 {
			line.Reset()
			for j, n := range widths {
				if j > 0 {
					line.WriteString("  ")
				}
				line.WriteString(strings.Repeat("-", max(n, 1)))
			}
			w.put(w.start(), line.String(), false)
		}
	}
}

// records writes a table with a line for each cell that is not empty, behind the head of its column, and an empty line between rows. If a head is long, or
// has an address in it, the heads are written once, as another row.
func (w *writer) records(rows [][]cell) {
	if len(rows) == 0 {
		return
	}
	labels := true
	for _, c := range rows[0] {
		labels = labels && c.width <= maxLabel && len(c.text) <= 4*maxLabel
		for _, p := range c.pieces {
			labels = labels && p.forms == nil
		}
	}
	filled := false // there is a cell that a label may stand before
	for _, row := range rows[1:] {
		for _, c := range row {
			filled = filled || c.text != ""
		}
	}
	labels = labels && filled
	lines := w.lines
	for i, row := range rows {
		if i == 0 && labels {
			continue
		}
		if w.lines > lines {
			w.separate()
		}
		for j, c := range row {
			if c.text == "" {
				continue
			}
			pieces := c.pieces
			if labels && j < len(rows[0]) && rows[0][j].text != "" {
				pieces = append([]piece{{text: rows[0][j].text + ": "}}, pieces...)
			}
			w.wrap(w.compose(pieces))
		}
	}
}
