// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	proto "github.com/d--j/go-milter"

	"github.com/bidilink/bidilink/mailfilter"
)

// page is a message with a link, and linked what its body becomes.
var (
	page = [][2]string{{"From", " Ann <ann@example.com>"}, {"Subject", " test"}, {"MIME-Version", " 1.0"}, {"Content-Type", " text/html;\n\tcharset=utf-8"}}

	text   = []byte("<p>see http://example.com/x.</p>\r\n")
	linked = []byte("<p>see <a href=\"http://example.com/x\">http://example.com/x</a>.</p>\r\n")
)

// with is page with more fields before it.
func with(fields ...[2]string) [][2]string { return append(fields, page...) }

// long returns a body of n bytes.
func long(n int) []byte {
	b := append([]byte(nil), text...)
	for len(b) < n {
		b = append(b, "<p>nothing here, for a whole line of text that goes on</p>\r\n"...)
	}
	return b[:n]
}

// TestFiles sends all messages of mailfilter's tests, in each version of the protocol that differs, and compares with what mailfilter makes of them.
func TestFiles(t *testing.T) {
	names, err := filepath.Glob("../testdata/*.eml")
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, Options{Policy: everywhere(final)}, nil)
	ways := map[string]*client{
		"version 6":                         r.connect(t),
		"version 6, without leading blanks": r.connect(t, proto.WithProtocols(proto.OptSkip|proto.OptNoHelo|proto.OptNoHeaderReply)),
		"version 6, nothing offered":        r.connect(t, proto.WithProtocols(proto.OptNoUnknown)),
		"version 4":                         r.connect(t, proto.WithMaximumVersion(4), proto.WithProtocols(0)),
		"version 2":                         r.connect(t, proto.WithMaximumVersion(2), proto.WithProtocols(0)),
	}
	files, same, modified, early := 0, 0, 0, 0
	for _, name := range names {
		if strings.HasSuffix(name, ".want.eml") {
			continue
		}
		files++
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fields, body := parts(file)
		header, msg := whole(fields, body)
		want, rep, err := mailfilter.RewriteMessage(msg, final)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(msg, normalize(file)) {
			same++
		}
		if rep.Result == mailfilter.Modified {
			modified++
		}
		for way, c := range ways {
			if !c.ProtocolOption(proto.OptHeaderLeadingSpace) && strings.Contains(string(header), ":nospace") {
				continue
			}
			_, before := r.last()
			got := c.deliver(fields, body, 1000)
			if got.early {
				early++
			}
			if got.replaced != (rep.Result == mailfilter.Modified) || !bytes.Equal(got.body, want[len(header):]) {
				t.Errorf("%s, %s: replaced %v, want %v\n got %q\nwant %q", name, way, got.replaced, rep.Result, got.body, want[len(header):])
			}
			rec, n := r.last()
			if n != before+1 || rec.Result != rep.Result || rec.Reason != rep.Reason || rec.Links != rep.Links {
				t.Errorf("%s, %s: %d records more, %v %v, %d links; want %v %v, %d links", name, way, n-before, rec.Result, rec.Reason, rec.Links, rep.Result, rep.Reason, rep.Links)
			}
		}
	}
	t.Logf("%d files, %d modified, %d as they are with CRLF; accepted before the end: %d", files, modified, same, early)
	if files < 100 || same < files*9/10 || modified < 20 || early < 20 {
		t.Error("too few")
	}
	if s := r.Stats(); s.Panics != 0 || s.Memory != 0 || s.Messages != 0 {
		t.Errorf("%+v", s)
	}
}

// TestNegotiation compares what is asked for with what is offered.
func TestNegotiation(t *testing.T) {
	const all = proto.OptAction(0x1ff)
	r := start(t, Options{}, nil)
	for _, c := range []struct {
		name     string
		version  uint32
		actions  proto.OptAction
		protocol proto.OptProtocol

		wantVersion  uint32
		wantActions  proto.OptAction
		wantProtocol proto.OptProtocol
	}{
		{"Postfix", 6, all, 0x1fffff, 6, proto.OptChangeBody, wanted},
		{"newer", 7, all, 0x1fffff, 6, proto.OptChangeBody, wanted},
		{"old", 2, 0x3f, 0x7f, 2, proto.OptChangeBody, proto.OptNoHelo},
		{"nothing but the body", 6, proto.OptChangeBody, 0, 6, proto.OptChangeBody, 0},
		{"no body", 6, all &^ proto.OptChangeBody, 0x1fffff, 6, 0, unwanted},
		{"no action", 6, 0, 0, 6, 0, 0},
		{"1 MiB at once", 6, all, 0x1fffff | 1<<29 | 1<<28, 6, proto.OptChangeBody, wanted},
	} {
		version, actions, protocol := r.raw(t).negotiate(c.version, c.actions, c.protocol)
		if version != c.wantVersion || actions != c.wantActions || protocol != c.wantProtocol {
			t.Errorf("%s: %d %v %v, want %d %v %v", c.name, version, actions, protocol, c.wantVersion, c.wantActions, c.wantProtocol)
		}
	}
	c := r.raw(t)
	c.send('O', offer(1, all, 0))
	if code, _ := c.receive(); code != 0 {
		t.Errorf("version 1: %c", code)
	}
}

