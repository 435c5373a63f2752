// SPDX-License-Identifier: MIT

// Command bidilink finds links in text and makes them in HTML. See bidilink --help.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
