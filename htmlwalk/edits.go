// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"io"
)

// An Edit is one change: the bytes from Start to End, exclusive, are replaced by Text, or if there are none, Text is inserted.
type Edit struct {
	Start, End int64
	Text       string
}

// Edits returns the changes that [Rewrite] makes in a document, without writing it: for those who keep the document in another form, such
// as quoted-printable. They are in order and do not overlap. Each inserts one tag, or replaces a bidi control in a link by
// its percent-encoding.
func Edits(data []byte, o Options) ([]Edit, Stats, error) {
	rw, err := New(o)
	if err != nil {
		return nil, Stats{}, err
	}
	return rw.Edits(data)
}

// Edits is the function [Edits] with the options of rw.
func (rw *Rewriter) Edits(data []byte) ([]Edit, Stats, error) {
	list, stats, err := rw.AppendEdits(nil, data)
	if err != nil {
		return nil, stats, err
	}
	return list, stats, nil
}

// AppendEdits is Edits, which appends them to list. Where it fails, it returns list as it is.
func (rw *Rewriter) AppendEdits(list []Edit, data []byte) ([]Edit, Stats, error) {
	n := len(list)
	record := func(e edit) { list = append(list, Edit{e.start, e.end, e.text}) }
	if rw.o.Verify {
		stats, err := rw.rewrite(io.Discard, bytes.NewReader(data), nil, record)
		if err != nil {
			list = list[:n]
		}
		return list, stats, err
	}
	walk, err := rw.walkerOf(io.Discard, data, record)
	if err != nil {
		return list, Stats{}, err
	}
	stats, err := walk.document()
	walk.release()
	if err != nil {
		list = list[:n]
	}
	return list, stats, err
}
