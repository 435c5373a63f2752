// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"iter"
	"regexp"
)

// envelope is what the first line of a message in an mbox begins with.
const envelope = "From "

// separator is the first line of a message in an mbox: an address and a date. A text may have a line that begins with "From ", too.
var separator = regexp.MustCompile(`^From [^\r\n]*\d:\d\d[^\r\n]*\b(?:19|20)\d\d\b`)

// IsMbox reports whether a file is an mbox, by its first line: "From ", an address and a date.
func IsMbox(data []byte) bool { return separator.Match(data[:min(len(data), 1000)]) }

// Messages yields the messages of an mbox, each a slice of it with its first line. Together they are all of it. A message begins behind a blank line,
// with a line such as that of [IsMbox].
//
// Not every one of them may be changed: see [HoldsAnother] and [HasLength].
func Messages(mbox []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; at < len(mbox); {
			end := nextMessage(mbox, at)
			if !yield(mbox[at:end:end]) {
				return
			}
			at = end
		}
	}
}

// nextMessage returns where the message of an mbox after the one at an offset begins, or the end: behind a blank line.
func nextMessage(data []byte, at int) int {
	for {
		i := bytes.Index(data[at:], []byte("\nFrom "))
		if i < 0 {
			return len(data)
		}
		at += i + 1
		before := data[:at]
		blank := bytes.HasSuffix(before, []byte("\n\n")) || bytes.HasSuffix(before, []byte("\n\r\n"))
		if blank && separator.Match(data[at:min(len(data), at+1000)]) {
			return at
		}
	}
}

// HoldsAnother reports whether a message may hold another one, in the eyes of a program that reads mboxes, so that nobody knows where its header and
// its parts end, and it is best left alone. If it begins with "From " itself, each other such line may be where the next one begins, as for the many
// programs that do not ask for a blank line before it or a date in it; in an mbox, what is text has a ">" before it. In other messages such lines are
// often text: there it is one with nothing, or a time of day, behind "From ", or with a field of a header in the next line.
func HoldsAnother(msg []byte) bool {
	member := bytes.HasPrefix(msg, []byte(envelope))
	for at := 0; ; {
		i := bytes.Index(msg[at:], []byte("\n"+envelope))
		if i < 0 {
			return false
		}
		at += i + 1
		if member || maySeparate(msg[at:]) {
			return true
		}
	}
}

// maySeparate reports whether a program may take the line that text begins with, which begins with "From ", for the first one of a message.
func maySeparate(text []byte) bool {
	line, rest, _ := bytes.Cut(text, []byte{'\n'})
	line = bytes.TrimSpace(line[len(envelope):])
	next, _, _ := bytes.Cut(rest, []byte{'\n'})
	return len(line) == 0 || timeOfDay.Match(line) || headerField.Match(next)
}

var (
	timeOfDay   = regexp.MustCompile(`\d:\d\d`)
	headerField = regexp.MustCompile(`^(?:[!-9;-~]+[ \t]*:|>From )`) // some have two envelope lines, the second one quoted
)

// HasLength reports whether the header of a message has a Content-Length or Lines field, by which some programs find its end: in an mbox, such a message
// must keep its length.
func HasLength(msg []byte) bool {
	for line := range bytes.Lines(msg) {
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			return false
		}
		name, _, _ := bytes.Cut(line, []byte{':'})
		if bytes.EqualFold(name, []byte("Content-Length")) || bytes.EqualFold(name, []byte("Lines")) {
			return true
		}
	}
	return false
}
