// SPDX-License-Identifier: MIT

package mailfilter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/mailfilter"
)

func ExampleMessages() {
	mbox := "From a@example.com Sat Nov 21 10:00:00 2026\nSubject: one\n\nFrom here on.\n\nFrom b@example.com Sat Nov 21 10:01:00 2026\nSubject: two\n\n"
	for msg := range mailfilter.Messages([]byte(mbox)) {
		_, rest, _ := strings.Cut(string(msg), "\n")
		subject, _, _ := strings.Cut(rest, "\n")
		fmt.Println(subject)
	}
	// Output:
	// Subject: one
	// Subject: two
}

func TestMessages(t *testing.T) {
	const date = "From a@e.com Sat Nov 21 10:00:00 2026\n"
	for _, c := range [][]string{
		nil,
		{date},
		{date + "A: b\n\nx\n\n", date + "A: b\n\ny\n"},
		{date + "\r\n\r\n", date},
		{date + "A: b\n\nx\n" + date + "no blank line before it\n\n", date},
		{date + "\n\nFrom here on\n\nFrom \n"},
		{"x\n\n", date},
	} {
		mbox := strings.Join(c, "")
		var got []string
		for msg := range mailfilter.Messages([]byte(mbox)) {
			got = append(got, string(msg))
			if len(msg) != cap(msg) {
				t.Errorf("%q: what is appended to %q overwrites the next one", mbox, msg)
			}
		}
		if !slices.Equal(got, c) {
			t.Errorf("got  %q\nwant %q", got, c)
		}
	}
}

func TestIsMbox(t *testing.T) {
	for data, want := range map[string]bool{
		"From a@e.com Sat Nov 21 10:00:00 2026\n": true,
		"From a@e.com Sat Nov 21 10:00:00 2026":   true,
		"From here on\n":                          false,
		"from a@e.com Sat Nov 21 10:00:00 2026\n": false,
		"A: b\n\n": false,
		"":         false,
	} {
		if got := mailfilter.IsMbox([]byte(data)); got != want {
			t.Errorf("%q: %v", data, got)
		}
	}
}

func TestHoldsAnother(t *testing.T) {
	for msg, want := range map[string]bool{
		"A: b\n\nFrom here on\n":              false,
		"A: b\n\nFrom \nx":                    true,
		"A: b\n\nFrom 10:00 on\nx":            true,
		"A: b\n\nFrom x\nA: b\n":              true,
		"From x\nA: b\n\nFrom here on\n":      true,
		"From x\nA: b\n\n>From here on\n":     false,
		"A: b\n\n>From x\nA: b\n From y 1:00": false,
	} {
		if got := mailfilter.HoldsAnother([]byte(msg)); got != want {
			t.Errorf("%q: %v", msg, got)
		}
	}
}

func TestHasLength(t *testing.T) {
	for msg, want := range map[string]bool{
		"A: b\ncontent-length: 3\n\nx": true,
		"Lines: 1\r\n\r\nx":            true,
		"A: b\n\nLines: 1\n":           false,
		"":                             false,
	} {
		if got := mailfilter.HasLength([]byte(msg)); got != want {
			t.Errorf("%q: %v", msg, got)
		}
	}
}
