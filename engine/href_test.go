// SPDX-License-Identifier: MIT

package engine

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

// TestAppendHref holds a case for each rule. The link is the first of the text.
func TestAppendHref(t *testing.T) {
	more := []string{"ftp", "tel", "XMPP"}
	for _, c := range []struct {
		name, text, want string
		o                Options
	}{
		{name: "bare host", text: "example.com", want: "https://example.com"},
		{name: "bare host, HTTP", text: "example.com/a", want: "http://example.com/a", o: Options{HTTP: true}},
		{name: "scheme stays", text: "http://example.com", want: "http://example.com"},
		{name: "scheme in capitals", text: "HTTPS://example.com/A", want: "https://example.com/A"},
		{name: "host in capitals", text: "WWW.Example.COM", want: "https://www.example.com"},
		{name: "host beyond ASCII", text: "http://пример.рф/путь", want: "http://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C"},
		{name: "right to left", text: "http://مثال.السعودية/كتاب،", want: "http://xn--mgbh0fb.xn--mgberp4a5d4ar/%D9%83%D8%AA%D8%A7%D8%A8"},
		{name: "deviation characters", text: "faß.de", want: "https://xn--fa-hia.de"},
		{name: "ideographic dots", text: "普遍适用测试。我爱你", want: "https://xn--tkvs6ms8gqpywye3ma.xn--6qq986b3xl"},
		{name: "final dot", text: "example.com./a", want: "https://example.com./a"},
		{name: "ideographic final dot", text: "https://例え.jp。/a", want: "https://xn--r8jz45g.jp./a"},
		{name: "port", text: "example.com:08080/", want: "https://example.com:08080/"},
		{name: "IPv4", text: "http://127.0.0.1:80/", want: "http://127.0.0.1:80/"},
		{name: "IPv4 with a final dot", text: "http://127.0.0.1./", want: "http://127.0.0.1/"},
		{name: "IPv6", text: "http://[2001:DB8::1]:80/ä", want: "http://[2001:DB8::1]:80/%C3%A4"},
		{name: "local host", text: "http://LocalHost:1313/", want: "http://localhost:1313/", o: Options{LocalHosts: true}},
		{name: "escapes stay", text: "example.com/%41%2f%e4%zz%?%20#%C3%BC", want: "https://example.com/%41%2f%e4%25zz%25?%20#%C3%BC"},
		{name: "percent before escapes", text: "example.com/%%20%4%41", want: "https://example.com/%25%20%254%41"},
		{name: "not normalised", text: "http://example.com:80/a/../b//./c?&=", want: "http://example.com:80/a/../b//./c?&="},
		{name: "quotes", text: "example.com/'\"`a?'\"`b#'\"`c", want: "https://example.com/%27%22%60a?%27%22%60b#%27%22%60c"},
		{name: "what RFC 3986 does not have", text: `example.com/<>\^{}|_?<>\^{}|_#<>\^{}|_`, want: "https://example.com/%3C%3E%5C%5E%7B%7D%7C_?%3C%3E%5C%5E%7B%7D%7C_#%3C%3E%5C%5E%7B%7D%7C_"},
		{name: "what stays", text: "example.com/-._~!$&()*+,;=:@[a]?/?-._~!$&()*+,;=:@[a]#/?#a", want: "https://example.com/-._~!$&()*+,;=:@[a]?/?-._~!$&()*+,;=:@[a]#/?#a"},
		{name: "invisible", text: "example.com/a\u200eb\u00adc", want: "https://example.com/a%E2%80%8Eb%C2%ADc"},
		{name: "empty query and fragment", text: "example.com/a?#", want: "https://example.com/a?#"},
		{name: "address", text: "John.Doe@Example.com", want: "mailto:John.Doe@example.com"},
		{name: "address in capitals", text: "MAILTO:a@example.com", want: "mailto:a@example.com"},
		{name: "address beyond ASCII", text: "δοκιμή@παράδειγμα.ελ", want: "mailto:%CE%B4%CE%BF%CE%BA%CE%B9%CE%BC%CE%AE@xn--hxajbheg2az3al.xn--qxam"},
		{name: "syntax in an address", text: "a!#$%&'*+-/=?^_`{|}~.b@example.com", want: "mailto:a!%23$%25%26%27*+-%2F%3D%3F%5E_%60%7B%7C%7D~.b@example.com"},
		{name: "percent in a bare address", text: "a%41@example.com", want: "mailto:a%2541@example.com"},
		{name: "percent in a mailto URL", text: "mailto:a%41%@example.com", want: "mailto:a%41%25@example.com"},
		{name: "query of an address", text: "mailto:a@example.com?subject=ä b", want: "mailto:a@example.com?subject=%C3%A4", o: Options{MailtoQuery: true}},
		{name: "other scheme", text: "FTP://Example.com/ä", want: "ftp://example.com/%C3%A4", o: Options{Schemes: more}},
		{name: "opaque scheme", text: "tel:+1-201'x", want: "tel:+1-201%27x", o: Options{Schemes: more}},
		{name: "opaque scheme with query", text: "xmpp:ä@b.c?join", want: "xmpp:%C3%A4@b.c?join", o: Options{Schemes: more}},

		{name: "IRI", text: "http://пример.рф/путь?я=%D0%AF#я", want: "http://пример.рф/путь?я=%D0%AF#я", o: Options{IRI: true}},
		{name: "IRI, address", text: "я@пример.рф", want: "mailto:я@пример.рф", o: Options{IRI: true}},
		{name: "IRI, quotes and blanks", text: "example.com/’'\"\u2800я\u200cя\u200b<a>|", want: "https://example.com/’%27%22%E2%A0%80я%E2%80%8Cя%E2%80%8B%3Ca%3E%7C", o: Options{IRI: true}},
		{name: "IRI, bidi control", text: "example.com/a\u202eb", want: "https://example.com/a%E2%80%AEb", o: Options{IRI: true}},
		{name: "IRI, invisible in the host", text: "http://क्\u200dष.com/я", want: "http://xn--11b2ezcw70k.com/я", o: Options{IRI: true}},
		{name: "IRI, ASCII", text: "Example.com", want: "https://example.com", o: Options{IRI: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := New(c.o)
			if err != nil {
				t.Fatal(err)
			}
			l, ok := d.Find(c.text, 0)
			if !ok {
				t.Fatalf("%q: no link", c.text)
			}
			got := string(d.AppendHref([]byte("x"), c.text, l))
			if got != "x"+c.want {
				t.Fatalf("%q:\n got %q\nwant %q", l.In(c.text), got[1:], c.want)
			}
			checkHref(t, got[1:], c.o)
		})
	}
}

