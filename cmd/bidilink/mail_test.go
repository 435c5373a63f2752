// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/mailfilter"
)

const (
	mailHeader = "Subject: x\nContent-Type: text/html; charset=utf-8\n\n"
	mailText   = mailHeader + "<p>See http://e.com/x, e.com.</p>\n"
	mailLinked = mailHeader + "<p>See <a href=\"http://e.com/x\">http://e.com/x</a>, e.com.</p>\n"
	mailPlain  = "Subject: y\n\nhttp://e.com/x\n"
	mailSigned = "DKIM-Signature: v=1\n" + mailText
)

// asCRLF returns s with CRLF for LF.
func asCRLF(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// As a filter, the message comes out, come what may.
func TestMailFilter(t *testing.T) {
	for _, c := range []struct {
		name, stdin string
		args        []string
		want        string
	}{
		{"a page", mailText, nil, mailLinked},
		{"CRLF", asCRLF(mailText), nil, asCRLF(mailLinked)},
		{"with the envelope line", "From a@e.com Sat Nov 21 10:00:00 2026\n" + mailText, nil, "From a@e.com Sat Nov 21 10:00:00 2026\n" + mailLinked},
		{"plain", mailPlain, nil, mailPlain},
		{"signed", mailSigned, nil, mailSigned},
		{"final", mailSigned, []string{"--final"}, "DKIM-Signature: v=1\n" + mailLinked},
		{"bare", mailText, []string{"--bare", "all"}, strings.Replace(mailLinked, ", e.com.", `, <a href="https://e.com">e.com</a>.`, 1)},
		{"tempfail", mailText, []string{"--tempfail"}, mailLinked},
		{"broken", "no mail at all", nil, "no mail at all"},
		{"empty", "", nil, ""},
		{"too long", mailHeader + strings.Repeat("x\n", 13<<20), nil, mailHeader + strings.Repeat("x\n", 13<<20)},
	} {
		out, errs, code := command(c.stdin, append([]string{"mail"}, c.args...)...)
		if out != c.want || errs != "" || code != 0 {
			t.Errorf("%s: exit %d, stderr %q\n got %.300q\nwant %.300q", c.name, code, errs, out, c.want)
		}
	}
}

// mailboxOf returns an mbox of messages.
func mailboxOf(messages ...string) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString("From a@e.com Sat Nov 21 10:00:00 2026\n" + m + "\n")
	}
	return b.String()
}

// What cannot be read or written as a whole must not look as if it had been.
func TestMailTrouble(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		args []string
		code int
	}{{[]string{"mail"}, 2}, {[]string{"mail", "--tempfail"}, 75}} {
		var out, errs bytes.Buffer
		code := run(c.args, io.MultiReader(strings.NewReader(mailText), broken{boom}), &out, &errs)
		if code != c.code || errs.String() != "bidilink: reading: boom\n" || c.code == 75 && out.Len() > 0 {
			t.Errorf("%q: reading: exit %d, %q, %q", c.args, code, out.String(), errs.String())
		}
		errs.Reset()
		if code := run(c.args, strings.NewReader(mailText), broken{io.ErrClosedPipe}, &errs); code != c.code || errs.Len() == 0 {
			t.Errorf("%q: writing: exit %d, %q", c.args, code, errs.String())
		}
	}
}

// A message beyond the limit of memory is copied as it is read, also with --tempfail.
func TestMailStreams(t *testing.T) {
	for _, args := range [][]string{{"mail"}, {"mail", "--tempfail"}} {
		in := &ahead{left: mailfilter.DefaultMaxMessage + 64<<20}
		var errs bytes.Buffer
		code := run(args, in, in, &errs)
		if in.left != 0 || in.most > mailfilter.DefaultMaxMessage+1<<20 || in.ahead != 0 || code != 0 || errs.Len() > 0 {
			t.Errorf("%q: exit %d, %q: %d bytes not read, %d not written, read ahead %d", args, code, errs.String(), in.left, in.ahead, in.most)
		}
	}
}

// An ahead is a message of so many bytes, and counts how many were read and not yet written.
type ahead struct{ left, ahead, most int }

func (a *ahead) Read(p []byte) (int, error) {
	if a.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), a.left)
	clear(p[:n])
	a.left -= n
	a.ahead += n
	a.most = max(a.most, a.ahead)
	return n, nil
}

func (a *ahead) Write(p []byte) (int, error) {
	a.ahead -= len(p)
	return len(p), nil
}

