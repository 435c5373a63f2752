// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/htmlwalk"
)

// newSite returns a site as the flags make it by default, whose command reads stdin.
func newSite(t *testing.T, stdin io.Reader) *site {
	t.Helper()
	c := htmlCommand()
	c.SetIn(stdin)
	c.SetErr(io.Discard)
	include, err := parseGlobs("include", []string{"*.html"})
	if err != nil {
		t.Fatal(err)
	}
	html, err := htmlwalk.New(htmlwalk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &site{c: c, html: html, include: include, jobs: 2, maxSize: 1 << 20}
}

func (s *site) workshop(out *target) *workshop { return newWorkshop(s, &guard{}, out) }

// listed finds all pages.
func (s *site) listed(t *testing.T, args ...string) ([]page, *target) {
	t.Helper()
	l, out, err := s.pages(args)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(l.all(t.Context())), out
}

// results finds the pages, calls meanwhile, and works on the pages.
func (s *site) after(t *testing.T, meanwhile func(), args ...string) []result {
	t.Helper()
	pages, out := s.listed(t, args...)
	meanwhile()
	var list []result
	for r := range s.workshop(out).results(t.Context(), slices.Values(pages)) {
		r.free()
		list = append(list, r)
	}
	if len(list) != len(pages) {
		t.Fatalf("%d results for %d pages", len(list), len(pages))
	}
	return list
}

// What cannot be cancelled is not waited for: here, standard input that never ends.
func TestResultsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	s := newSite(t, r)
	s.check = true
	pages, _ := s.listed(t)
	results := s.workshop(nil).results(ctx, slices.Values(pages))
	if _, err := w.Write([]byte("<p>")); err != nil { // somebody reads it
		t.Fatal(err)
	}
	cancel()
	for r := range results {
		t.Errorf("a result: %v", r.err)
	}
}

// After an interruption, what was written is still reported, and only that.
func TestAwaitCommitted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := newSite(t, nil).workshop(nil)
	done := &task{done: make(chan result)}
	done.committed.Store(true)
	go func() { done.done <- result{changed: true} }()
	if r, ok := w.await(ctx, done); !ok || !r.changed {
		t.Errorf("written: %v, %v", r.changed, ok)
	}
	if _, ok := w.await(ctx, &task{done: make(chan result)}); ok {
		t.Error("a result of a task that goes on")
	}
	if !w.guard.ended {
		t.Error("files can still be written")
	}
}

// However the program ends while a file is written, the file is as it was, and there is no other one.
func TestGuardEnds(t *testing.T) {
	inSite(t, map[string]string{"a.html": plainPage})
	dir, err := os.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	g := &guard{}
	o := output{ctx: t.Context(), guard: g, dir: dir, name: "a.html", done: func() { t.Error("done") }}
	err = o.put([]byte("half"), func(*os.File) error {
		if got := tree(t, "."); len(got) != 2 {
			t.Errorf("no temporary file: %q", got)
		}
		g.end()
		if got := tree(t, "."); len(got) != 1 {
			t.Errorf("at the end: %q", got)
		}
		return nil
	}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("during: %v", err)
	}
	if err := o.put([]byte("later"), func(*os.File) error { return nil }, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after: %v", err)
	}
	sameTree(t, ".", map[string]string{"a.html": plainPage})
}

// What waits to be reported keeps its weight until it was.
func TestRoom(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": strings.Repeat(plainPage, 1000), "s/b.html": plainPage})
	s := newSite(t, nil)
	s.diff = true
	pages, _ := s.listed(t, "s/a.html")
	w := s.workshop(nil)
	for r := range w.results(t.Context(), slices.Values(pages)) {
		if len(r.diff) < 1000*len(plainPage) {
			t.Fatalf("a diff of %d bytes", len(r.diff))
		}
		if free := int64(room - len(r.diff)); w.room.TryAcquire(free + 1) {
			t.Error("the diff has no weight")
		} else if !w.room.TryAcquire(free) {
			t.Error("more than the diff has weight")
		} else {
			w.room.Release(free)
		}
		r.free()
	}
	if !w.room.TryAcquire(room) {
		t.Error("some weight is left")
	}
}

