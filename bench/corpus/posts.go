// SPDX-License-Identifier: MIT

package corpus

import "strings"

// posts writes posts of a forum or a blog in Markdown: headings, lists, quotes, emphasis, code, links in
// brackets, and prose in which a link stands as text.
type posts struct {
	prose *english
}

func newPosts() *posts { return &posts{prose: newEnglish(100)} }

func (p *posts) document(w *writer) {
	if w.percent(60) {
		w.put("# ")
		at := len(w.buf)
		w.put(w.word(adjectives), " ", w.word(nouns), " of ", w.word(places), "\n\n")
		w.capital(at)
	}
	for size := w.between(900, 3400); len(w.buf) < size; {
		switch n := w.n(20); {
		case n == 0:
			w.put("## ", w.word(firstNames), " and the ", w.word(nouns), "\n\n")
		case n < 3:
			for range w.between(2, 5) {
				w.put("- ")
				p.sentences(w, 1)
				w.put("\n")
			}
			w.put("\n")
		case n == 3:
			for i := range w.between(2, 4) {
				w.num(i + 1)
				w.put(". ")
				p.sentences(w, 1)
				w.put("\n")
			}
			w.put("\n")
		case n < 6:
			w.put("> ")
			p.sentences(w, w.between(1, 3))
			w.put("\n\n")
		case n == 6:
			w.put("```\n", w.word(nouns), " --", w.word(adjectives), " https://", host(w.source), "/", w.word(nouns), "\n", w.word(transitive), "(", w.word(nouns), ")\n```\n\n")
		default:
			p.sentences(w, w.between(2, 6))
			w.put("\n\n")
		}
	}
	w.buf = w.buf[:len(w.buf)-1] // one line end at the end
}

// sentences writes n sentences of one paragraph.
func (p *posts) sentences(w *writer, n int) {
	for i := range n {
		if i > 0 {
			w.put(" ")
		}
		start := len(w.buf)
		switch {
		case p.prose.due <= 0:
			p.link(w)
			p.prose.due = w.between(300, 900)
		case w.percent(6):
			w.put("The [", w.word(adjectives), " ", w.word(nouns), "](https://", host(w.source), tail(w.source, 60), ") ", w.word(intransitive), ".")
		case w.percent(6):
			w.put("Set `", w.word(nouns), "_", w.word(nouns), "` to **", w.word(adjectives), "**.")
		case w.percent(8):
			w.put("It was *", w.word(adverbs), "* ", w.word(adjectives), ".")
		default:
			sentence(w, false)
		}
		p.prose.due -= len(w.buf) - start
	}
}

// link writes a sentence with a link, which in Markdown stands neither in brackets nor at the end of a line.
func (p *posts) link(w *writer) {
	start, links := len(w.buf), len(w.links)
	for {
		p.prose.linkSentence(w)
		if !strings.ContainsAny(string(w.buf[start:]), "<>[]\n") {
			return
		}
		w.buf, w.links = w.buf[:start], w.links[:links]
	}
}
