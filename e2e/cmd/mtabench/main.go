// SPDX-License-Identifier: MIT

//go:build linux

// Command mtabench measures bidilink milter beside a milter on the same protocol library that replaces each body with itself: in turns, in one run. It has to run as
// root.
//
// Without a mode, it measures how many messages a second go through Postfix with each, and without a milter.
//
//	go run ./cmd/mtabench
//	go run ./cmd/mtabench -messages 1000 -rounds 9 -connections 20 -kb 20
//
// With -latency, messages arrive at a fixed rate, straight at the milters, each over a connection of its own, as Postfix writes them; the time counts from when a message was to
// arrive. A third milter takes the messages and does nothing with them: what it takes is the noise of the machine. With -smtp, they arrive at Postfix.
//
//	go run ./cmd/mtabench -latency -rate 200 -seconds 10 -rounds 5
//
// With -direct, as many messages as go are delivered straight to the milters, to one, and to as many as -milters says, in turn and behind HAProxy, if that is installed.
//
//	go run ./cmd/mtabench -direct -milters 2
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bidilink/bidilink/e2e/mta"
)

// A bench is what is measured, and how.
type bench struct {
	messages, rounds, connections, kB, milters int
	rate, seconds                              float64
	tcp, smtp, several                         bool

	dir  string   // for what the measurement needs
	msgs [][]byte // with CRLF
}

// different is how many messages there are, each with a boundary of its own, as in real life.
const different = 256

// msg returns message i.
func (b *bench) msg(i int) []byte { return b.msgs[i%len(b.msgs)] }

func main() {
	if len(os.Args) > 3 && os.Args[1] == "milter" && os.Args[2] == "--listen" { // as mta.StartMilter calls it
		fmt.Fprintln(os.Stderr, "mtabench:", serve(os.Args[3], slices.Contains(os.Args[4:], "--accept")))
		os.Exit(2)
	}
	var b bench
	flag.IntVar(&b.messages, "messages", 400, "messages of a run")
	flag.IntVar(&b.rounds, "rounds", 9, "runs of each")
	flag.IntVar(&b.connections, "connections", 8, "connections at once")
	flag.IntVar(&b.kB, "kb", 20, "size of a message in kB")
	flag.BoolVar(&b.tcp, "tcp", false, "milters at TCP ports instead of Unix sockets")
	latency := flag.Bool("latency", false, "measure how long messages take that arrive at a fixed rate")
	flag.Float64Var(&b.rate, "rate", 200, "with -latency: messages a second")
	flag.Float64Var(&b.seconds, "seconds", 10, "with -latency: how long a run is")
	flag.BoolVar(&b.smtp, "smtp", false, "with -latency: through Postfix")
	direct := flag.Bool("direct", false, "deliver straight to the milters, without Postfix")
	flag.IntVar(&b.milters, "milters", 2, "with -direct: how many there are of ours")
	flag.Parse()
	if b.messages < 1 || b.rounds < 1 || b.connections < 1 || b.kB < 1 || b.milters < 1 || b.rate <= 0 || b.seconds <= 0 || *latency && *direct || b.smtp && !*latency || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "mtabench: the numbers have to be positive, only one of -latency and -direct can be given, -smtp only with -latency, and there are no other arguments")
		os.Exit(2)
	}
	what := b.throughput
	switch {
	case *latency:
		what = b.latency
	case *direct:
		what, b.several = b.direct, true
	}
	if err := b.measure(what); err != nil {
		fmt.Fprintln(os.Stderr, "mtabench:", err)
		os.Exit(2)
	}
}

// measure has something measured, in a folder of its own.
func (b *bench) measure(what func() error) (err error) {
	if b.dir, err = mta.TempDir(); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := mta.Build(filepath.Join(b.dir, "bidilink")); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(b.dir, "mtabench"), "/proc/self/exe"); err != nil { // where every user can run it
		return err
	}
	for i := range different {
		before, _ := mta.Message(i, b.kB)
		boundary := fmt.Sprintf("=_%032x", i*0x9e3779b1)
		before = strings.NewReplacer("boundary=b\n", "boundary=\""+boundary+"\"\n", "\n--b", "\n--"+boundary).Replace(before)
		b.msgs = append(b.msgs, mta.CRLF([]byte(before)))
	}
	return what()
}

