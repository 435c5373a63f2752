// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	proto "github.com/d--j/go-milter"

	"github.com/bidilink/bidilink/mailfilter"
)

// wanted is what the MTA need not send, need not wait for, or should send otherwise.
const wanted = proto.OptNoHelo | proto.OptNoUnknown | proto.OptNoData |
	proto.OptNoConnReply | proto.OptNoMailReply | proto.OptNoRcptReply | proto.OptNoHeaderReply | proto.OptHeaderLeadingSpace

// unwanted is what the MTA need not send if nothing can change.
const unwanted = proto.OptNoConnect | proto.OptNoHelo | proto.OptNoMailFrom | proto.OptNoRcptTo | proto.OptNoBody | proto.OptNoHeaders | proto.OptNoEOH |
	proto.OptNoUnknown | proto.OptNoData

// negotiate answers what an MTA offers. Each bit that it does not offer can be done without, even that of the one action.
func negotiate(mtaVersion, version uint32, offered, _ proto.OptAction, protocol, _ proto.OptProtocol, _ proto.DataSize) (uint32, proto.OptAction, proto.OptProtocol, proto.DataSize, error) {
	if mtaVersion < 2 {
		return 0, 0, 0, 0, fmt.Errorf("milter: version %d of the protocol", mtaVersion)
	}
	ask := wanted
	if offered&proto.OptChangeBody == 0 {
		ask = unwanted
	}
	return min(mtaVersion, version), offered & proto.OptChangeBody, protocol & ask, proto.DataSize64K, nil
}

// A stage is how far a message has come.
type stage uint8

const (
	between  stage = iota // there is no message, or it has been decided about
	envelope              // and header
	body
)

// A session is a connection of an MTA. Its methods are called by one goroutine.
type session struct {
	proto.NoOpMilter
	s       *Server
	changes bool       // the MTA lets us change the body
	leading bool       // header values have the blank behind the colon
	client  netip.Addr // not valid if it is not known

	// Of the message.
	stage   stage
	policy  *policy
	d       Direction
	refused mailfilter.Reason // why the message is left alone, whatever is in it
	limit   error             // behind Limit
	onward  bool              // for a recipient, the message may travel on
	coming  bool              // the header has begun
	msg     []byte            // as far as it came: header, blank line, body
	lent    *[]byte           // where msg began; nil if there is none, or others may still look at it
	header  int               // length of header and blank line, once these are there
	held    int64             // bytes reserved
	waited  time.Duration     // for memory
	busy    time.Duration
	sending bool // the new body is on its way

	announced int64 // length of the message, if the client said it; it may be wrong
	fresh     int   // bytes that came since memory was given back

	wake chan struct{} // of waiters
}

func (s *Server) newSession(_ uint32, actions proto.OptAction, protocol proto.OptProtocol, _ proto.DataSize) proto.Milter {
	c := &session{s: s, changes: actions&proto.OptChangeBody != 0, leading: protocol&proto.OptHeaderLeadingSpace != 0, wake: make(chan struct{}, 1)}
	if !c.changes {
		s.o.Trouble(ErrNoChange)
	}
	return c
}

// reset forgets the message.
func (c *session) reset() {
	if c.stage == body {
		c.s.messages.Add(-1)
	}
	c.drop()
	c.stage, c.policy, c.d, c.refused, c.limit, c.onward, c.coming = between, nil, Inbound, mailfilter.NoReason, nil, false, false
	c.header, c.waited, c.busy, c.sending, c.announced, c.fresh = 0, 0, 0, false, 0, 0
}

// recovered is deferred by each callback: a panic in one would end the process. The message is left alone.
func (c *session) recovered(m proto.Modifier, resp **proto.Response, err *error) {
	p := recover()
	if p == nil {
		return
	}
	c.s.panics.Add(1)
	failure := &mailfilter.PanicError{Value: p, Stack: debug.Stack()}
	switch {
	case c.sending:
		*resp, *err = nil, c.broken(failure) // the connection is closed: half a body must not be taken for one
		return
	case c.stage == between:
		c.s.o.Trouble(failure)
	default:
		c.finish(m, mailfilter.Report{Result: mailfilter.Skipped, Reason: mailfilter.Failure, Err: failure, Bytes: int64(len(c.msg))})
	}
	if resp != nil {
		*resp, *err = proto.RespAccept, nil
	}
}

// finish records what became of the message, and forgets it.
func (c *session) finish(m proto.Modifier, rep mailfilter.Report) {
	r := Record{Report: rep, Direction: c.d, Busy: c.busy}
	if m != nil {
		r.QueueID = m.Get(proto.MacroQueueId)
	}
	c.reset()
	c.s.o.Record(r)
}

