// SPDX-License-Identifier: MIT

package uts58

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/bidilink/bidilink/engine"
)

// steps returns how many bytes and delimiters the extension looks at in a document.
func steps(e *Extender, source string) int {
	pc := parser.NewContext()
	pc.Set(stateKey, &state{})
	markdown(e).Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(pc))
	return pc.Get(stateKey).(*state).steps
}

// TestGrowth: steps are linear in the length of the document.
func TestGrowth(t *testing.T) {
	const n = 500
	for name, piece := range map[string]string{
		"references":       "&amp;a.b ",
		"open stars":       "*a http://a.b/*",
		"open underscores": "_a http://a.b/_ ",
		"tildes":           "~~a http://a.b/~~",
		"brackets":         "[http://a.b/",
		"closing":          "http://a.b/]",
		"code spans":       "http://a.b/`",
		"raw HTML":         "<b>http://a.com/",
		"anchors":          "<a>http://a.com/",
		"anchors closed":   "<a>http://a.com/</a>",
		"unclosed":         "<div dir=rtl><p></code>http://a.com/ ",
		"tags":             "<a.com ",
		"backslashes":      `a\.com `,
		"escaped":          `http://a.com/\*`,
		"addresses":        "a_b@a.com",
		"local parts":      "a_",
		"at signs":         "a@",
		"dots":             "a.",
		"hosts":            "a.com ",
		"no spaces":        "a.com,",
		"lines":            "a.com\n",
		"emphasis":         "**a.com**",
		"words":            "a.рфhttp://a.com/",
		"IRIs":             "http://דוגמה.ישראל/א ",
		"one IRI":          "א",
		"slashes":          "/_*~",
		"right-to-left":    "שלום a.com\n\n",
		"auto":             "<bdi>a.com</bdi>",
		"cells":            "a.com|",
		"divisions":        "<div>\n\na.com\n\n",
		"inline":           "<i>a ",
		"labels":           "<label><i></label>",
		"directed":         "<i dir=ltr>a.com</i><i>",
		"footnotes":        "[^1]: a.com <a>\n\n[^1]\n\n",
		"quotes":           "> a.com\n",
		"www":              "_www.",
		"parentheses":      "http://a.b/(",
	} {
		for _, prefix := range []string{"", "http://a.com/", "*", "| a |\n|---|\n|", "<div dir=rtl>\n\n", "<label><div>\n\n"} {
			for _, e := range []*Extender{{}, {GFM: true}, {Links: engine.Options{Strict: true}}, {Link: func(*Link) bool { return true }}} {
				one := steps(e, prefix+strings.Repeat(piece, n))
				two := steps(e, prefix+strings.Repeat(piece, 2*n))
				if one > 100*n && float64(two) > 2.2*float64(one) || one > 400*n*len(piece) {
					t.Errorf("%s behind %q, GFM %v: %d steps, then %d", name, prefix, e.GFM, one, two)
				}
			}
		}
	}
}
