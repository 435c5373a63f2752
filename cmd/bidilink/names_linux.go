// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// direntName is where the name begins in what getdents64(2) returns: after inode and offset, 8 bytes each, the length (2), and the type (1).
const direntName = 19

// readNames gives the names in a folder, and what kind of files they have. A name is valid until each returns. [os.File.ReadDir] would ask about each file of a
// folder in an [os.Root], and leave garbage for each name.
func readNames(dir *os.Root, each func(name []byte, mode fs.FileMode)) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := unix.ReadDirent(int(d.Fd()), buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if n <= 0 || err != nil {
			return err
		}
		for b := buf[:n]; len(b) > direntName; {
			length := int(binary.NativeEndian.Uint16(b[16:]))
			if length <= direntName || length > len(b) {
				return unix.EIO
			}
			name, kind := b[direntName:length], b[18]
			if end := bytes.IndexByte(name, 0); end >= 0 {
				name = name[:end]
			}
			b = b[length:]
			if s := string(name); s == "." || s == ".." {
				continue
			}
			mode := fs.ModeIrregular // [listing.inspect] looks
			switch kind {
			case unix.DT_REG:
				mode = 0
			case unix.DT_DIR:
				mode = fs.ModeDir
			case unix.DT_LNK:
				mode = fs.ModeSymlink
			case unix.DT_UNKNOWN:
				info, err := dir.Lstat(string(name))
				if err != nil {
					continue // it is gone
				}
				mode = info.Mode().Type()
			}
			each(name, mode)
		}
	}
}
