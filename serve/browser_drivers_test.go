// SPDX-License-Identifier: MIT

//go:build browser && unix

package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// launch starts a browser, which is ended when the function returned is called.
func launch(t *testing.T, path, dir string, files []*os.File, args ...string) func() {
	t.Helper()
	log := logOf(t, dir)
	cmd := exec.Command(path, args...)
	cmd.ExtraFiles = files
	cmd.Env = append(os.Environ(), "HOME="+dir, "MOZ_HEADLESS=1", "LC_ALL=C.UTF-8")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		f.Close()
	}
	return func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	}
}

// A chromium speaks the DevTools protocol over a pair of pipes: JSON, with NUL after each message.
type chromium struct {
	w       io.Writer
	r       *bufio.Reader
	end     func()
	id      int
	session string
	frames  int               // sessions of frames, which may be in processes of their own
	list    []string          // troubles
	urls    map[string]string // of requests, by their ids, but for those that the browser has refused
	loaded  int               // pages
}

// startChromium starts Chromium, for which the host evil.example is at an address.
func startChromium(t *testing.T, evil string) *chromium {
	t.Helper()
	path, dir := program(t, "chromium"), folder(t)
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &chromium{w: in, r: bufio.NewReader(out), urls: make(map[string]string)}
	stop := launch(t, path, dir, []*os.File{theirIn, theirOut}, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1600,1200", "--host-resolver-rules=MAP evil.example "+evil, "--user-data-dir="+filepath.Join(dir, "profile"), "--remote-debugging-pipe", "about:blank")
	late := time.AfterFunc(4*time.Minute, stop) // then a call fails
	c.end = func() {
		late.Stop()
		stop()
		in.Close()
		out.Close()
	}
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	for len(targets.TargetInfos) == 0 {
		if err := c.call("Target.getTargets", map[string]any{"filter": []any{map[string]any{"type": "page"}}}, &targets); err != nil {
			c.end()
			t.Fatal(err)
		}
	}
	var attached struct{ SessionID string }
	if err := c.call("Target.attachToTarget", map[string]any{"targetId": targets.TargetInfos[0].TargetID, "flatten": true}, &attached); err != nil {
		c.end()
		t.Fatal(err)
	}
	c.session = attached.SessionID
	for _, method := range append(slices.Clone(domains), "Page.enable") {
		if err := c.call(method, struct{}{}, nil); err != nil {
			c.end()
			t.Fatal(err)
		}
	}
	if err := c.call("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}, nil); err != nil {
		c.end()
		t.Fatal(err)
	}
	if err := c.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil); err != nil {
		c.end()
		t.Fatal(err)
	}
	return c
}

// domains are what tells of errors and requests, in the page and in its frames.
var domains = []string{"Runtime.enable", "Log.enable", "Network.enable"}

func (c *chromium) close() { c.end() }

// message reads one message, which is an answer or an event; of events it remembers what matters.
func (c *chromium) message() (id int, result json.RawMessage, err error) {
	b, err := c.r.ReadBytes(0)
	if err != nil {
		return 0, nil, err
	}
	var m struct {
		ID     int
		Method string
		Params json.RawMessage
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal(b[:len(b)-1], &m); err != nil {
		return 0, nil, err
	}
	if m.Error != nil && m.ID < 0 {
		return m.ID, nil, nil // of a frame that has gone
	}
	if m.Error != nil {
		return m.ID, nil, errors.New(m.Error.Message)
	}
	switch m.Method {
	case "Runtime.exceptionThrown":
		c.list = append(c.list, "exception: "+string(m.Params))
	case "Runtime.consoleAPICalled":
		c.list = append(c.list, "console: "+string(m.Params))
	case "Log.entryAdded":
		c.list = append(c.list, "log: "+string(m.Params))
	case "Page.loadEventFired":
		c.loaded++
	case "Target.attachedToTarget":
		var p struct{ SessionID string }
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return 0, nil, err
		}
		if c.session == "" {
			break // that of the page
		}
		c.frames++
		for i, method := range append(slices.Clone(domains), "Runtime.runIfWaitingForDebugger") {
			// Nobody waits for these answers.
			b, err := json.Marshal(map[string]any{"id": -1 - i, "method": method, "params": struct{}{}, "sessionId": p.SessionID})
			if err != nil {
				return 0, nil, err
			}
			if _, err := c.w.Write(append(b, 0)); err != nil {
				return 0, nil, err
			}
		}
	case "Network.requestWillBeSent":
		var p struct {
			RequestID string
			Request   struct{ URL string }
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return 0, nil, err
		}
		c.urls[p.RequestID] = p.Request.URL
	case "Network.loadingFailed":
		var p struct{ RequestID, BlockedReason string }
		if err := json.Unmarshal(m.Params, &p); err != nil {
			return 0, nil, err
		}
		if p.BlockedReason == "csp" {
			delete(c.urls, p.RequestID)
		}
	}
	return m.ID, m.Result, nil
}

func (c *chromium) call(method string, params, result any) error {
	c.id++
	message := map[string]any{"id": c.id, "method": method, "params": params}
	if c.session != "" {
		message["sessionId"] = c.session
	}
	b, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if _, err := c.w.Write(append(b, 0)); err != nil {
		return err
	}
	for {
		id, answer, err := c.message()
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", method, err)
		case id != c.id:
		case result == nil:
			return nil
		default:
			return json.Unmarshal(answer, result)
		}
	}
}

