// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	"net/mail"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"
	"golang.org/x/net/html"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/mailfilter"
)

var languages = map[string]struct{ dir, subject, link string }{
	"en": {"ltr", "News from the libraries — November", "in our report"},
	"ar": {"rtl", "أخبار المكتبات — نوفمبر", "في تقريرنا"},
	"he": {"rtl", "חדשות הספריות — נובמבר", "בדוח שלנו"},
}

// inbox is a server on this machine that keeps what it gets.
type inbox struct {
	addr     string
	messages chan delivery
}

type delivery struct {
	from string
	to   []string
	data []byte
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	b := &inbox{messages: make(chan delivery, 10)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.addr = l.Addr().String()
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{inbox: b}, nil }))
	s.Domain = "localhost"
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return b
}

type session struct {
	*inbox
	delivery
}

func (s *session) Reset()        { s.delivery = delivery{} }
func (s *session) Logout() error { return nil }
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}
func (s *session) Data(r io.Reader) (err error) {
	s.data, err = io.ReadAll(r)
	s.messages <- s.delivery
	return err
}

// halves returns the header and the two parts of a message.
func halves(t *testing.T, message []byte) (header mail.Header, plain, page string) {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s, %v", kind, err)
	}
	var parts []string
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := r.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"text/plain; charset=UTF-8; format=flowed", "text/html; charset=UTF-8"}
		kind, params, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if len(parts) == len(want) || err != nil || mime.FormatMediaType(kind, params) != want[len(parts)] || p.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
			t.Fatalf("part %d: %v, %v", len(parts)+1, p.Header, err)
		}
		data, err := io.ReadAll(quotedprintable.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, strings.ReplaceAll(string(data), "\r\n", "\n"))
	}
	if len(parts) != 2 {
		t.Fatalf("%d parts", len(parts))
	}
	return m.Header, parts[0], parts[1]
}

// anchors returns the addresses of a page, and their texts.
func anchors(page string) (hrefs, texts []string) {
	z := html.NewTokenizer(strings.NewReader(page))
	for in := false; ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return hrefs, texts
		case html.StartTagToken, html.EndTagToken:
			token := z.Token()
			if token.Data != "a" {
				continue
			}
			if in = kind == html.StartTagToken; in {
				texts = append(texts, "")
				for _, a := range token.Attr {
					if a.Key == "href" {
						hrefs = append(hrefs, a.Val)
					}
				}
			}
		case html.TextToken:
			if in {
				texts[len(texts)-1] += z.Token().Data
			}
		}
	}
}

