// SPDX-License-Identifier: MIT

package corpus

import "strings"

// english writes English prose; with links, one in about every words.
type english struct {
	every int // 0 for none
	due   int // bytes until the next link
}

// bytesPerWord is the mean length of a word of the prose, with its blank.
const bytesPerWord = 6

func newEnglish(every int) *english { return &english{every: every, due: every * bytesPerWord} }

func (e *english) paragraph(w *writer) {
	size := w.between(450, 1500)
	if w.percent(25) {
		size = w.between(1500, 3400)
	}
	curly := w.percent(40) // typographic quotes and dashes, or those of a typewriter
	for len(w.buf) < size {
		if len(w.buf) > 0 {
			w.put(" ")
		}
		start := len(w.buf)
		if e.every > 0 && e.due <= 0 {
			e.linkSentence(w)
			mean := e.every * bytesPerWord
			e.due = w.between(mean/2, mean*3/2)
		} else {
			sentence(w, curly)
		}
		e.due -= len(w.buf) - start
	}
}

// sentence writes a sentence with its full stop.
func sentence(w *writer, curly bool) {
	start := len(w.buf)
	open, closing, apostrophe, dash := `"`, `"`, "'", " - "
	if curly {
		open, closing, apostrophe, dash = "“", "”", "’", "—"
		if w.percent(50) {
			dash = " – "
		}
	}
	switch w.n(14) {
	case 0: // speech
		w.put(open)
		at := len(w.buf)
		clause(w, apostrophe)
		w.capital(at)
		w.put([]string{",", "!", "?", ","}[w.n(4)], closing, " ")
		w.put(w.word(firstNames), " said.")
		return
	case 1:
		w.put(w.word(adverbs), ", ")
		clause(w, apostrophe)
	case 2:
		clause(w, apostrophe)
		w.put("; ")
		clause(w, apostrophe)
	case 3:
		clause(w, apostrophe)
		w.put(dash)
		nounPhrase(w, objects)
		w.put(dash)
		w.put(w.word(conjunctions), " ")
		clause(w, apostrophe)
	case 4:
		clause(w, apostrophe)
		w.put(" (")
		aside(w)
		w.put(")")
	case 5:
		clause(w, apostrophe)
		w.put(": ")
		nounPhrase(w, objects)
		w.put(", ")
		nounPhrase(w, objects)
		w.put(" and ")
		nounPhrase(w, objects)
	case 6:
		figures(w)
		w.put(" ")
		clause(w, apostrophe)
	case 7, 8:
		clause(w, apostrophe)
	default:
		clause(w, apostrophe)
		if w.percent(60) {
			w.put(",")
		}
		w.put(" ", w.word(conjunctions), " ")
		clause(w, apostrophe)
	}
	w.capital(start)
	switch w.n(20) {
	case 0:
		w.put("?")
	case 1:
		w.put("!")
	default:
		w.put(".")
	}
}

func clause(w *writer, apostrophe string) {
	nounPhrase(w, subjects)
	if w.percent(15) {
		w.put(" ", w.word(adverbs))
	}
	switch w.n(6) {
	case 0:
		w.put(" ", w.word(intransitive))
		prepositional(w)
	case 1:
		if w.percent(30) {
			w.put(" wasn", apostrophe, "t ")
		} else {
			w.put(" was ")
		}
		if w.percent(30) {
			w.put("very ")
		}
		w.put(w.word(adjectives))
	case 2:
		w.put(" didn", apostrophe, "t want ")
		nounPhrase(w, objects)
	default:
		w.put(" ", w.word(transitive), " ")
		nounPhrase(w, objects)
		if w.percent(50) {
			prepositional(w)
		}
	}
}

func prepositional(w *writer) {
	w.put(" ", w.word(prepositions), " ")
	if w.percent(15) {
		w.put(w.word(places))
		return
	}
	nounPhrase(w, objects)
}

// nounPhrase writes a noun phrase, or one of the pronouns.
func nounPhrase(w *writer, pronouns *list) {
	switch w.n(12) {
	case 0, 1, 2:
		w.put(w.word(pronouns))
	case 3:
		w.put(w.word(firstNames))
		if w.percent(30) {
			w.put(" ", w.word(surnames))
		}
	case 4:
		if w.percent(30) {
			w.put(w.pick(titles), " ", w.word(surnames))
			return
		}
		fallthrough
	case 5:
		w.put(w.word(determiners), " ", w.word(nouns), " of ")
		w.put(w.word(determiners), " ", w.word(nouns))
	default:
		w.put(w.word(determiners), " ")
		if w.percent(35) {
			w.put(w.word(adjectives), " ")
		}
		w.put(w.word(nouns))
	}
}

// aside writes what stands in brackets: abbreviations and numbers, the dots and colons that are no links.
func aside(w *writer) {
	switch w.n(8) {
	case 0:
		w.put("e.g., ", w.word(adjectives), " ", w.word(nouns))
	case 1:
		w.put("i.e. ", w.word(determiners), " ", w.word(nouns))
	case 2:
		w.put("see p. ")
		w.num(w.between(2, 480))
	case 3:
		w.put("cf. ", w.word(surnames), " et al., ")
		w.num(w.between(1880, 2025))
	case 4:
		w.put("about ")
		w.num(w.between(2, 90))
		w.put(".")
		w.num(w.between(1, 99))
		w.put(" ", w.pick(units))
	case 5:
		w.put("the U.S. ", w.word(nouns))
	case 6:
		w.put("ratio ")
		w.num(w.between(1, 9))
		w.put(":")
		w.num(w.between(2, 20))
	default:
		w.put(w.word(nouns), "s and/or ", w.word(nouns), "s")
	}
}

