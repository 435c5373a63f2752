// SPDX-License-Identifier: MIT

package milter

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/mailfilter"
)

// A Direction says whether a message may travel on.
type Direction uint8

const (
	Inbound  Direction = iota // from elsewhere, and for mailboxes that are here
	Outbound                  // from an authenticated client, from one of our networks, or from nobody knows where
)

// String returns "inbound" or "outbound".
func (d Direction) String() string {
	switch d {
	case Inbound:
		return "inbound"
	case Outbound:
		return "outbound"
	}
	return fmt.Sprintf("Direction(%d)", uint8(d))
}

// A Policy says which messages are changed, and how. The zero value takes all for mail from elsewhere, but for that of authenticated clients and
// of clients without an address, and leaves what is signed alone.
type Policy struct {
	// Networks are ours, as mynetworks of Postfix: mail of clients in them is Outbound. Default: none.
	Networks []netip.Prefix

	Inbound, Outbound Rules // by direction
}

// Rules are the policy for one direction.
type Rules struct {
	// Options are those of mailfilter. Timeout is at most 24 h. Default: its documented profile.
	Options mailfilter.Options

	// Off leaves all messages alone. Default: they are changed.
	Off bool

	// Senders are the domains of the envelope sender. The empty sender of bounces has the domain "". Default: all.
	Senders Domains

	// Recipients are the domains of the envelope recipients. A message has one body for all of them: it is changed only if
	// it may be for each. Default: all.
	Recipients Domains

	// Transports are those that deliver into mailboxes here, as the MTA names them in {rcpt_mailer}, the delivery agent of a recipient. If it names another for a
	// recipient, the message may travel on, and is left alone if it is signed, whatever Options.RewriteDKIM says. Where it names none, nothing is
	// known. Case does not matter. Default: any.
	Transports []string
}

// Domains are a set of domains. A pattern is a domain; or "." and a domain, which stands for all that are below it. Case does not matter, and A-labels are
// the same as U-labels.
type Domains struct {
	Only   []string // if not empty, nothing else is in the set
	Except []string // are not in the set
}

// Check reports what is wrong with a pattern, if anything.
func (d Domains) Check() error {
	_, err := d.compile()
	return err
}

// Check reports what is wrong with a policy, if anything.
func (p *Policy) Check() error {
	_, err := p.compile()
	return err
}

// rules are Rules that are ready for use.
type rules struct {
	Rules
	senders, recipients domains
}

// policy is a Policy that is ready for use. It does not change.
type policy struct {
	networks []netip.Prefix
	by       [2]rules // by Direction
}

// delivers reports whether a transport delivers into a mailbox here, as far as that is known.
func (r *Rules) delivers(transport string) bool {
	return transport == "" || len(r.Transports) == 0 || slices.ContainsFunc(r.Transports, func(t string) bool { return strings.EqualFold(t, transport) })
}

// maxTime is the longest time in options, so that sums of several are right.
const maxTime = 24 * time.Hour

func (p *Policy) compile() (*policy, error) {
	c := &policy{}
	for _, n := range p.Networks {
		if !n.IsValid() {
			return nil, fmt.Errorf("milter: a network that is not valid")
		}
		c.networks = append(c.networks, n.Masked())
	}
	for d, r := range [...]*Rules{Inbound: &p.Inbound, Outbound: &p.Outbound} {
		if err := r.Options.Check(); err != nil {
			return nil, fmt.Errorf("milter: %v: %w", Direction(d), err)
		}
		if r.Options.Timeout > maxTime {
			return nil, fmt.Errorf("milter: %v: Timeout is longer than %v", Direction(d), maxTime)
		}
		to := &c.by[d]
		to.Rules = *r
		to.Transports = slices.Clone(r.Transports)
		for _, set := range []struct {
			name string
			from Domains
			to   *domains
		}{{"senders", r.Senders, &to.senders}, {"recipients", r.Recipients, &to.recipients}} {
			var err error
			if *set.to, err = set.from.compile(); err != nil {
				return nil, fmt.Errorf("milter: %v %s: %w", Direction(d), set.name, err)
			}
		}
	}
	return c, nil
}

// direction returns that of a message. Where the client is not known, it is the careful one.
func (p *policy) direction(client netip.Addr, authenticated bool) Direction {
	if authenticated || !client.IsValid() {
		return Outbound
	}
	client = client.Unmap().WithZone("")
	if slices.ContainsFunc(p.networks, func(n netip.Prefix) bool { return n.Contains(client) }) {
		return Outbound
	}
	return Inbound
}

// domains are Domains in lower case and A-labels.
type domains struct {
	only, except map[string]bool // with the dot of those that stand for what is below
}

func (d Domains) compile() (domains, error) {
	var c domains
	for _, set := range []struct {
		from []string
		to   *map[string]bool
	}{{d.Only, &c.only}, {d.Except, &c.except}} {
		for _, pattern := range set.from {
			name, below := strings.CutPrefix(pattern, ".")
			if sub, ok := strings.CutPrefix(pattern, "*."); ok {
				return c, fmt.Errorf("not a domain, or . and a domain: want \".%s\" for what is below %s", sub, sub)
			}
			if len(pattern) > 255 || name == "" && below || name != "" && !labels(name) {
				return c, errors.New("not a domain, or . and a domain")
			}
			name = canonical(name)
			if below {
				name = "." + name
			}
			if *set.to == nil {
				*set.to = map[string]bool{}
			}
			(*set.to)[name] = true
		}
	}
	return c, nil
}

// labels reports whether a name is one or more labels with a dot between them, in which nothing is that no domain has.
func labels(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" {
			return false
		}
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("*@,;/\\\"'<>()", r) })
}

// canonical returns a domain in lower case and with A-labels, if it is one.
func canonical(domain string) string {
	if a, ok := hostname.AppendASCII(nil, domain); ok {
		return string(a)
	}
	return strings.ToLower(domain)
}

// has reports whether the domain of an address is in the set.
func (d *domains) has(address string) bool {
	if len(d.only) == 0 && len(d.except) == 0 {
		return true
	}
	domain := ""
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		domain = canonical(strings.TrimSuffix(address[i+1:], "."))
	}
	return (len(d.only) == 0 || matches(d.only, domain)) && !matches(d.except, domain)
}

// matches reports whether one of the patterns stands for a domain.
func matches(patterns map[string]bool, domain string) bool {
	if patterns[domain] {
		return true
	}
	for {
		i := strings.IndexByte(domain, '.')
		if i < 0 {
			return false
		}
		if patterns[domain[i:]] {
			return true
		}
		domain = domain[i+1:]
	}
}
