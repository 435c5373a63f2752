// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"fmt"
	"strings"

	"golang.org/x/net/html/atom"
)

// checkContext checks the name of a context element.
func checkContext(context string) error {
	if context == "" {
		return nil
	}
	for i := range len(context) {
		if c := context[i]; !isLetter(c) && (i == 0 || !isDigit(c) && c != '-') {
			return fmt.Errorf("htmlwalk: Context: %q is no name of an element", context)
		}
	}
	name := atom.Lookup([]byte(strings.ToLower(context)))
	switch {
	case name == atom.Html, name == atom.Head, name == atom.Frameset, name == atom.Select, name == atom.Template, name == atom.Svg, name == atom.Math:
	case kindOf(name)&rawContent != 0:
	default:
		return nil
	}
	return fmt.Errorf("htmlwalk: Context: no fragment of <%s> can be walked", context)
}

// fragment sets a new parser to a fragment in an element of a name: HTML §13.4 (parsing HTML fragments). The html element on its stack stands for that.
func (p *parser) fragment(context string) {
	p.context = atom.Lookup([]byte(strings.ToLower(context)))
	p.open[0].flags = flagsOf(kindOf(p.context))
	p.changed()
	p.noQuirks = true // as most documents
	switch p.rootMode = inBody; p.context {
	case atom.Tr:
		p.rootMode = inRow
	case atom.Tbody, atom.Thead, atom.Tfoot:
		p.rootMode = inTableBody
	case atom.Caption:
		p.rootMode = inCaption
	case atom.Colgroup:
		p.rootMode = inColumnGroup
	case atom.Table:
		p.rootMode = inTable
	case atom.Form:
		p.form = &element{name: atom.Form, kind: kindOf(atom.Form)}
	}
	p.mode = p.rootMode
}
