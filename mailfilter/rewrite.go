// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"golang.org/x/text/encoding"

	"github.com/bidilink/bidilink/htmlwalk"
)

// Rewrite copies the message in r to w and makes links of what is one in its HTML parts. Where that cannot be done, for whatever reason,
// it writes the message as it is, and the report says why.
//
// It fails if the options are wrong, with nothing written; with the error of r, after it has written what it read; and
// with the error of w. Nothing is written before r is read and the result is complete and verified, unless the message is beyond
// MaxMessage.
func Rewrite(w io.Writer, r io.Reader, o Options) (Report, error) {
	f, err := newFilter(o)
	if err != nil {
		return Report{}, err
	}
	msg, err := readAll(r, f.o.MaxMessage+1)
	if err != nil {
		rep := Report{Result: Skipped, Reason: Failure, Err: err, Bytes: int64(len(msg))}
		if _, werr := w.Write(msg); werr != nil {
			return rep, fmt.Errorf("mailfilter: writing: %w", werr)
		}
		return rep, fmt.Errorf("mailfilter: reading: %w", err)
	}
	out, rep := f.message(nil, msg)
	if _, err := w.Write(out); err != nil {
		return rep, fmt.Errorf("mailfilter: writing: %w", err)
	}
	if int64(len(msg)) > f.o.MaxMessage {
		in := &source{r: r}
		n, err := io.Copy(struct{ io.Writer }{w}, in)
		rep.Bytes += n
		switch {
		case in.err != nil:
			return rep, fmt.Errorf("mailfilter: reading: %w", in.err)
		case err != nil:
			return rep, fmt.Errorf("mailfilter: writing: %w", err)
		}
	}
	return rep, nil
}

// RewriteMessage is [Rewrite] for a message in memory, which it does not change. If nothing is to be changed, it returns msg itself.
func RewriteMessage(msg []byte, o Options) ([]byte, Report, error) {
	f, err := newFilter(o)
	if err != nil {
		return msg, Report{}, err
	}
	out, rep := f.message(nil, msg)
	return out, rep, nil
}

// AppendMessage is [RewriteMessage] for those who have room for the new message: it appends that to dst if the result is Modified, and otherwise
// returns dst as it was. Behind its end, within its capacity, there may then be a part of a message: of one that was refused by the verification, or at which there was a panic, or
// that Observe leaves as it is. dst and msg must not overlap.
func AppendMessage(dst, msg []byte, o Options) ([]byte, Report, error) {
	f, err := newFilter(o)
	if err != nil {
		return dst, Report{}, err
	}
	out, rep := f.message(dst, msg)
	if rep.Result != Modified {
		return dst, rep, nil
	}
	return out, rep, nil
}

// Header reports, by the header of a message alone, with or without the blank line behind it, whether the message may be changed: if not,
// its body need not be looked at, and the reason is that of the report.
func Header(header []byte, o Options) (Reason, error) {
	f, err := newFilter(o)
	if err != nil {
		return NoReason, err
	}
	header = bytes.TrimRight(header, "\r\n")
	msg := append(header[:len(header):len(header)], "\n\n"...)
	entities, reason, err := f.scan(msg, nil)
	var limit *LimitError
	switch {
	case errors.As(err, &limit):
		return Limit, nil
	case reason != NoReason:
		return reason, nil
	}
	e := &entities[0]
	switch {
	case e.boundary != nil || e.candidate:
		return NoReason, nil
	case !e.html && (e.reason == Type || e.reason == Attachment):
		return NoCandidate, nil
	}
	return e.reason, nil
}

// A source notes the error of a reader.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// readAll reads at most limit bytes. It needs no more than twice their space.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	size := -1
	switch r := r.(type) {
	case *bytes.Reader:
		size = r.Len()
	case *bytes.Buffer:
		size = r.Len()
	case *strings.Reader:
		size = r.Len()
	}
	if size >= 0 {
		msg := make([]byte, min(int64(size), limit))
		n, err := io.ReadFull(r, msg)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = nil
		}
		return msg[:n], err
	}
	r = io.LimitReader(r, limit)
	var chunks [][]byte
	var err error
	n := 0
	size = 0
	for next := 4 << 10; err == nil; next = min(2*next, 1<<20) {
		chunk := make([]byte, next)
		n, err = io.ReadFull(r, chunk)
		chunks = append(chunks, chunk[:n])
		size += n
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	msg := make([]byte, 0, size)
	for i, c := range chunks {
		msg = append(msg, c...)
		chunks[i] = nil
	}
	return msg, err
}

