// SPDX-License-Identifier: MIT

//go:build unix && !(386 || arm || mips || mipsle)

package milter

import (
	"errors"
	"syscall"
)

// passes reports whether an error of accept passes: the client is gone again, or resources are short (accept(2)).
func passes(err error) bool {
	for _, e := range []error{syscall.ECONNABORTED, syscall.ECONNRESET, syscall.EINTR, syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EPROTO} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
