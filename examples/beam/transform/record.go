// SPDX-License-Identifier: MIT

// Package transform has the transforms of Apache Beam that make the links of documents: of records that a pipeline has from anywhere ([Rewrite]), and of whole
// folders ([Files]).
package transform

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"path"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
)

// A Record is a document: a page, a Markdown text, a message, or an mbox.
type Record struct {
	Name        string // of the file, from the input folder on, with slashes; or whatever identifies it
	Path        string // of the file, or "" if it is none
	ContentType string // one of the types at Kind.ContentType, with a charset if need be
	Bytes       []byte
}

// A DeadLetter is a record, or a part of a file, that could not be done.
type DeadLetter struct {
	Name   string
	Path   string // of the file that it stands in, or "" if it is none of a file
	Offset int64  // in the file, in bytes
	Length int64  // in bytes; -1 if it is not known: to the end of the file
	Cause  string
	Bytes  []byte // the original; nil if it is long, and to be read from Path again
	Output string // the name of what an earlier run may have written for it, which is to be removed, or ""
}

// maxCarried is the length in bytes of the longest original that goes from worker to worker, if there is a file to read it from.
const maxCarried = 1 << 20

// letter returns the dead letter for an original.
func letter(name, path string, offset int64, original []byte, cause string) DeadLetter {
	d := DeadLetter{Name: name, Path: path, Offset: offset, Length: int64(len(original)), Cause: cause}
	if path == "" || len(original) <= maxCarried {
		d.Bytes = bytes.Clone(original)
	}
	return d
}

// A Kind says what a document is.
type Kind string

const (
	Auto     Kind = "auto" // by the extension of its name
	HTML     Kind = "html"
	Markdown Kind = "md"
	Mail     Kind = "mail" // a message, or an mbox
	WARC     Kind = "warc" // or .warc.gz
)

// ParseKind returns the kind with a name; mbox is another one for mail.
func ParseKind(name string) (Kind, error) {
	switch k := Kind(name); k {
	case Auto, HTML, Markdown, Mail, WARC:
		return k, nil
	case "mbox":
		return Mail, nil
	}
	return "", fmt.Errorf("kind %q: want auto, html, md, mail (or mbox) or warc", name)
}

// kindOf returns the kind of a file by its name, or "" if that is none of them.
func kindOf(name string) Kind {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".warc.gz") {
		return WARC
	}
	switch path.Ext(name) {
	case ".html", ".htm":
		return HTML
	case ".md", ".markdown":
		return Markdown
	case ".eml", ".mbox":
		return Mail
	case ".warc":
		return WARC
	}
	return ""
}

// ContentType returns the media type of the records of a kind.
func (k Kind) ContentType() string {
	switch k {
	case HTML:
		return "text/html"
	case Markdown:
		return "text/markdown"
	case Mail:
		return "message/rfc822"
	}
	return "application/octet-stream"
}

func init() {
	beam.RegisterType(reflect.TypeFor[Record]())
	beam.RegisterType(reflect.TypeFor[DeadLetter]())
	register.Emitter1[Record]()
	register.Emitter1[DeadLetter]()
	register.DoFn4x1[context.Context, Record, func(Record), func(DeadLetter), error](&rewriteFn{})
}

// Rewrite makes the links of a PCollection<Record>, each by its ContentType: text/html, text/markdown, which becomes HTML with .html behind its name,
// message/rfc822 and application/mbox. It returns a PCollection<Record> and a PCollection<DeadLetter>: each record is in one of them. A dead letter's Offset is 0.
//
// Rewriting has no state and no order, so a runner may do a bundle several times. An mbox is one record, since its messages have an order.
func Rewrite(s beam.Scope, o rewrite.Options, records beam.PCollection) (done, dead beam.PCollection) {
	return beam.ParDo2(s.Scope("bidilink.Rewrite"), &rewriteFn{Options: o}, records)
}

type rewriteFn struct {
	Options rewrite.Options

	rewriter *rewrite.Rewriter
	counters counters
}

func (f *rewriteFn) Setup() (err error) {
	f.counters = counters{}
	f.rewriter, err = rewrite.New(f.Options)
	return err
}

func (f *rewriteFn) StartBundle(ctx context.Context, _ func(Record), _ func(DeadLetter)) {
	f.counters.add(ctx, bundles, 1)
}

func (f *rewriteFn) ProcessElement(ctx context.Context, r Record, done func(Record), dead func(DeadLetter)) error {
	size := int64(len(r.Bytes))
	f.counters.add(ctx, recordsIn, 1)
	f.counters.add(ctx, bytesIn, size)
	out, counts, err := f.rewrite(&r)
	if err != nil {
		f.counters.add(ctx, recordsDead, 1)
		f.counters.add(ctx, bytesDead, size)
		l := letter(r.Name, r.Path, 0, r.Bytes, err.Error())
		if l.Bytes == nil && l.Path != "" && size > 0 {
			l.Length = -1 // the file may have another length when it is read again
		}
		if r.Path != "" {
			l.Output = r.Name
			if r.ContentType == Markdown.ContentType() {
				l.Output = outputName(r.Name, Markdown)
			}
		}
		dead(l)
		return nil
	}
	f.counters.counts(ctx, &counts)
	f.counters.add(ctx, recordsDone, 1)
	f.counters.add(ctx, bytesDone, size)
	f.counters.add(ctx, bytesOut, int64(len(out)))
	r.Bytes = out
	done(r)
	return nil
}

func (f *rewriteFn) rewrite(r *Record) ([]byte, rewrite.Counts, error) {
	kind, parameters, err := mime.ParseMediaType(r.ContentType)
	if err != nil {
		return nil, rewrite.Counts{}, fmt.Errorf("content type %q: %w", r.ContentType, err)
	}
	switch kind {
	case "text/html":
		return f.rewriter.HTML(r.Bytes, parameters["charset"])
	case "text/markdown":
		out, counts, err := f.rewriter.Markdown(r.Bytes)
		if err == nil {
			r.Name, r.ContentType = outputName(r.Name, Markdown), "text/html; charset=utf-8"
		}
		return out, counts, err
	case "message/rfc822", "application/mbox":
		return f.rewriter.Mail(r.Bytes)
	}
	return nil, rewrite.Counts{}, fmt.Errorf("content type %q: want text/html, text/markdown, message/rfc822 or application/mbox", r.ContentType)
}
