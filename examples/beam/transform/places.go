// SPDX-License-Identifier: MIT

package transform

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// join returns the path of a file in a folder.
func join(folder, name string) string { return strings.TrimRight(folder, "/") + "/" + name }

// errOutside says that a file of a local folder is somewhere else.
var errOutside = errors.New("a symbolic link that leads out of the folder")

// errBlocked says that a file cannot be written because of what is in the output.
var errBlocked = errors.New("cannot be written")

// unreadable reports whether a file cannot be read however often that is tried. Other errors end the bundle, which the runner does again.
func unreadable(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errOutside)
}

// A source is a file of the input: what is written for it has its permissions, and never more.
type source struct {
	Path string
	Name string // from the input folder on; what is written may have .html behind it
}

// base returns the input folder of a local file, or "".
func (s source) base() string {
	p := filepath.ToSlash(s.Path)
	if !isLocal(p) {
		return ""
	}
	for _, name := range []string{s.Name, strings.TrimSuffix(s.Name, ".html")} {
		if dir, ok := strings.CutSuffix(p, name); ok && (dir == "" || strings.HasSuffix(dir, "/")) {
			return path.Clean(dir)
		}
	}
	return ""
}

// Permissions of what comes from stores of objects, which have none.
const (
	plainFile   fs.FileMode = 0o644
	plainFolder fs.FileMode = 0o755
)

// mode returns the permissions of the file.
func (s source) mode() fs.FileMode {
	if s.Path == "" || !isLocal(s.Path) {
		return plainFile
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return 0o600
	}
	return info.Mode().Perm()
}

// folderMode returns the permissions of what is written for a folder of the input, by its name in there: its own, and those that its owner needs to write in it. What is not in
// the input, such as the folder of a dead letter, is open to those who may read the file.
func (s source) folderMode(name string) fs.FileMode {
	base := s.base()
	if base == "" {
		if s.Path != "" && isLocal(s.Path) {
			return 0o700
		}
		return plainFolder
	}
	if info, err := os.Stat(filepath.Join(base, filepath.FromSlash(name))); err == nil && info.IsDir() {
		return info.Mode().Perm() | 0o700
	}
	mode := s.mode()
	return mode | mode&0o444>>2 | 0o700
}

// places are the file systems and folders that a DoFn has opened.
type places struct {
	stores map[string]filesystem.Interface // by scheme
	roots  map[string]*os.Root             // by path: nothing in them leads out of them
}

func (o *places) close() (err error) {
	for _, fsys := range o.stores {
		err = errors.Join(err, fsys.Close())
	}
	for _, root := range o.roots {
		err = errors.Join(err, root.Close())
	}
	*o = places{}
	return err
}

// store returns the file system of a path that has a scheme.
func (o *places) store(ctx context.Context, name string) (filesystem.Interface, error) {
	scheme, _, _ := strings.Cut(name, "://")
	if fsys, ok := o.stores[scheme]; ok {
		return fsys, nil
	}
	fsys, err := filesystem.New(context.WithoutCancel(ctx), name)
	if err != nil {
		return nil, err
	}
	if o.stores == nil {
		o.stores = map[string]filesystem.Interface{}
	}
	o.stores[scheme] = fsys
	return fsys, nil
}

