// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes gives f the extended attributes of the file at path: its access list, and what users have set. What only the system may
// set it has set by itself.
func keepAttributes(f *os.File, path string) error {
	names, err := attribute(func(b []byte) (int, error) { return unix.Listxattr(path, b) })
	if errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("its attributes cannot be read: %w", err)
	}
	for name := range strings.SplitSeq(string(names), "\x00") {
		if name != "system.posix_acl_access" && !strings.HasPrefix(name, "user.") {
			continue
		}
		value, err := attribute(func(b []byte) (int, error) { return unix.Getxattr(path, name, b) })
		if err == nil {
			err = unix.Fsetxattr(int(f.Fd()), name, value, 0)
		}
		if err != nil {
			return fmt.Errorf("its attribute %s cannot be kept: %w", name, err)
		}
	}
	return nil
}

// attribute reads something whose length is not known.
func attribute(read func([]byte) (int, error)) ([]byte, error) {
	for {
		n, err := read(nil)
		if n == 0 || err != nil {
			return nil, err
		}
		b := make([]byte, n)
		n, err = read(b)
		if !errors.Is(err, unix.ERANGE) {
			return b[:max(n, 0)], err
		}
	}
}
