// SPDX-License-Identifier: MIT

//go:build linux

package main

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// A fakeClock moves only when somebody waits, or works.
type fakeClock struct{ t time.Duration }

func (c *fakeClock) now() time.Duration { return c.t }

func (c *fakeClock) until(at time.Duration) { c.t = max(c.t, at) }

// One message stops all for 100 ms. Those that arrive meanwhile, 10 ms apart, count from when they arrived, although they were begun with later.
func TestArrivals(t *testing.T) {
	const ms = time.Millisecond
	c := &fakeClock{t: 7 * time.Hour}
	var order []int
	took, err := arrivals(c, 1, 20, 100, func(i int) error {
		order = append(order, i)
		c.t += ms
		if i == 5 {
			c.t += 99 * ms
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]time.Duration, 20)
	for i := range want {
		switch {
		case i == 5:
			want[i] = 100 * ms
		case i > 5 && i < 17: // each begins 1 ms after the one before, and arrived 10 ms after it
			want[i] = (100 - 9*time.Duration(i-5)) * ms
		default:
			want[i] = ms
		}
	}
	if !slices.Equal(took, want) {
		t.Errorf("got  %v\nwant %v", took, want)
	}
	if len(order) != 20 || !slices.IsSorted(order) {
		t.Errorf("order %v", order)
	}
}

// Each message is delivered once, by whoever is free, and an error is not lost.
func TestArrivalsWorkers(t *testing.T) {
	const n = 2000
	done := make([]int, n)
	if _, err := arrivals(kernelClock{time.Now()}, 7, n, 1e6, func(i int) error { done[i]++; return nil }); err != nil {
		t.Fatal(err)
	}
	for i, d := range done {
		if d != 1 {
			t.Fatalf("message %d was delivered %d times", i, d)
		}
	}
	broken := errors.New("broken")
	if _, err := arrivals(kernelClock{time.Now()}, 3, n, 1e6, func(i int) error {
		if i == 1000 {
			return broken
		}
		return nil
	}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestQuantile(t *testing.T) {
	seq := func(n int) []time.Duration {
		s := make([]time.Duration, n)
		for i := range s {
			s[i] = time.Duration(i + 1)
		}
		return s
	}
	for _, c := range []struct {
		n     int
		share float64
		want  time.Duration
	}{
		{1, 0.5, 1}, {1, 0.999, 1}, {1, 1, 1}, {1, 0, 1},
		{2, 0.5, 1}, {2, 0.51, 2}, {3, 0.5, 2}, {4, 0.5, 2},
		{10, 0.9, 9}, {10, 0.91, 10}, {10, 1, 10}, {100, 0.99, 99}, {100, 0.999, 100},
		{1000, 0.5, 500}, {1000, 0.9, 900}, {1000, 0.99, 990}, {1000, 0.999, 999}, {1000, 1, 1000},
		{2000, 0.999, 1998}, {1999, 0.999, 1998}, {7, 0.99, 7},
	} {
		if got := quantile(seq(c.n), c.share); got != c.want {
			t.Errorf("%v of 1 to %d: %d, want %d", c.share, c.n, got, c.want)
		}
	}
	// Out of order, and the values themselves stay in place.
	took := []time.Duration{5, 1, 4, 2, 3, 9, 8, 7, 6, 10}
	if got, want := quantiles(took), [...]time.Duration{5, 9, 10, 10, 10}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if took[0] != 5 || took[1] != 1 {
		t.Errorf("the values were put in order: %v", took)
	}
}

func TestSpread(t *testing.T) {
	if m, lo, hi := spread([]float64{3, 1, 2}); m != 2 || lo != 1 || hi != 3 {
		t.Error(m, lo, hi)
	}
	if m, lo, hi := spread([]float64{4, 1, 2, 3}); m != 2.5 || lo != 1 || hi != 4 {
		t.Error(m, lo, hi)
	}
}