func (c *chromium) open(url string) error {
	before := c.loaded
	if err := c.call("Page.navigate", map[string]string{"url": url}, nil); err != nil {
		return err
	}
	for c.loaded == before {
		if _, _, err := c.message(); err != nil {
			return err
		}
	}
	return nil
}

func (c *chromium) eval(script string, result any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := c.call("Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer); err != nil {
		return err
	}
	if e := answer.ExceptionDetails; e != nil {
		return fmt.Errorf("%s %s", e.Text, e.Exception.Description)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

func (c *chromium) troubles() ([]string, error) {
	// What has happened in the page by now has been said when this is answered.
	if err := c.eval("new Promise(ok => setTimeout(ok, 50))", nil); err != nil {
		return nil, err
	}
	list := c.list
	c.list = nil
	return list, nil
}

// press presses a key.
func (c *chromium) press(t *testing.T, key string, code int) {
	t.Helper()
	for _, event := range []string{"rawKeyDown", "keyUp"} {
		if err := c.call("Input.dispatchKeyEvent", map[string]any{"type": event, "key": key, "code": key, "windowsVirtualKeyCode": code}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A firefox speaks the Marionette protocol over TCP: JSON, with its length and a colon before each message.
type firefox struct {
	conn net.Conn
	r    *bufio.Reader
	end  func()
	id   int
	seen int // messages of the console that were looked at
}

// firefoxPrefs keep Firefox from asking questions and from looking for servers.
const firefoxPrefs = `
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("marionette.port", 0);
user_pref("media.gmp-manager.updateEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.dns.disablePrefetch", true);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.enabled", false);
`

func startFirefox(t *testing.T) *firefox {
	t.Helper()
	path, dir, profile := program(t, "firefox-esr"), folder(t), folder(t)
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxPrefs), 0o600); err != nil {
		t.Fatal(err)
	}
	stop := launch(t, path, dir, nil, "--headless", "--no-remote", "--marionette", "--remote-allow-system-access", "--window-size=1600,1200", "--profile", profile, "about:blank")
	late := time.AfterFunc(4*time.Minute, stop)
	f := &firefox{end: func() { late.Stop(); stop() }}
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort")); err == nil && len(port) > 0 {
			if f.conn, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", strings.TrimSpace(string(port)))); err == nil {
				break
			}
		}
		if time.Since(begin) > time.Minute {
			f.end()
			t.Fatal("Marionette does not run")
		}
	}
	f.r = bufio.NewReader(f.conn)
	_, err := f.read() // its version
	if err == nil {
		err = f.call("WebDriver:NewSession", struct{}{}, nil)
	}
	if err == nil {
		_, err = f.troubles() // of the start
	}
	if err != nil {
		f.end()
		t.Fatal(err)
	}
	return f
}

func (f *firefox) close() {
	f.conn.Close()
	f.end()
}

func (f *firefox) read() ([]byte, error) {
	length, err := f.r.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(f.r, b)
	return b, err
}

func (f *firefox) call(method string, params, result any) error {
	f.id++
	b, err := json.Marshal([]any{0, f.id, method, params})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(b), b); err != nil {
		return err
	}
	if b, err = f.read(); err != nil {
		return err
	}
	var answer [4]json.RawMessage // type, id, error, result
	if err := json.Unmarshal(b, &answer); err != nil {
		return err
	}
	if string(answer[2]) != "null" {
		return fmt.Errorf("%s: %s", method, answer[2])
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer[3], &struct{ Value any }{result})
}

func (f *firefox) open(url string) error {
	return f.call("WebDriver:Navigate", map[string]string{"url": url}, nil)
}

func (f *firefox) eval(script string, result any) error {
	const asked = `const done = arguments[arguments.length - 1]; (async () => %s)().then(v => done({ v: v === undefined ? null : v }), e => done({ e: String(e) }))`
	var answer struct {
		V json.RawMessage
		E string
	}
	if err := f.call("WebDriver:ExecuteAsyncScript", map[string]any{"script": fmt.Sprintf(asked, "("+script+")"), "args": []any{}, "sandbox": nil}, &answer); err != nil {
		return err
	}
	if answer.E != "" {
		return errors.New(answer.E)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(answer.V, result)
}

func (f *firefox) troubles() ([]string, error) {
	if err := f.call("Marionette:SetContext", map[string]string{"value": "chrome"}, nil); err != nil {
		return nil, err
	}
	var list []string
	const script = `return Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError && !(m.flags & 1) && /^http:/.test(m.sourceName)).map(m => m.sourceName + ":" + m.lineNumber + ": " + m.errorMessage)`
	if err := f.call("WebDriver:ExecuteScript", map[string]any{"script": script, "args": []any{}}, &list); err != nil {
		return nil, err
	}
	if err := f.call("Marionette:SetContext", map[string]string{"value": "content"}, nil); err != nil {
		return nil, err
	}
	list, f.seen = list[min(f.seen, len(list)):], len(list)
	return list, nil
}
