// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bidilink/bidilink/serve"
)

// TestDocuments runs the command lines in the documents, as they stand there. What is a command line is said at commandLine; one that begins with "$ "
// is followed by what it writes. With -update, that is written anew.
//
// The lines of a document run in one folder, one after the other, with the files of docInputs in it; those that begin with "go", in the top folder of the repository.
func TestDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	for _, name := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "bidilink"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	handler, err := serve.NewHandler(serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	used := make([]bool, len(notRun))
	ran := 0
	for _, pattern := range documents {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no such document (%v)", pattern, err)
		}
		for _, file := range files {
			name, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			writeInputs(t, dir)
			s := shell{root: root, dir: dir, bin: bin, server: server.Listener.Addr().String()}
			text := strings.Split(string(data), "\n")
			for _, c := range commandLines(text) {
				if i := exclusion(name, c.command); i >= 0 {
					used[i] = true
					continue
				}
				if !runnable.MatchString(c.command) {
					t.Errorf("%s:%d: %s\n neither run nor among notRun", name, c.line, c.command)
					continue
				}
				ran++
				out, err := s.run(c.command)
				if err != nil {
					t.Errorf("%s:%d: %s\n %v", name, c.line, c.command, err)
				}
				if !c.shown {
					continue
				}
				got := strings.Split(strings.TrimRight(out, "\n"), "\n")
				for i, l := range got {
					got[i] = strings.TrimRight(c.indent+l, " ")
				}
				if want := strings.Join(c.output, "\n"); strings.Join(got, "\n") != want {
					if !*update {
						t.Errorf("%s:%d: %s\n writes\n%s\n but there it is\n%s", name, c.line, c.command, strings.Join(got, "\n"), want)
						continue
					}
					rewriteOutput(t, file, c, got)
				}
			}
		}
	}
	for i, u := range used {
		if !u {
			t.Errorf("no document has a line for %v", notRun[i])
		}
	}
	if ran < 40 {
		t.Errorf("only %d command lines", ran)
	}
}

// The documents whose command lines are run.
var documents = []string{"README.md", "doc/*.md", "examples/*/README.md", "examples/*/*/README.md", "goldmark-uts58/README.md", "bench/README.md"}

// An unrun says which command lines of a document are not run, and why.
type unrun struct{ document, lines, reason string }

// notRun are the command lines that TestDocuments leaves out. Each must fit a line that is there.
var notRun = []unrun{
	{"README.md", `^go install `, "the network"},
	{"README.md", `^go test \./\.\.\.$`, "this is one of its tests"},
	{"README.md", `^bidilink milter --listen`, "a server; the tests of milter start it"},
	{"doc/mail.md", `^bidilink milter --listen inet:127\.0\.0\.1:1002[78] --metrics`, "servers; TestHAProxy of e2e starts such"},
	{"README.md", `^bidilink serve( |$)`, "a server; the tests of serve start it"},
	{"doc/letters.md", `^bidilink serve( |$)`, "a server; the lines behind it get one of the test"},
	{"doc/security.md", `bidilink serve --public`, "a server, at an address of documentation"},
	{"doc/unicode.md", `^(BIDILINK_UCD\S* )?go (generate|test|get|run)`, "writes files of the repository, or needs the network"},
	{"doc/unicode.md", `^git diff`, "is about what the others change"},
	{"doc/performance.md", `^(go test|cd bench|cd e2e)`, "a measurement"},
	{"doc/real-pages.md", `^cd bench`, "a measurement, with packages of Debian"},
	{"examples/beam/README.md", `^(cd|go run|docker|CGO_ENABLED=0 go build|GOOS=linux GOARCH=amd64 CGO_ENABLED=0 go build|\./launcher)`, "a module of its own, whose tests run the first line; and clusters, of which the page says that they are not tested"},
	{"examples/docker/README.md", `^docker `, "Docker; the page says that it is not tested"},
	{"examples/hugo/README.md", `^(hugo|bidilink html -w public|cd|CGO_ENABLED=0 go build|\./hugo)`, "a module of its own, whose tests run Hugo and the pass after it"},
	{"examples/newsletter/README.md", `^(cd|go run|go test)`, "a module of its own, whose tests do the same"},
	{"examples/ssg/README.md", `^(cd|go run|chromium)`, "its tests do the same"},
	{"examples/postfix/README.md", `^(cd|go build|sudo)`, "root; the tests in e2e run the demonstration"},
	{"examples/postfix/systemd/README.md", `^(cd|go build|systemctl|install|sudo|cp|useradd|adduser|postconf|usermod)`, "root, and systemd"},
	{"bench/README.md", `^go `, "a module of its own; CI runs its tests and a short comparison"},
}

