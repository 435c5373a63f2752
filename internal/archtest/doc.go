// SPDX-License-Identifier: MIT

// Package archtest has no code. Its test holds the directions in which the packages of this module may import each other.
package archtest
