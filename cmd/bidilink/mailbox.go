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
		unlock, err := lock(name)
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
	return replace(m.ctx, name, out, info)
}

// lock makes the lock file of an mbox, as programs that deliver mail do.
func lock(name string) (unlock func(), err error) {
	file := name + ".lock"
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("is locked: %s exists", shown(file))
	} else if err != nil {
		return nil, err
	}
	f.Close()
	return func() { os.Remove(file) }, nil
}

// deliver writes a message to the folder tmp of a Maildir, and moves it to name, with the mode and owner of the message old that it
// takes the place of.
func deliver(dir, name string, data []byte, old string, info fs.FileInfo) (err error) {
	f, err := os.CreateTemp(filepath.Join(dir, "tmp"), tempPattern)
	if err != nil {
		return err
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if _, err = f.Write(data); err == nil {
		err = keep(f, old, info)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chtimes(temp, time.Time{}, info.ModTime()) // when it came
	}
	if err == nil {
		_, err = os.Lstat(old) // it may have been moved or deleted
	}
	if err != nil {
		return err
	}
	return os.Rename(temp, name)
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
	fresh := filepath.Join(dir, sub, maildirName(base, out, time.Now()))
	if err := deliver(dir, fresh, out, name, info); err != nil {
		return err
	}
	err = os.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		// It was moved or deleted in the last moment: there must not be two.
		return os.Remove(fresh)
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
