// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

var update = flag.Bool("update", false, "write the golden files anew")

// rewritten rewrites doc with our engine and returns the output.
func rewritten(t *testing.T, doc string, o Options) (string, Stats) {
	t.Helper()
	var out bytes.Buffer
	stats, err := Rewrite(&out, strings.NewReader(doc), o)
	if err != nil {
		t.Fatalf("%q: %v", doc, err)
	}
	return out.String(), stats
}

// a is the anchor that is made of a text that is its own href but for the scheme.
func a(text string) string { return `<a href="https://` + text + `">` + text + `</a>` }

// Places where links are made. "@" stands for the link in the text.
func TestLinked(t *testing.T) {
	for _, doc := range []string{
		"@",
		"<p>@",
		"<p>@</p>",
		"<P>see @.</P >",
		"<!doctype html><title>t</title><body>@",
		"<html><head></head><body>@</body></html>",
		"<head><title>t</title><p>@",
		"<meta charset=utf-8>@",
		"<title>t</title>@",
		"</head>@",
		"<b>@</b>", "<i>@", "<span>@</span>", "<x-y>@</x-y>", "<form>@</form>",
		"<h1>@</h1>", "<h6>@", "<th>@", "<figcaption>@", "<cite>@", "<q>@", "<dfn>@", "<time>@", "<address>@",
		"<ruby>x<rp>@<rt>@</ruby>", "<del>@</del>", "<s>@</s>", "<small>@", "<font color=red>@", "<center>@", "<nobr>@",
		"<blockquote>@", "<ul><li>@<li>@</ul>", "<dl><dt>@<dd>@</dl>", "<details>@</details>", "<dialog>@",
		"<p hidden>@", "<p aria-hidden=true>@", "<p inert>@", "<p translate=no>@", "<p class=notranslate>@",
		"<p onclick='x()'>@", "<p tabindex=0>@", "<p role=note>@",
		"<p contenteditable=false>@", "<p contenteditable=nonsense>@", "<p contenteditable=inherit>@",
		"<div contenteditable><p contenteditable=false>@",
		"<table><tr><td>@<th>@</table>", "<table><caption>@</caption></table>@",
		"<table><td>@<table><td>@</table>@</table>",
		"<td>@</td>@", "<tr>@", // without a table, the tags are ignored
		"<br>@<hr>@<img src=x>@<input>@ <wbr>@",
		"@ <!-- c -->@", "@<?pi x?> @", "@ <!bogus>@", "@ </>@", "@ </ x>@", "<!--[if mso]>no.example.com<![endif]-->@", "<![if !mso]>@<![endif]>",
		"<a>x</a> @", "<a href=x>x</a> @<a name=y></a> @",
		"<code>x</code> @", "<pre><code>x</code></pre>@", "<pre><pre>x</pre></pre>@",
		"<button>x</button>@", "<label>x</label>@", "<textarea>x</textarea>@", "<script>x</script>@", "<style>x</style>@",
		"<object>x</object>@", "<video>x</video>@",
		"<b><p>x</b> @", "<i><table></i><td>@",
		"<a>x<p>y</a> @", // the adoption agency ends it in the p
		"<a>x<div>y</div></a>@",
		"<table><a>x</a><td>@",
		"<marquee><a>x</marquee>@", // the marker goes with its element
		"<p><a>x</a></p>@",
		"<code><code>x</code></code> @",
		"</code>@", "</a>@", "</p>@", "</br>@", "</pre>@", "</table>@", "</template>@", "</svg>@", "</select>@",
		"</body>@", "</html>@",
		// What is no place for links ends.
		"<svg></svg>@", "<svg/>@", "<svg><path d='M0 0'/><g></g></svg>@", "<math><mi>x</mi></math>@", "<svg><title>x</title></svg>@", "<svg><style>x</style></svg>@",
		"<svg><p>@", "<svg><g><b>@</b>", "<svg></br>@", "<svg><font size=1>@</font>", // some tags end it
		"<svg><![CDATA[<p>x]]></svg>@", "<svg><desc><p>x</p></desc></svg>@", "<p><svg><desc>x</p>x</svg>@", "<svg><foreignObject><svg></svg>x</foreignObject></svg>@",
		"<svg><a b=c/>x</a></svg>@",
		"<template></template>@", "<template><td>x</template>@", "<template><template>x</template>x</template>@", "<head><template><p>x</template></head>@",
		"<table><template><p>x</template><td>@", "<p><b><template></b></template>@</b>",
		"<select></select>@", "<select><option>x<option>x</select>@", "<select><option>x<select>@", "<select><input>@", "<select><button>x</button></select>@",
		"<select><optgroup><option>x<hr><option>x</optgroup></select>@", "<select><script>x</script></select>@", "<select><div>x</select>@",
		"<table><td><select><option>x<td>@", "<form><select name=x><option selected>x</option></select> @</form>", "<select></div></p></select>@",
		"<noscript></noscript>@", "<noscript><img src=x></noscript>@", "<noscript><p>x</p></noscript>@", "<noscript><p>x</noscript>@", "<noscript><style>x</style></noscript>@",
		"<head><noscript><link></noscript></head>@", "<head><noscript><img></noscript><title>x</title></head><body>@", "<noscript><!-- x --></noscript>@",
		"<svg><noscript></noscript></svg>@", "<![CDATA[x]]>@",
		"<scripty>@", "<textareas>@", "<aa>@", "<codes>@",
		"\x00@", "@\x00", "\ufeff@", "\ufeff<p>@",
		"a < b @", "<3 @", "&@", "&amp; @", "a &lt; b @", "1 <> @",
		"<script><!-- a --></script>@", "<script>'<script'</script>@",
		"<p a='>'>@", `<p a=">" b>@`, "<p a=/>@", "<p/>@",
	} {
		if got, want := must(t, doc), strings.ReplaceAll(doc, "@", a("example.com")); got != want {
			t.Errorf("%s\n got %s\nwant %s", doc, got, want)
		}
	}
}

// must replaces "@" in doc by a host and rewrites it.
func must(t *testing.T, doc string) string {
	t.Helper()
	out, _ := rewritten(t, strings.ReplaceAll(doc, "@", "example.com"), Options{})
	return out
}

