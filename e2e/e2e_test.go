// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/e2e/mta"
)

// program is the command bidilink, if the tests run.
var program string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if !enabled() {
		return m.Run()
	}
	dir, err := mta.TempDir()
	if err == nil {
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "bidilink")
		err = mta.Build(program)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return m.Run()
}

func enabled() bool { return os.Getenv("BIDILINK_MTA") == "1" }

// need skips the test unless BIDILINK_MTA=1, and fails without root or one of the programs.
func need(t *testing.T, programs ...string) {
	t.Helper()
	if !enabled() {
		t.Skip("BIDILINK_MTA=1 is not set: tests with mail servers are to be asked for")
	}
	if os.Getuid() != 0 {
		t.Fatal("BIDILINK_MTA=1, but the user is not root, as Postfix has to be started")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("BIDILINK_MTA=1, but %v", err)
		}
	}
}

// tempDir is t.TempDir for a folder that every user can look into.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := mta.TempDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// postfix starts Postfix, until the end of the test.
func postfix(t *testing.T, c mta.Config) *mta.Postfix {
	t.Helper()
	p, err := mta.StartPostfix(filepath.Join(tempDir(t), "postfix"), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Errorf("Postfix: %v", err)
		}
		if t.Failed() {
			log := p.Log()
			t.Logf("the log of Postfix:\n%s", log[max(0, len(log)-8000):])
		}
	})
	return p
}

// write makes a file.
func write(t *testing.T, name, content string, mode os.FileMode) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
	return name
}

// compare fails if two messages are not the same.
func compare(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	from := max(0, at-60)
	t.Errorf("%s: %d bytes, want %d; from byte %d on\n got %.300q\nwant %.300q", what, len(got), len(want), from, got[from:], want[from:])
}

// message returns an HTML message, with LF, that has a header field with the given text, and what it becomes.
func message(subject string) (before, after string) {
	header := "Subject: " + subject + "\nFrom: a@example.test\nTo: u@example.test\nMessage-ID: <1@example.test>\n" +
		"Date: Sat, 21 Nov 2026 10:00:00 +0000\nX-Odd:no  blank \nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
	before = header + "<p>See http://example.com/x,\n. and .. \n..\n<i>www.example.org</i>.</p>  \n\n<p>כן</p>\n"
	after = strings.Replace(before, "http://example.com/x,", `<a href="http://example.com/x">http://example.com/x</a>,`, 1)
	after = strings.Replace(after, "www.example.org", `<a href="https://www.example.org">www.example.org</a>`, 1)
	return before, after
}

func crlf(s string) []byte { return mta.CRLF([]byte(s)) }

// command runs a program with a message as its standard input, and returns its standard output.
func command(t *testing.T, stdin string, name string, args ...string) []byte {
	t.Helper()
	c := exec.Command(name, args...)
	c.Stdin = strings.NewReader(stdin)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, errs.Bytes())
	}
	return out
}

// one returns the one file that a pattern names.
func one(t *testing.T, pattern string) []byte {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) != 1 {
		t.Fatalf("%s: %d files, want one (%v)", pattern, len(names), err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}
