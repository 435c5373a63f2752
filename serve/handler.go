// SPDX-License-Identifier: MIT

package serve

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed page
var page embed.FS

//go:embed openapi.json
var openapi []byte

// A handler answers requests.
type handler struct {
	o       Options
	slots   chan struct{} // one for each request that is worked on
	render  chan struct{} // one for each rendering of Markdown, until it ends, also if its request has been answered
	reading chan struct{} // one for each body that is read
	read    budget        // of bodies that are read
	work    budget        // of bodies that are worked on
	trees   budget        // of texts that are rendered
	metrics *metrics
	files   map[string]file
	ops     map[string]operation
}

// A file is one that GET gives, without a token.
type file struct {
	kind string // media type
	data []byte
}

// pagePolicy allows what the page needs and nothing else: no script or style but its own files, no request to elsewhere, no frame round it.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types bidilink"

// answerPolicy is that of everything else: should a browser show it, nothing in it runs.
const answerPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// NewHandler returns a handler for the operations and the page. A server that uses it needs timeouts of its own: Serve has some.
func NewHandler(o Options) (http.Handler, error) {
	h, err := newHandler(o)
	if err != nil {
		return nil, err
	}
	return h, nil
}

func newHandler(o Options) (*handler, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	h := &handler{o: o, metrics: newMetrics(), ops: operations(),
		slots: make(chan struct{}, o.MaxAtOnce), render: make(chan struct{}, max(1, o.MaxAtOnce/4)), reading: make(chan struct{}, readersPerSlot*o.MaxAtOnce),
		read: budget{most: bodiesAtOnce * o.MaxBody}, work: budget{most: bodiesAtOnce * o.MaxBody},
		trees: budget{most: bodiesAtOnce * MaxMarkdown}}
	h.files = map[string]file{
		"/openapi.json": {"application/json", openapi},
	}
	for path, f := range map[string]struct{ name, kind string }{
		"/":          {"index.html", "text/html; charset=utf-8"},
		"/app.js":    {"app.js", "text/javascript; charset=utf-8"},
		"/style.css": {"style.css", "text/css; charset=utf-8"},
		"/icon.svg":  {"icon.svg", "image/svg+xml"},
	} {
		data, err := page.ReadFile("page/" + f.name)
		if err != nil {
			return nil, err
		}
		h.files[path] = file{f.kind, data}
	}
	return h, nil
}

// ServeHTTP implements [http.Handler].
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	rec := &recorder{ResponseWriter: w}
	path := r.URL.Path
	_, isFile := h.files[path]
	op, isOp := h.ops[path]
	if !isFile && !isOp && path != "/healthz" && path != "/metrics" {
		path = "other"
	}
	defer func() {
		if v := recover(); v != nil {
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(v)
			}
			stack := debug.Stack()
			if other, ok := v.(panicking); ok {
				v, stack = other.value, other.stack
			}
			h.panicked(rec, path, v, stack)
		}
		h.metrics.done(path, rec.status, begin)
	}()
	header := rec.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Content-Security-Policy", answerPolicy)
	header.Set("X-DNS-Prefetch-Control", "off")
	header.Set("Cache-Control", "no-store")
	p := h.checkHost(r)
	if p == nil {
		p = checkOrigin(r)
	}
	if p != nil {
		h.refuse(rec, r, p)
		return
	}
	switch {
	case isOp:
		h.operation(rec, r, op)
	case path == "other":
		h.refuse(rec, r, failure(http.StatusNotFound, "there is nothing at %s; see /openapi.json", strconv.QuoteToASCII(cut(r.URL.Path, 100))))
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.refuse(rec, r, failure(http.StatusMethodNotAllowed, "want GET").with("Allow", "GET, HEAD"))
	case path == "/healthz":
		header.Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(rec, "ok\n")
	case path == "/metrics":
		if p := h.checkToken(r); p != nil {
			h.refuse(rec, r, p)
			return
		}
		h.metrics.answer.ServeHTTP(rec, r)
	default:
		f := h.files[path]
		header.Set("Content-Type", f.kind)
		if strings.HasPrefix(f.kind, "text/html") {
			header.Set("Content-Security-Policy", pagePolicy)
		}
		header.Set("Content-Length", strconv.Itoa(len(f.data)))
		rec.Write(f.data)
	}
}

// refuse answers with a problem, and ends the connection if a body has not been read.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, p *problem) {
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
	}
	p.write(w)
}

