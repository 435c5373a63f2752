// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// lockFile takes the lock of fcntl on the whole of a file, which ends when the process closes any descriptor of it. It does not wait.
func lockFile(f *os.File) error {
	err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart})
	switch {
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EAGAIN):
		return errors.New("is locked by another program")
	case err != nil:
		return fmt.Errorf("cannot be locked: %w", err)
	}
	return nil
}
