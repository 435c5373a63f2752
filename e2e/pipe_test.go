// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/e2e/mta"
)

// A content_filter by pipe(8), as examples/postfix has it. If the filter cannot run, the message waits in the queue, and is filtered when it can.
func TestPipe(t *testing.T) {
	need(t, "postfix", "unshare")
	dir := tempDir(t)
	script, err := os.ReadFile("../examples/postfix/bidilink-filter")
	if err != nil {
		t.Fatal(err)
	}
	filter := write(t, filepath.Join(dir, "bidilink-filter"), string(script), 0o755)
	link := filepath.Join(dir, "bidilink") // missing at first
	lines, err := os.ReadFile("../examples/postfix/master-pipe.cf")
	if err != nil {
		t.Fatal(err)
	}
	listener, service, ok := strings.Cut(string(lines), "\nbidilink ")
	if !ok || !strings.Contains(listener, "\n  -o content_filter=bidilink:dummy\n") {
		t.Fatalf("master-pipe.cf is not what is expected:\n%s", lines)
	}
	service = strings.Replace(service, "user=bidilink", "user=nobody", 1)
	service = strings.Replace(service, "argv=/usr/local/bin/bidilink-filter", fmt.Sprintf("argv=/usr/bin/env BIDILINK=%s %s", link, filter), 1)
	port, err := mta.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	p := postfix(t, mta.Config{
		Namespace: true,
		Listeners: []mta.Listener{{Port: port, Options: []string{"content_filter=bidilink:dummy"}}},
		Master:    []string{"bidilink " + service},
		Main:      []string{"minimal_backoff_time = 1s", "queue_run_delay = 1s"},
	})
	before, after := message("pipe")
	if err := mta.Send(p.Address(0), "a@example.test", mta.Recipient, crlf(before)); err != nil {
		t.Fatal(err)
	}
	if err := mta.Until("the message deferred", func() bool { return strings.Contains(p.Log(), "status=deferred") }); err != nil {
		t.Fatal(err)
	}
	if names, _ := filepath.Glob(filepath.Join(p.Mailbox, "new", "*")); len(names) != 0 {
		t.Errorf("delivered although the filter is missing: %q", names)
	}
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	got, err := p.Take()
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "with the filter", mta.Sent(got), crlf(after))
	// A sender with a blank, and a null sender, get through as they are.
	for _, sender := range []string{`"a b"@example.test`, ""} {
		if err := mta.Send(p.Address(0), sender, mta.Recipient, crlf(before)); err != nil {
			t.Fatal(err)
		}
		if got, err = p.Take(); err != nil {
			t.Fatal(err)
		}
		compare(t, "from "+sender, mta.Sent(got), crlf(after))
		if want := "Return-Path: <" + sender + ">\n"; !strings.HasPrefix(string(got), want) {
			t.Errorf("want %q first: %.200q", want, got)
		}
	}
}

