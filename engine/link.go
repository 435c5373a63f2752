// SPDX-License-Identifier: MIT

package engine

// Kind says what a [Link] is.
type Kind uint8

const (
	None  Kind = iota // a gap between links, as [Detector.Segments] yields it
	URL               // a URL or IRI, with or without its scheme
	Email             // an e-mail address, with or without mailto:
)

// String returns "none", "url" or "email".
func (k Kind) String() string {
	switch k {
	case URL:
		return "url"
	case Email:
		return "email"
	}
	return "none"
}

// A Span is a range of byte offsets into a text: Start inclusive, End exclusive.
// The zero Span is an absent part.
type Span struct{ Start, End int }

// In returns the bytes of text that s covers.
func (s Span) In(text string) string { return text[s.Start:s.End] }

// Empty reports whether s covers nothing: the part is absent.
func (s Span) Empty() bool { return s.Start == s.End }

// Len returns the length of s in bytes.
func (s Span) Len() int { return s.End - s.Start }

// A Link is a link found in a text, with the spans of its parts. Each part includes its delimiter,
// so that an empty query ("?") differs from none; concatenated in the order of the fields, the parts
// and the delimiter before the host ("@") are the link. An absent part is the zero Span.
//
//	https://例え.テスト:8080/path?query#fragment
//	└Scheme┘└─Host─┘└Port┘└Path┘└Query┘└Fragment┘
//
//	mailto:local@example.com?subject=x
//	└Scheme┘Local┘└──Host───┘└─Query──┘
type Link struct {
	Span          // the whole link
	Kind     Kind // URL or Email; None for a gap
	Scheme   Span // with "://", or ":" for mailto and other opaque schemes
	Local    Span // the local part of an address, without "@"
	Host     Span // without brackets' exception: an IPv6 literal includes them; a final dot before a path is included
	Port     Span // with ":"
	Path     Span // with the first "/"; of an opaque scheme, what follows the colon
	Query    Span // with "?"
	Fragment Span // with "#"
}
