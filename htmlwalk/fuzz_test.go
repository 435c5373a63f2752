// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// FuzzRewrite holds the promises of the package documentation, with our engine and with one that links nearly everything.
func FuzzRewrite(f *testing.F) {
	for _, s := range gadgets {
		f.Add(s)
		f.Add("<p>example.com/ש" + s + " http://example.com/")
	}
	docs, _ := treeTests()
	for i, doc := range docs {
		if i%8 == 0 { // all of them take too long at each start; TestTrees has them all
			f.Add(variants(doc)[3])
		}
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if len(doc) > 4096 {
			return
		}
		checkProperties(t, doc, nil, Options{})
		checkProperties(t, doc, eager{}, Options{})
		checkProperties(t, doc, nil, displays[len(doc)%len(displays)])
		checkProperties(t, doc, nil, selections[len(doc)%len(selections)])
		checkProperties(t, doc, nil, hooked)
		checkProperties(t, doc, nil, Options{Context: fragments[len(doc)%len(fragments)]})
		checkProperties(t, doc, eager{}, hooked)
		checkProperties(t, doc, eager{}, Options{IsolateExisting: true, Isolate: display.IsolateAll})
	})
}

// fragments are contexts of fragments.
var fragments = []string{"td", "li", "tr", "tbody", "table", "caption", "colgroup", "pre", "a", "p", "form", "x-y", "button", "body"}

// hooked are options that change anchors.
var hooked = Options{
	Attributes: []Attribute{{"rel", `a"<&>'`}, {"target", "_blank"}},
	Link: func(l *Link) bool {
		if len(l.Href)%5 == 0 {
			l.Href = "javascript:x"
		}
		l.Href += `&copy"<x>`
		l.Attributes = append(l.Attributes, Attribute{"style", "x"}, Attribute{"onclick", "x"}, Attribute{"rel", "y"})
		return len(l.Href)%7 != 0
	},
}

// hookedAttributes are what they write.
const hookedAttributes = ` rel="a&quot;&lt;&amp;&gt;' noopener" target="_blank"`

// displays are options about the display of links.
var displays = []Options{
	{Order: display.Environment, Profile: display.Mail, Dir: display.RTL},
	{Order: display.Content, Isolate: display.IsolateBidi, WrapFileNames: true},
	{WrapFileNames: true},
	{IsolateExisting: true},
	{IsolateExisting: true, Isolate: display.IsolateAll, Profile: display.Mail, Order: display.Environment, WrapFileNames: true},
	{Order: display.TLD, Profile: display.Mail, Isolate: display.IsolateAll},
	{Order: display.Embedding, Isolate: display.IsolateNone},
	{Order: display.Environment, MaxToken: 40},
	{XHTML: true},
	{ReferenceScanner: true},
}

// selections are options about where links are made, and how many.
var selections = []Options{
	{LinkIn: "pre, code, template, label, [contenteditable]"},
	{Skip: "b, p, .x, [hidden], x-y", LinkIn: "*"},
	{LinkIn: "template, i, div, td", Isolate: display.IsolateAll},
	{Skip: "div, i", LinkIn: "p, tt, [role]", IsolateExisting: true, Isolate: display.IsolateAll},
	{Refuse: ^display.Warnings(0)},
	{MaxLinks: 2},
	{MaxLinks: 5, IsolateExisting: true},
}