func TestWeight(t *testing.T) {
	inSite(t, map[string]string{"a.html": strings.Repeat(" ", 100<<10)})
	if err := os.Truncate("a.html", 1<<40); err != nil {
		t.Skip(err)
	}
	s := newSite(t, nil)
	pages, _ := s.listed(t, "a.html", stdinName, "missing")
	if len(pages) != 3 {
		t.Fatalf("%d pages", len(pages))
	}
	stdin, large, missing := s.weight(&pages[0]), s.weight(&pages[1]), s.weight(&pages[2])
	if stdin != room || large > room || large < room-pageWeight || missing != 0 {
		t.Errorf("standard input %d, a large page %d of %d, no page %d", stdin, large, room, missing)
	}
	if err := os.Truncate("a.html", 100<<10); err != nil {
		t.Fatal(err)
	}
	pages, _ = s.listed(t, "a.html")
	plain := s.weight(&pages[0])
	s.verify = true
	verify := s.weight(&pages[0])
	if verify*pageWeight != plain*(pageWeight+verifyWeight) || plain < 100<<10*pageWeight {
		t.Errorf("weight %d, with --verify %d", plain, verify)
	}
}

// endless counts what is read of data without end.
type endless struct {
	data string
	n    int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.data)
	e.n += n
	return n, nil
}

// What is too large, or no text from its beginning on, is not read further.
func TestSiteMaxSize(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage, "s/exact.html": plainPage + strings.Repeat(" ", 8192-len(plainPage)), "s/large.html": plainPage + strings.Repeat(" ", 8193-len(plainPage)), "s/huge.html": ""})
	if err := os.Truncate("s/huge.html", 1<<40); err != nil {
		t.Skip(err)
	}
	out, errs, code := command("", "html", "-l", "--max-size", "8k", "s")
	if filepath.ToSlash(out) != "s/a.html\ns/exact.html\n" || code != exitError || filepath.ToSlash(errs) != "bidilink: s/huge.html: 1099511627776 bytes, larger than --max-size 8K\n"+
		"bidilink: s/large.html: 8193 bytes, larger than --max-size 8K\nbidilink: 2 of 4 files would change, 2 links, 2 in error\n" {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	if out, errs, code := command("", "html", "s/huge.html", "s/a.html"); out != linkedPage || code != exitError || !strings.Contains(errs, "huge.html: 1099511627776 bytes, larger than --max-size 256M\n") {
		t.Errorf("to standard output: exit %d, %q, %q", code, out, errs)
	}
	// A sparse file within the limit is refused for its first bytes. It would take hours to read it.
	if _, errs, code := command("", "html", "-w", "--max-size", "2048G", "s/huge.html"); code != exitError || !strings.Contains(errs, "binary data") {
		t.Errorf("a sparse file: exit %d, %q", code, errs)
	}
	if _, errs, code := command("", "html", "--verify", "s/huge.html"); code != exitError || !strings.Contains(errs, "--max-size 32M\n") {
		t.Errorf("--verify: exit %d, %q", code, errs)
	}
	for _, flags := range [][]string{{"html"}, {"html", "--check"}, {"html", "--verify"}} {
		for _, c := range []struct {
			data, want string
			most       int
		}{{"<p>x\n", "bidilink: -: larger than --max-size 64K\n", 128 << 10}, {"\x00", "bidilink: -: binary data", 64 << 10}} {
			in := &endless{data: strings.Repeat(c.data, 1000)}
			var out, errs bytes.Buffer
			code := run(append(flags, "--max-size", "64K"), in, &out, &errs)
			if out.Len() > 0 || code != exitError || !strings.HasPrefix(errs.String(), c.want) || in.n > c.most {
				t.Errorf("%q, endless %.5q: exit %d, %d bytes out, %q, %d bytes read", flags, c.data, code, out.Len(), errs.String(), in.n)
			}
		}
	}
}

