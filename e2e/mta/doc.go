// SPDX-License-Identifier: MIT

// Package mta runs mail servers in a folder of their own, on free ports of the loopback interface, talks SMTP with them, and reads
// what they deliver, byte for byte. Servers end with the program that began them, however it ends.
//
// It is for Linux, with the packages of Debian, and has to run as root, since Postfix does.
package mta
