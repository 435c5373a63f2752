// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	plainPage  = "<p>e.com\n"
	linkedPage = `<p><a href="https://e.com">e.com</a>` + "\n"
)

// longAgo is the time of the files that inSite writes.
var longAgo = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// inSite writes files into folders in a new folder, which becomes the current one.
func inSite(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range files {
		store(t, name, data)
	}
}

func store(t *testing.T, name, data string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(data), 0o644), os.Chtimes(name, longAgo, longAgo)); err != nil {
		t.Fatal(err)
	}
}

// tree returns the files below dir, but for dir itself: what is in them, or "link to ..." or what else they are.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			files[rel] = "link to " + target
			return err
		case !e.Type().IsRegular():
			files[rel] = e.Type().String()
			return nil
		}
		data, err := os.ReadFile(name)
		files[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sameTree compares what is below dir with what should be.
func sameTree(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := tree(t, dir)
	for name, data := range want {
		if got[name] != data {
			t.Errorf("%s/%s\n got %q\nwant %q", dir, name, got[name], data)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s/%s should not be there", dir, name)
	}
}

func TestSiteInPlace(t *testing.T) {
	inSite(t, map[string]string{
		"s/a.html": plainPage, "s/b/c.htm": plainPage, "s/b/linked.html": linkedPage, "s/none.html": "<p>x", "s/empty.html": "",
		"s/d/UPPER.HTML": plainPage, "s/x.txt": plainPage, "s/.git/x.html": plainPage, "s/.well-known/x.html": plainPage, "s/._a.html": "\x00\x05\x16\x07",
		"s/" + strings.Repeat("ש", 120) + ".html": plainPage,
	})
	out, errs, code := command("", "html", "-w", "s")
	if out != "" || errs != "bidilink: 5 of 8 files changed, 5 links\n" || code != 0 {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	sameTree(t, "s", map[string]string{
		"a.html": linkedPage, "b/c.htm": linkedPage, "b/linked.html": linkedPage, "none.html": "<p>x", "empty.html": "",
		"d/UPPER.HTML": linkedPage, "x.txt": plainPage, ".git/x.html": plainPage, ".well-known/x.html": linkedPage, "._a.html": "\x00\x05\x16\x07",
		strings.Repeat("ש", 120) + ".html": linkedPage,
	})
	for name, old := range map[string]bool{"s/a.html": false, "s/b/linked.html": true, "s/none.html": true, "s/x.txt": true} {
		if info, err := os.Stat(name); err != nil || info.ModTime().Equal(longAgo) != old {
			t.Errorf("%s: %v, %v", name, info.ModTime(), err)
		}
	}
	before, _ := os.Stat("s/a.html")
	if out, errs, code := command("", "html", "-w", "s", "s/a.html", "./s/b"); out != "" || errs != "bidilink: 0 of 8 files changed, 0 links\n" || code != 0 {
		t.Errorf("again: exit %d, %q, %q", code, out, errs)
	}
	if after, _ := os.Stat("s/a.html"); !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after) {
		t.Error("a second run wrote a.html")
	}
}

func TestSiteToFolder(t *testing.T) {
	files := map[string]string{"s/a.html": plainPage, "s/b/c.html": linkedPage, "s/b/none.html": "<p>x", "s/i.png": "png", "t/d.html": plainPage, "t.html": "<?xml version='1.0'?>" + plainPage}
	inSite(t, files)
	if err := os.Chmod("s/a.html", 0o640); err != nil {
		t.Fatal(err)
	}
	out, errs, code := command("", "html", "-o", "out/x", "s", "t", "t.html", "-l")
	if want := "bidilink: t.html: left alone: it begins with <?xml, and XHTML has other rules (see --xhtml)\nbidilink: 2 of 5 files changed, 2 links, 1 in error\n"; out != filepath.FromSlash("s/a.html\nt/d.html\n") || errs != want || code != exitError {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	written := map[string]string{"a.html": linkedPage, "b/c.html": linkedPage, "b/none.html": "<p>x", "d.html": linkedPage, "t.html": files["t.html"]}
	sameTree(t, "out/x", written)
	if info, err := os.Stat("out/x/a.html"); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := os.RemoveAll("out/x/b"); err != nil {
		t.Fatal(err)
	}
	store(t, "out/x/d.html", linkedPage)
	store(t, "out/x/a.html", "older")
	store(t, "out/x/a.html.gz", "older")
	store(t, "out/x/d.html.br", "right")
	if _, errs, code := command("", "html", "-o", "out/x", "s", "t", "t.html"); code != exitError || !strings.Contains(errs, "bidilink: "+filepath.FromSlash("s/a.html")+": its compressed copy .gz is out of date\n") || strings.Contains(errs, ".br") {
		t.Errorf("again: exit %d, %q", code, errs)
	}
	if info, err := os.Stat("out/x/d.html"); err != nil || !info.ModTime().Equal(longAgo) {
		t.Errorf("d.html was equal, and was written: %v, %v", info.ModTime(), err)
	}
	written["a.html.gz"], written["d.html.br"] = "older", "right"
	sameTree(t, "out/x", written)
	for name, data := range files {
		if got, _ := os.ReadFile(name); string(got) != data {
			t.Errorf("%s changed", name)
		}
	}
}

// What would overwrite an input, or be written twice, is not done.
func TestSiteToFolderRefuses(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage, "s/s/a.html": linkedPage, "t/a.html": plainPage, "dir/b.html/x": "", "b.html": plainPage, "file": ""})
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-o", "s", "s"}, "-o s: is the folder of the pages; want -w"},
		{[]string{"-o", "s/out", "s"}, "-o s/out: is in s,"},
		{[]string{"-o", ".", "s"}, "a.html: is an input"},
		{[]string{"-o", "out", "s", "t"}, "bidilink: " + filepath.FromSlash("t/a.html") + ": "},
		{[]string{"-o", "s", "s/a.html"}, "is an input"},
		{[]string{"-o", "dir", "b.html"}, "not written: is there and is not a file"},
		{[]string{"-o", "file", "b.html"}, "not written: "},
	} {
		out, errs, code := command("", append([]string{"html"}, c.args...)...)
		if out != "" || !strings.Contains(errs, c.want) || code != exitError {
			t.Errorf("%q: exit %d, %q, %q, want %q", c.args, code, out, errs, c.want)
		}
	}
	if got := tree(t, "s"); got["a.html"] != plainPage || got["s/a.html"] != linkedPage {
		t.Errorf("inputs changed: %q", got)
	}
}

