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
	ending sync.RWMutex // the end waits for those that create, keep or remove, and they may do so at once
	ended  bool

	mu    sync.Mutex
	files map[*guarded]struct{}
	names map[string]int // how many of files have the name
}

// A guarded file must not stay behind.
type guarded struct {
	dir  *os.Root
	name string // in dir
	file *os.File
}

// create creates a file that is not there yet, for reading and writing. It fails with [context.Canceled] after the end.
func (g *guard) create(dir *os.Root, name string, mode os.FileMode) (*guarded, error) {
	g.ending.RLock()
	defer g.ending.RUnlock()
	if g.ended {
		return nil, context.Canceled
	}
	t := &guarded{dir: dir, name: name}
	g.add(t) // before it is there: it must not be swept
	var err error
	if t.file, err = dir.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode); err != nil {
		g.forget(t)
		return nil, err
	}
	return t, nil
}

func (g *guard) add(t *guarded) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.files == nil {
		g.files, g.names = map[*guarded]struct{}{}, map[string]int{}
	}
	g.files[t] = struct{}{}
	g.names[t.name]++
}

// forget reports whether it knew t.
func (g *guard) forget(t *guarded) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.files[t]; !ok {
		return false
	}
	delete(g.files, t)
	if g.names[t.name]--; g.names[t.name] == 0 {
		delete(g.names, t.name)
	}
	return true
}

// keep calls last, and if that does not fail, t may stay. It fails with [context.Canceled] after the end. The end does not come while last
// runs.
func (g *guard) keep(t *guarded, last func() error) error {
	g.ending.RLock()
	defer g.ending.RUnlock()
	if g.ended {
		return context.Canceled
	}
	err := last()
	if err == nil {
		g.forget(t)
	}
	return err
}

// remove closes and removes t, unless it was kept or removed.
func (g *guard) remove(t *guarded) {
	g.ending.RLock()
	defer g.ending.RUnlock()
	if g.forget(t) {
		t.file.Close()
		t.dir.Remove(t.name)
	}
}

// end removes all files. None can be created or kept any more.
func (g *guard) end() {
	g.ending.Lock()
	defer g.ending.Unlock()
	g.ended = true
	for t := range g.files {
		if t.dir.Remove(t.name) != nil { // where an open file cannot be removed
			t.file.Close()
			t.dir.Remove(t.name)
		}
	}
	g.files, g.names = nil, nil
}

// sweep removes a file if it is a temporary one of a program that is no more: one that was killed, or whose machine was switched off. It
// has to be one that we could have made: by its name, a regular file, with this name alone, and ours. It reports whether it was removed.
func (g *guard) sweep(dir *os.Root, name string) bool {
	if !isTemp(name) {
		return false
	}
	g.mu.Lock()
	_, ours := g.names[name]
	g.mu.Unlock()
	if ours {
		return false
	}
	named, err := dir.Lstat(name)
	if err != nil || !named.Mode().IsRegular() || !ownFile(named) {
		return false
	}
	f, err := dir.OpenFile(name, openFlags, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !os.SameFile(info, named) || hardLinks(f, info) != 1 || !abandoned(f, info) {
		return false
	}
	// While it waits for its lock, a file can have got its own name: then this one is that of another file, or of none.
	if named, err = dir.Lstat(name); err != nil || !os.SameFile(info, named) {
		return false
	}
	return dir.Remove(name) == nil
}
