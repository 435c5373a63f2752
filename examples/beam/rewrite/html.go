// SPDX-License-Identifier: MIT

package rewrite

import (
	"strings"

	"github.com/bidilink/bidilink/htmlwalk"
)

// HTML returns what bidilink html makes of a document. It fails if bidilink html would write nothing: the document is not text, or in an encoding
// that cannot be walked. charset is what stands outside the document about its encoding, as in a header, or "".
func (r *Rewriter) HTML(data []byte, charset string) ([]byte, Counts, error) {
	var c Counts
	o := r.html
	o.Charset = charset
	edits, stats, err := htmlwalk.Edits(data, o)
	if err != nil {
		return nil, c, err
	}
	if stats.Copied.Reason != htmlwalk.NotCopied {
		c.skip("html", stats.Copied.Reason.String())
	}
	c.Links, c.Isolates = int64(stats.Links), int64(stats.Isolated)
	c.changed(len(edits) > 0)
	if len(edits) == 0 {
		return data, c, nil
	}
	added := 0
	for _, e := range edits {
		added += len(e.Text)
	}
	out := make([]byte, 0, len(data)+added)
	at := int64(0)
	for _, e := range edits {
		out = append(append(out, data[at:e.Start]...), e.Text...)
		at = e.End
		if strings.HasPrefix(e.Text, `<a href="mailto:`) {
			c.Emails++
		}
	}
	c.URLs = c.Links - c.Emails
	return append(out, data[at:]...), c, nil
}
