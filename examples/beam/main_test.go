// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"golang.org/x/sync/errgroup"

	"github.com/bidilink/bidilink/examples/beam/warc"
)

// bidilink is the program that the outputs are compared with.
var bidilink string

func TestMain(m *testing.M) {
	flag.Parse()
	quiet()
	beam.Init()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "bidilink-beam-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		bidilink = filepath.Join(dir, "bidilink")
		if runtime.GOOS == "windows" {
			bidilink += ".exe"
		}
		build := exec.Command("go", "build", "-o", bidilink, "./cmd/bidilink")
		build.Dir = filepath.Join("..", "..")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v: %s\n", err, out)
			return 1
		}
		return m.Run()
	}())
}

// pipeline runs the pipeline with some flags, and returns its exit status, what it writes, and its counters.
func pipeline(t *testing.T, args ...string) (code int, text string, counted map[string]int64) {
	t.Helper()
	code, text, err := tryPipeline(t, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	counted = map[string]int64{}
	for line := range strings.Lines(text) {
		m := counterLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			t.Fatalf("not a counter: %q", line)
		}
		n, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		counted[m[1]] = n
	}
	for _, of := range []string{"records", "bytes"} {
		if in, done, dead := counted[of+" in"], counted[of+" done"], counted[of+" dead"]; in != done+dead {
			t.Errorf("%s: %d in, %d done, %d dead", of, in, done, dead)
		}
	}
	return code, text, counted
}

var counterLine = regexp.MustCompile(`^(.*?) +(\d+)$`)

func tryPipeline(t *testing.T, args ...string) (code int, text string, err error) {
	t.Helper()
	for i := 0; i < len(args); i += 2 {
		f := flag.Lookup(args[i])
		if f == nil {
			t.Fatalf("no flag %s", args[i])
		}
		if err := f.Value.Set(args[i+1]); err != nil {
			t.Fatal(err)
		}
		defer f.Value.Set(f.DefValue)
	}
	var out bytes.Buffer
	code, err = run(context.Background(), &out)
	return code, out.String(), err
}

