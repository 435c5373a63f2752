// SPDX-License-Identifier: MIT

package rewrite

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"

	"github.com/bidilink/bidilink/examples/beam/warc"
)

// Why a record of a WARC file has no conversion.
const (
	recordType       = "record-type"       // neither response nor resource: all that has no page of its own
	notHTML          = "not-html"          // its content is not text/html
	segment          = "segment"           // a part of a record (WARC-Segment-Number)
	transferEncoding = "transfer-encoding" // another one than chunked, or not what the bytes are in
	contentEncoding  = "content-encoding"  // another one than gzip and deflate, or not what the bytes are in
	badLength        = "content-length"    // the body is longer than the Content-Length of HTTP
	payloadLimit     = "limit"             // the page is longer than the limit
	encoding         = "encoding"          // not text, or in an encoding that cannot be walked
)

// process is what identifiers of new records are made with.
const process = "https://github.com/bidilink/bidilink conversion"

// A Dead letter is a part of a file that could not be done: all that is needed to look at it, or to do it by other means. No byte of it is elsewhere in the
// output.
type Dead struct {
	Offset, Length int64  // where it stands in the file, in bytes
	Bytes          []byte // nil if there are too many for memory
	Cause          string
}

// WARC copies a WARC file. Records are copied byte for byte; behind each response and resource whose HTML has something to link, there is a new record of type
// conversion with what bidilink html makes of the page. What is no record goes to dead, which must not keep the bytes. An error is one of r, of w or of
// dead.
//
// A conversion is not written if the record behind the original is the same one: so a second run changes nothing.
func (r *Rewriter) WARC(w io.Writer, in io.Reader, dead func(Dead) error) (WARCCounts, error) {
	var c WARCCounts
	reader := warc.NewReader(in, r.options.MaxRecord)
	var pending []byte // a conversion
	id := ""           // of pending
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	flush := func() error {
		if pending == nil {
			return nil
		}
		out := pending
		if reader.Compressed() {
			zipped.Reset()
			zip.Reset(&zipped)
			if _, err := zip.Write(pending); err != nil {
				return err
			}
			if err := zip.Close(); err != nil {
				return err
			}
			out = zipped.Bytes()
		}
		pending = nil
		c.Conversions++
		c.BytesAdded += int64(len(out))
		_, err := w.Write(out)
		return err
	}
	for {
		rec, gap, err := reader.Next()
		switch {
		case err == io.EOF:
			return c, flush()
		case err != nil:
			return c, err
		case gap != nil:
			c.Dead++
			c.BytesDead += gap.Length
			if err := dead(Dead{Offset: gap.Offset, Length: gap.Length, Bytes: gap.Raw, Cause: gap.Cause.Error()}); err != nil {
				return c, err
			}
			continue
		}
		if pending != nil && strings.EqualFold(rec.Field("WARC-Type"), "conversion") && rec.Field("WARC-Record-ID") == id {
			pending = nil
		}
		if err := flush(); err != nil {
			return c, err
		}
		var page Counts
		if pending, id, err = r.record(rec, &page); err != nil {
			c.Dead++
			c.BytesDead += int64(len(rec.Raw))
			if err := dead(Dead{Offset: rec.Offset, Length: int64(len(rec.Raw)), Bytes: rec.Raw, Cause: err.Error()}); err != nil {
				return c, err
			}
			continue
		}
		c.add(page)
		c.Records++
		c.BytesCopied += int64(len(rec.Raw))
		if _, err := w.Write(rec.Raw); err != nil {
			return c, err
		}
	}
}

// WARCCounts say what was done with a WARC file. The records of the file are Records and Dead; its bytes are BytesCopied and BytesDead.
type WARCCounts struct {
	Counts
	Records, Dead, Conversions         int64
	BytesCopied, BytesDead, BytesAdded int64
}

// add adds what was done with a page.
func (c *Counts) add(page Counts) {
	c.Links += page.Links
	c.URLs += page.URLs
	c.Emails += page.Emails
	c.Isolates += page.Isolates
	c.Changed += page.Changed
	c.Unchanged += page.Unchanged
	for reason, n := range page.Skipped {
		if c.Skipped == nil {
			c.Skipped = map[string]int64{}
		}
		c.Skipped[reason] += n
	}
}

// record returns the conversion of a record, or nil if there is none, and its identifier. An error says that the record is not what it says.
func (r *Rewriter) record(rec *warc.Record, c *Counts) ([]byte, string, error) {
	skip := func(reason string) ([]byte, string, error) {
		c.skip("warc", reason)
		return nil, "", nil
	}
	var p payload
	kind := rec.Field("Content-Type")
	switch t := strings.ToLower(rec.Field("WARC-Type")); {
	case t != "response" && t != "resource":
		return skip(recordType)
	case rec.Field("WARC-Segment-Number") != "":
		return skip(segment)
	case t == "resource":
		if !isHTML(kind) {
			return skip(notHTML)
		}
		p = payload{rec.Block, kind}
	case !strings.EqualFold(mediaType(kind), "application/http"):
		return skip(notHTML)
	default:
		var reason string
		var err error
		if p, reason, err = response(rec.Block, r.options.MaxRecord); err != nil {
			return nil, "", err
		}
		if reason != "" {
			return skip(reason)
		}
	}
	out, page, err := r.HTML(p.data, charset(p.contentType))
	if err != nil { // of the page or of the charset in its header
		return skip(encoding)
	}
	c.add(page)
	if page.Changed == 0 {
		return nil, "", nil
	}
	raw, id := warc.NewConversion(rec, out, p.contentType, process, r.options.Date)
	return raw, id, nil
}

func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(kind)
}
