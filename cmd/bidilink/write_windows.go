// SPDX-License-Identifier: MIT

package main

import (
	"io/fs"
	"os"
	"syscall"
)

const openFlags = os.O_RDONLY

// An identity says which file it is.
type identity struct{ info fs.FileInfo }

func identityOf(info fs.FileInfo) identity { return identity{info} }

// of reports whether it is the identity of a file.
func (id identity) of(info fs.FileInfo) bool { return os.SameFile(id.info, info) }

// hardLinks returns how many names a file has.
func hardLinks(f *os.File, _ fs.FileInfo) uint64 {
	var d syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &d); err != nil {
		return 1
	}
	return uint64(d.NumberOfLinks)
}

// ownFile reports whether a file can be one that we have made. Whose it is, is not looked at here.
func ownFile(fs.FileInfo) bool { return true }

// keep gives f the mode that old says. Its access list is what the folder gives to new files.
func keep(f, _ *os.File, old fs.FileInfo) error {
	return f.Chmod(old.Mode().Perm())
}

// setFolderMode does nothing: folders have access lists.
func setFolderMode(*os.Root, fs.FileMode) error { return nil }
