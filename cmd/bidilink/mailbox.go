// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bidilink/bidilink/mailfilter"
)

// envelope is what the first line of a message in an mbox begins with.
const envelope = "From "

// errSeparator is the error for a file that only looks like an mbox.
var errSeparator = errors.New(`begins with "From " as an mbox does, but not with an address and a date in the form of mbox, as in From a@example.com Sat Nov 21 10:00:00 2026`)

// replace puts what a file becomes in its place, if that is something else.
func (m *mailRun) replace(name string, info fs.FileInfo) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	head := make([]byte, len(envelope))
	n, err := io.ReadFull(f, head)
	f.Close()
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if bytes.HasPrefix(head[:n], []byte(envelope)) {
		return m.replaceMbox(name, info)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(data, []byte(envelope)) {
		return errChanged
	}
	out, err := m.messages(name, data, false)
	if err != nil || bytes.Equal(out, data) {
		return err
	}
	return replaceFile(m.ctx, m.guard, name, out, info)
}

// replaceMbox writes what an mbox becomes into it. Programs that wait for a lock have the file open, so another file in its place would
// lose the mail that they append: the file stays, under both locks, and a copy of it is kept until all is written.
func (m *mailRun) replaceMbox(name string, info fs.FileInfo) error {
	dir, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer dir.Close()
	base := filepath.Base(name)
	// No other descriptor of this file may be opened: when one is closed, the lock of the process is gone.
	f, err := dir.OpenFile(base, openFlags|os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := lockFile(f); err != nil {
		return err
	}
	file := base + ".lock"
	l, err := m.guard.create(dir, file, 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("is locked: %s exists", shown(name+".lock"))
		}
		return err
	}
	defer m.guard.remove(l)

	if info, err = sameMbox(dir, base, f, info); err != nil {
		return err
	}
	data, err := io.ReadAll(f)
	switch {
	case err != nil:
		return err
	case len(data) == 0: // somebody has taken the mail
		return nil
	case !mailfilter.IsMbox(data):
		return errSeparator
	}
	out, err := m.messages(name, data, true)
	if err != nil || bytes.Equal(out, data) {
		return err
	}

	kept, err := m.guard.create(dir, "."+base+".bidilink", 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			at := filepath.Join(filepath.Dir(name), "."+base+".bidilink")
			err = fmt.Errorf("an earlier run was interrupted while it wrote: %s is what the mbox was before; move it away, or back", shown(at))
		}
		return err
	}
	defer m.guard.remove(kept)
	if _, err := kept.file.Write(data); err != nil {
		return err
	}
	if err := kept.file.Sync(); err != nil {
		return err
	}
	syncFolder(dir)
	var result error
	err = m.guard.keep(kept, func() error {
		result = m.overwriteMbox(dir, base, f, info, data, out)
		if errors.Is(result, errDamaged) {
			result = fmt.Errorf("%w; what it was is in %s", result, shown(filepath.Join(filepath.Dir(name), kept.name)))
			return nil // the copy stays
		}
		return errNotKept
	})
	if err != errNotKept && err != nil {
		return err // nothing was begun
	}
	return result
}

// overwriteMbox is [overwrite] unless the program is to end, or a program that takes no lock has changed the mbox meanwhile.
func (m *mailRun) overwriteMbox(dir *os.Root, base string, f *os.File, info fs.FileInfo, old, data []byte) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	now, err := sameMbox(dir, base, f, info)
	if err != nil {
		return err
	}
	if now.Size() != int64(len(old)) || !now.ModTime().Equal(info.ModTime()) {
		return errChanged
	}
	return overwrite(f, old, data)
}

// errNotKept says that the copy of an mbox is not needed any more.
var errNotKept = errors.New("not needed any more")

// sameMbox returns what is known of an open mbox, if it is still the file that old was said of, under its name.
func sameMbox(dir *os.Root, base string, f *os.File, old fs.FileInfo) (fs.FileInfo, error) {
	now, err := f.Stat()
	if err != nil {
		return nil, err
	}
	there, err := dir.Lstat(base)
	if err != nil {
		return nil, err
	}
	if !there.Mode().IsRegular() || !os.SameFile(now, old) || !os.SameFile(now, there) {
		return nil, errChanged
	}
	return now, nil
}

// errDamaged is the error for an mbox that could neither be written nor get back what it was.
var errDamaged = errors.New("is damaged")

// A mboxFile is what [overwrite] needs of a file.
type mboxFile interface {
	io.WriterAt
	Truncate(int64) error
	Sync() error
}

