// SPDX-License-Identifier: MIT

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/htmlwalk"
)

// A site is a set of files and folders, and what is to be done with them.
type site struct {
	c       *cobra.Command
	options htmlwalk.Options

	inPlace bool
	out     string // the folder to write to, or ""

	list, diff, json bool // at most one of them
	check            bool

	include, exclude globs
	jobs             int
	verify           bool
	quiet, verbose   bool
}

// writes reports whether files are written.
func (s *site) writes() bool { return s.inPlace || s.out != "" }

// report reports whether something is said about each file instead of writing it to standard output.
func (s *site) report() bool { return s.list || s.diff || s.json || s.check }

// A page is a file of the site.
type page struct {
	name  string // for messages
	path  string // without symbolic links; "" for standard input
	out   string // where it is written to, or ""
	named bool   // it is an argument, and not found in a folder
	link  bool   // its name is a symbolic link
	dir   bool   // that leads to a folder

	skip  string // why it is left alone, or ""
	minor bool   // skip is of interest only to who wants to know everything
	err   error  // why it cannot be looked at
}

// A folder is searched for pages.
type folder struct {
	name string // as given
	path string // absolute, without symbolic links
}

// pages finds the pages, in the order of their names.
func (s *site) pages(ctx context.Context, args []string) ([]page, error) {
	var list []page
	if len(args) == 0 {
		args = []string{stdinName}
	}
	out := ""
	if s.out != "" {
		var err error
		if out, err = realPath(s.out); err != nil {
			return nil, fmt.Errorf("%s: %w", shown(s.out), cause(err))
		}
	}
	for _, name := range args {
		if name == stdinName {
			list = append(list, page{name: name, named: true})
			continue
		}
		info, err := os.Lstat(name)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if target, err := os.Stat(name); err == nil && target.IsDir() {
				info = target // who names a folder means the folder
			}
		}
		if err != nil {
			list = append(list, page{name: name, named: true, err: err})
			continue
		}
		if !info.IsDir() {
			list = append(list, s.file(name, info, out))
			continue
		}
		f := folder{name: name}
		if f.path, err = realPath(name); err != nil {
			return nil, fmt.Errorf("%s: %w", shown(name), cause(err))
		}
		if out != "" && inside(f.path, out) {
			if out == f.path {
				return nil, fmt.Errorf("-o %s: is the folder of the pages; want -w to change them in place", shown(s.out))
			}
			return nil, fmt.Errorf("-o %s: is in %s, where the next run would take the pages for new ones", shown(s.out), shown(name))
		}
		found := len(list)
		if list, err = s.walk(ctx, f, out, list); err != nil {
			return nil, err
		}
		if len(list) == found && !s.quiet {
			fmt.Fprintf(s.c.ErrOrStderr(), "bidilink: %s: no file in it matches\n", shown(name))
		}
	}
	return s.settle(list), nil
}

// file returns the page for a file that is an argument.
func (s *site) file(name string, info fs.FileInfo, out string) page {
	p := page{name: name, named: true}
	dir, err := realPath(filepath.Dir(name))
	if err != nil {
		p.err = err
		return p
	}
	p.path = filepath.Join(dir, filepath.Base(name))
	if out != "" {
		p.out = filepath.Join(out, filepath.Base(name))
	}
	s.inspect(&p, folder{path: dir}, info.Mode())
	return p
}

// walk appends the pages of a folder.
func (s *site) walk(ctx context.Context, f folder, out string, list []page) ([]page, error) {
	err := filepath.WalkDir(f.path, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(f.path, path)
		if relErr != nil {
			return relErr
		}
		p := page{name: filepath.Join(f.name, rel), path: path}
		if rel != "." {
			slashed := filepath.ToSlash(rel)
			if hidden := strings.HasPrefix(d.Name(), ".") && d.Name() != ".well-known"; hidden || s.exclude.match(slashed) {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if !d.IsDir() && d.Type()&fs.ModeSymlink == 0 && !s.include.match(slashed) {
				return nil
			}
		}
		switch {
		case err != nil:
			p.err = err
		case d.IsDir():
			return nil
		default:
			if out != "" {
				p.out = filepath.Join(out, rel)
			}
			s.inspect(&p, f, d.Type())
			if p.link && !p.dir && !s.include.match(filepath.ToSlash(rel)) {
				return nil
			}
		}
		list = append(list, p)
		return nil
	})
	return list, err
}

// inspect looks at what kind of file a page is, and follows symbolic links within the folder.
func (s *site) inspect(p *page, f folder, mode fs.FileMode) {
	if mode&fs.ModeSymlink != 0 {
		p.link = true
		target, err := filepath.EvalSymlinks(p.path)
		if err != nil {
			p.skip = "a symbolic link that leads nowhere"
			return
		}
		info, err := os.Lstat(target)
		if err != nil {
			p.err = err
			return
		}
		p.dir = info.IsDir()
		rel, err := filepath.Rel(f.path, target)
		switch {
		case err != nil || !filepath.IsLocal(rel):
			p.skip = "a symbolic link that leads out of the folder"
			return
		case p.dir:
			p.skip, p.minor = "a symbolic link to a folder; its files are visited under their own names", true
			return
		case !p.named && s.exclude.matchAbove(filepath.ToSlash(rel)):
			p.skip = "a symbolic link to an excluded file"
			return
		}
		p.path, mode = target, info.Mode()
	}
	p.skip = unusual(mode)
}

// unusual says what a file is that is not a regular one.
func unusual(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}

// settle sorts the pages, drops those that are there twice, and refuses those that would be written over others or over an input.
func (s *site) settle(list []page) []page {
	slices.SortStableFunc(list, func(a, b page) int { return cmp.Compare(a.name, b.name) })
	own := make(map[string]bool, len(list)) // paths of pages that are no symbolic links
	for _, p := range list {
		if !p.link && p.skip == "" && p.err == nil {
			own[p.path] = true
		}
	}
	seen := make(map[string]string, len(list)) // names, by the path, or by where it is written to
	kept := list[:0]
	for _, p := range list {
		switch {
		case p.skip != "" || p.err != nil:
		case p.out == "":
			if _, ok := seen[p.path]; ok || p.link && own[p.path] {
				continue
			}
			seen[p.path] = p.name
		case own[p.out]:
			p.err = fmt.Errorf("%s: is an input", shown(p.out))
		default:
			if other, ok := seen[p.out]; ok {
				if other == p.name {
					continue
				}
				p.err = fmt.Errorf("%s is written for %s already", shown(p.out), shown(other))
			}
			seen[p.out] = p.name
		}
		kept = append(kept, p)
	}
	return kept
}

// inside reports whether path is dir, or below it. Both are absolute and have no symbolic links.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// realPath returns path absolute and without symbolic links. Its end need not exist.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		found, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(found, rest), nil
		}
		parent := filepath.Dir(path)
		if !errors.Is(err, fs.ErrNotExist) || parent == path {
			return "", err
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}