func TestSeveralMessages(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, nil)
	c := r.connect(t)
	check := func(name string, fields [][2]string, body, want []byte, replaced bool) {
		t.Helper()
		got := c.deliver(fields, body, 7)
		if got.replaced != replaced || !bytes.Equal(got.body, want) {
			t.Errorf("%s: replaced %v: %q", name, got.replaced, got.body)
		}
	}
	check("the first", page, text, linked, true)
	check("one without a link", page, []byte("<p>nothing</p>"), []byte("<p>nothing</p>"), false)
	check("no body", page, nil, nil, false)
	check("no header", nil, text, text, false)
	check("neither", nil, nil, nil, false)
	check("again", page, text, linked, true)

	// Ended at each place, and begun again.
	c.expect(proto.ActionContinue)(c.Mail("a@example.com", ""))
	c.abort()
	check("after MAIL", page, text, linked, true)
	c.envelope("a@example.com", "b@example.com")
	c.expect(proto.ActionContinue)(c.HeaderField("List-Id", " <x.example.com>", nil))
	c.abort()
	check("after a field", page, text, linked, true)
	c.envelope("a@example.com", "b@example.com")
	for _, f := range page {
		c.expect(proto.ActionContinue)(c.HeaderField(f[0], f[1], nil))
	}
	c.expect(proto.ActionContinue)(c.HeaderEnd())
	c.abort()
	check("after the header", page, text, linked, true)
	c.envelope("a@example.com", "b@example.com")
	for _, f := range page {
		c.expect(proto.ActionContinue)(c.HeaderField(f[0], f[1], nil))
	}
	c.expect(proto.ActionContinue)(c.HeaderEnd())
	c.expect(proto.ActionContinue)(c.BodyChunk(long(200_000)[:60_000]))
	c.abort()
	c.abort()
	check("after a piece of body", page, text, linked, true)

	// Another SMTP client on the same connection.
	if err := c.Reset(c.macros); err != nil {
		t.Fatal(err)
	}
	c.smtp("192.0.2.2")
	check("another client", page, text, linked, true)
	if rec, n := r.last(); n != 11 || rec.Result != mailfilter.Modified || rec.Links != 1 || rec.Changed != 1 {
		t.Errorf("%d records, %+v", n, rec)
	}
	if s := r.Stats(); s.Memory != 0 || s.Messages != 0 || s.Connections != 1 {
		t.Errorf("%+v", s)
	}
}

// TestQueueID looks for the queue id, which MTAs give at different times.
func TestQueueID(t *testing.T) {
	r := start(t, Options{}, nil)
	c := r.connect(t, proto.WithMacroRequest(proto.StageEOH, []proto.MacroName{proto.MacroQueueId}))
	c.macros.Set(proto.MacroQueueId, "4Z1")
	c.macros.Set(proto.MacroAuthAuthen, "")
	c.deliver(page, text, 1000)
	if rec, _ := r.last(); rec.QueueID != "4Z1" || rec.Direction != Inbound {
		t.Errorf("at the end: %q, %v", rec.QueueID, rec.Direction)
	}
	c.macros.Set(proto.MacroQueueId, "4Z2")
	c.deliver(with([2]string{"List-Id", " <l.example.com>"}), text, 1000)
	if rec, _ := r.last(); rec.QueueID != "4Z2" || rec.Reason != mailfilter.List {
		t.Errorf("at the end of the header: %q, %v", rec.QueueID, rec.Reason)
	}
}

// TestHeaderFields sends fields that no message has.
func TestHeaderFields(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, nil)
	c := r.connect(t)
	for _, f := range [][2]string{
		{"X", " a\nY: b"}, {"X", " a\n\n"}, {"X", "\n\n a"}, {"X Y", " a"}, {"", " a"}, {"From me", " a"}, {"X:", " a"}, {"Ü", " a"}, {"X", " a\rb"}, {"X", " a\n\rb"},
	} {
		if got := c.deliver(with(f), text, 1000); got.replaced || !got.early {
			t.Errorf("%q: replaced %v, early %v", f, got.replaced, got.early)
		}
		if rec, _ := r.last(); rec.Result != mailfilter.Skipped || rec.Reason != mailfilter.Malformed {
			t.Errorf("%q: %v %v", f, rec.Result, rec.Reason)
		}
	}
	for _, f := range [][2]string{{"X", ""}, {"X", "no blank"}, {"X", " a\n b\r\n\tc"}, {"X", " Grüße, 東京"}, {"DKIM-Signature", " x"}} {
		if got := c.deliver(with(f), text, 1000); !bytes.Equal(got.body, linked) {
			t.Errorf("%q: %q", f, got.body)
		}
	}
}

func TestNoChangeOfBody(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, nil)
	for _, protocol := range []proto.OptProtocol{0, proto.OptNoUnknown} {
		c := r.connect(t, proto.WithActions(proto.OptAddHeader|proto.OptChangeFrom), proto.WithProtocols(protocol))
		for range 2 {
			if a, err := c.Mail("a@example.com", ""); err != nil || a.Type != proto.ActionAccept && a.Type != proto.ActionContinue {
				t.Fatal(a, err)
			} else if a.Type == proto.ActionAccept {
				c.abort()
				continue
			}
			c.expect(proto.ActionContinue)(c.Rcpt("a@example.com", ""))
			c.expect(proto.ActionContinue)(c.DataStart())
			if got := c.data(page, text, 1000); got.replaced {
				t.Error("replaced")
			}
		}
	}
	if errs := r.reported(); len(errs) != 2 || !errors.Is(errs[0], ErrNoChange) {
		t.Errorf("%v", errs)
	}
	if _, n := r.last(); n != 0 {
		t.Errorf("%d records", n)
	}
}

