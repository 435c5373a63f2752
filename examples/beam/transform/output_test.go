// SPDX-License-Identifier: MIT

package transform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
)

func TestMain(m *testing.M) {
	flag.Parse()
	log.LogLevel = "error"
	log.SetLogger(&log.Standard{Level: log.SevFatal})
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // some pipelines are to fail
	os.Exit(m.Run())
}

var errBroken = errors.New("broken")

// A file that cannot be written to its end is not there at all, nor is what was written of it.
func TestPutFails(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	var p places
	defer p.close()
	name := join(dir, "sub/a")
	fail := func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("x", 1<<20))
		return errBroken
	}
	if err := p.put(ctx, dir, "sub/a", source{}, fail); !errors.Is(err, errBroken) || !strings.HasPrefix(err.Error(), name) {
		t.Errorf("%v", err)
	}
	good := func(w io.Writer) error {
		_, err := io.WriteString(w, "good")
		return err
	}
	if err := p.put(ctx, dir, "sub/a", source{}, good); err != nil {
		t.Fatal(err)
	}
	if err := p.put(ctx, dir, "sub/a", source{}, fail); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	if err := p.put(ctx, dir, "sub", source{}, good); err == nil { // a folder is there
		t.Error("a folder was replaced")
	}
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if data, err := os.ReadFile(name); string(data) != "good" {
		t.Errorf("%q, %v", data, err)
	}
}

// A store is a store of objects, of which the first writes fail: in the middle, if there is so much.
type store struct {
	mu    sync.Mutex
	files map[string]string
	fails int // writes that are to fail yet
	opens int
}

var memory = &store{files: map[string]string{}}

func init() {
	filesystem.Register("flaky", func(context.Context) filesystem.Interface { return memory })
}

func (s *store) Close() error { return nil }

func (s *store) List(_ context.Context, pattern string) (names []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	prefix := strings.TrimRight(pattern, "*")
	for name := range s.files {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (s *store) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.files[name]
	if !ok {
		return nil, os.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(data)), nil
}

func (s *store) Size(_ context.Context, name string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.files[name])), nil
}

func (s *store) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opens++
	return &object{ctx: ctx, s: s, name: name}, nil
}

type object struct {
	bytes.Buffer
	ctx  context.Context
	s    *store
	name string
}

func (o *object) Write(p []byte) (int, error) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	if o.s.fails > 0 {
		o.s.fails--
		n, _ := o.Buffer.Write(p[:len(p)/2])
		return n, errBroken
	}
	return o.Buffer.Write(p)
}

func (o *object) Close() error {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	if err := o.ctx.Err(); err != nil {
		return err
	}
	o.s.files[o.name] = o.String()
	return nil
}

// A bundle that fails is done again, whole: then the output is what it would have been. Prism gives up a pipeline when a bundle fails, so the pipeline
// is run again over what the first one has left.
func TestAgain(t *testing.T) {
	input := map[string]string{}
	for i := range 20 {
		input[fmt.Sprintf("flaky://in/%d.html", i)] = fmt.Sprintf("<p>%d.example.com", i)
		input[fmt.Sprintf("flaky://in/sub/%d.md", i)] = fmt.Sprintf("%d.example.com\n", i)
		input[fmt.Sprintf("flaky://in/bad%d.html", i)] = "\xff\xfe<\x00p\x00"
	}
	once := func(fails int) (map[string]string, error) {
		memory.mu.Lock()
		memory.fails = fails
		memory.mu.Unlock()
		p, s := beam.NewPipelineWithRoot()
		if err := Files(s, Folders{Input: "flaky://in/**", Output: "flaky://out", Dead: "flaky://dead", Kind: Auto, Shards: 3, Overwrite: true}, rewrite.Options{}); err != nil {
			t.Fatal(err)
		}
		_, err := beam.Run(context.Background(), "prism", p)
		memory.mu.Lock()
		defer memory.mu.Unlock()
		out := maps.Clone(memory.files)
		maps.DeleteFunc(out, func(name, _ string) bool { return strings.HasPrefix(name, "flaky://in/") })
		return out, err
	}
	reset := func() { memory.files, memory.opens = maps.Clone(input), 0 }

	reset()
	want, err := once(0)
	if err != nil || len(want) != 40+2*20 || want["flaky://out/3.html"] != `<p><a href="https://3.example.com">3.example.com</a>` {
		t.Fatalf("%v, %d files: %q", err, len(want), want)
	}
	for _, fails := range []int{1, 3} {
		reset()
		part, err := once(fails)
		if err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%d writes fail: %v", fails, err)
		}
		for name, data := range part {
			if want[name] != data {
				t.Errorf("%d writes fail: %s is %q, want %q", fails, name, data, want[name])
			}
		}
		if got, err := once(0); err != nil || !maps.Equal(got, want) {
			t.Errorf("again after %d: %v, %d files, want %d", fails, err, len(got), len(want))
		}
		if memory.opens <= len(want) {
			t.Errorf("%d files were opened, so nothing was done again", memory.opens)
		}
	}
}

