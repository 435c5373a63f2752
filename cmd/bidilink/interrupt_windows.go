// SPDX-License-Identifier: MIT

package main

import "os"

// dieBy ends the program.
func dieBy(os.Signal) { os.Exit(exitError) }