func TestLimits(t *testing.T) {
	o := final
	o.MaxMessage, o.MaxHeader, o.MaxHeaderLines = 10_000, 2000, 100
	r := start(t, Options{Policy: everywhere(o)}, nil)
	c := r.connect(t)
	header, _ := whole(page, nil)
	if got := c.deliver(page, long(10_000-len(header)), 1000); !got.replaced {
		t.Error("of 10000 bytes: not replaced")
	}
	check := func(name, what string, got answer) {
		t.Helper()
		rec, _ := r.last()
		var limit *mailfilter.LimitError
		if got.replaced || !got.early || rec.Result != mailfilter.Skipped || rec.Reason != mailfilter.Limit || !errors.As(rec.Err, &limit) && what != "" || what != "" && limit.What != what {
			t.Errorf("%s: replaced %v, early %v, %v %v %v", name, got.replaced, got.early, rec.Result, rec.Reason, rec.Err)
		}
		if s := r.Stats(); s.Memory != 0 || s.Messages != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	check("of 10001 bytes", "message bytes", c.deliver(page, long(10_001-len(header)), 1000))
	check("of 1 MB", "message bytes", c.deliver(page, long(1_000_000), 50_000))
	check("a long header", "header bytes", c.deliver(with([2]string{"X", strings.Repeat(" x\n", 800) + " x"}), text, 1000))
	check("many lines", "", c.deliver(with([2]string{"X", strings.Repeat("\n x", 101)}), text, 1000))
	if got := c.deliver(page, text, 1000); !got.replaced {
		t.Error("afterwards: not replaced")
	}
}

// TestPanic panics in all places that are ours.
func TestPanic(t *testing.T) {
	places := map[string]bool{}
	r := start(t, Options{Policy: everywhere(final), Record: func(rec Record) {
		if places["record"] {
			panic("in the record of ann@example.com")
		}
	}}, func(s *Server) {
		s.rewrite = func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error) {
			if places["rewrite"] {
				var none []byte
				_ = none[len(msg)]
			}
			return mailfilter.AppendMessage(dst, msg, o)
		}
	})
	c := r.connect(t)
	for i, place := range []string{"rewrite", "record"} {
		places[place] = true
		got := c.deliver(page, text, 1000)
		delete(places, place)
		if place == "rewrite" {
			rec, _ := r.last()
			var p *mailfilter.PanicError
			if got.replaced || !bytes.Equal(got.body, text) || rec.Reason != mailfilter.Failure || !errors.As(rec.Err, &p) {
				t.Errorf("replaced %v, %v %v", got.replaced, rec.Reason, rec.Err)
			}
		} else if !bytes.Equal(got.body, linked) || len(r.reported()) != 1 {
			t.Errorf("%q, %v", got.body, r.reported()) // the body was sent already
		}
		if s := r.Stats(); s.Panics != uint64(i+1) || s.Memory != 0 || s.Messages != 0 {
			t.Errorf("%s: %+v", place, s)
		}
		if got := c.deliver(page, text, 1000); !bytes.Equal(got.body, linked) {
			t.Errorf("after %s: %q", place, got.body)
		}
	}
}

// A modifier is an MTA that is called without a connection.
type modifier struct {
	proto.Modifier
	macros   map[proto.MacroName]string
	bodies   *bodies // of the server, if it sends any
	replaced []byte
	fail     func() error // of ReplaceBodyRawChunk
	progress int
	advance  func() error // of Progress
}

func (m *modifier) Get(name proto.MacroName) string { return m.macros[name] }
func (m *modifier) Progress() error {
	if m.progress++; m.advance != nil {
		return m.advance()
	}
	return nil
}

func (m *modifier) ReplaceBodyRawChunk(b []byte) error {
	if m.fail != nil {
		if err := m.fail(); err != nil {
			return err
		}
	}
	body, ok := m.bodies.m.Load(string(b))
	if !ok {
		return errors.New("a ticket without a body")
	}
	m.replaced = append(m.replaced, body.([]byte)...)
	return nil
}

// newSession returns a session without a connection.
func newSession(t testing.TB, o Options) (*session, *Server) {
	t.Helper()
	s, err := NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	return s.newSession(6, proto.OptChangeBody, wanted, proto.DataSize64K).(*session), s
}

// TestBrokenBody lets the connection break, or a panic come, while the new body is on its way: half a body must not be accepted.
func TestBrokenBody(t *testing.T) {
	for _, fail := range []func() error{
		func() error { return errors.New("broken pipe") },
		func() error { panic("while it is sent") },
	} {
		var records []Record
		var troubles []error
		c, s := newSession(t, Options{Policy: everywhere(final), Record: func(r Record) { records = append(records, r) }, Trouble: func(err error) { troubles = append(troubles, err) }})
		m := &modifier{fail: fail}
		c.MailFrom("", "", m)
		for _, f := range page {
			c.Header(f[0], f[1], m)
		}
		c.Headers(m)
		c.BodyChunk(long(100_000), m)
		if s.Stats().Memory == 0 {
			t.Error("no memory reserved")
		}
		resp, err := c.EndOfMessage(m)
		if resp != nil || err == nil {
			t.Errorf("%v, %v", resp, err)
		}
		if len(records) != 0 || len(troubles) != 1 || s.Stats().Memory != 0 || s.Stats().Messages != 0 {
			t.Errorf("%v, %v, %+v", records, troubles, s.Stats())
		}
	}
}

// TestVerify lets mailfilter return another header.
func TestVerify(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, func(s *Server) {
		s.rewrite = func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error) {
			out, rep, err := mailfilter.AppendMessage(dst, msg, o)
			out[0] = 'f'
			return out, rep, err
		}
	})
	got := r.connect(t).deliver(page, text, 1000)
	if rec, _ := r.last(); got.replaced || rec.Reason != mailfilter.Verify {
		t.Errorf("replaced %v, %v", got.replaced, rec.Reason)
	}
}