// Sieve's filter extension, with Dovecot's implementation.
func TestSieve(t *testing.T) {
	need(t, "sieve-test")
	dir := tempDir(t)
	bin, home := filepath.Join(dir, "sieve-filter"), filepath.Join(dir, "home")
	for _, d := range []string{bin, home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(home, "Maildir", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{home, home + "/Maildir", home + "/Maildir/cur", home + "/Maildir/new", home + "/Maildir/tmp"} {
		if err := os.Chown(d, mta.Nobody, mta.Nobody); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(program, filepath.Join(bin, "bidilink")); err != nil {
		t.Fatal(err)
	}
	conf := write(t, filepath.Join(dir, "dovecot.conf"), fmt.Sprintf(`ssl = no
log_path = /dev/stderr
mail_uid = nobody
mail_gid = nogroup
mail_home = %[1]s
mail_location = maildir:%[1]s/Maildir
plugin {
  sieve_plugins = sieve_extprograms
  sieve_global_extensions = +vnd.dovecot.filter
  sieve_filter_bin_dir = %[2]s
}
`, home, bin), 0o644)
	// The lines of doc/mail.md.
	script := write(t, filepath.Join(dir, "bidilink.sieve"), recipe(t, "sieve"), 0o644)
	before, after := message("sieve")
	for _, c := range []struct{ name, before, after string }{
		{"LF", before, after},
		{"CRLF", string(crlf(before)), after}, // Maildirs have LF
		{"signed by DKIM", "DKIM-Signature: v=1\n" + before, "DKIM-Signature: v=1\n" + after},
	} {
		eml := write(t, filepath.Join(dir, "message.eml"), c.before, 0o644)
		command(t, "", "sieve-test", "-c", conf, "-e", "-x", "+vnd.dovecot.filter", "-l", "maildir:"+home+"/Maildir", script, eml)
		names, _ := filepath.Glob(filepath.Join(home, "Maildir", "[cn]*", "*"))
		if len(names) != 1 {
			t.Fatalf("%s: %d messages", c.name, len(names))
		}
		got, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		compare(t, c.name, mta.CRLF([]byte(strings.ReplaceAll(string(got), "\r\n", "\n"))), crlf(c.after))
		os.Remove(names[0])
	}
	// A program that fails changes nothing.
	link := filepath.Join(bin, "bidilink")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/bin/false", link); err != nil {
		t.Fatal(err)
	}
	eml := write(t, filepath.Join(dir, "message.eml"), before, 0o644)
	command(t, "", "sieve-test", "-c", conf, "-e", "-x", "+vnd.dovecot.filter", "-l", "maildir:"+home+"/Maildir", script, eml)
	got := one(t, filepath.Join(home, "Maildir", "[cn]*", "*"))
	compare(t, "a program that fails", mta.CRLF([]byte(strings.ReplaceAll(string(got), "\r\n", "\n"))), crlf(before))
}

func TestProcmail(t *testing.T) {
	need(t, "procmail")
	before, after := message("procmail")
	for _, c := range []struct{ name, recipe, want string }{
		{"recipe", recipe(t, "procmail"), after},
		{"a program that fails", strings.Replace(recipe(t, "procmail"), "bidilink", "false", 1), before},
	} {
		dir := tempDir(t)
		rc := write(t, filepath.Join(dir, "procmailrc"), "PATH="+filepath.Dir(program)+":/usr/bin:/bin\nMAILDIR="+dir+"\nDEFAULT="+dir+"/inbox/\n"+c.recipe, 0o644)
		command(t, before, "procmail", "-m", rc)
		compare(t, c.name, one(t, filepath.Join(dir, "inbox", "new", "*")), []byte(c.want))
	}
}

func TestMaildrop(t *testing.T) {
	need(t, "maildrop", "maildirmake.maildrop")
	dir := tempDir(t)
	command(t, "", "maildirmake.maildrop", filepath.Join(dir, "inbox"))
	before, after := message("maildrop")
	rc := func(recipe string) string {
		return write(t, filepath.Join(dir, "maildroprc"), "PATH=\""+filepath.Dir(program)+":/usr/bin:/bin\"\n"+recipe+"to \""+dir+"/inbox\"\n", 0o600)
	}
	command(t, before, "maildrop", rc(recipe(t, "maildrop")))
	compare(t, "maildrop", one(t, filepath.Join(dir, "inbox", "new", "*")), []byte(after))
	// If the program fails, the mail server is to try again.
	c := exec.Command("maildrop", rc(strings.Replace(recipe(t, "maildrop"), "bidilink", "false", 1)))
	c.Stdin = strings.NewReader(before)
	if out, _ := c.CombinedOutput(); c.ProcessState.ExitCode() != 75 {
		t.Errorf("a program that fails: exit status %d, %s", c.ProcessState.ExitCode(), out)
	}
}

// recipe returns the code block of doc/mail.md that is for a program: the one behind a line <!-- recipe: NAME -->.
func recipe(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../doc/mail.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "<!-- recipe: "+name+" -->\n")
	if !ok {
		t.Fatalf("doc/mail.md has no recipe %s", name)
	}
	rest = strings.TrimLeft(rest, "\n")
	var b strings.Builder
	for line := range strings.Lines(rest) {
		text, ok := strings.CutPrefix(line, "    ")
		if !ok && line != "\n" {
			break
		}
		if !ok {
			text = line
		}
		b.WriteString(text)
	}
	if strings.TrimSpace(b.String()) == "" {
		t.Fatalf("doc/mail.md: the recipe %s has no lines that begin with four blanks", name)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
