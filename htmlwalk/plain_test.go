// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// textParts are what texts are made of: links, and what may stand beside them.
var textParts = []string{
	"www.a.com", "https://example.org/a_(b)/%20c?x=1&amp;y=2", "info@e.org", "mailto:a@b.de", "e.co.uk:8080/a,b;c=d", "1.2.3.4", "http://1.2.3.4/", "[::1]", "http://[::1]/", "http://localhost:80/x",
	"tel:123", "ftp://f.net/", "foo.md", "EXAMPLE.COM", "xn--e-9fa.com", "例え.jp", "مثال.السعودية", "a.b.c", ".com", "com.", "http://", "3.5", "$1.20", "i.e.", "Mrs.", "...", "10:30", "word", "é", "א", "שלום", "م", "中文",
	"。", "．", "“", "”", "😀", "\U00010800", "\xff", "\xe2\x80", "\xd7", "\x00", "\u200b", "\u200f", "\u202b", "\u2067", "&nbsp;", "&amp;", "&quot;", "&lt;", "&hellip;", "&#39;", "&euro;", "&copy;", "&middot;", "&#1488;", "&#32;", "&rlm;",
	" ", " ", " ", "\n", "\t", ":", "@", ",", ";", "(", ")", "!", "?", "/", "#", "&", "%", "-", "_", "x", "<b>", "</b>", "<wbr>", "<p>", "</p>", "<br>", "<!--x-->", "<bdi>", "</bdi>", "<a href=x>", "</a>", "<span dir=rtl>",
	"</span>", "<div dir=auto>", "</div>", "<pre>",
}

// plainPairs are rewriters for documents that may be written without much ado, and the same for which a hook sees every link, so that they never are.
func plainPairs(tb testing.TB) (pairs [][2]*Rewriter) {
	for _, o := range []Options{
		{},
		{Profile: display.Mail, Links: engine.Options{Bare: engine.BareWWW}},
		{Dir: display.RTL, LinkFileNames: true},
		{Isolate: display.IsolateAll},
		{Links: engine.Options{LocalHosts: true, Schemes: []string{"tel", "ftp"}, MailtoQuery: true}},
		{Links: engine.Options{HTTP: true, IRI: true, SymbolLabels: true}},
	} {
		var pair [2]*Rewriter
		for i := range pair {
			if i == 1 {
				o.Link = func(*Link) bool { return true }
			}
			rw, err := New(o)
			if err != nil {
				tb.Fatal(err)
			}
			pair[i] = rw
		}
		pairs = append(pairs, pair)
	}
	return pairs
}

// checkPlain checks that a document is written as if it were not plain, and by Append as by Rewrite.
func checkPlain(t *testing.T, doc string, pair [2]*Rewriter) {
	t.Helper()
	var want bytes.Buffer
	wantStats, wantErr := pair[1].Rewrite(&want, strings.NewReader(doc))
	dst, input := []byte("before"), []byte(doc)
	got, stats, err := pair[0].Append(dst, input)
	if string(input) != doc {
		t.Fatalf("%q: the input has become %q", doc, input)
	}
	if (err == nil) != (wantErr == nil) || string(got) != "before"+want.String() || stats != wantStats {
		t.Fatalf("%q:\n got %q %+v %v\nwant %q %+v %v", doc, got, stats, err, want.String(), wantStats, wantErr)
	}
	var read bytes.Buffer
	if stats, _ = pair[0].Rewrite(&read, strings.NewReader(doc)); read.String() != want.String() || stats != wantStats {
		t.Fatalf("%q: Rewrite:\n got %q %+v\nwant %q %+v", doc, read.String(), stats, want.String(), wantStats)
	}
}

