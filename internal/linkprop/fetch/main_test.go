// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serve answers with files by path, as /17.0.0/linkification/LinkTerm.txt.
func serve(t *testing.T, files map[string]string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, data)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// folder returns good files below /folder/linkification/ that say they are of version.
func folder(folder, version string) map[string]string {
	m := map[string]string{}
	for _, name := range files {
		m["/"+folder+"/linkification/"+name] = "# " + name + "\n# of " + version + "\n"
	}
	m["/"+folder+"/linkification/"+readMe] = "# Unicode Link Detection\n\nfiles for version " + version + "\nof UTS #58"
	return m
}

// wantFiles checks that dir holds exactly these files.
func wantFiles(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(want) {
		t.Errorf("%d files in %s, want %d: %v", len(entries), dir, len(want), entries)
	}
	for path, data := range want {
		got, err := os.ReadFile(filepath.Join(dir, filepath.Base(path)))
		if err != nil {
			t.Error(err)
		} else if string(got) != data {
			t.Errorf("%s: %q, want %q", path, got, data)
		}
	}
}

func TestFetch(t *testing.T) {
	for _, tt := range []struct{ version, folder, says string }{
		{"17.0.0", "17.0.0", "17.0.0"},
		{"18.0.0-draft", "draft", "18.0.0"},
	} {
		t.Run(tt.version, func(t *testing.T) {
			want := folder(tt.folder, tt.says)
			url, dir := serve(t, want), t.TempDir()
			for range 2 { // the second time over the files of the first
				var out bytes.Buffer
				if err := run(context.Background(), []string{"-version", tt.version, "-dir", dir, "-base", url + "/"}, &out, io.Discard); err != nil {
					t.Fatal(err)
				}
				if s := "BIDILINK_UCD=" + dir + "\n"; !strings.HasSuffix(out.String(), s) {
					t.Errorf("output %q does not end with %q", out.String(), s)
				}
				wantFiles(t, filepath.Join(dir, tt.version), want)
			}
		})
	}
}

func TestFetchDefaultDir(t *testing.T) {
	want := folder("17.0.0", "17.0.0")
	url := serve(t, want)

	t.Run("BIDILINK_UCD", func(t *testing.T) {
		dir := t.TempDir()
		t.Setenv("BIDILINK_UCD", dir)
		if err := run(context.Background(), []string{"-base", url}, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		wantFiles(t, filepath.Join(dir, "17.0.0"), want)
	})
	t.Run("unicode", func(t *testing.T) {
		t.Setenv("BIDILINK_UCD", "")
		t.Chdir(t.TempDir())
		if err := run(context.Background(), []string{"-base", url}, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		wantFiles(t, filepath.Join("unicode", "17.0.0"), want)
	})
}

// After an error the files that were there are as they were.
func TestFetchErrors(t *testing.T) {
	const at = "/17.0.0/linkification/"
	for _, tt := range []struct {
		name   string
		change func(files map[string]string)
		want   string
	}{
		{"missing", func(m map[string]string) { delete(m, at+"LinkEmail.txt") }, at + "LinkEmail.txt: 404 Not Found"},
		{"page", func(m map[string]string) { m[at+"LinkTerm.txt"] = "<!DOCTYPE html>\n<p>Log in." }, at + `LinkTerm.txt: begins with "<!DOCTYPE html>", want "# LinkTerm.txt"`},
		{"other file", func(m map[string]string) { m[at+"LinkTerm.txt"] = m[at+"LinkEmail.txt"] }, `begins with "# LinkEmail.txt"`},
		{"empty", func(m map[string]string) { m[at+"LinkTerm.txt"] = "" }, `begins with ""`},
		{"encoding", func(m map[string]string) { m[at+"LinkBracket.txt"] += "\xff" }, "LinkBracket.txt: is not UTF-8"},
		{"version", func(m map[string]string) { m[at+readMe] = "for version 18.0.0\n" }, "ReadMe.txt: does not say that it is of version 17.0.0"},
		{"size", func(m map[string]string) { m[at+"LinkTerm.txt"] += strings.Repeat("#\n", maxSize/2) }, "LinkTerm.txt: more than 4194304 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := folder("17.0.0", "17.0.0")
			tt.change(m)
			dir := t.TempDir()
			old := map[string]string{"LinkTerm.txt": "old"}
			if err := os.Mkdir(filepath.Join(dir, "17.0.0"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "17.0.0", "LinkTerm.txt"), []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			err := run(context.Background(), []string{"-dir", dir, "-base", serve(t, m)}, io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			wantFiles(t, filepath.Join(dir, "17.0.0"), old)
		})
	}
}

func TestFetchArguments(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-version", "../17.0.0"}, `version "../17.0.0" is not like 17.0.0`},
		{[]string{"-version", "17"}, `version "17" is not like 17.0.0`},
		{[]string{"-version", ""}, `version "" is not like 17.0.0`},
		{[]string{"17.0.0"}, `unexpected argument "17.0.0"`},
		{[]string{"-base", "ftp://localhost"}, "unsupported protocol scheme"},
	} {
		err := run(context.Background(), append([]string{"-dir", t.TempDir()}, tt.args...), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %q", tt.args, err, tt.want)
		}
	}
	if err := run(context.Background(), []string{"-h"}, io.Discard, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
}

func TestFetchCanceled(t *testing.T) {
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "# LinkTerm.txt\n")
		w.(http.Flusher).Flush()
		<-stop // the rest never comes
	}))
	defer srv.Close()
	defer close(stop)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := run(ctx, []string{"-dir", t.TempDir(), "-base", srv.URL}, io.Discard, io.Discard)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
	}
}