// tree returns the files of a folder by their names, with slashes.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// command returns what the program writes for a file.
func command(name string, args ...string) (string, error) {
	cmd := exec.Command(bidilink, append(args, name)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 2 && out.Len() > 0 {
		err = nil // it is written as it is, and there is a message
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", strings.Join(args, " "), name, err, errs.Bytes())
	}
	return out.String(), err
}

// corpus copies files of the repository into a folder: the pages, messages and documents of its tests, and mboxes of the messages.
func corpus(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{}
	for _, pattern := range []string{"htmlwalk/testdata/*.html", "testdata/*/*.html", "mailfilter/testdata/*.eml", "doc/*.md", "*.md", "examples/*/*.md", "examples/ssg/content/*/*.md"} {
		names, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		for i, name := range names {
			if strings.HasSuffix(name, ".eml") && i%3 > 0 {
				continue // the program is run for each
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(filepath.Join("..", ".."), name)
			files[filepath.ToSlash(rel)] = string(data)
			if strings.HasSuffix(name, ".eml") {
				box := fmt.Sprintf("mail/box%d.mbox", i%7)
				files[box] += "From a@example.com Sat Nov 21 10:00:00 2026\n" + strings.ReplaceAll(string(data), "\r\n", "\n") + "\n"
			}
		}
	}
	write(t, dir, files)
	return dir
}

// What is written is what the commands write, byte for byte, whatever the number of bundles.
func TestSameAsCommands(t *testing.T) {
	in := corpus(t)
	files := tree(t, in)
	want := map[string]string{}
	type job struct{ name, out string }
	jobs := make(chan job, len(files))
	var g errgroup.Group
	g.SetLimit(2)
	for name := range files {
		g.Go(func() error {
			args, out := []string{"mail"}, name
			switch filepath.Ext(name) {
			case ".html":
				args = []string{"html", "-q"}
			case ".md":
				args, out = []string{"md"}, name+".html"
			}
			text, err := command(filepath.Join(in, filepath.FromSlash(name)), args...)
			jobs <- job{out, text}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	close(jobs)
	for j := range jobs {
		want[j.name] = j.out
	}
	var first string
	for _, n := range []int{1, 5} {
		out := filepath.Join(t.TempDir(), "out")
		code, text, counted := pipeline(t, "input", in, "output", out, "shards", fmt.Sprint(n))
		got := tree(t, out)
		for name, w := range want {
			if got[name] != w {
				t.Errorf("%s\n%q\nwant\n%q", name, got[name], w)
			}
		}
		if len(got) != len(want) || len(want) < 100 || code != 0 {
			t.Errorf("%d files, want %d, of which there are 100 at least; exit status %d", len(got), len(want), code)
		}
		// Each group has bundles of its own: one for what is read, and what is fused with it.
		if counted["bundles"] < int64(2*n) {
			t.Errorf("%d groups: %d bundles", n, counted["bundles"])
		}
		text = text[:strings.Index(text, "bundles ")] + text[strings.Index(text, "skipped"):]
		if first == "" {
			first = text
		} else if text != first {
			t.Errorf("%d groups:\n%s\none:\n%s", n, text, first)
		}
		if counted["links"] == 0 || counted["isolates"] == 0 || counted["urls"] == 0 || counted["emails"] == 0 || counted["skipped: mail: signed"] == 0 || counted["files in"] != int64(len(files)) {
			t.Errorf("counted %v", counted)
		}
	}
}

// The links counted are the anchors written.
func TestCounters(t *testing.T) {
	in := corpus(t)
	for kind, pattern := range map[string]string{"html": "**/*.html", "md": "**/*.md"} {
		out := filepath.Join(t.TempDir(), "out")
		_, _, counted := pipeline(t, "input", in+"/"+pattern, "output", out, "kind", kind)
		anchors, addresses := 0, 0
		for name, data := range tree(t, out) {
			anchors += strings.Count(data, "<a href=")
			addresses += strings.Count(data, `<a href="mailto:`)
			if kind == "html" {
				old, err := os.ReadFile(filepath.Join(in, name))
				if err != nil {
					t.Fatal(err)
				}
				anchors -= bytes.Count(old, []byte("<a href="))
				addresses -= bytes.Count(old, []byte(`<a href="mailto:`))
			}
		}
		if kind == "html" && (counted["links"] != int64(anchors) || counted["emails"] != int64(addresses)) || counted["urls"]+counted["emails"] != counted["links"] || anchors == 0 {
			t.Errorf("%s: %d anchors, %d addresses, counted %v", kind, anchors, addresses, counted)
		}
		if kind == "md" && (counted["links"] == 0 || counted["links"] > int64(anchors)) { // links that are written as such are anchors too
			t.Errorf("%s: %d anchors, counted %v", kind, anchors, counted)
		}
	}
}

// response returns a record of a WARC file with a page.
func response(id, page string) string {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%s>\r\nWARC-Date: 2026-11-21T10:00:00Z\r\nWARC-Target-URI: http://e.com/\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, len(block), block)
}

// The conversions in a WARC file are what bidilink html makes of the pages.
func TestWARCSameAsCommand(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "htmlwalk", "testdata", "*.html"))
	if err != nil || len(names) < 5 {
		t.Fatalf("%d pages (%v)", len(names), err)
	}
	file := ""
	want := map[string]string{}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file += response(strconv.Itoa(i), string(data))
		out, err := command(name, "html", "-q", "--charset", "utf-8")
		if err != nil {
			t.Fatal(err)
		}
		if out != string(data) {
			want[fmt.Sprintf("<urn:%d>", i)] = out
		}
	}
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	write(t, in, map[string]string{"a.warc": file})
	_, _, counted := pipeline(t, "input", in, "output", out, "date", "2026-11-22T00:00:00Z")
	r := warc.NewReader(strings.NewReader(tree(t, out)["a.warc"]), 0)
	originals, conversions := 0, 0
	for {
		rec, gap, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil || gap != nil {
			t.Fatal(err, gap)
		}
		if rec.Field("WARC-Type") == "response" {
			originals++
			continue
		}
		conversions++
		if w := want[rec.Field("WARC-Refers-To")]; string(rec.Block) != w || rec.Field("WARC-Date") != "2026-11-22T00:00:00Z" {
			t.Errorf("%s:\n%q\nwant\n%q", rec.Field("WARC-Refers-To"), rec.Block, w)
		}
	}
	if originals != len(names) || conversions != len(want) || len(want) < 5 || counted["conversions"] != int64(len(want)) {
		t.Errorf("%d of %d records, %d of %d conversions; %v", originals, len(names), conversions, len(want), counted)
	}
}

// What cannot be done is a dead letter, with its bytes and the cause, and the rest goes on.
func TestDeadLetters(t *testing.T) {
	in := t.TempDir()
	big := "<p>" + strings.Repeat("example.com ", 1000)
	files := map[string]string{
		"good.html":     "<p>example.com",
		"utf16.html":    "\xff\xfe<\x00p\x00",
		"sub/nul.md":    "a\x00b",
		"big.html":      big,
		"clash.md":      "example.com",
		"clash.md.html": "<p>example.com",
		"a.warc":        response("a", "<p>example.com") + "junk" + response("b", "<p>x"),
		"big.warc":      response("c", big) + response("d", "<p>example.com"),
		"picture.png":   "\x89PNG",
		".hidden.html":  "<p>example.com",
	}
	write(t, in, files)
	out := filepath.Join(t.TempDir(), "out")
	code, _, counted := pipeline(t, "input", in, "output", out, "max-file", "1000", "max-record", "2000")
	if code != 1 {
		t.Errorf("exit status %d", code)
	}
	type letter struct {
		Name, Path, Cause string
		Offset, Length    int64
		Bytes             bool
	}
	found := map[string]string{}
	dead := tree(t, out+"-dead")
	total := int64(0)
	for name, data := range dead {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		var l letter
		if err := json.Unmarshal([]byte(data), &l); err != nil {
			t.Fatal(err)
		}
		found[fmt.Sprintf("%s@%d", l.Name, l.Offset)] = l.Cause
		want := files[l.Name][l.Offset : l.Offset+l.Length]
		if got, ok := dead[strings.TrimSuffix(name, ".json")+".bytes"]; !ok || got != want || !l.Bytes {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		total += l.Length
	}
	want := map[string]string{
		"utf16.html@0": "htmlwalk: neither UTF-8 nor compatible with ASCII: a byte order mark of UTF-16",
		"sub/nul.md@0": "htmlwalk: binary data: a NUL byte at offset 1",
		"big.html@0":   "longer than the limit of 1000 bytes for a file",
		"clash.md@0":   `another file is written to "clash.md.html"`,
		"big.warc@0":   "longer than the limit of 2000 bytes for a record",
		fmt.Sprintf("a.warc@%d", len(response("a", "<p>example.com"))): "does not begin with a line WARC/1.0 or WARC/1.1",
	}
	for name, cause := range want {
		if found[name] != cause {
			t.Errorf("%s: %q, want %q", name, found[name], cause)
		}
	}
	if len(found) != len(want) || len(dead) != 2*len(want) || counted["records dead"] != int64(len(want)) || counted["bytes dead"] != total {
		t.Errorf("%d dead letters, want %d: %v; counted %v", len(found), len(want), found, counted)
	}
	got := tree(t, out)
	if len(got) != 4 || got["good.html"] != `<p><a href="https://example.com">example.com</a>` || counted["files passed over"] != 1 {
		t.Errorf("written: %q; counted %v", got, counted)
	}
	size := 0
	for name, data := range files {
		if !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".png") {
			size += len(data)
		}
	}
	if counted["bytes in"] != int64(size) {
		t.Errorf("%d bytes in, there are %d", counted["bytes in"], size)
	}
}

// report returns the JSON of a dead letter.
func report(t *testing.T, dead map[string]string, name string) (r struct {
	Cause  string
	Length int64
	Bytes  bool
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(dead[name]), &r); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return r
}

// What is in the way of one file is no reason to leave the others, and nothing is read or written outside the folders.
func TestOddNames(t *testing.T) {
	top := t.TempDir()
	in, out := filepath.Join(top, "in"), filepath.Join(top, "out")
	const page = "<p>example.com"
	const linked = `<p><a href="https://example.com">example.com</a>`
	write(t, top, map[string]string{"outside.html": "secret", "elsewhere/c.html": "secret"})
	write(t, in, map[string]string{"a.html": page, "sub/a.html": page, "sub/.hidden.html": page, "x.md": "example.com", "x.md.html/y.html": page,
		"bad\xff.html": page, "bad\xff.png": "", "z[1].html": page})
	for name, to := range map[string]string{
		"photo.png": "nowhere", "gone.html": "nowhere.html", "gone.md": "nowhere", "gone.md.html": "a.html", "l.html": "../outside.html", "abs.html": filepath.Join(in, "a.html"),
		"in.html": "sub/a.html", "hidden.html": "sub/.hidden.html", "folder.html": "../elsewhere", "f": "sub",
	} {
		if err := os.Symlink(to, filepath.Join(in, name)); err != nil {
			t.Skip(err) // a file system without them
		}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../in/sub", filepath.Join(out, "sub")); err != nil {
		t.Fatal(err)
	}
	before := tree(t, filepath.Join(in, "sub"))
	code, _, counted := pipeline(t, "input", in, "output", out, "overwrite", "true")
	if after := tree(t, filepath.Join(in, "sub")); !maps.Equal(before, after) {
		t.Errorf("the input is %q, was %q", after, before)
	}
	dead := tree(t, out+"-dead")
	for name, want := range map[string]struct {
		cause string
		bytes string
	}{
		"gone.html":    {"leads nowhere", ""},
		"gone.md":      {"leads nowhere", ""},
		"l.html":       {"a symbolic link that leads out of the folder", ""},
		`bad\xff.html`: {"the name is not UTF-8", ""},
		"sub/a.html":   {"sub is a symbolic link", page},
		"x.md":         {"is a folder", "example.com"},
	} {
		r := report(t, dead, name+"/0.json")
		data, ok := dead[name+"/0.bytes"]
		if !strings.Contains(r.Cause, want.cause) || r.Bytes != (want.bytes != "") || ok != r.Bytes || data != want.bytes || r.Bytes && r.Length != int64(len(data)) || !r.Bytes && r.Length != -1 {
			t.Errorf("%s: %+v, %q", name, r, data)
		}
	}
	if code != 1 || counted["records dead"] != 6 || counted["files passed over"] != 3 {
		t.Errorf("exit status %d, %v, dead %q", code, counted, dead)
	}
	if err := os.Remove(filepath.Join(out, "sub")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.html": linked, "x.md.html/y.html": linked, "abs.html": linked, "in.html": linked, "z[1].html": linked, "gone.md.html": linked}
	if got := tree(t, out); !maps.Equal(got, want) {
		t.Errorf("written: %q", got)
	}
	if _, _, counted := pipeline(t, "input", filepath.Join(in, "z[1].html"), "output", filepath.Join(top, "one")); counted["files written"] != 1 {
		t.Errorf("a name that looks like a pattern: %v", counted)
	}
}

// What is written is open to nobody who may not read the input.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions")
	}
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	write(t, in, map[string]string{"private/a.html": "<p>example.com", "private/bad.html": "\xff\xfe<\x00", "private/a.md": "example.com", "private/a.warc": response("a", "<p>example.com") + "junk", "open.html": "x"})
	modes := map[string]fs.FileMode{"": 0o710, "private": 0o700, "private/a.html": 0o600, "private/bad.html": 0o600, "private/a.md": 0o640, "private/a.warc": 0o400, "open.html": 0o644}
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(in, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	pipeline(t, "input", in, "output", out)
	for name, in := range map[string]string{
		"out": "", "out/private": "private", "out/private/a.html": "private/a.html", "out/private/a.md.html": "private/a.md", "out/private/a.warc": "private/a.warc", "out/open.html": "open.html",
		"out-dead": "", "out-dead/private": "private", "out-dead/private/bad.html": "private", "out-dead/private/bad.html/0.bytes": "private/bad.html",
		"out-dead/private/bad.html/0.json": "private/bad.html",
	} {
		info, err := os.Stat(filepath.Join(filepath.Dir(out), name))
		if err != nil {
			t.Error(err)
			continue
		}
		if got := info.Mode().Perm(); got&^modes[in] != 0 || got&0o700 != modes[in]&0o700 {
			t.Errorf("%s: %v, want %v", name, got, modes[in])
		}
	}
}

// A second run writes to folders that are not empty only if it is told to, and then leaves no output of what is a dead letter now.
func TestOverwrite(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	write(t, in, map[string]string{"a.html": "<p>example.com", "b.md": "example.com", "c.html": "x", "d.html": "<p>example.com"})
	if code, _, _ := pipeline(t, "input", in, "output", out); code != 0 || len(tree(t, out)) != 4 {
		t.Fatalf("exit status %d", code)
	}
	write(t, in, map[string]string{"a.html": "\xff\xfe<\x00", "b.md": "a\x00b", "c.html": strings.Repeat("x", 101)})
	if _, _, err := tryPipeline(t, "input", in, "output", out); err == nil || !strings.Contains(err.Error(), `out" is not empty`) {
		t.Errorf("%v", err)
	}
	code, _, _ := pipeline(t, "input", in, "output", out, "overwrite", "true", "max-file", "100")
	if got := tree(t, out); code != 1 || len(got) != 1 || got["d.html"] == "" {
		t.Errorf("exit status %d, %q", code, got)
	}
	if _, _, err := tryPipeline(t, "input", in, "output", out+"2", "dead", out+"-dead"); err == nil || !strings.Contains(err.Error(), `out-dead" is not empty`) {
		t.Errorf("%v", err)
	}
}

// A limit is as large as it says, or an error.
func TestLargestLimits(t *testing.T) {
	in := t.TempDir()
	write(t, in, map[string]string{"a.html": "<p>example.com", "a.warc": response("a", "<p>example.com")})
	for name, most := range map[string]string{"max-file": "68719476736", "max-record": "17179869184", "shards": "", "memory": "1125899906842624"} {
		out := filepath.Join(t.TempDir(), "out")
		if _, _, err := tryPipeline(t, "input", in, "output", out, name, "9223372036854775807"); err == nil || !strings.Contains(err.Error(), "9223372036854775807 is more than") {
			t.Errorf("--%s: %v", name, err)
		}
		if most == "" || name == "max-record" {
			continue
		}
		if _, _, counted := pipeline(t, "input", in, "output", out, name, most); counted["files written"] != 2 || counted["links"] != 2 {
			t.Errorf("--%s %s: %v", name, most, counted)
		}
	}
}

// With the memory for one file only, they are done one after the other.
func TestMemory(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("%d.html", i)] = "<p>example.com"
		files[fmt.Sprintf("%d.warc", i)] = response("a", "<p>example.com")
	}
	write(t, in, files)
	if code, _, counted := pipeline(t, "input", in, "output", out, "memory", "1", "shards", "4"); code != 0 || counted["files written"] != 40 {
		t.Errorf("exit status %d, %v", code, counted)
	}
}

