// SPDX-License-Identifier: MIT

package hostname

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// TestMayEnd checks that MayEnd is true for every top-level domain, in its forms, and false for what is none.
func TestMayEnd(t *testing.T) {
	for _, u := range unicodeTLDs {
		for _, s := range []string{u, strings.ToUpper(u)} {
			if !MayEnd(s) {
				t.Errorf("MayEnd(%q) is false", s)
			}
			if s[0] >= 0x80 && (!MayBegin(s) || !MayBegin(norm.NFD.String(s))) {
				t.Errorf("MayBegin(%q) is false", s)
			}
		}
		a, ok := AppendASCII(nil, u)
		if !ok || !MayEnd(string(a)) || !MayEnd(strings.ToUpper(string(a))) {
			t.Errorf("MayEnd(%q) is false", a)
		}
	}
	for s, want := range map[string]bool{
		"com": true, "COM": true, "uk": true, "ck": true, "vermögensberatung": true, "ｃｏｍ": true, "photography": true, "1": true, "0": true, "255": true,
		"0x7f": false, "256": false, "01": false, "1a": false, "1000": false,
		"": false, "e": false, "localhost": false, "comm": false, "com한국": false, "рфы": false, "それから": false, "然后": false,
		strings.Repeat("言", 60): false, strings.Repeat("a", 70): false,
	} {
		if got := MayEnd(s); got != want {
			t.Errorf("MayEnd(%q) is %v", s, got)
		}
	}
}

// FuzzMayEnd checks that MayEnd is true for the last label of every host that is more than a Name.
func FuzzMayEnd(f *testing.F) {
	for _, s := range []string{"example.com", "пример.рф", "例え.みんな", "ｅｘ．ＣＯＭ", "a.ไทย", "1.2.3.4", "a.vermo\u0308gensberatung", "a.क़.भारत", "a.भारत\u093c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, host string) {
		if Classify(host) <= Name {
			return
		}
		last := host
		for i, r := range host {
			switch r {
			case '.', 0x3002, 0xff0e, 0xff61:
				last = host[i+len(string(r)):]
			}
		}
		if !MayEnd(last) {
			t.Errorf("%q: MayEnd(%q) is false", host, last)
		}
		if last[0] >= 0x80 && !MayBegin(last) {
			t.Errorf("%q: MayBegin(%q) is false", host, last)
		}
	})
}

func BenchmarkMayEnd(b *testing.B) {
	for _, s := range []string{"com", "g", "рф", "それから", "時間の樹木が旅行する世界の言葉"} {
		b.Run(s, func(b *testing.B) {
			for b.Loop() {
				MayEnd(s)
			}
		})
	}
}
