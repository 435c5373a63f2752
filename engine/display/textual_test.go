// SPDX-License-Identifier: MIT

package display

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

func TestTextual(t *testing.T) {
	for _, script := range scripts {
		for _, c := range []struct{ iri, ltr string }{
			{"http://ab.cd/ef", "http://ab.cd/ef"},
			{"http://EF.GH/IJ/KL", "http://¦EF¦.¦GH¦/¦IJ¦/¦KL¦"},
			{"http://ab.CDEFGH.ij/kl/mn/op.html", "http://ab.¦CDEFGH¦.ij/kl/mn/op.html"},
			{"http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV", "http://¦AB¦.¦CD¦.¦EF¦/¦GH¦/¦IJ¦/¦KL¦?¦MN¦=¦OP;QR¦=¦ST¦#¦UV¦"},
			{"http://AB.CD.ef/gh/IJ/KL.html", "http://¦AB¦.¦CD¦.ef/gh/¦IJ¦/¦KL.html¦"},
			{"http://ab.cd.ef/GH1/2IJ/3", "http://ab.cd.ef/¦GH1¦/¦2IJ¦/3"},
			{"AB@cd.EF", "¦AB¦@cd.¦EF¦"},
			{"mailto:AB@CD.EF", "mailto:¦AB¦@¦CD¦.¦EF¦"},
			{"http://a.b/٣/1", "http://a.b/¦٣¦/1"},     // an Arabic number counts
			{"http://a.b/%d7%90", "http://a.b/%d7%90"}, // an escape does not
			{"AB.CD:80/", "¦AB¦.¦CD¦:80/"},
			{"http://a.b/\u200fc/D", "http://a.b/\u200fc/¦D¦"},
		} {
			iri, ltr := script.of(c.iri), markNames.Replace(script.of(c.ltr))
			rtl := lre + ltr + pdf
			if got := ToTextual(iri, LTR); got != ltr {
				t.Errorf("%s: %q: got %q, want %q", script.name, c.iri, markLetters.Replace(got), markLetters.Replace(ltr))
			}
			if got := ToTextual(iri, RTL); got != rtl {
				t.Errorf("%s: %q: got %q, want %q", script.name, c.iri, markLetters.Replace(got), markLetters.Replace(rtl))
			}
			for _, s := range []string{iri, ltr, rtl} {
				if got := FromTextual(s); got != iri {
					t.Errorf("%s: from %q: got %q, want %q", script.name, markLetters.Replace(s), markLetters.Replace(got), c.iri)
				}
			}
			if got := FromEmbedding(ToEmbedding(iri)); got != iri {
				t.Errorf("from the embedding of %q: %q", c.iri, got)
			}
			// Section 4.4: from textual context to the visual representation by the bidi algorithm.
			l, _ := Parse(iri)
			if HasControl(iri) {
				continue
			}
			constant, embedded := Constant.Layout(iri, l, LTR).Visual(iri), Embedding.Layout(iri, l, LTR).Visual(iri)
			if got := Visual(ltr, LTR); got != constant {
				t.Errorf("%s: %q is displayed as %q, want %q", script.name, c.iri, latin(got), latin(constant))
			}
			if got := Visual(rtl, RTL); got != constant {
				t.Errorf("%s: right to left, %q is displayed as %q, want %q", script.name, c.iri, latin(got), latin(constant))
			}
			for _, d := range []Direction{LTR, RTL} {
				if got := Visual(ToEmbedding(iri), d); got != embedded {
					t.Errorf("%s: %v: %q embedded is displayed as %q, want %q", script.name, d, c.iri, latin(got), latin(embedded))
				}
			}
		}
	}
}

// Only controls at the positions of the draft go away.
func TestFromTextual(t *testing.T) {
	for _, c := range [][2]string{
		{"http://¦א¦.ב/", "http://¦א¦.ב/"},     // one component without marks
		{"http://¦א¦.¦ב/", "http://¦א¦.¦ב/"},   // one with half of them
		{"http://¦א¦¦.¦ב¦/", "http://א¦.ב/"},   // one too many
		{"http://¦¦א¦¦.¦¦ב¦¦/", "http://א.ב/"}, // two layers
		{"«http://a.b/", "«http://a.b/"},       // half of a pair
		{"¦http://a.b/¦", "¦http://a.b/¦"},     // LRM round the whole, which is NOT RECOMMENDED
		{"‹http://¦א¦.b/›", "‹http://א.b/›"},   // isolates are no marks of this form
		{"http://a.b/c¦d/¦\u200fו¦", "http://a.b/c¦d/\u200fו"},
		{"http://a.b/¦c¦/d", "http://a.b/¦c¦/d"}, // not right-to-left
		{"«no IRI»", "«no IRI»"},
		{"«http://\xff.b»", "«http://\xff.b»"},
		{"", ""}, {"¦", "¦"}, {"«»", "«»"},
	} {
		s, want := markNames.Replace(c[0]), markNames.Replace(c[1])
		if got := FromTextual(s); got != want {
			t.Errorf("%q: got %q, want %q", c[0], markLetters.Replace(got), markLetters.Replace(want))
		}
	}
	for _, s := range []string{"", lre, pdf, pdf + lre, lre + "a", "a" + pdf} {
		if got := FromEmbedding(s); got != s {
			t.Errorf("%+q: got %+q", s, got)
		}
	}
}

func FuzzTextual(f *testing.F) {
	for _, s := range []string{"http://אב.גד/הו.html?ז=ח#ט", lre + "http://" + lrm + "א" + lrm + ".b/" + pdf, "mailto:א@ב.com", "\x80" + lrm + "\x80א/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, iri := range []string{s, fromAlphabet(s), markText(s)} {
			plain := FromTextual(iri)
			if !HasControl(iri) && plain != iri {
				t.Errorf("%+q becomes %+q", iri, plain)
			}
			if again := FromTextual(plain); again != plain {
				t.Errorf("%+q becomes %+q, and then %+q", iri, plain, again)
			}
			if got := FromEmbedding(ToEmbedding(iri)); got != iri {
				t.Errorf("%+q embedded and back is %+q", iri, got)
			}
			for _, d := range []Direction{LTR, RTL} {
				textual := ToTextual(iri, d)
				if back := FromTextual(textual); back != plain {
					t.Errorf("%v: %+q: textual %+q, and back %+q, want %+q", d, iri, textual, back, plain)
				}
				if again := ToTextual(textual, d); again != textual {
					t.Errorf("%v: %+q: textual %+q, and again %+q", d, iri, textual, again)
				}
				l, ok := Parse(iri)
				if !ok || HasControl(iri) || !utf8.ValidString(iri) {
					continue
				}
				for _, r := range iri {
					if p, _ := bidi.LookupRune(r); p.IsBracket() {
						ok = false // it may pair with one in another component
					}
				}
				for _, field := range AppendFields(nil, iri, l) {
					if field.Classes.RightToLeft() && field.Classes&Escapes != 0 {
						ok = false // the draft says nothing about the order of escapes
					}
				}
				if want, got := Constant.Layout(iri, l, LTR).Visual(iri), Visual(textual, d); ok && got != want {
					t.Errorf("%v: %+q is displayed as %+q, want %+q", d, iri, got, want)
				}
			}
		}
	})
}