// Places where no link is made: the rows H and D of the list of contexts.
func TestNotLinked(t *testing.T) {
	for _, doc := range []string{
		// Tags, comments, declarations.
		"<p title='@'>", "<p @>", "<@>", "</@>", "<!-- @ -->", "<!doctype @>", "<?@?>", "<!@>", "</ @>", "<!-- @", "<!--@-", "<![if @]>",
		"<!--[if mso]>@<![endif]-->",
		// Raw text.
		"<script>@</script>", "<script>@", "<style>@</style>", "<xmp>@</xmp>", "<iframe>@</iframe>", "<noembed>@</noembed>", "<noframes>@</noframes>",
		"<title>@</title>", "<textarea>@</textarea>", "<TEXTAREA>@<b></TEXTAREA >", "<title>@<p>@</p>@</title>", "<script/>@</script>", "<script><!-- @ </script>",
		"<p><xmp><p>@</p></xmp>",
		// Head.
		"<head>@</head>", "<html><head><meta name=x>@", "<head>@<!-- -->@",
		// Interactive content.
		"<a href=x>@</a>", "<a>@</a>", "<a name=x>@</a>", "<A HREF=x>@", "<a><b>@</b></a>", "<a>x<br>@</a>",
		"<button>@</button>", "<button><p>@", "<label>@</label>", "<label><b>@", "<details><summary>@</summary></details>",
		"<p role=button>@", "<p role='x LINK'>@", "<p role=link>@",
		// Text only.
		"<select>@</select>", "<select><option>@</select>", "<select><p>@</p></select>", "<select><button>@</select>", "<select><table><td>@",
		"<select><keygen>@</select>", "<select><textarea></textarea>@</select>", // some have ended it, some not
		"<option>@</option>", "<optgroup>@", "<datalist>@</datalist>", "<datalist><option>@",
		// Foreign content.
		"<svg>@</svg>", "<svg><text>@</text></svg>", "<svg><a>@</a></svg>", "<math>@</math>", "<math><mi>@</mi></math>", "<svg><desc>@</desc></svg>",
		"<svg><foreignObject><p>@</p></foreignObject></svg>", "<math><annotation-xml encoding='text/html'><p>@</p></annotation-xml></math>", "<svg><title>@</svg>",
		"<svg><style>@</style></svg>", "<svg><script>@</script></svg>", "<svg><![CDATA[ @ ]]></svg>", "<svg><![CDATA[><p>@ ]]></svg>", "<svg></p2>@", "<math><mi></p>@",
		"<svg><title><a title='</title></svg>@'>y</a></title></svg>", "<svg><font>@</font></svg>", "<svg><g a=b/>@", "<svg></svg2>@",
		// Inert content.
		"<template>@</template>", "<template><p>@</p></template>", "<template><td>@</template>", "<template><template></template>@", "<head><template>@</template></head>",
		"<template><p>@</p></div>@", "<template></body>@",
		// What some readers see, others not.
		"<noscript>@</noscript>", "<noscript><p>@</p></noscript>", "<head><noscript>@</noscript></head>", "<i><noscript><div></noscript>@", "<noscript><a></noscript>@",
		"<i><noscript><table><td></noscript>@", "<i><noscript><div><p></noscript></p>@", // with scripting off, it goes on
		// Fallback content.
		"<audio>@</audio>", "<video>@</video>", "<canvas>@</canvas>", "<object>@</object>", "<object><p>@", "<applet>@",
		// Program text.
		"<pre>@</pre>", "<code>@</code>", "<samp>@</samp>", "<kbd>@</kbd>", "<tt>@</tt>", "<var>@</var>", "<listing>@</listing>", "<PRE>@</pre>",
		"<pre><code>x</code>@</pre>", "<code><code>x</code>@", "<pre><b>x</pre></b></pre><pre>@",
		// Editable content.
		"<div contenteditable>@", "<div contenteditable=''>@", "<div contenteditable=TRUE>@", "<div contenteditable=plaintext-only>@", "<div contenteditable><p>@",
		"<body contenteditable>@", "<html contenteditable><body>@", "<p>x<body contenteditable>@",
		"<div contenteditable=false><p contenteditable=true>@",
		"<pre><div contenteditable=false>@",
		// Tables outside cells and captions.
		"<table>@</table>", "<table><tbody>@", "<table><thead>@", "<table><tfoot>@", "<table><tr>@", "<table><colgroup>@", "<table><col>@",
		"<table><b>@</b>", "<table><div>@", "<table><tr><td>x</td>@", "<table><caption>x</caption>@", "<table><p>x<td>x</td>@",
		// Misnested, closed by something else, opened again.
		"<p><a>x</p>@", "<div><a>x</div>@", "<a><div>x</a></div><a>@", "<p><code>x</p>@", "<p><code>x<p>@", "<p><tt>x</p><p>@",
		"<a><table></a><td>@", "<a><object></a>@", "<table><td><a>x</table></a><pre>@", "<b><a>x</b>@",
		"<code></pre>@", "<pre></code>@", "<pre><div></pre></div><pre>@", "<button><p></button2>@", "<a></b>@", "<a></p>@", "<code><p></p>@",
		"<label><div></label2></div>@",
		"<a>x<table><a>y<td>@", "<form contenteditable><div></form>@", // off the stack, but still round it
		"<td><a></td>@", // the tags of the cell are ignored
		"<a><p>x</p>@", "<a>x<p>@</a>", "<nobr><code></nobr>@", "<b><i><code>x</b></i>@",
	} {
		doc := strings.ReplaceAll(doc, "@", "example.com")
		if out, stats := rewritten(t, doc, Options{}); out != doc || stats.Links != 0 {
			t.Errorf("%s\n got %s", doc, out)
		}
	}
}

