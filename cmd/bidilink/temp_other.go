// SPDX-License-Identifier: MIT

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import (
	"io/fs"
	"os"
	"time"
)

const tempsLocked = false

func lockTemp(*os.File) bool { return true }

// abandoned reports whether a temporary file is so old that no program writes it any more.
func abandoned(_ *os.File, info fs.FileInfo) bool { return time.Since(info.ModTime()) > time.Hour }
