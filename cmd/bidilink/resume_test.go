// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// manyPages returns n pages, of which one in ten has no link and one in ten cannot be read, in folders of 50, and what they become.
func manyPages(n int) (files, want map[string]string) {
	files, want = map[string]string{}, map[string]string{}
	for i := range n {
		name := fmt.Sprintf("%d/sub/%d.html", i/50, i)
		switch i % 10 {
		case 3:
			files[name], want[name] = "<p>none", "<p>none"
		case 7:
			files[name], want[name] = "\xff\xfe\x00", "\xff\xfe\x00"
		default:
			files[name], want[name] = plainPage, linkedPage
		}
	}
	return files, want
}

func storeIn(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		store(t, filepath.Join(dir, name), data)
	}
}

// infos says which files are below dir.
func infos(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	list := map[string]fs.FileInfo{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err == nil {
			list[filepath.ToSlash(rel)], err = e.Info()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// work works on all pages, or until stop says that the run is to end, and returns the results.
func (s *site) work(t *testing.T, stop func(n int) bool, args ...string) ([]result, *workshop) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l, out, err := s.pages(args)
	if err != nil {
		t.Fatal(err)
	}
	w := s.workshop(out)
	l.guard = w.guard
	var list []result
	for r := range w.results(ctx, l.all(ctx)) {
		r.free()
		list = append(list, r)
		if stop(len(list)) {
			cancel()
		}
	}
	return list, w
}

func never(int) bool { return false }

// What a run does grows with the number of files only where it must: each is opened once and written once, and no more of them are in memory.
func TestSiteSteps(t *testing.T) {
	for _, mode := range []string{"-w", "-o", "--check"} {
		t.Chdir(t.TempDir())
		var most [2]int64
		sizes := []int{200, 600} // each is waited for
		if mode == "--check" {
			sizes = []int{1000, 4000}
		}
		for i, n := range sizes {
			in, out := fmt.Sprint("s", n), ""
			files, _ := manyPages(n)
			storeIn(t, in, files)
			if mode == "-o" {
				out = fmt.Sprint("out", n)
			}
			s := newSite(t, nil)
			s.inPlace, s.out, s.check = mode == "-w", out, mode == "--check"
			list, w := s.work(t, never, in)
			written := map[string]int{"-w": n / 10 * 8, "-o": n / 10 * 9, "--check": 0}[mode]
			if len(list) != n || w.steps.read.Load() != int64(n) || w.steps.written.Load() != int64(written) || w.steps.pages.Load() != 0 {
				t.Errorf("%s: %d results for %d files, %d opened, %d of %d written, %d left", mode, len(list), n, w.steps.read.Load(), w.steps.written.Load(), written, w.steps.pages.Load())
			}
			if n := w.steps.synced.Load(); n != w.steps.written.Load() {
				t.Errorf("%s: %d files were waited for, %d written", mode, n, w.steps.written.Load())
			}
			folders := n / 50
			if mode == "-o" {
				folders *= 2
			}
			// A worker that is late may need one anew.
			if w.folders.opened < folders || w.folders.opened > folders*3/2 {
				t.Errorf("%s: %d folders opened %d times", mode, folders, w.folders.opened)
			}
			if len(w.folders.open) != 0 {
				t.Errorf("%s: %d folders are still open", mode, len(w.folders.open))
			}
			workers := s.jobs
			if s.writes() {
				workers += writing
			}
			if most[i] = w.steps.most.Load(); most[i] > int64(5*workers+3) {
				t.Errorf("%s: %d pages in memory, for %d workers", mode, most[i], workers)
			}
			again, w := s.work(t, never, in)
			if len(again) != n || w.steps.written.Load() != 0 {
				t.Errorf("%s again: %d results, %d written", mode, len(again), w.steps.written.Load())
			}
		}
	}
}

// A run that goes on with what another one has begun does not write what is written, and in the end all is as if nothing had happened.
func TestSiteResumes(t *testing.T) {
	for _, mode := range []string{"-w", "-o"} {
		for _, at := range []int{1, 60, 110} {
			t.Chdir(t.TempDir())
			files, want := manyPages(200)
			storeIn(t, "s", files)
			s := newSite(t, nil)
			dir := "s"
			if mode == "-o" {
				s.out, dir = "out", "out"
				for name, data := range want {
					if strings.HasPrefix(data, "\xff") {
						delete(want, name) // it is in error
					}
				}
			} else {
				s.inPlace = true
			}
			list, first := s.work(t, func(n int) bool { return n == at }, "s")
			done := map[string]bool{}
			for _, r := range list {
				if r.err == nil && (r.changed || mode == "-o") {
					done[strings.TrimPrefix(filepath.ToSlash(r.name), "s/")] = true
				}
			}
			if len(done) == 0 || len(list) == len(files) || first.steps.written.Load() != int64(len(done)) {
				t.Errorf("%s, %d: %d results, %d written, and %d have results", mode, at, len(list), first.steps.written.Load(), len(done))
			}
			noTemporaryFiles(t, ".")
			now := tree(t, dir)
			for name, data := range want {
				if before, there := files[name], now[name]; done[name] && there != data || !done[name] && there != before && there != "" {
					t.Errorf("%s, %d: %s: %q, done %v", mode, at, name, there, done[name])
				}
			}
			before := infos(t, dir)
			for name := range done { // so that each write shows
				if err := os.Chtimes(filepath.Join(dir, name), longAgo, longAgo.Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
			_, second := s.work(t, never, "s")
			after := infos(t, dir)
			for name := range done {
				if !os.SameFile(before[name], after[name]) || !after[name].ModTime().Equal(longAgo.Add(time.Hour)) {
					t.Errorf("%s, %d: %s was written again", mode, at, name)
				}
			}
			all := int64(len(files) / 10 * 8)
			if mode == "-o" {
				all = int64(len(files) / 10 * 9)
			}
			if n := first.steps.written.Load() + second.steps.written.Load(); n != all {
				t.Errorf("%s, %d: %d files written in two runs, want %d", mode, at, n, all)
			}
			sameTree(t, dir, want)
		}
	}
}

// What a program that was killed has left is removed by the next run that writes there; what only looks like it is not, and nothing of it is ever a page.
func TestSiteSweeps(t *testing.T) {
	const left, used = ".bidilink-tmp-ABCDEFGHIJKLMNOPQRSTUVWXYZ", ".bidilink-tmp-23456723456723456723456723"
	others := []string{".bidilink-CONFIGFILE", ".bidilink-ABCDEFGHIJ", ".bidilink-ABCDEFGHIJKLMNOPQRSTUVWXYZ", ".bidilink-tmp-ABCDEFGHIJKLMNOPQRSTUVWXY", ".bidilink-tmp-ABCDEFGHIJKLMNOPQRSTUVWXYZA", ".bidilink-tmp-abcdefghijklmnopqrstuvwxyz",
		"x.bidilink-tmp-ABCDEFGHIJKLMNOPQRSTUVWXYZ", ".bidilink-tmp-ABCDEFGHIJKLMNOPQRSTU.html", ".bidilink-tmp-ABCDEFGHIJKLMNOPQRSTUVWXY1"}
	for _, mode := range []string{"-w", "-o", "-l"} {
		inSite(t, map[string]string{"s/a/p.html": plainPage, "out/a/p.html": "older", "s/skip/p.html": plainPage})
		for _, dir := range []string{"s", "s/a", "s/skip", "out", "out/a"} {
			for _, name := range append(slices.Clone(others), left, used) {
				store(t, dir+"/"+name, plainPage)
			}
			long := time.Now().Add(-2 * time.Hour) // as where there are no locks
			if err := os.Chtimes(dir+"/"+left, long, long); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(dir+"/.bidilink-tmp-AAAAAAAAAAAAAAAAAAAAAAAAAA", 0o700); err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(dir+"/"+used, os.O_RDWR, 0)
			if err == nil {
				now := time.Now()
				err = os.Chtimes(dir+"/"+used, now, now)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if !lockTemp(f) {
				t.Fatal("cannot be locked")
			}
		}
		args := []string{"html", mode, "-q", "--exclude", "skip", "s"}
		if mode == "-o" {
			args = []string{"html", mode, "out", "-q", "--exclude", "skip", "--include", "*", "s/a", "s"} // s/a twice
		}
		if _, errs, code := command("", args...); code != 0 && mode != "-o" || mode == "-o" && !strings.Contains(errs, "is written for") {
			t.Errorf("%s: exit %d, %q", mode, code, errs)
		}
		for dir, swept := range map[string]bool{"s": mode == "-w", "s/a": mode == "-w", "s/skip": false, "out": mode == "-o", "out/a": mode == "-o"} {
			if _, err := os.Lstat(dir + "/" + left); (err != nil) != swept {
				t.Errorf("%s: %s/%s: %v", mode, dir, left, err)
			}
			for _, name := range append(slices.Clone(others), used) {
				if data, err := os.ReadFile(dir + "/" + name); err != nil || string(data) != plainPage && name[0] == '.' {
					t.Errorf("%s: %s/%s: %q, %v", mode, dir, name, data, err)
				}
			}
		}
	}
}

// leftBehind stores a file as a program that was killed leaves it, and returns its path.
func leftBehind(t *testing.T, dir string) string {
	t.Helper()
	name := dir + "/" + tempPrefix + rand.Text()
	store(t, name, "left")
	long := time.Now().Add(-2 * time.Hour) // as where there are no locks
	if err := os.Chtimes(name, long, long); err != nil {
		t.Fatal(err)
	}
	return name
}

// Files that are given by name have the folders cleared that they are written to, once each; nothing is removed without a word.
func TestSiteSweepsForFiles(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage, "s/b.html": plainPage, "s/sub/c.html": plainPage, "out/old": ""})
	var names []string
	for _, dir := range []string{"s", "s", "s/sub", "out"} {
		names = append(names, leftBehind(t, dir))
	}
	there := func() (list []bool) {
		for _, name := range names {
			_, err := os.Lstat(name)
			list = append(list, err == nil)
		}
		return list
	}
	for _, c := range []struct {
		args    []string
		there   []bool
		removed []string
		summary string
	}{
		{[]string{"-l", "-v", "s/a.html"}, []bool{true, true, true, true}, nil, ""},
		{[]string{"-o", "out", "-v", "s/a.html", "s/b.html"}, []bool{true, true, true, false}, names[3:], "1 temporary file removed"},
		{[]string{"-w", "-v", "s/a.html", "s/b.html"}, []bool{false, false, true, false}, names[:2], "2 temporary files removed"},
		{[]string{"-w", "--json", "s/sub/c.html"}, []bool{false, false, false, false}, nil, "1 temporary file removed"},
	} {
		_, errs, code := command("", append([]string{"html"}, c.args...)...)
		if now := there(); code != 0 || !slices.Equal(now, c.there) || strings.Count(errs, "of a run that was killed\n") != len(c.removed) || c.summary != "" != strings.Contains(errs, "temporary file") || !strings.Contains(errs, c.summary) {
			t.Errorf("%q: exit %d, %v, %q", c.args, code, now, errs)
		}
		for _, name := range c.removed {
			if m := "bidilink: " + filepath.FromSlash(name) + ": removed: a temporary file of a run that was killed\n"; !strings.Contains(errs, m) {
				t.Errorf("%q: %q is not in %q", c.args, m, errs)
			}
		}
	}
	names = append(names, leftBehind(t, "s"), leftBehind(t, "s/sub"))
	if _, errs, code := command("", "html", "-w", "-v", "s"); code != 0 || strings.Count(errs, ": removed: ") != 2 || !strings.Contains(errs, ", 2 temporary files removed") {
		t.Errorf("a folder: exit %d, %q", code, errs)
	}
	if now := there(); slices.Contains(now, true) {
		t.Errorf("a folder: %v", now)
	}
	// A folder is looked at once, for the first of its files.
	site := newSite(t, nil)
	site.inPlace = true
	l, _, err := site.pages([]string{"s/a.html", "s/b.html"})
	if err != nil {
		t.Fatal(err)
	}
	l.guard = &guard{}
	late := ""
	for range l.all(t.Context()) {
		if late == "" {
			late = leftBehind(t, "s")
		}
	}
	sameData(t, late, "left")
}

// A file takes its place only when the disk has it: one that cannot be waited for does not.
func TestPutWaitsForDisk(t *testing.T) {
	if !tempsLocked {
		t.Skip("the file is closed in between here")
	}
	inSite(t, map[string]string{"a.html": plainPage})
	dir, err := os.OpenRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	synced := 0
	o := output{ctx: t.Context(), guard: &guard{}, dir: dir, name: "a.html", synced: func() {
		synced++
		sameData(t, "a.html", plainPage)
	}}
	if err := o.put([]byte("x"), func(f *os.File) error { return f.Close() }, nil); !errors.Is(err, os.ErrClosed) || synced != 0 {
		t.Errorf("a file that cannot be waited for: %v, %d", err, synced)
	}
	sameTree(t, ".", map[string]string{"a.html": plainPage})
	if err := o.put([]byte("x"), func(*os.File) error { return nil }, nil); err != nil || synced != 1 {
		t.Errorf("%v, %d", err, synced)
	}
	sameTree(t, ".", map[string]string{"a.html": "x"})
}

func sameData(t *testing.T, name, want string) {
	t.Helper()
	if data, err := os.ReadFile(name); err != nil || string(data) != want {
		t.Errorf("%s: %q, %v", name, data, err)
	}
}

// A page that another program changes meanwhile is read once more: what is done is unchanged, what is not is done, and only if it changes again it
// is left as it is, in error.
func TestSiteAgain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nobody can do that to an open file here")
	}
	const other, linked = "<p>e.org and more\n", `<p><a href="https://e.org">e.org</a> and more` + "\n"
	put := func(data string) func(int) error {
		return func(n int) error {
			if n > 1 {
				return nil
			}
			return errors.Join(os.WriteFile("new", []byte(data), 0o644), os.Rename("new", "s/p.html"))
		}
	}
	always := func(n int) error {
		return errors.Join(os.WriteFile("new", fmt.Appendf(nil, "<p>e.com %d", n), 0o644), os.Rename("new", "s/p.html"))
	}
	for name, c := range map[string]struct {
		do               func(n int) error
		want             string
		changed, inPlace bool
		waits            int
		err              bool
	}{
		"done by another":      {do: put(linkedPage), want: linkedPage, inPlace: true, waits: 1},
		"another page":         {do: put(other), want: linked, changed: true, inPlace: true, waits: 2},
		"another page, again":  {do: always, want: "<p>e.com 2", inPlace: true, waits: 2, err: true},
		"written in its place": {do: func(n int) error { return os.WriteFile("s/p.html", []byte(linkedPage), 0o644) }, want: linkedPage, inPlace: true, waits: 1},
		"gone":                 {do: func(int) error { return os.Rename("s/p.html", "p.html") }, inPlace: true, waits: 1, err: true},
	} {
		inSite(t, map[string]string{"s/p.html": plainPage})
		s := newSite(t, nil)
		s.inPlace = c.inPlace
		pages, out := s.listed(t, "s")
		w := s.workshop(out)
		waits := 0
		w.waits = func() {
			waits++
			if err := c.do(waits); err != nil {
				t.Error(err)
			}
		}
		for r := range w.results(t.Context(), slices.Values(pages)) {
			r.free()
			if (r.err != nil) != c.err || r.changed != c.changed || r.stats.Links != 0 && !r.changed {
				t.Errorf("%s: %v, changed %v, %d links", name, r.err, r.changed, r.stats.Links)
			}
		}
		if waits != c.waits || name != "gone" && tree(t, "s")["p.html"] != c.want {
			t.Errorf("%s: %d waits, %q", name, waits, tree(t, "s"))
		}
		noTemporaryFiles(t, ".")
	}
	// Between the search and the work.
	for name, c := range map[string]struct{ data, want string }{
		"done by another": {linkedPage, linkedPage},
		"another page":    {other, linked},
		"a large page":    {strings.Repeat(other, 40_000), strings.Repeat(linked, 40_000)},
	} {
		for _, out := range []string{"", "out"} {
			inSite(t, map[string]string{"s/p.html": plainPage})
			s := newSite(t, nil)
			s.inPlace, s.out = out == "", out
			list := s.after(t, func() {
				if err := put(c.data)(1); err != nil {
					t.Fatal(err)
				}
			}, "s")
			if len(list) != 1 || list[0].err != nil || list[0].changed != (c.data != c.want) {
				t.Errorf("%s, -o %q: %d results, %v, changed %v", name, out, len(list), list[0].err, list[0].changed)
			}
			dir := "s"
			if out != "" {
				dir = out
			}
			sameTree(t, dir, map[string]string{"p.html": c.want})
		}
	}
}

// Two runs at once on one folder do it together, without an error.
func TestSiteTwoRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is open cannot be replaced here")
	}
	for range 3 {
		files, want := map[string]string{}, map[string]string{}
		for i := range 60 {
			name := fmt.Sprintf("%d/%d.html", i/20, i)
			files[name], want[name] = plainPage, linkedPage
		}
		t.Chdir(t.TempDir())
		storeIn(t, "s", files)
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				_, errs, code := command("", "html", "-w", "-q", "s")
				if code != 0 || errs != "" {
					t.Errorf("exit %d, %q", code, errs)
				}
			})
		}
		both.Wait()
		sameTree(t, "s", want)
	}
}

