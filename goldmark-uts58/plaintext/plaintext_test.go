// SPDX-License-Identifier: MIT

package plaintext

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

func TestText(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("a", 80)
	for _, c := range []struct {
		name, source string
		o            Options
		want         string
	}{
		{"nothing", "", Options{}, ""},
		{"nothing that is written", "<p>\n\n[](#a)\n\n[a]: b\n", Options{}, ""},
		{"a label that is the address", "[example.com](http://example.com/) [www.example.com/a%C3%A4](https://www.example.com/aä)", Options{}, "example.com www.example.com/aä\n"},
		{"escapes that are none", "https://e.com/50%a [https://e.com/50%a](https://e.com/50%a)", Options{}, "https://e.com/50%a https://e.com/50%a\n"},
		{"… and not", "[example.com](https://example.com/a) [https://example.com](http://example.com)", Options{}, "example.com <https://example.com/a> https://example.com\n<http://example.com>\n"},
		{"the same note", "[a](https://e.com/) [b](https://e.com/) https://e.com/", Options{Footnotes: true}, "a [1] b [1] https://e.com/\n\n[1] https://e.com/\n"},
		{"an address that would take in what follows", "<https://e.com/a>b **https://e.com/a%5B**[x] <https://e.com>https://e.com", Options{}, "<https://e.com/a>b <https://e.com/a[>[x] <https://e.com>https://e.com\n"},
		{"… and what would take in an address", "`https://e.com/`[](https://e.com/a) [a@](https://e.com/)", Options{}, "`https://e.com/` <https://e.com/a> a@ <https://e.com/>\n"},
		{"an address beside a label", "[https://e.com/a](https://e.com/b)(c)", Options{Footnotes: true}, "https://e.com/a [1](c)\n\n[1] https://e.com/b\n"},
		{"escapes", `\&amp; &amp;lt; \*a\* https://e.com/a\_b [x](https://e.com/a\)b&amp;c "t")`, Options{}, "&amp; &lt; *a* https://e.com/a_b x <https://e.com/a%29b&c>\n"},
		{"a long address", "a " + long + " b", Options{}, "a\n" + long + "\nb\n"},
		{"any width", strings.Repeat("word ", 50), Options{Width: -1}, strings.TrimSpace(strings.Repeat("word ", 50)) + "\n"},
		{"spaces before punctuation", "a" + strings.Repeat(" !", 20), Options{Width: 20}, "a" + strings.Repeat(" !", 9) + "\n" + strings.Repeat("! ", 9) + "!\n!\n"},
		{"no break in ASCII", "aaaaaaaaaaaaaaa aaaa-bbbb/cccc", Options{Width: 20}, "aaaaaaaaaaaaaaa\naaaa-bbbb/cccc\n"},
		{"a break behind a dash", "aaaaaaaaaaaaa aaaa—bbbb", Options{Width: 20}, "aaaaaaaaaaaaa aaaa—\nbbbb\n"},
		{"no break at U+00A0", "aaaaaaaaaaaaa aaaa\u00a0bbbb", Options{Width: 20}, "aaaaaaaaaaaaa\naaaa\u00a0bbbb\n"},
		{"controls", "a\x07b\x00c\x1bd\u0085e\u2028f\n\n    a\x07\tb\f\xff", Options{}, "a\ufffdb\ufffdc\ufffdd e f\n\n    a\ufffd\tb \ufffd\n"},
		{"images", "![a *b*](https://e.com/i) ![](https://e.com/j) ![c](d)", Options{Images: true}, "[a b] <https://e.com/i> <https://e.com/j> [c]\n"},
		{"images left out", "![a](https://e.com/i) ![](https://e.com/j)", Options{}, "[a]\n"},
		{"dangerous", "[a](java&#1;script:alert) [b](DATA:text/html,x) [c](file:///etc) [d](vbscript:x)", Options{}, "a b c d\n"},
		{"other schemes", "[a](tel:+123) <irc://e.com/b>", Options{}, "a <tel:+123> <irc://e.com/b>\n"},
		{"… that are links", "[tel:+123](tel:+123)", Options{Links: engine.Options{Schemes: []string{"tel"}}}, "tel:+123\n"},
		{"a path", "[a/b.html](a/b.html) [a/b](a/b.html)", Options{}, "a/b.html a/b <a/b.html>\n"},
		{"brackets in a path", "[a](b<c>d) [e](https://e.com/<c>d)", Options{}, "a <b%3Cc%3Ed> e <https://e.com/<c>d>\n"},
		{"white space in an address", "[a](<b c\u00a0d\\e>)", Options{}, "a <b%20c%C2%A0d%5Ce>\n"},
		{"a signature by itself", "", Options{Signature: "\r\nA\r\n \nB \n"}, "-- \nA\n\nB\n"},
		{"flowed: no signature", "-- " + long + " -- a\n", Options{Flowed: true}, "– \n" + long + " \n– a\n"},
		{"flowed: From, and what has no room beside it", "From aaaaaaaaaaaaaa b", Options{Flowed: true, Width: 20}, " From \naaaaaaaaaaaaaa b\n"},
		{"flowed: From, and what has", "From aaaaaaaaaaaaa b", Options{Flowed: true, Width: 20}, " From aaaaaaaaaaaaa \nb\n"},
		{"flowed: no space before it", "Froma aaaaaaaaaaaaa b", Options{Flowed: true, Width: 20}, "Froma aaaaaaaaaaaaa \nb\n"},
		{"a footnote that only itself refers to", "x\n\n[^1]: see https://e.com [^1]\n", Options{}, "x\n\n[1] see https://e.com [1]\n"},
		{"footnotes that only each other refer to", "x[^a]\n\n[^a]: a\n\n[^b]: b[^c]\n\n[^c]: c[^b]\n", Options{}, "x [1]\n\n[1] a\n[2] c [3]\n[3] b [2]\n"},
		{"a footnote that nothing refers to", "x\n\n[^a]: a\n", Options{}, "x\n"},
		{"numbers of the text", "[1] and &#91;3] [a](https://e.com/) [b](https://e.com/b)\n\n    x[4]\n", Options{Footnotes: true}, "[1] and [3] a [2] b [5]\n\n    x[4]\n\n[2] https://e.com/\n[5] https://e.com/b\n"},
		{"numbers of labels and images", "[*1*] ![2](x) \\[3\\] `[4]` [[5]](https://e.com/) [a][1] [01] [6 ]\n\n[1]: https://e.com/a\n", Options{Footnotes: true},
			"[1] [2] [3] `[4]` [5] [6] a [7] [01] [6 ]\n\n[6] https://e.com/\n[7] https://e.com/a\n"},
		{"numbers of references are none of the text", "[a][1]\n\n[1]: https://e.com/a\n", Options{Footnotes: true}, "a [1]\n\n[1] https://e.com/a\n"},
		{"numbers of a signature", "[a](https://e.com/a)", Options{Footnotes: true, Signature: "[1]"}, "a [2]\n\n[2] https://e.com/a\n\n-- \n[1]\n"},
		{"marks", "ראו http://דוגמה.ישראל/א כאן", Options{Marks: display.MarkOptions{Marks: display.MarksIsolate}}, "ראו\u2066 http://דוגמה.ישראל/א \u2069כאן\n"},
	} {
		if got := text(t, c.o, &uts58.Extender{}, c.source); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// A line of two hyphens and a space is that above a signature, and must not come about by breaking a line.
func TestNoSignature(t *testing.T) {
	r, err := New(Options{Flowed: true})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	long := "https://example.com/" + strings.Repeat("a", 80)
	if err := goldmark.New(goldmark.WithRenderer(r)).Convert([]byte("-- "+long+" -- a\n"), &out); err != nil {
		t.Fatal(err)
	}
	if want := "-- " + long + " \n-- a\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestErrors(t *testing.T) {
	for want, o := range map[string]Options{
		"plaintext: Width: 19: want 20 or more": {Width: 19},
		"plaintext: Width: -2":                  {Width: -2},
		"Marks and Flowed":                      {Flowed: true, Marks: display.MarkOptions{Marks: display.MarksLRM}},
		"plaintext: Links: engine: Schemes":     {Links: engine.Options{Schemes: []string{"javascript"}}},
	} {
		if r, err := New(o); r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	r, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := goldmark.New(goldmark.WithRenderer(r)).Convert([]byte("a"), failing{broken}); !errors.Is(err, broken) {
		t.Errorf("the error of the writer: %v", err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// What the hook of the HTML adds is not in the text, unless asked for.
func TestTracked(t *testing.T) {
	e := &uts58.Extender{Links: engine.Options{IRI: true}, Link: func(l *uts58.Link) bool {
		l.Href += "?utm_source=x"
		return !strings.Contains(l.Href, "veto")
	}}
	const source = "https://e.com/a, http://דוגמה.ישראל/א e.com/veto [b](https://e.com/b)"
	if got, want := text(t, Options{}, e, source), "https://e.com/a, http://דוגמה.ישראל/א e.com/veto b <https://e.com/b>\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := text(t, Options{Tracked: true}, e, source), "https://e.com/a <https://e.com/a?utm_source=x>, http://דוגמה.ישראל/א\n<http://דוגמה.ישראל/א?utm_source=x> e.com/veto b <https://e.com/b>\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

type emoji struct{ ast.BaseInline }

var kindEmoji = ast.NewNodeKind("Emoji")

func (*emoji) Kind() ast.NodeKind              { return kindEmoji }
func (n *emoji) Dump(source []byte, depth int) { ast.DumpHelper(n, source, depth, nil, nil) }

// Nodes of other extensions, and nodes that are no documents.
func TestNodes(t *testing.T) {
	source := []byte("a *b* https://e.com/\n\nc\n")
	doc := goldmark.New(extensions(&uts58.Extender{})).Parser().Parse(gmtext.NewReader(source))
	first := doc.FirstChild()
	first.InsertBefore(first, first.FirstChild(), &emoji{})
	for _, c := range []struct {
		n    ast.Node
		o    Options
		want string
	}{
		{doc, Options{}, "a b https://e.com/\n\nc\n"},
		{doc, Options{Text: func(n ast.Node, _ []byte) (string, bool) { return "☺ ", n.Kind() == kindEmoji }}, "☺ a b https://e.com/\n\nc\n"},
		{first, Options{}, "a b https://e.com/\n"},
		{first.LastChild(), Options{}, "https://e.com/\n"},
		{first.FirstChild().NextSibling().NextSibling(), Options{}, "b\n"},
	} {
		r, err := New(c.o)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := r.Render(&out, source, c.n); err != nil || out.String() != c.want {
			t.Errorf("%v: %q, %v; want %q", c.n.Kind(), out.String(), err, c.want)
		}
	}
}
