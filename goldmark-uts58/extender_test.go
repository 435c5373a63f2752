// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

func TestCheck(t *testing.T) {
	for want, e := range map[string]*Extender{
		"":                              {},
		"Isolate 3":                     {Isolate: 3},
		"Order(9)":                      {Order: 9},
		"uts58: Links: engine: Schemes": {Links: engine.Options{Schemes: []string{"javascript"}}},
	} {
		err := e.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("Extend does not panic")
		}
	}()
	goldmark.New(goldmark.WithExtensions(&Extender{Order: 9}))
}

// TestForeignRenderer: a renderer that knows nothing of the extension does not panic with Attr and None. With Bdi it needs NewRenderer.
func TestForeignRenderer(t *testing.T) {
	source := []byte("http://דוגמה.ישראל/א *b@example.com* http://[::1]/ # a")
	for _, mode := range []Mode{Attr, None, Bdi} {
		doc := goldmark.New(goldmark.WithExtensions(&Extender{Isolate: mode})).Parser().Parse(text.NewReader(source))
		r := renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(html.NewRenderer(), 1000)))
		if mode == Bdi {
			r.AddOptions(renderer.WithNodeRenderers(util.Prioritized(NewRenderer(), 500)))
		}
		var out bytes.Buffer
		if err := r.Render(&out, source, doc); err != nil {
			t.Error(err)
		}
		if !strings.Contains(out.String(), `href="http://xn--6dbbec0c.xn--4dbrk0ce/%D7%90"`) {
			t.Errorf("%d: %s", mode, out.String())
		}
		err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if n.Kind() == KindElement && mode != Bdi {
				t.Errorf("%d: a node of ours", mode)
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestHeadingIDs: automatic ids are those without the extension.
func TestHeadingIDs(t *testing.T) {
	options := []goldmark.Option{goldmark.WithParserOptions(parser.WithAutoHeadingID())}
	without := goldmark.New(options...)
	with := goldmark.New(append(options, goldmark.WithExtensions(&Extender{}))...)
	for _, source := range []string{"# Heading https://example.com/a_b and x", "see http://דוגמה.ישראל/א\n===", "## example.com", "## example.com"} {
		id := func(md goldmark.Markdown) (id any) {
			id, _ = md.Parser().Parse(text.NewReader([]byte(source))).FirstChild().AttributeString("id")
			return id
		}
		if a, b := id(without), id(with); a == nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%q: %s, then %s", source, a, b)
		}
	}
}

// TestPositions: a link, and each text of it, is where it is in the source, in quotes and lists as well.
func TestPositions(t *testing.T) {
	source := "> * x *https://example.com/a\\_b&amp;c*\n>   http://דוגמה.ישראל/א\n\n1.\tb@example.com  \n\n|a|\n|-|\n|see example.com/a\\|b|\n"
	for _, mode := range []Mode{Bdi, Attr} {
		var got []string
		doc := markdown(&Extender{Isolate: mode}).Parser().Parse(text.NewReader([]byte(source)))
		_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			link, ok := n.(*ast.Link)
			if !ok || !entering {
				return ast.WalkContinue, nil
			}
			var b strings.Builder
			_ = ast.Walk(link, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if t, ok := n.(*ast.Text); ok && entering {
					b.Write(t.Value([]byte(source)))
				}
				return ast.WalkContinue, nil
			})
			if !strings.HasPrefix(source[link.Pos():], b.String()) {
				t.Errorf("%q is not at %d", b.String(), link.Pos())
			}
			got = append(got, b.String())
			return ast.WalkContinue, nil
		})
		want := []string{`https://example.com/a\_b&amp;c`, "http://דוגמה.ישראל/א", "b@example.com", `example.com/a\|b`}
		if mode == Bdi {
			_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if n.Kind() == KindElement && n.Pos() < 0 {
					t.Error("an element without a position")
				}
				return ast.WalkContinue, nil
			})
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q", got)
		}
	}
}

// marked is a node of another extension, which may be a link for all that we know.
type marked struct{ ast.BaseInline }

