// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/bidilink/bidilink/engine"
)

// Each limit holds at its value, and one past it the message stays as it is.
func TestLimits(t *testing.T) {
	nested := func(depth int) string {
		m := htmlPart
		for i := range depth {
			m = multi("mixed", fmt.Sprintf("d%03d", i), m)
		}
		return from + m
	}
	parts := func(n int) string { // with the multipart itself
		list := []string{htmlPart}
		for len(list) < n-1 {
			list = append(list, plainPart)
		}
		return from + multi("mixed", "b", list...)
	}
	header := func(bytes int) string {
		const end = "Content-Type: text/html\n"
		return "X: " + strings.Repeat("x\n ", (bytes-len(end)-5)/3) + strings.Repeat("x", (bytes-len(end)-5)%3+1) + "\n" + end + "\n" + hello
	}
	headerLines := func(n int) string {
		return strings.Repeat("X: y\n", n-1) + "Content-Type: text/html\n\n" + hello
	}
	sized := func(n int) string { // the part of n bytes
		const link = "<p>http://example.com/</p>\n"
		return mailOf("Content-Type: text/html\n", link+strings.Repeat("x", n-len(link)))
	}
	links := func(n int) string { return page(strings.Repeat("<p>www.e.com</p>\n", n)) }
	whole := func(n int) string {
		m := sized(100)
		return m + strings.Repeat("x", n-len(m))
	}
	encoded := func(n int) string {
		const link = "<p>http://example.com/</p>\n"
		return htmlIn("utf-8", "base64", b64(link+strings.Repeat("x", n-len(link)), 76))
	}
	for _, c := range []struct {
		what    string
		make    func(n int) string
		at      int
		o       Options
		onReach int64
	}{
		{"message bytes", whole, 1000, Options{MaxMessage: 1000}, 1000},
		{"part bytes", sized, 1000, Options{MaxPart: 1000}, 1000},
		{"part bytes", encoded, 1000, Options{MaxPart: 1000}, 1000},
		{"part bytes", func(n int) string {
			return htmlIn("utf-8", "quoted-printable", qp("<p>http://e.com/"+strings.Repeat("é", n-16)[:n-16])+"=\n")
		}, 1000, Options{MaxPart: 1000}, 1000},
		{"part bytes", sized, DefaultMaxPart, Options{}, DefaultMaxPart},
		{"depth", nested, 3, Options{MaxDepth: 3}, 3},
		{"depth", nested, DefaultMaxDepth, Options{}, DefaultMaxDepth},
		{"parts", parts, 5, Options{MaxParts: 5}, 5},
		{"parts", parts, DefaultMaxParts, Options{}, DefaultMaxParts},
		{"header bytes", header, 200, Options{MaxHeader: 200, MaxHeaderLines: 1 << 20}, 200},
		{"header bytes", header, DefaultMaxHeader, Options{MaxHeaderLines: 1 << 20}, DefaultMaxHeader},
		{"header lines", headerLines, 5, Options{MaxHeaderLines: 5}, 5},
		{"header lines", headerLines, DefaultMaxHeaderLines, Options{}, DefaultMaxHeaderLines},
		{"links", links, 7, Options{MaxLinks: 7}, 7},
		{"links", links, DefaultMaxLinks, Options{}, DefaultMaxLinks},
		{"links", func(n int) string { // of all parts
			return from + multi("mixed", "b", htmlPart+strings.Repeat("\nhttp://e.com/", n-2), htmlPart)
		}, 7, Options{MaxLinks: 7}, 7},
		{"added bytes", func(n int) string {
			return page("<p>http://e.com/" + strings.Repeat("x", n-len(`<a href="http://e.com/"></a>`)) + "</p>\n")
		}, 100, Options{MaxAdded: 100}, 100},
		{"added bytes", func(n int) string {
			const one = 200 // and no line is broken
			list := strings.Repeat("<p>http://e.com/"+strings.Repeat("x", one-len(`<a href="http://e.com/"></a>`))+"</p>\n", n/one-1)
			rest := n - n/one*one + one
			return page(list + "<p>http://e.com/" + strings.Repeat("x", rest-len(`<a href="http://e.com/"></a>`)) + "</p>\n")
		}, DefaultMaxAdded, Options{MaxLinks: 1 << 20, MaxPart: 100 << 20}, DefaultMaxAdded},
	} {
		c.o.Timeout = time.Hour
		msg := c.make(c.at)
		out, rep, err := RewriteMessage([]byte(msg), c.o)
		if err != nil || rep.Result != Modified || string(out) == msg {
			t.Errorf("%s, %d: %v, %v %v %v", c.what, c.at, err, rep.Result, rep.Reason, rep.Err)
		}
		msg = c.make(c.at + 1)
		var b bytes.Buffer
		rep, err = Rewrite(&b, iotest.HalfReader(strings.NewReader(msg)), c.o)
		var limit *LimitError
		if err != nil || rep.Result != Skipped || rep.Reason != Limit || !errors.As(rep.Err, &limit) || limit.What != c.what || limit.Limit != c.onReach || rep.Bytes != int64(len(msg)) {
			t.Errorf("%s, %d: %v, %+v", c.what, c.at+1, err, rep.Err)
		}
		if b.String() != msg {
			t.Errorf("%s, %d: the message changed", c.what, c.at+1)
		}
	}
	// The greatest message, without making it many times.
	msg := whole(DefaultMaxMessage)
	if _, rep, _ := RewriteMessage([]byte(msg), Options{MaxPart: 100 << 20, Timeout: time.Hour}); rep.Result != Modified {
		t.Errorf("25 MiB: %v %v", rep.Reason, rep.Err)
	}
	if _, rep, _ := RewriteMessage([]byte(msg+"x"), Options{MaxPart: 100 << 20, Timeout: time.Hour}); rep.Reason != Limit {
		t.Errorf("25 MiB and 1: %v", rep.Reason)
	}
}