func TestSize(t *testing.T) {
	for in, want := range map[string]size{"1": 1, "1k": 1024, "512K": 512 << 10, "256M": 256 << 20, "3g": 3 << 30, "1025": 1025, "9223372036854775807": 1<<63 - 1, "8589934591G": 8589934591 << 30} {
		var s, again size
		if err := s.Set(in); err != nil || s != want {
			t.Errorf("%q: %d, %v", in, s, err)
		}
		if err := again.Set(s.String()); err != nil || again != s {
			t.Errorf("%q: written as %q, read as %d, %v", in, s, again, err)
		}
	}
	for _, in := range []string{"", "0", "0K", "-1", "K", "1KB", "1.5M", "1T", " 1", "+1", "9223372036854775808", "8589934592G", "18014398509481985K"} {
		s := size(7)
		if err := s.Set(in); err == nil || s != 7 {
			t.Errorf("%q: %d, %v", in, s, err)
		}
	}
}

// A document that begins with <?xml is left alone in one way, however it is given.
func TestSiteXML(t *testing.T) {
	const xml = "\ufeff <?xml version='1.0'?>" + plainPage
	inSite(t, map[string]string{"s/x.html": xml})
	const left = "left alone: it begins with <?xml, and XHTML has other rules (see --xhtml)\n"
	for _, c := range []struct {
		args []string
		out  string
		code int
	}{
		{[]string{"s/x.html"}, xml, exitError},
		{nil, xml, exitError},
		{[]string{"--verify", "-q", "s/x.html"}, xml, exitError},
		{[]string{"-l", "s/x.html"}, "", exitError},
		{[]string{"--check"}, "", exitError},
		{[]string{"--check", "s"}, "", 0},
		{[]string{"-w", "s"}, "", 0},
		{[]string{"-w", "s/x.html"}, "", exitError},
		{[]string{"-o", "out", "s"}, "", 0},
		{[]string{"-o", "out2", "s/x.html"}, "", exitError},
	} {
		out, errs, code := command(xml, append([]string{"html"}, c.args...)...)
		if out != c.out || code != c.code || !strings.Contains(errs, left) || strings.Count(errs, "left alone:") != 1 {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
	sameTree(t, ".", map[string]string{"s/x.html": xml, "out/x.html": xml, "out2/x.html": xml})
	if out, errs, code := command(xml, "html", "--xhtml", "--verify", "s/x.html"); code != 0 || errs != "" || !strings.Contains(out, "<a href=") {
		t.Errorf("--xhtml: exit %d, %q, %q", code, out, errs)
	}
}

// No two names are shown alike, and nothing reaches the terminal but what it shows as it is.
func TestSiteNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a name has no controls here")
	}
	names := []string{"\"a\\nb.html\"", "a\nb.html", "caf\xe8.html", "caf\xe9.html", "caf\ufffd.html", "esc\x1b[2J.html", "é.html", "ש\u202e.html"}
	inSite(t, nil)
	for _, name := range names {
		if err := os.WriteFile(name, []byte(plainPage), 0o600); err != nil {
			t.Skip(err) // a file system that wants UTF-8
		}
	}
	args := []string{"-l", "--include", "*", "."}
	out, _, code := command("", append([]string{"html", "-q", "-0"}, args...)...)
	if out != strings.Join(names, "\x00")+"\x00" || code != 0 {
		t.Errorf("-0: exit %d, %q", code, out)
	}
	want := `"\"a\\nb.html\""
"a\nb.html"
"caf\xe8.html"
"caf\xe9.html"
"caf�.html"
"esc\x1b[2J.html"
é.html
"ש\u202e.html"
`
	if out, _, _ := command("", append([]string{"html", "-q"}, args...)...); out != want {
		t.Errorf("-l:\n%s", out)
	}
	if out, _, _ := command("", "html", "-q", "-d", "--include", "*", "."); strings.ContainsAny(out, "\x1b\u202e") {
		t.Errorf("-d: %q", out)
	}
	out, _, _ = command("", "html", "-q", "--json", "--include", "*", ".")
	files := map[string]bool{}
	i := 0
	for line := range strings.Lines(out) {
		var p pageReport
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		name := p.File
		if p.FileBytes != nil {
			name = string(p.FileBytes)
			if !strings.Contains(line, `"fileBytes":"`+base64.StdEncoding.EncodeToString(p.FileBytes)+`"`) {
				t.Error(line)
			}
		}
		if name != names[i] || files[p.File] {
			t.Errorf("%q: got %q", names[i], line)
		}
		files[p.File] = true
		i++
	}
	if i != len(names) {
		t.Errorf("%d lines", i)
	}
}
