// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
)

// A Key signs mail for example.test, with the selector s1.
type Key struct {
	Signer crypto.Signer
	Record string // for the name s1._domainkey.example.test in the DNS
	File   string // the private key
}

// The domain and the selector of a Key, and the name of its record in the DNS.
const (
	Domain   = "example.test"
	Selector = "s1"
	Name     = Selector + "._domainkey." + Domain
)

// NewKey makes a key, and a file of it in dir.
func NewKey(dir string) (*Key, error) {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	public, err := x509.MarshalPKIXPublicKey(&k.PublicKey)
	if err != nil {
		return nil, err
	}
	key := &Key{Signer: k, Record: "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(public), File: filepath.Join(dir, "s1.private")}
	private := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(k)})
	if err := os.WriteFile(key.File, private, 0o600); err != nil {
		return nil, err
	}
	return key, os.Chown(key.File, Nobody, Nobody)
}

// StartOpenDKIM starts OpenDKIM, which signs (mode "s") or verifies (mode "v") with the key, and returns its address as Postfix wants it.
func StartOpenDKIM(dir, mode string, key *Key) (*Process, string, error) {
	port, err := FreePort()
	if err != nil {
		return nil, "", err
	}
	keys := filepath.Join(dir, "opendkim-keys-"+mode)
	if err := os.WriteFile(keys, []byte(Name+" "+key.Record+"\n"), 0o644); err != nil {
		return nil, "", err
	}
	conf := fmt.Sprintf("Syslog no\nMode %s\nDomain %s\nSelector %s\nKeyFile %s\nSocket inet:%d@127.0.0.1\nCanonicalization simple/simple\nRequireSafeKeys no\nAlwaysAddARHeader yes\n",
		mode, Domain, Selector, key.File, port)
	if mode == "v" {
		// Mail from here is mail from elsewhere.
		conf += "TestPublicKeys " + keys + "\nInternalHosts 192.0.2.1\nAuthservID mx.example.test\n"
	} else {
		conf += "InternalHosts 127.0.0.1\n"
	}
	file := filepath.Join(dir, "opendkim-"+mode+".conf")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		return nil, "", err
	}
	p, err := Start(Nobody, "opendkim", "-f", "-x", file)
	if err != nil {
		return nil, "", err
	}
	address := fmt.Sprintf("127.0.0.1:%d", port)
	if err := p.Listening(address); err != nil {
		p.Stop()
		return nil, "", err
	}
	return p, "inet:" + address, nil
}