// gadgets are documents that tokenizers, parsers and linkifiers were found to disagree about.
var gadgets = []string{
	`<svg><title><a title="</title></svg>http://x.com/onclick=alert(1)//">y</a></title></svg>`,
	`<svg><style><a title="</style></svg>http://x.com/onclick=alert(1)//">y</a></style></svg>`,
	`<math><title><a title="</title></math>http://x.com/">`,
	`<svg><![CDATA[><p>http://x.com/ ]]></svg>`,
	`<![CDATA[><p>http://x.com/ ]]>`,
	`<noscript><p title="</noscript>http://x.com/onclick=alert(1)//">`,
	`<noscript>http://x.com/<!--</noscript>http://x.com/-->`,
	`<select><textarea>http://x.com/</select>http://x.com/</textarea>`,
	`<select><title><option>http://x.com/</title>`,
	`<template><td>http://x.com/</template>`,
	`<frameset><noframes>http://x.com/`,
	`<plaintext>http://x.com/</plaintext>http://x.com/`,
	`<script><!-- < <script> </script> http://x.com/ --> </script>`,
	`<script><!--<script>http://x.com/</script>http://x.com/--></script>`,
	`<title>http://x.com/<a></title>http://x.com/`,
	`<textarea><p title="</textarea>http://x.com/">`,
	`<xmp><p title='</xmp>http://x.com/'>`,
	`<iframe><a title="</iframe>http://x.com/">`,
	`<a><p>http://x.com/</p></a><a href=x>http://x.com/<a>http://x.com/`,
	`<p><a>x</p>http://x.com/</a>http://x.com/`,
	`<a><div><a>http://x.com/</div>http://x.com/`,
	`<a><table><td><a>http://x.com/</a>http://x.com/</table>http://x.com/</a>`,
	`<table>http://x.com/<tr>http://x.com/<td>http://x.com/</td>http://x.com/</table>`,
	`<table><b>http://x.com/<td>http://x.com/</b>http://x.com/</table>http://x.com/`,
	`<table><div>http://x.com/ <td>http://x.com/ <p></tr>http://x.com/`,
	`<table><form><input type=hidden>http://x.com/<caption>http://x.com/<col>http://x.com/`,
	`<pre><code>x</code>http://x.com/</pre>http://x.com/`,
	`<b><i><u><s><a><div>http://x.com/</b>http://x.com/</a>http://x.com/`,
	`<button><p>http://x.com/<button>http://x.com/</p></button>http://x.com/`,
	`<li><a>http://x.com/<li>http://x.com/<ul><li>http://x.com/`,
	`<form><div></form>http://x.com/<form>http://x.com/`,
	`<nobr><nobr>http://x.com/</nobr><ruby><rtc><rp>http://x.com/`,
	`<!----->http://x.com/<!-->http://x.com/-->http://x.com/`,
	`<!--[if mso]>http://x.com/<![endif]--><![if !mso]>http://x.com/<![endif]>`,
	`<P CLASS=a ID='b'>http://x.com/</P ><br/>`,
	`a < b http://e.com <http://e.com> </http://e.com>`,
	`http://e.com/?a=1&amp;b=2&copy=2&lt;b&gt;&#x2F;&nvlt;&#0;&#x80;&ampx`,
	`http://"onmouseover=alert(1) http://e.com/"onmouseover='alert(1)'`,
	`javascript://x.com/%0Aalert(1) &lt;script&gt;http://e.com/&lt;/script&gt;`,
	"http://e.com/\u202egpj.exe a\u200bb.com \ufeffe.com/\x00x \xffe.com\xc3",
	`foo.рфhttp://e.com/ a.com:99999999b@c.com 1http://e.com x@y.com@z.com`,
	`<p dir=ltr>e.com/ש<bdi>e.com/ש</bdi><span dir=rtl>e.com/ש</span>`,
	`<div contenteditable>e.com<p contenteditable=false>e.com</div>e.com`,
	`<head>e.com<title>e.com</title></head>e.com<head>e.com<body>e.com</body>e.com</html>e.com`,
	`<a title="</a>http://e.com/">http://e.com/</a title="http://e.com/">http://e.com/`,
	`<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html><p>e.com<br/><a name="x"/>e.com<table>e.com`,
	" <?xml a><p>e.com<?xml b?>e.com",
	"\ufeff<!doctype html><p>e.com<table><td>e.com</table>e.com</p>e.com",
	"<meta charset=windows-1256>e.com \xe3",
	"<x/y=http://e.com/>http://e.com/</x http://e.com/>http://e.com/<x a=b'c\"d>http://e.com/",
	"<object><a>e.com</object>e.com<marquee><a>e.com</a></marquee>e.com<applet>e.com",
	`<a>e.com<table><a>e.com<tr><td>e.com</td></table>e.com`,
	`<form contenteditable><div></form>e.com`,
	"<a><search></a>e.com<x><search></x>e.com",
	`http://exa<wbr>mple.com/ <WBR title=">">e.com<wbr/>/x</wbr>y<wbr> z<wbr></wbr>.com<wbr>`,
	"<a>x</p>\x00<wbr>e.com <p><b><a>x</p>\x00<wbr>e.com",
	"foo\x00<wbr>e.com\xd7<wbr>\xa9.com e.com/&am<wbr>p;&amp<wbr>;x",
	"e.com/<wbr><svg>x e.com/<wbr><!-- -->x",
	"<p>e.com/ e.com/אב e.com/\u202eא%20ב&#x2066;.x <p dir=auto>e.com <div>ש</div>",
	"<b>e.com/<b>x</b><code>&#x5e9;</code></b><li>e.com/<ul><li>ש</ul>e.com<br>ש",
	"<p>xample.com\u202ecba/ש ht", "<p>http://e.com\u202eabc/ש a/ש\u202ehttp://e.com/",
	`a/א\\ב%20ג/&sol;. <b dir=ltr>a/ש</b> http://e.com/א/ב,ג/ד e.com,ב/א/`,
	`<table>http://e.com/ש<p><tt><tbody></form><thead><caption></span></tr></search></td><param></tr><tt><x-y>http://e.com/ש</script></tt></a></textarea><dt></td><label><i></xmp></tt><rtc></style> x </s><th><th>http://e.com/ש`,
	`<svg><desc><div>e.com</desc>e.com<svg><title>e.com<p>e.com</title></svg>e.com<math><mi>e.com<mglyph>e.com</mi><annotation-xml encoding=text/html>e.com<p></math>e.com`,
	`<svg><a>e.com</a><style>e.com<b>e.com</svg>e.com</style></b>e.com<math><font>e.com<font size=1>e.com</math>e.com`,
	`<p><svg><desc><g></p>e.com</svg>e.com<svg></br>e.com`,
	`<select><option>e.com<div><b>e.com</select>e.com</b>e.com<select><button>e.com</select>e.com<select><input>e.com<select><textarea></textarea><label>e.com</select>e.com`,
	`<table><td><select><td>e.com</select>e.com<select><table><td>e.com</select>e.com</table>e.com<select><svg><option></select>e.com`,
	`<select><template><p>e.com</template>e.com</select>e.com<template><td><select><tr>e.com</template>e.com`,
	`<template><col>e.com<td>e.com<template>e.com</template>e.com<form></template>e.com<form>e.com`,
	`<head><template>e.com</template><noscript><link><img></noscript>e.com</head>e.com<noscript><p>e.com</noscript>e.com<noscript></p></noscript>e.com`,
	`<noscript><table><td></noscript>e.com</table>e.com<noscript><style></noscript></style></noscript>e.com`,
	`<noscript><select>e.com<object></noscript></select>e.com`,
	`<tt><p data-bidilink=on>e.com</tt><b contenteditable><p contenteditable=false>e.com</b><b role=button><i data-bidilink=on><p>e.com</b>`,
	`<b id=1><table><b><i><b><b><b></b></b></b></b>e.com</table>e.com`,
	`<a><b><i><u><s><em><p>e.com</a>e.com`,
	"<p><a>x</p><pre>\n</a>e.com</pre>e.com<p><b>x</p><pre></i>\n<p>e.com",
	`<form contenteditable><b></form><p>e.com</b>e.com</p>e.com`,
	`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><div contenteditable><p contenteditable=false><table></table>e.com`,
	`<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN"><div contenteditable><p contenteditable=false><table></table>e.com`,
	`<a href=x>e.com/ש</a> <a dir=ltr>e.com/ש</a><a><b dir=rtl>e.com/ש</b></a><bdi><a>e.com/ש</a></bdi><a>e.com/\u202eש f.com/ש<p>e.com/ש</a>e.com/ש`,
	`<bdi>e.com/ש</bdi><bdi>ש.com</bdi><span dir=ltr> e.com/<wbr>ש </span><span dir=ltr>e.com/ש<b>x</b></span>`,
}

