// SPDX-License-Identifier: MIT

// Package display shows links, addresses and file names that have right-to-left letters in one predictable order, as HTML, as plain
// text with bidi controls, or as the string that a reader sees.
//
//	d, err := engine.New(engine.Options{})
//	…
//	for l := range d.Links(text) {
//		if !display.IsolateAuto.Isolates(l.In(text), display.RTL) {
//			continue // it is displayed as it is written
//		}
//		layout := display.Constant.Layout(text, l, display.RTL)
//		href := d.AppendHref(nil, text, l)
//		out = layout.AppendHTML(out, text, string(href), display.Web)
//	}
//
// # Orders
//
// The Unicode bidi algorithm (UAX #9) is made for prose. The dots and slashes of a link are neutral to it, so they go along with the
// letters beside them, and where the parts of a link are seen depends on the text round it. Here UPPER CASE stands for
// right-to-left letters, and pictures show what is seen, from left to right. In memory, the parts are in the order in which they are typed and sent:
//
//	memory         http://ab.cd.EF.GH.com/IJ/KL/mn/op
//
//	               in a left-to-right paragraph         in a right-to-left paragraph
//	no mark-up     http://ab.cd.HG.FE.com/LK/JI/mn/op   mn/op/LK/JI/com.HG.FE.http://ab.cd
//	Constant       http://ab.cd.FE.HG.com/JI/LK/mn/op   http://ab.cd.FE.HG.com/JI/LK/mn/op
//	Embedding      http://ab.cd.HG.FE.com/LK/JI/mn/op   http://ab.cd.HG.FE.com/LK/JI/mn/op
//	Environment    http://ab.cd.FE.HG.com/JI/LK/mn/op   op/mn/LK/JI/com.HG.FE.cd.ab//:http
//	Content        op/mn/LK/JI/com.HG.FE.cd.ab//:http   op/mn/LK/JI/com.HG.FE.cd.ab//:http
//	TLD            http://ab.cd.FE.HG.com/JI/LK/mn/op   http://ab.cd.FE.HG.com/JI/LK/mn/op
//
//	memory         http://EF.GH/IJ/KL
//
//	no mark-up     http://LK/JI/HG.FE                   LK/JI/HG.FE//:http
//	Constant       http://FE.HG/JI/LK                   http://FE.HG/JI/LK
//	Embedding      http://LK/JI/HG.FE                   http://LK/JI/HG.FE
//	Environment    http://FE.HG/JI/LK                   LK/JI/HG.FE//:http
//	Content        LK/JI/HG.FE//:http                   LK/JI/HG.FE//:http
//	TLD            LK/JI/HG.FE//:http                   LK/JI/HG.FE//:http
//
// A field is what stands between two separators, see [AppendFields]. In every order but Embedding, each field is
// displayed by the bidi algorithm as if it were alone (EF as FE, EF.txt as FE.txt), and an order says where the fields and separators are:
//
//   - [Constant], the default: always from left to right. It is option 1 of PRI 185 (Unicode's review of 2011, towards which the committee
//     was leaning), and the visual form of draft-duerst-iri-bidi (2001). Choose it where a link is to be read: the host is always what stands
//     first, and among links without a warning of [WarnAmbiguous], no two look the same.
//   - [Embedding]: the whole as it is in left-to-right text. RFC 3987 §4.1 and draft-ietf-iri-bidi-guidelines §2 have it, and the URL
//     Standard of the WHATWG for browsers. Choose it where a link is to look as in an address bar. A path may be seen where the host belongs:
//     http://AB/1.2.3.4 as http://1.2.3.4/BA. Of all short links whose fields keep the restrictions, 18 in 100 look the same as another one,
//     and nearly all of these as one with another host.
//   - [Environment], PRI 185 option 2: from right to left in right-to-left paragraphs. It is near to what readers see who have no mark-up and
//     links of right-to-left letters only; but the link that is copied to another paragraph looks different.
//   - [Content], option 3: from right to left if there is any right-to-left character. One in the query turns the whole round.
//   - [TLD], option 4: from right to left if the top-level domain is. Its order does not depend on what an author of links may
//     choose freely. A file name is displayed as in Content.
//
// UAX #9 lets a program cut structured text into segments and lay them out on their own (HL4). RFC 3987 says that a higher-level protocol must
// not change how its algorithm renders an IRI: that rules out every order but Embedding, and is what Constant deviates from.
//
// # HTML
//
// A [Layout] is one isolate round the whole, and, where the bidi algorithm would put fields elsewhere, one round every field that has
// right-to-left characters or Arabic numbers: all of them, because an isolate is neutral to what is beside it, and always with a
// direction, because <bdi> without one takes it from the first letter (EF.txt as txt.FE). Whether they are needed is computed, so that most links
// have one isolate. Copied from a browser, the text is the link.
//
//	Web    <bdi dir="ltr"><a href="…">http://<bdi dir="ltr">EF</bdi>.<bdi dir="ltr">GH</bdi>/x</a></bdi>
//	Mail   <bdi dir="ltr"><a href="…"><span dir="ltr">http://<span dir="ltr">EF</span>.<span dir="ltr">GH</span>/x</span></a></bdi>
//
// Gmail, Outlook, Yahoo and other mail programs drop the tags of <bdi> and keep what is in it. They keep dir, but Outlook for Windows has
// trouble with it on <a>. So the profile [Mail] has a span in the anchor, which does the same; the bdi round it
// isolates the anchor elsewhere. [Isolation] says which links get an isolate at all.
//
// # Escapes and controls
//
// A row of escapes (%D7%90) between right-to-left letters would be torn apart, or turned round, since it has letters and digits:
// AB%20CD is seen as DC%20BA with Hebrew letters, but as DC20%BA with Arabic ones, behind which digits are Arabic numbers. PRI 185 displays rows as in
// LRO … PDF. Here a row gets an isolate if it is between right-to-left characters, or would not be seen in one piece; else it
// has none. The difference is at the edge of a field, where GH%31 is HG%31 with Arabic letters and not %31HG, and between Arabic numbers, which
// are displayed as with a blank between them.
//
// A bidi control in a link would change the order of everything round it, and some of them end the isolate. Links must not have them
// (RFC 3987 §4.1). They are never written: text and visual string have their escapes (%E2%81%A9), which is what stands in the href.
//
// # Plain text
//
// [Layout.AppendControls] writes the same with bidi controls. They have no place in text that a program reads: they are copied with a link, and most
// programs that look for links take the PDI behind a link for a part of it, or find no link. So nothing in this module does it by itself.
// [Mark] marks the links of a text, with controls outside the blanks round them where there are some, and [Strip] takes the marks out; [ToTextual]
// and [FromTextual] convert to and from the textual form of draft-duerst-iri-bidi. [Visual] is what a reader sees, and
// [FromVisual] what a reader types who sees that.
//
// # Restrictions and warnings
//
// No order tells A1 from 1A: both are seen as 1A. Hence the restrictions of draft-ietf-iri-bidi-guidelines §3: a component has letters
// of one direction only, and, if they are right-to-left, begins and ends with one. [Check] tells what a link breaks, and what else is suspicious about
// it; [EncodeComponents] percent-encodes the components that break the restrictions.
//
// In the order Constant, no two links look the same if all fields keep the restrictions, or if [Check] has no warning of
// [WarnAmbiguous] for either: its components are finer than fields, an extension is one, and א.1 keeps the restrictions but has a warning, because
// 1.א looks the same. Tests enumerate all short links of letters, hyphens, European digits and separators. Not covered are components
// that have a "%" which begins no escape, a sign of class ET ($) or both kinds of digits together with right-to-left letters, and Arabic-Indic digits
// together with punctuation, see [FromVisual].
//
// # Deviations
//
//   - Example 9 of the guidelines (not allowed by them), http://ab.cd.ef/GH%31/%32IJ/KL.html: RFC 3987 prints a display that the present bidi
//     algorithm does not give. Embedding has what it gives, and what browsers show: …/LK/JI%32/%31HG.html with Hebrew letters,
//     …/LK/JI32%/31%HG.html with Arabic ones.
//   - PRI 185 has no separators for user information, ports and mailto. Here they are "@" and ":", else AB:8080 is one field, and its port is seen first.
//   - PRI 185 has marks (LRM) round fields. The isolates here give the same, but for brackets, which pair across marks.
//
// # Limits
//
// Bidi classes are those of golang.org/x/text/unicode/bidi, Unicode 15.0.0 below Go 1.27; younger characters have the class of their block.
// A visual string is one line: there is no line breaking, nothing is mirrored ("(" in right-to-left text is drawn as ")"), and what the
// algorithm takes out, such as ZWNJ, is missing.
//
// An isolate within more than about 60 others, or embeddings, that the text before it in the same paragraph has left open has no effect (UAX #9 BD2), whatever inline
// mark-up it is written with. Only a block of its own helps, and only those who write the text round a link can bring this about.
//
// What is displayed takes time in proportion to its length, whatever it contains. Any bytes have an answer; those that are not UTF-8 are kept.
package display
