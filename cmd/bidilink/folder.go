// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A folder was given as an argument, or a file in it was.
//
// Between the search for pages and the work on them others may move its files and put symbolic links in their place. So a page is never
// opened by its path: each folder on the way is opened in the one above it, and has to be a folder.
type folder struct {
	name string      // as given
	path string      // absolute, without symbolic links
	info fs.FileInfo // says which folder it is
}

// errChanged is the error for a file or a folder that is not what it was any more.
var errChanged = errors.New("was changed by another program meanwhile")

// newFolder returns the folder of that path, which has no symbolic links.
func newFolder(name, path string) (*folder, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return &folder{name: name, path: path, info: info}, nil
}

// open opens the folder.
func (f *folder) open() (*os.Root, error) {
	dir, err := os.OpenRoot(f.path + string(filepath.Separator) + ".")
	if err != nil {
		return nil, err
	}
	if info, err := dir.Stat("."); err != nil || !os.SameFile(info, f.info) {
		dir.Close()
		return nil, fmt.Errorf("its folder %s %w", shown(f.name), errChanged)
	}
	return dir, nil
}

// mode returns the mode of a folder in it, if there is one.
func (f *folder) mode(rel string) (fs.FileMode, bool) {
	dir, err := f.open()
	if err != nil {
		return 0, false
	}
	defer dir.Close()
	info, err := dir.Stat(rel)
	if err != nil || !info.IsDir() {
		return 0, false
	}
	return info.Mode(), true
}

// parent opens the folder that a file is in, which is named by its path from f on.
func (f *folder) parent(rel string) (*os.Root, error) {
	dir, err := f.open()
	if err != nil {
		return nil, err
	}
	return descend(dir, filepath.Dir(rel), enter)
}

// descend opens a folder in dir, one step after the other, and closes dir.
func descend(dir *os.Root, rel string, step func(dir *os.Root, name, rel string) (*os.Root, error)) (*os.Root, error) {
	if rel == "." {
		return dir, nil
	}
	end := -1
	for _, name := range splitPath(rel) {
		end += 1 + len(name)
		sub, err := step(dir, name, rel[:end])
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = sub
	}
	return dir, nil
}

func splitPath(rel string) []string { return strings.Split(rel, string(filepath.Separator)) }

// enter opens a folder that is directly in dir, and is no symbolic link. Its path is for messages.
func enter(dir *os.Root, name, rel string) (*os.Root, error) {
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("its folder %s is a symbolic link", shown(rel))
	case !info.IsDir():
		return nil, fmt.Errorf("its folder %s is not a folder", shown(rel))
	}
	// The dot has the system look whether it is a folder before it opens it: a named pipe would block.
	sub, err := dir.OpenRoot(name + string(filepath.Separator) + ".")
	if err != nil {
		return nil, err
	}
	if now, err := sub.Stat("."); err != nil || !os.SameFile(now, info) {
		sub.Close()
		return nil, fmt.Errorf("its folder %s %w", shown(rel), errChanged)
	}
	return sub, nil
}

// openFolders are folders that pages are in, or are written to. One that several pages are in is open once, and the last ones stay open, as the
// next page is mostly in one of them.
type openFolders struct {
	mu     sync.Mutex
	open   map[folderKey]*openFolder
	last   []*openFolder // at most keptFolders, each of which counts as a use
	opened int           // how often one was opened
}

// keptFolders is how many folders stay open that nobody uses.
const keptFolders = 4

// A folderKey says which folder it is.
type folderKey struct {
	in  *folder
	rel string // its path from in on
	to  bool   // it is the folder of that path in the target
}

// An openFolder is used by pages.
type openFolder struct {
	key  folderKey
	uses int

	once sync.Once
	dir  *os.Root
	err  error
}

// use returns a folder, which is opened with open unless it is open, until it is released.
func (o *openFolders) use(key folderKey, open func() (*os.Root, error)) (*openFolder, error) {
	o.mu.Lock()
	f := o.open[key]
	if f == nil {
		if o.open == nil {
			o.open = map[folderKey]*openFolder{}
		}
		f = &openFolder{key: key, uses: 1}
		o.open[key] = f
		o.opened++
		o.last = append(o.last, f)
		if len(o.last) > keptFolders {
			o.drop(0)
		}
	}
	f.uses++
	o.mu.Unlock()
	f.once.Do(func() { f.dir, f.err = open() })
	if f.err == nil {
		return f, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.last, f); i >= 0 { // the next one may be luckier
		o.drop(i)
	}
	o.less(f)
	return nil, f.err
}

// release ends the use of a folder.
func (o *openFolders) release(f *openFolder) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.less(f)
}

// close closes the folders that nobody uses.
func (o *openFolders) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.last) > 0 {
		o.drop(0)
	}
}

// drop takes a folder off the last ones.
func (o *openFolders) drop(i int) {
	f := o.last[i]
	o.last = slices.Delete(o.last, i, i+1)
	o.less(f)
}

// less counts a use less, and closes the folder if that was the last one.
func (o *openFolders) less(f *openFolder) {
	if f.uses--; f.uses > 0 {
		return
	}
	if o.open[f.key] == f {
		delete(o.open, f.key)
	}
	if f.dir != nil {
		f.dir.Close()
	}
}

// A target is the folder that pages are written to. It is made when the first one is.
type target struct {
	path string      // absolute, without symbolic links
	mode fs.FileMode // that it gets if it is made

	once sync.Once
	dir  *os.Root
	err  error
}

// open opens the target.
func (t *target) open() (*os.Root, error) {
	t.once.Do(func() {
		if t.err = os.MkdirAll(filepath.Dir(t.path), 0o777); t.err != nil {
			return
		}
		if t.err = os.Mkdir(t.path, t.mode|ownFolder); t.err != nil && !errors.Is(t.err, fs.ErrExist) {
			return
		}
		t.dir, t.err = os.OpenRoot(t.path + string(filepath.Separator) + ".")
	})
	if t.err != nil {
		return nil, t.err
	}
	return t.dir.OpenRoot(".")
}

// ownFolder are the bits without which we could not write to a folder that we make.
const ownFolder fs.FileMode = 0o700

// parent opens the folder that a page is written to, which is named by its path from t on, and makes it if it is not there, with the
// modes of the folders that the page comes from. It fails for a symbolic link on the way, which could lead to an input or anywhere.
func (t *target) parent(rel string, from *folder) (*os.Root, error) {
	dir, err := t.open()
	if err != nil {
		return nil, err
	}
	return descend(dir, filepath.Dir(rel), func(dir *os.Root, name, rel string) (*os.Root, error) {
		sub, err := enter(dir, name, rel)
		if !errors.Is(err, fs.ErrNotExist) {
			return sub, err
		}
		mode, ok := from.mode(rel)
		if !ok {
			mode = 0o777
		}
		mode = mode.Perm() | ownFolder
		made := dir.Mkdir(name, mode)
		if made != nil && !errors.Is(made, fs.ErrExist) { // another page may have been faster
			return nil, made
		}
		if sub, err = enter(dir, name, rel); err == nil && made == nil && ok {
			err = setFolderMode(sub, mode)
		}
		return sub, err
	})
}

// realPath returns path absolute and without symbolic links. Its end need not exist.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		found, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(found, rest), nil
		}
		parent := filepath.Dir(path)
		if !errors.Is(err, fs.ErrNotExist) || parent == path {
			return "", err
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}
