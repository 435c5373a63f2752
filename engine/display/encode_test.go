// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
)

func TestEncodeComponents(t *testing.T) {
	const all = allWarnings
	for _, c := range []struct {
		name, link string
		which      Warnings
		want       string // in Hebrew letters
	}{
		{"example 8", "http://ab.cd.ef/GH1/2IJ/KL.html", WarnRestrictions, "http://ab.cd.ef/%D7%96%D7%971/2%D7%98%D7%99/ךכ.html"},
		{"example 9", "http://ab.cd.ef/GH%31/%32IJ/KL.html", WarnRestrictions, "http://ab.cd.ef/%D7%96%D7%97%31/%32%D7%98%D7%99/ךכ.html"},
		{"example 10, allowed", "http://ab.CDEFGH.123/kl", WarnRestrictions, "http://ab.גדהוזח.123/kl"},
		{"example 10", "http://ab.CDEFGH.xn--123/kl", WarnDigits, "http://ab.גדהוזח.xn--123/kl"},
		{"digits after", "http://ab.cd/E/1", WarnDigits, "http://ab.cd/%D7%94/1"},
		{"digits that stay", "http://ab.cd/1/E/F", WarnDigits, "http://ab.cd/1/ה/ו"},
		{"digits before", "http://ab.cd/\u0663/E/F", WarnDigits, "http://ab.cd/\u0663/%D7%94/ו"},
		{"a label beside digits", "http://ab.CD:80/", WarnDigits, "http://ab.xn--6dbc:80/"},
		{"a label", "http://ab.CD1.com/EF", WarnRestrictions, "http://ab.xn--1-3hcd.com/הו"},
		{"a label and its neighbour", "http://CD.EF1.com./EF", WarnRestrictions, "http://גד.xn--1-7hcd.com./הו"},
		{"ideographic dots", "http://ab。CD1｡com．/", WarnRestrictions, "http://ab。xn--1-3hcd｡com．/"},
		{"a host that IDNA refuses", "http://ab.CDe.com/F1", WarnRestrictions, "http://ab.גדe.com/%D7%951"},
		{"scripts", "http://pаypal.com/pаypal", WarnScripts, "http://xn--pypal-4ve.com/pаypal"},
		{"the whole component", "http://ab.cd/éE-F", WarnRestrictions, "http://ab.cd/%C3%A9%D7%94-%D7%95"},
		{"not the others", "http://ab.cd/é/E-", WarnRestrictions, "http://ab.cd/é/%D7%94-"},
		{"the extension", "http://ab.cd/EF.G1", WarnRestrictions, "http://ab.cd/הו.%D7%961"},
		{"the name of a file", "http://ab.cd/EF1.GH?I1=J2&K", WarnRestrictions, "http://ab.cd/%D7%94%D7%951.זח?%D7%981=%D7%992&ך"},
		{"a fragment", "ab.cd#E1", WarnRestrictions, "ab.cd#%D7%941"},
		{"a control", "http://ab.cd/e\u202ef", WarnRestrictions, "http://ab.cd/e%E2%80%AEf"},
		{"a look-alike", "http://ab.cd/e⁄f", WarnLookalike, "http://ab.cd/e%E2%81%84f"},
		{"no rule", "http://ab.cd/e⁄F1", 0, "http://ab.cd/e⁄ו1"},
		{"crossing", "http://AB.com/é/EF/GH", WarnCrossing, "http://xn--4dbc.com/é/%D7%94%D7%95/%D7%96%D7%97"},
		{"no crossing", "http://ab.com/EF", all, "http://ab.com/הו"},
		{"no crossing but of an escape", "http://ab.com/E%20F", WarnCrossing, "http://ab.com/ה%20ו"},
		{"no crossing any more", "http://ab.com/EF/GH1/ij/KL", WarnRestrictions | WarnCrossing, "http://ab.com/הו/%D7%96%D7%971/ij/ךכ"},
		{"user info", "http://A1@ab.com/", WarnRestrictions, "http://%D7%901@ab.com/"},
		{"a bare address", "A1@ab.com", WarnRestrictions, "mailto:%D7%901@ab.com"},
		{"its escapes are none", "A%41&1@ab.com", WarnRestrictions, "mailto:%D7%90%2541%261@ab.com"},
		{"mailto", "mailto:A%411@ab.com?S1=T", WarnRestrictions, "mailto:%D7%90%411@ab.com?%D7%A21=ף"},
		{"an address with a label", "a@B1.com", WarnRestrictions, "a@xn--1-1hc.com"},
		{"opaque", "xmpp:A1@B2.com/C3", WarnRestrictions, "xmpp:%D7%901@%D7%912.com/%D7%923"},
		{"ASCII", "http://ab.cd/e%d7", all, "http://ab.cd/e%d7"},
	} {
		in := "ת " + hebrew(c.link) + " "
		l := shifted(parsed(t, hebrew(c.link)), len("ת "))
		got, _ := EncodeComponents(in, l, c.which)
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		for _, script := range scripts {
			s := script.of(c.link)
			checkEncoded(t, s, parsed(t, s), c.which)
		}
	}
}

