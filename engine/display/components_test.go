// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// parsed returns a link that must be one.
func parsed(t testing.TB, s string) engine.Link {
	t.Helper()
	l, ok := Parse(s)
	if !ok {
		t.Fatalf("%q is no link", s)
	}
	return l
}

func TestComponents(t *testing.T) {
	for _, c := range []struct{ link, want string }{
		{"http://ab.CD.ef/gh/IJ/KL.html", "label ab|label CD|label ef|segment gh|segment IJ|segment KL|extension html"},
		{"http://ab@CD.ef:80/", "user info ab|label CD|label ef|port 80|segment "},
		{"http://@ab.CD/", "user info |label ab|label CD|segment "},
		{"AB.CD@ef.GH", "local part AB.CD|label ef|label GH"},
		{"mailto:AB@ef.GH?subject=IJ", "local part AB|label ef|label GH|name subject|value IJ"},
		{"http://AB。CD．EF｡gh/", "label AB|label CD|label EF|label gh|segment "},
		{"http://ab.cd./", "label ab|label cd|label |segment "},
		{"ab.cd?EF=GH;IJ=KL&MN&=#OP=QR?ST", "label ab|label cd|name EF|value GH;IJ|value KL|name MN|name |value |fragment OP=QR?ST"},
		{"http://ab.cd#", "label ab|label cd|fragment "},
		{"http://ab.cd/EF.GH.ij", "label ab|label cd|segment EF.GH|extension ij"},
		{"http://ab.cd/EF.GH/ij", "label ab|label cd|segment EF.GH|segment ij"},
		{"http://ab.cd/EF.GH?x", "label ab|label cd|segment EF|extension GH|name x"},
		{"http://ab.cd/.EF", "label ab|label cd|segment .EF"},
		{"http://ab.cd/EF.", "label ab|label cd|segment EF."},
		{"http://ab.cd/..", "label ab|label cd|segment .."},
		{"http://[::1]:80/AB", "label [::1]|port 80|segment AB"},
		{"tel:+1.2", "segment +1.2"},
		{"xmpp:AB@CD.ef/GH.ij", "local part AB|label CD|label ef|segment GH.ij"},
		{"file:///AB.txt", "label |segment AB|extension txt"},
	} {
		for _, script := range scripts {
			s := script.of(c.link)
			text := "א " + s
			l := parsed(t, s)
			for _, part := range []*engine.Span{&l.Span, &l.Scheme, &l.Local, &l.Host, &l.Port, &l.Path, &l.Query, &l.Fragment} {
				if *part != (engine.Span{}) {
					part.Start += len("א ")
					part.End += len("א ")
				}
			}
			var got []string
			for _, p := range AppendComponents(nil, text, l) {
				got = append(got, p.Kind.String()+" "+latin(p.In(text)))
				if p.Classes != classesOf(p.In(text)) {
					t.Errorf("%s: classes of %q: %b", c.link, p.In(text), p.Classes)
				}
			}
			if g := strings.Join(got, "|"); g != c.want {
				t.Errorf("%s, %s:\n got %s\nwant %s", script.name, c.link, g, c.want)
			}
		}
	}
	if got := ComponentKind(99).String(); got != "component" {
		t.Error(got)
	}
}

// Components are the fields but for the scheme, with one of them divided at most.
func checkComponents(t *testing.T, text string, l engine.Link) {
	t.Helper()
	fields := AppendFields(nil, text, l)
	if !l.Scheme.Empty() {
		fields = fields[1:]
	}
	cs := AppendComponents(nil, text, l)
	if i := slices.IndexFunc(cs, func(c Component) bool { return c.Kind == FileExtension }); i >= 0 {
		if i == 0 || cs[i-1].Kind != PathSegment || cs[i-1].End+1 != cs[i].Start || text[cs[i].Start-1] != '.' || cs[i-1].Empty() || cs[i].Empty() {
			t.Fatalf("%q: extension %v", l.In(text), cs[i])
		}
		cs[i-1].End = cs[i].End
		cs = slices.Delete(cs, i, i+1)
	}
	if len(cs) != len(fields) {
		t.Fatalf("%q: %d components, %d fields", l.In(text), len(cs), len(fields))
	}
	for i := range cs {
		if cs[i].Span != fields[i].Span {
			t.Errorf("%q: component %v, field %v", l.In(text), cs[i].Span, fields[i].Span)
		}
	}
}

func ExampleAppendComponents() {
	const text = "http://ab.שלום/x/קובץ.html?q=1"
	l, _ := Parse(text)
	for _, c := range AppendComponents(nil, text, l) {
		fmt.Println(c.Kind, c.In(text), c.Classes.RightToLeft())
	}
	// Output:
	// label ab false
	// label שלום true
	// segment x false
	// segment קובץ true
	// extension html false
	// name q false
	// value 1 false
}
