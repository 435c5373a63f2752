// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Nothing is written through a symbolic link in the folder of the output, to an input or anywhere else.
func TestSiteToFolderStaysInside(t *testing.T) {
	inSite(t, map[string]string{"public/sub/p.html": plainPage, "public/in/p.html": plainPage, "public/etc/p.html": plainPage, "public/a.html": plainPage, "public/file/p.html": plainPage,
		"etc/p.html": "secret", "out/own/p.html": "own", "out/file": "a file"})
	if err := errors.Join(os.Symlink("../public/sub", "out/sub"), os.Symlink("../etc", "out/etc"), os.Symlink("own", "out/in"), os.Symlink("../etc/p.html", "out/a.html")); err != nil {
		t.Fatal(err)
	}
	_, errs, code := command("", "html", "-o", "out", "public")
	for _, name := range []string{"sub", "in", "etc"} {
		if !strings.Contains(errs, "/out/"+name+"/p.html: not written: its folder "+name+" is a symbolic link\n") {
			t.Errorf("nothing about %s", name)
		}
	}
	if code != exitError || !strings.Contains(errs, "/out/file/p.html: not written: its folder file is not a folder\n") || !strings.HasSuffix(errs, "1 of 5 files changed, 1 link, 4 in error\n") {
		t.Errorf("exit %d, %s", code, errs)
	}
	sameTree(t, ".", map[string]string{"public/sub/p.html": plainPage, "public/in/p.html": plainPage, "public/etc/p.html": plainPage, "public/a.html": plainPage, "public/file/p.html": plainPage,
		"etc/p.html": "secret", "out/own/p.html": "own", "out/file": "a file", "out/sub": "link to ../public/sub", "out/etc": "link to ../etc", "out/in": "link to own",
		"out/a.html": linkedPage})
}

