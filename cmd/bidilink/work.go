// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

	free func() // to be called when it is no longer needed
}

// run looks at the pages and does with them what the flags say.
func (s *site) run(args []string) error {
	interrupted, guard, over := interruptible()
	defer over()
	ctx, stop := context.WithCancel(interrupted)
	defer stop()
	begin := time.Now()
	pages, out, err := s.pages(args)
	if err != nil {
		return err
	}
	pages.guard = guard
	r := newReporter(s, args)
	pages.swept = r.removed
	w := newWorkshop(s, guard, out)
	for done := range w.results(ctx, pages.all(ctx)) {
		if r.err == nil || s.writes() {
			r.result(done)
		}
		done.free()
		if r.err != nil && !s.writes() {
			stop() // nobody reads any more
		}
	}
	r.end(time.Since(begin))
	switch {
	case r.err != nil && (!brokenPipe(r.err) || r.errors == 0):
		return fmt.Errorf("standard output: %w", r.err)
	case ctx.Err() != nil && r.err == nil:
		return errors.New("interrupted; each file is either done or as it was: " + s.left(args, r.files))
	case r.errors > 0:
		return errReported
	case s.check && r.changed > 0:
		return errFound
	}
	return nil
}

// countTime is how long an interrupted program may count what is left.
const countTime = time.Second

// left says how many files were done, and how many were not. As files come and go meanwhile, the latter is a guess.
func (s *site) left(args []string, done int) string {
	ctx, stop := context.WithTimeout(context.Background(), countTime)
	defer stop()
	n, all := s.count(ctx, args)
	least := ""
	if !all {
		least = "at least "
	}
	return fmt.Sprintf("%d done, %s%d left", done, least, max(0, n-done))
}

// count counts the pages. It reports false if ctx has ended before it was done.
func (s *site) count(ctx context.Context, args []string) (n int, all bool) {
	pages, _, err := s.pages(args)
	if err != nil {
		return 0, false
	}
	pages.counting = true
	for p := range pages.all(ctx) {
		if !p.none {
			n++
		}
	}
	return n, ctx.Err() == nil
}

// What is worked on at once, and what was done and waits to be reported, has a weight: an estimate of the memory that it takes, in bytes. A
// page that weighs more than there is room for is worked on alone. The factors are measured, over pages of 30 MB.
const (
	room     = 40 << 20
	moreRoom = 10 << 20 // beside it, for pages that are larger when they are worked on than when they were found; a larger one takes all of it

	pageWeight   = 10 // of a byte of a page: it is kept twice, and garbage as much again waits for the collector
	diffWeight   = 10 // the same for its diff, at most
	verifyWeight = 75 // the same for the two trees that --verify compares
)

// weight returns the weight of a page.
func (s *site) weight(p *page) int64 {
	switch {
	case p.err != nil || p.skip != "" || p.none:
		return 0
	case p.in == nil: // nobody knows its size
		return room
	}
	w := int64(pageWeight)
	if s.diff {
		w += diffWeight
	}
	if s.verify {
		w += verifyWeight
	}
	return w * min(p.size+1024, room/w)
}

// writing is how many more pages than [siteFlags] says are worked on at once, if they are written: those that wait for the disk (fsync). File
// systems such as ext4 write in one go what many wait for. More than these hardly help.
const writing = 8

// A workshop works on pages.
type workshop struct {
	*site
	guard   *guard
	target  *target // or nil
	room    *semaphore.Weighted
	more    *semaphore.Weighted // beside room, for pages that have grown
	busy    chan struct{}       // has a value for each page that is worked on and does not wait for the disk, at most as many as the flags say
	folders openFolders
	steps   steps
	waits   func() // unless nil, called before a file waits for the disk
}

// Steps counts what is done.
type steps struct {
	pages   atomic.Int64 // found, and not yet reported
	most    atomic.Int64 // the most of them
	read    atomic.Int64 // files that were opened to be worked on
	synced  atomic.Int64 // files that the disk has, under a temporary name
	written atomic.Int64 // files that have taken their places
}

func newWorkshop(s *site, g *guard, out *target) *workshop {
	return &workshop{site: s, guard: g, target: out, room: semaphore.NewWeighted(room), more: semaphore.NewWeighted(moreRoom), busy: make(chan struct{}, s.jobs)}
}

// found counts a page.
func (s *steps) found() {
	n := s.pages.Add(1)
	for most := s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
	}
}

// A task is a page to be worked on.
type task struct {
	page
	weight    int64
	done      chan result // closed without a result if it was given up
	committed atomic.Bool // a file was written: a result will come
}

