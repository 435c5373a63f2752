// SPDX-License-Identifier: MIT

//go:build browser && unix

package htmlwalk_test

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/htmlwalk"
)

// A sample is a link or file name to be displayed, in the notation of the documents: capital letters are right-to-left ones.
type sample struct {
	name, text string
	how        how
	// What is seen in the orders Constant and Embedding, where the documents say it or it is plain: the same in all scripts. "=" is the text itself.
	constant, embedding string
}

// scrambled reports whether bare text in a right-to-left paragraph is not seen in the order Constant: all but some without right-to-left letters.
func (s sample) scrambled() bool {
	return s.constant != "=" || strings.HasSuffix(s.text, "/") || strings.ToLower(s.text) != s.text
}

// endsInEscapes reports whether a field with right-to-left letters ends in an escape.
func (s sample) endsInEscapes() bool { return strings.Contains(s.text, "GH%31") }

// how says where the mark-up of a sample comes from.
type how uint8

const (
	rewritten how = iota // from Rewrite
	laidOut              // from Layout.AppendHTML: the detector takes the host, or user information, for no part of a link
	fileName             // from Rewrite, without an anchor
)

var samples = []sample{
	// PRI 185, and its draft.
	{"T1.1", "http://ab.cd.com/mn/op", rewritten, "=", "="},
	{"T1.2", "http://ab.cd.EF.GH.com/IJ/KL/mn/op", rewritten, "http://ab.cd.FE.HG.com/JI/LK/mn/op", "http://ab.cd.HG.FE.com/LK/JI/mn/op"},
	{"T1.3", "http://EF.GH/IJ/KL", rewritten, "http://FE.HG/JI/LK", "http://LK/JI/HG.FE"},
	{"001", "http://a.b.C.D.com", rewritten, "=", "http://a.b.D.C.com"},
	// draft-ietf-iri-bidi-guidelines.
	{"X1", "http://ab.CDEFGH.ij/kl/mn/op.html", rewritten, "http://ab.HGFEDC.ij/kl/mn/op.html", "http://ab.HGFEDC.ij/kl/mn/op.html"},
	{"X2", "http://ab.CDE.FGH/ij/kl/mn/op.html", rewritten, "http://ab.EDC.HGF/ij/kl/mn/op.html", "http://ab.HGF.EDC/ij/kl/mn/op.html"},
	{"X3", "http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV", rewritten, "http://BA.DC.FE/HG/JI/LK?NM=RQ;PO=TS#VU", "http://VU#TS=RQ;PO=NM?LK/JI/HG/FE.DC.BA"},
	{"X4", "http://AB.CD.ef/gh/IJ/KL.html", rewritten, "http://BA.DC.ef/gh/JI/LK.html", "http://DC.BA.ef/gh/LK/JI.html"},
	{"X5", "http://ab.cd.EF/GH/ij/kl.html", rewritten, "http://ab.cd.FE/HG/ij/kl.html", "http://ab.cd.HG/FE/ij/kl.html"},
	{"X6", "http://ab.CD.EF/GH/IJ/kl.html", rewritten, "http://ab.DC.FE/HG/JI/kl.html", "http://ab.JI/HG/FE.DC/kl.html"},
	{"X7", "http://ab.CDE123FGH.ij/kl/mn/op.html", rewritten, "http://ab.HGF123EDC.ij/kl/mn/op.html", "http://ab.HGF123EDC.ij/kl/mn/op.html"},
	{"X8", "http://ab.cd.ef/GH1/2IJ/KL.html", rewritten, "http://ab.cd.ef/1HG/2JI/LK.html", "http://ab.cd.ef/LK/JI1/2HG.html"},
	{"X9", "http://ab.cd.ef/GH%31/%32IJ/KL.html", rewritten, "", ""}, // not the same in Hebrew and in Arabic
	{"X10", "http://ab.CDEFGH.123/kl/mn/op.html", laidOut, "http://ab.HGFEDC.123/kl/mn/op.html", "http://ab.123.HGFEDC/kl/mn/op.html"},
	{"X11", "http://ab.CDEFGH.123ij/kl/mn/op.html", laidOut, "http://ab.HGFEDC.123ij/kl/mn/op.html", "http://ab.123.HGFEDCij/kl/mn/op.html"},
	// Escapes.
	{"P1", "http://ab.cd/AB%20CD", rewritten, "http://ab.cd/DC%20BA", ""},
	{"P2", "http://ab.cd/AB%31%32CD", rewritten, "http://ab.cd/DC%31%32BA", ""},
	{"P3", "http://ab.cd/AB%d7%90CD", rewritten, "http://ab.cd/DC%d7%90BA", ""},
	{"P4", "http://ab.cd/GH%31", rewritten, "", ""},
	{"P5", "http://AB.CD/EF%20GH/IJ?KL=%d7%90#MN%31%32OP", rewritten, "", ""},
	// Addresses.
	{"E1", "ab@CD.EF", rewritten, "ab@DC.FE", "ab@FE.DC"},
	{"E2", "AB@CD.EF", rewritten, "BA@DC.FE", "FE.DC@BA"},
	{"E3", "AB@cd.EF", rewritten, "BA@cd.FE", "BA@cd.FE"},
	{"E4", "AB.CD@EF.com", rewritten, "DC.BA@FE.com", "FE@DC.BA.com"},
	{"E5", "mailto:AB@CD.EF", rewritten, "mailto:BA@DC.FE", "mailto:FE.DC@BA"},
	{"E6", "mailto:ab@CD.EF", rewritten, "mailto:ab@DC.FE", "mailto:ab@FE.DC"},
	// File names.
	{"N1", "AB/CD/ef.GH", fileName, "BA/DC/ef.HG", "DC/BA/ef.HG"},
	{"N2", `c:\AB\CD\EF.txt`, fileName, `c:\BA\DC\FE.txt`, `c:\FE\DC\BA.txt`},
	{"N3", `/ab/CD/EF/`, fileName, `/ab/DC/FE/`, `/ab/FE/DC/`},
	// What the documents do not have.
	{"L1", "http://ab.com/x/", rewritten, "=", "="},
	{"L2", "http://ab.com:8080/x/12/?a=1", rewritten, "=", "="},
	{"L3", "ab.com/x/", rewritten, "=", "="},
	{"B1", "AB.CD/EF/gh", rewritten, "BA.DC/FE/gh", "FE/DC.BA/gh"},
	{"H1", "http://AB:8080/CD", rewritten, "http://BA:8080/DC", "http://DC/8080:BA"},
	{"H2", "http://AB.CD:81/EF/gh", rewritten, "http://BA.DC:81/FE/gh", ""},
	{"H3", "http://ab.CD:8080/", rewritten, "http://ab.DC:8080/", ""},
	{"H4", "http://ab:CD@EF.GH/IJ", laidOut, "", ""},
	{"H5", "http://AB/1.2.3.4", rewritten, "http://BA/1.2.3.4", "http://1.2.3.4/BA"},
	{"H6", "http://AB/CD.EF/x", rewritten, "http://BA/FE.DC/x", "http://FE.DC/BA/x"},
	{"H7", "https://good.com.AB/٠/123/x.org", rewritten, "https://good.com.BA/٠/123/x.org", ""},
	{"Q1", "http://ab.cd/EF?GH=IJ&KL=12&n=MN#OP", rewritten, "http://ab.cd/FE?HG=JI&LK=12&n=NM#PO", ""},
	{"Q2", "http://AB.CD/?EF=1&GH=2#3", rewritten, "http://BA.DC/?FE=1&HG=2#3", ""},
}

