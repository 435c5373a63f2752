// SPDX-License-Identifier: MIT

// Beam makes the links of folders of HTML, Markdown, mail and WARC files with Apache Beam, on any of its runners. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/exec/optimized"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
	"github.com/bidilink/bidilink/examples/beam/transform"
)

var (
	input     = flag.String("input", "", "folder, file or pattern (site/**/*.html) of what to read")
	output    = flag.String("output", "", "folder for what becomes of the files")
	dead      = flag.String("dead", "", "folder for dead letters. Default: the output with -dead behind it, if it is a folder of this machine")
	overwrite = flag.Bool("overwrite", false, "write to folders that are not empty; what an earlier run has written stays, but for the output of new dead letters")
	kind      = flag.String("kind", "auto", "what the files are: auto (by their names), html, md, mail (or mbox), warc")
	maxFile   = flag.Int64("max-file", transform.DefaultMaxFile, "files with more `bytes` are dead letters, but for WARC files")
	maxRecord = flag.Int("max-record", 64<<20, "records of WARC files with more `bytes`, compressed or not, are dead letters")
	memory    = flag.Int64("memory", transform.DefaultMemory, "`bytes` of memory that files may take at once in a process, at six times their size")
	shards    = flag.Int("shards", 0, "number of groups of files that Prism works on at once. Default: the number of processors on Prism, 1 on other runners")
	date      = flag.String("date", "", "WARC-Date of new records, as in 2026-11-21T10:00:00Z. Default: now")
	final     = flag.Bool("final", false, "mail goes no further: change it also if it is signed by DKIM or ARC, or of a list")
	bare      = flag.String("bare", "", "hosts without a scheme that are links: all, www or none. Default: all; in mail, www")
	isolate   = flag.String("isolate", "auto", "links that are wrapped: auto, bidi, all or none")
	order     = flag.String("order", "constant", "how fields are ordered: constant, embedding, environment, content or tld")
	dir       = flag.String("dir", "ltr", "direction of text that no dir attribute is about: ltr or rtl")
	verbose   = flag.Bool("verbose", false, "write the messages of Beam, and its plan with an error")
)

func main() {
	flag.Parse()
	if !*verbose {
		quiet()
	}
	// On a worker, this does not return.
	beam.Init()
	code, err := run(context.Background(), os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "beam: %v\n", err)
		code = 2
	}
	os.Exit(code)
}

// run runs the pipeline that the flags say, and writes its counters. It returns the exit status: 0, or 1 if there are dead letters.
func run(ctx context.Context, w io.Writer) (int, error) {
	if flag.NArg() > 0 {
		return 0, fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	if *input == "" || *output == "" {
		return 0, errors.New("want --input and --output")
	}
	k, err := transform.ParseKind(*kind)
	if err != nil {
		return 0, fmt.Errorf("--%w", err)
	}
	folders := transform.Folders{Input: *input, Output: *output, Dead: *dead, Kind: k, MaxFile: *maxFile, Memory: *memory, Shards: *shards, Overwrite: *overwrite}
	if folders.Dead == "" {
		if _, name, ok := strings.Cut(*output, "://"); ok && !strings.Contains(strings.TrimRight(name, "/"), "/") {
			return 0, fmt.Errorf("--output %s: %s-dead would be another bucket; want --dead", *output, strings.TrimRight(*output, "/"))
		}
		folders.Dead = strings.TrimRight(*output, "/") + "-dead"
	}
	runner := *runners.Runner
	if runner == "" {
		runner = "prism"
	}
	if folders.Shards == 0 && strings.HasPrefix(strings.ToLower(runner), "prism") {
		folders.Shards = runtime.NumCPU()
	}
	o := rewrite.Options{Bare: *bare, Isolate: *isolate, Order: *order, Dir: *dir, Final: *final, MaxRecord: *maxRecord, Date: time.Now().UTC().Truncate(time.Second)}
	if *date != "" {
		if o.Date, err = time.Parse(time.RFC3339, *date); err != nil {
			return 0, fmt.Errorf("--date: %w", err)
		}
	}
	p, s := beam.NewPipelineWithRoot()
	if err := transform.Files(s, folders, o); err != nil {
		return 0, err
	}
	result, err := beam.Run(ctx, runner, p)
	if err != nil {
		return 0, cause(err)
	}
	if result == nil { // a runner that does not wait
		return 0, nil
	}
	deadLetters := int64(0)
	for _, c := range transform.Counted(result.Metrics().AllMetrics()) {
		fmt.Fprintf(w, "%-40s %12d\n", c.Name, c.Value)
		if c.Name == "records dead" {
			deadLetters = c.Value
		}
	}
	if deadLetters > 0 {
		plural := "s"
		if deadLetters == 1 {
			plural = ""
		}
		fmt.Fprintf(os.Stderr, "beam: %d dead letter%s, in %s\n", deadLetters, plural, folders.Dead)
		return 1, nil
	}
	return 0, nil
}

// cause returns what a DoFn said, without the plan that Beam puts before it, unless --verbose.
func cause(err error) error {
	const before = "] failed:\n"
	text := err.Error()
	if i := strings.LastIndex(text, before); i >= 0 && !*verbose {
		return errors.New(strings.TrimSpace(text[i+len(before):]))
	}
	return err
}

// quiet makes that Beam writes nothing here: of an error, it writes its plan several times. Workers elsewhere tell their errors to the runner.
func quiet() {
	log.LogLevel = "error"
	log.SetLogger(&log.Standard{Level: log.SevFatal})
	slog.SetDefault(slog.New(slog.DiscardHandler))
}
