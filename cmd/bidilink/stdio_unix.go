// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// notOpen reports whether standard input or output was closed when the program began. The runtime of Go opens the null device in its place, for
// reading and writing, and then nothing fails: a shell opens it for one of them, as in >/dev/null, which is left to the user.
func notOpen(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	c, err := f.SyscallConn()
	if err != nil {
		return true
	}
	both := false
	err = c.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		both = err != nil || flags&unix.O_ACCMODE == unix.O_RDWR
	})
	return both || err != nil
}
