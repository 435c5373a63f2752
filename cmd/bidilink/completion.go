// SPDX-License-Identifier: MIT

package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bidilink/bidilink/engine/display"
)

// noFiles are the commands whose arguments are no files.
var noFiles = []string{"format", "milter", "serve", "show", "version"}

// addCompletions adds what shells can know about the values of flags and about arguments to all commands below root. The values of a
// flag are those that its usage names: `all|www|none`.
func addCompletions(root *cobra.Command) {
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			complete := completionOf(f)
			if complete == nil {
				return
			}
			if err := c.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // two for one flag
			}
		})
	}
	for _, name := range noFiles {
		if c, _, err := root.Find([]string{name}); err == nil {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// completionOf returns what completes the value of a flag, or nil if it is a name of a file, or is none.
func completionOf(f *pflag.Flag) cobra.CompletionFunc {
	values, _ := pflag.UnquoteUsage(f)
	switch {
	case f.Name == "refuse":
		return completeList((^display.Warnings(0)).Names())
	case f.Name == "output":
		return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		}
	case f.Name == "config", f.Name == "token-file", f.NoOptDefVal != "":
		return nil
	case strings.Contains(values, "|"):
		return cobra.FixedCompletions(strings.Split(values, "|"), cobra.ShellCompDirectiveNoFileComp)
	}
	return cobra.NoFileCompletions
}

// completeList completes the last item of a list with commas.
func completeList(names []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := toComplete[:strings.LastIndexByte(toComplete, ',')+1]
		var all []cobra.Completion
		for _, name := range names {
			all = append(all, before+name)
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
