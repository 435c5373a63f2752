// SPDX-License-Identifier: MIT

package warc

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Record is a record of a file.
type Record struct {
	Offset  int64  // of its first byte in the file
	Raw     []byte // the record as it stands in the file: if that is compressed, a gzip member
	Version string // "WARC/1.0" or "WARC/1.1"
	Block   []byte // the content, decompressed

	fields []field
}

// A field is a named field of a header; the lines of a folded one are joined by blanks.
type field struct{ name, value string }

// Field returns the value of a named field, or "". The case of its name does not matter.
func (r *Record) Field(name string) string { return fieldOf(r.fields, name) }

func fieldOf(fields []field, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}

// maxHeader is the greatest length of the header of a record, in bytes.
const maxHeader = 64 << 10

const (
	version10 = "WARC/1.0"
	version11 = "WARC/1.1"
	endOfPart = "\r\n\r\n" // of the header, and of the record
)

// errMore says that a header does not end in the bytes that there are.
var errMore = errors.New("the header does not end")

// A head is what the header of a record says.
type head struct {
	version string
	fields  []field
	size    int   // of the header with the blank line, in bytes
	length  int64 // of the block
}

// parseHead reads the header that data begins with. If that is none, size says how many bytes it has looked at: no header begins in them but at the
// first one, unless the last line that it has looked at is the first line of one.
//
// It takes time in proportion to these bytes.
func parseHead(data []byte) (h head, err error) {
	// The first line is not looked for by its end, which may be far.
	line, ok := data[:min(len(data), len(version10+"\r\n"))], false
	switch {
	case string(line) == version10+"\r\n" || string(line) == version11+"\r\n":
		h.version = string(line[:len(version10)])
	case strings.HasPrefix(version10+"\r\n", string(line)) || strings.HasPrefix(version11+"\r\n", string(line)):
		return h, errMore
	default:
		return h, errors.New(`does not begin with a line WARC/1.0 or WARC/1.1`)
	}
	var value []byte // of the last field, so far
	endField := func() {
		if n := len(h.fields); n > 0 {
			h.fields[n-1].value = string(value)
		}
	}
	length := ""
	lengths := 0
	for h.size = len(line); ; h.size += len(line) + 2 {
		if line, ok = nextLine(data[h.size:]); !ok {
			return h, errMore
		}
		if len(line) == 0 {
			h.size += 2
			endField()
			break
		}
		if line[len(line)-1] == '\n' {
			return h, fmt.Errorf("the header has a line that does not end with CRLF: %.60q", line)
		}
		if line[0] == ' ' || line[0] == '\t' {
			if len(h.fields) == 0 {
				return h, errors.New("the header begins with a continuation line")
			}
			more := bytes.TrimSpace(line)
			if len(more) > 0 && len(value) > 0 {
				value = append(value, ' ')
			}
			value = append(value, more...)
			continue
		}
		name, first, ok := bytes.Cut(line, []byte{':'})
		if !ok || !isToken(name) {
			return h, fmt.Errorf("the header has a line that is no named field: %.60q", line)
		}
		endField()
		h.fields = append(h.fields, field{name: string(name)})
		value = append(value[:0], bytes.TrimSpace(first)...)
	}
	for _, f := range h.fields {
		if strings.EqualFold(f.name, "Content-Length") {
			length = f.value
			lengths++
		}
	}
	// WARC 1.1, named fields: these are mandatory.
	for _, name := range []string{"WARC-Record-ID", "WARC-Type", "WARC-Date", "Content-Length"} {
		if fieldOf(h.fields, name) == "" {
			return h, fmt.Errorf("the header has no %s", name)
		}
	}
	n, err := strconv.ParseUint(length, 10, 62)
	if err != nil || lengths > 1 {
		return h, fmt.Errorf("the header has no single number for Content-Length: %.60q", length)
	}
	h.length = int64(n)
	return h, nil
}

// nextLine returns the line that data begins with, without its CRLF, and whether it ends. A line that ends with LF alone has it still.
func nextLine(data []byte) ([]byte, bool) {
	i := bytes.IndexByte(data, '\n')
	if i < 1 || data[i-1] != '\r' {
		if i >= 0 {
			return data[:i+1], true
		}
		return data, false
	}
	return data[:i-1], true
}

// isToken reports whether b is the name of a field: a token of HTTP.
func isToken(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?={}`, c) >= 0 {
			return false
		}
	}
	return len(b) > 0
}
