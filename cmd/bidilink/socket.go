// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path"
	"strconv"
	"strings"
)

// A socket is where a daemon listens.
type socket struct {
	path string         // of a Unix socket, absolute
	addr netip.AddrPort // of TCP, if path is ""
}

const wantSocket = "want inet:HOST:PORT, inet:PORT@HOST or unix:/PATH"

// maxSocketPath is the length in bytes of the longest path of a Unix socket, without the NUL behind it, on every system.
const maxSocketPath = 103

// parseSocket reads a socket as Postfix writes it (inet:host:port, unix:path), or libmilter (inet:port@host, inet6:port@host, local:path). A host is an IP address
// or localhost, which is 127.0.0.1, or ::1 for inet6: names are not looked up. An IPv6 address before a port stands in brackets.
func parseSocket(s string) (socket, error) {
	kind, rest, ok := strings.Cut(s, ":")
	if !ok {
		return socket{}, errors.New(wantSocket)
	}
	switch kind {
	case "unix", "local":
		if !path.IsAbs(rest) || strings.HasSuffix(rest, "/") || strings.IndexByte(rest, 0) >= 0 {
			return socket{}, errors.New("the path of a socket begins with / and ends with a name")
		}
		if len(rest) > maxSocketPath {
			return socket{}, fmt.Errorf("the path of a socket is at most %d bytes long", maxSocketPath)
		}
		return socket{path: rest}, nil
	case "inet", "inet6":
	default:
		return socket{}, errors.New(wantSocket)
	}
	port, host, ok := strings.Cut(rest, "@")
	if !ok {
		i := strings.LastIndexByte(rest, ':')
		if i < 0 {
			return socket{}, errors.New(wantSocket)
		}
		host, port = rest[:i], rest[i+1:]
		if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
			return socket{}, errors.New("an IPv6 address before a port stands in brackets")
		}
	}
	if h, ok := strings.CutPrefix(host, "["); ok {
		if host, ok = strings.CutSuffix(h, "]"); !ok || !strings.Contains(host, ":") {
			return socket{}, fmt.Errorf("%q is no IP address", "["+h)
		}
	}
	if host == "localhost" {
		host = map[string]string{"inet": "127.0.0.1", "inet6": "::1"}[kind]
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || kind == "inet6" && !addr.Is6() {
		return socket{}, fmt.Errorf("%q is no IP address: names are not looked up", host)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return socket{}, fmt.Errorf("%q is no port: want 1 to 65535, or 0 for one that is free", port)
	}
	return socket{addr: netip.AddrPortFrom(addr, uint16(n))}, nil
}

// String returns the socket as Postfix writes it.
func (s socket) String() string {
	if s.path != "" {
		return "unix:" + s.path
	}
	return "inet:" + s.addr.String()
}

// socketOf returns where a listener listens.
func socketOf(l net.Listener) string {
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		return socket{addr: a.AddrPort()}.String()
	}
	return "unix:" + l.Addr().String()
}

// local reports whether only processes of this machine reach a listener.
func local(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return !ok || a.IP.IsLoopback()
}

var errRemote = errors.New("not a loopback address: everybody who reaches it can use it; --allow-remote permits it")

// listen opens a socket.
func (s socket) listen(remote bool, access socketAccess) (net.Listener, error) {
	if s.path != "" {
		return listenUnix(s.path, access)
	}
	if !remote && !s.addr.Addr().Unmap().IsLoopback() {
		return nil, errRemote
	}
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(s.addr))
	var op *net.OpError
	if errors.As(err, &op) {
		return nil, op.Err
	}
	return l, err
}

// socketAccess says who may connect to a Unix socket.
type socketAccess struct {
	mode  uint32 // permissions
	group int    // -1: as it is
}
