// SPDX-License-Identifier: MIT

//go:build unix && !(386 || arm || mips || mipsle)

package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// listenUnix opens a Unix socket. It is made under another name, with no access for anybody, and gets its own one when group and mode are right: so nobody connects who may not,
// and nobody who may is turned away. A socket that is there already is replaced if nobody listens on it.
func listenUnix(path string, access socketAccess) (net.Listener, error) {
	if err := stale(path); err != nil {
		return nil, err
	}
	temp := filepath.Join(filepath.Dir(path), "."+rand.Text()[:6])
	umask := syscall.Umask(0o777)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: temp, Net: "unix"})
	syscall.Umask(umask)
	if err != nil {
		var call *os.SyscallError
		if errors.As(err, &call) {
			err = call
		}
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	var info fs.FileInfo
	if access.group >= 0 {
		err = os.Lchown(temp, -1, access.group)
	}
	if err == nil {
		err = os.Chmod(temp, fs.FileMode(access.mode))
	}
	if err == nil {
		info, err = os.Lstat(temp)
	}
	if err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		l.Close()
		os.Remove(temp)
		return nil, cause(err)
	}
	return &unixListener{UnixListener: l, path: path, info: info}, nil
}

// stale returns an error if something else than a socket that nobody listens on has the path.
func stale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return cause(err)
	}
	if info.Mode().Type() != fs.ModeSocket {
		return errors.New("there is a file with this name, which is no socket")
	}
	c, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		c.Close()
		return errors.New("another process listens on it")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		var call *os.SyscallError
		if errors.As(err, &call) {
			err = call.Err
		}
		return fmt.Errorf("whether another process listens on it is not known: %w", err)
	}
	return nil
}

// A unixListener removes its socket when it is closed, unless another one has taken its place.
type unixListener struct {
	*net.UnixListener
	path string
	info fs.FileInfo
	once sync.Once
}

func (l *unixListener) Close() error {
	l.once.Do(func() {
		if now, err := os.Lstat(l.path); err == nil && os.SameFile(now, l.info) {
			os.Remove(l.path)
		}
	})
	return l.UnixListener.Close()
}

// Addr returns the address under which clients find it.
func (l *unixListener) Addr() net.Addr { return &net.UnixAddr{Name: l.path, Net: "unix"} }