func TestSiteFlagErrors(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage})
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"s"}, "s: is a folder: want -w to change its files, -o DIR to write them to another folder, or -l, -d, --check or --json to look"},
		{[]string{"-w", "-o", "x", "s"}, "-w and -o: want one of them"},
		{[]string{"-o", "", "s"}, "--output: want the name of a folder"},
		{[]string{"-w", "--check", "s"}, "--check writes nothing"},
		{[]string{"-l", "-d", "s"}, "-l, -d and --json: want one of them"},
		{[]string{"-d", "--json", "s"}, "-l, -d and --json: want one of them"},
		{[]string{"-q", "-v", "s"}, "-q and -v"},
		{[]string{"-w"}, "-w and -o want the names of files or folders"},
		{[]string{"-w", "-"}, "-w and -o want the names of files or folders"},
		{[]string{"-l", "-j", "0", "s"}, "--jobs 0: want 1 to 256"},
		{[]string{"-l", "-j", "257", "s"}, "--jobs 257: want 1 to 256"},
		{[]string{"-l", "-j", "9223372036854775807", "s"}, "--jobs 9223372036854775807: want 1 to 256"},
		{[]string{"-l", "--max-size", "0", "s"}, "invalid argument \"0\" for \"--max-size\" flag: want a number of bytes, from 1 on"},
		{[]string{"-w", "-0", "s"}, "-0 is for -l"},
		{[]string{"-l", "--force", "s"}, "--force is for -w"},
		{[]string{"-l", "--include", "[", "s"}, "--include [: not a pattern"},
		{[]string{"-l", "--exclude", "a,,b", "s"}, "--exclude a,,b: not a pattern"},
	} {
		out, errs, code := command("", append([]string{"html"}, c.args...)...)
		if out != "" || !strings.HasPrefix(errs, "bidilink: "+c.want) || strings.Count(errs, "\n") != 1 || code != exitError {
			t.Errorf("%q: exit %d, %q, %q, want %q", c.args, code, out, errs, c.want)
		}
	}
	sameTree(t, ".", map[string]string{"s/a.html": plainPage})
}

