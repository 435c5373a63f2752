// SPDX-License-Identifier: MIT

package main

import (
	"cmp"
	"context"
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
	null             bool // names in the list end with NUL
	force            bool

	include, exclude globs
	jobs             int
	maxSize          size
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
	named bool   // it is an argument, and not found in a folder
	link  bool   // its name is a symbolic link
	dir   bool   // that leads to a folder

	in      *folder // nil for standard input
	rel     string  // its path from in on, without symbolic links
	nameRel string  // the path of its name from in on, which may be a symbolic link
	id      identity
	size    int64  // in bytes
	out     string // the path that it is written to, absolute and without symbolic links, or ""
	outRel  string // the same, from the target on

	skip  string // why it is left alone, or ""
	minor bool   // skip is of interest only to who wants to know everything
	err   error  // why it cannot be looked at
}

// path returns the path of the page, absolute and without symbolic links, or "" for standard input.
func (p *page) path() string {
	if p.in == nil {
		return ""
	}
	return filepath.Join(p.in.path, p.rel)
}

// pages finds the pages, in the order of their names, and says where they are written to, which is nil unless the flags name a folder.
func (s *site) pages(ctx context.Context, args []string) ([]page, *target, error) {
	l := listing{site: s, ctx: ctx, parents: map[string]*folder{}}
	if len(args) == 0 {
		args = []string{stdinName}
	}
	if s.out != "" {
		path, err := realPath(s.out)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", shown(s.out), cause(err))
		}
		l.out = &target{path: path, mode: fs.ModePerm}
		l.outInfo, _ = os.Stat(path)
	}
	for _, name := range args {
		if err := l.add(name); err != nil {
			return nil, nil, err
		}
	}
	return settle(l.list), l.out, nil
}

// A listing collects the pages.
type listing struct {
	*site
	ctx     context.Context
	out     *target     // or nil
	outInfo fs.FileInfo // of out, or nil if it is not there yet
	parents map[string]*folder
	list    []page
}

// add adds the pages of an argument.
func (l *listing) add(name string) error {
	if name == stdinName {
		l.list = append(l.list, page{name: name, named: true})
		return nil
	}
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err := os.Stat(name); err == nil && target.IsDir() {
			info = target // who names a folder means the folder
		}
	}
	if err != nil {
		l.list = append(l.list, page{name: name, named: true, err: err})
		return nil
	}
	if !info.IsDir() {
		l.list = append(l.list, l.file(name))
		return nil
	}
	path, err := realPath(name)
	var f *folder
	if err == nil {
		f, err = newFolder(name, path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", shown(name), cause(err))
	}
	if l.out != nil {
		if inside(f.path, l.out.path) {
			return l.outInside(f, f.path == l.out.path)
		}
		l.out.mode &= f.info.Mode().Perm()
	}
	dir, err := f.open()
	if err != nil {
		return fmt.Errorf("%s: %w", shown(name), cause(err))
	}
	defer dir.Close()
	found := len(l.list)
	if err := l.search(f, dir, "."); err != nil {
		return err
	}
	if len(l.list) == found && !l.quiet {
		fmt.Fprintf(l.c.ErrOrStderr(), "bidilink: %s: no file in it matches\n", shown(name))
	}
	return nil
}

// outInside says that the target is in a folder of pages, or is that folder.
func (l *listing) outInside(f *folder, same bool) error {
	if same {
		return fmt.Errorf("-o %s: is the folder of the pages; want -w to change them in place", shown(l.site.out))
	}
	return fmt.Errorf("-o %s: is in %s, where the next run would take the pages for new ones", shown(l.site.out), shown(f.name))
}

// file returns the page for a file that is an argument.
func (l *listing) file(name string) page {
	p := page{name: name, named: true}
	path, err := realPath(filepath.Dir(name))
	if err != nil {
		p.err = err
		return p
	}
	f := l.parents[path]
	if f == nil {
		if f, err = newFolder(filepath.Dir(name), path); err != nil {
			p.err = err
			return p
		}
		l.parents[path] = f
	}
	dir, err := f.open()
	if err != nil {
		p.err = err
		return p
	}
	defer dir.Close()
	l.inspect(&p, f, dir, filepath.Base(name))
	return p
}

