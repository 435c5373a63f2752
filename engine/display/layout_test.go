// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// A shape is a link with its inner isolates: <field>, and [row of escapes]. What is between them is the link.
var shapeMarks = strings.NewReplacer("<", "", ">", "", "[", "", "]", "")

// A layoutTest is a link in Bidi Notation, with what a reader sees in each order: in script "", in both.
type layoutTest struct {
	name   string
	script string // only in this one
	file   bool   // a file name
	order  Order
	around Direction // of the paragraph: Unknown stands for both
	shape  string
	dir    Direction // of the whole; Unknown stands for LTR
	visual string
}

var layoutTests = []layoutTest{
	// PRI 185, tables 1 and 3: constant order.
	{name: "T1.1", shape: "http://ab.cd.com/mn/op", visual: "http://ab.cd.com/mn/op"},
	{name: "T1.2", shape: "http://ab.cd.<EF>.<GH>.com/<IJ>/<KL>/mn/op", visual: "http://ab.cd.FE.HG.com/JI/LK/mn/op"},
	{name: "T1.3", shape: "http://<EF>.<GH>/<IJ>/<KL>", visual: "http://FE.HG/JI/LK"},
	// Table 2, in LTR: embedded.
	{name: "T1.1", order: Embedding, shape: "http://ab.cd.com/mn/op", visual: "http://ab.cd.com/mn/op"},
	{name: "T1.2", order: Embedding, shape: "http://ab.cd.EF.GH.com/IJ/KL/mn/op", visual: "http://ab.cd.HG.FE.com/LK/JI/mn/op"},
	{name: "T1.3", order: Embedding, shape: "http://EF.GH/IJ/KL", visual: "http://LK/JI/HG.FE"},
	// Table 4: environment order.
	{name: "T4.1", order: Environment, around: LTR, shape: "http://ab.cd.com/mn/op", visual: "http://ab.cd.com/mn/op"},
	{name: "T4.2", order: Environment, around: LTR, shape: "http://ab.cd.<EF>.<GH>.com/<IJ>/<KL>/mn/op", visual: "http://ab.cd.FE.HG.com/JI/LK/mn/op"},
	{name: "T4.3", order: Environment, around: LTR, shape: "http://<EF>.<GH>/<IJ>/<KL>", visual: "http://FE.HG/JI/LK"},
	{name: "T4.4", order: Environment, around: RTL, dir: RTL, shape: "<http>://<ab>.<cd>.<com>/<mn>/<op>", visual: "op/mn/com.cd.ab//:http"},
	{name: "T4.5", order: Environment, around: RTL, dir: RTL, shape: "<http>://<ab>.<cd>.EF.GH.<com>/IJ/KL/<mn>/<op>", visual: "op/mn/LK/JI/com.HG.FE.cd.ab//:http"},
	{name: "T4.6", order: Environment, around: RTL, dir: RTL, shape: "http://EF.GH/IJ/KL", visual: "LK/JI/HG.FE//:http"},
	// Table 5: content order.
	{name: "T5.1", order: Content, shape: "http://ab.cd.com/mn/op", visual: "http://ab.cd.com/mn/op"},
	{name: "T5.2", order: Content, dir: RTL, shape: "<http>://<ab>.<cd>.EF.GH.<com>/IJ/KL/<mn>/<op>", visual: "op/mn/LK/JI/com.HG.FE.cd.ab//:http"},
	{name: "T5.3", order: Content, dir: RTL, shape: "http://EF.GH/IJ/KL", visual: "LK/JI/HG.FE//:http"},
	// Option 4, by its rule; a final dot, an IDNA dot, a mixed and a number for a top-level domain.
	{name: "TLD.1", order: TLD, shape: "http://ab.cd.com/mn/op", visual: "http://ab.cd.com/mn/op"},
	{name: "TLD.2", order: TLD, shape: "http://ab.cd.<EF>.<GH>.com/<IJ>/<KL>/mn/op", visual: "http://ab.cd.FE.HG.com/JI/LK/mn/op"},
	{name: "TLD.3", order: TLD, dir: RTL, shape: "http://EF.GH/IJ/KL", visual: "LK/JI/HG.FE//:http"},
	{name: "TLD.4", order: TLD, dir: RTL, shape: "ab.CD./x", visual: "x/.DC.ab"},
	{name: "TLD.5", order: TLD, dir: RTL, shape: "ab。CD/x", visual: "x/DC。ab"},
	{name: "TLD.6", order: TLD, shape: "ab.cDE/x", visual: "ab.cED/x"},
	{name: "TLD.7", order: TLD, shape: "<AB>.1/x", visual: "BA.1/x"},
	{name: "TLD.8", order: TLD, dir: RTL, shape: "<xmpp>:<ab>@CD.EF/<x>", visual: "x/FE.DC@ab:xmpp"},
	{name: "TLD.9", order: TLD, dir: RTL, shape: "<ab>@<cd>.EF", visual: "FE.cd@ab"},

	// The example of 001.
	{name: "001", shape: "http://a.b.<C>.<D>.com", visual: "http://a.b.C.D.com"},
	{name: "001", order: Embedding, shape: "http://a.b.C.D.com", visual: "http://a.b.D.C.com"},
	{name: "001", order: Environment, around: RTL, dir: RTL, shape: "<http>://<a>.<b>.C.D.<com>", visual: "com.D.C.b.a//:http"},

	// RFC 3987 §4.4 and draft-ietf-iri-bidi-guidelines-02, section 5.
	{name: "X1", shape: "http://ab.CDEFGH.ij/kl/mn/op.html", visual: "http://ab.HGFEDC.ij/kl/mn/op.html"},
	{name: "X1", order: Embedding, shape: "http://ab.CDEFGH.ij/kl/mn/op.html", visual: "http://ab.HGFEDC.ij/kl/mn/op.html"},
	{name: "X2", shape: "http://ab.<CDE>.<FGH>/ij/kl/mn/op.html", visual: "http://ab.EDC.HGF/ij/kl/mn/op.html"},
	{name: "X2", order: Embedding, shape: "http://ab.CDE.FGH/ij/kl/mn/op.html", visual: "http://ab.HGF.EDC/ij/kl/mn/op.html"},
	{name: "X3", shape: "http://<AB>.<CD>.<EF>/<GH>/<IJ>/<KL>?<MN>=<OP;QR>=<ST>#<UV>", visual: "http://BA.DC.FE/HG/JI/LK?NM=RQ;PO=TS#VU"},
	{name: "X3", order: Embedding, shape: "http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV", visual: "http://VU#TS=RQ;PO=NM?LK/JI/HG/FE.DC.BA"},
	{name: "X4", shape: "http://<AB>.<CD>.ef/gh/<IJ>/<KL.html>", visual: "http://BA.DC.ef/gh/JI/LK.html"},
	{name: "X4", order: Embedding, shape: "http://AB.CD.ef/gh/IJ/KL.html", visual: "http://DC.BA.ef/gh/LK/JI.html"},
	{name: "X5", shape: "http://ab.cd.<EF>/<GH>/ij/kl.html", visual: "http://ab.cd.FE/HG/ij/kl.html"},
	{name: "X5", order: Embedding, shape: "http://ab.cd.EF/GH/ij/kl.html", visual: "http://ab.cd.HG/FE/ij/kl.html"},
	{name: "X6", shape: "http://ab.<CD>.<EF>/<GH>/<IJ>/kl.html", visual: "http://ab.DC.FE/HG/JI/kl.html"},
	{name: "X6", order: Embedding, shape: "http://ab.CD.EF/GH/IJ/kl.html", visual: "http://ab.JI/HG/FE.DC/kl.html"},
	{name: "X7", shape: "http://ab.CDE123FGH.ij/kl/mn/op.html", visual: "http://ab.HGF123EDC.ij/kl/mn/op.html"},
	{name: "X7", order: Embedding, shape: "http://ab.CDE123FGH.ij/kl/mn/op.html", visual: "http://ab.HGF123EDC.ij/kl/mn/op.html"},
	{name: "X8", shape: "http://ab.cd.ef/<GH1>/<2IJ>/<KL.html>", visual: "http://ab.cd.ef/1HG/2JI/LK.html"},
	{name: "X8", order: Embedding, shape: "http://ab.cd.ef/GH1/2IJ/KL.html", visual: "http://ab.cd.ef/LK/JI1/2HG.html"},
	{name: "X9", script: "Hebrew", shape: "http://ab.cd.ef/<GH%31>/<%32IJ>/<KL.html>", visual: "http://ab.cd.ef/%31HG/%32JI/LK.html"},
	{name: "X9", script: "Hebrew", order: Embedding, shape: "http://ab.cd.ef/GH%31/%32IJ/KL.html", visual: "http://ab.cd.ef/LK/JI%32/%31HG.html"},
	{name: "X9", script: "Arabic", order: Embedding, shape: "http://ab.cd.ef/GH%31/%32IJ/KL.html", visual: "http://ab.cd.ef/LK/JI32%/31%HG.html"},
	{name: "X10", shape: "http://ab.<CDEFGH>.123/kl/mn/op.html", visual: "http://ab.HGFEDC.123/kl/mn/op.html"},
	{name: "X10", order: Embedding, shape: "http://ab.CDEFGH.123/kl/mn/op.html", visual: "http://ab.123.HGFEDC/kl/mn/op.html"},
	{name: "X11", shape: "http://ab.<CDEFGH>.123ij/kl/mn/op.html", visual: "http://ab.HGFEDC.123ij/kl/mn/op.html"},
	{name: "X11", order: Embedding, shape: "http://ab.CDEFGH.123ij/kl/mn/op.html", visual: "http://ab.123.HGFEDCij/kl/mn/op.html"},

	// Addresses and file names.
	{name: "E1", shape: "ab@<CD>.<EF>", visual: "ab@DC.FE"},
	{name: "E1", order: Embedding, shape: "ab@CD.EF", visual: "ab@FE.DC"},
	{name: "E2", shape: "<AB>@<CD>.<EF>", visual: "BA@DC.FE"},
	{name: "E2", order: Embedding, shape: "AB@CD.EF", visual: "FE.DC@BA"},
	{name: "E3", shape: "AB@cd.EF", visual: "BA@cd.FE"},
	{name: "E3", order: Embedding, shape: "AB@cd.EF", visual: "BA@cd.FE"},
	{name: "E4", shape: "<AB.CD>@<EF>.com", visual: "DC.BA@FE.com"},
	{name: "E4", order: Embedding, shape: "AB.CD@EF.com", visual: "FE@DC.BA.com"},
	{name: "N1", file: true, shape: "<AB>/<CD>/<ef.GH>", visual: "BA/DC/ef.HG"},
	{name: "N1", file: true, order: Embedding, shape: "AB/CD/ef.GH", visual: "DC/BA/ef.HG"},
	{name: "N2", file: true, shape: `c:\<AB>\<CD>\<EF.txt>`, visual: `c:\BA\DC\FE.txt`},
	{name: "N2", file: true, order: Embedding, shape: `c:\AB\CD\EF.txt`, visual: `c:\FE\DC\BA.txt`},
	{name: "N3", file: true, order: Content, dir: RTL, shape: `c:\AB\EF.txt`, visual: `txt.FE\BA\:c`},
	{name: "N4", file: true, order: TLD, dir: RTL, shape: `ab/CD`, visual: `DC/ab`},
	{name: "N5", file: true, order: Environment, around: RTL, dir: RTL, shape: `<ab>/<cd>`, visual: `cd/ab`},

	// Our extension: ports, user information, mailto.
	{name: "port", shape: "<AB>.<CD>:8080", visual: "BA.DC:8080"},
	{name: "port", order: Embedding, shape: "AB.CD:8080", visual: "8080:DC.BA"},
	{name: "port after one", shape: "http://<AB>:8080/x", visual: "http://BA:8080/x"},
	{name: "user", shape: "http://<AB:CD>@<EF>.com/", visual: "http://DC:BA@FE.com/"},
	{name: "mailto", shape: "mailto:<AB>@<CD>.<EF>?subject=<GH>", visual: "mailto:BA@DC.FE?subject=HG"},

	// BiDi Swap: Arabic numbers in the path, which join the host when embedded. A field of these alone gets an isolate as well.
	{name: "swap", order: Embedding, script: "Hebrew", shape: "https://good.com.AB/٠/123/x.org", visual: "https://good.com.123/٠/BA/x.org"},
	{name: "swap", order: Embedding, script: "Arabic", shape: "https://good.com.AB/٠/123/x.org", visual: "https://good.com.٠/123/BA/x.org"},
	{name: "swap", shape: "https://good.com.<AB>/<٠>/123/x.org", visual: "https://good.com.BA/٠/123/x.org"},
	{name: "numbers", shape: "http://ab.cd/<٠->/<١>", visual: "http://ab.cd/٠-/١"},
	{name: "numbers", order: Embedding, shape: "http://ab.cd/٠-/١", visual: "http://ab.cd/١/-٠"},
	{name: "host behind path", order: Embedding, shape: "http://AB/1.2.3.4", visual: "http://1.2.3.4/BA"},
	{name: "host behind path", shape: "http://<AB>/1.2.3.4", visual: "http://BA/1.2.3.4"},
	{name: "path before host", order: Embedding, shape: "http://AB/CD.EF/x", visual: "http://FE.DC/BA/x"},
	{name: "path before host", shape: "http://<AB>/<CD.EF>/x", visual: "http://BA/FE.DC/x"},

	// Escapes.
	{name: "blank", shape: "http://a.b/AB[%20]CD", visual: "http://a.b/DC%20BA"},
	{name: "blank", order: Environment, around: LTR, shape: "http://a.b/AB[%20]CD", visual: "http://a.b/DC%20BA"},
	{name: "blank", order: Environment, around: RTL, dir: RTL, shape: "<http>://<a>.<b>/<AB[%20]CD>", visual: "DC%20BA/b.a//:http"},
	{name: "blank", order: Content, dir: RTL, shape: "<http>://<a>.<b>/<AB[%20]CD>", visual: "DC%20BA/b.a//:http"},
	{name: "blank", order: TLD, shape: "http://a.b/AB[%20]CD", visual: "http://a.b/DC%20BA"},
	{name: "blank", order: Embedding, script: "Hebrew", shape: "http://a.b/AB%20CD", visual: "http://a.b/DC%20BA"},
	{name: "blank", order: Embedding, script: "Arabic", shape: "http://a.b/AB%20CD", visual: "http://a.b/DC20%BA"},
	{name: "two blanks", shape: "http://a.b/<AB[%20]CD>/<EF[%20]GH>", visual: "http://a.b/DC%20BA/HG%20FE"},
	{name: "two escapes", shape: "http://a.b/AB[%31%32]CD", visual: "http://a.b/DC%31%32BA"},
	{name: "two escapes", order: Embedding, script: "Hebrew", shape: "http://a.b/AB%31%32CD", visual: "http://a.b/DC%31%32BA"},
	{name: "two escapes", order: Embedding, script: "Arabic", shape: "http://a.b/AB%31%32CD", visual: "http://a.b/DC32%31%BA"},
	{name: "letter", shape: "http://a.b/AB[%d7%90]CD", visual: "http://a.b/DC%d7%90BA"},
	{name: "letter", order: Embedding, shape: "http://a.b/AB%d7%90CD", visual: "http://a.b/BA%d7%90DC"},
	// At the end of a field, a number is where the bidi algorithm has it. In Arabic it would be "31%", so it gets an isolate, in which it is outside.
	{name: "last", script: "Hebrew", shape: "http://a.b/GH%31", visual: "http://a.b/%31HG"},
	{name: "last", script: "Arabic", shape: "http://a.b/GH[%31]", visual: "http://a.b/HG%31"},
	{name: "first", shape: "http://a.b/%32IJ", visual: "http://a.b/%32JI"},
	{name: "alone", shape: "http://a.b/<AB>/%31/<CD>", visual: "http://a.b/BA/%31/DC"},
	{name: "alone", order: Content, dir: RTL, shape: "<http>://<a>.<b>/AB/<[%d7]>/CD", visual: "DC/%d7/BA/b.a//:http"},
	// Arabic numbers are where they would be with a blank.
	{name: "between numbers", shape: "http://a.b/٣[%20]٤", visual: "http://a.b/٤%20٣"},
	{name: "between numbers", order: Embedding, shape: "http://a.b/٣%20٤", visual: "http://a.b/٣%20٤"},
	{name: "no escape", script: "Hebrew", shape: "http://a.b/AB%2CD", visual: "http://a.b/DC%2BA"},

	// A bracket does not pair with one of another field.
	{name: "brackets", shape: "http://a.b/<A(B>/<C)D>", visual: "http://a.b/B(A/D)C"},
	{name: "brackets", order: Embedding, shape: "http://a.b/A(B/C)D", visual: "http://a.b/D)C/B(A"},

	// Bidi controls are escapes.
	{name: "override", shape: "http://a.b/\u202eAB\u202c", visual: "http://a.b/%E2%80%AEBA%E2%80%AC"},
	{name: "isolate", shape: "http://a.b/AB[\u2069]CD", visual: "http://a.b/DC%E2%81%A9BA"},
	{name: "isolate", order: Embedding, shape: "http://a.b/c\u2069d", visual: "http://a.b/c%E2%81%A9d"},
	{name: "mark", shape: "http://a.b/AB[\u061c]CD", visual: "http://a.b/DC%D8%9CBA"},
}

