// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// A size is a number of bytes, from 1 on, as a flag: a number that may end in K, M or G, for 1024 bytes and so on.
type size int64

const sizeUnits = "KMG"

// Set is for package pflag.
func (s *size) Set(v string) error {
	number, unit := v, int64(1)
	if n := len(v) - 1; n > 0 {
		if i := strings.IndexByte(sizeUnits, v[n]&^0x20); i >= 0 {
			number, unit = v[:n], 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseUint(number, 10, 63)
	if err != nil || n < 1 || int64(n) > math.MaxInt64/unit {
		return errors.New("want a number of bytes, from 1 on, such as 500000, 512K, 64M or 1G")
	}
	*s = size(int64(n) * unit)
	return nil
}

// Type is for package pflag.
func (s *size) Type() string { return "size" }

func (s size) String() string {
	unit := ""
	for _, u := range sizeUnits {
		if s < 1024 || s%1024 != 0 {
			break
		}
		s /= 1024
		unit = string(u)
	}
	return strconv.FormatInt(int64(s), 10) + unit
}

// A sizeError says that a document is too large.
type sizeError struct {
	bytes int64 // 0 if it was not read to its end
	max   size
}

func (e *sizeError) Error() string {
	if e.bytes == 0 {
		return fmt.Sprintf("larger than --max-size %v", e.max)
	}
	return fmt.Sprintf("%d bytes, larger than --max-size %v", e.bytes, e.max)
}

// A reading reads a document, up to a size, and keeps what it has read.
type reading struct {
	r    io.Reader
	max  int64 // of its size; more is a [sizeError]
	size int64 // as far as it is known, at most max

	in, out *bytes.Buffer // what was read, and where the document is written to
	err     error         // of reading, other than its end
}

// firstBytes is how much of a document is read before there is room for all: what is no text at all is refused by then.
const firstBytes = 32 << 10

func (d *reading) Read(p []byte) (int, error) {
	if d.in.Len() >= firstBytes && d.size > 0 {
		d.in.Grow(max(0, int(d.size)-d.in.Len()) + bytes.MinRead)
		d.out.Grow(max(0, int(d.size)-d.out.Len()) + int(d.size/8))
		d.size = 0
	}
	n, err := d.r.Read(p)
	d.in.Write(p[:n])
	if int64(d.in.Len()) > d.max {
		n, err = 0, &sizeError{max: size(d.max)}
	}
	if err != nil && err != io.EOF {
		d.err = err
	}
	return n, err
}
