// SPDX-License-Identifier: MIT

// Newsletter makes a letter of a folder with Markdown in it: a message with a text and an HTML half, with the links of bidilink.
//
//	newsletter [-o FILE] FOLDER                          writes the message, to standard output or a file
//	newsletter -smtp HOST:PORT -to ADDRESS[,…] FOLDER    sends it, a message for each reader
//
// FOLDER/letter.md begins with lines "key: value" between two lines of "---": subject, from, lang and dir (ltr or rtl); and, if wanted,
// list-unsubscribe, unsubscribe, footer, preview, campaign and date.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/mail"
	"os"
	"os/signal"
	"strconv"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// server says how letters are sent.
type server struct {
	address, tls, user, password string
	roots                        *x509.CertPool // who may vouch for it; nil: whom the system trusts
}

// implicit is the value of -tls for servers that begin with TLS (RFC 8314), on implicitPort.
const (
	implicit     = "implicit"
	implicitPort = 465
)

// policies are the other values of -tls.
var policies = map[string]gomail.TLSPolicy{"mandatory": gomail.TLSMandatory, "opportunistic": gomail.TLSOpportunistic, "none": gomail.NoTLS}

// client returns what sends to a server.
func (s server) client() (*gomail.Client, error) {
	host, service, err := net.SplitHostPort(s.address)
	if err != nil {
		return nil, fmt.Errorf("-smtp %s: want HOST:PORT", s.address)
	}
	port, err := strconv.Atoi(service)
	if err != nil || port < 1 || port > 65535 {
		return nil, fmt.Errorf("-smtp %s: port %q: want 1 to 65535", s.address, service)
	}
	options := []gomail.Option{gomail.WithPort(port), gomail.WithTimeout(time.Minute), gomail.WithTLSConfig(&tls.Config{ServerName: host, RootCAs: s.roots, MinVersion: tls.VersionTLS12})}
	policy, ok := policies[s.tls]
	switch {
	case s.tls == implicit || s.tls == "" && port == implicitPort:
		options = append(options, gomail.WithSSL())
	case s.tls == "":
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case ok:
		options = append(options, gomail.WithTLSPolicy(policy))
	default:
		return nil, fmt.Errorf("-tls %s: want mandatory, opportunistic, none or implicit", s.tls)
	}
	if s.user != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.user), gomail.WithPassword(s.password))
	}
	return gomail.NewClient(host, options...)
}

// send sends a letter to each of the readers.
func (s server) send(ctx context.Context, l *letter, readers []*mail.Address) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	var messages []*gomail.Msg
	for _, to := range readers {
		m, err := l.message(to.String())
		if err != nil {
			return err
		}
		messages = append(messages, m)
	}
	if err := client.DialAndSendWithContext(ctx, messages...); err != nil {
		return fmt.Errorf("%s: %w", s.address, err)
	}
	return nil
}

// run is the command.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("newsletter", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: newsletter [-o FILE] [-to ADDRESS] FOLDER\n       newsletter -smtp HOST:PORT -to ADDRESS[,ADDRESS...] [-tls POLICY] [-user NAME] FOLDER\n")
		flags.PrintDefaults()
	}
	var s server
	out := flags.String("o", "", "`file` that the message is written to (default standard output)")
	to := flags.String("to", "", "`addresses` of the readers, with commas between them; each gets a message")
	flags.StringVar(&s.address, "smtp", "", "send to this server, `host:port`")
	flags.StringVar(&s.tls, "tls", "", "whether the server must have STARTTLS: mandatory, opportunistic or none; or implicit, if it begins with TLS (default mandatory, and implicit on port 465)")
	flags.StringVar(&s.user, "user", "", "`name` for the server; the password is in NEWSLETTER_PASSWORD")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return errors.New("want one folder")
	}
	s.password = getenv("NEWSLETTER_PASSWORD")
	var readers []*mail.Address
	if *to != "" {
		var err error
		if readers, err = mail.ParseAddressList(*to); err != nil {
			return fmt.Errorf("-to %s: %w", *to, err)
		}
	}
	l, err := read(flags.Arg(0))
	if err != nil {
		return err
	}
	if s.address != "" {
		if len(readers) == 0 || *out != "" {
			return errors.New("-smtp: want readers (-to), and no -o")
		}
		return s.send(ctx, l, readers)
	}
	if len(readers) > 1 {
		return errors.New("-to: a message that is not sent is for one reader at most")
	}
	reader := ""
	if len(readers) > 0 {
		reader = readers[0].String()
	}
	m, err := l.message(reader)
	if err != nil {
		return err
	}
	var data bytes.Buffer
	if _, err := m.WriteTo(&data); err != nil {
		return err
	}
	if *out == "" {
		_, err = stdout.Write(data.Bytes())
		return err
	}
	return os.WriteFile(*out, data.Bytes(), 0o666)
}

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		log.Fatal("newsletter: ", err)
	}
}
