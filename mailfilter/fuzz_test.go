// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/bidilink/bidilink/engine/display"
)

// FuzzRewrite holds the promises of the package documentation.
func FuzzRewrite(f *testing.F) {
	for _, c := range mailCases() {
		f.Add([]byte(c.msg), uint8(0))
		f.Add([]byte(c.msg), uint8(1))
	}
	options := []Options{
		{RewriteDKIM: true, RewriteLists: true},
		{RewriteDKIM: true, RewriteLists: true, Bare: BareAll, Plain: Isolate},
		{Bare: BareAll, Isolate: display.IsolateAll, WrapFileNames: true},
		{},
	}
	f.Fuzz(func(t *testing.T, msg []byte, o uint8) {
		if len(msg) > 16<<10 {
			return
		}
		checkMessage(t, msg, options[int(o)%len(options)])
	})
}

// checkScan compares the scanner, which passes over what cannot matter, with itself line by line.
func checkScan(t *testing.T, msg []byte, o Options) {
	t.Helper()
	f, err := newFilter(o)
	if err != nil {
		t.Fatal(err)
	}
	got, reason, err := f.scan(msg, nil)
	begin := 0
	if bytes.HasPrefix(msg, []byte("From ")) {
		begin = bytes.IndexByte(msg, '\n') + 1
	}
	s := &scanner{f: f, msg: msg, inHeader: true}
	s.entities = append(s.entities, entity{parent: -1, start: begin, body: len(msg), end: len(msg)})
	var want error
	at := begin
	for line := range bytes.Lines(msg[begin:]) {
		at += len(line)
		if want = s.line(at-len(line), at); want != nil || s.current == 0 && !s.inHeader && len(s.open) == 0 {
			break
		}
	}
	if s.inHeader && want == nil {
		want = s.endHeader(len(msg), len(msg))
	}
	if s.bareCR {
		s.refused = Malformed
	}
	if (err != nil) != (want != nil) || err == nil && (reason != s.refused || !reflect.DeepEqual(got, s.entities)) {
		t.Fatalf("%q\n got %v %v %+v\nwant %v %v %+v", msg, err, reason, got, want, s.refused, s.entities)
	}
}

// checkMessage rewrites a message and checks what holds for every message.
func checkMessage(t *testing.T, msg []byte, o Options) {
	t.Helper()
	before := bytes.Clone(msg)
	out, rep, err := RewriteMessage(msg, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(msg, before) {
		t.Fatal("the message was changed in place")
	}
	if rep.Reason == Failure || rep.Reason == Verify {
		t.Fatalf("%v: %v\n%q", rep.Reason, rep.Err, msg)
	}
	if (rep.Result == Skipped) != (rep.Reason != NoReason) || (rep.Err != nil) != (rep.Reason == Limit) {
		t.Fatalf("%v %q, %v", rep.Result, rep.Reason, rep.Err)
	}
	if (rep.Result == Modified) == bytes.Equal(out, msg) {
		t.Fatalf("%v, but equal: %v", rep.Result, bytes.Equal(out, msg))
	}

	checkScan(t, msg, o)

	// How it is read does not matter.
	var again bytes.Buffer
	rep2, err := Rewrite(&again, iotest.HalfReader(bytes.NewReader(msg)), o)
	if err != nil || !bytes.Equal(again.Bytes(), out) || rep2.Result != rep.Result || rep2.Links != rep.Links {
		t.Fatalf("by halves: %v, %+v, want %+v\n got %q\nwant %q", err, rep2, rep, again.Bytes(), out)
	}

	// The header says the same as the whole.
	end := len(msg)
	if m := regexp.MustCompile(`\n\r?\n`).FindIndex(msg); m != nil {
		end = m[0] + 1
		if len(out) < end || !bytes.Equal(out[:end], msg[:end]) {
			t.Fatalf("the header changed: %q", out)
		}
	}
	if reason, err := Header(msg[:end], o); err != nil || reason != NoReason && rep.Result != Skipped {
		t.Fatalf("Header: %v, %v, but %v", reason, err, rep.Result)
	}
	if rep.Result != Modified {
		return
	}

	// A second run changes nothing.
	if twice, rep2, err := RewriteMessage(out, o); err != nil || !bytes.Equal(twice, out) {
		t.Fatalf("twice: %v, %+v\nonce  %q\ntwice %q", err, rep2, out, twice)
	}

	// No line got too long, and line ends are as before.
	if n := longest(out); n > maxLine && n > longest(msg) {
		t.Fatalf("a line of %d bytes: %q", n, out)
	}
	if bytes.Count(msg, []byte("\n")) == bytes.Count(msg, []byte("\r\n")) && bytes.Count(out, []byte("\n")) != bytes.Count(out, []byte("\r\n")) {
		t.Fatalf("LF among CRLF: %q", out)
	}

	// The standard library sees the same parts, and only HTML, or what was asked for, changed in them.
	if !uniform(msg) {
		return
	}
	x, ok := parse(msg)
	if !ok {
		return
	}
	y, ok := parse(out)
	if !ok || len(x) != len(y) {
		t.Fatalf("%d parts, then %d, %v\n%q", len(x), len(y), ok, out)
	}
	for i := range x {
		if !reflect.DeepEqual(x[i].header, y[i].header) || x[i].path != y[i].path {
			t.Fatalf("part %s: header %v, then %v", x[i].path, x[i].header, y[i].header)
		}
		if bytes.Equal(x[i].body, y[i].body) {
			continue
		}
		if x[i].media != "text/html" && !(o.Plain == Isolate && x[i].media == "text/plain") {
			t.Fatalf("part %s, %s, changed:\n%q\n%q", x[i].path, x[i].media, x[i].body, y[i].body)
		}
		if a, b := x[i].text(), y[i].text(); a != b {
			t.Fatalf("part %s: the text changed:\n%q\n%q", x[i].path, a, b)
		}
	}
}

func longest(b []byte) int {
	n := 0
	for line := range bytes.Lines(b) {
		n = max(n, len(chomp(line)))
	}
	return n
}

// uniform reports whether all line ends are the same, and there is no other CR.
func uniform(b []byte) bool {
	lf, crlf, cr := bytes.Count(b, []byte("\n")), bytes.Count(b, []byte("\r\n")), bytes.Count(b, []byte("\r"))
	return cr == crlf && (crlf == 0 || crlf == lf)
}

// A leaf is a part as the standard library sees it.
type leafPart struct {
	path   string
	media  string
	params map[string]string
	header textproto.MIMEHeader
	body   []byte
}

// parse returns the parts of a message that the standard library can read.
func parse(msg []byte) ([]leafPart, bool) {
	m, err := mail.ReadMessage(bytes.NewReader(msg))
	if err != nil {
		return nil, false
	}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		return nil, false
	}
	var list []leafPart
	appendParts(&list, "", textproto.MIMEHeader(m.Header), body)
	return list, true
}

