// SPDX-License-Identifier: MIT

//go:build !unix

package main

import "fmt"

func main() { fmt.Println("site: measures on Unix only") }
