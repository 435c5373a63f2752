// SPDX-License-Identifier: MIT

package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A pack is a package that was downloaded.
type pack struct{ name, version, file string }

// output runs a command and returns what it writes to standard output; an error says what it wrote to the other.
func output(dir, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return out, nil
}

// fetch downloads the packages that are not in the folder yet. One that the distribution does not have is left out, with a message.
func fetch(dir string, patterns []string) (packages []pack, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	names, err := output("", "apt-cache", "pkgnames")
	if err != nil {
		return nil, err
	}
	known := strings.Fields(string(names))
	for _, pattern := range patterns {
		name, err := newest(known, pattern)
		if err != nil {
			return nil, err
		}
		if name == "" {
			fmt.Printf("no package %s here\n", pattern)
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, name+"_*.deb"))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			if _, err := output(dir, "apt-get", "download", "-q", name); err != nil {
				return nil, err
			}
			if files, err = filepath.Glob(filepath.Join(dir, name+"_*.deb")); err != nil {
				return nil, err
			}
		}
		if len(files) != 1 {
			return nil, fmt.Errorf("%s: %d files of the package %s, want 1", dir, len(files), name)
		}
		version, err := output("", "dpkg-deb", "-f", files[0], "Version")
		if err != nil {
			return nil, err
		}
		packages = append(packages, pack{name, strings.TrimSpace(string(version)), files[0]})
	}
	if len(packages) == 0 {
		return nil, errors.New("none of the packages is known to apt: apt-get update?")
	}
	return packages, nil
}

var number = regexp.MustCompile(`[0-9]+`)

// newest returns the name that matches the pattern and has the highest numbers, or "".
func newest(names []string, pattern string) (best string, err error) {
	for _, name := range names {
		match, err := path.Match(pattern, name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", pattern, err)
		}
		if match && (best == "" || slices.CompareFunc(number.FindAllString(name, -1), number.FindAllString(best, -1), func(a, b string) int {
			i, _ := strconv.Atoi(a)
			j, _ := strconv.Atoi(b)
			return i - j
		}) > 0) {
			best = name
		}
	}
	return best, nil
}

// unpack writes the pages of each package to a folder of its name. Compressed ones are expanded.
func unpack(packages []pack, pages string) error {
	for _, p := range packages {
		to := filepath.Join(pages, p.name)
		if _, err := os.Stat(to); err == nil {
			continue
		}
		all, err := os.MkdirTemp(filepath.Dir(p.file), "unpacked-")
		if err != nil {
			return err
		}
		_, err = output("", "dpkg-deb", "-x", p.file, all)
		if err == nil {
			err = collect(all, to)
		}
		if err := errors.Join(err, os.RemoveAll(all)); err != nil {
			return err
		}
	}
	return nil
}

// collect copies the pages in a folder to another, without those that bidilink html passes over for their name. Symbolic links are left out: what they lead to is a page as well.
func collect(from, to string) error {
	return filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		plain := strings.TrimSuffix(name, ".gz")
		if ext := strings.ToLower(filepath.Ext(plain)); ext != ".html" && ext != ".htm" || e.Name()[0] == '.' {
			return nil
		}
		in, err := os.Open(name)
		if err != nil {
			return err
		}
		defer in.Close()
		r := io.Reader(in)
		if plain != name {
			if r, err = gzip.NewReader(in); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		relative, err := filepath.Rel(from, plain)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return os.WriteFile(target, data, 0o644)
	})
}
