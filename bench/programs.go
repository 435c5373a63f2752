// SPDX-License-Identifier: MIT

package bench

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// Crates is the environment variable with the folder of the sources of linkify (Rust) and memchr, as cargo vendor writes it. Default: Debian's.
const Crates = "BIDILINK_BENCH_CRATES"

const debianCrates = "/usr/share/cargo/registry"

func node(peer string) *Runner {
	return &Runner{
		Install: "apt-get install nodejs npm && npm ci --prefix peers/js",
		commands: func() ([][]string, error) {
			return [][]string{{"node", filepath.Join(Sources, "js", "runner.js"), peer}}, nil
		},
	}
}

func ruby() *Runner {
	file := filepath.Join(Sources, "ruby", "rinku.rb")
	return &Runner{
		Install:  "apt-get install ruby-rinku",
		commands: func() ([][]string, error) { return [][]string{{"ruby", file}, {"/usr/bin/ruby", file}}, nil },
	}
}

func python() *Runner {
	file := filepath.Join(Sources, "python", "bleach_runner.py")
	return &Runner{
		Install:  "apt-get install python3-bleach",
		commands: func() ([][]string, error) { return [][]string{{"python3", file}, {"/usr/bin/python3", file}}, nil },
	}
}

func cmark(args ...string) *Runner {
	return built("apt-get install gcc libc6-dev libcmark-gfm-dev libcmark-gfm-extensions-dev", buildC, args)
}

func rust(args ...string) *Runner {
	return built("apt-get install cargo librust-linkify-dev librust-memchr-dev", buildRust, args)
}

// built returns the runner of a program that has to be built first. What keeps it from being built is not there.
func built(install string, build func() (string, error), args []string) *Runner {
	return &Runner{
		Install: install,
		commands: func() ([][]string, error) {
			program, err := build()
			if err != nil {
				return nil, &MissingError{install, err.Error()}
			}
			return [][]string{append([]string{program}, args...)}, nil
		},
	}
}

// cache returns a folder to build in, which is kept: cargo builds only what has changed.
func cache(name string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, "bidilink-bench", name)
	return dir, os.MkdirAll(dir, 0o755)
}

var buildC = sync.OnceValues(func() (string, error) {
	dir, err := cache("c")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "cmark")
	fresh := fmt.Sprintf("%s.%d", program, os.Getpid()) // the one of that name may be running
	if err := run("", "cc", "-O2", "-o", fresh, filepath.Join(Sources, "c", "cmark.c"), "-lcmark-gfm-extensions", "-lcmark-gfm"); err != nil {
		return "", err
	}
	return program, os.Rename(fresh, program)
})

// buildRust builds in a copy of the sources, since cargo writes beside them. The crates come from a folder, nothing from the network.
var buildRust = sync.OnceValues(func() (string, error) {
	crates := os.Getenv(Crates)
	if crates == "" {
		crates = debianCrates
	}
	if found, _ := filepath.Glob(filepath.Join(crates, "linkify*")); found == nil {
		return "", fmt.Errorf("no linkify in %s; %s names another folder", crates, Crates)
	}
	dir, err := cache(fmt.Sprintf("rust-%x", sha256.Sum256([]byte(crates)))[:20])
	if err != nil {
		return "", err
	}
	for _, name := range []string{"Cargo.toml", "build.rs", "src/main.rs"} {
		if err := copyFile(filepath.Join(dir, name), filepath.Join(Sources, "rust", name)); err != nil {
			return "", err
		}
	}
	program := filepath.Join(dir, "target", "release", "linkify-runner")
	build := func() error {
		return run(dir, "cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target",
			"--config", `source.crates-io.replace-with="folder"`, "--config", fmt.Sprintf("source.folder.directory=%q", crates))
	}
	if err := build(); err != nil {
		// Cargo.lock is of an earlier run, and names crates that may have gone since.
		if os.Remove(filepath.Join(dir, "Cargo.lock")) != nil {
			return "", err
		}
		return program, build()
	}
	return program, nil
})

// copyFile copies a file unless it is there: a new one would have cargo build again.
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// run runs a command. The error has the end of what it said.
func run(dir string, name string, args ...string) error {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err == nil {
		return nil
	}
	out = bytes.TrimSpace(out)
	if line := bytes.IndexByte(out, '\n'); line >= 0 {
		out = out[:line]
	}
	return fmt.Errorf("%s: %w: %s", name, err, out)
}