// milter starts bidilink milter, or one of ours for comparison.
func (b *bench) milter(program string, args ...string) (*mta.Milter, error) {
	program = filepath.Join(b.dir, program)
	if b.tcp {
		return mta.StartMilter(program, args...)
	}
	if filepath.Base(program) == "bidilink" {
		args = append(args, "--socket-mode", "0666")
	}
	return mta.StartMilterUnix(b.dir, program, args...)
}

// A contender is a milter that is measured.
type contender struct {
	name, program string
	args          []string
	replaces      bool
}

var (
	ours   = contender{"bidilink milter", "bidilink", nil, true}
	itself = contender{"replaces the body with itself", "mtabench", nil, true}
	null   = contender{"does nothing", "mtabench", []string{"--accept"}, false}
)

// targets starts what -latency or -direct measure. The last one is what the others are compared with. What stop ends may be there also after an error.
func (b *bench) targets() (targets []*target, stop func(), err error) {
	var stops []func() error
	stop = func() {
		for _, s := range slices.Backward(stops) {
			_ = s() // it may have ended
		}
	}
	start := func(c contender) (*mta.Milter, error) {
		m, err := b.milter(c.program, c.args...)
		if err == nil {
			stops = append(stops, func() error { return m.Process().Stop() })
		}
		return m, err
	}
	if b.smtp {
		targets, p, err := b.postfix(start)
		if err != nil {
			return nil, stop, err
		}
		stops = append(stops, p.Stop)
		for i, t := range targets {
			t.deliver = func(n int) error { return mta.Send(p.Address(i), "a@example.test", mta.Discard, b.msg(n)) }
		}
		return targets, stop, nil
	}
	var x []*mta.Exchange
	for _, msg := range b.msgs {
		e, err := mta.NewExchange(msg)
		if err != nil {
			return nil, stop, err
		}
		x = append(x, e)
	}
	for _, c := range []contender{ours, itself, null} {
		m, err := start(c)
		if err != nil {
			return nil, stop, err
		}
		targets = append(targets, &target{name: c.name, milters: []*mta.Milter{m}, deliver: straight(x, m.Address(), c.replaces)})
	}
	if !b.several {
		return targets, stop, nil
	}
	more, h, err := b.replicas(x)
	if h != nil {
		stops = append(stops, h.Stop)
	}
	for _, t := range more {
		for _, m := range t.milters {
			stops = append(stops, func() error { return m.Process().Stop() })
		}
	}
	return append(more, targets...), stop, err
}

