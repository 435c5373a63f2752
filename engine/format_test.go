// SPDX-License-Identifier: MIT

package engine

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/linkprop"
)

// TestFormatURL holds a case for each rule of the string form. What comes out must be found whole between two
// blanks, unless notFound says why not, and formatting it again must change nothing.
func TestFormatURL(t *testing.T) {
	for _, c := range []struct{ name, in, want, notFound string }{
		{name: "nothing to do", in: "https://example.com/a/b?c=d&e#f", want: "https://example.com/a/b?c=d&e#f"},
		{name: "host alone", in: "https://example.com", want: "https://example.com"},
		{name: "letters", in: "https://example.com/%CE%B1%d7%90?%CE%B2#%CE%B3", want: "https://example.com/αא?β#γ"},
		{name: "ASCII", in: "https://example.com/%41%5f%7E", want: "https://example.com/A_~"},
		{name: "Hard", in: "https://example.com/a%20b%E3%80%80c d\u00a0", want: "https://example.com/a%20b%E3%80%80c%20d%C2%A0"},
		{name: "controls and unassigned", in: "https://example.com/\x00%07\x7f\u0378", want: "https://example.com/%00%07%7F%CD%B8"},
		{name: "Soft inside", in: "https://example.com/a.b,c!d'e:f;g", want: "https://example.com/a.b,c!d'e:f;g"},
		{name: "Soft at the end of the path", in: "https://example.com/a.", want: "https://example.com/a%2E"},
		{name: "Soft at the end of the query", in: "https://example.com/a.?b.", want: "https://example.com/a.?b%2E"},
		{name: "Soft at the end of the fragment", in: "https://example.com/a.?b.#c.", want: "https://example.com/a.?b.#c%2E"},
		{name: "only the last Soft", in: "https://example.com/a...", want: "https://example.com/a..%2E"},
		{name: "escaped Soft keeps its spelling", in: "https://example.com/a%2e%2e", want: "https://example.com/a.%2e"},
		{name: "Soft before a final slash", in: "https://example.com/a./", want: "https://example.com/a./"},
		{name: "Soft before an empty fragment", in: "https://example.com/a.#", want: "https://example.com/a.#"},
		{name: "Soft before an empty query", in: "https://example.com/a.?", want: "https://example.com/a%2E?", notFound: "? is Soft"},
		{name: "empty query before a fragment", in: "https://example.com/a.?#b", want: "https://example.com/a.?#b"},
		{name: "question mark in a query", in: "https://example.com/?a?b%3Fc?", want: "https://example.com/?a?b?c%3F"},
		{name: "brackets", in: "https://example.com/a%28b%29%5Bc%5D", want: "https://example.com/a(b)[c]"},
		{name: "unmatched Close", in: "https://example.com/a)b(c", want: "https://example.com/a%29b(c"},
		{name: "angle brackets", in: "https://example.com/vector%3Cbool%3E%3E", want: "https://example.com/vector<bool>%3E"},
		{name: "full-width brackets", in: "https://example.com/（）)）", want: "https://example.com/（）%29%EF%BC%89"},
		{name: "brackets across a slash", in: "https://example.com/(a/b)", want: "https://example.com/(a/b%29"},
		{name: "brackets across an escaped slash", in: "https://example.com/(a%2Fb)", want: "https://example.com/(a%2Fb)"},
		{name: "brackets across = and &", in: "https://example.com/?(a=b)&(c&d)", want: "https://example.com/?(a=b%29&(c&d%29"},
		{name: "brackets across = in a path", in: "https://example.com/(a=b&c)", want: "https://example.com/(a=b&c)"},
		{name: "brackets across parts", in: "https://example.com/(a?b)#(c", want: "https://example.com/(a?b%29#(c"},
		{name: "brackets across :~:", in: "https://example.com#(a:~:b)", want: "https://example.com#(a:~:b%29"},
		{name: "mismatched Close, as the standard has it", in: "https://example.com/(a]b)", want: "https://example.com/(a%5Db%29"},
		{name: "mismatched Close that the standard forgets", in: "https://example.com/([))", want: "https://example.com/([%29%29"},
		{name: "125 Open", in: "https://example.com/" + strings.Repeat("(", 125) + "a", want: "https://example.com/" + strings.Repeat("(", 125) + "a"},
		{name: "126 Open", in: "https://example.com/" + strings.Repeat("(", 126) + ")" + "(",
			want: "https://example.com/" + strings.Repeat("(", 125) + "%28)("},
		{name: "syntax of a path", in: "https://example.com/%2f%3F%23%5C", want: "https://example.com/%2f%3F%23%5C"},
		{name: "no syntax of a path", in: "https://example.com/%26%3D%2B%40x", want: "https://example.com/&=+@x"},
		{name: "syntax of a query", in: "https://example.com/?%26%3D%2B%23a+b%2F", want: "https://example.com/?%26%3D%2B%23a+b/"},
		{name: "no syntax of a fragment", in: "https://example.com/#%23%26%2F%3Dx", want: "https://example.com/##&/=x"},
		{name: "percent", in: "https://example.com/100%25/%/%4/%zz?%#%", want: "https://example.com/100%25/%/%4/%zz?%#%"},
		{name: "percent before escaped hex digits", in: "https://example.com/%%34%31/%%341", want: "https://example.com/%2541/%2541"},
		{name: "percent before one hex digit", in: "https://example.com/%%34/%4%20", want: "https://example.com/%4/%4%20"},
		{name: "not UTF-8", in: "https://example.com/%ff%C3x%ed%A0%80%F4%90%80%80", want: "https://example.com/%ff%C3x%ed%A0%80%F4%90%80%80"},
		{name: "raw bytes that are not UTF-8", in: "https://example.com/\xffa", want: "https://example.com/%FFa"},
		{name: "raw and escaped bytes that are UTF-8 together", in: "https://example.com/\xc3%A4%C3\xa4", want: "https://example.com/ää"},
		{name: "bidi controls", in: "https://example.com/a\u200eb%E2%80%8Fc%D8%9C%E2%81%A6", want: "https://example.com/a%E2%80%8Eb%E2%80%8Fc%D8%9C%E2%81%A6"},
		{name: "invisible", in: "https://example.com/a\u00adb\ufeffc\u3164d\u2060e\U000E0041", want: "https://example.com/a%C2%ADb%EF%BB%BFc%E3%85%A4d%E2%81%A0e%F3%A0%81%81"},
		{name: "joiner between letters", in: "https://example.com/ویکی%E2%80%8Cپدیا/ක%E0%B7%8A%E2%80%8Dෂ", want: "https://example.com/ویکی\u200cپدیا/ක්\u200dෂ"},
		{name: "joiner elsewhere", in: "https://example.com/\u200da\u200d/1\u200c2👩\u200d💻", want: "https://example.com/%E2%80%8Da%E2%80%8D/1%E2%80%8C2👩%E2%80%8D💻"},
		{name: "joiner beside a byte that is not UTF-8", in: "https://example.com/a%E2%80%8C%E9b", want: "https://example.com/a%E2%80%8C%E9b"},
		{name: "variation selector", in: "https://example.com/❤%EF%B8%8F", want: "https://example.com/❤%EF%B8%8F"},
		{name: "directives", in: "https://example.com/#a:~:text=%CE%B1%2C%2db,c%26&text=%25", want: "https://example.com/#a:~:text=α%2C%2db,c%26&text=%25"},
		{name: "no directive", in: "https://example.com/#a%3A~:b:%7e:c:~%3ad", want: "https://example.com/#a%3A~:b:%7e:c:~%3ad"},
		{name: "nearly a directive", in: "https://example.com/#%3Aa%7E:b:%7Ec%3A", want: "https://example.com/#:a~:b:~c%3A"},
		{name: "empty directives at the end", in: "https://example.com/#a:~::~:b:~::~:", want: "https://example.com/#a:~::~:b"},
		{name: "no fragment but a directive", in: "https://example.com/#:~:text=a", want: "https://example.com/#:~:text=a"},
		{name: "backslash in a web path", in: `https://example.com\a\b?c\d%5C#\`, want: `https://example.com/a/b?c\d\#\`},
		{name: "scheme in capitals", in: "HTTPS://Example.COM/A", want: "https://Example.COM/A"},
		{name: "port", in: "http://example.com:8080/", want: "http://example.com:8080/"},
		{name: "port with zeros", in: "http://example.com:0080", want: "http://example.com:80"},
		{name: "colon without port", in: "http://example.com:/a", want: "http://example.com/a"},
		{name: "port 0", in: "http://example.com:00/a", want: "http://example.com:0/a", notFound: "0 is no port"},
		{name: "IP literal", in: "http://[2001:DB8::1]:80/a.", want: "http://[2001:DB8::1]:80/a%2E"},
		{name: "IPv4", in: "http://127.0.0.1/a.", want: "http://127.0.0.1/a%2E"},
		{name: "escapes in the host", in: "https://%C3%A4%2ecom/", want: "https://ä.com/"},
		{name: "soft hyphen in the host", in: "https://exam\u00adple.com./", want: "https://example.com./"},
		{name: "bidi control in the host", in: "https://exam\u200eple.com/", want: "https://exam%E2%80%8Eple.com/", notFound: "no host"},
		{name: "joiner in the host", in: "https://क\u094d\u200dष.com/", want: "https://क्\u200dष.com/"},
		{name: "A-labels stay", in: "https://xn--p1ai.xn--p1ai/%D1%84", want: "https://xn--p1ai.xn--p1ai/ф"},
		{name: "bare host", in: "example.com/%CE%B1.", want: "example.com/α%2E"},
		{name: "bare host with a port", in: "example.com:80?a.", want: "example.com:80?a%2E"},
		{name: "bare host, @ in the path", in: "example.com/%40a@b.com", want: "example.com/@a@b.com"},
		{name: "address", in: "mailto:%CE%B1.b%2Bc@example.com", want: "mailto:α.b+c@example.com"},
		{name: "bare address", in: "α.b+c@example.com", want: "α.b+c@example.com"},
		{name: "percent in a bare address", in: "a%41@example.com", want: "a%41@example.com"},
		{name: "percent in an address", in: "mailto:a%2541%25%@example.com", want: "mailto:a%2541%25%@example.com"},
		{name: "dots in an address", in: "mailto:.a..b.@example.com", want: "mailto:%2Ea.%2Eb%2E@example.com"},
		{name: "not Link_Email", in: "mailto:a,b@example.com", want: "mailto:a,b@example.com", notFound: "a list of addresses, one of them broken"},
		{name: "escaped, and not Link_Email", in: "mailto:%22a%20b%22%40c@example.com", want: "mailto:%22a%20b%22%40c@example.com"},
		{name: "rare characters in an address", in: "mailto:a!$*^`{|}~+'b=c&@example.com", want: "mailto:a!$*^`{|}~+'b=c&@example.com"},
		{name: "rare characters and a dot in an address", in: "mailto:a.de!$*^`{|}~+'b=c&@example.com", want: "mailto:a.de%21%24%2A%5E%60%7B%7C%7D%7E+'b=c&@example.com"},
		{name: "rare characters and a dot in a bare address", in: "a.de|b@example.com", want: "mailto:a.de%7Cb@example.com"},
		{name: "invisible in an address", in: "mailto:a\u00ad\u180b%34@example.com", want: "mailto:a%C2%AD%E1%A0%8B4@example.com"},
		{name: "not UTF-8 in an address", in: "mailto:a%FFb@example.com", want: "mailto:a%FFb@example.com"},
		{name: "slash in an address", in: "mailto:a/b%3f%23c@example.com", want: "mailto:a%2Fb%3f%23c@example.com"},
		{name: "bare address with a slash", in: "a/b?c#d@example.com", want: "mailto:a%2Fb%3Fc%23d@example.com"},
		{name: "bare address that needs an escape", in: "a..b@example.com", want: "mailto:a.%2Eb@example.com"},
		{name: "bare address that needs an escape, with percent", in: "a,%41@example.com", want: "mailto:a%2C%2541@example.com"},
		{name: "mailto with a query", in: "mailto:a@example.com?subject=a%20b+%2b.", want: "mailto:a@example.com?subject=a%20b+%2b%2E"},
		{name: "mailto without an address", in: "mailto:?to=a%40b.", want: "mailto:?to=a@b%2E", notFound: "no address"},
		{name: "list of addresses", in: "mailto:a%2C%40x@b.com,c@d.com", want: "mailto:a%2C%40x@b.com,c@d.com", notFound: "no single address"},
		{name: "opaque", in: "tel:%2b1%20(2)%29%E2%82%AC.", want: "tel:%2b1%20(2)%29€%2E"},
		{name: "other scheme", in: "ftp://example.com/a%CE%B1.", want: "ftp://example.com/aα%2E"},
		{name: "look-alikes stay", in: "https://example.com/a%E2%81%84b／c？d", want: "https://example.com/a⁄b／c？d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := FormatURL(c.in)
			if err != nil || got != c.want {
				t.Fatalf("%q:\n got %q, %v\nwant %q", c.in, got, err, c.want)
			}
			if again, err := FormatURL(got); err != nil || again != got {
				t.Errorf("again: %q, %v", again, err)
			}
			for _, o := range []Options{
				{MailtoQuery: true, Schemes: []string{"ftp", "tel"}},
				{MailtoQuery: true, Schemes: []string{"ftp", "tel"}, Strict: true},
			} {
				d, err := New(o)
				if err != nil {
					t.Fatal(err)
				}
				text := "see " + got + " on"
				l, _ := d.Find(text, 0)
				if whole := l.In(text) == got; whole != (c.notFound == "") {
					t.Errorf("found %q, Strict %v; %s", l.In(text), o.Strict, c.notFound)
				}
			}
		})
	}
}

