// SPDX-License-Identifier: MIT

// Package uts58 is an extension for [goldmark] that makes links of the URLs, IRIs and e-mail addresses in Markdown text, as
// Unicode UTS #58 says, and isolates those with right-to-left characters, so that they read in one order everywhere.
// It takes the place of goldmark's extension.Linkify.
//
//	md := goldmark.New(goldmark.WithExtensions(&uts58.Extender{}))
//
// What is a link, package engine says, and how it is displayed, package display. This package says where in a Markdown text links are sought:
//
//   - in what the reader sees: character references are decoded (&amp; is &), and a backslash before punctuation is
//     not there (a\_b is a_b). But a backslash in a scheme or host says that there is no link: example\.com.
//   - A URL is safe from emphasis, typographic quotes, emoji and other extensions: https://example.com/*a*b, a--b...c, /:x:/.
//     It ends before a run of * _ ~ that can close what was opened before it, unless an ASCII letter or digit
//     follows: *see https://example.com/a* is emphasis round all of it. "[", "<" and "`" in it keep their meaning, if they have one.
//   - No link is made in links, images, autolinks and code, nor in raw HTML elements where there must not be one, of which a, button, label,
//     code, pre, script and svg are some, also when they go over several blocks, and in editable content. Footnotes are looked at where they are
//     rendered. An element is closed by an end tag that closes it in every browser: not by one in a table cell, or behind an unclosed div. If raw HTML
//     cannot be followed, such as a block that ends within a tag, an svg with a style that has tags in it, or more than 512 open elements, there are no more links from
//     there on. This is so whether raw HTML is rendered or not.
//   - No link goes over an element, a tag or a line break, nor is there one of the tail of a word that begins before one: **pay**pal.com.
//   - Inline nodes of other extensions are left alone, since they may be links, unless [Extender].Inline has their kind.
//
// If extension.Linkify is there too, its parser makes no links: all are ours. Where it would have made one in an inline node of another extension, we do, if it is one for us.
//
// # Nodes
//
// A link is an ast.Link whose children are ast.Text: segments of the source, with exact positions. A bidi control in it is shown
// as its escapes, an ast.String. With [Bdi], isolates are nodes of the kind [KindElement], which the extension registers a renderer for. A
// renderer that does not know that kind panics, as goldmark's do; give it [NewRenderer], or use [Attr], with which there is no node but goldmark's own.
//
// Where goldmark's own renderer would render texts and links, the extension does, byte for byte the same in less time. If there is
// another renderer of a priority from 999 on, or another html.Writer, it leaves them alone. It also looks for what the inline parsers may want, and calls them there, as goldmark
// does, and makes the same nodes of the text between, in less time; but not if another parser is triggered by white space, as that of extension.Linkify is, or by a backslash.
//
// The transformer has priority 50: it comes after the parsers and before most other transformers. Automatic heading ids
// are those that there are without the extension.
//
// # Priorities
//
// The extension uses these priorities: 450 and math.MaxInt for inline parsers, 50 for the transformer, and 500 and 999 for renderers of nodes. Those of the inline parsers must not be shared by
// another inline parser: goldmark sorts by priority, and of equals, whose order may change with the number of parsers, any may be first. The same is true of other parsers that
// share a priority: give each its own. Transformers with the priority 50 may come before or after ours.
//
// # Limits
//
// goldmark's renderer percent-encodes the brackets of IPv6 hosts and everything beyond ASCII in the address of an ast.Link. With [Bdi], such links
// (http://[::1]/, or any with the option IRI) are nodes of the kind [KindElement] too; otherwise the former are no links, and IRI has no effect.
//
// Time is linear in the length of the text, as far as it is spent here.
//
// [goldmark]: https://github.com/yuin/goldmark
package uts58
