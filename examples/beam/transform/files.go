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

	// MaxFile is the size in bytes from which on a file is a dead letter, but for WARC files, which are not in memory as a whole. Default: 256 MiB, as in bidilink html.
	MaxFile int64

	// Shards is the number of groups that the files are dealt out to. A runner that makes one bundle of all that it has, such as Prism, works on each group at the same time; others
	// spread the files by themselves. Default: 1.
	Shards int
}

// DefaultMaxFile is the default of Folders.MaxFile.
const DefaultMaxFile = 256 << 20

// Check says what is wrong with the folders, or nil.
func (f *Folders) Check() error {
	if f.Input == "" || f.Output == "" || f.Dead == "" {
		return errors.New("transform: want an input, an output and a folder for dead letters")
	}
	if f.MaxFile < 0 || f.Shards < 0 {
		return fmt.Errorf("transform: negative number (MaxFile %d, Shards %d)", f.MaxFile, f.Shards)
	}
	if _, err := ParseKind(string(f.Kind)); err != nil {
		return fmt.Errorf("transform: %w", err)
	}
	base, pattern := split(f.Input)
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("transform: input %q: not a pattern", f.Input)
	}
	if !hasMeta(pattern) {
		base = f.Input // one file
	}
	// What is written must be neither what is read, now or in the next run, nor be written twice.
	for _, p := range []struct{ x, y, names string }{{base, f.Output, "input and output"}, {base, f.Dead, "input and dead letters"}, {f.Output, f.Dead, "output and dead letters"}} {
		if x, y := resolved(p.x), resolved(p.y); within(x, y) || within(y, x) {
			return fmt.Errorf("transform: %s: one of %q and %q is in the other", p.names, p.x, p.y)
		}
	}
	return nil
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
		}
		return doublestar.SplitPattern(filepath.ToSlash(input))
	}
	scheme, rest, _ := strings.Cut(input, "://")
	base, pattern = doublestar.SplitPattern(rest)
	return scheme + "://" + base, pattern
}

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
	if f.MaxFile == 0 {
		f.MaxFile = DefaultMaxFile
	}
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
		records, warcs, unread := beam.ParDo3(s, &readFn{MaxFile: f.MaxFile}, shard)
		done, undone := Rewrite(s, o, records)
		beam.ParDo0(s, &writeFn{Output: f.Output}, done)
		bad := beam.ParDo(s, &warcFn{Output: f.Output, Options: o}, warcs)
		letters = append(letters, unread, undone, bad)
	}
	// Dead letters are written by themselves: what fails there is not a reason to do the files again. QUIRK: Prism waits for a stage without an output in a loop that takes a
	// whole processor, so the stages above need one anyway.
	beam.ParDo0(s, &deadFn{Dead: f.Dead}, beam.Reshuffle(s, beam.Flatten(s, letters...)))
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
	var err error
	if isLocal(input) {
		files, err = localFiles(base, pattern)
	} else {
		files, err = remoteFiles(ctx, base, input)
	}
	if err != nil {
		return fmt.Errorf("input %q: %w", input, err)
	}
	if len(files) == 0 {
		return fmt.Errorf("input %q: there is no such file", input)
	}
	// The largest ones first, each to the group that has the least.
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), strings.Compare(a.Name, b.Name))
	})
	loads := make([]int64, f.Folders.Shards)
	outputs := map[string]bool{}
	for _, file := range files {
		if file.Kind = f.Folders.Kind; file.Kind == Auto {
			if file.Kind = kindOf(file.Name); file.Kind == "" {
				f.counters.add(ctx, filesPassed, 1)
				continue
			}
		}
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
		case outputs[name]:
			file.Cause = fmt.Sprintf("another file is written to %q", name)
		case len(path.Base(name)) > 255:
			file.Cause = fmt.Sprintf("the name of its output is longer than 255 bytes: %q", name)
		}
		outputs[name] = true
		emit(file)
	}
	return nil
}

// outputName returns the name of what becomes of a file.
func outputName(name string, kind Kind) string {
	if kind == Markdown {
		return name + ".html"
	}
	return name
}

