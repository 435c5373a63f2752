// SPDX-License-Identifier: MIT

package display

import (
	"slices"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// marked returns the fields of a text between bars.
func marked(text string, span engine.Span, fields []Field) string {
	var b strings.Builder
	at := span.Start
	for _, f := range fields {
		b.WriteString(text[at:f.Start] + "‹" + f.In(text) + "›")
		at = f.End
	}
	return b.String() + text[at:span.End]
}

var unmark = strings.NewReplacer("‹", "", "›", "")

func TestAppendFields(t *testing.T) {
	for _, c := range []struct{ name, marked string }{
		{"PRI 185, table 1", "‹http›://‹ab›.‹cd›.‹EF›.‹GH›.‹com›/‹IJ›/‹KL›/‹mn›/‹op›"},
		{"example 3 of 002", "‹http›://‹AB›.‹CD›.‹EF›/‹GH›/‹IJ›/‹KL›?‹MN›=‹OP;QR›=‹ST›#‹UV›"},
		{"no scheme", "‹AB›.‹com›"},
		{"dots of IDNA", "‹http›://‹a›.‹B›。‹c›．‹D›｡‹e›/‹›"},
		{"dots of IDNA outside the host are none", "‹AB›.‹com›/‹c。d．e｡f.g›?‹h.i。j›#‹k.l。m›"},
		{"final dot", "‹ab›.‹CD›.‹›/‹›"},
		{"empty fields", "‹http›://‹ab›/‹›/‹›?‹›=‹›&‹›&‹›#‹›"},
		{"path of nothing", "‹ab›.‹cd›/‹›"},
		{"query of nothing", "‹ab›.‹cd›?‹›"},
		{"fragment of nothing", "‹ab›.‹cd›#‹›"},
		{"query directly after the host", "‹ab›.‹cd›?‹EF›=‹g›"},
		{"fragment directly after the host", "‹ab›.‹cd›#‹EF/g?h=i&j#k›"},
		{"more question marks", "‹ab›.‹cd›/‹e›?‹f?g›=‹?h?›&‹i/j?›#‹k?›"},
		{"no separators in a query", "‹ab›.‹cd›?‹e/f:g@h;i+j.k›"},
		{"no separators in a path", "‹ab›.‹cd›/‹e=f&g;h:i@j.k,l›"},
		{"port", "‹http›://‹AB›.‹com›:‹8080›/‹x:y›"},
		{"port without a scheme", "‹AB›.‹CD›:‹80›"},
		{"port of nothing", "‹http›://‹AB›:‹›/‹›"},
		{"user information", "‹http›://‹AB:cd›@‹ef›.‹GH›:‹1›/‹i@j›"},
		{"user information of nothing", "‹http›://‹›@‹ef›"},
		{"several @", "‹http›://‹AB@cd.x›@‹ef›.‹GH›"},
		{"IPv4", "‹http›://‹192›.‹0›.‹2›.‹1›:‹80›/‹x›"},
		{"IPv6", "‹http›://‹[2001:db8::1]›:‹8080›/‹x›"},
		{"IPv6 without a port", "‹http›://‹[::1]›"},
		{"IPv6 and IPv4", "‹http›://‹[::ffff:192›.‹0›.‹2›.‹1]›/‹›"},
		{"no host", "‹file›://‹›/‹a›/‹B›"},
		{"address", "‹AB.cd›@‹EF›.‹com›"}, // PRI 185: no dot of the local part is a separator
		{"mailto", "‹mailto›:‹AB.cd›@‹EF›.‹com›"},
		{"mailto with a query", "‹mailto›:‹AB›@‹EF›.‹com›?‹subject›=‹a?b›&‹cc›=‹d@e›"},
		{"several addresses", "‹mailto›:‹a@b.c,d›@‹EF›.‹com›"},
		{"opaque address", "‹xmpp›:‹AB.c›@‹EF›.‹com›/‹res.ource›?‹join›"},
		{"opaque path before an address", "‹x›:‹a›/‹b.c›@‹EF›.‹com›/‹d.e›/‹f›"},
		{"opaque", "‹tel›:‹+972-3-1234567›"},
		{"opaque path", "‹urn›:‹AB:CD.ef›/‹g›?‹h›=‹i›#‹j›"},
		{"escapes", "‹http›://‹%D7%90›.‹com›/‹a%2Fb›?‹c%3D›=‹%26›#‹%23›"},
		{"not UTF-8", "‹http›://‹\xd7›.‹\xe3\x80›.‹com›/‹\xff›/‹\x82›"},
	} {
		for _, script := range scripts {
			want := script.of(c.marked)
			link := unmark.Replace(want)
			l, ok := Parse(link)
			if !ok {
				t.Errorf("%s: %q is no link", c.name, link)
				continue
			}
			if got := marked(link, l.Span, AppendFields(nil, link, l)); got != want {
				t.Errorf("%s, %s: %q, want %q", c.name, script.name, latin(got), latin(want))
			}
			// In a text, what the offsets are into.
			text := "see " + link + " and"
			l, shift := l, func(s *engine.Span) {
				if *s != (engine.Span{}) {
					s.Start, s.End = s.Start+4, s.End+4
				}
			}
			for _, s := range []*engine.Span{&l.Span, &l.Scheme, &l.Local, &l.Host, &l.Port, &l.Path, &l.Query, &l.Fragment} {
				shift(s)
			}
			dst := []Field{{Classes: Other}}
			fields := AppendFields(dst, text, l)
			if fields[0] != dst[0] {
				t.Errorf("%s: %v is not kept", c.name, dst)
			}
			if got := marked(text, l.Span, fields[1:]); got != want {
				t.Errorf("%s, %s, in a text: %q, want %q", c.name, script.name, latin(got), latin(want))
			}
		}
	}
}

// TestFieldsOfLinks takes links that the detector has found.
func TestFieldsOfLinks(t *testing.T) {
	d, err := engine.New(engine.Options{Schemes: []string{"ftp", "xmpp", "tel"}, MailtoQuery: true, LocalHosts: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"‹אב›.‹com›/‹גד›/‹›",
		"‹http›://‹localhost›:‹1313›/‹גד›?‹a›=‹b›#‹c.d›",
		"‹http›://‹[::1]›:‹80›/‹x›",
		"‹mailto›:‹אב.x›@‹example›.‹com›?‹subject›=‹גד›",
		"‹אב.x›@‹example›.‹com›",
		"‹ftp›://‹example›.‹com›/‹x›",
		"‹xmpp›:‹a.b›@‹example›.‹com›/‹x.y›",
		"‹tel›:‹+49-30-123›",
	} {
		text := "see " + unmark.Replace(want) + " and"
		found := 0
		for l := range d.Links(text) {
			found++
			if got := marked(text, l.Span, AppendFields(nil, text, l)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if p, ok := Parse(l.In(text)); !ok || !slices.Equal(spans(p), spans(l, 4)) {
				t.Errorf("%q: parsed %v, found %v", l.In(text), spans(p), spans(l, 4))
			}
		}
		if found != 1 {
			t.Errorf("%d links in %q", found, text)
		}
	}
}

// spans returns the parts of a link, less an offset.
func spans(l engine.Link, offset ...int) []engine.Span {
	parts := []engine.Span{l.Span, l.Scheme, l.Local, l.Host, l.Port, l.Path, l.Query, l.Fragment}
	for i := range parts {
		if len(offset) > 0 && parts[i] != (engine.Span{}) {
			parts[i].Start -= offset[0]
			parts[i].End -= offset[0]
		}
	}
	return parts
}

func TestAppendFileFields(t *testing.T) {
	for _, want := range []string{
		"‹›", "‹ab›", "‹AB.txt›", "‹AB›/‹CD›/‹ef.GH›", `‹c:›\‹AB›\‹CD›\‹EF.txt›`, "‹›/‹AB›/‹›", `‹a›/‹B›\‹c›`, "‹›/‹›/‹a?b=c&d#e@f:g›",
	} {
		name := unmark.Replace(want)
		text := "in " + name + "!"
		span := engine.Span{Start: 3, End: 3 + len(name)}
		if got := marked(text, span, AppendFileFields(nil, text, span)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		s    string
		want Classes
	}{
		{"", 0},
		{"ab", Left},
		{"אב", Right},
		{"عر", Right},
		{"٣", Arabic},
		{"12", European},
		{"۳", European}, // extended Arabic-Indic digit
		{"-._~", Other},
		{"\u05b0", Other},   // a mark
		{"%41%d7", Escapes}, // no letter, no digit
		{"%4", Other | European},
		{"%zz", Other | Left},
		{"%%41", Other | Escapes},
		{"aא1٣-%20\u200f", Left | Right | Arabic | European | Other | Escapes | Control},
		{"\u061c", Control}, {"\u200e", Control}, {"\u202e", Control}, {"\u2066", Control}, {"\u2069", Control},
		{"\u200d", Other}, {"\u206a", Other},
		{"\xff", Other}, {"\xd7", Other},
	} {
		if got := classesOf(c.s); got != c.want {
			t.Errorf("%+q: %07b, want %07b", c.s, got, c.want)
		}
		if got := c.want.RightToLeft(); got != (c.want&Right != 0 || c.want&Arabic != 0) {
			t.Errorf("%+q: %v", c.s, got)
		}
	}
	if !RightToLeftText("aא") || RightToLeftText("a٣") || !RightToLeft("a٣") {
		t.Error("RightToLeftText: R and AL, and no AN")
	}
	for r := rune(0); r < 0x3000; r++ {
		want := strings.ContainsRune("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r)
		if IsControl(r) != want || HasControl("a"+string(r)) != want {
			t.Errorf("%U is a bidi control: %v", r, !want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, s := range []string{
		"", " ", "http://a b/", "http://ab/\u00a0", "http://ab/\u3000", "http://ab/\u2029", "a\tb", "ab/\x1c", "ab/\x1f", "ab/\u0085", "ab/\x00",
		"http://", "http:///x", "http://:80/", "/x", "?x", "#x", "//ab/x", "mailto:", "mailto:ab", "mailto:ab@", "@", "ab@", "tel:", "http://ab@/", "http://ab@:80",
	} {
		if l, ok := Parse(s); ok {
			t.Errorf("%q is a link: %v", s, spans(l))
		} else if l != (engine.Link{}) {
			t.Errorf("%q is no link, but has parts: %v", s, spans(l))
		}
	}
	for _, c := range []struct {
		s                                                string
		kind                                             engine.Kind
		scheme, local, host, port, path, query, fragment string
	}{
		{s: "ab", kind: engine.URL, host: "ab"},
		{s: "ab.cd/e?f#g", kind: engine.URL, host: "ab.cd", path: "/e", query: "?f", fragment: "#g"},
		{s: "ab.cd:80/e", kind: engine.URL, host: "ab.cd", port: ":80", path: "/e"},
		{s: "ab.cd:80?e", kind: engine.URL, host: "ab.cd", port: ":80", query: "?e"},
		{s: "אב:80", kind: engine.URL, host: "אב", port: ":80"},
		{s: "ab:80", kind: engine.URL, scheme: "ab:", path: "80"},
		{s: "http://ab/?#", kind: engine.URL, scheme: "http://", host: "ab", path: "/", query: "?", fragment: "#"},
		{s: "http://ab#?/", kind: engine.URL, scheme: "http://", host: "ab", fragment: "#?/"},
		{s: "http://ab?/x", kind: engine.URL, scheme: "http://", host: "ab", query: "?/x"},
		{s: "HTTP://u:p@ab:1/x", kind: engine.URL, scheme: "HTTP://", local: "u:p", host: "ab", port: ":1", path: "/x"},
		{s: "ab@cd", kind: engine.Email, local: "ab", host: "cd"},
		{s: "ab@cd/e", kind: engine.Email, local: "ab", host: "cd", path: "/e"},
		{s: "mailto:ab@cd?e", kind: engine.Email, scheme: "mailto:", local: "ab", host: "cd", query: "?e"},
		{s: "MailTo:ab@cd", kind: engine.Email, scheme: "MailTo:", local: "ab", host: "cd"},
		{s: "mailto:a/b@cd", kind: engine.Email, scheme: "mailto:", local: "a/b", host: "cd"},
		{s: "file:///x", kind: engine.URL, scheme: "file://", path: "/x"},
		{s: "urn:a:b", kind: engine.URL, scheme: "urn:", path: "a:b"},
		{s: "[::1]:80", kind: engine.URL, host: "[::1]", port: ":80"},
		{s: "http://[::1]", kind: engine.URL, scheme: "http://", host: "[::1]"},
	} {
		l, ok := Parse(c.s)
		if !ok || l.Kind != c.kind || l.In(c.s) != c.s || l.Scheme.In(c.s) != c.scheme || l.Local.In(c.s) != c.local || l.Host.In(c.s) != c.host ||
			l.Port.In(c.s) != c.port || l.Path.In(c.s) != c.path || l.Query.In(c.s) != c.query || l.Fragment.In(c.s) != c.fragment {
			t.Errorf("%q: %v, %s, %v", c.s, ok, l.Kind, spans(l))
		}
	}
}