// TestProgress lets the work take its time, and counts what the MTA hears meanwhile.
func TestProgress(t *testing.T) {
	for _, version := range []uint32{6, 2} {
		heard := make(chan struct{})
		r := start(t, Options{Policy: everywhere(final)}, func(s *Server) {
			s.tick = time.Millisecond
			s.rewrite = func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error) {
				<-heard
				return mailfilter.AppendMessage(dst, msg, o)
			}
		})
		c := r.raw(t)
		c.negotiate(version, proto.OptChangeBody, 0)
		ask := func(code byte, data string) {
			t.Helper()
			c.send(code, data)
			if got, _ := c.receive(); got != 'c' {
				t.Fatalf("%c: %c", code, got)
			}
		}
		ask('M', "<a@example.com>\x00")
		ask('L', "Content-Type\x00text/html; charset=utf-8\x00")
		ask('N', "")
		ask('B', string(text))
		c.send('E', "")
		if version == 2 {
			close(heard)
		}
		for progress := 0; ; {
			code, data := c.receive()
			if code == 'p' {
				if progress++; progress == 3 {
					close(heard)
				}
				continue
			}
			if code != 'b' || !bytes.Equal(data, linked) || version == 6 && progress < 3 || version == 2 && progress > 0 {
				t.Errorf("version %d: %c %q, after %d messages of progress", version, code, data, progress)
			}
			break
		}
		if code, _ := c.receive(); code != 'a' {
			t.Errorf("%c", code)
		}
	}
}

// TestDeadline lets the work take longer than anybody waits.
func TestDeadline(t *testing.T) {
	o := final
	o.Timeout = time.Millisecond
	end := make(chan struct{})
	r := start(t, Options{Policy: everywhere(o), Patience: time.Millisecond}, func(s *Server) {
		s.rewrite = func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error) {
			<-end
			return mailfilter.AppendMessage(dst, msg, o)
		}
	})
	got := r.connect(t).deliver(page, long(100_000), 10_000)
	rec, _ := r.last()
	if got.replaced || rec.Reason != mailfilter.Limit {
		t.Errorf("replaced %v, %v", got.replaced, rec.Reason)
	}
	if r.Stats().Memory == 0 {
		t.Error("the memory of work that goes on is free")
	}
	close(end)
	eventually(t, func() bool { return r.Stats().Memory == 0 })
}

// TestAbandoned lets nobody wait for the work, for one reason or another: until it ends, the message stays as it is.
func TestAbandoned(t *testing.T) {
	for name, advance := range map[string]func() error{
		"deadline": nil,
		"broken":   func() error { return errors.New("broken pipe") },
		"panic":    func() error { panic("while it is worked on") },
	} {
		o := final
		if advance == nil {
			o.Timeout = time.Millisecond
		}
		c, s := newSession(t, Options{Policy: everywhere(o), Patience: 100 * time.Millisecond})
		if advance != nil {
			s.tick = time.Millisecond
		}
		deliver := func(m *modifier) {
			c.MailFrom("", "", m)
			for _, f := range page {
				c.Header(f[0], f[1], m)
			}
			c.Headers(m)
			c.BodyChunk(text, m)
			c.EndOfMessage(m)
		}
		ended, checked := make(chan struct{}), make(chan bool)
		var second atomic.Bool
		s.rewrite = func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error) {
			if second.Swap(true) {
				return mailfilter.AppendMessage(dst, msg, o)
			}
			before := bytes.Clone(msg)
			<-ended
			checked <- bytes.Equal(msg, before)
			return msg, mailfilter.Report{}, nil
		}
		deliver(&modifier{advance: advance})
		for range 20 { // with what was given back meanwhile
			if m := (&modifier{bodies: &s.bodies}); name != "deadline" {
				if deliver(m); !bytes.Equal(m.replaced, linked) {
					t.Errorf("%s: the next message is %q", name, m.replaced)
				}
			} else {
				deliver(m)
			}
		}
		close(ended)
		if !<-checked {
			t.Errorf("%s: the message changed while it was worked on", name)
		}
		s.Close()
	}
}

// Workers wait for messages, but no more than there are turns, and none when the server is closed.
func TestWorkers(t *testing.T) {
	s, err := NewServer(Options{})
	if err != nil {
		t.Fatal(err)
	}
	end, begun := make(chan struct{}), make(chan struct{})
	s.rewrite = func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error) {
		begun <- struct{}{}
		<-end
		return msg, mailfilter.Report{Links: 17}, nil
	}
	most := cap(s.idle)
	var ended sync.WaitGroup
	work := func(n int) (results []<-chan outcome) {
		for range n {
			done := make(chan outcome, 1)
			ended.Go(func() { s.worker(task{nil, mailfilter.Options{}, done}) })
			results = append(results, done)
		}
		return results
	}
	results := work(most * 3)
	for range most {
		<-begun
	}
	go func() {
		for range most * 2 {
			<-begun
		}
	}()
	close(end)
	for _, r := range results {
		if o := <-r; o.rep.Links != 17 {
			t.Error(o)
		}
	}
	eventually(t, func() bool { return len(s.idle) == most })
	s.rewrite = mailfilter.AppendMessage
	for range 3 * most {
		if o := <-s.start(task{nil, mailfilter.Options{}, make(chan outcome, 1)}); o.rep.Bytes != 0 || o.rep.Err != nil {
			t.Error(o)
		}
		eventually(t, func() bool { return len(s.idle) == most })
	}
	s.Close()
	ended.Wait()
}

// eventually waits until something is so.
func eventually(t *testing.T, so func() bool) {
	t.Helper()
	for range 10_000 {
		if so() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("it is never so")
}

// TestTurns lets more messages come than are worked on at once.
func TestTurns(t *testing.T) {
	end := make(chan struct{})
	r := start(t, Options{Policy: everywhere(final), Patience: 10 * time.Millisecond}, func(s *Server) {
		s.turns.TryAcquire(1 << 30)
		for s.turns.TryAcquire(1) { // all turns but one
		}
		s.turns.Release(1)
		s.rewrite = func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error) {
			<-end
			return mailfilter.AppendMessage(dst, msg, o)
		}
	})
	first := make(chan answer)
	c := r.connect(t)
	go func() { first <- c.deliver(page, text, 1000) }()
	eventually(t, func() bool { return r.Stats().Messages == 1 && !r.turns.TryAcquire(1) || release(r) })
	got := r.connect(t).deliver(page, text, 1000)
	if rec, _ := r.last(); got.replaced || rec.Reason != mailfilter.Limit || !errors.Is(rec.Err, ErrBusy) {
		t.Errorf("replaced %v, %v, %v", got.replaced, rec.Reason, rec.Err)
	}
	close(end)
	if got := <-first; !bytes.Equal(got.body, linked) {
		t.Errorf("%q", got.body)
	}
}

