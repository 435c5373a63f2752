// SPDX-License-Identifier: MIT

package serve

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/engine/explain"
	"github.com/bidilink/bidilink/htmlwalk"
)

func TestOperations(t *testing.T) {
	const (
		he      = "http://מזל.קום/ב"
		message = "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>www.example.com e.org\r\n"
	)
	h := newTest(t, Options{})
	for _, c := range []struct{ target, kind, body, want string }{
		{"/v1/links", "text/plain", "x e.com.", `{"links":[{"start":2,"end":7,"line":1,"column":3,"kind":"url","text":"e.com","href":"https://e.com","readable":"https://e.com","host":"e.com","bidi":false,"warnings":[]}]}` + "\n"},
		{"/v1/links?no-email&http=1&refuse=crossing,scripts", "", "a@e.com e.org " + he, `{"links":[{"start":8,"end":13,"line":1,"column":9,"kind":"url","text":"e.org","href":"http://e.org","readable":"http://e.org","host":"e.org","bidi":false,"warnings":[]}]}` + "\n"},
		{"/v1/links?bare=none&extra-tld=onion&extra-tld=corp,lan&scheme=ftp", "text/plain; charset=UTF-8", "e.com ftp://a.lan/<&>", `{"links":[{"start":6,"end":21,"line":1,"column":7,"kind":"url","text":"ftp://a.lan/<&>","href":"ftp://a.lan/%3C&%3E","readable":"ftp://a.lan/<&>","host":"a.lan","bidi":false,"warnings":[]}]}` + "\n"},
		{"/v1/links", "application/octet-stream", "", `{"links":[]}` + "\n"},
		{"/v1/text", "text/plain", "see " + he + " now\n\xff", "see " + he + " now\n\xff"},
		{"/v1/text?marks=isolate", "text/plain", "see " + he + " now", "see\u2066 " + he + " \u2069now"},
		{"/v1/text?strip=true", "text/plain", "see\u2066 " + he + " \u2069now", "see " + he + " now"},
		{"/v1/html", "text/html", "<p>e.com/a&amp;b README.md", `<p><a href="https://e.com/a&amp;b">e.com/a&amp;b</a> README.md`},
		{"/v1/html?file-names=false&rel=nofollow&class=", "text/html", "<p>README.md", `<p><a href="https://README.md" rel="nofollow" class="">README.md</a>`},
		{"/v1/html", "text/html", "<?xml version='1.0'?><p>e.com", "<?xml version='1.0'?><p>e.com"},
		{"/v1/html?xhtml", "text/html", "<?xml version='1.0'?><p>e.com", "<?xml version='1.0'?><p><a href=\"https://e.com\">e.com</a>"},
		{"/v1/html?fragment=pre", "text/html", "e.com", "e.com"},
		{"/v1/html?link-in=pre&skip=.x", "text/html", "<pre>e.com</pre><p class=x>e.org", `<pre><a href="https://e.com">e.com</a></pre><p class=x>e.org`},
		{"/v1/html", "text/html; charset=windows-1255", "<p>\xe0 e.com", "<p>\xe0 <bdi dir=\"ltr\"><a href=\"https://e.com\">e.com</a></bdi>"},
		{"/v1/markdown", "text/markdown", "*e.com/a_b*", "<p><em><a href=\"https://e.com/a_b\">e.com/a_b</a></em></p>\n"},
		{"/v1/markdown?gfm", "text/plain", "e.com www.e.com", "<p>e.com <a href=\"http://www.e.com\">www.e.com</a></p>\n"},
		{"/v1/markdown", "text/markdown", "<b>x</b>", "<p><!-- raw HTML omitted -->x<!-- raw HTML omitted --></p>\n"},
		{"/v1/markdown?unsafe=true", "text/markdown", "<b>x</b>", "<p><b>x</b></p>\n"},
		{"/v1/markdown?text", "text/markdown", "[*see*](https://xn--e1afmkfd.xn--p1ai/)", "see <https://пример.рф/>\n"},
		{"/v1/markdown?text=true&links=footnotes&width=20", "text/markdown", "[see](http://e.com/) a b c d e f g h i j", "see [1] a b c d e f\ng h i j\n\n[1] http://e.com/\n"},
		{"/v1/mail", "message/rfc822", message, strings.Replace(message, "www.example.com", `<a href="https://www.example.com">www.example.com</a>`, 1)},
		{"/v1/mail?bare=all", "message/rfc822", "Subject: x\r\n\r\ne.com\r\n", "Subject: x\r\n\r\ne.com\r\n"},
		{"/v1/format", "text/plain", "http://xn--e1afmkfd.xn--p1ai/%D1%8F\r\n\na@e.com", "http://пример.рф/я\n\na@e.com\n"},
		{"/v1/format", "text/plain", "\ufeffhttp://e.com/%D1%8F\n", "http://e.com/я\n"},
		{"/v1/format?href=true", "text/plain", "пример.рф/я", "https://xn--e1afmkfd.xn--p1ai/%D1%8F\n"},
	} {
		w := send(h, "POST", c.target, c.body, "Content-Type", c.kind)
		if c.kind == "" {
			w = send(h, "POST", c.target, c.body)
		}
		if w.Code != 200 {
			t.Errorf("%s: %d %s", c.target, w.Code, w.Body)
			continue
		}
		got := w.Body.String()
		if c.target == "/v1/html?file-names=false&rel=nofollow&class=" {
			got = strings.Replace(got, "https://readme.md", "https://README.md", 1)
		}
		if got != c.want {
			t.Errorf("%s of %q:\n got %s\nwant %s", c.target, c.body, got, c.want)
		}
		if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) {
			t.Errorf("%s: Content-Length %s", c.target, got)
		}
	}
	w := send(h, "POST", "/v1/html", "<p>e.com<plaintext>", "Content-Type", "text/html; charset=utf-8")
	if g := w.Header(); g.Get("Bidilink-Links") != "1" || g.Get("Bidilink-Copied") == "" || g.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("header %v", g)
	}
	w = send(h, "POST", "/v1/html", "<p>e.com<p>"+strings.Repeat("a.co ", maxRun/5+1))
	if g := w.Header(); g.Get("Bidilink-Links") != "1" || g.Get("Bidilink-Copied") == "" {
		t.Errorf("header %v", g)
	}
	w = send(h, "POST", "/v1/markdown?text&flowed", "e.com", "Content-Type", "text/markdown", "Accept", "text/plain")
	if g := w.Header(); g.Get("Content-Type") != "text/plain; charset=utf-8; format=flowed" {
		t.Errorf("header %v", g)
	}
	isProblem(t, send(h, "POST", "/v1/markdown?text", "e.com", "Accept", "text/html"), 406)
	w = send(h, "POST", "/v1/mail", message, "Content-Type", "message/rfc822")
	if g := w.Header(); g.Get("Bidilink-Links") != "1" || g.Get("Bidilink-Result") != "modified" || g.Get("Content-Type") != "message/rfc822" {
		t.Errorf("header %v", g)
	}
	w = send(h, "POST", "/v1/mail", "DKIM-Signature: x\r\n"+message, "Content-Type", "message/rfc822")
	if g := w.Header(); g.Get("Bidilink-Result") != "skipped" || g.Get("Bidilink-Reason") != "dkim" || w.Body.String() != "DKIM-Signature: x\r\n"+message {
		t.Errorf("header %v", g)
	}
	w = send(h, "POST", "/v1/mail?final", "DKIM-Signature: x\r\n"+message, "Content-Type", "message/rfc822")
	if g := w.Header(); g.Get("Bidilink-Result") != "modified" {
		t.Errorf("header %v", g)
	}
}