// TestSend sends each letter to a server, and reads what came there.
func TestSend(t *testing.T) {
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for lang, want := range languages {
		b := newInbox(t)
		args := []string{"-smtp", b.addr, "-tls", "none", "-to", "Ann <ann@example.org>, bob@example.org", filepath.Join("letters", lang)}
		var out, errs bytes.Buffer
		if err := run(context.Background(), args, func(string) string { return "" }, &out, &errs); err != nil || out.Len()+errs.Len() > 0 {
			t.Fatalf("%s: %v, %s, %s", lang, err, out.String(), errs.String())
		}
		for _, to := range []string{"ann@example.org", "bob@example.org"} {
			m := <-b.messages
			if m.from != "news@example.com" || !slices.Equal(m.to, []string{to}) {
				t.Fatalf("%s: from %q to %q", lang, m.from, m.to)
			}
			header, plain, page := halves(t, m.data)
			for field, value := range map[string]string{
				"Subject": want.subject, "Content-Language": lang,
				"List-Unsubscribe":      "<https://example.com/unsubscribe?id=42>, <mailto:leave@example.com?subject=42>",
				"List-Unsubscribe-Post": "List-Unsubscribe=One-Click", "Date": "Fri, 20 Nov 2026 09:00:00 +0000",
			} {
				if got, err := new(mime.WordDecoder).DecodeHeader(header.Get(field)); err != nil || got != value {
					t.Errorf("%s: %s: %q, %v; want %q", lang, field, got, err, value)
				}
			}
			if a, err := header.AddressList("To"); err != nil || len(a) != 1 || a[0].Address != to {
				t.Errorf("%s: to %v, %v", lang, a, err)
			}

			// The HTML: tagged addresses, texts as they were.
			hrefs, texts := anchors(page)
			tagged := 0
			for i, href := range hrefs {
				web := strings.HasPrefix(href, "http") && href != "https://example.com/unsubscribe?id=42"
				if strings.Contains(href, "utm_source=newsletter&utm_medium=email&utm_campaign=november") != web || strings.Contains(texts[i], "utm_") {
					t.Errorf("%s: %s: %s", lang, texts[i], href)
				}
				if web {
					tagged++
				}
			}
			if tagged < 6 || len(hrefs) < tagged+3 {
				t.Errorf("%s: %d of %d addresses are tagged", lang, tagged, len(hrefs))
			}
			i := slices.Index(texts, want.link)
			if i < 0 || hrefs[i] != "https://example.com/report/2026?part=2&lang="+lang+"&utm_source=newsletter&utm_medium=email&utm_campaign=november#new" {
				t.Errorf("%s: the link that was written as such: %q", lang, hrefs)
			}
			for _, part := range []string{
				`<html lang="` + lang + `" dir="` + want.dir + `">`, `<td class="letter" lang="` + lang + `" dir="` + want.dir + `"`,
				`<bdi dir="ltr"><a href="http://xn--6dbbec0c.xn--4dbrk0ce/%D7%A1%D7%A4%D7%A8/%D7%A2%D7%9E%D7%95%D7%93?utm_`, `<span dir="ltr">http://<span dir="ltr">דוגמה</span>.`,
				map[string]string{"ltr": "padding-left:24px", "rtl": "padding-right:24px"}[want.dir],
			} {
				if !strings.Contains(page, part) {
					t.Errorf("%s: the HTML has no %s", lang, part)
				}
			}

			// The text: the same links, each whole, as they are read, and no tags.
			found := map[string]bool{}
			for l := range d.Links(plain) {
				found[l.In(plain)] = true
			}
			for i, href := range hrefs {
				shown := texts[i]
				if !strings.ContainsAny(shown, ".") {
					shown, _, _ = strings.Cut(engine.Readable(href), "utm_")
					shown = strings.TrimPrefix(strings.TrimRight(shown, "?&"), "mailto:")
					if texts[i] == want.link {
						shown += "#new"
					}
				}
				if !found[shown] {
					t.Errorf("%s: %s is not in the text: %v", lang, shown, found)
				}
			}
			if strings.Contains(plain, "utm_") || !strings.Contains(plain, "\n-- \n") {
				t.Errorf("%s: the text: %s", lang, plain)
			}

			// There is nothing left to do for bidilink mail.
			for _, o := range []mailfilter.Options{{}, {Bare: mailfilter.BareAll, RewriteLists: true, RewriteDKIM: true}} {
				again, report, err := mailfilter.RewriteMessage(m.data, o)
				if err != nil || report.Result != mailfilter.Unchanged || !bytes.Equal(again, m.data) {
					t.Errorf("%s: bidilink mail: %v, %v", lang, report, err)
				}
			}
		}
	}
}

// A server without STARTTLS gets nothing, unless that is what is wanted.
func TestTLS(t *testing.T) {
	b := newInbox(t)
	err := run(context.Background(), []string{"-smtp", b.addr, "-to", "ann@example.org", "letters/en"}, func(string) string { return "" }, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), b.addr) || !strings.Contains(err.Error(), "STARTTLS") {
		t.Errorf("%v", err)
	}
	if len(b.messages) != 0 {
		t.Error("the letter was sent")
	}
}

// A server on port 465 begins with TLS; so does one that is said to.
func TestImplicitTLS(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate
	defer web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	b := &inbox{messages: make(chan delivery, 10)}
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	b.addr = l.Addr().String()
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{inbox: b}, nil }))
	s.Domain = "localhost"
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	letter, err := read("letters/en")
	if err != nil {
		t.Fatal(err)
	}
	to := []*mail.Address{{Address: "ann@example.org"}}
	if err := (server{address: b.addr, tls: "implicit", roots: roots}).send(context.Background(), letter, to); err != nil {
		t.Fatal(err)
	}
	if m := <-b.messages; !slices.Equal(m.to, []string{"ann@example.org"}) {
		t.Errorf("%+v", m)
	}
	// Not to one that nobody vouches for.
	err = run(context.Background(), []string{"-smtp", b.addr, "-tls", "implicit", "-to", "ann@example.org", "letters/en"}, func(string) string { return "" }, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "certificate") || len(b.messages) != 0 {
		t.Errorf("%v, %d messages", err, len(b.messages))
	}
	for address, want := range map[server]bool{
		{address: "e.com:465"}: true, {address: "e.com:587"}: false, {address: "e.com:465", tls: "mandatory"}: false, {address: "e.com:25", tls: "implicit"}: true,
	} {
		c, err := address.client()
		if err != nil {
			t.Fatal(err)
		}
		if got := reflect.ValueOf(c).Elem().FieldByName("useSSL").Bool(); got != want {
			t.Errorf("%+v: implicit TLS %v, want %v", address, got, want)
		}
	}
}

