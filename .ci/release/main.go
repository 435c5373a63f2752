// SPDX-License-Identifier: MIT

//go:build ignore

// This program reads a configuration of goreleaser as goreleaser does, with its package config: an unknown key, or a value of another type, is an error. Then it
// sees that the files which the archives are to hold are there.
//
//	release FILE
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "release: want one file")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "release: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func check(name string) error {
	project, err := config.Load(name)
	if err != nil {
		return err
	}
	if len(project.Builds) == 0 || len(project.Archives) == 0 || len(project.SBOMs) == 0 {
		return errors.New("no builds, no archives or no sboms")
	}
	root := filepath.Dir(name)
	for _, build := range project.Builds {
		if _, err := os.Stat(filepath.Join(root, build.Main)); err != nil {
			return err
		}
	}
	for _, archive := range project.Archives {
		for _, file := range archive.Files {
			found, err := filepath.Glob(filepath.Join(root, file.Source))
			if err != nil || len(found) == 0 {
				return fmt.Errorf("archive %s: %s is not there (%v)", archive.ID, file.Source, err)
			}
		}
	}
	fmt.Printf("%s: %d targets\n", name, len(project.Builds[0].Goos)*len(project.Builds[0].Goarch))
	return nil
}
