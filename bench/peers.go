// SPDX-License-Identifier: MIT

// Package bench measures bidilink side by side with other detectors and with plain loops over the bytes.
package bench

import (
	"strings"
	"sync"

	"github.com/bidilink/bidilink/bench/corpus"
	"github.com/bidilink/bidilink/engine"
	"gitlab.com/golang-commonmark/linkify"
	"mvdan.cc/xurls/v2"
)

// A Peer is something that reads a text. Find returns the number of links, or of hits.
type Peer struct {
	Name string
	Find func(text string) int

	// Slow peers read the first part of a corpus only, PartSize bytes.
	Slow bool

	// NoWhole peers are not given a whole corpus at once: that takes minutes.
	NoWhole bool

	// A Yardstick finds no links: it is a loop over the bytes.
	Yardstick bool
}

// PartSize is the share of a corpus that slow peers read.
const PartSize = 128 << 10

// Names of peers that the goals are about.
const (
	Bidilink  = "bidilink"
	Linkify   = "linkify"
	IndexByte = "indexbyte"
)

// Peers are all peers: detectors first, then the yardsticks.
func Peers() []Peer {
	return []Peer{
		{Name: Bidilink, Find: newBidilink()},
		{Name: Linkify, Find: func(text string) int { return len(linkify.Links(text)) }, NoWhole: true},
		{Name: "xurls-relaxed", Find: newXurls(xurls.Relaxed().FindAllStringIndex), Slow: true},
		{Name: "xurls-strict", Find: newXurls(xurls.Strict().FindAllStringIndex), Slow: true},
		{Name: IndexByte, Find: indexByte, Yardstick: true},
		{Name: "bytetable", Find: byteTable, Yardstick: true},
	}
}

func newBidilink() func(string) int {
	d, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	return func(text string) int {
		n := 0
		for range d.Links(text) {
			n++
		}
		return n
	}
}

func newXurls(find func(string, int) [][]int) func(string) int {
	return func(text string) int { return len(find(text, -1)) }
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

// Texts returns what a peer is given of a corpus: one text, or one for each paragraph.
func (p Peer) Texts(c corpus.Corpus, whole bool, part int) []string {
	if p.Slow {
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

// Corpora returns all corpora, made once.
var Corpora = sync.OnceValue(corpus.All)