// eager is an engine that links every piece of a text between blanks, NULs, commas and parentheses, if it has an even length: so the pieces
// beside the links have some that are not links.
type eager struct{}

func (eager) Find(text string, from int) (engine.Link, bool) {
	for from < len(text) {
		n := strings.IndexAny(text[from:], space+",()\x00")
		if n < 0 {
			n = len(text) - from
		}
		if n > 0 && n%2 == 0 && (from == 0 || text[from-1] != '(') {
			return engine.Link{Span: engine.Span{Start: from, End: from + n}, Kind: engine.URL}, true
		}
		from += n + 1
	}
	return engine.Link{}, false
}

func (eager) AppendHref(dst []byte, text string, l engine.Link) []byte {
	return append(dst, "http://e.com/?\"<&"+url.PathEscape(l.In(text))...)
}

const mark = "data-bidilink-test"

// checkProperties rewrites doc and checks what holds for every document.
func checkProperties(t *testing.T, doc string, find finder, o Options) {
	t.Helper()
	var edits []edit
	attributes, tail := 2, `">` // of an anchor, with the mark
	if o.Link != nil {
		attributes, tail = 4, `"`+hookedAttributes+">"
	}
	var l *legacy
	if o.Charset != "" {
		l = newLegacy(o.Charset)
	} else if label, _, err := sniff([]byte(doc[:min(len(doc), sniffed)]), "", o.XHTML); err == nil && label != "" && !utf8.ValidString(doc) {
		l = newLegacy(label) // by a meta element
	}
	rewriteTo := func(r io.Reader, record func(edit)) (string, Stats, error) {
		var b bytes.Buffer
		stats, err := rewrite(&b, r, o, find, record)
		return b.String(), stats, err
	}
	out, stats, err := rewriteTo(strings.NewReader(doc), func(e edit) { edits = append(edits, e) })
	if err != nil {
		if out != "" {
			t.Errorf("wrote %q with %v", out, err)
		}
		return
	}
	if stats.Bytes != int64(len(doc)) {
		t.Errorf("Bytes %d, input %d", stats.Bytes, len(doc))
	}

	// The output is the input with the edits, which are tags of ours.
	var b, marked strings.Builder
	at := 0
	for _, e := range edits {
		if int(e.start) < at || e.end < e.start || int(e.end) > len(doc) {
			t.Fatalf("edit at %d to %d after %d, length %d", e.start, e.end, at, len(doc))
		}
		b.WriteString(doc[at:e.start])
		marked.WriteString(doc[at:e.start])
		at = int(e.end)
		b.WriteString(e.text)
		switch {
		case e.start != e.end:
			// What is replaced is a bidi control, by its escapes.
			removed := html.UnescapeString(l.decode([]byte(doc[e.start:e.end])))
			if r, n := utf8.DecodeRuneInString(removed); n != len(removed) || !display.IsControl(r) || e.text != strings.ToUpper(url.PathEscape(removed)) {
				t.Errorf("%q is replaced by %q", removed, e.text)
			}
			marked.WriteString(doc[e.start:e.end])
		case slices.Contains([]string{`<bdi dir="ltr">`, `<bdi dir="rtl">`, `<span dir="ltr">`, `<span dir="rtl">`}, e.text):
			marked.WriteString(strings.Replace(e.text, " ", " "+mark+" ", 1))
		case strings.HasPrefix(e.text, `<a href="`) && strings.HasSuffix(e.text, tail) && !strings.ContainsAny(e.text[len(`<a href="`):len(e.text)-len(tail)], "\"<> \t\r\n\f\x00"):
			marked.WriteString("<a " + mark + e.text[2:])
		case e.text == "</a>" || e.text == "</bdi>" || e.text == "</span>":
			marked.WriteString(e.text)
		default:
			t.Errorf("insertion %q", e.text)
		}
	}
	b.WriteString(doc[at:])
	marked.WriteString(doc[at:])
	if b.String() != out {
		t.Errorf("the insertions are not what was inserted\n out %q\nthen %q", out, b.String())
	}

	// How it is read does not matter.
	if len(doc) < 1<<16 {
		if one, s, err := rewriteTo(iotest.OneByteReader(strings.NewReader(doc)), nil); one != out || err != nil || s != stats {
			t.Errorf("one byte at a time: %v, %+v\n got %q\nwant %q", err, s, one, out)
		}
	}
	if half, s, err := rewriteTo(iotest.DataErrReader(iotest.HalfReader(strings.NewReader(doc))), nil); half != out || err != nil || s != stats {
		t.Errorf("halves: %v, %+v\n got %q\nwant %q", err, s, half, out)
	}

	// A second run changes nothing, but for what a limit has hidden.
	if twice, s, err := rewriteTo(strings.NewReader(out), nil); o.MaxToken == 0 && (twice != out || err != nil || s.Links != 0) {
		t.Errorf("twice: %v, %+v\nonce  %q\ntwice %q", err, s, out, twice)
	}

	// The tree is the same but for our elements, and these are where they should be.
	if strings.Contains(doc, mark) {
		return
	}
	for _, scripting := range []bool{true, false} {
		parse := func(s string) (*html.Node, error) {
			if !strings.HasPrefix(s, utf8BOM) {
				s = l.decode([]byte(s))
			}
			return parseIn(strings.NewReader(strings.TrimPrefix(s, utf8BOM)), o.Context, scripting)
		}
		before, err := parse(doc)
		if err != nil {
			return // too deep
		}
		after, err := parse(marked.String())
		if err != nil {
			t.Errorf("the output does not parse: %v", err)
			return
		}
		links := 0
		chosen, err := newSelection(&o)
		if err != nil {
			t.Fatal(err)
		}
		unwrap(t, after, &links, attributes, &chosen)
		if links != stats.Links {
			t.Errorf("%d anchors in the tree, %d made", links, stats.Links)
		}
		if x, y := dump(before), dump(after); x != y {
			t.Errorf("scripting %v: the tree changed\ninput %q\n out %q\nbefore %s\n after %s", scripting, doc, out, x, y)
		}
	}
}

