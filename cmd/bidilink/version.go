// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/hostname"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print our version, and those of Unicode and of the public suffix list",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(c.OutOrStdout(), "bidilink %s\nUTS #58 %s\nIDNA: Unicode %s\npublic suffix list: %s\n",
				ourVersion(), engine.UnicodeVersion, hostname.IDNAVersion, hostname.PSLVersion)
			return err
		},
	}
}

// ourVersion returns the version that the program was built from.
func ourVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
