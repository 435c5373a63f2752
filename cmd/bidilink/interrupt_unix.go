// SPDX-License-Identifier: MIT

//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// dieBy ends the program as the signal does that nobody handles, so that a shell sees why.
func dieBy(sig os.Signal) {
	signal.Reset(sig)
	if n, ok := sig.(syscall.Signal); ok && syscall.Kill(os.Getpid(), n) == nil {
		select {}
	}
	os.Exit(exitError)
}
