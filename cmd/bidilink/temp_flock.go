// SPDX-License-Identifier: MIT

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// tempsLocked says that temporary files are locked while a program writes them, so that it can be told which ones were left behind.
const tempsLocked = true

// lockTemp locks a temporary file that was just created, until it is closed. It reports false if somebody took it for one that was left behind
// before it was locked.
func lockTemp(f *os.File) bool {
	switch syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) {
	case nil:
	case syscall.EWOULDBLOCK:
		return false
	default: // a file system without locks, where nobody else can have one
		return true
	}
	info, err := f.Stat()
	return err == nil && hardLinks(f, info) > 0
}

// abandoned reports whether no program writes a temporary file any more, and keeps it locked until it is closed.
func abandoned(f *os.File, _ fs.FileInfo) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
