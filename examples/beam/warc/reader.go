// SPDX-License-Identifier: MIT

package warc

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
)

// A Gap is a part of a file that is no record, or one that is longer than the limit.
type Gap struct {
	Offset, Length int64  // in bytes
	Raw            []byte // the bytes; nil if they are more than the limit
	Cause          error
}

// A LimitError says that a record is longer than the limit of the reader.
type LimitError struct{ Limit int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("longer than the limit of %d bytes for a record", e.Limit)
}

// DefaultLimit is the limit of a reader that is given none.
const DefaultLimit = 64 << 20

// A Reader reads the records of a file.
type Reader struct {
	in    source
	limit int
	gz    bool // the file is compressed
	began bool

	store  []byte // which buf lies in
	buf    []byte // what has been read and not yet given out
	offset int64  // of buf in the file
	err    error  // of in

	given   int         // bytes at the beginning of buf that the last Next has given out
	cursor  int         // in buf: where the decompressor reads
	dropped int64       // bytes before buf that belong to the gap, which is too long
	unzip   gzip.Reader // reused
	data    bytes.Buffer
	probe   gzip.Reader
	wasted  int64 // bytes that were decompressed and were no record, each time that they were
	steps   int64 // bytes looked at or moved, for the tests of growth
}

// Members that are damaged may lie in one another, and share what is in them. So members are looked for behind a damaged one only as long as what was decompressed for nothing
// is no more than maxWasted bytes, and maxWastedRatio bytes for each byte of the file before.
const (
	maxWasted      = 1 << 20
	maxWastedRatio = 4
)

// NewReader returns a reader of a file. Records that take more than limit bytes, compressed or not, it gives out as gaps; zero stands for DefaultLimit. Whether the
// file is compressed tell its first two bytes.
//
// To see whether a record that is longer than the limit ends where it says, the reader looks there: with ReadAt if r has it and Seek (a file, but not a pipe);
// else what is in between goes to a temporary file and is read again from there, so [Reader.Close] should be called.
func NewReader(r io.Reader, limit int) *Reader {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Reader{in: newSource(r), limit: min(limit, math.MaxInt-2*maxHeader)}
}

// Close removes what the reader has put aside. It does not close the reader below. Next must not be called any more.
func (r *Reader) Close() error { return r.in.close() }

// Compressed reports whether the file is compressed. It is known once Next has been called.
func (r *Reader) Compressed() bool { return r.gz }

// Next returns the next record, or what there is instead of one. At the end of the file the error is io.EOF; other errors are those of the reader below. What it
// returns is valid until the next call.
func (r *Reader) Next() (*Record, *Gap, error) {
	r.advance(r.given)
	r.given, r.cursor, r.dropped = 0, 0, 0
	if !r.began {
		r.began = true
		r.fill(2)
		r.gz = bytes.HasPrefix(r.buf, gzipMagic[:2])
	}
	if r.fill(1); len(r.buf) == 0 {
		return nil, nil, r.err
	}
	var rec *Record
	var gap *Gap
	if r.gz {
		rec, gap = r.member()
	} else {
		rec, gap = r.plain()
	}
	if r.err != nil && r.err != io.EOF {
		return nil, nil, r.err
	}
	return rec, gap, nil
}

// fill reads until there are n bytes in buf, or an error is in r.err. It reports whether there are so many.
func (r *Reader) fill(n int) bool {
	for len(r.buf) < n && r.err == nil {
		if cap(r.buf) == len(r.buf) {
			r.room()
		}
		var k int
		k, r.err = r.in.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+k]
	}
	return len(r.buf) >= n
}

// room makes room in buf. It takes no more memory than twice what has been read: a length in a header may be anything. What is moved is no more than
// was read since it was moved last.
func (r *Reader) room() {
	if want := 2 * max(len(r.buf), 64<<10); len(r.store) < want {
		r.store = make([]byte, want)
	}
	r.buf = r.store[:copy(r.store, r.buf)]
	r.steps += int64(len(r.buf))
}

// advance takes n bytes off buf.
func (r *Reader) advance(n int) {
	r.offset += int64(n)
	r.buf = r.buf[n:]
}

// drop is advance for bytes that belong to a gap that is too long to be kept.
func (r *Reader) drop(n int) {
	r.dropped += int64(n)
	r.buf = r.buf[n:]
	r.cursor = max(0, r.cursor-n)
}

