// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

var (
	documents = flag.Int("documents", 0, "how many documents TestDifferential makes; 0 for some")
	seed      = flag.Uint64("seed", 1, "what TestDifferential makes them of")
)

// A traced token is one that the walker has met.
type traced struct {
	tt  html.TokenType
	end int
}

// trace returns the tokens that a walker meets in a document, what it writes, and what it says about that.
func trace(rw *Rewriter, doc string, find finder) ([]traced, string) {
	var out bytes.Buffer
	var list []traced
	w, err := rw.newWalker(&out, strings.NewReader(doc), find, nil)
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
	want, wantOut := trace(p.reference, doc, find)
	got, gotOut := trace(p.ours, doc, find)
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
// tokenizer of golang.org/x/net/html: those of the scanner alone, whatever it is told about CDATA sections and raw text, and those that a walker meets. For many, of which
// a walker meets one in fifteen:
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
	p := newPair(t, Options{})
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
		if i%15 == 1 || *documents == 0 {
			sameWalk(t, doc, p, nil)
		}
		if *documents != 0 && i%1_000_000 == 999_999 {
			t.Logf("%d documents", i+1)
		}
	}
	t.Logf("%d documents, %d bytes, %d tokens, no difference", n, size, tokens)
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
		"<noframes>|</noframes>|<noscript>|</noscript>|<svg>|</svg>|<math>|</math>|<svg/>|<foreignObject>|<desc>|<mi>|<br/>|<wbr>|</>|</ |< |<a<b>|\r\n|\x00|\xff", "|")
	names = strings.Split("a|b|p|div|span|td|tr|table|tbody|li|ul|h1|h2|br|img|em|font|i|script|style|title|textarea|noscript|noembed|noframes|iframe|xmp|svg|math|desc|mi|annotation-xml|g|path|"+
		"template|select|option|wbr|pre|code|blockquote|x-y|body|html|head|meta|link|form|input|button|DIV|Td|SCRIPT|sTyLe|p\x00|é|bdi|dl|dt|dd|hr|caption|col|thead|th|abbr|section|a1|h7|t", "|")
	keys   = strings.Split("a|href|class|id|dir|role|data-bidilink|contenteditable|style|width|=x|a\"b|'|<|é|\x00|A|DIR|Role|xml:lang|checked|d|cellspacing", "|")
	values = strings.Split("|x|y z|a=b|ltr|rtl|auto|button|link|presentation|on|off|true|>|<b>|</script>|-->|&amp;|&quot;|é|\x00|padding:20px 10px;font-family:Arial, Helvetica, sans-serif|http://e.com/?a=b&c=d|/|a/", "|")
	texts  = strings.Split("x|words and words| |\n|\t \n|e.com|see http://e.com/x. |a@e.com|1.5|a.b<c|< b|a<3|&amp;|&nbsp;|&#46;|.|:|@|é|שלום|中文。|“x”|\x00|\xff|\xe3\x80|e。com|some longer words, with commas|x.</|>|]]>|--|\r", "|")
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
		all := slices.Concat(displays, selections, []Options{{}, {}, hooked, {Context: "td"}, {Context: "tr"}, {MaxDepth: 10}, {MaxToken: 100}})
		o := all[int(which)%len(all)]
		p := newPair(t, o)
		sameWalk(t, doc, p, nil)
		sameWalk(t, doc, p, eager{})
	})
}
