// SPDX-License-Identifier: MIT

package rewrite

import (
	"fmt"
	"strings"
	"testing"
)

// What goes wrong with a message is an error, as of bidilink mail, and not a count.
func TestMailErrors(t *testing.T) {
	const header = "Subject: x\nMIME-Version: 1.0\nContent-Type: text/html\n\n"
	message := func(host string) string { return header + "<p>https://" + host + "/\n" }
	const from = "From a@example.com Sat Nov 21 10:00:00 2026\n"
	good, bad := from+message("example.com")+"\n", from+message("bad.example.com")+"\n"
	for _, c := range []struct{ name, file, want string }{
		{"message", message("bad.example.com"), "mailfilter: panic: "},
		{"mbox", good + good + bad + good, fmt.Sprintf("message 3, at offset %d: mailfilter: panic: ", 2*len(good))},
		{"good", good + good, ""},
	} {
		r, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.mail.Links.HostOK = func(host string) bool {
			if strings.HasPrefix(host, "bad.") {
				panic("it went wrong")
			}
			return true
		}
		out, counts, err := r.Mail([]byte(c.file))
		if c.want == "" {
			if err != nil || counts.Changed != 2 || counts.Links != 2 {
				t.Errorf("%s: %v, %+v", c.name, err, counts)
			}
			continue
		}
		if err == nil || out != nil || !strings.HasPrefix(err.Error(), c.want) || !strings.Contains(err.Error(), "it went wrong") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s…; %q", c.name, err, c.want, out)
		}
	}
}

// A message beyond a limit is left as it is, and counted.
func TestMailLimit(t *testing.T) {
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.mail.MaxMessage = 50
	file := "Subject: x\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>https://example.com/\n"
	out, counts, err := r.Mail([]byte(file))
	if err != nil || string(out) != file || counts.Skipped["mail: limit"] != 1 {
		t.Errorf("%v, %+v, %q", err, counts, out)
	}
}