// checkHref checks what must hold of every href.
func checkHref(t *testing.T, href string, o Options) {
	t.Helper()
	for _, r := range href {
		if r <= ' ' || r == 0x7F || strings.ContainsRune("\"'`<>\\^{|}", r) || r >= 0x80 && (!o.IRI || !iriRune(r)) {
			t.Fatalf("%q holds %q", href, r)
		}
	}
	u, err := url.Parse(href)
	if err != nil {
		t.Fatalf("%q: %v", href, err)
	}
	if u.Host != "" && !strings.Contains(href, "://"+u.Host) {
		t.Fatalf("%q: host %q", href, u.Host)
	}
}

// TestAppendHrefInvalid gives AppendHref links that d has not found: it appends nothing, whatever they are.
func TestAppendHrefInvalid(t *testing.T) {
	d, err := New(Options{Schemes: []string{"tel"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		l          Link
	}{
		{"no link", "example.com", Link{}},
		{"gap", "example.com", Link{Span: Span{0, 11}, Host: Span{0, 11}}},
		{"no host", "example.com", Link{Kind: URL, Span: Span{0, 11}}},
		{"beyond the end", "example.com", Link{Kind: URL, Host: Span{0, 12}}},
		{"before the beginning", "example.com", Link{Kind: URL, Host: Span{-1, 11}}},
		{"backwards", "example.com", Link{Kind: URL, Host: Span{11, 0}}},
		{"port", "example.com:8x", Link{Kind: URL, Host: Span{0, 11}, Port: Span{11, 14}}},
		{"port without colon", "example.com8", Link{Kind: URL, Host: Span{0, 11}, Port: Span{11, 12}}},
		{"scheme", "javascript:alert(1)", Link{Kind: URL, Scheme: Span{0, 11}, Path: Span{11, 19}}},
		{"scheme with a host", "ftp://example.com", Link{Kind: URL, Scheme: Span{0, 6}, Host: Span{6, 17}}},
		{"scheme without colon", "tel//a", Link{Kind: URL, Scheme: Span{0, 3}, Path: Span{3, 6}}},
		{"scheme without slashes", "https:a.de", Link{Kind: URL, Scheme: Span{0, 6}, Path: Span{6, 10}}},
		{"scheme without a host", "https://", Link{Kind: URL, Scheme: Span{0, 8}}},
		{"opaque scheme with a host", "tel:a.de", Link{Kind: URL, Scheme: Span{0, 4}, Host: Span{4, 8}}},
		{"mailto is no URL", "mailto:a.de", Link{Kind: URL, Scheme: Span{0, 7}, Path: Span{7, 11}}},
		{"address with a scheme", "tel:a@b.de", Link{Kind: Email, Scheme: Span{0, 4}, Local: Span{4, 5}, Host: Span{6, 10}}},
		{"address without a local part", "@b.de", Link{Kind: Email, Host: Span{1, 5}}},
		{"address without a host", "a@", Link{Kind: Email, Local: Span{0, 1}}},
		{"host with a blank", "a b.de", Link{Kind: URL, Host: Span{0, 6}}},
		{"host that IDNA refuses", "xn--zz.de", Link{Kind: URL, Host: Span{0, 9}}},
		{"half an IP literal", "http://[::1", Link{Kind: URL, Scheme: Span{0, 7}, Host: Span{7, 11}}},
		{"IP literal that is none", "http://[::x]", Link{Kind: URL, Scheme: Span{0, 7}, Host: Span{7, 12}}},
		{"dot alone", ".", Link{Kind: URL, Host: Span{0, 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(d.AppendHref([]byte("x"), c.text, c.l)); got != "x" {
				t.Errorf("got %q", got[1:])
			}
		})
	}
	l := Link{Kind: URL, Host: Span{0, 4}, Path: Span{4, 7}}
	if got, want := string(d.AppendHref(nil, "a.de/\xffb", l)), "https://a.de/%FFb"; got != want {
		t.Errorf("not UTF-8: got %q, want %q", got, want)
	}
}

// TestAppendHrefAllocs checks that hrefs of ASCII hosts cost nothing.
func TestAppendHrefAllocs(t *testing.T) {
	d, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 0, 256)
	for _, text := range []string{
		"example.com", "HTTPS://WWW.Example.com:80/ä(b)?c='d'#e", "http://[::1]/%zz", "mailto:jöhn@example.com", "a.b@example.co.uk",
	} {
		l, ok := d.Find(text, 0)
		if !ok {
			t.Fatalf("%q: no link", text)
		}
		if n := testing.AllocsPerRun(100, func() { d.AppendHref(dst, text, l) }); n != 0 {
			t.Errorf("%q: %v allocations", text, n)
		}
	}
}

func TestHref(t *testing.T) {
	for _, c := range []struct{ url, want, err string }{
		{"http://пример.рф/путь", "http://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C", ""},
		{"example.invalid/a%2fb", "https://example.invalid/a%2fb", ""},
		{"http://localhost/a b", "http://localhost/a%20b", ""},
		{"mailto:a@b.example?subject=x", "mailto:a@b.example?subject=x", ""},
		{"no URL", "", "engine: not a URL"},
		{"javascript:alert(1)", "", "engine: not a URL with an href"},
	} {
		got, err := Href(c.url)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && (!errors.Is(err, ErrURL) || !strings.HasPrefix(err.Error(), c.err)) {
			t.Errorf("%s: %q, %v; want %q, %s", c.url, got, err, c.want, c.err)
		}
	}
}