// skip is finish for a message that is left alone. It returns the answer to the MTA.
func (c *session) skip(m proto.Modifier, reason mailfilter.Reason, err error) *proto.Response {
	c.finish(m, mailfilter.Report{Result: mailfilter.Skipped, Reason: reason, Err: err, Bytes: int64(len(c.msg))})
	return proto.RespAccept
}

// NewConnection begins a connection of an SMTP client.
func (c *session) NewConnection(proto.Modifier) (err error) {
	defer c.recovered(nil, nil, &err)
	c.reset()
	c.client = netip.Addr{}
	return nil
}

// Connect notes the address of the client.
func (c *session) Connect(_, family string, _ uint16, addr string, m proto.Modifier) (resp *proto.Response, err error) {
	defer c.recovered(m, &resp, &err)
	c.reset()
	c.client = netip.Addr{}
	if family == "tcp4" || family == "tcp6" {
		c.client, _ = netip.ParseAddr(strings.Trim(addr, "[]"))
	}
	return proto.RespContinue, nil
}

// MailFrom begins a message.
func (c *session) MailFrom(from, parameters string, m proto.Modifier) (resp *proto.Response, err error) {
	defer c.recovered(m, &resp, &err)
	c.begin(m)
	if !c.changes {
		c.reset()
		return proto.RespAccept, nil
	}
	if !c.rules().senders.has(from) {
		c.refused = mailfilter.Policy
	}
	c.announced = size(parameters)
	return proto.RespContinue, nil
}

// begin begins a message.
func (c *session) begin(m proto.Modifier) {
	c.reset()
	c.stage, c.policy = envelope, c.s.policy.Load()
	c.d = c.policy.direction(c.client, m.Get(proto.MacroAuthAuthen) != "" || m.Get(proto.MacroAuthType) != "")
	if c.rules().Off {
		c.refused = mailfilter.Policy
	}
}

func (c *session) rules() *rules { return &c.policy.by[c.d] }

// options are those of the rules, for the recipients of the message.
func (c *session) options() mailfilter.Options {
	o := c.rules().Options
	o.RewriteDKIM = o.RewriteDKIM && !c.onward
	return o
}

// RcptTo asks whether the message may be changed for a recipient. The MTA does not send those that it refused itself.
func (c *session) RcptTo(to, _ string, m proto.Modifier) (resp *proto.Response, err error) {
	defer c.recovered(m, &resp, &err)
	if c.stage == envelope {
		if !c.rules().recipients.has(to) {
			c.refused = mailfilter.Policy
		}
		c.onward = c.onward || !c.rules().delivers(m.Get(proto.MacroRcptMailer))
	}
	return proto.RespContinue, nil
}

// Header collects the header.
func (c *session) Header(name, value string, m proto.Modifier) (resp *proto.Response, err error) {
	defer c.recovered(m, &resp, &err)
	switch c.stage {
	case between:
		return proto.RespContinue, nil
	case body:
		return c.skip(m, mailfilter.Malformed, nil), nil
	}
	c.coming = true
	if c.refused == mailfilter.NoReason {
		c.field(name, value)
	}
	return proto.RespContinue, nil
}

// field appends a field to the header, with the line ends that it has on the wire. MTAs give those of folded fields as LF.
func (c *session) field(name, value string) {
	if !fieldName(name) || !folded(value) {
		c.refused = mailfilter.Malformed
		return
	}
	n := len(name) + 2 + len(value) + strings.Count(value, "\n") + 2
	o := &c.rules().Options
	if limit := orDefault(o.MaxHeader, mailfilter.DefaultMaxHeader); int64(len(c.msg)+n) > limit {
		c.refused, c.limit = mailfilter.Limit, &mailfilter.LimitError{What: "header bytes", Limit: limit}
		c.drop()
		return
	}
	if !c.tryReserve(len(c.msg) + n) {
		c.refused, c.limit = mailfilter.Limit, ErrNoRoom
		c.drop()
		return
	}
	if c.msg == nil {
		c.lent = lend()
		c.msg = *c.lent
	}
	c.msg = append(append(c.msg, name...), ':')
	if !c.leading {
		c.msg = append(c.msg, ' ')
	}
	for line := range strings.Lines(value) {
		if l, ok := strings.CutSuffix(line, "\n"); ok {
			c.msg = append(append(c.msg, strings.TrimSuffix(l, "\r")...), "\r\n"...)
		} else {
			c.msg = append(c.msg, line...)
		}
	}
	c.msg = append(c.msg, "\r\n"...)
}

