// SPDX-License-Identifier: MIT

package serve

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const local = "127.0.0.1:8058"

func newTest(t testing.TB, o Options) *handler {
	t.Helper()
	h, err := newHandler(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// send sends a request with pairs of header fields.
func send(h http.Handler, method, target, body string, fields ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = local
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i] == "Host" {
			r.Host = fields[i+1]
		} else {
			r.Header.Add(fields[i], fields[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// sendRequest sends a request as it is.
func sendRequest(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// isProblem checks that an answer is a problem with a status, and returns its detail.
func isProblem(t testing.TB, w *httptest.ResponseRecorder, status int) string {
	t.Helper()
	var p struct {
		Type, Title, Detail string
		Status              int
	}
	if w.Code != status || w.Header().Get("Content-Type") != "application/problem+json" || json.Unmarshal(w.Body.Bytes(), &p) != nil ||
		p.Status != status || p.Title != http.StatusText(status) || p.Type != "about:blank" || p.Detail == "" {
		t.Errorf("%d %q: %s; want a problem, %d", w.Code, w.Header().Get("Content-Type"), w.Body, status)
	}
	if strings.Contains(w.Body.String(), "goroutine") || strings.Contains(w.Body.String(), ".go:") {
		t.Errorf("a stack in the answer: %s", w.Body)
	}
	return p.Detail
}

func TestHost(t *testing.T) {
	h := newTest(t, Options{})
	for host, ok := range map[string]bool{
		"localhost": true, "localhost:8058": true, "LOCALHOST:1": true, "127.0.0.1": true, "127.0.0.1:80": true, "127.1.2.3": true, "[::1]": true, "[::1]:8058": true,
		"[0:0:0:0:0:0:0:1]:1": true,
		"":                    false, "evil.example": false, "evil.example:8058": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "localhost.": false,
		"0.0.0.0": false, "[::]": false, "192.0.2.1": false, "[::ffff:192.0.2.1]": false, "127.1": false, "0x7f.1": false, "2130706433": false, "::1": false, "[::1": false,
		"[::1]x": false, "[127.0.0.1]": false, "[::1%25lo]": false, "localhost:": false, "localhost:x": false, "localhost:1:2": false, "localhost:123456": false, "user@localhost": false, "localhost/": false,
		" localhost": false, "xn--localhost": false,
	} {
		for _, target := range []string{"/v1/links", "/", "/metrics", "/healthz", "/openapi.json"} {
			method := http.MethodGet
			if target == "/v1/links" {
				method = http.MethodPost
			}
			w := send(h, method, target, "", "Host", host)
			if ok && w.Code != http.StatusOK {
				t.Errorf("Host %q, %s: %d %s", host, target, w.Code, w.Body)
			}
			if !ok {
				isProblem(t, w, http.StatusMisdirectedRequest)
			}
		}
	}
	public := newTest(t, Options{Public: true, Token: strings.Repeat("t", MinToken)})
	if w := send(public, "GET", "/healthz", "", "Host", "bidilink.example"); w.Code != http.StatusOK {
		t.Errorf("public: %d", w.Code)
	}
}

func TestOrigin(t *testing.T) {
	h := newTest(t, Options{})
	for _, c := range []struct {
		fields []string
		ok     bool
	}{
		{nil, true},
		{[]string{"Origin", "http://" + local}, true},
		{[]string{"Origin", "http://localhost:1", "Host", "localhost:1"}, true},
		{[]string{"Origin", "http://" + local, "Sec-Fetch-Site", "same-origin"}, true},
		{[]string{"Sec-Fetch-Site", "none"}, true},
		{[]string{"Origin", "http://evil.example"}, false},
		{[]string{"Origin", "http://127.0.0.1:8059"}, false},
		{[]string{"Origin", "http://127.0.0.1"}, false},
		{[]string{"Origin", "http://localhost:8058"}, false}, // the same machine, but another origin
		{[]string{"Origin", "null"}, false},
		{[]string{"Origin", ""}, false},
		{[]string{"Origin", "file://"}, false},
		{[]string{"Origin", "http://" + local + "/"}, false},
		{[]string{"Origin", "http://x@" + local}, false},
		{[]string{"Origin", "chrome-extension://" + local}, false},
		{[]string{"Origin", "http://" + local, "Origin", "http://evil.example"}, false},
		{[]string{"Sec-Fetch-Site", "cross-site"}, false},
		{[]string{"Sec-Fetch-Site", "same-site"}, false},
	} {
		w := send(h, "POST", "/v1/links", "e.com", c.fields...)
		if c.ok && w.Code != http.StatusOK {
			t.Errorf("%q: %d %s", c.fields, w.Code, w.Body)
		}
		if !c.ok {
			isProblem(t, w, http.StatusForbidden)
		}
		for name := range w.Header() {
			if strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%q: %s", c.fields, name)
			}
		}
	}
	// A link on another site may lead to the page, but nothing of another origin may read it.
	if w := send(h, "GET", "/", "", "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusOK {
		t.Errorf("the page: %d", w.Code)
	}
	isProblem(t, send(h, "GET", "/openapi.json", "", "Origin", "http://evil.example"), http.StatusForbidden)
	// A preflight gets nothing.
	w := send(h, "OPTIONS", "/v1/links", "", "Origin", "http://evil.example", "Access-Control-Request-Method", "POST")
	isProblem(t, w, http.StatusForbidden)
}

func TestToken(t *testing.T) {
	const token = "a-token-of-this-test"
	h := newTest(t, Options{Token: token})
	for _, c := range []struct {
		fields []string
		ok     bool
	}{
		{[]string{"Authorization", "Bearer " + token}, true},
		{[]string{"Authorization", "bearer " + token}, true},
		{nil, false},
		{[]string{"Authorization", "Bearer "}, false},
		{[]string{"Authorization", "Bearer"}, false},
		{[]string{"Authorization", token}, false},
		{[]string{"Authorization", "Basic " + token}, false},
		{[]string{"Authorization", "Bearer " + token[:len(token)-1]}, false},
		{[]string{"Authorization", "Bearer " + token + "x"}, false},
		{[]string{"Authorization", "Bearer " + strings.ToUpper(token)}, false},
	} {
		for target := range operations() {
			w := send(h, "POST", target, "", c.fields...)
			if c.ok && w.Code != http.StatusOK {
				t.Errorf("%q: %d %s", c.fields, w.Code, w.Body)
			}
			if !c.ok {
				isProblem(t, w, http.StatusUnauthorized)
				if !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer ") {
					t.Errorf("%q: WWW-Authenticate %q", c.fields, w.Header().Get("WWW-Authenticate"))
				}
			}
		}
		if w := send(h, "GET", "/metrics", "", c.fields...); (w.Code == http.StatusOK) != c.ok {
			t.Errorf("metrics, %q: %d", c.fields, w.Code)
		}
	}
	for _, target := range []string{"/", "/app.js", "/openapi.json", "/healthz"} {
		if w := send(h, "GET", target, ""); w.Code != http.StatusOK {
			t.Errorf("%s needs the token: %d", target, w.Code)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Public: true}, "serve: Public: a token is needed"},
		{Options{Token: "short"}, "serve: Token: 5 bytes are too few, want at least 16"},
		{Options{Token: "a token with some blanks"}, "serve: Token: want visible ASCII"},
		{Options{Token: "tökentökentökentöken"}, "serve: Token: want visible ASCII"},
		{Options{MaxBody: -1}, "serve: MaxBody: -1 is negative"},
		{Options{MaxAtOnce: -1}, "serve: MaxAtOnce: -1 is negative"},
		{Options{Timeout: -1}, "serve: Timeout: -1ns is negative"},
		{Options{GraceStop: -1}, "serve: GraceStop: -1ns is negative"},
	} {
		if h, err := NewHandler(c.o); h != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v; want %s", c.o, err, c.want)
		}
	}
}

func TestRouting(t *testing.T) {
	h := newTest(t, Options{})
	for _, c := range []struct {
		method, target string
		status         int
	}{
		{"GET", "/nothing", 404}, {"POST", "/v1/nothing", 404}, {"GET", "/v1/links/", 404}, {"GET", "/page/index.html", 404}, {"GET", "/../serve.go", 404},
		{"GET", "/v1/links", 405}, {"PUT", "/v1/html", 405}, {"POST", "/", 405}, {"DELETE", "/metrics", 405}, {"POST", "/healthz", 405},
	} {
		w := send(h, c.method, c.target, "")
		isProblem(t, w, c.status)
		if (w.Header().Get("Allow") != "") != (c.status == 405) {
			t.Errorf("%s %s: Allow %q", c.method, c.target, w.Header().Get("Allow"))
		}
	}
	for target, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8", "/style.css": "text/css; charset=utf-8", "/icon.svg": "image/svg+xml",
		"/openapi.json": "application/json", "/healthz": "text/plain; charset=utf-8",
	} {
		w := send(h, "GET", target, "")
		policy := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || w.Header().Get("Content-Type") != kind || w.Body.Len() == 0 || w.Header().Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") {
			t.Errorf("%s: %d, %v", target, w.Code, w.Header())
		}
		if (target == "/") == strings.Contains(policy, "sandbox") {
			t.Errorf("%s: %s", target, policy)
		}
	}
}

