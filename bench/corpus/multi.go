// SPDX-License-Identifier: MIT

package corpus

import "strings"

// multi writes prose of the languages, a paragraph of each in turn, with a link in about 600 bytes.
type multi struct {
	next int // language
	due  int // bytes until the next link
}

const bytesPerLink = 600

func newMulti() *multi { return &multi{due: bytesPerLink} }

func (m *multi) paragraph(w *writer) {
	l := &languages[m.next]
	m.next = (m.next + 1) % len(languages)
	size := w.between(450, 1500)
	if w.percent(30) {
		size = w.between(1500, 3300)
	}
	for len(w.buf) < size {
		start := len(w.buf)
		if m.due <= 0 {
			l.linkSentence(w)
			m.due = w.between(bytesPerLink/2, bytesPerLink*3/2) - 60 // the sentence that comes first
		} else {
			l.sentence(w)
		}
		m.due -= len(w.buf) - start
	}
	w.buf = []byte(strings.TrimRight(string(w.buf), " "))
}

// sentence writes a sentence with the blank after it.
func (l *language) sentence(w *writer) {
	start := len(w.buf)
	l.phrase(w)
	for w.percent(45) {
		w.put(l.comma)
		l.phrase(w)
	}
	if w.percent(12) {
		w.put(l.space, l.open)
		l.phrase(w)
		w.put(l.close)
	}
	w.capital(start)
	w.put(l.stop)
}

func (l *language) phrase(w *writer) {
	for i := range w.between(4, 10) {
		if i > 0 {
			w.put(l.space)
		}
		w.put(w.word(l.words))
	}
}

// linkSentence writes a sentence with a link: about half have a scheme, two in five a host of the script.
func (l *language) linkSentence(w *writer) {
	s := w.source
	switch n := w.n(100); {
	case n < 4 && l.space == "" && l.name != "th":
		// A host of ASCII letters between letters and an ideographic full stop, without blanks.
		w.put(w.word(l.words))
		w.link(made{text: "https://" + host(s)})
		w.put("。", w.word(l.words), "。")
		return
	case n < 55:
		w.template(w.pick(l.urls), made{text: l.scheme(s) + l.host(s) + l.tail(s, 85)})
	case n < 65:
		w.template(w.pick(l.hosts), made{text: "www." + l.host(s)})
	case n < 78:
		w.template(w.pick(l.hosts), made{text: l.host(s)})
	case n < 84:
		w.template(w.pick(l.urls), made{text: l.host(s) + l.tail(s, 100)})
	default:
		local := local(s)
		if s.percent(45) {
			local = s.word(l.names)
		}
		w.template(w.pick(l.addresses), made{local + "@" + l.host(s), true})
	}
	if l.space != "" && l.name != "th" {
		w.put(" ")
	}
}

func (l *language) scheme(s source) string {
	if s.percent(15) {
		return "http://"
	}
	return "https://"
}

// host returns a host, in two cases of five one of the script.
func (l *language) host(s source) string {
	if !s.percent(40) {
		if s.percent(50) {
			return host(s)
		}
		return label(s) + "." + l.ascii
	}
	name := l.label(s)
	if s.percent(50) {
		if s.percent(50) {
			name += "-"
		}
		name += l.label(s)
	}
	if s.percent(20) {
		name = l.label(s) + "." + name
	}
	if s.percent(25) {
		return name + "." + l.ascii
	}
	return name + "." + s.word(l.tlds)
}

// label returns a word that is long enough to be a name.
func (l *language) label(s source) string {
	for {
		if w := s.word(l.words); len(w) >= 6 {
			return w
		}
	}
}

// tail returns a path with query and fragment, most with letters of the script, or nothing.
func (l *language) tail(s source, percent int) string {
	if s.percent(30) {
		return tail(s, percent)
	}
	if !s.percent(percent) {
		return ""
	}
	var b strings.Builder
	for range s.between(1, 3) {
		b.WriteByte('/')
		b.WriteString(s.word(l.words))
		switch s.n(6) {
		case 0:
			b.WriteString("_" + s.word(l.words))
		case 1:
			b.WriteString("_(" + s.word(l.words) + ")")
		case 2:
			b.WriteString("-" + s.word(l.words) + "-" + digits(s, 1, 2026))
		case 3:
			b.WriteString("%D0%BF%D1%80")
		}
	}
	if s.percent(25) {
		b.WriteString("?" + s.word(nouns) + "=" + s.word(l.words))
		for s.percent(30) {
			b.WriteString("&" + s.word(l.words) + "=" + s.word(l.words))
		}
	}
	if s.percent(15) {
		b.WriteString("#" + s.word(l.words))
	}
	return b.String()
}