// TestPlain: what is written without much ado is what is written with it.
func TestPlain(t *testing.T) {
	pairs := plainPairs(t)
	r := rand.New(rand.NewPCG(11, 12))
	n := 60_000
	if testing.Short() {
		n = 6000
	}
	links := 0
	for i := range n {
		var b strings.Builder
		for range 1 + r.IntN(24) {
			b.WriteString(textParts[r.IntN(len(textParts))])
			if r.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		checkPlain(t, b.String(), pairs[i%len(pairs)])
		links += strings.Count(b.String(), "www.a.com")
	}
	if links < n/10 {
		t.Errorf("%d links in %d documents", links, n)
	}
}

func FuzzPlain(f *testing.F) {
	pairs := plainPairs(f)
	for i := range len(textParts) - 4 {
		f.Add("<p>"+strings.Join(textParts[i:i+4], ""), uint8(i))
		f.Add("see “www.a.com/x”"+textParts[i]+"."+textParts[i+1]+" or info@e.org", uint8(i))
	}
	f.Fuzz(func(t *testing.T, doc string, which uint8) {
		if len(doc) <= 4096 {
			checkPlain(t, doc, pairs[int(which)%len(pairs)])
		}
	})
}

// TestNextLinkByte checks that every link has a byte that nextLinkByte stops at, whatever the options of the engine.
func TestNextLinkByte(t *testing.T) {
	var detectors []*engine.Detector
	for _, o := range []engine.Options{
		{}, {Strict: true}, {LocalHosts: true, Schemes: []string{"tel", "xmpp"}, MailtoQuery: true}, {HostOK: func(string) bool { return true }}, {SymbolLabels: true, HostOK: func(string) bool { return true }},
	} {
		d, err := engine.New(o)
		if err != nil {
			t.Fatal(err)
		}
		detectors = append(detectors, d)
	}
	parts := slices.DeleteFunc(slices.Clone(textParts), func(s string) bool { return strings.ContainsAny(s, "&<") })
	r := rand.New(rand.NewPCG(13, 14))
	links := 0
	for range 100_000 {
		var s string
		for range 1 + r.IntN(8) {
			s += parts[r.IntN(len(parts))]
		}
		var stops []int
		for i := nextLinkByte([]byte(s), 0); i < len(s); i = nextLinkByte([]byte(s), i+1) {
			stops = append(stops, i)
		}
		for _, d := range detectors {
			for l := range d.Links(s) {
				links++
				if !slices.ContainsFunc(stops, func(i int) bool { return i >= l.Start && i < l.End }) {
					t.Fatalf("%q holds %q, and the stops are %v", s, l.In(s), stops)
				}
			}
		}
	}
	if links < 10_000 {
		t.Errorf("%d links", links)
	}
}

// TestMayBeRightToLeft looks at every code point, wherever it stands in a word of the machine.
func TestMayBeRightToLeft(t *testing.T) {
	passed := 0
	for r := rune(0x80); r <= 0x10ffff; r++ {
		s := string(r)
		if display.RightToLeft(s) || display.RightToLeftText(s) || display.BeginsRightToLeft(s) {
			for before := range 9 {
				for _, after := range []string{"", "a", "ab", "abcdefghi"} {
					if text := strings.Repeat("é", before/2) + strings.Repeat("x", before%2) + s + after; !mayBeRightToLeft([]byte(text)) {
						t.Fatalf("%+q: no", text)
					}
				}
			}
		} else if !mayBeRightToLeft([]byte(s + "  ")) {
			passed++
		}
	}
	if passed < 1_000_000 {
		t.Errorf("of only %d it is known", passed)
	}
	for _, s := range []string{"", "plain text", "“quoted” – and… 中文，한국어 हिन्दी"} {
		if mayBeRightToLeft([]byte(s + " .")) {
			t.Errorf("%q: yes", s)
		}
	}
}

// TestAppend: documents of every kind, and longer than a token may be.
func TestAppend(t *testing.T) {
	docs := slices.Concat(gadgets, tokenTests, []string{
		"", "\ufeff<p>e.com", "<?xml version='1.0'?><p>e.com", "<meta charset=iso-8859-1><p>caf\xe9 e.com", "<p>\x1b$Be.com", "<title>e.com", strings.Repeat("<p>see www.a.com/x now</p>\n", 5000),
		"<p>" + strings.Repeat("www.a.com ", 5000), "<p " + strings.Repeat("x", 70_000) + ">e.com", "<p>www.a.com<p>שלום " + strings.Repeat("www.a.com ", 3000),
	})
	for _, o := range []Options{{}, {MaxToken: 1000}, {MaxToken: 20_000, Profile: display.Mail}, {XHTML: true}, {Verify: true}, {ReferenceScanner: true}, {MaxLinks: 2}} {
		rw, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		o.Link = func(*Link) bool { return true }
		hooked, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range docs {
			checkPlain(t, doc, [2]*Rewriter{rw, hooked})
		}
		dst := []byte("before")
		if got, _, err := rw.Append(dst, []byte("\xff\xfee\x00")); string(got) != "before" || !errors.Is(err, ErrEncoding) {
			t.Errorf("UTF-16: %q, %v", got, err)
		}
		list := []Edit{{Text: "before"}}
		if got, _, err := rw.AppendEdits(list, []byte("<p>www.a.com")); len(got) != 3 || got[0] != list[0] || err != nil {
			t.Errorf("%+v, %v", got, err)
		}
		if got, _, err := rw.AppendEdits(list, []byte("\xff\xfee\x00")); !slices.Equal(got, list) || !errors.Is(err, ErrEncoding) {
			t.Errorf("UTF-16: %+v, %v", got, err)
		}
	}
}
