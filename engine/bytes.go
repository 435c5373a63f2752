// SPDX-License-Identifier: MIT

package engine

import "unsafe"

// bytesView returns b as a string without copying it, so that strings and bytes share one body.
// The string is never kept beyond the call that made it, and the caller promises that b does not change.
func bytesView(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// view returns the bytes of text without copying them. They are only read.
func view(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }
