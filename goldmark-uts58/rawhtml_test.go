// SPDX-License-Identifier: MIT

package uts58

import (
	"fmt"
	"strings"
	"testing"
)

// TestRawHTML: where raw HTML is open in a browser that no link may be in, there is none; and behind it, there are links again.
func TestRawHTML(t *testing.T) {
	const link = "https://example.com"
	var deep strings.Builder
	for i := range 2 * maxOpen {
		fmt.Fprintf(&deep, "<x%d dir=ltr>", i)
	}
	for source, want := range map[string]int{
		// Footnotes are rendered at the end.
		"<a href=\"x\">\n\n[^1]: a note </a>\n\nhttps://example.com [^1] text\n":   0,
		"[^1]: see https://example.com\n\ntext[^1]\n\n<pre>\nlog, not closed\n":    0,
		"[^1]: see https://example.com\n\ntext[^1]\n\n<script>\nlog, not closed\n": 0,
		"[^1]: see https://example.com\n\ntext[^1]\n\n<style>\nlog, not closed\n":  0,
		"[^1]: <pre>\n\ntext[^1] https://example.com\n":                            1,
		"[^1]: <a>\n[^2]: https://example.com\n\ntext[^2][^1]\n":                   1,
		"[^1]: <a>\n[^2]: https://example.com\n\ntext[^1][^2]\n":                   0,
		"[^1]: <a>\n[^2]: https://example.com\n\ntext[^2]\n":                       1,
		"<a>\n\n[^1]: </a>\n[^2]: https://example.com\n\ntext[^2]\n":               0,
		"[^1]: https://example.com\n\n    <a>\n\n> x[^1]\n\nhttps://example.com":   2,
		// An end tag in a cell or the like closes nothing outside.
		"<a href=x>\n\n| x |\n|---|\n| </a> https://example.com |\n":                    0,
		"<code>\n\n| x |\n|---|\n| </code> https://example.com |\n":                     0,
		"<button>\n\n| x |\n|---|\n| </button> https://example.com |\n":                 0,
		"x <a>\n\n| x |\n|---|\n| </a> |\n\nhttps://example.com\n":                      0,
		"| x |\n|---|\n| <a>x</a> https://example.com |\n\nhttps://example.com\n":       2,
		"<a href=x><table><tr><td></a> https://example.com":                             0,
		"<a href=x><table><tr><td><a href=y></a></td></tr></table> https://example.com": 0,
		"<a href=x><marquee></a> https://example.com":                                   0,
		"<a href=x><object></a> https://example.com":                                    0,
		"<a href=x><marquee></marquee></a> https://example.com":                         1,
		"<a href=x><table><tr><td>x</td></tr></table></a> https://example.com":          1,
		"<table><tr><td>x<tr><td>\n\nhttps://example.com</table> https://example.com":   2,
		// Scripts.
		"<script><!--<script>\n</script>\n\nhttps://example.com\n":                                         0,
		"<script><!-- x --></script>\n\nhttps://example.com":                                               1,
		"<script><script></script>\n\nhttps://example.com":                                                 1,
		"<svg><style></svg><script></style></svg>\n\nhttps://example.com\n</script>\n":                     0,
		"<svg><title></svg><script></title></svg>\n\nhttps://example.com\n</script>\n":                     0,
		"<svg><title>x &amp; y</title><style> a{} </style><path d='x'/></svg> https://example.com":         1,
		"<div><svg><![CDATA[></svg>\n\nhttps://example.com\n]]></svg>":                                     0,
		"<div><svg><title>x &amp; y</title><style> a{} </style><path d='x'/></svg>\n\nhttps://example.com": 1,
		"<math><script></math> https://example.com":                                                        0,
		"<style>\n</style a=\">\n\nhttps://example.com \">":                                                0,
		"<select><style></select> https://example.com":                                                     0,
		"<select><option>a<option>b</select> https://example.com":                                          1,
		"<datalist><option>a<option>b</datalist> https://example.com":                                      1,
		"<noscript><!-- </noscript> --> https://example.com":                                               0,
		"<noscript><i title='</noscript>'></i></noscript> https://example.com":                             0,
		"<noscript><style></noscript></style></noscript> https://example.com":                              0,
		"<a><noscript></a></noscript> https://example.com":                                                 0,
		"<noscript><img src=x></noscript> https://example.com":                                             1,
		"<frameset> https://example.com":                                                                   0,
		"<body contenteditable></body> https://example.com":                                                0,
		// Behind an unclosed block, some end tags close nothing.
		"<div><label><div></label>\n\nhttps://example.com\n":                                                     0,
		"<kbd><div></kbd>\n\nhttps://example.com\n":                                                              0,
		"<samp><div></samp>\n\nhttps://example.com\n":                                                            0,
		"<var><p></var>\n\nhttps://example.com\n":                                                                0,
		"<summary><div></summary>\n\nhttps://example.com\n":                                                      0,
		"<label>\n\nx </label> https://example.com\n":                                                            0,
		"<label>\n\n> - x </label>\n\nhttps://example.com\n":                                                     0,
		"<div><label><div>x</div></label>\n\nhttps://example.com\n":                                              1,
		"<label><p>x<div>y</div></label> https://example.com\n":                                                  1,
		"<a><div></a> https://example.com":                                                                       1,
		"<details><summary>x</summary>\n\nhttps://example.com\n\n</details>\n\nhttps://example.com":              2,
		"x <div contenteditable>\n\nhttps://example.com":                                                         0,
		"x <div contenteditable></div>\n\nhttps://example.com":                                                   1,
		"<div><span role=button></div> https://example.com":                                                      0,
		"<div contenteditable>\n\n- <div>\n\n</div>\n\nhttps://example.com":                                      0,
		"<ul contenteditable><li contenteditable><ul></li></ul></ul> https://example.com":                        0,
		"<p align=center>\n\nhttps://example.com\n\n</p>\n\nhttps://example.com":                                 2,
		"<b>https://example.com\n\n" + strings.Repeat("<b><i><p><li>", maxOpen) + "\n\nhttps://example.com":      2,
		"<dl>" + strings.Repeat("<dt>x<dd><p>y", maxOpen) + "</dl>\n\nhttps://example.com":                       1,
		"<table>" + strings.Repeat("<tr><td>x<th>y<td><p>z<tbody>", maxOpen) + "</table>\n\nhttps://example.com": 1,
		"https://example.com\n\n" + deep.String() + " https://example.com\n\nhttps://example.com":                1,
	} {
		out := convert(t, markdown(&Extender{Isolate: None, Link: func(l *Link) bool {
			l.Attributes = []Attribute{{ours, "1"}}
			return true
		}}), source)
		checkNesting(t, out, source)
		if got := strings.Count(out, `<a href="`+link); got != want {
			t.Errorf("%.100q: %d links, want %d\n%.300s", source, got, want, out)
		}
	}
}
