// SPDX-License-Identifier: MIT

package corpus

// dense writes log lines, lists of links and lists of addresses, each paragraph of one sort.
type dense struct {
	second int // the clock of the logs, in seconds
}

func newDense() *dense { return &dense{} }

func (d *dense) paragraph(w *writer) {
	size := w.between(450, 3200)
	line := d.access
	switch n := w.n(100); {
	case n < 60:
	case n < 68:
		line = d.mail
	case n < 82:
		line = d.list
	case n < 92:
		line = d.table
	case n < 95:
		line = d.addresses
	default:
		line = d.book
	}
	for len(w.buf) < size {
		if len(w.buf) > 0 {
			w.put("\n")
		}
		line(w)
	}
}

func (d *dense) clock(w *writer) {
	d.second += w.between(1, 3)
	w.put("2026-03-")
	w.pad(1+d.second/86400%28, 2)
	w.put("T")
	w.pad(d.second/3600%24, 2)
	w.put(":")
	w.pad(d.second/60%60, 2)
	w.put(":")
	w.pad(d.second%60, 2)
	w.put("Z ")
}

func ipv4(w *writer) {
	w.put("10")
	for range 3 {
		w.put(".")
		w.num(w.n(256))
	}
}

var agents = []string{
	"Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (Windows NT 10.0; Win64; x64)", "curl/8.5.0", "feedreader/2.1",
}

// access writes a line of a web server: a bare IPv4 address is no link.
func (d *dense) access(w *writer) {
	d.clock(w)
	ipv4(w)
	w.put(" GET ")
	w.link(url(w.source))
	w.put([]string{" 200 ", " 200 ", " 304 ", " 404 "}[w.n(4)])
	w.num(w.between(100, 90000))
	w.put(" ")
	w.num(w.between(1, 400))
	w.put(".")
	w.num(w.n(10))
	w.put("ms")
	if w.percent(35) {
		w.put(` "`)
		w.link(url(w.source))
		w.put(`"`)
	}
	if w.percent(40) {
		w.put(` "`, w.pick(agents), `"`)
	}
}

// mail writes a line of a mail server.
func (d *dense) mail(w *writer) {
	d.clock(w)
	w.put("smtp[")
	w.num(w.between(100, 32000))
	w.put("]: from=<")
	w.link(address(w.source))
	w.put(">, to=<")
	w.link(address(w.source))
	w.put(">, relay=")
	w.link(made{text: "mx" + digits(w.source, 1, 9) + "." + host(w.source)})
	w.put("[")
	ipv4(w)
	w.put("]:25, status=sent")
}

// list writes an item of a list of links.
func (d *dense) list(w *writer) {
	w.put("- ")
	switch n := w.n(10); {
	case n < 6:
		w.link(url(w.source))
	case n < 8:
		w.link(made{text: "www." + host(w.source) + tail(w.source, 50)})
	default:
		w.link(made{text: host(w.source) + tail(w.source, 50)})
	}
	if w.percent(30) {
		w.put(" (", w.word(nouns), ")")
	}
}

// table writes a row of values with commas between them.
func (d *dense) table(w *writer) {
	w.num(w.between(1, 9999))
	w.put(", ", w.word(firstNames), ", ")
	w.link(url(w.source))
	w.put(", ")
	w.link(address(w.source))
	w.put(", ")
	w.num(w.between(1, 99))
	w.put(".")
	w.pad(w.n(100), 2)
}

// addresses writes addresses with commas or semicolons between them.
func (d *dense) addresses(w *writer) {
	sep := []string{", ", "; "}[w.n(2)]
	for range w.between(3, 6) {
		w.link(address(w.source))
		w.put(sep)
	}
}

// book writes an entry of an address book.
func (d *dense) book(w *writer) {
	w.put(w.word(firstNames), " ", w.word(surnames), " <")
	w.link(address(w.source))
	w.put(">")
	if w.percent(40) {
		w.put(" ")
		w.link(made{text: host(w.source) + tail(w.source, 20)})
	}
}
