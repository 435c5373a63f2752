// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

func detector(t testing.TB, o engine.Options) *engine.Detector {
	t.Helper()
	d, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// In the tables, these stand for controls.
var (
	markNames   = strings.NewReplacer("‹", lri, "›", pdi, "«", lre, "»", pdf, "¦", lrm)
	markLetters = strings.NewReplacer(lri, "‹", pdi, "›", lre, "«", pdf, "»", lrm, "¦")
)

func TestMark(t *testing.T) {
	d := detector(t, engine.Options{})
	iso, emb, form := MarkOptions{Marks: MarksIsolate}, MarkOptions{Marks: MarksEmbedding}, MarkOptions{Marks: MarksLRM}
	with := func(o MarkOptions, f func(*MarkOptions)) MarkOptions { f(&o); return o }
	for _, script := range scripts {
		for _, c := range []struct {
			text string
			o    MarkOptions
			want string // with ‹ LRI, › PDI, « LRE, » PDF, ¦ LRM
		}{
			// Between spaces, the controls stand outside them.
			{"AB http://e.com/C CD", iso, "AB‹ http://e.com/C ›CD"},
			{"AB http://e.com/ CD", iso, "AB‹ http://e.com/ ›CD"},
			{"ab http://e.com/C cd", with(iso, func(o *MarkOptions) { o.Dir = LTR }), "ab‹ http://e.com/C ›cd"},
			{"AB  http://e.com/C  CD", iso, "AB ‹ http://e.com/C › CD"},
			{" http://e.com/C CD", iso, "‹ http://e.com/C ›CD"},
			// With one space, or none, they stand at the link.
			{"http://e.com/C CD", iso, "‹http://e.com/C› CD"},
			{"AB http://e.com/C. CD", iso, "AB ‹http://e.com/C›. CD"},
			{"AB (http://e.com/C) CD", iso, "AB (‹http://e.com/C›) CD"},
			{"AB\thttp://e.com/C\tCD", iso, "AB\t‹http://e.com/C›\tCD"},
			{"AB http://e.com/C \tCD", iso, "AB ‹http://e.com/C› \tCD"},
			{"AB http://e.com/C\u00a0CD", iso, "AB ‹http://e.com/C›\u00a0CD"},
			{"\ufeffhttp://e.com/C CD", iso, "\ufeff‹http://e.com/C› CD"},
			// The end of a line closes an isolate.
			{"AB http://e.com/C\nCD", iso, "AB ‹http://e.com/C\nCD"},
			{"AB http://e.com/C", iso, "AB ‹http://e.com/C"},
			{"AB http://e.com/C  \r\nCD", iso, "AB ‹http://e.com/C  \r\nCD"},
			{"http://e.com/C\u2029CD", iso, "‹http://e.com/C\u2029CD"},
			{"AB http://e.com/C\u2028CD", iso, "AB ‹http://e.com/C›\u2028CD"},
			{"AB http://e.com/C.\nCD", iso, "AB ‹http://e.com/C›.\nCD"},
			// Two links.
			{"AB http://e.com/C http://e.com/D EF", iso, "AB‹ http://e.com/C ›‹http://e.com/D› EF"},
			{"AB http://e.com/C  http://e.com/D EF", iso, "AB‹ http://e.com/C ›‹ http://e.com/D ›EF"},
			{"AB http://e.com/C, http://e.com/D EF", iso, "AB ‹http://e.com/C›,‹ http://e.com/D ›EF"},
			{"AB e.com/C e.com/D e.com/E", iso, "AB‹ e.com/C ›‹e.com/D› ‹e.com/E"},
			{"ab e.com/C e.com/d e.com/E ef", with(iso, func(o *MarkOptions) { o.Dir = LTR }), "ab ‹e.com/C› e.com/d ‹e.com/E› ef"},
			{"ab e.com/C <e.com/d> ef", with(iso, func(o *MarkOptions) { o.Dir = LTR }), "ab‹ e.com/C ›<e.com/d> ef"},
			// Which links get marks.
			{"ab e.com cd", iso, "ab e.com cd"},
			{"AB e.com CD\nab e.com cd\n", iso, "AB‹ e.com ›CD\nab e.com cd\n"},
			{"ab e.com cd", with(iso, func(o *MarkOptions) { o.Dir = RTL }), "ab‹ e.com ›cd"},
			{"AB e.com CD", with(iso, func(o *MarkOptions) { o.Dir = LTR }), "AB e.com CD"},
			{"AB e.com CD e.com/E", with(iso, func(o *MarkOptions) { o.Isolate = IsolateBidi }), "AB e.com CD ‹e.com/E"},
			{"ab e.com cd", with(iso, func(o *MarkOptions) { o.Isolate = IsolateAll }), "ab‹ e.com ›cd"},
			{"AB e.com/C CD", with(iso, func(o *MarkOptions) { o.Isolate = IsolateNone }), "AB e.com/C CD"},
			{"AB e.com/C CD", MarkOptions{}, "AB e.com/C CD"},
			{"ab e.com/٣ cd", iso, "ab‹ e.com/٣ ›cd"},
			{"\u200fab e.com cd", iso, "\u200fab e.com cd"}, // RLM makes no line right-to-left
			{"AB e.com/C1 e.com/D", with(iso, func(o *MarkOptions) { o.Refuse = WarnEdge }), "AB e.com/C1 ‹e.com/D"},
			{"no link AB", iso, "no link AB"},
			// Controls in and beside links are kept.
			{"ab e.com/\u202ec cd", iso, "ab‹ e.com/\u202ec ›cd"},
			{"ab e.com/c¦d cd", iso, "ab‹ e.com/c¦d ›cd"},
			{"ab ex¦am.com cd", iso, "ab ex¦am.com cd"},
			{"ab «ex¦am.com» cd", iso, "ab «ex¦am.com» cd"},
			{"AB e.com/C¦ CD", iso, "AB‹ e.com/C¦ ›CD"},
			{"AB ¦e.com/C CD", iso, "AB‹ ¦e.com/C ›CD"},
			{"AB e.com/C¦\nCD", iso, "AB ‹e.com/C›¦\nCD"},
			// Embeddings.
			{"AB http://e.com/C CD", emb, "AB «http://e.com/C» CD"},
			{"ab C@e.com, cd", emb, "ab «C@e.com», cd"},
			{"ab e.com, cd", emb, "ab e.com, cd"},
			// LRM round components.
			{"AB http://AB.קום/CD?EF=gh#IJ cd", form, "AB «http://¦AB¦.¦קום¦/¦CD¦?¦EF¦=gh#¦IJ¦» cd"},
			{"ab http://AB.קום/CD cd", with(form, func(o *MarkOptions) { o.Dir = LTR }), "ab http://¦AB¦.¦קום¦/¦CD¦ cd"},
			{"ab AB.קום cd", with(form, func(o *MarkOptions) { o.Dir = LTR }), "ab ¦AB¦.¦קום¦ cd"},
			{"ab AB.קום, cd", form, "ab «¦AB¦.¦קום¦», cd"},
			{"AB e.com, cd", form, "AB «e.com», cd"},
			{"ab e.com, cd", with(form, func(o *MarkOptions) { o.Isolate = IsolateAll }), "ab e.com, cd"},
			// Marks of another form are replaced, and doubled ones.
			{"AB «http://e.com/C» CD", iso, "AB‹ http://e.com/C ›CD"},
			{"AB ‹http://e.com/C› CD", iso, "AB‹ http://e.com/C ›CD"},
			{"AB‹ http://e.com/C ›CD", emb, "AB «http://e.com/C» CD"},
			{"AB ‹http://e.com/C\nCD", emb, "AB «http://e.com/C»\nCD"},
			{"AB ««http://¦¦e¦¦.com/C» CD", emb, "AB ««http://¦¦e¦¦.com/C» CD"}, // e¦¦ makes it no link
			{"AB ««http://e.com/C»» CD", form, "AB «http://e.com/¦C¦» CD"},
			{"AB ¦AB¦.¦קום¦, CD", iso, "AB ‹AB.קום›, CD"},
			// A link that a stray byte follows, and one that touches another.
			{"AB e.com/C\x80 CD", iso, "AB e.com/C\x80 CD"},
			{"AB e.com/C\xff CD", emb, "AB «e.com/C»\xff CD"},
		} {
			of := func(s string) string { return markNames.Replace(inScriptBytes(s, script.of)) }
			text, want := of(c.text), of(c.want)
			got := Mark(d, text, c.o)
			if got != want {
				t.Errorf("%s: %q, %+v\n got %q\nwant %q", script.name, c.text, c.o, markLetters.Replace(got), markLetters.Replace(want))
			}
			checkMarks(t, d, text, c.o)
		}
	}
}

// inScriptBytes applies of to what is UTF-8.
func inScriptBytes(s string, of func(string) string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRuneInString(s[i:])
		if n == 1 {
			part := s[i : i+1]
			if s[i] < utf8.RuneSelf {
				part = of(part)
			}
			b.WriteString(part)
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func TestStrip(t *testing.T) {
	d := detector(t, engine.Options{})
	for _, script := range scripts {
		for _, c := range [][2]string{
			{"AB e.com CD", "AB e.com CD"},
			{"AB‹ e.com ›CD", "AB e.com CD"},
			{"AB ‹e.com› CD", "AB e.com CD"},
			{"AB ‹e.com", "AB e.com"},
			{"AB ‹e.com  \nCD", "AB e.com  \nCD"},
			{"AB «e.com» CD", "AB e.com CD"},
			{"AB ‹«e.com»› CD", "AB e.com CD"},
			{"AB ‹‹««e.com»»›› CD", "AB e.com CD"},
			{"AB‹‹ ‹e.com› ››CD", "AB e.com CD"},
			{"ab http://¦AB¦.¦קום¦/¦CD¦ cd", "ab http://AB.קום/CD cd"},
			{"ab «¦¦AB¦¦.¦¦קום¦¦» cd", "ab AB.קום cd"},
			{"AB‹ e.com ›‹e.com› ‹e.com", "AB e.com e.com e.com"},
			{"‹ e.com ›‹ e.org ›x", " e.com  e.org x"},
			// What stands elsewhere is kept.
			{"ab e.com/c¦d «x» ‹y› \u200f¦.", "ab e.com/c¦d «x» ‹y› \u200f¦."},
			{"AB e.com¦ CD", "AB e.com¦ CD"},
			{"AB ‹e.com CD", "AB ‹e.com CD"},
			{"AB e.com› CD", "AB e.com› CD"},
			{"AB ‹e.com» CD", "AB ‹e.com» CD"},
			{"AB‹ e.com CD›", "AB‹ e.com CD›"},
			{"AB‹ e.com ›\nCD", "AB‹ e.com ›\nCD"}, // not as it would be marked
			{"AB‹ e.com \nCD", "AB‹ e.com \nCD"},
			{"AB ‹e.com ›\nCD", "AB ‹e.com ›\nCD"},
			{"AB‹ (e.com) ›CD", "AB‹ (e.com) ›CD"},
			{"AB ¦‹e.com›¦ CD", "AB ¦e.com¦ CD"},
			{"ab http://AB¦.¦קום¦/ cd", "ab http://AB¦.¦קום¦/ cd"},
			{"ab http://¦AB¦.קום/ cd", "ab http://¦AB¦.קום/ cd"},
			{"ab http://¦¦¦AB¦¦.¦קום¦¦/¦¦CD¦ cd", "ab http://¦¦¦AB¦¦.¦קום¦¦/¦¦CD¦ cd"}, // one layer less leaves no link
			{"ab http://e.com/¦¦AB¦/¦¦CD¦¦ cd", "ab http://e.com/¦AB/¦CD¦ cd"},
			{"«ex¦am.com»", "«ex¦am.com»"},
			{"ex¦am.com «e.com»", "ex¦am.com e.com"},
			{"«e.com\x80»", "«e.com\x80»"},
		} {
			of := func(s string) string { return markNames.Replace(inScriptBytes(s, script.of)) }
			if got := Strip(d, of(c[0])); got != of(c[1]) {
				t.Errorf("%s: %q\n got %q\nwant %q", script.name, c[0], markLetters.Replace(got), c[1])
			}
		}
	}
}

// checkMarks checks what the documentation of Mark and Strip promises for any text.
func checkMarks(t *testing.T, d *engine.Detector, text string, o MarkOptions) {
	t.Helper()
	stripped, marked := Strip(d, text), Mark(d, text, o)
	if again := Strip(d, stripped); again != stripped {
		t.Errorf("%+q stripped is %+q, and again %+q", text, stripped, again)
	}
	if back := Strip(d, marked); back != stripped {
		t.Errorf("%+v: %+q stripped is %+q, marked %+q, and stripped then %+q", o, text, stripped, marked, back)
	}
	if again := Mark(d, marked, o); again != marked {
		t.Errorf("%+v: %+q marked is %+q, and again %+q", o, text, marked, again)
	}
	if again := Mark(d, stripped, o); again != marked {
		t.Errorf("%+v: %+q marked is %+q, and stripped first %+q", o, text, marked, again)
	}
	if !HasControl(text) && stripped != text {
		t.Errorf("%+q has no controls, and stripped is %+q", text, stripped)
	}
	if o.Marks == MarksNone && marked != stripped {
		t.Errorf("%+q: no marks is %+q", text, marked)
	}
	// No other byte is changed.
	if k := newSkeleton(text).text; newSkeleton(marked).text != k || newSkeleton(stripped).text != k {
		t.Errorf("%+v: %+q becomes %+q, and stripped %+q", o, text, marked, stripped)
	}
	// In the form of isolates no control gets into a link.
	if o.Marks == MarksIsolate {
		rest := marked
		for l := range d.Links(stripped) {
			i := strings.Index(rest, l.In(stripped))
			if i < 0 {
				t.Fatalf("%+q: link %+q is not in %+q", text, l.In(stripped), marked)
			}
			rest = rest[i+l.Len():]
		}
	}
}

// checkDisplay checks that the lines of text are displayed with its links between LRI and PDI as with the marks of MarksIsolate.
func checkDisplay(t *testing.T, d *engine.Detector, text string, o MarkOptions) {
	t.Helper()
	if HasControl(text) || !utf8.ValidString(text) {
		return
	}
	o.Marks = MarksIsolate
	k := newSkeleton(text)
	var plain []insertion
	links, _ := k.links(d)
	for _, l := range links {
		if l.bare {
			continue
		}
		plain = append(plain, insertion{l.Start, false, lri}, insertion{l.End, true, pdi})
	}
	o.Isolate, o.Refuse = IsolateAll, 0
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("\n\r\u0085\u2029\x1c\x1d\x1e", r) })
	}
	want, got := split(string(k.append(nil, plain))), split(Mark(d, text, o))
	if len(want) != len(got) {
		t.Fatalf("%+q: %d lines, want %d", text, len(got), len(want))
	}
	for i := range want {
		for _, dir := range []Direction{LTR, RTL} {
			if w, g := Visual(want[i], dir), Visual(got[i], dir); w != g {
				t.Errorf("%v: %+q is displayed as %+q, and %+q as %+q", dir, want[i], w, got[i], g)
			}
		}
	}
}

