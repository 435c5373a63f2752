// SPDX-License-Identifier: MIT

package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// checkHost refuses requests whose Host is not loopback: a name that somebody else makes point here would give their pages the rights of
// ours.
func (h *handler) checkHost(r *http.Request) *problem {
	if h.o.Public || loopbackHost(r.Host) {
		return nil
	}
	return failure(http.StatusMisdirectedRequest, "the header Host must be localhost, 127.0.0.1 or [::1], with or without a port")
}

// loopbackHost reports whether a Host is "localhost" or a loopback address, with or without a port.
func loopbackHost(host string) bool {
	name, port := host, ""
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 {
			return false
		}
		name, port = host[1:end], host[end+1:]
		if !strings.Contains(name, ":") {
			return false
		}
	} else if i := strings.IndexByte(host, ':'); i >= 0 {
		name, port = host[:i], host[i:]
	}
	if port != "" && (len(port) < 2 || len(port) > 6 || port[0] != ':' || strings.Trim(port[1:], "0123456789") != "") {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(name)
	return err == nil && a.Zone() == "" && a.IsLoopback()
}

// checkOrigin refuses what a page of another origin has a browser send.
func checkOrigin(r *http.Request) *problem {
	refused := failure(http.StatusForbidden, "the request comes from a page of another origin")
	if origins := r.Header.Values("Origin"); len(origins) > 0 {
		if len(origins) > 1 {
			return refused
		}
		u, err := url.Parse(origins[0])
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !strings.EqualFold(u.Host, r.Host) || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
			return refused
		}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		// A browser that does not say where a request comes from says at least whether it is from here.
		switch r.Header.Get("Sec-Fetch-Site") {
		case "", "same-origin", "none":
		default:
			return refused
		}
	}
	return nil
}

// checkToken refuses requests without the token, if there is one. How long it takes says nothing about how much of a token is right.
func (h *handler) checkToken(r *http.Request) *problem {
	if h.o.Token == "" {
		return nil
	}
	const scheme = "bearer "
	given := r.Header.Get("Authorization")
	if len(given) < len(scheme) || !strings.EqualFold(given[:len(scheme)], scheme) {
		return failure(http.StatusUnauthorized, "a token is needed: Authorization: Bearer TOKEN").with("WWW-Authenticate", `Bearer realm="bidilink"`)
	}
	a, b := sha256.Sum256([]byte(given[len(scheme):])), sha256.Sum256([]byte(h.o.Token))
	if subtle.ConstantTimeCompare(a[:], b[:]) != 1 {
		return failure(http.StatusUnauthorized, "the token is not the one of this server").with("WWW-Authenticate", `Bearer realm="bidilink", error="invalid_token"`)
	}
	return nil
}

// loopbackAddr reports whether a listener is for loopback only.
func loopbackAddr(a net.Addr) bool {
	t, ok := a.(*net.TCPAddr)
	return ok && t.IP.IsLoopback()
}
