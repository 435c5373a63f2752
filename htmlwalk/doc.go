// SPDX-License-Identifier: MIT

// Package htmlwalk makes links of the URLs, IRIs and e-mail addresses in the text of an HTML document, and
// changes nothing else in it.
//
//	var out bytes.Buffer
//	stats, err := htmlwalk.Rewrite(&out, strings.NewReader("<p>See example.com."), htmlwalk.Options{})
//	// <p>See <a href="https://example.com">example.com</a>.
//
// What is a link is the business of package engine; this package knows where text is, what the reader sees of
// it, and where a link may stand. It follows the parsing rules of the HTML standard (WHATWG), over the tokens that
// golang.org/x/net/html finds, or would find: see Options.ReferenceScanner. A link with right-to-left characters, and any link in right-to-left text, gets a left-to-right isolate round it; where that
// does not give the order that is wanted, each field with right-to-left characters gets one, too (package display):
//
//	<bdi dir="ltr"><a href="…">…<bdi dir="ltr">…</bdi>…</a></bdi>
//
// # Guarantees
//
// The output is the input with insertions, which are the tags <a href="…">, with the attributes of [Options] if there are any, <bdi dir="…">, in the profile for mail <span dir="…">, and their ends, and
// nothing else; with the insertions removed it is the input, byte for byte, but for one thing: a bidi control in the text of a link is replaced by its
// escapes (%E2%80%AE). A parser sees the same tree in both, but for our elements and these escapes. There is never an anchor in an anchor. A second run changes nothing. How the input
// is cut by its reader does not matter. Time is linear in the length of the input, for any one Options.MaxDepth. Memory is bounded by the limits in
// [Options].
//
// # Where links are made
//
// In the text of the body. Not in comments, declarations, attributes, head, or title, textarea, script, style, iframe,
// noembed, noframes and xmp. Not in a, button, label, summary, select, option, optgroup and datalist; not in code, pre, samp, kbd, tt, var and
// listing; not in svg and math, whatever is in them; not in template and noscript; not in audio, video, canvas, object and applet, which
// show their content only where they do not work; not in what is contenteditable, nor in elements with the role button or link. Not in
// a table outside its cells and captions, whose text a parser moves to before the table. An element ends where the parser ends it, whatever
// its end tag says.
//
// Of these, some are only a default: label, summary, code and what follows it up to listing, audio and what follows it, and role. An
// attribute data-bidilink="on" or "off", Options.LinkIn and Options.Skip change it for an element and what is in it.
//
// Parsers differ: with scripting off, a noscript holds markup, which may leave elements open; and browsers from before 2025 ignore most
// tags in a select. A link is made only where it may be made for all of them.
//
// Character references are decoded, so that the engine sees what the reader sees: example.com/?a=1&amp;b=2 is one link.
// The text keeps its bytes. A link lies within one piece of text: any tag or comment ends it, except wbr, which only says where
// a line may be broken: http://exa<wbr>mple.com/ is a link to http://example.com/, with the tag in its text. So it is with NUL characters, which parsers drop.
// What stands directly before a piece of text, over tags of phrasing and comments, counts, code included: no link is made of
// pal.com in <b>pay</b>pal.com. What stands after it does not yet: example.com is a link in example.com<b>.evil.example</b>.
//
// Anchors that are in the input stay as they are. With Options.IsolateExisting, a link with right-to-left characters in the text of one gets an isolate
// in the anchor.
//
// # What is copied
//
// Fail closed: from the first point on where parsers do not agree on what is text, or where the one that this package is
// checked against is known to err, the document is copied unchanged, and [Stats] says where and why. These points are the start tags frameset and
// plaintext; a raw text element, such as style, in a select; a noscript that ends amidst a tag, a comment or raw text; in svg and math, a template
// and a few tags that hardly occur there; some ways of misnesting elements (more than three of formatting round a block that one of their end tags is in); a
// script that holds a comment with a script tag in it; and a limit. A document that begins with <?xml is XHTML and copied as a whole, unless Options.XHTML is set.
//
// # Encodings
//
// The input is UTF-8, where bytes that are not UTF-8 end a link and are copied; or one of the encodings of the Encoding Standard that extend ASCII: windows-125x, ISO-8859,
// KOI8, Shift_JIS, EUC-JP, EUC-KR, GBK, GB 18030, Big5. In order, a byte order mark, Options.Charset and a meta element say which; but a document that is
// UTF-8, all of it, is read as UTF-8 whatever its meta element says. The text keeps its bytes, and what is inserted is ASCII: addresses
// are percent-encoded, and other characters in attributes become references. Malformed characters end a link.
//
// For UTF-16, UTF-32, UTF-7, ISO-2022 and HZ, whose bytes for other characters can be those of "<", by byte order mark, option, meta element or escape sequence,
// Rewrite returns [ErrEncoding], for data full of NUL bytes [ErrBinary], before anything is written. What is not UTF-8 and says it is in an
// unknown encoding, or in ISO-8859-8 (Hebrew in visual order, whose addresses run backwards), is copied; so is a document that may be UTF-8 or an encoding
// with several bytes a character, and the rest from a name of a tag on that is not ASCII, and from a CDATA section in the latter encodings.
//
// # What is not offered
//
// Shortening the text of a link: the text stays the input's, byte for byte, and a URL that is cut can show another host than it leads to. A style sheet
// does it better (text-overflow: ellipsis), and the text that is copied or read aloud remains whole.
package htmlwalk
