// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html"

	"github.com/bidilink/bidilink/engine/display"
)

var (
	documents = flag.Int("documents", 0, "how many documents TestDifferential makes; 0 for some")
	walks     = flag.Int("walks", 0, "how many documents TestWalks makes; 0 for some")
	seed      = flag.Uint64("seed", 1, "what they make them of")
)

// A traced token is one that the walker has met.
type traced struct {
	tt  html.TokenType
	end int
}

// trace returns the tokens that a walker meets in a document, what it writes, and what it says about that. Of a start tag that is skimmed, the type of the token
// is what the scanner says, as the skim does not ask: there, it is where the token ends and what is written that can differ.
func trace(rw *Rewriter, doc io.Reader, find finder) ([]traced, string) {
	var out bytes.Buffer
	var list []traced
	w, err := rw.newWalker(&out, doc, find, nil)
	if err != nil {
		return nil, err.Error()
	}
	w.trace = func(tt html.TokenType, end int64) { list = append(list, traced{tt, int(end)}) }
	stats, err := w.document()
	w.release()
	return list, fmt.Sprint(out.String(), stats, err)
}

// A pair is our walk, and the one over the reference, with the same options.
type pair struct{ ours, reference *Rewriter }

func newPair(t testing.TB, o Options) (p pair) {
	var err, err2 error
	p.ours, err = New(o)
	o.ReferenceScanner = true
	p.reference, err2 = New(o)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return p
}

// sameWalk checks that the walker meets the tokens of the reference, and does the same: the tokenizer is told what the parsers tell the scanner.
func sameWalk(t *testing.T, doc string, p pair, find finder) {
	t.Helper()
	sameWalkOver(t, doc, strings.NewReader(doc), p, find)
}

// sameWalkOver does the same, where our walk reads the document from r. It returns the number of tokens.
func sameWalkOver(t *testing.T, doc string, r io.Reader, p pair, find finder) int {
	t.Helper()
	want, wantOut := trace(p.reference, strings.NewReader(doc), find)
	got, gotOut := trace(p.ours, r, find)
	if strings.Contains(wantOut, LinkLimit.String()) {
		// One of them has looked a token further.
		n := min(len(got), len(want))
		got, want = got[:n], want[:n]
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q: tokens end at\n     %v\nwant %v", doc, got, want)
	}
	if gotOut != wantOut {
		t.Fatalf("%q: output\n     %q\nwant %q", doc, gotOut, wantOut)
	}
	return len(got)
}

// TestPrefixes compares the tokens of every beginning of the tests of the tree and of our own, so that the document ends in every state: those of the
// scanner, and in every fourth, or with -documents in all, also those that a walker meets.
func TestPrefixes(t *testing.T) {
	docs, err := treeTests()
	if err != nil {
		t.Log(err)
	}
	docs = append(append(docs, tokenTests...), gadgets...)
	n, p := 0, newPair(t, Options{})
	for i, doc := range docs {
		if testing.Short() && i%10 != 0 {
			continue
		}
		for end := range min(len(doc), 400) {
			sameBytes(t, doc[:end], uint8(end))
			if *documents != 0 || end%4 == i%4 {
				sameWalk(t, doc[:end], p, nil)
			}
			n++
		}
	}
	t.Logf("%d documents", n)
}

// TestDifferential makes documents by chance, in which every construct of the syntax occurs, well-formed and not, and looks whether the tokens are those of the
// tokenizer of golang.org/x/net/html: those of the scanner alone, whatever it is told about CDATA sections and raw text. For many:
//
//	go test -run 'Prefixes|Differential' -documents 10000000 -timeout 0 -v ./htmlwalk
func TestDifferential(t *testing.T) {
	n := *documents
	switch {
	case n != 0:
	case testing.Short():
		n = 5_000
	default:
		n = 50_000
	}
	docs, err := treeTests()
	if err != nil {
		t.Log(err)
	}
	docs = append(append(slices.Clone(docs), tokenTests...), gadgets...)
	r := rand.New(rand.NewPCG(*seed, 58))
	size, tokens := 0, 0
	for i := range n {
		var doc string
		if i%4 == 0 {
			doc = mutant(r, docs[r.IntN(len(docs))])
		} else {
			doc = markup(r)
		}
		size += len(doc)
		tokens += sameBytes(t, doc, uint8(r.Uint32()))
		if *documents != 0 && i%1_000_000 == 999_999 {
			t.Logf("%d documents", i+1)
		}
	}
	t.Logf("%d documents, %d bytes, %d tokens, no difference", n, size, tokens)
}