// The filter takes as little memory with --tempfail as without: what is allocated in all for a message with one link, in relation to its length.
func TestMailMemory(t *testing.T) {
	message := strings.NewReader(mailText + strings.Repeat("<p>x</p>\n", 40_000)) // 360 kB
	allocated := func(args ...string) float64 {
		message.Seek(0, io.SeekStart)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if code := run(args, struct{ io.Reader }{message}, io.Discard, io.Discard); code != 0 {
			t.Fatalf("exit %d", code)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(message.Size())
	}
	without, with := math.Inf(1), math.Inf(1)
	for range 5 { // the least, as buffers are used again or not
		without = min(without, allocated("mail"))
		with = min(with, allocated("mail", "--tempfail"))
	}
	if with > without+0.5 {
		t.Errorf("%.1f times the message, without --tempfail %.1f times", with, without)
	}
}

func TestMailFiles(t *testing.T) {
	inFolder(t, map[string]string{
		"a.eml": mailText, "plain.eml": mailPlain, "signed.eml": mailSigned,
		"box":    mailboxOf(mailText, mailPlain, mailText+"\n>From here on, it is text.\n"),
		"length": mailboxOf(mailText, "Content-Length: 10\n"+mailText),
	})
	linked := mailboxOf(mailLinked, mailPlain, mailLinked+"\n>From here on, it is text.\n")
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"a.eml"}, mailLinked, 0},
		{[]string{"plain.eml"}, mailPlain, 0},
		{[]string{"box"}, linked, 0},
		{[]string{"length"}, mailboxOf(mailLinked, "Content-Length: 10\n"+mailText), 0},
		{[]string{"--check", "a.eml", "plain.eml", "signed.eml", "box"}, "a.eml\nbox\n", 1},
		{[]string{"--check", "plain.eml", "signed.eml"}, "", 0},
		{[]string{"--explain", "a.eml", "signed.eml", "plain.eml"}, "a.eml: modified, 1 link\n  message text/html: modified, 1 link\nsigned.eml: skipped dkim\nplain.eml: skipped no-candidate\n  message text/plain: skipped type\n", 0},
		{[]string{"--explain", "length"}, "length: message 1: modified, 1 link\n  message text/html: modified, 1 link\nlength: message 2: skipped policy: it has a Content-Length\n", 0},
		{[]string{"-d", "a.eml", "plain.eml"}, "--- a.eml\n+++ a.eml\n@@ -1,4 +1,4 @@\n Subject: x\n Content-Type: text/html; charset=utf-8\n \n-<p>See http://e.com/x, e.com.</p>\n+<p>See <a href=\"http://e.com/x\">http://e.com/x</a>, e.com.</p>\n", 0},
	} {
		out, errs, code := command("", append([]string{"mail"}, c.args...)...)
		if out != c.want || errs != "" || code != c.code {
			t.Errorf("%q: exit %d, stderr %q\n got %s\nwant %s", c.args, code, errs, out, c.want)
		}
	}
	if out, errs, code := command(mailboxOf(mailText, mailText), "mail", "--mbox"); out != mailboxOf(mailLinked, mailLinked) || errs != "" || code != 0 {
		t.Errorf("--mbox: exit %d, %q, %q", code, errs, out)
	}

	// In place: what changes nothing keeps its time.
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, name := range []string{"a.eml", "plain.eml", "box"} {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("box.lock", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := command("", "mail", "-w", "box"); code != exitError || errs != "bidilink: box: is locked: box.lock exists\n" {
		t.Errorf("locked: exit %d, %q", code, errs)
	}
	os.Remove("box.lock")
	if out, errs, code := command("", "mail", "-w", "a.eml", "plain.eml", "box", "missing"); out != "" || code != exitError || !strings.HasPrefix(errs, "bidilink: missing: ") {
		t.Errorf("-w: exit %d, %q, %q", code, errs, out)
	}
	for name, want := range map[string]string{"a.eml": mailLinked, "plain.eml": mailPlain, "box": linked} {
		got, err := os.ReadFile(name)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v, %q", name, err, got)
		}
		info, err := os.Stat(name)
		if err != nil || info.ModTime().Equal(old) != (name == "plain.eml") || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, err, info)
		}
	}
	if left, _ := filepath.Glob(".bidilink-*"); left != nil {
		t.Error(left)
	}
	if _, err := os.Stat("box.lock"); err == nil {
		t.Error("the lock is still there")
	}
}