// A script is what the capital letters of a sample stand for.
type script struct {
	name    string
	letters []rune
}

// Of the Arabic letters, lam and alef are missing: they make a ligature, and two letters in one place have no order.
var scripts = []script{
	{"Hebrew", []rune("אבגדהוזחטיךכלםמןנסעףפץצקרש")},
	{"Arabic", []rune("بتثجحخدذرزسشصضطظعغفقكمنهوي")},
}

func (s script) write(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return s.letters[r-'A']
		}
		return r
	}, text)
}

// read is the inverse of write, for messages.
func (s script) read(text string) string {
	return strings.Map(func(r rune) rune {
		if i := slices.Index(s.letters, r); i >= 0 {
			return 'A' + rune(i)
		}
		return r
	}, text)
}

// contexts are what stands round a link, ①, in a paragraph. Where there is a second one, ②, it is the next sample.
var contexts = []string{"①", "xy ① zw", "XY ① ZW", "①, ②", "XY ①, ② zw"}

var places = [...]string{"①", "②"}

// A frame is a paragraph that a text stands in.
type frame struct {
	open, close string
	dir         display.Direction // that it has
	said        bool              // by an attribute
	option      display.Direction // for Rewrite
}

var frames = []frame{
	{`<p dir="ltr">`, "</p>", display.LTR, true, display.Unknown},
	{`<p dir="rtl">`, "</p>", display.RTL, true, display.Unknown},
	{`<div dir="rtl"><p>`, "</p></div>", display.RTL, true, display.LTR},
	{`<p>`, "</p>", display.LTR, false, display.Unknown},
	{`<p style="direction: rtl">`, "</p>", display.RTL, false, display.RTL},
}

