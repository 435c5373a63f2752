// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	proto "github.com/d--j/go-milter"
)

// A sink is a connection that keeps what is written, by calls.
type sink struct {
	net.Conn
	writes [][]byte
	limits int // calls of SetWriteDeadline
}

func (s *sink) Write(p []byte) (int, error) {
	s.writes = append(s.writes, bytes.Clone(p))
	return len(p), nil
}

func (s *sink) SetWriteDeadline(time.Time) error { s.limits++; return nil }

// asLibrary writes a packet as the library does.
func asLibrary(t *testing.T, g *guard, code byte, data string) {
	t.Helper()
	head := binary.BigEndian.AppendUint32(nil, uint32(1+len(data)))
	for _, p := range [][]byte{append(head, code), []byte(data)} {
		if len(p) == 0 {
			continue
		}
		if n, err := g.Write(p); n != len(p) || err != nil {
			t.Fatalf("%q, %d bytes: %d, %v", code, len(data), n, err)
		}
	}
}

// A new body is one packet, whatever its length, and no write ends between it and the answer.
func TestBodyPacket(t *testing.T) {
	var b bodies
	for _, n := range []int{1, 5, bodyTail, 20_000, bodyStep - 1, bodyStep, bodyStep + 1, 2*bodyStep + bodyTail, 3 << 20} {
		s := &sink{}
		g := &guard{Conn: s, bodies: &b}
		body := []byte(strings.Repeat("0123456789", n/10+1)[:n])
		b.m.Store("17", body)
		asLibrary(t, g, replaceBody, "17")
		for _, w := range s.writes {
			if len(w) > bodyStep {
				t.Errorf("%d bytes: a write of %d", n, len(w))
			}
		}
		if n > bodyStep && s.limits != (n-bodyTail+bodyStep-1)/bodyStep {
			t.Errorf("%d bytes: the time limit was set %d times", n, s.limits)
		}
		asLibrary(t, g, 'a', "")
		want := binary.BigEndian.AppendUint32(nil, uint32(1+n))
		want = append(append(append(want, replaceBody), body...), 0, 0, 0, 1, 'a')
		if got := bytes.Join(s.writes, nil); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d written, want %d: %.40q", n, len(got), len(want), got)
		}
		if last := s.writes[len(s.writes)-1]; len(last) < 5+min(n, bodyTail) {
			t.Errorf("%d bytes: the last write has %d", n, len(last))
		}
		asLibrary(t, g, 'c', "")
		if last := s.writes[len(s.writes)-1]; string(last) != "\x00\x00\x00\x01c" {
			t.Errorf("%d bytes: the packet behind is %q", n, last)
		}
	}
}

// Other packets are written at once, each in one piece.
func TestOtherPackets(t *testing.T) {
	s := &sink{}
	g := &guard{Conn: s, bodies: &bodies{}}
	asLibrary(t, g, 'O', "123456789012")
	asLibrary(t, g, 'p', "")
	if len(s.writes) != 2 || string(s.writes[0]) != "\x00\x00\x00\x0dO123456789012" || string(s.writes[1]) != "\x00\x00\x00\x01p" {
		t.Errorf("%q", s.writes)
	}
}

// What the library does not write is an error, and so is a body that nobody has given.
func TestWrittenOtherwise(t *testing.T) {
	g := &guard{Conn: &sink{}, bodies: &bodies{}}
	if _, err := g.Write([]byte("\x00\x00\x00\x01")); !errors.Is(err, errPacket) {
		t.Errorf("four bytes: %v", err)
	}
	if _, err := g.Write([]byte("\x00\x00\x00\x05b")); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Write([]byte("body")); !errors.Is(err, errPacket) {
		t.Errorf("a body without a ticket: %v", err)
	}
}

// The library, as a client, sees one packet.
func TestLargeBodyOverLibrary(t *testing.T) {
	s, err := NewServer(Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	defer s.Close()
	c, err := proto.NewClient("tcp", l.Addr().String()).Session(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	text := "<p>http://example.com/x</p>\r\n"
	linked := `<p><a href="http://example.com/x">http://example.com/x</a></p>` + "\r\n"
	filler := strings.Repeat("<p>nothing</p>\r\n", 30_000)
	for _, step := range []func() (*proto.Action, error){
		func() (*proto.Action, error) { return c.Conn("localhost", proto.FamilyInet, 25, "192.0.2.1") },
		func() (*proto.Action, error) { return c.Helo("localhost") },
		func() (*proto.Action, error) { return c.Mail("<a@example.test>", "") },
		func() (*proto.Action, error) { return c.Rcpt("<u@example.test>", "") },
		func() (*proto.Action, error) { return c.DataStart() },
		func() (*proto.Action, error) { return c.HeaderField("Content-Type", " text/html", nil) },
		func() (*proto.Action, error) { return c.HeaderEnd() },
	} {
		if a, err := step(); err != nil || a.StopProcessing() {
			t.Fatal(a, err)
		}
	}
	changes, a, err := c.BodyReadFrom(strings.NewReader(text + filler))
	if err != nil || a.Type != proto.ActionAccept {
		t.Fatal(a, err)
	}
	if len(changes) != 1 || changes[0].Type != proto.ActionReplaceBody || string(changes[0].Body) != linked+filler {
		t.Errorf("%d changes: %.200v", len(changes), changes)
	}
}
