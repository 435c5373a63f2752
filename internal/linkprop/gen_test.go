// SPDX-License-Identifier: MIT

package linkprop

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The version that TestNextVersion builds with.
const nextVersion = "18.0.0-draft"

// needGo skips tests that run the go command.
func needGo(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the go command: skipped in short mode")
	}
	if os.Getenv("BIDILINK_UCD_VERSION") != "" {
		t.Skip("BIDILINK_UCD_VERSION is set: this is a run within TestNextVersion")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
}

// goCommand returns the go command for the folder dir, with env added to the
// environment.
func goCommand(dir string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// generate runs gen.go and returns what it wrote.
func generate(t *testing.T, version, out string) []byte {
	t.Helper()
	if msg, err := goCommand("", nil, "run", "gen.go", "-version", version, "-out", out).CombinedOutput(); err != nil {
		t.Fatalf("go run gen.go -version %s: %v\n%s", version, err, msg)
	}
	src, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// The committed tables are what the generator makes, each time.
func TestReproducible(t *testing.T) {
	needGo(t)
	ucdDir(t)
	first := generate(t, UnicodeVersion, filepath.Join(t.TempDir(), "tables.go"))
	second := generate(t, UnicodeVersion, filepath.Join(t.TempDir(), "other.go"))
	if !bytes.Equal(first, second) {
		t.Error("the generator wrote different bytes from the same input")
	}
	committed, err := os.ReadFile("tables.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, committed) {
		t.Error("tables.go differs from what gen.go writes: run go generate")
	}
}

// TestNextVersion generates the tables of the version to come, and runs tests with
// them in place of the committed ones: TestTables here, and the conformance tests
// of package engine. No file of the module is touched: the go command reads the
// new tables through an overlay,
//
//	go run gen.go -version 18.0.0-draft -out TMP/tables.go
//	echo '{"Replace": {"ROOT/internal/linkprop/tables.go": "TMP/tables.go"}}' >TMP/overlay.json
//	BIDILINK_UCD_VERSION=18.0.0-draft go test -overlay TMP/overlay.json ./engine -run Conformance
//
// with absolute paths for TMP, any folder, and ROOT, that of the module.
//
// BIDILINK_UCD_VERSION tells those tests which folder of BIDILINK_UCD to read the
// test files from, and TestTables that the overlay took effect. The tests of this
// file skip when it is set, so that none runs another.
//
// Who has no files of the next version, as is usual outside CI, gets a skip.
func TestNextVersion(t *testing.T) {
	needGo(t)
	dir := filepath.Join(ucdDir(t), nextVersion)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}

	tmp := t.TempDir()
	tables := filepath.Join(tmp, "tables.go")
	generate(t, nextVersion, tables)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(here, "tables.go"): tables},
	})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(here, "..", "..")

	for _, tt := range []struct{ name, pkg, run, needs string }{
		{"linkprop", "./internal/linkprop", "TestTables", ""},
		{"engine", "./engine", "TestConformance", "engine/conformance_test.go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.needs != "" {
				if _, err := os.Stat(filepath.Join(root, tt.needs)); errors.Is(err, fs.ErrNotExist) {
					t.Skip(err)
				}
			}
			cmd := goCommand(root, []string{"BIDILINK_UCD_VERSION=" + nextVersion},
				"test", "-overlay", overlayFile, "-count=1", "-v", "-run", "^"+tt.run, tt.pkg)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v\n%s", cmd, err, out)
			}
			// Passing by not running is no pass.
			if !strings.Contains(string(out), "--- PASS: "+tt.run) {
				t.Fatalf("%v: no test passed\n%s", cmd, out)
			}
		})
	}
}

