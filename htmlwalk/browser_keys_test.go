// SPDX-License-Identifier: MIT

//go:build browser && unix

package htmlwalk_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A chromium speaks the DevTools protocol over a pair of pipes: JSON, with NUL after each message.
type chromium struct {
	w       io.Writer
	r       *bufio.Reader
	id      int
	session string // of the page, once it is known
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
		b, err := c.r.ReadBytes(0)
		if err != nil {
			return err
		}
		var answer struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(b[:len(b)-1], &answer); err != nil {
			return err
		}
		switch {
		case answer.ID != c.id: // an event
		case answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error.Message)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(answer.Result, result)
		}
	}
}

// attach goes to the page at url, and lets it use the clipboard.
func (c *chromium) attach(url string) error {
	if err := c.call("Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardReadWrite", "clipboardSanitizedWrite"}}, nil); err != nil {
		return err
	}
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	if err := c.call("Target.getTargets", struct{}{}, &targets); err != nil {
		return err
	}
	for _, target := range targets.TargetInfos {
		if target.Type != "page" || target.URL != url {
			continue
		}
		var attached struct{ SessionID string }
		if err := c.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached); err != nil {
			return err
		}
		c.session = attached.SessionID
		return c.call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	}
	return fmt.Errorf("no page %s among %v", url, targets)
}

// copy presses Control-C.
func (c *chromium) copy() error {
	for _, event := range []string{"rawKeyDown", "keyUp"} {
		params := map[string]any{"type": event, "modifiers": 2, "key": "c", "code": "KeyC", "windowsVirtualKeyCode": 'C'}
		if event == "rawKeyDown" {
			params["commands"] = []string{"copy"}
		}
		if err := c.call("Input.dispatchKeyEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}

// A firefox speaks the Marionette protocol over TCP: JSON, with its length and a colon before each message.
type firefox struct {
	profile string
	conn    net.Conn
	r       *bufio.Reader
	id      int
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

func (f *firefox) call(method string, params any) error {
	f.id++
	b, err := json.Marshal([]any{0, f.id, method, params})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(b), b); err != nil {
		return err
	}
	b, err = f.read()
	if err != nil {
		return err
	}
	var answer [4]any // type, id, error, result
	if err := json.Unmarshal(b, &answer); err != nil {
		return err
	}
	if answer[2] != nil {
		return fmt.Errorf("%s: %v", method, answer[2])
	}
	return nil
}

// attach goes to the page that is open.
func (f *firefox) attach(string) error {
	var port []byte
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		var err error
		if port, err = os.ReadFile(filepath.Join(f.profile, "MarionetteActivePort")); err == nil && len(port) > 0 {
			break
		}
		if time.Since(begin) > time.Minute {
			return errors.Join(errors.New("Marionette does not run"), err)
		}
	}
	var err error
	if f.conn, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", strings.TrimSpace(string(port)))); err != nil {
		return err
	}
	f.r = bufio.NewReader(f.conn)
	if _, err := f.read(); err != nil { // its version
		return err
	}
	return f.call("WebDriver:NewSession", struct{}{})
}

// copy presses Control-C.
func (f *firefox) copy() error {
	const control = "\uE009"
	type key struct {
		Type  string `json:"type"`
		Value string `json:"value"`
	}
	return f.call("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{
		"type": "key", "id": "keyboard",
		"actions": []key{{"keyDown", control}, {"keyDown", "c"}, {"keyUp", "c"}, {"keyUp", control}},
	}}})
}