var (
	orders   = []display.Order{display.Constant, display.Embedding, display.Environment, display.Content, display.TLD}
	profiles = []display.Profile{display.Web, display.Mail}
)

// detection finds the samples as links, with any last label.
var detection = engine.Options{
	LocalHosts: true,
	HostOK:     func(string) bool { return true },
}

// A kind is what a paragraph is to prove.
type kind uint8

const (
	markup     kind = iota // with mark-up, links are seen in their order
	isolates               // so they are in plain text with isolates
	embeddings             // and, alone, in plain text with embeddings
	bare                   // with nothing they are seen as the bidi algorithm has it
	kinds
)

var kindNames = [kinds]string{"mark-up", "plain text with isolates", "plain text with embeddings", "bare text"}

// A paragraph is what a browser is to lay out and to measure.
type paragraph struct {
	kind   kind
	name   string // for messages
	script script
	frame  frame
	html   string
	want   string // what is seen, from left to right
	not    string // what is not seen, unless empty
	copied string // what is copied of it
	links  []laid // in it; none in plain text
}

// A laid is a sample in a script, laid out in an order for a paragraph of a direction.
type laid struct {
	sample
	text     string
	layout   display.Layout
	href     string // empty for file names
	isolated bool   // there is an isolate round it
}

// lay lays out a sample. In right-to-left text, all links have isolates.
func lay(t *testing.T, d *engine.Detector, s sample, sc script, o display.Order, dir, text display.Direction) laid {
	t.Helper()
	l := laid{sample: s, text: sc.write(s.text), isolated: true}
	if s.how == fileName {
		l.layout = o.FileLayout(l.text, engine.Span{Start: 0, End: len(l.text)}, dir)
		return l
	}
	link, ok := display.Parse(l.text)
	if !ok {
		t.Fatalf("%s: Parse(%q) failed", s.name, l.text)
	}
	l.layout = o.Layout(l.text, link, dir)
	l.href = string(d.AppendHref(nil, l.text, link))
	l.isolated = s.how == laidOut || display.IsolateAuto.Isolates(l.text, text)
	return l
}

// seen returns what is seen of a context. What has an isolate round it is, for the rest of the paragraph, one neutral character.
func seen(context string, dir display.Direction, links []laid) string {
	neutral := [...]string{"\uFFFC", "\u2606"} // of class ON
	visual := display.Visual(put(context, links, func(i int, l laid) string {
		if l.isolated {
			return neutral[i]
		}
		return l.text
	}), dir)
	for i, l := range links {
		visual = strings.Replace(visual, neutral[i], l.layout.Visual(l.text), 1)
	}
	return visual
}

// put returns a context with something in the place of its links.
func put(context string, links []laid, f func(int, laid) string) string {
	for i, l := range links {
		context = strings.Replace(context, places[i], f(i, l), 1)
	}
	return context
}

// paragraphs returns all that is to be measured.
func paragraphs(t *testing.T) []paragraph {
	d, err := engine.New(detection)
	if err != nil {
		t.Fatal(err)
	}
	var all []paragraph
	for _, o := range orders {
		for _, p := range profiles {
			part := markups(t, d, o, p)
			for _, dir := range []display.Direction{display.Unknown, display.LTR, display.RTL} {
				rewrite(t, part, htmlwalk.Options{Links: detection, Order: o, Profile: p, Dir: dir, WrapFileNames: true})
			}
			all = append(all, part...)
		}
	}
	return append(all, texts(t, d)...)
}

