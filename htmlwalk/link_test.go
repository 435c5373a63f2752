// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

func TestAttributes(t *testing.T) {
	for _, c := range []struct {
		list []Attribute
		want string
	}{
		{[]Attribute{{"rel", "nofollow ugc"}}, ` rel="nofollow ugc"`},
		{[]Attribute{{"CLASS", `a"b`}, {"data-x_y", "<&>'é"}}, ` class="a&quot;b" data-x_y="&lt;&amp;&gt;'é"`},
		{[]Attribute{{"target", "_blank"}}, ` target="_blank" rel="noopener"`},
		{[]Attribute{{"rel", "nofollow"}, {"target", "_Blank"}}, ` rel="nofollow noopener" target="_Blank"`},
		{[]Attribute{{"rel", "noreferrer"}, {"target", "_blank"}}, ` rel="noreferrer" target="_blank"`},
		{[]Attribute{{"download", ""}}, ` download=""`},
	} {
		o := Options{Attributes: c.list}
		want := `<p>a <a href="https://e.com/?a=1&amp;b"` + c.want + `>e.com/?a=1&b</a>, <a href="mailto:x@e.com"` + c.want + `>x@e.com</a>`
		in := "<p>a e.com/?a=1&b, x@e.com"
		got, _ := rewritten(t, in, o)
		if got != want {
			t.Errorf("%q\n got %s\nwant %s", c.list, got, want)
		}
		if err := Verify([]byte(in), []byte(got)); err != nil {
			t.Errorf("%q: %v", c.list, err)
		}
	}
}

func TestAttributeErrors(t *testing.T) {
	for _, c := range []struct {
		list []Attribute
		want string
	}{
		{[]Attribute{{"onclick", "x"}}, "htmlwalk: Attributes: onclick may run code or load things"},
		{[]Attribute{{"STYLE", "x"}}, "htmlwalk: Attributes: style may run code or load things"},
		{[]Attribute{{"srcdoc", "x"}}, "htmlwalk: Attributes: srcdoc may run code or load things"},
		{[]Attribute{{"formaction", "x"}}, "htmlwalk: Attributes: formaction may run code or load things"},
		{[]Attribute{{"Href", "x"}}, "htmlwalk: Attributes: href is set already"},
		{[]Attribute{{"dir", "rtl"}}, "htmlwalk: Attributes: dir is what isolates are for"},
		{[]Attribute{{"", "x"}}, "htmlwalk: Attributes: an attribute without a name"},
		{[]Attribute{{"a b", "x"}}, `htmlwalk: Attributes: "a b" is no name of an attribute`},
		{[]Attribute{{"title", "a\nb"}}, "htmlwalk: Attributes: a control character in the value of title"},
		{[]Attribute{{"rel", "a"}, {"REL", "b"}}, "htmlwalk: Attributes: rel twice"},
	} {
		var out bytes.Buffer
		if _, err := Rewrite(&out, strings.NewReader("e.com"), Options{Attributes: c.list}); err == nil || err.Error() != c.want || out.Len() > 0 {
			t.Errorf("%q: %v, want %s", c.list, err, c.want)
		}
	}
}

