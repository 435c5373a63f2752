// SPDX-License-Identifier: MIT

//go:build browser && unix

package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

//go:embed testdata/measure.js
var measure string

var screenshots = flag.Bool("screenshots", false, "write the screenshots that the README shows")

// A seen is what a browser shows of a letter.
type seen struct {
	Error    string
	Links    []struct{ Text, Seen, Bare string } // in memory, from left to right, and that without our isolates
	Contrast float64                             // of the text that is hardest to read
	Dark     bool                                // the browser asks for dark pages
	Start    string                              // the side on which the items of a list begin
	Width    float64                             // by which the letter is wider than the window
}

// A browser is Chromium, with a folder of its own.
type browser struct{ program, dir string }

// start starts it.
func (b browser) start(ctx context.Context, args ...string) (*exec.Cmd, *bytes.Buffer, error) {
	cmd := exec.CommandContext(ctx, b.program, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + filepath.Join(b.dir, "profile")}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+b.dir, "LC_ALL=C.UTF-8")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, &said, cmd.Start()
}

// TestBrowser has Chromium show each letter, in light and in dark, and looks at where the characters of the links are, and at how well texts can be read.
func TestBrowser(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v; on Debian, it is in the package of this name", err)
	}
	results := make(chan seen, 1)
	pages := map[string]string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch page := pages[r.URL.Path]; {
		case r.URL.Path == "/result":
			var s seen
			if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
				s.Error = err.Error()
			}
			select {
			case results <- s:
			default:
			}
		case page != "":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
			if r.URL.Query().Has("measure") {
				fmt.Fprint(w, "<script>"+measure+"</script>")
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, lang := range []string{"en", "ar", "he"} {
		l, err := read(filepath.Join("letters", lang))
		if err != nil {
			t.Fatal(err)
		}
		if _, pages["/"+lang], err = l.halves(); err != nil {
			t.Fatal(err)
		}
	}
	for _, lang := range []string{"en", "ar", "he"} {
		for _, scheme := range []string{"light", "dark"} {
			b := browser{program, t.TempDir()}
			// 0 is what Blink calls dark.
			prefers := "--blink-settings=preferredColorScheme=" + map[string]string{"dark": "0", "light": "1"}[scheme]
			s := b.measure(t, results, prefers, "--remote-debugging-port=0", "--window-size=700,1000", server.URL+"/"+lang+"?measure")
			check(t, lang, scheme, s)
			if *screenshots && (scheme == "light" || lang == "he") {
				name := lang + ".png"
				if scheme == "dark" {
					name = lang + "-dark.png"
				}
				b.shoot(t, prefers, server.URL+"/"+lang, name)
			}
			b.clear()
		}
	}
}

// check says what is wrong with how a letter is shown.
func check(t *testing.T, lang, scheme string, s seen) {
	t.Helper()
	if s.Error != "" {
		t.Errorf("%s, %s: %s", lang, scheme, s.Error)
		return
	}
	start := map[string]string{"ltr": "left", "rtl": "right"}[languages[lang].dir]
	if s.Dark != (scheme == "dark") || s.Contrast < 4.5 || s.Start != start || s.Width > 0 {
		t.Errorf("%s, %s: dark %v, contrast %.1f, items begin on the %s, %.0f pixels too wide; want contrast 4.5 and more, and the %s", lang, scheme, s.Dark, s.Contrast,
			s.Start, s.Width, start)
	}
	bidirectional, scrambled := 0, 0
	for _, l := range s.Links {
		want := inOrder(l.Text)
		if l.Seen != want {
			t.Errorf("%s, %s: %s\n seen %s\n want %s", lang, scheme, l.Text, l.Seen, want)
		}
		if want != l.Text {
			bidirectional++
		}
		if l.Bare != want {
			scrambled++
		}
	}
	// Without the isolates, links are scrambled: otherwise this shows nothing.
	if bidirectional < 4 || scrambled == 0 {
		t.Errorf("%s, %s: %d links with right-to-left letters, %d scrambled without isolates", lang, scheme, bidirectional, scrambled)
	}
	t.Logf("%s, %s: %d links, %d with right-to-left letters, all in order; without isolates, %d are not; least contrast %.1f", lang, scheme, len(s.Links), bidirectional,
		scrambled, s.Contrast)
}

// inOrder returns a link as it is to be seen: its fields from left to right, and the letters of each in their direction, each with its marks.
func inOrder(link string) string {
	var out strings.Builder
	var field []string // letters with their marks
	flush := func() {
		if len(field) > 0 {
			if p, _ := bidi.LookupString(field[0]); p.Class() == bidi.R || p.Class() == bidi.AL {
				slices.Reverse(field)
			}
		}
		out.WriteString(strings.Join(field, ""))
		field = field[:0]
	}
	for _, r := range link {
		switch {
		case strings.ContainsRune(":/.?#=&@", r):
			flush()
			out.WriteRune(r)
		case unicode.Is(unicode.Mn, r) && len(field) > 0:
			field[len(field)-1] += string(r)
		default:
			field = append(field, string(r))
		}
	}
	flush()
	return out.String()
}

func TestInOrder(t *testing.T) {
	for in, want := range map[string]string{"http://אב.com/א-ב": "http://בא.com/ב-א", "a@b.c": "a@b.c", "עמּ/b": "מּע/b"} {
		if got := inOrder(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// measure has the browser show a page, and returns what the page sends.
func (b browser) measure(t *testing.T, results chan seen, args ...string) (s seen) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd, said, err := b.start(ctx, args...)
	if err != nil {
		t.Fatal(err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	select {
	case s = <-results:
		cancel()
		<-exited
	case <-exited:
		s.Error = "the browser ended without a result: " + said.String()
	}
	return s
}

// shoot writes a screenshot.
func (b browser) shoot(t *testing.T, prefers, url, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd, said, err := b.start(ctx, prefers, "--window-size=660,700", "--screenshot="+name, url)
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}

// clear removes the profile. The processes of a browser do not all end at once.
func (b browser) clear() {
	for i := 0; os.RemoveAll(b.dir) != nil && i < 50; i++ {
		time.Sleep(100 * time.Millisecond)
	}
}
