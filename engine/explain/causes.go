// SPDX-License-Identifier: MIT

package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/internal/linkprop"
)

// maxLabels is how many labels a name may have whose labels are looked at one by one: a name of 253 bytes has at most 127.
const maxLabels = 127

// A candidate is a place that looks like a link, with what stands round it.
type candidate struct {
	piece string // up to Hard code points on either side, and one code point of context
	start int    // of the piece, in the text
	at    int    // the place, in the piece

	name   engine.Span // what looks like a host: letters, digits, hyphens, dots and what is invisible
	scheme engine.Span // before the name, with "://" or ":"; zero if there is none
	user   engine.Span // between the scheme and the name, or before the name, with "@"; zero if there is none
}

// candidateAt takes apart what stands round the place at i of text. It is not ok if that goes on beyond the reach: what is not seen may
// be why there is no link.
func candidateAt(text string, i int) (c candidate, ok bool) {
	// Some of what may stand in a name is Hard.
	edge := func(r rune, n int) bool {
		return r == utf8.RuneError && n == 1 || linkprop.Of(r).Term() == engine.Hard && !inName(r)
	}
	start, end := i, i
	for start > 0 && i-start <= reachBack {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if edge(r, n) {
			break
		}
		start -= n
	}
	for end < len(text) && end-i <= reach {
		r, n := utf8.DecodeRuneInString(text[end:])
		if edge(r, n) {
			break
		}
		end += n
	}
	if i-start > reachBack || end-i > reach {
		return c, false
	}
	// One code point on either side is context.
	if start > 0 {
		_, n := utf8.DecodeLastRuneInString(text[:start])
		start -= n
	}
	if end < len(text) {
		_, n := utf8.DecodeRuneInString(text[end:])
		end += n
	}
	c = candidate{piece: text[start:end], start: start, at: i - start}
	c.name = c.nameAround()
	if p := c.piece; c.at < c.name.End && c.name.End < len(p) && p[c.name.End] == '@' {
		if r, _ := utf8.DecodeRuneInString(p[c.name.End+1:]); nameRune(r) {
			// A dot in a local part.
			c.at = c.name.End
			c.name = c.nameAround()
		}
	}
	c.before()
	c.underscores()
	return c, true
}

// underscores makes that the name goes on behind LOW LINE, where a scheme says that there is a host, unless what stands before that is one.
func (c *candidate) underscores() {
	if !strings.HasSuffix(c.scheme.In(c.piece), "//") || hostname.Classify(c.name.In(c.piece)) == hostname.Registrable {
		return
	}
	end, has := c.name.End, false
	for i := end; i < len(c.piece); {
		r, n := utf8.DecodeRuneInString(c.piece[i:])
		if r != '_' && !inName(r) {
			break
		}
		i += n
		has = has || r == '_'
		if has && (nameRune(r) || r == '-' || r == '_') {
			end = i
		}
	}
	c.name.End = end
}

// inName reports whether r may stand in what looks like a host.
func inName(r rune) bool {
	return nameRune(r) || r == '-' || r == '.' || r == 0x3002 || r == 0xFF0E || r == 0xFF61 || invisible(r)
}

// nameAround returns the name that the place is in, or that follows it.
func (c *candidate) nameAround() engine.Span {
	p, i := c.piece, c.at
	switch p[i] {
	case '@':
		i++
	case ':':
		i++
		for i < len(p) && p[i] == '/' {
			i++
		}
		// Behind user information.
		for j := i; j < len(p) && !strings.ContainsRune("/?#", rune(p[j])); j++ {
			if p[j] == '@' {
				i = j + 1
			}
		}
	}
	start, end := i, i
	if p[c.at] != '@' && p[c.at] != ':' {
		for start > 0 {
			r, n := utf8.DecodeLastRuneInString(p[:start])
			if !inName(r) {
				break
			}
			start -= n
		}
	}
	for end < len(p) {
		r, n := utf8.DecodeRuneInString(p[end:])
		if !inName(r) {
			break
		}
		end += n
	}
	// A dot at the end, and what is invisible at the edges, is no part of it.
	for end > start {
		r, n := utf8.DecodeLastRuneInString(p[start:end])
		if nameRune(r) || r == '-' {
			break
		}
		end -= n
	}
	for start < end {
		r, n := utf8.DecodeRuneInString(p[start:end])
		if !invisible(r) {
			break
		}
		start += n
	}
	return engine.Span{Start: start, End: end}
}

