// SPDX-License-Identifier: MIT

package plaintext

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

var update = flag.Bool("update", false, "write the golden files")

// extensions are those of goldmark that make nodes of kinds that the renderer knows, and ours.
func extensions(e *uts58.Extender) goldmark.Option {
	return goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote, extension.Typographer, extension.DefinitionList, e)
}

// text renders a document.
func text(t testing.TB, o Options, e *uts58.Extender, source string) string {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := goldmark.New(extensions(e), goldmark.WithRenderer(r)).Convert([]byte(source), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestGolden compares with testdata/NAME.OPTIONS.txt.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) < 4 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, o := range map[string]Options{
			"inline": {}, "footnotes": {Footnotes: true, Images: true}, "flowed": {Flowed: true, Signature: "The editors\n\n https://example.com/"}, "narrow": {Width: 30},
		} {
			golden := strings.TrimSuffix(file, "md") + name + ".txt"
			got := text(t, o, &uts58.Extender{}, string(source))
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s:\n got %s\nwant %s", golden, got, want)
			}
			// How the links are isolated in HTML does not matter.
			if attr := text(t, o, &uts58.Extender{Isolate: uts58.Attr, Profile: display.Mail}, string(source)); attr != got {
				t.Errorf("%s: with attributes:\n got %s\nwant %s", golden, attr, got)
			}
			if mail := text(t, o, &uts58.Extender{Profile: display.Mail, Dir: display.RTL, Isolation: display.IsolateAll}, string(source)); mail != got {
				t.Errorf("%s: in the profile for mail:\n got %s\nwant %s", golden, mail, got)
			}
		}
	}
}
