// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	proto "github.com/d--j/go-milter"

	"github.com/bidilink/bidilink/mailfilter"
)

// final takes everything.
var final = mailfilter.Options{RewriteDKIM: true, RewriteLists: true}

// everywhere is a policy that takes everything in both directions.
func everywhere(o mailfilter.Options) *Policy {
	return &Policy{Inbound: Rules{Options: o}, Outbound: Rules{Options: o}}
}

// A running is a server with what it has reported.
type running struct {
	*Server
	network, address string

	mu       sync.Mutex
	records  []Record
	troubles []error
}

// start starts a server on a Unix socket. prepare may change it before.
func start(t *testing.T, o Options, prepare func(*Server)) *running {
	t.Helper()
	r := &running{network: "unix", address: filepath.Join(t.TempDir(), "s")}
	record, trouble := o.Record, o.Trouble
	o.Record = func(rec Record) {
		r.mu.Lock()
		r.records = append(r.records, rec)
		r.mu.Unlock()
		if record != nil {
			record(rec)
		}
	}
	o.Trouble = func(err error) {
		r.mu.Lock()
		r.troubles = append(r.troubles, err)
		r.mu.Unlock()
		if trouble != nil {
			trouble(err)
		}
	}
	var err error
	if r.Server, err = NewServer(o); err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(r.Server)
	}
	l, err := net.Listen(r.network, r.address)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- r.Serve(l) }()
	t.Cleanup(func() {
		r.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

// last returns the last record, and how many there are.
func (r *running) last() (Record, int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.records) == 0 {
		return Record{}, 0
	}
	return r.records[len(r.records)-1], len(r.records)
}

func (r *running) reported() []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]error(nil), r.troubles...)
}

// A client is an MTA that is connected.
type client struct {
	*proto.ClientSession
	t      *testing.T
	macros *proto.MacroBag
}

// connect connects an MTA, and lets an SMTP client connect to it.
func (r *running) connect(t *testing.T, options ...proto.Option) *client {
	t.Helper()
	macros := proto.NewMacroBag()
	s, err := proto.NewClient(r.network, r.address, options...).Session(macros)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c := &client{s, t, macros}
	c.smtp("192.0.2.1")
	return c
}

// smtp lets an SMTP client connect.
func (c *client) smtp(addr string) {
	c.t.Helper()
	family := proto.FamilyInet
	if addr == "" {
		family = proto.FamilyUnknown
	} else if netip.MustParseAddr(addr).Is6() {
		family = proto.FamilyInet6
	}
	if _, err := c.Conn("client.example.net", family, 4711, addr); err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.Helo("client.example.net"); err != nil {
		c.t.Fatal(err)
	}
}

// parts takes a message apart as Postfix does: CRLF, and the header ends before the first line that cannot be in one.
//
// The client drops a CR at the end of a value.
func parts(msg []byte) (fields [][2]string, body []byte) {
	defer func() {
		for i := range fields {
			fields[i][1] = strings.TrimSuffix(fields[i][1], "\r")
		}
	}()
	msg = normalize(msg)
	for len(msg) > 0 {
		line, rest, _ := bytes.Cut(msg, []byte("\r\n"))
		if len(line) == 0 {
			return fields, rest
		}
		name, value, ok := strings.Cut(string(line), ":")
		switch {
		case (line[0] == ' ' || line[0] == '\t') && len(fields) > 0:
			fields[len(fields)-1][1] += "\n" + string(line)
		case ok && fieldName(name) && bytes.IndexByte(line, 0) < 0:
			fields = append(fields, [2]string{name, value})
		default:
			return fields, msg
		}
		msg = rest
	}
	return fields, nil
}