// unwrap takes our elements out of the tree, counts the anchors, and checks what they stand in and how many attributes they have.
func unwrap(t *testing.T, n *html.Node, links *int, attributes int, chosen *selection) {
	for c := n.FirstChild; c != nil; {
		unwrap(t, c, links, attributes, chosen)
		next := c.NextSibling
		if c.Type == html.ElementNode && slices.ContainsFunc(c.Attr, func(a html.Attribute) bool { return a.Key == mark }) {
			if c.DataAtom == atom.A {
				*links++
				checkPlace(t, c, chosen)
				if len(c.Attr) != attributes || !textOnly(c) {
					t.Errorf("our anchor: %s", dump(c))
				}
			}
			for k := c.FirstChild; k != nil; k = c.FirstChild {
				c.RemoveChild(k)
				n.InsertBefore(k, c)
			}
			n.RemoveChild(c)
		}
		c = next
	}
}

// textOnly reports whether n has a text, and nothing but texts and wbr elements, which are between the texts.
func textOnly(n *html.Node) bool {
	if n.FirstChild == nil || n.FirstChild.Type != html.TextNode || n.LastChild.Type != html.TextNode {
		return false
	}
	for c := range n.ChildNodes() {
		if c.Type != html.TextNode && (c.DataAtom != atom.Wbr || c.FirstChild != nil) {
			return false
		}
	}
	return true
}

