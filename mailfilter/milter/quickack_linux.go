// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"io"
	"net"
	"syscall"
)

// quick returns a reader of c that has TCP acknowledge at once what was read. MTAs send many small packets that need no answer, each of which waits for the
// acknowledgement of the one before (Nagle's algorithm): with the usual delay of that, a message takes 40 or 80 ms more.
func quick(c net.Conn) io.Reader {
	t, ok := c.(*net.TCPConn)
	if !ok {
		return c
	}
	raw, err := t.SyscallConn()
	if err != nil {
		return c
	}
	return &quickReader{t, raw, func(fd uintptr) {
		// The kernel goes back to delays by itself. That it does not know the option is no reason to stop.
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
	}}
}

type quickReader struct {
	c   *net.TCPConn
	raw syscall.RawConn
	set func(fd uintptr)
}

func (r *quickReader) Read(p []byte) (int, error) {
	n, err := r.c.Read(p)
	if err == nil {
		_ = r.raw.Control(r.set)
	}
	return n, err
}
