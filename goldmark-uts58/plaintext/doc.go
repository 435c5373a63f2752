// SPDX-License-Identifier: MIT

// Package plaintext is a renderer for [goldmark] that writes Markdown as plain text for people to read: the text/plain half of a letter.
//
//	r, err := plaintext.New(plaintext.Options{})
//	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{}), goldmark.WithRenderer(r))
//	err = md.Convert(source, w)
//
// It goes through the tree that goldmark's parser makes, and not through HTML:
//
//   - A link whose text is its own address is written once, and any other one as text <address>, or with the number of a note. Addresses are
//     as people read them (engine.Readable), minimally escaped as UTS #58 says.
//   - Lines are at most [Options].Width columns wide, as package uniseg counts them: two for a Chinese character, none for a combining mark.
//     They are broken at spaces, and between characters where UAX #14 allows that and one of them is beyond ASCII. No address is ever broken, nor is anything
//     else that package engine takes for a link, nor a line of code; one that is longer stands on a longer line.
//   - Headings are underlined, items have their marker or number, and quotes "> ". Code is indented, code in a line stands between backticks. What is struck out stands between
//     "~~"; emphasis is not shown. Columns of a table are aligned, if it is not too wide; else each cell gets a line, with the head of its column.
//   - Footnotes, and addresses with [Options].Footnotes, are notes at the end, numbered in the order in which they are referred to.
//   - Images are their alternative text in brackets. Raw HTML is left out, but for line breaks (br), and so is a link to a place within the document or of
//     a scheme that goldmark takes for dangerous: only its text is written.
//
// # Guarantees
//
// The output is UTF-8 without control characters but for line ends (LF), and tabs in code; what else there is becomes U+FFFD. Each address that package engine finds on its own is found
// in the output by it, whole, unless there are [Options].Marks: if what stands round an address would be taken for part of it, it gets angle brackets, or spaces. Exceptions are those that have no form
// which can be found: other schemes than those of [Options].Links, hosts it does not know (http://localhost/), user information, an empty query at the end
// ("?"), and the query of a mailto: URL (unless the option MailtoQuery is set).
//
// Indentation and quote marks beyond 40 columns (or Width less 16, if that is less) are left out, so that deep nesting does not leave
// lines without room for words. Time is linear in the length of the document, as far as it is spent here.
//
// # Format flowed
//
// With [Options].Flowed, the text is in the format of RFC 3676, for a part whose Content-Type says format=flowed, without DelSp: a line that ends in a space goes on
// in the next one, so that programs wrap paragraphs as their windows need. Lines are broken at spaces only, and the lines of an item but for the first are not
// indented, since that would become part of the text.
//
// # Bidi
//
// The text is written in memory order, without any marks: programs decide about the direction of paragraphs. [Options].Marks puts bidi controls round the links.
//
// [goldmark]: https://github.com/yuin/goldmark
package plaintext
