// SPDX-License-Identifier: MIT

package plaintext

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// markers are what may stand at the beginning of a line.
var markers = regexp.MustCompile(`^(?:> ?|>+ | |\* |[0-9]+[.)] |\[[0-9]+\] )*`)

// anchors returns the addresses of the links in HTML, as people read them, but for those that are relative.
func anchors(t *testing.T, page string) (list []string) {
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return list
		case html.StartTagToken:
			if token := z.Token(); token.Data == "a" {
				for _, a := range token.Attr {
					if a.Key == "href" && hasScheme(a.Val) {
						list = append(list, engine.Readable(a.Val))
					}
				}
			}
		}
	}
}

// bare returns an address as two ways to write it are compared: without its scheme, and without the slash of an empty path.
func bare(s string) string {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		s = strings.TrimPrefix(s, scheme)
	}
	if i := strings.IndexByte(s, '/'); i == len(s)-1 {
		s = strings.TrimSuffix(s, "/")
	}
	return s
}

// found returns the links in a text, as people read them, with their numbers.
func found(d *engine.Detector, s string) map[string]int {
	m := map[string]int{}
	for l := range d.Links(s) {
		m[bare(engine.Readable(string(d.AppendHref(nil, s, l))))]++
	}
	return m
}

// breakable returns a place where a line could have been broken, or -1: at a space or, unless the text is flowed, between two characters of which one is beyond
// ASCII, and in nothing that is a link, or stands in angle brackets.
func breakable(d *engine.Detector, line string, flowed bool) int {
	var atoms []engine.Span
	for l := range d.Links(line) {
		atoms = append(atoms, l.Span)
	}
	for _, s := range regexp.MustCompile(`<[^ >]+>`).FindAllStringIndex(line, -1) {
		atoms = append(atoms, engine.Span{Start: s[0], End: s[1]})
	}
	ends := map[int]bool{}
	for rest, state := line, -1; rest != ""; {
		_, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		ends[len(line)-len(rest)] = true
	}
	before := ' '
	for i, r := range line {
		at := i > 0 && (before == ' ' || !flowed && ends[i] && (r >= utf8.RuneSelf || before >= utf8.RuneSelf))
		if at && !slices.ContainsFunc(atoms, func(a engine.Span) bool { return a.Start < i && i < a.End }) {
			return i
		}
		before = r
	}
	return -1
}

// unflow reads format=flowed (RFC 3676 §4.2): the paragraphs, each behind its quote marks.
func unflow(s string) (paragraphs []string) {
	open, depth := false, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		text := strings.TrimLeft(line, ">")
		quotes := len(line) - len(text)
		text = strings.TrimPrefix(text, " ")
		signature := text == "-- "
		if open && quotes == depth && !signature {
			paragraphs[len(paragraphs)-1] += text
		} else {
			paragraphs = append(paragraphs, strings.Repeat(">", quotes)+text)
		}
		open, depth = strings.HasSuffix(text, " ") && !signature, quotes
	}
	return paragraphs
}

