// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A report is what the command says of the pages.
type report struct {
	ok    bool
	links int
}

// A page is one line of bidilink html --json.
type page struct {
	File     string
	Changed  bool
	Links    int
	Isolated int
	Copied   *struct{ Reason string }
	Skipped  *string
	Warnings []string
	Error    *string
}

// check runs the command over the pages, with --verify, and over its own output, and prints what comes of it.
func check(dir, pages string, xhtml bool, w io.Writer) (r report, err error) {
	program := filepath.Join(dir, "bidilink")
	root, err := output("", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/bidilink/bidilink")
	if err != nil {
		return r, err
	}
	if _, err := output(strings.TrimSpace(string(root)), "go", "build", "-o", program, "./cmd/bidilink"); err != nil {
		return r, err
	}
	r.ok = true
	how := "--xhtml=" + strconv.FormatBool(xhtml)
	begin := time.Now()
	list, err := bidilinkHTML(program, how, "--check", "--json", "--verify", pages)
	if err != nil {
		return r, err
	}
	passed := time.Since(begin)
	changed, isolated := 0, 0
	reasons := map[string]int{}
	for _, p := range list {
		r.links += p.Links
		isolated += p.Isolated
		if p.Changed {
			changed++
		}
		switch {
		case p.Error != nil:
			r.ok = false
			fmt.Fprintf(w, "FAILED: %s: %s\n", p.File, *p.Error)
		case p.Skipped != nil:
			reasons["left alone: "+*p.Skipped]++
		case p.Copied != nil:
			reasons["copied from some point on: "+p.Copied.Reason]++
		}
	}
	fmt.Fprintf(w, "%d pages, %d with links, %d links, %d isolated; --check --verify took %.0f s\n", len(list), changed, r.links, isolated, passed.Seconds())
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(w, "%6d %s\n", reasons[reason], reason)
	}

	out := filepath.Join(dir, "out")
	if err := os.RemoveAll(out); err != nil {
		return r, err
	}
	begin = time.Now()
	if _, err := bidilinkHTML(program, how, "--json", "-o", out, pages); err != nil {
		return r, err
	}
	fmt.Fprintf(w, "-o took %.0f s\n", time.Since(begin).Seconds())
	again, err := bidilinkHTML(program, how, "--check", "--json", out)
	if err != nil {
		return r, err
	}
	for _, p := range again {
		if p.Changed {
			r.ok = false
			fmt.Fprintf(w, "FAILED: %s: a second run makes %d links more\n", p.File, p.Links)
		}
	}
	if len(again) > len(list) {
		r.ok = false
		fmt.Fprintf(w, "FAILED: %d pages written, of %d\n", len(again), len(list))
	}
	return r, os.RemoveAll(out)
}

// bidilinkHTML runs bidilink html, and fails if the command does in another way than by a message about a page.
func bidilinkHTML(program string, args ...string) (list []page, err error) {
	c := exec.Command(program, append([]string{"html", "-q"}, args...)...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err = c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 2 && stdout.Len() > 0)) {
		return nil, fmt.Errorf("bidilink html %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	if bytes.Contains(stderr.Bytes(), []byte("panic")) {
		return nil, fmt.Errorf("bidilink html %s: %s", strings.Join(args, " "), stderr.String())
	}
	for d := json.NewDecoder(&stdout); ; {
		var p page
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("bidilink html %s: --json: %w", strings.Join(args, " "), err)
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("bidilink html %s: no page", strings.Join(args, " "))
	}
	return list, nil
}
