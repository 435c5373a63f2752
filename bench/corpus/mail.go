// SPDX-License-Identifier: MIT

package corpus

// mail writes HTML mails of newsletters, shops and people: tables in tables, styles in every tag, some
// anchors, and prose in which a link stands as text.
type mail struct {
	prose  *english
	number int
	text   writer // the sentences of a paragraph, before they become HTML
}

func newMail() *mail { return &mail{prose: newEnglish(60)} }

const (
	mailHead = `<!DOCTYPE html>
<html lang="en"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<style type="text/css">body{margin:0;padding:0;}p{margin:0 0 12px 0;}a{color:#0066cc;}@media only screen and (max-width:600px){.col{width:100%!important;}}</style>
<title>`
	mailBody = `</title></head>
<body bgcolor="#f4f4f4"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;">
<tr><td align="center" style="padding:20px 10px 20px 10px;font-family:Arial, Helvetica, sans-serif;">
<table role="presentation" class="col" width="600" style="max-width:600px;"><tbody>
`
	mailFoot = "</tbody></table></td></tr></table></body></html>\n"
)

func (m *mail) document(w *writer) {
	m.number++
	w.put(mailHead, w.word(adjectives), " ", w.word(nouns), mailBody)
	w.put(`<tr><td style="padding:24px;"><img src="https://images.`, host(w.source), `/logo.png" width="120" height="40" alt="`, w.word(nouns), `" style="display:block;border:0;" /></td></tr>`, "\n")
	w.put(`<tr><td style="padding:0 24px;color:#333333;font-size:14px;line-height:20px;"><p>Hello&nbsp;`, w.word(firstNames), `,</p>`, "\n")
	for range w.between(1, 4) {
		m.paragraph(w)
	}
	w.put("</td></tr>\n")
	if w.percent(70) {
		w.put(`<tr><td align="center" style="padding:16px 24px;"><a href="https://click.`, host(w.source), `/u/`, digits(w.source, 1000, 99999), `?m=`)
		w.num(m.number)
		w.put(`&amp;utm_source=mail" target="_blank" style="background:#0066cc;color:#ffffff;padding:12px 20px;text-decoration:none;">`, w.word(transitive), ` the `, w.word(nouns), "</a></td></tr>\n")
	}
	if w.percent(40) {
		m.items(w)
	}
	w.put(`<tr><td style="padding:24px;color:#888888;font-size:11px;line-height:16px;">&copy; `, digits(w.source, 2019, 2026), ` `, w.word(surnames), ` &amp; `, w.word(surnames), `&nbsp;&middot; `, digits(w.source, 1, 200), ` `, w.word(nouns), ` street, `, w.word(places))
	if w.percent(60) {
		w.put(`<br />Questions? `)
		m.link(w, address(w.source))
		w.put(`, or `)
		m.link(w, made{text: "www." + host(w.source)})
	}
	w.put(`<br /><a href="https://`, host(w.source), `/unsubscribe?id=`)
	w.num(m.number)
	w.put(`" style="color:#888888;">Unsubscribe</a></td></tr>`, "\n", mailFoot)
}

// items writes a table of what was bought.
func (m *mail) items(w *writer) {
	w.put(`<tr><td style="padding:0 24px;"><table width="100%" style="font-size:13px;">`, "\n")
	for range w.between(2, 6) {
		w.put(`<tr><td class="item">`, w.word(adjectives), ` `, w.word(nouns), `</td><td align="right">`, digits(w.source, 1, 9), `</td><td align="right"><b>&euro;&nbsp;`, digits(w.source, 1, 400), `.`)
		w.pad(w.n(100), 2)
		w.put("</b></td></tr>\n")
	}
	w.put("</table></td></tr>\n")
}

func (m *mail) link(w *writer, l made) {
	start := len(w.buf)
	for i := range len(l.text) {
		escape(w, l.text[i])
	}
	w.links = append(w.links, Link{start, len(w.buf), l.email})
}

// paragraph writes some sentences. Here and there words are bold or italic, and a blank is one that does not break.
func (m *mail) paragraph(w *writer) {
	t := &m.text
	t.source, t.buf, t.links = w.source, t.buf[:0], nil
	for size := w.between(150, 700); len(t.buf) < size; {
		if len(t.buf) > 0 {
			t.put(" ")
		}
		start := len(t.buf)
		if m.prose.due <= 0 {
			m.prose.linkSentence(t)
			m.prose.due = w.between(180, 540)
		} else {
			sentence(t, false)
		}
		m.prose.due -= len(t.buf) - start
	}
	w.put(`<p style="margin:0 0 12px 0;">`)
	end := "" // of the element that is open
	links := t.links
	for i := 0; i < len(t.buf); {
		if len(links) > 0 && links[0].Start == i {
			l := links[0]
			m.link(w, made{string(t.buf[l.Start:l.End]), l.Email})
			i, links = l.End, links[1:]
			continue
		}
		c := t.buf[i]
		i++
		switch {
		case c != ' ':
			escape(w, c)
		case end != "":
			w.put(end, " ")
			end = ""
		case w.percent(2):
			w.put("&nbsp;")
		case w.percent(3) && (len(links) == 0 || links[0].Start > i+40):
			w.put(" <b>")
			end = "</b>"
		case w.percent(2) && (len(links) == 0 || links[0].Start > i+40):
			w.put(` <span style="font-style:italic;">`)
			end = "</span>"
		default:
			w.put(" ")
		}
	}
	w.put(end, "</p>\n")
}

// escape writes a byte of a text as HTML.
func escape(w *writer, c byte) {
	switch c {
	case '&':
		w.put("&amp;")
	case '<':
		w.put("&lt;")
	case '>':
		w.put("&gt;")
	case '"':
		w.put("&quot;")
	default:
		w.buf = append(w.buf, c)
	}
}
