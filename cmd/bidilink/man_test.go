// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

//go:generate go test -run TestManPages . -update

// TestManPages holds doc/man/*.1 equal to what the help of the commands gives. With -update, it writes them.
func TestManPages(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("the help of bidilink milter is another one")
	}
	dir := filepath.Join("..", "..", "doc", "man")
	pages := manPages(t)
	if *update {
		for name, page := range pages {
			if err := os.WriteFile(filepath.Join(dir, name), page, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	there, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range there {
		if pages[filepath.Base(file)] == nil {
			t.Errorf("%s: there is no such command", file)
		}
	}
	for name, page := range pages {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, page) {
			t.Errorf("%s is not what the help of the command says (%v): go generate ./cmd/bidilink", name, err)
		}
	}
}

// TestManWords sees that no word of a help text is lost on its way through Markdown to a manual page.
func TestManWords(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("the help of bidilink milter is another one")
	}
	pages := manPages(t)
	root := rootCommand()
	for _, c := range append(root.Commands(), root) {
		page := string(pages[strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"])
		page = font.ReplaceAllString(page, "")
		page = strings.NewReplacer(`\\`, `\`, `\&`, "", `\e`, `\`, `\-`, "-", `\(cq`, "'", `\(ga`, "`", `\(ti`, "~", `\(ha`, "^", "\t", " ").Replace(page)
		rest := strings.Join(strings.Fields(page), " ")
		_, rest, _ = strings.Cut(rest, ".SH DESCRIPTION")
		for _, word := range strings.Fields(c.Long) {
			_, after, ok := strings.Cut(rest, word)
			if !ok {
				t.Errorf("%s: no %q in the page, in its order", c.Name(), word)
				break
			}
			rest = after
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			_, usage := pflag.UnquoteUsage(f)
			for _, want := range []string{"--" + f.Name, strings.Join(strings.Fields(usage), " ")} {
				if !strings.Contains(rest, want) {
					t.Errorf("%s: no %q in the page", c.Name(), want)
				}
			}
			if f.Value.Type() == "stringArray" && !strings.Contains(rest, "--"+f.Name+"="+f.DefValue) {
				t.Errorf("%s: --%s has not its default, %s", c.Name(), f.Name, f.DefValue)
			}
		})
	}
}

var font = regexp.MustCompile(`\\f[BIRP]`)

// manPages returns the manual pages of all commands by the names of their files. They hold no date, which would be that of their generation.
func manPages(t *testing.T) map[string][]byte {
	t.Helper()
	root := rootCommand()
	root.DisableAutoGenTag = true
	pages := make(map[string][]byte)
	for _, c := range append(slices.Clone(root.Commands()), root) {
		c.DisableAutoGenTag = true
		c.Long = markdown(c.Long)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if c.Name() == "html" && f.Name == "jobs" {
				f.DefValue = "processors" // of the machine
			}
			_, usage := pflag.UnquoteUsage(f)
			f.Usage = escape(usage)
			if f.Value.Type() != "string" { // those are quoted
				f.DefValue = escape(f.DefValue)
			}
		})
		var page bytes.Buffer
		header := &doc.GenManHeader{Section: "1", Date: &time.Time{}, Source: "bidilink", Manual: "bidilink"}
		if err := doc.GenMan(c, header, &page); err != nil {
			t.Fatal(err)
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		pages[name] = bytes.ReplaceAll(bytes.Replace(page.Bytes(), []byte(`"Jan 0001"`), []byte(`""`), 1), []byte("[=false]"), nil)
	}
	return pages
}

// markdown returns a help text as Markdown: its indented lines are literal, and no character of the others is markup.
func markdown(help string) string {
	var out strings.Builder
	literal := false
	for line := range strings.Lines(help) {
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "  "):
			if !literal {
				out.WriteString("\n")
			}
			literal = true
			line = "    " + line[2:]
		default:
			if literal {
				out.WriteString("\n")
			}
			literal = false
			line = escape(line)
		}
		out.WriteString(line)
	}
	return out.String()
}

// escape takes the meaning of Markdown from the characters of a text.
func escape(text string) string {
	return special.ReplaceAllString(text, `\$0`)
}

var special = regexp.MustCompile("[\\\\`*_{}\\[\\]()#+.!<>&|~:-]")
