// SPDX-License-Identifier: MIT

//go:build !(386 || arm)

package main

import (
	"errors"
	"net"
)

// listenUnix opens a Unix socket. Windows has no modes and groups.
func listenUnix(path string, access socketAccess) (net.Listener, error) {
	if access.group >= 0 {
		return nil, errors.New("Windows has no groups of sockets")
	}
	return net.Listen("unix", path)
}
