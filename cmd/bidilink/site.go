// SPDX-License-Identifier: MIT

package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"iter"
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
	html    *htmlwalk.Rewriter
	context string // of fragments

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

	none bool // it is no page: a folder, that is an argument, has none

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

// pages returns the pages of the arguments, and where they are written to, which is nil unless the flags name a folder.
func (s *site) pages(args []string) (*listing, *target, error) {
	l := &listing{site: s, files: map[string]*argument{}, written: map[string]*argument{}, folders: map[string][]*argument{}, links: map[string]bool{}, cleared: map[string]bool{}}
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
	l.settle()
	return l, l.out, nil
}

// A listing finds the pages while they are worked on: so it takes no more memory for many than for few.
//
// A file that is found twice is a page once, under the name that comes first. To find that out it does not remember the files, but looks where else
// they would be found. What it remembers are the arguments, and where symbolic links lead to.
type listing struct {
	*site
	guard    *guard            // or nil: that no temporary files of others are to be removed
	swept    func(name string) // unless nil, called for each temporary file that was removed, with its path
	out      *target           // or nil
	outInfo  fs.FileInfo       // of out, or nil if it is not there yet
	counting bool              // only their number is of interest

	args    []*argument            // in the order of their keys
	files   map[string]*argument   // the first for each file that is one, and is no symbolic link, by its path
	written map[string]*argument   // the first for each file that is one, by the path that it is written to, from the target on
	folders map[string][]*argument // that are folders, by their paths
	links   map[string]bool        // paths that symbolic links led to
	parent  *folder                // of the last file that is an argument
	cleared map[string]bool        // the folders of files that are arguments where temporary files were looked for, by their paths

	rivals    []*argument // folders with a folder rivalsDir in them
	rivalsDir string      // "" if they are not known
}

// An argument names a file or a folder.
type argument struct {
	page             // of a file: what is known of it before its turn
	index    int     // among the arguments
	walk     *walk   // or nil
	root     *folder // of walk
	realPath string  // of a file or a folder, without symbolic links but for a file itself
}

// key is what none of its pages comes before.
func (a *argument) key() string {
	if a.root == nil {
		return a.name
	}
	return filePrefix(a.root.name)
}

// filePrefix is what the names of all pages of a folder begin with.
func filePrefix(folder string) string { return strings.TrimSuffix(filepath.Join(folder, "x"), "x") }

// before reports whether a page of a, with one name, comes before one of b, with another.
func (a *argument) before(name string, b *argument, other string) bool {
	return cmp.Or(strings.Compare(name, other), cmp.Compare(a.index, b.index)) < 0
}

// add adds an argument.
func (l *listing) add(name string) error {
	a := &argument{index: len(l.args), page: page{name: name, named: true}}
	if name == stdinName {
		l.args = append(l.args, a)
		return nil
	}
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		a.link = true
		if target, err := os.Stat(name); err == nil && target.IsDir() {
			info = target // who names a folder means the folder
		}
	}
	if err != nil {
		a.err = err
		l.args = append(l.args, a)
		return nil
	}
	if !info.IsDir() {
		path, err := realPath(filepath.Dir(name))
		if err != nil {
			a.err = err
		}
		a.realPath = filepath.Join(path, filepath.Base(name))
		l.args = append(l.args, a)
		return nil
	}
	path, err := realPath(name)
	if err == nil {
		a.root, err = newFolder(name, path)
	}
	if err == nil {
		var dir *os.Root
		if dir, err = a.root.open(); err == nil {
			dir.Close()
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", shown(name), cause(err))
	}
	a.realPath = path
	if l.out != nil {
		if err := l.outBelow(a.root); err != nil {
			return err
		}
		l.out.mode &= a.root.info.Mode().Perm()
	}
	l.args = append(l.args, a)
	return nil
}

