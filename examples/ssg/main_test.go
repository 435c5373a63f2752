// SPDX-License-Identifier: MIT

package main

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestBuild(t *testing.T) {
	files, err := build(os.DirFS("."), false)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"ar/index.html", "ar/links.html", "en/index.html", "en/links.html", "fa/index.html", "fa/links.html", "he/index.html", "he/links.html",
		"index.html", "style.css"}
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Fatalf("files %q, want %q", got, want)
	}
	for lang, dir := range map[string]string{"en": "ltr", "ar": "rtl", "he": "rtl", "fa": "rtl"} {
		got := string(files[lang+"/links.html"])
		if strings.Contains(got, "<script") {
			t.Errorf("%s: a script, without -serve", lang)
		}
		// One link of letters that go to the right and one of others: the latter is isolated everywhere, the former in right-to-left text.
		latin := `<a href="https://example.com/_a_b_">https://example.com/_a_b_</a>`
		if dir == "rtl" {
			latin = `<bdi dir="ltr">` + latin + `</bdi>`
		}
		for _, part := range []string{
			`<html lang="` + lang + `" dir="` + dir + `">`,
			` ` + latin + `</strong>`,
			`&ldquo;`, `>https://example.com/x</a>`, `>https://example.com/a_(b)</a>`, `<a href="mailto:info@example.com">`,
			`<bdi dir="ltr"><a href="http://xn--6dbbec0c.xn--4dbrk0ce/%D7%A1%D7%A4%D7%A8/%D7%A2%D7%9E%D7%95%D7%93">http://<bdi dir="ltr">דוגמה</bdi>.`,
			`<a href="https://example.org/">`, `<code>https://example.com</code>`, ` README.md `,
		} {
			if !strings.Contains(got, part) {
				t.Errorf("%s/links.html has no %s", lang, part)
			}
		}
		if m := nested(got); m != "" {
			t.Errorf("%s/links.html: a link in a link: %s", lang, m)
		}
	}
}

// nested returns a link in a link, or "".
func nested(page string) string {
	parts := strings.Split(page, "<a ")
	for _, part := range parts[1 : len(parts)-1] {
		if !strings.Contains(part, "</a>") {
			return part
		}
	}
	return ""
}

func TestNested(t *testing.T) {
	for page, want := range map[string]bool{
		`<a href=x>a</a> <abbr>b</abbr> <a href=y>c</a>`: false,
		`<a href=x>a <bdi>b</bdi> <a href=y>c</a></a>`:   true,
	} {
		if got := nested(page) != ""; got != want {
			t.Errorf("%s: %v", page, got)
		}
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if err := run(".", dir, ""); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "he", "links.html")
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(page, old, old); err != nil {
		t.Fatal(err)
	}
	if err := run(".", dir, ""); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(page); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("a page that stays as it is was written again: %v, %v", info, err)
	}
}

func TestErrors(t *testing.T) {
	home := "---\ntitle: T\nlanguage: L\ndir: ltr\n---\n"
	for _, c := range []struct{ name, text, want string }{
		{"content/en/a.md", "text", "content/en/a.md: want front matter"},
		{"content/en/a.md", "---\ntitel: T\n---\n", `unknown key "titel"`},
		{"content/en/a.md", "---\ntitle: T\ndate: today\n---\n", "cannot parse"},
		{"content/en/a.md", "---\n---\n", "front matter"},
		{"content/a.md", "---\ntitle: T\n---\n", "content/a.md: want content/LANG/NAME.md"},
		{"content/en/index.md", "---\ntitle: T\n---\n", "of a home page"},
		{"content/fr/a.md", "---\ntitle: T\n---\n", "content/fr: want a home page"},
		{"layout/page.html", "{{.Nothing}}", "Nothing"},
	} {
		site := fstest.MapFS{
			"layout/page.html":    {Data: []byte("{{.Body}}")},
			"content/en/index.md": {Data: []byte(home)},
		}
		if _, err := build(site, false); err != nil {
			t.Fatal(err)
		}
		site[c.name] = &fstest.MapFile{Data: []byte(c.text)}
		if _, err := build(site, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: %v, want %s", c.name, c.text, err, c.want)
		}
	}
	for _, address := range []string{":8080", "0.0.0.0:0", "example.com:80"} {
		if err := run(".", "", address); err == nil || !strings.Contains(err.Error(), "this machine only") {
			t.Errorf("-serve %s: %v", address, err)
		}
	}
}

// TestHidden: what editors and others leave in the folders is not published, and no page.
func TestHidden(t *testing.T) {
	site := fstest.MapFS{
		"layout/page.html":      {Data: []byte("{{.Body}}")},
		"content/en/index.md":   {Data: []byte("---\ntitle: T\nlanguage: L\ndir: ltr\n---\n")},
		"content/en/.a.md.swp":  {Data: []byte("x")},
		"content/en/.a.md":      {Data: []byte("x")},
		"content/en/#a.md#":     {Data: []byte("x")},
		"content/en/a.md~":      {Data: []byte("x")},
		"content/.git/config":   {Data: []byte("x")},
		"layout/.style.css.swp": {Data: []byte("x")},
	}
	files, err := build(site, false)
	if got := slices.Sorted(maps.Keys(files)); err != nil || !slices.Equal(got, []string{"en/index.html"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestHost: the preview answers to the names of this machine only.
func TestHost(t *testing.T) {
	var p preview
	p.set(map[string][]byte{"index.html": nil})
	for host, want := range map[string]int{
		"localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1:1": 200, "127.0.0.1": 200, "[::1]:8080": 200, "[::1]": 200,
		"evil.example:8080": 421, "evil.example": 421, "localhost.evil.example": 421, "192.0.2.1:8080": 421, "0.0.0.0:8080": 421, "": 421,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		if p.ServeHTTP(w, r); w.Code != want {
			t.Errorf("Host %q: %d, want %d", host, w.Code, want)
		}
	}
}

// The preview: a page asks whether there is a newer one, is told so when a file has changed, and then gets it. A
// mistake in a file does not end it.
func TestPreview(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	site := os.DirFS(dir)
	before := state(site)
	files, err := build(site, true)
	if err != nil {
		t.Fatal(err)
	}
	var p preview
	p.set(files)
	go p.watch(site, before)
	server := httptest.NewServer(&p)
	defer server.Close()
	get := func(path string) string {
		t.Helper()
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.Status[:3] + string(data)
	}
	if got := get("/he/index.html"); !strings.HasPrefix(got, "200") || !strings.Contains(got, `fetch("/live")`) || strings.Contains(got, "example.net") {
		t.Errorf("before the change: %s", got)
	}
	if got := get("/"); !strings.HasPrefix(got, "200") {
		t.Errorf("/: %s", got)
	}
	if got := get("/he/nothing.html"); !strings.HasPrefix(got, "404") {
		t.Errorf("a page that there is not: %s", got)
	}
	home := filepath.Join(dir, "content", "he", "index.md")
	text, err := os.ReadFile(home)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(500*time.Millisecond, func() {
		os.WriteFile(home, []byte("a mistake"), 0o666)
		time.Sleep(time.Second)
		os.WriteFile(home, append(text, "\nexample.net/new\n"...), 0o666)
	})
	if got := get("/live"); got != "200reload" {
		t.Errorf("/live: %s", got)
	}
	if got := get("/he/index.html"); !strings.Contains(got, `<bdi dir="ltr"><a href="https://example.net/new">`) {
		t.Errorf("after the change: %s", got)
	}
}