// A header within a part has the limits too.
func TestLimitsOfParts(t *testing.T) {
	msg := from + multi("mixed", "b", strings.Repeat("X: y\n", 20)+htmlPart)
	for want, n := range map[Reason]int{NoReason: 21, Limit: 20} {
		if _, rep, _ := RewriteMessage([]byte(msg), Options{MaxHeaderLines: n}); rep.Reason != want {
			t.Errorf("%d: %v", n, rep.Reason)
		}
	}
}

// The time is looked at between the steps.
func TestTimeout(t *testing.T) {
	msg := []byte(from + multi("mixed", "b", htmlPart, htmlPart))
	for calls := range 8 {
		start, n := time.Now(), 0
		now := func() time.Time {
			if n++; n > calls+1 {
				return start.Add(time.Second + time.Nanosecond)
			}
			return start.Add(min(time.Duration(n-1), 1) * time.Second) // one second is not more than one second
		}
		out, rep, err := RewriteMessage(msg, Options{Timeout: time.Second, now: now})
		if err != nil {
			t.Fatal(err)
		}
		if calls < 4 && (rep.Reason != Limit || !bytes.Equal(out, msg)) || calls >= 4 && rep.Result != Modified {
			t.Errorf("after %d looks: %v %v", calls, rep.Result, rep.Reason)
		}
	}
}

