// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a full disk, what does not fit is in error, and stays as it is; what fits is written.
func TestSiteFullDisk(t *testing.T) {
	for _, mode := range []string{"-w", "-o"} {
		inSite(t, nil)
		if err := os.Mkdir("full", 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mount("tmpfs", "full", "tmpfs", 0, "size=1m"); err != nil {
			t.Skip("cannot mount a file system: ", err)
		}
		full, err := filepath.Abs("full")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Unmount(full, syscall.MNT_DETACH) })
		in, args := "full/s", []string{"html", "-w", "full/s"}
		if mode == "-o" {
			in, args = "s", []string{"html", "-o", "full/s", "s"}
		}
		files, want := map[string]string{}, map[string]string{}
		for i := range 20 {
			name := fmt.Sprintf("%02d.html", i)
			files[name] = plainPage
			want[name] = linkedPage
			if i == 7 || i == 13 { // each takes more than what is left of it
				files[name] = strings.Repeat(plainPage, 50_000)[:400_000]
				want[name] = files[name]
			}
			if mode == "-w" || i != 13 {
				store(t, in+"/"+name, files[name])
			}
		}
		_, errs, code := command("", args...)
		if mode == "-o" {
			for _, name := range []string{"07.html", "13.html"} {
				delete(want, name)
			}
		}
		if code != exitError || !strings.Contains(errs, "07.html: not written: no space left on device\n") || strings.Count(errs, "not written") != map[string]int{"-w": 2, "-o": 1}[mode] {
			t.Errorf("%s: exit %d, %s", mode, code, errs)
		}
		sameTree(t, "full/s", want)
	}
}
