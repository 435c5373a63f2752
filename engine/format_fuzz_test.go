// SPDX-License-Identifier: MIT

package engine

import (
	"math/rand/v2"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// fuzzDetectors find every kind of link that can be formatted.
func fuzzDetectors(f testing.TB) []*Detector {
	var ds []*Detector
	for _, o := range []Options{{MailtoQuery: true, Schemes: []string{"ftp"}}, {MailtoQuery: true, Schemes: []string{"ftp"}, Strict: true}} {
		d, err := New(o)
		if err != nil {
			f.Fatal(err)
		}
		ds = append(ds, d)
	}
	return ds
}

// urlHeads and urlPieces make URLs that try the rules against each other.
var (
	urlHeads = []string{
		"https://example.com", "http://пример.рф:8080", "example.com", "HTTPS://xn--p1ai.xn--p1ai.", "http://[::1]:1", "http://127.0.0.1",
		"mailto:a@example.com?", "mailto:", "exam\u00adple.com", "ftp://example.com",
	}
	urlPieces = []string{
		"a", "4", "1", "α", "א", "한", "👍", "%41", "%34", "%CE%B1", "\u0301", "/", "?", "#", "&", "=", "+", "%2F", "%3f", "%23", "%26", "%3D", "%2B", "%25", "%", "%2",
		":~:", ":", "~", "%3A", "%7e", ".", "..", "%2E", ",", ";", "!", "'", "\"", "。", "，", "’", "%E3%80%82", "(", ")", "[", "]", "<", ">", "{", "}", "「", "」", "（", "%28", "%29", "%5B",
		" ", "%20", "\u00a0", "%00", "\x7f", "\u200c", "%E2%80%8D", "\u202e", "%E2%80%8F", "\u00ad", "\ufe0f", "%EF%BB%BF", "\\", "%5c", "@", "|", "^", "`", "%FF", "\xff", "\xe2", "%82", "\xac",
		"%E2%82", "$", "*", "_", "-", "\u0378", "\ue000", "⁄", "／", "？",
	}
)

// TestFormatRandom checks what FuzzFormatURL does with URLs made of pieces, the same ones each time.
func TestFormatRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(58, 17))
	ds := fuzzDetectors(t)
	n := 50000
	if testing.Short() {
		n = 2000
	}
	for range n {
		s := urlHeads[rnd.IntN(len(urlHeads))]
		for range rnd.IntN(14) {
			s += urlPieces[rnd.IntN(len(urlPieces))]
		}
		checkURL(t, s, ds)
	}
}

// checkFormatted checks what must hold of everything that is written, got: it is UTF-8, holds nothing invisible, is
// found whole between two blanks if its host is found at all, and is written so again, from the string and from its
// parts.
func checkFormatted(t *testing.T, got string, ds []*Detector) {
	t.Helper()
	if !utf8.ValidString(got) {
		t.Fatalf("%q is not UTF-8", got)
	}
	for _, r := range got {
		if r <= ' ' || ignorable(r) && !joiner(r) {
			t.Fatalf("%q holds %U", got, r)
		}
	}
	again, err := FormatURL(got)
	if err != nil || again != got {
		t.Fatalf("%q: %q, %v again", got, again, err)
	}
	p, err := ParseParts(got)
	if err != nil {
		t.Fatalf("%q: %v", got, err)
	}
	structured := Format(p)
	q, err := ParseParts(structured)
	if p.Scheme == "" && p.Local != "" {
		q.Scheme = "" // it may have needed an escape
	}
	if err != nil || !reflect.DeepEqual(decoded(p), decoded(q)) {
		t.Fatalf("%q: parts %+v, written %q, read %+v, %v", got, p, structured, q, err)
	}

	head, tail := got, ""
	if i := strings.IndexAny(got[min(len(p.Scheme)+len("://"), len(got)):], "/?#"); i >= 0 && (p.Local == "" || p.Scheme != "") {
		head, tail = got[:len(p.Scheme)+len("://")+i], got[len(p.Scheme)+len("://")+i:]
	}
	if p.Scheme == "" {
		head, tail = got, ""
		if i := strings.IndexAny(got, "/?#"); i >= 0 && p.Local == "" {
			head, tail = got[:i], got[i:]
		}
	}
	if tail != "" && strings.HasSuffix(got, "?") && p.Query[len(p.Query)-1] == (Pair{}) && len(p.Query) == 1 && !p.HasFragment {
		return // an empty query is not found
	}
	if p.Local != "" && p.HasFragment {
		return // nor is the fragment of an address
	}
	probe := head + "/x"
	if p.Local != "" {
		probe = head
	}
	for _, d := range ds {
		if tail == "" || !whole(d, probe) {
			continue
		}
		if !whole(d, got) {
			text := " " + got + " "
			l, _ := d.Find(text, 0)
			t.Fatalf("%q: found %q, Strict %v", got, l.In(text), d.opts.Strict)
		}
	}
}