// Whatever goes wrong, the message is what it was.
func TestPanic(t *testing.T) {
	msg := []byte(from + multi("mixed", "b", htmlPart, strings.ReplaceAll(htmlPart, "http://example.com/", "http://boom.example/")))
	o := Options{Links: engine.Options{HostOK: func(host string) bool {
		if host == "boom.example" {
			panic("boom")
		}
		return true
	}}}
	out, rep, err := RewriteMessage(msg, o)
	if err != nil || rep.Reason != Failure || rep.Result != Skipped || !strings.Contains(rep.Err.Error(), "boom") || !bytes.Equal(out, msg) {
		t.Errorf("%v, %+v", err, rep)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{MaxMessage: -1}, {MaxPart: -1}, {MaxDepth: -1}, {MaxParts: -1}, {MaxHeader: -1}, {MaxHeaderLines: -1}, {MaxLinks: -1}, {MaxAdded: -1}, {Timeout: -1},
		{Bare: 9}, {Plain: 9}, {Isolate: 9}, {Order: 99}, {Dir: 9}, {Links: engine.Options{Schemes: []string{"javascript"}}},
	} {
		var b bytes.Buffer
		if err := o.Check(); err == nil || !strings.HasPrefix(err.Error(), "mailfilter: ") {
			t.Errorf("%+v: %v", o, err)
		}
		if _, err := Rewrite(&b, strings.NewReader(with("")), o); err == nil || b.Len() > 0 {
			t.Errorf("%+v: Rewrite: %v, %q", o, err, b.String())
		}
		if out, _, err := RewriteMessage([]byte("x"), o); err == nil || string(out) != "x" {
			t.Errorf("%+v: RewriteMessage: %v, %q", o, err, out)
		}
		if _, err := Header(nil, o); err == nil {
			t.Errorf("%+v: Header", o)
		}
	}
	if err := (Options{}).Check(); err != nil {
		t.Error(err)
	}
	// Hrefs are ASCII whatever Links says.
	out, rep, err := RewriteMessage([]byte(htmlIn("windows-1255", "8bit", "<p>http://example.com/\xe0</p>\n")), Options{Links: engine.Options{IRI: true}})
	if err != nil || rep.Result != Modified || !bytes.Contains(out, []byte("/%D7%90")) {
		t.Errorf("%v, %v %v: %q", err, rep.Result, rep.Reason, out)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// What was read is written even if reading fails.
func TestReadError(t *testing.T) {
	msg := with("")
	boom := errors.New("boom")
	for _, c := range []struct {
		name string
		o    Options
	}{{"within", Options{}}, {"beyond the limit", Options{MaxMessage: 10}}} {
		var b bytes.Buffer
		_, err := Rewrite(&b, io.MultiReader(strings.NewReader(msg), iotest.ErrReader(boom)), c.o)
		if !errors.Is(err, boom) || b.String() != msg || !strings.HasPrefix(err.Error(), "mailfilter: reading: ") {
			t.Errorf("%s: %v, %q", c.name, err, b.String())
		}
		_, err = Rewrite(failing{}, strings.NewReader(msg), c.o)
		if !errors.Is(err, io.ErrClosedPipe) || !strings.HasPrefix(err.Error(), "mailfilter: writing: ") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Rewrite(failing{}, iotest.ErrReader(boom), Options{}); !errors.Is(err, io.ErrClosedPipe) && !errors.Is(err, boom) {
		t.Error(err)
	}
}

// The words are a closed list, each of its own.
func TestReasons(t *testing.T) {
	words := map[string]bool{"": true}
	for _, r := range Reasons() {
		if words[r.String()] {
			t.Errorf("%d: %q", r, r)
		}
		words[r.String()] = true
	}
	used := map[string]bool{"policy": true, "verify": true, "error": true, "limit": true, "type": true, "modified": true, "unchanged": true}
	for _, c := range mailCases() {
		used[c.want] = true
		if c.want != "modified" && c.want != "unchanged" && !words[c.want] {
			t.Errorf("%s: %q", c.name, c.want)
		}
	}
	for w := range words {
		if w != "" && !used[w] {
			t.Errorf("no message is skipped for %q", w)
		}
	}
	for _, r := range []Result{Unchanged, Modified, Skipped} {
		if strings.Contains(r.String(), "(") {
			t.Error(r)
		}
	}
}

// What the header tells, and the reports about parts.
func TestHeader(t *testing.T) {
	for _, c := range []struct {
		header string
		want   Reason
	}{
		{"", NoCandidate}, {"Subject: x\r\n", NoCandidate}, {"Content-Type: text/html\r\n", NoReason}, {"Content-Type: text/html\r\n\r\n", NoReason}, {"Content-Type: text/html", NoReason},
		{"Content-Type: multipart/mixed; boundary=x\n\n", NoReason}, {"Content-Type: multipart/signed; boundary=x\n\n", Signed}, {"Content-Type: multipart/report; boundary=x\n", DeliveryReport},
		{"DKIM-Signature: x\nContent-Type: text/html\n", DKIM}, {"List-Id: x\nContent-Type: text/html\n", List}, {"Content-Type: text/html; name=x\n", Attachment}, {"no field\n", Malformed},
		{"Content-Type: image/png\n", NoCandidate}, {"Content-Type: text/html\nContent-Transfer-Encoding: x\n", CTE}, {strings.Repeat("X: y\n", 1001), Limit},
	} {
		if got, err := Header([]byte(c.header), Options{}); err != nil || got != c.want {
			t.Errorf("%.60q: %v, %v, want %v", c.header, got, err, c.want)
		}
	}
}

func TestParts(t *testing.T) {
	msg := from + multi("mixed", "outer", multi("alternative", "inner", plainPart, htmlPart), "Content-Type: message/rfc822\n\n"+with(""), pdfPart)
	_, rep, err := RewriteMessage([]byte(msg), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range rep.Parts {
		fmt.Fprintf(&b, "%q %s %v %v %d\n", p.Path, p.Type, p.Result, p.Reason, p.Links)
	}
	const want = `"" multipart/mixed unchanged  0
"1" multipart/alternative unchanged  0
"1.1" text/plain skipped type 0
"1.2" text/html modified  1
"2" message/rfc822 skipped embedded 0
"3" application/pdf skipped type 0
`
	if b.String() != want || rep.Changed != 1 || rep.Links != 1 || rep.Bytes != int64(len(msg)) {
		t.Errorf("%+v\n%s", rep, b.String())
	}
	for _, p := range rep.Parts {
		if p.Path == "1.2" && msg[p.Start:p.End] != htmlPart {
			t.Errorf("%q", msg[p.Start:p.End])
		}
	}
}

// What is known of another message changes nothing about what is found in one.
func TestKnown(t *testing.T) {
	f, err := newFilter(Options{RewriteDKIM: true, RewriteLists: true})
	if err != nil {
		t.Fatal(err)
	}
	cases := mailCases()
	for i, c := range cases {
		want, reason, err := f.scan([]byte(c.msg), nil)
		for _, other := range []mailCase{c, cases[(i+1)%len(cases)], {msg: strings.Replace(c.msg, "text/html", "text/abcd", 1)}} {
			known, _, _ := f.scan([]byte(other.msg), nil)
			got, r, e := f.scan([]byte(c.msg), known)
			if !reflect.DeepEqual(got, want) || r != reason || (e == nil) != (err == nil) {
				t.Errorf("%s: %+v, want %+v", c.name, got, want)
			}
		}
	}
}

// The verification finds what is wrong.
func TestVerify(t *testing.T) {
	f, err := newFilter(Options{})
	if err != nil {
		t.Fatal(err)
	}
	msg := []byte(from + multi("mixed", "b", plainPart, htmlPart) + "epilogue\n")
	entities, _, err := f.scan(msg, nil)
	if err != nil || len(entities) != 3 {
		t.Fatal(err, entities)
	}
	changes := []change{{2, []byte("<p>new")}}
	good := assemble(nil, msg, entities, changes)
	if !f.verifyMessage(msg, entities, changes, good) {
		t.Error("refused what is right")
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		if f.verifyMessage(msg, entities, changes, bad) {
			t.Errorf("a change at %d is not seen: %q", i, bad)
		}
		if f.verifyMessage(msg, entities, changes, append(bytes.Clone(good[:i]), good[i+1:]...)) {
			t.Errorf("that the byte at %d is missing is not seen", i)
		}
	}
	delimiter := []change{{2, []byte("<p>new\n--b\n\nx")}}
	if f.verifyMessage(msg, entities, delimiter, assemble(nil, msg, entities, delimiter)) {
		t.Error("a delimiter in a new body is not seen")
	}

	e := &entity{encoding: quotedPrintable, charset: "utf-8"}
	edits := []edit{{1, 1, "<a href=\"http://e.com/\">"}, {2, 2, "</a>"}}
	for body, want := range map[string]bool{
		"x<a href=3D\"http://e.com/\">y</a>z":    true,
		"x<a href=3D\"http://e.com/\">=\ny</a>z": true,
		"x<a href=\"http://e.com/\">y</a>z":      false,
		"x<a href=3D\"http://e.com/\">yz</a>":    false,
		"x<a href=3D\"http://e.com/\">y</a>":     false,
		"x<a href=3D\"http://e.com/\">y</a>zz":   false,
		"xyz":                                    false,
		"":                                       false,
	} {
		if got := verifyPart(nil, e, []byte(body), []byte("xyz"), nil, edits, 1000); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
	// Between the bytes of a character.
	inside := []edit{{1, 1, "</a>"}}
	if verifyPart(nil, &entity{charset: "utf-8"}, []byte("\xc3</a>\xa9"), []byte("é"), nil, inside, 1000) {
		t.Error("an edit within a character is not seen")
	}
	const text = "a\u202eb&#x202e;c"
	for _, c := range []struct {
		e     edit
		plain bool
		want  bool
	}{
		{edit{0, 0, "</a>"}, false, true}, {edit{0, 0, "<b>"}, false, false}, {edit{0, 0, `<a href="">`}, false, false}, {edit{0, 0, `<a href="x" onclick="y">`}, false, false},
		{edit{0, 0, `<a href="é">`}, false, false}, {edit{0, 1, "%61"}, false, false}, {edit{1, 4, "%E2%80%AE"}, false, true}, {edit{1, 4, "x"}, false, false}, {edit{5, 13, "%E2%80%AE"}, false, true},
		{edit{0, 99, ""}, false, false}, {edit{2, 1, ""}, false, false}, {edit{0, 0, lri}, true, true}, {edit{0, 0, "</a>"}, true, false}, {edit{0, 0, lri}, false, false},
	} {
		if got := verifyEdits([]byte(text), []edit{c.e}, c.plain); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
