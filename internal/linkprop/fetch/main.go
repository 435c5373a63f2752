// SPDX-License-Identifier: MIT

// Command fetch downloads the property and test files of UTS #58 from unicode.org,
// for the generator of package linkprop and for the conformance tests:
//
//	go run ./internal/linkprop/fetch -version 17.0.0 [-dir DIR]
//
// It writes DIR/17.0.0/LinkTerm.txt and so on. DIR is the folder that
// BIDILINK_UCD names, or else ./unicode. Either all files are there afterwards,
// or those that were there before are unchanged, unless the disk fails.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// Below this are the folders 17.0.0/linkification and, for the version
	// that is in preparation, draft/linkification.
	defaultBase = "https://www.unicode.org/Public"

	// The largest file of 17.0.0 has less than 200 KB.
	maxSize = 4 << 20

	timeout = 2 * time.Minute // for all files together
)

// files are the names of the files. Each begins with a comment that holds its
// name, except ReadMe.txt, which says what version the folder is of.
var files = []string{
	"LinkTerm.txt",
	"LinkBracket.txt",
	"LinkEmail.txt",
	"LinkDetectionTest.txt",
	"LinkFormattingTest.txt",
	readMe,
}

const readMe = "ReadMe.txt"

func main() {
	err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "fetch:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	fs := flag.NewFlagSet("fetch", flag.ContinueOnError)
	fs.SetOutput(stderr)
	version := fs.String("version", "17.0.0", "version of UTS #58; 18.0.0-draft is the draft of 18.0.0")
	dir := fs.String("dir", "", "folder to write to, in a subfolder named for the version (default $BIDILINK_UCD, or else ./unicode)")
	base := fs.String("base", defaultBase, "address of the folder of versions")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	if *dir == "" {
		*dir = os.Getenv("BIDILINK_UCD")
	}
	if *dir == "" {
		*dir = "unicode"
	}
	abs, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	from, err := address(*base, *version)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	data := make([][]byte, len(files))
	for i, name := range files {
		if data[i], err = get(ctx, from+name); err != nil {
			return err
		}
		if err := check(name, *version, data[i]); err != nil {
			return fmt.Errorf("%s%s: %w", from, name, err)
		}
	}
	to := filepath.Join(abs, *version)
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for i, name := range files {
		if err := writeFile(filepath.Join(to, name), data[i]); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(stdout, "%d files in %s; set BIDILINK_UCD=%s\n", len(files), to, abs)
	return err
}

var versionRE = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-draft)?$`)

// address returns the address of the folder of the version, with a final slash.
func address(base, version string) (string, error) {
	if !versionRE.MatchString(version) {
		return "", fmt.Errorf("version %q is not like 17.0.0 or 18.0.0-draft", version)
	}
	if strings.HasSuffix(version, "-draft") {
		version = "draft"
	}
	return strings.TrimSuffix(base, "/") + "/" + version + "/linkification/", nil
}

func get(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err // names the method and the address
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("%s: more than %d bytes", url, maxSize)
	}
	return data, nil
}

// check refuses what is not the file: the page of a proxy or a login, or the draft of
// a later version, because that folder has no version in its name.
func check(name, version string, data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("is not UTF-8")
	}
	if name == readMe {
		version = strings.TrimSuffix(version, "-draft")
		if !bytes.Contains(data, []byte("version "+version)) {
			return fmt.Errorf("does not say that it is of version %s", version)
		}
		return nil
	}
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Scan()
	if want := "# " + name; strings.TrimSpace(s.Text()) != want {
		return fmt.Errorf("begins with %.60q, want %q", s.Text(), want)
	}
	return nil
}

// writeFile writes beside the file and renames, so that no reader sees half of it.
func writeFile(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
