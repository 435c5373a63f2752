// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/mailfilter"
	"github.com/bidilink/bidilink/mailfilter/milter"
)

// milterConfig is what the configuration file may say: the flags, by their names, and more. What is not in the file stays as it is.
//
// Strings that are checked are structs that read themselves: only then the decoder says where an error is.
type milterConfig struct {
	Listen         []socketText `toml:"listen"`
	SocketMode     *string      `toml:"socket-mode"`
	SocketGroup    *string      `toml:"socket-group"`
	AllowRemote    *bool        `toml:"allow-remote"`
	AllowRoot      *bool        `toml:"allow-root"`
	Observe        *bool        `toml:"observe"`
	LogFormat      word         `toml:"log-format"`
	Metrics        *string      `toml:"metrics"`
	MaxConnections *int         `toml:"max-connections"`
	MaxMemory      *int64       `toml:"max-memory"`
	StopDelay      interval     `toml:"stop-delay"`
	Drain          interval     `toml:"drain"`
	Networks       []network    `toml:"networks"`
	Final          *bool        `toml:"final"`

	Links    linkConfig  `toml:"links"`
	Limits   limitConfig `toml:"limits"`
	Inbound  *ruleConfig `toml:"inbound"`
	Outbound *ruleConfig `toml:"outbound"`
}

// linkConfig is the table [links].
type linkConfig struct {
	Bare                 word          `toml:"bare"`
	NoEmail              *bool         `toml:"no-email"`
	FileNames            *bool         `toml:"file-names"`
	ExtraTLD             []extraTLD    `toml:"extra-tld"`
	ExcludeTLD           []excludeTLD  `toml:"exclude-tld"`
	Scheme               []schemeText  `toml:"scheme"`
	LocalHosts           *bool         `toml:"local-hosts"`
	MailtoQuery          *bool         `toml:"mailto-query"`
	StopAtCJKPunctuation *bool         `toml:"stop-at-cjk-punctuation"`
	Strict               *bool         `toml:"strict"`
	HTTP                 *bool         `toml:"http"`
	Refuse               []warningText `toml:"refuse"`
	Order                word          `toml:"order"`
	Isolate              word          `toml:"isolate"`
	Dir                  word          `toml:"dir"`
	WrapFileNames        *bool         `toml:"wrap-file-names"`
	Plain                word          `toml:"plain"`
}

// limitConfig is the table [limits]: those of mailfilter.Options, of which zero is the default.
type limitConfig struct {
	Message     uint32   `toml:"message"`
	Part        uint32   `toml:"part"`
	Depth       uint16   `toml:"depth"`
	Parts       uint16   `toml:"parts"`
	Header      uint32   `toml:"header"`
	HeaderLines uint16   `toml:"header-lines"`
	Links       uint16   `toml:"links"`
	Added       uint32   `toml:"added"`
	Timeout     interval `toml:"timeout"`
}

// ruleConfig is the table of a direction, [inbound] or [outbound].
type ruleConfig struct {
	Rewrite          bool         `toml:"rewrite"`
	Signed           bool         `toml:"signed"`
	Lists            bool         `toml:"lists"`
	Observe          bool         `toml:"observe"`
	Senders          []domainText `toml:"senders"`
	ExceptSenders    []domainText `toml:"except-senders"`
	Recipients       []domainText `toml:"recipients"`
	ExceptRecipients []domainText `toml:"except-recipients"`
	Transports       []wordText   `toml:"transports"`
}

// deliverHere are the transports of Postfix, and mailers of Sendmail, that deliver into mailboxes, or nowhere.
var deliverHere = []string{"local", "virtual", "dovecot", "maildrop", "procmail", "cyrus", "discard"}

// A word is a string that is checked, and goes elsewhere.
type word struct {
	to    *string
	check func(string) error
}

func (w *word) UnmarshalText(b []byte) error {
	if err := w.check(string(b)); err != nil {
		return err
	}
	*w.to = string(b)
	return nil
}

// choice is the check of a word of a closed list.
func choice(words ...string) func(string) error {
	return func(s string) error {
		for _, w := range words {
			if s == w {
				return nil
			}
		}
		return fmt.Errorf("%q: want %s or %s", s, strings.Join(words[:len(words)-1], ", "), words[len(words)-1])
	}
}

// The largest values of flags and configuration. What is beyond is an error of somebody, and sums of it would not be right.
const (
	maxInterval    = 24 * time.Hour
	maxMemory      = 1 << 40 // bytes for messages
	maxSize        = math.MaxInt32
	maxConnections = 1 << 16
)

// An interval is a time such as "30s".
type interval struct {
	to   *time.Duration
	none bool // it may be 0
}