// localFiles lists the files of a folder that a pattern matches. Names that begin with a dot are passed over, but for .well-known, and so are they where a symbolic link leads to a folder.
func localFiles(base, pattern string) (files []File, err error) {
	if info, err := os.Stat(base); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, errors.New("not a folder")
	}
	walk := func(name string, d fs.DirEntry) error {
		for element := range strings.SplitSeq(name, "/") {
			if element[0] == '.' && element != ".well-known" {
				return nil
			}
		}
		info, err := os.Stat(filepath.Join(base, name))
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return nil
		}
		if !utf8.ValidString(name) {
			return fmt.Errorf("%q: the name is not UTF-8", name)
		}
		files = append(files, File{Path: filepath.Join(base, name), Name: name, Size: info.Size()})
		return nil
	}
	err = doublestar.GlobWalk(os.DirFS(base), pattern, walk, doublestar.WithFilesOnly(), doublestar.WithNoFollow(), doublestar.WithFailOnIOErrors())
	return files, err
}

// remoteFiles lists the files of another file system that a pattern matches, as that file system understands it.
func remoteFiles(ctx context.Context, base, pattern string) ([]File, error) {
	fsys, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fsys.Close()
	list, err := fsys.List(ctx, pattern)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, p := range list {
		name := strings.TrimPrefix(strings.TrimPrefix(p, strings.TrimRight(base, "/")), "/")
		if name == "" || strings.HasSuffix(name, "/") {
			continue
		}
		if slices.Contains(strings.Split(name, "/"), "..") || !utf8.ValidString(name) {
			return nil, fmt.Errorf("%q: not the name of a file", p)
		}
		files = append(files, File{Path: p, Name: name, Size: -1})
	}
	return files, nil
}

// readFn reads files of all kinds but WARC, which it passes on.
type readFn struct {
	MaxFile int64

	counters counters
	fs       opened
}

func (f *readFn) Setup() { f.counters = counters{} }

func (f *readFn) Teardown() error { return f.fs.close() }

func (f *readFn) StartBundle(ctx context.Context, _ func(Record), _ func(File), _ func(DeadLetter)) {
	f.counters.add(ctx, bundles, 1)
}

func (f *readFn) ProcessElement(ctx context.Context, file File, emit func(Record), warc func(File), dead func(DeadLetter)) error {
	if file.Cause == "" && file.Kind == WARC {
		warc(file)
		return nil
	}
	l := DeadLetter{Name: file.Name, Path: file.Path, Length: file.Size, Cause: file.Cause}
	fsys, err := f.fs.of(ctx, file.Path)
	if err != nil {
		return err
	}
	var data []byte
	if l.Cause == "" {
		data, err = f.read(ctx, fsys, file)
		switch {
		case unreadable(err):
			l.Cause = err.Error()
		case err != nil:
			return fmt.Errorf("%s: %w", file.Path, err)
		case int64(len(data)) > f.MaxFile:
			l.Cause = fmt.Sprintf("longer than the limit of %d bytes for a file", f.MaxFile)
		default:
			emit(Record{Name: file.Name, Path: file.Path, ContentType: file.Kind.ContentType(), Bytes: data})
			return nil
		}
	}
	if l.Length < 0 && !unreadable(err) {
		if l.Length, err = fsys.Size(ctx, file.Path); err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
	}
	l.Length = max(l.Length, 0)
	f.counters.add(ctx, recordsIn, 1)
	f.counters.add(ctx, recordsDead, 1)
	f.counters.add(ctx, bytesIn, l.Length)
	f.counters.add(ctx, bytesDead, l.Length)
	dead(l)
	return nil
}

// read reads a file, and no more than one byte beyond the limit.
func (f *readFn) read(ctx context.Context, fsys filesystem.Interface, file File) ([]byte, error) {
	r, err := fsys.OpenRead(ctx, file.Path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, 0, max(512, min(file.Size, f.MaxFile)+1))
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

// unreadable reports whether a file cannot be read however often that is tried. Other errors end the bundle, which the runner does again.
func unreadable(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

// opened are the file systems that a DoFn has opened, by scheme.
type opened map[string]filesystem.Interface

func (o *opened) of(ctx context.Context, name string) (filesystem.Interface, error) {
	scheme, _, ok := strings.Cut(name, "://")
	if !ok {
		scheme = ""
	}
	if fsys, ok := (*o)[scheme]; ok {
		return fsys, nil
	}
	fsys, err := filesystem.New(context.WithoutCancel(ctx), name)
	if err != nil {
		return nil, err
	}
	if *o == nil {
		*o = opened{}
	}
	(*o)[scheme] = fsys
	return fsys, nil
}

func (o *opened) close() (err error) {
	for _, fsys := range *o {
		err = errors.Join(err, fsys.Close())
	}
	*o = nil
	return err
}
