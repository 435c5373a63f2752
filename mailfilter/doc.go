// SPDX-License-Identifier: MIT

// Package mailfilter makes links of the URLs, IRIs and e-mail addresses in the HTML parts of a mail message, and changes no
// other byte of it.
//
//	report, err := mailfilter.Rewrite(os.Stdout, os.Stdin, mailfilter.Options{})
//
// Which text is a link is the business of package engine, where in HTML one may stand that of package htmlwalk; this package
// knows where HTML is in a message, and how it is written there (RFC 2045, 2046).
//
// # Guarantees
//
// The result is verified before anything of it is written: the same parts, the same header fields, the same bytes of all that is
// not a changed part, and in that the same text with tags of ours in it. If it is not so, and after any error, panic or
// limit, the message is written as it came, byte for byte. There is no message that Rewrite loses, cuts or delays beyond
// [Options].Timeout and one step.
//
// No header field changes, ever: what is inserted in HTML is ASCII, so that charset and transfer encoding stay right. Line ends are those
// that the message has. In quoted-printable, the line is written anew from the change on, and no more; in base64, the part from the line of the
// first change on. Elsewhere a line that would exceed 998 bytes is broken within a tag of ours, never in text. A second run changes
// nothing. Memory is at most three times the message, and what is added and what one part needs.
//
// In a link, a bidi control is shown as its percent-encoding, as everywhere in this module. That is the only case in which a
// character of the text changes.
//
// # What is left alone
//
// Everything but text/html, and, if [Options].Plain says so, text/plain. And of that:
// what is signed or encrypted by S/MIME or PGP, also inline, or by a signature beside it in the same multipart, and what has an unobtrusive signature (a Sig field);
// reports, digests, and messages in the message;
// attachments, and whatever has a file name; all but the root of a multipart/related; parts with a checksum;
// charsets and transfer encodings that are unknown, that have no room for ASCII between any two characters (UTF-16, ISO-2022-JP), that are visual
// (ISO-8859-8, but not ISO-8859-8-I), or that the bytes do not fit; headers and structures that programs read in different ways.
// By policy, messages with a DKIM-Signature or an ARC-Seal, and those of mailing lists. The reason is in the [Report], one of a closed list.
package mailfilter
