// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// Anchors of the input: "[" and "]" stand for the isolate.
func TestIsolateExisting(t *testing.T) {
	for _, in := range []string{
		"<a href=x>[e.com/ש]</a>",
		"<A HREF='x' class=y>see [e.com/ש], or [ש.com/ש]</A >",
		"<a><b>[e.com/ש]</b></a>",
		"<a><p>[e.com/ש]</p></a>",
		"<p dir=rtl><a>[e.com/ש]</a>",
		"<table><td><a>[e.com/ש]</a>",
		"<a>[e.com/ש&amp;]</a>",
		"<a>[e.com/<wbr>ש]</a>",
		// Not these.
		"<a>e.com</a>", "<p dir=rtl><a>e.com</a>", "<a>ש</a>", "ש <a>e.com/</a>",
		"<a dir=ltr>e.com/ש</a>", "<a dir=rtl>e.com/ש</a>", "<a><bdi>e.com/ש</bdi></a>", "<a><span dir=rtl>e.com/ש</span></a>", "<a><bdo dir=ltr>e.com/ש</bdo></a>",
		"<bdi><a>e.com/ש</a></bdi>", `<bdi dir="ltr"><a>e.com/ש</a></bdi>`, `<span dir="ltr"><a>e.com/ש</a></span>`,
		"<a>e.com/\u202eש</a>", "<a><code>e.com/ש</code></a>", "<pre><a>e.com/ש</a></pre>", "<button><a>e.com/ש</a></button>", "<svg><a>e.com/ש</a></svg>",
		"<a><table>e.com/ש</table></a>", "<table><a>e.com/ש</a></table>", "<div contenteditable><a>e.com/ש</a>", "<select><a>e.com/ש</a></select>", "<template><a>e.com/ש</a></template>",
		"<a data-bidilink=off>e.com/ש</a>", "<a>foo<b>e.com/ש</b></a>",
	} {
		want := strings.NewReplacer("[", `<bdi dir="ltr">`, "]", "</bdi>").Replace(in)
		in = strings.NewReplacer("[", "", "]", "").Replace(in)
		o := Options{IsolateExisting: true, Link: func(*Link) bool { t.Error("the hook is asked"); return true }}
		got, stats := rewritten(t, in, o)
		if got != want || stats.Links != 0 || stats.Isolated != strings.Count(want, `<bdi dir="ltr">`)-strings.Count(in, `<bdi dir="ltr">`) {
			t.Errorf("%s\n got %s\nwant %s\n%+v", in, got, want, stats)
		}
		if again, _ := rewritten(t, got, o); again != got {
			t.Errorf("%s\nagain %s", got, again)
		}
		if err := Verify([]byte(in), []byte(got)); err != nil {
			t.Errorf("%s: %v", in, err)
		}
		for _, o := range []Options{{}, {IsolateExisting: true, Isolate: display.IsolateNone}} {
			if got, _ := rewritten(t, in, o); got != in {
				t.Errorf("%s: without, got %s", in, got)
			}
		}
	}
	for _, c := range []struct {
		o        Options
		in, want string
	}{
		{Options{Isolate: display.IsolateAll}, "<a>e.com</a>", `<a><bdi dir="ltr">e.com</bdi></a>`},
		{Options{Profile: display.Mail}, "<a>e.com/ש</a>", `<a><bdi dir="ltr"><span dir="ltr">e.com/ש</span></bdi></a>`},
		{Options{Refuse: display.WarnMixed}, "<a>e.com/שa</a>", `<a>e.com/שa</a>`},
		{Options{}, "<a>e.com/ש/ת</a>", `<a><bdi dir="ltr">e.com/<bdi dir="ltr">ש</bdi>/<bdi dir="ltr">ת</bdi></bdi></a>`},
		{Options{Links: engine.Options{NoEmail: true}}, "<a>x@ש.com</a> <a>e.com/ש</a> f.com", `<a>x@ש.com</a> <a><bdi dir="ltr">e.com/ש</bdi></a> ` + `<bdi dir="ltr"><a href="https://f.com">f.com</a></bdi>`},
	} {
		c.o.IsolateExisting = true
		if got, _ := rewritten(t, c.in, c.o); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}