// search adds the pages of a folder, which is named by its path from f on.
func (l *listing) search(f *folder, dir *os.Root, at string) error {
	entries, err := readDir(dir)
	if err != nil {
		l.list = append(l.list, page{name: filepath.Join(f.name, at), err: err})
	}
	for _, e := range entries {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		rel := filepath.Join(at, e.Name())
		slashed := filepath.ToSlash(rel)
		if hidden(e.Name()) || l.exclude.match(slashed) {
			continue
		}
		p := page{name: filepath.Join(f.name, rel)}
		if e.IsDir() {
			if err := l.enter(f, dir, &p, rel); err != nil {
				return err
			}
			if p.err != nil {
				l.list = append(l.list, p)
			}
			continue
		}
		if e.Type()&fs.ModeSymlink == 0 && !l.include.match(slashed) {
			continue
		}
		l.inspect(&p, f, dir, rel)
		if p.link && !p.dir && !l.include.match(slashed) {
			continue
		}
		l.list = append(l.list, p)
	}
	return nil
}

// enter searches a folder in dir. What is wrong with it goes into p.
func (l *listing) enter(f *folder, dir *os.Root, p *page, rel string) error {
	sub, err := enter(dir, filepath.Base(rel), rel)
	if err != nil {
		p.err = err
		return nil
	}
	defer sub.Close()
	info, err := sub.Stat(".")
	if err != nil {
		p.err = err
		return nil
	}
	if l.outInfo != nil && os.SameFile(info, l.outInfo) {
		return l.outInside(f, false) // by another name, as on a file system to which case does not matter
	}
	f.modes[rel] = info.Mode()
	return l.search(f, sub, rel)
}

// readDir returns what is in a folder.
func readDir(dir *os.Root) ([]fs.DirEntry, error) {
	d, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.ReadDir(-1)
}

// hidden reports whether a name in a folder is passed over.
func hidden(name string) bool { return strings.HasPrefix(name, ".") && name != ".well-known" }

// hiddenAbove reports whether one of the names of a path is passed over.
func hiddenAbove(rel string) bool { return slices.ContainsFunc(splitPath(rel), hidden) }

// inspect looks at what kind of file a page is, which is in dir and named by its path from f on, and follows symbolic links within f.
func (l *listing) inspect(p *page, f *folder, dir *os.Root, rel string) {
	p.in, p.rel, p.nameRel = f, rel, rel
	if l.out != nil {
		p.out, p.outRel = filepath.Join(l.out.path, rel), rel
	}
	info, err := dir.Lstat(filepath.Base(rel))
	if err != nil {
		p.err = err
		return
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		p.link = true
		if info = l.follow(p); info == nil {
			return
		}
	}
	p.id, p.size, p.skip = identityOf(info), info.Size(), unusual(info.Mode())
}

// follow finds out where a symbolic link leads to. It returns nil if that is not a file that is looked at, and p says why.
//
// A path is all that it finds: when the page is opened, there must be no symbolic link on the way.
func (l *listing) follow(p *page) fs.FileInfo {
	path, err := filepath.EvalSymlinks(p.path())
	if err != nil {
		p.skip = "a symbolic link that leads nowhere"
		return nil
	}
	rel, err := filepath.Rel(p.in.path, path)
	if err != nil || !filepath.IsLocal(rel) {
		if info, err := os.Lstat(path); err == nil {
			p.dir = info.IsDir()
		}
		p.skip = "a symbolic link that leads out of the folder"
		return nil
	}
	dir, err := p.in.parent(rel)
	if err != nil {
		p.err = err
		return nil
	}
	defer dir.Close()
	info, err := dir.Lstat(filepath.Base(rel))
	if err != nil {
		p.err = err
		return nil
	}
	p.dir = info.IsDir()
	switch {
	case p.dir:
		p.skip, p.minor = "a symbolic link to a folder; its files are visited under their own names", true
		return nil
	case !p.named && hiddenAbove(rel):
		p.skip = "a symbolic link to a file that is passed over: it, or a folder that it is in, has a name that begins with a dot"
		return nil
	case !p.named && l.exclude.matchAbove(filepath.ToSlash(rel)):
		p.skip = "a symbolic link to an excluded file"
		return nil
	}
	p.rel = rel
	return info
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
func settle(list []page) []page {
	slices.SortStableFunc(list, func(a, b page) int { return cmp.Compare(a.name, b.name) })
	own := make(map[string]bool, len(list)) // paths of pages that are no symbolic links
	for _, p := range list {
		if !p.link && p.skip == "" && p.err == nil {
			own[p.path()] = true
		}
	}
	seen := make(map[string]string, len(list)) // names, by the path, or by where it is written to
	kept := list[:0]
	for _, p := range list {
		switch {
		case p.skip != "" || p.err != nil:
		case p.out == "":
			path := p.path()
			if _, ok := seen[path]; ok || p.link && own[path] {
				continue
			}
			seen[path] = p.name
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
