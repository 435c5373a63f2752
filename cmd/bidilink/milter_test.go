// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package main

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/mailfilter"
	"github.com/bidilink/bidilink/mailfilter/milter"
)

// TestMilterConfigErrors has one error in each configuration, and wants its place.
func TestMilterConfigErrors(t *testing.T) {
	inFolder(t, nil)
	for config, want := range map[string]string{
		"\nobserv = true":                              "c.toml:2: unknown key observ",
		"[links]\n\nbaer = 'all'":                      "c.toml:3: unknown key links.baer",
		"[inbound]\nrewrite = true\n[inbounds]\nx = 1": "c.toml:3: unknown key inbounds",
		"[inbound.x]":                                  "c.toml:1: unknown key inbound.x",
		"observe = 'yes'":                              "c.toml:1:11: observe: ",
		"observe = true\nobserve = true":               "c.toml:2:1: observe: ",
		"observe":                                      "c.toml:1:",
		"listen = ['inet:127.0.0.1:1', 'tcp:x']":       `c.toml:1:31: listen: "tcp:x": want inet:`,
		"listen = 'inet:127.0.0.1:1'":                  "c.toml:1:10: listen: ",
		"log-format = 'xml'":                           `c.toml:1:14: log-format: "xml": want text or json`,
		"drain = 'soon'":                               `c.toml:1:9: drain: "soon": want a time such as "30s"`,
		"networks = ['10.0.0.0/33']":                   `c.toml:1:13: networks: "10.0.0.0/33" is no network`,
		"max-connections = 'x'":                        "c.toml:1:19: max-connections: ",
		"[links]\nbare = 'some'":                       `c.toml:2:8: links.bare: "some": want all, www or none`,
		"[links]\norder = 'some'":                      "c.toml:2:9: links.order: ",
		"[links]\nisolate = 'some'":                    "c.toml:2:11: links.isolate: ",
		"[links]\ndir = 'up'":                          "c.toml:2:7: links.dir: ",
		"[links]\nplain = 'x'":                         "c.toml:2:9: links.plain: ",
		"[links]\nscheme = ['ftp',\n'javascript']":     "c.toml:3:1: links.scheme: ",
		"[links]\nextra-tld = ['a b']":                 "c.toml:2:14: links.extra-tld: ",
		"[links]\nexclude-tld = ['a b']":               "c.toml:2:16: links.exclude-tld: ",
		"[links]\nrefuse = ['x']":                      "c.toml:2:11: links.refuse: ",
		"[limits]\nparts = -1":                         "c.toml:2:9: limits.parts: ",
		"[limits]\ntimeout = '-1s'":                    "c.toml:2:11: limits.timeout: ",
		"[inbound]\ntransports = ['local', '']":        `c.toml:2:24: inbound.transports: "": want the name of a transport`,
		"[inbound]\nrecipients = ['a.test', '*.test']": `c.toml:2:25: inbound.recipients: "*.test": not a domain, or . and a domain: want ".test" for what is below test`,
		"[inbound]\nsenders = ['example..org']":        `c.toml:2:12: inbound.senders: "example..org": not a domain`,
		"[inbound]\nsenders = ['..example.org']":       `c.toml:2:12: inbound.senders: "..example.org": not a domain`,
		"[inbound]\nsenders = ['a.test,b.test']":       `c.toml:2:12: inbound.senders: "a.test,b.test": not a domain`,
		"[limits]\ntimeout = '2540400h'":               `c.toml:2:11: limits.timeout: "2540400h": want at most "24h"`,
		"stop-delay = 'soon'":                          `c.toml:1:14: stop-delay: "soon": want a time such as "30s"`,
		"stop-delay = '-1s'":                           `c.toml:1:14: stop-delay: "-1s": want a time such as "30s"`,
		"stop-delay = '25h'":                           `c.toml:1:14: stop-delay: "25h": want at most "24h"`,
		"drain = '0s'":                                 `c.toml:1:9: drain: "0s": want a time such as "30s"`,
		"drain = '24h1s'":                              `c.toml:1:9: drain: "24h1s": want at most "24h"`,
		"[limits]\nmessage = 2147483648":               "c.toml: limits.message: 2147483648: want at most 2147483647",
		"[limits]\nmessage = 4294967296":               "c.toml:2:11: limits.message: ",
		"max-connections = 65537":                      "--max-connections 65537: want at most 65536",
		"max-memory = 9223372036854775807":             "--max-memory 9223372036854775807: want at most 1099511627776",
		"[outbound]\nsenders = ['a@example.com']":      `c.toml:2:12: outbound.senders: "a@example.com": not a domain`,
		"socket-mode = '0888'":                         "--socket-mode 0888: want permissions in octal, such as 0660 (flags and c.toml)",
		"socket-group = 'no such group'":               "--socket-group no such group: there is no such group (flags and c.toml)",
		"listen = ['inet:0.0.0.0:1']":                  "--listen inet:0.0.0.0:1: not a loopback address",
		"metrics = '0.0.0.0:1'":                        "--metrics 0.0.0.0:1: not a loopback address",
		"metrics = 'here'":                             "--metrics here: want ADDRESS:PORT",
		"max-connections = -1":                         "--max-connections -1: want 1 or more",
		"max-memory = 1":                               "--max-memory 1: want 1048576 or more",
	} {
		if err := os.WriteFile("c.toml", []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := command("", "milter", "--check-config", "--config", "c.toml")
		if code != 2 || out != "" || !strings.HasPrefix(errs, "bidilink: "+want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: exit %d, %q %q, want %q", config, code, out, errs, want)
		}
	}
}

func TestMilterFlagErrors(t *testing.T) {
	inFolder(t, nil)
	for args, want := range map[string]string{
		"--listen tcp:x":                "--listen tcp:x: want inet:",
		"--listen inet:0.0.0.0:1":       "--listen inet:0.0.0.0:1: not a loopback address",
		"--listen inet:[2001:db8::1]:1": "--listen inet:[2001:db8::1]:1: not a loopback address",
		"--config nowhere.toml":         "--config nowhere.toml: ",
		"--log-format xml":              "--log-format xml: want text or json",
		"--networks 10.0.0.0/8,x":       `--networks: "x" is no network`,
		"--order x":                     "--order x: want ",
		"--socket-mode 01777":           "--socket-mode 01777: want permissions",
		"--stop-delay -1s":              "--stop-delay -1s: want 0 or more",
		"--stop-delay 25h":              "--stop-delay 25h0m0s: want at most 24h",
		"--drain -1s":                   "--drain -1s: want 0 or more",
		"--drain 25h":                   "--drain 25h0m0s: want at most 24h",
		"--max-connections 9999999":     "--max-connections 9999999: want at most 65536",
		"--extra-tld a_b":               "",
		"file":                          "",
	} {
		out, errs, code := command("", append([]string{"milter", "--check-config"}, strings.Fields(args)...)...)
		if code != 2 || out != "" || !strings.HasPrefix(errs, "bidilink: "+want) {
			t.Errorf("%s: exit %d, %q %q, want %q", args, code, out, errs, want)
		}
	}
	if _, errs, code := command("", "milter", "--allow-root"); code != 2 || !strings.Contains(errs, "no socket") {
		t.Errorf("no socket: exit %d, %q", code, errs)
	}
	if os.Geteuid() == 0 {
		if _, errs, code := command("", "milter", "--listen", "inet:127.0.0.1:0"); code != 2 || !strings.Contains(errs, "not as root") {
			t.Errorf("root: exit %d, %q", code, errs)
		}
	}
}

// TestMilterSettings compares what flags and configuration come to.
func TestMilterSettings(t *testing.T) {
	inFolder(t, map[string]string{"c.toml": `
listen = ["inet:127.0.0.1:7", "unix:/run/x"]
socket-mode = "0600"
allow-root = true
log-format = "json"
metrics = "127.0.0.1:9"
max-connections = 7
max-memory = 10000000
stop-delay = "3s"
drain = "5s"
networks = ["10.1.2.3/8", "::1"]

[links]
bare = "none"
no-email = true
file-names = false
extra-tld = ["onion"]
scheme = ["ftp"]
refuse = ["control"]
order = "embedding"
isolate = "all"
dir = "rtl"
plain = "isolate"
http = true

[limits]
message = 1000
parts = 10
timeout = "3s"

[inbound]
signed = false
observe = true
recipients = ["example.com"]
transports = ["lmtp"]

[outbound]
rewrite = false
lists = true
except-senders = [".example.com"]
`})
	read := func(args ...string) *settings {
		t.Helper()
		c := milterCommand()
		if err := c.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		var f milterFlags
		f.config, _ = c.Flags().GetString("config")
		s, err := f.settings(c)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}

	s := read()
	in, out := s.policy.Inbound, s.policy.Outbound
	if in.Off || out.Off || !in.Options.RewriteDKIM || out.Options.RewriteDKIM || in.Options.RewriteLists || out.Options.RewriteLists || in.Options.Observe ||
		in.Options.Bare != mailfilter.BareWWW || len(s.policy.Networks) != 2 || s.maxConnections != 500 || s.access != (socketAccess{0o660, -1}) {
		t.Errorf("defaults: %+v", s.policy)
	}
	if !slices.Equal(in.Transports, deliverHere) || slices.Contains(in.Transports, "smtp") || len(out.Transports) != 0 {
		t.Errorf("defaults: transports %q %q", in.Transports, out.Transports)
	}

	s = read("--config", "c.toml")
	in, out = s.policy.Inbound, s.policy.Outbound
	if len(s.sockets) != 2 || s.sockets[1].path != "/run/x" || s.access.mode != 0o600 || !s.allowRoot || s.logFormat != "json" || s.metricsAddr != "127.0.0.1:9" ||
		s.maxConnections != 7 || s.maxMemory != 10_000_000 || s.stopDelay.Seconds() != 3 || s.drain.Seconds() != 5 || len(s.policy.Networks) != 2 || s.policy.Networks[0].String() != "10.0.0.0/8" ||
		s.policy.Networks[1].String() != "::1/128" {
		t.Errorf("daemon: %+v", s)
	}
	o := in.Options
	if o.Bare != mailfilter.BareNone || !o.Links.NoEmail || !o.LinkFileNames || len(o.Links.ExtraTLDs) != 1 || len(o.Links.Schemes) != 1 || o.Refuse != display.WarnControl ||
		o.Order != display.Embedding || o.Isolate != display.IsolateAll || o.Dir != display.RTL || o.Plain != mailfilter.Isolate || !o.Links.HTTP || o.Links.Bare != engine.BareNone ||
		o.MaxMessage != 1000 || o.MaxParts != 10 || o.Timeout.Seconds() != 3 {
		t.Errorf("options: %+v", o)
	}
	if o.RewriteDKIM || !o.Observe || in.Off || len(in.Recipients.Only) != 1 || !out.Off || out.Options.RewriteDKIM || !out.Options.RewriteLists || out.Options.Observe || len(out.Senders.Except) != 1 {
		t.Errorf("directions: %+v %+v", in, out)
	}
	if !slices.Equal(in.Transports, []string{"lmtp"}) || len(out.Transports) != 0 {
		t.Errorf("transports: %q %q", in.Transports, out.Transports)
	}

	s = read("--config", "c.toml", "--listen", "inet:127.0.0.1:8", "--bare", "all", "--no-email=false", "--refuse", "edge,mixed", "--observe", "--final", "--max-connections", "8", "--networks", "192.0.2.0/24")
	in, out = s.policy.Inbound, s.policy.Outbound
	if len(s.sockets) != 1 || s.sockets[0].String() != "inet:127.0.0.1:8" || in.Options.Bare != mailfilter.BareAll || in.Options.Links.NoEmail || in.Options.Refuse != display.WarnEdge|display.WarnMixed ||
		!in.Options.Observe || !out.Options.Observe || !in.Options.RewriteDKIM || !out.Options.RewriteDKIM || !in.Options.RewriteLists || s.maxConnections != 8 || len(s.policy.Networks) != 1 ||
		in.Options.Order != display.Embedding || in.Options.MaxParts != 10 || !out.Off || len(in.Transports) != 0 {
		t.Errorf("flags win: %+v", s)
	}
}

// TestErrorAttr has things in errors that must not be in a log.
func TestErrorAttr(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&mailfilter.PanicError{Value: "ann@example.com", Stack: []byte("stack")}, "panic: string\nstack"},
		{&mailfilter.LimitError{What: "parts", Limit: 3}, "more than 3 parts"},
		{milter.ErrNoRoom, "no memory left for the message"},
	} {
		if got := errorAttr(c.err).Value.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	defer func() {
		p := recover()
		if got := errorAttr(&mailfilter.PanicError{Value: p}).Value.String(); !strings.Contains(got, "index out of range") {
			t.Errorf("%q", got)
		}
	}()
	var none []int
	_ = none[len(os.Args)]
}

