// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// longNames returns n pages whose names are so long that the messages about a hundred fill a pipe: a program whose messages nobody reads comes no further.
func longNames(n int) map[string]string {
	files := map[string]string{}
	long := strings.Repeat("x", 200)
	for i := range n {
		files[fmt.Sprintf("s/%d/%s/%s/%s%d.html", i%2, long, long, long, i)] = plainPage
	}
	return files
}

// After a signal in the middle of its work, the program leaves no temporary file, its output has whole records, about the files that were written and no
// others, it says how many files are left, and another run writes only those.
func TestSiteSignalAndResume(t *testing.T) {
	for _, c := range []struct {
		mode []string
		dir  string
		sig  os.Signal
	}{
		{[]string{"-w", "-l"}, "s", os.Interrupt}, {[]string{"-w", "-d"}, "s", syscall.SIGTERM}, {[]string{"-w", "--json"}, "s", os.Interrupt}, {[]string{"-o", "out", "-l"}, "out", os.Interrupt},
	} {
		files := longNames(300)
		inSite(t, files)
		p, _ := start(t, append([]string{"html", "s"}, c.mode...)...)
		var errs bytes.Buffer
		p.Stderr = &errs
		stdout, err := p.StdoutPipe()
		if err == nil {
			err = p.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(stdout)
		var out strings.Builder
		for range 20 {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			out.WriteString(line)
		}
		if err := p.Process.Signal(c.sig); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&out, lines); err != nil {
			t.Fatal(err)
		}
		p.Wait()
		if code := p.ProcessState.ExitCode(); code != exitError {
			t.Errorf("%q: exit %d", c.mode, code)
		}
		var changed, seen, links, done, left int
		if _, err := fmt.Sscanf(errs.String(), "bidilink: %d of %d files changed, %d links\nbidilink: interrupted; each file is either done or as it was: %d done, %d left\n", &changed, &seen, &links, &done, &left); err != nil ||
			changed != done || seen != done || done+left != len(files) || left == 0 {
			t.Errorf("%q: %v, %s", c.mode, err, errs.String())
		}
		rest := out.String()
		now := tree(t, c.dir)
		written := 0
		for name := range files {
			switch data := now[strings.TrimPrefix(name, "s/")]; {
			case data == linkedPage:
				written++
				record := name + "\n"
				switch c.mode[len(c.mode)-1] {
				case "-d":
					record = string(appendDiff(nil, name, []byte(plainPage), []byte(linkedPage)))
				case "--json":
					r := result{page: page{name: name}, changed: true}
					r.stats.Links = 1
					record = string(r.appendJSON(nil))
				}
				if before, after, ok := strings.Cut(rest, record); ok {
					rest = before + after
				} else {
					t.Errorf("%q: written, and not in the output: %s", c.mode, name)
				}
			case data != plainPage && (c.dir == "s" || data != ""):
				t.Errorf("%q: %s: %q", c.mode, name, data)
			}
		}
		if rest != "" || written != done {
			t.Errorf("%q: %d written, %d done, and the output also has %.500q", c.mode, written, done, rest)
		}
		noTemporaryFiles(t, ".")
		before := infos(t, c.dir)
		if _, errs, code := command("", append([]string{"html", "-q", "s"}, c.mode[:len(c.mode)-1]...)...); errs != "" || code != 0 {
			t.Errorf("%q again: exit %d, %s", c.mode, code, errs)
		}
		for name, info := range infos(t, c.dir) {
			if old := before[name]; now[name] == linkedPage && (!os.SameFile(old, info) || !old.ModTime().Equal(info.ModTime())) {
				t.Errorf("%q again: %s was written again", c.mode, name)
			}
		}
		for name, data := range tree(t, c.dir) {
			if data != linkedPage {
				t.Errorf("%q again: %s: %q", c.mode, name, data)
			}
		}
	}
}

