// SPDX-License-Identifier: MIT

package mailfilter

import (
	"errors"
	"fmt"

	"github.com/bidilink/bidilink/htmlwalk"
)

// A Result says what became of a message or of a part.
type Result uint8

const (
	Unchanged Result = iota // looked at, and nothing was to be changed
	Modified
	Skipped // left alone, for a reason
)

var results = [...]string{Unchanged: "unchanged", Modified: "modified", Skipped: "skipped"}

// String returns "unchanged", "modified" or "skipped".
func (r Result) String() string {
	if int(r) < len(results) {
		return results[r]
	}
	return fmt.Sprintf("Result(%d)", uint8(r))
}

// A Reason says why a message or a part was left alone. The list is closed; the words that String returns are for logs and
// metrics as well.
type Reason uint8

const (
	NoReason       Reason = iota // it was not left alone
	NoCandidate                  // nothing in the message is of a type that is changed
	Signed                       // S/MIME or PGP signature round the part, or beside it
	Encrypted                    // S/MIME or PGP
	InlinePGP                    // a PGP message or signature in the text, or in the plain text of the same multipart/alternative
	UnobtrusiveSig               // a Sig field in the header: an unobtrusive signature
	Attachment                   // said to be one, or has a file name
	Resource                     // belongs to another part of a multipart/related
	DeliveryReport               // a delivery report or another multipart/report
	Embedded                     // a message in the message, or a fragment of one
	Type                         // a media type that is never changed
	Checksum                     // has a Content-MD5 or Content-Digest
	Charset                      // unknown, unfit for changes, or not what the bytes are in
	CTE                          // a transfer encoding that is unknown, binary, or not what the bytes are in
	HTML                         // not HTML that can be followed
	Flowed                       // text/plain with format=flowed
	Length                       // a line would get longer than mail allows
	Malformed                    // header or structure that programs read in different ways
	Limit                        // see LimitError
	DKIM                         // signed by DKIM or sealed by ARC, and may travel on
	List                         // of a mailing list
	Observe                      // only observed: it would have been changed
	Policy                       // the configuration of the caller; never set by Rewrite
	Verify                       // the result failed its verification
	Failure                      // an internal error
)

var reasons = [...]string{
	NoReason: "", NoCandidate: "no-candidate", Signed: "signed", Encrypted: "encrypted", InlinePGP: "inline-pgp", UnobtrusiveSig: "unobtrusive-sig",
	Attachment: "attachment", Resource: "resource", DeliveryReport: "report", Embedded: "embedded", Type: "type", Checksum: "checksum", Charset: "charset",
	CTE: "cte", HTML: "html", Flowed: "flowed", Length: "length", Malformed: "malformed", Limit: "limit", DKIM: "dkim", List: "list",
	Observe: "observe", Policy: "policy", Verify: "verify", Failure: "error",
}

// String returns a word such as "signed"; "" of NoReason.
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return fmt.Sprintf("Reason(%d)", uint8(r))
}

// Reasons returns all reasons, for programs that count by reason.
func Reasons() []Reason {
	list := make([]Reason, 0, len(reasons))
	for r := range reasons {
		if Reason(r) != NoReason {
			list = append(list, Reason(r))
		}
	}
	return list
}

// ErrVerify says that the result of a rewrite was not what it had to be, so that the original was given back. It is in
// Report.Err, and a defect of this package.
var ErrVerify = errors.New("mailfilter: the result failed its verification")

// A LimitError says which limit of [Options] a message is beyond.
type LimitError struct {
	What  string // "message bytes", "part bytes", "depth", "parts", "header bytes", "header lines", "links", "added bytes", "open elements" (512), "milliseconds"
	Limit int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("mailfilter: more than %d %s", e.Limit, e.What)
}

// A PanicError is a panic while a message was worked on: a defect of this module.
type PanicError struct {
	Value any // may hold something of the message
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("mailfilter: panic: %v\n%s", e.Value, e.Stack)
}

// A Report says what [Rewrite] did, and why.
type Report struct {
	Result   Result
	Reason   Reason // of Skipped
	Err      error  // what is behind Limit, Verify or Failure; else nil
	Bytes    int64  // length of the message
	Links    int    // links made, or file names isolated, or only observed
	Isolated int    // those of them with an isolate round them
	Changed  int    // parts that were changed, or only observed
	Parts    []Part // all that were found, in order; none if the message was not taken apart
}

// A Part is a message, a multipart, or a part of one.
type Part struct {
	Path       string // "" of the message; "1.2" is the second part of the first
	Type       string // media type in lower case, or "" if there is none that can be read
	Result     Result // of a multipart whose parts were looked at, Unchanged
	Reason     Reason // of Skipped
	Start, End int    // of header and body in the message
	Links      int
	Isolated   int
	Copied     htmlwalk.Copied // from where on HTML was not looked at, and why
}

// fold sets the result of the message by its parts.
func (s *Report) fold(entities []entity) {
	looked, first, container := false, NoReason, NoReason
	for i := range s.Parts {
		p := &s.Parts[i]
		switch {
		case p.Result == Modified:
			s.Changed++
			s.Links += p.Links
			s.Isolated += p.Isolated
		case entities[i].candidate && p.Result == Unchanged:
			looked = true
		case entities[i].html && first == NoReason:
			first = p.Reason
		case p.Reason != Type && p.Reason != Attachment && p.Reason != Resource && container == NoReason:
			container = p.Reason
		}
	}
	switch {
	case s.Changed > 0:
		s.Result = Modified
	case looked:
		s.Result = Unchanged
	default:
		s.Result = Skipped
		s.Reason = NoCandidate
		if first != NoReason {
			s.Reason = first
		} else if container != NoReason {
			s.Reason = container
		}
	}
}