// The help names every flag, and what each exit status and each member of --json is.
func TestSiteHelp(t *testing.T) {
	out, errs, code := command("", "html", "--help")
	if errs != "" || code != 0 {
		t.Fatalf("exit %d, %q", code, errs)
	}
	for _, want := range []string{
		"-w, --write ", "-o, --output DIR ", "-l, --list ", "-d, --diff ", "--check ", "--json ", "--include glob,... ", "--exclude glob,... ", "-j, --jobs N ", "-0, --null ", "--force ", "--max-size bytes ", "(default 256M)",
		"--verify ", "-q, --quiet ", "-v, --verbose ", "Exit status: 0 done, 1 --check", "bidilink html -w public", "(default [*.html,*.htm])",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	line := (&result{}).appendJSON(nil)
	var members map[string]any
	if err := json.Unmarshal(line, &members); err != nil {
		t.Fatal(err)
	}
	for name := range members {
		if !strings.Contains(out, "\n  "+name+" ") {
			t.Errorf("--json writes %s, which the help does not mention", name)
		}
	}
}

func TestSiteList(t *testing.T) {
	files := map[string]string{"s/b.html": plainPage, "s/a/x.html": plainPage, "s/a-b.html": plainPage, "s/c.html": linkedPage}
	inSite(t, files)
	for _, c := range []struct {
		stdin string
		args  []string
		out   string
		errs  string
		code  int
	}{
		{"", []string{"-l", "s"}, "s/a-b.html\ns/a/x.html\ns/b.html\n", "bidilink: 3 of 4 files would change, 3 links\n", 0},
		{"", []string{"--check", "s"}, "", "bidilink: 3 of 4 files would change, 3 links\n", exitFound},
		{"", []string{"--check", "-q", "-l", "s/b.html"}, "s/b.html\n", "", exitFound},
		{"", []string{"--check", "s/c.html"}, "", "bidilink: 0 of 1 file would change, 0 links\n", 0},
		{"", []string{"--check", "s", "missing"}, "", "", exitError},
		{plainPage, []string{"--check", "-l"}, "-\n", "bidilink: 1 of 1 file would change, 1 link\n", exitFound},
		{plainPage, []string{"-l", "-", "s/c.html", "-"}, "-\n", "bidilink: 1 of 2 files would change, 1 link\n", 0},
		{"", []string{"-l", "-v", "s/c.html", "s/b.html"}, "s/b.html\n", "", 0},
	} {
		out, errs, code := command(c.stdin, append([]string{"html"}, c.args...)...)
		if filepath.ToSlash(out) != c.out || c.errs != "" && errs != c.errs || code != c.code {
			t.Errorf("%q: exit %d\n%s%s", c.args, code, out, errs)
		}
	}
	_, errs, _ := command("", "html", "-l", "-v", "s/c.html", "s/b.html")
	if lines := strings.Split(filepath.ToSlash(errs), "\n"); len(lines) != 4 || lines[0] != "bidilink: s/b.html: 1 link" || lines[1] != "bidilink: s/c.html: 0 links" || !strings.HasSuffix(lines[2], " s") {
		t.Errorf("-v: %q", errs)
	}
	sameTree(t, ".", files)
}

func TestSiteJSON(t *testing.T) {
	inSite(t, map[string]string{
		"s/a.html": "<p>e.com/ש x@e.com", "s/b.html": "<p>e.com\n<plaintext>e.com", "s/c.html": linkedPage, "s/d.html": "\xff\xfea\x00", "s/e.html": "<?xml?>e.com",
		"s/a.html.gz": "", "s/a.html.zst": "", "s/c.html.gz": "",
	})
	out, _, code := command("", "html", "-w", "--json", "s")
	want := `{"file":"s/a.html","fileBytes":null,"changed":true,"links":2,"isolated":1,"copied":null,"skipped":null,"warnings":["its compressed copy .gz is out of date","its compressed copy .zst is out of date"],"error":null}
{"file":"s/b.html","fileBytes":null,"changed":true,"links":1,"isolated":0,"copied":{"reason":"a plaintext element","line":2,"offset":9},"skipped":null,"warnings":[],"error":null}
{"file":"s/c.html","fileBytes":null,"changed":false,"links":0,"isolated":0,"copied":null,"skipped":null,"warnings":[],"error":null}
{"file":"s/d.html","fileBytes":null,"changed":false,"links":0,"isolated":0,"copied":null,"skipped":null,"warnings":[],"error":"`
	if !strings.HasPrefix(out, want) || code != exitError {
		t.Errorf("exit %d\n%s", code, out)
	}
	lines := 0
	for line := range strings.Lines(out) {
		lines++
		var p pageReport
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil || p.File == "" || p.Warnings == nil {
			t.Errorf("%v: %s", err, line)
		}
		switch filepath.ToSlash(p.File) {
		case "s/d.html":
			if p.Error == nil || !strings.Contains(*p.Error, "UTF-16") {
				t.Error(line)
			}
		case "s/e.html":
			if p.Copied != nil || p.Changed || p.Error != nil || p.Skipped == nil || *p.Skipped != "it begins with <?xml, and XHTML has other rules (see --xhtml)" {
				t.Error(line)
			}
		}
	}
	if lines != 5 {
		t.Errorf("%d lines", lines)
	}
}

func TestSiteGlobs(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"index.html", "a.htm", "a.xhtml", "b/index.html", "b/c/x.html", "b/c/y.html", "drafts/x.html", "b/drafts/y.html", "b/Drafts.html", "v1/a.html", "v2/a.html"} {
		files["s/"+name] = plainPage
	}
	inSite(t, files)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "a.htm b/Drafts.html b/c/x.html b/c/y.html b/drafts/y.html b/index.html drafts/x.html index.html v1/a.html v2/a.html"},
		{[]string{"--include", "*.xhtml"}, "a.xhtml"},
		{[]string{"--include", "*.{XHTML,htm}"}, "a.htm a.xhtml"},
		{[]string{"--include", "*.xhtml", "--include=/index.html,v?/*"}, "a.xhtml index.html v1/a.html v2/a.html"},
		{[]string{"--include", "b/**/*.html", "--exclude", "x.html"}, "b/Drafts.html b/c/y.html b/drafts/y.html b/index.html"},
		{[]string{"--include", "**/y.html"}, "b/c/y.html b/drafts/y.html"},
		{[]string{"--exclude", "drafts"}, "a.htm b/Drafts.html b/c/x.html b/c/y.html b/index.html index.html v1/a.html v2/a.html"},
		{[]string{"--exclude", "/drafts/,b/c/**,*.htm,v[12]"}, "b/Drafts.html b/drafts/y.html b/index.html index.html"},
		{[]string{"--exclude", "./b"}, "a.htm drafts/x.html index.html v1/a.html v2/a.html"},
	} {
		out, errs, code := command("", append([]string{"html", "-l", "s"}, c.args...)...)
		want := ""
		for name := range strings.FieldsSeq(c.want) {
			want += "s/" + name + "\n"
		}
		if filepath.ToSlash(out) != want || code != 0 {
			t.Errorf("%q: exit %d, %s\n got %q\nwant %q", c.args, code, errs, out, want)
		}
	}
	// A file that is named is looked at.
	if out, _, _ := command("", "html", "-l", "s/a.xhtml", "--exclude", "*"); out != "s/a.xhtml\n" {
		t.Errorf("a file by name: %q", out)
	}
	if out, errs, code := command("", "html", "-w", "--include", "*.shtml", "s"); out != "" || !strings.HasPrefix(errs, "bidilink: s: no file in it matches\n") || code != 0 {
		t.Errorf("no file: exit %d, %q, %q", code, out, errs)
	}
}

