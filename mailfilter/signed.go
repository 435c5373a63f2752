// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode"
)

// armor is how the lines begin that PGP puts round a message, a signature or a key (RFC 9580 §6.2), without its white space.
const armor = "-----BEGINPGP"

// hasArmor reports whether a text has something in the armor of PGP, as a reader sees it: white space does not count, and in HTML
// neither do tags; references are what they stand for.
func hasArmor(text []byte, isHTML bool) bool {
	if bytes.Contains(text, []byte("-----BEGIN PGP ")) {
		return true
	}
	if !bytes.Contains(text, []byte("BEGIN")) && !bytes.Contains(text, []byte("PGP")) && (!isHTML || !spellsArmor(text)) {
		return false
	}
	s := string(text)
	if isHTML {
		s = html.UnescapeString(withoutTags(s))
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	return strings.Contains(s, armor)
}

// spellsArmor reports whether there is a numeric reference to a letter of armor. No others have names.
func spellsArmor(text []byte) bool {
	for {
		i := bytes.Index(text, []byte("&#"))
		if i < 0 {
			return false
		}
		text = text[i+2:]
		digits, base := text, 10
		if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
			digits, base = digits[1:], 16
		}
		n := 0
		for n < len(digits) && n < 20 && (digits[n] >= '0' && digits[n] <= '9' || base == 16 && (digits[n]|0x20) >= 'a' && (digits[n]|0x20) <= 'f') {
			n++
		}
		if c, err := strconv.ParseUint(string(digits[:n]), base, 64); err == nil && c < 0x80 && strings.IndexByte("BEGINP", byte(c)) >= 0 {
			return true
		}
	}
}

// withoutTags returns HTML without what is between < and >, if it is a tag, or the like of one.
func withoutTags(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 == len(s) {
			break
		}
		if c := s[i+1]; c != '/' && c != '!' && c != '?' && (c|0x20 < 'a' || c|0x20 > 'z') {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		n := strings.IndexByte(s[i:], '>')
		if n < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i+n+1:]
	}
	b.WriteString(s)
	return b.String()
}

// withSignatures says which candidates belong to something that is signed beside them: what is in a multipart with a detached
// signature, as lists leave behind, which take a multipart/signed apart; and in a multipart/alternative whose plain text has a PGP signature in it.
func (f *filter) withSignatures(msg []byte, entities []entity) {
	if !hasCandidate(entities) {
		return
	}
	reasons := make([]Reason, len(entities)) // of what is in a multipart
	for i := range entities {
		e := &entities[i]
		if e.head.signature && e.parent >= 0 {
			reasons[e.parent] = Signed
		}
		if e.head.mediaType == "text/plain" && within(entities, e, "multipart/alternative") && f.armored(msg, e) {
			for k := e.parent; k >= 0; k = entities[k].parent {
				if entities[k].head.mediaType == "multipart/alternative" {
					reasons[k] = InlinePGP
				}
			}
		}
	}
	for i := range entities {
		e := &entities[i]
		if e.parent < 0 {
			continue
		}
		if reasons[i] == NoReason {
			reasons[i] = reasons[e.parent] // a parent comes first
		}
		e.beside = reasons[i]
	}
}

func hasCandidate(entities []entity) bool {
	for i := range entities {
		if entities[i].candidate {
			return true
		}
	}
	return false
}

// within reports whether e is in an entity of a media type.
func within(entities []entity, e *entity, mediaType string) bool {
	for k := e.parent; k >= 0; k = entities[k].parent {
		if entities[k].head.mediaType == mediaType {
			return true
		}
	}
	return false
}

// armored reports whether a plain text has something in the armor of PGP.
func (f *filter) armored(msg []byte, e *entity) bool {
	raw := msg[e.body:e.end]
	if hasArmor(raw, false) {
		return true
	}
	plain := entity{encoding: identity}
	switch e.head.encoding {
	case "quoted-printable":
		plain.encoding = quotedPrintable
	case "base64":
		plain.encoding = base64Encoding
	default:
		return false
	}
	decoded, reason := plain.decode(f.scratch, raw, f.o.MaxPart)
	return reason == NoReason && hasArmor(decoded, false)
}