// overwrite makes a file that holds old hold data instead. If it cannot, the file holds old again, or the error is an errDamaged.
//
// What is longer is written first: when there is no room for it, nothing else has changed.
func overwrite(f mboxFile, old, data []byte) error {
	first := 0
	for first < min(len(old), len(data)) && old[first] == data[first] {
		first++
	}
	middle := max(first, min(len(old), len(data)))
	write := func(at int, b []byte) error {
		if len(b) == 0 {
			return nil
		}
		_, err := f.WriteAt(b, int64(at))
		return err
	}
	err := write(middle, data[middle:])
	if err == nil {
		err = write(first, data[first:middle])
	}
	if err == nil && len(data) < len(old) {
		err = f.Truncate(int64(len(data)))
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		return nil
	}
	back := write(first, old[first:])
	if back == nil {
		back = f.Truncate(int64(len(old)))
	}
	if back == nil {
		back = f.Sync()
	}
	if back != nil {
		return fmt.Errorf("%w: %w; writing it back: %w", errDamaged, cause(err), cause(back))
	}
	return fmt.Errorf("left as it was: %w", cause(err))
}

// syncFolder makes the names in a folder outlast a crash of the machine, where that can be asked for.
func syncFolder(dir *os.Root) {
	if d, err := dir.Open("."); err == nil {
		d.Sync()
		d.Close()
	}
}

// deliver writes a message to the folder tmp of a Maildir, and moves it to name, with the mode and owner of the message old that it
// takes the place of. Both are named by their paths from the Maildir on.
func (m *mailRun) deliver(maildir, name string, data []byte, old string, info fs.FileInfo) error {
	dir, err := os.OpenRoot(maildir)
	if err != nil {
		return err
	}
	defer dir.Close()
	src, err := dir.OpenFile(old, openFlags, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	o := output{ctx: m.ctx, guard: m.guard, dir: dir, name: name, temps: "tmp"}
	return o.put(data, func(f *os.File) error {
		if err := keep(f, src, info); err != nil {
			return err
		}
		if err := dir.Chtimes(filepath.Join(o.temps, filepath.Base(f.Name())), time.Time{}, info.ModTime()); err != nil { // when it came
			return err
		}
		return nil
	}, func() error {
		_, err := dir.Lstat(old) // it may have been moved or deleted
		return err
	})
}

// isMaildir reports whether a name is that of a Maildir.
func isMaildir(name string) bool {
	for _, sub := range []string{"cur", "new"} {
		if info, err := os.Stat(filepath.Join(name, sub)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// maildir does the messages of a Maildir.
func (m *mailRun) maildir(dir string) error {
	if !m.f.write && !m.f.explain && !m.f.check && !m.f.diff {
		return errors.New("is a Maildir: want -w, --check, --explain or -d")
	}
	if m.f.write {
		if info, err := os.Stat(filepath.Join(dir, "tmp")); err != nil || !info.IsDir() {
			return errors.New("is a Maildir without its folder tmp, in which new messages are written")
		}
	}
	for _, sub := range []string{"new", "cur"} {
		entries, err := os.ReadDir(filepath.Join(dir, sub))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := m.ctx.Err(); err != nil {
				return err
			}
			if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			name := filepath.Join(dir, sub, e.Name())
			if err := m.maildirMessage(dir, sub, e.Name()); err != nil {
				var code exitCode
				if errors.As(err, &code) {
					return err
				}
				m.maildirError(name, err)
			}
		}
	}
	return nil
}

// maildirError reports an error about a message, unless somebody has read or deleted it meanwhile.
func (m *mailRun) maildirError(name string, err error) {
	if _, gone := os.Lstat(name); errors.Is(err, fs.ErrNotExist) && errors.Is(gone, fs.ErrNotExist) {
		return
	}
	report(m.c, name, err)
	m.failed = true
}

// maildirMessage does one message. A message of a Maildir never changes under its name, as programs remember what it was: a new
// one takes its place.
func (m *mailRun) maildirMessage(dir, sub, base string) error {
	name := filepath.Join(dir, sub, base)
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	out, err := m.messages(name, data, false)
	if err != nil || !m.f.write || bytes.Equal(out, data) {
		return err
	}
	fresh := filepath.Join(sub, maildirName(base, out, time.Now()))
	if err := m.deliver(dir, fresh, out, filepath.Join(sub, base), info); err != nil {
		return err
	}
	err = os.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		// It was moved or deleted in the last moment: there must not be two.
		return os.Remove(filepath.Join(dir, fresh))
	}
	return err
}

// delivered counts the messages of this process, for their names.
var delivered int

// maildirName returns a new name for a message, with the sizes and flags of the old one.
func maildirName(old string, data []byte, now time.Time) string {
	unique, flags, _ := strings.Cut(old, ":")
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	host = strings.NewReplacer("/", `\057`, ":", `\072`, ",", "_").Replace(host)
	delivered++
	name := fmt.Sprintf("%d.M%dP%dQ%d.%s", now.Unix(), now.Nanosecond()/1000, os.Getpid(), delivered, host)
	fields := strings.Split(unique, ",")
	for _, f := range fields[1:] {
		switch {
		case strings.HasPrefix(f, "S="):
			f = "S=" + strconv.Itoa(len(data))
		case strings.HasPrefix(f, "W="):
			// The size with CRLF line ends.
			f = "W=" + strconv.Itoa(len(data)+bytes.Count(data, []byte("\n"))-bytes.Count(data, []byte("\r\n")))
		}
		name += "," + f
	}
	if len(flags) > 0 {
		name += ":" + flags
	}
	return name
}