// message returns the message as it is to be, which is msg itself unless it is modified, and else appended to dst, and never fails.
func (f *filter) message(dst, msg []byte) (out []byte, rep Report) {
	defer func() {
		if p := recover(); p != nil {
			out, rep = msg, Report{Result: Skipped, Reason: Failure, Err: &PanicError{p, debug.Stack()}, Bytes: int64(len(msg))}
		}
	}()
	f.scratch = scratches.Get().(*scratch)
	out, rep, err := f.rewrite(dst, msg)
	f.scratch.release() // after a panic, nobody knows who has a part of it
	f.scratch = nil
	rep.Bytes = int64(len(msg))
	if err != nil {
		reason := Failure
		var limit *LimitError
		switch {
		case errors.As(err, &limit):
			reason = Limit
		case errors.Is(err, ErrVerify):
			reason = Verify
		}
		rep = Report{Result: Skipped, Reason: reason, Err: err, Bytes: rep.Bytes, Parts: rep.Parts}
		return msg, rep
	}
	if rep.Result == Modified && f.o.Observe {
		rep.Result, rep.Reason = Skipped, Observe
	}
	if rep.Result != Modified {
		return msg, rep
	}
	return out, rep
}

// rewrite does what message promises, or fails.
func (f *filter) rewrite(dst, msg []byte) ([]byte, Report, error) {
	var rep Report
	if int64(len(msg)) > f.o.MaxMessage {
		return nil, rep, &LimitError{"message bytes", f.o.MaxMessage}
	}
	entities, reason, err := f.scan(msg, nil)
	if err != nil {
		return nil, rep, err
	}
	if reason != NoReason {
		rep.Result, rep.Reason = Skipped, reason
		return nil, rep, nil
	}
	f.withSignatures(msg, entities)
	rep.Parts = make([]Part, len(entities))
	var changes []change
	links, added := 0, 0
	for i := range entities {
		e, p := &entities[i], &rep.Parts[i]
		*p = Part{Path: path(entities, i), Type: e.head.mediaType, Start: e.start, End: e.end}
		if !e.candidate {
			if e.reason != NoReason {
				p.Result, p.Reason = Skipped, e.reason
			}
			continue
		}
		if e.beside != NoReason {
			p.Result, p.Reason = Skipped, e.beside
			continue
		}
		if err := f.expired(); err != nil {
			return nil, rep, err
		}
		body, err := f.part(msg, e, p)
		if err != nil {
			return nil, rep, fmt.Errorf("part %q: %w", p.Path, err)
		}
		if links += p.Links; links > f.o.MaxLinks {
			return nil, rep, &LimitError{"links", int64(f.o.MaxLinks)}
		}
		if p.Result == Modified {
			changes = append(changes, change{i, body})
			if added += len(body) - (e.end - e.body); int64(added) > f.o.MaxAdded {
				return nil, rep, &LimitError{"added bytes", f.o.MaxAdded}
			}
		}
	}
	rep.fold(entities)
	if len(changes) == 0 {
		return nil, rep, nil
	}
	if err := f.expired(); err != nil {
		return nil, rep, err
	}
	out := assemble(dst, msg, entities, changes)
	if !f.verifyMessage(msg, entities, changes, out[len(dst):]) {
		return nil, rep, ErrVerify
	}
	if err := f.expired(); err != nil {
		return nil, rep, err
	}
	return out, rep, nil
}

// decode returns what the body of e stands for in its transfer encoding, or why it cannot. Limit says that it is longer.
func (e *entity) decode(s *scratch, raw []byte, limit int64) ([]byte, Reason) {
	var decoded []byte
	ok := true
	switch e.encoding {
	case quotedPrintable:
		decoded, ok = decodeQP(s, raw, limit)
	case base64Encoding:
		decoded, ok = decode64(s, raw, limit)
	default:
		decoded = raw
	}
	switch {
	case int64(len(decoded)) > limit:
		return nil, Limit
	case !ok:
		return nil, CTE
	}
	return decoded, NoReason
}

