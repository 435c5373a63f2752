// SPDX-License-Identifier: MIT

package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestCompletion asks what a shell asks.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string // the lines, the last of which is the directive: 4 no files, 0 files, 16 folders, 2 no space
	}{
		{[]string{"html", "--order", ""}, "constant embedding environment content tld :4"},
		{[]string{"html", "--order", "e"}, "constant embedding environment content tld :4"}, // the shell takes those that fit
		{[]string{"links", "--bare="}, "all www none :4"},
		{[]string{"mail", "--isolate", ""}, "auto bidi all none :4"},
		{[]string{"md", "--profile", ""}, "web mail :4"},
		{[]string{"text", "--marks", ""}, "none isolate embedding lrm :4"},
		{[]string{"text", "--dir", ""}, "ltr rtl :4"},
		{[]string{"links", "--refuse", "control,sc"}, "control,control control,invisible control,mixed control,edge control,other-classes control,digits control,crossing control,scripts control,lookalike :6"},
		{[]string{"html", "-o", ""}, ":16"},
		{[]string{"serve", "--token-file", ""}, ":0"},
		{[]string{"links", "--extra-tld", ""}, ":4"},
		{[]string{"links", ""}, ":0"},
		{[]string{"show", ""}, ":4"},
		{[]string{"ver"}, "version :4"},
	} {
		out, _, code := command("", slices.Concat([]string{"__completeNoDesc"}, c.args)...)
		if got := strings.Join(strings.Fields(out), " "); got != c.want || code != 0 {
			t.Errorf("%q: exit %d, got %q, want %q", c.args, code, got, c.want)
		}
	}
	for shell, want := range map[string]string{"bash": "complete -o default", "zsh": "#compdef bidilink", "fish": "complete -c bidilink", "powershell": "Register-ArgumentCompleter"} {
		if out, errs, code := command("", "completion", shell); code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, stderr %q, no %q in %d bytes", shell, code, errs, want, len(out))
		}
	}
}

// Whatever completes the value of a flag is a value that it takes: the usage names no other.
func TestCompletedValues(t *testing.T) {
	flags := 0
	for _, c := range rootCommand().Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			values, _ := pflag.UnquoteUsage(f)
			if !strings.Contains(values, "|") {
				return
			}
			flags++
			for _, value := range strings.Split(values, "|") {
				stdin := "x"
				args := []string{c.Name(), "--" + f.Name, value}
				switch {
				case c.Name() == "milter":
					args = append(args, "--check-config", "--listen", "inet:127.0.0.1:1", "--allow-root")
				case f.Name == "links":
					args = append(args, "--text")
				case c.Name() == "mail":
					stdin = "Subject: x\n\nx\n"
				}
				if _, errs, code := command(stdin, args...); code != 0 {
					t.Errorf("%q: exit %d, %s", args, code, errs)
				}
			}
		})
	}
	if flags < 20 {
		t.Errorf("only %d flags with values", flags)
	}
}