// decoded returns p with everything decoded that is in the form of a string, to compare.
func decoded(p Parts) Parts {
	for i, s := range p.Directives {
		p.Directives[i] = unescape(s, false)
	}
	for i, s := range p.Path {
		if p.Host == "" {
			p.Path[i] = unescape(s, false)
		}
	}
	return p
}

func whole(d *Detector, s string) bool {
	text := " " + s + " "
	l, ok := d.Find(text, 0)
	return ok && l.Span == Span{1, len(text) - 1}
}

// FuzzFormatURL checks the string form: what checkFormatted does, and that the decoded parts are those of the
// input.
func FuzzFormatURL(f *testing.F) {
	for _, s := range []string{
		"https://example.com/%CE%B1(%CE%B2%29?%20a=b.&c%2Bd+e#f:~:text=g%2C", "example.com:80/%%341/a.?#", "mailto:.a..%2E@example.com?x=y.",
		`http://example.com\a%5C\..%2e/([))`, "https://xn--p1ai.xn--p1ai/%E2%80%8C%D9%86%E2%80%8C%D9%86#%3A%7E:~:", "a%41/b@example.com",
		"ftp://example.com/\xe2%82\xac%FF", "tel:+1%20(2).", "http://[::1]:080/'", "https://пример。рф./?", "https://example.com/〈「a〉」",
		"0# @0", "\"@,", "mailto:%22@%2C", "a0://Xn--011A", "00.00#:~: 0", "tel:<]a>", "exam\u00adple.com4한?,",
	} {
		f.Add(s)
	}
	ds := fuzzDetectors(f)
	f.Fuzz(func(t *testing.T, s string) { checkURL(t, s, ds) })
}