// layout returns the layout of a shape with the letters of a script, and the link.
func (c layoutTest) layout(t *testing.T, of func(string) string, around Direction) (Layout, string) {
	t.Helper()
	link := of(shapeMarks.Replace(c.shape))
	if c.file {
		return c.order.FileLayout(link, engine.Span{Start: 0, End: len(link)}, around), link
	}
	l, ok := Parse(link)
	if !ok {
		t.Fatalf("%q is no link", c.shape)
	}
	return c.order.Layout(link, l, around), link
}

// written returns a shape in some notation of isolates, with escapes for bidi controls.
func (c layoutTest) written(of func(string) string, open, close, fieldOpen, fieldClose, rowOpen, rowClose string) string {
	marks := strings.NewReplacer("<", fieldOpen, ">", fieldClose, "[", rowOpen, "]", rowClose,
		"\u061c", "%D8%9C", "\u202c", "%E2%80%AC", "\u202e", "%E2%80%AE", "\u2069", "%E2%81%A9")
	return open + marks.Replace(of(c.shape)) + close
}

func TestLayout(t *testing.T) {
	for _, c := range layoutTests {
		for _, script := range scripts {
			if c.script != "" && c.script != script.name {
				continue
			}
			around := []Direction{LTR, RTL, Unknown}
			if c.around != Unknown {
				around = []Direction{c.around}
			}
			for _, around := range around {
				y, link := c.layout(t, script.of, around)
				name := c.name + ", " + script.name + ", " + c.order.String() + " in " + around.String()
				dir := max(c.dir, LTR)
				if y.Dir != dir {
					t.Errorf("%s: direction %s", name, y.Dir)
				}
				compare := func(what, got, want string) {
					t.Helper()
					if got != want {
						t.Errorf("%s: %s is\n%+q, want\n%+q", name, what, latin(got), latin(want))
					}
				}
				if got := latin(y.Visual(link)); got != c.visual { // whose escapes are upper case
					t.Errorf("%s: visual is %s, want %s", name, got, c.visual)
				}
				tags := func(element string, d Direction) string { return "<" + element + ` dir="` + d.String() + `">` }
				compare("web", string(y.AppendHTML(nil, link, "#", Web)),
					c.written(script.of, tags("bdi", dir)+`<a href="#">`, "</a></bdi>", tags("bdi", dir), "</bdi>", tags("bdi", LTR), "</bdi>"))
				compare("mail", string(y.AppendHTML(nil, link, "#", Mail)),
					c.written(script.of, tags("bdi", dir)+`<a href="#">`+tags("span", dir), "</span></a></bdi>", tags("span", dir), "</span>", tags("span", LTR), "</span>"))
				compare("web without anchor", string(y.AppendHTML(nil, link, "", Web)), c.written(script.of, tags("bdi", dir), "</bdi>", tags("bdi", dir), "</bdi>", tags("bdi", LTR), "</bdi>"))
				lri, lre, lrm := "\u2066", "\u202a", "\u200e"
				if dir == RTL {
					lri, lre, lrm = "\u2067", "\u202b", "\u200f"
				}
				compare("isolates", string(y.AppendControls(nil, link, Isolates)), c.written(script.of, lri, "\u2069", lri, "\u2069", "\u2066", "\u2069"))
				compare("embeddings", string(y.AppendControls(nil, link, Embeddings)), c.written(script.of, lre, "\u202c", lrm, lrm, "\u202d", "\u202c"))
			}
		}
	}
}

