// SPDX-License-Identifier: MIT

//go:build gcp

package main

// With the build tag gcp, the program has the runner of Google Cloud Dataflow and the file system gs://. They are twice as many packages.
import (
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
)