// each calls f for every sample in every script, frame and context.
func each(t *testing.T, d *engine.Detector, o display.Order, f func(name, context string, fr frame, sc script, links []laid)) {
	for _, sc := range scripts {
		for i, s := range samples {
			next := samples[(i+1)%len(samples)]
			for _, fr := range frames {
				for _, c := range contexts {
					// Text that no attribute says anything about is right-to-left text if it has such a letter.
					text := fr.dir
					if strings.ContainsAny(c, "WXYZ") && !fr.said {
						text = display.RTL
					}
					links := []laid{lay(t, d, s, sc, o, fr.dir, text)}
					if strings.Contains(c, places[1]) {
						links = append(links, lay(t, d, next, sc, o, fr.dir, text))
					}
					name := fmt.Sprintf("%s %s %s %s, order %v", sc.name, s.name, c, fr.open, o)
					f(name, sc.write(c), fr, sc, links)
				}
			}
		}
	}
}

// markups returns the paragraphs of an order and a profile, as they are before [htmlwalk.Rewrite]. What that does not find is left out.
func markups(t *testing.T, d *engine.Detector, o display.Order, p display.Profile) []paragraph {
	var all []paragraph
	each(t, d, o, func(name, context string, fr frame, sc script, links []laid) {
		if o == display.Constant && context == contexts[0] && fr == frames[1] {
			fr.open = `<p class="copy" dir="rtl">` // its links are copied to the clipboard
		}
		all = append(all, paragraph{
			kind:   markup,
			name:   fmt.Sprintf("%s, profile %v", name, p),
			script: sc,
			frame:  fr,
			html: fr.open + put(context, links, func(i int, l laid) string {
				if l.how == laidOut {
					return places[i]
				}
				return html.EscapeString(l.text)
			}) + fr.close,
			want:   seen(context, fr.dir, links),
			copied: put(context, links, func(_ int, l laid) string { return l.text }),
			links:  links,
		})
	})
	return all
}

// rewrite has Rewrite make the links in the paragraphs that want these options, and puts in what it does not find.
func rewrite(t *testing.T, all []paragraph, o htmlwalk.Options) {
	t.Helper()
	var in, out strings.Builder
	for _, p := range all {
		if p.frame.option == o.Dir {
			in.WriteString(p.html + "\n")
		}
	}
	if _, err := htmlwalk.Rewrite(&out, strings.NewReader(in.String()), o); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	for i := range all {
		if all[i].frame.option == o.Dir {
			all[i].html = put(strings.TrimSuffix(lines[0], "\n"), all[i].links, func(_ int, l laid) string {
				return string(l.layout.AppendHTML(nil, l.text, l.href, o.Profile))
			})
			lines = lines[1:]
		}
	}
	if len(lines) != 1 || lines[0] != "" {
		t.Fatalf("Rewrite made %d lines too many", len(lines)-1)
	}
}

// texts returns the paragraphs without mark-up.
func texts(t *testing.T, d *engine.Detector) []paragraph {
	var all []paragraph
	for _, o := range orders {
		each(t, d, o, func(name, context string, fr frame, sc script, links []laid) {
			for i := range links {
				links[i].isolated = true
			}
			add := func(k kind, want, not string, write func(int, laid) string) {
				text := put(context, links, write)
				all = append(all, paragraph{
					kind:   k,
					name:   name + ", " + kindNames[k],
					script: sc,
					frame:  fr,
					html:   fr.open + html.EscapeString(text) + fr.close,
					want:   want,
					not:    not,
					copied: text,
				})
			}
			l := links[0]
			alone := context == contexts[0]
			add(isolates, seen(context, fr.dir, links), "", func(_ int, l laid) string {
				return string(l.layout.AppendControls(nil, l.text, display.Isolates))
			})
			if alone {
				want := seen(context, fr.dir, links)
				if l.endsInEscapes() && l.layout.Dir == display.LTR {
					// In Arabic, they have an isolate that stays behind the letters, where LRO, as PRI 185 has it, draws them into the right-to-left text.
					want = strings.Replace(want, sc.write("HG%31"), sc.write("%31HG"), 1)
				}
				add(embeddings, want, "", func(_ int, l laid) string {
					return string(l.layout.AppendControls(nil, l.text, display.Embeddings))
				})
			}
			if alone && o == display.Constant {
				not := ""
				if fr.dir == display.RTL && l.scrambled() {
					not = l.layout.Visual(l.text)
				}
				add(bare, display.Visual(l.text, fr.dir), not, func(_ int, l laid) string { return l.text })
			}
		})
	}
	return all
}

