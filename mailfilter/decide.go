// SPDX-License-Identifier: MIT

package mailfilter

import (
	"strings"
)

// A transferEncoding is how the bytes of a body stand in the message.
type transferEncoding uint8

const (
	identity transferEncoding = iota // 7bit and 8bit
	quotedPrintable
	base64Encoding
)

// policy returns why a message is left alone as a whole, by its header, or NoReason.
func (f *filter) policy(h *fields) Reason {
	switch {
	case h.broken:
		return Malformed
	case (h.dkim || h.arc) && !f.o.RewriteDKIM:
		return DKIM
	case h.list && !f.o.RewriteLists:
		return List
	}
	return NoReason
}

// classify decides about an entity by its header: it is taken apart (boundary), looked at (candidate), or left alone with
// what is in it (reason).
func (f *filter) classify(e, parent *entity) {
	h := &e.head
	e.html = h.mediaType == "text/html"
	if e.reason = opaque(h); e.reason != NoReason {
		return
	}
	if subtype, ok := strings.CutPrefix(h.mediaType, "multipart/"); ok && !resource(e, parent) {
		e.boundary, e.reason = boundaryOf(subtype, h)
	} else if ok {
		e.reason = Resource
	} else {
		e.reason = f.leaf(e, parent)
		e.candidate = e.reason == NoReason
	}
	if e.reason == NoReason && !e.complete {
		e.boundary, e.candidate, e.reason = nil, false, Malformed
	}
}

// opaque returns why nothing in an entity is looked at, whatever else it is, or NoReason.
func opaque(h *fields) Reason {
	switch {
	case h.broken || h.mediaType == "":
		return Malformed
	case h.sig:
		// draft-ietf-mailmaint-unobtrusive-signatures: the part that is signed has the signature in its header.
		return UnobtrusiveSig
	}
	switch t := h.mediaType; t {
	case "multipart/signed", "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature":
		return Signed
	case "multipart/encrypted", "application/pgp-encrypted":
		return Encrypted
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		if strings.EqualFold(h.params["smime-type"], "signed-data") {
			return Signed
		}
		return Encrypted
	case "multipart/report":
		return DeliveryReport
	case "multipart/digest":
		return Embedded
	default:
		if strings.HasPrefix(t, "message/") {
			switch t {
			case "message/delivery-status", "message/disposition-notification", "message/feedback-report", "message/global-delivery-status", "message/global-disposition-notification":
				return DeliveryReport
			}
			return Embedded
		}
	}
	return NoReason
}

// boundaryOf returns the boundary of a multipart that is taken apart, or why it is not.
func boundaryOf(subtype string, h *fields) ([]byte, Reason) {
	switch subtype {
	case "form-data", "byteranges", "x-mixed-replace", "appledouble", "header-set", "multilingual", "voice-message", "":
		return nil, Type
	}
	if attached(h) {
		return nil, Attachment
	}
	if h.checksum {
		return nil, Checksum
	}
	switch h.encoding {
	case "", "7bit", "8bit":
	case "binary":
		return nil, CTE
	default:
		return nil, Malformed // RFC 2045 §6.4 forbids any other
	}
	if h.doubtful {
		return nil, Malformed
	}
	b := h.params["boundary"]
	if b == "" || len(b) > 200 || b[0] == ' ' || b[len(b)-1] == ' ' || b[0] == '<' {
		return nil, Malformed // programs cut off blanks, and <> round the value
	}
	for i := range len(b) {
		if b[i] < ' ' || b[i] >= 0x7f {
			return nil, Malformed
		}
	}
	return []byte(b), NoReason
}

// attached reports whether an entity is an attachment: it says so, or has a file name. RFC 2183 §2.8: a disposition that is
// not known is one of an attachment.
func attached(h *fields) bool {
	if h.badDisposition || h.disposition != "" && h.disposition != "inline" {
		return true
	}
	return h.named
}

// leaf returns why a part that is no multipart is left alone, or NoReason. It notes the encodings.
func (f *filter) leaf(e, parent *entity) Reason {
	h := &e.head
	e.plain = h.mediaType == "text/plain" && (f.detector != nil || f.reads)
	if !e.html && !e.plain {
		return Type
	}
	if attached(h) {
		return Attachment
	}
	if resource(e, parent) {
		return Resource
	}
	if h.checksum && !f.reads {
		return Checksum
	}
	if h.doubtful {
		return Malformed
	}
	if e.plain && !f.reads && (strings.EqualFold(h.params["format"], "flowed") || h.params["delsp"] != "") {
		return Flowed
	}
	switch h.encoding {
	case "", "7bit", "8bit":
		e.encoding = identity
		if e.plain && !f.reads && h.encoding != "8bit" {
			return CTE // what is inserted is not ASCII
		}
	case "quoted-printable":
		e.encoding = quotedPrintable
	case "base64":
		e.encoding = base64Encoding
	default:
		return CTE
	}
	e.charset = h.params["charset"]
	return NoReason
}

// resource reports whether e belongs to what a multipart/related is about (RFC 2387 §3.2), which is the part that the parameter start names, or
// the first.
func resource(e, parent *entity) bool {
	if parent == nil || parent.head.mediaType != "multipart/related" {
		return false
	}
	if start := parent.head.params["start"]; start != "" {
		return strings.Trim(start, "<> ") != strings.Trim(e.head.contentID, "<> ")
	}
	return e.number != 1
}