// drop forgets what was collected of the message, and frees the memory.
func (c *session) drop() {
	if c.lent != nil {
		putBack(c.lent, c.msg)
	}
	c.msg, c.lent = nil, nil
	c.s.release(c.held)
	c.held = 0
}

func orDefault(v, d int64) int64 {
	if v == 0 {
		return d
	}
	return v
}

// fieldName reports whether a name is one of a header field (RFC 5322 §2.2).
func fieldName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c >= 0x7f || c == ':' {
			return false
		}
	}
	return name != ""
}

// folded reports whether all lines of a value but the first begin with white space, so that they are in the same field.
func folded(value string) bool {
	for {
		i := strings.IndexByte(value, '\n')
		if i < 0 {
			return true
		}
		value = value[i+1:]
		if value == "" || value[0] != ' ' && value[0] != '\t' {
			return false
		}
	}
}

// Headers decides, at the end of the header, whether the body is needed.
func (c *session) Headers(m proto.Modifier) (resp *proto.Response, err error) {
	defer c.recovered(m, &resp, &err)
	defer c.timed()()
	switch c.stage {
	case between:
		return proto.RespAccept, nil
	case body:
		return c.skip(m, mailfilter.Malformed, nil), nil
	}
	if resp := c.endHeader(m); resp != nil {
		return resp, nil
	}
	return proto.RespContinue, nil
}

// endHeader returns nil if the message may be changed. Else it is done with.
func (c *session) endHeader(m proto.Modifier) *proto.Response {
	if c.refused != mailfilter.NoReason {
		return c.skip(m, c.refused, c.limit)
	}
	reason, err := mailfilter.Header(c.msg, c.options())
	if err != nil {
		return c.skip(m, mailfilter.Failure, err)
	}
	if reason != mailfilter.NoReason {
		return c.skip(m, reason, nil)
	}
	c.msg = append(c.msg, "\r\n"...)
	c.header = len(c.msg)
	c.stage = body
	c.s.messages.Add(1)
	return nil
}

// timed adds the time until the function that it returns is called to that of the message, if that still goes on.
func (c *session) timed() func() {
	begin := time.Now()
	return func() {
		if c.stage != between {
			c.busy += time.Since(begin)
		}
	}
}

// BodyChunk collects the body. Beyond a limit, the message is accepted at once, and nothing more of it comes.
func (c *session) BodyChunk(chunk []byte, m proto.Modifier) (resp *proto.Response, err error) {
	defer c.recovered(m, &resp, &err)
	defer c.timed()()
	switch c.stage {
	case between:
		return proto.RespAccept, nil
	case envelope: // without the end of the header
		return c.skip(m, mailfilter.Malformed, nil), nil
	}
	n := len(c.msg) + len(chunk)
	if limit := orDefault(c.rules().Options.MaxMessage, mailfilter.DefaultMaxMessage); int64(n) > limit {
		return c.skip(m, mailfilter.Limit, &mailfilter.LimitError{What: "message bytes", Limit: limit}), nil
	}
	if room, err := c.reserve(n, m); err != nil {
		return nil, c.broken(err)
	} else if !room {
		return c.skip(m, mailfilter.Limit, ErrNoRoom), nil
	}
	c.grow(n)
	c.msg = append(c.msg, chunk...)
	return proto.RespContinue, nil
}

// EndOfMessage sends the new body, if there is one. That is in memory, so that nothing but the connection can fail on the way; if it does, it is closed.
func (c *session) EndOfMessage(m proto.Modifier) (resp *proto.Response, err error) {
	defer c.recovered(m, &resp, &err)
	begin := time.Now()
	if c.stage == between {
		return proto.RespAccept, nil
	}
	if c.stage == envelope { // without the end of the header
		if resp := c.endHeader(m); resp != nil {
			return resp, nil
		}
	}
	rep, replacement, room, err := c.result(m)
	if err != nil {
		return nil, c.broken(err)
	}
	if rep.Result == mailfilter.Modified {
		c.sending = true
		if err := c.s.bodies.send(m, replacement); err != nil {
			return nil, c.broken(err)
		}
		c.sending = false
	}
	if room != nil {
		putBack(room, *room) // the body has been written, or is in another buffer
	}
	c.busy += time.Since(begin)
	c.finish(m, rep)
	return proto.RespAccept, nil
}

// broken reports that the connection broke within a message, and forgets that. It returns the error.
func (c *session) broken(err error) error {
	c.reset()
	c.s.o.Trouble(err)
	return err
}