// release gives a turn back that was there.
func release(r *running) bool {
	if r.Stats().Messages == 1 {
		r.turns.Release(1)
	}
	return false
}

func TestMemory(t *testing.T) {
	const room, needs = 4 << 20, needsMessage + needsPart
	r := start(t, Options{Policy: everywhere(final), MaxMemory: room, Patience: time.Minute}, func(s *Server) { s.tick = time.Millisecond })
	a, b := r.connect(t), r.connect(t)
	if got := a.deliver(page, long(room/needs-2000), 50_000); !got.replaced {
		t.Error("one that fits: not replaced")
	}
	got := a.deliver(page, long(room/needs+1000), 50_000)
	if rec, _ := r.last(); got.replaced || rec.Reason != mailfilter.Limit || !errors.Is(rec.Err, ErrNoRoom) {
		t.Errorf("one that does not fit: replaced %v, %v, %v", got.replaced, rec.Reason, rec.Err)
	}

	// One waits for the other.
	begin := func(c *client, n int) {
		t.Helper()
		c.envelope("a@example.com", "b@example.com")
		for _, f := range page {
			c.expect(proto.ActionContinue)(c.HeaderField(f[0], f[1], nil))
		}
		c.expect(proto.ActionContinue)(c.HeaderEnd())
		for ; n > 0; n -= 50_000 {
			c.expect(proto.ActionContinue)(c.BodyChunk(long(50_000)))
		}
	}
	begin(a, 300_000)
	waiting := make(chan answer)
	go func() { waiting <- b.deliver(page, long(200_000), 50_000) }()
	eventually(t, func() bool { return r.Stats().Messages == 2 && !r.memory.TryAcquire(memoryStep) || giveBack(r) })
	select {
	case <-waiting:
		t.Fatal("it did not wait")
	default:
	}
	a.abort()
	if got := <-waiting; !got.replaced {
		t.Error("after waiting: not replaced")
	}
	if s := r.Stats(); s.Memory != 0 || s.Messages != 0 {
		t.Errorf("%+v", s)
	}

	// And gives up.
	r.o.Patience = 5 * time.Millisecond
	begin(a, 300_000)
	got = b.deliver(page, long(200_000), 50_000)
	if rec, _ := r.last(); got.replaced || rec.Reason != mailfilter.Limit || !errors.Is(rec.Err, ErrNoRoom) {
		t.Errorf("replaced %v, %v, %v", got.replaced, rec.Reason, rec.Err)
	}
	if got := b.deliver(page, text, 1000); !got.replaced {
		t.Error("one that is small: not replaced")
	}
	if got := a.end(nil); !got.replaced {
		t.Error("the one that had it: not replaced")
	}
	if s := r.Stats(); s.Memory != 0 || s.Messages != 0 {
		t.Errorf("%+v", s)
	}
}

func giveBack(r *running) bool {
	if r.Stats().Messages == 2 {
		r.memory.Release(memoryStep)
	}
	return false
}

// TestConnections has more connections than there may be: they are closed, and those that are there go on.
func TestConnections(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final), MaxConnections: 2}, nil)
	a, b := r.connect(t), r.connect(t)
	for range 3 {
		if code, _ := r.raw(t).receive(); code != 0 {
			t.Errorf("%c", code)
		}
	}
	if errs := r.reported(); len(errs) != 1 || !errors.Is(errs[0], ErrFull) {
		t.Errorf("%v", errs)
	}
	if s := r.Stats(); s.Connections != 2 || s.Refused != 3 {
		t.Errorf("%+v", s)
	}
	if got := a.deliver(page, text, 1000); !got.replaced {
		t.Error("not replaced")
	}
	b.Close()
	eventually(t, func() bool { return r.Stats().Connections == 1 })
	if got := r.connect(t).deliver(page, text, 1000); !got.replaced {
		t.Error("with room again: not replaced")
	}
}

// TestListeners has two listeners, and one connection at a time: each answers.
func TestListeners(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final), MaxConnections: 1}, nil)
	other := filepath.Join(t.TempDir(), "other")
	l, err := net.Listen("unix", other)
	if err != nil {
		t.Fatal(err)
	}
	go r.Serve(l)
	for _, address := range []string{r.address, other, other, r.address} {
		r.address = address
		c := r.connect(t)
		if got := c.deliver(page, text, 1000); !got.replaced {
			t.Errorf("%s: not replaced", address)
		}
		c.Close()
		eventually(t, func() bool { return r.Stats().Connections == 0 })
	}
	if s := r.Stats(); s.Refused != 0 {
		t.Errorf("%+v", s)
	}
}

