// SPDX-License-Identifier: MIT

//go:build !unix

package main

import "time"

var start = time.Now()

// clock returns the time since the program began.
func clock() time.Duration { return time.Since(start) }
