// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

func TestFromVisual(t *testing.T) {
	for _, script := range scripts {
		for _, c := range []struct{ visual, want string }{
			{"http://example.com/a", "http://example.com/a"},
			// The examples of the documents, see TestLayout.
			{"http://ab.cd.FE.HG.com/JI/LK/mn/op", "http://ab.cd.EF.GH.com/IJ/KL/mn/op"},
			{"http://FE.HG/JI/LK", "http://EF.GH/IJ/KL"},
			{"http://ab.HGFEDC.ij/kl/mn/op.html", "http://ab.CDEFGH.ij/kl/mn/op.html"},
			{"http://BA.DC.FE/HG/JI/LK?NM=RQ;PO=TS#VU", "http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV"},
			{"http://BA.DC.ef/gh/JI/LK.html", "http://AB.CD.ef/gh/IJ/KL.html"},
			{"http://ab.HGF123EDC.ij/kl", "http://ab.CDE123FGH.ij/kl"},
			{"http://ab.HGFEDC.123/kl/mn/op.html", "http://ab.CDEFGH.123/kl/mn/op.html"},
			{"BA@DC.FE", "AB@CD.EF"},
			{"mailto:BA@DC.FE", "mailto:AB@CD.EF"},
			{"BA.GF:8080/", "AB.FG:8080/"},
			// Rows of escapes.
			{"a.b/DC%d7%90BA", "a.b/AB%d7%90CD"},
			{"a.b/FE%20DC%31%32BA", "a.b/AB%31%32CD%20EF"},
			{"a.b/D%20C1%20BA", "a.b/AB%20" + "1C%20D"},
			// Numbers and brackets.
			{"a.b/D1,234C", "a.b/C1,234D"},
			{"a.b/B(12)A", "a.b/A)12(B"},
			{"a.b/٣٤/BA", "a.b/٣٤/AB"},
			{"a.b/B$°A/1$", "a.b/A°$B/1$"},
		} {
			visual, want := script.of(c.visual), script.of(c.want)
			if script.name == "Arabic" && strings.ContainsAny(c.visual, ",") {
				continue
			}
			l, ok := Parse(want)
			if !ok {
				t.Fatalf("%q is no link", want)
			}
			if v := Constant.Layout(want, l, LTR).Visual(want); v != visual {
				t.Errorf("%s: %q is displayed as %q, not %q", script.name, c.want, latin(v), c.visual)
			}
			if got, ok := FromVisual(visual); !ok || got != want {
				t.Errorf("%s: %q is read as %q, %v, want %q", script.name, c.visual, latin(got), ok, c.want)
			}
		}
		for _, visual := range []string{
			"", "a b", "http://", "a.b/HG1", "a.b/1HG", "a.b/2JI", "a.b/aB", "a.b/AbC", "a.b/%31HG", "a.b/A%B", "a.b/-A", "a.b/A-",
			"a.b/AB.123", "a.b/AB.", "a.b/aB.cD", "a.b/A\u200eB", "a.b/A\u200cB", "a.b/٣-٤", "a.b/A٣", "a.b/A\ufffcB", "\u200ea.b/AB",
			"a.b/B1$A", "a.b/B$1A", "a.b/B$A1C", "a.b/B1°A", // a sign and a number
		} {
			if got, ok := FromVisual(script.of(visual)); ok {
				t.Errorf("%s: %q is read as %q", script.name, visual, latin(got))
			}
		}
	}
}

// In Arabic, the letters before a number decide how it is displayed.
func TestFromVisualContext(t *testing.T) {
	for _, visual := range []string{"a.b/\xff", "a.b/א\xffב", "a.b/ב1\u05b0\xff"} {
		if got, ok := FromVisual(visual); ok {
			t.Errorf("%q is read as %q", visual, got)
		}
	}
	for _, iri := range []string{"a.b/ا1-2א", "a.b/א1-2ا", "a.b/ا1-2ב3-4ب", "a.b/ا1%20-2ב", "a.b/ب١-٢ב", "a.b/ب$١א", "a.b/ב\u05b01א", "a.b/א1ב\u05b0"} {
		l, _ := Parse(iri)
		v := Constant.Layout(iri, l, LTR).Visual(iri)
		if got, ok := FromVisual(v); !ok || got != iri {
			t.Errorf("%q, displayed as %q, is read as %q, %v", iri, v, got, ok)
		}
	}
}

