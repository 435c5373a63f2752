// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// A Listener is a port at which Postfix takes mail, 127.0.0.1:Port.
type Listener struct {
	Port    int
	Options []string // of smtpd, as "smtpd_milters=inet:127.0.0.1:8891"
}

// Config says how Postfix is set up. It delivers mail for u@example.test to a Maildir, and takes any from 127.0.0.1.
type Config struct {
	Listeners []Listener // one with a free port if there is none
	Main      []string   // more lines of main.cf
	Master    []string   // more lines of master.cf
	// Namespace shows the configuration at /etc/postfix to Postfix alone, so that its program sendmail takes it, too.
	Namespace bool
	// Hosts is what Postfix has as /etc/hosts, if it is not empty. That needs Namespace.
	Hosts string
}

// Recipient is the address that has a Maildir. What is for Discard is thrown away.
const (
	Recipient = "u@example.test"
	Discard   = "discard@example.test"
)

// Postfix is one that runs.
type Postfix struct {
	*Process
	Dir, Conf, Mailbox string
	Listeners          []Listener
}

const mainCF = `compatibility_level = 3.6
myhostname = mx.example.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
queue_directory = %[1]s/queue
data_directory = %[1]s/data
maillog_file = %[1]s/maillog
maillog_file_prefixes = %[1]s
virtual_mailbox_domains = example.test
virtual_mailbox_base = %[1]s/mail
virtual_mailbox_maps = inline:{ {u@example.test = u/} {discard@example.test = discard/} }
transport_maps = inline:{ {discard@example.test = discard:} }
virtual_mailbox_limit = 0
virtual_minimum_uid = 100
virtual_uid_maps = static:%[2]d
virtual_gid_maps = static:%[2]d
smtpd_relay_restrictions = permit_mynetworks, reject
smtputf8_enable = yes
message_size_limit = 52428800
milter_default_action = accept
`

