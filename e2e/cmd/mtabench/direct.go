// SPDX-License-Identifier: MIT

//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bidilink/bidilink/e2e/mta"
)

// A target is a milter, or a way through Postfix, that messages are delivered to in the runs of a measurement.
type target struct {
	name    string
	milters []*mta.Milter
	others  []*mta.Milter // that another target stops
	deliver func(i int) error
	took    [][len(shares)]time.Duration // by run
	rates   []float64                    // messages a second, by run
	busy    []float64                    // processor time of the milters in ms, by run
	postfix []float64                    // processor time of Postfix in ms, by run
}

// time returns the processor time of the milters so far.
func (t *target) time() (sum time.Duration, err error) {
	for _, m := range slices.Concat(t.milters, t.others) {
		d, err := m.Process().Time()
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum, nil
}

// turns has run called for each target, in turns: once to warm up, with round -1, and rounds times.
func turns(targets []*target, rounds int, run func(t *target, round int) error) error {
	for round := -1; round < rounds; round++ {
		for i := range targets {
			t := targets[i]
			if round&1 == 1 {
				t = targets[len(targets)-1-i]
			}
			before, err := t.time()
			if err != nil {
				return err
			}
			if err := run(t, round); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			after, err := t.time()
			if err != nil {
				return err
			}
			if round >= 0 {
				t.busy = append(t.busy, float64(after-before)/float64(time.Millisecond))
			}
		}
	}
	return nil
}

// straight returns a delivery to the milter at an address. If it does not do with the body what is expected, that is an error.
func straight(x []*mta.Exchange, address string, replaces bool) func(int) error {
	return func(i int) error {
		n, err := x[i%len(x)].Deliver(address)
		if err == nil && n >= 0 != replaces {
			err = fmt.Errorf("a new body of %d bytes, want one: %v", n, replaces)
		}
		return err
	}
}

// latency measures how long messages take that arrive at a rate.
func (b *bench) latency() error {
	runtime.GOMAXPROCS(b.connections + runtime.NumCPU()) // no worker is to wait for another
	targets, stop, err := b.targets()
	defer stop()
	if err != nil {
		return err
	}
	n := max(1, int(b.rate*b.seconds))
	err = turns(targets, b.rounds, func(t *target, round int) error {
		took, err := arrivals(kernelClock{time.Now()}, b.connections, n, b.rate, t.deliver)
		if err == nil && round >= 0 {
			t.took = append(t.took, quantiles(took))
		}
		return err
	})
	if err != nil {
		return err
	}
	b.head(fmt.Sprintf("%g messages a second for %g s, %d rounds", b.rate, b.seconds, b.rounds))
	fmt.Println("| ms from arrival to end, median of the rounds (lowest to highest) | 50 % | 90 % | 99 % | 99.9 % | most | processor time, ms a message |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|")
	for _, t := range targets {
		fmt.Printf("| %s |", t.name)
		for i := range shares {
			fmt.Printf(" %s |", show(t.column(i)))
		}
		fmt.Printf(" %s |\n", t.perMessage(n))
	}
	fmt.Println()
	last := targets[len(targets)-1]
	for _, t := range targets[:len(targets)-1] {
		added := t.column(2)
		for i, v := range last.column(2) {
			added[i] -= v
		}
		fmt.Printf("99 %%, %s less %s, of the runs of a round: %s ms\n", t.name, last.name, show(added))
	}
	b.foot()
	return nil
}

// column returns a quantile of the runs, in milliseconds.
func (t *target) column(i int) []float64 {
	var v []float64
	for _, q := range t.took {
		v = append(v, float64(q[i])/float64(time.Millisecond))
	}
	return v
}

func (t *target) perMessage(n int) string {
	if len(t.milters)+len(t.others) == 0 {
		return ""
	}
	v := slices.Clone(t.busy)
	for i := range v {
		v[i] /= float64(n)
	}
	return show(v)
}

// direct measures how many messages a second milters take that have no pause.
func (b *bench) direct() error {
	runtime.GOMAXPROCS(b.connections + runtime.NumCPU())
	targets, stop, err := b.targets()
	defer stop()
	if err != nil {
		return err
	}
	err = turns(targets, b.rounds, func(t *target, round int) error {
		var next atomic.Int64
		errs := make([]error, b.connections)
		begin := time.Now()
		var wg sync.WaitGroup
		for w := range b.connections {
			wg.Go(func() {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				for errs[w] == nil {
					i := int(next.Add(1)) - 1
					if i >= b.messages {
						return
					}
					errs[w] = t.deliver(i)
				}
			})
		}
		wg.Wait()
		if round >= 0 {
			t.rates = append(t.rates, float64(b.messages)/time.Since(begin).Seconds())
		}
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.head(fmt.Sprintf("%d connections at once, %d rounds of %d messages", b.connections, b.rounds, b.messages))
	fmt.Println("| median of the rounds (lowest to highest) | messages/s | processor time of the milter, ms a message | messages per second of a processor |")
	fmt.Println("|---|---:|---:|---:|")
	for _, t := range targets {
		busy := slices.Clone(t.busy)
		for i := range busy {
			busy[i] /= float64(b.messages)
		}
		m, _, _ := spread(busy)
		_, lo, hi := spread(t.rates)
		fmt.Printf("| %s | %.0f (%.0f to %.0f) | %s | %.0f |\n", t.name, median(t.rates), lo, hi, t.perMessage(b.messages), 1000/m)
	}
	b.foot()
	return nil
}

// show writes median, lowest and highest of values.
func show(v []float64) string {
	m, lo, hi := spread(v)
	return fmt.Sprintf("%.2f (%.2f to %.2f)", m, lo, hi)
}

// spread returns median, lowest and highest of values.
func spread(v []float64) (m, lo, hi float64) { return median(v), slices.Min(v), slices.Max(v) }

func (b *bench) head(what string) {
	fmt.Printf("%s %s/%s, %d processors, %d bytes a message, %s\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), len(b.msgs[0]), what)
}

// foot says how busy the machine was.
func (b *bench) foot() {
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Printf("Load of the machine in the end, 1, 5 and 15 minutes: %s.\n", strings.Join(strings.Fields(string(load))[:3], " "))
	}
}
