// SPDX-License-Identifier: MIT

package engine

import (
	"net/netip"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
)

// dot finds a link round the dot at p. Most dots are rejected by the label after them alone; the run round a
// dot that a top-level domain may follow is looked at as a whole.
func (f *finder) dot(p int) (next int, ok bool) {
	var r run
	if !f.d.anyName {
		if p, next = f.last(p, &r); p < 0 {
			return next, false
		}
	}
	if r.end == 0 {
		r = f.runFrom(p)
		if r.name == p {
			return r.end, false // no label after the dot
		}
	}
	if at := f.localPart(r); at >= 0 {
		if f.attached(&r) && ideographicDot(view(f.text), r.beyond) {
			// No local part has an ideographic dot: it begins after it, and what stands before may be a host.
			r.end, r.name, r.last = r.beyond, r.beyond, r.start
			f.extendLeft(&r)
			if next, ok = f.host(&r); ok {
				return next, true
			}
		}
		return at + 1, false
	}
	if r.broken {
		return r.end, false
	}
	if !f.d.anyName && !r.top && !hostname.MayEnd(f.text[r.last:r.name]) {
		if !f.attached(&r) {
			return r.end, false
		}
		r.none = true
	}
	f.extendLeft(&r)
	return f.host(&r)
}

// last returns the dot at p, or a later one of its run, if it may be the last one of a host, or the one before
// which the ASCII beginning of a host ends. Otherwise it returns -1 and where to look on.
// If the run is ASCII, which most are, r becomes what runFrom returns for the dot.
func (f *finder) last(p int, r *run) (dot, next int) {
	b := view(f.text)
	if b[p] != '.' {
		f.steps += 2
		if sentence(b, p) {
			return -1, p + 3
		}
		return p, 0
	}
	for {
		i := labelEnd(b, p+1)
		f.steps += i - p
		if i == p+1 {
			if i < len(b) && b[i] >= utf8.RuneSelf {
				return p, 0
			}
			return -1, i
		}
		end := i // with a dot that ends a sentence
		if i < len(b) {
			if b[i] == '.' {
				if i+1 < len(b) {
					if class[b[i+1]]&cLabel != 0 {
						p = i
						continue
					}
					// What follows the dot may be a label where the options have symbols in labels.
					if trigger(b, i) || b[i+1] >= utf8.RuneSelf && (class[b[p+1]]&cDigit != 0 || hostname.MayEnd(f.text[p+1:i])) {
						return p, 0
					}
				}
				end++
			} else if b[i] >= utf8.RuneSelf {
				return p, 0
			}
		}
		if b[p+1] <= '9' && f.number(p, i) || !hostname.MayEnd(f.text[p+1:i]) {
			return -1, i
		}
		*r = run{start: p, last: p + 1, name: i, end: end, beyond: end, dot: p, top: true}
		return p, 0
	}
}

// number reports whether the label between the dot at p and end is a number, and what is before it is no IPv4 address
// behind a scheme: without one these are not linked.
func (f *finder) number(p, end int) bool {
	if !digits(f.text[p+1 : end]) {
		return false
	}
	i := p
	for i > f.from && (class[f.text[i-1]]&cDigit != 0 || f.text[i-1] == '.') {
		i--
	}
	f.steps += end - i
	return i <= f.from || f.text[i-1] != '/' && f.text[i-1] < utf8.RuneSelf
}

// host decides whether the run r is the host of a link, and finds the rest of the link.
// If it is not, it returns where to look on.
func (f *finder) host(r *run) (next int, ok bool) {
	text := f.text
	next = r.end
	if r.name == r.start {
		return next, false // no label
	}
	if r.broken || f.joined(*r) {
		return next, false
	}

	// What stands before it: an "@", a scheme, or anything that does not make the run the tail of something.
	var before byte
	if r.start > 0 {
		before = text[r.start-1]
	}
	if before == '@' {
		return next, f.address(*r)
	}
	scheme := Span{r.start, r.start}
	switch before {
	case '_', '%', '\\':
		return next, false
	case '/':
		if scheme, ok = f.schemeBefore(r.start); !ok {
			return next, false
		}
	}
	if scheme.Empty() {
		if r.start < f.taken || digits(text[r.last:r.name]) || !f.afterWords(r) {
			return next, false // digits: an IPv4 address, a number, a time
		}
		scheme = Span{r.start, r.start}
	}
	if scheme.Start < f.from {
		return next, false
	}
	end, ok := f.hostEnd(r, scheme)
	if !ok {
		return next, false
	}
	l := &f.link
	*l = Link{Kind: URL, Host: Span{r.start, end}}
	l.Start = scheme.Start
	if !scheme.Empty() {
		l.Scheme = scheme
	}
	if !f.rest(l, r) {
		return next, false
	}
	if scheme.Empty() && !f.bare(l) {
		// A URL with its scheme may stand in what is no link now, but no address.
		f.taken = l.End
		return next, false
	}
	return l.End, true
}

