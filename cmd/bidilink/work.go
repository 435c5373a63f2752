// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/bidilink/bidilink/htmlwalk"
)

// A result is what came of a page.
type result struct {
	page
	changed  bool
	stats    htmlwalk.Stats
	warnings []string
	diff     []byte
}

// run looks at the pages and does with them what the flags say.
func (s *site) run(args []string) error {
	ctx, stop := interruptible()
	defer stop()
	begin := time.Now()
	pages, err := s.pages(ctx, args)
	if err != nil && ctx.Err() == nil {
		return err
	}
	r := newReporter(s, len(pages))
	if err == nil {
		for done := range s.results(ctx, pages) {
			if r.err == nil || s.writes() {
				r.result(done)
			}
			if r.err != nil && !s.writes() {
				stop() // nobody reads any more
			}
		}
	}
	r.end(time.Since(begin))
	switch {
	case r.err != nil && (!brokenPipe(r.err) || r.errors == 0):
		return fmt.Errorf("standard output: %w", r.err)
	case ctx.Err() != nil && r.err == nil:
		return errors.New("interrupted; each file is either done or as it was")
	case r.errors > 0:
		return errReported
	case s.check && r.changed > 0:
		return errFound
	}
	return nil
}

// results gives the pages to as many workers as the flags say, and returns the results in the order of the pages. If ctx ends, so do
// the results.
func (s *site) results(ctx context.Context, pages []page) <-chan result {
	type task struct {
		page
		done chan result
	}
	tasks := make(chan task)
	order := make(chan chan result, 4*s.jobs) // bounds the results that wait for one before them
	go func() {
		defer close(order)
		defer close(tasks)
		for _, p := range pages {
			t := task{p, make(chan result, 1)}
			select {
			case order <- t.done:
			case <-ctx.Done():
				return
			}
			select {
			case tasks <- t:
			case <-ctx.Done():
				close(t.done)
				return
			}
		}
	}()
	var workers sync.WaitGroup
	room := semaphore.NewWeighted(roomForFiles)
	for range s.jobs {
		workers.Go(func() {
			w := worker{site: s, room: room}
			for t := range tasks {
				if r, ok := w.page(ctx, t.page); ok {
					t.done <- r
				}
				close(t.done)
			}
		})
	}
	results := make(chan result)
	go func() {
		defer close(results)
		for done := range order {
			if r, ok := <-done; ok {
				results <- r
			}
		}
		workers.Wait()
	}()
	return results
}

// roomForFiles is the size in bytes of the files that are worked on at once. A larger one is worked on alone. What is needed for
// a file is some ten times its size.
const roomForFiles = 4 << 20

// A worker works on one page after the other.
type worker struct {
	*site
	room    *semaphore.Weighted
	in, out bytes.Buffer
}

// keptBuffer is the size of the largest buffer that is kept for the next page.
const keptBuffer = 1 << 20

// page works on a page. It returns false if ctx has ended before it was done.
func (w *worker) page(ctx context.Context, p page) (result, bool) {
	r := result{page: p}
	if p.err == nil && p.skip == "" {
		r.err = w.work(ctx, &r)
	}
	if ctx.Err() != nil && errors.Is(r.err, ctx.Err()) {
		return r, false
	}
	return r, true
}

func (w *worker) work(ctx context.Context, r *result) error {
	info, free, err := w.read(ctx, r)
	defer free()
	if err != nil || r.skip != "" {
		return err
	}
	in := w.in.Bytes()
	w.out.Reset()
	w.out.Grow(len(in) + len(in)/8)
	if r.stats, err = w.rewrite(&w.out, cancelled{ctx, bytes.NewReader(in)}); err != nil {
		r.stats = htmlwalk.Stats{}
		return err
	}
	out := w.out.Bytes()
	failed := w.verified(in, out)
	if failed != nil {
		out, r.stats = in, htmlwalk.Stats{}
	}
	r.changed = !bytes.Equal(in, out)
	if w.diff && r.changed {
		r.diff = appendDiff(nil, r.name, in, out)
	}
	wrote, path := false, r.path
	switch {
	case w.inPlace && r.changed:
		err = replace(ctx, path, out, info)
		wrote = err == nil
	case r.out != "":
		path = r.out
		wrote, err = create(ctx, path, out, info.Mode())
	}
	if err != nil {
		r.changed, r.diff, r.stats = false, nil, htmlwalk.Stats{}
		if r.out != "" {
			return fmt.Errorf("%s: not written: %w", shown(r.out), cause(err))
		}
		return fmt.Errorf("not written: %w", cause(err))
	}
	if wrote {
		r.warnings = append(r.warnings, staleCopies(path)...)
	}
	return failed
}

// read reads the file of a page into w.in. What it returns frees the room that it takes.
func (w *worker) read(ctx context.Context, r *result) (info fs.FileInfo, free func(), err error) {
	free = func() {}
	if r.path == "" {
		w.in.Reset()
		_, err = w.in.ReadFrom(w.c.InOrStdin())
		return nil, free, err
	}
	f, err := os.OpenFile(r.path, openFlags, 0)
	if err != nil {
		return nil, free, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, free, err
	}
	if r.skip = unusual(info.Mode()); r.skip != "" {
		return nil, free, nil
	}
	if n := hardLinks(f, info); n > 1 && r.out == "" {
		r.skip = fmt.Sprintf("a file with %d hard links, which would come apart", n)
		return nil, free, nil
	}
	size := min(info.Size(), roomForFiles)
	if w.verify {
		size = min(8*size, roomForFiles) // for the trees
	}
	if err := w.room.Acquire(ctx, size); err != nil {
		return nil, free, err
	}
	free = func() {
		w.room.Release(size)
		if w.in.Cap() > keptBuffer {
			w.in = bytes.Buffer{}
		}
		if w.out.Cap() > keptBuffer {
			w.out = bytes.Buffer{}
		}
	}
	w.in.Reset()
	w.in.Grow(int(min(info.Size(), 1<<30)) + bytes.MinRead)
	_, err = w.in.ReadFrom(cancelled{ctx, f})
	return info, free, err
}

// rewrite makes the links of a document.
func (s *site) rewrite(w io.Writer, r io.Reader) (htmlwalk.Stats, error) {
	stats, err := htmlwalk.Rewrite(w, r, s.options)
	if err != nil && !errors.Is(err, context.Canceled) {
		err = errors.New(trimPackage(err, "htmlwalk"))
	}
	return stats, err
}

// verified checks what has become of a document, if it is to be checked.
func (s *site) verified(in, out []byte) error {
	if !s.verify {
		return nil
	}
	if err := htmlwalk.VerifyFragment(in, out, s.options.Context); err != nil {
		return fmt.Errorf("left as it was: %s", trimPackage(err, "htmlwalk"))
	}
	return nil
}

// cancelled reads until ctx ends.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

func (c cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// staleCopies warns of compressed copies of a page that was written.
func staleCopies(path string) []string {
	var list []string
	for _, ext := range []string{".gz", ".br", ".zst"} {
		if _, err := os.Lstat(path + ext); err == nil {
			list = append(list, "its compressed copy "+ext+" is out of date")
		}
	}
	return list
}