// Of folders in folders, few are open at once, however deep they are. One that is another when the walk comes back to it is not gone on with.
func TestSiteDeep(t *testing.T) {
	const depth = 60
	files := map[string]string{}
	var order []string
	dir := "s"
	for range depth {
		for _, name := range []string{"/a.html", "/z.html"} {
			files[dir+name] = plainPage
		}
		order = append(order, filepath.FromSlash(dir+"/a.html"))
		dir += "/m"
	}
	for i := depth; i > 0; i-- {
		dir = strings.TrimSuffix(dir, "/m")
		order = append(order, filepath.FromSlash(dir+"/z.html"))
	}
	for _, swap := range []bool{false, true} {
		inSite(t, files)
		l, _, err := newSite(t, nil).pages([]string{"s"})
		if err != nil {
			t.Fatal(err)
		}
		w := l.walk(l.args[0])
		defer w.close()
		var got []string
		var failed error
		most := 0
		for p, ok := w.next(t.Context()); ok; p, ok = w.next(t.Context()) {
			if p.err != nil {
				failed = p.err
				continue
			}
			got = append(got, p.name)
			open := 0
			for _, at := range w.at {
				if at.dir != nil {
					open++
				}
			}
			most = max(most, open)
			if swap && len(got) == depth {
				if err := errors.Join(os.Rename("s/m", "gone"), os.MkdirAll("s/m/m/m", 0o755)); err != nil {
					t.Skip(err) // where open folders cannot be renamed
				}
				store(t, "s/m/z.html", plainPage) // in the folder that is not the same
			}
		}
		if most != openLevels {
			t.Errorf("%d folders were open", most)
		}
		if !swap && (failed != nil || !slices.Equal(got, order)) {
			t.Errorf("%d pages, %v", len(got), failed)
		}
		// Those that were open go on; of the others, only the outermost one is what it was.
		if swap && (failed == nil || !slices.Equal(got, append(slices.Clone(order[:depth+openLevels]), order[2*depth-1]))) {
			t.Errorf("swapped: %d pages, %v", len(got), failed)
		}
	}
}

