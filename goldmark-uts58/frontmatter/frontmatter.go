// SPDX-License-Identifier: MIT

// Package frontmatter separates the front matter of a Markdown document from its text, as bidilink md does.
//
// Front matter is YAML between lines of ---, the first of which is followed by a line that is not empty; TOML between lines of +++; or a JSON
// object with nothing behind it in its last line. YAML may end with a line of dots as well.
package frontmatter

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Text returns what is behind the front matter of a document: a slice of data, which is all of it if there is none, or none that ends. A byte order mark
// is not looked for.
func Text(data []byte) []byte {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	switch fence := string(bytes.TrimRight(first, " \t\r")); {
	case fence == "---" || fence == "+++":
		if next, _, _ := bytes.Cut(rest, []byte("\n")); fence == "---" && len(bytes.TrimSpace(next)) == 0 {
			return data // a thematic break
		}
		for len(rest) > 0 {
			var line []byte
			line, rest, _ = bytes.Cut(rest, []byte("\n"))
			if end := string(bytes.TrimRight(line, " \t\r")); end == fence || fence == "---" && end == "..." {
				return rest
			}
		}
	case strings.HasPrefix(fence, "{"):
		d := json.NewDecoder(bytes.NewReader(data))
		var object map[string]json.RawMessage
		if d.Decode(&object) == nil {
			line, rest, _ := bytes.Cut(data[d.InputOffset():], []byte("\n"))
			if len(bytes.TrimSpace(line)) == 0 {
				return rest
			}
		}
	}
	return data
}