func (o *places) root(dir string) (*os.Root, error) {
	if root, ok := o.roots[dir]; ok {
		return root, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if o.roots == nil {
		o.roots = map[string]*os.Root{}
	}
	o.roots[dir] = root
	return root, nil
}

// size returns the size of a file in bytes.
func (o *places) size(ctx context.Context, s source) (int64, error) {
	if isLocal(s.Path) {
		r, err := o.open(ctx, s)
		if err != nil {
			return -1, err
		}
		defer r.Close()
		info, err := r.(*os.File).Stat()
		if err != nil {
			return -1, err
		}
		return info.Size(), nil
	}
	fsys, err := o.store(ctx, s.Path)
	if err != nil {
		return -1, err
	}
	return fsys.Size(ctx, s.Path)
}

// open opens a file of the input. A local one is in its folder: a symbolic link may lead to another file of the folder, as in bidilink html, but not out of it.
func (o *places) open(ctx context.Context, s source) (io.ReadCloser, error) {
	if !isLocal(s.Path) {
		fsys, err := o.store(ctx, s.Path)
		if err != nil {
			return nil, err
		}
		return fsys.OpenRead(ctx, s.Path)
	}
	base := s.base()
	if base == "" {
		return nil, fmt.Errorf("%s: not the path of %q", s.Path, s.Name)
	}
	root, err := o.root(base)
	if err != nil {
		return nil, err
	}
	rel, err := inside(base, s.Path)
	if err != nil {
		return nil, err
	}
	return root.Open(rel)
}

// inside returns the path, from a folder on, of what a path in it stands for.
func inside(base, name string) (string, error) {
	found, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(base, found)
	if err != nil || !filepath.IsLocal(rel) {
		return "", errOutside
	}
	return rel, nil
}

// blocked says why a file cannot be written below a folder, or nil: a symbolic link is on the way, which may lead anywhere, or a file where a folder is
// wanted, or the other way round.
func blocked(folder, name string) error {
	if !isLocal(folder) {
		return nil
	}
	elements := strings.Split(name, "/")
	for i := range elements {
		at := join(folder, strings.Join(elements[:i+1], "/"))
		info, err := os.Lstat(at)
		if err != nil {
			return nil // what is wrong shows when it is written
		}
		last := i == len(elements)-1
		switch {
		case !last && info.Mode()&fs.ModeSymlink != 0:
			return fmt.Errorf("%w: %s is a symbolic link", errBlocked, at)
		case !last && !info.IsDir():
			return fmt.Errorf("%w: %s is not a folder", errBlocked, at)
		case last && info.IsDir():
			return fmt.Errorf("%w: %s is a folder", errBlocked, at)
		}
	}
	return nil
}

// folder returns a local folder to write to. It is made if need be.
func (o *places) folder(dir string, s source) (*os.Root, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o777); err != nil {
			return nil, err
		}
		if err := os.Mkdir(dir, s.folderMode(".")); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return o.root(dir)
}

// put writes a file: as a whole, or not at all. Locally it is written under another name and renamed; in stores of objects, an object is there when
// it is closed, and never if its context is cancelled before.
func (o *places) put(ctx context.Context, folder, name string, s source, write func(io.Writer) error) (err error) {
	if isLocal(folder) {
		err = o.putLocal(folder, name, s, write)
	} else {
		err = o.putStore(ctx, join(folder, name), write)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", join(folder, name), err)
	}
	return nil
}

func (o *places) putLocal(folder, name string, s source, write func(io.Writer) error) error {
	root, err := o.folder(folder, s)
	if err != nil {
		return err
	}
	if err := blocked(folder, name); err != nil {
		return err
	}
	for i, c := range name {
		if c != '/' {
			continue
		}
		if err := root.Mkdir(name[:i], s.folderMode(name[:i])); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	temp := path.Join(path.Dir(name), ".bidilink-"+rand.Text())
	f, err := root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, s.mode())
	if err != nil {
		return err
	}
	err = buffered(f, write)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

func (o *places) putStore(ctx context.Context, name string, write func(io.Writer) error) error {
	fsys, err := o.store(ctx, name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := fsys.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	if err := buffered(w, write); err != nil {
		return err // the context is cancelled, and nothing is closed
	}
	return w.Close()
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

// remove removes a file that is there from an earlier run.
func (o *places) remove(ctx context.Context, folder, name string) error {
	if isLocal(folder) {
		if blocked(folder, name) != nil {
			return nil // then it is not ours
		}
		root, err := o.root(folder)
		if err == nil {
			err = root.Remove(name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	fsys, err := o.store(ctx, join(folder, name))
	if err != nil {
		return err
	}
	remover, ok := fsys.(filesystem.Remover)
	if !ok {
		return nil
	}
	if found, err := fsys.List(ctx, join(folder, name)); err != nil || len(found) == 0 {
		return err
	}
	return remover.Remove(ctx, join(folder, name))
}
