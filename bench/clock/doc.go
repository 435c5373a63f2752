// SPDX-License-Identifier: MIT

// Package clock tells the processor time of the process, where the system does.
package clock
