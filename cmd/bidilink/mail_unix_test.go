// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ended runs the program to its end and returns what it wrote to standard error and its exit code.
func ended(t *testing.T, args ...string) (string, int) {
	t.Helper()
	p, errs := start(t, args...)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(errs)
	if err != nil {
		t.Fatal(err)
	}
	p.Wait()
	return string(said), p.ProcessState.ExitCode()
}

// Standard input and output that are not open are errors of the filter: else the message would be empty, or lost. The null device is neither if a
// shell opens it.
func TestMailNotOpen(t *testing.T) {
	inFolder(t, map[string]string{"a.eml": mailText})
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string // for the shell
		code int
		errs string
	}{
		{`"$0" mail <a.eml >&-`, 2, "bidilink: standard output is not open\n"}, {`"$0" mail --tempfail <a.eml >&-`, 75, "bidilink: standard output is not open\n"},
		{`"$0" mail <&-`, 2, "bidilink: standard input is not open\n"}, {`"$0" mail --tempfail <&-`, 75, "bidilink: standard input is not open\n"},
		{`"$0" mail --mbox <&-`, 2, "bidilink: -: standard input is not open\n"}, {`"$0" mail --mbox --tempfail <a.eml >&-`, 75, "bidilink: standard output is not open\n"},
		{`"$0" mail --explain - <&-`, 2, "bidilink: -: standard input is not open\n"}, {`"$0" mail a.eml >&-`, 2, "bidilink: standard output is not open\n"},
		{`"$0" mail <a.eml >/dev/null`, 0, ""}, {`"$0" mail </dev/null`, 0, ""}, {`"$0" mail -w a.eml <&- >&-`, 0, ""},
	} {
		p := exec.Command("sh", "-c", c.line, program)
		p.Env = append(os.Environ(), asProgram+"=1")
		var out, errs strings.Builder
		p.Stdout, p.Stderr = &out, &errs
		p.Run()
		if code := p.ProcessState.ExitCode(); code != c.code || errs.String() != c.errs || out.Len() > 0 {
			t.Errorf("%s: exit %d, %q, %q", c.line, code, errs.String(), out.String())
		}
	}
}

// An mbox whose lock of fcntl another process has is left alone. Without it, the file is written, and is the one it was: who
// waits for its lock has it open.
func TestMboxLock(t *testing.T) {
	inFolder(t, map[string]string{"box": mailboxOf(mailText)})
	f, err := os.OpenFile("box", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := lockFile(f); err != nil {
		t.Fatal(err)
	}
	if errs, code := ended(t, "mail", "-w", "box"); code != exitError || errs != "bidilink: box: is locked by another program\n" {
		t.Errorf("locked: exit %d, %q", code, errs)
	}
	sameTree(t, ".", map[string]string{"box": mailboxOf(mailText)})
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_UNLCK}); err != nil {
		t.Fatal(err)
	}
	if errs, code := ended(t, "mail", "-w", "box"); code != 0 || errs != "" {
		t.Errorf("exit %d, %q", code, errs)
	}
	sameTree(t, ".", map[string]string{"box": mailboxOf(mailLinked)})
	if after, err := os.Stat("box"); err != nil || !os.SameFile(before, after) {
		t.Errorf("another file is in its place: %v", err)
	}
}

// No message is lost that another program appends under one of the two locks while the mbox is written, again and again.
func TestMboxWriters(t *testing.T) {
	const messages = 150
	message := func(i int) string { return mailboxOf(fmt.Sprintf("X-Number: %d\n%s", i, mailText)) }
	write := func(i int, lock func(*os.File) error) error {
		f, err := os.OpenFile("box", os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := lock(f); err != nil {
			return err
		}
		_, err = f.WriteString(message(i))
		return err
	}
	for name, deliver := range map[string]func(i int) error{
		"lock file": func(i int) error {
			l, err := os.OpenFile("box.lock", os.O_CREATE|os.O_EXCL, 0o600)
			for errors.Is(err, fs.ErrExist) {
				time.Sleep(time.Millisecond)
				l, err = os.OpenFile("box.lock", os.O_CREATE|os.O_EXCL, 0o600)
			}
			if err != nil {
				return err
			}
			l.Close()
			return errors.Join(write(i, func(*os.File) error { return nil }), os.Remove("box.lock"))
		},
		"fcntl": func(i int) error {
			return write(i, func(f *os.File) error {
				for {
					err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLKW, &syscall.Flock_t{Type: syscall.F_WRLCK})
					if err != syscall.EINTR {
						return err
					}
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			inFolder(t, map[string]string{"box": mailboxOf(mailText)})
			done := make(chan error, 1)
			go func() {
				for i := range messages {
					if err := deliver(i); err != nil {
						done <- err
						return
					}
					time.Sleep(2 * time.Millisecond)
				}
				done <- nil
			}()
			wrote := 0
			for running := true; running; {
				select {
				case err := <-done:
					if err != nil {
						t.Fatal(err)
					}
					running = false
				default:
					switch errs, code := ended(t, "mail", "-w", "box"); {
					case code == 0:
						wrote++
					case code != exitError || !strings.Contains(errs, "is locked") && !strings.Contains(errs, "changed by another program"):
						t.Fatalf("exit %d, %s", code, errs)
					}
				}
			}
			if errs, code := ended(t, "mail", "-w", "box"); code != 0 {
				t.Errorf("exit %d, %s", code, errs)
			}
			if wrote == 0 {
				t.Error("never written while the other program did")
			}
			want := mailboxOf(mailLinked)
			for i := range messages {
				want += strings.ReplaceAll(message(i), mailText, mailLinked)
			}
			if got, err := os.ReadFile("box"); err != nil || string(got) != want {
				t.Errorf("%v: %d of %d messages", err, strings.Count(string(got), "\nX-Number: "), messages)
			}
			sameTree(t, ".", map[string]string{"box": want})
		})
	}
}