func TestMarkDisplay(t *testing.T) {
	d := detector(t, engine.Options{})
	urls := []string{"http://e.com/", "http://AB.קום/CD", "e.com/A", "1@e.com"}
	for _, script := range scripts {
		for _, u := range urls {
			for _, before := range []string{"", " ", "AB ", "ab ", "AB 1 ", "AB, ", "(", "AB (", "  ", "AB\t", "\u3000 ", "1 ", "-1 - "} {
				for _, after := range []string{"", " ", " CD", " cd", " 5 CD", ", 5 CD", ")", "  ", " \t", "\tCD", " \u3000\tCD", " 1", " \u200b", " \u3000", ". CD\nEF", "\nEF", "  \r\nEF", " -1", " % A"} {
					for _, text := range []string{before + u + after, before + u + " " + u + after, before + u + "  " + u + after, before + u + ", " + u + after} {
						checkDisplay(t, d, script.of(text), MarkOptions{})
					}
				}
			}
		}
	}
}

// The form of a link in running text is that of the link alone.
func TestMarkTextual(t *testing.T) {
	d := detector(t, engine.Options{MailtoQuery: true, Schemes: []string{"ftp", "xmpp"}})
	for _, link := range []string{"http://אב.קום/ג?ד=ה&ו#ז", "אב.קום", "ג@אב.קום", "mailto:ג@אב.קום?ד=ה", "http://e.com/", "xmpp:ג@אב.קום/ד", "ftp://אב.קום:21/ג", "e.com/٣/א%20ב"} {
		for _, dir := range []Direction{LTR, RTL} {
			o := MarkOptions{Marks: MarksLRM, Isolate: IsolateAll, Dir: dir}
			if got, want := Mark(d, "a "+link+" b", o), "a "+ToTextual(link, dir)+" b"; got != want {
				t.Errorf("%v: got %+q, want %+q", dir, got, want)
			}
		}
	}
}