func TestSplitGlobs(t *testing.T) {
	for in, want := range map[string][]string{
		"": {""}, "a": {"a"}, "a,b": {"a", "b"}, "{a,b},c": {"{a,b}", "c"}, `a\,b,c`: {`a\,b`, "c"}, "{a,{b,c}},d,": {"{a,{b,c}}", "d", ""}, `\`: {`\`},
	} {
		if got := splitGlobs(in); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// One bad file does not stop the others.
func TestSiteBadFiles(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": "\x00\x00\x00binary", "s/b.html": plainPage, "s/jis.html": "<meta charset=iso-2022-jp>e.com"})
	out, errs, code := command("", "html", "-w", "s", "missing.html", "s/none/x.html")
	if out != "" || code != exitError || !strings.Contains(errs, "bidilink: missing.html: ") || !strings.Contains(errs, filepath.FromSlash("s/a.html: binary data")) ||
		!strings.HasSuffix(errs, "bidilink: 1 of 5 files changed, 1 link, 4 in error\n") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	sameTree(t, "s", map[string]string{"a.html": "\x00\x00\x00binary", "b.html": linkedPage, "jis.html": "<meta charset=iso-2022-jp>e.com"})
}

func TestSiteVerify(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": "<p>e.com/\u202eא", "s/b.html": plainPage})
	if out, errs, code := command("", "html", "-w", "--verify", "s"); out != "" || errs != "bidilink: 2 of 2 files changed, 2 links, 1 isolated\n" || code != 0 {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	// What cannot be verified, as a parser gives it up, stays as it is.
	deep := plainPage + strings.Repeat("<div>", 600)
	store(t, "s/c.html", deep)
	const message = "left as it was: the input cannot be verified: "
	out, errs, code := command("", "html", "-w", "--json", "--verify", "s")
	if !strings.Contains(out, `c.html","fileBytes":null,"changed":false,"links":0,`) || !strings.Contains(out, message) || !strings.Contains(errs, "c.html: "+message) || code != exitError {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	if out, errs, code := command("", "html", "--verify", "s/c.html"); out != deep || !strings.Contains(errs, "c.html: "+message) || code != exitError {
		t.Errorf("to standard output: exit %d, %q, %q", code, out, errs)
	}
	command("", "html", "--verify", "-o", "out", "s")
	for _, dir := range []string{"s", "out"} {
		if got := tree(t, dir); got["c.html"] != deep || got["b.html"] != linkedPage {
			t.Errorf("%s: %q", dir, got)
		}
	}
}

