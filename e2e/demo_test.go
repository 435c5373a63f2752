// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The demonstration of examples/postfix shows what it is to show, and leaves nothing behind.
func TestDemo(t *testing.T) {
	need(t, "bash", "postfix", "opendkim", "openssl", "setpriv", "pgrep")
	dir := tempDir(t)
	c := exec.Command("../examples/postfix/demo")
	c.Env = append(os.Environ(), "BIDILINK="+program, "TMPDIR="+dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, changed, _ := strings.Cut(string(out), "== What leaves")
	for _, want := range []string{
		`\nDKIM-Signature: v=1; .* d=example\.test; s=demo;`,
		`<a href="https://www\.example\.com/a_\(b\)">www\.example\.com/a_\(b\)</a>\.`,
		`<a href="http://xn--mgbh0fb\.xn--mgberp4a5d4ar/%D9%83%D8%AA%D8%A7%D8%A8">`,
		`\tdkim=pass `,
		`result=modified reason="" parts=3 changed=1 links=3`,
	} {
		if !regexp.MustCompile(want).MatchString(changed) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if out, _ := exec.Command("pgrep", "-fa", dir).CombinedOutput(); len(out) > 0 {
		t.Errorf("still there: %s", out)
	}
	// Without a program that it needs, it says so.
	c = exec.Command("../examples/postfix/demo")
	c.Env = append(os.Environ(), "BIDILINK=/nonexistent/bidilink", "TMPDIR="+dir)
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "demo: there is no /nonexistent/bidilink") {
		t.Errorf("%v, %s", err, out)
	}
}
