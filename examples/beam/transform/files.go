// SPDX-License-Identifier: MIT

package transform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/bmatcuk/doublestar/v4"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
)

// Folders say what [Files] reads and writes. Paths are those of Beam's file systems: of the workers' own, or with a scheme whose package the program
// imports, such as gs://.
type Folders struct {
	Input  string // a folder, a file, or a pattern with *, ?, [a-z], {a,b} and **, which stands for any number of folders
	Output string // the folder for what becomes of the files, under their names from the fixed part of Input on; Markdown gets .html behind its name
	Dead   string // the folder for dead letters
	Kind   Kind   // of all files; Auto goes by their names, and passes over the files whose name tells nothing

	// Overwrite lets the output and the dead letters go to folders that are not empty. Then a file that is a dead letter now has no output of an earlier run any more;
	// other things that an earlier run has left stay, such as dead letters of what could be done now. Default: that is an error.
	Overwrite bool
	// Memory is the number of bytes of memory that files may take at the same time in one process, at some six times their size; a file that takes more is worked on alone. Default: 2 GiB.
	Memory int64
	// MaxFile is the size in bytes from which on a file is a dead letter, but for WARC files, which are not in memory as a whole. Default: 256 MiB, as in bidilink html. At most 64 GiB.
	MaxFile int64

	// Shards is the number of groups that the files are dealt out to. A runner that makes one bundle of all that it has, such as Prism, works on each group at the same time; others
	// spread the files by themselves. Default: 1. At most 4096.
	Shards int
}

// DefaultMaxFile is the default of Folders.MaxFile.
const DefaultMaxFile = 256 << 20

// The largest limits. With larger ones, arithmetic could overflow, and no machine has the memory.
const (
	maxMaxFile   = 64 << 30
	maxMaxRecord = 16 << 30
	maxMemory    = 1 << 50
	maxShards    = 4096
)

// Check says what is wrong with the folders, or nil.
func (f *Folders) Check() error {
	if f.Input == "" || f.Output == "" || f.Dead == "" {
		return errors.New("transform: want an input, an output and a folder for dead letters")
	}
	for _, n := range []struct {
		name       string
		value, max int64
	}{{"MaxFile", f.MaxFile, maxMaxFile}, {"Memory", f.Memory, maxMemory}, {"Shards", int64(f.Shards), maxShards}} {
		if err := bounded(n.name, n.value, n.max); err != nil {
			return err
		}
	}
	if _, err := ParseKind(string(f.Kind)); err != nil {
		return fmt.Errorf("transform: %w", err)
	}
	base, pattern := split(f.Input)
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("transform: input %q: not a pattern", f.Input)
	}
	if !hasMeta(pattern) || isFile(f.Input) {
		base = f.Input
	}
	// What is written must be neither what is read, now or in the next run, nor be written twice.
	for _, p := range []struct{ x, y, names string }{{base, f.Output, "input and output"}, {base, f.Dead, "input and dead letters"}, {f.Output, f.Dead, "output and dead letters"}} {
		if x, y := resolved(p.x), resolved(p.y); within(x, y) || within(y, x) {
			return fmt.Errorf("transform: %s: one of %q and %q is in the other", p.names, p.x, p.y)
		}
	}
	return nil
}

func bounded(name string, n, most int64) error {
	if n < 0 {
		return fmt.Errorf("transform: %s: negative number %d", name, n)
	}
	if n > most {
		return fmt.Errorf("transform: %s: %d is more than %d", name, n, most)
	}
	return nil
}

