// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interruptible returns a context that ends when the user or the system wants the program to. From then on, a second signal ends it at
// once, when the guard has removed what must not stay behind. Until the function that it returns is called, writing to a pipe that
// nobody reads is an error instead of the end.
func interruptible() (context.Context, *guard, func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, cancel := context.WithCancel(context.Background())
	g := &guard{}
	got := make(chan os.Signal, 2)
	signal.Notify(got, signals...)
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	over := make(chan struct{})
	go func() {
		select {
		case <-got:
			cancel()
		case <-over:
			return
		}
		select {
		case sig := <-got:
			g.end()
			dieBy(sig)
		case <-over:
		}
	}()
	return ctx, g, func() {
		close(over)
		signal.Stop(got)
		signal.Stop(pipe)
		cancel()
	}
}

// A guard knows the files that must not stay behind, however the program ends: temporary files and locks. Its zero value knows none.
type guard struct {
	mu    sync.Mutex
	ended bool
	files map[*guarded]struct{}
}

// A guarded file must not stay behind.
type guarded struct {
	dir  *os.Root
	name string // in dir
	file *os.File
}

// create creates a file that is not there yet, for reading and writing. It fails with [context.Canceled] after the end.
func (g *guard) create(dir *os.Root, name string, mode os.FileMode) (*guarded, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return nil, context.Canceled
	}
	f, err := dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	if g.files == nil {
		g.files = map[*guarded]struct{}{}
	}
	t := &guarded{dir, name, f}
	g.files[t] = struct{}{}
	return t, nil
}

// keep calls last, and if that does not fail, t may stay. It fails with [context.Canceled] after the end. The end does not come while last
// runs.
func (g *guard) keep(t *guarded, last func() error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended {
		return context.Canceled
	}
	err := last()
	if err == nil {
		delete(g.files, t)
	}
	return err
}

// remove closes and removes t, unless it was kept or removed.
func (g *guard) remove(t *guarded) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.files[t]; ok {
		delete(g.files, t)
		t.file.Close()
		t.dir.Remove(t.name)
	}
}

// end removes all files. None can be created or kept any more.
func (g *guard) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = true
	for t := range g.files {
		if t.dir.Remove(t.name) != nil { // where an open file cannot be removed
			t.file.Close()
			t.dir.Remove(t.name)
		}
	}
	g.files = nil
}