// TestWalks makes such documents, and looks whether a walker that skims meets the same tokens, and writes the same, as one over the reference: with options by chance,
// read in pieces of any size, and one in eight with so much before it that what matters is where buffers end. For many:
//
//	go test -run Walks -walks 100000 -timeout 0 -v ./htmlwalk
func TestWalks(t *testing.T) {
	n := *walks
	switch {
	case n != 0:
	case testing.Short():
		n = 1_000
	default:
		n = 10_000
	}
	docs, err := treeTests()
	if err != nil {
		t.Log(err)
	}
	docs = append(append(slices.Clone(docs), tokenTests...), gadgets...)
	r := rand.New(rand.NewPCG(*seed, 59))
	var pairs []pair
	for _, o := range walkOptions() {
		pairs = append(pairs, newPair(t, o))
	}
	size, tokens := 0, 0
	for i := range n {
		var doc string
		if i%4 == 0 {
			doc = mutant(r, docs[r.IntN(len(docs))])
		} else {
			doc = markup(r)
		}
		if i%8 == 1 {
			doc = fill(r) + doc
		}
		from := io.Reader(strings.NewReader(doc))
		switch r.IntN(5) {
		case 0:
			from = iotest.HalfReader(from)
		case 1:
			from = &slowReader{from, 1 + r.IntN(100)}
		case 2:
			from = iotest.DataErrReader(&slowReader{from, 1 + r.IntN(20_000)})
		}
		var find finder
		if r.IntN(8) == 0 {
			find = eager{}
		}
		size += len(doc)
		tokens += sameWalkOver(t, doc, from, pairs[r.IntN(len(pairs))], find)
	}
	t.Logf("%d documents, %d bytes, %d tokens, %d sets of options, no difference", n, size, tokens, len(pairs))
}

// walkOptions are options that change what a walker does.
func walkOptions() []Options {
	return slices.Concat(displays, selections, []Options{{}, {}, {}, {Order: display.Environment}, hooked, {Context: "td"}, {Context: "tr"}, {MaxDepth: 10}, {MaxToken: 100}, {MaxToken: 500}})
}

// fill returns the beginning of a document, up to some place near the end of a buffer; with an escape sequence behind it, or not.
func fill(r *rand.Rand) string {
	piece := one(r, []string{"<p>xx</p>", "words and words ", "<b>x</b> ", "<!-- c -->", "<i title='a b c'>x</i>\n", "<td>e.com</td>", "שלום "})
	begin := one(r, []string{"<p>", "<p>", "<table><tr>", "<div dir=auto>", "<meta charset=utf-8>", "<p title=\"", "<!--"})
	size := sniffed<<r.IntN(2) - 300 + r.IntN(400)
	text := begin + strings.Repeat(piece, (size-len(begin))/len(piece))
	switch {
	case strings.HasSuffix(begin, "\""):
		text += "\">"
	case begin == "<!--":
		text += "-->"
	}
	for range r.IntN(3) {
		text += markup(r)
	}
	if r.IntN(2) == 0 {
		text += one(r, []string{"", "<b title='", "<!-- ", "e.com", "<p>see e.com", "see e.com<wbr>", "<wbr title='"}) + one(r, []string{"\x1b$B", "\x1b(I", "\x1b[0m", "\x1b"}) + one(r, []string{"", "'>", "-->", "x "})
	}
	return text
}

// sameBytes is sameTokens for a document in memory. It returns the number of tokens.
func sameBytes(t *testing.T, doc string, how uint8) int {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(doc))
	s := newBytesScanner([]byte(doc))
	at := 0
	for i := uint8(0); ; i++ {
		cdata := how&1 != 0 && (how&2 == 0 || i&2 == 0)
		z.AllowCDATA(cdata)
		s.AllowCDATA(cdata)
		tt, n := z.Next(), len(z.Raw())
		if got := s.Next(0); got != tt || len(s.Raw()) != n {
			t.Fatalf("%q, %b: at %d, %v of %d bytes, want %v of %d", doc, how, at, got, len(s.Raw()), tt, n)
		}
		at += n
		if tt == html.ErrorToken {
			return int(i)
		}
		if tt == html.StartTagToken && how&4 != 0 && (how&8 == 0 || i&1 == 0) {
			z.NextIsNotRawText()
			s.NextIsNotRawText()
		}
	}
}

// mutant returns a piece of a document with changes.
func mutant(r *rand.Rand, doc string) string {
	b := []byte(doc)
	if len(b) > 200 {
		from := r.IntN(len(b) - 100)
		b = b[from : from+100+r.IntN(100)%(len(b)-from-99)]
	}
	for range r.IntN(5) {
		at := r.IntN(len(b) + 1)
		switch r.IntN(4) {
		case 0:
			b = b[:at]
		case 1:
			b = slices.Insert(b, at, []byte(one(r, syntax))...)
		case 2:
			b = slices.Insert(b, at, alphabet[r.IntN(len(alphabet))])
		case 3:
			if at < len(b) {
				b[at] = alphabet[r.IntN(len(alphabet))]
			}
		}
	}
	return string(b)
}