func appendParts(list *[]leafPart, path string, h textproto.MIMEHeader, body []byte) {
	media, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
	boundary := params["boundary"]
	if !strings.HasPrefix(media, "multipart/") || boundary == "" || len(path) > 60 {
		*list = append(*list, leafPart{path, media, params, h, body})
		return
	}
	*list = append(*list, leafPart{path: path, header: h})
	r := multipart.NewReader(bytes.NewReader(body), boundary)
	for i := 1; ; i++ {
		p, err := r.NextRawPart()
		if err != nil {
			break
		}
		b, _ := io.ReadAll(p) // without the final delimiter, what is there counts
		appendParts(list, fmt.Sprintf("%s.%d", path, i), p.Header, b)
	}
}

// text returns what a reader sees of a part, but for bidi controls.
func (p leafPart) text() string {
	body := p.body
	switch strings.ToLower(strings.TrimSpace(p.header.Get("Content-Transfer-Encoding"))) {
	case "quoted-printable":
		body, _ = io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body)))
	case "base64":
		body, _ = io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body)))
	}
	if enc, err := htmlindex.Get(strings.Trim(p.params["charset"], "'\"\t ")); err == nil {
		body, _ = enc.NewDecoder().Bytes(body)
	}
	if p.media == "text/plain" {
		return withoutControls(string(body))
	}
	var b strings.Builder
	for z := html.NewTokenizer(bytes.NewReader(body)); z.Next() != html.ErrorToken; {
		if tok := z.Token(); tok.Type == html.TextToken {
			b.WriteString(tok.Data)
		}
	}
	return withoutControls(b.String())
}

var controls = regexp.MustCompile(`[\x{61c}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]|(?i:%D8%9C|%E2%80%(8[EF]|A[A-E])|%E2%81%A[6-9])`)

func withoutControls(s string) string { return controls.ReplaceAllString(s, "") }

