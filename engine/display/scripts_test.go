// SPDX-License-Identifier: MIT

package display

import (
	"strings"
	"testing"
	"unicode"
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