// What begins as an mbox does and is none, as far as we understand it, is not replaced: nobody knows which lock there is, and where its messages begin.
func TestMboxSeparators(t *testing.T) {
	for name, first := range map[string]string{
		"RFC 2822": "From c@d Fri, 02 Jan 2026 12:01:00 +0000", "bare": "From ", "two digits": "From a@b 1 Jan 98 12:00", "no time": "From a@b Fri Jan 2 2026",
	} {
		box := first + "\n" + mailText + "\n" + first + "\n" + mailSigned
		inFolder(t, map[string]string{"box": box, "one": first + "\n" + mailText})
		for _, file := range []string{"box", "one"} {
			if out, errs, code := command("", "mail", "-w", file); out != "" || code != exitError || errs != "bidilink: "+file+": "+errSeparator.Error()+"\n" {
				t.Errorf("%s: exit %d, %q, %q", name, code, out, errs)
			}
		}
		sameTree(t, ".", map[string]string{"box": box, "one": first + "\n" + mailText})
	}
}

// Where another message may begin, programs do not agree on what is a header and what is signed: all stays as it is.
func TestMailHoldsAnother(t *testing.T) {
	const date = "From a@e.com Sat Nov 21 10:00:00 2026\n"
	for name, c := range map[string]struct {
		box   string
		mbox  string // what it becomes as an mbox; "" if it is none
		alone string // what it becomes as one message; "" if it stays as it is
	}{
		"RFC 2822":                   {box: "From c@d Fri, 02 Jan 2026 12:01:00 +0000\n" + mailText + "\nFrom c@d Fri, 02 Jan 2026 12:01:00 +0000\n" + mailSigned},
		"bare":                       {box: "From \n" + mailText + "\nFrom \n" + mailSigned},
		"two digits":                 {box: "From a@b 1 Jan 98 12:00\n" + mailText + "\nFrom a@b 1 Jan 98 12:01\n" + mailSigned},
		"the second bare":            {box: date + mailText + "\nFrom \n" + mailSigned, mbox: date + mailText + "\nFrom \n" + mailSigned},
		"the second bare, CRLF":      {box: asCRLF(date + mailText + "\nFrom \n" + mailSigned), mbox: asCRLF(date + mailText + "\nFrom \n" + mailSigned)},
		"no blank line":              {box: date + mailText + date + mailSigned, mbox: date + mailText + date + mailSigned},
		"the next one is clear":      {box: date + mailText + "\nFrom \n" + mailSigned + "\n" + date + mailText, mbox: date + mailText + "\nFrom \n" + mailSigned + "\n" + date + mailLinked},
		"text in an mbox":            {box: date + mailText + "From here on, it is text.\n", mbox: date + mailText + "From here on, it is text.\n"},
		"quoted":                     {box: date + mailText + ">From a at e.com 10:00\n", mbox: date + mailLinked + ">From a at e.com 10:00\n", alone: date + mailLinked + ">From a at e.com 10:00\n"},
		"two":                        {box: date + mailText + "\n" + date + mailText, mbox: date + mailLinked + "\n" + date + mailLinked},
		"no envelope":                {box: mailText + "\n" + date + mailSigned},
		"no envelope, bare":          {box: mailText + "\nFrom \nx\n"},
		"no envelope, bare at end":   {box: mailText + "\nFrom "},
		"no envelope, time":          {box: mailText + "\nFrom a@b 1 Jan 98 12:00\nx\n"},
		"no envelope, long":          {box: mailText + "\nFrom " + strings.Repeat("x", 5000) + " 12:00\nx\n"},
		"no envelope, header":        {box: mailText + "\nFrom me\nSubject: x\n"},
		"no envelope, header, CRLF":  {box: asCRLF(mailText + "\nFrom me\nSubject : x\n")},
		"no envelope, quoted header": {box: mailText + "\nFrom me\n>From you\n"},
		"in the header":              {box: "X: y\nFrom a@b 12:00\n" + mailText},
		"no envelope, text":          {box: mailText + "\nFrom here on, it is text.\n", alone: mailLinked + "\nFrom here on, it is text.\n"},
	} {
		inFolder(t, map[string]string{"box": c.box})
		if c.alone == "" {
			c.alone = c.box
		}
		file := c.mbox
		if file == "" {
			file = c.alone
		}
		for _, r := range []struct {
			stdin string
			args  []string
			want  string
		}{{c.box, nil, c.alone}, {c.box, []string{"--tempfail"}, c.alone}, {"", []string{"box"}, file}} {
			if out, errs, code := command(r.stdin, append([]string{"mail"}, r.args...)...); out != r.want || errs != "" || code != 0 {
				t.Errorf("%s: %q: exit %d, %s\n got %q\nwant %q", name, r.args, code, errs, out, r.want)
			}
		}
		if c.mbox != "" {
			if out, errs, code := command(c.box, "mail", "--mbox"); out != c.mbox || errs != "" || code != 0 {
				t.Errorf("%s: --mbox: exit %d, %s\n got %q\nwant %q", name, code, errs, out, c.mbox)
			}
		}
		if out, _, code := command("", "mail", "--explain", "box"); code != 0 || file == c.box && !strings.Contains(out, "skipped malformed: a line that begins with \"From \"") {
			t.Errorf("%s: --explain: exit %d, %s", name, code, out)
		}
		if _, errs, code := command("", "mail", "-w", "box"); code == 0 {
			sameTree(t, ".", map[string]string{"box": file})
		} else {
			if !strings.HasPrefix(c.box, "From ") || c.mbox != "" || !strings.Contains(errs, errSeparator.Error()) {
				t.Errorf("%s: -w: exit %d, %s", name, code, errs)
			}
			sameTree(t, ".", map[string]string{"box": c.box})
		}
	}
}