// hostEnd reports whether the run is a host that may be linked, and where that host ends.
func (f *finder) hostEnd(r *run, scheme Span) (end int, ok bool) {
	if r.sure || !r.none && f.known(r, r.name, scheme) {
		return r.name, true
	}
	// Tailoring: the ASCII beginning of the run, if what follows cannot be meant as part of it.
	if r.beyond == r.start || !f.attached(r) {
		return 0, false
	}
	return r.beyond, f.known(r, r.beyond, scheme)
}

// afterWords moves the start of r, which no scheme stands before, behind words that are attached to the name. It reports whether
// what is left can be a host.
//
// Tailoring: what has an ideographic dot directly before it, and only ASCII in it, begins a sentence if something beyond ASCII
// stands before the dot. And an ASCII host begins where the letters before it end, which are of a script that attaches to words without
// a space, if it leads to the same registrable domain as with them.
func (f *finder) afterWords(r *run) bool {
	if r.beyond >= r.name || f.d.opts.NoHostPrefix {
		return true
	}
	b := view(f.text)
	i := r.name
	for b[i-1] < utf8.RuneSelf { // ends at r.beyond or after it
		i--
	}
	f.steps += r.name - i
	if i == r.name {
		return true
	}
	if i-3 > r.start && ideographicDot(b, i-3) {
		if b[i-4] < utf8.RuneSelf {
			return true // example。com
		}
		// Directly after the dot is a label, or the run would be broken.
		r.start, r.beyond, r.dot = i, r.end, r.last-1
		return r.last > i
	}
	c, _ := utf8.DecodeLastRune(b[:i])
	if hostname.Of(c)&hostname.Attaches == 0 || class[b[i]]&cAlnum == 0 {
		return true
	}
	dot := i
	for dot < r.name && b[dot] != '.' {
		dot++
	}
	f.steps += r.name - r.start
	if dot < r.name && hostname.Classify(f.text[dot+1:r.name]) == hostname.Registrable {
		r.start, r.beyond, r.dot = i, r.end, dot
		return true
	}
	// 。 before the words is between two sentences, as above.
	for j := r.start; j < i; j++ {
		if b[j] >= 0xE3 && ideographicDot(b, j) {
			return false
		}
	}
	return true
}

// known reports whether r, up to end, may be linked: a valid name that ends in a known public suffix,
// or, behind a scheme, what else a scheme makes a host.
func (f *finder) known(r *run, end int, scheme Span) bool {
	host := f.text[r.start:end]
	f.steps += len(host)
	o := &f.d.opts
	status := hostname.Classify(host)
	switch status {
	case hostname.Invalid:
		return false
	case hostname.IPv4:
		return scheme.Len() > len("://") && f.text[scheme.End-1] == '/'
	}
	if r.dot >= end || !twoLabels(f.text[r.dot:end]) {
		return o.LocalHosts && !scheme.Empty()
	}
	if o.LocalHosts && !scheme.Empty() {
		return true
	}
	if o.HostOK != nil {
		var buf [256]byte
		a, ok := hostname.AppendASCII(buf[:0], host)
		return ok && o.HostOK(string(a))
	}
	switch status {
	case hostname.Registrable:
		return true
	case hostname.Suffix:
		return !o.NoSuffixHosts && web(scheme.In(f.text))
	}
	return f.d.extra != nil && listed(f.d.extra, host)
}

// listed reports whether the last label of host is in the list.
func listed(list map[string]struct{}, host string) bool {
	var buf [256]byte
	a, ok := hostname.AppendASCII(buf[:0], host)
	if !ok {
		return false
	}
	i := len(a)
	for i > 0 && a[i-1] != '.' {
		i--
	}
	_, ok = list[string(a[i:])]
	return ok
}

// bare reports whether a link without a scheme is one that the options let stand.
func (f *finder) bare(l *Link) bool {
	o := &f.d.opts
	host := l.Host.In(f.text)
	switch o.Bare {
	case BareNone:
		return false
	case BareWWW:
		if !foldHas(host, "www.") {
			return false
		}
	}
	if class[host[len(host)-1]]&cLabel == 0 {
		_, n := utf8.DecodeLastRuneInString(host) // a final dot
		if ideographicDot(view(host), len(host)-n) || n == 1 {
			host = host[:len(host)-n]
		}
	}
	if f.d.excluded != nil && listed(f.d.excluded, host) {
		return false
	}
	return !o.FileNames || !l.Path.Empty() || !l.Query.Empty() || !l.Fragment.Empty() || !otherName(host, f.text[l.End:])
}