// replicas starts milters, and HAProxy if it is installed, and returns ways to them: in turn, and by HAProxy.
func (b *bench) replicas(x []*mta.Exchange) (targets []*target, h *mta.Process, err error) {
	inTurn := &target{name: fmt.Sprintf("%d of bidilink milter, in turn", b.milters)}
	targets = append(targets, inTurn)
	var backends []mta.Backend
	for range b.milters {
		health, err := mta.FreePort()
		if err != nil {
			return targets, nil, err
		}
		m, err := b.milter("bidilink", "--metrics", fmt.Sprintf("127.0.0.1:%d", health))
		if err != nil {
			return targets, nil, err
		}
		inTurn.milters = append(inTurn.milters, m)
		backends = append(backends, mta.Backend{Address: strings.TrimPrefix(strings.TrimPrefix(m.Address(), "inet:"), "unix:"), Health: health})
	}
	inTurn.deliver = func(i int) error { return straight(x, inTurn.milters[i%b.milters].Address(), true)(i) }
	if _, err := exec.LookPath("haproxy"); err != nil {
		return targets, nil, nil
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/bidilink/bidilink").Output()
	if err != nil {
		return targets, nil, fmt.Errorf("go list: %w", err)
	}
	h, address, err := mta.StartHAProxy(b.dir, filepath.Join(strings.TrimSpace(string(root)), "examples/postfix/haproxy.cfg"), backends)
	if err != nil {
		return targets, nil, err
	}
	return append(targets, &target{name: "these behind HAProxy", others: inTurn.milters, deliver: straight(x, address, true)}), h, nil
}

// postfix starts Postfix with a listener for each milter that is compared, and one without. The targets do not say how to deliver.
func (b *bench) postfix(start func(contender) (*mta.Milter, error)) ([]*target, *mta.Postfix, error) {
	var targets []*target
	var config mta.Config
	for _, c := range []contender{ours, itself, {name: "no milter"}} {
		port, err := mta.FreePort()
		if err != nil {
			return nil, nil, err
		}
		l, t := mta.Listener{Port: port}, &target{name: c.name}
		if c.program != "" {
			m, err := start(c)
			if err != nil {
				return nil, nil, err
			}
			t.milters = []*mta.Milter{m}
			l.Options = []string{"smtpd_milters=" + m.Address()}
		}
		config.Listeners, targets = append(config.Listeners, l), append(targets, t)
	}
	p, err := mta.StartPostfix(filepath.Join(b.dir, "postfix"), config)
	return targets, p, err
}

// throughput measures messages a second through Postfix.
func (b *bench) throughput() (err error) {
	var milters []*mta.Milter
	defer func() {
		for _, m := range milters {
			m.Process().Stop()
		}
	}()
	targets, p, err := b.postfix(func(c contender) (*mta.Milter, error) {
		m, err := b.milter(c.program, c.args...)
		if err == nil {
			milters = append(milters, m)
		}
		return m, err
	})
	if err != nil {
		return err
	}
	defer p.Stop()
	for i, t := range targets {
		t.deliver = func(int) error {
			return mta.Load(p.Address(i), b.connections, mta.Discard, b.messages, b.msg, func(int) {})
		}
	}
	err = turns(targets, b.rounds, func(t *target, round int) error {
		before, err := p.TreeTime()
		if err != nil {
			return err
		}
		begin := time.Now()
		if err := t.deliver(0); err != nil {
			return err
		}
		rate := float64(b.messages) / time.Since(begin).Seconds()
		if err := mta.Until("an empty queue", func() bool { left, err := p.Queue(); return err == nil && left == 0 }); err != nil {
			return err
		}
		after, err := p.TreeTime()
		if round >= 0 {
			t.rates = append(t.rates, rate)
			t.postfix = append(t.postfix, float64(after-before)/float64(time.Millisecond))
		}
		return err
	})
	if err != nil {
		return err
	}
	b.head(fmt.Sprintf("%d connections, %d rounds of %d messages", b.connections, b.rounds, b.messages))
	fmt.Println("| through Postfix with | messages/s, median | lowest to highest | processor time of the milter, ms a message | of Postfix | most memory, MB |")
	fmt.Println("|---|---:|---:|---:|---:|---:|")
	for _, t := range targets {
		memory := ""
		for _, m := range t.milters {
			n, err := m.Process().Memory("VmHWM")
			if err != nil {
				return err
			}
			memory = fmt.Sprintf("%.0f", float64(n)/1e6)
		}
		m, lo, hi := spread(t.rates)
		fmt.Printf("| %s | %.0f | %.0f to %.0f | %s | %.2f | %s |\n", t.name, m, lo, hi, t.perMessage(b.messages), median(t.postfix)/float64(b.messages), memory)
	}
	ours, other := targets[0], targets[1]
	var ratios, times []float64
	for i := range ours.rates {
		ratios = append(ratios, ours.rates[i]/other.rates[i])
		times = append(times, (other.postfix[i]+other.busy[i])/(ours.postfix[i]+ours.busy[i]))
	}
	m, lo, hi := spread(ratios)
	fmt.Printf("\nRatio of the medians %.2f; of the runs of a round %.2f (median), %.2f to %.2f.\n", median(ours.rates)/median(other.rates), m, lo, hi)
	m, lo, hi = spread(times)
	fmt.Printf("Of the processor time of Postfix and the milter together, the other way round, as other work on the machine counts less in it: %.2f (median), %.2f to %.2f.\n", m, lo, hi)
	b.foot()
	return nil
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(to, data, 0o755), os.Chmod(to, 0o755))
}
