// SPDX-License-Identifier: MIT

package engine_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// ucdVersions are the versions of UTS #58 whose test files must pass: ours, and the next one where its files are at hand.
// BIDILINK_UCD_VERSION picks one.
func ucdVersions() []string {
	if v := os.Getenv("BIDILINK_UCD_VERSION"); v != "" {
		return []string{v}
	}
	const next = "18.0.0-draft"
	if _, err := os.Stat(filepath.Join(os.Getenv("BIDILINK_UCD"), next)); err != nil {
		return []string{engine.UnicodeVersion}
	}
	return []string{engine.UnicodeVersion, next}
}

// ucdFile returns the lines of a published file, or skips the test: see the package linkprop.
func ucdFile(t *testing.T, version, name string) []string {
	t.Helper()
	dir := os.Getenv("BIDILINK_UCD")
	if dir == "" {
		t.Skip("BIDILINK_UCD is not set; go run ./internal/linkprop/fetch gets the files")
	}
	data, err := os.ReadFile(filepath.Join(dir, version, name))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, len(data)+1)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines
}

// TestConformanceDetection runs LinkDetectionTest.txt, with the tailoring and without: every line, exactly.
func TestConformanceDetection(t *testing.T) {
	const want = 344 // lines in 17.0.0 and 18.0.0-draft
	for _, version := range ucdVersions() {
		lines := ucdFile(t, version, "LinkDetectionTest.txt")
		for _, o := range []engine.Options{{}, {Strict: true}} {
			d := detector(t, o)
			n := 0
			for i, line := range lines {
				if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
					continue
				}
				n++
				text := strings.NewReplacer("⸠", "", "⸡", "").Replace(line)
				if got := mark(d, text); got != line {
					t.Errorf("%s/LinkDetectionTest.txt:%d, Strict %v:\n got %s\nwant %s", version, i+1, o.Strict, got, line)
				}
			}
			if n != want {
				t.Errorf("%s/LinkDetectionTest.txt: %d cases, want %d", version, n, want)
			}
		}
	}
}

