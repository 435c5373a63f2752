// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine/display"
)

// TestSkimmed has a case for each exception that the walker makes while it skims. All of a document must be in memory then.
func TestSkimmed(t *testing.T) {
	const tail = "<p>and some more words</p>"
	for _, c := range []struct {
		name, in, want string
		o              Options
	}{
		{"ideographic full stop", "<p>see e。com</p>", `<p>see <a href="https://e.com">e。com</a></p>`, Options{}},
		{"full-width full stop", "<p>see e．com</p>", `<p>see <a href="https://e.com">e．com</a></p>`, Options{}},
		{"half-width full stop", "<p>see e｡com</p>", `<p>see <a href="https://e.com">e｡com</a></p>`, Options{}},
		{"no full stop", "<p>see e、com｢ｅ，</p>", "<p>see e、com｢ｅ，</p>", Options{}},
		{"too much to hold back", "<p>e.com/ " + strings.Repeat("<i>x</i> ", 20) + "ש</p>", `<p><a href="https://e.com/">e.com/</a> ` + strings.Repeat("<i>x</i> ", 20) + "ש</p>", Options{MaxToken: 400}},
		{"not too much", "<p>e.com/ " + strings.Repeat("<i>x</i> ", 10) + "ש</p>", `<p><bdi dir="ltr"><a href="https://e.com/">e.com/</a></bdi> ` + strings.Repeat("<i>x</i> ", 10) + "ש</p>", Options{MaxToken: 400}},
		{"the first letter, in a text without a link", "<p dir=auto>some words here <b>x</b> and more <i>http://ש.com/ש</i> שלום</p>",
			`<p dir=auto>some words here <b>x</b> and more <i><bdi dir="ltr"><a href="http://xn--ueb.com/%D7%A9">http://ש.com/ש</a></bdi></i> שלום</p>`, Options{Order: display.Environment}},
		{"newline after pre", "<p><tt>x</p><pre data-bidilink=on>\n<table><td>see e.com</td></table></pre>", `<p><tt>x</p><pre data-bidilink=on>` + "\n" + `<table><td>see <a href="https://e.com">e.com</a></td></table></pre>`, Options{}},
		{"newline after listing", "<p><tt>x</p><listing data-bidilink=on>\n<table><td>see e.com</td></table></listing>", `<p><tt>x</p><listing data-bidilink=on>` + "\n" + `<table><td>see <a href="https://e.com">e.com</a></td></table></listing>`, Options{}},
		{"two newlines after pre", "<p><tt>x</p><pre data-bidilink=on>\n\n<table><td>see e.com</td></table></pre>", "<p><tt>x</p><pre data-bidilink=on>\n\n<table><td>see e.com</td></table></pre>", Options{}},
	} {
		for _, reference := range []bool{false, true} {
			c.o.ReferenceScanner = reference
			if got, _ := rewritten(t, c.in+tail, c.o); got != c.want+tail {
				t.Errorf("%s, reference %v\n got %s\nwant %s", c.name, reference, got, c.want)
			}
		}
	}
}