// checkPlace checks the ancestors of an anchor of ours.
func checkPlace(t *testing.T, n *html.Node, chosen *selection) {
	cell, inTemplate, editable, links := false, false, inherited, inherited
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Type != html.ElementNode {
			continue
		}
		if p.Namespace != "" || kindOf(p.DataAtom)&(hard|rawContent) != 0 || p.DataAtom == atom.Frameset || p.DataAtom == atom.Head && !inTemplate {
			t.Errorf("a link in <%s>", p.Data)
		}
		inTemplate = inTemplate || p.DataAtom == atom.Template
		own := flagsOf(kindOf(p.DataAtom))
		if p.DataAtom != atom.Body && p.DataAtom != atom.Html { // whose attributes may come from a later tag
			for _, a := range p.Attr {
				own.setAttr(a.Key, a.Val)
			}
			var tag strings.Builder
			html.Render(&tag, &html.Node{Type: html.ElementNode, Data: p.Data, Attr: p.Attr})
			e := element{name: p.DataAtom, flags: own}
			if e.name == 0 {
				e.more = &more{other: p.Data}
			}
			chosen.apply(&e, []byte(tag.String()), 1+len(p.Data))
			own = e.flags
		}
		if links == inherited {
			links = own.own()
		}
		if editable == inherited && links != on {
			editable = own.editable
		}
		switch p.DataAtom {
		case atom.Td, atom.Th, atom.Caption:
			cell = true
		case atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Colgroup:
			if !cell {
				t.Errorf("a link in <%s> outside a cell", p.Data)
			}
		}
		if p.DataAtom == atom.Table {
			cell = false
		}
	}
	if editable == on {
		t.Error("a link in editable content")
	}
	if links == off {
		t.Error("a link in an element without links")
	}
}

// dump writes a tree, with adjacent texts merged.
func dump(n *html.Node) string {
	var b strings.Builder
	var text string
	flush := func() {
		if text != "" {
			fmt.Fprintf(&b, "%q", text)
		}
		text = ""
	}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			text += n.Data
			return
		}
		flush()
		fmt.Fprintf(&b, "(%d %s %q", n.Type, n.Namespace, n.Data)
		for _, a := range n.Attr {
			fmt.Fprintf(&b, " %q=%q", a.Key, a.Val)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		flush()
		b.WriteByte(')')
	}
	walk(n)
	flush()
	return b.String()
}

// FuzzLegacy holds the promises for documents in other encodings than UTF-8: what is made of them is what is made of the same in UTF-8.
func FuzzLegacy(f *testing.F) {
	for i, label := range legacies {
		e := encodingFor(label)
		for _, s := range append([]string{
			"<p>see テストexample.com/テスト?表=ソ。次 e.com/ｱ", "<p>example.com/中文<wbr>字 مثال example.com/ש\u200f(א)é <code title='表'>表</code>", "e.com/€&amp;é&rlm;x</p>&#x5e9;<p>ñe.com 한글e.com에",
		}, gadgets[:8]...) {
			b, _ := encoding.ReplaceUnsupported(e.NewEncoder()).Bytes([]byte(s))
			f.Add(b, uint8(i))
		}
		f.Add([]byte("<p>\x81\x30e.com \x81\x30\x81\x30e.com\x81 \x8f\xa1.com \x8e\xe0e.com \xfe\x30\xfe\x39.com \x81\x40e.com\x80\xff<b\x81A>e.com</b\x81a>e.com"), uint8(i))
		f.Add([]byte("<svg><![CDATA[\x81]]>e.com]]></svg>e.com\x81&amp;e.com<i a=\x81>e.com\x00\x81\x00<wbr>\x81<wbr>e.com"), uint8(i))
	}
	f.Fuzz(func(t *testing.T, doc []byte, which uint8) {
		if len(doc) <= 4096 {
			checkLegacy(t, doc, legacies[int(which)%len(legacies)])
		}
	})
}

