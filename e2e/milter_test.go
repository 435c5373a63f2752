// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bidilink/bidilink/e2e/mta"
	"github.com/bidilink/bidilink/mailfilter"
)

// What Postfix delivers is what was sent, with the tags of the links: by DATA, by BDAT in chunks of any length, with SMTPUTF8.
func TestBytes(t *testing.T) {
	need(t, "postfix")
	p := chains(t, []string{milter(t).Address()}, []string{unixMilter(t)})
	before, after := message("Ünïcode: کتاب") // raw, as RFC 6532 has it
	long := strings.Repeat("x", 5000)
	before, after = before+long+"\n", after+long+"\n"
	for i := range p.Listeners {
		c, err := mta.Dial(p.Address(i))
		if err != nil {
			t.Fatal(err)
		}
		for _, extension := range []string{"SMTPUTF8", "CHUNKING", "8BITMIME"} {
			if !c.Has(extension) {
				t.Fatalf("Postfix does not offer %s: %q", extension, c.Extensions)
			}
		}
		check := func(name string, err error, before, after string) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := p.Take()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			compare(t, name, mta.Sent(got), crlf(after))
		}
		msg := crlf(before)
		check("DATA, SMTPUTF8", c.Send("ü@example.test", mta.Recipient, msg, "SMTPUTF8", "BODY=8BITMIME"), before, after)
		for _, n := range []int{1, 7, 64, len(msg)/2 + 1, len(msg)} {
			var chunks [][]byte
			for rest := msg; len(rest) > 0; rest = rest[min(n, len(rest)):] {
				chunks = append(chunks, rest[:min(n, len(rest))])
			}
			if n == 1 {
				chunks = append([][]byte{msg[:len(msg)-300]}, chunks[len(msg)-300:]...)
			}
			check(fmt.Sprintf("BDAT, %d at a time", n), c.SendChunks("ü@example.test", mta.Recipient, append(chunks, nil), "SMTPUTF8", "BODY=8BITMIME"), before, after)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// unixMilter starts bidilink milter at a socket in a folder, and returns its address as Postfix wants it.
func unixMilter(t *testing.T) string {
	t.Helper()
	dir := tempDir(t)
	if err := os.Chown(dir, mta.Nobody, mta.Nobody); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "milter.sock")
	p, err := mta.Start(mta.Nobody, program, "milter", "--listen", "unix:"+socket, "--socket-mode", "0666")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Errorf("bidilink milter: %v\n%s", err, p.Output())
		}
	})
	if err := p.Listening(socket); err != nil {
		t.Fatal(err)
	}
	return "unix:" + socket
}

