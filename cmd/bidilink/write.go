// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tempPattern is what temporary files are called. It is short, whatever the page is called, and no pattern for pages matches it.
const tempPattern = ".bidilink-*"

// replace puts data in the place of the file at path, of which old was said when it was read. Whoever opens the file meanwhile gets
// either the old or the new one as a whole. Mode, owner and attributes are kept, or nothing is done.
func replace(ctx context.Context, path string, data []byte, old fs.FileInfo) error {
	return put(ctx, path, data, func(f *os.File) error {
		if err := keep(f, path, old); err != nil {
			return err
		}
		now, err := os.Lstat(path)
		if err != nil {
			return err
		}
		if !os.SameFile(now, old) || now.Size() != old.Size() || !now.ModTime().Equal(old.ModTime()) {
			return errors.New("was changed by another program meanwhile")
		}
		return nil
	})
}

// create puts data into the file at path and the folder that it is in, unless it is there already. It reports whether it wrote.
func create(ctx context.Context, path string, data []byte, mode fs.FileMode) (bool, error) {
	if info, err := os.Lstat(path); err == nil {
		if !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
			return false, &fs.PathError{Path: path, Err: errors.New("is there and is not a file")}
		}
		if info.Mode().IsRegular() && info.Size() == int64(len(data)) {
			if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, data) {
				return false, nil
			}
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return false, err
	}
	err := put(ctx, path, data, func(f *os.File) error { return f.Chmod(mode.Perm()) })
	return err == nil, err
}

// put writes data to a temporary file beside path, which takes the place of path once prepare has had a look at it. Without an
// error, or with one, no temporary file is left.
func put(ctx context.Context, path string, data []byte, prepare func(*os.File) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), tempPattern)
	if err != nil {
		return err
	}
	open := true
	defer func() {
		if err == nil {
			return
		}
		if open {
			f.Close()
		}
		os.Remove(f.Name())
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := prepare(f); err != nil {
		return err
	}
	// Without this, a crash of the machine can leave a file of the new name with nothing in it.
	if err := f.Sync(); err != nil {
		return err
	}
	open = false
	if err := f.Close(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
