// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// Each rule with links that break it and links that do not, in Hebrew and in Arabic letters.
func TestCheck(t *testing.T) {
	const at = "http://ab.cd/" // what stands before a path
	for _, c := range []struct{ link, want string }{
		// draft-ietf-iri-bidi-guidelines, examples
		{"http://ab.CDEFGH.ij/kl/mn/op.html", "none"},
		{"http://ab.CDE.FGH/ij/kl/mn/op.html", "crossing"},
		{"http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV", "other-classes,crossing"}, // OP;QR
		{"http://AB.CD.ef/gh/IJ/KL.html", "crossing"},
		{"http://ab.cd.EF/GH/ij/kl.html", "crossing"},
		{"http://ab.CD.EF/GH/IJ/kl.html", "crossing"},
		{"http://ab.CDE123FGH.ij/kl/mn/op.html", "other-classes"},
		{"http://ab.cd.ef/GH1/2IJ/KL.html", "edge,other-classes,digits,crossing"},
		{"http://ab.cd.ef/GH%31/%32IJ/KL.html", "edge,other-classes,digits,crossing"},
		{"http://ab.CDEFGH.123/kl/mn/op.html", "digits,crossing"},
		{"http://ab.CDEFGH.123ij/kl/mn/op.html", "digits,crossing"},

		// nothing at all
		{"http://ab.cd/", "none"},
		{at + "ef?g=h#%d7%90", "none"},
		{at + "é/日本語?ж", "none"},
		{at + "EF", "none"},
		{at + "EF.html", "none"},
		{"AB@cd.ef", "none"},
		{"mailto:AB@cd.ef", "none"},

		// control
		{at + "e\u202ef", "control"},
		{at + "e\u200ef", "control"},
		{at + "e\u2067f", "control"},
		{at + "e?f\u061c", "control"},
		{at + "e#f\u2069", "control"},
		{at + "E\u200fF", "control,other-classes"},
		{at + "EF\u200e", "control,edge,other-classes"},

		// invisible
		{at + "e\u00adf", "invisible"},
		{at + "e\u200bf", "invisible"},
		{at + "e\ufe0ff", "invisible"},
		{at + "e\u2060f", "invisible"},
		{at + "e\U000e0041f", "invisible"},
		{at + "E\u200cF", "none"},
		{at + "E\u200dF", "none"},
		{at + "EF\u200c", "invisible"},
		{at + "E\u200c\u200cF", "invisible"},
		{at + "E\u200c", "invisible"},
		{at + "👩\u200d👧", "invisible"},

		// mixed
		{at + "EFgh", "mixed,edge,other-classes"},
		{at + "EfG", "mixed,other-classes"},
		{at + "éFG", "mixed,edge,other-classes"},
		{at + "E?fG=h", "mixed,edge,other-classes"},
		{at + "E?f=H", "none"},
		{at + "e#Fg", "mixed,edge,other-classes"},
		{"Ab@cd.ef", "mixed,edge,other-classes"},
		{at + "ef.GH", "none"},
		{at + "ef.GH/x", "mixed,edge,other-classes"},
		{at + "E%d7%90F", "other-classes"}, // an escape is no letter

		// edge
		{at + "EF1", "edge,other-classes"},
		{at + "1EF", "edge,other-classes"},
		{at + "EF\u0663", "edge,other-classes"},
		{at + "EF-", "edge,other-classes"},
		{at + "-EF", "edge,other-classes"},
		{at + "EF.", "edge,other-classes"},
		{at + ".EF", "edge,other-classes"},
		{at + "%20EF", "edge,other-classes"},
		{at + "E?1F=", "edge,other-classes,digits,crossing"},
		{at + "E\u05b0F\u05b0\u05b1", "none"}, // combining marks
		{at + "E\u064bF\u064b", "none"},
		{at + "\u05b0EF", "edge,other-classes"},
		{at + "E1\u05b0", "edge,other-classes"},

		// other-classes
		{at + "E1F", "other-classes"},
		{at + "E-F", "other-classes"},
		{at + "E\u0663F", "other-classes"},
		{at + "E_F,G", "other-classes"},
		{at + "e-1", "none"},

		// digits
		{at + "E/1", "digits,crossing"},
		{at + "E//1", "digits,crossing"},
		{at + "E/-/1", "digits,crossing"},
		{at + "E/\u0663", "digits,crossing"},
		{at + "E/1.2.3.4", "digits,crossing"},
		{at + "E/%31", "digits,crossing"},
		{at + "E/%d7", "none"},
		{at + "E/f1", "none"},
		{at + "E/f/1", "none"},
		{at + "E/%d7%90/1", "none"}, // the escape is displayed as D
		{at + "E/%20/1", "digits,crossing"},
		{at + "E\u202e/1", "control,edge,other-classes"},
		{at + "1/E", "none"}, // behind an L, 1 is one
		{at + "2024/05/E", "none"},
		{at + "1-2/E", "none"},
		{"http://1.2.3.4/E", "none"},
		{"1.2.3.4/E", "none"},
		{"1.2.3.4/E/f/5/G", "none"},
		{"http://ab.cd:80/E", "none"},
		{"http://1@E/", "none"},
		{at + "\u0663/E", "digits,crossing"},
		{at + "1\u0663/E", "digits,crossing"},
		{at + "1-/\u0663f/E", "none"},
		{at + "f\u0663/E", "crossing"},
		{at + "Ef/1", "mixed,edge,other-classes"},
		{at + "Ef/\u0663", "mixed,edge,other-classes,digits"},
		{at + "E/f/1/G", "none"},
		{at + "E/f.1/G", "none"},
		{at + "E/1/G", "digits,crossing"},
		{at + "1f/E", "none"},
		{at + "f1/E", "none"},
		{at + "E?1", "digits,crossing"},
		{at + "E#1", "digits,crossing"},
		{at + "E.1", "digits"},
		{at + "1.E", "none"},
		{"http://ab.CD:80/", "digits,crossing"},
		{"https://good.com.AB/\u0660/123/x.org", "digits,crossing"},
		{at + "\u0663/\u0664", "none"},
		{at + "\u0663", "none"},

		// crossing
		{at + "E/F", "crossing"},
		{at + "E/f/G", "none"},
		{"AB@CD.ef", "crossing"},
		{at + "E%20F", "other-classes"}, // only the escape changes its place
		{at + "E%20F/G", "other-classes,crossing"},
		{at + "E?F=G", "crossing"},

		// lookalike
		{at + "e\u2044f", "lookalike"},
		{at + "e\u2215f", "lookalike"},
		{at + "e\uff0ff", "lookalike"},
		{at + "e\u2024f", "lookalike"},
		{at + "e\uff1af", "lookalike"},
		{at + "e\u2236f", "lookalike"},
		{at + "e\uff1ff", "lookalike"},
		{at + "e\uff03f", "lookalike"},
		{at + "e\u29f8f", "lookalike"},
		{at + "e\u3002f", "lookalike"},
		{at + "e#\u2800", "lookalike"},
		{"http://ab。cd．ef｡gh/", "none"}, // the dots of IDNA
		{"http://ab.c\u01c0d/", "lookalike"},
		{at + "e…f", "none"},

		// lookalike, in labels only
		{"https://google.comノlogin.evil.jp/", "lookalike"},
		{"https://google.comﾉlogin.evil.jp/", "lookalike"},
		{"http://google.com丿a.jp/", "lookalike"},
		{"http://google.ノ.jp/", "lookalike"},
		{"http://google.ノ・ノ.jp", "lookalike"},
		{"http://ノート.jp/丿a", "none"},
		{"http://www.ブルーノ.jp/", "none"},
		{"http://ab.パ・リーグ.jp/aノb·c", "none"},
		{"http://1・2.jp/", "lookalike"},
		{"http://1･2.jp/", "lookalike"},
		{"http://ab.comc\u0337c.cd/", "lookalike"},
		{"http://ab.com\u0338c.cd/", "lookalike"},
		{"http://ab.comǃc.cd/", "lookalike"},
		{"http://ab·cd/", "lookalike"},
		{"http://mail·live.com/", "lookalike"},
		{"http://paral·lel.cat", "none"},
		{"http://paral·lel.cat./x", "none"},
		{"http://paral·lel.cat:80", "none"},
		{"http://paral·lel.cats", "lookalike"},
		{"http://paral·lel.cat.com", "lookalike"},
		{"http://paral·ab.cat", "lookalike"},
		{"http://ab\u2010cd.ef/", "lookalike"},
		{"http://ab\u2011cd.ef/", "lookalike"},
		{"user@comノb.jp", "lookalike"},
		{"http://ノa@comb.jp", "none"},
		{"http://EノF.jp", "mixed,other-classes,scripts"},

		// scripts and lookalike, in A-labels
		{"http://xn--pypal-4ve.com", "scripts"},
		{"http://ab.cd/xn--pypal-4ve", "none"},
		{"http://ab.cd/?xn--pypal-4ve.com", "none"},
		{"http://axn--pypal-4ve.com", "none"},
		{"http://xn--e1afmkfd.xn--p1ai/", "none"},
		{"http://xn--4dbc.com/EF", "none"},
		{"http://xn--4dbc.com/xn--4dbc", "none"},
		{"http://xn--pypal-4v.com", "none"}, // stands for nothing
		{"http://xn--.com", "none"},
		{"http://xn--parallel-koa.cat", "none"},
		{"http://xn--parallel-koa.com", "lookalike"},
		{"http://google.xn--comlogin-634g.jp", "lookalike"},
		{"a@xn--pypal-4ve.com", "scripts"},
		{"xmpp:a@xn--pypal-4ve.com", "scripts"},

		// scripts, of labels only
		{"http://pаypal.com/", "scripts"},
		{"http://пример.рф/pаypal", "none"},
		{"http://ab.éñ-1/", "none"},
		{"http://ab.CD-жE/", "mixed,other-classes,scripts"},
		{"http://日本語カナかな.jp/", "none"},
		{"xmpp:a@pаypal.com", "scripts"},
		{"a@pаypal.com", "scripts"},
	} {
		for _, script := range scripts {
			s := script.of(c.link)
			if got := Check(s, parsed(t, s)).String(); got != c.want {
				t.Errorf("%s, %q: got %s, want %s", script.name, c.link, got, c.want)
			}
		}
	}
}

