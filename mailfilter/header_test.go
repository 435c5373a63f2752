// SPDX-License-Identifier: MIT

package mailfilter

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// checkFields fails if the fields of a block say anything else than those of them that matter.
func checkFields(t *testing.T, block []byte) (well bool) {
	t.Helper()
	some, ok := thatMatter(block)
	if !ok {
		return false
	}
	want := parseFields(block)
	if got := parseFields(some); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, of which %q matters:\n got %+v\nwant %+v", block, some, got, want)
	}
	for range 2 { // the second time, it is remembered
		if got := readFields(block); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n got %+v\nwant %+v", block, got, want)
		}
	}
	return true
}

func TestFieldsThatMatter(t *testing.T) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	well := 0
	for _, name := range files {
		msg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFilter(Options{RewriteDKIM: true, RewriteLists: true})
		if err != nil {
			t.Fatal(err)
		}
		entities, _, err := f.scan(msg, nil)
		if err != nil {
			continue // beyond a limit
		}
		for i := range entities {
			if checkFields(t, entities[i].block) {
				well++
			}
		}
	}
	if well < 500 {
		t.Errorf("only %d headers", well)
	}
	for block, want := range map[string]string{
		"Subject: x\r\ncontent-TYPE: text/html;\r\n\tcharset=utf-8\r\nX: y\r\n z\r\nSig: a\r\n": "content-TYPE: text/html;\r\n\tcharset=utf-8\r\nSig: a\r\n",
		"Content-Typ: a\nContent-Type2: b\nXContent-Type: c\nTo: Content-Type: d\n":             "",
		"Arc-Seal: a\nARC-SEAL: b":        "Arc-Seal: a\nARC-SEAL: b",
		"List-ID: l\nX: a\n List-Id: m\n": "List-ID: l\n",
	} {
		if got, ok := thatMatter([]byte(block)); string(got) != want || !ok {
			t.Errorf("%q: %q, %v, want %q", block, got, ok, want)
		}
	}
	for _, block := range []string{" a: b\n", "a\n", "a : b\n", "a: b\n\nc: d\n", "a: \rb\n", "a: \x00\n", ": a\n", "é: a\n"} {
		if some, ok := thatMatter([]byte(block)); ok {
			t.Errorf("%q: %q", block, some)
		}
	}
}

func FuzzFieldsThatMatter(f *testing.F) {
	for _, name := range names {
		f.Add([]byte(name + ": text/html; charset=\"utf-8\"\r\n\tname=x\r\n" + strings.ToUpper(name) + ": b\nX: y\n"))
	}
	f.Add([]byte("Content-Type: multipart/mixed; boundary==?utf-8?q?b?=\nDKIM-Signature: v=1\n \nList-Id:\n"))
	f.Fuzz(func(t *testing.T, block []byte) { checkFields(t, block) })
}