func TestDiff(t *testing.T) {
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, "%d\n", i)
		}
		return b.String()
	}
	in := "e.com\r\n" + lines(2, 8) + "e.com\n" + lines(10, 14) + "x e.com \xe4\n" + lines(16, 30) + "e.com"
	inSite(t, map[string]string{"s/a.html": in, "s/b.html": "no change", "s/c d.html": "e.com"})
	const link = `<a href="https://e.com">e.com</a>`
	want := `--- s/a.html
+++ s/a.html
@@ -1,4 +1,4 @@
-e.com` + "\r" + `
+` + link + "\r" + `
 2
 3
 4
@@ -6,13 +6,13 @@
 6
 7
 8
-e.com
+` + link + `
 10
 11
 12
 13
 14
-x e.com ` + "\xe4" + `
+x ` + link + " \xe4" + `
 16
 17
 18
@@ -28,4 +28,4 @@
 28
 29
 30
-e.com
\ No newline at end of file
+` + link + `
\ No newline at end of file
--- s/c d.html	
+++ s/c d.html	
@@ -1 +1 @@
-e.com
\ No newline at end of file
+` + link + `
\ No newline at end of file
`
	out, errs, code := command("", "html", "-d", "s")
	if filepath.ToSlash(out) != filepath.ToSlash(want) || code != 0 {
		t.Errorf("exit %d, %q\n%s", code, errs, out)
	}
	if out, _, _ := command("e.com", "html", "-d"); !strings.HasPrefix(out, "--- -\n+++ -\n@@ -1 +1 @@\n") {
		t.Errorf("standard input: %q", out)
	}
	for name, want := range map[string]string{"a": "a", "a b": "a b\t", "ש": "ש", "a\n\"ש\\": `"a\012\"\327\251\\"`} {
		if got := diffName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := string(appendDiff(nil, "x", []byte("a\nb"), []byte("a\nb\nc\n"))); got != "--- x\n+++ x\n@@ -1,2 +1,3 @@\n-a\n-b\n\\ No newline at end of file\n+a\n+b\n+c\n" {
		t.Errorf("other number of lines: %q", got)
	}
}

