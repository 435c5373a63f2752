// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/htmlwalk"
)

// stdinName is the name of standard input, as an argument and in messages and results.
const stdinName = "-"

// eachFile reads the files, standard input if there are none, and gives each to do, which returns what to write for it.
// A file in error is reported, and nothing is written for it; the others are still processed.
func eachFile(c *cobra.Command, files []string, do func(name string, data []byte) ([]byte, error)) error {
	if len(files) == 0 {
		files = []string{stdinName}
	}
	failed := false
	for _, name := range files {
		data, err := readFile(c, name)
		var out []byte
		if err == nil {
			out, err = do(name, data)
		}
		if err != nil {
			report(c, name, err)
			failed = true
			continue
		}
		if len(out) == 0 {
			continue
		}
		if _, err := c.OutOrStdout().Write(out); err != nil {
			return fmt.Errorf("standard output: %w", cause(err))
		}
	}
	if failed {
		return errReported
	}
	return nil
}

func readFile(c *cobra.Command, name string) ([]byte, error) {
	if name == stdinName {
		return io.ReadAll(c.InOrStdin())
	}
	// Opening a named pipe to look at it would take its data: what it is, the name tells.
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, errors.New("is a directory")
	}
	return os.ReadFile(name)
}

// checkText refuses what is not text in UTF-8 or an encoding that extends ASCII, in the words of package htmlwalk.
func checkText(data []byte) error {
	for _, b := range []struct{ mark, name string }{
		{"\xff\xfe\x00\x00", "UTF-32"}, {"\x00\x00\xfe\xff", "UTF-32"}, {"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(data, []byte(b.mark)) {
			return fmt.Errorf("%s: a byte order mark of %s", trimPackage(htmlwalk.ErrEncoding, "htmlwalk"), b.name)
		}
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return fmt.Errorf("%s: a NUL byte at offset %d", trimPackage(htmlwalk.ErrBinary, "htmlwalk"), i)
	}
	return nil
}

// trimPackage takes the name of the package off the message of one of our packages.
func trimPackage(err error, name string) string { return strings.TrimPrefix(err.Error(), name+": ") }
