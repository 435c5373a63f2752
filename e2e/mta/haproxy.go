// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A Backend is where a milter is, and its health: "127.0.0.1:10027" or the path of a socket, and 9127.
type Backend struct {
	Address string
	Health  int // the port of --metrics
}

var (
	bindLine   = regexp.MustCompile(`(?m)^    bind .*$`)
	serverLine = regexp.MustCompile(`(?m)^    server .*\n`)
)

// StartHAProxy starts HAProxy with a configuration that is that of a file, such as haproxy.cfg of examples/postfix, but for the socket and the servers. It returns the
// address of the socket, which is made in dir, as Postfix wants it.
func StartHAProxy(dir, file string, backends []Backend) (*Process, string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	config := string(data)
	if len(bindLine.FindAllString(config, -1)) != 1 || len(serverLine.FindAllString(config, -1)) < 2 {
		return nil, "", fmt.Errorf("%s: want one line with bind, and two or more with server", file)
	}
	socket := filepath.Join(dir, "haproxy.sock")
	config = bindLine.ReplaceAllLiteralString(config, "    bind unix@"+socket+" mode 666")
	config = serverLine.ReplaceAllLiteralString(config, "")
	for i, b := range backends {
		address := b.Address
		if filepath.IsAbs(address) {
			address = "unix@" + address + " addr 127.0.0.1" // for its health
		}
		config += fmt.Sprintf("    server s%d %s port %d\n", i, address, b.Health)
	}
	name := filepath.Join(dir, "haproxy.cfg")
	if err := os.WriteFile(name, []byte(config), 0o644); err != nil {
		return nil, "", err
	}
	p, err := Start(0, "haproxy", "-db", "-f", name)
	if err != nil {
		return nil, "", err
	}
	if err := p.Listening(socket); err != nil {
		p.Stop()
		return nil, "", err
	}
	if out := p.Output(); strings.Contains(out, "[WARNING]") || strings.Contains(out, "[ALERT]") {
		p.Stop()
		return nil, "", fmt.Errorf("haproxy: %s", out)
	}
	return p, "unix:" + socket, nil
}