// Each mistake in the files is reported with the file and the line.
func TestGeneratorErrors(t *testing.T) {
	needGo(t)
	gen := filepath.Join(t.TempDir(), "gen.exe")
	if out, err := goCommand("", nil, "build", "-o", gen, "gen.go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	const (
		term    = "0028;Open#\n0029;Close#\n0061..007A ; Include # (a..z)\n"
		bracket = "0029 ; 0028 #1.1\n"
		email   = "0061..007A # (a..z)\n"
	)
	for _, tt := range []struct{ name, term, bracket, email, want string }{
		{"good", "# @missing: 0000..10FFFF; Hard\r\n" + term, bracket, email, ""},
		{"value", term + "\n0041 ; Maybe\n", bracket, email, `LinkTerm.txt:5: unknown Link_Term value "Maybe"`},
		{"fields", "0041\n", bracket, email, `LinkTerm.txt:1: 1 fields, want 2`},
		{"hex", "# x\n004G ; Soft\n", bracket, email, `LinkTerm.txt:2: "004G" is not a code point`},
		{"above", "110000 ; Soft\n", bracket, email, `LinkTerm.txt:1: "110000" is not a code point`},
		{"backwards", "0042..0041 ; Soft\n", bracket, email, `LinkTerm.txt:1: range 0042..0041 is backwards`},
		{"twice", term + "0062 ; Soft\n", bracket, email, `LinkTerm.txt:4: U+0062 has a value already`},
		{"default", "# @missing: 0000..10FFFF; Include\n", bracket, email, `LinkTerm.txt:1: the default is "Include", but the tables are made for "Hard"`},
		{"email fields", term, bracket, email + "0041 ; Yes\n", `LinkEmail.txt:2: 2 fields, want 1`},
		{"email twice", term, bracket, email + "0061\n", `LinkEmail.txt:2: U+0061 is listed already`},
		{"not Close", term, bracket + "0061 ; 0028\n", email, `LinkBracket.txt:2: U+0061 has a Link_Bracket value, but its Link_Term is not Close`},
		{"not Open", term, "0029 ; 0061\n", email, `LinkBracket.txt:1: U+0061 is a Link_Bracket value, but its Link_Term is not Open`},
		{"bracket twice", term, bracket + bracket, email, `LinkBracket.txt:2: U+0029 has a value already`},
		{"unpaired", term + "005B ; Open\n", bracket, email, `U+005B is Open or Close in LinkTerm.txt, but is not in LinkBracket.txt`},
		{"no data", term, "# nothing\n", email, `LinkBracket.txt: no data`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ucd := t.TempDir()
			if err := os.Mkdir(filepath.Join(ucd, "1.0.0"), 0o777); err != nil {
				t.Fatal(err)
			}
			for name, data := range map[string]string{"LinkTerm.txt": tt.term, "LinkBracket.txt": tt.bracket, "LinkEmail.txt": tt.email} {
				if err := os.WriteFile(filepath.Join(ucd, "1.0.0", name), []byte(data), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			runGen(t, gen, ucd, tt.want)
		})
	}
	t.Run("no file", func(t *testing.T) { runGen(t, gen, t.TempDir(), "internal/linkprop/fetch gets it") })
	t.Run("unset", func(t *testing.T) { runGen(t, gen, "", "BIDILINK_UCD is not set") })
	t.Run("relative", func(t *testing.T) { runGen(t, gen, "unicode", "must be an absolute path") })
}

// runGen runs the generator, and checks that it fails with want in its message, or
// does not fail if want is empty. When it fails it must write nothing.
func runGen(t *testing.T, gen, ucd, want string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "tables.go")
	cmd := exec.Command(gen, "-version", "1.0.0", "-out", out)
	cmd.Env = append(os.Environ(), "BIDILINK_UCD="+ucd)
	msg, err := cmd.CombinedOutput()
	if want == "" {
		if err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		return
	}
	if err == nil {
		t.Fatalf("no error, want %q", want)
	}
	if !strings.Contains(string(msg), want) {
		t.Errorf("message %q\nwant %q", msg, want)
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("output after an error: %v", err)
	}
}
