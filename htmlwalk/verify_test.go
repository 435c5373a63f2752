// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// What Rewrite makes is verified, whatever the document and the options.
func TestVerify(t *testing.T) {
	docs := append([]string{
		"", "<p>e.com", "\ufeff<p>e.com/ש", "<p>e.com/\u202eא&lrm;&#x200e;x&rlm;",
		`<p>e.com data-bidilink-inserted <i DATA-bidilink-inserted>`,
		`<bdi dir="ltr"><a href="https://e.com">e.com</a></bdi><bdi dir="ltr">e.com/ש</bdi> <span dir="ltr">e.com/ש</span>`,
		"<a>x</a></a>e.com</a>", "e.com/<wbr>ש/<wbr>ת</bdi>",
	}, gadgets...)
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		docs = append(docs, string(soup(r, 40)))
	}
	changed := 0
	for _, doc := range docs {
		for _, o := range append([]Options{{}}, displays...) {
			var out bytes.Buffer
			if _, err := Rewrite(&out, strings.NewReader(doc), o); err != nil {
				continue
			}
			if out.String() != doc {
				changed++
			}
			if err := Verify([]byte(doc), out.Bytes()); err != nil {
				t.Errorf("%v\n in %q\nout %q", err, doc, out.String())
			}
		}
	}
	if changed < 200 {
		t.Errorf("only %d documents changed", changed)
	}
}

// Characters of other encodings that are bidi controls.
func TestVerifyEncodings(t *testing.T) {
	for in, out := range map[string]string{
		"\xe4 e.com/\xfex":             "\xe4 <a href=\"https://e.com/x\">e.com/%E2%80%8Fx</a>",
		"e.com/\x81\x36\xa6\x31x":      "<a href=\"https://e.com/x\">e.com/%E2%80%8Ex</a>",
		"e.com/\u061cx":                "<a href=\"https://e.com/x\">e.com/%D8%9Cx</a>",
		"e.com/&rlm;x&RightArrow;<br>": "<a href=\"https://e.com/x\" rel=\"nofollow\">e.com/%E2%80%8Fx</a>&RightArrow;<br>",
	} {
		if err := Verify([]byte(in), []byte(out)); err != nil {
			t.Errorf("%q, %q: %v", in, out, err)
		}
	}
}

