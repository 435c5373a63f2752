// SPDX-License-Identifier: MIT

package display

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/bidilink/bidilink/internal/hostname"
)

func TestMixedScripts(t *testing.T) {
	for _, c := range []struct {
		labels string
		want   bool
	}{
		{"example 1 a-1 é ñandú ｅｘ", false},
		{"пример привет1 шалом-2", false},
		{"שלום שלום-1 שָׁלוֹם مثال مثال1 كِتاب٣ فارسی۳ کتابـها", false},
		{"日本語 かな カナ 日本語かなカナ ラーメン ラーメンtokyo aカb漢cひ 人々 〆切 パ・リーグ", false}, // Japanese, with Latin
		{"中文 中文abc ㄅㄆ ㄅㄆ中文a 〇一", false},                                // Chinese, with Bopomofo and Latin
		{"한국 한국abc 한국漢字a 漢字한", false},                                  // Korean, with Latin
		{"ไทย हिन्दी१ বাংলা১ தமிழ் ελλάδα հայ ქართ", false},
		{"a\u0301б", true},           // a mark of Inherited makes nothing right
		{"б\u0301 a\u0301", false},   // nor wrong
		{"pаypal аpple ѕcope", true}, // Cyrillic and Latin
		{"αbc ελλάdα", true},
		{"abשל aמ", true},
		{"مثalل", true},
		{"שلا", true},
		{"ไทยabc हिन्दीabc", true}, // Latin goes only with Chinese, Japanese, Korean
		{"한국かな ㄅか ㄅ한 ㄅ한a", true},
		{"日本語б かñж", true},
		{"шな", true},
		{"aー日 ー", false},
		{"бー שー", true}, // the prolonged sound mark is of kana only
		{"б・ a・日", true},
		{"a\u0483 б\u0483", true},
		{"שٳ", true},
		{"ש٣ б٣ a٣", true}, // digits of scripts of their own
		{"مثال٣ ތާނަ٣", false},
		{"б〳 한〳", true}, // repeat marks of kana
		{"か〳 カ〳", false},
		{"а\u064b", true},
		{"a\u0378", true}, // unassigned
		{"\xff\xd7 a\xff", false},
	} {
		for label := range strings.FieldsSeq(c.labels) {
			want := c.want
			if label == "a\u0483" || label == "a・日" || label == "б\u0483" {
				want = label == "a\u0483"
			}
			if got := mixedScripts(label); got != want {
				t.Errorf("%s: mixed %v, want %v", label, got, want)
			}
		}
	}
}

func TestScriptExtensions(t *testing.T) {
	before := rune(0)
	for _, e := range scriptExtensions {
		if e.lo <= before || e.hi < e.lo {
			t.Errorf("%U is not in order", e.lo)
		}
		before = e.hi
		n := 0
		own := false
		for s := range strings.SplitSeq(e.scripts, " ") {
			if unicode.Scripts[s] == nil {
				t.Errorf("%U: no script %q", e.lo, s)
			}
			n++
			own = own || s != "" && unicode.Is(unicode.Scripts[s], e.lo)
		}
		if n > 12 { // mixedScripts has room for these and three writing systems
			t.Errorf("%U: %d scripts", e.lo, n)
		}
		if !own && !unicode.In(e.lo, unicode.Common, unicode.Inherited) {
			t.Errorf("%U is not of a script of its own", e.lo)
		}
	}
}

// Whatever the guess, the script of a character is that of package unicode, but for those in the table.
func TestScriptsOf(t *testing.T) {
	for name, table := range unicode.Scripts {
		for _, r := range table.R16 {
			for _, guess := range []string{"", "Latin", "Cyrillic", name} {
				c := rune(r.Lo)
				got := scriptsOf(c, guess)
				if (name == "Common" || name == "Inherited") && got == "" || got == name || strings.Contains(" "+got+" ", " "+name+" ") {
					continue
				}
				if unicode.In(c, unicode.Common, unicode.Inherited) && got != "" && got != "Unknown" {
					continue // in the table
				}
				t.Errorf("%U, guess %q: %q, want %s", c, guess, got, name)
			}
		}
	}
}

// TestScriptExtensionsFile compares the table with ScriptExtensions.txt, whose short names are those of PropertyValueAliases.txt.
func TestScriptExtensionsFile(t *testing.T) {
	dir := os.Getenv("BIDILINK_UCD_BIDI")
	if dir == "" {
		t.Skip("BIDILINK_UCD_BIDI is not set; Debian's package unicode-data has the files, in /usr/share/unicode")
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	data := read("ScriptExtensions.txt")
	if first, _, _ := strings.Cut(string(data), "\n"); !strings.Contains(first, "-15.0.0.txt") {
		t.Skipf("the table is of 15.0.0, the file %s", first)
	}
	long := map[string]string{}
	for line := range strings.Lines(string(read("PropertyValueAliases.txt"))) {
		if f := strings.Split(line, ";"); len(f) >= 3 && strings.TrimSpace(f[0]) == "sc" {
			name, _, _ := strings.Cut(f[2], "#")
			long[strings.TrimSpace(f[1])] = strings.TrimSpace(name)
		}
	}
	extensions := map[rune]string{}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		codes, short, ok := strings.Cut(line, ";")
		if !ok {
			continue
		}
		var names []string
		for s := range strings.FieldsSeq(short) {
			names = append(names, long[s])
		}
		slices.Sort(names)
		lo, hi, _ := strings.Cut(strings.TrimSpace(codes), "..")
		first, err := strconv.ParseUint(lo, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		last := first
		if hi != "" {
			if last, err = strconv.ParseUint(hi, 16, 32); err != nil {
				t.Fatal(err)
			}
		}
		for r := first; r <= last; r++ {
			extensions[rune(r)] = strings.Join(names, " ")
		}
	}
	for _, e := range scriptExtensions {
		for r := e.lo; r <= e.hi; r++ {
			want, ok := extensions[r]
			if !ok {
				want = e.scripts
				ok = unicode.Is(unicode.Scripts[e.scripts], r) // it fills a gap between two
			}
			if !ok || e.scripts != want {
				t.Errorf("%U: %s, in the file %s", r, e.scripts, want)
			}
			delete(extensions, r)
		}
	}
	// Vedic marks, and what is neither in use today nor in many labels.
	left := &unicode.RangeTable{R16: []unicode.Range16{
		{0x0951, 0x0952, 1}, {0x1CD0, 0x1CFA, 1}, {0x1DC0, 0x1DC1, 1}, {0x1DF8, 0x1DF8, 1}, {0x1DFA, 0x1DFA, 1}, {0x20F0, 0x20F0, 1}, {0xA8F1, 0xA8F1, 1}, {0xA8F3, 0xA8F3, 1}, {0xFDF2, 0xFDF2, 1},
	}, R32: []unicode.Range32{{0x102E0, 0x102E0, 1}}}
	for r, names := range extensions {
		if hostname.Of(r)&hostname.Label != 0 && unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !unicode.Is(left, r) {
			t.Errorf("%U is not in the table: %s", r, names)
		}
	}
}