func TestPolicyOfMessages(t *testing.T) {
	p := &Policy{
		Networks: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8:1::/48")},
		Inbound: Rules{
			Options:    mailfilter.Options{RewriteDKIM: true},
			Senders:    Domains{Except: []string{"secret.example.com", ".Bank.example"}},
			Recipients: Domains{Only: []string{"Example.org", "bücher.example"}},
		},
		Outbound: Rules{Senders: Domains{Only: []string{"example.org"}}},
	}
	r := start(t, Options{Policy: p}, nil)
	signed := with([2]string{"DKIM-Signature", " v=1"})
	list := with([2]string{"List-Id", " <l.example>"})
	for _, c := range []struct {
		name   string
		addr   string
		auth   string
		from   string
		to     string // separated by commas
		fields [][2]string
		want   mailfilter.Reason // NoReason: modified
		d      Direction
	}{
		{"inbound", "203.0.113.5", "", "a@example.com", "b@example.org", page, mailfilter.NoReason, Inbound},
		{"inbound, v6", "2001:db8:2::1", "", "a@example.com", "b@example.org", page, mailfilter.NoReason, Inbound},
		{"inbound, signed", "203.0.113.5", "", "a@example.com", "b@example.org", signed, mailfilter.NoReason, Inbound},
		{"inbound, of a list", "203.0.113.5", "", "a@example.com", "b@example.org", list, mailfilter.List, Inbound},
		{"a bounce", "203.0.113.5", "", "", "b@example.org", page, mailfilter.NoReason, Inbound},
		{"a sender", "203.0.113.5", "", "a@SECRET.example.com", "b@example.org", page, mailfilter.Policy, Inbound},
		{"a sender below", "203.0.113.5", "", "a@mail.bank.example", "b@example.org", page, mailfilter.Policy, Inbound},
		{"not below", "203.0.113.5", "", "a@bank.example", "b@example.org", page, mailfilter.NoReason, Inbound},
		{"another recipient", "203.0.113.5", "", "a@example.com", "b@example.net", page, mailfilter.Policy, Inbound},
		{"two", "203.0.113.5", "", "a@example.com", "b@example.org,c@EXAMPLE.ORG.", page, mailfilter.NoReason, Inbound},
		{"one of two", "203.0.113.5", "", "a@example.com", "b@example.org,c@example.net,d@example.org", page, mailfilter.Policy, Inbound},
		{"an IDN", "203.0.113.5", "", "a@example.com", "b@BÜCHER.example,c@xn--bcher-kva.example", page, mailfilter.NoReason, Inbound},
		{"no domain", "203.0.113.5", "", "a@example.com", "postmaster", page, mailfilter.Policy, Inbound},
		{"outbound by network", "192.0.2.77", "", "a@example.org", "b@example.net", page, mailfilter.NoReason, Outbound},
		{"outbound by network, v6", "2001:db8:1::1", "", "a@example.org", "b@example.net", page, mailfilter.NoReason, Outbound},
		{"outbound by network, v4 in v6", "::ffff:192.0.2.1", "", "a@example.org", "b@example.net", page, mailfilter.NoReason, Outbound},
		{"outbound by authentication", "203.0.113.5", "ann", "a@example.org", "b@example.net", page, mailfilter.NoReason, Outbound},
		{"outbound, signed", "203.0.113.5", "ann", "a@example.org", "b@example.net", signed, mailfilter.DKIM, Outbound},
		{"outbound, another sender", "203.0.113.5", "ann", "a@example.com", "b@example.org", page, mailfilter.Policy, Outbound},
		{"nobody knows from where", "", "", "a@example.org", "b@example.net", signed, mailfilter.DKIM, Outbound},
	} {
		m := r.connect(t)
		if err := m.Reset(m.macros); err != nil {
			t.Fatal(err)
		}
		m.macros.Set(proto.MacroAuthAuthen, c.auth)
		m.smtp(c.addr)
		m.envelope(c.from, strings.Split(c.to, ",")...)
		got := m.data(c.fields, text, 1000)
		rec, _ := r.last()
		if got.replaced != (c.want == mailfilter.NoReason) || rec.Reason != c.want || rec.Direction != c.d || got.early != (c.want != mailfilter.NoReason) {
			t.Errorf("%s: replaced %v, early %v, %v %v, %v", c.name, got.replaced, got.early, rec.Result, rec.Reason, rec.Direction)
		}
		m.Close()
	}
}

// TestTransports has recipients for which the message travels on, as the MTA says.
func TestTransports(t *testing.T) {
	p := &Policy{Networks: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, Inbound: Rules{Options: final, Transports: []string{"local", "Virtual"}}, Outbound: Rules{Options: final}}
	r := start(t, Options{Policy: p}, nil)
	signed := with([2]string{"DKIM-Signature", " v=1"})
	sealed := with([2]string{"ARC-Seal", " i=1"})
	for _, c := range []struct {
		addr       string
		transports string // of the recipients; - says nothing
		fields     [][2]string
		want       mailfilter.Reason
	}{
		{"203.0.113.5", "-", signed, mailfilter.NoReason},
		{"203.0.113.5", "local", signed, mailfilter.NoReason},
		{"203.0.113.5", "virtual", sealed, mailfilter.NoReason},
		{"203.0.113.5", "relay", signed, mailfilter.DKIM},
		{"203.0.113.5", "smtp", sealed, mailfilter.DKIM},
		{"203.0.113.5", "lmtp", signed, mailfilter.DKIM},
		{"203.0.113.5", "local smtp", signed, mailfilter.DKIM},
		{"203.0.113.5", "smtp local", signed, mailfilter.DKIM},
		{"203.0.113.5", "smtp", page, mailfilter.NoReason},
		{"192.0.2.1", "smtp", signed, mailfilter.NoReason}, // nothing is said about Outbound
	} {
		m := r.connect(t)
		if err := m.Reset(m.macros); err != nil {
			t.Fatal(err)
		}
		m.smtp(c.addr)
		// The message before travels on: that is not remembered.
		for _, transports := range []string{"relay", c.transports} {
			m.expect(proto.ActionContinue)(m.Mail("a@example.com", ""))
			for _, transport := range strings.Fields(transports) {
				m.macros.Set(proto.MacroRcptMailer, strings.Trim(transport, "-"))
				m.expect(proto.ActionContinue)(m.Rcpt("b@example.org", ""))
			}
			m.expect(proto.ActionContinue)(m.DataStart())
			m.data(c.fields, text, 1000)
		}
		if rec, _ := r.last(); rec.Reason != c.want || (rec.Result == mailfilter.Modified) != (c.want == mailfilter.NoReason) {
			t.Errorf("%s, %s: %v %v, want %v", c.addr, c.transports, rec.Result, rec.Reason, c.want)
		}
		m.Close()
	}
}

