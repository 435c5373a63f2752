// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bufio"
	"bytes"
	"hash/maphash"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// fields are the header fields that matter.
type fields struct {
	broken bool // not a header as all programs read it

	mediaType string // in lower case; "" if it cannot be read
	params    map[string]string

	disposition       string // in lower case; "" if there is none
	dispositionParams map[string]string
	badDisposition    bool

	encoding  string // Content-Transfer-Encoding, in lower case
	contentID string
	doubtful  bool // a parameter that matters here stands so that programs read it in different ways
	named     bool // there is a file name, in whatever form
	signature bool // a signature of what is beside it
	checksum  bool // Content-MD5, Content-Digest
	sig       bool // an unobtrusive signature
	dkim, arc bool
	list      bool
}

// readFields reads a header block. What programs read in different ways is broken: then it says nothing.
func readFields(block []byte) fields {
	block, ok := thatMatter(block)
	if !ok {
		return fields{broken: true}
	}
	if len(block) > maxRemembered {
		return parseFields(block)
	}
	slot := &remembered[maphash.Bytes(rememberedSeed, block)%uint64(len(remembered))]
	if r := slot.Load(); r != nil && r.block == string(block) {
		return r.fields
	}
	f := parseFields(block)
	if f.common() {
		slot.Store(&rememberedFields{string(block), f})
	}
	return f
}

// common reports whether the fields say nothing but what is in very many messages: a usual type, with parameters from lists that are closed. Only these are remembered: file
// names, identifiers and boundaries are of one message.
func (f *fields) common() bool {
	switch f.mediaType {
	case "text/plain", "text/html":
	default:
		return false
	}
	for name, value := range f.params {
		value = strings.ToLower(value)
		switch {
		case name == "charset" && (value == "us-ascii" || value == "iso-8859-1" || fit[value]):
		case name == "format" && (value == "flowed" || value == "fixed"):
		case name == "delsp" && (value == "yes" || value == "no"):
		default:
			return false
		}
	}
	switch f.encoding {
	case "", "7bit", "8bit", "quoted-printable", "base64":
	default:
		return false
	}
	if f.disposition != "" && f.disposition != "inline" || len(f.dispositionParams) > 0 {
		return false
	}
	return !f.broken && !f.badDisposition && f.contentID == "" && !f.doubtful && !f.named && !f.signature && !f.checksum && !f.sig && !f.dkim && !f.arc && !f.list
}

// rememberedFields are what a common header says. Nothing in them changes, nor in their maps.
type rememberedFields struct {
	block  string
	fields fields
}

// remembered are common headers of the last parts, each at the place that its hash says: most parts have one of a few, and the header of a message is read twice, once to decide
// whether its body is needed.
var (
	remembered     [64]atomic.Pointer[rememberedFields]
	rememberedSeed = maphash.MakeSeed()
)

// maxRemembered is the length in bytes of the longest header, of fields that matter, that is remembered.
const maxRemembered = 256

// parseFields reads a header block that is one for all programs.
func parseFields(block []byte) fields {
	h, err := textproto.ReadHeader(bufio.NewReaderSize(bytes.NewReader(block), min(len(block)+16, 4096)))
	if err != nil {
		return fields{broken: true}
	}
	m := message.Header{Header: h}
	var f fields
	for _, name := range []string{"Content-Type", "Content-Transfer-Encoding", "Content-Disposition"} {
		if !agree(&h, name) {
			f.broken = true
		}
	}
	var badType bool
	if f.mediaType, f.params, err = m.ContentType(); err != nil {
		f.mediaType, f.params, badType = "", nil, true
	}
	if !badType && h.Has("Content-Type") && strings.Count(f.mediaType, "/") != 1 {
		f.mediaType, f.params = "", nil
	}
	if h.Has("Content-Disposition") {
		f.disposition, f.dispositionParams, err = m.ContentDisposition()
		f.badDisposition = err != nil || f.disposition == ""
	}
	if !badType {
		f.parameters(h.Get("Content-Type"))
	}
	f.parameters(h.Get("Content-Disposition"))
	f.signature = detachedSignature(h.Get("Content-Type"))
	f.encoding = strings.ToLower(strings.Trim(h.Get("Content-Transfer-Encoding"), " \t"))
	f.contentID = strings.TrimSpace(h.Get("Content-Id"))
	f.checksum = h.Has("Content-Md5") || h.Has("Content-Digest")
	f.sig = h.Has("Sig")
	f.dkim, f.arc = h.Has("Dkim-Signature"), h.Has("Arc-Seal")
	f.list = h.Has("List-Id")
	return f
}