// What a run left that was interrupted while it wrote is not overwritten.
func TestMboxInterrupted(t *testing.T) {
	files := map[string]string{"box": mailboxOf(mailText), ".box.bidilink": mailboxOf(mailText, mailText)}
	inFolder(t, files)
	if out, errs, code := command("", "mail", "-w", "box"); out != "" || code != exitError || !strings.Contains(errs, "box: an earlier run was interrupted while it wrote: .box.bidilink is what") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	sameTree(t, ".", files)
}

// A fakeFile is a file in memory, on which the operations fail that are counted down to 0, and as many after them as fails says.
type fakeFile struct {
	data      []byte
	in, fails int
}

func (f *fakeFile) next() error {
	f.in--
	if f.in < 0 && f.in >= -f.fails {
		return errors.New("boom")
	}
	return nil
}

func (f *fakeFile) WriteAt(p []byte, at int64) (int, error) {
	err := f.next()
	if err != nil {
		p = p[:len(p)/2] // as when there is no room
	}
	if n := int(at) + len(p); n > len(f.data) {
		f.data = append(f.data, make([]byte, n-len(f.data))...)
	}
	return copy(f.data[at:], p), err
}

func (f *fakeFile) Truncate(n int64) error {
	if err := f.next(); err != nil {
		return err
	}
	f.data = f.data[:n]
	return nil
}

func (f *fakeFile) Sync() error { return f.next() }

// Whatever operation fails, the file is as it was, or the error says that it is damaged.
func TestOverwrite(t *testing.T) {
	for _, c := range [][2]string{{"one two three", "one <two> three"}, {"one two three", "one 2 three"}, {"", "x"}, {"x", ""}, {"same", "same"}, {"one", "one two"}, {"one two", "one"}} {
		old, data := c[0], c[1]
		for in := range 8 {
			for fails := range 5 {
				f := &fakeFile{data: []byte(old), in: in, fails: fails}
				err := overwrite(f, []byte(old), []byte(data))
				failed := f.in < 0 && fails > 0
				switch {
				case failed != (err != nil):
					t.Errorf("%q: %d %d: %v", c, in, fails, err)
				case err == nil && string(f.data) != data:
					t.Errorf("%q: %d %d: %q", c, in, fails, f.data)
				case err != nil && errors.Is(err, errDamaged) != (fails > 1):
					t.Errorf("%q: %d %d: %v", c, in, fails, err)
				case err != nil && !errors.Is(err, errDamaged) && string(f.data) != old:
					t.Errorf("%q: %d %d: %q, %v", c, in, fails, f.data, err)
				}
			}
		}
	}
}