// What stands in a header is ASCII, and is read as it was written.
func TestHeaders(t *testing.T) {
	for _, subject := range []string{"Hi =?utf-8?Q?x?=", "=?", "=?utf-8?Q?x?= " + strings.Repeat("שלום ", 40), "plain", "ä =?"} {
		l, err := parse([]byte("---\nsubject: " + subject + "\nfrom: a@example.com\nlang: en\ndir: ltr\nlist-unsubscribe: https://דוגמה.ישראל/א?b=ג, mailto:leave@example.com?subject=ה\n---\nx\n"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := l.message("")
		if err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		if _, err := m.WriteTo(&data); err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(data.String(), "\r\n\r\n")
		for line := range strings.SplitSeq(head, "\r\n") {
			if len(line) > 76 && strings.HasPrefix(line, "Subject") || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q", line)
			}
		}
		header, plain, page := halves(t, data.Bytes())
		if got, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject")); err != nil || got != strings.TrimSpace(subject) {
			t.Errorf("%q, %v; want %q", got, err, subject)
		}
		const leave = "https://xn--6dbbec0c.xn--4dbrk0ce/%D7%90?b=%D7%92"
		if got, want := header.Get("List-Unsubscribe"), "<"+leave+">, <mailto:leave@example.com?subject=%D7%94>"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if !strings.Contains(plain, "https://דוגמה.ישראל/א?b=ג") || !strings.Contains(page, leave) {
			t.Errorf("%s\n%s", plain, page)
		}
	}
}

func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "letter.eml")
	if err := run(context.Background(), []string{"-o", name, "-to", "ann@example.org", "letters/he"}, func(string) string { return "" }, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	header, plain, _ := halves(t, data)
	if header.Get("To") != "<ann@example.org>" || !strings.Contains(plain, "http://דוגמה.ישראל/ספר/עמוד") {
		t.Errorf("%v, %s", header, plain)
	}
}

