// SPDX-License-Identifier: MIT

package serve

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What takes too long is answered all the same, and only so much of it goes on.
func TestLate(t *testing.T) {
	for path, c := range map[string]struct {
		most  int
		other string // is done all the same
	}{"/v1/markdown": {2, "/v1/text"}, "/v1/text": {8, ""}} {
		goOn, ended := make(chan struct{}), make(chan struct{})
		var log lockedBuffer
		var blocking atomic.Bool
		blocking.Store(true)
		h := newTest(t, Options{MaxAtOnce: 8, Timeout: 30 * time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, nil)), beforeWork: func() {
			if blocking.Load() {
				defer func() { ended <- struct{}{} }()
				<-goOn
				panic("the-body-of-somebody")
			}
		}})
		for range c.most {
			if got := isProblem(t, send(h, "POST", path, "x"), 503); got != "the body could not be worked on within 30ms" {
				t.Errorf("%s: %s", path, got)
			}
		}
		w := send(h, "POST", path, "x")
		if got := isProblem(t, w, 503); !strings.HasSuffix(got, "already; try again") || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %s", path, got)
		}
		if c.other != "" {
			if len(h.slots) != 0 {
				t.Errorf("%s: %d places are taken", path, len(h.slots))
			}
			blocking.Store(false)
			if w := send(h, "POST", c.other, "x"); w.Code != 200 {
				t.Errorf("%s meanwhile: %d %s", c.other, w.Code, w.Body)
			}
		}
		if out := send(h, "GET", "/metrics", "").Body.String(); !strings.Contains(out, fmt.Sprintf("bidilink_http_late_total{path=%q} %d\n", path, c.most)) {
			t.Errorf("%s: it is not counted", path)
		}
		blocking.Store(true)
		close(goOn)
		for range c.most {
			<-ended
		}
		blocking.Store(false)
		until(t, path+": it ends", func() bool {
			return strings.Count(log.String(), "msg=panic") == c.most
		})
		if len(h.slots) != 0 || len(h.render) != 0 || h.work.used != 0 || h.trees.used != 0 || strings.Contains(log.String(), "somebody") {
			t.Errorf("%s: afterwards, %d, %d, %d, %d; log %s", path, len(h.slots), len(h.render), h.work.used, h.trees.used, log.String())
		}
		if w := send(h, "POST", path, "x"); w.Code != 200 {
			t.Errorf("%s afterwards: %d %s", path, w.Code, w.Body)
		}
	}
}

// A lockedBuffer is a buffer that several goroutines use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// until waits for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 2000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%s: not so", what)
}

// Bodies that do not come take no place from those that are there.
func TestSlowBodies(t *testing.T) {
	h := newTest(t, Options{MaxAtOnce: 1, Timeout: time.Minute})
	server := httptest.NewServer(h)
	t.Cleanup(server.CloseClientConnections)
	for range 5 {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/text HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\nabc")
	}
	until(t, "five bodies are read", func() bool { return len(h.reading) == 5 })
	if w := send(h, "POST", "/v1/text", "x"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for len(h.reading) < cap(h.reading) {
		h.reading <- struct{}{}
	}
	isProblem(t, send(h, "POST", "/v1/text", "x"), 503)
}

func TestBudget(t *testing.T) {
	b := budget{most: 10}
	for i, c := range []struct {
		n    int64
		want bool
	}{{11, true}, {1, false}, {0, true}, {-11, true}, {5, true}, {5, true}, {1, false}, {0, true}, {-5, true}, {6, false}, {5, true}} {
		if c.n < 0 {
			b.give(-c.n)
		} else if got := b.take(c.n); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
	// Long bodies are counted while they are worked on, and those of Markdown by a count of their own.
	for path, n := range map[string]int{"/v1/text": smallBody + 1, "/v1/markdown": 10} {
		working, goOn := make(chan struct{}), make(chan struct{})
		h := newTest(t, Options{beforeWork: func() { working <- struct{}{}; <-goOn }})
		done := make(chan *httptest.ResponseRecorder)
		go func() { done <- send(h, "POST", path, strings.Repeat("a", n)) }()
		<-working
		memory := &h.work
		if path == "/v1/markdown" {
			memory = &h.trees
		}
		if memory.used != int64(n) {
			t.Errorf("%s: %d", path, memory.used)
		}
		memory.take(memory.most - memory.used)
		isProblem(t, send(h, "POST", path, strings.Repeat("a", n)), 503)
		close(goOn)
		if w := <-done; w.Code != 200 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
		if len(h.slots) != 0 || len(h.render) != 0 || memory.used != memory.most-int64(n) || h.read.used != 0 {
			t.Errorf("%s: %d, %d, %d, %d", path, len(h.slots), len(h.render), memory.used, h.read.used)
		}
	}
	h := newTest(t, Options{})
	h.read.take(h.read.most)
	isProblem(t, send(h, "POST", "/v1/text", strings.Repeat("a", 2*smallBody)), 503)
	if w := send(h, "POST", "/v1/text", strings.Repeat("a", smallBody-1)); w.Code != 200 {
		t.Errorf("a small body: %d", w.Code)
	}
}
