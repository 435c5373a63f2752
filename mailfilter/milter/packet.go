// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	proto "github.com/d--j/go-milter"
)

// maxPacket is the length in bytes of the longest packet that is read. A body comes in pieces of 64 KiB, and MTAs cut header fields at some 100 kB.
const maxPacket = 1 << 20

const (
	negotiationTimeout = 10 * time.Second // for the first packet
	packetTimeout      = time.Minute      // for the rest of a packet
	writeTimeout       = 30 * time.Second
)

// errPacket says that a packet is not one of the protocol.
var errPacket = errors.New("malformed packet")

// A guard is a connection that gives the protocol library whole packets that it can read. The library, version 0.10.2, panics at an empty packet, and at a MAIL, RCPT or
// CONNECT without a NUL, in a goroutine that nothing recovers; and it takes up to 512 MiB at the word of a packet's length.
//
// It sets the deadlines for reading itself: the library has one for all packets, and one second for the first.
type guard struct {
	net.Conn
	r       *bufio.Reader // nil in the end
	pending []byte        // of the packet that was read and checked, not yet given out
	packed  []byte        // where the packets are that are no body, if they are short
	body    int           // bytes of the current body packet that are still to be read
	packets int
	quit    bool // the packet is the last one
	idle    time.Duration
	trouble func(error)
	once    sync.Once
	closed  func()

	head   []byte  // length and code of the packet that is being written, whose data is to come
	room   [5]byte // for head
	tail   []byte  // the end of a new body, to be written with the packet behind it
	lent   *[]byte // where tail begins, if not in the body
	bodies *bodies
}

// readers are buffers of connections that have ended.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4<<10) }}

func newGuard(c net.Conn, bodies *bodies, idle time.Duration, trouble func(error), closed func()) *guard {
	r := readers.Get().(*bufio.Reader)
	r.Reset(quick(c))
	return &guard{Conn: c, r: r, bodies: bodies, idle: idle, trouble: trouble, closed: closed}
}

// SetReadDeadline does nothing.
func (g *guard) SetReadDeadline(time.Time) error { return nil }

// Close closes the connection. It may be called more than once.
func (g *guard) Close() error {
	err := g.Conn.Close()
	g.once.Do(g.closed)
	return err
}

func (g *guard) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(g.pending) == 0 && g.body == 0 {
		if g.r == nil {
			return 0, io.EOF
		}
		if err := g.packet(); err != nil {
			g.end()
			if err != io.EOF && !errors.Is(err, net.ErrClosed) {
				g.trouble(describe(err))
			}
			return 0, io.EOF // which the library takes for the end, without a word
		}
	}
	if len(g.pending) > 0 {
		n := copy(p, g.pending)
		g.pending = g.pending[n:]
		if g.quit && len(g.pending) == 0 {
			g.end() // nothing comes behind it
		}
		return n, nil
	}
	n, err := g.r.Read(p[:min(len(p), g.body)])
	g.body -= n
	if err != nil && g.body > 0 {
		g.trouble(describe(err))
		err = io.EOF
	} else {
		err = nil
	}
	return n, err
}

// end gives the buffer back. It is called by who reads: nothing is read any more.
func (g *guard) end() {
	g.r.Reset(nil)
	readers.Put(g.r)
	g.r = nil
}

// describe returns an error without the addresses in it.
func describe(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("milter: the MTA was silent for too long")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("milter: the connection ended within a packet")
	case errors.Is(err, errPacket):
		return fmt.Errorf("milter: %w", err)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("milter: reading from the MTA: %w", err)
}

// packet reads the next packet: length in four bytes, code in one, data. Of one with a piece of body, it reads no more than the code.
func (g *guard) packet() error {
	wait := g.idle
	if g.packets == 0 {
		wait = min(wait, negotiationTimeout)
	}
	g.packets++
	if g.r.Buffered() == 0 {
		if err := g.Conn.SetReadDeadline(time.Now().Add(wait)); err != nil {
			return err
		}
		head, err := g.r.Peek(1)
		if err != nil {
			if len(head) == 0 && errors.Is(err, io.ErrUnexpectedEOF) {
				err = io.EOF
			}
			return err
		}
	}
	if !g.whole() {
		if err := g.Conn.SetReadDeadline(time.Now().Add(packetTimeout)); err != nil {
			return err
		}
	}
	packet := append(g.packed[:0], 0, 0, 0, 0, 0)
	if _, err := io.ReadFull(g.r, packet[:4]); err != nil {
		return unexpected(err)
	}
	n := int64(binary.BigEndian.Uint32(packet))
	if n < 1 || n > maxPacket {
		return fmt.Errorf("%w: of %d bytes", errPacket, n)
	}
	if _, err := io.ReadFull(g.r, packet[4:5]); err != nil {
		return unexpected(err)
	}
	if packet[4] == 'B' && g.packets > 1 {
		g.pending, g.packed, g.body = packet, packet, int(n-1)
		return nil
	}
	// The memory grows with what comes, not with what is announced.
	for left := int(n - 1); left > 0; {
		have, step := len(packet), min(left, max(len(packet), packetStep))
		packet = slices.Grow(packet, step)[:have+step]
		if _, err := io.ReadFull(g.r, packet[have:]); err != nil {
			return unexpected(err)
		}
		left -= step
	}
	if !readable(packet[4], packet[5:], g.packets == 1) {
		return fmt.Errorf("%w: code %q, %d bytes", errPacket, packet[4], n)
	}
	g.pending = packet
	g.quit = packet[4] == 'Q'
	if cap(packet) <= 4*packetStep {
		g.packed = packet
	}
	return nil
}