// part returns the new body of a part, and sets what became of it.
func (f *filter) part(msg []byte, e *entity, p *Part) ([]byte, error) {
	skip := func(r Reason) ([]byte, error) {
		p.Result, p.Reason, p.Links, p.Isolated = Skipped, r, 0, 0
		return nil, nil
	}
	raw := msg[e.body:e.end]
	if e.suspect {
		return skip(Malformed)
	}
	decoded, reason := e.decode(f.scratch, raw, f.o.MaxPart)
	if reason == Limit {
		return nil, &LimitError{"part bytes", f.o.MaxPart}
	} else if reason != NoReason {
		return skip(reason)
	}
	text, enc, ok := decodeCharset(e.charset, decoded)
	if !ok {
		return skip(Charset)
	}
	if hasArmor(text, !e.plain) {
		return skip(InlinePGP)
	}
	var edits []edit
	if e.plain {
		if enc != nil {
			return skip(Charset)
		}
		edits = f.isolates(text, p)
	} else {
		var err error
		if edits, reason, err = f.edits(text, p); err != nil {
			return nil, err
		} else if reason != NoReason {
			return skip(reason)
		}
	}
	if p.Links > f.o.MaxLinks {
		return nil, &LimitError{"links", int64(f.o.MaxLinks)} // without writing them first
	}
	if len(edits) == 0 {
		return nil, nil
	}
	if !verifyEdits(text, edits, e.plain) {
		return nil, ErrVerify
	}
	body, reason, err := splice(f.scratch, msg, e, decoded, text, enc, edits)
	if err != nil {
		return nil, err
	} else if reason != NoReason {
		return skip(reason)
	}
	p.Result = Modified
	return body, nil
}

// splice returns the body of e with the edits of its text.
func splice(s *scratch, msg []byte, e *entity, decoded, text []byte, enc encoding.Encoding, edits []edit) ([]byte, Reason, error) {
	raw := msg[e.body:e.end]
	eol := eolOf(raw, msg[:e.body])
	inBytes, ok := inCharset(enc, decoded, edits)
	if !ok {
		return nil, Charset, nil
	}
	var body []byte
	switch e.encoding {
	case quotedPrintable:
		body, ok = spliceQP(s, raw, inBytes, eol)
	case base64Encoding:
		body, ok = splice64(s, raw, decoded, inBytes, eol)
	default:
		if !breakLines(raw, inBytes, eol) {
			return nil, Length, nil
		}
		for i := range edits {
			edits[i].text = inBytes[i].text // with line ends in tags
		}
		body, ok = apply(s, raw, inBytes, 0)
	}
	if !ok || !verifyPart(s, e, body, text, enc, edits, int64(len(text)+net(edits))*4) {
		return nil, NoReason, ErrVerify
	}
	return body, NoReason, nil
}

// edits returns the changes of a text in HTML, or why it is left alone.
func (f *filter) edits(text []byte, p *Part) ([]edit, Reason, error) {
	if f.walk == nil {
		var err error
		if f.walk, err = htmlwalk.New(f.html); err != nil {
			return nil, NoReason, err
		}
	}
	var kept []htmlwalk.Edit
	if f.scratch != nil {
		kept = f.scratch.edits[:0]
	}
	list, stats, err := f.walk.AppendEdits(kept, text)
	if f.scratch != nil {
		f.scratch.edits = list
	}
	switch {
	case errors.Is(err, htmlwalk.ErrEncoding):
		return nil, Charset, nil
	case errors.Is(err, htmlwalk.ErrBinary):
		return nil, HTML, nil
	case err != nil:
		return nil, NoReason, err
	}
	p.Copied = stats.Copied
	switch stats.Copied.Reason {
	case htmlwalk.XML:
		return nil, HTML, nil
	case htmlwalk.Charset:
		return nil, Charset, nil
	case htmlwalk.TokenLimit, htmlwalk.DepthLimit, htmlwalk.LinkLimit, htmlwalk.SizeLimit:
		return nil, NoReason, &LimitError{"open elements", 512}
	}
	p.Links, p.Isolated = stats.Links+stats.FileNames, stats.Isolated
	edits := make([]edit, len(list))
	for i, e := range list {
		edits[i] = edit{int(e.Start), int(e.End), e.Text}
	}
	return edits, NoReason, nil
}
