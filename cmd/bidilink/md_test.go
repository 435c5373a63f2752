// SPDX-License-Identifier: MIT

package main

import (
	"strings"
	"testing"
)

func TestMD(t *testing.T) {
	inFolder(t, map[string]string{
		"a.md":     "---\ntitle: x.com\n---\n# A *post* about https://e.com/a_b &amp; `x`\n\nREADME.md\n",
		"rtl.md":   "שלום e.com\n",
		"note.md":  "b[^1]\n\n[^1]: e.com\n",
		"utf16.md": "\xff\xfe#\x00",
	})
	const link, bidi = `<a href="https://e.com">e.com</a>`, `<bdi dir="ltr"><a href="https://e.com">e.com</a></bdi>`
	note := func(prefix string) string {
		return `<p>b<sup id="` + prefix + `fnref:1"><a href="#` + prefix + `fn:1" class="footnote-ref" role="doc-noteref">1</a></sup></p>
<div class="footnotes" role="doc-endnotes">
<hr>
<ol>
<li id="` + prefix + `fn:1">
<p>` + link + `&#160;<a href="#` + prefix + `fnref:1" class="footnote-backref" role="doc-backlink">&#x21a9;&#xfe0e;</a></p>
</li>
</ol>
</div>
`
	}
	const heading = `<h1>A <em>post</em> about <a href="https://e.com/a_b">https://e.com/a_b</a> &amp; <code>x</code></h1>` + "\n<p>README.md</p>\n"
	for _, c := range []struct {
		name, stdin string
		args        []string
		want        string
	}{
		{"standard input", "*e.com*", nil, "<p><em>" + link + "</em></p>\n"},
		{"a file", "", []string{"a.md"}, heading},
		{"two", "e.com", []string{"rtl.md", "-"}, "<p>שלום " + bidi + "</p>\n<p>" + link + "</p>\n"},
		{"a page", "", []string{"--page", "--lang", "en", "a.md"}, `<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>x.com</title>
</head>
<body>
` + heading + "</body>\n</html>\n"},
		{"a page from right to left", "e.com <b>", []string{"--page", "--dir=rtl"}, `<!DOCTYPE html>
<html dir="rtl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Untitled</title>
</head>
<body>
<p>` + bidi + " <!-- raw HTML omitted --></p>\n</body>\n</html>\n"},
		{"unsafe", "<b>e.com</b> <a>e.com</a>", []string{"--unsafe"}, "<p><b>" + link + "</b> <a>e.com</a></p>\n"},
		{"table, strikethrough", "|a|\n|-|\n|~~e.com~~|", nil, "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><del>" + link + "</del></td>\n</tr>\n</tbody>\n</table>\n"},
		{"task list", "- [ ] e.com", nil, "<ul>\n<li><input disabled=\"\" type=\"checkbox\"> " + link + "</li>\n</ul>\n"},
		{"bare", "e.com www.e.com/", []string{"--bare=www"}, `<p>e.com <a href="https://www.e.com/">www.e.com/</a></p>` + "\n"},
		{"gfm", "e.com www.e.com", []string{"--gfm"}, `<p>e.com <a href="http://www.e.com">www.e.com</a></p>` + "\n"},
		{"file names", "README.md", []string{"--file-names=false"}, `<p><a href="https://readme.md">README.md</a></p>` + "\n"},
		{"isolate", "e.com", []string{"--isolate", "all"}, "<p>" + bidi + "</p>\n"},
		{"footnotes of two", "b[^1]\n\n[^1]: e.com\n", []string{"note.md", "-"}, note("") + note("f2-")},
		{"empty", "", nil, ""},
		{"text", "", []string{"--text", "a.md"}, "A post about https://e.com/a_b & `x`\n====================================\n\nREADME.md\n"},
		{"text of two", "[שלום](http://דוגמה.ישראל/%D7%90)", []string{"--text", "rtl.md", "-"}, "שלום e.com\nשלום <http://דוגמה.ישראל/א>\n"},
		{"text, footnotes", "[a](https://e.com/b) c[^1]\n\n[^1]: d", []string{"--text", "--links", "footnotes"}, "a [1] c [2]\n\n[1] https://e.com/b\n[2] d\n"},
		{"text, width", "> a b c d e f g h i j k l m n o p\n", []string{"--text", "--width=20"}, "> a b c d e f g h i\n> j k l m n o p\n"},
		{"text, any width", strings.Repeat("word ", 40), []string{"--text", "--width=0"}, strings.TrimSpace(strings.Repeat("word ", 40)) + "\n"},
		{"text, flowed", "> a b c d e f g h i j k l m n o p\n\n\\> q", []string{"--text", "--flowed", "--width=20"}, "> a b c d e f g h i \n> j k l m n o p\n\n > q\n"},
		{"text, other links", "[a.onion](https://a.onion) <https://a.onion>", []string{"--text", "--extra-tld=onion"}, "a.onion https://a.onion\n"},
	} {
		out, errs, code := command(c.stdin, append([]string{"md"}, c.args...)...)
		if out != c.want || errs != "" || code != 0 {
			t.Errorf("%s: exit %d, stderr %q\n got %s\nwant %s", c.name, code, errs, out, c.want)
		}
	}
	for _, c := range []struct {
		args []string
		errs string
	}{
		{[]string{"utf16.md"}, "bidilink: utf16.md: neither UTF-8 nor compatible with ASCII: a byte order mark of UTF-16\n"},
		{[]string{"--lang", `x"`}, "bidilink: --lang x\": want a language tag, such as en, ar or zh-Hant\n"},
		{[]string{"--lang", "he"}, "bidilink: --lang is for --page\n"},
		{[]string{"--gfm", "--scheme=ftp"}, "bidilink: --gfm and --scheme exclude each other\n"},
		{[]string{"--gfm", "--bare=none"}, "bidilink: --gfm and --bare exclude each other\n"},
		{[]string{"--strict", "--gfm"}, "bidilink: --gfm and --strict exclude each other\n"},
		{[]string{"--page", "a.md", "rtl.md"}, "bidilink: --page: want one file\n"},
		{[]string{"--text", "--page"}, "bidilink: --text and --page exclude each other\n"},
		{[]string{"--text", "--unsafe"}, "bidilink: --text and --unsafe exclude each other\n"},
		{[]string{"--text", "--order=tld"}, "bidilink: --text and --order exclude each other\n"},
		{[]string{"--text", "--profile=mail"}, "bidilink: --text and --profile exclude each other\n"},
		{[]string{"--text", "--isolate=all"}, "bidilink: --text and --isolate exclude each other\n"},
		{[]string{"--text", "--dir=rtl"}, "bidilink: --text and --dir exclude each other\n"},
		{[]string{"--text", "--refuse=edge"}, "bidilink: --text and --refuse exclude each other\n"},
		{[]string{"--text", "--lang=he"}, "bidilink: --text and --lang exclude each other\n"},
		{[]string{"--flowed"}, "bidilink: --flowed is for --text\n"},
		{[]string{"--text", "--links", "none"}, "bidilink: --links none: want inline or footnotes\n"},
		{[]string{"--text", "--width", "19"}, "bidilink: --width 19: want 20 or more, or 0 for lines that are not broken\n"},
		{[]string{"--text", "--width", "-1"}, "bidilink: --width -1: want 20 or more, or 0 for lines that are not broken\n"},
		{[]string{"--dir", "up"}, "bidilink: --dir up: want ltr or rtl\n"},
	} {
		out, errs, code := command("", append([]string{"md"}, c.args...)...)
		if out != "" || errs != c.errs || code != 2 {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
}

// TestPageTitle: the title is text, which is escaped once.
func TestPageTitle(t *testing.T) {
	for source, want := range map[string]string{
		"# A *post* about https://e.com/a_b &amp; `x`":         "A post about https://e.com/a_b &amp; x",
		"# https://e.com/?a=1&copy=2":                          "https://e.com/?a=1&amp;copy=2",
		"# &copy; &amp;copy; &#x202e;":                         "© &amp;copy;",
		"# Call `f(&amp;x)` \\*":                               "Call f(&amp;amp;x) *",
		"# a\u202eb\u2067 `\u200fc` &rlm;d":                    "ab c d",
		"# <https://e.com/?a&amp;b> ![alt](x) <b>":             "https://e.com/?a&amp;amp;b alt",
		"a\nb  \nc\n===":                                       "a b c",
		"#\n\n# b":                                             "b",
		"---\ntitle: 'It''s &amp; \u202ex'\ndate: x\n---\n# y": "It&#39;s &amp;amp; x",
		"---\ntitle: \"a\\tb <i>\"\n...\n# y":                  "a b &lt;i&gt;",
		"---\ntitle: >\n  long\n  one\n---\n# y":               "long one",
		"---\ntitle: 2026\n---\n# y":                           "2026",
		"---\ntitle: [a]\n---\n# y":                            "y",
		"---\ntitle: {{ .Name }}\n---\n# y":                    "y",
		"---\nname: x\n---\n# y":                               "y",
		"+++\ntitle = \"a b\"\n[x]\ntitle = 'c'\n+++\n# y":     "a b",
		"{\"title\": \"a\\u003cb\"}\n# y":                      "a&lt;b",
		"\ufeff---\ntitle: x\n---\n# y":                        "x",
		"x":                                                    "Untitled",
	} {
		out, errs, code := command(source, "md", "--page")
		_, title, _ := strings.Cut(out, "<title>")
		title, _, _ = strings.Cut(title, "</title>")
		if title != want || errs != "" || code != 0 {
			t.Errorf("%q: title %q, want %q (exit %d, stderr %q)", source, title, want, code, errs)
		}
	}
}
