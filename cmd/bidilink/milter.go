// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"os/user"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bidilink/bidilink/mailfilter"
	"github.com/bidilink/bidilink/mailfilter/milter"
)

// milterFlags are the flags of bidilink milter, and what its configuration adds to them.
type milterFlags struct {
	mail                    mailFlags
	listen, networks        []string
	socketMode, socketGroup string
	allowRemote, allowRoot  bool
	config                  string
	checkConfig             bool
	observe                 bool
	logFormat, metrics      string
	maxConnections          int
	maxMemory               int64
	stopDelay, drain        time.Duration

	// In the configuration only.
	limits            mailfilter.Options
	inbound, outbound ruleConfig
}

func milterCommand() *cobra.Command {
	var f milterFlags
	c := &cobra.Command{
		Use:   "milter --listen SOCKET [flags]",
		Short: "Make the links of mail as it arrives, as a milter of Postfix or Sendmail",
		Long: `milter is a daemon that mail servers ask about each message. It makes links of the URLs, IRIs and e-mail addresses in the HTML parts, as bidilink mail does, and
changes nothing else: no header field, no envelope, no other part. It never refuses a message: after any error and beyond any limit, the message goes
on as it came. It looks nothing up, and opens no connection.

A SOCKET is inet:HOST:PORT or inet:PORT@HOST, where HOST is an IP address or localhost; or unix:/PATH. Sockets that systemd has opened (LISTEN_FDS) are used as well.

Mail of an authenticated client, and of one in --networks, is outbound: it may travel on, so that messages with a DKIM-Signature or an ARC-Seal are left alone. All other
mail is inbound: it is changed also if it is signed, unless the mail server says that it goes on to another server; verify signatures before (see the manual page). Mail of lists (List-Id) is left alone in both. --final changes all
of it. A configuration says more, by direction and by the domains of sender and recipients; a message is changed only if it may be for each recipient.

The configuration is TOML; see the manual page, bidilink-milter(8). Flags win over it. SIGHUP reads it again: what it says about messages holds for those that come then. If it is wrong, the former
one stays, and an error is logged. SIGTERM and SIGINT have /healthz answer 503, and connections be taken for --stop-delay still; then they end the daemon when the mail servers have closed their connections, at the
latest after --drain; a second one, at once.

There is one line in the log for each message, on standard error: the queue id, the result (modified, unchanged or skipped), the reason of skipped, the numbers of parts, links and bytes, and the
milliseconds that the mail server waited; never an address, a URL or text. The reasons are the words of bidilink mail:
` + reasonWords() + `.

With --metrics, there are http://ADDRESS/metrics for Prometheus and http://ADDRESS/healthz.`,
		Example: `  bidilink milter --listen inet:127.0.0.1:10027 --observe
  bidilink milter --listen unix:/run/bidilink/milter.sock --socket-group postfix
  bidilink milter --config /etc/bidilink/milter.toml --check-config`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c) },
	}
	f.add(c)
	return c
}

// add adds the flags to c, with the defaults also of what only the configuration has.
func (f *milterFlags) add(c *cobra.Command) {
	p := c.Flags()
	p.SortFlags = false
	p.StringArrayVar(&f.listen, "listen", nil, "the `SOCKET` on which mail servers connect; several times for several")
	p.StringVar(&f.socketMode, "socket-mode", "0660", "permissions of a Unix socket, in octal")
	p.StringVar(&f.socketGroup, "socket-group", "", "the `group` of a Unix socket")
	p.BoolVar(&f.allowRemote, "allow-remote", false, "allow a SOCKET, or --metrics, that is not on a loopback address")
	p.BoolVar(&f.allowRoot, "allow-root", false, "run as root, which is never needed")
	p.StringVar(&f.config, "config", "", "the configuration `FILE`")
	p.BoolVar(&f.checkConfig, "check-config", false, "read the configuration and the flags, say what is wrong with them, and exit with 2 if anything is")
	p.BoolVar(&f.observe, "observe", false, "change nothing; the log says what would be changed (skipped, observe)")
	p.StringVar(&f.logFormat, "log-format", "text", "how the log is written: `text|json`")
	p.StringVar(&f.metrics, "metrics", "", "serve metrics and health on `ADDRESS:PORT` (default off)")
	p.IntVar(&f.maxConnections, "max-connections", 500, "connections at once; further ones are closed, and their mail goes on unchanged if the mail server is told so")
	p.Int64Var(&f.maxMemory, "max-memory", 256<<20, "`bytes` for the messages that are there at once; a message needs up to eleven times its length, and one for which there is no room after 5 s is left alone")
	p.DurationVar(&f.stopDelay, "stop-delay", 0, "how long SIGTERM goes on taking connections, with 503 at /healthz, so that a load balancer sees it first: two of its check intervals")
	p.DurationVar(&f.drain, "drain", 30*time.Second, "how long SIGTERM waits, after --stop-delay, for mail servers to close their connections")
	p.StringSliceVar(&f.networks, "networks", []string{"127.0.0.0/8", "::1/128"}, "networks, `ADDRESS/BITS,...`, whose clients' mail is outbound (mynetworks of Postfix)")
	f.mail.add(c, "messages go no further: change them also if they are signed by DKIM or ARC, or of a list, in both directions")
	f.inbound = ruleConfig{Rewrite: true, Signed: true}
	for _, t := range deliverHere {
		f.inbound.Transports = append(f.inbound.Transports, wordText{t})
	}
	f.outbound = ruleConfig{Rewrite: true}
}

