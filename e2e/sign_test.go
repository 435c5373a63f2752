// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/bidilink/bidilink/e2e/mta"
)

// verify verifies the one DKIM signature of a message.
func verify(t *testing.T, key *mta.Key, msg []byte) error {
	t.Helper()
	found, err := dkim.VerifyWithOptions(bytes.NewReader(msg), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		if name != mta.Name {
			return nil, fmt.Errorf("looked up %s", name)
		}
		return []string{key.Record}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 {
		t.Fatalf("%d signatures, want one:\n%s", len(found), msg)
	}
	return found[0].Err
}

// opendkim starts OpenDKIM until the end of the test.
func opendkim(t *testing.T, mode string, key *mta.Key) string {
	t.Helper()
	p, address, err := mta.StartOpenDKIM(tempDir(t), mode, key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Stop(); err != nil {
			t.Errorf("OpenDKIM: %v\n%s", err, p.Output())
		}
	})
	return address
}

// chains starts Postfix with a listener for each chain of milters.
func chains(t *testing.T, chains ...[]string) *mta.Postfix {
	t.Helper()
	var c mta.Config
	for _, milters := range chains {
		port, err := mta.FreePort()
		if err != nil {
			t.Fatal(err)
		}
		c.Listeners = append(c.Listeners, mta.Listener{Port: port, Options: []string{"smtpd_milters=" + strings.Join(milters, ", ")}})
	}
	return postfix(t, c)
}

// pass sends a message to a listener, and returns what is delivered, with CRLF.
func pass(t *testing.T, p *mta.Postfix, listener int, msg []byte) []byte {
	t.Helper()
	if err := mta.Send(p.Address(listener), "a@example.test", mta.Recipient, msg); err != nil {
		t.Fatal(err)
	}
	got, err := p.Take()
	if err != nil {
		t.Fatal(err)
	}
	return mta.CRLF(got)
}

// Mail that leaves: bidilink before the signer, and the signature is of what is delivered. The other way round, bidilink leaves alone what is
// signed; made to change it nevertheless, it breaks the signature.
func TestSign(t *testing.T) {
	need(t, "postfix", "opendkim")
	key, err := mta.NewKey(tempDir(t))
	if err != nil {
		t.Fatal(err)
	}
	signer, ours, final := opendkim(t, "s", key), milter(t).Address(), milter(t, "--final").Address()
	p := chains(t, []string{ours, signer}, []string{signer, ours}, []string{signer, final})
	before, after := message("sign")
	for i, c := range []struct {
		order, want string
		verifies    bool
	}{
		{"bidilink, OpenDKIM", after, true},
		{"OpenDKIM, bidilink", before, true},
		{"OpenDKIM, bidilink that is told to change signed mail", after, false},
	} {
		got := pass(t, p, i, crlf(before))
		if !bytes.HasSuffix(got, crlf(c.want)) {
			t.Errorf("%s: got %q\nwant, behind more fields, %q", c.order, got, crlf(c.want))
		}
		err := verify(t, key, got)
		t.Logf("%s: signature: %v", c.order, verdict(err))
		if (err == nil) != c.verifies {
			t.Errorf("%s: signature: %v", c.order, verdict(err))
		}
	}
}

func verdict(err error) string {
	if err == nil {
		return "valid"
	}
	return err.Error()
}

// Mail that comes in: the signature is verified before bidilink changes the message.
func TestInbound(t *testing.T) {
	need(t, "postfix", "opendkim")
	key, err := mta.NewKey(tempDir(t))
	if err != nil {
		t.Fatal(err)
	}
	// None of our networks: mail from here is mail from elsewhere.
	verifier, ours := opendkim(t, "v", key), milter(t, "--networks", "192.0.2.0/24").Address()
	p := chains(t, []string{verifier, ours}, []string{ours, verifier})
	before, after := message("inbound")
	sign := func(msg string) []byte {
		var b bytes.Buffer
		if err := dkim.Sign(&b, bytes.NewReader(crlf(msg)), &dkim.SignOptions{Domain: mta.Domain, Selector: mta.Selector, Signer: key.Signer}); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	signed := sign(before)
	if err := verify(t, key, signed); err != nil {
		t.Fatal(err)
	}
	results := regexp.MustCompile(`(?m)^Authentication-Results: mx\.example\.test;\r\n\tdkim=(\w+)`)
	for i, c := range []struct{ order, want string }{
		{"OpenDKIM, bidilink", "pass"},
		{"bidilink, OpenDKIM", "fail"},
	} {
		got := pass(t, p, i, signed)
		if !bytes.HasSuffix(got, crlf(after)) {
			t.Errorf("%s: got %q\nwant, behind more fields, %q", c.order, got, crlf(after))
		}
		found := results.FindSubmatch(got)
		if found == nil {
			t.Fatalf("%s: no Authentication-Results:\n%s", c.order, got)
		}
		t.Logf("%s: dkim=%s", c.order, found[1])
		if string(found[1]) != c.want {
			t.Errorf("%s: dkim=%s, want %s", c.order, found[1], c.want)
		}
	}
}
