// SPDX-License-Identifier: MIT

package hostname

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

var refProfile = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false),
	idna.CheckJoiners(true), idna.CheckHyphens(false), idna.StrictDomainName(true))

// reference is Classify and AppendASCII on x/net/idna and x/net/publicsuffix only.
func reference(host string) (string, Status) {
	if len(host) > 2048 || !utf8.ValidString(host) {
		return "", Invalid
	}
	for _, l := range strings.FieldsFunc(host, func(r rune) bool { return strings.ContainsRune(".\u3002\uff0e\uff61", r) }) {
		l = strings.ToLower(strings.Map(func(r rune) rune {
			if Of(r)>>classShift == classIgnored && r >= utf8.RuneSelf {
				return -1
			}
			return r
		}, l))
		if strings.HasPrefix(l, "xn--") && strings.ContainsFunc(l, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return "", Invalid // x/net/idna decodes some of these
		}
	}
	a, err := refProfile.ToASCII(host)
	if err != nil || a == "" || len(a) > 253 {
		return "", Invalid
	}
	// What the first round makes right-to-left is an A-label in the second.
	b, err := refProfile.ToASCII(a)
	if err != nil || a != b {
		return "", Invalid
	}
	var last string
	for l := range strings.SplitSeq(a, ".") {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' {
			return "", Invalid
		}
		if strings.HasPrefix(l, "xn--") {
			u, err := refProfile.ToUnicode(l)
			if err != nil || u == "" {
				return "", Invalid
			}
			r := []rune(u)
			if r[0] == '-' || r[len(r)-1] == '-' || len(r) >= 4 && r[2] == '-' && r[3] == '-' {
				return "", Invalid
			}
		}
		last = l
	}
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") && strings.Trim(last[2:], "0123456789abcdef") == "" {
		if ip, err := netip.ParseAddr(a); err == nil && ip.Is4() {
			return a, IPv4
		}
		return "", Invalid
	}
	return a, refSuffix(a)
}

// refSuffix says what the valid name a is; the private section of the list is left out.
func refSuffix(a string) Status {
	last := a[strings.LastIndexByte(a, '.')+1:]
	if _, icann := publicsuffix.PublicSuffix("a.a.a.a." + last); !icann {
		return Name
	}
	for s := a; ; {
		p, icann := publicsuffix.PublicSuffix(s)
		if icann || p == last {
			if p == a {
				return Suffix
			}
			return Registrable
		}
		// The rule is a private one. Those of the other section are shorter.
		s = p[strings.IndexByte(p, '.')+1:]
	}
}
