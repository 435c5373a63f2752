// SPDX-License-Identifier: MIT

package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// A problem is an error as RFC 9457 has it.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`

	Parameter string `json:"parameter,omitempty"` // of the query, that is wrong
	Line      int    `json:"line,omitempty"`      // of the body, from 1, that is wrong

	header http.Header // further fields of the answer
}

// Error implements error.
func (p *problem) Error() string { return p.Detail }

// failure returns a problem with an HTTP status.
func failure(status int, format string, args ...any) *problem {
	return &problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// with adds a field to the header of the answer.
func (p *problem) with(name, value string) *problem {
	if p.header == nil {
		p.header = make(http.Header)
	}
	p.header.Set(name, value)
	return p
}

// write answers with the problem.
func (p *problem) write(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range p.header {
		h[name] = values
	}
	h.Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p) // an error is the client's, who has gone
}