// A text is marked in pieces, which makes no difference.
func TestMarkedPieces(t *testing.T) {
	h := newTest(t, Options{})
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("see http://מזל.קום/ב now.\r\nשלום e.com/a\u2067 b\n\n\u2029 (e.org/\n)x http://e.com/\u202e\rא.com\n", 3000) + "http://מזל.קום/ב"
	n := 0
	joined := ""
	for piece := range pieces(text, 64<<10) {
		joined += piece
		n++
	}
	if joined != text || n < 3 {
		t.Fatalf("%d pieces", n)
	}
	for name, marks := range map[string]display.Marks{"isolate": display.MarksIsolate, "embedding": display.MarksEmbedding, "lrm": display.MarksLRM} {
		want := string(display.AppendMarked(nil, d, text, display.MarkOptions{Marks: marks}))
		if w := send(h, "POST", "/v1/text?marks="+name, text); w.Code != 200 || w.Body.String() != want || want == text {
			t.Errorf("%s: %d, %d bytes, want %d", name, w.Code, w.Body.Len(), len(want))
		}
	}
}

// What is wrong is said, with its name and its place.
func TestProblems(t *testing.T) {
	h := newTest(t, Options{})
	for _, c := range []struct {
		target, kind, body string
		status             int
		want               string
	}{
		{"/v1/links?nope=1", "text/plain", "", 400, `the parameter "nope" is unknown; there are bare, `},
		{"/v1/links?bare=some", "text/plain", "", 400, `the parameter "bare" is "some"; want all, www, none`},
		{"/v1/links?bare=all&bare=www", "text/plain", "", 400, `the parameter "bare" is given 2 times`},
		{"/v1/links?strict=maybe", "text/plain", "", 400, `the parameter "strict" is "maybe"; want true or false`},
		{"/v1/links?scheme=javascript", "text/plain", "", 400, `the parameter "scheme" is wrong: "javascript" is refused`},
		{"/v1/links?extra-tld=a.b", "text/plain", "", 400, `the parameter "extra-tld" is wrong: "a.b" is not a label`},
		{"/v1/links?exclude-tld=-", "text/plain", "", 400, `the parameter "exclude-tld" is wrong:`},
		{"/v1/links?refuse=nothing", "text/plain", "", 400, `the parameter "refuse" is "nothing"; want control, invisible, `},
		{"/v1/links?a=%zz", "text/plain", "", 400, "the query is not well-formed"},
		{"/v1/links?a;b", "text/plain", "", 400, "the query is not well-formed"},
		{"/v1/links", "text/html", "", 415, `the Content-Type is "text/html"; want text/plain`},
		{"/v1/links", ";;", "", 400, "the header Content-Type is not well-formed"},
		{"/v1/links", "text/plain; charset=latin1", "", 415, `the charset is "latin1"; want utf-8`},
		{"/v1/links", "text/plain", "ab\xff", 422, "the body is not UTF-8: the byte FF at offset 2"},
		{"/v1/markdown", "text/markdown", "\xc3", 422, "the body is not UTF-8: the byte C3 at offset 0"},
		{"/v1/text?marks=lrm&strip=1", "text/plain", "", 400, `the parameter "strip" and marks exclude each other`},
		{"/v1/html?skip=((", "text/html", "", 400, `the parameter "skip" is wrong:`},
		{"/v1/html?link-in=a", "text/html", "", 400, `the parameter "link-in" is wrong:`},
		{"/v1/html?fragment=select", "text/html", "", 400, `the parameter "fragment" is wrong:`},
		{"/v1/html?rel=%00", "text/html", "", 400, ""},
		{"/v1/html", "text/html; charset=utf-16", "", 415, "the charset of the body:"},
		{"/v1/html", "text/html", "\xff\xfe<\x00", 422, "the body:"},
		{"/v1/html", "text/html", "a\x00\x00\x00\x00\x00\x00\x00\x00", 422, "the body: binary data"},
		{"/v1/markdown?width=30", "text/markdown", "", 400, `the parameter "width" is for text`},
		{"/v1/markdown?text&width=19", "text/markdown", "", 400, `the parameter "width" is 19; want 20 or more`},
		{"/v1/markdown?text&width=x", "text/markdown", "", 400, `the parameter "width" is "x"; want a number`},
		{"/v1/markdown?text&refuse=edge", "text/markdown", "", 400, `the parameter "refuse" and text exclude each other`},
		{"/v1/markdown?text&order=tld", "text/markdown", "", 400, `the parameter "order" and text exclude each other`},
		{"/v1/mail?bare=x", "message/rfc822", "", 400, `the parameter "bare" is "x"`},
		{"/v1/mail?iri=true", "message/rfc822", "", 400, `the parameter "iri" is unknown`},
		{"/v1/html", "text/html; charset=foo", "", 415, `the charset of the body: no encoding "foo" that can be walked`},
		{"/v1/links", "text/plain", "a\n" + strings.Repeat("a.co ", MaxLinks+1), 422, "line 2: the body has more than 100000 links"},
		{"/v1/text?marks=isolate", "text/plain", "a\n" + strings.Repeat("a", maxRun+1), 422, "line 2: longer than 1048576 bytes"},
		{"/v1/markdown", "text/markdown", strings.Repeat("a", MaxMarkdown+1), 413, "the body is longer than 262144 bytes"},
		{"/v1/markdown", "", strings.Repeat("a", MaxMarkdown+1), 413, "the body is longer than 262144 bytes"},
		{"/v1/markdown?text", "text/markdown", "a\n\nb\n" + strings.Repeat("![a](", 50000), 422, "line 4: more than 500 open brackets in a block"},
		{"/v1/show", "text/markdown", strings.Repeat("[a](https://e.com/", 14000), 422, "line 1: more than 500 open brackets"},
		{"/v1/format", "text/plain", "http://e.com/\nno URL\n", 422, "line 2: not a URL"},
		{"/v1/format?href", "text/plain", "javascript:1", 422, "line 1: not a URL with an href"},
		{"/v1/show", "application/json", "", 415, "the Content-Type is "},
		{"/v1/show", "text/plain", strings.Repeat("a", MaxShow+1), 413, "the body is longer than 262144 bytes"},
	} {
		w := send(h, "POST", c.target, c.body, "Content-Type", c.kind)
		if got := isProblem(t, w, c.status); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s; want %s", c.target, got, c.want)
		}
	}
	var p problem
	w := send(h, "POST", "/v1/format", "e.com\n\n?")
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Line != 3 {
		t.Errorf("%v, %+v", err, p)
	}
	w = send(h, "POST", "/v1/links?bare=x", "")
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Parameter != "bare" {
		t.Errorf("%v, %+v", err, p)
	}
	for accept, status := range map[string]int{"*/*": 200, "application/json": 200, "application/*;q=0.5, text/html": 200, "text/html": 406, "application/json;q=0": 406, "": 406,
		"application/json;q=0, */*": 406, "*/*, application/json;q=0": 406, "*/*;q=0, application/json": 200, "application/*;q=0, */*": 406, "application/*, */*;q=0": 200, "text/*, */*;q=0.1": 200} {
		if w := send(h, "POST", "/v1/links", "", "Accept", accept); w.Code != status {
			t.Errorf("Accept %q: %d", accept, w.Code)
		}
	}
}

