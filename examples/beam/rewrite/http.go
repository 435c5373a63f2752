// SPDX-License-Identifier: MIT

package rewrite

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http/httputil"
	"strconv"
	"strings"
)

// A payload is the content of a response: what a browser would show.
type payload struct {
	data        []byte
	contentType string // the field Content-Type
}

// errHTTP says that a record that is said to be a response of HTTP is none.
var errHTTP = errors.New("said to be application/http, and is no response of HTTP")

// errHeader says that the header of a response is longer than maxHTTPHeader.
var errHeader = fmt.Errorf("the header of HTTP is longer than %d bytes", maxHTTPHeader)

// maxHTTPHeader is the greatest length in bytes of the header of a response with the blank line. Browsers take no more than 256 KiB, most servers send no more than 16 KiB.
const maxHTTPHeader = 64 << 10

// response takes a response of HTTP apart. If it cannot, there is a reason, one of those in warc.go; the error is errHTTP. A body that is compressed is
// decompressed, up to limit bytes.
func response(block []byte, limit int) (p payload, reason string, err error) {
	header, body, err := splitHTTP(block)
	if err == errHeader {
		return p, longHeader, nil
	}
	if err != nil {
		return p, "", err
	}
	p.contentType = header.last("Content-Type")
	if !isHTML(p.contentType) {
		return p, notHTML, nil
	}
	switch transfer := header.all("Transfer-Encoding"); {
	case len(transfer) == 0 || len(transfer) == 1 && transfer[0] == "identity":
		if length := header.last("Content-Length"); length != "" {
			n, err := strconv.ParseUint(length, 10, 62)
			if err != nil || n < uint64(len(body)) {
				return p, badLength, nil
			}
		}
	case len(transfer) == 1 && transfer[0] == "chunked":
		if body, reason = limited(httputil.NewChunkedReader(bytes.NewReader(body)), limit, transferEncoding); reason != "" {
			return p, reason, nil
		}
	default:
		return p, transferEncoding, nil
	}
	switch encodings := header.all("Content-Encoding"); {
	case len(encodings) == 0 || len(encodings) == 1 && encodings[0] == "identity":
	case len(encodings) == 1 && (encodings[0] == "gzip" || encodings[0] == "x-gzip"):
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return p, contentEncoding, nil
		}
		body, reason = limited(z, limit, contentEncoding)
	case len(encodings) == 1 && encodings[0] == "deflate":
		z, err := zlib.NewReader(bytes.NewReader(body))
		if err != nil {
			return p, contentEncoding, nil
		}
		body, reason = limited(z, limit, contentEncoding)
	default:
		reason = contentEncoding
	}
	p.data = body
	return p, reason, nil
}

// limited reads all of r, or returns a reason.
func limited(r io.Reader, limit int, reason string) ([]byte, string) {
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	switch {
	case err != nil:
		return nil, reason
	case len(data) > limit:
		return nil, payloadLimit
	}
	return data, ""
}

// A header is that of a response, with its names in lower case. Lines without a colon are left out, as browsers leave them out.
type header []struct{ name, value string }

// last returns the last value of a field, or "".
func (h header) last(name string) string {
	value := ""
	for _, f := range h {
		if strings.EqualFold(f.name, name) {
			value = f.value
		}
	}
	return value
}

// all returns the elements of the values of a field, in lower case.
func (h header) all(name string) (list []string) {
	for _, f := range h {
		if strings.EqualFold(f.name, name) {
			for element := range strings.SplitSeq(f.value, ",") {
				if element = strings.ToLower(strings.TrimSpace(element)); element != "" {
					list = append(list, element)
				}
			}
		}
	}
	return list
}

// splitHTTP returns the header and the body of a response. Lines may end with LF alone.
func splitHTTP(block []byte) (h header, body []byte, err error) {
	if !bytes.HasPrefix(block, []byte("HTTP/")) {
		return nil, nil, errHTTP
	}
	var value []byte // of the last field, so far
	endField := func() {
		if n := len(h); n > 0 {
			h[n-1].value = string(value)
		}
	}
	rest := block[:min(len(block), maxHTTPHeader)]
	for first := true; ; first = false {
		line, after, ok := bytes.Cut(rest, []byte{'\n'})
		switch {
		case !ok && len(block) > maxHTTPHeader:
			return nil, nil, errHeader
		case !ok:
			return nil, nil, errHTTP
		}
		at := min(len(block), maxHTTPHeader) - len(after)
		rest = after
		line = bytes.TrimSuffix(line, []byte{'\r'})
		switch name, text, ok := bytes.Cut(line, []byte{':'}); {
		case first:
		case len(line) == 0:
			endField()
			return h, block[at:], nil
		case (line[0] == ' ' || line[0] == '\t') && len(h) > 0: // a folded field
			value = append(append(value, ' '), bytes.TrimSpace(line)...)
		case ok:
			endField()
			h = append(h, struct{ name, value string }{name: string(bytes.TrimSpace(name))})
			value = append(value[:0], bytes.TrimSpace(text)...)
		}
	}
}

// isHTML reports whether a Content-Type is that of HTML.
func isHTML(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/html")
}

// charset returns the parameter charset of a Content-Type, or "" if there is none that can be read.
func charset(contentType string) string {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return parameters["charset"]
}

// pageType returns the Content-Type of a page in HTML, with its charset or "" and nothing else: what others write into this field may be long.
func pageType(charset string) string {
	if charset == "" {
		return "text/html"
	}
	return mime.FormatMediaType("text/html", map[string]string{"charset": charset})
}