// TestFormat holds what only the structured form can say.
func TestFormat(t *testing.T) {
	web := func(p Parts) Parts { p.Scheme, p.Host = "https", "example.com"; return p }
	for _, c := range []struct {
		name string
		p    Parts
		want string
		lost bool // ParseParts of the result is not the same
	}{
		{name: "nothing"},
		{name: "host", p: web(Parts{}), want: "https://example.com"},
		{name: "bare host", p: Parts{Host: "example.com", Port: "80"}, want: "example.com:80"},
		{name: "no segment", p: web(Parts{Path: []string{}}), want: "https://example.com", lost: true},
		{name: "root", p: web(Parts{Path: []string{""}}), want: "https://example.com/"},
		{name: "empty segments", p: web(Parts{Path: []string{"", "", ""}}), want: "https://example.com///"},
		{name: "syntax in a segment", p: web(Parts{Path: []string{`a/b?c#d\e&f=g`, "h"}}), want: "https://example.com/a%2Fb%3Fc%23d%5Ce&f=g/h"},
		{name: "percent", p: web(Parts{Path: []string{"100%", "%41", "%4", "%zz"}}), want: "https://example.com/100%/%2541/%4/%zz"},
		{name: "bytes that are not UTF-8", p: web(Parts{Path: []string{"a\xffb\xe2\x82"}}), want: "https://example.com/a%FFb%E2%82"},
		{name: "empty query", p: web(Parts{Query: []Pair{{}}}), want: "https://example.com?"},
		{name: "empty pairs", p: web(Parts{Query: []Pair{{}, {HasValue: true}, {}}}), want: "https://example.com?&=&"},
		{name: "value without its flag", p: web(Parts{Query: []Pair{{Key: "a", Value: "b"}}}), want: "https://example.com?a=b", lost: true},
		{name: "syntax in a pair", p: web(Parts{Query: []Pair{{"a&b=c#d+e f?", "g&h=i#j+k l?", true}, {Key: "m"}}}),
			want: "https://example.com?a%26b%3Dc%23d%2Be%20f?=g%26h%3Di%23j%2Bk%20l?&m"},
		{name: "percent in a pair", p: web(Parts{Query: []Pair{{"%", "%2B", true}}}), want: "https://example.com?%=%252B"},
		{name: "empty fragment", p: web(Parts{HasFragment: true}), want: "https://example.com#"},
		{name: "fragment without its flag", p: web(Parts{Fragment: "a#b?"}), want: "https://example.com#a#b%3F", lost: true},
		{name: "directive mark in a fragment", p: web(Parts{HasFragment: true, Fragment: "a:~:b:~:~:c"}), want: "https://example.com#a%3A~:b%3A~%3A~:c"},
		{name: "directives", p: web(Parts{HasFragment: true, Fragment: "reserved", Directives: []string{"text=Reserved,into", "text=open,closed."}}),
			want: "https://example.com#reserved:~:text=Reserved,into:~:text=open,closed%2E", lost: true},
		{name: "escapes in a directive", p: web(Parts{HasFragment: true, Directives: []string{"text=a%2Cb%25%20,c"}}), want: "https://example.com#:~:text=a%2Cb%25%20,c"},
		{name: "fragment that ends like a directive begins", p: web(Parts{HasFragment: true, Fragment: "a:~", Directives: []string{"b"}}), want: "https://example.com#a%3A~:~:b"},
		{name: "empty directives", p: web(Parts{Directives: []string{"", "a", "", ""}}), want: "https://example.com#:~::~:a", lost: true},
		{name: "address", p: Parts{Scheme: "mailto", Local: "α.β", Host: "example.com"}, want: "mailto:α.β@example.com"},
		{name: "bare address", p: Parts{Local: "a%41", Host: "example.com"}, want: "a%41@example.com"},
		{name: "escape in an address", p: Parts{Scheme: "mailto", Local: "a b%41/@.", Host: "example.com"}, want: "mailto:a%20b%2541%2F%40%2E@example.com"},
		{name: "escape in a bare address", p: Parts{Local: "a b", Host: "example.com"}, want: "mailto:a%20b@example.com", lost: true},
		{name: "address with a query", p: Parts{Local: "a", Host: "example.com", Query: []Pair{{"subject", "a+b c", true}}}, want: "mailto:a@example.com?subject=a%2Bb%20c", lost: true},
		{name: "opaque", p: Parts{Scheme: "tel", Path: []string{"+1 2"}}, want: "tel:+1%202", lost: true},
		{name: "escapes in an opaque path", p: Parts{Scheme: "sip", Path: []string{"a%40%41%25b@c?#"}}, want: "sip:a%40A%25b@c%3F%23", lost: true},
		{name: "opaque with segments", p: Parts{Scheme: "urn", Path: []string{"a", "b"}}, want: "urn:a/b"},
		{name: "mailto without an address", p: Parts{Scheme: "mailto", Query: []Pair{{"to", "a@b.c", true}}}, want: "mailto:?to=a@b.c"},
		{name: "IP literal", p: Parts{Scheme: "http", Host: "[::1]", Path: []string{""}}, want: "http://[::1]/"},
		{name: "what no scheme, host or port has", p: Parts{Scheme: "a b", Host: "a/b\xff%c", Port: "x"}, want: "a%2Fb%FF%25c", lost: true},
		{name: "scheme in capitals", p: Parts{Scheme: "HTTPS", Host: "a.de"}, want: "https://a.de", lost: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Format(c.p); got != c.want {
				t.Fatalf("\n got %q\nwant %q", got, c.want)
			}
			if c.want == "" {
				return
			}
			p, err := ParseParts(c.want)
			if same := err == nil && reflect.DeepEqual(p, c.p); same == c.lost {
				t.Errorf("parsed: %+v, %v", p, err)
			}
			if again := Format(p); !c.lost && again != c.want {
				t.Errorf("again: %q", again)
			}
		})
	}
}