// The services that Postfix needs to take mail and to deliver it, none of them chrooted.
const masterCF = `pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

// StartPostfix makes a configuration, a queue and a mailbox in dir, and starts Postfix.
func StartPostfix(dir string, c Config) (*Postfix, error) {
	if os.Getuid() != 0 {
		return nil, errors.New("Postfix has to be started by root")
	}
	p := &Postfix{Dir: dir, Conf: filepath.Join(dir, "conf"), Mailbox: filepath.Join(dir, "mail", "u"), Listeners: c.Listeners}
	if len(p.Listeners) == 0 {
		port, err := FreePort()
		if err != nil {
			return nil, err
		}
		p.Listeners = []Listener{{Port: port}}
	}
	owner, err := user.Lookup("postfix")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.Atoi(owner.Uid)
	if err != nil {
		return nil, err
	}
	for _, d := range []struct {
		name string
		uid  int
	}{{dir, 0}, {p.Conf, 0}, {filepath.Join(dir, "queue"), 0}, {filepath.Join(dir, "data"), uid}, {filepath.Dir(p.Mailbox), Nobody}, {p.Mailbox, Nobody}} {
		if err := os.MkdirAll(d.name, 0o755); err != nil {
			return nil, err
		}
		if err := os.Chmod(d.name, 0o755); err != nil { // whatever the umask is
			return nil, err
		}
		if err := os.Chown(d.name, d.uid, -1); err != nil {
			return nil, err
		}
	}
	main := fmt.Sprintf(mainCF, dir, Nobody) + strings.Join(append(c.Main, ""), "\n")
	var master strings.Builder
	for _, l := range p.Listeners {
		fmt.Fprintf(&master, "127.0.0.1:%d inet n - n - - smtpd\n", l.Port)
		for _, o := range l.Options {
			name, value, _ := strings.Cut(o, "=")
			fmt.Fprintf(&master, "  -o { %s = %s }\n", name, value)
		}
	}
	master.WriteString(masterCF + strings.Join(append(c.Master, ""), "\n"))
	for name, content := range map[string]string{"main.cf": main, "master.cf": master.String(), "dynamicmaps.cf": "", "hosts": c.Hosts} {
		if err := os.WriteFile(filepath.Join(p.Conf, name), []byte(content), 0o644); err != nil {
			return nil, err
		}
	}
	daemons, err := exec.Command("postconf", "-h", "daemon_directory").Output()
	if err != nil {
		return nil, fmt.Errorf("postconf: %w", err)
	}
	out, err := exec.Command("postfix", "-c", p.Conf, "check").CombinedOutput() // makes what the queue needs
	if err != nil {
		return nil, fmt.Errorf("postfix check: %w\n%s%s", err, out, p.Log())
	}
	// Not by the script "postfix start", so that it ends with this program.
	daemon := filepath.Join(strings.TrimSpace(string(daemons)), "master")
	if c.Namespace {
		p.Process, err = StartLeashed("unshare", "--mount", "sh", "-c",
			`if [ -s "$1/hosts" ]; then mount --bind "$1/hosts" /etc/hosts || exit; fi; mount --bind "$1" /etc/postfix && exec "$2" -s`, "sh", p.Conf, daemon)
	} else {
		p.Process, err = StartLeashed(daemon, "-c", p.Conf, "-s")
	}
	if err != nil {
		return nil, err
	}
	for _, l := range p.Listeners {
		if err := p.Listening(l.address()); err != nil {
			p.Stop()
			return nil, fmt.Errorf("%w\n%s", err, p.Log())
		}
	}
	return p, nil
}

func (l Listener) address() string { return fmt.Sprintf("127.0.0.1:%d", l.Port) }

// Address returns where the listener with the given index takes mail.
func (p *Postfix) Address(i int) string { return p.Listeners[i].address() }

// Log returns the log.
func (p *Postfix) Log() string {
	data, _ := os.ReadFile(filepath.Join(p.Dir, "maillog"))
	return string(data)
}

// Stop ends Postfix and all that it has started.
func (p *Postfix) Stop() error {
	err := p.Process.Stop()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 128+int(syscall.SIGTERM) || errors.Is(err, exec.ErrWaitDelay) {
		return nil // that is how it ends
	}
	return err
}

// Queue returns how many messages wait to be delivered.
func (p *Postfix) Queue() (n int, err error) {
	for _, q := range []string{"maildrop", "incoming", "active", "deferred", "hold", "corrupt"} {
		err := filepath.WalkDir(filepath.Join(p.Dir, "queue", q), func(_ string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it has moved on
			}
			if err == nil && !e.IsDir() {
				n++
			}
			return err
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// Delivered waits until n messages are in the mailbox and the queue is empty, and returns the names of all of them.
func (p *Postfix) Delivered(n int) ([]string, error) {
	var names []string
	err := Until(fmt.Sprintf("%d messages in the mailbox, and none in the queue", n), func() bool {
		names, _ = filepath.Glob(filepath.Join(p.Mailbox, "new", "*"))
		if len(names) < n {
			return false
		}
		left, err := p.Queue()
		return err == nil && left == 0
	})
	if err != nil {
		return nil, fmt.Errorf("%w: there are %d\n%s", err, len(names), tail(p.Log(), 4000))
	}
	names, err = filepath.Glob(filepath.Join(p.Mailbox, "new", "*")) // again: one may have come twice
	return names, err
}

// tail returns the last n bytes of s.
func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// Take waits for the one message in the mailbox, and takes it out.
func (p *Postfix) Take() ([]byte, error) {
	names, err := p.Delivered(1)
	if err != nil {
		return nil, err
	}
	if len(names) != 1 {
		return nil, fmt.Errorf("%d messages in the mailbox", len(names))
	}
	msg, err := os.ReadFile(names[0])
	if err != nil {
		return nil, err
	}
	return msg, os.Remove(names[0])
}

// trace matches the fields that Postfix puts before a message that it takes and delivers.
var trace = regexp.MustCompile(`^(?:(?:Return-Path|X-Original-To|Delivered-To|Received):.*\n(?:[ \t].*\n)*)+`)

// Sent returns a message that Postfix has delivered as it was sent: without the fields that Postfix puts before it, and with CRLF, as
// mail has it on its way.
func Sent(delivered []byte) []byte {
	return CRLF(delivered[len(trace.Find(delivered)):])
}

// CRLF returns b with CRLF for LF.
func CRLF(b []byte) []byte { return bytes.ReplaceAll(b, []byte{'\n'}, []byte("\r\n")) }
