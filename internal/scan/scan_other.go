// SPDX-License-Identifier: MIT

//go:build !amd64 || purego

package scan

// Fast reports whether the functions of this package may be called.
const Fast = false

func Triggers(b []byte, i int) (block int, hits uint64) { panic("scan: not for this processor") }

func Host(b []byte, i int) (part, dots, hyphens uint64) { panic("scan: not for this processor") }
