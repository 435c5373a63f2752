// SPDX-License-Identifier: MIT

package pri185

import "github.com/bidilink/bidilink/engine"

// Kind says which production of bidi_structure a [Match] is of.
type Kind uint8

const (
	None     Kind = iota
	IRI           // bidi_IRI
	Email         // bidi_email
	FileName      // bidi_filename
)

// String returns "none", "iri", "email" or "filename".
func (k Kind) String() string {
	switch k {
	case IRI:
		return "iri"
	case Email:
		return "email"
	case FileName:
		return "filename"
	}
	return "none"
}

// A Match is a bidi_structure found in a text, with the spans of its parts. Each part includes its delimiter, as
// those of [engine.Link] do; in the order of the fields, with the "@" before the domain of an address, they are
// the match. A part that is absent is the zero Span. A file name has no parts.
type Match struct {
	engine.Span             // the whole
	Kind        Kind        // IRI, Email or FileName
	Scheme      engine.Span // with "://"
	Local       engine.Span // without "@"; absent if it is empty, which takes Options.Strict
	Domain      engine.Span // domain or domainWithTLD, with the final IDNSep if it is included
	Path        engine.Span // with the first "/"
	Query       engine.Span // with "?"
	Fragment    engine.Span // with "#"
}

// Options choose what is found. The zero value is the issue with the tailoring that the package describes.
type Options struct {
	// Strict takes the grammar by the letter: any run of chars is a file name, and a local part may be empty. Default: false.
	Strict bool

	// Draft excludes one final inclusionChar instead of all, as the draft of the issue says of bidi_IRI: foo!! is
	// found as foo!. Default: false.
	Draft bool

	// NoIRI does not find IRIs. Default: false.
	NoIRI bool

	// NoEmail does not find e-mail addresses. Default: false.
	NoEmail bool

	// NoFileName does not find file names. Default: false.
	NoFileName bool
}
