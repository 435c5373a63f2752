// SPDX-License-Identifier: MIT

package rewrite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bidilink/bidilink/mailfilter"
)

// Mail returns what bidilink mail makes of a file: an mbox, or one message. A message that cannot be changed stays as it is, which counts in Skipped. It fails where
// bidilink mail ends with an error: something went wrong with a message, or what has become of it is not what it should be. The error says which message it is, by its offset in bytes.
//
// The messages are worked on one after the other, in the order of the file.
func (r *Rewriter) Mail(data []byte) ([]byte, Counts, error) {
	var c Counts
	if !mailfilter.IsMbox(data) {
		out, err := r.message(data, &c)
		if err != nil {
			return nil, c, err
		}
		return out, c, nil
	}
	offset, number := 0, 0
	out := make([]byte, 0, len(data)+len(data)/8)
	for msg := range mailfilter.Messages(data) {
		start := offset
		offset += len(msg)
		number++
		if mailfilter.HasLength(msg) {
			// What it says would not be true any more.
			c.skip("mail", mailfilter.Policy.String())
			out = append(out, msg...)
			continue
		}
		b, err := r.message(msg, &c)
		if err != nil {
			return nil, c, fmt.Errorf("message %d, at offset %d: %w", number, start, err)
		}
		out = append(out, b...)
	}
	return out, c, nil
}

// message returns what a message becomes.
func (r *Rewriter) message(msg []byte, c *Counts) ([]byte, error) {
	if mailfilter.HoldsAnother(msg) {
		c.skip("mail", mailfilter.Malformed.String())
		return msg, nil
	}
	out, report, err := mailfilter.RewriteMessage(msg, r.mail)
	if err != nil {
		return nil, err
	}
	if report.Err != nil && report.Reason != mailfilter.Limit {
		cause, _, _ := strings.Cut(report.Err.Error(), "\n") // the stack of a panic follows
		return nil, errors.New(cause)
	}
	switch report.Result {
	case mailfilter.Skipped:
		c.skip("mail", report.Reason.String())
	default:
		c.Links += int64(report.Links)
		c.Isolates += int64(report.Isolated)
		c.changed(report.Result == mailfilter.Modified)
	}
	return out, nil
}
