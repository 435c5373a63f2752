// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	proto "github.com/d--j/go-milter"
	"golang.org/x/sync/semaphore"

	"github.com/bidilink/bidilink/mailfilter"
)

// Options configure a [Server]. The zero value has the documented limits, and an empty policy.
type Options struct {
	// Policy says which messages are changed, and how. It can be replaced by [Server.SetPolicy]. Default: the zero Policy.
	Policy *Policy

	// MaxConnections is the number of connections of MTAs at once. Further ones are closed at once. Default: 500.
	MaxConnections int

	// MaxMemory is for all messages that are there at once, in bytes, beyond 64 KiB for each connection. A message needs three times its length, and eight
	// times that of a part, for which the lesser of its length and MaxPart is taken; one for which there is no room is left alone. Default: 256 MiB.
	MaxMemory int64

	// Patience is how long a message waits for memory, and after that for its turn, before it is left alone. With the Timeout of mailfilter, it
	// bounds the time that a message is held up: to twice both, and a quarter of a second, which is how often it is looked at. At most 24 h. Default: 5 s.
	Patience time.Duration

	// IdleTimeout is how long an MTA may be silent before its connection is closed. It must be longer than the pauses of SMTP clients. At most 24 h. Default: 1 h.
	IdleTimeout time.Duration

	// Record is called once for each message that came to its end, by the goroutine of its connection: so several may call it at once. Default: nothing.
	Record func(Record)

	// Trouble is called with what went wrong with a connection, or with a message that did not come to its end. The error has no address and nothing
	// of a message in it, but for the value of a mailfilter.PanicError. Several goroutines may call it at once. Default: nothing.
	Trouble func(error)
}

const (
	defaultMaxConnections = 500
	defaultMaxMemory      = 256 << 20
	defaultPatience       = 5 * time.Second
	defaultIdleTimeout    = time.Hour
)

// A Record says what became of a message.
type Record struct {
	mailfilter.Report
	QueueID   string        // of the MTA; "" if it gave none
	Direction Direction     //
	Busy      time.Duration // time that the MTA waited for us, since the end of the header
}

// ErrNoChange says that an MTA does not let its milters change the body: its messages are accepted as they are.
var ErrNoChange = errors.New("milter: the MTA does not offer to change the body (SMFIF_CHGBODY)")

// ErrFull says that there are as many connections as there may be, and that further ones are closed. It is reported once a minute, [Stats] counts them.
var ErrFull = errors.New("milter: as many connections as there may be: further ones are closed")

// An UnfinishedError says that a connection ended within a message: the MTA went away, or sent what is not in the protocol. What became of the message is the business of the MTA.
type UnfinishedError struct {
	QueueID string // of the MTA; "" if it gave none
}

func (e *UnfinishedError) Error() string { return "milter: the connection ended within a message" }

// A Server serves MTAs. It is safe for concurrent use.
type Server struct {
	o      Options
	policy atomic.Pointer[policy]
	server *proto.Server
	slots  chan struct{}       // one is in it for each connection
	memory *semaphore.Weighted // bytes
	turns  *semaphore.Weighted // messages that are worked on at once

	tasks chan task     // to workers that wait for one
	idle  chan struct{} // one is in it for each of these

	done      chan struct{} // closed when no more connections are accepted
	closeDone func()

	listeners listeners
	gone      chan struct{} // has one in it after a connection has ended

	bodies  bodies
	waiters waiters

	full        atomic.Int64 // when ErrFull was reported last, in nanoseconds since 1970; 0 if never
	refused     atomic.Uint64
	connections atomic.Int64
	messages    atomic.Int64
	reserved    atomic.Int64
	panics      atomic.Uint64

	// For tests.
	rewrite func(dst, msg []byte, o mailfilter.Options) ([]byte, mailfilter.Report, error)
	tick    time.Duration // between two messages about progress
}

// silence keeps the library from logging: its messages have addresses in them. What matters goes to Options.Trouble.
var silence = sync.OnceFunc(func() { proto.LogWarning = func(string, ...any) {} })