// However many files are worked on at once, the output is the same.
func TestSiteOrder(t *testing.T) {
	files := map[string]string{}
	for i := range 2000 {
		data := strings.Repeat("<p>x\n", i%7*i%13*40) + plainPage
		switch i % 10 {
		case 3:
			data = linkedPage
		case 5:
			data = "\xff\xfe\x00"
		case 7:
			data = "<p>e.com<plaintext>"
		}
		files[fmt.Sprintf("s/%d/%d.html", i%17, i)] = data
	}
	inSite(t, files)
	for _, mode := range []string{"-l", "-d", "--json"} {
		args := []string{"html", mode, "s"}
		if mode != "-l" {
			args = []string{"html", mode, "s/3", "s/1", "s/2"}
		}
		var want, wantErrs string
		for _, jobs := range []string{"1", "2", "16"} {
			out, errs, code := command("", append(args, "-j", jobs)...)
			if code != exitError {
				t.Fatalf("%s: exit %d", mode, code)
			}
			if jobs == "1" {
				want, wantErrs = out, errs
			} else if out != want || errs != wantErrs {
				t.Errorf("%s -j %s: another output", mode, jobs)
			}
		}
		if mode == "-l" && !slices.IsSortedFunc(strings.Split(strings.TrimSuffix(want, "\n"), "\n"), cmp.Compare) {
			t.Error("not sorted")
		}
	}
	out, errs, code := command("", "html", "-w", "-q", "-j", "8", "--json", "s")
	if code != exitError || strings.Count(out, "\n") != 2000 || strings.Count(errs, "\n") != 200 {
		t.Errorf("exit %d, %d lines, %d messages", code, strings.Count(out, "\n"), strings.Count(errs, "\n"))
	}
	for name, data := range files {
		want := data
		if !strings.HasPrefix(data, "\xff") && data != linkedPage {
			want = strings.Replace(data, "e.com", `<a href="https://e.com">e.com</a>`, 1)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Fatalf("%s: %v, %.100q", name, err, got)
		}
	}
	noTemporaryFiles(t, "s")
}

func noTemporaryFiles(t *testing.T, dir string) {
	t.Helper()
	for name := range tree(t, dir) {
		if strings.Contains(name, ".bidilink-") {
			t.Errorf("%s is left", name)
		}
	}
}

// Nobody reads the list any more: what is only looked at need not be looked at further; what is to be written is written.
func TestSiteBrokenPipe(t *testing.T) {
	for _, c := range []struct {
		err   error
		write bool
		code  int
	}{{syscall.EPIPE, false, exitDone}, {syscall.EPIPE, true, exitDone}, {errors.New("boom"), false, exitError}, {errors.New("boom"), true, exitError}} {
		files := map[string]string{}
		for i := range 50 {
			files[fmt.Sprintf("s/%d.html", i)] = plainPage
		}
		inSite(t, files)
		args := []string{"html", "-l", "-q", "s"}
		if c.write {
			args = append(args, "-w")
		}
		var errs bytes.Buffer
		if code := run(args, strings.NewReader(""), broken{c.err}, &errs); code != c.code || (errs.Len() > 0) != (c.code != exitDone) {
			t.Errorf("%v, write %v: exit %d, %q", c.err, c.write, code, errs.String())
		}
		for name, data := range tree(t, ".") {
			if (data == linkedPage) != c.write {
				t.Errorf("%v, write %v: %s: %q", c.err, c.write, name, data)
			}
		}
	}
}

// A file that another program writes to meanwhile is not replaced.
func TestReplaceChanged(t *testing.T) {
	inSite(t, map[string]string{"a.html": plainPage})
	old, err := os.Lstat("a.html")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("a.html", []byte("newer"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(t.Context(), &guard{}, "a.html", []byte("x"), old); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Error(err)
	}
	sameTree(t, ".", map[string]string{"a.html": "newer"})
}
