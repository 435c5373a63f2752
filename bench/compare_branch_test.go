// SPDX-License-Identifier: MIT

//go:build unix

package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompareBranch runs the script in a repository of its own, with a benchstat that only says what it is given.
func TestCompareBranch(t *testing.T) {
	for _, name := range []string{"bash", "git", "realpath"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	script, err := os.ReadFile("compare-branch")
	if err != nil {
		t.Fatal(err)
	}
	top, bin := t.TempDir(), t.TempDir()
	store := func(name, data string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), mode); err != nil {
			t.Fatal(err)
		}
	}
	store(filepath.Join(bin, "go"), "#!/bin/sh\n"+`if [ "$1" != run ]; then exec "`+tool+`" "$@"; fi`+"\n"+`for a; do case $a in *=*.txt) echo "${a%%=*}:"; grep ^Benchmark "${a#*=}";; esac; done`+"\n", 0o755)
	store(filepath.Join(top, "bench/compare-branch"), string(script), 0o755)
	store(filepath.Join(top, "go.mod"), "module example.com/m\n\ngo 1.24\n", 0o644)
	for folder, names := range map[string]string{"engine": "Find Other", "a/x": "A", "b/x": "B"} {
		text := "package x\n\nimport \"testing\"\n"
		for _, name := range strings.Fields(names) {
			text += "\nfunc Benchmark" + name + "(b *testing.B) {}\n"
		}
		store(filepath.Join(top, folder, "x_test.go"), text, 0o644)
	}
	run := func(name string, args ...string) (string, int) {
		t.Helper()
		c := exec.Command(name, args...)
		c.Dir = top
		c.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "GOFLAGS=", "GOWORK=off", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := c.CombinedOutput()
		if c.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), c.ProcessState.ExitCode()
	}
	commit := func() {
		t.Helper()
		run("git", "add", "-A")
		if out, code := run("git", "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "-m", "change"); code != 0 {
			t.Fatal(out)
		}
	}
	run("git", "init", "-q", "-b", "main")
	commit()
	compare := func(args ...string) (string, int) {
		t.Helper()
		return run("bash", append([]string{filepath.Join(top, "bench/compare-branch"), "-n", "1", "-t", "1x"}, args...)...)
	}

	const same = "are the same commit"
	for _, args := range [][]string{nil, {"main", "HEAD"}} {
		if out, code := compare(args...); code != 2 || !strings.Contains(out, same) || strings.Contains(out, "turn 1") {
			t.Errorf("%q: exit %d, %s", args, code, out)
		}
	}
	if out, code := compare("nowhere"); code != 2 || !strings.Contains(out, "no commit nowhere") {
		t.Errorf("no commit: exit %d, %s", code, out)
	}
	if out, code := compare("-p", "engine ./engine/", ".", "HEAD"); code != 0 || !strings.Contains(out, same) || strings.Count(out, "BenchmarkFind") != 2 || strings.Contains(out, "BenchmarkOther") {
		t.Errorf("the files as they are: exit %d, %s", code, out)
	}
	store(filepath.Join(top, "new"), "", 0o644)
	if out, code := compare("-p", "engine", ".", "HEAD"); code != 0 || strings.Contains(out, same) {
		t.Errorf("files that are not committed: exit %d, %s", code, out)
	}
	run("git", "checkout", "-q", "-b", "other")
	commit()
	if out, code := compare("-p", "a/x ./b/x"); code != 0 || strings.Contains(out, same) || strings.Count(out, "BenchmarkA") != 2 || strings.Count(out, "BenchmarkB") != 2 {
		t.Errorf("two packages of one name: exit %d, %s", code, out)
	}
}
