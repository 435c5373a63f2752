// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asProgram is the environment variable that makes the test binary the program itself.
const asProgram = "BIDILINK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestSiteLinks(t *testing.T) {
	inSite(t, map[string]string{
		"out/x.html": plainPage, "s/data/page.txt": plainPage, "s/b/x.html": plainPage, "s/drafts/y.txt": plainPage, "s/real.html": plainPage,
	})
	for name, target := range map[string]string{
		"s/in.html": "data/page.txt", "s/in2.html": "data/page.txt", "s/same.html": "real.html", "s/out.html": "../out/x.html", "s/folder": "b", "s/away": "../out",
		"s/lost.html": "nowhere", "s/image.png": "../out/x.html", "s/draft.html": "drafts/y.txt", "s/round.html": "round.html", "current": "s", "file.html": "out/x.html",
	} {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	abs, err := filepath.Abs("s/real.html")
	if err == nil {
		err = os.Symlink(abs, "s/absolute.html")
	}
	if err != nil {
		t.Fatal(err)
	}
	const messages = `bidilink: current/away: left alone: a symbolic link that leads out of the folder
bidilink: current/draft.html: left alone: a symbolic link to an excluded file
bidilink: current/lost.html: left alone: a symbolic link that leads nowhere
bidilink: current/out.html: left alone: a symbolic link that leads out of the folder
bidilink: current/round.html: left alone: a symbolic link that leads nowhere
`
	out, errs, code := command("", "html", "-o", "mirror", "--exclude", "drafts", "current")
	if out != "" || errs != messages+"bidilink: 6 of 12 files changed, 6 links, 5 left alone\n" || code != 0 {
		t.Errorf("-o: exit %d, %q\n%s", code, out, errs)
	}
	sameTree(t, "mirror", map[string]string{
		"absolute.html": linkedPage, "b/x.html": linkedPage, "in.html": linkedPage, "in2.html": linkedPage, "real.html": linkedPage, "same.html": linkedPage,
	})
	out, errs, code = command("", "html", "-w", "-l", "--exclude", "drafts", "current")
	if out != "current/b/x.html\ncurrent/in.html\ncurrent/real.html\n" || errs != messages+"bidilink: 3 of 9 files changed, 3 links, 5 left alone\n" || code != 0 {
		t.Errorf("-w: exit %d, %q\n%s", code, out, errs)
	}
	got := tree(t, ".")
	for name, want := range map[string]string{
		"out/x.html": plainPage, "s/data/page.txt": linkedPage, "s/b/x.html": linkedPage, "s/drafts/y.txt": plainPage, "s/real.html": linkedPage,
		"s/in.html": "link to data/page.txt", "s/same.html": "link to real.html", "current": "link to s",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	// A link that is an argument: its folder counts for writing, and nothing for reading.
	if _, errs, code := command("", "html", "-w", "s/out.html"); errs != "bidilink: s/out.html: left alone: a symbolic link that leads out of the folder\nbidilink: 0 of 1 file changed, 0 links, 1 in error\n" || code != exitError {
		t.Errorf("a link by name: exit %d, %q", code, errs)
	}
	if out, _, code := command("", "html", "s/out.html"); out != linkedPage || code != 0 {
		t.Errorf("a link, to standard output: exit %d, %q", code, out)
	}
	if _, errs, code := command("", "html", "-w", "-q", "file.html"); errs != "" || code != 0 {
		t.Errorf("a link within its folder: exit %d, %q", code, errs)
	}
	if got := tree(t, "."); got["file.html"] != "link to out/x.html" || got["out/x.html"] != linkedPage {
		t.Errorf("a link within its folder: %q", got)
	}
	if _, errs, code := command("", "html", "-w", "-v", "s"); code != 0 || !strings.Contains(errs, "s/folder: left alone: a symbolic link to a folder") {
		t.Errorf("-v: exit %d, %q", code, errs)
	}
}

func TestSiteUnusualFiles(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage, "s/hard.html": plainPage, "s/ok.html": plainPage})
	if err := errors.Join(syscall.Mkfifo("s/pipe.html", 0o600), syscall.Mkfifo("s/pipe", 0o600), os.Link("s/hard.html", "s/hard2.html"), os.Link("s/hard.html", "elsewhere"), os.Mkdir("s/dir.html", 0o700)); err != nil {
		t.Fatal(err)
	}
	const left = "s/hard.html: left alone: a file with 3 hard links, which would come apart"
	const messages = "bidilink: " + left + "\nbidilink: s/hard2.html: left alone: a file with 3 hard links, which would come apart\nbidilink: s/pipe.html: left alone: a named pipe\n"
	out, errs, code := command("", "html", "--check", "s")
	if out != "" || errs != messages+"bidilink: 2 of 5 files would change, 2 links, 3 left alone\n" || code != exitFound {
		t.Errorf("--check: exit %d, %q, %q", code, out, errs)
	}
	out, errs, code = command("", "html", "-w", "s")
	if out != "" || errs != messages+"bidilink: 2 of 5 files changed, 2 links, 3 left alone\n" || code != 0 {
		t.Errorf("-w: exit %d, %q, %q", code, out, errs)
	}
	for name, want := range map[string]string{"s/a.html": linkedPage, "s/ok.html": linkedPage, "s/hard.html": plainPage, "elsewhere": plainPage} {
		if got, _ := os.ReadFile(name); string(got) != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if _, errs, code := command("", "html", "-w", "s/hard.html", "s/pipe.html", "/dev/null"); code != exitError || !strings.Contains(errs, "bidilink: "+left+"\n") || !strings.Contains(errs, "pipe.html: left alone: a named pipe\n") ||
		!strings.Contains(errs, "/dev/null: left alone: a device\n") {
		t.Errorf("by name: exit %d, %q", code, errs)
	}
	// Copies come apart anyway.
	if _, errs, code := command("", "html", "-o", "out", "-q", "s"); code != 0 || errs != "" {
		t.Errorf("-o: exit %d, %q", code, errs)
	}
	if got, _ := os.ReadFile("out/hard.html"); string(got) != linkedPage {
		t.Errorf("-o: %q", got)
	}
}

