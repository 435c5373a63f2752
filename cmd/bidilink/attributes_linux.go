// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// accessList is the attribute that holds the access list of a file.
const accessList = "system.posix_acl_access"

// keepAttributes gives f the extended attributes of the file src: its access list, and what users have set. What only the system may
// set it has set by itself. The mode is to be set afterwards.
func keepAttributes(f, src *os.File) error {
	from := int(src.Fd())
	// The folder may have given f a list that lets in others.
	if err := unix.Fremovexattr(int(f.Fd()), accessList); err != nil && !errors.Is(err, unix.ENODATA) && !errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("the access list of its folder cannot be taken off: %w", err)
	}
	names, err := attribute(func(b []byte) (int, error) { return unix.Flistxattr(from, b) })
	if errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("its attributes cannot be read: %w", err)
	}
	for name := range strings.SplitSeq(string(names), "\x00") {
		if name != accessList && !strings.HasPrefix(name, "user.") {
			continue
		}
		value, err := attribute(func(b []byte) (int, error) { return unix.Fgetxattr(from, name, b) })
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
