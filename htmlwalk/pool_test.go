// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"flag"
	"os"
	"testing"

	"golang.org/x/net/html/atom"
)

// TestMain has an element that is in a pool be one in which everything goes wrong, but for benchmarks.
func TestMain(m *testing.M) {
	flag.Parse()
	if bench := flag.Lookup("test.bench"); bench == nil || bench.Value.String() == "" {
		unused = &element{name: atom.Math, ns: mathNS, kind: ^kind(0), flags: flags{hard: true, dir: rightToLeft}}
	}
	os.Exit(m.Run())
}

func TestPool(t *testing.T) {
	var p pool
	seen := map[*element]bool{}
	for _, name := range []atom.Atom{atom.P, atom.B, atom.Form, atom.Bdi, atom.Div} {
		e := p.get()
		if *e != (element{}) || seen[e] {
			t.Fatalf("%v: %+v", name, *e)
		}
		e.name, e.kind = name, kindOf(name)
		p.put(e)
		seen[e] = name != atom.P && name != atom.Div
	}
	if len(p.free) != 1 {
		t.Errorf("%d elements are free, want 1", len(p.free))
	}
}
