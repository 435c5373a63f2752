// SPDX-License-Identifier: MIT

//go:build !linux

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// readNames gives the names in a folder, and what kind of files they have. A name is valid until each returns.
func readNames(dir *os.Root, each func(name []byte, mode fs.FileMode)) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(512)
		for _, e := range entries {
			each([]byte(e.Name()), e.Type())
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
