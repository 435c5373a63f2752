// SPDX-License-Identifier: MIT

//go:build linux

package mta

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// A Milter is bidilink milter, or another program that takes --listen. It can be killed and started again at the same address.
type Milter struct {
	program string
	args    []string
	address string // "127.0.0.1:8890", or the path of a socket

	mu sync.Mutex
	p  *Process
}

// StartMilter starts a milter at a free port.
func StartMilter(program string, args ...string) (*Milter, error) {
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	m := &Milter{program: program, args: args, address: fmt.Sprintf("127.0.0.1:%d", port)}
	return m, m.Restart()
}

// StartMilterUnix starts a milter at a Unix socket, which is made in a new folder below dir.
func StartMilterUnix(dir, program string, args ...string) (*Milter, error) {
	dir, err := os.MkdirTemp(dir, "socket-")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, Nobody, Nobody)); err != nil {
		return nil, err
	}
	m := &Milter{program: program, args: args, address: filepath.Join(dir, "milter.sock")}
	return m, m.Restart()
}

// Address returns the address as Postfix wants it.
func (m *Milter) Address() string {
	if filepath.IsAbs(m.address) {
		return "unix:" + m.address
	}
	return "inet:" + m.address
}

// Process returns the process that runs now, or ran last.
func (m *Milter) Process() *Process {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.p
}

// Restart starts the program, which does not run.
func (m *Milter) Restart() error {
	p, err := Start(Nobody, m.program, append([]string{"milter", "--listen", m.Address()}, m.args...)...)
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.p = p
	m.mu.Unlock()
	if err := p.Listening(m.address); err != nil {
		p.Stop()
		return err
	}
	return nil
}
