// SPDX-License-Identifier: MIT

//go:build browser && unix

package htmlwalk_test

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// A browser is a program that shows a page.
type browser struct {
	name  string // of the program, and of Debian's package
	start func(profile string) (starting, error)
}

// A starting is how a browser is started.
type starting struct {
	args  []string // the URL follows
	files []*os.File
	keys  keyboard
}

// A keyboard presses keys in a page.
type keyboard interface {
	attach(url string) error
	copy() error
}

var browsers = []browser{{"chromium", startChromium}, {"firefox-esr", startFirefox}}

func startChromium(profile string) (starting, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return starting{}, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return starting{}, err
	}
	return starting{
		args: []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--user-data-dir=" + profile, "--remote-debugging-pipe"},
		files: []*os.File{theirIn, theirOut},
		keys:  &chromium{w: in, r: bufio.NewReader(out)},
	}, nil
}

func startFirefox(profile string) (starting, error) {
	return starting{
		args: []string{"--headless", "--no-remote", "--marionette", "--profile", profile},
		keys: &firefox{profile: profile},
	}, os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxPrefs), 0o600)
}

// firefoxPrefs keep Firefox from asking questions and from looking for servers, and let the page read the clipboard.
const firefoxPrefs = `
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("dom.events.testing.asyncClipboard", true);
user_pref("dom.max_script_run_time", 0);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("marionette.port", 0);
user_pref("media.gmp-manager.updateEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.dns.disablePrefetch", true);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.enabled", false);
`

//go:embed testdata/browser/measure.js
var measureScript string

// A page is what is measured of a page.
type page struct {
	Milliseconds float64 // that this took
	Error        string  // why it ended, unless empty
	Paragraphs   []measured
}

// A measured is what is measured of a paragraph.
type measured struct {
	Seen   string // its characters from left to right
	Error  string // why this cannot be told
	Copied string // what is copied of the whole
	Links  []struct {
		Href, Text, Copied string
		Clipboard          *string // nil if it was not asked for
	}
}

// A browser needs about 15 seconds.
const browserTimeout = 4 * time.Minute

// measure has a browser lay out the elements of a page, and measure them. The links in those of class copy are
// copied to the clipboard as well.
func measure(t *testing.T, b browser, elements []string) page {
	t.Helper()
	program, err := exec.LookPath(b.name)
	if err != nil {
		t.Fatalf("%v; on Debian, it is in the package of this name", err)
	}
	if version, err := exec.Command(program, "--version").Output(); err != nil {
		t.Fatalf("%s --version: %v", program, err)
	} else {
		t.Logf("%s", bytes.TrimSpace(version))
	}
	profile := folder(t)
	start, err := b.start(profile)
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan page, 1)
	var url string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method + " " + r.URL.Path {
		case "GET /":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, pageHead)
			io.WriteString(w, strings.Join(elements, "\n"))
			io.WriteString(w, "<script>"+measureScript+"</script>\n")
		case "POST /attach", "POST /copy":
			do := start.keys.copy
			if r.URL.Path == "/attach" {
				do = func() error { return start.keys.attach(url) }
			}
			if err := do(); err != nil {
				http.Error(w, r.URL.Path+": "+err.Error(), http.StatusInternalServerError)
			}
		case "POST /result":
			var p page
			if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
				p.Error = "result: " + err.Error()
			}
			select {
			case results <- p:
			default: // a second result
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	url = server.URL + "/"

	ctx, cancel := context.WithTimeout(context.Background(), browserTimeout)
	defer cancel()
	log, err := os.Create(filepath.Join(folder(t), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, append(start.args, url)...)
	cmd.ExtraFiles = start.files
	cmd.Env = append(os.Environ(), "HOME="+folder(t), "MOZ_HEADLESS=1", "LC_ALL=C.UTF-8")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range start.files {
		f.Close()
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	var p page
	select {
	case p = <-results:
	case err = <-exited:
		exited <- err
		err = fmt.Errorf("ended without a result (%v)", err)
	case <-ctx.Done():
		err = errors.New("no result in " + browserTimeout.String())
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-exited
	if err != nil {
		said, _ := os.ReadFile(log.Name())
		t.Fatalf("%s: %v\n%s", b.name, err, said[max(0, len(said)-4000):])
	}
	if p.Error != "" {
		t.Fatalf("%s: %s", b.name, p.Error)
	}
	return p
}

// folder returns a new folder. Unlike that of [testing.T.TempDir], it may still be written to when it is removed: browsers
// are many processes, which do not all end at once.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for i := 0; os.RemoveAll(dir) != nil && i < 50; i++ {
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}

// pageHead gives each paragraph one line, and each character a place of its own.
const pageHead = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>bidilink</title>
<style>
p { font: 20px "DejaVu Sans", sans-serif; font-variant-ligatures: none; white-space: pre; margin: 0 }
</style>
`