// The page asks for nothing from elsewhere, and has no code or style in it, which its policy would refuse.
func TestPage(t *testing.T) {
	h := newTest(t, Options{})
	html := send(h, "GET", "/", "").Body.String()
	for _, bad := range []string{`style=`, `onclick`, `javascript:`, `<style`, `<script>`} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if w := send(h, "GET", m[1], ""); !strings.HasPrefix(m[1], "/") || strings.HasPrefix(m[1], "//") || w.Code != 200 {
			t.Errorf("the page refers to %s: %d", m[1], w.Code)
		}
	}
	script := send(h, "GET", "/app.js", "").Body.String()
	for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http://www", "import("} {
		if strings.Contains(script, bad) {
			t.Errorf("the script has %s", bad)
		}
	}
}

func TestBodies(t *testing.T) {
	const limit = 1000
	h := newTest(t, Options{MaxBody: limit})
	server := httptest.NewServer(h)
	defer server.Close()
	post := func(body io.Reader, fields ...string) *http.Response {
		t.Helper()
		r, err := http.NewRequest("POST", server.URL+"/v1/text", body)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(fields); i += 2 {
			r.Header.Set(fields[i], fields[i+1])
		}
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	chunked := func(n int) io.Reader { return io.MultiReader(strings.NewReader(strings.Repeat("a", n))) } // of a length that the client does not know
	for n, want := range map[int]int{0: 200, limit: 200, limit + 1: 413, 100 * limit: 413} {
		if a := post(strings.NewReader(strings.Repeat("a", n))); a.StatusCode != want {
			t.Errorf("%d bytes: %s", n, a.Status)
		}
		if a := post(chunked(n)); a.StatusCode != want {
			t.Errorf("%d bytes, chunked: %s", n, a.Status)
		}
	}
	// A bomb: a few bytes that are a megabyte.
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 1<<20))
	z.Close()
	for _, encoding := range []string{"gzip", "br", "deflate", "identity, gzip", "GZIP", "x-unknown"} {
		if a := post(bytes.NewReader(bomb.Bytes()[:min(bomb.Len(), limit)]), "Content-Encoding", encoding); a.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("Content-Encoding %s: %s", encoding, a.Status)
		}
	}
	if a := post(strings.NewReader("x"), "Content-Encoding", "identity"); a.StatusCode != 200 {
		t.Errorf("identity: %s", a.Status)
	}
	// A length that is a lie.
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
	conn.(*net.TCPConn).CloseWrite()
	if a, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || a.StatusCode != 400 {
		t.Errorf("half a body: %v, %v", a, err)
	}
}