var kindMarked = ast.NewNodeKind("Marked")

func (*marked) Kind() ast.NodeKind            { return kindMarked }
func (*marked) Dump(source []byte, level int) {}

type markedParser struct{}

func (markedParser) Trigger() []byte { return []byte("=") }

func (markedParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, seg := block.PeekLine()
	end := bytes.IndexByte(line[1:], '=')
	if end < 0 {
		return nil
	}
	n := &marked{}
	n.AppendChild(n, ast.NewTextSegment(text.NewSegment(seg.Start+1, seg.Start+1+end)))
	block.Advance(end + 2)
	return n
}

func (markedParser) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindMarked, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		_, _ = w.WriteString(map[bool]string{true: "<mark>", false: "</mark>"}[entering])
		return ast.WalkContinue, nil
	})
}

func TestInline(t *testing.T) {
	const link = `<a href="https://example.com">example.com</a>`
	for _, e := range []*Extender{{}, {Inline: []ast.NodeKind{kindMarked}}} {
		md := goldmark.New(goldmark.WithExtensions(e),
			goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(markedParser{}, 600))),
			goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(markedParser{}, 600))))
		want := "<p>x <mark>example.com</mark> " + link + "</p>\n"
		if e.Inline != nil {
			want = "<p>x <mark>" + link + "</mark> " + link + "</p>\n"
		}
		if got := convert(t, md, "x =example.com= example.com"); got != want {
			t.Errorf("got %s", got)
		}
	}
}

// A highlighter is the parser of an extension for ==text== that makes its nodes of delimiters, so that other parsers see what is in them.
type highlighter struct{ markedParser }

func (highlighter) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, seg := block.PeekLine()
	d := parser.ScanDelimiter(line, block.PrecendingCharacter(), 2, highlighter{})
	if d == nil {
		return nil
	}
	d.Segment = seg.WithStop(seg.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

func (highlighter) IsDelimiter(b byte) bool { return b == '=' }
func (highlighter) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}
func (highlighter) OnMatch(consumes int) ast.Node { return &marked{} }

// TestInlineLinkify: where extension.Linkify would have made a link in a node of another extension, there is one of ours.
func TestInlineLinkify(t *testing.T) {
	const link = `<a href="https://example.com/a">https://example.com/a</a>`
	for source, want := range map[string]string{
		"==see https://example.com/a b==":         "<mark>see " + link + " b</mark>",
		"==https://example.com/a== example.com/a": "<mark>" + link + `</mark> <a href="https://example.com/a">example.com/a</a>`,
		"==see example.com/a b==":                 "<mark>see example.com/a b</mark>",
		"[==https://example.com/a==](x)":          `<a href="x"><mark>https://example.com/a</mark></a>`,
		"==<a>https://example.com/a</a>==":        "<mark><a>https://example.com/a</a></mark>",
	} {
		for _, linkify := range []bool{true, false} {
			md := goldmark.New(goldmark.WithExtensions(&Extender{}), goldmark.WithRendererOptions(html.WithUnsafe()),
				goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(highlighter{}, 600))),
				goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(markedParser{}, 600))))
			if linkify {
				extension.GFM.Extend(md)
			} else if want = strings.ReplaceAll(want, link, "https://example.com/a"); strings.Contains(source, "<a>") {
				continue
			}
			if got := convert(t, md, source); got != "<p>"+want+"</p>\n" {
				t.Errorf("%q, Linkify %v\n got %swant %s", source, linkify, got, want)
			}
		}
	}
}

// TestContextAgain: nothing of a document is left in a context that is used again, with the same buffer.
func TestContextAgain(t *testing.T) {
	pc := parser.NewContext()
	md := goldmark.New(goldmark.WithExtensions(&Extender{}, extension.Linkify))
	buffer := make([]byte, 0, 64)
	for range 2 {
		for _, c := range [][2]string{
			{"https://e.com/*a*b", `<p><a href="https://e.com/*a*b">https://e.com/*a*b</a></p>`},
			{"see this word *a*b", "<p>see this word <em>a</em>b</p>"},
		} {
			buffer = append(buffer[:0], c[0]...)
			var out bytes.Buffer
			if err := md.Convert(buffer, &out, parser.WithContext(pc)); err != nil || out.String() != c[1]+"\n" {
				t.Errorf("%q: %v, %s", c[0], err, out.String())
			}
		}
	}
}