func TestParseParts(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     Parts
	}{
		{"all", "https://example.com:80/α/β%2Fγ?δ=ε&ζ#η:~:text=%CE%B8", Parts{Scheme: "https", Host: "example.com", Port: "80", Path: []string{"α", "β/γ"},
			Query: []Pair{{"δ", "ε", true}, {Key: "ζ"}}, Fragment: "η", HasFragment: true, Directives: []string{"text=%CE%B8"}}},
		{"plus", "a.de?a+%2B=b+c", Parts{Host: "a.de", Query: []Pair{{"a +", "b c", true}}}},
		{"plus in mailto", "mailto:?a=b+%2Bc", Parts{Scheme: "mailto", Query: []Pair{{"a", "b++c", true}}}},
		{"second =", "a.de?a=b=c", Parts{Host: "a.de", Query: []Pair{{"a", "b=c", true}}}},
		{"backslash", `http://a.de\b\c`, Parts{Scheme: "http", Host: "a.de", Path: []string{"b", "c"}}},
		{"backslash elsewhere", `irc://a.de/b\c`, Parts{Scheme: "irc", Host: "a.de", Path: []string{`b\c`}}},
		{"not UTF-8", "a.de/%FF\xff", Parts{Host: "a.de", Path: []string{"\xff\xff"}}},
		{"overlapping marks", "a.de#a:~:~:b", Parts{Host: "a.de", Fragment: "a", HasFragment: true, Directives: []string{"~:b"}}},
		{"address", "MAILTO:a%2Fb@EXAMPLE.com", Parts{Scheme: "mailto", Local: "a/b", Host: "EXAMPLE.com"}},
		{"bare address", "a%2Fb@example.com", Parts{Local: "a%2Fb", Host: "example.com"}},
		{"bare address with syntax", "a/b?c@example.com", Parts{Local: "a/b?c", Host: "example.com"}},
		{"bare host with @", "a.de/b@c.de", Parts{Host: "a.de", Path: []string{"b@c.de"}}},
		{"list of addresses", "mailto:a@b.de,c@d.de", Parts{Scheme: "mailto", Path: []string{"a@b.de,c@d.de"}}},
		{"address without a local part", "mailto:@b.de", Parts{Scheme: "mailto", Path: []string{"@b.de"}}},
		{"port without digits", "http://a.de:", Parts{Scheme: "http", Host: "a.de"}},
		{"scheme without anything", "x:", Parts{Scheme: "x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := ParseParts(c.in); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q:\n got %+v, %v\nwant %+v", c.in, got, err, c.want)
			}
		})
	}
}

func TestFormatErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "empty",
		" https://a.de":          "at an edge",
		"https://a.de/ ":         "at an edge",
		"https://a.de/\tb":       "a tab or new line",
		"https://a.de/\nb":       "a tab or new line",
		"https:a.de":             `no "//"`,
		"HTTP:/a.de":             `no "//"`,
		"https://":               "no host",
		"https:///a":             "no host",
		"file:///a":              "no host",
		"https://:80/":           "no host",
		"https://a@b.de/":        "user information",
		"https://a:b@c.de":       "user information",
		"https://a b/":           "a character that no host has",
		"https://a%20b/":         "a character that no host has",
		"https://a%zz.de/":       "a character that no host has",
		"https://a%2Fb.de/":      "a character that no host has",
		"https://a<b>/":          "a character that no host has",
		"https://%ff.de/":        "not UTF-8",
		"https://[::1/":          "a character that no host has",
		"https://[::g]/":         "the IP literal",
		"https://[1.2.3.4]/":     "the IP literal",
		"https://[fe80::1%251]/": "the IP literal",
		"https://[::1]x/":        "the port",
		"https://a.de:x":         "the port",
		"https://a.de:65536":     "the port",
		"https://a.de:1000000":   "the port",
		"a b@c.de/d":             "an address ends with its host",
		"a,b@c@d.de":             "the local part",
		"@c.de":                  "the local part",
		"a@":                     "no host",
		"?a":                     "no host",
		"localhost/a":            "without a dot",
		"a/b,c@d.de":             "without a dot",
		"[::1]/a":                "without a dot",
		"/a":                     "no host",
	} {
		p, err := ParseParts(in)
		if !errors.Is(err, ErrURL) || !strings.Contains(err.Error(), want) || !reflect.DeepEqual(p, Parts{}) {
			t.Errorf("%q: %+v, %v, want %s", in, p, err, want)
		}
		if got, err := FormatURL(in); got != "" || !errors.Is(err, ErrURL) {
			t.Errorf("%q: formatted %q, %v", in, got, err)
		}
		if got := Readable(in); got != in {
			t.Errorf("%q: readable %q", in, got)
		}
	}
}