// A temporary file that is swept by another program before it is locked is not used.
func TestTempSwept(t *testing.T) {
	if !tempsLocked {
		t.Skip("no locks here")
	}
	inSite(t, map[string]string{"t": ""})
	f, err := os.OpenFile("t", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove("t"); err != nil {
		t.Fatal(err)
	}
	if lockTemp(f) {
		t.Error("a file that is gone was locked")
	}
}

// Names that some file systems do not tell apart are different names where they are different files.
func TestSiteSimilarNames(t *testing.T) {
	want := map[string]string{}
	for _, name := range []string{"a.html", "A.html", "\u00e9.html", "e\u0301.html", "\u00df/a.html", "ss/a.html", "SS/a.html"} {
		want[name] = linkedPage
	}
	inSite(t, nil)
	for name := range want {
		store(t, "s/"+name, plainPage)
	}
	if len(tree(t, "s")) != len(want) {
		t.Skip("this file system does not tell them apart")
	}
	for _, args := range [][]string{{"-o", "out"}, {"-w"}} {
		if _, errs, code := command("", append([]string{"html", "-q", "s"}, args...)...); errs != "" || code != 0 {
			t.Errorf("%q: exit %d, %q", args, code, errs)
		}
	}
	sameTree(t, "s", want)
	sameTree(t, "out", want)
}

// The end comes while many files are written: each is there as a whole or not at all, nobody is told otherwise, and no temporary file is left.
func TestGuardEndsForMany(t *testing.T) {
	for range 5 {
		inSite(t, nil)
		dir, err := os.OpenRoot(".")
		if err != nil {
			t.Fatal(err)
		}
		g := &guard{}
		var writing sync.WaitGroup
		var begun sync.WaitGroup
		begun.Add(4)
		var written sync.Map
		for i := range 8 {
			writing.Go(func() {
				for j := 0; ; j++ {
					name := fmt.Sprint(i, "-", j)
					o := output{ctx: t.Context(), guard: g, dir: dir, name: name}
					err := o.put([]byte(name), func(*os.File) error { return nil }, nil)
					if errors.Is(err, context.Canceled) {
						return
					}
					if err != nil {
						t.Errorf("%s: %v", name, err)
						return
					}
					written.Store(name, true)
					if j == 0 && i < 4 {
						begun.Done()
					}
				}
			})
		}
		begun.Wait()
		g.end()
		now := tree(t, ".")
		writing.Wait()
		dir.Close()
		want := map[string]string{}
		written.Range(func(name, _ any) bool {
			want[name.(string)] = name.(string)
			return true
		})
		sameTree(t, ".", want)
		if len(now) != len(want) {
			t.Errorf("%d files at the end, %d later", len(now), len(want))
		}
	}
}

// A file that another program writes to while ours waits for the disk is not replaced.
func TestReplaceChangedLate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nobody can do that to an open file here")
	}
	for name, change := range map[string]func() error{
		"written": func() error { return os.WriteFile("a.html", []byte("newer"), 0o644) },
		"another": func() error { return errors.Join(os.WriteFile("b", []byte("newer"), 0o644), os.Rename("b", "a.html")) },
		"removed": func() error { return os.Remove("a.html") },
	} {
		inSite(t, map[string]string{"a.html": plainPage})
		dir, err := os.OpenRoot(".")
		if err != nil {
			t.Fatal(err)
		}
		src, err := dir.Open("a.html")
		if err != nil {
			t.Fatal(err)
		}
		old, err := src.Stat()
		if err != nil {
			t.Fatal(err)
		}
		o := output{ctx: t.Context(), guard: &guard{}, dir: dir, name: "a.html", waits: func() {
			if err := change(); err != nil {
				t.Error(err)
			}
		}}
		if err := o.replace([]byte("ours"), src, old); err == nil {
			t.Errorf("%s: no error", name)
		}
		src.Close()
		dir.Close()
		want := map[string]string{"a.html": "newer"}
		if name == "removed" {
			want = nil
		}
		sameTree(t, ".", want)
	}
}