func normalize(msg []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(msg, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// whole puts a message together that was taken apart.
func whole(fields [][2]string, body []byte) (header, msg []byte) {
	for _, f := range fields {
		header = append(header, f[0]+":"+strings.ReplaceAll(f[1], "\n", "\r\n")+"\r\n"...)
	}
	header = append(header, "\r\n"...)
	return header, append(header[:len(header):len(header)], body...)
}

// An answer is what an MTA does with a message.
type answer struct {
	replaced bool
	body     []byte // as it goes on
	early    bool   // accepted before its end
}

// deliver sends a message, body in pieces of the given length, and returns what becomes of it. Whatever is not "accept" fails.
func (c *client) deliver(fields [][2]string, body []byte, piece int) answer {
	c.t.Helper()
	c.envelope("ann@example.com", "ben@example.net")
	return c.data(fields, body, piece)
}

func (c *client) envelope(from string, to ...string) {
	c.t.Helper()
	c.expect(proto.ActionContinue)(c.Mail(from, "SIZE=1000 BODY=8BITMIME"))
	for _, a := range to {
		c.expect(proto.ActionContinue)(c.Rcpt(a, ""))
	}
	c.expect(proto.ActionContinue)(c.DataStart())
}

// expect fails if an answer is an error or another one.
func (c *client) expect(want proto.ActionType) func(*proto.Action, error) {
	c.t.Helper()
	return func(a *proto.Action, err error) {
		c.t.Helper()
		if err != nil || a.Type != want {
			c.t.Fatalf("%v, %v", a, err)
		}
	}
}

func (c *client) data(fields [][2]string, body []byte, piece int) answer {
	c.t.Helper()
	for _, f := range fields {
		value := f[1]
		if !c.ProtocolOption(proto.OptHeaderLeadingSpace) {
			value = strings.TrimPrefix(value, " ")
		}
		c.expect(proto.ActionContinue)(c.HeaderField(f[0], value, nil))
	}
	a, err := c.HeaderEnd()
	if err != nil {
		c.t.Fatal(err)
	}
	if a.Type == proto.ActionAccept {
		c.abort()
		return answer{body: body, early: true}
	}
	for rest := body; len(rest) > 0; {
		n := min(piece, len(rest))
		a, err := c.BodyChunk(rest[:n])
		if err != nil {
			c.t.Fatal(err)
		}
		if a.Type == proto.ActionAccept {
			c.abort()
			return answer{body: body, early: true}
		}
		rest = rest[n:]
	}
	if len(body) == 0 {
		if _, err := c.BodyChunk(nil); err != nil {
			c.t.Fatal(err)
		}
	}
	return c.end(body)
}

// end ends a message.
func (c *client) end(body []byte) answer {
	c.t.Helper()
	actions, a, err := c.End()
	if err != nil || a.Type != proto.ActionAccept {
		c.t.Fatalf("%v, %v", a, err)
	}
	ans := answer{body: body, replaced: len(actions) > 0}
	if ans.replaced {
		ans.body = nil
	}
	for _, m := range actions {
		if m.Type != proto.ActionReplaceBody {
			c.t.Fatalf("%v", m)
		}
		ans.body = append(ans.body, m.Body...)
	}
	return ans
}

// abort makes the session ready for the next message, as MTAs do when one is accepted early.
func (c *client) abort() {
	c.t.Helper()
	if err := c.Abort(nil); err != nil {
		c.t.Fatal(err)
	}
}

// A raw is a connection on which a test writes packets itself.
type raw struct {
	net.Conn
	t *testing.T
}

func (r *running) raw(t *testing.T) *raw {
	t.Helper()
	c, err := net.Dial(r.network, r.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &raw{c, t}
}

func packet(code byte, data string) []byte {
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(data)+1)), code), data...)
}

func (r *raw) send(code byte, data string) {
	r.t.Helper()
	if _, err := r.Write(packet(code, data)); err != nil {
		r.t.Fatal(err)
	}
}

// receive reads a packet. At the end of the connection, the code is 0.
func (r *raw) receive() (code byte, data []byte) {
	r.t.Helper()
	var n uint32
	err := binary.Read(r, binary.BigEndian, &n)
	if err == io.EOF {
		return 0, nil
	}
	if err == nil {
		data = make([]byte, n)
		_, err = io.ReadFull(r, data)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return data[0], data[1:]
}

// offer is what an MTA sends first.
func offer(version uint32, actions proto.OptAction, protocol proto.OptProtocol) string {
	b := binary.BigEndian.AppendUint32(nil, version)
	b = binary.BigEndian.AppendUint32(b, uint32(actions))
	return string(binary.BigEndian.AppendUint32(b, uint32(protocol)))
}

// negotiate sends an offer, and returns the answer.
func (r *raw) negotiate(version uint32, actions proto.OptAction, protocol proto.OptProtocol) (uint32, proto.OptAction, proto.OptProtocol) {
	r.t.Helper()
	r.send('O', offer(version, actions, protocol))
	code, b := r.receive()
	if code != 'O' || len(b) != 12 { // no request for macros
		r.t.Fatalf("%c %q", code, b)
	}
	return binary.BigEndian.Uint32(b), proto.OptAction(binary.BigEndian.Uint32(b[4:])), proto.OptProtocol(binary.BigEndian.Uint32(b[8:]))
}