// settings are what flags and configuration come to.
type settings struct {
	*milterFlags
	sockets     []socket
	access      socketAccess
	metricsAddr string
	policy      *milter.Policy
}

// settings reads the configuration, and checks everything that can be checked without doing it. The flags of c that were given win.
func (f *milterFlags) settings(c *cobra.Command) (*settings, error) {
	var fresh milterFlags
	other := &cobra.Command{}
	fresh.add(other)
	s := &settings{milterFlags: &fresh}
	if f.config != "" {
		if err := fresh.read(f.config); err != nil {
			return nil, err
		}
	}
	var err error
	c.Flags().Visit(func(given *pflag.Flag) {
		flag := other.Flags().Lookup(given.Name)
		if flag == nil {
			return // --help
		}
		if list, ok := given.Value.(pflag.SliceValue); ok {
			err = errors.Join(err, flag.Value.(pflag.SliceValue).Replace(list.GetSlice()))
		} else {
			err = errors.Join(err, flag.Value.Set(given.Value.String()))
		}
	})
	if err == nil {
		err = s.check()
	}
	if err != nil && f.config != "" {
		err = fmt.Errorf("%w (flags and %s)", err, shown(f.config))
	}
	return s, err
}

// check sets what the flags stand for.
func (s *settings) check() error {
	for _, name := range s.listen {
		k, err := parseSocket(name)
		if err != nil {
			return fmt.Errorf("--listen %s: %w", shown(name), err)
		}
		if k.path == "" && !s.allowRemote && !k.addr.Addr().Unmap().IsLoopback() {
			return fmt.Errorf("--listen %s: %w", shown(name), errRemote)
		}
		s.sockets = append(s.sockets, k)
	}
	mode, err := strconv.ParseUint(s.socketMode, 8, 32)
	if err != nil || mode > 0o777 {
		return fmt.Errorf("--socket-mode %s: want permissions in octal, such as 0660", shown(s.socketMode))
	}
	s.access = socketAccess{uint32(mode), -1}
	if s.socketGroup != "" {
		if s.access.group, err = groupID(s.socketGroup); err != nil {
			return fmt.Errorf("--socket-group %s: %w", shown(s.socketGroup), err)
		}
	}
	if s.logFormat != "text" && s.logFormat != "json" {
		return fmt.Errorf("--log-format %s: want text or json", shown(s.logFormat))
	}
	if s.metrics != "" {
		k, err := parseSocket("inet:" + s.metrics)
		if err != nil {
			return fmt.Errorf("--metrics %s: want ADDRESS:PORT", shown(s.metrics))
		}
		if !s.allowRemote && !k.addr.Addr().Unmap().IsLoopback() {
			return fmt.Errorf("--metrics %s: %w", shown(s.metrics), errRemote)
		}
		s.metricsAddr = k.addr.String()
	}
	if s.maxConnections < 1 {
		return fmt.Errorf("--max-connections %d: want 1 or more", s.maxConnections)
	}
	if s.maxConnections > maxConnections {
		return fmt.Errorf("--max-connections %d: want at most %d", s.maxConnections, maxConnections)
	}
	if s.maxMemory < 1<<20 {
		return fmt.Errorf("--max-memory %d: want 1048576 or more", s.maxMemory)
	}
	if s.maxMemory > maxMemory {
		return fmt.Errorf("--max-memory %d: want at most %d", s.maxMemory, int64(maxMemory))
	}
	if s.stopDelay < 0 {
		return fmt.Errorf("--stop-delay %v: want 0 or more", s.stopDelay)
	}
	if s.stopDelay > maxInterval {
		return fmt.Errorf("--stop-delay %v: want at most 24h", s.stopDelay)
	}
	if s.drain < 0 {
		return fmt.Errorf("--drain %v: want 0 or more", s.drain)
	}
	if s.drain > maxInterval {
		return fmt.Errorf("--drain %v: want at most 24h", s.drain)
	}
	return s.setPolicy()
}