func TestMarksString(t *testing.T) {
	for m := MarksNone; m <= MarksLRM; m++ {
		if got, err := ParseMarks(m.String()); err != nil || got != m {
			t.Errorf("%v is %v, %v", m, got, err)
		}
	}
	if s := Marks(9).String(); s != "Marks(9)" {
		t.Error(s)
	}
	if _, err := ParseMarks("some"); err == nil || err.Error() != `display: unknown marks "some": want one of none, isolate, embedding, lrm` {
		t.Error(err)
	}
}

// markPieces are what fuzzed texts are made of.
var markPieces = []string{
	"http://", "e.com", "e.com/", "אב.קום", "קום", "א", "ا", "b", "/", ".", "@", "?", "=", "#", " ", " ", " ", "\n", "\t", "\r\n", "1", "٣", "%20", ",", "(", ")", "\u3000", "\u2029",
	lrm, lrm, lre, pdf, lri, pdi, rlm, "\u202e", "\u2068", "\u061c", "\x80", "\xe2", "\xe2\x80", "\x8e", "\xff", "\xd7", "\x90", "例", "。", "tel:", "\u200b", "[::1]", "ftp:",
	lri + "e.com" + pdi, lre + "אב.קום" + pdf, lrm + "א" + lrm, lri + " e.com/א " + pdi, lri + "e.com\n", " e.com/א ", "http://" + lrm + "אב" + lrm + "." + lrm + "קום" + lrm + "/",
}