// before finds the scheme and the user information, or local part, before the name.
func (c *candidate) before() {
	p, i := c.piece, c.name.Start
	if i > 0 && p[i-1] == '@' {
		start := i - 1
		for start > 0 {
			r, n := utf8.DecodeLastRuneInString(p[:start])
			if r == '/' || r == ':' && opaque(p[schemeStart(p, start-1):start-1]) || !linkprop.Of(r).Email() && r != ':' && r != '@' && linkprop.Of(r).Term() != engine.Include {
				break
			}
			start -= n
		}
		if start < i-1 {
			c.user = engine.Span{Start: start, End: i}
		}
		i = start
	}
	for i > 0 && p[i-1] == '/' {
		i--
	}
	switch {
	case strings.HasPrefix(p[i:], "//") && i > 0 && p[i-1] == ':':
		if s := schemeStart(p, i-1); s < i-1 {
			c.scheme = engine.Span{Start: s, End: i + 2}
		}
	case i > 0 && p[i-1] == ':':
		if s := schemeStart(p, i-1); opaque(p[s:i-1]) || refused(p, i-1) {
			c.scheme = engine.Span{Start: s, End: i}
		}
	}
}

func schemeByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '+' || b == '-' || b == '.'
}

// schemeStart returns where the characters of names of schemes begin that end at i.
func schemeStart(s string, i int) int {
	for i > 0 && schemeByte(s[i-1]) {
		i--
	}
	return i
}

// refused reports whether the colon at i is that of a scheme that is never linked, though its URLs may go without "//", and the URL goes on behind it.
func refused(s string, i int) bool {
	rest := s[i+1:]
	switch strings.ToLower(s[schemeStart(s, i):i]) {
	case "javascript", "vbscript":
		r, _ := utf8.DecodeRuneInString(rest)
		return nameRune(r)
	case "file":
		return strings.HasPrefix(rest, "/") && !strings.HasPrefix(rest, "//")
	case "data":
		// RFC 2397: a media type, or nothing, and a comma.
		for j := 0; j < len(rest) && j < reachBack; j++ {
			switch b := rest[j]; {
			case b == ',':
				return true
			case !schemeByte(b) && strings.IndexByte("/;=_", b) < 0:
				return false
			}
		}
	}
	return false
}

// opaque reports whether name is a well-known scheme whose URLs may go without "//".
func opaque(name string) bool {
	switch strings.ToLower(name) {
	case "mailto", "tel", "sms", "sip", "sips", "xmpp", "geo", "magnet", "urn", "news", "bitcoin", "matrix", "doi":
		return true
	}
	return false
}

