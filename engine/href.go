// SPDX-License-Identifier: MIT

package engine

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/internal/hostname"
)

// Href writes a URL or an address as what belongs into an href: what [Detector.AppendHref] writes for the link that it is, whatever its
// top-level domain. What is no link as it stands, such as one with blanks, is first written as [FormatURL] does. It returns an error that
// wraps [ErrURL] for what is neither a URL nor an address, and for one of a scheme other than http, https and mailto.
func Href(url string) (string, error) {
	formatted, err := FormatURL(url)
	if err != nil {
		return "", err
	}
	d, err := New(Options{LocalHosts: true, MailtoQuery: true, HostOK: func(string) bool { return true }})
	if err != nil {
		return "", err
	}
	// As it is, if it is a link as it is: then its escapes stay as they are. Formatted, it always is.
	for _, text := range [...]string{url, formatted} {
		if l, ok := d.Find(text, 0); ok && l.Start == 0 && l.End == len(text) {
			if h := d.AppendHref(nil, text, l); len(h) > 0 {
				return string(h), nil
			}
		}
	}
	return "", fmt.Errorf("%w with an href", ErrURL)
}

// AppendHref appends to dst the URL that l, a link that d found in text, points to: what belongs into an href.
// It is ASCII (but see the option IRI) and holds no blank, no quote, no "<", ">" or control; an "&" in
// it must still be escaped for HTML. If the link has no valid URL, AppendHref returns dst as it is.
//
//   - The scheme is in lower case; a bare host gets https:// (option HTTP: http://), an address mailto:.
//     There is none but http, https, mailto and the option Schemes.
//   - A host is in A-label form, in lower case; an IP literal stays as it is.
//   - The rest is percent-encoded UTF-8 and otherwise not normalised: well-formed escapes stay byte for byte, "%"
//     without two hex digits becomes "%25", ports and paths stay.
//   - A bare address is not in URL form: its "%" is "%25". In the local part everything is encoded that RFC 6068 says must be.
//
// It allocates nothing if dst has room and the host is ASCII.
func (d *Detector) AppendHref(dst []byte, text string, l Link) []byte {
	if !l.valid(text) {
		return dst
	}
	out := dst
	scheme, host := l.Scheme.In(text), l.Host.In(text)
	switch {
	case l.Kind == Email:
		if scheme != "" && !foldEq(scheme, "mailto:") || l.Local.Empty() {
			return dst
		}
		out = append(out, "mailto:"...)
		out = d.appendLocal(out, l.Local.In(text), scheme != "")
		out = append(out, '@')
	case l.Kind != URL:
		return dst
	case scheme == "" && d.opts.HTTP:
		out = append(out, "http://"...)
	case scheme == "":
		out = append(out, "https://"...)
	default:
		name, slashes := strings.CutSuffix(scheme, "//")
		name, colon := strings.CutSuffix(name, ":")
		if !colon || !d.hasScheme(name) || slashes == (host == "") || !slashes && specialScheme(name) {
			return dst
		}
		out = appendLower(out, scheme)
	}
	if host != "" || scheme == "" || l.Kind == Email {
		var ok bool
		if out, ok = d.appendHrefHost(out, host); !ok {
			return dst
		}
	}
	out = append(out, l.Port.In(text)...)
	out = d.appendEncoded(out, l.Path.In(text))
	out = d.appendEncoded(out, l.Query.In(text))
	return d.appendEncoded(out, l.Fragment.In(text))
}

// valid reports whether the spans of l lie in text, as those of every link that was found in it do.
func (l *Link) valid(text string) bool {
	for _, s := range [...]Span{l.Span, l.Scheme, l.Local, l.Host, l.Port, l.Path, l.Query, l.Fragment} {
		if s.Start < 0 || s.Start > s.End || s.End > len(text) {
			return false
		}
	}
	port := l.Port.In(text)
	return port == "" || port[0] == ':' && digits(port[1:])
}

// hasScheme reports whether links of that scheme, in any case, are URLs that d finds.
func (d *Detector) hasScheme(name string) bool {
	if foldEq(name, "http") || foldEq(name, "https") {
		return true
	}
	for _, s := range d.schemes {
		if foldEq(name, s) {
			return true
		}
	}
	return false
}

