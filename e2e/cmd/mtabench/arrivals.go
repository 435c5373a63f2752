// SPDX-License-Identifier: MIT

//go:build linux

package main

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// A clock says what time it is, since its beginning.
type clock interface {
	now() time.Duration
	until(time.Duration) // waits
}

// A kernelClock has the kernel wake the thread, with no scheduler of our own in between.
type kernelClock struct{ begin time.Time }

func (c kernelClock) now() time.Duration { return time.Since(c.begin) }

func (c kernelClock) until(at time.Duration) {
	for {
		left := at - c.now()
		if left <= 0 {
			return
		}
		t := unix.NsecToTimespec(left.Nanoseconds())
		_ = unix.Nanosleep(&t, nil) // what wakes it before its time is a signal
	}
}

// arrivals has n messages arrive at a rate a second, delivers each by one of the workers that are free, and returns how long each took: from the time at which it
// was to arrive, not from when a worker began with it. So what has to wait since others took long counts with its wait ("coordinated omission" would leave
// that out).
func arrivals(c clock, workers, n int, rate float64, deliver func(i int) error) ([]time.Duration, error) {
	var next atomic.Int64
	took := make([]time.Duration, n)
	errs := make([]error, workers)
	start := c.now()
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()                     // a thread that ends takes with it the processes that it has started
			_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // else it may be woken 50 µs late
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				at := start + time.Duration(float64(i)/rate*float64(time.Second))
				c.until(at)
				if errs[w] = deliver(i); errs[w] != nil {
					return
				}
				took[i] = c.now() - at
			}
		})
	}
	wg.Wait()
	return took, errors.Join(errs...)
}

// quantile returns the least value that at least the given share of the values, which are in order, does not exceed: the nearest rank.
func quantile(sorted []time.Duration, share float64) time.Duration {
	// Without what a product of floats has too much: 0.9 of 10 is 9.000000000000002 elsewhere.
	rank := int(math.Ceil(share*float64(len(sorted)) - 1e-9))
	return sorted[max(rank, 1)-1]
}

// quantiles returns some of them, and the most.
func quantiles(took []time.Duration) (q [len(shares)]time.Duration) {
	sorted := slices.Sorted(slices.Values(took))
	for i, share := range shares {
		q[i] = quantile(sorted, share)
	}
	return q
}

// shares are the quantiles that are shown: 50, 90, 99 and 99.9 %, and the most.
var shares = [...]float64{0.5, 0.9, 0.99, 0.999, 1}