// TestBare: PRI 185, table 2, the examples of 001 and 002, addresses and file names, in text without any mark-up.
func TestBare(t *testing.T) {
	for _, c := range []struct{ memory, ltr, rtl string }{
		{"http://ab.cd.com/mn/op", "http://ab.cd.com/mn/op", "http://ab.cd.com/mn/op"},
		{"http://ab.cd.EF.GH.com/IJ/KL/mn/op", "http://ab.cd.HG.FE.com/LK/JI/mn/op", "mn/op/LK/JI/com.HG.FE.http://ab.cd"},
		{"http://EF.GH/IJ/KL", "http://LK/JI/HG.FE", "LK/JI/HG.FE//:http"}, // The table has a stray " :".
		{"http://a.b.C.D.com", "http://a.b.D.C.com", "com.D.C.http://a.b"}, // 001 has a stray dot at the end.
		{"http://ab.CDEFGH.ij/kl/mn/op.html", "http://ab.HGFEDC.ij/kl/mn/op.html", "ij/kl/mn/op.html.HGFEDC.http://ab"},
		{"http://ab.CDE.FGH/ij/kl/mn/op.html", "http://ab.HGF.EDC/ij/kl/mn/op.html", "ij/kl/mn/op.html/HGF.EDC.http://ab"},
		{"http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV", "http://VU#TS=RQ;PO=NM?LK/JI/HG/FE.DC.BA", "VU#TS=RQ;PO=NM?LK/JI/HG/FE.DC.BA//:http"},
		{"http://AB.CD.ef/gh/IJ/KL.html", "http://DC.BA.ef/gh/LK/JI.html", "html.LK/JI/ef/gh.DC.BA//:http"},
		{"http://ab.cd.EF/GH/ij/kl.html", "http://ab.cd.HG/FE/ij/kl.html", "ij/kl.html/HG/FE.http://ab.cd"},
		{"http://ab.CD.EF/GH/IJ/kl.html", "http://ab.JI/HG/FE.DC/kl.html", "kl.html/JI/HG/FE.DC.http://ab"},
		{"http://ab.CDE123FGH.ij/kl/mn/op.html", "http://ab.HGF123EDC.ij/kl/mn/op.html", "ij/kl/mn/op.html.HGF123EDC.http://ab"},
		{"http://ab.cd.ef/GH1/2IJ/KL.html", "http://ab.cd.ef/LK/JI1/2HG.html", "html.LK/JI1/2HG/http://ab.cd.ef"},
		{"http://ab.CDEFGH.123/kl/mn/op.html", "http://ab.123.HGFEDC/kl/mn/op.html", "kl/mn/op.html/123.HGFEDC.http://ab"},
		{"http://ab.CDEFGH.123ij/kl/mn/op.html", "http://ab.123.HGFEDCij/kl/mn/op.html", "123ij/kl/mn/op.html.HGFEDC.http://ab"},
		{"ab@CD.EF", "ab@FE.DC", "FE.DC@ab"},
		{"AB@CD.EF", "FE.DC@BA", "FE.DC@BA"},
		{"AB@cd.EF", "BA@cd.FE", "FE.cd@BA"},
		{"AB.CD@EF.com", "FE@DC.BA.com", "com.FE@DC.BA"},
		{"AB/CD/ef.GH", "DC/BA/ef.HG", "HG.ef/DC/BA"},
		{`c:\AB\CD\EF.txt`, `c:\FE\DC\BA.txt`, `txt.FE\DC\BA\:c`},
		{"ab.CD, ef.GH", "ab.DC, ef.HG", "HG.ef ,DC.ab"},
		{"http://ab.com/x/", "http://ab.com/x/", "/http://ab.com/x"},
		{"", "", ""},
	} {
		for _, script := range scripts {
			if got := latin(Visual(script.of(c.memory), LTR)); got != c.ltr {
				t.Errorf("%s, %s in ltr: %s, want %s", c.memory, script.name, got, c.ltr)
			}
			if got := latin(Visual(script.of(c.memory), RTL)); got != c.rtl {
				t.Errorf("%s, %s in rtl: %s, want %s", c.memory, script.name, got, c.rtl)
			}
			if a, b := Visual(script.of(c.memory), Unknown), Visual(script.of(c.memory), LTR); a != b {
				t.Errorf("%s: %s in an unknown direction, %s in ltr", c.memory, a, b)
			}
		}
	}
}
