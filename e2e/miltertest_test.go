// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/e2e/mta"
)

// milter starts bidilink milter at a free port, until the end of the test.
func milter(t *testing.T, args ...string) *mta.Milter {
	t.Helper()
	m, err := mta.StartMilter(program, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Process().Stop(); err != nil {
			t.Errorf("bidilink milter: %v", err)
		}
		if t.Failed() {
			out := m.Process().Output()
			t.Logf("bidilink milter says:\n%s", out[max(0, len(out)-8000):])
		}
	})
	return m
}

// The corners of the protocol, with the milter test tool of OpenDKIM, which plays the MTA.
func TestMiltertest(t *testing.T) {
	need(t, "miltertest")
	scripts, err := filepath.Glob("testdata/miltertest/*.lua")
	if err != nil || len(scripts) < 10 {
		t.Fatalf("testdata/miltertest has %d scripts (%v)", len(scripts), err)
	}
	m := milter(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(m.Address(), "inet:"), ":")
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".lua")
		if name == "prelude" || name == "run" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command("miltertest", "-D", "port="+port, "-D", "dir="+filepath.Dir(script), "-D", "name="+name, "-s", filepath.Join(filepath.Dir(script), "run.lua")).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			if !m.Process().Running() {
				t.Fatal("the milter has ended")
			}
		})
	}
}
