// SPDX-License-Identifier: MIT

//go:build amd64 && !purego

package scan

import "golang.org/x/sys/cpu"

// Fast reports whether the functions of this package may be called.
var Fast = cpu.X86.HasAVX2

// Triggers looks at the blocks of b from i on. The last one ends Ahead bytes before the end of b, and begins before i, or in the block before, where
// the length of b asks for it. It looks for
//
//   - a full stop that a byte of "-" or more follows, so no blank, quote or bracket;
//   - the bytes of U+3002, U+FF0E and U+FF61 (E3 80 82, EF BC 8E, EF BD A1);
//   - a slash that "[" follows.
//
// It returns where the first block begins that has one of these, and bits for them; if there is none, where the last one begins, and no bits.
//
// b must have Block+Ahead bytes or more, and i be 0 or more: that is not checked, and memory outside b is read if it is not so. It cannot be
// preempted, so b should be no longer than what is looked at in a fraction of a millisecond.
//
//go:noescape
func Triggers(b []byte, i int) (block int, hits uint64)

// Host looks at the block of b that begins at i. It returns bits for the ASCII letters, digits, hyphens and full stops; for the full
// stops; and for the hyphens.
//
// The block must lie in b: 0 <= i and i+Block <= len(b). That is not checked, and memory outside b is read if it is not so.
//
//go:noescape
func Host(b []byte, i int) (part, dots, hyphens uint64)
