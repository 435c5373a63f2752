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
	"strings"
	"syscall"
	"testing"
	"time"
)

//go:embed testdata/seen.js
var seenScript string

var screenshots = flag.Bool("screenshots", false, "write the screenshots of doc/display.md")

// The link and the sentences round it, in paragraphs of both directions.
var orderPages = map[string]struct{ link, ltr, rtl string }{
	"hebrew": {"http://www.דואר.מזל.com/חדשות/ספר/page", "See %s for more.", "ראו %s לפרטים."},
	"arabic": {"http://www.بريد.مثال.com/كتاب/صفحة/page", "See %s for more.", "انظر %s للمزيد."},
}

// A displayed link is one of those displays that bidilink show --json gives.
type displayed struct{ Order, Paragraph, Visual string }

// TestBrowser has Chromium show what bidilink html writes in each order, and compares it with what bidilink show says that a reader sees. With
// -screenshots, it takes the pictures of doc/display.md.
func TestBrowser(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v; on Debian, it is in the package of this name", err)
	}
	results := make(chan browserResult, 1)
	pages := make(map[string]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch page := pages[r.URL.Path]; {
		case r.URL.Path == "/result":
			var s browserResult
			if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
				s.Error = err.Error()
			}
			select {
			case results <- s:
			default:
			}
		case page == "":
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
			if r.URL.RawQuery == "measure" {
				fmt.Fprint(w, "<script>"+seenScript+"</script>")
			}
		}
	}))
	defer server.Close()
	for name, c := range orderPages {
		out, errs, code := command("", "show", "--json", c.link)
		var shown struct {
			Links []struct{ Displays []displayed }
		}
		if err := json.Unmarshal([]byte(out), &shown); err != nil || code != 0 || len(shown.Links) != 1 {
			t.Fatalf("show: %v, exit %d, %s, %s", err, code, errs, out)
		}
		displays := shown.Links[0].Displays
		pages["/"+name] = ordersPage(t, c.link, c.ltr, c.rtl, displays)
		s := measurePage(t, program, server.URL+"/"+name+"?measure", results)
		if s.Error != "" || len(s.Seen) != len(displays) {
			t.Errorf("%s: %d links, want %d: %s", name, len(s.Seen), len(displays), s.Error)
			continue
		}
		different := make(map[string]bool)
		for i, d := range displays {
			different[d.Visual] = true
			if s.Seen[i] != d.Visual {
				t.Errorf("%s: order %s in a paragraph of %s:\n seen     %s\n computed %s", name, d.Order, d.Paragraph, s.Seen[i], d.Visual)
			}
		}
		if len(different) < 4 {
			t.Errorf("%s: only %d pictures of one link: it shows no differences between the orders", name, len(different))
		}
		if *screenshots {
			shoot(t, program, server.URL+"/"+name, filepath.Join("..", "..", "doc", "display-"+name+".png"))
		}
	}
}

// ordersPage returns a page with the link in all displays, each made by bidilink html, in their order.
func ordersPage(t *testing.T, link, ltr, rtl string, displays []displayed) string {
	t.Helper()
	var page strings.Builder
	page.WriteString(`<!doctype html><meta charset="utf-8"><title>Orders</title><style>
body { margin: 8px; font: 15px "DejaVu Sans"; font-variant-ligatures: none; color: #111; background: #fff }
table { border-collapse: collapse } td { padding: 3px 8px; border: 1px solid #ccc; white-space: nowrap }
td.order { color: #555 } p { margin: 0; width: 470px } a, .plain { color: #00c }
</style><table>`)
	for i, d := range displays {
		sentence := ltr
		if d.Paragraph == "rtl" {
			sentence = rtl
		}
		name, html := d.Order, fmt.Sprintf("<p dir=%q>"+sentence+"</p>", d.Paragraph, `<span class="plain">`+link+`</span>`)
		if d.Order == "none" {
			name = "no mark-up"
		} else {
			source := fmt.Sprintf("<p dir=%q>"+sentence+"</p>", d.Paragraph, link)
			out, errs, code := command(source, "html", "--order", d.Order)
			if code != 0 || strings.Count(out, "<a ") != 1 {
				t.Fatalf("html --order %s: exit %d, %s, %s", d.Order, code, errs, out)
			}
			html = out
		}
		if i%2 == 0 {
			fmt.Fprintf(&page, "\n<tr><td class=order>%s", name)
		}
		page.WriteString("<td>" + html)
	}
	page.WriteString("</table>\n")
	return page.String()
}

// A browserResult is what a page of the test sends: the characters of each link from left to right.
type browserResult struct {
	Error string
	Seen  []string
}

// chromium returns the browser with a profile in dir, which is not started yet.
func chromium(ctx context.Context, program, dir string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(ctx, program, append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + filepath.Join(dir, "profile")}, args...)...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "LC_ALL=C.UTF-8")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, &said
}

// profile returns a folder for a browser, and what removes it: the processes of a browser do not all end at once.
func profile(t *testing.T) (dir string, remove func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	return dir, func() {
		for i := 0; os.RemoveAll(dir) != nil && i < 50; i++ {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// measurePage has the browser show a page, and returns what the page sends.
func measurePage(t *testing.T, program, url string, results chan browserResult) browserResult {
	t.Helper()
	dir, remove := profile(t)
	defer remove()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd, said := chromium(ctx, program, dir, "--remote-debugging-port=0", "--window-size=1200,900", url)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	select {
	case s := <-results:
		cancel()
		<-exited
		return s
	case err := <-exited:
		return browserResult{Error: fmt.Sprintf("the browser ended without a result: %v: %s", err, said)}
	}
}

// shoot writes a screenshot.
func shoot(t *testing.T, program, url, name string) {
	t.Helper()
	dir, remove := profile(t)
	defer remove()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd, said := chromium(ctx, program, dir, "--window-size=1130,200", "--screenshot="+name, url)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}
