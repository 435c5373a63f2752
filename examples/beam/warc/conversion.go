// SPDX-License-Identifier: MIT

package warc

import (
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// NewConversion returns a record of type conversion (WARC 1.1, record types), another version of the content of a record made when that was in the archive already,
// and its identifier. It has the version, the address and the truncation of the record that it is made of; the date is that of the conversion.
//
// The identifier depends on that of the record, on the name of the process that made the new version, and on the block, not on the date: the same work done
// twice gives the same.
//
// The error is ErrHeader if the header would be so long that no reader of this package takes it: fields of the record are in it twice.
func NewConversion(of *Record, block []byte, contentType, process string, date time.Time) (raw []byte, id string, err error) {
	sum := digest(block)
	id = "<" + uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%s %s %s", process, of.Field("WARC-Record-ID"), sum)).URN() + ">"
	raw = make([]byte, 0, len(block)+1024)
	raw = append(raw, of.Version+"\r\n"...)
	for _, f := range []field{
		{"WARC-Type", "conversion"},
		{"WARC-Record-ID", id},
		{"WARC-Date", date.UTC().Format("2006-01-02T15:04:05Z")},
		{"WARC-Target-URI", of.Field("WARC-Target-URI")},
		{"WARC-Refers-To", of.Field("WARC-Record-ID")},
		{"WARC-Warcinfo-ID", of.Field("WARC-Warcinfo-ID")},
		{"WARC-Truncated", of.Field("WARC-Truncated")},
		{"WARC-Block-Digest", sum},
		{"Content-Type", contentType},
		{"Content-Length", strconv.Itoa(len(block))},
	} {
		if f.value != "" {
			raw = append(raw, f.name+": "+f.value+"\r\n"...)
		}
	}
	raw = append(raw, "\r\n"...)
	if len(raw) > maxHeader {
		return nil, "", ErrHeader
	}
	raw = append(raw, block...)
	return append(raw, endOfPart...), id, nil
}

// ErrHeader says that the header of a new record would be longer than what a reader takes.
var ErrHeader = fmt.Errorf("warc: the header of the new record is longer than %d bytes", maxHeader)

// digest returns the labelled digest of a block (WARC 1.1, WARC-Block-Digest), in the form that most writers use.
func digest(block []byte) string {
	sum := sha1.Sum(block)
	return "sha1:" + strings.TrimRight(base32.StdEncoding.EncodeToString(sum[:]), "=")
}
