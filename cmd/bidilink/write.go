// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tempPrefix is what the names of temporary files begin with. They are short, whatever the page is called, no pattern for pages
// matches them, and nobody gives such a name to a file of his own.
const tempPrefix = ".bidilink-tmp-"

// tempRandom is how many characters of RFC 4648's base32 come after it: those of [rand.Text].
const tempRandom = 26

// isTemp reports whether a name is one that we give to temporary files.
func isTemp(name string) bool {
	random, ok := strings.CutPrefix(name, tempPrefix)
	return ok && len(random) == tempRandom && strings.Trim(random, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// An output is a file that is written as a whole or not at all.
type output struct {
	ctx    context.Context // nothing is written once it has ended
	guard  *guard
	dir    *os.Root // the folder of the file
	name   string   // in dir
	temps  string   // the folder in dir for temporary files, or "" for dir itself
	waits  func()   // unless nil, called before it waits for the disk
	synced func()   // unless nil, called when the disk has the data, before the file is in its place
	done   func()   // unless nil, called when the file is in its place, before anything else can happen
}

// replaceFile is [output.replace] for a path, of which old was said before it was read.
func replaceFile(ctx context.Context, g *guard, path string, data []byte, old fs.FileInfo) error {
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer dir.Close()
	o := output{ctx: ctx, guard: g, dir: dir, name: filepath.Base(path)}
	src, err := dir.OpenFile(o.name, openFlags, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	return o.replace(data, src, old)
}

// replace puts data in the place of the file, which is src, of which old was said when it was read. Whoever opens the file meanwhile gets
// either the old or the new one as a whole. Mode, owner and attributes are kept, or nothing is done.
func (o *output) replace(data []byte, src *os.File, old fs.FileInfo) error {
	return o.put(data, func(f *os.File) error {
		now, err := src.Stat()
		if err != nil {
			return err
		}
		if !os.SameFile(now, old) {
			return errChanged
		}
		return keep(f, src, old)
	}, func() error {
		now, err := o.dir.Lstat(o.name)
		if err != nil {
			return err
		}
		if !os.SameFile(now, old) || now.Size() != old.Size() || !now.ModTime().Equal(old.ModTime()) {
			return errChanged
		}
		return nil
	})
}

// create puts data into the file, unless it is there already. It reports whether it wrote.
func (o *output) create(data []byte, mode fs.FileMode) (bool, error) {
	if info, err := o.dir.Lstat(o.name); err == nil {
		if !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
			return false, errors.New("is there and is not a file")
		}
		if info.Mode().IsRegular() && info.Size() == int64(len(data)) && o.holds(data) {
			return false, nil
		}
	}
	err := o.put(data, func(f *os.File) error { return f.Chmod(mode.Perm()) }, nil)
	return err == nil, err
}

// holds reports whether the file is there and holds data.
func (o *output) holds(data []byte) bool {
	f, err := o.dir.OpenFile(o.name, openFlags, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	b := make([]byte, 32<<10)
	for {
		n, err := f.Read(b)
		if n > len(data) || !bytes.Equal(b[:n], data[:n]) {
			return false
		}
		data = data[n:]
		if err != nil {
			return err == io.EOF && len(data) == 0
		}
	}
}

// put writes data to a temporary file, which takes its place once prepare has had a look at it and, unless it is nil, last has
// nothing against it. Without an error, or with one, no temporary file is left.
func (o *output) put(data []byte, prepare func(*os.File) error, last func() error) error {
	t, err := o.temp()
	if err != nil {
		return err
	}
	defer o.guard.remove(t)
	defer t.file.Close()
	if _, err := t.file.Write(data); err != nil {
		return err
	}
	if err := prepare(t.file); err != nil {
		return err
	}
	if o.waits != nil {
		o.waits()
	}
	// Without this, a crash of the machine can leave a file of the new name with nothing in it.
	if err := t.file.Sync(); err != nil {
		return err
	}
	if o.synced != nil {
		o.synced()
	}
	if !tempsLocked { // else it stays locked until it has its name
		if err := t.file.Close(); err != nil {
			return err
		}
	}
	return o.guard.keep(t, func() error {
		err := o.ctx.Err()
		if err == nil && last != nil {
			err = last()
		}
		if err == nil {
			err = o.dir.Rename(t.name, o.name)
		}
		if err == nil && o.done != nil {
			o.done()
		}
		return err
	})
}

// temp creates a temporary file.
func (o *output) temp() (*guarded, error) {
	for range 100 {
		t, err := o.guard.create(o.dir, filepath.Join(o.temps, tempPrefix+rand.Text()), 0o600)
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case err != nil || lockTemp(t.file):
			return t, err
		}
		o.guard.remove(t)
	}
	return nil, fmt.Errorf("%s*: %w", tempPrefix, fs.ErrExist)
}
