// SPDX-License-Identifier: MIT

package linkprop

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// ucdDir returns the folder that BIDILINK_UCD names. Without it the test skips;
// with it, files that are missing are failures.
func ucdDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BIDILINK_UCD")
	if dir == "" {
		t.Skip("BIDILINK_UCD is not set: no Unicode files to compare with (go run ./internal/linkprop/fetch gets them)")
	}
	return dir
}

// TestTables compares every lookup at every code point with the files of the
// version that the tables say they are.
func TestTables(t *testing.T) {
	dir := ucdDir(t)
	if v := os.Getenv("BIDILINK_UCD_VERSION"); v != "" && v != UnicodeVersion {
		t.Fatalf("BIDILINK_UCD_VERSION is %s, but the tables are of %s: see TestNextVersion", v, UnicodeVersion)
	}
	dir = filepath.Join(dir, UnicodeVersion)

	var (
		term    [unicode.MaxRune + 1]Term
		email   [unicode.MaxRune + 1]bool
		opening = map[rune]rune{}
	)
	terms := map[string]Term{"Hard": Hard, "Soft": Soft, "Include": Include, "Open": Open, "Close": Close}
	for _, l := range readUCD(t, filepath.Join(dir, "LinkTerm.txt")) {
		v, ok := terms[l.value]
		if !ok {
			t.Fatalf("%s: %q is no value of Link_Term", l.where, l.value)
		}
		for r := l.first; r <= l.last; r++ {
			term[r] = v
		}
	}
	for _, l := range readUCD(t, filepath.Join(dir, "LinkEmail.txt")) {
		if l.value != "" {
			t.Fatalf("%s: unexpected value %q", l.where, l.value)
		}
		for r := l.first; r <= l.last; r++ {
			email[r] = true
		}
	}
	for _, l := range readUCD(t, filepath.Join(dir, "LinkBracket.txt")) {
		v, err := strconv.ParseInt(l.value, 16, 32)
		if err != nil {
			t.Fatalf("%s: %v", l.where, err)
		}
		for r := l.first; r <= l.last; r++ {
			opening[r] = rune(v)
		}
	}

	bad := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		p, open := Of(r), Opening(r)
		if p.Term() != term[r] || p.Email() != email[r] || open != opening[r] {
			t.Errorf("U+%04X: have %v, %v, U+%04X; the files of %s have %v, %v, U+%04X",
				r, p.Term(), p.Email(), open, UnicodeVersion, term[r], email[r], opening[r])
			bad++
		}
		if r < 0x80 && ASCII(byte(r)) != p {
			t.Errorf("U+%04X: ASCII has %v, %v; Of has %v, %v", r, ASCII(byte(r)).Term(), ASCII(byte(r)).Email(), p.Term(), p.Email())
			bad++
		}
		include := p.Term() == Include
		switch b := []byte(string(r)); {
		case r >= 0xD800 && r <= 0xDFFF: // not in UTF-8
		case len(b) == 2 && Include2(b[0], b[1]) != include, len(b) == 3 && Include3(b[0], b[1], b[2]) != include:
			t.Errorf("U+%04X: from its bytes, Include is %v", r, !include)
			bad++
		}
		if bad >= 20 {
			t.Fatal("and so on")
		}
	}
}

type ucdLine struct {
	where       string // file and line, for messages
	first, last rune
	value       string // second field, or empty
}

var ucdRE = regexp.MustCompile(`^([0-9A-F]{4,6})(?:\.\.([0-9A-F]{4,6}))?\s*(?:;\s*([0-9A-Za-z]+))?\s*#`)

// readUCD is apart from the parser in gen.go on purpose, so that a mistake in one
// does not hide in the other. It knows only what the files look like now.
func readUCD(t *testing.T, name string) []ucdLine {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []ucdLine
	for i, s := range strings.Split(string(data), "\n") {
		if s == "" || s[0] == '#' {
			continue
		}
		where := name + ":" + strconv.Itoa(i+1)
		m := ucdRE.FindStringSubmatch(s)
		if m == nil {
			t.Fatalf("%s: cannot read %q", where, s)
		}
		first, err := strconv.ParseInt(m[1], 16, 32)
		if err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		last := first
		if m[2] != "" {
			if last, err = strconv.ParseInt(m[2], 16, 32); err != nil {
				t.Fatalf("%s: %v", where, err)
			}
		}
		if last > unicode.MaxRune {
			t.Fatalf("%s: %X is no code point", where, last)
		}
		lines = append(lines, ucdLine{where, rune(first), rune(last), m[3]})
	}
	if len(lines) == 0 {
		t.Fatalf("%s: no data", name)
	}
	return lines
}
