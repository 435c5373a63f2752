// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

// TestMain has what was in a scratch be wrong afterwards, but for benchmarks.
func TestMain(m *testing.M) {
	flag.Parse()
	bench := flag.Lookup("test.bench")
	poison = bench == nil || bench.Value.String() == ""
	os.Exit(m.Run())
}

func TestScratch(t *testing.T) {
	s := &scratch{buf: make([]byte, 0, 100)}
	a, b := s.empty(60), s.empty(40)
	c := s.empty(1)
	for _, p := range []*[]byte{&a, &b, &c} {
		if len(*p) != 0 {
			t.Error(len(*p))
		}
		*p = append(*p, strings.Repeat("x", cap(*p))...)
	}
	if cap(a) != 60 || cap(b) != 40 || &a[0] != &s.buf[0] || &b[0] != &s.buf[60] || &c[0] == &s.buf[0] {
		t.Error(cap(a), cap(b))
	}
	a = append(a, 'y')
	if b[0] != 'x' {
		t.Error("what does not fit goes over the next")
	}
	s.release()
	if b[0] != '<' || c[0] != 'x' {
		t.Errorf("%q, %q", b[0], c[0])
	}
	if none := (*scratch)(nil).empty(7); len(none) != 0 || cap(none) < 7 {
		t.Error(len(none), cap(none))
	}
}

// TestScratchCleared has what was in a scratch be gone for the next message.
func TestScratchCleared(t *testing.T) {
	defer func(was bool) { poison = was }(poison)
	poison = false
	s := &scratch{buf: make([]byte, 0, 100)}
	all := s.empty(30)
	all = append(all, "a message with a secret"...)
	part := append(s.empty(70), "another one"...)
	s.release()
	for i, c := range all[:cap(all)] {
		if c != 0 {
			t.Fatalf("%d: %q", i, c)
		}
	}
	for i, c := range part {
		if c != 0 {
			t.Fatalf("%d: %q", i, c)
		}
	}
}

// What a message becomes does not change with the next one.
func TestScratchReused(t *testing.T) {
	cases := mailCases()
	outs, want := make([][]byte, len(cases)), make([][]byte, len(cases))
	reports := make([]Report, len(cases))
	for i, c := range cases {
		outs[i], reports[i], _ = RewriteMessage([]byte(c.msg), c.o)
		want[i] = bytes.Clone(outs[i])
	}
	for i, c := range cases {
		if !bytes.Equal(outs[i], want[i]) {
			t.Errorf("%s: changed afterwards", c.name)
		}
		if _, rep, _ := RewriteMessage([]byte(c.msg), c.o); reports[i].Result != rep.Result || reports[i].Reason != rep.Reason || len(reports[i].Parts) != len(rep.Parts) {
			t.Errorf("%s: %v %v, then %v %v", c.name, reports[i].Result, reports[i].Reason, rep.Result, rep.Reason)
		} else {
			for k := range rep.Parts {
				if rep.Parts[k] != reports[i].Parts[k] {
					t.Errorf("%s: part %d: %+v, then %+v", c.name, k, reports[i].Parts[k], rep.Parts[k])
				}
			}
		}
	}
}