func TestTag(t *testing.T) {
	l := &letter{Campaign: "a b"}
	const tags = "utm_source=newsletter&utm_medium=email&utm_campaign=a+b"
	for in, want := range map[string]string{
		"https://e.com":           "https://e.com?" + tags,
		"http://e.com/a?b=c#d#e":  "http://e.com/a?b=c&" + tags + "#d#e",
		"https://e.com/?utm_id=1": "https://e.com/?utm_id=1",
		"mailto:a@e.com":          "mailto:a@e.com",
		"page.html":               "page.html",
		"https://e.com/a%20b#":    "https://e.com/a%20b?" + tags + "#",

		"https://e.com/utm_guide":         "https://e.com/utm_guide?" + tags,
		"https://e.com/?a=utm_b#utm_c":    "https://e.com/?a=utm_b&" + tags + "#utm_c",
		"https://e.com/?a=b&UTM%5FSource": "https://e.com/?a=b&UTM%5FSource",
		"HTTPS://e.com/b":                 "HTTPS://e.com/b?" + tags,
		"ftp://e.com/":                    "ftp://e.com/",
	} {
		if got := l.tag(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if got := (&letter{}).tag("https://e.com"); got != "https://e.com" {
		t.Errorf("without a campaign: %s", got)
	}
}

// Links of every kind are tagged once, and their texts stay.
func TestLinks(t *testing.T) {
	l := &letter{Campaign: "c", Dir: "ltr", source: []byte("<https://e.com/a> <b@e.com> [e.com/c](https://e.com/c?d=1&amp;e=2) http://[2001:db8::1]/f ![g](https://e.com/g)\n")}
	plain, page, err := l.halves()
	if err != nil {
		t.Fatal(err)
	}
	const tags = "utm_source=newsletter&utm_medium=email&utm_campaign=c"
	hrefs, texts := anchors(page)
	if want := []string{"https://e.com/a?" + tags, "mailto:b@e.com", "https://e.com/c?d=1&e=2&" + tags, "http://[2001:db8::1]/f?" + tags}; !slices.Equal(hrefs, want) {
		t.Errorf("%q, want %q", hrefs, want)
	}
	if want := []string{"https://e.com/a", "b@e.com", "e.com/c", "http://[2001:db8::1]/f"}; !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
	if want := "https://e.com/a b@e.com e.com/c <https://e.com/c?d=1&e=2> \nhttp://[2001:db8::1]/f [g]\n"; plain != want {
		t.Errorf("%q, want %q", plain, want)
	}
	if want := `<bdi dir="ltr"><a href="https://e.com/a?` + strings.ReplaceAll(tags, "&", "&amp;") + `" class="link" style="color:#0b57d0"><span dir="ltr">https://e.com/a</span></a></bdi>`; !strings.Contains(page, want) {
		t.Errorf("no %s in %s", want, page)
	}
	if strings.Count(page, `class="link"`) != 4 || strings.Count(page, "color:#0b57d0") != 4 {
		t.Errorf("%s", page)
	}
}

func TestErrors(t *testing.T) {
	const good = "---\nsubject: S\nfrom: a@example.com\nlang: en\ndir: ltr\n---\n"
	dir := t.TempDir()
	for _, c := range []struct{ text, want string }{
		{"text", "want front matter"},
		{"---\nsubject: S\n", "want front matter"},
		{strings.Replace(good, "subject", "subjekt", 1), `line 2: unknown key "subjekt"`},
		{strings.Replace(good, "subject: S", "", 1), `line 2: unknown key ""`},
		{strings.Replace(good, "S", "", 1), "want a subject"},
		{strings.Replace(good, "ltr", "left", 1), `dir: "left": want ltr or rtl`},
		{strings.Replace(good, "a@example.com", "a", 1), `from: "a": want an address`},
		{strings.Replace(good, "dir", "date: today\ndir", 1), "line 5: date: want"},
		{strings.Replace(good, "dir", "list-unsubscribe: http://example.com/\ndir", 1), `line 5: list-unsubscribe: "http://example.com/"`},
		{strings.Replace(good, "dir", "list-unsubscribe: https://example.com/a b\ndir", 1), `line 5: list-unsubscribe: "https://example.com/a b"`},
		{strings.Replace(good, "dir", "list-unsubscribe: https://example.com/ä b\ndir", 1), `line 5: list-unsubscribe: "https://example.com/ä b"`},
		{strings.Replace(good, "dir", "list-unsubscribe: https://example.com/\xff\ndir", 1), `line 5: list-unsubscribe: "https://example.com/\xff"`},
		{strings.Replace(good, "en", `en"><script>`, 1), `lang: "en\"><script>": want a language tag`},
	} {
		if err := os.WriteFile(filepath.Join(dir, "letter.md"), []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := read(dir); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "letter.md")+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	if l, err := parse([]byte(strings.ReplaceAll(good, "\n", "\r\n"))); err != nil || l.Subject != "S" {
		t.Errorf("%v, %v", l, err)
	}
	for _, c := range []struct{ args, want string }{
		{"", "want one folder"},
		{"a b", "want one folder"},
		{"nowhere", "nowhere"},
		{"-to a letters/en", "-to a: "},
		{"-to a@example.org,b@example.org letters/en", "one reader at most"},
		{"-smtp localhost:25 letters/en", "want readers"},
		{"-smtp localhost:25 -to a@example.org -o x letters/en", "no -o"},
		{"-smtp localhost -to a@example.org letters/en", "want HOST:PORT"},
		{"-smtp localhost:x -to a@example.org letters/en", "want 1 to 65535"},
		{"-smtp localhost:25 -tls maybe -to a@example.org letters/en", "-tls maybe: want"},
	} {
		err := run(context.Background(), strings.Fields(c.args), func(string) string { return "" }, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.args, err, c.want)
		}
	}
}
