// SPDX-License-Identifier: MIT

package hostname

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

// icannRules reads the ICANN rules from the test of x/net/publicsuffix.
func icannRules(t *testing.T) []string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		t.Skip("go list: ", err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(out)), "publicsuffix", "table_test.go"), nil, 0)
	if err != nil {
		t.Skip(err)
	}
	n := 0
	var rules []string
	ast.Inspect(f, func(x ast.Node) bool {
		v, ok := x.(*ast.ValueSpec)
		if !ok {
			return true
		}
		switch v.Names[0].Name {
		case "numICANNRules":
			n, _ = strconv.Atoi(v.Values[0].(*ast.BasicLit).Value)
		case "rules":
			for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
				s, err := strconv.Unquote(e.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				rules = append(rules, s)
			}
		}
		return false
	})
	if n == 0 || n > len(rules) {
		t.Fatalf("%d rules of %d", n, len(rules))
	}
	return rules[:n]
}

func TestVersion(t *testing.T) {
	if s := publicsuffix.List.String(); s != PSLVersion {
		t.Errorf("the tables are of %q, x/net has %q", PSLVersion, s)
	}
}

// TestSuffixes goes through every rule, with up to two labels before it, and with its first one or
// two removed. There are two judges: x/net/publicsuffix, and the list's algorithm in its simplest form.
func TestSuffixes(t *testing.T) {
	rules := icannRules(t)
	plain, wild, not, tlds := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range rules {
		tlds[r[strings.LastIndexAny(r, ".!")+1:]] = true
		switch {
		case r[0] == '!':
			not[r[1:]] = true
		case r[0] == '*':
			wild[r[2:]] = true
		default:
			plain[r] = true
		}
	}
	simple := func(host string) Status {
		if !tlds[host[strings.LastIndexByte(host, '.')+1:]] {
			return Name
		}
		_, parent, ok := strings.Cut(host, ".")
		if !not[host] && (plain[host] || wild[parent]) || !ok {
			return Suffix
		}
		return Registrable
	}
	check := func(host string) {
		t.Helper()
		want := refSuffix(host)
		if s := simple(host); s != want {
			t.Errorf("%s: x/net has %d, the rules have %d", host, want, s)
		}
		_, want = reference(host) // it may break the Bidi rule, or end in a number
		for _, h := range []string{host, strings.ToUpper(host)} {
			if got := Classify(h); got != want {
				t.Errorf("Classify(%q) = %d, want %d", h, got, want)
			}
		}
	}
	for _, r := range rules {
		r = strings.TrimPrefix(strings.TrimPrefix(r, "*."), "!")
		for _, h := range []string{r, "a." + r, "www." + r, "some-longer-label." + r, "a.b." + r, "www.example." + r, "a.b.c.d." + r,
			"x" + r, r + ".x", r + ".com", r + ".jp"} {
			check(h)
		}
		for h, ok := r, true; ok; _, h, ok = strings.Cut(h, ".") {
			check(h)
		}
	}
	// Names put together from labels of rules.
	var labels []string
	for _, r := range rules {
		for l := range strings.SplitSeq(strings.TrimLeft(r, "*.!"), ".") {
			labels = append(labels, l)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 30000 {
		s := labels[rnd.IntN(len(labels))]
		for range rnd.IntN(4) {
			s = labels[rnd.IntN(len(labels))] + "." + s
		}
		check(s)
	}
}
