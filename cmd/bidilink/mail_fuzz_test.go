// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/mailfilter"
)

// envelopes returns the messages of an mbox as programs find them that take every line for the beginning of one that begins with "From ".
func envelopes(box []byte) [][]byte {
	var list [][]byte
	from := 0
	for at := 0; ; {
		i := bytes.Index(box[at:], []byte("\nFrom "))
		if i < 0 {
			return append(list, box[from:])
		}
		at += i + 1
		list = append(list, box[from:at])
		from = at
	}
}

// FuzzMbox: whatever an mbox holds, a program that takes every line for the beginning of a message that begins with "From " finds the
// same messages after the change, each as it was or as it becomes alone, and a second run changes nothing.
func FuzzMbox(f *testing.F) {
	const date = "From a@e.com Sat Nov 21 10:00:00 2026\n"
	for _, s := range []string{
		date + mailText, date + mailText + "\n" + date + mailSigned + "\n" + date + mailText, date + mailText + date + mailSigned, date + mailText + "\nFrom \n" + mailSigned,
		asCRLF(date + mailText + "\n" + date + mailText), date + "Content-Length: 3\n" + mailText + "\n" + date + mailText, date + mailText + ">From here\n\n" + date,
		date + "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>http://e.com/x From here on =\nFrom =\n\n" + date,
		date + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>http://e.com/x\n\n" + date + "\n--b--\n",
	} {
		f.Add(strings.TrimPrefix(s, envelope))
	}
	f.Fuzz(func(t *testing.T, s string) {
		in := []byte(envelope + s)
		m := &mailRun{f: &mailFlags{}, c: &cobra.Command{}}
		out, err := m.members("box", in)
		if err != nil || m.failed {
			t.Fatalf("%v, %v", err, m.failed)
		}
		before, after := envelopes(in), envelopes(out)
		if len(before) != len(after) {
			t.Fatalf("%d messages, before %d\n%q", len(after), len(before), out)
		}
		for i, b := range before {
			if alone, _, _ := mailfilter.RewriteMessage(b, m.o); !bytes.Equal(after[i], b) && !bytes.Equal(after[i], alone) {
				t.Errorf("message %d: %q, alone %q", i, after[i], alone)
			}
		}
		if again, err := m.members("box", out); err != nil || !bytes.Equal(again, out) {
			t.Errorf("twice: %v\n%q\n%q", err, out, again)
		}
	})
}
