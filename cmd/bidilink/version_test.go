// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/hostname"
	"github.com/bidilink/bidilink/internal/uba"
)

func TestVersion(t *testing.T) {
	out, errs, code := command("", "version")
	if errs != "" || code != 0 || !strings.HasPrefix(out, "bidilink ") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
	for _, want := range []string{"UTS #58 " + engine.UnicodeVersion, "UAX #9: Unicode " + uba.UnicodeVersion, "IDNA: Unicode " + hostname.IDNAVersion,
		"public suffix list: " + hostname.PSLVersion, "built with " + runtime.Version() + " for " + runtime.GOOS + "/" + runtime.GOARCH + ", revision "} {
		if !strings.Contains(out, "\n"+want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}

	out, errs, code = command("", "version", "--json")
	var b build
	if err := json.Unmarshal([]byte(out), &b); err != nil || errs != "" || code != 0 {
		t.Fatalf("exit %d, %v, %q", code, err, errs)
	}
	info, _ := debug.ReadBuildInfo()
	if b != buildOf(info) {
		t.Errorf("JSON says %+v, want %+v", b, buildOf(info))
	}
}

func TestBuildOf(t *testing.T) {
	b := buildOf(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-21T00:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}})
	var out strings.Builder
	if err := b.write(&out); err != nil {
		t.Fatal(err)
	}
	if want := ", revision abc of 2026-11-21T00:00:00Z, modified\n"; !strings.HasPrefix(out.String(), "bidilink v1.2.3\nbuilt with ") || !strings.Contains(out.String(), want) {
		t.Errorf("got %q, want %q in it", out.String(), want)
	}
	for _, info := range []*debug.BuildInfo{nil, {}} {
		if b := buildOf(info); b.Version != "(devel)" || b.Revision != "" || b.Modified || b.UTS58 == "" {
			t.Errorf("of %v: %+v", info, b)
		}
	}
}