// Records may come from anywhere.
func TestRewrite(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	records := beam.Create(s,
		Record{"1", "", "text/html", []byte("<p>example.com")},
		Record{"2", "", "text/html; charset=windows-1252", []byte("<p>caf\xe9 example.com")},
		Record{"3.md", "", "text/markdown", []byte("example.com\n")},
		Record{"4", "", "message/rfc822", []byte("Content-Type: text/html\n\n<p>www.example.com\n")},
		Record{"5", "", "text/html", []byte("\xff\xfe<\x00")},
		Record{"6", "", "text/plain", []byte("x")},
		Record{"7", "", "", nil},
	)
	done, dead := Rewrite(s, rewrite.Options{}, records)
	const link = `<a href="https://example.com">example.com</a>`
	passert.Equals(s, done,
		Record{"1", "", "text/html", []byte("<p>" + link)},
		Record{"2", "", "text/html; charset=windows-1252", []byte("<p>caf\xe9 " + link)},
		Record{"3.md.html", "", "text/html; charset=utf-8", []byte("<p>" + link + "</p>\n")},
		Record{"4", "", "message/rfc822", []byte("Content-Type: text/html\n\n<p><a href=\"https://www.example.com\">www.example.com</a>\n")},
	)
	passert.Equals(s, dead,
		DeadLetter{Name: "5", Length: 4, Cause: "htmlwalk: neither UTF-8 nor compatible with ASCII: a byte order mark of UTF-16", Bytes: []byte("\xff\xfe<\x00")},
		DeadLetter{Name: "6", Length: 1, Cause: `content type "text/plain": want text/html, text/markdown, message/rfc822 or application/mbox`, Bytes: []byte("x")},
		DeadLetter{Name: "7", Cause: `content type "": mime: no media type`},
	)
	r, err := beam.Run(context.Background(), "prism", p)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, c := range Counted(r.Metrics().AllMetrics()) {
		got[c.Name] = c.Value
	}
	if got["records in"] != 7 || got["records done"] != 4 || got["records dead"] != 3 || got["links"] != 4 {
		t.Errorf("%v", got)
	}
}

// dead writes a dead letter, and returns its report and whether its bytes are there.
func dead(t *testing.T, d DeadLetter) (r deadReport, data []byte) {
	t.Helper()
	f := &deadFn{Dead: t.TempDir(), Output: t.TempDir()}
	defer f.Teardown()
	if err := f.ProcessElement(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	name := join(f.Dead, fmt.Sprintf("%s/%d", d.Name, d.Offset))
	text, err := os.ReadFile(name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err = os.ReadFile(name + ".bytes")
	if r.Bytes != (err == nil) || r.Bytes && r.Length != int64(len(data)) {
		t.Errorf("%+v, %d bytes, %v", r, len(data), err)
	}
	return r, data
}

// A dead letter is the whole original, or says that it is not.
func TestDeadWhole(t *testing.T) {
	in := t.TempDir()
	file := join(in, "a.html")
	if err := os.WriteFile(file, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	memory.mu.Lock()
	memory.files["flaky://odd/a.html"] = "0123456789"
	memory.mu.Unlock()
	for _, path := range []string{file, "flaky://odd/a.html"} {
		for _, c := range []struct {
			offset, length int64
			want           string
			bytes          bool
		}{{0, -1, "0123456789", true}, {0, 10, "0123456789", true}, {4, 3, "456", true}, {4, -1, "456789", true}, {4, 0, "", true}, {8, 3, "", false}, {12, 1, "", false}} {
			if r, data := dead(t, DeadLetter{Name: "a.html", Path: path, Offset: c.offset, Length: c.length}); string(data) != c.want || r.Bytes != c.bytes {
				t.Errorf("%s, %+v: %+v, %q", path, c, r, data)
			}
		}
	}
	for _, path := range []string{join(in, "gone.html"), "flaky://odd/gone.html"} {
		if r, _ := dead(t, DeadLetter{Name: "gone.html", Path: path, Length: -1}); r.Bytes || r.Length != -1 {
			t.Errorf("%+v", r)
		}
	}
}

// What is not as it was listed is a dead letter; what is known to be too long is not opened.
func TestReadChanged(t *testing.T) {
	in := t.TempDir()
	if err := os.WriteFile(join(in, "a.html"), []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		size int64
		want string // "" if it is read
	}{
		{"a.html", 10, ""}, {"a.html", 5, ""}, {"a.html", -1, ""}, {"a.html", 11, "cut: there were 11 bytes, and 10 could be read"},
		{"gone.html", 10, "no such file"}, {"gone.html", -1, "no such file"}, {"gone.html", 1001, "longer than the limit of 1000 bytes"},
	} {
		f := &readFn{Output: t.TempDir(), MaxFile: 1000, Memory: DefaultMemory, counters: counters{}}
		var read, cause string
		err := f.ProcessElement(context.Background(), File{Path: join(in, c.name), Name: c.name, Kind: HTML, Size: c.size},
			func(r Record) { read = string(r.Bytes) }, func(File) {}, func(d DeadLetter) {
				if cause = d.Cause; d.Length != -1 || d.Bytes != nil {
					t.Errorf("%+v: %+v", c, d)
				}
			})
		f.Teardown()
		if err != nil || c.want == "" && (read != "0123456789" || cause != "") || c.want != "" && (read != "" || !strings.Contains(cause, c.want)) {
			t.Errorf("%+v: %q, %q, %v", c, read, cause, err)
		}
	}
}

// All that is read at once has been given its memory.
func TestWeight(t *testing.T) {
	for _, c := range []struct {
		file    File
		longest int64
		want    int64
	}{
		{File{Kind: HTML, Size: 100}, 1000, 600 + fixed}, {File{Kind: HTML, Size: -1}, 1000, 6000 + fixed}, {File{Kind: WARC, Name: "a.warc", Size: 5000}, 1000, 6000 + fixed},
		{File{Kind: WARC, Name: "a.WARC.gz", Size: 2}, 1 << 20, 2*1032*6 + fixed}, {File{Kind: HTML, Size: 1 << 30}, maxMaxFile, DefaultMemory},
		{File{Kind: WARC, Name: "a.warc.gz", Size: 1 << 60}, maxMaxRecord, DefaultMemory},
	} {
		if got := weight(&c.file, c.longest, DefaultMemory); got != c.want {
			t.Errorf("%+v: %d, want %d", c.file, got, c.want)
		}
	}
}