// foldEq reports whether s is lower, which is lower-case ASCII, in any case.
func foldEq(s, lower string) bool { return len(s) == len(lower) && foldHas(s, lower) }

// appendHrefHost appends a host, or reports that it is none.
func (d *Detector) appendHrefHost(dst []byte, host string) ([]byte, bool) {
	if strings.HasPrefix(host, "[") {
		if len(host) < 2 || host[len(host)-1] != ']' {
			return dst, false
		}
		a, err := netip.ParseAddr(host[1 : len(host)-1])
		if err != nil || !a.Is6() || a.Zone() != "" {
			return dst, false
		}
		return append(dst, host...), true
	}
	out, ok := appendASCIIHost(dst, host)
	if !ok || !d.opts.IRI {
		return out, ok
	}
	beyond := false
	for _, r := range host {
		if r >= utf8.RuneSelf {
			if !iriRune(r) {
				return out, true
			}
			beyond = true
		}
	}
	if !beyond {
		return out, true
	}
	return append(dst, host...), true
}

// appendASCIIHost appends a name, which may have a final dot, in A-label form. An IPv4 address loses the dot: only
// browsers take what has one for an address.
func appendASCIIHost(dst []byte, host string) ([]byte, bool) {
	name := host
	if n := len(host) - 1; n > 0 && host[n] == '.' {
		name = host[:n]
	} else if n := len(host) - 3; n > 0 && ideographicDot(view(host), n) {
		name = host[:n]
	}
	out, ok := hostname.AppendASCII(dst, name)
	if ok && len(name) < len(host) && hostname.Classify(name) != hostname.IPv4 {
		out = append(out, '.')
	}
	return out, ok
}

// hrefASCII marks the ASCII characters that stand for themselves in the path, query and fragment of an href:
// not blanks, controls, quotes, and what RFC 3986 does not have at all; "[" and "]" it does have, though elsewhere.
var hrefASCII = func() (t [utf8.RuneSelf]bool) {
	for c := '!'; c < 0x7F; c++ {
		t[c] = !strings.ContainsRune("\"'`<>\\^{|}%", c)
	}
	return t
}()

// localASCII marks the ASCII characters that stand for themselves in the local part of a mailto: href: atext and
// dot (RFC 5322), but for what RFC 6068 says must be encoded (% / ? # [ ] & ; =), what RFC 3986 does not have,
// and quotes.
var localASCII = func() (t [utf8.RuneSelf]bool) {
	for c := '!'; c < 0x7F; c++ {
		t[c] = class[c]&cAlnum != 0 || strings.ContainsRune("-._~!$*+", c)
	}
	return t
}()

// appendEncoded appends a path, query or fragment, encoded but not normalised.
func (d *Detector) appendEncoded(dst []byte, s string) []byte {
	return appendEncoded(dst, s, &hrefASCII, true, d.opts.IRI)
}

// appendLocal appends a local part. In a URL its escapes are escapes; in a bare address "%" is itself.
func (d *Detector) appendLocal(dst []byte, s string, url bool) []byte {
	return appendEncoded(dst, s, &localASCII, url, d.opts.IRI)
}

func appendEncoded(dst []byte, s string, keep *[utf8.RuneSelf]bool, escapes, iri bool) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c < utf8.RuneSelf && keep[c]:
			from := i
			for i++; i < len(s) && s[i] < utf8.RuneSelf && keep[s[i]]; i++ {
			}
			dst = append(dst, s[from:i]...)
			continue
		case c == '%' && escapes && wellFormed(s, i):
			dst = append(dst, s[i:i+3]...)
			i += 3
			continue
		case c >= utf8.RuneSelf && iri:
			if r, n := utf8.DecodeRuneInString(s[i:]); n > 1 && iriRune(r) {
				dst = append(dst, s[i:i+n]...)
				i += n
				continue
			}
		}
		// One byte of a character beyond ASCII is as good as the whole of it.
		dst = appendEscape(dst, c)
		i++
	}
	return dst
}

// iriRune reports whether r, beyond ASCII, stands for itself in an IRI: it is seen, and is no blank.
func iriRune(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !ignorable(r) && r != 0x2800
}