// markText makes a text of arbitrary bytes.
func markText(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(markPieces[int(s[i])%len(markPieces)])
	}
	return b.String()
}

var markDetectors = []engine.Options{
	{},
	{LocalHosts: true, Schemes: []string{"ftp", "tel", "xmpp"}, MailtoQuery: true},
	{Strict: true},
	{SymbolLabels: true, KeepControls: true, Schemes: []string{"tel"}},
}

func FuzzMark(f *testing.F) {
	f.Add("AB‹ e.com ›CD", byte(1), byte(0))
	f.Add("\x01\x1c\x05\x10 ¦א¦", byte(2), byte(77))
	for i := range byte(4) {
		f.Add("http://אב.קום/א e.com\n"+lri+" e.com/א "+pdi+lre+"e.com"+pdf+" ex"+lrm+"am.com", i, i<<4|i)
		f.Add("\x1c\x01\x03\x0f\x10\x2a\x34\x35", i, i<<2)
		f.Add(string([]byte{0x33, 0x34, 0x38, 0x1c, 0x39, 0x20, 0x36, 0x37}), i, i<<2)
	}
	var detectors []*engine.Detector
	for _, o := range markDetectors {
		detectors = append(detectors, detector(f, o))
	}
	f.Fuzz(func(t *testing.T, s string, form, options byte) {
		d := detectors[options&3]
		o := MarkOptions{Marks: Marks(form & 3), Isolate: Isolation(options >> 2 & 3), Dir: Direction((options >> 4 & 7) % 3)}
		if options&0x80 != 0 {
			o.Refuse = WarnEdge | WarnControl | WarnCrossing
		}
		for _, text := range []string{s, markText(s)} {
			checkMarks(t, d, text, o)
			checkDisplay(t, d, text, o)
		}
	})
}

