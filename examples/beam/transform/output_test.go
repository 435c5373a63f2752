// SPDX-License-Identifier: MIT

package transform

import (
	"bytes"
	"context"
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
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
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
	fsys, err := filesystem.New(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	name := join(dir, "sub/a")
	fail := func(w io.Writer) error {
		io.WriteString(w, strings.Repeat("x", 1<<20))
		return errBroken
	}
	if err := put(ctx, fsys, name, fail); !errors.Is(err, errBroken) || !strings.HasPrefix(err.Error(), name) {
		t.Errorf("%v", err)
	}
	good := func(w io.Writer) error {
		_, err := io.WriteString(w, "good")
		return err
	}
	if err := put(ctx, fsys, name, good); err != nil {
		t.Fatal(err)
	}
	if err := put(ctx, fsys, name, fail); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	if err := put(ctx, fsys, dir, good); err == nil { // a folder is there
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
		if err := Files(s, Folders{Input: "flaky://in/**", Output: "flaky://out", Dead: "flaky://dead", Kind: Auto, Shards: 3}, rewrite.Options{}); err != nil {
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