// NewServer returns a server, or what is wrong with the options.
func NewServer(o Options) (*Server, error) {
	if o.MaxConnections < 0 || o.MaxMemory < 0 || o.Patience < 0 || o.IdleTimeout < 0 {
		return nil, errors.New("milter: a limit is negative")
	}
	if o.Patience > maxTime || o.IdleTimeout > maxTime {
		return nil, fmt.Errorf("milter: a time is longer than %v", maxTime)
	}
	if o.MaxConnections == 0 {
		o.MaxConnections = defaultMaxConnections
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = defaultMaxMemory
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = defaultIdleTimeout
	}
	if o.Record == nil {
		o.Record = func(Record) {}
	}
	if o.Trouble == nil {
		o.Trouble = func(error) {}
	}
	if o.Policy == nil {
		o.Policy = &Policy{}
	}
	s := &Server{
		o:       o,
		slots:   make(chan struct{}, o.MaxConnections),
		memory:  semaphore.NewWeighted(o.MaxMemory),
		turns:   semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)) * 2),
		tasks:   make(chan task),
		idle:    make(chan struct{}, runtime.GOMAXPROCS(0)*2),
		done:    make(chan struct{}),
		gone:    make(chan struct{}, 1),
		rewrite: mailfilter.AppendMessage,
		tick:    time.Second,
	}
	s.closeDone = sync.OnceFunc(func() { close(s.done) })
	if err := s.SetPolicy(o.Policy); err != nil {
		return nil, err
	}
	silence()
	s.server = proto.NewServer(
		proto.WithNegotiationCallback(negotiate),
		proto.WithDynamicMilter(s.newSession),
		proto.WithWriteTimeout(writeTimeout),
	)
	return s, nil
}

// SetPolicy replaces the policy. It holds for messages whose envelope begins from now on. If something is wrong with it, the former one stays.
func (s *Server) SetPolicy(p *Policy) error {
	c, err := p.compile()
	if err != nil {
		return err
	}
	s.policy.Store(c)
	return nil
}

// Serve accepts connections of MTAs until the server is shut down, and returns nil then. It closes l. It may be called several times, with one
// listener each.
func (s *Server) Serve(l net.Listener) error {
	ln := &listener{Listener: l, s: s}
	defer s.listeners.remove(ln)
	defer ln.Close()
	if s.listeners.add(ln) {
		return nil
	}
	err := s.server.Serve(ln)
	select {
	case <-s.done:
		return nil
	default:
		return err
	}
}

// Shutdown takes the connections that wait to be accepted, closes the listeners, and waits until the MTAs have closed their connections, or ctx ends: then it closes them. An
// MTA takes up the messages of a connection that was closed as if there were no milter.
//
// A connection that an MTA makes while the listener is closed is lost: who has others that can take it tells them first, and waits until they do.
func (s *Server) Shutdown(ctx context.Context) error {
	s.closeDone()
	s.listeners.end(ctx)
	// The library closes connections that it has not begun with, and says nothing about them: it is told when there is none.
	for s.connections.Load() > 0 {
		select {
		case <-s.gone:
		case <-ctx.Done():
			s.server.Close()
			return ctx.Err()
		}
	}
	s.wakeShutdown() // another one
	return s.server.Shutdown(ctx)
}

// wakeShutdown has Shutdown look whether there are connections.
func (s *Server) wakeShutdown() {
	select {
	case s.gone <- struct{}{}:
	default: // it will
	}
}

// Close closes listeners and connections.
func (s *Server) Close() error {
	s.closeDone()
	s.listeners.abandon()
	return s.server.Close()
}

// Stats are what a server has to do.
type Stats struct {
	Connections int64  // open
	Messages    int64  // between the end of their header and their own end
	Memory      int64  // bytes reserved of MaxMemory
	Panics      uint64 // recovered, since the start
	Refused     uint64 // connections that were closed as there were too many, since the start
}

// Stats returns what the server has to do now.
func (s *Server) Stats() Stats {
	return Stats{s.connections.Load(), s.messages.Load(), s.reserved.Load(), s.panics.Load(), s.refused.Load()}
}

// listeners are those that connections are accepted from.
type listeners struct {
	mu     sync.Mutex
	m      map[*listener]struct{}
	ending bool
	none   chan struct{} // nil until they are to accept what waits and end; closed when the last one has
}

