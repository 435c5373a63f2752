// SPDX-License-Identifier: MIT

//go:build unix

package clock

import (
	"syscall"
	"time"
)

// Now returns the processor time that the process has used: unlike the time of day it does not run on
// while another process has the processor.
func Now() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
