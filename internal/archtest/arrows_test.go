// SPDX-License-Identifier: MIT

package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/bidilink/bidilink"

// An area is a folder of the module with what is in it, but for the areas that are inside.
type area struct {
	ours   []string // areas that it imports, beside itself
	others []string // modules and packages outside, and what is below them; nil: any that are not in confined
}

var areas = map[string]area{
	"internal":       {others: []string{"golang.org/x/text", "golang.org/x/net/idna", "golang.org/x/net/publicsuffix", "golang.org/x/sys/cpu"}},
	"engine":         {ours: []string{"internal"}, others: []string{}},
	"engine/explain": {ours: []string{"engine/display", "engine", "internal"}, others: []string{"golang.org/x/text"}},
	"engine/display": {ours: []string{"engine", "internal"}, others: []string{"golang.org/x/text"}},
	"htmlwalk":       {ours: []string{"engine/display", "engine", "internal"}, others: []string{"golang.org/x/net/html", "golang.org/x/text/encoding"}},
	"mailfilter":     {ours: []string{"htmlwalk", "engine/display", "engine", "internal"}},
	"goldmark-uts58": {ours: []string{"engine/display", "engine", "internal"}},
	"serve":          {ours: []string{"mailfilter", "htmlwalk", "goldmark-uts58", "engine/explain", "engine/display", "engine", "internal"}},
	"cmd":            {ours: []string{"serve", "mailfilter", "htmlwalk", "goldmark-uts58", "engine/explain", "engine/display", "engine", "internal"}},
	"examples":       {ours: []string{"mailfilter", "htmlwalk", "goldmark-uts58", "engine/display", "engine"}},
}

// confined are packages, with what is below them, that only some folders import.
var confined = map[string][]string{
	"golang.org/x/net/idna":         {"internal/hostname"},
	"golang.org/x/net/publicsuffix": {"internal/hostname"},

	"github.com/d--j/go-milter":            {"mailfilter/milter"},
	"github.com/d--j/go-milter/mailfilter": {}, // it cuts messages
	"golang.org/x/sync/semaphore":          {"cmd/bidilink", "mailfilter/milter"},

	"github.com/bmatcuk/doublestar/v4":    {"cmd/bidilink"},
	"github.com/coreos/go-systemd/v22":    {"cmd/bidilink"},
	"github.com/pelletier/go-toml/v2":     {"cmd/bidilink"},
	"github.com/prometheus/client_golang": {"cmd/bidilink", "serve"},
	"github.com/rivo/uniseg":              {"cmd/bidilink", "goldmark-uts58/plaintext"},
	"github.com/schollz/progressbar/v3":   {"cmd/bidilink"},
	"github.com/spf13/cobra":              {"cmd/bidilink"},
	"github.com/spf13/pflag":              {"cmd/bidilink"},
	"golang.org/x/sys/cpu":                {"internal/scan"},
	"golang.org/x/sys/unix":               {"cmd/bidilink"},
	"golang.org/x/term":                   {"cmd/bidilink"},
}

// inTests are modules that tests may import beside those of their area.
var inTests = []string{"github.com/google/go-cmp"}

// areaOf returns the innermost area of a folder, or "".
func areaOf(dir string) string {
	for ; dir != "." && dir != "/"; dir = path.Dir(dir) {
		if _, ok := areas[dir]; ok {
			return dir
		}
	}
	return ""
}

// within reports whether a package is one of roots or below one.
func within(pkg string, roots []string) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return pkg == r || strings.HasPrefix(pkg, r+"/") })
}