func detector(t testing.TB, o engine.Options) *engine.Detector {
	t.Helper()
	d, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// mark returns text with ⸠ and ⸡ round each link.
func mark(d *engine.Detector, text string) string {
	var b strings.Builder
	for s := range d.Segments(text) {
		if s.Kind == engine.None {
			b.WriteString(s.In(text))
		} else {
			b.WriteString("⸠" + s.In(text) + "⸡")
		}
	}
	return b.String()
}

// FuzzFind checks what must hold of any text: the links are in order and part it on rune boundaries, their parts rebuild
// them, strings and bytes agree, and a new line round the text changes no link.
func FuzzFind(f *testing.F) {
	for _, s := range []string{
		"see https://example.com:8080/a(b)?c=d#e. and john.doe+x@例え.テスト、そして",
		"http://user:pw@example.com mailto:a..b@c.de http://[::1]:80/ http://1.2.3.4/",
		"\u200eexample.com\u200e. exam\u200eple.com example.com。然后 example.com에서 foo.is_valid",
		"http://localhost:80/ tel:+1-201 xmpp:a@b.c?d ftp://x.org/\xff",
		"xn--p1ai.xn--p1ai пример.рф/путь?а=(б)&в=)", "a@b.com@c.com a.com/b@c.com .foo.com foo..com",
	} {
		f.Add(s, uint8(0))
	}
	options := []engine.Options{
		{}, {Strict: true}, {LocalHosts: true, Schemes: []string{"ftp", "tel", "xmpp"}, MailtoQuery: true},
		{Bare: engine.BareWWW, FileNames: true, StopAtCJKPunctuation: true, ExtraTLDs: []string{"internal"}},
		{NoEmail: true, Bare: engine.BareNone, MaxLength: 30},
	}
	f.Fuzz(func(t *testing.T, text string, o uint8) {
		d := detector(t, options[int(o)%len(options)])
		checkLinks(t, d, text)
	})
}

// checkLinks checks the invariants of everything that is found in text.
func checkLinks(t *testing.T, d *engine.Detector, text string) {
	t.Helper()
	links := d.AppendLinks(nil, text)
	end := 0
	for i, l := range links {
		if l.Start < end || l.End <= l.Start || l.End > len(text) {
			t.Fatalf("%q: link %d %v out of order", text, i, l.Span)
		}
		if got := parts(t, text, l); got != l.In(text) {
			t.Fatalf("%q: parts of %q rebuild %q", text, l.In(text), got)
		}
		if again, ok := d.Find(text, l.Start); !ok || again != l {
			t.Fatalf("%q: Find at %d gives %v, want %v", text, l.Start, again, l)
		}
		// Of an address, a part of the local part may be one: what stands before may be the end of a link.
		if next, ok := d.Find(text, l.Start+1); ok && next.Kind == engine.URL && next.Scheme.Empty() && next.Start < l.Host.End {
			t.Fatalf("%q: Find at %d, inside a link, gives %q", text, l.Start+1, next.In(text))
		}
		if s := d.Stop(text, l); s.Offset != l.End || s.At < l.End {
			t.Fatalf("%q: Stop of %q is %+v", text, l.In(text), s)
		}
		end = l.End
	}
	i := 0
	for l := range d.LinksBytes([]byte(text)) {
		if i >= len(links) || links[i] != l {
			t.Fatalf("%q: bytes give link %d %v", text, i, l)
		}
		i++
	}
	if i != len(links) {
		t.Fatalf("%q: bytes give %d links, want %d", text, i, len(links))
	}
	at := 0
	for s := range d.Segments(text) {
		if s.Start != at || s.Empty() {
			t.Fatalf("%q: segment %v at %d", text, s.Span, at)
		}
		at = s.End
	}
	if at != len(text) {
		t.Fatalf("%q: segments end at %d", text, at)
	}
	around := d.AppendLinks(nil, "x\n"+text+"\ny")
	if len(around) != len(links) {
		t.Fatalf("%q: %d links, %d between new lines", text, len(links), len(around))
	}
	for i, l := range around {
		if l.Start-2 != links[i].Start || l.End-2 != links[i].End || l.Kind != links[i].Kind {
			t.Fatalf("%q: link %d %v, %v between new lines", text, i, links[i].Span, l.Span)
		}
	}
}

// parts rebuilds a link from its parts.
func parts(t *testing.T, text string, l engine.Link) string {
	t.Helper()
	var b strings.Builder
	at := l.Start
	for _, s := range []engine.Span{l.Scheme, l.Local, l.Host, l.Port, l.Path, l.Query, l.Fragment} {
		if s == (engine.Span{}) {
			continue
		}
		if s.Start != at && !(text[at] == '@' && s.Start == at+1 && s == l.Host) {
			t.Fatalf("%q: part %v does not begin at %d", text, s, at)
		}
		b.WriteString(text[at:s.Start])
		b.WriteString(s.In(text))
		at = s.End
	}
	return b.String()
}

// TestStop checks the code point and the rule that end a link.
func TestStop(t *testing.T) {
	for _, c := range []struct {
		text string
		want engine.Stop
	}{
		{"see example.com/a. Next", engine.Stop{Offset: 17, Rune: '.', Term: engine.Soft, Rule: engine.HardStop, At: 18}},
		{"see example.com/a.", engine.Stop{Offset: 17, Rune: '.', Term: engine.Soft, Rule: engine.EndOfText, At: 18}},
		{"(example.com/a)", engine.Stop{Offset: 14, Rune: ')', Term: engine.Close, Rule: engine.UnmatchedClose, At: 14}},
		{"example.com/a b", engine.Stop{Offset: 13, Rune: ' ', Term: engine.Hard, Rule: engine.HardStop, At: 13}},
		{"example.com, b", engine.Stop{Offset: 11, Rune: ',', Term: engine.Soft, Rule: engine.HostEnd, At: 11}},
		{"example.com", engine.Stop{Offset: 11, Rune: -1, Rule: engine.EndOfText, At: 11}},
		{"a@example.com/b", engine.Stop{Offset: 13, Rune: '/', Term: engine.Include, Rule: engine.AddressEnd, At: 13}},
		{"example.com/\xff", engine.Stop{Offset: 12, Rune: '\uFFFD', Term: engine.Hard, Rule: engine.HardStop, At: 12}},
		{"example.com/" + strings.Repeat("(", 126), engine.Stop{Offset: 12 + 125, Rune: '(', Term: engine.Open, Rule: engine.StackFull, At: 12 + 125}},
	} {
		d := detector(t, engine.Options{})
		l, ok := d.Find(c.text, 0)
		if !ok {
			t.Errorf("%q: no link", c.text)
			continue
		}
		if got := d.Stop(c.text, l); got != c.want {
			t.Errorf("%q:\n got %+v\nwant %+v", c.text, got, c.want)
		}
	}
}

// TestExtend gives matches of other detectors the end that UTS #58 gives them.
func TestExtend(t *testing.T) {
	for _, c := range []struct{ name, text, match, want string }{
		{"cut at the first letter beyond ASCII", "see http://example.com/straße/x.", "http://example.com/stra", "http://example.com/straße/x"},
		{"cut at the host", "see example.com/é", "example.com", "example.com/é"},
		{"full stop taken in", "see http://example.com/a.", "http://example.com/a.", "http://example.com/a"},
		{"bracket taken in", "(http://example.com/a)", "http://example.com/a)", "http://example.com/a"},
		{"host is the other detector's", "http://intranet/ä", "http://intranet/", "http://intranet/ä"},
		{"nothing follows the host", "http://intranet, ä", "http://intranet", "http://intranet"},
		{"port", "http://intranet:80/ä", "http://intranet:80", "http://intranet:80/ä"},
		{"address", "a@example.com/ä", "a@example.com", "a@example.com"},
		{"query", "example.com?ä=(ö)) x", "example.com?", "example.com?ä=(ö)"},
		{"a URL in the query is no scheme", "see example.com/?u=http://x.com/ä end", "example.com/?u=http://x.c", "example.com/?u=http://x.com/ä"},
		{"host and port without a scheme", "example.com:80/ä", "example.com:80/", "example.com:80/ä"},
		{"opaque", "tel:123/ä.", "tel:123/", "tel:123/ä"},
		{"opaque with an address", "xmpp:a@b.com/ü b", "xmpp:a@b.com/", "xmpp:a@b.com/ü"},
		{"mailto with a query", "mailto:a@example.com?subject=x", "mailto:a@example.com?subject=x", "mailto:a@example.com?subject=x"},
		{"userinfo is the other detector's", "http://user@example.com/ä", "http://user@example.com/", "http://user@example.com/ä"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := detector(t, engine.Options{})
			i := strings.Index(c.text, c.match)
			l, ok := d.Extend(c.text, i, i+len(c.match))
			if !ok || l.In(c.text) != c.want || parts(t, c.text, l) != c.want {
				t.Errorf("%q: got %q, %v, want %q", c.text, l.In(c.text), ok, c.want)
			}
		})
	}
	d := detector(t, engine.Options{})
	for _, r := range [][2]int{{-1, 2}, {2, 2}, {3, 2}, {0, 9}} {
		if l, ok := d.Extend("example", r[0], r[1]); ok || l != (engine.Link{}) {
			t.Errorf("Extend of %v gives %v, %v", r, l, ok)
		}
	}
}

