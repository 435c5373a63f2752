// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/engine/explain"
)

func TestShow(t *testing.T) {
	for name, text := range map[string]string{
		"rtl":    "See http://מזל.ישראל/דרך, or example.cmo.",
		"arabic": "انظر http://مثال.السعودية/كتاب?a=1",
		"mail":   "mail a.b@example.com now",
		"misses": "http://user@example.com ftp://x_y.invalid/ exam\u200eple.com",
		"warned": "pаypal.com/⁄\u202e\u00adx\xff",
		"none":   "nothing here",
	} {
		out, errs, code := command("", "show", text)
		if errs != "" || code != 0 {
			t.Errorf("%s: exit %d, %s", name, code, errs)
		}
		if strings.Contains(out, "\x1b") {
			t.Errorf("%s: escape sequences that are not for a terminal: %q", name, out)
		}
		golden := filepath.Join("testdata", "show", name+".txt")
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(out), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if out != string(want) {
			t.Errorf("%s:\n got %s\nwant %s", name, out, want)
		}
	}
}

func TestShowInput(t *testing.T) {
	want, _, _ := command("", "show", "see e.com")
	for _, c := range []struct {
		stdin string
		args  []string
	}{{"see e.com", nil}, {"see e.com", []string{"-"}}, {"", []string{"see", "e.com"}}} {
		if out, errs, code := command(c.stdin, append([]string{"show"}, c.args...)...); out != want || errs != "" || code != 0 {
			t.Errorf("%v: exit %d, %s\n got %s\nwant %s", c.args, code, errs, out, want)
		}
	}
	for _, c := range []struct {
		stdin string
		args  []string
		want  string
	}{
		{"", nil, "bidilink: show: no text\n"},
		{"a\x00b", nil, "bidilink: -: binary data: a NUL byte at offset 1\n"},
		{"", []string{"--bare=x", "e.com"}, "bidilink: --bare x: want all, www or none\n"},
		{"", []string{"--json", "\ufffd\xff\xff example.com"}, "bidilink: show --json: the text is not UTF-8: byte FF at offset 3\n"},
		{"a\xc3", []string{"--json"}, "bidilink: show --json: the text is not UTF-8: byte C3 at offset 1\n"},
	} {
		if out, errs, code := command(c.stdin, append([]string{"show"}, c.args...)...); out != "" || errs != c.want || code != exitError {
			t.Errorf("%v: exit %d, %q, %s", c.args, code, errs, out)
		}
	}
}

func TestShowJSON(t *testing.T) {
	const text = "e.com/<a>&\u202e. example.cmo"
	out, errs, code := command("", "show", "--json", text)
	if errs != "" || code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	var got explained
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	e, err := explain.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	links := slices.Collect(e.Links(text))
	if got.Text != text || len(got.Links) != 1 || len(links) != 1 || got.Links[0].Stop.Sentence != links[0].Stop.Sentence || len(got.Misses) != 1 || got.Misses[0].Causes[0].Name != "unknown-tld" || got.More {
		t.Errorf("got %+v", got)
	}
	if out, _, _ := command("", "show", "--json", "nothing"); !strings.Contains(out, `"links": []`) || !strings.Contains(out, `"misses": []`) {
		t.Errorf("got %s", out)
	}
}

