// SPDX-License-Identifier: MIT

// Package corpus makes the texts that the benchmarks read: files of about four megabytes, each a list of
// paragraphs or documents, with the place of every link that was put in. The texts are generated from word
// lists written for this package, by a seeded generator whose arithmetic is all integers, so that they
// are the same bytes on every machine and with every version of Go.
//
// The names, hosts and addresses are put together from the word lists; they refer to nobody.
package corpus

import "strings"

// Size is the least length in bytes of each corpus, separators not counted.
const Size = 4_000_000

// Separator stands between the paragraphs of a [Corpus.Text].
const Separator = "\n\n"

// A Link is a link that the generator put into a text. Offsets are bytes, End exclusive.
type Link struct {
	Start, End int
	Email      bool
}

// A Paragraph is what an application would hand to a detector at once, or an HTML or Markdown document.
type Paragraph struct {
	Text  string
	Start int    // where Text begins in the text of the corpus
	Links []Link // in order, offsets into Text
}

// A Corpus is a list of paragraphs, and the same as one text.
type Corpus struct {
	Name       string
	Text       string // the paragraphs, with Separator between them
	Paragraphs []Paragraph
}

// Names are the corpora of plain text in the order of the tables:
// prose has no links, sparse one in about 200 words, dense one in about 66 bytes,
// multi one in about 600 bytes of eight languages.
var Names = []string{"prose", "sparse", "dense", "multi"}

// Documents are the corpora whose paragraphs are documents: mail has HTML mails, posts has Markdown. The
// links are those that stand as text, in the bytes of the source; what is in anchors, brackets and code is not among them.
var Documents = []string{"mail", "posts"}

// Build makes the corpus of that name, one of Names or Documents. It panics if there is none.
func Build(name string) Corpus {
	switch name {
	case "prose":
		return build(name, 1, newEnglish(0).paragraph)
	case "sparse":
		return build(name, 2, newEnglish(200).paragraph)
	case "dense":
		return build(name, 3, newDense().paragraph)
	case "multi":
		return build(name, 4, newMulti().paragraph)
	case "mail":
		return build(name, 5, newMail().document)
	case "posts":
		return build(name, 6, newPosts().document)
	}
	panic("corpus: no corpus " + name)
}

// All makes the corpora of plain text.
func All() []Corpus {
	all := make([]Corpus, len(Names))
	for i, name := range Names {
		all[i] = Build(name)
	}
	return all
}

// Links returns the links of c with offsets into c.Text.
func (c *Corpus) Links() []Link {
	var links []Link
	for _, p := range c.Paragraphs {
		for _, l := range p.Links {
			links = append(links, Link{l.Start + p.Start, l.End + p.Start, l.Email})
		}
	}
	return links
}

// Part returns the first paragraphs of c, about size bytes of them: for detectors that are too slow
// for the whole.
func (c *Corpus) Part(size int) Corpus {
	for i, p := range c.Paragraphs {
		if end := p.Start + len(p.Text); end >= size {
			return Corpus{c.Name, c.Text[:end], c.Paragraphs[:i+1]}
		}
	}
	return *c
}

func build(name string, seed uint64, paragraph func(*writer)) Corpus {
	w := &writer{source: newSource(seed)}
	var text strings.Builder
	var paragraphs []Paragraph
	for size := 0; size < Size; {
		w.buf, w.links = w.buf[:0], nil
		paragraph(w)
		if size > 0 {
			text.WriteString(Separator)
		}
		paragraphs = append(paragraphs, Paragraph{Text: string(w.buf), Start: text.Len(), Links: w.links})
		text.Write(w.buf)
		size += len(w.buf)
	}
	c := Corpus{name, text.String(), paragraphs}
	for i := range c.Paragraphs { // slices of the text, not copies: both readings walk the same memory
		p := &c.Paragraphs[i]
		p.Text = c.Text[p.Start : p.Start+len(p.Text)]
	}
	return c
}