// The message of an error is the cause, not the plan.
func TestCause(t *testing.T) {
	in := t.TempDir()
	write(t, in, map[string]string{"a.html": "x"})
	pattern := filepath.ToSlash(in) + "/*.none"
	if _, _, err := tryPipeline(t, "input", pattern, "output", filepath.Join(t.TempDir(), "out")); err == nil || err.Error() != fmt.Sprintf("input %q: there is no such file", pattern) {
		t.Errorf("%v", err)
	}
}

func TestFlags(t *testing.T) {
	in := t.TempDir()
	write(t, in, map[string]string{"a.html": "<p>example.com", "sub/b.html": "x"})
	other := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "want --input and --output"},
		{[]string{"input", in}, "want --input and --output"},
		{[]string{"input", in, "output", in}, "input and output: one of"},
		{[]string{"input", in, "output", in + "/out"}, "input and output: one of"},
		{[]string{"input", in + "/sub", "output", in}, "input and output: one of"},
		{[]string{"input", in, "output", other, "dead", in + "/dead"}, "input and dead letters: one of"},
		{[]string{"input", in, "output", other, "dead", other + "/dead"}, "output and dead letters: one of"},
		{[]string{"input", in + "/a.html", "output", in}, "input and output: one of"},
		{[]string{"input", in + "/[", "output", other}, "not a pattern"},
		{[]string{"input", in, "output", other, "kind", "x"}, `--kind "x": want auto, html, md, mail (or mbox) or warc`},
		{[]string{"input", in, "output", other, "bare", "x"}, `Bare "x": want all, www or none`},
		{[]string{"input", in, "output", other, "date", "x"}, "--date: "},
		{[]string{"input", in, "output", other, "max-file", "-1"}, "negative number"},
		{[]string{"input", in, "output", "gs://bucket"}, "want --dead"},
		{[]string{"input", in, "output", "gs://bucket/"}, "want --dead"},
		{[]string{"input", in + "/none", "output", other}, "there is no such file"},
		{[]string{"input", in + "/*.none", "output", other}, "there is no such file"},
		{[]string{"input", in + "/none/*.html", "output", other}, "no such file or directory"},
		{[]string{"input", "none://x/*", "output", other}, `file system scheme "none" not registered`},
	} {
		if _, _, err := tryPipeline(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.args, err, c.want)
		}
	}
	if _, _, counted := pipeline(t, "input", in+"/a.html", "output", other+"/one", "bare", "none"); counted["links"] != 0 || counted["files in"] != 1 {
		t.Errorf("one file, without bare hosts: %v", counted)
	}
}