// What is for terminals: colors, sentences that are wrapped, and no reordering.
func TestShowScreen(t *testing.T) {
	const text = "see http://מזל.ישראל/דרך, 例え.テスト.invalid/" + "\u202e" + "x\u0301 and http://user@example.com:1/a_(b). And so on, http://例子.中国/路径?查询=值"
	e, err := explain.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	links := slices.Collect(e.Links(text))
	misses, _ := e.Misses(text)
	if len(links) < 2 || len(misses) < 2 {
		t.Fatalf("%d links, %d near misses", len(links), len(misses))
	}
	plain := &screen{width: 60}
	plain.all(links, misses, true)
	colored := &screen{width: 60, color: true, explicit: true}
	colored.all(links, misses, true)
	sequence := regexp.MustCompile("\x1b\\[[0-9;]*[mhl]")
	if got := sequence.ReplaceAllString(colored.String(), ""); got != plain.String() {
		t.Errorf("colors change more than colors:\n%s\n%s", got, plain.String())
	}
	if s := colored.String(); !strings.HasPrefix(s, "\x1b[8l") || !strings.HasSuffix(s, "\x1b[8h") {
		t.Errorf("the terminal reorders: %q", s)
	}
	open := 0
	for line := range strings.Lines(plain.String()) {
		line = strings.TrimSuffix(line, "\n")
		if uniseg.StringWidth(line) > 60 && !strings.HasPrefix(line, "  href ") {
			t.Errorf("%d columns: %s", uniseg.StringWidth(line), line)
		}
		// Right-to-left letters stand only where their order is fixed, and all that is opened is closed in the same line.
		for _, r := range line {
			switch {
			case r == '\u202d':
				open++
			case r == '\u202c':
				open--
			case display.IsControl(r):
				t.Errorf("a bidi control: %q", line)
			case open == 0 && display.RightToLeft(string(r)):
				t.Errorf("a letter that a terminal would reorder: %q", line)
			}
		}
		if open != 0 {
			t.Errorf("an override that is not closed, or is twice: %q", line)
		}
	}
	// What is behind a notation, or a display without one, begins in the same column for each order.
	column := -1
	wide := &screen{width: 200}
	wide.all(links, misses, true)
	for line := range strings.Lines(wide.String()) {
		if i := strings.Index(line, "\u202d"); i > 0 && regexp.MustCompile(`(none|constant|embedding|environment|content|tld) +(ltr, rtl|ltr|rtl) `).MatchString(line) {
			if w := uniseg.StringWidth(line[:i]); column >= 0 && w != column {
				t.Errorf("column %d, not %d: %s", w, column, line)
			} else {
				column = w
			}
		}
	}
	if column < 0 {
		t.Error("no displays")
	}
}

// What is broken over lines is there whole, below where it begins, and every line of it is told on its own not to be reordered.
func TestShowWrapped(t *testing.T) {
	const text = "http://" + "אבג דה http://" + "מזל.ישראל/" + "שלום-" // two words, and one that is wider than a line
	s := &screen{width: 32}
	s.sentence("because", "the label "+text+text, "")
	var whole strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(s.String(), "\n"), "\n") {
		if w := uniseg.StringWidth(line); w > 33 {
			t.Errorf("%d columns: %q", w, line)
		}
		if i > 0 && !strings.HasPrefix(line, strings.Repeat(" ", lineStart)) || line[lineStart] == ' ' {
			t.Errorf("not aligned: %q", line)
		}
		line = line[lineStart:]
		if rtl := display.RightToLeft(line); rtl != strings.HasPrefix(line, "\u202d") || rtl != strings.HasSuffix(line, "\u202c") || strings.Count(line, "\u202d")+strings.Count(line, "\u202c") > 2 {
			t.Errorf("not told of its order: %q", line)
		}
		whole.WriteString(strings.Trim(line, "\u202d\u202c"))
	}
	if got, want := strings.ReplaceAll(whole.String(), " ", ""), strings.ReplaceAll("the label "+text+text, " ", ""); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// As many columns as a terminal usually has are enough for what is usual.
	e, err := explain.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for l := range e.Links("http://דוגמה.ישראל/נתיב/ארוך/מאוד?שאילתה=ערך#" + "מקטע http://example.com/א\u202eb/moc.knab/١٢") {
		s := &screen{width: 80}
		s.link(l)
		for line := range strings.Lines(s.String()) {
			if w := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); w > 80 && !strings.HasPrefix(line, "  href ") {
				t.Errorf("%d columns: %s", w, line)
			}
			if i := strings.IndexFunc(strings.NewReplacer("\u202d", "", "\u202c", "").Replace(line), display.IsControl); i >= 0 {
				t.Errorf("a bidi control: %q", line)
			}
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"a\u202eb": "a%E2%80%AEb", "a\xffb": `a\xffb`, "a\x1b[31mb": `a\x1b[31mb`, "é例\u200cא": "é例\u200cא", "a\u00adb": `a\u00adb`, "\n": `\n`,
	} {
		if got := printable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestNoColor(t *testing.T) {
	for _, c := range []struct {
		term, noColor   string
		color, explicit bool
	}{{"xterm", "", true, true}, {"xterm", "1", false, true}, {"dumb", "", false, false}} {
		t.Setenv("TERM", c.term)
		t.Setenv("NO_COLOR", c.noColor)
		if s := terminalScreen(); s.color != c.color || s.explicit != c.explicit {
			t.Errorf("%+v: %+v", c, s)
		}
	}
}
