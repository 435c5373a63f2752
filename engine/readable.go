// SPDX-License-Identifier: MIT

package engine

import "github.com/bidilink/bidilink/internal/hostname"

// Readable returns url, an href for example, as people read it: minimally escaped as [FormatURL] does it, and with
// the A-labels of its host in Unicode where that leads back to the same host (of addresses, and the schemes of the
// WHATWG
// URL Standard). What is no URL is returned as it is.
//
// It is for the eye and for texts in which it will be found again; the href stays what it was.
func Readable(url string) string {
	u, err := split(url)
	if err != nil {
		return url
	}
	var f formatter
	f.o.needMailto(&u)
	if u.special() || u.address {
		// Of other schemes it is not known whether their hosts are names of the DNS.
		var buf [256]byte
		u.host = string(hostname.AppendUnicode(buf[:0], u.host))
	}
	return string(f.url(nil, &u))
}