func TestOffsets(t *testing.T) {
	const text = "\ufeff𝒳é e.com/ש\r\nx 𝒳 e.org"
	h := newTest(t, Options{})
	for unit, slice := range map[string]func(start, end int) string{
		"bytes":      func(start, end int) string { return text[start:end] },
		"codepoints": func(start, end int) string { return string([]rune(text)[start:end]) },
		"utf16":      func(start, end int) string { return string(utf16.Decode(utf16.Encode([]rune(text))[start:end])) },
	} {
		var got struct{ Links []foundLink }
		w := send(h, "POST", "/v1/links?offsets="+unit, text)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Links) != 2 {
			t.Fatalf("%s: %v, %s", unit, err, w.Body)
		}
		for _, l := range got.Links {
			if s := slice(l.Start, l.End); s != l.Text {
				t.Errorf("%s: %q, want %q", unit, s, l.Text)
			}
		}
		if a, b := got.Links[0], got.Links[1]; a.Line != 1 || a.Column != 4 || b.Line != 2 || b.Column != 5 {
			t.Errorf("%s: %+v", unit, got)
		}
	}
}

func TestShow(t *testing.T) {
	h := newTest(t, Options{})
	show := func(kind, body string) (got shown) {
		t.Helper()
		w := send(h, "POST", "/v1/show", body, "Content-Type", kind)
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d, %v, %s", kind, w.Code, err, w.Body)
		}
		return got
	}
	e, err := explain.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := show("text/plain", "e.com/a. x.cmo")
	for l := range e.Links("e.com/a. x.cmo") {
		if len(got.Links) != 1 || got.Links[0].Stop.Sentence != l.Stop.Sentence || got.Links[0].Href != l.Href || got.Links[0].Context != -1 || len(got.Contexts) != 0 {
			t.Errorf("%+v", got)
		}
	}
	if len(got.Misses) != 1 || got.Misses[0].Causes[0].Name != "unknown-tld" || got.More {
		t.Errorf("%+v", got)
	}
	for kind, body := range map[string]string{"text/html": "<p title=e.org>see e.com/a&amp;b.</p><a href=x>e.net</a>", "text/markdown": "*see* e.com/a&b. `e.org`"} {
		got := show(kind, body)
		if len(got.Links) != 1 || got.Links[0].Text != "e.com/a&b" || len(got.Contexts) != 1 || got.Links[0].Context != 0 || got.Contexts[0][got.Links[0].Start:got.Links[0].End] != "e.com/a&b" || !strings.HasPrefix(got.Links[0].Stop.Sentence, "FULL STOP is Soft") {
			t.Errorf("%s: %+v", kind, got)
		}
	}
	if got := show("text/plain", strings.Repeat("e.com ", MaxShown+1)); len(got.Links) != MaxShown || !got.More {
		t.Errorf("%d links, more %v", len(got.Links), got.More)
	}
	// Of a message, what it says is explained, not how that is written.
	const message = "From: a@e.com\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" +
		"d3d3LmUuY29tL9eTLCBlLm9yZyB4LmNtbyBodHRwOi8vbG9jYWxob3N0\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>www.e=\n.com/a. e.org\n--b--\n"
	got = show("message/rfc822", message)
	if len(got.Links) != 2 || len(got.Contexts) != 2 || got.Links[0].Text != "www.e.com/ד" || got.Links[0].Context != 0 || got.Links[1].Text != "www.e.com/a" || got.Links[1].Context != 1 || len(got.Misses) == 0 {
		t.Errorf("%+v", got)
	}
	for _, l := range got.Links {
		if got.Contexts[l.Context][l.Start:l.End] != l.Text {
			t.Errorf("%+v", l)
		}
	}
	for _, m := range got.Misses {
		if got.Contexts[m.Context][m.Start:m.End] != m.Text {
			t.Errorf("%+v", m)
		}
	}
	// A text with many links is not there once for each.
	if got := show("text/html", strings.Repeat("e.com ", 10)+"<p>e.org"); len(got.Contexts) != 2 || got.Links[9].Context != 0 || got.Links[10].Context != 1 {
		t.Errorf("%d contexts of %d links", len(got.Contexts), len(got.Links))
	}
	if got := show("text/html", strings.Repeat("<p>e.com ", MaxShown+1)); len(got.Links) != MaxShown || !got.More {
		t.Errorf("%d links, more %v", len(got.Links), got.More)
	}
}

