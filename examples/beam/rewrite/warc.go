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
	longHeader       = "http-header"       // the header of HTTP is longer than maxHTTPHeader
	payloadLimit     = "limit"             // the page is longer than the limit, or its conversion would be, or the header of that
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
// A conversion is not written if the record behind the original is the same one: so a second run changes nothing. Nor is it if it is a record that this function
// would give to dead itself.
func (r *Rewriter) WARC(w io.Writer, in io.Reader, dead func(Dead) error) (WARCCounts, error) {
	var c WARCCounts
	reader := warc.NewReader(in, r.options.MaxRecord)
	defer reader.Close()
	var pending conversion
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	flush := func() error {
		if pending.raw == nil {
			c.add(pending.page)
			pending = conversion{}
			return nil
		}
		out := pending.raw
		if reader.Compressed() {
			zipped.Reset()
			zip.Reset(&zipped)
			if _, err := zip.Write(pending.raw); err != nil {
				return err
			}
			if err := zip.Close(); err != nil {
				return err
			}
			out = zipped.Bytes()
		}
		page := pending.page
		pending = conversion{}
		if len(out) > r.options.MaxRecord { // compressed, it may be longer than before
			c.skip("warc", payloadLimit)
			return nil
		}
		c.add(page)
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
		if pending.raw != nil && strings.EqualFold(rec.Field("WARC-Type"), "conversion") && rec.Field("WARC-Record-ID") == pending.id {
			pending.raw = nil
		}
		if err := flush(); err != nil {
			return c, err
		}
		if pending, err = r.record(rec); err != nil {
			c.Dead++
			c.BytesDead += int64(len(rec.Raw))
			if err := dead(Dead{Offset: rec.Offset, Length: int64(len(rec.Raw)), Bytes: rec.Raw, Cause: err.Error()}); err != nil {
				return c, err
			}
			continue
		}
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

// A conversion is what is to be written behind a record.
type conversion struct {
	raw  []byte // a record; nil if there is none
	id   string // its identifier
	page Counts // what was done, or why nothing was
}

// record returns the conversion of a record. An error says that the record is not what it says.
func (r *Rewriter) record(rec *warc.Record) (conversion, error) {
	skip := func(reason string) (conversion, error) {
		var c conversion
		c.page.skip("warc", reason)
		return c, nil
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
			return conversion{}, err
		}
		if reason != "" {
			return skip(reason)
		}
	}
	label := charset(p.contentType)
	out, page, err := r.HTML(p.data, label)
	if err != nil { // of the page or of the charset in its header
		return skip(encoding)
	}
	c := conversion{page: page}
	if page.Changed == 0 {
		return c, nil
	}
	if len(out) > r.options.MaxRecord {
		return skip(payloadLimit)
	}
	c.raw, c.id, err = warc.NewConversion(rec, out, pageType(label), process, r.options.Date)
	if err != nil || len(c.raw) > r.options.MaxRecord {
		return skip(payloadLimit)
	}
	return c, nil
}

func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.TrimSpace(kind)
}