// panicked answers after a panic. The log gets where it was, but neither its value, unless it is the runtime's, nor anything of the request but the path.
func (h *handler) panicked(w *recorder, path string, v any, stack []byte) {
	h.logPanic(path, v, stack)
	if w.status != 0 {
		panic(http.ErrAbortHandler) // half an answer is none
	}
	clear(w.Header())
	failure(http.StatusInternalServerError, "an error of this program; its log says more").write(w)
}

func (h *handler) logPanic(path string, v any, stack []byte) {
	h.metrics.panics.Inc()
	what := fmt.Sprintf("%T", v)
	if err, ok := v.(runtime.Error); ok {
		what = err.Error()
	}
	h.o.Log.Error("panic", "path", path, "what", what, "stack", string(stack))
}

// operation answers a request for an operation.
func (h *handler) operation(w *recorder, r *http.Request, op operation) {
	answer, p := h.answer(w, r, op)
	if p != nil {
		h.refuse(w, r, p)
		return
	}
	header := w.Header()
	for name, value := range answer.header {
		header.Set(name, value)
	}
	header.Set("Content-Type", answer.kind)
	header.Set("Content-Length", strconv.Itoa(len(answer.body)))
	w.Write(answer.body)
}

// answer reads the body, and does what is asked for.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, op operation) (*answer, *problem) {
	if r.Method != http.MethodPost {
		return nil, failure(http.StatusMethodNotAllowed, "want POST, with what is to be worked on as the body").with("Allow", http.MethodPost)
	}
	if p := h.checkToken(r); p != nil {
		return nil, p
	}
	for _, e := range r.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(e), "identity") {
			return nil, failure(http.StatusUnsupportedMediaType, "the body must not be compressed (Content-Encoding)").with("Accept-Encoding", "identity")
		}
	}
	in := &input{kind: op.accepts[0], observe: h.o.observe}
	if given := r.Header.Get("Content-Type"); given != "" {
		kind, params, err := mime.ParseMediaType(given)
		if err != nil {
			return nil, failure(http.StatusBadRequest, "the header Content-Type is not well-formed")
		}
		// What curl sends unless it is told something else says nothing.
		if kind != "application/x-www-form-urlencoded" && kind != "application/octet-stream" {
			if !slices.Contains(op.accepts, kind) {
				return nil, failure(http.StatusUnsupportedMediaType, "the Content-Type is %s; want %s", strconv.QuoteToASCII(cut(kind, 100)), strings.Join(op.accepts, " or ")).with("Accept", strings.Join(op.accepts, ", "))
			}
			in.kind, in.charset = kind, params["charset"]
		}
	}
	var p *problem
	if in.params, p = parameters(r.URL.RawQuery, op.params); p != nil {
		return nil, p
	}
	in.query = r.URL.Query()
	gives := op.gives
	if op.orText && in.is("text") {
		gives = "text/plain"
	}
	if !accepted(r.Header.Values("Accept"), gives) {
		return nil, failure(http.StatusNotAcceptable, "the header Accept excludes what is given: %s", gives)
	}
	limit := h.o.MaxBody
	if in.kind == "text/markdown" || r.URL.Path == "/v1/markdown" {
		in.rendered = true
		limit = min(limit, MaxMarkdown)
	}
	if in.body, p = h.body(w, r, limit); p != nil {
		return nil, p
	}
	h.metrics.bytes.WithLabelValues(r.URL.Path).Add(float64(len(in.body)))
	return h.run(in, op, r.URL.Path)
}

// accepted reports whether a header Accept lets a media type be given. Its preferences do not matter: there is only one.
func accepted(values []string, kind string) bool {
	if len(values) == 0 {
		return true
	}
	// RFC 9110 §12.5.1: of the ranges that a type is in, the most specific decides.
	major, _, _ := strings.Cut(kind, "/")
	ranges := []string{"*/*", major + "/*", kind}
	best, ok := -1, false
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		t, params, err := mime.ParseMediaType(item)
		i := slices.Index(ranges, t)
		if err != nil || i < 0 || i < best {
			continue
		}
		q, err := strconv.ParseFloat(params["q"], 64)
		wanted := err != nil || q != 0
		ok = wanted || i == best && ok
		best = i
	}
	return ok
}

// cut returns the beginning of s, of at most n bytes.
func cut(s string, n int) string { return s[:min(len(s), n)] }

// A recorder remembers the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int // 0 until it is written
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
