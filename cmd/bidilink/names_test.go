// SPDX-License-Identifier: MIT

package main

import (
	"cmp"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// However few names are kept, all come, once and in order.
func TestFolderNames(t *testing.T) {
	t.Chdir(t.TempDir())
	var want []string
	for i := range 300 {
		name := fmt.Sprintf("%d-x", i%97*i)
		if i%5 == 0 {
			name = fmt.Sprint(i) // "3-x" comes before what is in the folder "3", and "3.html" as well
		}
		var err error
		key := name
		if i%3 == 0 {
			err = os.MkdirAll(name, 0o700)
			key += string(filepath.Separator)
		} else if _, there := os.Lstat(name); there != nil {
			err = os.WriteFile(name, nil, 0o600)
		} else {
			continue
		}
		if err != nil {
			continue // a folder in the place of a file
		}
		if !slices.Contains(want, key) && !strings.HasPrefix(name, "7") {
			want = append(want, key)
		}
	}
	slices.Sort(want)
	dir, err := os.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for _, most := range []int{1, 2, 7, len(want) - 1, len(want), 1000} {
		f := folderNames{dir: dir, most: most, want: func(name string, _ fs.FileMode) bool { return !strings.HasPrefix(name, "7") }}
		var got []string
		for {
			e, ok, err := f.next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			if len(f.list) > most || cap(f.list) > 4*most+16 {
				t.Fatalf("%d names, room for %d, at most %d", len(f.list), cap(f.list), most)
			}
			if isDir := strings.HasSuffix(e.key, string(filepath.Separator)); e.mode.IsDir() != isDir || strings.TrimSuffix(e.key, string(filepath.Separator)) != e.name() {
				t.Errorf("%q: %v", e.key, e.mode)
			}
			got = append(got, e.key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("at most %d:\n got %q\nwant %q", most, got, want)
		}
		if reads := (len(want) + most - 1) / most; f.reads < reads || f.reads > reads+1 {
			t.Errorf("at most %d of %d: read %d times, want %d", most, len(want), f.reads, reads)
		}
	}
}

// simpleSettle says which pages there are as if all were in memory: sorted, those that are there twice dropped, and those refused that
// would be written over others or over an input.
func simpleSettle(l *listing) []page {
	type found struct {
		page
		index int
	}
	var list []found
	for _, a := range l.args {
		if a.root == nil {
			alone := &listing{site: l.site, out: l.out, links: map[string]bool{}, args: []*argument{a}, files: map[string]*argument{}}
			p, _ := alone.file(a)
			list = append(list, found{p, a.index})
			continue
		}
		w := l.walk(a)
		for {
			p, ok := w.next(l.c.Context())
			if !ok {
				break
			}
			list = append(list, found{p, a.index})
		}
		w.close()
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.index, b.index)) })
	own := map[string]bool{}
	for _, p := range list {
		if !p.link && p.skip == "" && p.err == nil {
			own[p.path()] = true
		}
	}
	seen := map[string]string{}
	var kept []page
	for _, f := range list {
		p := f.page
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
			} else {
				seen[p.out] = p.name
			}
		}
		kept = append(kept, p)
	}
	return kept
}

// Pages that are found one after the other are those that would be there if all were found first.
func TestListingLikeAll(t *testing.T) {
	inSite(t, map[string]string{"a.html": "", "s/a.html": "", "s/b.html": "", "s/b-c.html": "", "s/b/a.html": "", "s/b/x/a.html": "", "s/drafts/a.html": "", "s/.x/a.html": "",
		"t/a.html": "", "t/b/a.html": "", "t/b/x/z.html": "", "t/c.txt": "", "t/s/a.html": "", "u/s/a.html": "", "u/s/b/q.html": "", "u/s/s/a.html": "", "o/x.html": ""})
	for name, target := range map[string]string{"s/l.html": "b/a.html", "s/b/up.html": "../b.html", "t/m.html": "c.txt", "t/k.html": "c.txt", "t/out.html": "../s/a.html", "z": "s", "s/d.html": "drafts/a.html",
		"l.html": "a.html"} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
	names := []string{"a.html", "./a.html", "l.html", "s", "./s", "s/b", "s/b/a.html", "s/b/x", "t", "t/b", "z", ".", "u/s", "u", "s/l.html", "t/c.txt", "missing", "-", "s/../t"}
	random := rand.New(rand.NewPCG(1, 2))
	pages := 0
	for i := range 800 {
		var args []string
		for range 1 + random.IntN(4) {
			args = append(args, names[random.IntN(len(names))])
		}
		s := newSite(t, strings.NewReader(""))
		s.c.SetContext(t.Context())
		s.exclude = globs{"drafts"}
		if i%2 == 0 {
			s.out = []string{"new", "o", "u", "new/x"}[random.IntN(4)]
		}
		l, _, err := s.pages(args)
		if err != nil {
			continue // -o in a folder of pages
		}
		// What would be an input if it was there is refused now.
		want := simpleSettle(l)
		got := slices.Collect(l.all(t.Context()))
		show := func(list []page) string {
			var b strings.Builder
			for _, p := range list {
				if p.err != nil && strings.HasSuffix(p.err.Error(), "is an input") {
					p.err = fs.ErrExist
				}
				fmt.Fprintln(&b, p.name, p.outRel, p.skip, p.err)
			}
			return b.String()
		}
		if show(got) != show(want) {
			t.Fatalf("-o %q %q:\n got\n%s\nwant\n%s", s.out, args, show(got), show(want))
		}
		pages += len(got)
	}
	if pages < 3000 {
		t.Errorf("%d pages", pages)
	}
}
