// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"testing"
)

// What TestAmbiguity enumerates: strings of seven of these characters, behind http://, in which no separator is first or beside another, and
// the last character is no dot. Which of them keep the component rules of RFC 3987 §4.2 (draft-ietf-iri-bidi-guidelines-02 §3) depends on
// what a component is: the labels and segments of its syntax, which are our fields; or the extension of
// a resource name as well, which it allows, so that a dot in the path is a separator.
const (
	ambiguityAlphabet = "aAB1./"
	ambiguityLinks    = 99328
)

// How many links keep the rules, and how many of them look the same as another, or as one with another host.
type ambiguity struct {
	order                    Order
	extensions               bool
	kept, shared, otherHosts int
}

// In the constant order, no two links are displayed alike as long as their fields keep the rules. With looser rules, 3.7 % are (A.1 and 1.A
// as a file name), and still none as one with another host. Embedded, it is 18.1 % and 21.8 %, most of them as one with another host.
var ambiguities = []ambiguity{
	{Constant, false, 16816, 0, 0},
	{Constant, true, 18160, 680, 0},
	{Embedding, false, 16816, 3036, 2850},
	{Embedding, true, 18160, 3960, 3544},
}

// keepsComponentRules reports whether no component of a link has both directions, and each with right-to-left letters begins and ends with one.
func keepsComponentRules(s string, extensions bool) bool {
	path := false
	for _, c := range strings.FieldsFunc(s, func(r rune) bool {
		path = path || r == '/'
		return r == '/' || r == '.' && (extensions || !path)
	}) {
		const upper = "AB"
		if strings.ContainsAny(c, upper) && (strings.Contains(c, "a") || !strings.Contains(upper, c[:1]) || !strings.Contains(upper, c[len(c)-1:])) {
			return false
		}
	}
	return true
}

// enumerate returns the strings of a length of these characters.
func enumerate(alphabet string, length int) (links []string) {
	var extend func(s []byte)
	extend = func(s []byte) {
		if len(s) == length {
			if s[length-1] != '.' {
				links = append(links, string(s))
			}
			return
		}
		for i := range len(alphabet) {
			c := alphabet[i]
			if (c == '.' || c == '/') && (len(s) == 0 || s[len(s)-1] == '.' || s[len(s)-1] == '/') {
				continue
			}
			extend(append(s, c))
		}
	}
	extend(make([]byte, 0, length))
	return links
}

// What TestAmbiguityWarnings enumerates: strings of five, with a hyphen as well, as hosts with and without a path, and as paths.
const (
	warnedAlphabet = ambiguityAlphabet + "-"
	warnedLength   = 5
	unwarnedLinks  = 4632
)

func TestAmbiguity(t *testing.T) {
	length := 7
	if testing.Short() {
		length = 5
	}
	links := enumerate(ambiguityAlphabet, length)
	if length == 7 && len(links) != ambiguityLinks {
		t.Fatalf("%d links, want %d", len(links), ambiguityLinks)
	}
	for _, script := range scripts {
		for _, want := range ambiguities {
			got := ambiguity{order: want.order, extensions: want.extensions}
			seen := map[string][]string{} // links, by what a reader sees
			for _, s := range links {
				if !keepsComponentRules(s, want.extensions) {
					continue
				}
				got.kept++
				link := "http://" + script.of(s)
				l, ok := Parse(link)
				if !ok {
					t.Fatalf("%q is no link", link)
				}
				v := want.order.Layout(link, l, LTR).Visual(link)
				seen[v] = append(seen[v], s)
			}
			for v, same := range seen {
				if len(same) == 1 {
					continue
				}
				if want.shared == 0 {
					t.Errorf("%s: %s are all displayed as %s", script.name, strings.Join(same, " "), latin(v))
				}
				got.shared += len(same)
				for _, s := range same {
					host, _, _ := strings.Cut(s, "/")
					for _, other := range same {
						if h, _, _ := strings.Cut(other, "/"); h != host {
							got.otherHosts++
							break
						}
					}
				}
			}
			t.Logf("%s, %s, extensions %v: %d links keep the rules, %d of them (%.1f %%) look like another, %d (%.1f %%) like one with another host", script.name,
				got.order, got.extensions, got.kept, got.shared, 100*float64(got.shared)/float64(got.kept), got.otherHosts, 100*float64(got.otherHosts)/float64(got.kept))
			if length == 7 && got != want {
				t.Errorf("%s: %+v, want %+v", script.name, got, want)
			}
		}
	}
}

// Among the links without a warning of WarnAmbiguous, no two are displayed alike in the constant order, whatever the component.
func TestAmbiguityWarnings(t *testing.T) {
	links := enumerate(warnedAlphabet, warnedLength)
	for _, s := range links[:len(links):len(links)] {
		links = append(links, "a/"+s)
	}
	for _, script := range scripts {
		seen := map[string]string{} // a link, by what a reader sees
		kept := 0
		for _, s := range links {
			link := "http://" + script.of(s)
			l, ok := Parse(link)
			if !ok {
				t.Fatalf("%q is no link", link)
			}
			if Check(link, l)&WarnAmbiguous != 0 {
				continue
			}
			kept++
			v := Constant.Layout(link, l, LTR).Visual(link)
			if other, ok := seen[v]; ok {
				t.Errorf("%s: %s and %s are both displayed as %s", script.name, s, other, latin(v))
			}
			seen[v] = s
		}
		if kept != unwarnedLinks {
			t.Errorf("%s: %d of %d links have no warnings, want %d", script.name, kept, len(links), unwarnedLinks)
		}
	}
}
