// SPDX-License-Identifier: MIT

package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Sources is the folder with the sources of the runners. It is relative to the folder of this package, where go test runs.
var Sources = "peers"

// A Runner is how the program of a peer is begun. peers/README.md says how it is talked to.
type Runner struct {
	// Install is the command that installs what is missing, for Debian.
	Install string

	// commands returns command lines, the first of which that works counts. It builds what has to be built.
	commands func() ([][]string, error)
}

// A MissingError says that a peer is not installed.
type MissingError struct{ Install, Cause string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("not installed: %s (%s)", e.Install, e.Cause)
}

// patience is how long an answer may take. A turn takes some tenths of a second.
const patience = 2 * time.Minute

// A child is a running peer.
type child struct {
	name    string
	version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan string // what it says; closed when it has ended
	dir     string      // of the files that it reads and writes
	html    bool
}

// start begins the program of a peer. The error is a *MissingError if that, or something that it needs, is not there.
func (r *Runner) start(p Peer) (*child, error) {
	commands, err := r.commands()
	if err != nil {
		return nil, err
	}
	var causes []string
	for _, command := range commands {
		c := &child{name: p.Name, cmd: exec.Command(command[0], command[1:]...), html: p.Input != Text}
		if err := c.begin(); err != nil {
			causes = append(causes, err.Error())
			continue
		}
		return c, nil
	}
	return nil, &MissingError{r.Install, strings.Join(causes, "; ")}
}

func (c *child) begin() (err error) {
	c.cmd.Stderr = os.Stderr
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if c.dir, err = os.MkdirTemp("", "bidilink-bench-"); err != nil {
		return err
	}
	if err := c.cmd.Start(); err != nil {
		os.RemoveAll(c.dir)
		return err
	}
	c.lines = make(chan string)
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			c.lines <- s.Text()
		}
		close(c.lines)
	}()
	words, err := c.answer("ready", 1)
	if err != nil {
		return errors.Join(err, c.Close())
	}
	c.version = words[0]
	return nil
}

// Close ends the program.
func (c *child) Close() error {
	c.in.Close()
	late := time.AfterFunc(5*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	for range c.lines { // until it has closed its end
	}
	return errors.Join(c.cmd.Wait(), os.RemoveAll(c.dir))
}

// answer returns the n words that follow the given one.
func (c *child) answer(word string, n int) ([]string, error) {
	var line string
	select {
	case l, ok := <-c.lines:
		if !ok {
			return nil, fmt.Errorf("%s ended without an answer", c.cmd.Args[0])
		}
		line = l
	case <-time.After(patience):
		_ = c.cmd.Process.Kill()
		return nil, fmt.Errorf("%s has not answered for %v", c.name, patience)
	}
	words := strings.Split(line, "\t")
	if words[0] == word && len(words) == 1+n {
		return words[1:], nil
	}
	if words[0] == "missing" {
		return nil, errors.New(strings.Join(words[1:], " "))
	}
	return nil, fmt.Errorf("%s: %s", c.name, strings.Join(words, " "))
}

// ask sends a request and returns the n words of the answer behind its first, which is that of the request.
func (c *child) ask(n int, request, word string) ([]string, error) {
	if _, err := fmt.Fprintf(c.in, "%s\t%s\n", request, word); err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return c.answer(request, n)
}

func (c *child) Version() string { return c.version }

func (c *child) Read(texts []string) error {
	path := filepath.Join(c.dir, "in")
	var sizes strings.Builder
	for _, t := range texts {
		fmt.Fprintln(&sizes, len(t))
	}
	if err := os.WriteFile(path, []byte(strings.Join(texts, "")), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(path+".sizes", []byte(sizes.String()), 0o600); err != nil {
		return err
	}
	words, err := c.ask(1, "read", path)
	if err == nil && words[0] != strconv.Itoa(len(texts)) {
		err = fmt.Errorf("%s has read %s of %d documents", c.name, words[0], len(texts))
	}
	return err
}

func (c *child) Time(least time.Duration) (passes int, taken time.Duration, err error) {
	words, err := c.ask(2, "time", fmt.Sprintf("%.6f", least.Seconds()))
	if err != nil {
		return 0, 0, err
	}
	passes, err = strconv.Atoi(words[0])
	seconds, err2 := strconv.ParseFloat(words[1], 64)
	if err := errors.Join(err, err2); err != nil {
		return 0, 0, fmt.Errorf("%s: the answer to time: %w", c.name, err)
	}
	return passes, time.Duration(seconds * 1e9), nil
}

func (c *child) Found(texts []string) (f Found, err error) {
	if err := c.Read(texts); err != nil {
		return f, err
	}
	path := filepath.Join(c.dir, "out")
	if _, err := c.ask(0, "write", path); err != nil {
		return f, err
	}
	out, err := os.ReadFile(path)
	if err != nil {
		return f, err
	}
	if c.html {
		f.HTML, err = split(path, string(out))
		if err == nil && len(f.HTML) != len(texts) {
			err = fmt.Errorf("%s has written %d of %d documents", c.name, len(f.HTML), len(texts))
		}
		return f, err
	}
	f.Links = make([][]Span, len(texts))
	for line := range strings.Lines(string(out)) {
		var i int
		var s Span
		if _, err := fmt.Sscanf(line, "%d\t%d\t%d\n", &i, &s.Start, &s.End); err != nil {
			return f, fmt.Errorf("%s: a link %q: %w", c.name, line, err)
		}
		if i < 0 || i >= len(texts) || s.Start < 0 || s.End < s.Start || s.End > len(texts[i]) {
			return f, fmt.Errorf("%s: a link %q where no text is", c.name, line)
		}
		f.Links[i] = append(f.Links[i], s)
	}
	return f, nil
}

// split returns the documents in text, whose sizes are in a file beside path.
func split(path, text string) (documents []string, err error) {
	sizes, err := os.ReadFile(path + ".sizes")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(sizes)) {
		size, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || size < 0 || size > len(text) {
			return nil, fmt.Errorf("%s.sizes: %q where %d bytes are left", path, line, len(text))
		}
		documents = append(documents, text[:size])
		text = text[size:]
	}
	if text != "" {
		return nil, fmt.Errorf("%s: %d bytes more than the sizes say", path, len(text))
	}
	return documents, nil
}
