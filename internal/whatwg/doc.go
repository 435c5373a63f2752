// SPDX-License-Identifier: MIT

// Package whatwg holds the tests that compare what the engine writes with parsers of the WHATWG URL Standard: a Go
// implementation, and Node's. It is a module of its own, so that nothing of theirs reaches ours.
package whatwg