// results gives the pages to workers, of which as many work at once as the flags say, and returns the results in the order of the pages. If ctx ends, so do
// the results: what takes its time and cannot be cancelled, such as reading standard input, is not waited for, nothing is written
// any more, and there is a result for each file that was written.
func (w *workshop) results(ctx context.Context, pages iter.Seq[page]) <-chan result {
	workers := w.jobs
	if w.writes() {
		workers += writing
	}
	tasks := make(chan *task)
	order := make(chan *task, 4*workers) // bounds the results that wait for one before them
	go func() {
		defer close(order)
		defer close(tasks)
		for p := range pages {
			w.steps.found()
			t := &task{page: p, weight: w.weight(&p), done: make(chan result, 1)}
			// In the order of the pages: the one whose result is awaited always has its room, whatever waits behind it.
			if w.room.Acquire(ctx, t.weight) != nil {
				return
			}
			select {
			case order <- t:
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
	var working sync.WaitGroup
	for range workers {
		working.Go(func() {
			w := worker{workshop: w}
			for t := range tasks {
				if r, ok := w.page(ctx, t); ok {
					t.done <- r
				}
				close(t.done)
			}
		})
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		working.Wait()
		w.folders.close()
	}()
	results := make(chan result)
	go func() {
		defer close(results)
		for t := range order {
			if r, ok := w.await(ctx, t); ok {
				results <- r
			}
		}
		select {
		case <-over:
		case <-ctx.Done():
		}
	}()
	return results
}

// await returns the result of a task, or false if there is none.
func (w *workshop) await(ctx context.Context, t *task) (result, bool) {
	select {
	case r, ok := <-t.done:
		return r, ok
	case <-ctx.Done():
	}
	w.guard.end()
	if t.committed.Load() {
		r, ok := <-t.done
		return r, ok
	}
	select {
	case r, ok := <-t.done:
		return r, ok
	default:
		return result{}, false
	}
}

// A worker works on one page after the other.
type worker struct {
	*workshop
	in, out bytes.Buffer
	busy    bool // it has put a value into that of the workshop
}

// begin waits until the worker may work. It reports false if ctx has ended before.
func (w *worker) begin(ctx context.Context) bool {
	select {
	case w.workshop.busy <- struct{}{}:
		w.busy = true
		return true
	case <-ctx.Done():
		return false
	}
}

// rest lets another worker work.
func (w *worker) rest() {
	if w.busy {
		<-w.workshop.busy
		w.busy = false
	}
}

// keptBuffer is the size of the largest buffer that is kept for the next page.
const keptBuffer = 128 << 10

// page works on a page. It returns false if ctx has ended before it was done.
func (w *worker) page(ctx context.Context, t *task) (result, bool) {
	r := result{page: t.page}
	if r.err == nil && r.skip == "" && !r.none {
		if !w.begin(ctx) {
			return r, false
		}
		if r.err = w.work(ctx, t, &r); errors.Is(r.err, errChanged) {
			r.err = w.again(ctx, t, &r)
		}
		w.rest()
	}
	if w.in.Cap() > keptBuffer {
		w.in = bytes.Buffer{}
	}
	if w.out.Cap() > keptBuffer {
		w.out = bytes.Buffer{}
	}
	if t.weight > room/2 {
		runtime.GC() // or the next large page would come on top of what is left of this one
	}
	// All that is left is the diff.
	left := min(int64(len(r.diff)), t.weight)
	w.room.Release(t.weight - left)
	r.free = func() {
		w.room.Release(left)
		w.steps.pages.Add(-1)
	}
	if ctx.Err() != nil && errors.Is(r.err, context.Canceled) {
		return r, false
	}
	return r, true
}

// again works once more on a page that another program has changed meanwhile. Mostly that is another run on the same pages, which has done
// the page: then there is nothing left to do.
func (w *worker) again(ctx context.Context, t *task, r *result) error {
	changed := r.err
	r.err, r.skip = nil, ""
	if err := w.look(&r.page); err != nil {
		return changed
	}
	if more := min(w.weight(&r.page)-t.weight, moreRoom); more > 0 {
		// Not of the room that others wait for, who may wait for this page.
		if err := w.more.Acquire(ctx, more); err != nil {
			return err
		}
		defer w.more.Release(more)
	}
	if !w.busy && !w.begin(ctx) {
		return ctx.Err()
	}
	return w.work(ctx, t, r)
}

// look finds out anew which file a page is, and of what size. It has to be a regular file at the same place.
func (w *worker) look(p *page) error {
	in, err := w.folder(p)
	if err != nil {
		return err
	}
	defer w.folders.release(in)
	info, err := in.dir.Lstat(filepath.Base(p.rel))
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errChanged
	}
	p.id, p.size = identityOf(info), info.Size()
	return nil
}

// folder opens the folder of a page, until it is released.
func (w *worker) folder(p *page) (*openFolder, error) {
	return w.folders.use(folderKey{p.in, filepath.Dir(p.rel), false}, func() (*os.Root, error) { return p.in.parent(p.rel) })
}

func (w *worker) work(ctx context.Context, t *task, r *result) error {
	w.in.Reset()
	w.out.Reset()
	from := reading{max: int64(w.maxSize), in: &w.in, out: &w.out}
	var src *os.File
	var dir *os.Root
	var info fs.FileInfo
	if r.in == nil {
		from.r = w.c.InOrStdin()
	} else {
		in, err := w.folder(&r.page)
		if err != nil {
			return err
		}
		defer w.folders.release(in)
		dir = in.dir
		w.steps.read.Add(1)
		if src, info, err = r.open(dir); err != nil {
			return err
		}
		defer src.Close()
		if n := hardLinks(src, info); n > 1 && r.out == "" {
			r.skip = fmt.Sprintf("a file with %d hard links, which would come apart", n)
			return nil
		}
		if info.Size() > from.max {
			return &sizeError{info.Size(), w.maxSize}
		}
		from.r, from.size = src, info.Size()
	}
	from.r = cancelled{ctx, from.r}
	stats, err := w.rewrite(&from)
	if err != nil {
		return err
	}
	r.stats = stats
	in, out := w.in.Bytes(), w.out.Bytes()
	if stats.Copied.Reason == htmlwalk.XML {
		r.skip, r.stats = leftXML, htmlwalk.Stats{}
	}
	failed := w.verified(in, out)
	if failed != nil {
		out, r.stats = in, htmlwalk.Stats{}
	}
	r.changed = !bytes.Equal(in, out)
	if w.diff && r.changed {
		r.diff = appendDiff(nil, r.name, in, out)
	}
	o := output{ctx: ctx, guard: w.guard, waits: func() {
		w.rest()
		if w.waits != nil {
			w.waits()
		}
	}, synced: func() { w.steps.synced.Add(1) }, done: func() {
		w.steps.written.Add(1)
		t.committed.Store(true)
	}}
	switch {
	case w.inPlace && r.changed:
		o.dir, o.name = dir, filepath.Base(r.rel)
		err = w.replace(&o, out, src, info)
		if err == nil {
			r.warnings = w.staleCopies(r, dir)
		}
	case r.out != "":
		err = w.create(&o, r, dir, out, info.Mode())
	}
	if err != nil {
		r.changed, r.diff, r.stats = false, nil, htmlwalk.Stats{}
		if r.out != "" {
			return fmt.Errorf("%s: not written: %w", shown(r.out), cause(err))
		}
		return fmt.Errorf("not written: %w", cause(err))
	}
	return failed
}

// leftXML is why a document that begins with <?xml is left alone.
const leftXML = "it begins with <?xml, and XHTML has other rules (see --xhtml)"

// open opens the file of a page in its folder, if it is still the one that it was.
func (p *page) open(dir *os.Root) (*os.File, fs.FileInfo, error) {
	f, err := dir.OpenFile(filepath.Base(p.rel), openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && (!p.id.of(info) || !info.Mode().IsRegular() || info.Size() > p.size) {
		err = errChanged
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// replace puts what a page becomes in its place.
func (w *worker) replace(o *output, data []byte, src *os.File, info fs.FileInfo) error {
	if info.Mode()&0o222 == 0 && !w.force {
		return errReadOnly
	}
	return o.replace(data, src, info)
}

// errReadOnly is the error for files that nobody may write to.
var errReadOnly = errors.New("is read-only; --force replaces such files, too")

// create writes what a page, which is in dir, becomes to the target.
func (w *worker) create(o *output, r *result, dir *os.Root, data []byte, mode fs.FileMode) error {
	to, err := w.folders.use(folderKey{r.in, filepath.Dir(r.outRel), true}, func() (*os.Root, error) { return w.target.parent(r.outRel, r.in) })
	if err != nil {
		return err
	}
	defer w.folders.release(to)
	o.dir = to.dir
	o.name = filepath.Base(r.outRel)
	// By paths they differ; but a folder can have two.
	here, err := dir.Stat(".")
	if err != nil {
		return err
	}
	there, err := o.dir.Stat(".")
	if err != nil {
		return err
	}
	if os.SameFile(here, there) && strings.EqualFold(o.name, filepath.Base(r.rel)) {
		return errors.New("is the input")
	}
	wrote, err := o.create(data, mode)
	if wrote {
		r.warnings = staleCopies(o.dir, o.name)
	}
	return err
}

// rewrite reads a document and makes its links.
func (s *site) rewrite(r *reading) (htmlwalk.Stats, error) {
	stats, err := s.html.Rewrite(r.out, r)
	switch {
	case r.err != nil:
		return stats, r.err
	case err != nil:
		return stats, errors.New(trimPackage(err, "htmlwalk"))
	}
	return stats, nil
}

// verified checks what has become of a document, if it is to be checked.
func (s *site) verified(in, out []byte) error {
	if !s.verify {
		return nil
	}
	if err := htmlwalk.VerifyFragment(in, out, s.context); err != nil {
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

// staleCopies warns of compressed copies of a page that was replaced, and of the symbolic link that it was found by. The page is in dir.
func (w *worker) staleCopies(r *result, dir *os.Root) []string {
	list := staleCopies(dir, filepath.Base(r.rel))
	if r.nameRel == r.rel {
		return list
	}
	named, err := r.in.parent(r.nameRel)
	if err != nil {
		return list
	}
	defer named.Close()
	for _, m := range staleCopies(named, filepath.Base(r.nameRel)) {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// staleCopies warns of compressed copies of a page that was written.
func staleCopies(dir *os.Root, name string) []string {
	var list []string
	for _, ext := range []string{".gz", ".br", ".zst"} {
		if _, err := dir.Lstat(name + ext); err == nil {
			list = append(list, "its compressed copy "+ext+" is out of date")
		}
	}
	return list
}