// empty is an error if a folder holds something.
func (o *places) empty(ctx context.Context, dir string) error {
	var found bool
	if isLocal(dir) {
		f, err := os.Open(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer f.Close()
		names, err := f.Readdirnames(1)
		if err != nil && err != io.EOF {
			return err
		}
		found = len(names) > 0
	} else {
		fsys, err := o.store(ctx, dir)
		if err != nil {
			return err
		}
		names, err := fsys.List(ctx, join(dir, "**"))
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		found = len(names) > 0
	}
	if found {
		return fmt.Errorf("transform: %q is not empty: what is in it would be mixed with what is written; want Overwrite, or another folder", dir)
	}
	return nil
}

// isFile reports whether a local path is one of a file.
func isFile(name string) bool {
	if !isLocal(name) {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// isLocal reports whether a path is one of the worker's own file system.
func isLocal(name string) bool { return !strings.Contains(name, "://") }

// resolved returns the path of what a local path stands for, as far as it exists.
func resolved(name string) string {
	if !isLocal(name) {
		return strings.TrimRight(name, "/")
	}
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	rest := ""
	for dir := name; ; dir = filepath.Dir(dir) {
		if found, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.ToSlash(filepath.Join(found, rest))
		}
		if dir == filepath.Dir(dir) {
			return filepath.ToSlash(name)
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

func within(x, y string) bool { return x == y || strings.HasPrefix(x, strings.TrimRight(y, "/")+"/") }

// split returns the fixed part of a pattern, a folder, and the rest.
func split(input string) (base, pattern string) {
	if isLocal(input) {
		if info, err := os.Stat(input); err == nil && info.IsDir() {
			return filepath.ToSlash(input), "**"
		} else if err == nil { // also if its name looks like a pattern
			dir, name := filepath.Split(input)
			return cmp.Or(path.Clean(filepath.ToSlash(dir)), "."), quoteMeta.Replace(name)
		}
		return doublestar.SplitPattern(filepath.ToSlash(input))
	}
	scheme, rest, _ := strings.Cut(input, "://")
	base, pattern = doublestar.SplitPattern(rest)
	return scheme + "://" + base, pattern
}

var quoteMeta = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

// hasMeta reports whether a pattern stands for more than one name.
func hasMeta(pattern string) bool { return strings.ContainsAny(pattern, `*?[{\`) }

// A File is a file that was found.
type File struct {
	Path  string
	Name  string // from the folder on
	Kind  Kind
	Size  int64 // in bytes; -1 if it is not known yet
	Shard int
	Cause string // why it is a dead letter, or ""

	Shared bool // its output has the name of another one, or of a folder
}

func init() {
	beam.RegisterType(reflect.TypeFor[File]())
	register.Emitter1[File]()
	register.DoFn3x1[context.Context, string, func(File), error](&matchFn{})
	register.DoFn5x1[context.Context, File, func(Record), func(File), func(DeadLetter), error](&readFn{})
	register.DoFn2x1[context.Context, Record, error](&writeFn{})
	register.DoFn3x1[context.Context, File, func(DeadLetter), error](&warcFn{})
	register.DoFn2x1[context.Context, DeadLetter, error](&deadFn{})
	register.Function1x1(shardOf)
}

// Files makes the links of the files of a folder. Each file becomes one of the same name in the output, or a dead letter, with what is needed to look at it; of
// a WARC file, parts may become dead letters. A file is worked on as a unit, by one worker: the order of what is in it, and its bytes, are those of the
// commands.
//
// What is written depends on the input only, and a file is there as a whole or not at all, so a bundle may be done again.
func Files(s beam.Scope, f Folders, o rewrite.Options) error {
	if err := f.Check(); err != nil {
		return err
	}
	if _, err := rewrite.New(o); err != nil {
		return err
	}
	if err := bounded("MaxRecord", int64(o.MaxRecord), maxMaxRecord); err != nil {
		return err
	}
	if !f.Overwrite {
		var p places
		defer p.close()
		for _, dir := range []string{f.Output, f.Dead} {
			if err := p.empty(context.Background(), dir); err != nil {
				return err
			}
		}
	}
	f.MaxFile = cmp.Or(f.MaxFile, DefaultMaxFile)
	f.Memory = cmp.Or(f.Memory, DefaultMemory)
	f.Shards = max(f.Shards, 1)
	s = s.Scope("bidilink.Files")
	files := beam.ParDo(s, &matchFn{Folders: f}, beam.Create(s, f.Input))
	shards := []beam.PCollection{files}
	if f.Shards > 1 {
		shards = beam.Partition(s, f.Shards, shardOf, files)
	}
	var letters []beam.PCollection
	for i, shard := range shards {
		s := s.Scope(fmt.Sprintf("shard%d", i))
		shard = beam.Reshuffle(s, shard)
		records, warcs, unread := beam.ParDo3(s, &readFn{Output: f.Output, MaxFile: f.MaxFile, Memory: f.Memory}, shard)
		done, undone := Rewrite(s, o, records)
		beam.ParDo0(s, &writeFn{Output: f.Output}, done)
		bad := beam.ParDo(s, &warcFn{Output: f.Output, Memory: f.Memory, Options: o}, warcs)
		letters = append(letters, unread, undone, bad)
	}
	// Dead letters are written by themselves: what fails there is not a reason to do the files again. QUIRK: Prism waits for a stage without an output in a loop that takes a
	// whole processor, so the stages above need one anyway.
	beam.ParDo0(s, &deadFn{Dead: f.Dead, Output: f.Output}, beam.Reshuffle(s, beam.Flatten(s, letters...)))
	return nil
}

func shardOf(f File) int { return f.Shard }

// matchFn lists the files that a pattern matches.
type matchFn struct {
	Folders Folders

	counters counters
}

func (f *matchFn) ProcessElement(ctx context.Context, input string, emit func(File)) error {
	f.counters = counters{}
	base, pattern := split(input)
	var files []File
	var passed int64
	var err error
	if isLocal(input) {
		files, passed, err = localFiles(base, pattern, f.Folders.Kind)
	} else {
		files, passed, err = remoteFiles(ctx, base, input, f.Folders.Kind)
	}
	if err != nil {
		return fmt.Errorf("input %q: %w", input, err)
	}
	if len(files) == 0 && passed == 0 {
		return fmt.Errorf("input %q: there is no such file", input)
	}
	f.counters.add(ctx, filesPassed, passed)
	// The largest ones first, each to the group that has the least.
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), strings.Compare(a.Name, b.Name))
	})
	loads := make([]int64, f.Folders.Shards)
	outputs := map[string]bool{}
	parents := map[string]string{} // folders of the output, and a file in each
	if isLocal(f.Folders.Output) {
		for _, file := range files {
			name := outputName(file.Name, file.Kind)
			for dir := path.Dir(name); dir != "." && file.Cause == ""; dir = path.Dir(dir) {
				parents[dir] = name
			}
		}
	}
	for _, file := range files {
		f.counters.add(ctx, filesIn, 1)
		if file.Size >= 0 {
			for i, load := range loads {
				if load < loads[file.Shard] {
					file.Shard = i
				}
			}
			loads[file.Shard] += file.Size + 4096 // a file costs something, too
		} else {
			h := fnv.New32a()
			h.Write([]byte(file.Name))
			file.Shard = int(h.Sum32() % uint32(len(loads)))
		}
		name := outputName(file.Name, file.Kind)
		switch {
		case file.Cause != "":
			file.Shared = file.Shared || outputs[name]
		case outputs[name]:
			file.Cause, file.Shared = fmt.Sprintf("another file is written to %q", name), true
		case parents[name] != "":
			file.Cause, file.Shared = fmt.Sprintf("%q is a folder, for %q", name, parents[name]), true
		case len(path.Base(name)) > 255:
			file.Cause, file.Shared = fmt.Sprintf("the name of its output is longer than 255 bytes: %q", name), true
		default:
			outputs[name] = true
		}
		emit(file)
	}
	return nil
}

// selected returns the kind of a file with a name, or "" if it is passed over.
func selected(name string, kind Kind) Kind {
	if kind != Auto {
		return kind
	}
	return kindOf(name)
}

// outputName returns the name of what becomes of a file.
func outputName(name string, kind Kind) string {
	if kind == Markdown {
		return name + ".html"
	}
	return name
}

// localFiles lists the files of a folder that a pattern matches, and counts those that are passed over. Names that begin with a dot are not looked at, but for .well-known. A symbolic link may
// lead to a file in the folder; those that lead to folders are not followed. What cannot be read is in the list, with the cause.
func localFiles(base, pattern string, kind Kind) (files []File, passed int64, err error) {
	if info, err := os.Stat(base); err != nil {
		return nil, 0, err
	} else if !info.IsDir() {
		return nil, 0, errors.New("not a folder")
	}
	top, err := filepath.EvalSymlinks(base)
	if err != nil {
		return nil, 0, err
	}
	depth := strings.Count(pattern, "/") // of the folders that can hold a match
	if strings.Contains(pattern, "**") {
		depth = math.MaxInt
	}
	taken := map[string]bool{}
	err = filepath.WalkDir(top, func(full string, d fs.DirEntry, failed error) error {
		if full == top {
			return failed
		}
		name, err := filepath.Rel(top, full)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if hidden(name) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		file := File{Path: filepath.Join(base, filepath.FromSlash(name)), Name: name, Size: -1}
		if d.IsDir() {
			if failed != nil { // the folder cannot be read
				file.Path, file.Kind, file.Cause, file.Shared = "", HTML, failed.Error(), true
				files = append(files, utf8Only(file, taken))
				return fs.SkipDir
			}
			if strings.Count(name, "/") >= depth {
				return fs.SkipDir
			}
			return nil
		}
		if ok, err := doublestar.Match(pattern, name); err != nil || !ok {
			return err
		}
		info, err := d.Info()
		linked := d.Type()&fs.ModeSymlink != 0
		if file.Kind = selected(name, kind); file.Kind == "" {
			// A link to a folder is no file.
			if to, err := os.Stat(full); !linked || err != nil || !to.IsDir() {
				passed++
			}
			return nil
		}
		if linked && err == nil {
			var rel string
			if rel, err = inside(top, full); err == nil {
				if hidden(filepath.ToSlash(rel)) {
					passed++
					return nil
				}
				info, err = os.Stat(full)
			} else if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("a symbolic link that leads nowhere: %w", err)
			}
		}
		switch {
		case err != nil:
			if to, err := os.Stat(full); err == nil && to.IsDir() {
				return nil
			}
			file.Cause = err.Error()
		case info.IsDir():
			return nil
		case !info.Mode().IsRegular():
			passed++
			return nil
		default:
			file.Size = info.Size()
		}
		files = append(files, utf8Only(file, taken))
		taken[name] = true
		return nil
	})
	return files, passed, err
}

// hidden reports whether a name, or that of a folder above, begins with a dot, but for .well-known.
func hidden(name string) bool {
	for element := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(element, ".") && element != ".well-known" {
			return true
		}
	}
	return false
}

// utf8Only makes a dead letter of a file whose name is not UTF-8, under a name that is, with \x and two digits for each byte that is not. Neither Beam nor JSON can
// carry the name as it is.
func utf8Only(file File, taken map[string]bool) File {
	if utf8.ValidString(file.Name) {
		return file
	}
	var b strings.Builder
	for i := 0; i < len(file.Name); {
		r, n := utf8.DecodeRuneInString(file.Name[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, file.Name[i])
		} else {
			b.WriteString(file.Name[i : i+n])
		}
		i += n
	}
	file.Name, file.Path, file.Size, file.Shared = b.String(), "", -1, true
	for taken[file.Name] {
		file.Name += "_"
	}
	taken[file.Name] = true
	file.Cause = "the name is not UTF-8"
	return file
}

// remoteFiles lists the files of another file system that a pattern matches, as that file system understands it.
func remoteFiles(ctx context.Context, base, pattern string, kind Kind) (files []File, passed int64, err error) {
	fsys, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, 0, err
	}
	defer fsys.Close()
	list, err := fsys.List(ctx, pattern)
	if err != nil {
		return nil, 0, err
	}
	taken := map[string]bool{}
	for _, p := range list {
		name := strings.TrimPrefix(strings.TrimPrefix(p, strings.TrimRight(base, "/")), "/")
		if name == "" || strings.HasSuffix(name, "/") {
			continue
		}
		file := File{Path: p, Name: name, Kind: selected(name, kind), Size: -1}
		switch {
		case file.Kind == "":
			passed++
			continue
		case slices.Contains(strings.Split(name, "/"), ".."):
			return nil, 0, fmt.Errorf("%q: not the name of a file", p)
		}
		files = append(files, utf8Only(file, taken))
		taken[name] = true
	}
	return files, passed, nil
}

// readFn reads files of all kinds but WARC, which it passes on.
type readFn struct {
	Output          string
	MaxFile, Memory int64

	counters counters
	places   places
}

func (f *readFn) Setup() { f.counters = counters{} }

func (f *readFn) Teardown() error { return f.places.close() }

func (f *readFn) StartBundle(ctx context.Context, _ func(Record), _ func(File), _ func(DeadLetter)) {
	f.counters.add(ctx, bundles, 1)
}

func (f *readFn) ProcessElement(ctx context.Context, file File, emit func(Record), warc func(File), dead func(DeadLetter)) error {
	if file.Cause == "" && file.Kind == WARC {
		warc(file)
		return nil
	}
	cause, err := file.Cause, error(nil)
	from := source{file.Path, file.Name}
	if cause == "" && file.Size < 0 {
		file.Size, err = f.places.size(ctx, from)
	}
	switch {
	case cause != "" || err != nil:
	case file.Size > f.MaxFile:
		cause = f.tooLong()
	default:
		err = blocked(f.Output, outputName(file.Name, file.Kind))
	}
	if cause == "" && err == nil {
		// The memory is taken until the file is written, which emit does if the steps are fused.
		memory := weight(&file, f.MaxFile, f.Memory)
		if err := budget(f.Memory).Acquire(ctx, memory); err != nil {
			return err
		}
		defer budget(f.Memory).Release(memory)
		var data []byte
		data, err = f.read(ctx, from, file.Size)
		switch n := int64(len(data)); {
		case err != nil:
		case n > f.MaxFile:
			cause = f.tooLong()
		case n < file.Size:
			cause = fmt.Sprintf("cut: there were %d bytes, and %d could be read", file.Size, n)
		default:
			emit(Record{Name: file.Name, Path: file.Path, ContentType: file.Kind.ContentType(), Bytes: data})
			return nil
		}
	}
	if unreadable(err) || errors.Is(err, errBlocked) {
		cause = err.Error()
	} else if err != nil {
		return fmt.Errorf("%s: %w", file.Path, err)
	}
	whole(ctx, f.counters, file, f.Output, cause, dead)
	return nil
}

func (f *readFn) tooLong() string {
	return fmt.Sprintf("longer than the limit of %d bytes for a file", f.MaxFile)
}

// whole makes a dead letter of a file that was not read. How long it is shows when it is copied.
func whole(ctx context.Context, c counters, file File, output, cause string, dead func(DeadLetter)) {
	c.add(ctx, recordsIn, 1)
	c.add(ctx, recordsDead, 1)
	c.add(ctx, bytesIn, max(file.Size, 0))
	c.add(ctx, bytesDead, max(file.Size, 0))
	l := DeadLetter{Name: file.Name, Path: file.Path, Length: -1, Cause: cause}
	if name := outputName(file.Name, file.Kind); !file.Shared && blocked(output, name) == nil {
		l.Output = name
	}
	dead(l)
}

// read reads a file, and no more than one byte beyond the limit.
func (f *readFn) read(ctx context.Context, from source, size int64) ([]byte, error) {
	r, err := f.places.open(ctx, from)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, 0, max(512, size+1))
	in := io.LimitReader(r, f.MaxFile+1)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := in.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