// Names are shown as bidilink html shows them, once in quotes, and --check writes nothing else.
func TestMailNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("these are no names there")
	}
	const odd, esc = "a\nb.mbox", "\x1b[31m.eml"
	inFolder(t, map[string]string{odd: mailboxOf(mailPlain, mailText, mailText), esc: mailText})
	const diff = "@@ -1,4 +1,4 @@\n Subject: x\n Content-Type: text/html; charset=utf-8\n \n-<p>See http://e.com/x, e.com.</p>\n+<p>See <a href=\"http://e.com/x\">http://e.com/x</a>, e.com.</p>\n"
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"--check", odd, esc}, "\"a\\nb.mbox\"\n\"\\x1b[31m.eml\"\n", 1},
		{[]string{"--explain", odd, esc}, "\"a\\nb.mbox\": message 1: skipped no-candidate\n  message text/plain: skipped type\n\"a\\nb.mbox\": message 2: modified, 1 link\n  message text/html: modified, 1 link\n" +
			"\"a\\nb.mbox\": message 3: modified, 1 link\n  message text/html: modified, 1 link\n\"\\x1b[31m.eml\": modified, 1 link\n  message text/html: modified, 1 link\n", 0},
		{[]string{"-d", esc}, "--- \"\\033[31m.eml\"\n+++ \"\\033[31m.eml\"\n" + diff, 0},
	} {
		out, errs, code := command("", append([]string{"mail"}, c.args...)...)
		if out != c.want || errs != "" || code != c.code {
			t.Errorf("%q: exit %d, stderr %q\n got %s\nwant %s", c.args, code, errs, out, c.want)
		}
	}
	if out, _, _ := command("", "mail", "-d", odd); !strings.HasPrefix(out, "--- \"a\\012b.mbox: message 2\"\n") {
		t.Errorf("-d: %s", out)
	}
	if out, errs, code := command(mailboxOf(mailText, mailText), "mail", "--mbox", "--check"); out != "-\n" || errs != "" || code != 1 {
		t.Errorf("standard input: exit %d, %q, %q", code, out, errs)
	}
}

// The error of a message names it in the same way.
func TestMailFailureNames(t *testing.T) {
	var errs bytes.Buffer
	c := &cobra.Command{}
	c.SetErr(&errs)
	m := &mailRun{f: &mailFlags{}, c: c}
	m.failure(place{"a\x1b", 3}, errors.New("mailfilter: boom\nstack"))
	if got := errs.String(); got != "bidilink: \"a\\x1b\": message 3: boom; the message is left as it is\n" || !m.failed {
		t.Errorf("%q", got)
	}
}

func TestMailErrors(t *testing.T) {
	inFolder(t, map[string]string{"a.eml": mailText})
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-w"}, "-w without a file"}, {[]string{"-w", "-"}, "-: -w without a file"}, {[]string{"a.eml", "a.eml"}, "several files"}, {[]string{"--mbox", "a.eml"}, "--mbox is for standard input"},
		{[]string{"--plain", "x\x1b"}, `--plain "x\x1b": want leave or isolate`}, {[]string{"--plain", "x"}, "--plain x: want leave or isolate"}, {[]string{"--bare", "x"}, "--bare x"}, {[]string{"--order", "x"}, "--order x: want"}, {[]string{"--check", "-d"}, "check"}, {[]string{"."}, ".: is a directory"},
	} {
		out, errs, code := command(mailText, append([]string{"mail"}, c.args...)...)
		if out != "" || code != exitError || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
}

// With --tempfail, what would end with 2 ends with 75, whatever is wrong.
func TestMailTempFail(t *testing.T) {
	inFolder(t, map[string]string{"a.eml": mailText})
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"--tempfail", "--bogus"}, 75}, {[]string{"--bogus", "--tempfail"}, 75}, {[]string{"--tempfail", "--bare", "x"}, 75}, {[]string{"--tempfail=true", "--order", "x"}, 75}, {[]string{"--tempfail=x"}, 75},
		{[]string{"--tempfail", "--extra-tld", "a b"}, 75}, {[]string{"--tempfail", "--check", "-d"}, 75}, {[]string{"--tempfail", "-w"}, 75}, {[]string{"--tempfail", "a.eml", "a.eml"}, 75},
		{[]string{"--tempfail", "missing"}, 75}, {[]string{"--tempfail", "--check", "a.eml"}, 1}, {[]string{"--tempfail", "--explain", "a.eml"}, 0},
		{[]string{"--tempfail=false", "--bogus"}, 2}, {[]string{"--bogus"}, 2}, {[]string{"-w", "--", "--tempfail"}, 2},
	} {
		if _, errs, code := command(mailText, append([]string{"mail"}, c.args...)...); code != c.code || (errs == "") != (code < 2) {
			t.Errorf("%q: exit %d, %q", c.args, code, errs)
		}
	}
}

