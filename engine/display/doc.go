// SPDX-License-Identifier: MIT

// Package display is about the order in which the characters of a link are seen.
//
//	if display.RightToLeft(text[l.Start:l.End]) {
//		// The link needs a left-to-right isolate, or its parts change places.
//	}
//
// So far it only tells the links whose display depends on the bidirectional algorithm (UAX #9) from the
// others. Fields, orders, mark-up and warnings follow in later versions.
//
// The bidi classes are those of golang.org/x/text/unicode/bidi, whose version of Unicode follows the Go
// toolchain.
package display