// From here on the document is copied: "@" is linked, "!" is not.
func TestCopied(t *testing.T) {
	for _, c := range []struct {
		doc    string
		reason Reason
		line   int
	}{
		{"@<svg><g a=b a=c/>!</g></svg>!", Foreign, 1},
		{"@\n<p>@</p>\n<math><tr>!</math>!", Foreign, 3},
		{"@<svg></dK></svg>!", Foreign, 1},
		{"@<svg><desc><template>!</template></svg>!", Template, 1},
		{"@<template><col><style>!</style></template>!", Template, 1},
		{"@<select><style>!</style></select>!", Select, 1},
		{"@<select><noscript></noscript></select>!", Select, 1},
		{"@<select><plaintext>!", Plaintext, 1},
		{"<FRAMESET>!", Frameset, 1},
		{"<p>@</p>\n\n<plaintext>!</plaintext>", Plaintext, 3},
		{"@<noscript><p title=\"</noscript>!\">", Noscript, 1},
		{"@<noscript><!-- </noscript>!-->", Noscript, 1},
		{"@<noscript><style></noscript>!</style>", Noscript, 1},
		{"@<noscript><div><svg></noscript>x<![CDATA[!]]>!", CDATA, 1},
		{"@<svg><desc><![CDATA[\x00]]>!", CDATA, 1},
		{"@<table><caption><th>!</table>!", Misnested, 1},
		{"@<b><i><u><s><em><p>x</b>!", Misnested, 1},
		{"<?xml version=\"1.0\"?><p>!", XML, 1},
		{"\ufeff<?xml version=\"1.0\"?><p>!", XML, 1},
		{"\r\n <?xml?><p>!", XML, 1},
		{"@<script><!-- < <script> </script> ! --></script>!", ScriptInner, 1},
		{"@<script>x<!--<SCRIPT></script>!</script>!", ScriptInner, 1},
		{"@" + strings.Repeat("<b>\n", 509) + "!<b>!<b>!", DepthLimit, 510},
		{"@<p>" + strings.Repeat("x", 8<<20) + " !</p>!", TokenLimit, 1},
		{"@<p x='" + strings.Repeat("x", 8<<20) + "'>!", TokenLimit, 1},
		{"<meta charset=x-unknown>! \xe3", Charset, 1},
		{"<meta charset=iso-8859-8>! \xe3", Charset, 1},
		{"@\n<p>http://<wbr>" + strings.Repeat("x", 8<<20) + " !</p>!", TokenLimit, 2},
		{"@\n<p>http://e.org/<wbr title='" + strings.Repeat("x", 8<<20) + "'>!", TokenLimit, 2},
		{"@<p>" + strings.Repeat("\nhttp://e.<wbr>org/xxxxxxxxxxxxxxxxxx", 300<<10) + "!", TokenLimit, 1},
		{"@<p><b><b><b></p>" + strings.Repeat("<div>", 508) + "\x00<wbr>!", DepthLimit, 1},
		{"@" + strings.Repeat(" ", 16<<10) + "<p>\nhttp://e.org/<wbr>\x1b$B<wbr>x", Charset, 1},
		{"@" + strings.Repeat(" ", 16<<10) + "<meta charset=windows-1256>!", Charset, 1},
		{"@" + strings.Repeat(" ", 16<<10) + "<p>\x1b$B!", Charset, 1},
	} {
		in := strings.NewReplacer("@", "example.com", "<!", "<!", "!", "http://example.org/").Replace(c.doc)
		want := strings.ReplaceAll(in, "example.com", a("example.com"))
		out, stats := rewritten(t, in, Options{})
		name := c.doc[:min(len(c.doc), 60)]
		if out != want {
			t.Errorf("%s: got %.200s", name, out)
		}
		if stats.Copied.Reason != c.reason || stats.Copied.Line != c.line {
			t.Errorf("%s: copied %+v, want reason %v in line %d", name, stats.Copied, c.reason, c.line)
		}
		if rest := in[stats.Copied.Offset:]; !strings.HasSuffix(out, rest) || strings.Contains(rest, "example.com") {
			t.Errorf("%s: copied from offset %d", name, stats.Copied.Offset)
		}
		if stats.Bytes != int64(len(in)) {
			t.Errorf("%s: %d bytes, want %d", name, stats.Bytes, len(in))
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"ampersand", "http://e.com/?a=1&amp;b=2", `<a href="http://e.com/?a=1&amp;b=2">http://e.com/?a=1&amp;b=2</a>`},
		{"bare ampersand", "http://e.com/?a=1&b=2", `<a href="http://e.com/?a=1&amp;b=2">http://e.com/?a=1&b=2</a>`},
		{"quote", "http://e.com/?x=&quot;q&quot; x", `<a href="http://e.com/?x=%22q">http://e.com/?x=&quot;q</a>&quot; x`},
		{"nbsp", "e.com&nbsp;next", `<a href="https://e.com">e.com</a>&nbsp;next`},
		{"slashes", "http:&#x2F;&#x2F;e.com/", `<a href="http://e.com/">http:&#x2F;&#x2F;e.com/</a>`},
		{"legacy", "http://e.com/?a=1&copy=2", `<a href="http://e.com/?a=1%C2%A9=2">http://e.com/?a=1&copy=2</a>`},
		{"less", "&lt;http://e.com/&gt;", `&lt;<a href="http://e.com/">http://e.com/</a>&gt;`},
		{"legacy less", "&lthttp://e.com/&gt", `&lt<a href="http://e.com/">http://e.com/</a>&gt`},
		{"decimal", "&#101;.com.", `<a href="https://e.com">&#101;.com</a>.`},
		{"hidden less", "http://e.com/&#60;script&#62;", `<a href="http://e.com/%3Cscript%3E">http://e.com/&#60;script&#62;</a>`},
		{"two characters", "http://e.com/&nvlt;x", `<a href="http://e.com/%3C%E2%83%92x">http://e.com/&nvlt;x</a>`},
		{"cut reference", "http://e.com/&Tab;x http://e.com/&bne;x", `<a href="http://e.com/">http://e.com/</a>&Tab;x <a href="http://e.com/=%E2%83%A5x">http://e.com/&bne;x</a>`},
		{"not a reference", "http://e.com/?a&b;c&#;d&#x;e", `<a href="http://e.com/?a&amp;b;c&amp;#;d&amp;#x;e">http://e.com/?a&b;c&#;d&#x;e</a>`},
		{"comment ends", "http://e.com/<!-- -->path", `<a href="http://e.com/">http://e.com/</a><!-- -->path`},
		{"br ends", "http://e.com/<br>path", `<a href="http://e.com/">http://e.com/</a><br>path`},
		{"tag ends", "<b>http://e.com/</b>path", `<b><a href="http://e.com/">http://e.com/</a></b>path`},
		{"wbr in the host", "http://exa<wbr>mple.com/ x", `<a href="http://example.com/">http://exa<wbr>mple.com/</a> x`},
		{"wbr in the scheme", "see http:<wbr>//e.com/.", `see <a href="http://e.com/">http:<wbr>//e.com/</a>.`},
		{"many wbr", "e.com/<wbr/>a<WBR class='a.b'\n>/<wbr></wbr>b", `<a href="https://e.com/a/b">e.com/<wbr/>a<WBR class='a.b'` + "\n" + `>/<wbr></wbr>b</a>`},
		{"wbr at the ends", "<wbr>e.com<wbr> <wbr>e.org<wbr>, x", `<wbr><a href="https://e.com">e.com</a><wbr> <wbr><a href="https://e.org">e.org</a><wbr>, x`},
		{"wbr and blanks", "e.com<wbr> <wbr>/x", `<a href="https://e.com">e.com</a><wbr> <wbr>/x`},
		{"wbr in an address", "a.b@<wbr>e.<wbr>com", `<a href="mailto:a.b@e.com">a.b@<wbr>e.<wbr>com</a>`},
		{"wbr and references", "e.com/?a&amp;<wbr>b&am<wbr>p;c", `<a href="https://e.com/?a&amp;b&amp;amp;c">e.com/?a&amp;<wbr>b&am<wbr>p;c</a>`},
		{"wbr and isolation", "e.com/<wbr>ש x", `<bdi dir="ltr"><a href="https://e.com/%D7%A9">e.com/<wbr>ש</a></bdi> x`},
		{"wbr in a character", "e.com/\xd7<wbr>\xa9", "<a href=\"https://e.com/\">e.com/</a>\xd7<wbr>\xa9"},
		{"wbr and a comment", "e.com/<wbr><!-- -->x", `<a href="https://e.com/">e.com/</a><wbr><!-- -->x`},
		{"not wbr", "e.com/<wbrx>y<wbr-x>z", `<a href="https://e.com/">e.com/</a><wbrx>y<wbr-x>z`},
		{"wbr in a span", "<span>e.com/</span><wbr>x", `<span><a href="https://e.com/">e.com/</a></span><wbr>x`},
		{"wbr in an anchor", "<a href=x>e.com/<wbr>x</a>", `<a href=x>e.com/<wbr>x</a>`},
		{"wbr opens an anchor again", "<p><a>x</p>\x00<wbr>e.com", "<p><a>x</p>\x00<wbr>e.com"},
		{"wbr in a script", "<script>e.com<wbr>/x</script><title>e.com<wbr></title>e.com", "<script>e.com<wbr>/x</script><title>e.com<wbr></title>" + a("e.com")},
		{"unfinished wbr", "e.com/<wbr", `<a href="https://e.com/">e.com/</a><wbr`},
		{"NUL is not there", "http://exa\x00mple.com/ e.com\x00", "<a href=\"http://example.com/\">http://exa\x00mple.com/</a> <a href=\"https://e.com\">e.com</a>\x00"},
		{"newline ends", "http://e.com/\r\npath", "<a href=\"http://e.com/\">http://e.com/</a>\r\npath"},
		{"CR ends", "http://e.com/\rpath e.com\r", "<a href=\"http://e.com/\">http://e.com/</a>\rpath <a href=\"https://e.com\">e.com</a>\r"},
		{"CR by reference ends", "http://e.com/&#13;path", "<a href=\"http://e.com/\">http://e.com/</a>&#13;path"},
		{"NUL by reference is a character", "e.com/&#0;x", `<a href="https://e.com/%EF%BF%BDx">e.com/&#0;x</a>`},
		{"half a character", "e.com/\xd7 e.org/\xe2\x80.", "<a href=\"https://e.com/\">e.com/</a>\xd7 <a href=\"https://e.org/\">e.org/</a>\xe2\x80."},
		{"windows-1252 by reference", "e.com/&#x80;.", `<a href="https://e.com/%E2%82%AC">e.com/&#x80;</a>.`},
		{"invalid UTF-8 ends", "http://e.com/\xff\xfepath", "<a href=\"http://e.com/\">http://e.com/</a>\xff\xfepath"},
		{"quote in href", `http://e.com/a"b http://e.com/'c'`, ""},
		{"on click", `http://e.com/"onmouseover="alert(1)`, ""},
		{"address", "write to a.b+c@e.com.", `write to <a href="mailto:a.b+c@e.com">a.b+c@e.com</a>.`},
		{"file name", "see README.md, main.rs and e.md/x", `see README.md, main.rs and <a href="https://e.md/x">e.md/x</a>`},
		{"javascript", "javascript:alert(1) javascript://e.com/%0Aalert(1)", "javascript:alert(1) javascript://e.com/%0Aalert(1)"},
		{"settled", "foo.рфhttp://e.com/ e.com", `foo.рфhttp://e.com/ <a href="https://e.com">e.com</a>`},
		{"bytes kept", "<P CLASS=a ID='b'  >x</P ><br/ ><A  HREF=x>y</a\n>", "<P CLASS=a ID='b'  >x</P ><br/ ><A  HREF=x>y</a\n>"},
		{"unfinished tag", "e.com <a href='", `<a href="https://e.com">e.com</a> <a href='`},
		{"unfinished comment", "e.com <!-- ", `<a href="https://e.com">e.com</a> <!-- `},
		{"less at the end", "e.com<", `<a href="https://e.com">e.com</a><`},
		{"empty", "", ""},
	} {
		got, _ := rewritten(t, c.in, Options{})
		if c.want == "" && c.in != "" {
			// Only that nothing gets out of the attribute.
			if strings.Count(got, `"`)-strings.Count(c.in, `"`) != 2*strings.Count(got, "<a ") {
				t.Errorf("%s: %s", c.name, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestIsolate(t *testing.T) {
	const link = `<a href="https://e.com/%D7%A9">e.com/ש</a>`
	const bdi = `<bdi dir="ltr">` + link + `</bdi>`
	for _, c := range []struct {
		in   string
		o    Options
		want string
	}{
		{"e.com/ש e.com", Options{}, bdi + ` <a href="https://e.com">e.com</a>`},
		{"e.com/&#x5e9;", Options{}, `<bdi dir="ltr"><a href="https://e.com/%D7%A9">e.com/&#x5e9;</a></bdi>`},
		{"e.com/%D7%A9", Options{}, `<a href="https://e.com/%D7%A9">e.com/%D7%A9</a>`},
		{"e.com/ש", Options{Isolate: display.IsolateNone}, link},
		{"e.com", Options{Isolate: display.IsolateAll}, `<bdi dir="ltr"><a href="https://e.com">e.com</a></bdi>`},
		{"<bdi>e.com/ש</bdi>", Options{}, "<bdi>" + link + "</bdi>"},
		{"<bdi dir=ltr>e.com/ש</bdi>", Options{}, "<bdi dir=ltr>" + link + "</bdi>"},
		{"<bdi dir=rtl>e.com/ש</bdi>", Options{}, "<bdi dir=rtl>" + bdi + "</bdi>"},
		{"<bdi dir=auto>e.com/ש</bdi>", Options{}, "<bdi dir=auto>" + link + "</bdi>"},
		{"<bdi>ש.com</bdi>", Options{}, `<bdi><bdi dir="ltr"><a href="https://xn--ueb.com">ש.com</a></bdi></bdi>`},
		{"<bdi>1.e.com/ש</bdi>", Options{}, `<bdi><bdi dir="ltr"><a href="https://1.e.com/%D7%A9">1.e.com/ש</a></bdi></bdi>`},
		{"<bdo dir=ltr>\n e.com/ש\n</bdo>", Options{}, "<bdo dir=ltr>\n " + link + "\n</bdo>"},
		{"<BDI>e.com/ש</BDI >", Options{}, "<BDI>" + link + "</BDI >"},
		{"<bdi>e.com/ש", Options{}, "<bdi>" + bdi},
		{"<p><bdi>e.com/ש</p>", Options{}, "<p><bdi>" + bdi + "</p>"},
		{"<bdi>ב e.com/ש</bdi>", Options{}, "<bdi>ב " + bdi + "</bdi>"},
		{"<bdi>e.com/ש.</bdi>", Options{}, "<bdi>" + bdi + ".</bdi>"},
		{"<bdi>e.com/ש e.com/ש</bdi>", Options{}, "<bdi>" + bdi + " " + bdi + "</bdi>"},
		{"<bdi><b>ב</b> e.com/ש</bdi>", Options{}, "<bdi><b>ב</b> " + bdi + "</bdi>"},
		{"<bdi>e.com/ש<b>ב</b></bdi>", Options{}, "<bdi>" + bdi + "<b>ב</b></bdi>"},
		{"<p><b dir=ltr>x</p>e.com/ש</b>", Options{}, "<p><b dir=ltr>x</p>" + bdi + "</b>"},
		{"<p dir=ltr>e.com/ש</p>", Options{}, "<p dir=ltr>" + bdi + "</p>"},
		{"<body dir=ltr>e.com/ש</body>", Options{}, "<body dir=ltr>" + bdi + "</body>"},
		{"<html dir=ltr>e.com/ש</html>", Options{}, "<html dir=ltr>" + bdi + "</html>"},
		{"<td dir=ltr>e.com/ש</td>", Options{}, "<td dir=ltr>" + bdi + "</td>"},
		{"<x-y dir=ltr>e.com/ש</x-y>", Options{}, "<x-y dir=ltr>" + bdi + "</x-y>"},
		{"<b dir=auto>e.com/ש</b>", Options{}, "<b dir=auto>" + link + "</b>"},
		{"<span DIR=LTR>e.com/ש</span>", Options{}, "<span DIR=LTR>" + link + "</span>"},
		{"<span dir=rtl>e.com/ש</span>", Options{}, "<span dir=rtl>" + bdi + "</span>"},
		{"<div dir=ltr><p>e.com/ש", Options{}, "<div dir=ltr><p>" + bdi},
		{"<bdi>e.com</bdi>", Options{Isolate: display.IsolateAll}, `<bdi><a href="https://e.com">e.com</a></bdi>`},
	} {
		if got, _ := rewritten(t, c.in, c.o); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestRightToLeftText checks which links are in right-to-left text: those in an element whose nearest dir says so, and those of a
// block with a right-to-left letter. What % stands for is a link of its own, @ one that is isolated.
func TestRightToLeftText(t *testing.T) {
	const link = `<a href="http://e.com/x/">http://e.com/x/</a>`
	for _, c := range []struct {
		doc string
		dir display.Direction
	}{
		{"% x", 0},
		{"@ x", display.RTL},
		{"<p dir=ltr>% x", display.RTL},
		{"<p dir=rtl>@ x", 0},
		{"<div dir=rtl><p><b>@</b> x", 0},
		{"<div dir=rtl><p dir=ltr><b>% ש</b>", 0},
		{"<p dir=auto>% x", display.RTL},
		{"<p dir=auto>% ש", 0}, // the h of the link is the first letter
		{"<p dir=auto>ש @", 0},
		{"<p dir=auto>x % ש", 0},
		{"<div dir=auto>ש<p>@ x", 0},
		{"<p dir=auto><bdi>ש</bdi> x %", 0},
		{"<p dir=auto><code>ש</code> @", 0},
		{"<div dir=rtl><p dir=auto>% x", 0},
		{"<div dir=rtl><bdi>% x</bdi>", 0},
		{"<div dir=nonsense>@ ש", 0},
		{"<p>@ ש", 0},
		{"<p>\u202e@ x", 0},
		{"<p dir=ltr>x &#x2067;@ x", 0},
		{"<p dir=auto><b>x\u202b</b>@", 0},
		{"<p>% \u2066%\u2069<p>%", 0},
		{"<p>\u2068x<p>%", 0},
		{"<p>ש @", 0},
		{"<p>@ <b>ש</b> @ x", 0},
		{"<p>@ &#x5e9;", 0},
		{"<p>@<br>ש", 0},
		{"<p>@ <code>ש</code>", 0},
		{"<p>@ <a href=x>ש</a>", 0},
		{"<p>@ <script>ש</script> &#1488", 0},
		{"<p>% <script>ש</script> <!-- ש --> <img alt=ש>", 0},
		{"<p>% ٣", 0}, // an Arabic number is no letter
		{"<p>% <p>ש", 0},
		{"<p>ש<p>%", 0},
		{"<p>%</p>ש", 0},
		{"<li>%<ul><li>ש</ul>@ ש", 0},
		{"<td>%</td><td>@ ש", 0},
		{"<search>%</search>ש", 0},
		{"@ <x-y>ש</x-y>", 0},
		{"% http://ש.com/", 0}, // a link says nothing about the text
	} {
		doc := strings.NewReplacer("%", "http://e.com/x/", "@", "http://e.com/x/").Replace(c.doc)
		want := strings.NewReplacer("%", link, "@", `<bdi dir="ltr">`+link+`</bdi>`,
			"http://ש.com/", `<bdi dir="ltr"><a href="http://xn--ueb.com/">http://ש.com/</a></bdi>`).Replace(c.doc)
		if got, _ := rewritten(t, doc, Options{Dir: c.dir}); got != want {
			t.Errorf("%s\n got %s\nwant %s", doc, got, want)
		}
		for _, isolation := range []display.Isolation{display.IsolateBidi, display.IsolateAll, display.IsolateNone} {
			one := link
			if isolation == display.IsolateAll {
				one = `<bdi dir="ltr">` + link + `</bdi>`
			}
			want := strings.NewReplacer("%", one, "@", one).Replace(c.doc)
			if got, _ := rewritten(t, doc, Options{Dir: c.dir, Isolate: isolation}); got != want && !strings.Contains(doc, "ש.com") {
				t.Errorf("%v: %s\n got %s\nwant %s", isolation, doc, got, want)
			}
		}
	}
}

// TestFirstLetter checks that a link in an element with dir=auto waits for the first letter in that element, whatever else is in its block, and that what else
// is held back stays in order.
func TestFirstLetter(t *testing.T) {
	environment := Options{Order: display.Environment}
	for _, c := range []struct {
		doc      string
		o        Options
		isolates string // the directions of the links, "-" for one without an isolate
	}{
		{"<p dir=auto>@ <bdi>ש</bdi> שלום", environment, "rtl"},
		{"<p dir=auto>@ <bdi>ש</bdi> words", environment, "ltr"},
		{"<p dir=auto>@ <bdi>ש</bdi>", environment, "ltr"},
		{"<p dir=auto>@ <bdi>ש</bdi> <i>x</i> שלום", environment, "ltr"},
		{"<p dir=auto>@ <span dir=auto>ש</span> <i>שלום</i>", environment, "rtl"},
		{"<p dir=auto>some words here <b>x</b> and more <i>@</i> שלום", environment, "ltr"},
		{"<p>@ <span dir=auto>@ <bdi>ש</bdi> שלום</span>", environment, "ltr rtl"},
		{"<p>http://e.com/ <span dir=auto>@ <bdi>ש</bdi> words</span> http://e.com/ @", Options{}, "ltr ltr ltr ltr"},
		{"<p>http://e.com/ <span dir=auto>@ <bdi>ש</bdi> words</span><p>http://e.com/ @", Options{}, "ltr ltr - ltr"},
	} {
		doc := strings.ReplaceAll(c.doc, "@", "http://ש.com/ש")
		for _, reference := range []bool{false, true} {
			o := c.o
			o.ReferenceScanner = reference
			got, _ := rewritten(t, doc, o)
			var isolates []string
			parts := strings.Split(got, "<a ")
			for _, before := range parts[:len(parts)-1] {
				switch {
				case strings.HasSuffix(before, `<bdi dir="ltr">`):
					isolates = append(isolates, "ltr")
				case strings.HasSuffix(before, `<bdi dir="rtl">`):
					isolates = append(isolates, "rtl")
				default:
					isolates = append(isolates, "-")
				}
			}
			if s := strings.Join(isolates, " "); s != c.isolates {
				t.Errorf("%s, reference %v: %s, want %s\n%s", doc, reference, s, c.isolates, got)
			}
			// The insertions are recorded in order.
			edits, _, err := Edits([]byte(doc), o)
			var b strings.Builder
			at := int64(0)
			for _, e := range edits {
				b.WriteString(doc[at:e.Start] + e.Text)
				at = e.End
			}
			if b.WriteString(doc[at:]); err != nil || b.String() != got {
				t.Errorf("%s: %v\n edits %s\noutput %s", doc, err, b.String(), got)
			}
		}
	}
}

// TestHeld checks that what is held back until the end of a block has a limit.
func TestHeld(t *testing.T) {
	doc := "<p>e.com/ " + strings.Repeat("<i>x</i> e.com/ ", 100) + "ש"
	got, stats := rewritten(t, doc, Options{MaxToken: 400})
	if stats.Links != 101 || stats.Isolated == 0 || stats.Isolated > 20 {
		t.Errorf("%+v", stats)
	}
	if plain := strings.NewReplacer(`<a href="https://e.com/">`, "", "</a>", "", `<bdi dir="ltr">`, "", "</bdi>", "").Replace(got); plain != doc {
		t.Errorf("got %s", got)
	}
}

// TestOrders checks the mark-up of the orders and profiles, and of bidi controls.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		in   string
		o    Options
		want string
	}{
		{"http://אב.גד/x", Options{}, `<bdi dir="ltr"><A>http://<bdi dir="ltr">אב</bdi>.<bdi dir="ltr">גד</bdi>/x</a></bdi>`},
		{"http://אב.גד/x", Options{Profile: display.Mail}, `<bdi dir="ltr"><A><span dir="ltr">http://<span dir="ltr">אב</span>.<span dir="ltr">גד</span>/x</span></a></bdi>`},
		{"http://אב.גד/x", Options{Order: display.Embedding}, `<bdi dir="ltr"><A>http://אב.גד/x</a></bdi>`},
		{"http://אב.גד/x", Options{Order: display.Content}, `<bdi dir="rtl"><A>http://אב.גד/x</a></bdi>`},
		{"http://אב.גד/x", Options{Order: display.TLD}, `<bdi dir="rtl"><A>http://אב.גד/x</a></bdi>`},
		{"http://אב.com/x", Options{Order: display.TLD}, `<bdi dir="ltr"><A>http://אב.com/x</a></bdi>`},
		{"http://אב.גד/x", Options{Order: display.Environment}, `<bdi dir="ltr"><A>http://<bdi dir="ltr">אב</bdi>.<bdi dir="ltr">גד</bdi>/x</a></bdi>`},
		{"<p dir=rtl>http://אב.גד/x</p>", Options{Order: display.Environment}, `<p dir=rtl><bdi dir="rtl"><A>http://אב.גד/x</a></bdi></p>`},
		{"<p dir=rtl>http://e.com/x", Options{Order: display.Environment}, `<p dir=rtl><bdi dir="rtl"><A><bdi dir="rtl">http</bdi>://<bdi dir="rtl">e</bdi>.<bdi dir="rtl">com</bdi>/<bdi dir="rtl">x</bdi></a></bdi>`},
		{"<p dir=auto>http://e.com/", Options{Order: display.Environment, Dir: display.RTL}, `<p dir=auto><A>http://e.com/</a>`},
		{"<span dir=rtl>http://אב.גד/x</span>", Options{Order: display.Content}, `<span dir=rtl><A>http://אב.גד/x</a></span>`},
		{"<span dir=ltr>http://אב.גד/x</span>", Options{Profile: display.Mail}, `<span dir=ltr><A>http://<span dir="ltr">אב</span>.<span dir="ltr">גד</span>/x</a></span>`},
		{"<bdi>http://אב.גד/x</bdi>", Options{Profile: display.Mail}, `<bdi><A><span dir="ltr">http://<span dir="ltr">אב</span>.<span dir="ltr">גד</span>/x</span></a></bdi>`},
		{"http://e.com/٣/ב", Options{}, `<bdi dir="ltr"><A>http://e.com/<bdi dir="ltr">٣</bdi>/<bdi dir="ltr">ב</bdi></a></bdi>`},
		{"http://e.com/אב%20גד", Options{}, `<bdi dir="ltr"><A>http://e.com/אב<bdi dir="ltr">%20</bdi>גד</a></bdi>`},
		{"http://e.com/א&#x202E;ב/<wbr>ג", Options{}, `<bdi dir="ltr"><A>http://e.com/<bdi dir="ltr">א<bdi dir="ltr">%E2%80%AE</bdi>ב</bdi>/<wbr><bdi dir="ltr">ג</bdi></a></bdi>`},
		{"http://e.com/a\u2069b", Options{}, `<bdi dir="ltr"><A>http://e.com/a%E2%81%A9b</a></bdi>`},
		{"http://e.com/a\u2069b", Options{Isolate: display.IsolateNone}, `<A>http://e.com/a%E2%81%A9b</a>`},
		{"http://e.com/א&sol;ב", Options{}, `<bdi dir="ltr"><A>http://e.com/<bdi dir="ltr">א</bdi>&sol;<bdi dir="ltr">ב</bdi></a></bdi>`},
	} {
		c.o.Links.ExtraTLDs = []string{"גד"}
		got, _ := rewritten(t, c.in, c.o)
		i := strings.Index(got, "<a ")
		end := strings.IndexByte(got[max(i, 0):], '>')
		if i < 0 || got[:i]+"<A"+got[i+end:] != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestWrapFileNames checks which file names are isolated, and how.
func TestWrapFileNames(t *testing.T) {
	const bdi, end = `<bdi dir="ltr">`, "</bdi>"
	for _, c := range []struct {
		in, want string
		o        Options
	}{
		{`c:\אב\גד\הו.txt, x`, bdi + `c:\` + bdi + "אב" + end + `\` + bdi + "גד" + end + `\` + bdi + "הו.txt" + end + end + ", x", Options{}},
		{`c:\אב\ef.txt`, bdi + `c:\אב\ef.txt` + end, Options{}},
		{`אב&#47;גד`, bdi + bdi + `אב` + end + `&#47;` + bdi + `גד` + end + end, Options{}},
		{`אב/גד`, bdi + `אב/גד` + end, Options{Order: display.Embedding}},
		{`אב/גד`, `<bdi dir="rtl">אב/גד` + end, Options{Order: display.Content}},
		{`אב/cd`, bdi + `<span dir="ltr">אב/cd</span>` + end, Options{Profile: display.Mail}},
		{"ab/cd אב ab.txt /usr/", "ab/cd אב ab.txt /usr/", Options{}},
		{"<bdi><b>אב/גד</b></bdi><code>אב/גד</code>", "<bdi><b>אב/גד</b></bdi><code>אב/גד</code>", Options{}},
		{"<b dir=ltr>אב/cd</b>", "<b dir=ltr>אב/cd</b>", Options{}},
		{"http://e.com/אב ab/אב", bdi + `<a href="http://e.com/%D7%90%D7%91">http://e.com/אב</a>` + end + " " + bdi + "ab/אב" + end, Options{}},
		{"אב/גד", "אב/גד", Options{Isolate: display.IsolateNone}},
	} {
		c.o.WrapFileNames = true
		if got, _ := rewritten(t, c.in, c.o); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
	if got, stats := rewritten(t, "ab/אב e.com", Options{WrapFileNames: true, Links: engine.Options{Bare: engine.BareNone}}); got != bdi+"ab/אב"+end+" e.com" || stats.FileNames != 1 || stats.Links != 0 {
		t.Errorf("%s, %+v", got, stats)
	}
}

func TestRefuse(t *testing.T) {
	const doc = "http://e.com/x http://e.com/a\u202eb http://אב.com/גד (http://e.com/a\u202eb) http://אב.גד.com/"
	got, stats := rewritten(t, doc, Options{Refuse: display.WarnControl | display.WarnCrossing})
	// What is no link is right-to-left text.
	want := strings.Replace(doc, "http://e.com/x", `<bdi dir="ltr"><a href="http://e.com/x">http://e.com/x</a></bdi>`, 1)
	want = strings.Replace(want, "http://אב.com/גד", `<bdi dir="ltr"><a href="http://xn--4dbc.com/%D7%92%D7%93">http://אב.com/גד</a></bdi>`, 1)
	if got != want || stats.Links != 2 {
		t.Errorf("%+v\n got %s\nwant %s", stats, got, want)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		in   string
		o    Options
		want string
	}{
		{"README.md", Options{LinkFileNames: true}, a("README.md")},
		{"README.md", Options{Links: engine.Options{FileNames: false}}, "README.md"},
		{"e.com", Options{Links: engine.Options{Bare: engine.BareNone}}, "e.com"},
		{"a@e.com", Options{Links: engine.Options{NoEmail: true}}, "a@e.com"},
		{"e.com", Options{Links: engine.Options{HTTP: true}}, `<a href="http://e.com">e.com</a>`},
		{"http://e.com/é", Options{Links: engine.Options{IRI: true}}, `<a href="http://e.com/é">http://e.com/é</a>`},
		{"<b><b><b>e.com", Options{MaxDepth: 10}, "<b><b><b>" + a("e.com")},
		{"<b><b><b>e.com", Options{MaxDepth: 9}, "<b><b><b>e.com"},
		{"e.com<b>e.com is it</b>e.com", Options{MaxToken: 8}, a("e.com") + "<b>e.com is it</b>e.com"},
	} {
		want := strings.ReplaceAll(c.want, `"https://README.md"`, `"https://readme.md"`)
		if got, _ := rewritten(t, c.in, c.o); got != want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, want)
		}
	}
	for _, o := range []Options{
		{MaxToken: -1}, {MaxDepth: -1}, {Isolate: 9}, {Order: 9}, {Profile: 9}, {Dir: 9}, {Links: engine.Options{Schemes: []string{"javascript"}}},
	} {
		var out bytes.Buffer
		if _, err := Rewrite(&out, strings.NewReader("e.com"), o); err == nil || out.Len() > 0 {
			t.Errorf("%+v: %v, %q", o, err, out.String())
		}
	}
}

// TestSelectors checks the options about elements, and data-bidilink. "@" is linked, "!" is not.
func TestSelectors(t *testing.T) {
	for _, c := range []struct{ skip, linkIn, doc string }{
		{"", "", "<p data-bidilink=off>! <b data-bidilink=on>@ <i>@ </b>!"},
		{"", "", "<pre data-bidilink=on>@<code>!</code></pre><pre>! <b data-bidilink=ON>@"},
		{"", "", "<p data-bidilink=>@<p data-bidilink>@<p data-bidilink=no>@<p data-bidilink=off data-bidilink=on>!<p data-bidilink=o&#102;f>!"},
		{"", "", "<a data-bidilink=on>!</a><button data-bidilink=on>!</button><svg data-bidilink=on>!</svg><div contenteditable>! <p data-bidilink=on>@</div><div contenteditable data-bidilink=on>@"},
		{"", "[contenteditable]", "<div contenteditable>@ <b>@</b></div><b contenteditable>@</b>"}, {"", "[contenteditable]", "<b contenteditable><p data-bidilink=on>!</b>"},
		{"", "", "<body data-bidilink=off>!<p data-bidilink=on>@"},
		{"", "", "<tt><p data-bidilink=on>!</tt>"}, {"", "", "<tt><i data-bidilink=on>@</i></tt>"}, {"", "", "<pre><p data-bidilink=on>@"},
		{"", "", "<b contenteditable><p contenteditable=false>!</b>"}, {"", "", "<tt><i data-bidilink=on><p>!</tt>"},
		{"", "", "<p role=button>!<p role=button data-bidilink=on>@"},
		{"", "pre, code,label", "<pre>@ <code>@</code></pre><label>@</label><kbd>!</kbd>"},
		{"", "*", "<pre>@ <code>@</code></pre><a>!</a><template>!</template><template><p>@</template><p role=link>@"},
		{"", "template", "<template>!<td>@</template><template><p>@</template><template><tr>!<td>@</template><template><template><div>@</template>!</template>"},
		{"", "pre.mail", "<pre>!</pre><pre class='x mail'>@</pre><pre class=mails>!</pre><p class=mail>@"},
		{"blockquote", "", "<blockquote>!<p>!</blockquote>@"},
		{".nolink,#toc", "", "<p class='a nolink b'>!<p class=NOLINK>@<p id=toc>!<p id=tocs>@"},
		{"[hidden], [aria-hidden=true], [translate='no']", "", "<p hidden>!<p HIDDEN=''>!<p aria-hidden=true>!<p aria-hidden=false>@<p translate=no>!<p translate=n&#111;>!<p translate>@"},
		{"p[lang=\"x,y\"].z", "", "<p lang='x,y' class=z>!<p lang='x,y'>@<div lang='x,y' class=z>@"},
		{"x-y", "x-z", "<x-y>! <x-z>@ </x-y>@"},
		{"pre", "pre", "<pre>!</pre>@"},
		{"div", "p", "<div>!<p>@<div>!</div></div>"},
		{"*", "", "!<p>!"},
	} {
		in := strings.NewReplacer("@", "example.com", "!", "http://example.org/").Replace(c.doc)
		want := strings.ReplaceAll(in, "example.com", a("example.com"))
		if c.skip == "*" {
			want = strings.Replace(in, "http://example.org/<p>", `<a href="http://example.org/">http://example.org/</a><p>`, 1) // body has no tag
		}
		if got, _ := rewritten(t, in, Options{Skip: c.skip, LinkIn: c.linkIn}); got != want {
			t.Errorf("%q %q\n got %s\nwant %s", c.skip, c.linkIn, got, want)
		}
	}
	for _, bad := range []string{"p q", "p>q", ".", "#", "[", "[x", "[x=", "[x='y]", "p,", ",p", "p,,q", "!", "p:hover(", "[=x]"} {
		var out bytes.Buffer
		if _, err := Rewrite(&out, strings.NewReader("e.com"), Options{Skip: bad}); err == nil || out.Len() > 0 {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, name := range []string{"a", "BUTTON", "svg", "textarea.x", "script", "head", "option", "noscript", "math[x]"} {
		if _, err := Rewrite(io.Discard, strings.NewReader("e.com"), Options{LinkIn: name}); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
}

func TestStats(t *testing.T) {
	_, stats := rewritten(t, "e.com a@e.com e.com/ש <p>README.md", Options{})
	if want := (Stats{Links: 3, Isolated: 1, Bytes: 35}); stats != want {
		t.Errorf("got %+v, want %+v", stats, want)
	}
	for r := NotCopied; r <= DepthLimit; r++ {
		if r.String() == "" || r.String() == Reason(99).String() {
			t.Errorf("Reason(%d) has no text", r)
		}
	}
}

func TestRefused(t *testing.T) {
	utf16 := func(s string, first int) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			b.WriteString([]string{string([]byte{c, 0}), string([]byte{0, c})}[first])
		}
		return b.String()
	}
	for _, c := range []struct {
		name, in string
		want     error
	}{
		{"UTF-16LE", "\xff\xfe" + utf16("<p>e.com", 0), ErrEncoding},
		{"UTF-16BE", "\xfe\xff" + utf16("<p>e.com", 1), ErrEncoding},
		{"UTF-16LE without mark", utf16("<p>e.com", 0), ErrEncoding},
		{"UTF-16BE without mark", utf16("<p>e.com", 1), ErrEncoding},
		{"UTF-32LE", "\xff\xfe\x00\x00<\x00\x00\x00", ErrEncoding},
		{"UTF-32BE", "\x00\x00\xfe\xff\x00\x00\x00<", ErrEncoding},
		{"declared UTF-16", "<meta charset=utf-16>e.com", ErrEncoding},
		{"declared ISO-2022-JP", `<html><head><META http-equiv="Content-Type" content="text/html; charset=ISO-2022-JP">e.com`, ErrEncoding},
		{"declared ISO-2022-KR", "<meta charset=' iso-2022-kr '>e.com", ErrEncoding},
		{"declared HZ", "<meta charset=hz-gb-2312>e.com", ErrEncoding},
		{"declared UTF-7", "<meta charset=utf-7>e.com", ErrEncoding},
		{"ISO-2022-JP by its escapes", "<p>\x1b$B%5!<%P!<\x1b(B e.com", ErrEncoding},
		{"declared otherwise", "<meta charset=iso-8859-1><p>\x1b$B%5!<%P!<\x1b(B e.com", ErrEncoding},
		{"katakana of ISO-2022", "<p>\x1b(I4^5_ http://e.com \x1b(B", ErrEncoding},
		{"PNG", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00", ErrBinary},
		{"compressed", "\x1f\x8b\x08\x00" + strings.Repeat("\xcb\x48\xcd\xc9", 1000), ErrBinary},
		{"NUL and half a character", "<p>\x00x\xd7", ErrBinary},
		{"zeros", strings.Repeat("\x00", 100), ErrBinary},
	} {
		var out bytes.Buffer
		if _, err := Rewrite(&out, strings.NewReader(c.in), Options{}); !errors.Is(err, c.want) || out.Len() > 0 {
			t.Errorf("%s: %v, %q written", c.name, err, out.String())
		}
	}
	for _, in := range []string{
		"<meta charset=utf-8>@", "<meta charset=UTF8>@", "<meta charset=windows-1252>@ é", "<meta charset=shift_jis>@", "<!-- <meta charset=utf-16> -->@",
		"<script>'<meta charset=utf-16>'</script>@", "<meta name=x content='charset=utf-16'>@", "\ufeff<meta charset=utf-16>@",
		"<meta charset=utf-8>@ <pre>\x1b$ ls</pre>", "\ufeff@ \x1b$", "<p>\x1b(B @ \x1b[0m", "<!doctype html><meta charset=windows-1251><p>\xcf\xf0\xe8 @\x00 x and more text",
		"<meta http-equiv=content-type content='charset; text/html; charset=windows-1251'>@ \xcf", "<meta http-equiv=content-type content='charset=\"utf-16; charset=utf-16'>@",
		"<meta http-equiv=content-type content='text/html; charset=\"utf-8\"; x'>@",
	} {
		if got, want := must(t, in), strings.ReplaceAll(in, "@", a("example.com")); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// A failing reader: what was read is written, and the last piece, which may be cut, is not linked.
func TestReadError(t *testing.T) {
	boom := errors.New("boom")
	for _, in := range []string{"", "e.com", "<p>e.com</p>", "<p>e.com/pa", "<p title='", strings.Repeat("<p>x", 10000) + "e.com", "<meta charset=latin1>\xff e.com"} {
		var out bytes.Buffer
		stats, err := Rewrite(&out, io.MultiReader(strings.NewReader(in), iotest.ErrReader(boom)), Options{})
		if !errors.Is(err, boom) || !strings.Contains(err.Error(), "reading") {
			t.Errorf("%.20q: %v", in, err)
		}
		if out.String() != in || stats.Bytes != int64(len(in)) {
			t.Errorf("%.20q: %.80q", in, out.String())
		}
	}
	if _, err := Rewrite(io.Discard, stuck{}, Options{}); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// A failing writer ends it.
func TestWriteError(t *testing.T) {
	doc := strings.Repeat("<p>e.com</p>\n", 20000)
	for _, in := range []string{doc, "<svg>" + doc, "e.com"} {
		w := &failing{left: 3}
		if _, err := Rewrite(w, strings.NewReader(in), Options{}); !errors.Is(err, io.ErrClosedPipe) || !strings.Contains(err.Error(), "writing") {
			t.Error(err)
		}
		if w.left == 0 && w.calls != 1 {
			t.Errorf("%d calls after the error", w.calls)
		}
	}
}

type failing struct{ left, calls int }

func (w *failing) Write(p []byte) (int, error) {
	w.calls++
	n := min(len(p), w.left)
	w.left -= n
	if n < len(p) {
		return n, io.ErrClosedPipe
	}
	return n, nil
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.html")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, ".want.html") {
			continue
		}
		seen++
		want := strings.TrimSuffix(file, ".html") + ".want.html"
		t.Run(filepath.Base(file), func(t *testing.T) { golden(t, file, want) })
	}
	if seen == 0 {
		t.Error("no files")
	}
	t.Run("demo", func(t *testing.T) {
		golden(t, filepath.Join("..", "testdata", "demo", "page.html"), filepath.Join("..", "testdata", "demo", "page.want.html"))
	})
}

func golden(t *testing.T, file, want string) {
	in, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	checkProperties(t, string(in), nil, Options{})
	got, _ := rewritten(t, string(in), Options{})
	if *update {
		if err := os.WriteFile(want, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	wanted, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(wanted), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		var g, w string
		if i < len(gotLines) {
			g = gotLines[i]
		}
		if i < len(wantLines) {
			w = wantLines[i]
		}
		if g != w {
			t.Errorf("%s:%d\n got %s\nwant %s", want, i+1, g, w)
		}
	}
}

// TestTails checks that no link is made of the tail of what the reader sees as one word, over tags of phrasing and comments; nor
// that text beside them is lost where it is a word of its own.
func TestTails(t *testing.T) {
	link := a("example.com")
	for doc, want := range map[string]string{
		"<b>my</b>@":                     "<b>my</b>example.com",
		"my<!-- -->@":                    "my<!-- -->example.com",
		"my<i></i><!-- --><b>@</b>":      "my<i></i><!-- --><b>example.com</b>",
		"me@<span>@</span>":              "me@<span>example.com</span>",
		"http://user@<i>@</i>":           "http://user@<i>example.com</i>",
		"ftp://<u>@</u>":                 "ftp://<u>example.com</u>",
		"https://<!-- -->@/":             "https://<!-- -->example.com/",
		"<a href=x>my</a>@":              "<a href=x>my</a>example.com",
		"my&#45;<b>@</b>":                "my&#45;<b>example.com</b>",
		"my <b>@</b>":                    "my <b>" + link + "</b>",
		"my&nbsp;<b>@</b>":               "my&nbsp;<b>" + link + "</b>",
		"my:<b>@</b>":                    "my:<b>" + link + "</b>",
		"<b>my</b>(@)":                   "<b>my</b>(" + link + ")",
		"my<br>@":                        "my<br>" + link,
		"<p>my</p>@":                     "<p>my</p>" + link,
		"<td>my</td><td>@":               "<td>my</td><td>" + link,
		"<b>my</b> @ <i>x</i>":           "<b>my</b> " + link + " <i>x</i>",
		"<code>my</code>@":               "<code>my</code>example.com",
		"<code>my</code> @":              "<code>my</code> " + link,
		"<code>@</code>: @":              "<code>example.com</code>: " + link,
		"<var>my</var><i>@</i>":          "<var>my</var><i>example.com</i>",
		"<kbd>my</kbd><tt>-</tt>@":       "<kbd>my</kbd><tt>-</tt>example.com",
		"<b>שלום</b>https://example.com": "<b>שלום</b>" + `<bdi dir="ltr"><a href="https://example.com">https://example.com</a></bdi>`,
	} {
		if !strings.Contains(doc, "me@") && !strings.Contains(doc, "user@") {
			doc = strings.ReplaceAll(doc, "@", "example.com")
		} else {
			doc = strings.ReplaceAll(doc, ">@<", ">example.com<")
		}
		if got, _ := rewritten(t, doc, Options{}); got != want {
			t.Errorf("%s\n got %s\nwant %s", doc, got, want)
		}
	}
}

// TestLocalTails checks the same for addresses, of which a part stands in an element.
func TestLocalTails(t *testing.T) {
	for _, doc := range []string{
		"list-<em>name</em>-request@example.com", "list-<em><code>name</code></em>-request@example.com", "<code>тема</code>-request@example.com", "<i>имя</i>фамилия@example.com",
		"<var>名</var>a@example.com", "<code>https://</code>example.com", "<code>example</code>.example.com",
	} {
		if got, _ := rewritten(t, doc, Options{}); got != doc {
			t.Errorf("%s\n got %s", doc, got)
		}
	}
}

// TestMagic checks that other formats are refused before anything is written.
func TestMagic(t *testing.T) {
	for _, m := range magic {
		var b strings.Builder
		if _, err := Rewrite(&b, strings.NewReader(m.begin+" see example.com"), Options{}); !errors.Is(err, ErrBinary) || b.Len() > 0 {
			t.Errorf("%s: %v, wrote %q", m.name, err, b.String())
		}
	}
}

// TestCouldHoldLink checks that no text is passed over that has a link, or a right-to-left letter.
func TestCouldHoldLink(t *testing.T) {
	parts := []string{
		"a", "e.com", ".", ". ", ".\n", " ", ":", "@", "&", "&amp;", "&nbsp;", "&lt;", "&gt;", "&quot;", "&#39;", "&period;", "&#46;", "&commat", "com", "http", "//", "[::1]", "mailto",
		"1", "-", ",", "\x00", "ש", "é", "\xff", "。", "some words", "\v", "&nbsp", "&rlm;", "localhost",
	}
	var detectors []*engine.Detector
	for _, o := range []engine.Options{{}, {Strict: true}, {LocalHosts: true}} {
		d, err := engine.New(o)
		if err != nil {
			t.Fatal(err)
		}
		detectors = append(detectors, d)
	}
	r := rand.New(rand.NewPCG(5, 6))
	held, passed := 0, 0
	for range 100_000 {
		var s string
		for range 1 + r.IntN(8) {
			s += parts[r.IntN(len(parts))]
		}
		if couldHoldLink(s) {
			held++
			continue
		}
		passed++
		var text run
		text.decode([]byte(s), nil)
		for _, d := range detectors {
			if l, ok := d.Find(text.text, 0); ok {
				t.Fatalf("%q holds %q", s, l.In(text.text))
			}
		}
		if display.RightToLeft(text.text) || display.HasControl(text.text) {
			t.Fatalf("%q is right-to-left", s)
		}
	}
	if held < 1000 || passed < 1000 {
		t.Errorf("%d held, %d passed", held, passed)
	}
}

// TestNeedsLayout checks that the links that no layout is asked for have none.
func TestNeedsLayout(t *testing.T) {
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var w walker
	text := "http://a.b@1.2.3.4:80/%D7%A9/-/%d7%90.1?x=%D9%A3&y#%E2%80%8F see www.example.com/(a)/1, a.b@xn--4dbrk0ce.com mailto:x@example.com?y=1 http://[::1]/x"
	n := 0
	for l := range d.Links(text) {
		for _, w.o.Order = range []display.Order{display.Constant, display.Environment, display.Embedding, display.Content, display.TLD} {
			for _, dir := range []display.Direction{display.Unknown, display.LTR, display.RTL} {
				if w.needsLayout(l.In(text), context{paragraph: dir}) {
					continue
				}
				n++
				if y := w.o.Order.Layout(text, l, dir); y.Dir != display.LTR || len(y.Inner) > 0 || len(y.AppendEdits(nil, text, display.Web)) > 0 {
					t.Errorf("%v, %v: %q is %v", w.o.Order, dir, l.In(text), y)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d layouts", n)
	}
}

// TestMaxLinks checks that the limit counts the anchors of the input, so that a second run stops where the first did.
func TestMaxLinks(t *testing.T) {
	const in = "<p><a href=x>x</a>\n<p>@\n<p>@, @\n<p>@ <a>x</a>"
	for limit, want := range []struct {
		links, line int
	}{{4, 0}, {0, 2}, {1, 3}, {1, 3}, {3, 4}, {4, 0}, {4, 0}} {
		doc := strings.ReplaceAll(in, "@", "example.com")
		got, stats := rewritten(t, doc, Options{MaxLinks: limit})
		if expected := strings.Replace(in, "@", a("example.com"), want.links); got != strings.ReplaceAll(expected, "@", "example.com") {
			t.Errorf("%d: got %s", limit, got)
		}
		if reason := stats.Copied.Reason; stats.Links != want.links || stats.Copied.Line != want.line || (want.line != 0) != (reason == LinkLimit) {
			t.Errorf("%d: %+v", limit, stats)
		}
	}
}

// A peeker looks at something whenever a link is sought.
type peeker struct {
	*engine.Detector
	look func()
}

func (p peeker) Find(text string, from int) (engine.Link, bool) {
	p.look()
	return p.Detector.Find(text, from)
}

// TestHeldBack checks that what waits for the end of a block is bounded, with the links in it.
func TestHeldBack(t *testing.T) {
	doc := strings.Repeat("e.com<br>", 1000)
	d, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var w *walker
	most := 0
	look := peeker{d, func() { most = max(most, len(w.out.slots)) }}
	if w, err = newWalker(io.Discard, strings.NewReader(doc), Options{MaxToken: 20_000}, look, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.document(); err != nil {
		t.Fatal(err)
	}
	if most < 2 || most > 100 {
		t.Errorf("%d links were held back", most)
	}
}

// TestSizeLimit checks the reason that is given for a long document whose encoding takes a look at all of it.
func TestSizeLimit(t *testing.T) {
	doc := "<meta charset=iso-8859-1>" + strings.Repeat("<p>e.com", 100)
	if got, stats := rewritten(t, doc, Options{MaxToken: 400}); got != doc || stats.Copied.Reason != SizeLimit {
		t.Errorf("%+v", stats)
	}
}

func TestXHTML(t *testing.T) {
	const declaration = `<?xml version="1.0" encoding="utf-8"?>`
	const page = "\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>@ <br/><i class=\"x\"/> @</p></body></html>"
	for _, front := range []string{declaration, "\n " + declaration, "<?xml?>", "<?xml version='1.0'  encoding = 'ISO-8859-1' ?>", "<?xml encoding='utf-16'?><meta charset=utf-8>"} {
		in := front + strings.ReplaceAll(page, "@", "example.com")
		if got, stats := rewritten(t, in, Options{}); got != in || stats.Copied.Reason != XML {
			t.Errorf("%s: %+v", front, stats)
		}
	}
	in := strings.ReplaceAll(declaration+page, "@", "example.com")
	want := declaration + strings.ReplaceAll(page, "@", a("example.com"))
	if got, stats := rewritten(t, in, Options{XHTML: true}); got != want || stats.Links != 2 {
		t.Errorf("%+v: %s", stats, got)
	}
	// The encoding that the declaration names counts, if nothing else does.
	for in, want := range map[string]string{
		"<?xml encoding='windows-1251'?><p>e.com/\xcf":                          "https://e.com/%D0%9F",
		"<?xml encoding='utf-16'?><p>e.com/x":                                   "",
		"<?xml encoding=utf-8?><meta charset=windows-1251><p>e.com/\xcf":        "https://e.com/%D0%9F",
		"<?xml encoding='windows-1255'?><meta charset=windows-1251>e.com/\xcf>": "https://e.com/%D0%9F",
		"<?xml encoding='windows-1251'?><p>e.com/П":                             "https://e.com/%D0%9F",
	} {
		var out strings.Builder
		_, err := Rewrite(&out, strings.NewReader(in), Options{XHTML: true})
		if (want == "") != errors.Is(err, ErrEncoding) || want != "" && !strings.Contains(out.String(), `"`+want+`"`) {
			t.Errorf("%q: %v, %q", in, err, out.String())
		}
	}
}