// causes returns what may be why there is no link at c, the likeliest first. Whether they are is for others to find out.
func (e *Explainer) causes(c candidate) []Cause {
	var list []Cause
	o := e.options
	p := c.piece
	option := func(name, sentence string, set func(*engine.Options)) {
		list = append(list, Cause{Name: name, Sentence: display.EscapeControls(sentence), set: set})
	}
	change := func(name, sentence string, edits ...edit) {
		list = append(list, Cause{Name: name, Sentence: display.EscapeControls(sentence), edits: edits})
	}
	at := func(start, end int, with string) edit { return edit{engine.Span{Start: start, End: end}, with} }
	name := c.name.In(p)
	labels := labelsOf(p, c.name)

	// Options.
	if o.NoEmail && c.at < len(p) && p[c.at] == '@' {
		option("no-email", "addresses are left alone (NoEmail)", func(o *engine.Options) { o.NoEmail = false })
	}
	if o.Bare != engine.BareAll && c.scheme.Empty() {
		option("bare", "hosts without a scheme are left alone, by the option Bare", func(o *engine.Options) { o.Bare = engine.BareAll })
	}
	if o.FileNames {
		option("file-name", "it looks like another kind of name: of a file, or of something in a program (FileNames)", func(o *engine.Options) { o.FileNames = false })
	}
	if len(o.ExcludeTLDs) > 0 {
		option("excluded-tld", "the top-level domain is excluded (ExcludeTLDs)", func(o *engine.Options) { o.ExcludeTLDs = nil })
	}
	if o.MaxLength > 0 {
		option("max-length", fmt.Sprintf("it is longer than %d bytes (MaxLength)", o.MaxLength), func(o *engine.Options) { o.MaxLength = 0 })
	}
	if o.Strict || o.NoHostPrefix {
		option("host-prefix", "the longest host is none, and its beginning does not count (Strict or NoHostPrefix)", func(o *engine.Options) { loosen(o); o.NoHostPrefix = false })
	}
	if !o.Strict && !o.NoHostPrefix {
		option("prose", "a word of a script without spaces stands before it, and with that it is no host (NoHostPrefix has it otherwise)", func(o *engine.Options) { o.NoHostPrefix = true })
	}
	if !o.Strict && !o.KeepQuotes && !c.user.Empty() {
		option("quote", "its local part is only a quote, or the last piece of a list in braces (KeepQuotes)", func(o *engine.Options) { o.KeepQuotes = true })
	}
	if o.Strict || o.NoSuffixHosts {
		option("suffix-host", "the host is only a public suffix (Strict or NoSuffixHosts)", func(o *engine.Options) { loosen(o); o.NoSuffixHosts = false })
	}
	if o.HostOK != nil {
		option("host-refused", "HostOK refuses the host", func(o *engine.Options) { o.HostOK = func(string) bool { return true } })
	}

	// What stands before it.
	known := true
	if !c.scheme.Empty() {
		scheme := strings.TrimRight(c.scheme.In(p), ":/")
		lower := strings.ToLower(scheme)
		known = slices.Contains([]string{"http", "https", "mailto"}, lower) || slices.ContainsFunc(o.Schemes, func(s string) bool { return strings.EqualFold(s, lower) })
		if !known {
			with := o
			with.Schemes = append(slices.Clone(o.Schemes), lower)
			k := webScheme(lower)
			if _, err := engine.New(with); err == nil {
				option("scheme", fmt.Sprintf("the scheme %s is not one that is linked (Schemes)", scheme), func(o *engine.Options) { o.Schemes = append(slices.Clone(o.Schemes), lower) })
			} else if k == 0 {
				with := "https://"
				switch {
				case !strings.HasSuffix(c.scheme.In(p), "//"):
					with = "https://example.com/"
				case strings.HasPrefix(p[c.scheme.End:], "/"):
					with = "https://example.com" // no host follows: file:///
				}
				change("scheme-refused", fmt.Sprintf("the scheme %s is never linked: such links run code or read local data", scheme), at(c.scheme.Start, c.scheme.End, with))
			}
			if k > 0 {
				i := c.scheme.Start + len(scheme) - k
				change("scheme-joined", fmt.Sprintf("%s before the scheme makes it the end of another name", codePointBefore(p, i).Name), at(c.scheme.Start, i, " "))
			}
		}
		if n := c.extraSlashes(); n > 0 && c.user.Empty() {
			change("slashes", "there are more than two slashes behind the colon", at(c.scheme.End, c.scheme.End+n, ""))
		}
		if strings.HasSuffix(c.scheme.In(p), "//") && !c.user.Empty() {
			change("userinfo", fmt.Sprintf("user information (%s) is never linked, nor is the host behind it", c.user.In(p)), at(c.user.Start, c.user.End, ""))
		}
		if strings.EqualFold(scheme, "mailto") && c.user.Empty() && !c.name.Empty() && !strings.HasPrefix(p[c.name.End:], "@") {
			change("no-at", fmt.Sprintf("behind %s, an address is wanted: %s has no COMMERCIAL AT", c.scheme.In(p), name), at(c.name.End, c.name.End, "@example.com"))
		}
		if edits := c.lowLines(); edits != nil {
			change("underscore", fmt.Sprintf("LOW LINE cannot stand in a host: %s", name), edits...)
		}
		if len(labels) == 1 && !o.LocalHosts {
			option("one-label", fmt.Sprintf("the host %s has only one label (LocalHosts)", name), func(o *engine.Options) { o.LocalHosts = true })
		}
		if strings.HasPrefix(p[c.scheme.End:], "[") {
			if end := strings.IndexByte(p[c.scheme.End:], ']'); end > 0 {
				change("ipv6", fmt.Sprintf("%s is no IPv6 address", p[c.scheme.End:c.scheme.End+end+1]), at(c.scheme.End, c.scheme.End+end+1, "[::1]"))
				if i := c.scheme.End + end + 1; i < len(p) && p[i] == ':' {
					c.port(i, change, at)
				}
			} else {
				end := c.scheme.End + 1
				for end < len(p) && (p[end] == ':' || p[end] == '.' || p[end] < utf8.RuneSelf && unicode.Is(unicode.ASCII_Hex_Digit, rune(p[end]))) {
					end++
				}
				change("ipv6", fmt.Sprintf("no RIGHT SQUARE BRACKET is behind the IPv6 address %s", p[c.scheme.End+1:end]), at(end, end, "]"))
			}
		}
	} else if len(labels) == 1 && len(c.user.In(p)) > 0 {
		change("one-label", fmt.Sprintf("the host %s has only one label", name), at(c.name.End, c.name.End, ".com"))
	}
	if c.scheme.Empty() || !strings.HasSuffix(c.scheme.In(p), "//") {
		e.local(c, change, at)
	}
	if i, ok := c.nearScheme(); ok {
		change("slashes", fmt.Sprintf("%s is not the beginning of a URL: that would be %s://", p[schemeStart(p, i):c.name.Start], p[schemeStart(p, i):i]), at(i, c.name.Start, "://"))
	}
	if c.user.Empty() && c.name.Start > 0 {
		i := c.name.Start - 1
		switch b := p[i]; {
		case b == '@':
			change("after-at", "COMMERCIAL AT stands before it, and nothing before that which could be a local part", at(i, i+1, " "))
		case strings.IndexByte(`_%\`, b) >= 0 || b == '/' && c.scheme.Empty():
			change("tail", fmt.Sprintf("%s directly before makes it the tail of something else", Name(rune(b))), at(i, i+1, " "))
		}
	}
	if c.scheme.Empty() && c.user.Empty() {
		if ipv4(name) {
			change("ip-address", "an IP address is a link only behind a scheme", at(c.name.Start, c.name.Start, "http://"))
		} else if hostname.Classify(name) == hostname.Suffix {
			change("public-suffix", fmt.Sprintf("%s is only a public suffix, which is a link only behind http:// or https://", name), at(c.name.Start, c.name.Start, "http://"))
		}
	}

	if address := !c.user.Empty() && !strings.HasSuffix(c.scheme.In(p), "//"); hostname.Classify(name) == hostname.Suffix && (address || !c.scheme.Empty()) {
		change("public-suffix", fmt.Sprintf("%s is only a public suffix, which is a link only behind http:// or https://", name), at(c.name.Start, c.name.Start, "a."))
	}

	// What stands after it.
	if i := c.name.End; i < len(p) {
		switch {
		case p[i] == '_':
			j := i
			for j < len(p) && p[j] == '_' {
				j++
			}
			change("underscore", "LOW LINE and a letter after it make it a piece of a longer name", at(i, j, " "))
		case p[i] == '@':
			change("before-at", "COMMERCIAL AT after it makes it a local part, and no host that can be linked follows", at(i, i+1, " "))
		case p[i] == ':' && i+1 < len(p) && p[i+1] >= '0' && p[i+1] <= '9':
			if j := c.portEnd(i); j < len(p) && p[j] == '@' {
				change("userinfo", fmt.Sprintf("user information (%s) is never linked, nor is the host behind it", p[c.name.Start:j+1]), at(i, j+1, " "))
			}
			c.port(i, change, at)
		}
	}

	// The name.
	var hidden []edit
	first := CodePoint{}
	for i := 0; i < len(p); {
		r, n := utf8.DecodeRuneInString(p[i:])
		if invisible(r) {
			if hidden == nil {
				first = codePointAt(p, i)
			}
			hidden = append(hidden, at(i, i+n, ""))
		}
		i += n
	}
	if hidden != nil {
		change("invisible", fmt.Sprintf("%s, which nobody sees, is in the name or beside it", first.Name), hidden...)
	}
	if edits := c.emptyLabels(); edits != nil {
		change("empty-label", "there is a dot too many: an empty label", edits...)
	}
	if edits := hyphens(labels, p); edits != nil {
		change("hyphen", "a label begins or ends with a hyphen", edits...)
	}
	e.name(c, labels, option, change, at)
	if o.Strict || !o.SymbolLabels {
		option("symbol", "there is a symbol in the name (SymbolLabels)", func(o *engine.Options) { loosen(o); o.SymbolLabels = true })
	}
	return list
}

// nearScheme returns the offset behind http or https, if what stands between that and the name is nearly "://": ":/", "//", or backslashes.
func (c candidate) nearScheme() (int, bool) {
	p := c.piece
	if !c.scheme.Empty() || !c.user.Empty() || c.name.Empty() {
		return 0, false
	}
	i := c.name.Start
	for i > 0 && strings.IndexByte(`:/\`, p[i-1]) >= 0 {
		i--
	}
	switch strings.ToLower(p[schemeStart(p, i):i]) {
	case "http", "https":
		between := p[i:c.name.Start]
		return i, len(between) > 1 && len(between) <= 4
	}
	return 0, false
}

// lowLines returns how to take away the LOW LINEs of the name.
func (c candidate) lowLines() []edit {
	var edits []edit
	for i := c.name.Start; i < c.name.End; i++ {
		if c.piece[i] == '_' {
			edits = append(edits, edit{engine.Span{Start: i, End: i + 1}, ""})
		}
	}
	return edits
}

// portEnd returns the end of what follows the colon at i.
func (c candidate) portEnd(i int) int {
	for i++; i < len(c.piece) && c.piece[i] < utf8.RuneSelf && nameRune(rune(c.piece[i])); i++ {
	}
	return i
}

// port adds the port that the colon at i begins.
func (c candidate) port(i int, change func(string, string, ...edit), at func(int, int, string) edit) {
	j := c.portEnd(i)
	if j == i+1 {
		return
	}
	sentence := fmt.Sprintf("%s is no port from 1 to 65535", c.piece[i+1:j])
	if n, err := strconv.ParseUint(c.piece[i+1:j], 10, 16); err == nil && n > 0 {
		sentence = fmt.Sprintf("more of a name follows the port %d", n)
	}
	change("port", sentence, at(i, j, ""))
}

// local adds what may be wrong with the local part of an address.
func (e *Explainer) local(c candidate, change func(string, string, ...edit), at func(int, int, string) edit) {
	p := c.piece
	if c.user.Empty() {
		return
	}
	end := c.user.End - 1
	start := end
	for start > c.user.Start {
		r, n := utf8.DecodeLastRuneInString(p[:start])
		if !linkprop.Of(r).Email() {
			break
		}
		start -= n
	}
	local := p[start:end]
	var dots []edit
	for i := 0; i < len(local); i++ {
		if local[i] == '.' && (i == 0 || i == len(local)-1 || local[i-1] == '.') {
			dots = append(dots, at(start+i, start+i+1, ""))
		}
	}
	if dots != nil {
		change("local-dots", fmt.Sprintf("the local part %s begins or ends with a dot, or has two in a row", local), dots...)
	}
	if len(local) > 64 {
		change("local-length", fmt.Sprintf("the local part has %d bytes; 64 are allowed", len(local)), at(start, start+len(local)-lastLen(local), ""))
	}
	if start > 0 {
		r, n := utf8.DecodeLastRuneInString(p[:start])
		if r == '@' {
			change("local-joined", "COMMERCIAL AT before the local part makes it the tail of something else", at(start-n, start, " "))
		} else if !unicode.IsSpace(r) {
			change("local-joined", fmt.Sprintf("%s before the local part makes it the tail of something else", codePointBefore(p, start).Name), at(start-n, start, " "))
		}
	}
	if local == "" {
		change("local-empty", fmt.Sprintf("%s before COMMERCIAL AT cannot stand in a local part", codePointBefore(p, end).Name), at(end, end, "a"))
	}
}

// lastLen returns the length of the last code point of s.
func lastLen(s string) int {
	_, n := utf8.DecodeLastRuneInString(s)
	return n
}

// name adds what may be wrong with the name itself.
func (e *Explainer) name(c candidate, labels []engine.Span, option func(string, string, func(*engine.Options)), change func(string, string, ...edit), at func(int, int, string) edit) {
	if len(labels) == 0 {
		return
	}
	p := c.piece
	last := labels[len(labels)-1]
	text := last.In(p)
	// Only what is a valid label can be an option.
	if hostname.Classify(plain(p, labels)) == hostname.Name {
		with := e.options
		with.ExtraTLDs = append(slices.Clone(with.ExtraTLDs), text)
		if _, err := engine.New(with); err == nil {
			option("unknown-tld", "no such top-level domain: "+text, func(o *engine.Options) { o.ExtraTLDs = append(slices.Clone(o.ExtraTLDs), text) })
		}
	}
	if address := !c.user.Empty() && !strings.HasSuffix(c.scheme.In(p), "//"); digits(text) && (address || !ipv4(c.name.In(p))) {
		sentence := fmt.Sprintf("the last label, %s, is a number, and the whole is no IP address", text)
		if address {
			sentence = fmt.Sprintf("the last label of the host, %s, is a number", text)
		}
		change("numeric-tld", sentence, at(last.Start, last.End, "com"))
	} else if len(labels) > 1 && hostname.Classify("a."+text) == hostname.Invalid {
		change("label", invalidLabel(text), at(last.Start, last.End, "com"))
	}
	if len(labels) > maxLabels {
		return
	}
	whole := true
	for _, l := range labels[:len(labels)-1] {
		if hostname.Classify(l.In(p)+".com") == hostname.Invalid {
			change("label", invalidLabel(l.In(p)), at(l.Start, l.End, "a"))
			whole = false
		}
	}
	if whole && hostname.Classify(plain(p, labels)) == hostname.Invalid {
		// Each label is valid, but not with the others: too long, or the Bidi rule, which is about all labels of a name with a right-to-left one.
		for i, l := range labels {
			if n := len(plain(p, labels[i:])); n < 253 && len(c.name.In(p)) > 253 {
				change("host-length", "the host has more than 253 bytes", at(c.name.Start, l.Start, ""))
				break
			}
		}
		for i, l := range labels[:len(labels)-1] {
			rest := slices.Clone(labels)
			rest = slices.Delete(rest, i, i+1)
			if hostname.Classify("a."+plain(p, rest)) != hostname.Invalid {
				change("bidi-rule", fmt.Sprintf("the label %s cannot stand in a name with right-to-left letters (the Bidi rule of IDNA)", l.In(p)), at(l.Start, l.End, "a"))
			}
		}
		if n := len(labels); n > 1 && hostname.Classify(plain(p, labels[:n-1])+".com") != hostname.Invalid {
			change("bidi-rule", fmt.Sprintf("the label %s cannot stand in a name with right-to-left letters (the Bidi rule of IDNA)", text), at(last.Start, last.End, "com"))
		}
	}
}

// invalidLabel says what is wrong with a label.
func invalidLabel(label string) string {
	left, right := false, false
	for _, r := range label {
		p, _ := bidi.LookupRune(r)
		left = left || p.Class() == bidi.L
		right = right || p.Class() == bidi.R || p.Class() == bidi.AL
	}
	a, ok := hostname.AppendASCII(nil, label)
	switch {
	case left && right:
		return fmt.Sprintf("the label %s has both right-to-left and left-to-right letters (the Bidi rule of IDNA)", label)
	case len(label) > 63 && (isASCII(label) || !ok) || len(a) > 63:
		return fmt.Sprintf("the label %s is longer than 63 bytes", label)
	case len(label) > 4 && strings.EqualFold(label[:4], "xn--"):
		return fmt.Sprintf("the label %s is no A-label of a valid name", label)
	}
	return fmt.Sprintf("the label %s is not valid under IDNA", label)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// loosen spells out the option Strict, so that a part of it can be taken back.
func loosen(o *engine.Options) {
	if o.Strict {
		o.Strict, o.KeepControls, o.KeepQuotes, o.NoHostPrefix, o.NoSuffixHosts, o.SymbolLabels = false, true, true, true, true, true
	}
}

// labelsOf returns the labels of a name, but the empty ones.
func labelsOf(s string, name engine.Span) []engine.Span {
	var list []engine.Span
	start := name.Start
	for i := name.Start; i <= name.End; i++ {
		n := dotAt(s, i)
		if i < name.End && n == 0 {
			continue
		}
		if start < i {
			list = append(list, engine.Span{Start: start, End: i})
		}
		if i < name.End {
			start = i + n
			i += n - 1
		}
	}
	return list
}

// plain joins labels with full stops, without hyphens at their edges, LOW LINEs, and what is invisible.
func plain(s string, labels []engine.Span) string {
	var b strings.Builder
	for i, l := range labels {
		if i > 0 {
			b.WriteByte('.')
		}
		for _, r := range strings.Trim(l.In(s), "-") {
			if !invisible(r) && r != '_' {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// emptyLabels returns how to take away the dots of c's name that stand before another, or at its beginning.
func (c candidate) emptyLabels() []edit {
	var edits []edit
	leading := true
	for i := c.name.Start; i < c.name.End; {
		n := dotAt(c.piece, i)
		if n > 0 && (leading || dotAt(c.piece, i+n) > 0) {
			edits = append(edits, edit{engine.Span{Start: i, End: i + n}, ""})
		}
		leading = leading && n > 0
		i += max(n, 1)
	}
	return edits
}

// hyphens returns how to take away the hyphens at the edges of labels.
func hyphens(labels []engine.Span, s string) []edit {
	var edits []edit
	for _, l := range labels {
		label := l.In(s)
		if n := len(label) - len(strings.TrimLeft(label, "-")); n > 0 {
			edits = append(edits, edit{engine.Span{Start: l.Start, End: l.Start + n}, ""})
			if n == len(label) {
				continue
			}
		}
		if n := len(label) - len(strings.TrimRight(label, "-")); n > 0 {
			edits = append(edits, edit{engine.Span{Start: l.End - n, End: l.End}, ""})
		}
	}
	return edits
}

// extraSlashes returns how many slashes follow the scheme and "://".
func (c candidate) extraSlashes() int {
	rest := c.piece[c.scheme.End:]
	return len(rest) - len(strings.TrimLeft(rest, "/"))
}

// webScheme returns the length of http or https at the end of a name of a scheme, or 0.
func webScheme(name string) int {
	for _, s := range []string{"https", "http"} {
		if strings.HasSuffix(name, s) && len(name) > len(s) {
			return len(s)
		}
	}
	return 0
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// ipv4 reports whether a name is an IPv4 address.
func ipv4(name string) bool { return hostname.Classify(name) == hostname.IPv4 }
