// SPDX-License-Identifier: MIT

// Package milter is the daemon side of package mailfilter: a server for the milter protocol (versions 2 to 6) of Sendmail and Postfix.
//
//	s, err := milter.NewServer(milter.Options{Policy: &milter.Policy{}})
//	l, err := net.Listen("unix", "/run/bidilink/milter.sock")
//	err = s.Serve(l)
//
// The only thing that it asks the MTA for is that it may change the body. Header fields never change, nor does the envelope; no message is refused, discarded, put into
// quarantine, or answered with a temporary error.
//
// # Guarantees
//
// The new body is that of [mailfilter.RewriteMessage] for the message as the MTA gives it: complete and verified before the first byte of it is sent. After any
// error, panic or limit the message is accepted as it is. A new body is one packet, whose end is written with the answer: an MTA that loses the
// connection, because this process is killed, has all of it or nothing. A message whose header says that nothing in it can change is accepted at the end of
// the header, so that its body is not even transferred. A panic ends no more than the work on its message.
//
// Memory is bounded by [Options].MaxConnections and [Options].MaxMemory. While a message waits or is worked on, the MTA is told every second
// that there is progress. Nothing is looked up: there is no DNS, no network and no file.
//
// What packets hold is checked before the protocol library sees them, which ends the process at some that are malformed.
//
// The library does not compile where an int has 32 bits: there, this package has policies, but no server.
package milter
