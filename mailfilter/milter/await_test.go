// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"errors"
	"testing"
	"time"
)

// TestWaiting wakes a session at each phase of the common timer: with limits below a tick, too, it gives up at the first time that is not before the limit, and not sooner.
func TestWaiting(t *testing.T) {
	const tick = time.Second
	for _, limit := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 250 * time.Millisecond, 251 * time.Millisecond, time.Second, 15 * time.Second} {
		for phase := time.Duration(0); phase < tick/wakes; phase += time.Millisecond {
			begin := time.Unix(1_000_000, 0)
			w := newWaiting(begin, limit, tick)
			said := 0
			for now := begin.Add(phase); ; now = now.Add(tick / wakes) {
				late, say := w.at(now)
				if say {
					said++
				}
				if want := now.Sub(begin) >= limit; late != want {
					t.Fatalf("limit %v: woken after %v: late %v", limit, now.Sub(begin), late)
				}
				if late {
					// The first message may come a wake after the first tick, and each later one a tick behind.
					if most, least := int(limit/tick), int((limit-1)/(tick+tick/wakes)); said > most || said < least {
						t.Fatalf("limit %v: %d messages about progress", limit, said)
					}
					break
				}
			}
		}
	}
}

// TestAwaitShort has a limit that is far below a tick, but long: being woken says nothing about it. What was left from an earlier wait is not taken.
func TestAwaitShort(t *testing.T) {
	c, s := newSession(t, Options{})
	s.tick = 1000 * time.Hour // so that only this test wakes it
	c.wake <- struct{}{}
	done := make(chan int)
	type result struct {
		v   int
		err error
	}
	results := make(chan result, 1)
	go func() {
		v, err := await(c, time.Hour, &modifier{advance: func() error { return errors.New("progress") }}, done)
		results <- result{v, err}
	}()
	for range 3 { // there is room for one: with the third, the first has been taken, and it waits again
		select {
		case c.wake <- struct{}{}:
		case r := <-results:
			t.Fatalf("%d, %v, woken before the limit", r.v, r.err)
		}
	}
	select {
	case done <- 17:
	case r := <-results:
		t.Fatalf("%d, %v, woken before the limit", r.v, r.err)
	}
	if r := <-results; r.v != 17 || r.err != nil {
		t.Error(r.v, r.err)
	}
}

// TestAwaitFresh begins to wait with the sign of an earlier wait still there: that is not taken for a new one, even if the limit has passed.
func TestAwaitFresh(t *testing.T) {
	c, s := newSession(t, Options{})
	s.tick = 1000 * time.Hour
	for range 20 { // select would take either
		c.wake <- struct{}{}
		done := make(chan int, 1)
		done <- 17
		if v, err := await(c, 0, &modifier{}, done); v != 17 || err != nil {
			t.Fatal(v, err)
		}
	}
}

// TestWaiters looks at who is woken: nobody when all messages are done with, and the goroutine ends some wakes later. It is there again when it is needed.
func TestWaiters(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, func(s *Server) { s.tick = time.Millisecond })
	state := func() (n int, running bool) {
		r.waiters.mu.Lock()
		defer r.waiters.mu.Unlock()
		return len(r.waiters.m), r.waiters.running
	}
	c := r.connect(t)
	for range 3 {
		if got := c.deliver(page, text, 1000); !got.replaced {
			t.Error("not replaced")
		}
		if n, _ := state(); n != 0 {
			t.Fatalf("%d sessions are woken that wait for nothing", n)
		}
		eventually(t, func() bool { _, running := state(); return !running })
	}
	done := make(chan int)
	woken, s := newSession(t, Options{})
	s.tick = time.Millisecond
	if _, err := await(woken, time.Millisecond, &modifier{}, done); err != errLate {
		t.Error(err)
	}
	if n := len(s.waiters.m); n != 0 {
		t.Errorf("%d sessions are woken after the limit", n)
	}
}
