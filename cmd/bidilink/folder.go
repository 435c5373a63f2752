// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

	modes map[string]fs.FileMode // of the folders in it, by their paths from it on
}

// errChanged is the error for a file or a folder that is not what it was any more.
var errChanged = errors.New("was changed by another program meanwhile")

// newFolder returns the folder of that path, which has no symbolic links.
func newFolder(name, path string) (*folder, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return &folder{name: name, path: path, info: info, modes: map[string]fs.FileMode{}}, nil
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
		mode, ok := from.modes[rel]
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

// inside reports whether path is dir, or below it. Both are absolute and have no symbolic links.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
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