// result returns what becomes of the message, and its new body if it is modified, with the lent buffer that this is in, or was to be in. It fails if the connection does.
func (c *session) result(m proto.Modifier) (mailfilter.Report, []byte, *[]byte, error) {
	msg, o := c.msg, c.options()
	left := func(reason mailfilter.Reason, err error) (mailfilter.Report, []byte, *[]byte, error) {
		return mailfilter.Report{Result: mailfilter.Skipped, Reason: reason, Err: err, Bytes: int64(len(msg))}, nil, nil, nil
	}
	// The work ends by itself after the timeout and one step. If a step takes longer than that, nobody waits for it.
	limit := c.s.o.Patience + 2*time.Duration(orDefault(int64(o.Timeout), int64(mailfilter.DefaultTimeout)))
	lent := c.lent
	c.lent = nil // while others look at the message, whatever becomes of this
	done := c.s.start(task{msg, o, make(chan outcome, 1)})
	r, err := await(c, limit, m, done)
	if err != nil {
		// Its memory is free when it ends.
		held, s := c.held, c.s
		c.held = 0
		go func() {
			<-done
			s.release(held)
		}()
		if errors.Is(err, errLate) {
			return left(mailfilter.Limit, &mailfilter.LimitError{What: "milliseconds", Limit: limit.Milliseconds()})
		}
		return mailfilter.Report{}, nil, nil, err
	}
	c.lent = lent
	if r.rep.Result != mailfilter.Modified {
		return r.rep, nil, r.room, nil
	}
	if len(r.out) <= c.header || !bytes.Equal(r.out[:c.header], msg[:c.header]) {
		return left(mailfilter.Verify, mailfilter.ErrVerify)
	}
	return r.rep, r.out[c.header:], r.room, nil
}

// An outcome is what mailfilter made of a message.
type outcome struct {
	out  []byte
	rep  mailfilter.Report
	room *[]byte // lent for out, which may have found no room in it
}

// A task is a message to be worked on.
type task struct {
	msg  []byte
	o    mailfilter.Options
	done chan outcome // has room for one
}

// start has a message worked on, by a goroutine that waits for one if there is such: its stack is large enough already.
func (s *Server) start(t task) <-chan outcome {
	select {
	case s.tasks <- t:
	default:
		go s.worker(t)
	}
	return t.done
}

// worker works on messages. It ends if others wait for one already.
func (s *Server) worker(t task) {
	for {
		t.done <- s.work(t.msg, t.o)
		t = task{}
		select {
		case s.idle <- struct{}{}:
		default:
			return
		}
		select {
		case t = <-s.tasks:
			<-s.idle
		case <-s.done:
			return
		}
	}
}

// work waits for its turn, and rewrites a message.
func (s *Server) work(msg []byte, o mailfilter.Options) (r outcome) {
	left := func(reason mailfilter.Reason, err error) outcome {
		return outcome{rep: mailfilter.Report{Result: mailfilter.Skipped, Reason: reason, Err: err, Bytes: int64(len(msg))}}
	}
	defer func() {
		if p := recover(); p != nil {
			r = left(mailfilter.Failure, &mailfilter.PanicError{Value: p, Stack: debug.Stack()})
		}
		var p *mailfilter.PanicError
		if errors.As(r.rep.Err, &p) {
			s.panics.Add(1)
		}
	}()
	if !s.turns.TryAcquire(1) {
		turn, cancel := context.WithTimeout(context.Background(), s.o.Patience)
		defer cancel()
		if s.turns.Acquire(turn, 1) != nil {
			return left(mailfilter.Limit, ErrBusy)
		}
	}
	defer s.turns.Release(1)
	room := lend()
	out, rep, err := s.rewrite(*room, msg, o)
	if err != nil {
		return left(mailfilter.Failure, err)
	}
	if rep.Result == mailfilter.Modified {
		*room = out
	}
	return outcome{out, rep, room}
}

// Abort forgets the message.
func (c *session) Abort(proto.Modifier) (err error) {
	defer c.recovered(nil, nil, &err)
	c.reset()
	return nil
}

// Cleanup is called when the connection is closed. A message that has not come to its end by then, and was not aborted, is reported.
func (c *session) Cleanup(m proto.Modifier) {
	defer c.recovered(nil, nil, nil)
	unfinished := c.coming || c.stage == body
	c.reset()
	if unfinished {
		c.s.o.Trouble(&UnfinishedError{QueueID: m.Get(proto.MacroQueueId)})
	}
}
