// SPDX-License-Identifier: MIT

package mailfilter

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// outcome returns the result of a report as the cases have it.
func outcome(r Report) string {
	if r.Result == Skipped {
		return r.Reason.String()
	}
	return r.Result.String()
}

// The messages of testdata become what the files say, or stay as they are.
func TestMessages(t *testing.T) {
	cases := mailCases()
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.name] {
			t.Errorf("%s: twice", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join("testdata", c.name+".eml")
			golden := filepath.Join("testdata", c.name+".want.eml")
			out, rep, err := RewriteMessage([]byte(c.msg), c.o)
			if err != nil {
				t.Fatal(err)
			}
			if got := outcome(rep); got != c.want {
				t.Errorf("%s, want %s (%v) %+v", got, c.want, rep.Err, rep.Parts)
			}
			if modified := rep.Result == Modified; modified == (string(out) == c.msg) {
				t.Errorf("%v, but equal: %v", rep.Result, !modified)
			}
			const before = "what is there already"
			for _, dst := range [][]byte{nil, []byte(before), append(make([]byte, 0, 2*len(c.msg)+5000), before...)} {
				want := string(dst)
				if rep.Result == Modified {
					want += string(out)
				}
				if got, r, err := AppendMessage(dst, []byte(c.msg), c.o); string(got) != want || r.Result != rep.Result || r.Reason != rep.Reason || err != nil {
					t.Errorf("appended to %d bytes: %q, want %q; %v %v (%v)", len(dst), got, want, r.Result, r.Reason, err)
				}
			}
			if *update {
				write(t, file, c.msg)
				os.Remove(golden)
				if rep.Result == Modified {
					write(t, golden, string(out))
				}
			}
			if msg, err := os.ReadFile(file); err != nil || string(msg) != c.msg {
				t.Errorf("%s is not the case: run with -update (%v)", file, err)
			}
			want, err := os.ReadFile(golden)
			if c.want != "modified" {
				want = []byte(c.msg)
				if err == nil {
					t.Errorf("%s, though nothing is to be changed", golden)
				}
			} else if err != nil {
				t.Error(err)
			}
			if !bytes.Equal(out, want) {
				t.Errorf("got\n%q\nwant\n%q", out, want)
			}
			checkMessage(t, []byte(c.msg), c.o)
		})
	}
	if len(cases) < 150 {
		t.Errorf("only %d messages", len(cases))
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f), ".eml"), ".want"); !seen[name] {
			t.Errorf("%s is of no case", f)
		}
	}
}

func write(t *testing.T, name, data string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}