// settle sorts the arguments, and drops those that are there twice.
func (l *listing) settle() {
	slices.SortStableFunc(l.args, func(a, b *argument) int { return strings.Compare(a.key(), b.key()) })
	l.args = slices.CompactFunc(l.args, func(a, b *argument) bool {
		return a.key() == b.key() && a.realPath == b.realPath && (a.root == nil) == (b.root == nil)
	})
	for _, a := range l.args {
		switch {
		case a.root != nil:
			l.folders[a.realPath] = append(l.folders[a.realPath], a)
		case a.err != nil || a.name == stdinName:
		default:
			if !a.link && l.files[a.realPath] == nil {
				l.files[a.realPath] = a
			}
			if base := filepath.Base(a.name); l.written[base] == nil {
				l.written[base] = a
			}
		}
	}
}

// outBelow refuses a target that is in a folder of pages, or is that folder, by that name or another.
func (l *listing) outBelow(f *folder) error {
	for at := l.out.path; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); at == f.path || err == nil && os.SameFile(info, f.info) {
			return l.outInside(f, at == l.out.path)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// all returns the pages in the order of their names, where the name of a folder has a separator at its end. They are found until ctx ends.
func (l *listing) all(ctx context.Context) iter.Seq[page] {
	return func(yield func(page) bool) {
		type head struct {
			*argument
			page page
		}
		waiting := l.args
		var found []head // of the folders that were begun, the page that comes next
		defer func() {
			for _, h := range found {
				h.walk.close()
			}
		}()
		// advance finds the next page of a folder, and what to do at its end.
		advance := func(a *argument) (head, bool) {
			p, ok := a.walk.next(ctx)
			return head{a, p}, ok
		}
		for ctx.Err() == nil && (len(waiting) > 0 || len(found) > 0) {
			least := -1
			for i, h := range found {
				if least < 0 || h.before(h.page.name, found[least].argument, found[least].page.name) {
					least = i
				}
			}
			if len(waiting) > 0 && (least < 0 || waiting[0].before(waiting[0].key(), found[least].argument, found[least].page.name)) {
				a := waiting[0]
				waiting = waiting[1:]
				if a.root == nil {
					if p, ok := l.file(a); ok && !yield(p) {
						return
					}
					continue
				}
				a.walk = l.walk(a)
				if h, ok := advance(a); ok {
					found = append(found, h)
				} else if a.walk.close(); ctx.Err() == nil && !yield(page{name: a.name, none: true}) {
					return
				}
				continue
			}
			h := found[least]
			if next, ok := advance(h.argument); ok {
				found[least] = next
			} else {
				h.walk.close()
				found = slices.Delete(found, least, least+1)
			}
			if l.once(h.argument, &h.page) && !yield(h.page) {
				return
			}
		}
	}
}

// once reports whether a page that is found by an argument is to be worked on: it may be one under another name as well. In p goes why it cannot be
// written.
func (l *listing) once(a *argument, p *page) bool {
	if p.skip != "" || p.err != nil || p.in == nil {
		return true
	}
	if p.out != "" {
		return l.onceWritten(a, p)
	}
	path := p.path()
	if p.link {
		if _, _, ok := l.owner(path); ok || l.links[path] {
			return false
		}
		l.links[path] = true
		return true
	}
	if len(l.args) == 1 {
		return true
	}
	first, name, ok := l.owner(path)
	return !ok || !first.before(name, a, p.name)
}

// owner returns the argument by which a file is found, under its own name and not by a symbolic link, and that name. If there are several, it is the
// one whose page comes first.
func (l *listing) owner(path string) (first *argument, name string, ok bool) {
	if a := l.files[path]; a != nil {
		first, name = a, a.name
	}
	for at := filepath.Dir(path); len(l.folders) > 0; at = filepath.Dir(at) {
		for _, a := range l.folders[at] {
			rel, err := filepath.Rel(at, path)
			if err != nil || !l.visits(rel) {
				continue
			}
			if n := filepath.Join(a.root.name, rel); first == nil || a.before(n, first, name) {
				first, name = a, n
			}
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return first, name, first != nil
}

// visits reports whether a file is looked at that is in a folder, by its path from there on.
func (s *site) visits(rel string) bool {
	slashed := filepath.ToSlash(rel)
	return !hiddenAbove(rel) && !s.exclude.matchAbove(slashed) && s.include.match(slashed)
}

// onceWritten is [listing.once] for a page that is written to the target.
func (l *listing) onceWritten(a *argument, p *page) bool {
	if _, _, ok := l.owner(p.out); ok {
		// It need not be there: but then it would be there before its turn, or for the next run.
		p.err = fmt.Errorf("%s: is an input", shown(p.out))
		return true
	}
	if len(l.args) == 1 {
		return true
	}
	first, name := a, p.name
	if other := l.written[p.outRel]; other != nil && other.before(other.name, first, name) {
		first, name = other, other.name
	}
	if dir := filepath.Dir(p.outRel); dir != l.rivalsDir {
		l.rivalsDir, l.rivals = dir, l.rivals[:0]
		for _, b := range l.args {
			if b.root != nil {
				if d, err := b.root.parent(p.outRel); err == nil {
					d.Close()
					l.rivals = append(l.rivals, b)
				}
			}
		}
	}
	for _, b := range l.rivals {
		n := filepath.Join(b.root.name, p.outRel)
		if b != a && b.before(n, first, name) && l.isPage(b.root, p.outRel) {
			first, name = b, n
		}
	}
	switch {
	case first == a:
		return true
	case name == p.name:
		return false
	}
	p.err = fmt.Errorf("%s is written for %s already", shown(p.out), shown(name))
	return true
}

// isPage reports whether there is a page in a folder.
func (l *listing) isPage(f *folder, rel string) bool {
	if !l.visits(rel) {
		return false
	}
	dir, err := f.parent(rel)
	if err != nil {
		return false
	}
	defer dir.Close()
	var p page
	l.inspect(&p, f, dir, rel)
	return p.skip == "" && p.err == nil
}

// outInside says that the target is in a folder of pages, or is that folder.
func (l *listing) outInside(f *folder, same bool) error {
	if same {
		return fmt.Errorf("-o %s: is the folder of the pages; want -w to change them in place", shown(l.site.out))
	}
	return fmt.Errorf("-o %s: is in %s, where the next run would take the pages for new ones", shown(l.site.out), shown(f.name))
}

// file returns the page for an argument that is a file, unless it comes under another name.
func (l *listing) file(a *argument) (page, bool) {
	p := a.page
	if p.err != nil || p.name == stdinName {
		return p, true
	}
	path := filepath.Dir(a.realPath)
	f := l.parent
	if f == nil || f.path != path {
		var err error
		if f, err = newFolder(filepath.Dir(p.name), path); err != nil {
			p.err = err
			return p, true
		}
		l.parent = f
	}
	dir, err := f.open()
	if err != nil {
		p.err = err
		return p, true
	}
	defer dir.Close()
	l.clear(f, dir)
	p.link = false
	l.inspect(&p, f, dir, filepath.Base(p.name))
	return p, l.once(a, &p)
}

// sweeps reports whether temporary files of others are to be removed.
func (l *listing) sweeps() bool { return l.writes() && l.guard != nil && !l.counting }

// sweep removes a file if it is a temporary one that was left behind. The path of its folder is for messages.
func (l *listing) sweep(dir *os.Root, folder, name string) {
	if l.guard.sweep(dir, name) && l.swept != nil {
		l.swept(filepath.Join(folder, name))
	}
}

// sweepAll is [listing.sweep] for all that is in a folder.
func (l *listing) sweepAll(dir *os.Root, folder string) {
	readNames(dir, func(name []byte, _ fs.FileMode) { l.sweep(dir, folder, string(name)) })
}

// clear removes the temporary files that were left behind where a file that is an argument is written, once for each folder. The file is in f,
// which dir is.
func (l *listing) clear(f *folder, dir *os.Root) {
	if !l.sweeps() {
		return
	}
	path := f.path
	if l.out != nil {
		path = l.out.path
	}
	if l.cleared[path] {
		return
	}
	l.cleared[path] = true
	if l.out != nil {
		l.sweepTarget(".")
	} else {
		l.sweepAll(dir, f.name)
	}
}

// sweepTarget removes what a program that was killed has left in the folder that the pages of a folder are written to.
func (l *listing) sweepTarget(rel string) {
	if l.outInfo == nil {
		return
	}
	dir, err := l.out.open()
	if err == nil {
		dir, err = descend(dir, rel, enter)
	}
	if err != nil {
		return // who writes to it will see
	}
	defer dir.Close()
	l.sweepAll(dir, filepath.Join(l.site.out, rel))
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
