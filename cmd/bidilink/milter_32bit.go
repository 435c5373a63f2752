// SPDX-License-Identifier: MIT

//go:build 386 || arm || mips || mipsle

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

// milterCommand returns a command that says that it is not there: the protocol library, go-milter 0.10.2, does not compile where an int has 32 bits.
func milterCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "milter",
		Short:              "Make the links of mail as it arrives (not in this program, which is for machines of 32 bits)",
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("milter: not in a program for machines of 32 bits")
		},
	}
}
