// SPDX-License-Identifier: MIT

// Package e2e tests bidilink with the programs that it works with: Postfix, OpenDKIM, miltertest, Dovecot's Sieve, procmail, maildrop, HAProxy. It has no code of
// its own; package mta runs the servers.
//
//	sudo apt-get install postfix opendkim miltertest dovecot-core dovecot-sieve procmail maildrop haproxy
//	sudo env BIDILINK_MTA=1 go test -v ./...
//
// The tests have to run as root, on Linux, since Postfix does. They use nothing of the system's mail service: configurations, queues and mailboxes
// are in a temporary folder, ports are free ones of the loopback interface, and all processes end with the tests. Without BIDILINK_MTA=1 they
// skip; with it, a missing program is a failure.
//
//	BIDILINK_MTA_MESSAGES=30000   messages of TestSoak, 2000 by default
package e2e