// TestTrouble looks for the queue id of a message that did not come to its end.
func TestTrouble(t *testing.T) {
	var b strings.Builder
	d := &milterDaemon{log: newLog(&b, "text"), metrics: newMilterMetrics()}
	d.trouble(&milter.UnfinishedError{QueueID: "Q7"})
	d.trouble(milter.ErrFull)
	lines := strings.Split(b.String(), "\n")
	if !strings.Contains(lines[0], `error="the connection ended within a message" queue_id=Q7`) || strings.Contains(lines[1], "queue_id") {
		t.Errorf("%q", lines)
	}
}

// TestMilterExample reads the configuration that is an example, as it is, and with all its defaults written out: that is the same as none.
func TestMilterExample(t *testing.T) {
	const name = "../../examples/postfix/systemd/milter.toml"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if out, errs, code := command("", "milter", "--check-config", "--config", name); code != 0 || errs != "" {
		t.Fatalf("exit %d, %q %q", code, out, errs)
	}
	var b strings.Builder
	keys := 0
	for line := range strings.Lines(string(data)) {
		switch {
		case strings.HasPrefix(line, "# "):
			continue
		case strings.HasPrefix(line, "observe"), strings.HasPrefix(line, "#socket-group"): // the group need not be there
			keys++
			continue
		case strings.HasPrefix(line, "#"):
			keys++
		}
		b.WriteString(strings.TrimPrefix(line, "#"))
	}
	inFolder(t, map[string]string{"all.toml": b.String()})
	sets := map[string]*settings{}
	for _, config := range []string{"", "all.toml"} {
		c := milterCommand()
		s, err := (&milterFlags{config: config}).settings(c)
		if err != nil {
			t.Fatal(err)
		}
		sets[config] = s
	}
	all, none := sets["all.toml"], sets[""]
	// These are set in the example, where there is no default.
	if len(all.sockets) != 2 || all.metricsAddr == "" {
		t.Errorf("%+v", all)
	}
	for _, r := range []*milter.Rules{&all.policy.Inbound, &all.policy.Outbound, &none.policy.Inbound, &none.policy.Outbound} {
		o := &r.Options
		for _, list := range []*[]string{&o.Links.ExtraTLDs, &o.Links.ExcludeTLDs, &o.Links.Schemes, &r.Senders.Only, &r.Senders.Except, &r.Recipients.Only, &r.Recipients.Except, &r.Transports} {
			if len(*list) == 0 {
				*list = nil
			}
		}
		set := func(limit *int64, d int64) {
			if *limit == 0 {
				*limit = d
			}
		}
		set(&o.MaxMessage, mailfilter.DefaultMaxMessage)
		set(&o.MaxPart, mailfilter.DefaultMaxPart)
		set(&o.MaxHeader, mailfilter.DefaultMaxHeader)
		set(&o.MaxAdded, mailfilter.DefaultMaxAdded)
		o.MaxDepth, o.MaxParts, o.MaxHeaderLines, o.MaxLinks = max(o.MaxDepth, mailfilter.DefaultMaxDepth), max(o.MaxParts, mailfilter.DefaultMaxParts),
			max(o.MaxHeaderLines, mailfilter.DefaultMaxHeaderLines), max(o.MaxLinks, mailfilter.DefaultMaxLinks)
		o.Timeout = max(o.Timeout, mailfilter.DefaultTimeout)
	}
	if !reflect.DeepEqual(all.policy, none.policy) {
		t.Errorf("%+v\nwant %+v", all.policy, none.policy)
	}
	if all.maxConnections != none.maxConnections || all.maxMemory != none.maxMemory || all.stopDelay != none.stopDelay || all.drain != none.drain || all.logFormat != none.logFormat || all.socketMode != none.socketMode ||
		all.allowRemote || all.allowRoot || all.observe {
		t.Errorf("%+v", all)
	}
	if want := countKeys(reflect.TypeFor[milterConfig]()); keys != want {
		t.Errorf("%d of %d keys", keys, want)
	}
}