// parameters notes what the parameters of a value look like as they stand in the header: package mime decodes those of RFC 2231 in its own way, drops what it
// cannot decode, and encoded words (RFC 2047 §5 allows none here) are decoded behind it. No program that decides by one reading knows of the others.
func (f *fields) parameters(value string) {
	boundaries := 0
	for name, raw := range rawParams(value) {
		base, _, extended := strings.Cut(name, "*")
		switch base {
		case "name", "filename":
			f.named = true
		case "charset", "format", "delsp", "start":
			f.doubtful = f.doubtful || extended
		case "boundary":
			boundaries++
			f.doubtful = f.doubtful || extended || boundaries > 1 || strings.Contains(raw, `\`) || strings.Contains(raw, "=?") && strings.Contains(raw, "?=")
		}
	}
}

// rawParams yields the names, in lower case, and the values, with their quotes, of the parameters of a header field that package mime can read.
func rawParams(value string) iter.Seq2[string, string] {
	return func(yield func(name, raw string) bool) {
		for _, rest, more := strings.Cut(value, ";"); more; {
			end, quoted := 0, false
			for ; end < len(rest) && (quoted || rest[end] != ';'); end++ {
				switch {
				case rest[end] == '"':
					quoted = !quoted
				case quoted && rest[end] == '\\':
					end++
				}
			}
			end = min(end, len(rest))
			name, raw, _ := strings.Cut(rest[:end], "=")
			if !yield(strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(raw)) {
				return
			}
			if more = end < len(rest); more {
				rest = rest[end+1:]
			}
		}
	}
}

// detachedSignature reports whether a Content-Type is that of a signature of other parts, whatever its parameters are.
func detachedSignature(value string) bool {
	mediaType, _, _ := strings.Cut(value, ";")
	switch strings.ToLower(strings.TrimSpace(mediaType)) {
	case "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature":
		return true
	}
	return false
}

// agree reports whether all fields of a name have the same value.
func agree(h *textproto.Header, name string) bool {
	values := h.FieldsByKey(name)
	first := ""
	for n := 0; values.Next(); n++ {
		v := strings.TrimSpace(values.Value())
		if n > 0 && v != first {
			return false
		}
		first = v
	}
	return true
}

// thatMatter returns the fields of a header block that matter, as a block, and whether all of the block is one for all programs: lines that begin with a name and a colon directly
// behind it (RFC 5322 §2.2, 3.6.8), or with white space if they continue another; no NUL, and no CR but before LF. Most fields do not matter, and it takes
// time to read them.
func thatMatter(block []byte) ([]byte, bool) {
	if bytes.IndexByte(block, 0) >= 0 {
		return nil, false
	}
	var all []byte
	matters := false // the current field
	for first := true; len(block) > 0; first = false {
		line := block
		if i := bytes.IndexByte(block, '\n'); i >= 0 {
			line = block[:i+1]
		}
		block = block[len(line):]
		whole := line
		line = chomp(line)
		if bytes.IndexByte(line, '\r') >= 0 || len(line) == 0 {
			return nil, false
		}
		if line[0] == ' ' || line[0] == '\t' {
			if first {
				return nil, false
			}
		} else {
			colon := bytes.IndexByte(line, ':')
			if colon < 1 {
				return nil, false
			}
			for _, c := range line[:colon] {
				if c <= ' ' || c >= 0x7f {
					return nil, false
				}
			}
			matters = nameMatters(line[:colon])
		}
		if matters {
			all = append(all, whole...)
		}
	}
	return all, true
}

// names are those of the fields that parseFields looks at.
var names = []string{
	"Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Content-Id", "Content-Md5", "Content-Digest", "Sig", "Dkim-Signature", "Arc-Seal", "List-Id",
}

// nameMatters reports whether a field with this name is one of those that parseFields looks at.
func nameMatters(name []byte) bool {
	for _, n := range names {
		if len(n) == len(name) && strings.EqualFold(n, string(name)) {
			return true
		}
	}
	return false
}