func TestVerifyFails(t *testing.T) {
	link := a("e.com")
	for _, c := range []struct{ name, in, out, want string }{
		{"other text", "<p>e.com", "<p>e.org", "at byte 5 of the input, 5 of the output"},
		{"text lost", "<p>e.com x", "<p>" + link, "ends at byte 8"},
		{"text more", "<p>e.com", "<p>" + link + "x", "at byte 8"},
		{"other element", "<p>e.com", "<p><b>e.com</b>", "at byte 3"},
		{"single quotes", "<p>e.com", "<p><a href='https://e.com'>e.com</a>", "at byte 3"},
		{"open tag", "<p>e.com", `<p><a href="https://e.com"`, "at byte 3"},
		{"in an attribute", `<p title="e.com">x`, `<p title="` + link + `">x`, "trees differ"},
		{"in a comment", "<!-- e.com -->", "<!-- " + link + " -->", "trees differ"},
		{"in a script", "<script>e.com</script>", "<script>" + link + "</script>", "trees differ"},
		{"in a title", "<title>e.com</title>", "<title>" + link + "</title>", "trees differ"},
		{"in an anchor", "<a>e.com</a>", "<a>" + link + "</a>", ""},
		{"in an anchor, over a cell", "<a><table><td>e.com</table></a>", "<a><table><td>" + link + "</table></a>", "an anchor in an anchor"},
		{"in our anchor", "e.com", `<a href="x">` + link + "</a>", "an anchor in an anchor"},
		{"an end too many", "e.com", link + "</a>", "an end without one"},
		{"over an element", "<p>e<b>x</p>.com", `<p><a href="x">e<b>x</p>.com</a>`, ""},
		{"with scripting only", "<noscript>e.com</noscript>", "<noscript>" + link + "</noscript>", "scripting true"},
		{"without scripting only", `<noscript><p title="</noscript>e.com">x`, `<noscript><p title="</noscript>` + link + `">x`, "scripting false"},
		{"in svg", "<svg><text>e.com</text></svg>", `<svg><text><bdi dir="ltr"></bdi><span dir="ltr">e.com</span></text></svg>`, "trees differ"},
		{"a control outside", "\u202ee.com", "%E2%80%AE" + link, "at byte 0"},
		{"not a control", "e.com/ü", `<a href="x">e.com/%C3%BC</a>`, "at byte 6"},
		{"another control", "e.com/\u202e", `<a href="x">e.com/%E2%80%AD</a>`, "at byte 6"},
		{"a control lost", "e.com/\u202e.", `<a href="x">e.com/</a>.`, "at byte 6"},
		{"half an escape", "e.com/\u202e", `<a href="x">e.com/%E2%8`, "at byte 6"},
	} {
		err := Verify([]byte(c.in), []byte(c.out))
		if !errors.Is(err, ErrDifferent) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	deep := strings.Repeat("<div>", 600) + "e.com"
	if err := Verify([]byte(deep), []byte(strings.Replace(deep, "e.com", link, 1))); err == nil || errors.Is(err, ErrDifferent) {
		t.Errorf("too deep: %v", err)
	}
	if err := Verify([]byte(deep), []byte(deep)); err != nil {
		t.Errorf("too deep, but equal: %v", err)
	}
}

// Nothing that a document or an output holds is too much for it, and what it lets pass is the input with insertions.
func FuzzVerify(f *testing.F) {
	f.Add("<p>e.com/\u202e", `<p><a href="x">e.com/%E2%80%AE</a>`)
	f.Add("<table>e.com", `<table><a href="x">e.com</a>`)
	f.Add("&rlm;", "%E2%80%8F")
	f.Fuzz(func(t *testing.T, in, out string) {
		if len(in)+len(out) > 4096 || Verify([]byte(in), []byte(out)) != nil {
			return
		}
		if strings.Contains(out, "%") {
			return // controls may be replaced
		}
		at := 0
		for i := 0; i < len(out); i++ {
			if at < len(in) && in[at] == out[i] {
				at++
			}
		}
		if at < len(in) {
			t.Errorf("%q is not in %q", in, out)
		}
	})
}

func TestVerifyOption(t *testing.T) {
	const in = "<p>see e.com/ש</p> f.com"
	want, wantStats := rewritten(t, in, Options{})
	var out strings.Builder
	if stats, err := Rewrite(&out, strings.NewReader(in), Options{Verify: true}); err != nil || out.String() != want || stats != wantStats {
		t.Errorf("%v, %+v: %s", err, stats, out.String())
	}
	edits, _, err := Edits([]byte(in), Options{Verify: true})
	if plain, _, _ := Edits([]byte(in), Options{}); err != nil || !slices.Equal(edits, plain) || len(edits) == 0 {
		t.Errorf("%v: %v", err, edits)
	}
	// A failing reader, a failing writer, an input that is refused.
	boom := errors.New("boom")
	out.Reset()
	if _, err := Rewrite(&out, io.MultiReader(strings.NewReader("<p>e.com</p>x"), iotest.ErrReader(boom)), Options{Verify: true}); !errors.Is(err, boom) || out.String() != "<p>e.com</p>x" {
		t.Errorf("%v: %s", err, out.String())
	}
	r, w := io.Pipe()
	r.CloseWithError(boom)
	if _, err := Rewrite(w, strings.NewReader(in), Options{Verify: true}); !errors.Is(err, boom) {
		t.Errorf("the error of the writer is %v", err)
	}
	out.Reset()
	if _, err := Rewrite(&out, strings.NewReader("\x89PNG\r\n"), Options{Verify: true}); !errors.Is(err, ErrBinary) || out.Len() > 0 {
		t.Errorf("%v: %s", err, out.String())
	}
	// More differs than links: the parser takes no such depth.
	deep := strings.Repeat("<b>", 600) + "e.com"
	out.Reset()
	stats, err := Rewrite(&out, strings.NewReader(deep), Options{Verify: true, MaxDepth: 1000})
	if err == nil || out.String() != deep || stats.Links != 0 || stats.Bytes != int64(len(deep)) {
		t.Errorf("%v, %+v: %.40s", err, stats, out.String())
	}
}