func TestMaildir(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join("box", dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name, data := range map[string]string{
		"new/1.a.host": mailText, "cur/2.b.host,S=90,W=94:2,FS": mailText, "cur/3.c.host:2,": mailPlain, "cur/.hidden": mailText, "tmp/4.d.host": mailText,
	} {
		name = filepath.Join("box", name)
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, errs, code := command("", "mail", "box"); code != exitError || !strings.Contains(errs, "is a Maildir") {
		t.Errorf("exit %d, %q", code, errs)
	}
	if out, errs, code := command("", "mail", "--check", "box"); code != 1 || errs != "" || strings.Count(out, "\n") != 2 {
		t.Errorf("--check: exit %d, %q, %q", code, out, errs)
	}
	if out, errs, code := command("", "mail", "-w", "box"); out+errs != "" || code != 0 {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	files, err := filepath.Glob("box/*/*")
	if err != nil {
		t.Fatal(err)
	}
	patterns := map[string]string{ // name, with / as the separator
		`^box/new/\d+\.M\d+P\d+Q\d+\.[^,:]+$`:                  mailLinked,
		`^box/cur/\d+\.M\d+P\d+Q\d+\.[^,:]+,S=114,W=118:2,FS$`: mailLinked,
		`^box/cur/3\.c\.host:2,$`:                              mailPlain,
		`^box/cur/\.hidden$`:                                   mailText,
		`^box/tmp/4\.d\.host$`:                                 mailText,
	}
	for _, f := range files {
		found := false
		for p, want := range patterns {
			if !regexp.MustCompile(p).MatchString(filepath.ToSlash(f)) {
				continue
			}
			found = true
			delete(patterns, p)
			if got, err := os.ReadFile(f); err != nil || string(got) != want {
				t.Errorf("%s: %v, %q", f, err, got)
			}
			if info, err := os.Stat(f); err != nil || !info.ModTime().Equal(old) || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", f, err, info)
			}
		}
		if !found {
			t.Errorf("%s", f)
		}
	}
	if len(patterns) > 0 {
		t.Errorf("missing: %v of %q (%d bytes)", patterns, files, len(mailLinked))
	}
	if out, _, code := command("", "mail", "--check", "box"); out != "" || code != 0 {
		t.Errorf("a second run: exit %d, %q", code, out)
	}
}

// Without the folder for new messages, no message is written, and that is an error.
func TestMaildirWithoutTmp(t *testing.T) {
	for _, dir := range []string{"cur", "new"} {
		t.Chdir(t.TempDir())
		if err := errors.Join(os.MkdirAll("box/cur", 0o700), os.MkdirAll("box/new", 0o700), os.WriteFile("box/"+dir+"/1.a.host", []byte(mailText), 0o600)); err != nil {
			t.Fatal(err)
		}
		if out, errs, code := command("", "mail", "-w", "box"); out != "" || code != exitError || errs != "bidilink: box: is a Maildir without its folder tmp, in which new messages are written\n" {
			t.Errorf("exit %d, %q, %q", code, out, errs)
		}
		if out, errs, code := command("", "mail", "--check", "box"); out != filepath.FromSlash("box/"+dir+"/1.a.host\n") || errs != "" || code != 1 {
			t.Errorf("--check: exit %d, %q, %q", code, out, errs)
		}
	}
}

// Of what is not there, only the message itself may be missing: somebody has read or deleted it.
func TestMaildirGone(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join("box", dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("box/cur/1.a", []byte(mailText), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		base string
		err  error
		want string
	}{
		{"1.a", fs.ErrNotExist, "bidilink: " + filepath.FromSlash("box/cur/1.a") + ": file does not exist\n"}, {"1.a", errors.New("boom"), "bidilink: " + filepath.FromSlash("box/cur/1.a") + ": boom\n"},
		{"2.b", fs.ErrNotExist, ""}, {"2.b", errors.New("boom"), "bidilink: " + filepath.FromSlash("box/cur/2.b") + ": boom\n"},
	} {
		var errs bytes.Buffer
		cmd := &cobra.Command{}
		cmd.SetErr(&errs)
		m := &mailRun{c: cmd}
		m.maildirError(filepath.Join("box", "cur", c.base), c.err)
		if errs.String() != c.want || m.failed != (c.want != "") {
			t.Errorf("%s, %v: %q", c.base, c.err, errs.String())
		}
	}
}

func TestMailDiff(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"a", "b", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{"long line 1\nlong line 2\nx\nlong line 3\n", "long line 0\nlong line 2\nx\ny\nlong line 3\n",
			"@@ -1,3 +1,3 @@\n-long line 1\n+long line 0\n long line 2\n x\n@@ -4 +4,2 @@\n+y\n long line 3\n"},
	} {
		got := string(appendMailDiff(nil, "n", []byte(c.a), []byte(c.b)))
		if got != "--- n\n+++ n\n"+c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
	}
}