// Both browsers show all paragraphs as package display says that they are seen, and copy no more than the text.
func TestBrowser(t *testing.T) {
	documents(t)
	all := paragraphs(t)
	// What is the same is measured once.
	index := make(map[string]int)
	var elements []string
	for _, p := range all {
		if _, ok := index[p.html]; !ok {
			index[p.html] = len(elements)
			elements = append(elements, p.html)
		}
	}
	for _, b := range browsers {
		t.Run(b.name, func(t *testing.T) {
			begin := time.Now()
			page := measure(t, b, elements)
			if len(page.Paragraphs) != len(elements) {
				t.Fatalf("%d paragraphs measured, want %d", len(page.Paragraphs), len(elements))
			}
			r := results{T: t}
			for _, p := range all {
				r.compare(p, page.Paragraphs[index[p.html]])
			}
			t.Logf("%d different paragraphs; %.1f s, of which %.1f s measuring", len(elements), time.Since(begin).Seconds(), page.Milliseconds/1000)
			for k := range kinds {
				t.Logf("%s: %d comparisons, %d differences", kindNames[k], r.compared[k], r.different[k])
			}
			t.Logf("copied: %d comparisons, %d of them through the clipboard, %d differences", r.copied, r.clipboard, r.copiedOther)
			t.Logf("hrefs: %d comparisons, %d differences", r.hrefs, r.hrefsOther)
			t.Logf("negative control: %d of %d scrambled links differ from the order", r.scrambledSeen, r.scrambled)
			if r.clipboard == 0 {
				t.Error("nothing was copied to the clipboard")
			}
			if r.scrambledSeen == 0 {
				t.Error("nothing is ever seen in another order: the measuring is wrong")
			}
		})
	}
}

// documents compares the visual strings of the layouts with those of the documents.
func documents(t *testing.T) {
	d, err := engine.New(detection)
	if err != nil {
		t.Fatal(err)
	}
	for _, sc := range scripts {
		for _, s := range samples {
			for o, want := range map[display.Order]string{display.Constant: s.constant, display.Embedding: s.embedding} {
				if want == "=" {
					want = s.text
				}
				l := lay(t, d, s, sc, o, display.LTR, display.LTR)
				if got := l.layout.Visual(l.text); want != "" && got != sc.write(want) {
					t.Errorf("%s %s, order %v: Visual gives %s, want %s", sc.name, s.name, o, sc.read(got), want)
				}
			}
		}
	}
}

// results counts what was compared in a browser.
type results struct {
	*testing.T
	compared, different      [kinds]int
	clipboard                int
	copied, copiedOther      int
	hrefs, hrefsOther        int
	scrambled, scrambledSeen int
	failures                 int
}

// compare compares what was measured of a paragraph.
func (r *results) compare(p paragraph, m measured) {
	r.compared[p.kind]++
	if m.Error != "" || m.Seen != p.want {
		r.different[p.kind]++
		r.fail(p, "seen", m.Seen+m.Error, p.want)
	}
	if p.not != "" {
		r.scrambled++
		if m.Seen != p.not {
			r.scrambledSeen++
		} else {
			r.fail(p, "seen in bare text", m.Seen, "another order")
		}
	}
	r.copy(p, "the paragraph selected", m.Copied, p.copied)
	anchors := slices.DeleteFunc(slices.Clone(p.links), func(l laid) bool { return l.href == "" })
	if len(m.Links) != len(anchors) {
		r.fail(p, "links", fmt.Sprint(len(m.Links)), fmt.Sprint(len(anchors)))
		return
	}
	for i, l := range anchors {
		r.copy(p, "the link's text", m.Links[i].Text, l.text)
		r.copy(p, "the link selected", m.Links[i].Copied, l.text)
		if m.Links[i].Clipboard != nil {
			r.clipboard++
			r.copy(p, "the clipboard", *m.Links[i].Clipboard, l.text)
		}
		r.hrefs++
		// A URL without a path gets one.
		if got := m.Links[i].Href; got != l.href && got != l.href+"/" {
			r.hrefsOther++
			r.fail(p, "href", got, l.href)
		}
	}
}

func (r *results) copy(p paragraph, what, got, want string) {
	r.copied++
	if got != want {
		r.copiedOther++
		r.fail(p, what, got, want)
	}
}

// fail reports a difference, unless there were too many of them.
func (r *results) fail(p paragraph, what, got, want string) {
	const most = 20
	if r.failures++; r.failures <= most {
		r.Errorf("%s: %s:\n got %s\nwant %s\nhtml %s", p.name, what, p.script.read(got), p.script.read(want), p.html)
	}
	r.Fail()
}
