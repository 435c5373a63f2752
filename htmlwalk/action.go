// SPDX-License-Identifier: MIT

package htmlwalk

import "golang.org/x/net/html/atom"

// An action is what the tags of an HTML element of a name do to the stack of open elements in the insertion modes "in body", "in cell" and "in caption", and
// those of the parts of a table in theirs, as long as nothing is misnested: see skim. Names of more than eight bytes have none.
type action uint8

const (
	otherwise action = iota // what the rules say
	void                    // none
	plain                   // opens the element
	formats                 // opens a formatting element
	anchors                 // opens an a
	blocks                  // closes a p, and opens the element
	headings                // closes a p and a heading, and opens the element
	items                   // closes an item of a list and a p, and opens the element
	cells                   // td, th
	rows                    // tr
	tables                  // table
	parts                   // tbody, thead, tfoot
)

// actionOf returns the action of a name.
func actionOf(name atom.Atom) action {
	switch name {
	case atom.Area, atom.Br, atom.Embed, atom.Img:
		return void
	case atom.Abbr, atom.Acronym, atom.Audio, atom.Bdo, atom.Canvas, atom.Cite, atom.Data, atom.Del, atom.Dfn, atom.Ins, atom.Kbd, atom.Label, atom.Legend, atom.Map,
		atom.Mark, atom.Meter, atom.Output, atom.Picture, atom.Q, atom.Samp, atom.Span, atom.Sub, atom.Sup, atom.Time, atom.Var, atom.Video:
		return plain
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return formats
	case atom.A:
		return anchors
	case atom.Address, atom.Article, atom.Aside, atom.Center, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Fieldset, atom.Figure, atom.Footer,
		atom.Header, atom.Hgroup, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Ul:
		return blocks
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return headings
	case atom.Dd, atom.Dt, atom.Li:
		return items
	case atom.Td, atom.Th:
		return cells
	case atom.Tr:
		return rows
	case atom.Table:
		return tables
	case atom.Tbody, atom.Thead, atom.Tfoot:
		return parts
	}
	return otherwise
}