// plain returns the record at the beginning of buf, or a gap.
func (r *Reader) plain() (*Record, *Gap) {
	r.fill(maxHeader)
	h, err := r.head(r.buf)
	switch {
	case err == errMore && len(r.buf) < maxHeader:
		return nil, r.gap(max(h.size, 1), errors.New("the file ends in the header of a record"))
	case err == errMore:
		return nil, r.gap(max(h.size, 1), fmt.Errorf("the header is longer than %d bytes", maxHeader))
	case err != nil:
		return nil, r.gap(max(h.size, 1), err)
	}
	if h.length > int64(r.limit-h.size-len(endOfPart)) {
		end := r.offset + int64(h.size) + h.length
		switch err := r.ends(end); {
		case err == nil:
			return nil, r.skip(end + int64(len(endOfPart)) - r.offset)
		case err == io.EOF:
			return nil, r.gap(h.size, fmt.Errorf("%w, and the file ends before it: Content-Length is %d", &LimitError{r.limit}, h.length))
		case err != errElsewhere:
			r.err = err
			return nil, nil
		}
		return nil, r.gap(h.size, fmt.Errorf("%w, and it does not end where its Content-Length of %d says", &LimitError{r.limit}, h.length))
	}
	size := h.size + int(h.length)
	if !r.fill(size + len(endOfPart)) {
		return nil, r.gap(h.size, fmt.Errorf("the file ends before the record: Content-Length is %d, there are %d bytes", h.length, len(r.buf)-h.size))
	}
	if string(r.buf[size:size+len(endOfPart)]) != endOfPart {
		return nil, r.gap(h.size, fmt.Errorf("the record does not end where its Content-Length of %d says", h.length))
	}
	r.given = size + len(endOfPart)
	return &Record{Offset: r.offset, Raw: r.buf[:r.given:r.given], Version: h.version, Block: r.buf[h.size:size:size], fields: h.fields}, nil
}

// errElsewhere says that a record does not end where it says.
var errElsewhere = errors.New("the record does not end there")

// ends looks whether the block of a record ends at an offset of the file. Else the error is errElsewhere, io.EOF, or that of the reader below.
func (r *Reader) ends(at int64) error {
	var end [len(endOfPart)]byte
	n := 0
	if i := at - r.offset; i < int64(len(r.buf)) {
		n = copy(end[:], r.buf[i:])
	}
	k, err := r.in.ReadAt(end[n:], at+int64(n))
	switch {
	case n+k < len(end):
		return err
	case string(end[:]) != endOfPart:
		return errElsewhere
	}
	return nil
}

// skip returns the gap for a record that is too long, of a length that was looked at.
func (r *Reader) skip(length int64) *Gap {
	for left := length; ; {
		n := int(min(left, int64(len(r.buf))))
		if left -= int64(n); left == 0 {
			return r.end(n, &LimitError{r.limit})
		}
		if r.drop(n); !r.fill(1) { // the file was cut meanwhile
			return r.end(0, fmt.Errorf("%w, and the file ends before it", &LimitError{r.limit}))
		}
	}
}

// head parses the header that data begins with.
func (r *Reader) head(data []byte) (head, error) {
	h, err := parseHead(data[:min(len(data), maxHeader)])
	r.steps += int64(max(h.size, len(version10)))
	return h, err
}

// gap returns the gap that ends where the next record begins: at a header that is complete, in buf from an index on.
func (r *Reader) gap(at int, cause error) *Gap {
	first := []byte("WARC/1.")
	for {
		i := bytes.Index(r.buf[at:], first)
		if i < 0 {
			r.steps += int64(len(r.buf) - at)
			at = max(at, len(r.buf)-len(first)+1)
			if !r.more(&at) {
				return r.end(len(r.buf), cause)
			}
			continue
		}
		at += i
		r.steps += int64(i)
		r.fill(at + maxHeader)
		h, err := r.head(r.buf[at:])
		if err == nil {
			return r.end(at, cause)
		}
		at += max(h.size, 1)
	}
}

// more reads some more into buf, if there is more, and drops what is before an index if buf is too long.
func (r *Reader) more(at *int) bool {
	if len(r.buf) > r.limit+maxHeader {
		n := min(*at, len(r.buf))
		r.drop(n)
		*at -= n
	}
	return r.fill(len(r.buf) + 1)
}

// end returns the gap that ends at an index of buf, with what was dropped before.
func (r *Reader) end(at int, cause error) *Gap {
	g := &Gap{Offset: r.offset, Length: r.dropped + int64(at), Cause: cause}
	if r.dropped == 0 && at <= r.limit {
		g.Raw = r.buf[:at:at]
	}
	r.offset += r.dropped
	r.given = at
	return g
}

