// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/netip"
	"strings"

	"golang.org/x/sys/unix"
)

// An Exchange is what Postfix 3.7 writes to a milter that wants what bidilink milter does: over a connection of its own for each message, in the pieces in which it
// writes them, that is up to each answer that it waits for. It is prepared, so that to deliver it costs little beside what the milter does.
type Exchange struct {
	negotiation, header, body, end []byte
}

// NewExchange returns the exchange about a message with CRLF, whose body has at most 65535 bytes, from a client that is not one of ours.
func NewExchange(msg []byte) (*Exchange, error) {
	const id = "4X0000000Z"
	header, body, _ := bytes.Cut(msg, []byte("\r\n\r\n"))
	if len(body) == 0 || len(body) > 65535 {
		return nil, fmt.Errorf("an exchange about a body of %d bytes: want 1 to 65535", len(body))
	}
	x := &Exchange{}
	x.negotiation = appendPacket(nil, 'O', "\x00\x00\x00\x06", "\x00\x00\x01\xff", "\x00\x1f\xff\xff")
	p := appendPacket(nil, 'D', "C", "j\x00mx.example.test\x00", "{daemon_name}\x00mx.example.test\x00", "{daemon_addr}\x00127.0.0.1\x00", "{daemon_port}\x0025\x00", "v\x00Postfix 3.7.11\x00")
	p = appendPacket(p, 'C', "client.example.net\x004", "\x12\x67", "192.0.2.1\x00")
	p = appendPacket(p, 'D', "M", "{mail_addr}\x00a@example.net\x00", "{mail_host}\x00example.net\x00", "{mail_mailer}\x00smtp\x00")
	p = appendPacket(p, 'M', "<a@example.net>\x00", fmt.Sprintf("SIZE=%d\x00", len(msg)))
	p = appendPacket(p, 'D', "R", "i\x00"+id+"\x00", "{rcpt_addr}\x00"+Recipient+"\x00", "{rcpt_host}\x00example.test\x00", "{rcpt_mailer}\x00virtual\x00")
	p = appendPacket(p, 'R', "<"+Recipient+">\x00")
	fields := strings.Split(strings.ReplaceAll(string(header), "\r\n\t", "\n\t"), "\r\n")
	for _, field := range fields {
		name, value, _ := strings.Cut(field, ":")
		p = appendPacket(p, 'D', "L", "i\x00"+id+"\x00")
		p = appendPacket(p, 'L', name+"\x00", value+"\x00")
	}
	p = appendPacket(p, 'D', "N", "i\x00"+id+"\x00")
	x.header = appendPacket(p, 'N')
	x.body = appendPacket(appendPacket(nil, 'D', "B", "i\x00"+id+"\x00"), 'B', string(body))
	x.end = appendPacket(appendPacket(nil, 'D', "E", "i\x00"+id+"\x00"), 'E')
	return x, nil
}

// appendPacket appends a packet of the milter protocol.
func appendPacket(dst []byte, code byte, data ...string) []byte {
	n := 1
	for _, d := range data {
		n += len(d)
	}
	dst = append(binary.BigEndian.AppendUint32(dst, uint32(n)), code)
	for _, d := range data {
		dst = append(dst, d...)
	}
	return dst
}

// A socket is one that blocks its thread: what measures latencies must not wait for a scheduler of its own.
type socket int

func (s socket) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(s), p)
		if err == unix.EINTR {
			continue
		}
		if n == 0 && err == nil && len(p) > 0 {
			err = io.EOF
		}
		return max(n, 0), err
	}
}

func (s socket) write(p []byte) error {
	for len(p) > 0 {
		n, err := unix.Write(int(s), p)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}

// dialSocket connects to "unix:/PATH" or "inet:ADDRESS:PORT".
func dialSocket(address string) (socket, error) {
	network, address, _ := strings.Cut(address, ":")
	domain, to := unix.AF_UNIX, unix.Sockaddr(&unix.SockaddrUnix{Name: address})
	if network == "inet" {
		a, err := netip.ParseAddrPort(address)
		if err != nil || !a.Addr().Is4() {
			return -1, fmt.Errorf("%s: want an IPv4 address and a port", address)
		}
		domain, to = unix.AF_INET, &unix.SockaddrInet4{Port: int(a.Port()), Addr: a.Addr().As4()}
	}
	fd, err := unix.Socket(domain, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	for _, option := range []int{unix.SO_RCVTIMEO, unix.SO_SNDTIMEO} {
		if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, option, &unix.Timeval{Sec: int64(Patience.Seconds())}); err != nil {
			unix.Close(fd)
			return -1, err
		}
	}
	if err := connect(fd, to); err != nil {
		unix.Close(fd)
		return -1, fmt.Errorf("connecting to %s: %w", address, err)
	}
	return socket(fd), nil
}

// connect waits for a connection, also if signals come meanwhile, as the runtime sends them: it goes on being made then (connect(2)).
func connect(fd int, to unix.Sockaddr) error {
	err := unix.Connect(fd, to)
	if err != unix.EINTR {
		return err
	}
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, int(Patience.Milliseconds()))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		code, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ERROR)
		if err == nil && code != 0 {
			err = unix.Errno(code)
		}
		return err
	}
}

// Deliver has the milter at an address, as Postfix has it, look at the message. It returns the length of the new body, or -1 if there is none.
func (x *Exchange) Deliver(address string) (replaced int, err error) {
	s, err := dialSocket(address)
	if err != nil {
		return -1, err
	}
	defer unix.Close(int(s))
	r := bufio.NewReader(s)
	replaced = -1
	for _, step := range []struct {
		write []byte
		want  byte
	}{{x.negotiation, 'O'}, {x.header, 'c'}, {x.body, 'c'}, {x.end, 'a'}} {
		if err := s.write(step.write); err != nil {
			return replaced, err
		}
		for {
			var head [5]byte
			if _, err := io.ReadFull(r, head[:]); err != nil {
				return replaced, fmt.Errorf("instead of the answer %q: %w", step.want, err)
			}
			n := int(binary.BigEndian.Uint32(head[:])) - 1
			if _, err := r.Discard(n); err != nil {
				return replaced, err
			}
			if head[4] == 'b' && step.want == 'a' {
				replaced = max(replaced, 0) + n
				continue
			}
			if head[4] != step.want {
				return replaced, fmt.Errorf("the answer is %q, want %q", head[4], step.want)
			}
			break
		}
	}
	return replaced, s.write(appendPacket(nil, 'Q'))
}