func TestObserve(t *testing.T) {
	o := final
	o.Observe = true
	r := start(t, Options{Policy: everywhere(o)}, nil)
	got := r.connect(t).deliver(page, text, 1000)
	if rec, _ := r.last(); got.replaced || rec.Result != mailfilter.Skipped || rec.Reason != mailfilter.Observe || rec.Links != 1 {
		t.Errorf("replaced %v, %+v", got.replaced, rec)
	}
}

// TestSetPolicy changes the policy between two messages, and within one.
func TestSetPolicy(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, nil)
	off := &Policy{Inbound: Rules{Off: true}, Outbound: Rules{Off: true}}
	c := r.connect(t, proto.WithProtocols(proto.OptNoUnknown)) // with an answer to each command
	c.envelope("a@example.com", "b@example.com")
	if err := r.SetPolicy(off); err != nil {
		t.Fatal(err)
	}
	if got := c.data(page, text, 1000); !got.replaced {
		t.Error("it changed within a message")
	}
	got := c.deliver(page, text, 1000)
	if rec, _ := r.last(); got.replaced || rec.Reason != mailfilter.Policy {
		t.Errorf("replaced %v, %v", got.replaced, rec.Reason)
	}
	for _, p := range []*Policy{
		{Inbound: Rules{Options: mailfilter.Options{MaxParts: -1}}},
		{Outbound: Rules{Senders: Domains{Only: []string{"a@b"}}}},
		{Inbound: Rules{Recipients: Domains{Except: []string{"."}}}},
		{Networks: make([]netip.Prefix, 1)},
	} {
		if err := r.SetPolicy(p); err == nil {
			t.Errorf("%+v: no error", p)
		}
	}
	if got := c.deliver(page, text, 1000); got.replaced {
		t.Error("a policy with an error counts")
	}
}