// gzipMagic is what a gzip member begins with (RFC 1952, 2.3.1): the only compression method is 8.
var gzipMagic = []byte{0x1f, 0x8b, 8}

// member returns the record in the gzip member at the beginning of buf, or a gap.
func (r *Reader) member() (*Record, *Gap) {
	r.data.Reset()
	err := r.unzip.Reset(compressed{r})
	if err == nil {
		r.unzip.Multistream(false)
		_, err = io.Copy(&r.data, io.LimitReader(&r.unzip, int64(r.limit)+1))
	}
	long := r.dropped > 0 || r.data.Len() > r.limit
	if err == nil && long {
		_, err = io.Copy(io.Discard, &r.unzip)
	}
	if err != nil {
		cause := fmt.Errorf("gzip: %w", err)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			cause = errors.New("the file ends in a gzip member")
		}
		r.wasted += r.dropped + int64(r.cursor)
		return nil, r.gzipGap(cause)
	}
	if long || r.cursor > r.limit {
		return nil, r.end(r.cursor, &LimitError{r.limit})
	}
	data := r.data.Bytes()
	h, err := r.head(data)
	switch {
	case err != nil:
	case h.length > int64(len(data)-h.size-len(endOfPart)):
		err = fmt.Errorf("its gzip member ends before the record: Content-Length is %d, there are %d bytes", h.length, len(data)-h.size)
	case string(data[h.size+int(h.length):]) != endOfPart:
		err = fmt.Errorf("the record does not end where its Content-Length of %d says, and with its gzip member", h.length)
	}
	if err != nil {
		return nil, r.end(r.cursor, err)
	}
	r.given = r.cursor
	size := h.size + int(h.length)
	return &Record{Offset: r.offset, Raw: r.buf[:r.given:r.given], Version: h.version, Block: data[h.size:size:size], fields: h.fields}, nil
}

// gzipGap returns the gap that ends where the next member with a record begins. A member that is cut may seem to go on in the next one, so all is
// looked at, but for what was dropped, and where too much was looked at before.
func (r *Reader) gzipGap(cause error) *Gap {
	at := 1
	if r.dropped > 0 {
		at = 0
	}
	for {
		i := bytes.Index(r.buf[min(at, len(r.buf)):], gzipMagic)
		if i < 0 {
			r.steps += int64(max(0, len(r.buf)-at))
			at = max(at, len(r.buf)-len(gzipMagic)+1)
			if !r.more(&at) {
				return r.end(len(r.buf), cause)
			}
			continue
		}
		at += i
		r.steps += int64(i)
		if r.wasted <= maxWasted+maxWastedRatio*(r.offset+r.dropped+int64(at)) && r.begins(at) {
			return r.end(at, cause)
		}
		at++
	}
}

// begins reports whether a gzip member with a record begins at an index of buf.
func (r *Reader) begins(at int) bool {
	const window = 4 << 10 // more than the beginning of a member takes
	r.fill(at + window)
	member := r.buf[at:min(len(r.buf), at+window)]
	const extra, fixed = 4, 10 // the bit of the flags, and the bytes of the header before what it says (RFC 1952, 2.3.1)
	if len(member) >= fixed+2 && member[3]&extra != 0 && int(member[fixed])|int(member[fixed+1])<<8 > len(member) {
		return false // memory would be taken for it before it is read
	}
	in := bytes.NewReader(member)
	defer func() {
		n := int64(len(member) - in.Len())
		r.wasted += n
		r.steps += n
	}()
	if r.probe.Reset(in) != nil {
		return false
	}
	first := make([]byte, len(version10))
	_, err := io.ReadFull(&r.probe, first)
	return err == nil && (string(first) == version10 || string(first) == version11)
}

// compressed is the reader of the decompressor: it takes no byte too many, and what it takes stays in buf, up to the limit.
type compressed struct{ r *Reader }

func (c compressed) ready() error {
	r := c.r
	if r.cursor < len(r.buf) {
		return nil
	}
	if len(r.buf) > r.limit {
		r.drop(r.cursor)
	}
	if !r.fill(r.cursor + 1) {
		return r.err
	}
	return nil
}

func (c compressed) ReadByte() (byte, error) {
	if err := c.ready(); err != nil {
		return 0, err
	}
	b := c.r.buf[c.r.cursor]
	c.r.cursor++
	c.r.steps++
	return b, nil
}

func (c compressed) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := c.ready(); err != nil {
		return 0, err
	}
	n := copy(p, c.r.buf[c.r.cursor:])
	c.r.cursor += n
	c.r.steps += int64(n)
	return n, nil
}