// A program that is killed leaves each file as it was or done; another run finishes the work, and removes the temporary files.
func TestSiteKilled(t *testing.T) {
	for _, mode := range [][]string{{"-w"}, {"-o", "out"}} {
		inSite(t, longNames(150))
		dir := "s"
		if len(mode) > 1 {
			dir = mode[1]
		}
		temps := 0
		for i := range 8 {
			p, _ := start(t, append([]string{"html", "-l", "s"}, mode...)...)
			stdout, err := p.StdoutPipe()
			if err == nil {
				err = p.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 { // the last ones kill at the beginning of the work
				bufio.NewReader(stdout).ReadString('\n')
			} else {
				time.Sleep(time.Duration(i) * 2 * time.Millisecond) // wherever it is by then
			}
			p.Process.Kill()
			p.Wait()
			for name, data := range tree(t, ".") {
				switch {
				case isTemp(filepath.Base(name)):
					temps++
				case data != plainPage && data != linkedPage:
					t.Fatalf("%q: %s: %q", mode, name, data)
				}
			}
		}
		t.Logf("%q: %d temporary files in 8 runs", mode, temps)
		store(t, dir+"/.bidilink-tmp-AAAAAAAAAAAAAAAAAAAAAAAAAA", "left") // there need not be one
		if _, errs, code := command("", append([]string{"html", "-q", "s"}, mode...)...); errs != "" || code != 0 {
			t.Errorf("%q: exit %d, %q", mode, code, errs)
		}
		got := tree(t, dir)
		for name, data := range got {
			if data != linkedPage {
				t.Errorf("%q: %s: %q", mode, name, data)
			}
		}
		if len(got) != 150 {
			t.Errorf("%q: %d files", mode, len(got))
		}
	}
}

// A second signal ends the program at once, also while nobody reads what it says, and no temporary file is left.
func TestSiteSecondSignal(t *testing.T) {
	files := longNames(300)
	inSite(t, files)
	p, errs := start(t, "html", "-w", "-v", "s")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReaderSize(errs, 16).ReadSlice('\n'); err == nil {
		t.Errorf("%q", line) // it is longer than that
	}
	if err := errors.Join(p.Process.Signal(os.Interrupt), p.Process.Signal(syscall.SIGTERM)); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	if st, ok := p.ProcessState.Sys().(syscall.WaitStatus); !ok || !st.Signaled() {
		t.Errorf("ended by %v", p.ProcessState)
	}
	for name, data := range tree(t, ".") {
		if data != plainPage && data != linkedPage || len(name) < 200 {
			t.Errorf("%s: %q", name, data)
		}
	}
}

// Each file that cannot be written is named with the cause, the others are written, and nothing else changes.
func TestSiteManyTroubles(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("this user may write everything")
	}
	inSite(t, map[string]string{"s/closed/a.html": plainPage, "s/fixed/a.html": plainPage, "s/unread/a.html": plainPage, "s/z/a.html": plainPage, "s/z/secret.html": plainPage, "s/z/a\nb.html": plainPage})
	if err := errors.Join(os.Chmod("s/closed", 0o000), os.Chmod("s/fixed", 0o555), os.Chmod("s/unread", 0o300), os.Chmod("s/z/secret.html", 0o000)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := errors.Join(os.Chmod("s/closed", 0o700), os.Chmod("s/fixed", 0o700), os.Chmod("s/unread", 0o700)); err != nil {
			t.Error(err)
		}
	}()
	_, errs, code := command("", "html", "-w", "s")
	const want = `bidilink: s/closed: permission denied
bidilink: s/fixed/a.html: not written: permission denied
bidilink: s/unread: permission denied
bidilink: s/z/secret.html: permission denied
bidilink: 2 of 6 files changed, 2 links, 4 in error
`
	if errs != want || code != exitError {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// A file that is not one that we have left is not removed, though it has such a name.
func TestSweepRefuses(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage, "mine": "mine"})
	link := "s/" + tempPrefix + rand.Text()
	hard, hard2 := leftBehind(t, "s"), "s/hard"
	pipe := "s/" + tempPrefix + rand.Text()
	if err := errors.Join(os.Symlink("a.html", link), os.Link(hard, hard2), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	names := []string{link, hard, hard2, pipe}
	_, errs, code := command("", "html", "-w", "-v", "s")
	if code != 0 || strings.Contains(errs, "temporary") {
		t.Errorf("exit %d, %q", code, errs)
	}
	for _, name := range names {
		if _, err := os.Lstat(name); err != nil {
			t.Error(err)
		}
	}
	// Whose it is.
	info, err := os.Lstat("mine")
	if err != nil {
		t.Fatal(err)
	}
	other := *info.Sys().(*syscall.Stat_t)
	other.Uid++
	if !ownFile(info) || ownFile(ownedBy{info, &other}) != (os.Geteuid() == 0) {
		t.Errorf("ownFile: %v, of another %v", ownFile(info), ownFile(ownedBy{info, &other}))
	}
}

// Only the superuser removes temporary files of others.
func TestSweepOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("this user cannot make files of others")
	}
	inSite(t, nil)
	dir, err := os.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := os.Chmod(".", 0o777); err != nil {
		t.Fatal(err)
	}
	const own, other = 65534, 65533
	for _, c := range []struct {
		us, owner int
		removed   bool
	}{{own, own, true}, {own, other, false}, {own, 0, false}, {0, other, true}} {
		name := filepath.Base(leftBehind(t, "."))
		if err := errors.Join(os.Chmod(name, 0o644), os.Chown(name, c.owner, -1), syscall.Seteuid(c.us)); err != nil {
			t.Fatal(err)
		}
		removed := (&guard{}).sweep(dir, name)
		if err := syscall.Seteuid(0); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(name); removed != c.removed || (err != nil) != c.removed {
			t.Errorf("user %d, file of %d: removed %v, %v", c.us, c.owner, removed, err)
		}
	}
}

// ownedBy is what is said of a file, with an owner of its own.
type ownedBy struct {
	fs.FileInfo
	sys any
}

func (o ownedBy) Sys() any { return o.sys }

// Folders in folders take no more files that are open at once than the system allows.
func TestSiteDeepFewFiles(t *testing.T) {
	files, want := map[string]string{}, map[string]string{}
	dir := ""
	for i := range 300 {
		dir += "m/"
		if i%30 != 29 {
			continue // each file is waited for
		}
		for _, name := range []string{"a.html", "z.html"} {
			files[dir+name], want[dir+name] = plainPage, linkedPage
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	storeIn(t, "s", files)
	for _, mode := range []string{"-o out", "-w"} {
		p := exec.Command("sh", "-c", "ulimit -n 128 && exec \"$0\" html -q -j 2 "+mode+" s", program)
		p.Env = append(os.Environ(), asProgram+"=1")
		if out, err := p.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.2000s", mode, err, out)
		}
	}
	sameTree(t, "s", want)
	sameTree(t, "out", want)
}
