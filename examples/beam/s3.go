// SPDX-License-Identifier: MIT

//go:build s3

package main

// With the build tag s3, the program has the file system s3://. It takes a hundred more packages.
import (
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
)
