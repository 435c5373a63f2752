// SPDX-License-Identifier: MIT

//go:build !unix

package clock

import "time"

var start = time.Now()

// Now returns the time since the program began.
func Now() time.Duration { return time.Since(start) }