// exclusion returns the index in notRun of what excludes a line, or -1.
func exclusion(document, line string) int {
	for i, n := range notRun {
		if n.document == filepath.ToSlash(document) && regexp.MustCompile(n.lines).MatchString(line) {
			return i
		}
	}
	return -1
}

// docInputs are the files that the command lines name.
var docInputs = map[string]string{
	"notes.txt":         "See https://example.com/a_(b), and write to info@example.com.\nהספר: http://מזל.ישראל/דרך\n",
	"page.html":         "<!doctype html><p>See example.com/a_(b).</p>\n<p dir=rtl>ראו http://מזל.ישראל/דרך.</p>\n",
	"public/index.html": "<!doctype html><p>See https://example.com/.</p>\n",
	"public/ar/a.html":  "<!doctype html><p dir=rtl>انظر http://مثال.السعودية/كتاب.</p>\n",
	"page.md":           "# Links\n\nSee https://example.com/_a_ and **http://מזל.ישראל/דרך**.\n",
	"letter.md":         "---\nsubject: News\n---\n\n# News\n\nRead [our report](https://example.com/report) and http://מזל.ישראל/דרך.\n",
	"in.eml": "From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" +
		"<p>See https://example.com/a and http://מזל.ישראל/דרך.</p>\r\n",
}

func writeInputs(t *testing.T, dir string) {
	t.Helper()
	for name, data := range docInputs {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A shell runs command lines.
type shell struct {
	root, dir, bin string
	server         string // the address of a server as bidilink serve starts it
}

// run runs a line, and returns what it writes to standard output. An exit status is an error, unless the line says which one is meant: "# exit status 1".
func (s shell) run(line string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	command := strings.ReplaceAll(line, "127.0.0.1:8058", s.server)
	cmd := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", command)
	cmd.Dir = s.dir
	if strings.HasPrefix(line, "go ") {
		cmd.Dir = s.root
	}
	cmd.Env = append(os.Environ(), "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "LC_ALL=C.UTF-8", "HOME="+s.dir)
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} { // which HOME would change
		if value, err := exec.Command("go", "env", name).Output(); err == nil {
			cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(value)))
		}
	}
	cmd.Stdin = strings.NewReader(docInputs["notes.txt"])
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	want := 0
	if _, status, ok := strings.Cut(line, "# exit status "); ok {
		if _, err := fmt.Sscan(status, &want); err != nil {
			return "", err
		}
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == want {
		err = nil
	} else if err == nil && want != 0 {
		err = errors.New("exit status 0")
	}
	if err != nil {
		err = fmt.Errorf("%w; want exit status %d; it says: %s", err, want, errs.Bytes())
	}
	return out.String(), err
}

// A commandLine is one in a document: a line of a block (indented by four blanks behind an empty line, or between fences) that begins with the name of a program,
// with variables before it, or with "$ ". One that ends in a backslash goes on in the next line.
type commandLine struct {
	line    int    // from 1
	last    int    // the line on which the command ends
	command string // without "$ "
	indent  string
	shown   bool     // it began with "$ "
	output  []string // the lines behind it, if it is shown
}

var (
	program  = regexp.MustCompile(`^([A-Z_]+=(\$\([^)]*\)|\S)* )*(sudo |bidilink |cd |chromium |cp |curl |docker |git |hugo( |$)|install |source |useradd |adduser |usermod |postconf |systemctl |go (run|test|build|install|generate|get|mod|vet) |\./[a-z]+ )`)
	runnable = regexp.MustCompile(`^(bidilink |curl |(echo|printf) .*\| bidilink |source <\(bidilink |go run \./cmd/bidilink )`)
)

func commandLines(text []string) []commandLine {
	var all []commandLine
	fenced, indented := false, false
	for i := 0; i < len(text); i++ {
		line := text[i]
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if !fenced {
			in := strings.HasPrefix(line, "    ")
			indented = in && (indented || i > 0 && text[i-1] == "")
			if !indented {
				indented = false
				continue
			}
		}
		indent := ""
		if indented {
			indent = line[:len(line)-len(strings.TrimLeft(line, " "))]
		}
		first, shown := strings.CutPrefix(strings.TrimPrefix(line, indent), "$ ")
		if !shown && !program.MatchString(first) {
			continue
		}
		c := commandLine{line: i + 1, command: first, indent: indent, shown: shown}
		for strings.HasSuffix(c.command, `\`) && i+1 < len(text) {
			i++
			c.command = strings.TrimSuffix(c.command, `\`) + strings.TrimPrefix(text[i], indent)
		}
		c.last = i + 1
		if shown {
			for i+1 < len(text) && !strings.HasPrefix(text[i+1], indent+"$ ") && !strings.HasPrefix(text[i+1], "```") && (fenced || strings.HasPrefix(text[i+1], indent)) {
				i++
				c.output = append(c.output, text[i])
			}
		}
		all = append(all, c)
	}
	return all
}