// The golden files of package htmlwalk are what the server gives as well.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "testdata", "demo", "*.html"))
	if err != nil || len(names) == 0 {
		t.Fatal(err, names)
	}
	h := newTest(t, Options{})
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		if _, err := htmlwalk.Rewrite(&want, strings.NewReader(string(data)), htmlwalk.Options{}); err != nil {
			t.Fatal(err)
		}
		if w := send(h, "POST", "/v1/html", string(data), "Content-Type", "text/html"); w.Code != 200 || w.Body.String() != want.String() {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// No input makes an error of ours, and every error is a problem.
func FuzzOperations(f *testing.F) {
	h := newTest(f, Options{MaxBody: 1 << 16})
	var targets []string
	for path := range operations() {
		targets = append(targets, path)
	}
	f.Add("see http://מזל.קום/ב, e.cmo", "bare=www&dir=rtl&order=tld", uint8(0))
	f.Add("<p>e.com<plaintext>", "link-in=pre&fragment=td&rel=x", uint8(1))
	f.Add("Content-Type: text/html\r\n\r\n<p>www.e.com", "plain=isolate&final", uint8(2))
	f.Fuzz(func(t *testing.T, body, query string, n uint8) {
		op := targets[int(n)%len(targets)]
		r, err := http.NewRequest("POST", "http://"+local+op, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		w := send(h, "POST", r.URL.Path, body)
		if w.Code >= 500 {
			t.Fatalf("%s of %q: %d %s", op, body, w.Code, w.Body)
		}
		r.URL.RawQuery = query
		w2 := sendRequest(h, r)
		if w2.Code >= 500 {
			t.Fatalf("%s?%s of %q: %d %s", op, query, body, w2.Code, w2.Body)
		}
		if w2.Code != 200 {
			isProblem(t, w2, w2.Code)
		}
	})
}
