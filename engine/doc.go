// SPDX-License-Identifier: MIT

// Package engine finds URLs, IRIs and e-mail addresses in running text, takes them apart, and writes
// them, as Unicode UTS #58 (Link Detection and Formatting) says.
//
//	d, err := engine.New(engine.Options{})
//	for l := range d.Links(text) {
//		fmt.Println(l.Kind, l.In(text), string(d.AppendHref(nil, text, l)))
//	}
//
// The version of the standard is [UnicodeVersion]; detection passes every line of its LinkDetectionTest.txt.
// Where the draft of January 2025 and the final 17.0 differ, 17.0 rules; format characters, for one, are
// Include in 17.0 and were Hard in the draft.
//
// # Guarantees
//
// There are no errors: any bytes have an answer, and a byte that is not UTF-8 ends a link. Offsets are
// bytes. Time is linear in the length of the text, whatever it contains. Text whose hosts are ASCII costs no
// allocation, nor does a plain host beyond ASCII; one that IDNA has to map (capitals beyond ASCII, full-width
// letters) costs what golang.org/x/net/idna allocates. A [Detector] may be used by several goroutines at once.
//
// # Hosts
//
// A host is the longest run of label characters and dots of IDNA (U+002E, U+3002, U+FF0E, U+FF61). It has at least two
// labels, is valid under IDNA (UTS #46 nontransitional, with the Bidi rule of RFC 5893), and ends in a
// suffix of the ICANN section of the public suffix list. An empty label, or a dot, "_", "-" or "%" directly before, makes
// neither the host nor its tail a link; nor does "_" and a letter directly after (foo.is_valid). Hyphens may
// stand anywhere in a label of ASCII but at its edges, also in third and fourth place, as browsers have it.
//
// The version of IDNA is that of golang.org/x/net/idna, which follows the Go toolchain: Unicode 15.0.0 below
// Go 1.27. A host in a script that is younger is no link until then.
//
// # Tailoring
//
// UTS #58 leaves initiation to implementations and allows tailoring. None of what follows changes a line of its
// test files, and [Options].Strict, or the option named, switches it off.
//
//   - Label characters are those that UTS #46 has as valid or mapped, without the punctuation and the symbols that
//     IDNA2008 disallows and that stand next to hosts in prose: quotes, dashes, arrows, emoji, footnote marks
//     (“example.com”, example.com—and, 👉example.com, example.com™). The option SymbolLabels takes them all.
//   - Bidi controls (U+061C 200E 200F 202A–202E 2066–2069), U+200B, U+2060 and U+FEFF at the end of a link are left outside; they are
//     never at its beginning. An invisible character between two pieces of a name makes neither
//     piece a link: exam(U+200E)ple.com reads as another host than either; U+200B, which parts words, only between two
//     ASCII characters (KeepControls).
//   - A quote or a mark of emphasis that stands on both sides of an address is not part of it: '⸠a@example.com⸡' (KeepQuotes).
//   - Where the longest host is none, its ASCII beginning counts if an ideographic dot or a letter of
//     a script that attaches to words without a space follows (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar):
//     ⸠https://example.com⸡。然后, ⸠example.com⸡에서 (NoHostPrefix).
//   - Without a scheme, words of such a script that stand directly before ASCII are no part of the host: if they end in an ideographic dot
//     (终。⸠example.com⸡), or if the domain without them is the same (见⸠www.example.com⸡). Nor is 终。com a host (NoHostPrefix).
//   - What has no scheme and looks like another kind of name is no link if Options.FileNames is set: README.md, java.util.Map, str.data().
//   - A local part that is only a quote, or the last piece of a list in braces, is none, but behind mailto: {a,b}@example.com (KeepQuotes).
//   - A hyphen between a right-to-left letter and the name of a scheme is not part of another name: ב-⸠https://example.com⸡ (Strict).
//   - A host that is only a public suffix is a link behind http:// or https:// (NoSuffixHosts).
//
// Decisions where the standard is silent: a scheme other than those linked, with "://", makes its host no link; userinfo
// (http://user@example.com) is never linked, nor is its host; an address whose local part is invalid takes its host
// with it; @user@host.example is no address; behind a name that looks like a host, a local part goes on only over letters, digits
// and + - _ . = ' % & (first.name+tag@example.com); a port outside 1 to 65535 makes the whole no link.
package engine

import "github.com/bidilink/bidilink/internal/linkprop"

// UnicodeVersion is the version of UTS #58 whose properties the engine uses.
const UnicodeVersion = linkprop.UnicodeVersion
