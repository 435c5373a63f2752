// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"errors"
	"fmt"
	"sync"
	"time"

	proto "github.com/d--j/go-milter"
)

// errLate says that something was waited for in vain.
var errLate = errors.New("milter: it takes too long")

// waiters are the sessions that wait for something now. One goroutine wakes all of them now and then. A timer for each would have the scheduler wake
// another thread for each message, which costs more than what the server itself does with it.
type waiters struct {
	mu      sync.Mutex
	m       map[*session]struct{}
	running bool // the goroutine is there
}

// wakes is how often the waiters are woken between two messages about progress.
const wakes = 4

// add has c woken every now and then.
func (w *waiters) add(c *session, tick time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.m == nil {
		w.m = map[*session]struct{}{}
	}
	w.m[c] = struct{}{}
	if !w.running {
		w.running = true
		go w.run(max(tick/wakes, time.Millisecond/wakes))
	}
}

func (w *waiters) remove(c *session) {
	w.mu.Lock()
	delete(w.m, c)
	w.mu.Unlock()
}

// run wakes the waiters until there was none for some time.
func (w *waiters) run(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	idle := 0
	for range t.C {
		w.mu.Lock()
		for c := range w.m {
			select {
			case c.wake <- struct{}{}:
			default: // it has not taken the last one
			}
		}
		if len(w.m) > 0 {
			idle = 0
		} else if idle++; idle > wakes {
			w.running = false
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
	}
}

// await waits for a value, and tells the MTA every tick that there is progress, if its version of the protocol has that. It fails if that takes longer than the limit, or
// the connection breaks. The limit is looked at when the session is woken: so it may take a quarter of a tick longer, but never ends before.
func await[T any](c *session, limit time.Duration, m proto.Modifier, done <-chan T) (T, error) {
	w, tick := &c.s.waiters, c.s.tick
	select {
	case <-c.wake: // of what was waited for before
	default:
	}
	w.add(c, tick)
	defer w.remove(c)
	t := newWaiting(time.Now(), limit, tick)
	var none T
	for {
		select {
		case v := <-done:
			return v, nil
		case <-c.wake:
		}
		late, say := t.at(time.Now())
		if late {
			return none, errLate
		}
		if !say {
			continue
		}
		if err := m.Progress(); err != nil && !errors.Is(err, proto.ErrVersionTooLow) {
			return none, fmt.Errorf("milter: progress: %w", cause(err))
		}
	}
}

// A waiting is how long something has been waited for.
type waiting struct {
	begin, said time.Time // said is when there was a message about progress, or the beginning
	limit, tick time.Duration
}

func newWaiting(begin time.Time, limit, tick time.Duration) *waiting {
	return &waiting{begin: begin, said: begin, limit: limit, tick: tick}
}

// at returns, for a session that is woken now, whether it is too late, and if not, whether the MTA is to be told that there is progress.
func (t *waiting) at(now time.Time) (late, say bool) {
	if now.Sub(t.begin) >= t.limit {
		return true, false
	}
	if now.Sub(t.said) < t.tick {
		return false, false
	}
	t.said = now
	return false, true
}