func TestFormatLookalikes(t *testing.T) {
	o := FormatOptions{Lookalikes: true}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if lookalike(r) == 0 {
			continue
		}
		if term := linkprop.Of(r).Term(); term == Hard {
			t.Errorf("%U is %v", r, term)
		}
		in := "https://example.com/" + string(r) + "a?" + string(r) + "b#" + string(r) + "c"
		got, err := o.AppendURL(nil, in)
		if err != nil || strings.ContainsRune(string(got), r) {
			t.Errorf("%q: %q, %v", in, got, err)
		}
		if again, err := o.AppendURL(nil, string(got)); err != nil || string(again) != string(got) {
			t.Errorf("%q: %q again, %v", got, again, err)
		}
		if back, err := FormatURL(string(got)); err != nil || back != in {
			t.Errorf("%q: %q without the option, %v", got, back, err)
		}
	}
	p := Parts{Scheme: "mailto", Local: "aʔb", Host: "example.com"}
	if got := string(o.AppendParts(nil, p)); got != "mailto:a%CA%94b@example.com" {
		t.Errorf("got %s", got)
	}
	p.Scheme = ""
	if got := string(o.AppendParts(nil, p)); got != "mailto:a%CA%94b@example.com" {
		t.Errorf("bare: got %s", got)
	}
}

