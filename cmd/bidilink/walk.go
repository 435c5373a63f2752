// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A walk finds the pages of a folder, one after the other, in the order of their names.
type walk struct {
	*listing
	root   *folder
	failed *page   // or nil: what it is to return first
	at     []level // the folders that it is in, each in the one before it
}

// A level is a folder that the walk is in.
type level struct {
	dir   *os.Root    // nil while it is closed
	info  fs.FileInfo // says which folder it is, once it was closed
	rel   string      // its path from the root on
	names folderNames
}

// openLevels is how many of the folders that a walk is in are open, at most: the innermost ones.
const openLevels = 16

// walk begins to look for the pages of an argument that is a folder.
func (l *listing) walk(a *argument) *walk {
	w := &walk{listing: l, root: a.root}
	dir, err := a.root.open()
	if err != nil {
		w.failed = &page{name: a.name, err: err}
	} else {
		w.enter(dir, ".") // the first one closes no other
	}
	return w
}

// close closes the folders that the walk is in.
func (w *walk) close() {
	for i := range w.at {
		w.at[i].close()
	}
	w.at = nil
}

func (at *level) close() {
	if at.dir != nil {
		at.dir.Close()
		at.dir, at.names.dir = nil, nil
	}
}

// suspend closes the folder until [walk.resume].
func (at *level) suspend() error {
	if at.dir == nil {
		return nil
	}
	info, err := at.dir.Stat(".")
	if err != nil {
		return err
	}
	at.info = info
	at.close()
	return nil
}

// resume opens a folder again that was closed, as [folder.parent] does, if it is still the one that it was.
func (w *walk) resume(at *level) error {
	dir, err := w.root.open()
	if err == nil {
		dir, err = descend(dir, at.rel, enter)
	}
	if err != nil {
		return err
	}
	if now, err := dir.Stat("."); err != nil || !os.SameFile(now, at.info) {
		dir.Close()
		return fmt.Errorf("its folder %s %w", shown(at.rel), errChanged)
	}
	at.dir, at.names.dir = dir, dir
	return nil
}

// enter goes on with a folder.
func (w *walk) enter(dir *os.Root, rel string) error {
	if n := len(w.at) - openLevels; n >= 0 {
		if err := w.at[n].suspend(); err != nil {
			return err
		}
	}
	sweeps := w.sweeps()
	if sweeps && w.out != nil {
		w.sweepTarget(rel)
	}
	want := func(name string, mode fs.FileMode) bool {
		if hidden(name) {
			if sweeps && w.out == nil {
				w.sweep(w.at[len(w.at)-1].dir, filepath.Join(w.root.name, rel), name)
			}
			return false
		}
		slashed := filepath.ToSlash(filepath.Join(rel, name))
		if !mode.IsDir() && mode&fs.ModeSymlink == 0 && !w.include.match(slashed) {
			return false
		}
		return !w.exclude.match(slashed)
	}
	w.at = append(w.at, level{dir: dir, rel: rel, names: folderNames{dir: dir, want: want, most: maxNames}})
	return nil
}

// next returns the next page, or false if there is none any more, or ctx has ended.
func (w *walk) next(ctx context.Context) (page, bool) {
	for ctx.Err() == nil {
		if p := w.failed; p != nil {
			w.failed = nil
			return *p, true
		}
		if len(w.at) == 0 {
			return page{}, false
		}
		at := &w.at[len(w.at)-1]
		if at.dir == nil && at.names.more() {
			if err := w.resume(at); err != nil {
				w.at = w.at[:len(w.at)-1]
				return page{name: filepath.Join(w.root.name, at.rel), err: err}, true
			}
		}
		e, ok, err := at.names.next()
		if err != nil {
			return page{name: filepath.Join(w.root.name, at.rel), err: err}, true
		}
		if !ok {
			at.close()
			w.at = w.at[:len(w.at)-1]
			continue
		}
		if p, ok := w.page(at, e); ok {
			return p, true
		}
	}
	return page{}, false
}

// page returns the page that an entry stands for, if it is one. If it is a folder, the walk goes on in there.
func (w *walk) page(at *level, e entry) (page, bool) {
	rel := filepath.Join(at.rel, e.name())
	p := page{name: filepath.Join(w.root.name, rel)}
	if e.mode.IsDir() {
		sub, err := enter(at.dir, e.name(), rel)
		if err == nil {
			if err = w.notOut(sub); err == nil {
				err = w.enter(sub, rel)
			}
			if err == nil {
				return p, false
			}
			sub.Close()
		}
		p.err = err
		return p, true
	}
	if w.counting && e.mode&fs.ModeSymlink == 0 && len(w.args) == 1 {
		return p, true
	}
	w.inspect(&p, w.root, at.dir, rel)
	if p.link && !p.dir && !w.include.match(filepath.ToSlash(rel)) {
		return p, false
	}
	return p, true
}

// notOut refuses the folder that pages are written to, by whatever name it is found.
func (w *walk) notOut(dir *os.Root) error {
	if w.outInfo == nil {
		return nil
	}
	info, err := dir.Stat(".")
	if err == nil && os.SameFile(info, w.outInfo) {
		err = errors.New("is the folder that the pages are written to")
	}
	return err
}
