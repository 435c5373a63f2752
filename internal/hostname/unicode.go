// SPDX-License-Identifier: MIT

package hostname

import (
	"bytes"
	"strings"

	"golang.org/x/net/idna"
)

// AppendUnicode appends host to dst with its A-labels in Unicode. An A-label stays if it is none, if its
// Unicode form has a character that is no label character (see [Label]), or if that form has another A-label;
// all of them stay if the host as a whole does not lead back to itself, as the Bidi rule may have it.
func AppendUnicode(dst []byte, host string) []byte {
	n := len(dst)
	changed := false
	for i, label := range strings.Split(host, ".") {
		if i > 0 {
			dst = append(dst, '.')
		}
		u := unicodeLabel(label)
		changed = changed || u != label
		dst = append(dst, u...)
	}
	if !changed {
		return append(dst[:n], host...)
	}
	var buf [maxName]byte
	ascii, ok := AppendASCII(buf[:0], strings.TrimSuffix(host, "."))
	var buf2 [maxName]byte
	again, same := AppendASCII(buf2[:0], string(bytes.TrimSuffix(dst[n:], []byte("."))))
	if !ok || !same || !bytes.Equal(again, ascii) {
		return append(dst[:n], host...)
	}
	return dst
}

// punycoded reports whether s begins with xn--.
func punycoded(s string) bool {
	return len(s) > 4 && s[0]|0x20 == 'x' && s[1]|0x20 == 'n' && s[2:4] == "--"
}

// unicodeLabel returns the Unicode form of a label, or the label.
func unicodeLabel(label string) string {
	if !punycoded(label) || len(label) > maxLabel {
		return label
	}
	lower := strings.ToLower(label)
	u, err := idna.Punycode.ToUnicode(lower)
	if err != nil {
		return label
	}
	for _, r := range u {
		if Of(r)&Label == 0 && r != 0x200C && r != 0x200D {
			return label
		}
	}
	var buf [maxName]byte
	if a, ok := AppendASCII(buf[:0], u); !ok || string(a) != lower {
		return label
	}
	return u
}
