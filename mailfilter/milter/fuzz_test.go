// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bytes"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	proto "github.com/d--j/go-milter"

	"github.com/bidilink/bidilink/mailfilter"
)

// FuzzSession calls the callbacks in any order: the letters of calls say which, and the text is cut into what they are given. None panics, a message is recorded at most once, and
// a body is replaced by nothing else than what mailfilter makes of the message.
func FuzzSession(f *testing.F) {
	const header = "Content-Type\x00 text/html;\n charset=utf-8\x00"
	for _, calls := range []string{"CMRRHNBE", "CMRHNBBEAMRHNBE", "MHNE", "MHBE", "HNBE", "E", "MHNNBE", "MHNHBE", "MRHNBAMHNBEK", "MHEBE", "mHNBE", "MHHHHNBBBBE", "MHNBEE", "MHNBMHNBE"} {
		f.Add(calls, header+string(text)+"\x00"+header+string(text), true)
	}
	f.Add("MHNE", "List-Id\x00 x", false)
	f.Fuzz(func(t *testing.T, calls, data string, leading bool) {
		if len(calls) > 100 || len(data) > 4000 {
			return
		}
		next := func() string {
			s, rest, _ := bytes.Cut([]byte(data), []byte{0})
			data = string(rest)
			return string(s)
		}
		records, begun, closing := 0, 0, false
		p := &Policy{Inbound: Rules{Options: final, Senders: Domains{Except: []string{"no.example"}}}, Outbound: Rules{Options: mailfilter.Options{}}}
		s, err := NewServer(Options{Policy: p, Record: func(Record) { records++ }, Trouble: func(err error) {
			var unfinished *UnfinishedError
			if !closing || !errors.As(err, &unfinished) {
				t.Fatal(err)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		protocol := wanted
		if !leading {
			protocol &^= proto.OptHeaderLeadingSpace
		}
		c := s.newSession(6, proto.OptChangeBody, protocol, proto.DataSize64K)
		var head, body []byte
		foldedHead := true
		for _, call := range []byte(calls) {
			m := &modifier{macros: map[proto.MacroName]string{}, bodies: &s.bodies}
			var resp *proto.Response
			var err error
			switch call {
			case 'C':
				resp, err = c.Connect("", "tcp4", 0, "192.0.2.1", m)
			case 'c':
				resp, err = c.Connect("", "tcp6", 0, next(), m)
			case 'M', 'm':
				if call == 'm' {
					m.macros[proto.MacroAuthAuthen] = "x"
				}
				begun++
				head, body, foldedHead = nil, nil, true
				resp, err = c.MailFrom(next(), "", m)
			case 'R':
				resp, err = c.RcptTo(next(), "", m)
			case 'T':
				resp, err = c.Data(m)
			case 'H':
				name, value := next(), next()
				foldedHead = foldedHead && fieldName(name) && folded(value)
				if leading {
					head = append(head, name+":"...)
				} else {
					head = append(head, name+": "...)
				}
				value = string(bytes.ReplaceAll(bytes.ReplaceAll([]byte(value), []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")))
				head = append(head, value+"\r\n"...)
				resp, err = c.Header(name, value, m)
			case 'N':
				resp, err = c.Headers(m)
			case 'B':
				b := []byte(next())
				body = append(body, b...)
				resp, err = c.BodyChunk(b, m)
			case 'E':
				resp, err = c.EndOfMessage(m)
				if m.replaced != nil {
					msg := append(append(bytes.Clone(head), "\r\n"...), body...)
					want, rep, err := mailfilter.RewriteMessage(msg, final)
					if err != nil || rep.Result != mailfilter.Modified || !foldedHead || !bytes.Equal(m.replaced, want[len(head)+2:]) {
						t.Fatalf("%q: %v %v\n got %q\nwant %q", msg, rep.Result, rep.Reason, m.replaced, want)
					}
				}
			case 'U':
				resp, err = c.Unknown(next(), m)
			case 'A':
				err = c.Abort(m)
			case 'K':
				err = c.NewConnection(m)
			}
			if err != nil || resp != nil && resp != proto.RespContinue && resp != proto.RespAccept {
				t.Fatalf("%c: %v, %v", call, resp, err)
			}
			if call != 'E' && m.replaced != nil {
				t.Fatalf("%c replaces the body", call)
			}
		}
		closing = true
		c.Cleanup(&modifier{})
		if s := s.Stats(); records > begun || s.Panics != 0 || s.Memory != 0 || s.Messages != 0 {
			t.Fatalf("%d records of %d messages, %+v", records, begun, s)
		}
	})
}

// A pipe is a listener that has one connection.
type pipe struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipe) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipe) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipe) Addr() net.Addr { return &net.UnixAddr{} }

// A tape is a connection on which everything was said before.
type tape struct {
	net.Conn
	r      *bytes.Reader
	w      bytes.Buffer
	closed chan struct{}
}

func (c *tape) Read(p []byte) (int, error)       { return c.r.Read(p) }
func (c *tape) Write(p []byte) (int, error)      { return c.w.Write(p) }
func (c *tape) Close() error                     { close(c.closed); return nil }
func (c *tape) SetReadDeadline(time.Time) error  { return nil }
func (c *tape) SetWriteDeadline(time.Time) error { return nil }

// FuzzPackets sends bytes to the server, as what is on the wire. It must not panic, and its answers are packets that the protocol has.
func FuzzPackets(f *testing.F) {
	offered := packet('O', offer(6, proto.OptChangeBody, 0x1fffff))
	message := func(packets ...[]byte) []byte { return bytes.Join(append([][]byte{offered}, packets...), nil) }
	f.Add(message(packet('C', "h\x004\x00\x01192.0.2.1\x00"), packet('D', "Mi\x004X\x00{auth_type}\x00x\x00"), packet('M', "<a@example.com>\x00"), packet('R', "<b@example.com>\x00"),
		packet('L', "Content-Type\x00 text/html\x00"), packet('N', ""), packet('B', string(text)), packet('D', "E"), packet('E', ""), packet('Q', "")))
	f.Add(message(packet('M', "\x00"), packet('L', "X\x00\x00"), packet('N', ""), packet('A', ""), packet('K', ""), packet('H', "x\x00"), packet('T', ""), packet('U', "x\x00")))
	f.Add(message(packet('C', "h\x006\x00\x01IPv6:[::1]\x00"), packet('C', "h\x00U"), packet('C', "h\x00L\x00\x00/s\x00"), packet('E', "")))
	f.Add(message([]byte{0, 0, 0, 0}))
	f.Add([]byte{})
	s, err := NewServer(Options{Policy: everywhere(final)})
	if err != nil {
		f.Fatal(err)
	}
	l := &pipe{conns: make(chan net.Conn), done: make(chan struct{})}
	go s.Serve(l)
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &tape{r: bytes.NewReader(data), closed: make(chan struct{})}
		l.conns <- c
		<-c.closed
		got := c.w.Bytes()
		for len(got) > 0 {
			n := int(got[0])<<24 | int(got[1])<<16 | int(got[2])<<8 | int(got[3])
			if n < 1 || len(got) < 4+n || !bytes.ContainsRune([]byte("Ocabp"), rune(got[4])) {
				t.Fatalf("%q", got)
			}
			got = got[4+n:]
		}
		if s := s.Stats(); s.Panics != 0 {
			t.Fatalf("%+v", s)
		}
	})
}