// The messages of the collection of package mailfilter: what comes through Postfix and the milter is what mailfilter makes of what comes through
// Postfix alone.
func TestCollection(t *testing.T) {
	need(t, "postfix")
	names, err := filepath.Glob("../mailfilter/testdata/*.eml")
	if err != nil || len(names) < 300 {
		t.Fatalf("%d messages in ../mailfilter/testdata (%v)", len(names), err)
	}
	p := chains(t, nil, []string{milter(t).Address()})
	sent := map[string]bool{}
	lineEnd := regexp.MustCompile(`\r?\n`)
	var senders []string
	var messages [][]byte
	for _, name := range names {
		msg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		msg = lineEnd.ReplaceAllLiteral(msg, []byte("\r\n")) // SMTP has no other
		if !bytes.HasSuffix(msg, []byte("\r\n")) {
			msg = append(msg, "\r\n"...)
		}
		senders, messages = append(senders, strings.TrimSuffix(filepath.Base(name), ".eml")), append(messages, msg)
		sent[senders[len(senders)-1]] = true
	}
	for i := range p.Listeners {
		envelope := func(n int) (string, []string) {
			return fmt.Sprintf("%s/%d@example.test", senders[n], i), []string{"BODY=8BITMIME"}
		}
		if err := mta.LoadFrom(p.Address(i), connections, envelope, mta.Recipient, len(messages), func(n int) []byte { return messages[n] }, func(int) {}); err != nil {
			t.Fatal(err)
		}
	}
	files, err := p.Delivered(2 * len(names))
	if err != nil {
		t.Fatal(err)
	}
	sender := regexp.MustCompile(`^Return-Path: <(.*)/([01])@example\.test>\n`)
	// Postfix adds what is missing: a date, a Message-Id, and From with the sender.
	own := regexp.MustCompile(`(?m)^(?:Date|Message-Id): .*\r\n|^From: .*/[01]@example\.test\r\n`)
	got := map[string][2][]byte{}
	for _, file := range files {
		msg, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := sender.FindSubmatch(msg)
		if found == nil {
			t.Fatalf("no sender: %.300q", msg)
		}
		pair := got[string(found[1])]
		i, _ := strconv.Atoi(string(found[2]))
		pair[i] = mta.Sent(msg)
		got[string(found[1])] = pair
	}
	changed := 0
	for name := range sent {
		pair := got[name]
		if pair[0] == nil || pair[1] == nil {
			t.Errorf("%s: not delivered", name)
			continue
		}
		want, rep, err := mailfilter.RewriteMessage(pair[0], mailfilter.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Result == mailfilter.Modified {
			changed++
		}
		compare(t, name, own.ReplaceAll(pair[1], nil), own.ReplaceAll(want, nil))
	}
	t.Logf("%d messages, %d of them changed", len(sent), changed)
	if changed < 100 {
		t.Errorf("only %d of %d messages are changed", changed, len(sent))
	}
}

// A cutter is between an MTA and a milter. It passes on what the milter says up to a number of bytes, and then closes the connection, as if the
// milter were killed.
type cutter struct {
	l      net.Listener
	milter string
	limit  atomic.Int64 // for the connections to come
	passed atomic.Int64 // by the last connection
}

func (c *cutter) serve() {
	for {
		from, err := c.l.Accept()
		if err != nil {
			return
		}
		to, err := net.Dial("tcp4", c.milter)
		if err != nil {
			from.Close()
			continue
		}
		go func() {
			io.Copy(to, from)
			to.Close()
		}()
		go func() {
			n, _ := io.CopyN(from, to, c.limit.Load())
			c.passed.Store(n)
			from.Close()
			to.Close()
		}()
	}
}

// Wherever the connection to the milter breaks while the new body is sent, the message that is delivered is the original or the new one: Postfix puts the
// packets of a new body in the place of the old one as they come. There is one place where that cannot be: between the end of the body and the answer
// behind it, five bytes, which the milter writes in one piece for that reason (see the tests of package milter).
func TestCut(t *testing.T) {
	need(t, "postfix")
	m := milter(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := &cutter{l: l, milter: strings.TrimPrefix(m.Address(), "inet:")}
	go c.serve()
	p := chains(t, []string{"inet:" + l.Addr().String()})
	before, after := message("cut")
	filler := strings.Repeat("<p>0123456789abcdef0123456789abcdef</p>\n", 5000)
	before, after = before+filler, after+filler
	send := func(limit int64) []byte {
		t.Helper()
		c.limit.Store(limit)
		got := pass(t, p, 0, crlf(before))
		return mta.Sent(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")))
	}
	compare(t, "nothing cut", send(1<<40), crlf(after))
	total := c.passed.Load()
	if total < int64(len(filler)) {
		t.Fatalf("the milter sent %d bytes", total)
	}
	originals, rewritten := 0, 0
	for _, limit := range []int64{0, 1, 20, 1000, 4096, 65535, 65536, 65541, 65600, 66000, 70000, 131071, 131072, 131082, 135000, 150000, total - 5000, total - 4000, total - 100, total - 7, total - 6, total} {
		got := send(limit)
		switch {
		case bytes.Equal(got, crlf(before)):
			originals++
		case bytes.Equal(got, crlf(after)):
			rewritten++
		default:
			compare(t, fmt.Sprintf("cut at %d of %d", limit, total), got, crlf(after))
		}
	}
	t.Logf("%d bytes, cut at different places: %d original, %d rewritten", total, originals, rewritten)
	if originals == 0 || rewritten == 0 {
		t.Error("both should be there")
	}
}