// shifted returns l, n bytes further on.
func shifted(l engine.Link, n int) engine.Link {
	for _, s := range []*engine.Span{&l.Span, &l.Scheme, &l.Local, &l.Host, &l.Port, &l.Path, &l.Query, &l.Fragment} {
		if *s != (engine.Span{}) {
			s.Start += n
			s.End += n
		}
	}
	return l
}

// What every encoded link is.
func checkEncoded(t *testing.T, text string, l engine.Link, which Warnings) {
	t.Helper()
	got, to := EncodeComponents(text, l, which)
	again, toAgain := EncodeComponents(got, to, which)
	if again != got || toAgain != to {
		t.Errorf("%q: %q encoded again: %q, %v", l.In(text), got, again, toAgain)
	}
	if before := Check(text, l); before&which == 0 && got != l.In(text) {
		t.Errorf("%q has %v, encoded %q", l.In(text), before, got)
	}

	// It means the same.
	d, err := engine.New(engine.Options{Schemes: []string{"xmpp", "tel", "ftp"}})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := d.AppendHref(nil, text, l), d.AppendHref(nil, got, to); string(a) != string(b) {
		t.Errorf("%q is %s, encoded %q is %s", l.In(text), a, got, b)
	}
	// The spans are those of the parts.
	parts := func(l engine.Link) (n int) {
		for _, s := range []engine.Span{l.Scheme, l.Local, l.Host, l.Port, l.Path, l.Query, l.Fragment} {
			n += s.Len()
		}
		return n
	}
	if to.Span != (engine.Span{Start: 0, End: len(got)}) || to.Len()-parts(to) != l.Len()-parts(l) {
		t.Errorf("%q: encoded %q has the parts %v", l.In(text), got, to)
	}
	schemeless := l.Scheme.Empty() && !l.Port.Empty() // an ASCII host without a dot, and a port, look like a scheme
	if p, ok := Parse(l.In(text)); ok && p == shifted(l, -l.Start) && !schemeless {
		if q, ok := Parse(got); !ok || q != to {
			t.Errorf("%q: encoded %q is parsed as %v, want %v", l.In(text), got, q, to)
		}
	}

	// Nothing is left that offends, but in a host that has no A-labels.
	after := Check(got, to)
	if l.Host.Empty() || isASCII(l.Host.In(text)) || asciiLabels(l.Host.In(text)) != nil {
		if left := after & which &^ aLabelWarnings(got, to); left != 0 {
			t.Errorf("%q: encoded %q has %v", l.In(text), got, left)
		}
		if which&WarnCrossing != 0 && fieldsCross(got, to) {
			t.Errorf("%q: encoded %q still has fields that cross", l.In(text), got)
		}
	}
	// Without right-to-left characters, every order displays it as it is written, but for what is not displayed.
	hidden := func(r rune) bool { return kindOf(r) == kindIgnored || kindOf(r) == kindControl || unicode.IsControl(r) }
	if !RightToLeft(got) && strings.IndexFunc(got, hidden) < 0 && utf8.ValidString(got) {
		for _, o := range []Order{Constant, Embedding, Content, TLD} {
			if v := o.Layout(got, to, RTL).Visual(got); v != got {
				t.Errorf("%v: %q is displayed as %q", o, got, v)
			}
		}
	}
}

