// SPDX-License-Identifier: MIT

//go:build !unix && !(386 || arm)

package milter

import (
	"errors"
	"net"
)

// passes reports whether an error of accept passes.
func passes(err error) bool { return !errors.Is(err, net.ErrClosed) }
