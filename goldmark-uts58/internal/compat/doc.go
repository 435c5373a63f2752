// SPDX-License-Identifier: MIT

// Package compat has no code. Its test runs the extension side by side with extensions from outside goldmark. It is a module of its own, so that these
// never become dependencies of bidilink.
package compat