// groupID returns the number of a group, given by name or number.
func groupID(name string) (int, error) {
	g, err := user.LookupGroup(name)
	if err != nil {
		if g, err = user.LookupGroupId(name); err != nil {
			return 0, errors.New("there is no such group")
		}
	}
	return strconv.Atoi(g.Gid)
}

// A milterDaemon is a running milter.
type milterDaemon struct {
	*settings
	c       *cobra.Command
	log     *slog.Logger
	server  *milter.Server
	metrics *milterMetrics
}

// run does what the flags say.
func (f *milterFlags) run(c *cobra.Command) error {
	s, err := f.settings(c)
	if err != nil {
		return err
	}
	if f.checkConfig {
		_, err := fmt.Fprintln(c.OutOrStdout(), "the configuration is right")
		return err
	}
	if os.Geteuid() == 0 && !s.allowRoot {
		return errors.New("milter: not as root: it needs no rights; --allow-root permits it")
	}
	// Before anything else, so that no signal ends the process halfway.
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(stop)
	reload := make(chan os.Signal, 1)
	signal.Notify(reload, syscall.SIGHUP)
	defer signal.Stop(reload)
	d := &milterDaemon{settings: s, c: c, log: newLog(c.ErrOrStderr(), s.logFormat)}
	return d.serve(f, stop, reload)
}

func newLog(w io.Writer, format string) *slog.Logger {
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

// listeners opens the sockets.
func (d *milterDaemon) listeners() (list []net.Listener, err error) {
	defer func() {
		if err != nil {
			for _, l := range list {
				l.Close()
			}
			list = nil
		}
	}()
	for _, file := range activation.Files(true) {
		l, err := net.FileListener(file)
		file.Close()
		if err != nil {
			return list, fmt.Errorf("%s, which the environment hands over: %w", file.Name(), err)
		}
		if u, ok := l.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(false) // it is systemd's
		}
		list = append(list, l)
		if !d.allowRemote && !local(l) {
			return list, fmt.Errorf("%s, which the environment hands over: %w", socketOf(l), errRemote)
		}
	}
	for _, k := range d.sockets {
		l, err := k.listen(d.allowRemote, d.access)
		if err != nil {
			return list, fmt.Errorf("--listen %v: %w", k, err)
		}
		list = append(list, l)
	}
	if len(list) == 0 {
		return nil, errors.New("milter: no socket: want --listen SOCKET, or listen in the configuration")
	}
	return list, nil
}

// gcPercent is how much garbage there may be, in percent of what is in use, of which at least 4 MiB count, unless the environment says so: see GOGC of package runtime.
const gcPercent = 400

// serve serves until a signal comes on stop.
func (d *milterDaemon) serve(f *milterFlags, stop, reload <-chan os.Signal) error {
	if os.Getenv("GOGC") == "" {
		// Messages of usual size leave little in use, and then a collection came for each 4 MiB of garbage: often. Garbage of large messages the server has
		// collected itself.
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		// What is garbage already must not count twice.
		debug.SetMemoryLimit(d.maxMemory + 128<<20)
	}
	d.metrics = newMilterMetrics()
	var err error
	d.server, err = milter.NewServer(milter.Options{
		Policy: d.policy, MaxConnections: d.maxConnections, MaxMemory: d.maxMemory, Record: d.record, Trouble: d.trouble,
	})
	if err != nil {
		return errors.New(trimPackage(err, "milter"))
	}
	listeners, err := d.listeners()
	if err != nil {
		return err
	}
	stopMetrics, err := d.metrics.serve(d)
	if err != nil {
		for _, l := range listeners {
			l.Close()
		}
		return fmt.Errorf("--metrics %s: %w", d.metricsAddr, err)
	}
	defer stopMetrics()
	ended := make(chan error, len(listeners))
	for _, l := range listeners {
		d.log.Info("listening", "socket", socketOf(l))
		go func() { ended <- d.server.Serve(l) }()
	}
	daemon.SdNotify(false, daemon.SdNotifyReady)
	var delayed <-chan time.Time // once it is to stop
	for {
		select {
		case err := <-ended:
			d.server.Close()
			if err == nil {
				err = net.ErrClosed
			}
			return fmt.Errorf("milter: accepting connections: %w", err)
		case <-reload:
			if delayed == nil {
				d.reload(f)
			}
		case sig := <-stop:
			if delayed != nil {
				return d.abandon()
			}
			d.metrics.stopping.Store(true) // before it is said
			d.log.Info("stopping", "signal", sig.String(), "connections", d.server.Stats().Connections)
			daemon.SdNotify(false, daemon.SdNotifyStopping)
			if d.stopDelay == 0 {
				return d.shutdown(stop)
			}
			delayed = time.After(d.stopDelay)
		case <-delayed:
			return d.shutdown(stop)
		}
	}
}

