// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine/display"
)

// Edits gives what Rewrite writes.
func TestEdits(t *testing.T) {
	docs := append([]string{"", "<p>nothing", "\ufeffe.com e.com/\u202eא"}, gadgets...)
	for _, doc := range docs {
		for _, o := range []Options{{}, {Profile: display.Mail, Isolate: display.IsolateAll}, {WrapFileNames: true}} {
			edits, stats, err := Edits([]byte(doc), o)
			var want bytes.Buffer
			wantStats, wantErr := Rewrite(&want, strings.NewReader(doc), o)
			if (err == nil) != (wantErr == nil) || stats != wantStats {
				t.Errorf("%q: %v, %+v, want %v, %+v", doc, err, stats, wantErr, wantStats)
			}
			if err != nil {
				continue
			}
			var got strings.Builder
			at := int64(0)
			for _, e := range edits {
				got.WriteString(doc[at:e.Start] + e.Text)
				at = e.End
			}
			if got.WriteString(doc[at:]); got.String() != want.String() {
				t.Errorf("%q:\n got %q\nwant %q", doc, got.String(), want.String())
			}
		}
	}
	if edits, _, err := Edits([]byte("\xff\xfee\x00"), Options{}); edits != nil || !errors.Is(err, ErrEncoding) {
		t.Errorf("UTF-16: %v, %v", edits, err)
	}
}