// aLabelWarnings returns the warnings that a link has for its A-labels.
func aLabelWarnings(text string, l engine.Link) (w Warnings) {
	for _, c := range AppendComponents(nil, text, l) {
		if c.Kind == HostLabel && isASCII(c.In(text)) {
			w |= c.Check(text)
		}
	}
	if w&^(WarnScripts|WarnLookalike) != 0 {
		panic(w)
	}
	return w
}

// With all components that have right-to-left letters broken, the result is displayed as it is written.
func TestEncodedDisplay(t *testing.T) {
	for _, link := range []string{
		"http://ab.cd.ef/GH1/2IJ/K-.html", "http://ab.cd.ef/GH%31/%32IJ/%33K.html", "http://AB1.CD2.com/3E?F4=G5#H6", "1A@B2.com", "http://AB.CD/E/F#G",
	} {
		for _, script := range scripts {
			s := script.of(link)
			got, to := EncodeComponents(s, parsed(t, s), WarnRestrictions|WarnDigits|WarnCrossing)
			if v := Embedding.Layout(got, to, RTL).Visual(got); v != got || RightToLeft(got) {
				t.Errorf("%s, %s: %s is displayed as %s", script.name, link, got, v)
			}
		}
	}
}

func FuzzEncodeComponents(f *testing.F) {
	fuzzLinks(f)
	f.Fuzz(func(t *testing.T, s string, which uint16) {
		// An address ends with its host; Parse is not as strict.
		if l, ok := fuzzed(s); ok && (l.Kind == engine.URL || !l.Scheme.Empty() || l.Host.End == l.End) {
			checkEncoded(t, s, l, Warnings(which))
		}
	})
}

// Bytes that are not UTF-8 stay.
func TestEncodeInvalid(t *testing.T) {
	const s = "http://ab.cd/\x80א\xff1\xd7"
	got, _ := EncodeComponents(s, parsed(t, s), WarnRestrictions)
	if want := "http://ab.cd/\x80%D7%90\xff1\xd7"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	checkEncoded(t, s, parsed(t, s), allWarnings)
}

func TestASCIILabels(t *testing.T) {
	for _, c := range []struct {
		host string
		want []string
	}{
		{"ab.שלום。com．", []string{"ab", "xn--9dbne9b", "com"}},
		{"שa.com", nil},
		{"", nil},
	} {
		if got := asciiLabels(c.host); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q", c.host, got)
		}
	}
}

// No code point is a dot to IDNA, or mapped to one, but those that are dots here.
func TestASCIILabelsCount(t *testing.T) {
	for r := range rune(0x20000) {
		want := 1
		if isDot(r) {
			want = 2
		}
		if got := asciiLabels("a" + string(r) + "b"); got != nil && len(got) != want {
			t.Errorf("%U: %q", r, got)
		}
	}
}

// RFC 6068 §2: what an address in a mailto: URL may have as it is, and what not.
func TestEncodeLocal(t *testing.T) {
	const stay = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$*+"
	for c := range 0x80 {
		s := string(rune(c))
		want := fmt.Sprintf("%%%02X", c)
		if strings.Contains(stay, s) {
			want = s
		}
		if got := encodeLocal(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
	if got := encodeLocal("א\xff"); got != "%D7%90%FF" {
		t.Error(got)
	}
}

func ExampleEncodeComponents() {
	const text = "see http://example.com/שלום1/עולם there"
	d, _ := engine.New(engine.Options{})
	l, _ := d.Find(text, 0)
	encoded, to := EncodeComponents(text, l, WarnRestrictions)
	fmt.Println(encoded)
	fmt.Println(Check(text, l), "->", Check(encoded, to))
	// Output:
	// http://example.com/%D7%A9%D7%9C%D7%95%D7%9D1/עולם
	// edge,other-classes,crossing -> none
}