func TestUnflow(t *testing.T) {
	got := unflow("a \nb\n\n> c \n> d\n>> e \n> f\n >g\n From h\n-- \ni \nj\n")
	if want := []string{"a b", "", ">c d", ">>e ", ">f", ">g", "From h", "-- ", "i j"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// underline is what stands below a heading, whose length depends on how it is broken.
var underline = regexp.MustCompile(`^(>*) *(=+|-+|~+|\.+)$`)

func underlines(paragraphs []string) []string {
	for i, p := range paragraphs {
		if m := underline.FindStringSubmatch(p); m != nil {
			paragraphs[i] = m[1] + m[2][:1]
		}
	}
	return paragraphs
}

// check checks what is promised about the text of a document.
func check(t *testing.T, source string, o Options) {
	e := &uts58.Extender{Isolate: uts58.Attr}
	md := goldmark.New(extensions(e))
	doc := md.Parser().Parse(gmtext.NewReader([]byte(source)))
	code, table := false, false
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindCodeBlock, ast.KindFencedCodeBlock:
			code = true
		case extast.KindTable:
			table = true
		}
		return ast.WalkContinue, nil
	})
	var page bytes.Buffer
	if err := md.Renderer().Render(&page, []byte(source), doc); err != nil {
		t.Fatal(err)
	}
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	out := string(r.render([]byte(source), doc).out)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("source %q, options %+v\noutput %q", source, o, out)
		t.Fatalf(format, args...)
	}
	if !utf8.ValidString(out) || strings.ContainsFunc(out, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		fail("bytes that are no text")
	}
	if again := string(r.render([]byte(source), doc).out); again != out {
		fail("the second time %q", again)
	}
	if !o.Flowed && display.Strip(r.detect, out) == out {
		marked := *r
		marked.o.Marks = display.MarkOptions{Marks: display.MarksIsolate}
		if got := display.Strip(r.detect, string(marked.render([]byte(source), doc).out)); got != out {
			fail("without its marks %q", got)
		}
	}
	detect := found(r.detect, out)
	least := map[string]int{}
	for _, a := range anchors(t, page.String()) {
		l, ok := (&writer{Renderer: r}).whole(a)
		if !ok {
			continue // nothing finds it
		}
		if key := bare(engine.Readable(string(r.detect.AppendHref(nil, "<"+a+">", l)))); !o.Footnotes {
			least[key]++
		} else {
			least[key] = 1
		}
	}
	for a, n := range least {
		if detect[a] < n {
			fail("%q is there %d times, not %d: %v", a, detect[a], n, detect)
		}
	}
	width := r.o.Width
	for line := range strings.SplitSeq(out, "\n") {
		if n := uniseg.StringWidth(line); code || n <= width {
			continue
		}
		rest := strings.TrimRight(line[len(markers.FindString(line)):], " ")
		if i := breakable(r.detect, rest, o.Flowed); i >= 0 && !strings.HasPrefix(rest, "-- ") && !(o.Footnotes && !strings.Contains(rest, " ")) {
			fail("a line of %d columns could be broken: %q | %q", uniseg.StringWidth(line), rest[:i], rest[i:])
		}
	}
	if o.Flowed && !table {
		// As with Width -1, but with the same indentation.
		w := &writer{Renderer: r, source: []byte(source), limit: noLimit, room: min(maxIndent, width-minText)}
		unbroken := string(w.render(doc).out)
		if got, want := underlines(unflow(out)), underlines(unflow(unbroken)); !slices.Equal(got, want) {
			fail("flowed:\n got %q\nwant %q", got, want)
		}
		for _, line := range strings.Split(unbroken, "\n") {
			if strings.HasSuffix(line, " ") {
				fail("%q goes on", line)
			}
		}
	}
}

func FuzzText(f *testing.F) {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for mode := range byte(6) {
			f.Add(string(source), mode)
		}
	}
	for i, s := range []string{
		"[a](https://e.com/b)c <https://e.com/(> (https://e.com/%28) https://e.com/a%3F", "https://e.com/[b](https://e.com/c)", "**https://e.com/a**b [x@](https://e.com)",
		"`https://e.com/`<https://e.com/>", "-- a\n> -- b\n>\n> From c", "- > a\n  > - b", "[a](http://דוגמה.ישראל/א) [ב](mailto:a@e.com)", "字字字字字字字字字字字字https://e.com/字字字字字字",
		"[https://e.com/a?](https://e.com/a?) <https://e.com/?>", "~~https://e.com/a~~ _https://e.com/b_", "|a|\n|-|\n|https://e.com/|\n", "[a](https://e.com) [a][b]\n\n[b]: https://e.com\n",
		"a[^1]\n\n[^1]: https://e.com/a [b](https://e.com/c)\n", "[![a](b)](https://e.com)", "<a@e.com>b@e.com.", "[a.com/b](https://e.com) https://e.com/a/[^1]\n\n[^1]: x", "> >\n> > - a\n",
		"From aaaaaaaaaaaaaa b\n", "x[^a] [1] ![2](x)\n\n[^a]: a\n\n[^b]: b[^c] `[3]`\n\n[^c]: c[^b] [d](https://e.com/)\n",
	} {
		f.Add(s, byte(i))
	}
	f.Fuzz(func(t *testing.T, source string, mode byte) {
		width := []int{20, 30, 72}[mode/4%3]
		check(t, source, Options{Footnotes: mode&1 != 0, Flowed: mode&2 != 0, Width: width, Images: mode&64 != 0})
	})
}
