// SPDX-License-Identifier: MIT

package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckMarkdown(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"images":        {strings.Repeat("![a](", 501), false},
		"some images":   {strings.Repeat("![a](", 499), true},
		"links":         {strings.Repeat("[a](https://e.com/", 501), false},
		"in lines":      {strings.Repeat("[a](b\n", 501), false},
		"in blocks":     {strings.Repeat("[a](b\n\n", 50000), true},
		"closed":        {strings.Repeat("[a](b) ", 30000), true},
		"not closed":    {strings.Repeat(`[a](b\) `, 501), false},
		"nested":        {strings.Repeat("[a](()", 501), false},
		"angle":         {strings.Repeat("[a](<)", 501), false},
		"closed angle":  {strings.Repeat("[a](<b>)", 30000), true},
		"references":    {strings.Repeat("[a][", 501), false},
		"quotes":        {strings.Repeat("> ", 101), false},
		"tight quotes":  {strings.Repeat(">", 101), false},
		"some quotes":   {strings.Repeat("> ", 100) + "a", true},
		"items":         {strings.Repeat("- ", 101) + "a", false},
		"numbers":       {strings.Repeat("1. ", 101) + "a", false},
		"mixed":         {strings.Repeat("1) > + ", 40) + "a", false},
		"notes":         {strings.Repeat("[^a]: ", 101) + "a", false},
		"a rule":        {strings.Repeat("-", 1000), true},
		"number":        {strings.Repeat("1", 1000), true},
		"emphasis":      {strings.Repeat("*a_b ", 5001), false},
		"some emphasis": {strings.Repeat("*a_b ", 4999), true},
		"long runs":     {strings.Repeat("*", 100000), true},
		"after a break": {strings.Repeat("*a_b ", 4999) + "\n\n" + strings.Repeat("*a_b ", 4999), true},
	} {
		if err := checkMarkdown(c.text); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What people write is rendered.
	n := 0
	err := filepath.WalkDir("..", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" || strings.Contains(path, "testdata") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		if err := checkMarkdown(string(data)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil || n < 5 {
		t.Errorf("%v, %d files", err, n)
	}
}