// wrong says what is wrong with an import by a file in dir, or returns "".
func wrong(dir, imported string, test bool) string {
	from := areaOf(dir)
	if from == "" {
		return "is in no area"
	}
	for pkg := imported; pkg != "."; pkg = path.Dir(pkg) {
		if only, ok := confined[pkg]; ok && !slices.Contains(only, dir) {
			return "is for " + strings.Join(only, " and ") + " only"
		}
	}
	if rest, ok := strings.CutPrefix(imported, module+"/"); ok {
		to := areaOf(rest)
		if to != from && !slices.Contains(areas[from].ours, to) {
			return "is against the arrows"
		}
		return ""
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return "" // the standard library
	}
	if o := areas[from].others; o != nil && !within(imported, o) && !(test && within(imported, inTests)) {
		return "is not for " + from
	}
	return ""
}

func TestArrows(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			_, nested := os.Stat(filepath.Join(name, "go.mod"))
			if name != root && (nested == nil || e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if w := wrong(filepath.ToSlash(rel), imported, strings.HasSuffix(name, "_test.go")); w != "" {
				t.Errorf("%s: the import of %s %s", name, imported, w)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("found only %d files", files)
	}
}

// The rules themselves.
func TestWrong(t *testing.T) {
	for _, c := range []struct {
		dir, imported string
		test, ok      bool
	}{
		{"engine", "strings", false, true},
		{"engine", module + "/internal/linkprop", false, true},
		{"engine", module + "/engine/display", false, false},
		{"engine", "golang.org/x/net/html", false, false},
		{"engine", "golang.org/x/net/idna", false, false},
		{"engine", "golang.org/x/net/idna", true, false},
		{"engine", "github.com/google/go-cmp/cmp", false, false},
		{"engine", "github.com/google/go-cmp/cmp", true, true},
		{"engine/display", module + "/engine", false, true},
		{"engine/display", "golang.org/x/text/unicode/bidi", false, true},
		{"htmlwalk", module + "/engine/display", false, true},
		{"htmlwalk", module + "/goldmark-uts58", false, false},
		{"htmlwalk", module + "/mailfilter", false, false},
		{"htmlwalk", "golang.org/x/net/html/atom", false, true},
		{"htmlwalk", "golang.org/x/net/publicsuffix", false, false},
		{"mailfilter", module + "/htmlwalk", false, true},
		{"mailfilter", module + "/goldmark-uts58", false, false},
		{"mailfilter", "github.com/emersion/go-message", false, true},
		{"goldmark-uts58", module + "/htmlwalk", false, false},
		{"goldmark-uts58", module + "/goldmark-uts58/plaintext", false, true},
		{"goldmark-uts58/plaintext", module + "/goldmark-uts58", false, true},
		{"goldmark-uts58", "github.com/yuin/goldmark", false, true},
		{"cmd/bidilink", module + "/htmlwalk", false, true},
		{"cmd/bidilink", "github.com/spf13/cobra", false, true},
		{"cmd/bidilink", "github.com/bmatcuk/doublestar/v4", false, true},
		{"cmd/other", "github.com/bmatcuk/doublestar/v4", false, false},
		{"mailfilter", "golang.org/x/sys/unix", false, false},
		{"mailfilter", "github.com/schollz/progressbar/v3", false, false},
		{"internal/hostname", "golang.org/x/net/idna", false, true},
		{"internal/linkprop", "golang.org/x/net/idna", false, false},
		{"internal/uba", module + "/engine", false, false},
		{"internal/uba", module + "/internal/linkprop", false, true},
		{"engine/explain", module + "/engine/display", false, true},
		{"engine/explain", module + "/htmlwalk", false, false},
		{"engine", module + "/engine/explain", false, false},
		{"engine/display", module + "/engine/explain", false, false},
		{"serve", module + "/mailfilter", false, true},
		{"serve", module + "/cmd/bidilink", false, false},
		{"mailfilter", module + "/serve", false, false},
		{"serve", "github.com/prometheus/client_golang/prometheus", false, true},
		{"engine/explain", "github.com/prometheus/client_golang/prometheus", false, false},
		{"elsewhere", "strings", false, false},
	} {
		if w := wrong(c.dir, c.imported, c.test); (w == "") != c.ok {
			t.Errorf("%s imports %s, test %v: %q", c.dir, c.imported, c.test, w)
		}
	}
}
