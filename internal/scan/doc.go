// SPDX-License-Identifier: MIT

// Package scan looks at 64 bytes of text at a time and says with one bit for each of them what it may be: the beginning of a link's
// trigger, or a character of a host. The lowest bit is that of the first byte.
//
// It is written for processors that have instructions for it (AVX2 on amd64). [Fast] says whether this one has; if not, nothing else
// here may be called, and the engine uses its own way, which takes eight bytes at a time. Both find the same.
package scan

// Block is the number of bytes that are looked at at once. The assembly has it, and Block+Ahead, as BLOCK and WINDOW.
const Block = 64

// Ahead is the number of bytes after a block that [Triggers] looks at too.
const Ahead = 2