func TestCheckInvalid(t *testing.T) {
	for s, want := range map[string]string{
		"http://ab.cd/\xff\xd7":             "none",
		"http://ab.cd/\u05d0\xff\u05d1":     "other-classes",
		"http://ab.cd/\xff\u05d0/\xe2\x80":  "edge,other-classes",
		"http://ab.cd/\u202e\xff":           "control",
		"http://\xff\u05d0.\xd7/\u00ad\xff": "invisible,edge,other-classes",
		"http://\xff\u30ce.com":             "none",
		"http://A\u30ce\xff.com":            "lookalike",
		"http://\u30ceZ.com":                "lookalike",
		"http://www.XN--PYPAL-4VE.com:80/x": "scripts",
		"http://PARAL·LEL.CAT":              "none",
	} {
		if got := Check(s, parsed(t, s)).String(); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

// The rules of a component are seen from the component alone.
func TestComponentCheck(t *testing.T) {
	const text = "x שa/ת"
	c := Component{Span: engine.Span{Start: 2, End: 5}, Kind: PathSegment, Classes: Left | Right}
	if got := c.Check(text).String(); got != "mixed,edge,other-classes" {
		t.Error(got)
	}
	c = Component{Span: engine.Span{Start: 6, End: 8}, Kind: PathSegment, Classes: Right}
	if got := c.Check(text); got != 0 {
		t.Error(got)
	}
}

func TestWarningNames(t *testing.T) {
	all, err := ParseWarnings(warningNames[:])
	if err != nil || all != allWarnings || len(warningNames) != 9 {
		t.Errorf("%b, %v", all, err)
	}
	for i, n := range warningNames {
		w, err := ParseWarnings([]string{n})
		if err != nil || w != 1<<i || w.String() != n || !reflect.DeepEqual(w.Names(), []string{n}) {
			t.Errorf("%s: %b, %v", n, w, err)
		}
	}
	if got := all.String(); got != strings.Join(all.Names(), ",") {
		t.Error(got)
	}
	if w, err := ParseWarnings(nil); w != 0 || err != nil || w.String() != "none" || w.Names() != nil {
		t.Error(w, err)
	}
	for _, n := range []string{"", "none", "Mixed", "mixed,edge"} {
		if w, err := ParseWarnings([]string{"edge", n}); w != 0 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", n)) {
			t.Errorf("%q: %v, %v", n, w, err)
		}
	}
}

// Links of ASCII, which most are, cost no allocation.
func TestCheckAllocs(t *testing.T) {
	const text = "see https://www.example.com:8080/a/b.html?c=d&e=%D7%90#f there"
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, ok := d.Find(text, 0)
	if !ok {
		t.Fatal("no link")
	}
	if n := testing.AllocsPerRun(100, func() { Check(text, l) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func fuzzLinks(f *testing.F) {
	for _, s := range []string{
		"http://ab.cd.ef/GH1/2IJ/KL.html", "http://ab.cd.ef/GH%31/%32IJ/KL.html?M1=2N&O-#P", "https://good.com.AB/\u0660/123/x.org",
		"AB1@CD.EF", "A%b1@cd.ef", "mailto:1A@cd.ef?S1=T", "http://AB1.CD:80/-/1", "xmpp:A1@BC.de/F1", "http://AB．CD｡EF./g\u202e\u2044/H\u200c\u200cI",
		"http://u1A@ab.CD/é/E\xff", "http://ab.CD-жE/", "file:///A1.B2", "tel:1A", "http://AB.xn--4dbcagdahymbxekheh6e0a7fei0b/1", "日本語а.jp/あ。",
	} {
		for _, script := range scripts {
			f.Add(script.of(s), uint16(WarnRestrictions))
			f.Add(script.of(s), uint16(allWarnings))
		}
	}
}

// fuzzed returns the link that s is, or the first that is found in it.
func fuzzed(s string) (engine.Link, bool) {
	if l, ok := Parse(s); ok {
		return l, true
	}
	d, err := engine.New(engine.Options{MailtoQuery: true, LocalHosts: true, Schemes: []string{"xmpp", "tel", "ftp"}})
	if err != nil {
		return engine.Link{}, false
	}
	return d.Find(s, 0)
}

// fieldsCross reports whether the constant display of a link would be another one without isolates round fields.
func fieldsCross(text string, l engine.Link) bool {
	y := Constant.Layout(text, l, LTR)
	v := y.Visual(text)
	y.Inner = slices.DeleteFunc(y.Inner, func(i Isolated) bool { return !i.Escapes })
	return y.Visual(text) != v
}

func FuzzCheck(f *testing.F) {
	fuzzLinks(f)
	f.Fuzz(func(t *testing.T, s string, _ uint16) {
		l, ok := fuzzed(s)
		if !ok {
			return
		}
		checkComponents(t, s, l)
		w := Check(s, l)
		if w&^allWarnings != 0 {
			t.Errorf("%b", w)
		}
		if again, err := ParseWarnings(w.Names()); err != nil || again != w {
			t.Errorf("%v again is %v, %v", w, again, err)
		}
		if (w&WarnControl != 0) != HasControl(l.In(s)) {
			t.Errorf("%q: %v", l.In(s), w)
		}
		if different := fieldsCross(s, l); (w&WarnCrossing != 0) != different {
			t.Errorf("%q: %v, displays differ: %v", l.In(s), w, different)
		}
		if w&(WarnMixed|WarnEdge) != 0 && w&WarnOtherClasses == 0 {
			t.Errorf("%q: %v", l.In(s), w)
		}
	})
}

func ExampleCheck() {
	for _, s := range []string{"https://example.com/שלום", "https://good.com.אב/٠/123/x.org", "http://pаypal.com", "http://example.com/x/⁄y\u202e"} {
		l, _ := Parse(s)
		fmt.Println(Check(s, l))
	}
	// Output:
	// none
	// digits,crossing
	// scripts
	// control,lookalike
}

func ExampleComponent_Check() {
	const text = "http://example.com/שלום-1/עולם"
	l, _ := Parse(text)
	for _, c := range AppendComponents(nil, text, l) {
		if w := c.Check(text); w != 0 {
			fmt.Println(c.Kind, c.In(text), w)
		}
	}
	// Output: segment שלום-1 edge,other-classes
}

func ExampleParseWarnings() {
	refused, err := ParseWarnings([]string{"control", "scripts"})
	fmt.Println(refused.Names(), refused&WarnScripts != 0, err)
	_, err = ParseWarnings([]string{"bad"})
	fmt.Println(err)
	// Output:
	// [control scripts] true <nil>
	// display: unknown warning "bad": want some of control, invisible, mixed, edge, other-classes, digits, crossing, scripts, lookalike
}