var legacies = []string{"windows-1255", "windows-1256", "windows-1251", "iso-8859-8-i", "iso-8859-6", "windows-1252", "shift_jis", "euc-jp", "euc-kr", "big5", "gb18030", "gbk"}

// encodingFor returns an encoding, that of browsers.
func encodingFor(label string) encoding.Encoding {
	if label == "gbk" {
		label = "gb18030"
	}
	e, _ := charset.Lookup(label)
	return e
}

func checkLegacy(t *testing.T, doc []byte, label string) {
	t.Helper()
	checkProperties(t, string(doc), nil, Options{Charset: label})
	h := hooked
	h.Charset = label
	checkProperties(t, string(doc), nil, h)

	e := encodingFor(label)
	text, err := e.NewDecoder().Bytes(doc)
	if err != nil || bytes.HasPrefix(text, []byte(utf8BOM)) || bytes.HasPrefix(doc, []byte(utf8BOM)) {
		return
	}
	if back, err := e.NewEncoder().Bytes(text); err != nil || !bytes.Equal(back, doc) {
		return // malformed, or not the only bytes for this
	}
	var out, other bytes.Buffer
	o := Options{Charset: label, Links: engine.Options{IRI: true}, Attributes: []Attribute{{"rel", "x"}}}
	stats, err := Rewrite(&out, bytes.NewReader(doc), o)
	o.Charset, o.Links.IRI = "utf-8", false
	want, err2 := Rewrite(&other, bytes.NewReader(text), o)
	if err != nil || err2 != nil || stats.Copied.Reason == Charset || stats.Copied.Reason == CDATA {
		return
	}
	encoded, err := e.NewEncoder().Bytes(other.Bytes())
	if err != nil || !bytes.Equal(encoded, out.Bytes()) || stats.Links != want.Links {
		t.Errorf("%s: %q\n got %q\nwant %q, %v", label, doc, out.Bytes(), encoded, err)
	}
}

// FuzzRun compares our decoding of character references with that of the tokenizer.
func FuzzRun(f *testing.F) {
	for _, s := range []string{
		"", "a", "&", "&amp;", "&amp", "&ampx", "&ampamp;", "&notit; &notin; &not", "&#65;&#x41&#X41;&#;&#x;&#0;&#x110000;&#xD800;&#128;",
		"&fjlig; &nvlt; &NotEqualTilde; &frac12x &sup1x &thetasym &semi;;", "&&&amp;&&", "&lt;&ltx&LT&GT;", "&CounterClockwiseContourIntegral;x",
		"&amp\x00;&am\xffp;", "&copy; &middot;&hellip;&mdash;&mdas&rsquo&#8217;&#82170;&#160;&#16;&raquo;x&times;&timesx;&", "\x00\xd7\x00\xa9\x00\x00",
	} {
		f.Add(s, len(s)/2)
	}
	f.Fuzz(func(t *testing.T, s string, at int) {
		if len(s) > 4096 {
			return
		}
		// With a wbr tag in it.
		at = min(max(at, 0), len(s))
		const tag = "<wbr>"
		r := new(run)
		r.decode([]byte(s[:at]+tag+s[at:]), []hole{{at, at + len(tag)}})
		front := len(decoded(s[:at]))
		if want := decoded(s[:at]) + decoded(s[at:]); r.text != want {
			t.Fatalf("%q and %q: decoded %q, want %q", s[:at], s[at:], r.text, want)
		}
		c := cursor{r: r}
		if end, ok := c.end(front); end != at-dropped(s[:at], true) || !ok {
			t.Fatalf("%q and %q: the first ends at %d, %v", s[:at], s[at:], end, ok)
		}
		if start, ok := c.start(front); start != at+len(tag)+dropped(s[at:], false) || !ok {
			t.Fatalf("%q and %q: the second begins at %d, %v", s[:at], s[at:], start, ok)
		}

		r.decode([]byte(s), nil)
		if want := decoded(s); r.text != want {
			t.Fatalf("%q: decoded %q, want %q", s, r.text, want)
		}
		// What follows a place where it may be cut decodes to the rest of the text.
		starts, ends := cursor{r: r}, cursor{r: r}
		lastRaw := 0
		for i := 0; i <= len(r.text); i++ {
			end, fits := ends.end(i)
			at, ok := starts.start(i)
			if fits != ok || end > at || strings.Trim(s[end:at], "\x00") != "" {
				t.Fatalf("%q: offset %d begins at %d, ends at %d", s, i, at, end)
			}
			if !ok {
				continue
			}
			if at < lastRaw || at > len(s) {
				t.Fatalf("%q: offset %d is at %d after %d", s, i, at, lastRaw)
			}
			if got := decoded(s[at:]); got != r.text[i:] {
				t.Fatalf("%q: %q decodes to %q, want %q", s, s[at:], got, r.text[i:])
			}
			lastRaw = at
		}
		if lastRaw != len(s) {
			t.Fatalf("%q: the end is at %d", s, lastRaw)
		}
	})
}