// TestNewErrors checks that options which cannot be meant are refused with the option's name.
func TestNewErrors(t *testing.T) {
	for want, o := range map[string]engine.Options{
		`Schemes: "javascript" is refused`:  {Schemes: []string{"JavaScript"}},
		`Schemes: "data" is refused`:        {Schemes: []string{"data"}},
		`Schemes: "vbscript" is refused`:    {Schemes: []string{"vbscript"}},
		`Schemes: "file" is refused`:        {Schemes: []string{"ftp", "file"}},
		`Schemes: "blob" is refused`:        {Schemes: []string{"blob"}},
		`Schemes: "ftp:" is not the name`:   {Schemes: []string{"ftp:"}},
		`Schemes: "1ftp" is not the name`:   {Schemes: []string{"1ftp"}},
		`Schemes: an empty name`:            {Schemes: []string{""}},
		`ExtraTLDs: "a b" is not a label`:   {ExtraTLDs: []string{"a b"}},
		`ExtraTLDs: "co.uk" is not a label`: {ExtraTLDs: []string{"co.uk"}},
		`ExcludeTLDs: "" is not a label`:    {ExcludeTLDs: []string{""}},
		`MaxLength: -1 is negative`:         {MaxLength: -1},
		`Bare: 9 is none of`:                {Bare: 9},
	} {
		if _, err := engine.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestOptionsAreCopied changes the caller's slices after New.
func TestOptionsAreCopied(t *testing.T) {
	o := engine.Options{Schemes: []string{"ftp"}, ExtraTLDs: []string{"internal"}}
	d := detector(t, o)
	o.Schemes[0], o.ExtraTLDs[0] = "gopher", "local"
	const want = "⸠ftp://a.org⸡ gopher://a.org ⸠a.internal⸡ a.local"
	if got := mark(d, strings.NewReplacer("⸠", "", "⸡", "").Replace(want)); got != want {
		t.Errorf("got %s", got)
	}
}

// TestHostOK replaces the public suffix list.
func TestHostOK(t *testing.T) {
	var asked []string
	d := detector(t, engine.Options{HostOK: func(host string) bool {
		asked = append(asked, host)
		return strings.HasSuffix(host, ".test") || host == "xn--r8jz45g.xn--zckzah"
	}})
	const want = "example.com ⸠WWW.Example.TEST⸡ ⸠例え.テスト⸡ a..test -a.test"
	if got := mark(d, strings.NewReplacer("⸠", "", "⸡", "").Replace(want)); got != want {
		t.Errorf("got %s", got)
	}
	if got, want := strings.Join(asked, " "), "example.com www.example.test xn--r8jz45g.xn--zckzah"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}