func TestSlowBody(t *testing.T) {
	h := newTest(t, Options{Timeout: 50 * time.Millisecond})
	server := httptest.NewServer(h)
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
	// The rest never comes.
	a, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || a.StatusCode != http.StatusRequestTimeout || a.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("%v, %v", a, err)
	}
	if got := len(h.slots); got != 0 {
		t.Errorf("%d places are taken", got)
	}
}

func TestMaxAtOnce(t *testing.T) {
	const most = 3
	working, goOn := make(chan struct{}), make(chan struct{})
	h := newTest(t, Options{MaxAtOnce: most, beforeWork: func() { working <- struct{}{}; <-goOn }})
	var wg sync.WaitGroup
	answers := make([]*httptest.ResponseRecorder, most)
	for i := range most {
		wg.Go(func() { answers[i] = send(h, "POST", "/v1/text", "x") })
	}
	for range most {
		<-working
	}
	w := send(h, "POST", "/v1/text", "x")
	isProblem(t, w, http.StatusServiceUnavailable)
	if w.Header().Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	// The page and the health are there all the same.
	if w := send(h, "GET", "/healthz", ""); w.Code != 200 {
		t.Errorf("healthz: %d", w.Code)
	}
	close(goOn)
	wg.Wait()
	for _, a := range answers {
		if a.Code != 200 || a.Body.String() != "x" {
			t.Errorf("%d %s", a.Code, a.Body)
		}
	}
	go func() { <-working }()
	if w := send(h, "POST", "/v1/text", "x"); w.Code != 200 {
		t.Errorf("afterwards: %d", w.Code)
	}
}

func TestPanic(t *testing.T) {
	const secret = "the-body-of-somebody"
	for name, v := range map[string]any{
		"a string": secret, "an error": errors.New(secret), "of the runtime": nil,
	} {
		var log bytes.Buffer
		h := newTest(t, Options{Log: slog.New(slog.NewTextHandler(&log, nil)), beforeWork: func() {
			if v == nil {
				var none []int
				_ = none[len(secret)]
			}
			panic(v)
		}})
		w := send(h, "POST", "/v1/html?class="+secret, secret, "Content-Type", "text/html")
		isProblem(t, w, http.StatusInternalServerError)
		if s := log.String(); strings.Contains(s, secret) || strings.Contains(w.Body.String(), secret) || !strings.Contains(s, "path=/v1/html") || !strings.Contains(s, "(*handler).run") {
			t.Errorf("%s: the log is %s, the answer %s", name, s, w.Body)
		}
		if len(h.slots) != 0 {
			t.Errorf("%s: the place is still taken", name)
		}
		if !strings.Contains(send(h, "GET", "/metrics", "").Body.String(), "bidilink_panics_total 1") {
			t.Errorf("%s: it is not counted", name)
		}
	}
}

