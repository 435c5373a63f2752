// SPDX-License-Identifier: MIT

//go:build browser && unix

package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

//go:embed testdata/measure.js
var measure string

// A seen is what a browser shows of the links of a page.
type seen struct {
	Error    string
	Links    []struct{ Text, Seen, Bare string } // in memory, from left to right, and that without our isolates
	Nested   int                                 // anchors in anchors
	Elements int                                 // anchors in all
}

// TestBrowser has Chromium show each page of links, and looks at where the characters of the links are.
func TestBrowser(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v; on Debian, it is in the package of this name", err)
	}
	files, err := build(os.DirFS("."), false)
	if err != nil {
		t.Fatal(err)
	}
	var site preview
	site.set(files)
	results := make(chan seen, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/result" {
			var s seen
			if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
				s.Error = err.Error()
			}
			select {
			case results <- s:
			default:
			}
			return
		}
		site.ServeHTTP(w, r)
		if strings.HasSuffix(r.URL.Path, "/links.html") {
			w.Write([]byte("<style>a { white-space: nowrap; font-variant-ligatures: none }</style><script>" + measure + "</script>"))
		}
	}))
	defer server.Close()
	for _, lang := range []string{"en", "ar", "he", "fa"} {
		s := show(t, program, server.URL+"/"+lang+"/links.html", results)
		if s.Error != "" {
			t.Errorf("%s: %s", lang, s.Error)
			continue
		}
		if want := strings.Count(string(files[lang+"/links.html"]), "<a "); s.Nested != 0 || s.Elements != want {
			t.Errorf("%s: %d anchors, of them %d in others; want %d, none in another", lang, s.Elements, s.Nested, want)
		}
		bidirectional, scrambled := 0, 0
		for _, l := range s.Links {
			want := inOrder(l.Text)
			if l.Seen != want {
				t.Errorf("%s: %s\n seen %s\n want %s", lang, l.Text, l.Seen, want)
			}
			if want != l.Text {
				bidirectional++
				if l.Bare != want {
					scrambled++
				}
			}
		}
		// Without the isolates, links are scrambled: otherwise this shows nothing.
		if bidirectional < 5 || scrambled == 0 {
			t.Errorf("%s: %d links with right-to-left letters, %d of them scrambled without isolates", lang, bidirectional, scrambled)
		}
		t.Logf("%s: %d links, %d with right-to-left letters, all in order; without isolates, %d of them are not", lang, len(s.Links), bidirectional, scrambled)
	}
}

// inOrder returns a link as it is to be seen: its fields from left to right, and the letters of each in their direction.
func inOrder(link string) string {
	var out strings.Builder
	for link != "" {
		i := strings.IndexFunc(link, func(r rune) bool { return strings.ContainsRune(":/.?#=&@", r) })
		if i < 0 {
			i = len(link)
		}
		field := []rune(link[:i])
		if p, _ := bidi.LookupString(link); i > 0 && (p.Class() == bidi.R || p.Class() == bidi.AL) {
			for a, b := 0, len(field)-1; a < b; a, b = a+1, b-1 {
				field[a], field[b] = field[b], field[a]
			}
		}
		out.WriteString(string(field))
		_, n := utf8.DecodeRuneInString(link[i:])
		out.WriteString(link[i : i+n])
		link = link[i+n:]
	}
	return out.String()
}

func TestInOrder(t *testing.T) {
	for in, want := range map[string]string{"http://אב.com/אב": "http://בא.com/בא", "a_(b)": "a_(b)"} {
		if got := inOrder(in); got != want || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// show has a browser show a page, and returns what the page sends.
func show(t *testing.T, program, url string, results chan seen) seen {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { // the processes of a browser do not all end at once
		for i := 0; os.RemoveAll(dir) != nil && i < 50; i++ {
			time.Sleep(100 * time.Millisecond)
		}
	}()
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"), "--remote-debugging-port=0", url)
	cmd.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var s seen
	select {
	case s = <-results:
	case err := <-exited:
		exited <- err
		s.Error = "the browser has ended"
	case <-ctx.Done():
		s.Error = "no result"
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-exited
	if said, err := os.ReadFile(log.Name()); err == nil && s.Error != "" {
		t.Logf("%s", said[max(0, len(said)-4000):])
	}
	return s
}