// packetStep is how much of a packet is read at first, in bytes.
const packetStep = 256

// whole reports whether the next packet is there, so that nothing has to be waited for.
func (g *guard) whole() bool {
	if g.r.Buffered() < 4 {
		return false
	}
	head, err := g.r.Peek(4)
	return err == nil && int64(g.r.Buffered()) >= 4+int64(binary.BigEndian.Uint32(head))
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readable reports whether the library can take the data of a packet apart. It ends the connection without a word where it cannot.
func readable(code byte, data []byte, first bool) bool {
	if first || code == 'O' {
		return first && code == 'O' && len(data) >= 12
	}
	nul := bytes.IndexByte(data, 0)
	switch code {
	case 'C':
		return nul >= 0 && connection(data[nul+1:])
	case 'M', 'R':
		return nul >= 0
	case 'L': // two strings; the NUL of the second may be missing
		return len(data) >= 2 && bytes.Count(bytes.TrimSuffix(data, []byte{0}), []byte{0}) == 1
	case 'H', 'D':
		return len(data) > 0
	case 'A', 'E', 'K', 'N', 'Q', 'T', 'U':
		return true
	}
	return false
}

// connection reports whether the data of a CONNECT, behind the name of the host, are family, port and address.
func connection(data []byte) bool {
	if len(data) == 0 {
		return false
	}
	family := data[0]
	if family == 'U' {
		return true
	}
	if len(data) < 3 {
		return false
	}
	address, _, _ := bytes.Cut(data[3:], []byte{0})
	switch family {
	case 'L':
		return true
	case '4':
		ip := net.ParseIP(string(address))
		return ip != nil && ip.To4() != nil
	case '6':
		address = bytes.TrimPrefix(address, []byte("IPv6:"))
		if n := len(address); n > 2 && address[0] == '[' && address[n-1] == ']' {
			address = address[1 : n-1]
		}
		return net.ParseIP(string(address)) != nil
	}
	return false
}

// replaceBody is the code of a packet with a new body.
const replaceBody = 'b'

// bodies are those that are sent now, by tickets. The library is given a ticket for a body, and the connection sends the body in its place: as one packet, which
// the library cannot do beyond 64 KiB, and with its end in one piece with the answer behind it.
//
// It has to be so. Postfix writes what it gets over the old body, packet by packet, and finishes that work when the next answer comes. If this process is killed in
// between, then with milter_default_action=accept the message is delivered half new and half old, or is lost with its queue file ("corrupted queue file", 3.7). A
// packet it reads as a whole before it does anything with it. It takes packets of 2 GiB, and Sendmail of any length.
type bodies struct {
	last atomic.Uint64
	m    sync.Map // ticket, a string, to body, a []byte
}

// send replaces the body of a message. The body must not change until the answer is written.
func (b *bodies) send(m proto.Modifier, body []byte) error {
	ticket := strconv.FormatUint(b.last.Add(1), 10)
	b.m.Store(ticket, body)
	defer b.m.Delete(ticket)
	if err := m.ReplaceBodyRawChunk([]byte(ticket)); err != nil {
		return fmt.Errorf("milter: replacing the body: %w", cause(err))
	}
	return nil
}

const (
	bodyStep = 64 << 10 // how much of a body is written at a time, in bytes
	bodyTail = 4 << 10  // how much of one that is longer than bodyStep is kept back for the answer
)

// Write writes what the library does: five bytes with length and code of a packet, and then its data, if there are any.
func (g *guard) Write(p []byte) (int, error) {
	if len(g.head) == 0 {
		if len(p) != 5 {
			return 0, fmt.Errorf("%w: to be written, with a head of %d bytes", errPacket, len(p))
		}
		if binary.BigEndian.Uint32(p) == 1 {
			return g.emit(nil, p)
		}
		g.head = append(g.room[:0], p...)
		return len(p), nil
	}
	head := g.head
	g.head = nil
	if head[4] != replaceBody {
		return g.emit(head, p)
	}
	v, ok := g.bodies.m.Load(string(p))
	if !ok {
		return 0, fmt.Errorf("%w: to be written, without a body", errPacket)
	}
	body := v.([]byte)
	binary.BigEndian.PutUint32(head, uint32(1+len(body)))
	if len(body) <= bodyStep {
		if g.lent == nil {
			g.lent = lend()
			g.tail = append(*g.lent, g.tail...)
		}
		g.tail = append(append(g.tail, head...), body...)
		return len(p), nil
	}
	if _, err := g.emit(nil, head); err != nil {
		return 0, err
	}
	body, g.tail = body[:len(body)-bodyTail], body[len(body)-bodyTail:len(body):len(body)]
	for len(body) > 0 {
		// The time is for a piece, not for all of it.
		if err := g.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return 0, err
		}
		n := min(len(body), bodyStep)
		if _, err := g.Conn.Write(body[:n]); err != nil {
			return 0, err
		}
		body = body[n:]
	}
	return len(p), nil
}

// emit writes what is kept back, the head of a packet, and its data, all at once. It returns the length of the data.
func (g *guard) emit(head, data []byte) (int, error) {
	out := data
	if len(g.tail) > 0 || len(head) > 0 {
		out = append(append(g.tail, head...), data...)
		g.tail = nil
	}
	_, err := g.Conn.Write(out)
	if g.lent != nil {
		putBack(g.lent, out)
		g.lent = nil
	}
	if err != nil {
		return 0, err
	}
	return len(data), nil
}
