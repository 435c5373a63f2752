// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// treeTests returns the inputs of the tests of tree construction that golang.org/x/net has, read from the module cache.
var treeTests = sync.OnceValues(func() ([]string, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		return nil, err
	}
	var docs []string
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(dir)), "html", "testdata"), func(path string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".dat" {
			return err
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, test := range bytes.Split(append([]byte("\n"), file...), []byte("\n#data\n"))[1:] {
			if i := bytes.Index(test, []byte("\n#errors")); i >= 0 {
				docs = append(docs, string(test[:i]))
			} else if bytes.HasPrefix(test, []byte("#errors")) {
				docs = append(docs, "")
			}
		}
		return nil
	})
	return docs, err
})

// variants returns documents made of a test input: itself, with links in front and behind, and in each of its texts.
func variants(doc string) []string {
	const link = " http://e.com/ש "
	return []string{
		doc,
		doc + link,
		link + doc + link,
		strings.ReplaceAll(doc, ">", ">"+link),
		strings.ReplaceAll(strings.ReplaceAll(doc, ">", ">"+link), "<", "<b><a>x</a><"),
	}
}

// TestTrees holds the promises for what html5lib tests tree construction with, and says how much of it is copied unchanged.
func TestTrees(t *testing.T) {
	docs, err := treeTests()
	if err != nil || len(docs) < 1500 {
		t.Skipf("no tests of golang.org/x/net: %d, %v", len(docs), err)
	}
	copied := map[Reason]int{}
	links, whole := 0, 0
	for _, doc := range docs {
		for i, v := range variants(doc) {
			checkProperties(t, v, nil, Options{})
			if i == 0 {
				checkProperties(t, v, eager{}, Options{})
				checkProperties(t, v, nil, Options{ReferenceScanner: true})
			}
			_, stats := rewrittenOrRefused(t, v)
			if i == 0 {
				copied[stats.Copied.Reason]++
			}
			links += stats.Links
			whole += strings.Count(v, "http://e.com/ש")
		}
	}
	t.Logf("%d documents; %d links made of %d", len(docs), links, whole)
	for r, n := range copied {
		t.Logf("%4d %v", n, r)
	}
	if copied[NotCopied] < len(docs)*4/5 {
		t.Errorf("only %d of %d documents are looked at as a whole", copied[NotCopied], len(docs))
	}
}

func rewrittenOrRefused(t *testing.T, doc string) (string, Stats) {
	t.Helper()
	var out bytes.Buffer
	stats, err := Rewrite(&out, strings.NewReader(doc), Options{})
	if err != nil && out.Len() > 0 {
		t.Errorf("%q: %v", doc, err)
	}
	return out.String(), stats
}
