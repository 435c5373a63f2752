// SPDX-License-Identifier: MIT

package transform

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
)

// join returns the path of a file in a folder.
func join(folder, name string) string { return strings.TrimRight(folder, "/") + "/" + name }

// put writes a file: as a whole, or not at all. Locally it is written under another name and renamed; in stores of objects, an object is there when
// it is closed, and never if its context is cancelled before.
func put(ctx context.Context, fsys filesystem.Interface, name string, write func(io.Writer) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	temp := name
	if isLocal(name) {
		temp = join(path.Dir(name), ".bidilink-"+rand.Text())
	}
	w, err := fsys.OpenWrite(ctx, temp)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err = write(out); err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = w.Close()
	} else if cancel(); isLocal(name) {
		w.Close()
	}
	if err == nil && isLocal(name) {
		err = filesystem.Rename(ctx, fsys, temp, name)
	}
	if err == nil {
		return nil
	}
	if remover, ok := fsys.(filesystem.Remover); ok && isLocal(name) {
		_ = remover.Remove(context.WithoutCancel(ctx), temp)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// writeFn writes the files that have become of records.
type writeFn struct {
	Output string

	counters counters
	fs       opened
}

func (f *writeFn) Setup() { f.counters = counters{} }

func (f *writeFn) Teardown() error { return f.fs.close() }

func (f *writeFn) ProcessElement(ctx context.Context, r Record) error {
	fsys, err := f.fs.of(ctx, f.Output)
	if err != nil {
		return err
	}
	err = put(ctx, fsys, join(f.Output, r.Name), func(w io.Writer) error {
		_, err := w.Write(r.Bytes)
		return err
	})
	if err == nil {
		f.counters.add(ctx, filesWritten, 1)
	}
	return err
}

// warcFn rewrites WARC files, from file to file: none is in memory as a whole.
type warcFn struct {
	Output  string
	Options rewrite.Options

	rewriter *rewrite.Rewriter
	counters counters
	fs       opened
}

func (f *warcFn) Setup() (err error) {
	f.counters = counters{}
	f.rewriter, err = rewrite.New(f.Options)
	return err
}

func (f *warcFn) Teardown() error { return f.fs.close() }

func (f *warcFn) ProcessElement(ctx context.Context, file File, dead func(DeadLetter)) error {
	in, err := f.fs.of(ctx, file.Path)
	if err != nil {
		return err
	}
	out, err := f.fs.of(ctx, f.Output)
	if err != nil {
		return err
	}
	r, err := in.OpenRead(ctx, file.Path)
	if unreadable(err) {
		f.counters.add(ctx, recordsIn, 1)
		f.counters.add(ctx, recordsDead, 1)
		f.counters.add(ctx, bytesIn, max(file.Size, 0))
		f.counters.add(ctx, bytesDead, max(file.Size, 0))
		dead(DeadLetter{Name: file.Name, Path: file.Path, Length: max(file.Size, 0), Cause: err.Error()})
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file.Path, err)
	}
	defer r.Close()
	var counts rewrite.WARCCounts
	err = put(ctx, out, join(f.Output, file.Name), func(w io.Writer) (err error) {
		counts, err = f.rewriter.WARC(w, r, func(d rewrite.Dead) error {
			l := letter(file.Name, file.Path, d.Offset, d.Bytes, d.Cause)
			l.Length = d.Length
			dead(l)
			return nil
		})
		return err
	})
	if err != nil {
		return err
	}
	f.counters.counts(ctx, &counts.Counts)
	f.counters.add(ctx, filesWritten, 1)
	f.counters.add(ctx, recordsIn, counts.Records+counts.Dead)
	f.counters.add(ctx, recordsDone, counts.Records)
	f.counters.add(ctx, recordsDead, counts.Dead)
	f.counters.add(ctx, conversions, counts.Conversions)
	f.counters.add(ctx, bytesIn, counts.BytesCopied+counts.BytesDead)
	f.counters.add(ctx, bytesDone, counts.BytesCopied)
	f.counters.add(ctx, bytesDead, counts.BytesDead)
	f.counters.add(ctx, bytesOut, counts.BytesCopied+counts.BytesAdded)
	return nil
}

// deadFn writes dead letters: NAME/OFFSET.bytes with the original, and then NAME/OFFSET.json with what is known of it.
type deadFn struct {
	Dead string

	fs opened
}

// A deadReport is what the JSON of a dead letter holds.
type deadReport struct {
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	Cause  string `json:"cause"`
	Bytes  bool   `json:"bytes"` // the original could be read, and is in the other file
}

func (f *deadFn) Teardown() error { return f.fs.close() }

func (f *deadFn) ProcessElement(ctx context.Context, d DeadLetter) error {
	fsys, err := f.fs.of(ctx, f.Dead)
	if err != nil {
		return err
	}
	name := join(f.Dead, fmt.Sprintf("%s/%d", d.Name, d.Offset))
	gone := false
	err = put(ctx, fsys, name+".bytes", func(w io.Writer) error {
		if d.Bytes != nil || d.Length == 0 || d.Path == "" {
			_, err := w.Write(d.Bytes)
			return err
		}
		err := f.copy(ctx, w, &d)
		gone = unreadable(err)
		return err
	})
	if err != nil && !gone {
		return err
	}
	report, err := json.MarshalIndent(deadReport{d.Name, d.Path, d.Offset, d.Length, d.Cause, !gone}, "", "\t")
	if err != nil {
		return err
	}
	return put(ctx, fsys, name+".json", func(w io.Writer) error {
		_, err := w.Write(append(report, '\n'))
		return err
	})
}

// copy copies the original from its file.
func (f *deadFn) copy(ctx context.Context, w io.Writer, d *DeadLetter) error {
	fsys, err := f.fs.of(ctx, d.Path)
	if err != nil {
		return err
	}
	r, err := fsys.OpenRead(ctx, d.Path)
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := io.CopyN(io.Discard, r, d.Offset); err != nil {
		return fmt.Errorf("%s: to offset %d: %w", d.Path, d.Offset, err)
	}
	if _, err := io.CopyN(w, r, d.Length); err != nil {
		return fmt.Errorf("%s: %d bytes at offset %d: %w", d.Path, d.Length, d.Offset, err)
	}
	return nil
}