func (i *interval) UnmarshalText(b []byte) error {
	d, err := time.ParseDuration(string(b))
	if err != nil || d < 0 || d == 0 && !i.none {
		return fmt.Errorf("%q: want a time such as \"30s\"", b)
	}
	if d > maxInterval {
		return fmt.Errorf("%q: want at most %q", b, "24h")
	}
	*i.to = d
	return nil
}

// Strings of lists.
type (
	socketText  struct{ text string }
	network     struct{ text string }
	extraTLD    struct{ text string }
	excludeTLD  struct{ text string }
	schemeText  struct{ text string }
	warningText struct{ text string }
	domainText  struct{ text string }
	wordText    struct{ text string }
)

func (t *wordText) UnmarshalText(b []byte) error {
	if t.text = string(b); t.text == "" || strings.ContainsAny(t.text, " \t\n:") {
		return fmt.Errorf("%q: want the name of a transport, such as \"lmtp\"", b)
	}
	return nil
}

func (t *socketText) UnmarshalText(b []byte) error {
	t.text = string(b)
	_, err := parseSocket(t.text)
	return quoted(t.text, err)
}

func (t *network) UnmarshalText(b []byte) error {
	t.text = string(b)
	_, err := parseNetwork(t.text)
	return err
}

// parseNetwork reads a network, or the address of one host.
func parseNetwork(s string) (netip.Prefix, error) {
	if p, err := netip.ParsePrefix(s); err == nil {
		return p.Masked(), nil
	}
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	return netip.Prefix{}, fmt.Errorf("%q is no network: want ADDRESS/BITS or ADDRESS", s)
}

func (t *extraTLD) UnmarshalText(b []byte) error {
	t.text = string(b)
	return engineError(engine.Options{ExtraTLDs: []string{t.text}})
}

func (t *excludeTLD) UnmarshalText(b []byte) error {
	t.text = string(b)
	return engineError(engine.Options{ExcludeTLDs: []string{t.text}})
}

func (t *schemeText) UnmarshalText(b []byte) error {
	t.text = string(b)
	return engineError(engine.Options{Schemes: []string{t.text}})
}

func engineError(o engine.Options) error {
	if _, err := engine.New(o); err != nil {
		return errors.New(trimPackage(err, "engine"))
	}
	return nil
}

func (t *warningText) UnmarshalText(b []byte) error {
	t.text = string(b)
	if _, err := display.ParseWarnings([]string{t.text}); err != nil {
		return errors.New(trimPackage(err, "display"))
	}
	return nil
}

func (t *domainText) UnmarshalText(b []byte) error {
	t.text = string(b)
	return quoted(t.text, milter.Domains{Only: []string{t.text}}.Check())
}

func quoted(s string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%q: %s", s, trimPackage(err, "milter"))
}

// read reads a configuration file into f.
func (f *milterFlags) read(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("--config %s: %w", shown(name), cause(err))
	}
	return f.parse(name, data)
}

// parse reads a configuration into f. An error names the file, the line and the key.
func (f *milterFlags) parse(name string, data []byte) error {
	m, o := &f.mail, &f.mail.links.options
	config := milterConfig{
		SocketMode: &f.socketMode, SocketGroup: &f.socketGroup, AllowRemote: &f.allowRemote, AllowRoot: &f.allowRoot, Observe: &f.observe,
		LogFormat: word{&f.logFormat, choice("text", "json")}, Metrics: &f.metrics, MaxConnections: &f.maxConnections, MaxMemory: &f.maxMemory,
		StopDelay: interval{&f.stopDelay, true}, Drain: interval{to: &f.drain}, Final: &m.final,
		Links: linkConfig{
			Bare: word{&m.links.bare, choice("all", "www", "none")}, NoEmail: &o.NoEmail, FileNames: &o.FileNames, LocalHosts: &o.LocalHosts,
			MailtoQuery: &o.MailtoQuery, StopAtCJKPunctuation: &o.StopAtCJKPunctuation, Strict: &o.Strict, HTTP: &o.HTTP,
			Order:   word{&m.order, parsed(display.ParseOrder)},
			Isolate: word{&m.isolate, parsed(display.ParseIsolation)},
			Dir:     word{&m.dir, parsed(display.ParseDirection)},
			Plain:   word{&m.plain, choice("leave", "isolate")}, WrapFileNames: &m.wrapFileNames,
		},
		Limits:  limitConfig{Timeout: interval{to: &f.limits.Timeout}},
		Inbound: &f.inbound, Outbound: &f.outbound,
	}
	d := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := d.Decode(&config); err != nil {
		return configError(name, err)
	}
	for _, list := range []struct {
		to   *[]string
		from []string
	}{
		{&f.listen, texts(config.Listen, func(t socketText) string { return t.text })},
		{&f.networks, texts(config.Networks, func(t network) string { return t.text })},
		{&o.ExtraTLDs, texts(config.Links.ExtraTLD, func(t extraTLD) string { return t.text })},
		{&o.ExcludeTLDs, texts(config.Links.ExcludeTLD, func(t excludeTLD) string { return t.text })},
		{&o.Schemes, texts(config.Links.Scheme, func(t schemeText) string { return t.text })},
		{&m.refuse.names, texts(config.Links.Refuse, func(t warningText) string { return t.text })},
	} {
		if list.from != nil {
			*list.to = list.from
		}
	}
	l := &config.Limits
	for _, size := range []struct {
		key   string
		value uint32
	}{{"message", l.Message}, {"part", l.Part}, {"header", l.Header}, {"added", l.Added}} {
		if size.value > maxSize {
			return fmt.Errorf("%s: limits.%s: %d: want at most %d", shown(name), size.key, size.value, maxSize)
		}
	}
	f.limits.MaxMessage, f.limits.MaxPart, f.limits.MaxHeader, f.limits.MaxAdded = int64(l.Message), int64(l.Part), int64(l.Header), int64(l.Added)
	f.limits.MaxDepth, f.limits.MaxParts, f.limits.MaxHeaderLines, f.limits.MaxLinks = int(l.Depth), int(l.Parts), int(l.HeaderLines), int(l.Links)
	return nil
}

