// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"io"
	"strings"
	"testing"
)

// "@" stands for a link, "!" for text that is none.
func TestFragment(t *testing.T) {
	for _, c := range []struct{ context, doc string }{
		{"td", "@"}, {"td", "@<td>@</td>@"}, {"TH", "@"}, {"li", "@<li>@"}, {"div", "@</div>@"}, {"body", "@<p>@</body>@"}, {"x-y", "@"},
		{"tr", "!"}, {"tr", "<td>@</td>!<th>@"}, {"tr", "<b>!</b><td>@"}, {"tbody", "!<tr>!<td>@"}, {"table", "!<td>@</td>!<caption>@"}, {"caption", "@"},
		{"table", "<tr><td>@</table>@<td>@</td>!"}, {"colgroup", "!"}, {"p", "@<table><td>@</table>@"},
		{"pre", "!"}, {"pre", "<p data-bidilink=on>@"}, {"code", "!"}, {"a", "!<p>!"}, {"button", "!"}, {"option", "!"}, {"label", "!</label>!"},
		{"td", "<head>@<title>!</title>@</head>@"}, {"form", "<form contenteditable>@</form>@"}, {"td", "\ufeff@"},
	} {
		in := strings.NewReplacer("@", "example.com", "!", "example.com").Replace(c.doc)
		want := strings.NewReplacer("@", a("example.com"), "!", "example.com").Replace(c.doc)
		got, _ := rewritten(t, in, Options{Context: c.context})
		if got != want {
			t.Errorf("%s: %s\n got %s", c.context, c.doc, got)
		}
		if err := VerifyFragment([]byte(in), []byte(got), c.context); err != nil {
			t.Errorf("%s: %s: %v", c.context, c.doc, err)
		}
	}
	for _, context := range []string{"textarea", "TITLE", "script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext", "html", "head", "frameset", "select", "template", "svg", "math", "a b", "<td>", "1", "é"} {
		if _, err := Rewrite(io.Discard, strings.NewReader("e.com"), Options{Context: context}); err == nil {
			t.Errorf("%s: no error", context)
		}
	}
}