var update = flag.Bool("update-readme", false, "write the counters in README.md, and the files in testdata, anew")

// The command line in README.md writes what is shown there.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const line = "    $ go run . --input testdata/in --output /tmp/linked --shards 2 --date 2026-11-22T00:00:00Z\n"
	before, after, ok := strings.Cut(string(data), line)
	if !ok {
		t.Fatalf("no line %q", line)
	}
	shown := ""
	for l := range strings.Lines(after) {
		if !strings.HasPrefix(l, "    ") {
			break
		}
		shown += l
	}
	out := filepath.Join(t.TempDir(), "linked")
	code, text, _ := pipeline(t, "input", filepath.Join("testdata", "in"), "output", out, "shards", "2", "date", "2026-11-22T00:00:00Z")
	got := ""
	for l := range strings.Lines(text) {
		got += "    " + l
	}
	if code != 1 {
		t.Errorf("exit status %d", code)
	}
	if got != shown {
		if !*update {
			t.Errorf("writes\n%s\nshown is\n%s", got, shown)
		} else if err := os.WriteFile("README.md", []byte(before+line+got+after[len(shown):]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		for _, folder := range []string{out, out + "-dead"} {
			want := filepath.Join("testdata", strings.Replace(filepath.Base(folder), "linked", "want", 1))
			if err := os.RemoveAll(want); err != nil {
				t.Fatal(err)
			}
			write(t, want, tree(t, folder))
		}
	}
	for _, folder := range []string{"", "-dead"} {
		want := tree(t, filepath.Join("testdata", "want"+folder))
		got := tree(t, out+folder)
		for name, w := range want {
			if got[name] != w {
				t.Errorf("%s: %q, want %q", name, got[name], w)
			}
		}
		if len(got) != len(want) || len(want) == 0 {
			t.Errorf("%d files, want %d", len(got), len(want))
		}
	}
}