// decoded is what run.decode should make of a text without tags.
func decoded(s string) string {
	var b strings.Builder
	for i := 0; ; {
		n := strings.IndexByte(s[i:], 0)
		if n < 0 {
			b.WriteString(html.UnescapeString(s[i:]))
			return b.String()
		}
		b.WriteString(html.UnescapeString(s[i : i+n]))
		i += n + 1
		if i < len(s) && !utf8.RuneStart(s[i]) {
			b.WriteByte(0)
		}
	}
}

// dropped counts the NULs at the beginning or the end of a text that are dropped.
func dropped(s string, atEnd bool) int {
	n := 0
	if atEnd {
		for strings.HasSuffix(s, "\x00") {
			s = s[:len(s)-1]
			n++
		}
		return n
	}
	for s != "" && s[0] == 0 && (len(s) == 1 || utf8.RuneStart(s[1])) {
		s = s[1:]
		n++
	}
	return n
}

// FuzzTag compares our reading of tags with that of the tokenizer.
func FuzzTag(f *testing.F) {
	for _, s := range []string{
		`<P CLASS=a ID='b' dir=ltr>`, "<p\x00q R\x00=\x00/>", `<a b=c/ d="e"f='g'h/i//j =k = l m=>`, `<a =b==c "d'e=f>`, "<a b=''b=c B=d\n/\r>", "</a b=c>", "<Ä\xffÖ É=1/>",
		"<h1><H\x11></H1><h\x11 ><s{><S[><a><A\x00><a@><A`><blockquote></BlockQuote><textarea><TEXTAREA\t><noframes/><p-><P\r><p_></P\x7f>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		z := html.NewTokenizer(strings.NewReader(s))
		w := walker{known: knownTags(), seen: new([64]seenTag)} // keeps what it has read
		for {
			tt := z.Next()
			raw := bytes.Clone(z.Raw())
			at := 1
			switch tt {
			case html.ErrorToken:
				return
			case html.EndTagToken:
				at = 2
			case html.StartTagToken, html.SelfClosingTagToken:
			default:
				continue
			}
			name, other, i := tagName(raw, at)
			if known, k, m := w.tagName(raw, at, i); known != name || k != kindOf(name) || (m != nil) != (name == 0) || m != nil && m.other != other {
				t.Fatalf("%q: name %v %v, want %v %q", raw, known, m, name, other)
			}
			tag, more := z.TagName()
			if string(tag) != other+name.String() || (name != 0) != (other == "") {
				t.Fatalf("%q: name %v %q, want %q", raw, name, other, tag)
			}
			if tt == html.EndTagToken {
				continue
			}
			seen := map[string]bool{}
			for {
				var key, value []byte
				key, value, i = nextAttribute(raw, i)
				if len(key) == 0 {
					break
				}
				k := ""
				for _, c := range key {
					k += string([]byte{lower(c)})
				}
				if seen[k] {
					continue
				}
				seen[k] = true
				if !more {
					t.Fatalf("%q: attribute %q is too many", raw, key)
				}
				var wantKey, wantValue []byte
				wantKey, wantValue, more = z.TagAttr()
				k = strings.ReplaceAll(k, "\x00", "\ufffd")
				v := strings.NewReplacer("\x00", "\ufffd", "\r\n", "\n", "\r", "\n").Replace(string(value))
				if k != string(wantKey) || v != string(wantValue) && !strings.Contains(v, "&") {
					t.Fatalf("%q: %q=%q, want %q=%q", raw, k, v, wantKey, wantValue)
				}
			}
			if more {
				t.Fatalf("%q: an attribute is missing", raw)
			}
		}
	})
}

