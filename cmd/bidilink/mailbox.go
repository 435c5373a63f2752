// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// separator is the first line of a message in an mbox: an address and a date. A text may have a line that begins with "From ", too.
var separator = regexp.MustCompile(`^From [^\r\n]*\d:\d\d[^\r\n]*\b(?:19|20)\d\d\b`)

// isMbox reports whether a file is an mbox.
func isMbox(data []byte) bool { return separator.Match(data[:min(len(data), 1000)]) }

// nextMessage returns where the message of an mbox after the one at an offset begins, or the end: behind a blank line.
func nextMessage(data []byte, at int) int {
	for {
		i := bytes.Index(data[at:], []byte("\nFrom "))
		if i < 0 {
			return len(data)
		}
		at += i + 1
		before := data[:at]
		blank := bytes.HasSuffix(before, []byte("\n\n")) || bytes.HasSuffix(before, []byte("\n\r\n"))
		if blank && separator.Match(data[at:min(len(data), at+1000)]) {
			return at
		}
	}
}

// hasLength reports whether the header of a message has a Content-Length or Lines field, by which some programs find its end.
func hasLength(msg []byte) bool {
	for line := range bytes.Lines(msg) {
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			return false
		}
		name, _, _ := bytes.Cut(line, []byte{':'})
		if bytes.EqualFold(name, []byte("Content-Length")) || bytes.EqualFold(name, []byte("Lines")) {
			return true
		}
	}
	return false
}

// replace puts what a file becomes in its place, if that is something else.
func (m *mailRun) replace(name string, info fs.FileInfo) (err error) {
	head := make([]byte, 1000)
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	n, _ := f.Read(head)
	f.Close()
	if isMbox(head[:n]) {
		unlock, err := m.lock(name)
		if err != nil {
			return err
		}
		defer unlock()
		if info, err = os.Lstat(name); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	out, err := m.messages(name, data, isMbox(data))
	if err != nil || bytes.Equal(out, data) {
		return err
	}
	return replaceFile(m.ctx, m.guard, name, out, info)
}

// lock makes the lock file of an mbox, as programs that deliver mail do.
func (m *mailRun) lock(name string) (unlock func(), err error) {
	dir, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	file := name + ".lock"
	l, err := m.guard.create(dir, filepath.Base(file), 0o600)
	if err != nil {
		dir.Close()
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("is locked: %s exists", shown(file))
		}
		return nil, err
	}
	return func() {
		m.guard.remove(l)
		dir.Close()
	}, nil
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
			if err := m.maildirMessage(dir, sub, e.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) { // somebody has read or deleted it
				var code exitCode
				if errors.As(err, &code) {
					return err
				}
				report(m.c, name, err)
				m.failed = true
			}
		}
	}
	return nil
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
	out, err := m.message(name, data, m.o)
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
