// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"net"
	"syscall"
	"testing"
)

// What was read over TCP is acknowledged at once, again and again; other connections are read as they are.
func TestQuick(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	from, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	r, ok := quick(to).(*quickReader)
	if !ok {
		t.Fatal("not a quickReader")
	}
	for i := range 3 {
		// As the kernel may do.
		r.raw.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 0) })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := from.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if n, err := r.Read(make([]byte, 10)); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		var on int
		r.raw.Control(func(fd uintptr) { on, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK) })
		if on != 1 || err != nil {
			t.Errorf("read %d: TCP_QUICKACK is %d, %v", i, on, err)
		}
	}
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if quick(a) != a {
		t.Error("a pipe has a reader of its own")
	}
}
