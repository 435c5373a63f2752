// SPDX-License-Identifier: MIT

package htmlwalk

// Stats says what [Rewrite] did.
type Stats struct {
	Links     int    // links made
	Isolated  int    // those of them that an isolate of ours is round, and those in anchors of the input
	FileNames int    // file names with an isolate of ours round them; they count in Isolated
	Bytes     int64  // length of the input
	Copied    Copied // from where on the document was copied unchanged, if it was
}

// Copied says from where on a document was copied unchanged, and why. In front of it links were made as usual.
type Copied struct {
	Reason Reason // NotCopied if the whole document was looked at
	Line   int    // line of the input, from 1
	Offset int64  // byte of the input, from 0
}

// A Reason says why the rest of a document was copied unchanged.
type Reason uint8

const (
	NotCopied   Reason = iota
	XML                // the document begins with <?xml: XHTML has other rules, see Options.XHTML
	Charset            // not UTF-8, and of the encoding that it is declared to be in it is not sure what its characters are
	Foreign            // a tag in svg or math that parsers take differently
	Template           // a template that parsers take differently: in svg or math
	Select             // a tag in a select that some parsers take for raw text, others ignore
	Frameset           // frameset
	Plaintext          // plaintext
	Noscript           // a noscript that ends amidst a comment or tag
	CDATA              // a CDATA section that parsers take differently
	Misnested          // misnested elements that parsers take differently
	ScriptInner        // a script that holds "<!--" and after it "<script"
	TokenLimit         // Options.MaxToken
	DepthLimit         // Options.MaxDepth
	LinkLimit          // Options.MaxLinks
	SizeLimit          // longer than Options.MaxToken, and its encoding is in doubt unless it is looked at as a whole
)

var reasons = [...]string{
	NotCopied:   "not copied",
	XML:         "an XML declaration",
	Charset:     "an encoding that is unknown or in doubt",
	Foreign:     "an ambiguous tag in svg or math",
	Template:    "an ambiguous template element",
	Select:      "a raw text element in a select element",
	Frameset:    "a frameset element",
	Plaintext:   "a plaintext element",
	Noscript:    "a noscript element with unfinished markup",
	CDATA:       "an ambiguous CDATA section",
	Misnested:   "ambiguously misnested elements",
	ScriptInner: "a script in a comment in a script",
	TokenLimit:  "a token longer than the limit",
	DepthLimit:  "more open elements than the limit",
	LinkLimit:   "more links than the limit",
	SizeLimit:   "an encoding in doubt, and a document longer than the limit",
}

// String returns a phrase such as "a noscript element".
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "an unknown reason"
}
