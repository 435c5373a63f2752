// SPDX-License-Identifier: MIT

// Package bench measures bidilink side by side with other programs that find links, and with plain loops over the bytes.
package bench

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unsafe"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"gitlab.com/golang-commonmark/linkify"
	"golang.org/x/net/html"
	"mvdan.cc/xurls/v2"

	"github.com/bidilink/bidilink/bench/corpus"
	"github.com/bidilink/bidilink/engine"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/htmlwalk"
)

// An Input is what a peer reads.
type Input uint8

const (
	Text     Input = iota // plain text: the peer tells the places of the links
	HTML                  // HTML, of which the peer makes HTML with the links
	Markdown              // Markdown, of which the peer makes HTML
)

func (i Input) String() string { return [...]string{"text", "HTML", "Markdown"}[i] }

// A Span is the place of a link. Offsets are bytes, End exclusive.
type Span struct{ Start, End int }

// A Peer is something that reads texts. It is in this process, and then it has Find, Links or Convert, or it is a program, and then it has a Runner.
type Peer struct {
	Name  string
	Input Input

	// Module is the path of the module whose version is that of the peer. Empty for our own, and for programs, which tell it themselves.
	Module string

	Find    func(text string) int                // the number of links, or of hits; not for peers that convert
	Links   func(text string) []Span             // their places; not for yardsticks
	Convert func(out *bytes.Buffer, text string) // HTML of the text

	Runner *Runner

	// Part is how many bytes of each corpus the peer reads, from the beginning on; 0 for all.
	Part int

	// NoWhole peers are not given a whole corpus at once: that takes minutes.
	NoWhole bool

	// A Yardstick finds no links: it is a loop over the bytes, or over the tokens.
	Yardstick bool
}

// PartSize is the share of a corpus that peers read which make about a megabyte a second, scriptPart that of those
// which make some ten.
const (
	PartSize   = 128 << 10
	scriptPart = 512 << 10
)

// Names of peers that the goals are about.
const (
	Bidilink     = "bidilink"
	LinkifyGo    = "linkify-go"
	LinkifyRust  = "linkify-rust"
	IndexByte    = "indexbyte"
	BidilinkHTML = "bidilink-html"
	Tokenizer    = "tokenizer"
	Goldmark     = "goldmark"
	GoldmarkOurs = "goldmark-uts58"
)

// Peers are all peers in the order of the table: those for plain text, HTML, Markdown, and ours first, yardsticks last of each.
func Peers() []Peer {
	d, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	ours := detector{d}
	return []Peer{
		{Name: Bidilink, Find: ours.count, Links: ours.places},
		{Name: LinkifyGo, Module: "gitlab.com/golang-commonmark/linkify", Find: func(text string) int { return len(linkify.Links(text)) }, Links: linkifyLinks, NoWhole: true},
		xurlsPeer("xurls-relaxed", xurls.Relaxed().FindAllStringIndex),
		xurlsPeer("xurls-strict", xurls.Strict().FindAllStringIndex),
		{Name: LinkifyRust, Runner: rust()},
		{Name: LinkifyRust + "-scheme", Runner: rust("scheme")},
		{Name: "linkify-it", Runner: node("linkify-it"), Part: scriptPart},
		{Name: "linkifyjs", Runner: node("linkifyjs"), Part: scriptPart},
		{Name: "autolinker", Runner: node("autolinker"), Part: scriptPart},
		{Name: "anchorme", Runner: node("anchorme"), Part: scriptPart, NoWhole: true},
		{Name: "twitter-text", Runner: node("twitter-text"), Part: scriptPart},
		{Name: IndexByte, Find: indexByte, Yardstick: true},
		{Name: "bytetable", Find: byteTable, Yardstick: true},

		{Name: BidilinkHTML, Input: HTML, Convert: rewriteHTML()},
		{Name: "rinku", Input: HTML, Runner: ruby()},
		{Name: "linkify-html", Input: HTML, Runner: node("linkify-html"), Part: scriptPart},
		{Name: "autolinker-html", Input: HTML, Runner: node("autolinker-html"), Part: scriptPart},
		{Name: "anchorme-html", Input: HTML, Runner: node("anchorme-html"), Part: scriptPart},
		{Name: "bleach", Input: HTML, Runner: python(), Part: PartSize},
		{Name: Tokenizer, Input: HTML, Module: "golang.org/x/net", Find: tokens, Yardstick: true},

		{Name: GoldmarkOurs, Input: Markdown, Convert: convertMarkdown(&uts58.Extender{})},
		{Name: "goldmark-linkify", Input: Markdown, Module: "github.com/yuin/goldmark", Convert: convertMarkdown(extension.Linkify)},
		{Name: "cmark-gfm-autolink", Input: Markdown, Runner: cmark("autolink")},
		{Name: "markdown-it-linkify", Input: Markdown, Runner: node("markdown-it-linkify"), Part: scriptPart},
		{Name: Goldmark, Input: Markdown, Module: "github.com/yuin/goldmark", Convert: convertMarkdown(), Yardstick: true},
		{Name: "cmark-gfm", Input: Markdown, Runner: cmark(), Yardstick: true},
		{Name: "markdown-it", Input: Markdown, Runner: node("markdown-it"), Part: scriptPart, Yardstick: true},
	}
}