// rewriteOutput writes what a command writes into a document.
func rewriteOutput(t *testing.T, file string, c commandLine, got []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Split(string(data), "\n")
	for _, now := range commandLines(text) {
		if now.command == c.command && now.shown {
			text = slices.Concat(text[:now.last], got, text[now.last+len(now.output):])
			break
		}
	}
	if err := os.WriteFile(file, []byte(strings.Join(text, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestCommandLines(t *testing.T) {
	var got []string
	for _, c := range commandLines(strings.Split("bidilink text\n\n    bidilink a \\\n      b\n    other\n    X=1 bidilink c\n\nword\n    bidilink no\n```\n$ bidilink d\nout\n$ bidilink e\n```\n", "\n")) {
		got = append(got, fmt.Sprintf("%d %s %q", c.line, c.command, c.output))
	}
	want := []string{`3 bidilink a   b []`, `6 X=1 bidilink c []`, `11 bidilink d ["out"]`, `13 bidilink e []`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

var (
	relativeLink = regexp.MustCompile(`\]\(([^)\s:]*)\)`)
	heading      = regexp.MustCompile(`(?m)^#+ (.*)$`)
	codeSpan     = regexp.MustCompile("`[^`\n]*`")
	notInAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Links from one document to another, or to a heading in it, lead somewhere.
func TestDocumentLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	links := 0
	for _, pattern := range documents {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range relativeLink.FindAllSubmatch(codeSpan.ReplaceAll(data, nil), -1) {
				links++
				name, anchor, _ := strings.Cut(string(m[1]), "#")
				target := file
				if name != "" {
					target = filepath.Join(filepath.Dir(file), filepath.FromSlash(name))
				}
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s: %s: %v", file, m[1], err)
					continue
				}
				if anchor == "" {
					continue
				}
				text, err := os.ReadFile(target)
				if err != nil {
					t.Fatal(err)
				}
				found := false
				for _, h := range heading.FindAllSubmatch(text, -1) {
					id := strings.ReplaceAll(strings.ToLower(notInAnchor.ReplaceAllString(string(h[1]), "")), " ", "-")
					found = found || id == anchor
				}
				if !found {
					t.Errorf("%s: %s: no such heading", file, m[1])
				}
			}
		}
	}
	if links < 60 {
		t.Errorf("only %d links", links)
	}
}
