// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
)

func formatCommand() *cobra.Command {
	var href bool
	c := &cobra.Command{
		Use:   "format [--href] URL...",
		Short: "Write URLs as people read them, or as ASCII",
		Long: `format writes each URL or e-mail address on a line of its own as people read it: with as few escapes as UTS #58 allows, and
its host in Unicode. The result is found whole as a link again.

With --href it writes what belongs into an href: ASCII, with A-labels and percent-encoding.`,
		Example: `  bidilink format https://hi.wikipedia.org/wiki/%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80
  bidilink format --href http://пример.рф/путь`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var out bytes.Buffer
			failed := false
			for _, arg := range args {
				s, err := format(arg, href)
				if err != nil {
					report(c, arg, err)
					failed = true
					continue
				}
				fmt.Fprintln(&out, s)
			}
			if _, err := c.OutOrStdout().Write(out.Bytes()); err != nil {
				return fmt.Errorf("standard output: %w", cause(err))
			}
			if failed {
				return errReported
			}
			return nil
		},
	}
	c.Flags().BoolVar(&href, "href", false, "write the ASCII form for an href")
	return c
}

// format returns the readable form of a URL or an address, or its href.
func format(arg string, href bool) (string, error) {
	if href {
		h, err := engine.Href(arg)
		if err != nil {
			return "", errors.New(trimPackage(err, "engine"))
		}
		return h, nil
	}
	if _, err := engine.FormatURL(arg); err != nil {
		return "", errors.New("not a URL")
	}
	return engine.Readable(arg), nil
}
