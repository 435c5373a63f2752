// SPDX-License-Identifier: MIT

package rewrite

import (
	"github.com/bidilink/bidilink/mailfilter"
)

// Mail returns what bidilink mail makes of a file: an mbox, or one message. It does not fail: a message that cannot be changed stays as it is, which
// counts in Skipped.
//
// The messages are worked on one after the other, in the order of the file.
func (r *Rewriter) Mail(data []byte) ([]byte, Counts, error) {
	var c Counts
	if !mailfilter.IsMbox(data) {
		out, err := r.message(data, &c)
		return out, c, err
	}
	out := make([]byte, 0, len(data)+len(data)/8)
	for msg := range mailfilter.Messages(data) {
		if mailfilter.HasLength(msg) {
			// What it says would not be true any more.
			c.skip("mail", mailfilter.Policy.String())
			out = append(out, msg...)
			continue
		}
		b, err := r.message(msg, &c)
		if err != nil {
			return nil, c, err
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
