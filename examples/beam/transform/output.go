// SPDX-License-Identifier: MIT

package transform

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
	"github.com/bidilink/bidilink/examples/beam/warc"
)

// writeFn writes the files that have become of records.
type writeFn struct {
	Output string

	counters counters
	places   places
}

func (f *writeFn) Setup() { f.counters = counters{} }

func (f *writeFn) Teardown() error { return f.places.close() }

func (f *writeFn) ProcessElement(ctx context.Context, r Record) error {
	err := f.places.put(ctx, f.Output, r.Name, source{r.Path, r.Name}, func(w io.Writer) error {
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
	Memory  int64
	Options rewrite.Options

	rewriter *rewrite.Rewriter
	counters counters
	places   places
}

func (f *warcFn) Setup() (err error) {
	f.counters = counters{}
	f.rewriter, err = rewrite.New(f.Options)
	return err
}

func (f *warcFn) Teardown() error { return f.places.close() }

func (f *warcFn) ProcessElement(ctx context.Context, file File, dead func(DeadLetter)) error {
	in := source{file.Path, file.Name}
	r, err := f.places.open(ctx, in)
	if err == nil {
		if err = blocked(f.Output, file.Name); err != nil {
			r.Close()
		}
	}
	if unreadable(err) || errors.Is(err, errBlocked) {
		whole(ctx, f.counters, file, f.Output, err.Error(), dead)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file.Path, err)
	}
	defer r.Close()
	memory := weight(&file, int64(cmp.Or(f.Options.MaxRecord, warc.DefaultLimit)), f.Memory)
	if err := budget(f.Memory).Acquire(ctx, memory); err != nil {
		return err
	}
	defer budget(f.Memory).Release(memory)
	var counts rewrite.WARCCounts
	err = f.places.put(ctx, f.Output, file.Name, in, func(w io.Writer) (err error) {
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
	Dead, Output string

	places places
}

// A deadReport is what the JSON of a dead letter holds.
type deadReport struct {
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"` // -1: not known
	Cause  string `json:"cause"`
	Bytes  bool   `json:"bytes"` // the original could be read, as a whole, and is in the other file
}

func (f *deadFn) Teardown() error { return f.places.close() }

func (f *deadFn) ProcessElement(ctx context.Context, d DeadLetter) error {
	if d.Output != "" {
		if err := f.places.remove(ctx, f.Output, d.Output); err != nil {
			return fmt.Errorf("%s: %w", join(f.Output, d.Output), err)
		}
	}
	from := source{d.Path, d.Name}
	name := fmt.Sprintf("%s/%d", d.Name, d.Offset)
	err := errGone
	if d.Bytes != nil || d.Length == 0 || d.Path != "" {
		err = f.places.put(ctx, f.Dead, name+".bytes", from, func(w io.Writer) error {
			if d.Bytes != nil || d.Length == 0 {
				_, err := w.Write(d.Bytes)
				return err
			}
			return f.copy(ctx, w, &d)
		})
	}
	gone := unreadable(err) || errors.Is(err, errGone)
	if err != nil && !gone {
		return err
	}
	if gone {
		if err := f.places.remove(ctx, f.Dead, name+".bytes"); err != nil {
			return fmt.Errorf("%s: %w", join(f.Dead, name+".bytes"), err)
		}
	}
	report, err := json.MarshalIndent(deadReport{d.Name, d.Path, d.Offset, d.Length, d.Cause, !gone}, "", "\t")
	if err != nil {
		return err
	}
	return f.places.put(ctx, f.Dead, name+".json", from, func(w io.Writer) error {
		_, err := w.Write(append(report, '\n'))
		return err
	})
}

// errGone says that an original is not there any more, or not as a whole.
var errGone = errors.New("the original is gone")

// copy copies the original from its file: d.Length bytes or, if that is not known, all from d.Offset on, and then d.Length is their number.
func (f *deadFn) copy(ctx context.Context, w io.Writer, d *DeadLetter) error {
	r, err := f.places.open(ctx, source{d.Path, d.Name})
	if err != nil {
		return err
	}
	defer r.Close()
	if s, ok := r.(io.Seeker); ok {
		_, err = s.Seek(d.Offset, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, r, d.Offset)
	}
	var n int64
	if err == nil {
		if d.Length < 0 {
			if n, err = io.Copy(w, r); err == nil {
				d.Length = n
			}
		} else {
			_, err = io.CopyN(w, r, d.Length)
		}
	}
	if err == io.EOF {
		return errGone
	}
	if err != nil {
		return fmt.Errorf("%s: %d bytes at offset %d: %w", d.Path, d.Length, d.Offset, err)
	}
	return nil
}
