// SPDX-License-Identifier: MIT

// Package stock tests the recipe for Hugo as it comes: hugo && bidilink html -w public.
package stock

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// hugo returns the program that the environment variable BIDILINK_HUGO names. Without it, that of the path is taken, if
// there is one.
func hugo(t *testing.T) string {
	t.Helper()
	name, given := os.LookupEnv("BIDILINK_HUGO")
	if !given {
		name = "hugo"
	}
	program, err := exec.LookPath(name)
	if err != nil && !given {
		t.Skip("there is no hugo; BIDILINK_HUGO may name one")
	}
	if err != nil {
		t.Fatalf("BIDILINK_HUGO=%s: %v", name, err)
	}
	return program
}

// command runs a program, and returns its exit status and what it says.
func command(t *testing.T, dir, program string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s %q: %v", program, args, err)
	}
	t.Logf("%s %s: %d\n%s", filepath.Base(program), strings.Join(args, " "), cmd.ProcessState.ExitCode(), out)
	return cmd.ProcessState.ExitCode(), string(out)
}

// A file is what is looked at of a file.
type file struct {
	data []byte
	time time.Time
}

func files(t *testing.T, dir string) map[string]file {
	t.Helper()
	found := map[string]file{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		found[filepath.ToSlash(rel)] = file{data, info.ModTime()}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// changed returns the files that differ, or are in one only. The time counts if touched is set.
func changed(a, b map[string]file, touched bool) (names []string) {
	for name, f := range a {
		if g, ok := b[name]; !ok || !bytes.Equal(f.data, g.data) || touched && !f.time.Equal(g.time) {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

func TestStock(t *testing.T) {
	program := hugo(t)
	site := t.TempDir()
	if err := os.CopyFS(site, os.DirFS(filepath.Join("..", "site"))); err != nil {
		t.Fatal(err)
	}
	bidilink := filepath.Join(t.TempDir(), "bidilink")
	if runtime.GOOS == "windows" {
		bidilink += ".exe"
	}
	if status, _ := command(t, filepath.Join("..", "..", ".."), "go", "build", "-o", bidilink, "./cmd/bidilink"); status != 0 {
		t.Fatal("cannot build bidilink")
	}
	command(t, site, program, "version")
	run := func(program string, args ...string) {
		t.Helper()
		if status, _ := command(t, site, program, args...); status != 0 {
			t.Fatalf("%s %q: exit status %d", program, args, status)
		}
	}
	public := filepath.Join(site, "public")

	run(program)
	before := files(t, public)
	if status, _ := command(t, site, bidilink, "html", "--check", "public"); status != 1 {
		t.Errorf("--check before the pass: exit status %d, want 1", status)
	}
	run(bidilink, "html", "-w", "--verify", "public")
	after := files(t, public)

	// Only pages change, and there is something of each kind that does not.
	pages := 0
	for _, name := range changed(before, after, true) {
		if pages++; !strings.HasSuffix(name, ".html") {
			t.Errorf("%s was touched", name)
		}
	}
	if pages != 6 {
		t.Errorf("%d pages were changed, want 6: three languages, a list and a page each", pages)
	}
	for _, pattern := range []string{"index.xml", "ar/index.xml", "sitemap.xml", "index.json", "robots.txt", "style.*.css", "links.*.js"} {
		found, err := filepath.Glob(filepath.Join(public, filepath.FromSlash(pattern)))
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %q, %v, want one file", pattern, found, err)
			continue
		}
		if data, _ := os.ReadFile(found[0]); pattern != "robots.txt" && !bytes.Contains(data, []byte("https://")) {
			t.Errorf("%s has no URL that could have become a link", pattern)
		}
	}
	for name, parts := range map[string][]string{
		"ar/links/index.html": {
			`<a href="#انظر-httpsexamplecoma_b-أولا">انظر https://example.com/a_(b) أولا</a></li>`,
			`<h2 id="انظر-httpsexamplecoma_b-أولا">انظر <bdi dir="ltr"><a href="https://example.com/a_(b)">https://example.com/a_(b)</a></bdi> أولا</h2>`,
			`<bdi dir="ltr"><a href="http://xn--mgbh0fb.xn--mgberp4a5d4ar/%D9%83%D8%AA%D8%A7%D8%A8">http://<bdi dir="ltr">مثال</bdi>.<bdi dir="ltr">السعودية</bdi>/<bdi dir="ltr">كتاب</bdi></a></bdi>.`,
			`<code>https://example.com</code>`, ` README.md.`,
			// By hand, from the render hook.
			`/%d7%90/%d7%91">http://דוגמה.ישראל/א/ב</a></bdi>،`,
			`<bdi><a href="https://example.com/book">book</a></bdi>`,
		},
		"links/index.html": {` at <bdi dir="ltr"><a href="http://xn--6dbbec0c.xn--4dbrk0ce/`, `<a href="mailto:info@example.com">info@example.com</a>,`},
	} {
		for _, part := range parts {
			if !bytes.Contains(after[name].data, []byte(part)) {
				t.Errorf("%s has no %s:\n%s", name, part, after[name].data)
			}
		}
	}

	// A second pass touches nothing.
	run(bidilink, "html", "-w", "public")
	if names := changed(after, files(t, public), true); len(names) > 0 {
		t.Errorf("the second pass changed %q", names)
	}
	run(bidilink, "html", "--check", "public")

	// Hugo again, and the pass again, over what is there: the same bytes.
	run(program)
	if len(changed(after, files(t, public), false)) == 0 {
		t.Error("hugo has not written its pages again, so that this shows nothing")
	}
	run(bidilink, "html", "-w", "public")
	if names := changed(after, files(t, public), false); len(names) > 0 {
		t.Errorf("a second hugo and a second pass changed %q", names)
	}
}

// TestHook: the render hook writes no address that runs code or shows a document of its own, and keeps the others.
func TestHook(t *testing.T) {
	program := hugo(t)
	site := t.TempDir()
	if err := os.CopyFS(site, os.DirFS(filepath.Join("..", "site"))); err != nil {
		t.Fatal(err)
	}
	const page = `---
title: Hook
---
[a1](javascript:alert%281%29) [a2](JavaScript:alert%281%29) [a3](data:text/html,x) [a4](vbscript:x) [a5](<java	script:alert(1)>)
[a6](&#1;javascript:alert%281%29) [a7](javascript&colon;alert%281%29) [a8](tel:javascript:x)

[b1](tel:+123) [b2](XMPP:a@example.com) [b3](https://example.com/?a=1&b=2 "it's") [b4](mailto:a@example.com) [b5](/x/) [b6](#y)
`
	if err := os.WriteFile(filepath.Join(site, "content", "en", "hook.md"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _ := command(t, site, program); status != 0 {
		t.Fatal("hugo failed")
	}
	data, err := os.ReadFile(filepath.Join(site, "public", "hook", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	// Versions of Hugo differ in whether they decode character references. If not, "javascript&colon;…" is the name of a file.
	dangerous := regexp.MustCompile(`<a href="#ZgotmplZ">(a[1-6])</a>`).FindAllString(string(data), -1)
	if len(dangerous) != 6 || regexp.MustCompile(`(?i)href="[^"]*(javascript|vbscript|data):[^"]*">a[1-7]`).Match(data) {
		t.Errorf("of six dangerous addresses, %q are not written:\n%s", dangerous, data)
	}
	for _, want := range []string{`>a7</a>`, `<a href="tel:javascript:x">a8<`, `<a href="tel:&#43;123">b1<`, `<a href="XMPP:a@example.com">b2<`, `<a href="https://example.com/?a=1&amp;b=2" title="it&#39;s">b3<`,
		`<a href="mailto:a@example.com">b4<`, `<a href="/x/">b5<`, `<a href="#y">b6<`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s:\n%s", want, data)
		}
	}
}