// TestIgnorables derives Default_Ignorable_Code_Point as DerivedCoreProperties.txt does, from the tables of the
// standard library, whose version of Unicode is the toolchain's: no version since 9.0 has changed the property.
func TestIgnorables(t *testing.T) {
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Cf, unicode.Variation_Selector) &&
			!unicode.In(r, unicode.White_Space, unicode.Prepended_Concatenation_Mark) &&
			!(r >= 0xFFF9 && r <= 0xFFFB) && !(r >= 0x13430 && r <= 0x1343F)
		if want {
			n++
		}
		if got := ignorable(r); got != want {
			t.Errorf("%U: %v, want %v", r, got, want)
		}
		if (bidiControl(r) || edgeControl(r)) && !ignorable(r) {
			t.Errorf("%U is invisible and not ignorable", r)
		}
	}
	if n != 4174 {
		t.Errorf("%d code points, want 4174", n)
	}
}

func TestReadable(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"host and path", "https://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C", "https://пример.рф/путь"},
		{"what must stay", "https://xn--a.com/a%2Fb%20c%29.", "https://xn--a.com/a%2Fb%20c%29%2E"},
		{"bidi control", "https://example.com/%E2%80%AEgpj", "https://example.com/%E2%80%AEgpj"},
		{"address", "mailto:%D0%B0@xn--e1afmkfd.xn--p1ai", "mailto:а@пример.рф"},
		{"bare address", "a..b%41@xn--p1ai.xn--p1ai", "mailto:a.%2Eb%2541@рф.рф"},
		{"other scheme", "irc://xn--p1ai.xn--p1ai/%D0%B0", "irc://xn--p1ai.xn--p1ai/а"},
		{"IP literal", "http://[::1]/%41", "http://[::1]/A"},
		{"opaque", "tel:%2B1%41", "tel:%2B1A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Readable(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestFormatAllocs checks that writing into a buffer costs nothing.
func TestFormatAllocs(t *testing.T) {
	const url = "https://example.com:80/wiki/%D0%9A(%D0%B0%29?a=%CE%B1&b#c:~:text=d."
	dst := make([]byte, 0, 256)
	var o FormatOptions
	if n := testing.AllocsPerRun(100, func() { o.AppendURL(dst, url) }); n != 0 {
		t.Errorf("AppendURL: %v allocations", n)
	}
}
