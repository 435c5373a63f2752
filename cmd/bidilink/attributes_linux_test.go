// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestSiteKeepsAttributes(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage})
	// User 1 may write; the mask is rw.
	acl := "\x02\x00\x00\x00" + "\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x06\x00\x01\x00\x00\x00" + "\x04\x00\x04\x00\xff\xff\xff\xff" + "\x10\x00\x06\x00\xff\xff\xff\xff" + "\x20\x00\x04\x00\xff\xff\xff\xff"
	want := map[string]string{}
	for name, value := range map[string]string{"user.bidilink": "a\x00b", "system.posix_acl_access": acl} {
		switch err := unix.Setxattr("s/a.html", name, []byte(value), 0); {
		case errors.Is(err, unix.ENOTSUP):
			t.Logf("%s: not supported here", name)
		case err != nil:
			t.Fatal(err)
		default:
			want[name] = value
		}
	}
	if len(want) == 0 {
		t.Skip("the file system has no extended attributes")
	}
	if _, errs, code := command("", "html", "-w", "-q", "s"); code != 0 || errs != "" {
		t.Fatalf("exit %d, %q", code, errs)
	}
	sameTree(t, "s", map[string]string{"a.html": linkedPage})
	for name, value := range want {
		b := make([]byte, 100)
		n, err := unix.Getxattr("s/a.html", name, b)
		if err != nil || string(b[:n]) != value {
			t.Errorf("%s: %q, %v", name, b[:max(n, 0)], err)
		}
	}
}

// A file without an access list does not get one from its folder.
func TestSiteKeepsNoAccessList(t *testing.T) {
	inSite(t, map[string]string{"s/a.html": plainPage})
	// User 1 may read and write new files.
	acl := "\x02\x00\x00\x00" + "\x01\x00\x07\x00\xff\xff\xff\xff" + "\x02\x00\x06\x00\x01\x00\x00\x00" + "\x04\x00\x05\x00\xff\xff\xff\xff" + "\x10\x00\x07\x00\xff\xff\xff\xff" + "\x20\x00\x05\x00\xff\xff\xff\xff"
	if err := unix.Setxattr("s", "system.posix_acl_default", []byte(acl), 0); err != nil {
		t.Skip(err)
	}
	if _, errs, code := command("", "html", "-w", "-q", "s"); code != 0 || errs != "" {
		t.Fatalf("exit %d, %q", code, errs)
	}
	sameTree(t, "s", map[string]string{"a.html": linkedPage})
	b := make([]byte, 100)
	if n, err := unix.Getxattr("s/a.html", "system.posix_acl_access", b); !errors.Is(err, unix.ENODATA) {
		t.Errorf("%q, %v", b[:max(n, 0)], err)
	}
	if info, err := os.Stat("s/a.html"); err != nil || info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