// A detector is our engine. These are methods, and not functions in a function, for which the compiler allocates memory at every call.
type detector struct{ *engine.Detector }

func (d detector) count(text string) int {
	n := 0
	for range d.Links(text) {
		n++
	}
	return n
}

func (d detector) places(text string) (spans []Span) {
	for l := range d.Links(text) {
		spans = append(spans, Span{l.Start, l.End})
	}
	return spans
}

func linkifyLinks(text string) (spans []Span) {
	for _, l := range linkify.Links(text) {
		spans = append(spans, Span{l.Start, l.End})
	}
	return spans
}

func xurlsPeer(name string, find func(string, int) [][]int) Peer {
	return Peer{
		Name:   name,
		Module: "mvdan.cc/xurls/v2",
		Find:   func(text string) int { return len(find(text, -1)) },
		Links: func(text string) (spans []Span) {
			for _, m := range find(text, -1) {
				spans = append(spans, Span{m[0], m[1]})
			}
			return spans
		},
		Part: PartSize,
	}
}

func rewriteHTML() func(*bytes.Buffer, string) {
	rw, err := htmlwalk.New(htmlwalk.Options{})
	if err != nil {
		panic(err)
	}
	return func(out *bytes.Buffer, text string) {
		out.Grow(len(text) + len(text)/8)
		doc := unsafe.Slice(unsafe.StringData(text), len(text)) // nobody changes it
		linked, _, err := rw.Append(out.AvailableBuffer(), doc)
		if err != nil {
			panic(err) // the corpora have none that cannot be read
		}
		out.Write(linked)
	}
}

func convertMarkdown(with ...goldmark.Extender) func(*bytes.Buffer, string) {
	md := goldmark.New(goldmark.WithExtensions(with...))
	return func(out *bytes.Buffer, text string) {
		if err := md.Convert([]byte(text), out); err != nil {
			panic(err) // out has no errors
		}
	}
}

// tokens reads the tokens of HTML and does nothing with them.
func tokens(text string) int {
	n := 0
	for z := html.NewTokenizer(strings.NewReader(text)); ; n++ {
		if z.Next() == html.ErrorToken {
			if z.Err() != io.EOF {
				panic(z.Err())
			}
			return n
		}
		n += len(z.Raw())
	}
}

// indexByte looks for each of the bytes without which there is no link, as fast as the library can.
// It is three readings of the text.
func indexByte(text string) int {
	n := 0
	for _, c := range []byte(".@:") {
		for rest := text; ; n++ {
			i := strings.IndexByte(rest, c)
			if i < 0 {
				break
			}
			rest = rest[i+1:]
		}
	}
	return n
}

var triggers = [256]uint8{'.': 1, '@': 1, ':': 1}

// byteTable looks every byte up in a table, one reading of the text.
func byteTable(text string) int {
	n := 0
	for i := range len(text) {
		n += int(triggers[text[i]])
	}
	return n
}

// Texts returns what a peer is given of a corpus, of part bytes of it unless that is 0: one text, or one for each paragraph or document.
func Texts(c corpus.Corpus, whole bool, part int) []string {
	if part > 0 {
		c = c.Part(part)
	}
	if whole {
		return []string{c.Text}
	}
	texts := make([]string, len(c.Paragraphs))
	for i, p := range c.Paragraphs {
		texts[i] = p.Text
	}
	return texts
}

// Corpora returns the corpora of plain text, made once.
var Corpora = sync.OnceValue(corpus.All)