// TestHook: what the hook leaves is checked.
func TestHook(t *testing.T) {
	const plain = `<a href="https://example.com/">https://example.com/</a>`
	for _, c := range []struct {
		name string
		hook func(l *Link) bool
		want string
	}{
		{"nothing", func(l *Link) bool { return true }, plain},
		{"veto", func(l *Link) bool { return false }, "https://example.com/"},
		{"address", func(l *Link) bool { l.Href += "?utm=1&x=é"; return true }, `<a href="https://example.com/?utm=1&amp;x=%C3%A9">https://example.com/</a>`},
		{"relative", func(l *Link) bool { l.Href = "/out?u=https://example.com"; return true }, `<a href="/out?u=https://example.com">https://example.com/</a>`},
		{"none", func(l *Link) bool { l.Href = ""; return true }, "https://example.com/"},
		{"script", func(l *Link) bool { l.Href = "JavaScript:alert(1)"; return true }, "https://example.com/"},
		{"blank and script", func(l *Link) bool { l.Href = " javascript:alert(1)"; return true }, "https://example.com/"},
		{"newline", func(l *Link) bool { l.Href = "java\nscript:alert(1)"; return true }, "https://example.com/"},
		{"entity", func(l *Link) bool { l.Href = "javascript&colon;alert(1)"; return true }, `<a href="javascript&amp;colon;alert(1)">https://example.com/</a>`},
		{"host", func(l *Link) bool { l.Href = "https://é.example/é"; return true }, `<a href="https://xn--9ca.example/%C3%A9">https://example.com/</a>`},
		{"quote", func(l *Link) bool { l.Href += `"><b>`; return true }, `<a href="https://example.com/%22%3E%3Cb%3E">https://example.com/</a>`},
		{"backslash", func(l *Link) bool { l.Href += `\*`; return true }, `<a href="https://example.com/%5C*">https://example.com/</a>`},
		{"another scheme", func(l *Link) bool { l.Href = "ftp://example.com/"; return true }, "https://example.com/"},
		{"attributes", func(l *Link) bool {
			l.Attributes = []Attribute{{"CLASS", `a"b`}, {"data-x", "<"}, {"onclick", "x"}, {"href", "x"}, {"style", "x"}, {"srcset", "x"}, {"x y", "z"}, {"", "z"}, {"class", "c"}}
			return true
		}, `<a href="https://example.com/" class="a&quot;b" data-x="&lt;">https://example.com/</a>`},
		{"blank", func(l *Link) bool { l.Attributes = []Attribute{{"target", "_Blank"}}; return true },
			`<a href="https://example.com/" target="_Blank" rel="noopener">https://example.com/</a>`},
		{"blank and rel", func(l *Link) bool {
			l.Attributes = []Attribute{{"rel", "nofollow"}, {"target", "_blank"}, {"rel", "x"}}
			return true
		}, `<a href="https://example.com/" rel="nofollow noopener" target="_blank">https://example.com/</a>`},
		{"text and link", func(l *Link) bool {
			if l.Text != "see https://example.com/" || l.Host.In(l.Text) != "example.com" || l.Kind != engine.URL {
				t.Errorf("%+v", l)
			}
			l.Text, l.Start = "x", 3
			return true
		}, plain},
	} {
		for _, mode := range []Mode{Bdi, Attr} {
			md := goldmark.New(goldmark.WithExtensions(&Extender{Link: c.hook, Isolate: mode}))
			got := convert(t, md, "see https://example.com/")
			if got != "<p>see "+c.want+"</p>\n" {
				t.Errorf("%s, %d\n got %swant %s", c.name, mode, got, c.want)
			}
		}
	}
}