func TestSiteKeepsMode(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage, "s/b.html": plainPage, "s/c.html": plainPage})
	if err := errors.Join(os.Chmod("s/a.html", 0o604), os.Chmod("s/b.html", 0o755), os.Chmod("s/c.html", 0o400)); err != nil {
		t.Fatal(err)
	}
	root := os.Geteuid() == 0
	if root {
		if err := errors.Join(os.Chown("s/a.html", 1234, 4321), os.Chown("s/c.html", -1, 77)); err != nil {
			t.Fatal(err)
		}
	}
	// A file that nobody may write to is left alone, unless the user insists; if it would not change, there is nothing to say.
	before, err := os.Stat("s/c.html")
	if err != nil {
		t.Fatal(err)
	}
	store(t, "s/d.html", linkedPage)
	if err := os.Chmod("s/d.html", 0o444); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := command("", "html", "-w", "-q", "s"); code != exitError || errs != "bidilink: s/c.html: not written: is read-only; --force replaces such files, too\n" {
		t.Errorf("read-only: exit %d, %q", code, errs)
	}
	if after, err := os.Stat("s/c.html"); err != nil || !os.SameFile(before, after) {
		t.Errorf("a read-only file was replaced: %v", err)
	}
	if _, errs, code := command("", "html", "-w", "-q", "--force", "s"); code != 0 || errs != "" {
		t.Fatalf("exit %d, %q", code, errs)
	}
	for name, mode := range map[string]os.FileMode{"s/a.html": 0o604, "s/b.html": 0o755, "s/c.html": 0o400} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
			continue
		}
		st := info.Sys().(*syscall.Stat_t)
		if root && (name == "s/a.html" && (st.Uid != 1234 || st.Gid != 4321) || name == "s/c.html" && st.Gid != 77) {
			t.Errorf("%s: owner %d, group %d", name, st.Uid, st.Gid)
		}
		if data, _ := os.ReadFile(name); string(data) != linkedPage {
			t.Errorf("%s: %q", name, data)
		}
	}
}

// A folder that cannot be written to.
func TestSiteNotWritable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("this user may write everything")
	}
	inSite(t, map[string]string{"s/a/x.html": plainPage, "s/b.html": plainPage})
	if err := os.Chmod("s/a", 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod("s/a", 0o700)
	_, errs, code := command("", "html", "-w", "s")
	if code != exitError || !strings.Contains(errs, "bidilink: s/a/x.html: not written: ") {
		t.Errorf("exit %d, %q", code, errs)
	}
	sameTree(t, "s", map[string]string{"a/x.html": plainPage, "b.html": linkedPage})
}

// A signal in the middle of the work leaves each file as it was or done, and nothing else.
func TestSiteInterrupted(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Repeat("<p>Some text, and http://example.com/ש in it.\n", 2000)
	after, _, _ := command(before, "html", "-q")
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		files := map[string]string{}
		for i := range 60 {
			files[fmt.Sprintf("s/%d/%d.html", i%7, i)] = before
		}
		inSite(t, files)
		p := exec.Command(program, "html", "-w", "-v", "-j", "2", "s")
		p.Env = append(os.Environ(), asProgram+"=1")
		stderr, err := p.StderrPipe()
		if err == nil {
			err = p.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(stderr)
		if first, err := lines.ReadString('\n'); err != nil || !strings.Contains(first, "2000 links") {
			t.Errorf("%v: %q, %v", sig, first, err)
		}
		if err := p.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(lines)
		p.Wait()
		if code := p.ProcessState.ExitCode(); code != exitError || !strings.Contains(string(rest), "\nbidilink: interrupted;") {
			t.Errorf("%v: exit %d, %q", sig, code, rest)
		}
		done := 0
		got := tree(t, ".")
		for name, data := range got {
			switch data {
			case before:
			case after:
				done++
			default:
				t.Errorf("%v: %s: %d bytes", sig, name, len(data))
			}
		}
		if len(got) != len(files) || done == 0 || done == len(files) {
			t.Errorf("%v: %d files, %d done", sig, len(got), done)
		}
	}
}

// A list that is no longer read must not end the writing, nor leave a temporary file.
func TestSiteNobodyReads(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("s/%d.html", i)] = plainPage
	}
	inSite(t, files)
	p := exec.Command(program, "html", "-w", "-l", "-q", "s")
	p.Env = append(os.Environ(), asProgram+"=1")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stdout = w
	r.Close()
	if err := p.Run(); err != nil {
		t.Error(err)
	}
	w.Close()
	for name, data := range tree(t, ".") {
		if data != linkedPage {
			t.Errorf("%s: %q", name, data)
		}
	}
}