// figures writes a time, a date or a measure for the beginning of a sentence.
func figures(w *writer) {
	switch w.n(5) {
	case 0:
		w.put("at ")
		w.num(w.between(1, 12))
		w.put(":")
		w.pad(w.n(60), 2)
		w.put([]string{" a.m.", " p.m.", "", ","}[w.n(4)])
	case 1:
		w.put("on ")
		w.num(w.between(1, 28))
		w.put(" ", w.word(months), " ")
		w.num(w.between(1880, 2025))
	case 2:
		w.put("for $")
		w.num(w.between(1, 900))
		w.put(".")
		w.pad(w.n(100), 2)
	case 3:
		w.put("after 3.")
		w.num(w.between(1, 99))
		w.put(" ", w.pick(units))
	default:
		w.put("in version ")
		w.num(w.between(1, 9))
		w.put(".")
		w.num(w.n(20))
	}
}

var (
	urlSentences = []string{
		"See ⸠ for the rest.",
		"The whole list is at ⸠.",
		"It was published (⸠) before the meeting.",
		"She sent us ⸠, which nobody had read.",
		"There is a copy at <⸠>.",
		`Somebody wrote "⸠" on the wall.`,
		"Everything is explained there: ⸠!",
		"The old page [⸠] has disappeared.",
		"You will find it at ⸠; the rest is lost.",
		"Have you read ⸠ (the second part)?",
		"He opened “⸠” again.",
		"A good place to begin is ⸠\nand the pages after it.",
	}
	addressSentences = []string{
		"Write to ⸠ before 10:30.",
		"Questions go to ⸠.",
		"The secretary (⸠) has the key.",
		"He asked Clara <⸠> for help.",
		"Please tell ⸠, who keeps the list.",
		`Her address, "⸠", was wrong.`,
		"Send the plan to ⸠; she will answer.",
		"Is ⸠ still in use?",
	}
)

func (e *english) linkSentence(w *writer) {
	switch n := w.n(100); {
	case n < 18:
		w.template(w.pick(addressSentences), address(w.source))
	case n < 74:
		w.template(w.pick(urlSentences), url(w.source))
	case n < 86:
		w.template(w.pick(urlSentences), made{text: "www." + host(w.source) + tail(w.source, 50)})
	default:
		w.template(w.pick(urlSentences), made{text: host(w.source) + tail(w.source, 40)})
	}
}

var (
	hostTLDs   = newList(`com org net de co.uk io fr info edu nl app com.au eu co.jp it dev ch se us ca`)
	hostPrefix = []string{"docs", "blog", "shop", "news", "static", "mail", "en", "api", "wiki", "archive"}
	extensions = []string{".html", ".pdf", ".html", ".txt", ".jpg", ".php"}
	mailboxes  = []string{"info", "office", "sales", "editor", "support", "abuse", "press", "list-request"}
)

// label returns one label of a host.
func label(s source) string {
	a := strings.ToLower(s.word(nouns))
	switch s.n(6) {
	case 0:
		return a + "-" + s.word(nouns)
	case 1:
		return s.word(adjectives) + a
	case 2:
		return strings.ToLower(s.word(places))
	case 3:
		return a + digits(s, 1, 99)
	case 4:
		return s.word(adjectives) + "-" + a
	}
	return a + s.word(nouns)
}

// host returns a host of ASCII letters under a public suffix.
func host(s source) string {
	h := label(s) + "." + s.word(hostTLDs)
	if s.percent(25) {
		h = s.pick(hostPrefix) + "." + h
	}
	return h
}

// url returns a link with a scheme.
func url(s source) made {
	t := "https://"
	if s.percent(15) {
		t = "http://"
	}
	if s.percent(40) {
		t += "www."
	}
	t += host(s)
	if s.percent(3) {
		t += ":" + digits(s, 1024, 65535)
	}
	return made{text: t + tail(s, 85)}
}

// tail returns the path, query and fragment of a link, or, in so many cases in a hundred, nothing.
// It never ends in a character that would be left outside the link.
func tail(s source, percent int) string {
	if !s.percent(percent) {
		return ""
	}
	if s.percent(10) {
		return "/"
	}
	var b strings.Builder
	for range s.between(1, 4) {
		b.WriteByte('/')
		switch s.n(9) {
		case 0:
			b.WriteString(digits(s, 1, 2026))
		case 1:
			b.WriteString(s.word(firstNames) + "_" + s.word(surnames))
		case 2:
			b.WriteString(s.word(nouns) + "_(" + s.word(nouns) + ")")
		case 3:
			b.WriteString(s.word(adjectives) + "%20" + s.word(nouns))
		case 4:
			b.WriteString(s.word(nouns) + "," + digits(s, 1, 99))
		default:
			b.WriteString(s.word(nouns))
			for s.percent(45) {
				b.WriteString("-" + s.word(nouns))
			}
		}
	}
	switch s.n(8) {
	case 0:
		b.WriteByte('/')
	case 1, 2:
		b.WriteString(s.pick(extensions))
	}
	if s.percent(25) {
		b.WriteString("?" + s.word(nouns) + "=" + s.word(nouns))
		for s.percent(40) {
			b.WriteString("&" + s.word(nouns) + "=" + digits(s, 1, 9999))
		}
	}
	if s.percent(15) {
		b.WriteString("#" + s.word(nouns))
	}
	return b.String()
}

// address returns an address of ASCII letters.
func address(s source) made { return made{local(s) + "@" + host(s), true} }

func local(s source) string {
	first, last := strings.ToLower(s.word(firstNames)), strings.ToLower(s.word(surnames))
	switch s.n(6) {
	case 0:
		return s.pick(mailboxes)
	case 1:
		return first[:1] + last
	case 2:
		return first + digits(s, 1, 99)
	case 3:
		return first + "+" + s.word(nouns)
	}
	return first + "." + last
}
