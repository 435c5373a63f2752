// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// Load sends the messages 0 to n-1 over several connections at once. Each carries a few messages, as a milter that is lost is lost for the
// rest of an SMTP session.
func Load(address string, connections int, to string, n int, message func(i int) []byte, sent func(i int)) error {
	envelope := func(int) (string, []string) { return "a@example.test", nil }
	return LoadFrom(address, connections, envelope, to, n, message, sent)
}

// LoadFrom is [Load] with the sender and the parameters of MAIL FROM for each message.
func LoadFrom(address string, connections int, envelope func(i int) (from string, parameters []string), to string, n int, message func(i int) []byte, sent func(i int)) error {
	var next atomic.Int64
	errs := make(chan error, connections)
	var wg sync.WaitGroup
	for range connections {
		wg.Go(func() {
			errs <- func() error {
				for {
					c, err := Dial(address)
					if err != nil {
						return err
					}
					for range 5 {
						i := int(next.Add(1)) - 1
						if i >= n {
							return c.Close()
						}
						from, parameters := envelope(i)
						if err := c.Send(from, to, message(i), parameters...); err != nil {
							return fmt.Errorf("message %d: %w", i, err)
						}
						sent(i)
					}
					if err := c.Close(); err != nil {
						return err
					}
				}
			}()
		})
	}
	wg.Wait()
	close(errs)
	var all error
	for err := range errs {
		all = errors.Join(all, err)
	}
	return all
}

// Message returns a multipart/alternative with HTML of some kB, with LF, and what it becomes.
func Message(i, kB int) (before, after string) {
	head := fmt.Sprintf("X-Number: %d\nFrom: a@example.test\nTo: u@example.test\nSubject: number %d\nMessage-ID: <%d@example.test>\nDate: Sat, 21 Nov 2026 10:00:00 +0000\n"+
		"MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\nSee http://example.com/%d\n"+
		"\n--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n<html><body>\n", i, i, i, i)
	var b, a strings.Builder
	b.WriteString(head)
	a.WriteString(head)
	for line := 0; b.Len() < kB*1000; line++ {
		filler := fmt.Sprintf("<p style=\"margin: 0; color: #333\">Line %d of message %d, and nothing in it but words, כמה מילים.</p>\n", line, i)
		b.WriteString(filler)
		a.WriteString(filler)
		if line%10 == 0 {
			url := fmt.Sprintf("http://example.com/%d/%d", i, line)
			fmt.Fprintf(&b, "<p>See %s, too.</p>\n", url)
			fmt.Fprintf(&a, "<p>See <a href=\"%s\">%s</a>, too.</p>\n", url, url)
		}
	}
	tail := "</body></html>\n\n--b--\n"
	return b.String() + tail, a.String() + tail
}