func TestLinkHook(t *testing.T) {
	const in = `<p>see e.com/a?b&amp;c and x@e.com.</p>`
	for _, c := range []struct {
		name string
		hook func(*Link) bool
		want string
	}{
		{"nothing", func(*Link) bool { return true }, `<p>see <a href="https://e.com/a?b&amp;c">e.com/a?b&amp;c</a> and <a href="mailto:x@e.com">x@e.com</a>.</p>`},
		{"veto", func(*Link) bool { return false }, in},
		{"no addresses", func(l *Link) bool { return l.Kind == engine.URL }, `<p>see <a href="https://e.com/a?b&amp;c">e.com/a?b&amp;c</a> and x@e.com.</p>`},
		{"UTM", func(l *Link) bool {
			if l.Kind == engine.URL {
				l.Href += "&utm_source=a"
			}
			return l.Link.In(l.Text) != "x@e.com"
		}, `<p>see <a href="https://e.com/a?b&amp;c&amp;utm_source=a">e.com/a?b&amp;c</a> and x@e.com.</p>`},
		{"tracker", func(l *Link) bool {
			l.Href, l.Attributes = "/go?"+l.Host.In(l.Text), append(l.Attributes, Attribute{"rel", "nofollow"}, Attribute{"target", "_blank"})
			return l.Kind == engine.URL
		}, `<p>see <a href="/go?e.com" rel="nofollow noopener" target="_blank">e.com/a?b&amp;c</a> and x@e.com.</p>`},
		{"no change of the text", func(l *Link) bool {
			l.Text, l.Link.Span, l.Kind = "x", engine.Span{Start: 0, End: 1}, engine.Email
			return strings.HasPrefix(l.Href, "https:")
		}, `<p>see <a href="https://e.com/a?b&amp;c">e.com/a?b&amp;c</a> and x@e.com.</p>`},
		{"beyond ASCII", func(l *Link) bool {
			l.Href = "https://é.example/?u=é\u200bx"
			return l.Kind == engine.URL
		}, `<p>see <a href="https://xn--9ca.example/?u=%C3%A9%E2%80%8Bx">e.com/a?b&amp;c</a> and x@e.com.</p>`},
		{"no host", func(l *Link) bool { l.Href = "https:///x"; return true }, in},
		{"half a host", func(l *Link) bool { l.Href = "https://[bad"; return true }, in},
		{"backslash", func(l *Link) bool { l.Href = `\\evil.example\x`; return true }, in},
		{"script", func(l *Link) bool { l.Href = "javascript:alert(1)"; return true }, in},
		{"tab", func(l *Link) bool { l.Href = "java\tscript:alert(1)"; return true }, in},
		{"blank", func(l *Link) bool { l.Href += " "; return true }, in},
		{"control", func(l *Link) bool { l.Href += "\x00"; return true }, in},
		{"bidi control", func(l *Link) bool { l.Href += "\u202e"; return true }, in},
		{"not UTF-8", func(l *Link) bool { l.Href += "\xff"; return true }, in},
		{"empty", func(l *Link) bool { l.Href = ""; return true }, in},
		{"quotes", func(l *Link) bool {
			l.Href = `https://e.com/"><script>&lt`
			l.Attributes = []Attribute{{"title", `"><script>`}, {"onclick", "x"}, {"a b", "x"}, {"HREF", "x"}, {"title", "y"}, {"class", "a\x00"}}
			return l.Kind == engine.URL
		}, `<p>see <a href="https://e.com/&quot;&gt;&lt;script&gt;&amp;lt" title="&quot;&gt;&lt;script&gt;">e.com/a?b&amp;c</a> and x@e.com.</p>`},
	} {
		if got, _ := rewritten(t, in, Options{Link: c.hook}); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	// The attributes of the options come first, and each link has its own.
	got, _ := rewritten(t, "e.com f.com", Options{
		Attributes: []Attribute{{"class", "x"}},
		Link: func(l *Link) bool {
			l.Attributes[0].Value += "y"
			return true
		},
	})
	if want := `<a href="https://e.com" class="xy">e.com</a> <a href="https://f.com" class="xy">f.com</a>`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// A scheme that links may have.
	o := Options{Link: func(l *Link) bool { l.Href = "FTP://e.com"; return true }}
	if got, _ := rewritten(t, "e.com", o); got != "e.com" {
		t.Error(got)
	}
	o.Links.Schemes = []string{"ftp"}
	if got, _ := rewritten(t, "e.com", o); got != `<a href="FTP://e.com">e.com</a>` {
		t.Error(got)
	}
	// What the hook keeps of a text does not change.
	var texts []string
	o = Options{Link: func(l *Link) bool { texts = append(texts, l.Text); return true }}
	rewritten(t, "<p>a e.com&amp;b<p>x f.com&amp;c<p>g.com", o)
	if got := strings.Join(texts, "|"); got != "a e.com&b|x f.com&c|g.com" {
		t.Error(got)
	}
}

// TestPlainAddress compares addresses that we write ourselves with those of the engine.
func TestPlainAddress(t *testing.T) {
	parts := []string{
		"http://", "https://", "HTTP://", "mailto:", "e.com", "example.org", "a-b.co.uk", "a--b.com", "xn--mgbh0fb.com", "E.com", "127.0.0.1", "e.com.", "/", "?", "#", "&", "=", "a", "B", "%41", "%", "~", "+",
		"!", "$", "'", "(", ")", "*", ",", ";", ":", ":80", "@", "|", "\\", "^", "`", "{", "}", "[", "]", "_", "-", ".", "é", "ש", "info@", "a.b+c@", "x", "1",
	}
	r := rand.New(rand.NewPCG(7, 8))
	plain, total := 0, 0
	for _, o := range []Options{{}, {Links: engine.Options{HTTP: true, IRI: true}}, {Links: engine.Options{LocalHosts: true, Schemes: []string{"ftp", "tel"}, MailtoQuery: true}}} {
		rw, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		w := walker{o: rw.o}
		for range 200_000 {
			var s string
			for range 1 + r.IntN(7) {
				s += parts[r.IntN(len(parts))]
			}
			for l := range rw.find.Links(s) {
				total++
				got, ok := w.appendPlainAddress(nil, s, &l)
				if !ok {
					continue
				}
				plain++
				if want, _ := appendValue(nil, string(rw.find.AppendHref(nil, s, l))); string(got) != string(want) {
					t.Fatalf("%q: %q, want %q", l.In(s), got, want)
				}
			}
		}
	}
	if plain < total/10 {
		t.Errorf("%d addresses of %d are plain", plain, total)
	}
}
