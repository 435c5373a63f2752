// SPDX-License-Identifier: MIT

package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bidilink/bidilink/internal/hostname"
)

// Bare says which hosts without a scheme are links.
type Bare uint8

const (
	BareAll  Bare = iota // every host that ends in a known public suffix
	BareWWW              // only hosts that begin with "www."
	BareNone             // none: URLs need their scheme
)

// Options configure a [Detector]. The zero value is the documented profile: UTS #58 with the
// tailoring that the package documentation describes.
type Options struct {
	// Bare says which hosts without a scheme are links. Default: BareAll.
	Bare Bare

	// NoEmail leaves e-mail addresses, and the hosts in them, unlinked. Default: addresses are links.
	NoEmail bool

	// MailtoQuery makes the query of a mailto: link ("?subject=") part of the link.
	// Default: an address ends with its host.
	MailtoQuery bool

	// LocalHosts accepts any valid name as a host behind a scheme: http://localhost:1313/,
	// mailto:root@localhost. Default: at least two labels and a known public suffix.
	LocalHosts bool

	// ExtraTLDs are last labels that count as public suffixes beside the list, such as "onion" or
	// "internal"; Unicode or A-label form, any case. Default: none.
	ExtraTLDs []string

	// ExcludeTLDs are last labels of bare hosts that are no links. Hosts with a scheme and addresses
	// are not affected. Default: none.
	ExcludeTLDs []string

	// FileNames leaves bare hosts alone that look like another kind of name, when no path, query or fragment
	// follows: of a file (README.md, main.rs, x.zip), or of something in a program (java.util.Map, org.example.app, str.data());
	// and two words with a full stop between them (end.It). Addresses are left alone that a path follows
	// (git@example.com:name/of.git). Default: off.
	FileNames bool

	// Schemes are further schemes, without colon, any case: "ftp", "xmpp", "tel". With "//" they have a
	// host; without, what follows the colon is one opaque path (not of ftp, ws and wss, which have a host
	// always). http, https and mailto are always on.
	// Schemes that run code or read local data (javascript, data, vbscript, file, blob and the like) are an error.
	// Default: none.
	Schemes []string

	// HostOK decides instead of the public suffix list whether a valid name may be the host of a link.
	// It is given the host in lower-case A-label form and must be safe for concurrent use.
	// Default: nil, the public suffix list.
	HostOK func(host string) bool

	// MaxLength is the longest link in bytes; a longer one is no link, nor is anything in it.
	// Default: 0, no limit.
	MaxLength int

	// StopAtCJKPunctuation makes full-width and ideographic punctuation (、。，！？：； and their like)
	// end a link, where UTS #58 has it Soft. Default: off.
	StopAtCJKPunctuation bool

	// Strict switches off all tailoring: the bare standard. It implies the five options below.
	Strict bool

	// KeepControls keeps bidi controls, U+200B, U+2060 and U+FEFF at the end of a link, and lets a host
	// begin or end at an invisible character in the midst of a name.
	KeepControls bool

	// KeepQuotes keeps a quote or a mark of emphasis (' ` * _ ~ |) at the beginning of a local part although it stands
	// directly after the address, too, or is all of it; and the last of a list in braces ({a,b}@example.com). Behind mailto:, the
	// latter two are kept in any case.
	KeepQuotes bool

	// NoHostPrefix gives up the rules that the ASCII beginning of a host counts when an ideographic dot or
	// a letter of a script written without spaces follows, and its ASCII end when such words stand before it.
	NoHostPrefix bool

	// NoSuffixHosts leaves hosts unlinked that are only a public suffix (http://co.uk/).
	NoSuffixHosts bool

	// SymbolLabels takes every character that UTS #46 has as valid or mapped for a label character: also
	// emoji (i❤.ws), and the quotes, dashes and arrows that stand next to hosts in prose and then belong to them.
	SymbolLabels bool

	// HTTP makes hrefs of bare hosts begin with http:// instead of https://. Default: https.
	HTTP bool

	// IRI keeps Unicode in hrefs. Default: A-labels and percent-encoding, all ASCII.
	IRI bool
}

// forbidden are schemes that run code, read local data or make the link something else than a place.
var forbidden = [...]string{"about", "blob", "data", "file", "filesystem", "javascript", "jscript", "livescript", "mocha", "vbs", "vbscript", "view-source"}

// compile checks the options and brings them into the form that the detector uses. Its errors name the
// option and the value.
func (d *Detector) compile() error {
	o := &d.opts
	if o.Bare > BareNone {
		return fmt.Errorf("engine: Bare: %d is none of BareAll, BareWWW, BareNone", o.Bare)
	}
	if o.MaxLength < 0 {
		return fmt.Errorf("engine: MaxLength: %d is negative", o.MaxLength)
	}
	if o.Strict {
		o.KeepControls, o.KeepQuotes, o.NoHostPrefix, o.NoSuffixHosts, o.SymbolLabels = true, true, true, true, true
		o.StopAtCJKPunctuation = false
	}
	for _, s := range o.Schemes {
		s = strings.ToLower(s)
		if err := checkScheme(s); err != nil {
			return err
		}
		if s != "http" && s != "https" && s != "mailto" && !slices.Contains(d.schemes, s) {
			d.schemes = append(d.schemes, s)
		}
	}
	o.Schemes = d.schemes
	d.colons = o.LocalHosts || len(d.schemes) > 0
	var err error
	if d.extra, err = labels("ExtraTLDs", o.ExtraTLDs); err != nil {
		return err
	}
	if d.excluded, err = labels("ExcludeTLDs", o.ExcludeTLDs); err != nil {
		return err
	}
	d.anyName = o.LocalHosts || o.HostOK != nil || d.extra != nil
	d.schemesOnly = o.Bare == BareNone && o.NoEmail && !d.colons
	d.allBare = o.Bare == BareAll && d.excluded == nil && !o.FileNames
	o.ExtraTLDs, o.ExcludeTLDs = slices.Clone(o.ExtraTLDs), slices.Clone(o.ExcludeTLDs)
	return nil
}

// checkScheme checks a lower-case name of a scheme (RFC 3986 §3.1).
func checkScheme(s string) error {
	if s == "" {
		return errors.New("engine: Schemes: an empty name")
	}
	for i := range len(s) {
		if class[s[i]]&cScheme == 0 || i == 0 && (class[s[0]]&cAlnum == 0 || class[s[0]]&cDigit != 0) {
			return fmt.Errorf("engine: Schemes: %q is not the name of a scheme (a letter, then letters, digits, +, - and .)", s)
		}
	}
	if slices.Contains(forbidden[:], s) {
		return fmt.Errorf("engine: Schemes: %q is refused: links of that scheme run code or read local data", s)
	}
	return nil
}

// labels returns a set of last labels in A-label form, or nil if the list is empty.
func labels(option string, list []string) (map[string]struct{}, error) {
	if len(list) == 0 {
		return nil, nil
	}
	set := make(map[string]struct{}, len(list))
	for _, s := range list {
		a, ok := hostname.AppendASCII(nil, strings.TrimPrefix(s, "."))
		if !ok || twoLabels(string(a)) {
			return nil, fmt.Errorf("engine: %s: %q is not a label of a host name", option, s)
		}
		set[string(a)] = struct{}{}
	}
	return set, nil
}
