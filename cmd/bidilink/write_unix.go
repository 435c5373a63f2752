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

// An identity says which file it is.
type identity struct{ dev, ino uint64 }

func identityOf(info fs.FileInfo) identity {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return identity{uint64(st.Dev), uint64(st.Ino)}
	}
	return identity{}
}

// of reports whether it is the identity of a file.
func (id identity) of(info fs.FileInfo) bool { return id == identityOf(info) }

// hardLinks returns how many names a file has.
func hardLinks(_ *os.File, info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// ownFile reports whether a file can be one that we have made. The superuser gives them away, to the owners of the pages.
func ownFile(info fs.FileInfo) bool {
	us := os.Geteuid()
	st, ok := info.Sys().(*syscall.Stat_t)
	return us == 0 || ok && int(st.Uid) == us
}

// keep gives f the owner, mode and attributes of the file src, of which old was said.
func keep(f, src *os.File, old fs.FileInfo) error {
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
	if err := keepAttributes(f, src); err != nil {
		return err
	}
	return f.Chmod(old.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky))
}

// setFolderMode sets the permissions of a folder that was made with fewer, as the umask says.
func setFolderMode(dir *os.Root, mode fs.FileMode) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	info, err := d.Stat()
	if err != nil {
		return err
	}
	return d.Chmod(mode.Perm() | info.Mode()&(fs.ModeSetgid|fs.ModeSticky)) // what the folder above gives it
}