// abandon ends with open connections.
func (d *milterDaemon) abandon() error {
	d.server.Close()
	d.log.Warn("stopped with open connections")
	return nil
}

// shutdown waits for the connections to end, or for another signal.
func (d *milterDaemon) shutdown(stop <-chan os.Signal) error {
	d.log.Info("closing the sockets", "connections", d.server.Stats().Connections)
	ctx, cancel := context.WithTimeout(context.Background(), d.drain)
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := d.server.Shutdown(ctx); err != nil && ctx.Err() != nil {
		return d.abandon()
	}
	d.log.Info("stopped")
	return nil
}

// reload reads the configuration again.
func (d *milterDaemon) reload(f *milterFlags) {
	daemon.SdNotify(false, daemon.SdNotifyReloading+"\n"+daemon.SdNotifyMonotonicUsec())
	defer daemon.SdNotify(false, daemon.SdNotifyReady)
	s, err := f.settings(d.c)
	if err == nil {
		err = d.server.SetPolicy(s.policy)
	}
	if err != nil {
		d.metrics.reloads.WithLabelValues("error").Inc()
		d.log.Error("the configuration was not read again: the former one stays", "error", err.Error())
		return
	}
	d.metrics.reloads.WithLabelValues("ok").Inc()
	old := d.settings
	if !slices.Equal(old.sockets, s.sockets) || old.access != s.access || old.metricsAddr != s.metricsAddr || old.logFormat != s.logFormat ||
		old.maxConnections != s.maxConnections || old.maxMemory != s.maxMemory || old.stopDelay != s.stopDelay || old.drain != s.drain || old.allowRemote != s.allowRemote {
		d.log.Warn("sockets, metrics, limits of the process and the format of the log change when the daemon is started again")
	}
	d.log.Info("the configuration was read again")
}

// record writes the line about a message. Nothing in it is from the message but the queue id, which is the mail server's.
func (d *milterDaemon) record(r milter.Record) {
	d.metrics.record(r)
	level := slog.LevelInfo
	attrs := []slog.Attr{
		queueAttr(r.QueueID),
		slog.String("direction", r.Direction.String()),
		slog.String("result", r.Result.String()),
		slog.String("reason", r.Reason.String()),
		slog.Int("parts", len(r.Parts)),
		slog.Int("changed", r.Changed),
		slog.Int("links", r.Links),
		slog.Int("isolated", r.Isolated),
		slog.Int64("bytes", r.Bytes),
		slog.Float64("ms", float64(r.Busy.Microseconds()/100)/10),
	}
	if r.Err != nil {
		attrs = append(attrs, errorAttr(r.Err))
	}
	if r.Reason == mailfilter.Failure || r.Reason == mailfilter.Verify {
		level = slog.LevelError
	}
	d.log.LogAttrs(context.Background(), level, "message", attrs...)
}

// queueAttr returns a queue id for the log.
func queueAttr(id string) slog.Attr { return slog.String("queue_id", id[:min(len(id), 100)]) }

// trouble writes the line about a connection.
func (d *milterDaemon) trouble(err error) {
	d.metrics.troubles.Inc()
	attrs := []slog.Attr{errorAttr(err)}
	var unfinished *milter.UnfinishedError
	if errors.As(err, &unfinished) {
		attrs = append(attrs, queueAttr(unfinished.QueueID))
	}
	d.log.LogAttrs(context.Background(), slog.LevelWarn, "connection", attrs...)
}

// errorAttr returns an error for the log. The value of a panic may have something of a message in it: of that, there is only the type, unless it is the runtime's.
func errorAttr(err error) slog.Attr {
	var p *mailfilter.PanicError
	if errors.As(err, &p) {
		what := fmt.Sprintf("%T", p.Value)
		if e, ok := p.Value.(interface{ RuntimeError() }); ok {
			what = fmt.Sprint(e)
		}
		return slog.String("error", "panic: "+what+"\n"+string(p.Stack))
	}
	text := err.Error()
	for _, pkg := range []string{"milter: ", "mailfilter: "} {
		text = strings.TrimPrefix(text, pkg)
	}
	return slog.String("error", text)
}