// rest finds what follows the host of l: the final dot, the port, and the path, query and fragment.
// It reports whether the whole can be a link.
func (f *finder) rest(l *Link, r *run) bool {
	text := f.text
	i := l.Host.End
	if i == r.name && r.end > r.name {
		// A dot after the host belongs to the link only when a path, query or fragment follows.
		if _, n := utf8.DecodeRuneInString(text[i:]); i+n == r.end {
			dotted := Link{Host: Span{l.Host.Start, r.end}}
			if end, ok := f.tail(&dotted); ok && end > dotted.Host.End && end > dotted.Port.End {
				l.Host, l.Port, l.Path, l.Query, l.Fragment = dotted.Host, dotted.Port, dotted.Path, dotted.Query, dotted.Fragment
				l.End = end
				return l.Scheme.Empty() || !f.userinfo(max(l.Host.End, l.Port.End))
			}
		}
		l.End = i
		return true
	}
	end, ok := f.tail(l)
	if !ok {
		return false
	}
	l.End = end
	if l.Scheme.Empty() {
		if l.Port.Empty() || l.Port.End == len(text) || text[l.Port.End] != '@' {
			return true
		}
		f.taken = l.Port.End + 1 // user:1234@host, where user looks like a host
		return false
	}
	return !f.userinfo(max(l.Host.End, l.Port.End))
}

// tail finds the port, path, query and fragment after the host of l. It is not ok if there is a port
// that is none.
func (f *finder) tail(l *Link) (end int, ok bool) {
	text, i := f.text, l.Host.End
	if i+1 < len(text) && text[i] == ':' && class[text[i+1]]&cDigit != 0 {
		port := 0
		j := i + 1
		for ; j < len(text) && class[text[j]]&cDigit != 0; j++ {
			port = min(port*10+int(text[j]-'0'), 1<<16)
		}
		f.steps += j - i
		if port < 1 || port > 65535 || f.nameAt(j) {
			f.taken = max(f.taken, j) // no link begins in what should have been a port
			return 0, false
		}
		l.Port = Span{i, j}
		i = j
	}
	if i == len(text) || text[i] != '/' && text[i] != '?' && text[i] != '#' {
		return i, true
	}
	end, stop, _ := f.d.terminate(text, i, false, l)
	f.steps += stop - i
	return end, true
}

// nameAt reports whether a letter or digit of ASCII, or a full stop and one, stands at i.
func (f *finder) nameAt(i int) bool {
	if i < len(f.text) && f.text[i] == '.' {
		i++
	}
	return i < len(f.text) && class[f.text[i]]&cAlnum != 0
}

// ipv6 finds a link with an IPv6 literal that begins at p, with "[".
func (f *finder) ipv6(p int) (next int, ok bool) {
	text := f.text
	next = p + 1
	scheme, ok := f.schemeBefore(p)
	if !ok || scheme.Start < f.from {
		return next, false
	}
	const longest = len("[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]")
	end := p + 1
	for end < len(text) && end < p+longest && (text[end] == ':' || text[end] == '.' || class[text[end]]&cAlnum != 0) {
		end++
	}
	f.steps += end - p
	if end == len(text) || text[end] != ']' || f.nameAt(end+1) {
		return next, false
	}
	a, err := netip.ParseAddr(text[p+1 : end])
	if err != nil || !a.Is6() {
		return next, false
	}
	l := &f.link
	*l = Link{Kind: URL, Scheme: scheme, Host: Span{p, end + 1}}
	l.Start = scheme.Start
	l.End, ok = f.tail(l)
	if !ok || f.userinfo(max(l.Host.End, l.Port.End)) {
		return next, false
	}
	return l.End, true
}

// colon finds a link that only its scheme shows: a host of one label, or an opaque path.
func (f *finder) colon(p int) (next int, ok bool) {
	text := f.text
	next = p + 1
	if p+2 < len(text) && text[p+1] == '/' && text[p+2] == '/' {
		if !f.d.opts.LocalHosts || p+3 == len(text) {
			return next, false
		}
		if f.d.schemeEnd(text[:p]) == 0 {
			return next, false
		}
		// A run with a dot comes back here by its dot, if it is no host.
		r := f.runFrom(p + 3)
		if at := f.localPart(r); at >= 0 {
			return next, false
		}
		r.broken = r.broken || r.start <= f.from && f.hostBefore(r.start)
		if i, ok := f.host(&r); ok {
			return i, true
		}
		return next, false
	}
	if f.d.opts.LocalHosts && foldEnds(text[:p], "mailto") {
		return f.localAddress(p)
	}
	n := 0
	for _, s := range f.d.schemes {
		// What follows the colon of a special scheme is a host to browsers (WHATWG URL, special scheme).
		if s != "ftp" && s != "ws" && s != "wss" && foldEnds(text[:p], s) {
			n = max(n, len(s))
		}
	}
	if n == 0 || p-n < f.from || !f.d.schemeBegins(text[:p], p-n) {
		return next, false
	}
	l := &f.link
	*l = Link{Kind: URL, Scheme: Span{p - n, p + 1}}
	l.Start = p - n
	end, stop, _ := f.d.terminate(text, p+1, true, l)
	f.steps += stop - p
	if end == p+1 {
		return next, false
	}
	l.End = end
	return end, true
}
