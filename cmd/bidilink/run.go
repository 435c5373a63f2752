// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitDone  = 0
	exitFound = 1
	exitError = 2
)

// errReported ends a command whose errors were all written to stderr already.
var errReported = errors.New("errors were reported")

// errFound ends a command whose --check has found something.
var errFound = errors.New("something would change")

// rootCommand returns the program as a tree of commands.
func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "bidilink",
		Short: "Find links in text, and make them in HTML and mail",
		Long: `bidilink finds URLs, IRIs and e-mail addresses in text, as Unicode UTS #58 says, and makes links of them in HTML and mail,
where those with right-to-left characters are wrapped so that they read in one order everywhere.

Without a file, or for the file "-", the commands read standard input.

Exit status: 0 done, 1 --check found something to change, 2 an error (a message on standard error names the file and the cause; other files are still
processed, and nothing of the file in error is written).`,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, args []string) error { return c.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(linksCommand(), textCommand(), htmlCommand(), mdCommand(), mailCommand(), milterCommand(), formatCommand(), showCommand(), serveCommand(), versionCommand())
	addCompletions(root)
	return root
}

// run is the program without its process: it returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	failed := exitError
	if tempFails(args) {
		failed = exitTempFail
	}
	var code exitCode
	switch err := root.Execute(); {
	case errors.As(err, &code):
		return int(code)
	case err == nil, brokenPipe(err):
		return exitDone
	case errors.Is(err, errFound):
		return exitFound
	case errors.Is(err, errReported):
		return failed
	default:
		fmt.Fprintln(stderr, "bidilink:", err)
		return failed
	}
}

// noCommand refuses what is no command.
func noCommand(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown command %q; see bidilink --help", args[0])
	}
	return nil
}

// brokenPipe reports whether nobody reads our output any more, which is nobody's error: bidilink links x | head.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// report writes a message about a file.
func report(c *cobra.Command, file string, err error) {
	fmt.Fprintf(c.ErrOrStderr(), "bidilink: %s: %v\n", shown(file), cause(err))
}

// shown returns the name of a file for a message: in quotes, as a string of Go, if it is empty, begins with a quote, or has bytes that are
// not UTF-8 or characters that a terminal does not show as they are. No two names are shown alike.
func shown(file string) string {
	if file == "" || file[0] == '"' || strings.ContainsFunc(file, notShown) {
		return strconv.Quote(file)
	}
	return file
}

// notShown reports whether a terminal does not show a character as it is, or it stands for a byte that is not UTF-8.
func notShown(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// cause returns what went wrong with a file, without its name and the system call.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