// keepsRules reports whether FromVisual promises to bring an IRI back, found out from the logical form.
func keepsRules(iri string) bool {
	l, ok := Parse(iri)
	if !ok || !utf8.ValidString(iri) {
		return false
	}
	for _, r := range iri {
		if c, _ := bidi.LookupRune(r); c.Class() == bidi.BN || IsControl(r) {
			return false
		}
	}
	for _, f := range AppendFields(nil, iri, l) {
		s := f.In(iri)
		if !RightToLeftText(s) {
			if RightToLeft(s) && f.Classes != Arabic {
				return false
			}
			continue
		}
		if i := strings.LastIndexByte(s, '.'); i >= 0 && len(s) > i+1 {
			if c, _ := classOf(s[i+1:]); c == Left && !RightToLeft(s[i:]) && strings.IndexFunc(s[i:], isBracket) < 0 {
				s = s[:i]
			}
		}
		first, _ := classOf(s)
		var last Classes
		for _, r := range s {
			c, _ := bidi.LookupRune(r)
			if c.Class() == bidi.ET && r != '%' && classesOf(s)&European != 0 {
				return false
			}
			if c.Class() != bidi.NSM {
				last, _ = classOf(string(r))
			} else if last != Right {
				return false
			}
		}
		if first != Right || last != Right || classesOf(s)&Left != 0 || classesOf(s)&(Arabic|European) == Arabic|European || strings.Contains(s, "\ufffc") {
			return false
		}
		for i := range len(s) {
			if s[i] == '%' && escape(s[i:]) == 0 {
				return false
			}
		}
	}
	return true
}

// checkFromVisual checks that what keeps the rules comes back, and that whatever comes back is displayed so, and keeps them.
func checkFromVisual(t *testing.T, iri string) {
	t.Helper()
	l, ok := Parse(iri)
	if !ok {
		return
	}
	v := Constant.Layout(iri, l, LTR).Visual(iri)
	got, ok := FromVisual(v)
	if keepsRules(iri) && (!ok || got != iri) {
		t.Errorf("%q, displayed as %q, is read as %q, %v", iri, v, got, ok)
	}
	if ok && !keepsRules(got) {
		t.Errorf("%q is read as %q, which does not keep the rules", v, got)
	}
}

// All fields of up to five of these, in a path.
func TestFromVisualAll(t *testing.T) {
	alphabet := []string{"א", "ا", "a", "1", "٣", "-", ".", "%20", "\u05b0", "$"}
	length := 5
	if testing.Short() {
		length = 4
	}
	kept := 0
	var extend func(s string, n int)
	extend = func(s string, n int) {
		if iri := "a.b/" + s; s != "" && keepsRules(iri) {
			kept++
			checkFromVisual(t, iri)
		}
		if n == 0 || t.Failed() {
			return
		}
		for _, a := range alphabet {
			extend(s+a, n-1)
		}
	}
	extend("", length)
	t.Logf("%d IRIs keep the rules", kept)
}

func FuzzFromVisual(f *testing.F) {
	for _, s := range []string{
		"http://אב.גד/הו.html?ז=ח#ט", "a.b/ا1-2א/٣٤/%d7%90", "a.b/א%31%32ב/1", "mailto:א@ב.com", "אב.com:80/", "xmpp:א@ב/ג", "http://א@ב.ג/", "a.b/א\u05b01\u05b0ב",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkFromVisual(t, s)
		iri := fromAlphabet(s)
		checkFromVisual(t, iri)
		if got, ok := FromVisual(iri); ok {
			if l, _ := Parse(got); Constant.Layout(got, l, LTR).Visual(got) != iri {
				t.Errorf("%q is read as %q", iri, got)
			}
		}
	})
}

// iriAlphabet is what fromAlphabet makes IRIs of.
var iriAlphabet = []string{
	"א", "ב", "ا", "ب", "a", "b", "1", "2", "٣", "٤", "-", ".", "/", "?", "=", "&", "#", "%20", "%d7%90", ":", "@", "\u05b0", "$", ",", "(", ")", "א", "ا", "é", "。", "https://", "a.b/", ".com", ";",
}

// fromAlphabet makes an IRI of arbitrary bytes.
func fromAlphabet(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(iriAlphabet[int(s[i])%len(iriAlphabet)])
	}
	return strings.TrimFunc(b.String(), unicode.IsSpace)
}
