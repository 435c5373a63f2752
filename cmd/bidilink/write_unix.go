// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openFlags keep a named pipe that has taken the place of a file from blocking.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK

// hardLinks returns how many names a file has.
func hardLinks(_ *os.File, info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// keep gives f the owner, mode and attributes of the file at path.
func keep(f *os.File, path string, old fs.FileInfo) error {
	if st, ok := old.Sys().(*syscall.Stat_t); ok {
		uid, gid := int(st.Uid), int(st.Gid)
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if own, ok := info.Sys().(*syscall.Stat_t); ok && (int(own.Uid) != uid || int(own.Gid) != gid) {
			if err := f.Chown(uid, gid); err != nil {
				return fmt.Errorf("its owner cannot be kept: %w", cause(err))
			}
		}
	}
	if err := f.Chmod(old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
		return err
	}
	return keepAttributes(f, path)
}