// FuzzQuotedPrintable compares our decoder with the standard library's, and changes a text at one or two places.
func FuzzQuotedPrintable(f *testing.F) {
	for _, s := range []string{"", "abc=\r\ndef=C3=A9", "x=\n=\n=\ny \t\nz=3D", strings.Repeat("-.F=20", 40), "=", "= \n", "a\r\n\r\nb", "=c3=A"} {
		f.Add([]byte(s), 3, 5, "<a href=\"http://e.com/\">")
	}
	f.Fuzz(func(t *testing.T, raw []byte, at, end int, tag string) {
		s := &scratch{buf: make([]byte, 0, 1<<10)} // for some of it
		text, ok := decodeQP(s, raw, 1<<20)
		if !ok {
			return
		}
		std, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(raw)))
		blanks := regexp.MustCompile(`[ \t]+(\r?\n|$)`)
		if err == nil && !bytes.Contains(raw, []byte("=\r")) && string(blanks.ReplaceAll(std, []byte("$1"))) != string(blanks.ReplaceAll(text, []byte("$1"))) {
			t.Fatalf("%q: %q, but %q", raw, text, std)
		}
		at = min(max(at, 0), len(text))
		end = min(max(at, end), len(text))
		if bytes.ContainsAny(text[at:end], "\r\n") || at > 0 && at < len(text) && text[at] == '\n' && text[at-1] == '\r' {
			end = at
			if at > 0 && at < len(text) && text[at] == '\n' {
				return
			}
		}
		for _, eol := range []string{"\n", "\r\n"} {
			edits := []edit{{at, end, tag}, {end, end, "</a>"}}
			body, ok := spliceQP(s, raw, edits, eol)
			want, _ := apply(s, text, edits, 0)
			if got, ok2 := decodeQP(s, body, 1<<20); !ok || !ok2 || !bytes.Equal(got, want) {
				t.Fatalf("%q: %v\n got %q\nwant %q", body, ok, got, want)
			}
			var was []string
			for line := range bytes.Lines(raw) {
				was = append(was, string(chomp(line)))
			}
			for line := range bytes.Lines(body) {
				if s := string(chomp(line)); len(s) > qpWidth && !slices.ContainsFunc(was, func(w string) bool { return len(w) > qpWidth }) {
					t.Fatalf("a line of %d: %q", len(s), body)
				}
			}
		}
	})
}

// FuzzBase64 compares our decoder with the standard library's, and changes a text.
func FuzzBase64(f *testing.F) {
	f.Add([]byte("PHA+aHR0cDov\r\nL2V4YW1wbGUu\r\nY29tLw==\r\n\r\n"), 3, "<b>")
	f.Add([]byte("PHA+"), 0, "")
	f.Add([]byte("P\nHA\n+aHR0\ncDov"), 4, "x")
	f.Fuzz(func(t *testing.T, raw []byte, at int, tag string) {
		s := &scratch{buf: make([]byte, 0, 1<<10)} // for some of it
		text, ok := decode64(s, raw, 1<<20)
		if !ok {
			return
		}
		std, err := base64.StdEncoding.DecodeString(string(raw))
		if err != nil || !bytes.Equal(std, text) {
			t.Fatalf("%q: %q, but %q, %v", raw, text, std, err)
		}
		at = min(max(at, 0), len(text))
		edits := []edit{{at, at, tag}, {at, at, "</a>"}}
		want, _ := apply(s, text, edits, 0)
		body, ok := splice64(s, raw, text, edits, "\r\n")
		got, ok2 := decode64(s, body, 1<<20)
		if !ok || !ok2 && len(bytes.TrimSpace(raw)) > 0 || ok2 && !bytes.Equal(got, want) {
			t.Fatalf("%q: %v, %v\n got %q\nwant %q", body, ok, ok2, got, want)
		}
	})
}

// FuzzCharset checks the places of changes in every charset that is fit.
func FuzzCharset(f *testing.F) {
	var names []string
	for name := range fit {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, s := range scripts {
		f.Add([]byte(in(s.charset, s.text)), uint8(slices.Index(names, s.charset)))
	}
	f.Fuzz(func(t *testing.T, body []byte, n uint8) {
		name := names[int(n)%len(names)]
		text, enc, ok := decodeCharset(name, body)
		if !ok || enc == nil || len(body) > 2048 {
			return
		}
		var edits []edit
		for i := range string(text) {
			edits = append(edits, edit{start: i, end: i})
		}
		edits = append(edits, edit{start: len(text), end: len(text)})
		list, ok := inCharset(enc, body, edits)
		if !ok {
			return
		}
		for i, e := range list {
			if i%7 != 0 && i != len(list)-1 {
				continue
			}
			one, _, ok1 := decodeCharset(name, body[:e.start])
			two, _, ok2 := decodeCharset(name, body[e.start:])
			if !ok1 || !ok2 || string(one)+string(two) != string(text) || len(one) != edits[i].start {
				t.Fatalf("%s: %q at %d is cut at %d: %q, %q", name, text, edits[i].start, e.start, one, two)
			}
			// ASCII between any two characters is ASCII.
			x := slices.Concat(body[:e.start], []byte("<a>"), body[e.start:])
			if got, _, ok := decodeCharset(name, x); !ok || string(got) != string(one)+"<a>"+string(two) {
				t.Fatalf("%s: %q", name, got)
			}
		}
	})
}