// add reports whether they are to end, so that l has come too late.
func (s *listeners) add(l *listener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return true
	}
	if s.m == nil {
		s.m = map[*listener]struct{}{}
	}
	s.m[l] = struct{}{}
	return false
}

func (s *listeners) remove(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[l]; !ok {
		return
	}
	delete(s.m, l)
	if s.none != nil && len(s.m) == 0 {
		close(s.none)
	}
}

// end has each of them accept the connections that wait, and waits until they are closed. When ctx ends, they are closed as they are.
func (s *listeners) end(ctx context.Context) {
	s.mu.Lock()
	s.ending = true
	until := time.Now().Add(drainMost)
	if s.none == nil {
		s.none = make(chan struct{})
		if len(s.m) == 0 {
			close(s.none)
		}
		for l := range s.m {
			l.drain(until)
		}
	}
	none := s.none
	s.mu.Unlock()
	select {
	case <-none:
	case <-ctx.Done():
		s.abandon()
	}
}

// abandon closes them at once.
func (s *listeners) abandon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	for l := range s.m {
		l.Close()
	}
}

// A listener closes the connections beyond those that there may be.
type listener struct {
	net.Listener
	s     *Server
	until atomic.Pointer[time.Time] // once it is to end: when, at the latest
	close sync.Once
	err   error // of closing it
}

// Close closes it. The library does that again.
func (l *listener) Close() error {
	l.close.Do(func() { l.err = l.Listener.Close() })
	return l.err
}

// A listener that is to end accepts what waits until none has come for drainQuiet, for drainMost at most: where nobody is told to go elsewhere, they never end.
const (
	drainQuiet = 20 * time.Millisecond
	drainMost  = time.Second
)

// A deadliner is a listener that need not wait for ever, as those of package net.
type deadliner interface{ SetDeadline(time.Time) error }

// drain has the listener end when no connection waits any more. One that has no deadlines ends at once.
func (l *listener) drain(until time.Time) {
	l.until.Store(&until)
	d, ok := l.Listener.(deadliner)
	if !ok || d.SetDeadline(time.Now()) != nil { // Accept looks at until
		l.Close()
	}
}

// Accept waits for a connection for which there is a slot. Those for which there is none are closed, so that the MTA does at once what it does without a milter.
// Errors that pass, such as of too many open files, are waited for.
func (l *listener) Accept() (net.Conn, error) {
	s := l.s
	for wait := 5 * time.Millisecond; ; {
		until := l.until.Load()
		if until != nil {
			next := time.Now().Add(drainQuiet)
			if next.After(*until) {
				next = *until
			}
			if err := l.Listener.(deadliner).SetDeadline(next); err != nil {
				return nil, err
			}
		}
		c, err := l.Listener.Accept()
		if err == nil {
			wait = 5 * time.Millisecond
			select {
			case s.slots <- struct{}{}:
				s.connections.Add(1)
				return newGuard(c, &s.bodies, s.o.IdleTimeout, s.o.Trouble, func() {
					<-s.slots
					s.connections.Add(-1)
					s.wakeShutdown()
				}), nil
			default:
				c.Close()
				s.refuse()
				continue
			}
		}
		if until == nil && l.until.Load() != nil && errors.Is(err, os.ErrDeadlineExceeded) {
			continue
		}
		if !passes(err) {
			return nil, err
		}
		s.o.Trouble(fmt.Errorf("milter: accepting a connection: %w", cause(err)))
		select {
		case <-time.After(wait):
			wait = min(2*wait, time.Second)
		case <-s.done:
			return nil, net.ErrClosed
		}
	}
}

// fullEvery is how often it is said that connections are closed.
const fullEvery = time.Minute

// refuse counts a connection that was closed as there was no slot for it, and says so if that was not said just before.
func (s *Server) refuse() {
	n := s.refused.Add(1)
	now, last := time.Now().UnixNano(), s.full.Load()
	if (last == 0 || now-last >= int64(fullEvery)) && s.full.CompareAndSwap(last, now) {
		s.o.Trouble(fmt.Errorf("%w (%d since the start)", ErrFull, n))
	}
}

// cause returns what went wrong with the network, without addresses.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