// Twice the text takes at most 2.2 times the steps.
func TestMarkGrowth(t *testing.T) {
	repeat := strings.Repeat
	shapes := map[string]func(n int) string{
		"one word":    func(n int) string { return repeat("a", n) },
		"one path":    func(n int) string { return "e.com/" + repeat("א", n) },
		"fields":      func(n int) string { return "e.com/" + repeat("א/", n) },
		"layers":      func(n int) string { return repeat(lre, n) + "e.com/א" + repeat(pdf, n) },
		"both layers": func(n int) string { return repeat(lre+lrm, n) + "אב.קום" + repeat(lrm+pdf, n) },
		"many fields": func(n int) string {
			return repeat(lre, n) + "http://" + repeat(lrm+"א"+lrm+".", n) + "קום" + repeat(pdf, n)
		},
		"fields in layers": func(n int) string {
			return repeat(lre, n) + "e.com/" + repeat("א/", n) + repeat(pdf, n)
		},
		"LRM at fields": func(n int) string { return "e.com/" + repeat(lrm+"א"+lrm+"/", n) },
		"a wall at each": func(n int) string {
			return "e.com/" + repeat(repeat(lrm, 100)+"א"+repeat(lrm, 100)+"/", n/100+1)
		},
		"open lines":  func(n int) string { return repeat("א "+lri+"e.com\n", n) },
		"line ends":   func(n int) string { return "e.com" + repeat(" ", n) + pdi + "\n" },
		"blanks":      func(n int) string { return repeat("e.com"+repeat(" ", 50), n/50+1) + "\t" },
		"wide blanks": func(n int) string { return repeat("e.com "+repeat("\u3000", 50), n/50+1) + "\t" },
	}
	for _, unit := range []string{
		lrm, lri, pdi, lre, pdf, "א.", lrm + "א" + lrm + ".", "e.com", "e.com ", lri + " e.com " + pdi, lri + "e.com" + pdi + " ", "e.com" + lrm + " ", lre + "e.com", "e.com\x80 ",
		"ex" + lrm + "am.com ", lri + lre, rlm, "\xe2", "\xe2\x80", "a\n", "אe.com ", lrm + "e.com/א" + lrm + " ", "“a” ",
	} {
		shapes[fmt.Sprintf("%+q…", unit)] = func(n int) string { return repeat(unit, n) }
	}
	for _, o := range []engine.Options{{}, {LocalHosts: true, Schemes: []string{"tel"}}} {
		d := detector(t, o)
		for name, shape := range shapes {
			for m := MarksNone; m <= MarksLRM; m++ {
				const n = 500
				var steps [3]int
				for i := range steps {
					k := newSkeleton(shape(n << i))
					k.mark(d, MarkOptions{Marks: m, Isolate: IsolateAll})
					steps[i] = k.steps
				}
				if most := 30 * len(shape(4*n)); steps[2] > most {
					t.Errorf("%s, %v: %d steps, more than %d", name, m, steps[2], most)
				}
				for i := 1; i < len(steps); i++ {
					if ratio := float64(steps[i]) / float64(steps[i-1]); ratio > 2.2 {
						t.Errorf("%s, %v: steps %v: ratio %.2f", name, m, steps, ratio)
					}
				}
			}
		}
	}
}

// A text may be a megabyte without a space.
func TestMarkLarge(t *testing.T) {
	d := detector(t, engine.Options{})
	for _, unit := range []string{"a", "א", "א.", lrm, lri, lrm + "א" + lrm + ".", "e.com/", lre + "e.com" + pdf} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		if marked := Mark(d, text, MarkOptions{Marks: MarksLRM}); Strip(d, marked) != Strip(d, text) {
			t.Errorf("%+q: stripping does not bring it back", unit)
		}
	}
}

// A control that begins right-to-left text turns a link round that has no right-to-left letter.
func TestMarkBehindControl(t *testing.T) {
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, control := range []string{"\u202b", "\u202e", "\u2067", "\u2068"} {
		text := "a " + control + " http://e.com/x/ b\nhttp://e.com/x/\n"
		want := "a " + control + "\u2066 http://e.com/x/ \u2069b\nhttp://e.com/x/\n"
		if got := Mark(d, text, MarkOptions{Marks: MarksIsolate}); got != want || Strip(d, got) != text {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