func TestRefuse(t *testing.T) {
	md := goldmark.New(goldmark.WithExtensions(&Extender{Refuse: display.WarnScripts}))
	const want = `<p>exаmple.com <a href="https://example.com">example.com</a></p>` + "\n"
	if got := convert(t, md, "exаmple.com example.com"); got != want {
		t.Errorf("got %s", got)
	}
}

// TestIRI: with Bdi, addresses stay as they are.
func TestIRI(t *testing.T) {
	links := engine.Options{IRI: true}
	got := convert(t, goldmark.New(goldmark.WithExtensions(&Extender{Links: links, Isolation: display.IsolateNone})), "http://пример.рф/я&amp;x")
	if want := `<p><a href="http://пример.рф/я&amp;x">http://пример.рф/я&amp;x</a></p>` + "\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// TestNoIRI: goldmark's renderer percent-encodes what is beyond ASCII in the address of a link. That must not be the host.
func TestNoIRI(t *testing.T) {
	hook := func(l *Link) bool {
		l.Href = strings.Replace(l.Href, "xn--80a1acny", "почта", 1)
		return true
	}
	for _, e := range []*Extender{{Isolate: Attr}, {Isolate: None}, {Isolate: None, GFM: true}, {Isolate: None, Link: hook}} {
		e.Links.IRI = true
		got := convert(t, goldmark.New(goldmark.WithExtensions(e)), "http://почта.рф/я a@почта.рф")
		for _, want := range []string{`<a href="http://xn--80a1acny.xn--p1ai/%D1%8F">`, `<a href="mailto:a@xn--80a1acny.xn--p1ai">`} {
			if !strings.Contains(got, want) && !(e.GFM && want[9] == 'm') && !(e.Link != nil && want[9] == 'm') {
				t.Errorf("%+v: %s", e, got)
			}
		}
	}
}

// TestConcurrent: goroutines may share an extended goldmark, and what it keeps from one document is not seen in another.
func TestConcurrent(t *testing.T) {
	sources := []string{
		"a.com b.com \\* &amp; http://דוגמה.ישראל/א?ב=ג",
		"# x\n\n*https://example.com/a_b*\n\n> <bdi dir=rtl>a.com",
		"שלום a.com\n\nשלום b.com",
		strings.Repeat("a@example.com https://example.com/x ", mostKept),
		"nothing",
	}
	shared := goldmark.New(goldmark.WithExtensions(&Extender{}))
	var want []string
	for _, s := range sources {
		want = append(want, convert(t, goldmark.New(goldmark.WithExtensions(&Extender{})), s))
	}
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 20 * len(sources) {
				n := (i + g) % len(sources)
				var out bytes.Buffer
				if err := shared.Convert([]byte(sources[n]), &out); err != nil || out.String() != want[n] {
					t.Errorf("%q: %q, %v\nwant %q", sources[n], out.String(), err, want[n])
				}
			}
		})
	}
	all.Wait()
}

// The addresses that links had before the hook, by their nodes of both kinds; of links that it left as they were there are none.
func TestOriginals(t *testing.T) {
	e := &Extender{Links: engine.Options{IRI: true}, Link: func(l *Link) bool {
		if strings.Contains(l.Href, "e.com") {
			l.Href += "?x"
		}
		return true
	}}
	doc := markdown(e).Parser().Parse(text.NewReader([]byte("e.com/a f.com [e.com](https://e.com) http://e.com/א"))).(*ast.Document)
	got := map[ast.NodeKind]string{}
	for n, href := range Originals(doc) {
		got[n.Kind()] = href
	}
	if len(Originals(doc)) != 2 || got[ast.KindLink] != "https://e.com/a" || got[KindElement] != "http://e.com/א" {
		t.Errorf("%v", got)
	}
	if m := Originals(markdown(&Extender{}).Parser().Parse(text.NewReader([]byte("e.com"))).(*ast.Document)); m != nil {
		t.Errorf("without a hook %v", m)
	}
}
