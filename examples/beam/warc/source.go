// SPDX-License-Identifier: MIT

package warc

import (
	"fmt"
	"io"
	"os"
)

// A source reads a file, and can look ahead in it. Where the file cannot be read at an offset, what is passed over goes to a temporary file, and is
// read from there later. So each byte is read once, written once at most, and read again once at most.
type source struct {
	in  io.Reader
	pos int64 // in the file: of what Read returns next

	at   io.ReaderAt // in, if it can be read at an offset
	base int64       // in at: where the file begins

	temp       *os.File
	start, end int64 // what of the file is in temp, from its beginning on; nothing if they are equal
	err        error // that ended the reading ahead
	steps      int64 // bytes written to temp and read from it, for the tests of growth
}

func newSource(in io.Reader) source {
	s := source{in: in}
	if at, ok := in.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		if base, err := at.Seek(0, io.SeekCurrent); err == nil { // not a pipe
			s.at, s.base = at, base
		}
	}
	return s
}

// Read reads what follows in the file.
func (s *source) Read(p []byte) (int, error) {
	if s.pos < s.end {
		n, err := s.temp.ReadAt(p[:min(int64(len(p)), s.end-s.pos)], s.pos-s.start)
		s.pos += int64(n)
		s.steps += int64(n)
		if err == nil && s.pos == s.end {
			err = s.temp.Truncate(0)
			s.start, s.end = s.pos, s.pos
		}
		return n, err
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.in.Read(p)
	s.pos += int64(n)
	return n, err
}

// ReadAt reads what stands at an offset of the file, from pos on. At the end of the file the error is io.EOF.
func (s *source) ReadAt(p []byte, offset int64) (int, error) {
	if s.at != nil {
		return s.at.ReadAt(p, s.base+offset)
	}
	s.ahead(offset + int64(len(p)))
	if s.err != nil && s.err != io.EOF {
		return 0, s.err
	}
	n := min(int64(len(p)), s.end-offset)
	if n <= 0 {
		return 0, s.err
	}
	if _, err := s.temp.ReadAt(p[:n], offset-s.start); err != nil {
		return 0, err
	}
	if n < int64(len(p)) {
		return int(n), s.err
	}
	return int(n), nil
}

// ahead reads up to an offset of the file into temp, or until there is an error.
func (s *source) ahead(to int64) {
	if s.start == s.end {
		s.start, s.end = s.pos, s.pos
	}
	if s.err != nil || to <= s.end {
		return
	}
	if s.temp == nil {
		temp, err := os.CreateTemp("", "bidilink-warc-")
		if err != nil {
			s.err = fmt.Errorf("warc: reading ahead: %w", err)
			return
		}
		s.temp = temp
		_ = os.Remove(s.temp.Name()) // where an open file may be removed, nothing is left of it if the program is killed
	}
	n, err := io.Copy(io.NewOffsetWriter(s.temp, s.end-s.start), io.LimitReader(s.in, to-s.end))
	s.end += n
	s.steps += n
	switch {
	case err != nil:
		s.err = fmt.Errorf("warc: reading ahead: %w", err)
	case s.end < to:
		s.err = io.EOF
	}
}

// close removes the temporary file.
func (s *source) close() error {
	if s.temp == nil {
		return nil
	}
	err := s.temp.Close()
	_ = os.Remove(s.temp.Name()) // it may be gone already
	s.temp, s.start, s.end = nil, 0, 0
	return err
}