// Folders get the modes of those that the pages come from.
func TestSiteToFolderModes(t *testing.T) {
	inSite(t, map[string]string{"s/open/a.html": plainPage, "s/secret/b/a.html": plainPage, "s/group/a.html": plainPage, "s/fixed/a.html": plainPage})
	want := map[string]fs.FileMode{"": 0o750, "/open": 0o755, "/secret": 0o700, "/secret/b": 0o755, "/group": 0o775, "/fixed": 0o555}
	for name, mode := range want {
		if err := os.Chmod("s"+name, mode); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod("s/fixed", 0o755)
	if _, errs, code := command("", "html", "-q", "-o", "new/out", "s"); errs != "" || code != 0 {
		t.Fatalf("exit %d, %q", code, errs)
	}
	want["/fixed"] = 0o755 // else nothing could be written to it
	for name, mode := range want {
		if info, err := os.Stat("new/out" + name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v, want %v", name, info.Mode(), err, mode)
		}
	}
}

// Between the search and the work, anything may take the place of a page or of a folder. Nothing outside is read or written, nor what
// is passed over, and nothing blocks.
func TestSiteChangedMeanwhile(t *testing.T) {
	const changed = "was changed by another program meanwhile"
	for _, c := range []struct {
		name string
		do   func() error
		want string
	}{
		{"a folder is a link that leads out", func() error { return errors.Join(os.Rename("s/z", "s/zz"), os.Symlink("../outside", "s/z")) }, "its folder z is a symbolic link"},
		{"a folder is a link that leads to a hidden one", func() error { return errors.Join(os.Rename("s/z", "s/zz"), os.Symlink(".git", "s/z")) }, "its folder z is a symbolic link"},
		{"another root", func() error {
			return errors.Join(os.Rename("s", "s2"), os.MkdirAll("s/z", 0o755), os.Rename("s2/z/p.html", "s/z/p.html"), os.Rename("s", "gone"))
		}, "no such file"},
		{"a link in the place of the root", func() error {
			return errors.Join(os.Mkdir("other", 0o755), os.Rename("outside", "other/z"), os.Rename("s", "s2"), os.Symlink("other", "s"))
		}, changed},
		{"a pipe in the place of a folder", func() error { return errors.Join(os.Rename("s/z", "s/zz"), syscall.Mkfifo("s/z", 0o600)) }, "its folder z is not a folder"},
		{"a link that leads out", func() error {
			return errors.Join(os.Remove("s/z/p.html"), os.Symlink("../../outside/p.html", "s/z/p.html"))
		}, "path escapes"},
		{"a link to a hidden file", func() error { return errors.Join(os.Remove("s/z/p.html"), os.Symlink("../.git/p.html", "s/z/p.html")) }, "path escapes"},
		{"a link to another file", func() error { return errors.Join(os.Remove("s/z/p.html"), os.Symlink("q.txt", "s/z/p.html")) }, changed},
		{"a pipe", func() error { return errors.Join(os.Remove("s/z/p.html"), syscall.Mkfifo("s/z/p.html", 0o600)) }, changed},
		{"a folder", func() error { return errors.Join(os.Remove("s/z/p.html"), os.Mkdir("s/z/p.html", 0o700)) }, changed},
		{"it has grown beyond the limit", func() error { return os.Truncate("s/z/p.html", 1<<20+1) }, "larger than --max-size"},
		{"nothing", func() error { return os.Remove("s/z/p.html") }, "no such file"},
	} {
		for _, out := range []string{"", "out"} {
			t.Run(fmt.Sprintf("%s, -o %q", c.name, out), func(t *testing.T) {
				inSite(t, map[string]string{"s/z/p.html": plainPage, "s/z/q.txt": plainPage, "s/.git/p.html": plainPage, "outside/p.html": plainPage})
				s := newSite(t, nil)
				s.inPlace, s.out = out == "", out
				list := s.after(t, func() {
					if err := c.do(); err != nil {
						t.Fatal(err)
					}
				}, "s")
				if len(list) != 1 || list[0].err == nil || !strings.Contains(list[0].err.Error(), c.want) {
					t.Errorf("%d results, %v", len(list), list[0].err)
				}
				for name, data := range tree(t, ".") {
					if strings.Contains(data, "<a ") || strings.HasPrefix(name, "out/") {
						t.Errorf("%s: %q", name, data)
					}
				}
			})
		}
	}
}

// What takes the place of a page, and is a file in a folder, too, is looked at instead of it.
func TestSiteReplacedMeanwhile(t *testing.T) {
	for name, do := range map[string]func() error{
		"another folder": func() error { return errors.Join(os.Rename("s/z", "gone"), os.Rename("outside", "s/z")) },
		"another file":   func() error { return os.Rename("outside/p.html", "s/z/p.html") },
		"it has grown":   func() error { return os.WriteFile("s/z/p.html", []byte("<p>e.org and more"), 0o644) },
	} {
		inSite(t, map[string]string{"s/z/p.html": plainPage, "outside/p.html": "<p>e.org and more"})
		s := newSite(t, nil)
		s.inPlace = true
		list := s.after(t, func() {
			if err := do(); err != nil {
				t.Fatal(err)
			}
		}, "s")
		if len(list) != 1 || list[0].err != nil || !list[0].changed {
			t.Errorf("%s: %d results, %v", name, len(list), list[0].err)
		}
		sameData(t, "s/z/p.html", `<p><a href="https://e.org">e.org</a> and more`)
	}
}

// The same for the folder that is written to.
func TestSiteTargetChangedMeanwhile(t *testing.T) {
	inSite(t, map[string]string{"s/z/p.html": plainPage, "outside/p.html": "mine", "out/z/p.html": "older"})
	s := newSite(t, nil)
	s.out = "out"
	list := s.after(t, func() {
		if err := errors.Join(os.RemoveAll("out/z"), os.Symlink("../outside", "out/z")); err != nil {
			t.Fatal(err)
		}
	}, "s")
	if len(list) != 1 || list[0].err == nil {
		t.Errorf("%v", list)
	}
	sameTree(t, ".", map[string]string{"s/z/p.html": plainPage, "outside/p.html": "mine", "out/z": "link to ../outside"})
}

// What is passed over is so behind symbolic links, too.
func TestSiteLinksToHidden(t *testing.T) {
	files := map[string]string{"s/.private/x.html": plainPage, "s/.x.html": plainPage, "s/.well-known/x.html": plainPage, "s/b/.c/d/x.html": plainPage}
	inSite(t, files)
	if err := errors.Join(os.Symlink(".private/x.html", "s/a.html"), os.Symlink(".x.html", "s/b.html"), os.Symlink("b/.c/d/x.html", "s/c.html"), os.Symlink(".private", "s/d.html"), os.Symlink(".well-known/x.html", "s/w.html")); err != nil {
		t.Fatal(err)
	}
	out, errs, code := command("", "html", "-w", "-l", "s")
	const why = ".html: left alone: a symbolic link to a file that is passed over: it, or a folder that it is in, has a name that begins with a dot\n"
	if out != "s/.well-known/x.html\n" || errs != "bidilink: s/a"+why+"bidilink: s/b"+why+"bidilink: s/c"+why+"bidilink: 1 of 5 files changed, 1 link, 3 left alone\n" || code != 0 {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	// A file that is given by name is looked at.
	if _, errs, code := command("", "html", "-w", "-q", "s/a.html"); errs != "" || code != 0 {
		t.Errorf("by name: exit %d, %q", code, errs)
	}
	got := tree(t, "s")
	for name, want := range map[string]string{".private/x.html": linkedPage, ".x.html": plainPage, "b/.c/d/x.html": plainPage, "a.html": "link to .private/x.html"} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

// A compressed copy may have the name of the link or of the file.
func TestSiteStaleCopiesOfLinks(t *testing.T) {
	inSite(t, map[string]string{"s/v1/x.txt": plainPage, "s/v1/x.txt.br": "", "s/v1/x.txt.zst": "", "s/a.html.gz": "", "s/a.html.br": ""})
	if err := os.Symlink("v1/x.txt", "s/a.html"); err != nil {
		t.Fatal(err)
	}
	_, errs, code := command("", "html", "-w", "s")
	if code != 0 || strings.Count(errs, "out of date") != 3 || strings.Count(errs, " .br ") != 1 || !strings.Contains(errs, "s/a.html: its compressed copy .gz is out of date") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// Standard input that never ends does not keep the program from ending.
func TestStdinInterrupted(t *testing.T) {
	inSite(t, map[string]string{"!.html": plainPage})
	p, errs := start(t, "html", "--check", "-v", "!.html", "-")
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	if !lines.Scan() || lines.Text() != "bidilink: !.html: 1 link" {
		t.Errorf("%q", lines.Text())
	}
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	last := ""
	for lines.Scan() {
		last = lines.Text()
	}
	p.Wait()
	if code := p.ProcessState.ExitCode(); code != exitError || last != "bidilink: interrupted; each file is either done or as it was: 1 done, 1 left" {
		t.Errorf("exit %d, %q", code, last)
	}
}

// start returns the program, which is yet to be started, and its standard error.
func start(t *testing.T, args ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := exec.Command(program, args...)
	p.Env = append(os.Environ(), asProgram+"=1")
	errs, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	return p, errs.(*os.File)
}

// A second signal ends the program at once, and yet what must not stay behind does not: here, the lock of an mbox.
func TestSecondSignal(t *testing.T) {
	message := "From a@e.com Thu Jan  1 00:00:00 2026\nContent-Type: text/html\n\n<p>e.com\n\n"
	mbox := strings.Repeat(message, 200_000)
	inSite(t, map[string]string{"mbox": mbox})
	p, _ := start(t, "mail", "-w", "mbox")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		p.Wait()
		close(ended)
	}()
	for locked := false; !locked; {
		select {
		case <-ended:
			t.Fatalf("no lock, and %v", p.ProcessState)
		default:
			_, err := os.Lstat("mbox.lock")
			locked = err == nil
		}
	}
	// Two of one kind would be one if they came too fast.
	if err := errors.Join(p.Process.Signal(os.Interrupt), p.Process.Signal(syscall.SIGTERM)); err != nil {
		t.Fatal(err)
	}
	<-ended
	if st, ok := p.ProcessState.Sys().(syscall.WaitStatus); !ok || !st.Signaled() || st.Signal() != os.Interrupt && st.Signal() != syscall.SIGTERM {
		t.Errorf("ended by %v", p.ProcessState)
	}
	sameTree(t, ".", map[string]string{"mbox": mbox})
}