// pieces are what documents of FuzzSoup are made of: the tags that change what a parser does.
var pieces = strings.Split(`http://e.com/ש| x |e.com,|<a>|<a href=x>|</a>|<b>|</b>|<i>|</i>|<code>|</code>|<tt>|</tt>|<nobr>|</nobr>|<font a=1>|<u>|<s>|</s>|</u>|</font>|`+
	`<p>|</p>|<div>|</div>|<span>|</span>|<x-y>|</x-y>|<bdi>|</bdi>|<pre>|</pre>|<h1>|</h2>|<li>|</li>|<ul>|</ul>|<dd>|<dt>|</dd>|<dl>|</dl>|`+
	`<table>|</table>|<tbody>|</tbody>|<thead>|<tr>|</tr>|<td>|</td>|<th>|<caption>|</caption>|<colgroup>|<col>|</colgroup>|`+
	`<form>|</form>|<input type=hidden>|<input>|<button>|</button>|<label>|</label>|<option>|</option>|<optgroup>|<object>|</object>|<marquee>|</marquee>|<applet>|</applet>|`+
	`<ruby>|</ruby>|<rb>|<rt>|<rtc>|<rp>|<hr>|<br>|</br>|<img>|<image>|<wbr>|</wbr>|<WBR a=b/>|<param>|<details>|</details>|<search>|</search>|<summary>|<address>|</address>|`+
	`<title>|</title>|<textarea>|</textarea>|<script>|</script>|<xmp>|</xmp>|<style>|</style>|<iframe>|</iframe>|<noframes>|</noframes>|<noembed>|</noembed>|`+
	`<html>|<head>|</head>|<body>|</body>|</html>|<!doctype html>|<!-- c -->|<!--|-->|<div contenteditable>|<p contenteditable=false>|<p dir=ltr>|<b dir=ltr>|<b role=button>|<b contenteditable>|<body contenteditable>|`+
	`<meta>|<link>|<frame>|<base>|</sarcasm>|</svg>|</template>|</select>|&amp;|&lt|&#x41;|&nbsp;|`+"\n|\x00|\xff|\t|"+
	`<svg>|<svg>|<svg/>|<math>|</math>|<desc>|</desc>|<foreignObject>|</foreignObject>|<mi>|</mi>|<mtext>|<annotation-xml encoding=text/html>|<annotation-xml>|</annotation-xml>|`+
	`<mglyph>|<g>|</g>|<g a=b a=c/>|<path/>|<font color=x>|<![CDATA[|]]>|<![CDATA[ e.com ]]>|<template>|<template>|</template>|<select>|<select>|</select>|<option>|</option>|`+
	`</optgroup>|<keygen>|<noscript>|</noscript>|<noscript>|</noscript>|<noscript><!--</noscript>|<noscript><p a="</noscript>">|<frameset>|<plaintext>|<hgroup>|<b data-bidilink=on>|<div data-bidilink=off>|<p data-bidilink=on>|</p>|</div>`, "|")

// FuzzSoup makes a document of pieces, one a byte.
func FuzzSoup(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 0, 5})
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		f.Add(soup(r, 12))
	}
	for range 40 {
		f.Add(soup(r, 40))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= 200 {
			checkSoup(t, b)
		}
	})
}

// TestSoup does the same with many documents that chance made.
func TestSoup(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 150
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := 0; i < n && !t.Failed(); i++ {
		checkSoup(t, soup(r, 4+r.IntN(20)))
	}
}

// soup returns the bytes of a document of n pieces, every third of them a text that may be linked.
func soup(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		if b[i] = byte(r.IntN(len(pieces))); r.IntN(3) == 0 {
			b[i] = 0
		}
	}
	return b
}

func checkSoup(t *testing.T, b []byte) {
	var doc strings.Builder
	for _, c := range b {
		doc.WriteString(pieces[int(c)%len(pieces)])
	}
	checkProperties(t, doc.String(), nil, Options{})
	checkProperties(t, doc.String(), eager{}, Options{})
	checkProperties(t, doc.String(), nil, displays[doc.Len()%len(displays)])
	checkProperties(t, doc.String(), nil, hooked)
	checkProperties(t, doc.String(), nil, Options{Context: fragments[doc.Len()%len(fragments)]})
	checkProperties(t, doc.String(), eager{}, Options{IsolateExisting: true, Isolate: display.IsolateAll})
}
