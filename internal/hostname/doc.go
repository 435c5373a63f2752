// SPDX-License-Identifier: MIT

// Package hostname answers what the engine needs to know of host names: which characters stand in
// one, whether it is valid under IDNA (UTS #46, nontransitional, with the Bidi rule of RFC 5893), and
// whether it ends in a public suffix.
//
// It is the only package that imports golang.org/x/net/idna, and asks it only about names that its own tables do
// not decide: those with characters that are mapped to others or that may compose, and those with joiners. ASCII names
// and names whose characters stay as they are take no allocation.
//
// The tables are generated from golang.org/x/net/idna and golang.org/x/net/publicsuffix. They have the version of
// Unicode of the Go toolchain that generated them; x/net/idna has that of the toolchain that compiles it ([IDNAVersion]).
package hostname

//go:generate go run gen.go