// TestShutdown ends the server while a message is on its way.
func TestShutdown(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, nil)
	c := r.connect(t)
	c.envelope("a@example.com", "b@example.com")
	ended := make(chan error)
	go func() { ended <- r.Shutdown(t.Context()) }()
	eventually(t, func() bool {
		conn, err := net.Dial(r.network, r.address)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	if got := c.data(page, text, 1000); !got.replaced {
		t.Error("not replaced")
	}
	if got := c.deliver(page, text, 1000); !got.replaced {
		t.Error("the next: not replaced")
	}
	select {
	case err := <-ended:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	c.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}

	// And does not wait for ever.
	r = start(t, Options{}, nil)
	c = r.connect(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := c.Mail("a@example.com", ""); err == nil {
		_, err = c.Rcpt("a@example.com", "")
		if _, err2 := c.DataStart(); err == nil && err2 == nil {
			if _, err := c.HeaderEnd(); err == nil {
				t.Error("the connection is open")
			}
		}
	}
	if l, err := net.Listen("unix", filepath.Join(t.TempDir(), "x")); err != nil {
		t.Fatal(err)
	} else if err := r.Serve(l); err != nil {
		t.Error(err)
	}
}

// A slowListener accepts nothing until it is let: connections wait in the kernel's queue.
type slowListener struct {
	net.Listener
	let <-chan struct{}
}

func (l slowListener) Accept() (net.Conn, error) {
	<-l.let
	return l.Listener.Accept()
}

// SetDeadline is that of the listeners of package net.
func (l slowListener) SetDeadline(t time.Time) error {
	return l.Listener.(interface{ SetDeadline(time.Time) error }).SetDeadline(t)
}

// A plainListener is one without deadlines.
type plainListener struct{ net.Listener }

// TestShutdownQueue shuts the server down while connections wait to be accepted, at several listeners: each is served as the others.
func TestShutdownQueue(t *testing.T) {
	const n = 20 // of each listener
	let := make(chan struct{})
	r := start(t, Options{Policy: everywhere(final)}, nil)
	served := make(chan error, 3)
	var clients []*raw
	for _, address := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", filepath.Join(t.TempDir(), "s")}} {
		l, err := net.Listen(address[0], address[1])
		if err != nil {
			t.Fatal(err)
		}
		go func() { served <- r.Serve(slowListener{l, let}) }()
		other := &running{Server: r.Server, network: address[0], address: l.Addr().String()}
		for range n {
			clients = append(clients, other.raw(t))
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { served <- r.Serve(plainListener{l}) }()
	eventually(t, func() bool {
		r.listeners.mu.Lock()
		defer r.listeners.mu.Unlock()
		return len(r.listeners.m) == 4
	})

	ended := make(chan error, 2)
	for range cap(ended) {
		go func() { ended <- r.Shutdown(t.Context()) }()
	}
	eventually(t, func() bool {
		r.listeners.mu.Lock()
		defer r.listeners.mu.Unlock()
		return r.listeners.none != nil
	})
	close(let)
	for _, c := range clients {
		c.negotiate(6, proto.OptChangeBody, 0)
		c.send('M', "<a@example.com>\x00")
		if code, _ := c.receive(); code != 'c' {
			t.Fatalf("%c", code)
		}
	}
	for range cap(served) {
		if err := <-served; err != nil {
			t.Error(err)
		}
	}
	if n := r.Stats().Connections; n != int64(len(clients)) {
		t.Errorf("%d connections, want %d", n, len(clients))
	}
	select {
	case err := <-ended:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	for _, c := range clients {
		c.Close()
	}
	for range cap(ended) {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestPackets sends what is no packet: the connection ends, and the server goes on.
func TestPackets(t *testing.T) {
	r := start(t, Options{Policy: everywhere(final)}, nil)
	offered := string(packet('O', offer(6, proto.OptChangeBody, 0)))
	for name, data := range map[string]string{
		"empty":                "\x00\x00\x00\x00",
		"empty, later":         offered + "\x00\x00\x00\x00",
		"512 MB":               offered + "\x20\x00\x00\x00B",
		"4 GB":                 "\xff\xff\xff\xff",
		"CONNECT, empty":       offered + string(packet('C', "")),
		"CONNECT without NUL":  offered + string(packet('C', "host")),
		"CONNECT, name only":   offered + string(packet('C', "host\x00")),
		"CONNECT, bad address": offered + string(packet('C', "host\x004\x00\x01999.1.1.1\x00")),
		"CONNECT, bad family":  offered + string(packet('C', "host\x00?")),
		"MAIL without NUL":     offered + string(packet('M', "<a@example.com>")),
		"MAIL, empty":          offered + string(packet('M', "")),
		"RCPT without NUL":     offered + string(packet('R', "<a@example.com>")),
		"header without value": offered + string(packet('L', "X\x00")),
		"macro, empty":         offered + string(packet('D', "")),
		"code":                 offered + string(packet('?', "x")),
		"offer, short":         string(packet('O', "abc")),
		"offer, twice":         offered + offered,
		"CONNECT, no address":  offered + string(packet('C', "host\x004")),
		"CONNECT, bad v6":      offered + string(packet('C', "host\x006\x00\x01[::x]\x00")),
		"header, three":        offered + string(packet('L', "X\x00a\x00b\x00")),
		"header, empty":        offered + string(packet('L', "")),
		"HELO, empty":          offered + string(packet('H', "")),
		"a body first":         string(packet('B', "x")),
		"something else first": string(packet('M', "<a>\x00")),
		"half a length":        "\x00\x00",
		"half a packet":        offered + "\x00\x00\x00\x10M<a",
		"half a piece of body": offered + "\x00\x00\x00\x10Babc",
		"nothing":              "",
	} {
		before := len(r.reported())
		c := r.raw(t)
		if _, err := c.Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
		if err := c.Conn.(*net.UnixConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		for {
			code, _ := c.receive()
			if code == 0 {
				break
			}
			if code != 'O' && code != 'c' && code != 'a' {
				t.Errorf("%s: %c", name, code)
			}
		}
		if n := len(r.reported()) - before; n != min(1, len(data)) {
			t.Errorf("%s: %d reports", name, n)
		}
	}
	for _, err := range r.reported() {
		if strings.Contains(err.Error(), "example.com") || strings.Contains(err.Error(), "999") {
			t.Errorf("with an address: %v", err)
		}
	}
	if got := r.connect(t).deliver(page, text, 1000); !got.replaced {
		t.Error("afterwards: not replaced")
	}
	eventually(t, func() bool { return r.Stats().Connections == 1 })
	if s := r.Stats(); s.Panics != 0 {
		t.Errorf("%+v", s)
	}
}

// TestUnfinished ends connections within a message: that is reported, with its queue id. It is not if the message was aborted, or had not begun.
func TestUnfinished(t *testing.T) {
	offered := string(packet('O', offer(6, proto.OptChangeBody, 0)))
	message := string(packet('D', "Mi\x00Q7\x00")) + string(packet('M', "<a@example.com>\x00")) + string(packet('R', "<b@example.com>\x00"))
	header := string(packet('L', "Content-Type\x00 text/html\x00"))
	body := header + string(packet('N', "")) + string(packet('B', string(text)))
	for name, c := range map[string]struct {
		data     string
		bad      bool // a packet
		reported bool
	}{
		"envelope":      {message, false, false},
		"header":        {message + header, false, true},
		"body":          {message + body, false, true},
		"body, QUIT":    {message + body + string(packet('Q', "")), false, true},
		"unknown code":  {message + body + string(packet('?', "x")), true, true},
		"bad header":    {message + header + string(packet('L', "X\x00")), true, true},
		"half a packet": {message + body + "\x00\x00\x00\x05E", true, true},
		"aborted":       {message + body + string(packet('A', "")), false, false},
		"at its end":    {message + body + string(packet('E', "")), false, false},
	} {
		r := start(t, Options{Policy: everywhere(final)}, nil)
		conn := r.raw(t)
		if _, err := conn.Write([]byte(offered + c.data)); err != nil {
			t.Fatal(err)
		}
		if err := conn.Conn.(*net.UnixConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		for code := byte(1); code != 0; {
			code, _ = conn.receive()
		}
		reported, bad := false, false
		for _, err := range r.reported() {
			var unfinished *UnfinishedError
			if errors.As(err, &unfinished) {
				reported = unfinished.QueueID == "Q7"
			} else {
				bad = true
			}
		}
		if reported != c.reported || bad != c.bad {
			t.Errorf("%s: %v", name, r.reported())
		}
	}
}

// TestSilence lets an MTA say nothing, before and after the negotiation.
func TestSilence(t *testing.T) {
	r := start(t, Options{IdleTimeout: 5 * time.Millisecond}, nil)
	if code, _ := r.raw(t).receive(); code != 0 {
		t.Errorf("%c", code)
	}
	c := r.raw(t)
	c.negotiate(6, proto.OptChangeBody, 0)
	if code, _ := c.receive(); code != 0 {
		t.Errorf("%c", code)
	}
	if errs := r.reported(); len(errs) != 2 || !strings.Contains(errs[0].Error(), "silent") {
		t.Errorf("%v", errs)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{MaxConnections: -1}, {MaxMemory: -1}, {Patience: -1}, {IdleTimeout: -1}, {Patience: 25 * time.Hour}, {IdleTimeout: 25 * time.Hour}, {Policy: &Policy{Outbound: Rules{Options: mailfilter.Options{Timeout: 25 * time.Hour}}}}, {Policy: &Policy{Inbound: Rules{Options: mailfilter.Options{Timeout: -1}}}}} {
		if _, err := NewServer(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if got := fmt.Sprint(Inbound, Outbound, Direction(7)); got != "inbound outbound Direction(7)" {
		t.Error(got)
	}
}