func one(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// alphabet are bytes that matter to a tokenizer, and some that do not.
const alphabet = "<>/=!?-\"'&;#[]() \t\n\f\rabDdxXpPsSiIcCrRoO019.:@\x00\x1b\x80\xc3\xa9\xe3\xff"

var (
	syntax = strings.Split("<|>|</|/>|<!|<?|<!--|-->|--!>|--|<!->|<!-->|<!--->|<![CDATA[|]]>|]]|<!doctype|<!DOCTYPE html>|<!doc|&|&amp;|&lt|&#60;|&#x3c;|&nbsp;|=\"|='|\"|'|=|"+
		"<script|</script|<SCRIPT>|</script >|<!--<script>|<!-- <script |</scrip|<title>|</title|<textarea>|</textarea>|<plaintext>|<style>|</style>|<xmp>|</xmp>|<iframe>|</iframe>|<noembed>|</noembed>|"+
		"<noframes>|</noframes>|<noscript>|</noscript>|<svg>|</svg>|<math>|</math>|<svg/>|<foreignObject>|<desc>|<mi>|<br/>|<wbr>|</>|</ |< |<a<b>|<p dir=auto>|<span dir=auto>|<bdi>|</bdi>|<div dir=rtl>|\r\n|\x00|\xff", "|")
	names = strings.Split("a|b|p|div|span|td|tr|table|tbody|li|ul|h1|h2|br|img|em|font|i|script|style|title|textarea|noscript|noembed|noframes|iframe|xmp|svg|math|desc|mi|annotation-xml|g|path|address|article|section|details|summary|center|picture|audio|video|kbd|samp|var|tt|u|s|mark|nav|listing|"+
		"template|select|option|wbr|pre|code|blockquote|x-y|body|html|head|meta|link|form|input|button|DIV|Td|SCRIPT|sTyLe|p\x00|é|bdi|dl|dt|dd|hr|caption|col|thead|th|abbr|section|a1|h7|t", "|")
	keys   = strings.Split("a|href|class|id|dir|role|data-bidilink|contenteditable|style|width|=x|a\"b|'|<|é|\x00|A|DIR|Role|xml:lang|checked|d|cellspacing", "|")
	values = strings.Split("|x|y z|a=b|ltr|rtl|auto|button|link|presentation|on|off|true|>|<b>|</script>|-->|&amp;|&quot;|é|\x00|padding:20px 10px;font-family:Arial, Helvetica, sans-serif|http://e.com/?a=b&c=d|/|a/", "|")
	texts  = strings.Split("x|words and words| |\n|\t \n|e.com|see http://e.com/x. |a@e.com|1.5|a.b<c|< b|a<3|&amp;|&nbsp;|&#46;|.|:|@|é|שלום|中文。|“x”|\x00|\xff|\xe3\x80|e。com|e．com|e｡com|http://ש.com/ש|see http://e.com/ש/x/ and|ש|some longer words, with commas|x.</|>|]]>|--|\r", "|")
)

// markup returns a document that follows the grammar, more or less.
func markup(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(3) > 0 {
		b.WriteString("<p>") // in the body
	}
	for size := 20 + r.IntN(160); b.Len() < size; {
		switch k := r.IntN(20); {
		case k < 8:
			b.WriteByte('<')
			b.WriteString(one(r, names))
			for range r.IntN(4) * r.IntN(2) {
				b.WriteString(one(r, []string{" ", " ", " ", " ", "\n", "  ", "/", "\t", ""}))
				b.WriteString(one(r, keys))
				if r.IntN(5) == 0 {
					b.WriteString(one(r, []string{" ", " =", "= ", "\n=\n", ""}))
				}
				v := one(r, values)
				switch r.IntN(8) {
				case 0, 1, 2, 3:
					b.WriteString(`="` + strings.ReplaceAll(v, `"`, "") + `"`)
				case 4:
					b.WriteString("='" + strings.ReplaceAll(v, "'", "") + "'")
				case 5:
					b.WriteString("=" + v)
				case 6:
					b.WriteString(`="` + v)
				}
			}
			b.WriteString(one(r, []string{">", ">", ">", ">", ">", ">", ">", ">", "/>", " >", " />", "/ >", ""}))
		case k < 13:
			b.WriteString("</" + one(r, names) + one(r, []string{">", ">", ">", ">", ">", ">", " >", "\n>", "/>", " a=b>", ` a=">">`, ""}))
		case k < 17:
			b.WriteString(one(r, texts))
		case k < 18:
			b.WriteString("<!--" + one(r, []string{"", " c ", "-", "--", ">", "->", "-->", "<!--", "--!", "<script>"}) + one(r, []string{"-->", "-->", "--!>", "->", ">", ""}))
		default:
			b.WriteString(one(r, syntax))
		}
	}
	doc := b.String()
	if r.IntN(10) == 0 {
		doc = doc[:r.IntN(len(doc))]
	}
	return doc
}

// FuzzWalk compares what a walker does that skims, and one over the reference tokenizer, in all options.
func FuzzWalk(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 58))
	for i := range 100 {
		f.Add(markup(r), uint8(i))
	}
	for i, doc := range gadgets {
		f.Add("<p>"+doc, uint8(i))
	}
	f.Fuzz(func(t *testing.T, doc string, which uint8) {
		if len(doc) > 4096 {
			return
		}
		all := walkOptions()
		o := all[int(which)%len(all)]
		p := newPair(t, o)
		sameWalk(t, doc, p, nil)
		sameWalk(t, doc, p, eager{})
	})
}