// parsed makes a check of a function that reads a value of package display.
func parsed[T any](parse func(string) (T, error)) func(string) error {
	return func(s string) error {
		if _, err := parse(s); err != nil {
			return errors.New(trimPackage(err, "display"))
		}
		return nil
	}
}

// texts returns the strings of a list. One that is empty is not nil: it takes the place of the default.
func texts[T any](list []T, text func(T) string) []string {
	if list == nil {
		return nil
	}
	s := make([]string, 0, len(list))
	for _, t := range list {
		s = append(s, text(t))
	}
	return s
}

// configError says where in a configuration file an error is.
func configError(name string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		e := &unknown.Errors[0]
		line, _ := e.Position()
		return fmt.Errorf("%s:%d: unknown key %s", shown(name), line, shown(strings.Join(e.Key(), ".")))
	}
	var e *toml.DecodeError
	if errors.As(err, &e) {
		line, column := e.Position()
		at := fmt.Sprintf("%s:%d:%d", shown(name), line, column)
		if key := e.Key(); len(key) > 0 {
			at += ": " + shown(strings.Join(key, "."))
		}
		return fmt.Errorf("%s: %s", at, trimPackage(err, "toml"))
	}
	return fmt.Errorf("%s: %s", shown(name), trimPackage(err, "toml"))
}

// setPolicy sets what flags and configuration say about messages.
func (s *settings) setPolicy() error {
	o, err := s.mail.options()
	if err != nil {
		return err
	}
	o.MaxMessage, o.MaxPart, o.MaxDepth, o.MaxParts = s.limits.MaxMessage, s.limits.MaxPart, s.limits.MaxDepth, s.limits.MaxParts
	o.MaxHeader, o.MaxHeaderLines, o.MaxLinks, o.MaxAdded, o.Timeout = s.limits.MaxHeader, s.limits.MaxHeaderLines, s.limits.MaxLinks, s.limits.MaxAdded, s.limits.Timeout
	s.policy = &milter.Policy{Inbound: s.rules(o, s.inbound), Outbound: s.rules(o, s.outbound)}
	for _, n := range s.networks {
		p, err := parseNetwork(n)
		if err != nil {
			return fmt.Errorf("--networks: %w", err)
		}
		s.policy.Networks = append(s.policy.Networks, p)
	}
	if err := s.policy.Check(); err != nil {
		return errors.New(trimPackage(err, "milter"))
	}
	return nil
}

// rules returns what the table of a direction stands for.
func (s *settings) rules(o mailfilter.Options, r ruleConfig) milter.Rules {
	o.RewriteDKIM, o.RewriteLists = r.Signed || s.mail.final, r.Lists || s.mail.final
	o.Observe = r.Observe || s.observe
	domains := func(only, except []domainText) milter.Domains {
		text := func(t domainText) string { return t.text }
		return milter.Domains{Only: texts(only, text), Except: texts(except, text)}
	}
	transports := texts(r.Transports, func(t wordText) string { return t.text })
	if s.mail.final {
		transports = nil
	}
	return milter.Rules{
		Options: o, Off: !r.Rewrite,
		Senders: domains(r.Senders, r.ExceptSenders), Recipients: domains(r.Recipients, r.ExceptRecipients),
		Transports: transports,
	}
}
