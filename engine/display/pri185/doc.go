// SPDX-License-Identifier: MIT

// Package pri185 finds IRIs, e-mail addresses and file names in running text as Unicode's Public Review Issue 185
// ("Extension of UBA for improved display of URL/IRIs", 2011) defines them: its bidi_IRI, bidi_email and bidi_filename.
//
//	for m := range pri185.All(text, pri185.Options{Strict: true}) {
//		fmt.Println(m.Kind, m.In(text))
//	}
//	for s := range pri185.FileNames(text) {
//		fmt.Println(s.In(text))
//	}
//
// For links, UTS #58 has taken its place, which package engine implements. This package is for two things: to check the
// text of the issue rule by rule, and to find file names, which UTS #58 does not have.
//
// # Guarantees
//
// Any bytes have an answer; a byte that is not UTF-8 ends a structure. Offsets are bytes. [All] and [FileNames] take
// time linear in the length of the text, whatever it contains, and so does one call of [Find].
//
// # How the grammar is read
//
// The issue calls its grammar simplified. Where it is silent or contradicts itself:
//
//   - Several productions match at the same place, bidi_filename nearly everywhere. What begins first is found, then
//     what is longest, then in the order of [Kind]. Nothing before from is looked at.
//   - scheme is not defined; it is that of RFC 3986 §3.1, any name.
//   - A domain is as long as it can be: adobe.com.bar1 is not adobe.com, because letters continue a structure.
//   - UTS46Chars are those that UTS #46 has as valid, mapped, ignored or deviation, under its STD3 rules, as far as
//     they are a char or a letter-like sign that IDNA2008 admits (U+30FB). The others, such as quotation marks, are in the
//     classes that terminate. Labels are not validated.
//   - TLD, which the issue takes from the root zone of IANA, is any name of one label in the ICANN section of the public
//     suffix list, in all forms that IDNA maps to it (COM, ｃｏｍ, xn--p1ai). The section also has onion, which is not in the root.
//   - The extra condition on inclusionChar is read as: no structure ends in one. foo!! loses both, because the first is
//     followed by nothing that is included. This holds for all parts: so a final "." of a domain and a final path_sep only
//     stay where something follows, though the grammar names them as optional ends. Its draft excludes only one, see
//     [Options].Draft.
//   - percentEncodedUTF8 adds nothing: "%" is an inclusionChar, and hexadecimal digits are letters and numbers. So
//     %FF and %zz, which are no UTF-8, are matched too. An escaped "?" or "#" does not end a path.
//   - char has "@", "/" and "?", so the local part of an address begins where the run of chars does: see:a@b.com, and the
//     last "@" with a domain counts.
//   - Ports and user information are no part of an IRI; the draft leaves them open.
//
// Of the Latin-1 characters, the issue lists ten that terminate. With later versions of Unicode there are two more, § and
// ¶: their category is Po since Unicode 6.1.
//
// # Tailoring
//
// As written, every word is a file name. Unless [Options].Strict is set,
//
//   - a file name has a path_sep that is not its end, and a right-to-left letter (category L, bidi class R or AL): any
//     other is displayed in order, or is no path;
//   - it does not begin with an inclusionChar other than # % & * . / @ \, so not with a quotation mark, and keeps one
//     path_sep at its end;
//   - Bidi controls, U+200B, U+2060 and U+FEFF at its ends are left outside, so that it can be wrapped in an isolate;
//   - it does not go on into an IRI with a scheme, even where IRIs are not looked for
//   - the local part of an address is not empty.
//
// Categories are those of package unicode, bidi classes those of golang.org/x/text/unicode/bidi; the version of
// Unicode of both follows the Go toolchain, and is 15.0.0 below Go 1.27.
package pri185