func TestMetrics(t *testing.T) {
	h := newTest(t, Options{})
	send(h, "POST", "/v1/links", "e.com e.org")
	send(h, "POST", "/v1/links?x=1", "")
	for i := range 100 {
		send(h, "GET", fmt.Sprintf("/made/up/%d", i), "")
	}
	out := send(h, "GET", "/metrics", "").Body.String()
	for _, want := range []string{
		`bidilink_http_requests_total{path="/v1/links",status="200"} 1`, `bidilink_http_requests_total{path="/v1/links",status="400"} 1`,
		`bidilink_http_requests_total{path="other",status="404"} 100`, `bidilink_links_total{path="/v1/links"} 2`, `bidilink_http_body_bytes_total{path="/v1/links"} 11`,
		`bidilink_http_requests_in_progress 0`, `bidilink_http_request_seconds_count{path="/v1/links"} 2`, "go_goroutines",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if strings.Contains(out, "made/up") {
		t.Error("a client can make labels")
	}
}

func TestListen(t *testing.T) {
	ctx := context.Background()
	for address, loopback := range map[string]bool{
		"127.0.0.1:0": true, "localhost:0": true, "[::1]:0": true, ":0": false, "0.0.0.0:0": false, "[::]:0": false,
	} {
		l, err := Listen(ctx, address, false)
		if err == nil {
			l.Close()
		}
		if address == "[::1]:0" && err != nil && !errors.Is(err, ErrNotLoopback) {
			continue // no IPv6 here
		}
		if loopback != (err == nil) || !loopback && !errors.Is(err, ErrNotLoopback) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"", "localhost", "127.0.0.1", "127.0.0.1:99999"} {
		if l, err := Listen(ctx, address, false); err == nil {
			l.Close()
			t.Errorf("%q: no error", address)
		}
	}
	l, err := Listen(ctx, "0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	// Nor does Serve serve what somebody else listens on.
	if err := Serve(ctx, l, Options{}); !errors.Is(err, ErrNotLoopback) {
		t.Errorf("Serve on %s: %v", l.Addr(), err)
	}
	if l, err = Listen(ctx, "127.0.0.1:0", false); err != nil {
		t.Fatal(err)
	}
	if err := Serve(ctx, l, Options{Public: true}); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("Serve: %v", err)
	}
}

// Serve ends when it is told to, after it has answered what has begun.
func TestServeStop(t *testing.T) {
	working, goOn := make(chan struct{}), make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l, err := Listen(ctx, "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, l, Options{beforeWork: func() { close(working); <-goOn }})
	}()
	url := "http://" + l.Addr().String()
	answered := make(chan string, 1)
	go func() {
		a, err := http.Post(url+"/v1/format", "text/plain", strings.NewReader("http://xn--e1afmkfd.xn--p1ai/"))
		if err != nil {
			answered <- err.Error()
			return
		}
		defer a.Body.Close()
		b, _ := io.ReadAll(a.Body)
		answered <- string(b)
	}()
	<-working
	stop()
	select {
	case err := <-ended:
		t.Fatalf("it has ended with a request on: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(goOn)
	if got := <-answered; got != "http://пример.рф/\n" {
		t.Errorf("answer %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(url + "/healthz"); err == nil {
		t.Error("it still answers")
	}
}

func TestServeCutOff(t *testing.T) {
	working := make(chan struct{})
	goOn := make(chan struct{})
	defer close(goOn)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l, err := Listen(ctx, "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, l, Options{GraceStop: time.Millisecond, beforeWork: func() { close(working); <-goOn }})
	}()
	go http.Post("http://"+l.Addr().String()+"/v1/text", "text/plain", strings.NewReader("x"))
	<-working
	stop()
	if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// Headers that are too long, and requests without a Host, are refused by the server itself.
func TestRawRequests(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	l, err := Listen(ctx, "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, Options{}) }()
	defer func() { stop(); <-ended }()
	for _, c := range []struct {
		request string
		status  []int
	}{
		{"GET / HTTP/1.1\r\n\r\n", []int{400}},
		{"GET / HTTP/1.0\r\n\r\n", []int{421}},
		{"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", []int{421}},
		{"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{421}},
		{"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", []int{400}},
		{"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", []int{431}},
		{"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{200}},
		{"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n", []int{421}},
		{"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{404}},
	} {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, c.request)
		a, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || !slices.Contains(c.status, a.StatusCode) {
			t.Errorf("%.60q: %v, %v", c.request, a, err)
		}
		conn.Close()
	}
}