// countKeys returns the number of keys in a table and those below it.
func countKeys(t reflect.Type) int {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.NumField() > 0 && t.Field(0).Tag == "" {
		return 1
	}
	n := 0
	for i := range t.NumField() {
		n += countKeys(t.Field(i).Type)
	}
	return n
}

// TestMilterManual looks in the manual page for all flags, reasons, keys and metrics.
func TestMilterManual(t *testing.T) {
	data, err := os.ReadFile("../../doc/man/bidilink-milter.8")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range regexp.MustCompile(`[a-z][a-z_-]*`).FindAllString(string(data), -1) {
		words[strings.Trim(w, "-")] = true
	}
	milterCommand().Flags().VisitAll(func(f *pflag.Flag) {
		if !words[f.Name] {
			t.Errorf("no flag --%s", f.Name)
		}
	})
	for _, r := range mailfilter.Reasons() {
		if !words[r.String()] {
			t.Errorf("no reason %v", r)
		}
	}
	for _, table := range []reflect.Type{reflect.TypeFor[milterConfig](), reflect.TypeFor[limitConfig](), reflect.TypeFor[ruleConfig]()} {
		for i := range table.NumField() {
			if key := table.Field(i).Tag.Get("toml"); !words[key] {
				t.Errorf("no key %s", key)
			}
		}
	}
	s, err := milter.NewServer(milter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := newMilterMetrics()
	m.watch(s)
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	ours := 0
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "bidilink_") {
			if ours++; !words[f.GetName()] {
				t.Errorf("no metric %s", f.GetName())
			}
		}
	}
	if ours < 10 {
		t.Errorf("%d metrics", ours)
	}
}

// FuzzMilterConfig reads a configuration: it is right, or the error says in one line where it is not.
func FuzzMilterConfig(f *testing.F) {
	data, err := os.ReadFile("../../examples/postfix/systemd/milter.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(strings.ReplaceAll(string(data), "\n#", "\n"))
	for _, s := range []string{"a.b.c = 1", "[[inbound]]", "listen = [[]]", "inbound = 1", "[inbound]\nsenders = [1]", "drain = 1", "drain = '1s'\n[limits]\ntimeout = 07:32:00", "links = { bare = 'all' }", "\"\\n\" = 1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, config string) {
		var flags milterFlags
		flags.add(&cobra.Command{})
		s := &settings{milterFlags: &flags}
		if err := flags.parse("c.toml", []byte(config)); err != nil {
			if !strings.HasPrefix(err.Error(), "c.toml:") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		if flags.socketGroup != "" {
			return // groups are the machine's
		}
		if err := s.check(); err == nil && (s.policy == nil || s.policy.Check() != nil) {
			t.Fatalf("%+v", s.policy)
		}
	})
}