// checkURL checks the string form of s.
func checkURL(t *testing.T, s string, ds []*Detector) {
	t.Helper()
	got, err := FormatURL(s)
	p, perr := ParseParts(s)
	if (err == nil) != (perr == nil) {
		t.Fatalf("%q: %v, %v", s, err, perr)
	}
	if err != nil {
		return
	}
	q, err := ParseParts(got)
	if p.Scheme == "" && p.Local != "" {
		q.Scheme = p.Scheme
	}
	if p.Host != q.Host && strings.ContainsFunc(p.Host, unseen) {
		q.Host = p.Host
	}
	if err != nil || !reflect.DeepEqual(decoded(p), decoded(q)) {
		t.Fatalf("%q: %+v\n%q: %+v, %v", s, p, got, q, err)
	}
	checkFormatted(t, got, ds)

	o := FormatOptions{Lookalikes: true}
	loud, err := o.AppendURL(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	if quiet, err := FormatURL(string(loud)); err != nil || quiet != got && !(p.Scheme == "" && p.Local != "") && strings.IndexByte(got, '%') < 0 {
		t.Fatalf("%q: %q, with look-alikes escaped %q, %v", s, got, loud, err)
	}
	if r := Readable(s); !utf8.ValidString(r) || Readable(r) != r {
		t.Fatalf("%q: readable %q, again %q", s, r, Readable(r))
	}
}

// FuzzFormat checks the structured form: any text in it comes back, and what checkFormatted does. Lists are parted
// by U+0000, name and value by U+0001.
func FuzzFormat(f *testing.F) {
	f.Add("example.com", "a/b\x00c.", "d=&\x01e+ f\x00g", "h:~:i:~", "text=j%2C\x00k", uint8(0xff))
	f.Add("example.com", "100%41%\x00..", "\x00\x01", "", "", uint8(2))
	f.Add("例え.みんな", "([))）\x00(]", "（\x01）", "(", ":~\x00)", uint8(0x1f))
	f.Add("example.com", "\xff\x00\u200cx\u200cy\u202e", "\x01\u3000", "?", "", uint8(0x0f))
	ds := fuzzDetectors(f)
	f.Fuzz(func(t *testing.T, host, path, query, fragment, directives string, has uint8) {
		p := Parts{Host: host}
		if has&1 != 0 {
			p.Scheme = "https"
		}
		if has&2 != 0 {
			p.Path = strings.Split(path, "\x00")
		}
		if has&4 != 0 {
			for s := range strings.SplitSeq(query, "\x00") {
				k, v, ok := strings.Cut(s, "\x01")
				p.Query = append(p.Query, Pair{k, v, ok})
			}
		}
		if has&8 != 0 {
			p.Fragment, p.HasFragment = fragment, true
		}
		if has&24 == 24 {
			p.Directives = strings.Split(directives, "\x00")
		}
		got := Format(p)
		// Of a directive, only its own form comes back; of a host, only one that is a host.
		if _, err := parseHost(host); err != nil || strings.ContainsFunc(host, unseen) || strings.ContainsAny(host, "%[]:@/\\?#") {
			return
		}
		if has&1 == 0 && twoLabels(host) == false {
			return // a bare host without a dot may be a scheme, or a local part
		}
		q, err := ParseParts(got)
		if err != nil {
			t.Fatalf("%+v: %q: %v", p, got, err)
		}
		p.Directives, q.Directives = nil, nil
		if !reflect.DeepEqual(p, q) {
			t.Fatalf("%+v: %q: %+v", p, got, q)
		}
		checkFormatted(t, got, ds)
	})
}

// FuzzFormatLocal checks local parts.
func FuzzFormatLocal(f *testing.F) {
	for _, s := range []string{"a.b", ".a..b.", "a b%41%", "//x", "a@b", "a?b#c", "\xff\u00ad", "δοκιμή", "a.de/b", "mailto:x", "a.de]}t", "a.de中}x"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	ds := fuzzDetectors(f)
	f.Fuzz(func(t *testing.T, local string, bare bool) {
		if local == "" {
			return
		}
		p := Parts{Local: local, Host: "example.com"}
		if !bare {
			p.Scheme = "mailto"
		}
		got := Format(p)
		q, err := ParseParts(got)
		if bare {
			q.Scheme = ""
		}
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("%+v: %q: %+v, %v", p, got, q, err)
		}
		checkFormatted(t, got, ds)
		written, _ := strings.CutPrefix(got, "mailto:")
		if len(written)-len("@example.com") > maxLocal {
			return
		}
		for _, d := range ds {
			if !whole(d, got) {
				t.Fatalf("%q: not found whole, Strict %v", got, d.opts.Strict)
			}
		}
	})
}

// FuzzAppendHref checks the hrefs of whatever is found: checkHref, and that net/url sees the host that the text
// names. What is written of them is the same link again.
func FuzzAppendHref(f *testing.F) {
	for _, s := range []string{
		"see https://example.com:8080/a(b)?c='d'#e. and john.doe+x@例え.テスト、", "http://[::1]:80/%zz%", "xn--p1ai.xn--p1ai/\"<>`", "http://1.2.3.4/\u202e\u00ad",
		"mailto:a%41b{|}@example.com?subject=x y", "普遍适用测试。我爱你/\\^{|}[]", "ftp://exam\u00adple.com./\u2028", "tel:+1'2 xmpp:ä@b?c",
	} {
		for i := range uint8(4) {
			f.Add(s, i)
		}
	}
	options := []Options{
		{}, {IRI: true, HTTP: true, MailtoQuery: true}, {Strict: true, IRI: true, LocalHosts: true},
		{LocalHosts: true, Schemes: []string{"ftp", "tel", "xmpp"}, MailtoQuery: true, HostOK: func(string) bool { return true }},
	}
	f.Fuzz(func(t *testing.T, text string, o uint8) {
		opts := options[int(o)%len(options)]
		d, err := New(opts)
		if err != nil {
			t.Fatal(err)
		}
		for l := range d.Links(text) {
			href := string(d.AppendHref(nil, text, l))
			if href == "" && l.Host.Empty() && l.Scheme.In(text)[0]|0x20 == 'f' {
				continue // ftp: without "//"
			}
			if href == "" {
				t.Fatalf("%q has no href", l.In(text))
			}
			checkHref(t, href, opts)
			if opts.IRI {
				continue
			}
			u, err := url.Parse(href)
			if err != nil {
				t.Fatalf("%q: %v", href, err)
			}
			want, _ := appendASCIIHost(nil, l.Host.In(text))
			if host := l.Host.In(text); strings.HasPrefix(host, "[") {
				want = []byte(host)
			}
			if l.Kind == URL && u.Host != string(want)+l.Port.In(text) {
				t.Fatalf("%q: host %q, want %q", href, u.Host, want)
			}
			if !strings.HasSuffix(u.Opaque, string(want)) && l.Kind == Email {
				t.Fatalf("%q: opaque %q, want %q", href, u.Opaque, want)
			}
			p, err := ParseParts(href)
			if err != nil {
				t.Fatalf("%q: %v", href, err)
			}
			if q, err := ParseParts(Readable(href)); err != nil || !reflect.DeepEqual(decoded(p).Path, decoded(q).Path) || !reflect.DeepEqual(p.Query, q.Query) || p.Fragment != q.Fragment {
				t.Fatalf("%q: %+v, readable %+v, %v", href, p, q, err)
			}
		}
	})
}
