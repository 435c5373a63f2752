// SPDX-License-Identifier: MIT

package transform

import (
	"context"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
)

// Namespace is that of the counters.
const Namespace = "bidilink"

// The counters, beside "skipped: FORMAT: REASON". For records, and for bytes of the input: in is done and dead together. A file is a record,
// but for a WARC file, which has many.
const (
	filesIn      = "files in"
	filesPassed  = "files passed over" // kind auto: the name tells nothing
	filesWritten = "files written"
	recordsIn    = "records in"
	recordsDone  = "records done"
	recordsDead  = "records dead"
	bytesIn      = "bytes in"
	bytesDone    = "bytes done"
	bytesDead    = "bytes dead"
	bytesOut     = "bytes out"
	conversions  = "conversions" // new records in WARC files
	changed      = "changed"     // documents, messages and pages
	unchanged    = "unchanged"
	links        = "links"
	urls         = "urls"   // not known of mail
	emails       = "emails" // not known of mail
	isolates     = "isolates"
	bundles      = "bundles"
)

// order is that in which the counters are shown; those that are not in it come last.
var order = []string{filesIn, filesPassed, filesWritten, recordsIn, recordsDone, recordsDead, bytesIn, bytesDone, bytesDead, bytesOut, conversions,
	changed, unchanged, links, urls, emails, isolates, bundles}

// counters are those of a DoFn, by name.
type counters map[string]beam.Counter

func (c counters) add(ctx context.Context, name string, n int64) {
	if n == 0 {
		return
	}
	counter, ok := c[name]
	if !ok {
		counter = beam.NewCounter(Namespace, name)
		c[name] = counter
	}
	counter.Inc(ctx, n)
}

func (c counters) counts(ctx context.Context, n *rewrite.Counts) {
	c.add(ctx, links, n.Links)
	c.add(ctx, urls, n.URLs)
	c.add(ctx, emails, n.Emails)
	c.add(ctx, isolates, n.Isolates)
	c.add(ctx, changed, n.Changed)
	c.add(ctx, unchanged, n.Unchanged)
	for reason, k := range n.Skipped {
		c.add(ctx, "skipped: "+reason, k)
	}
}

// A Count is the sum of a counter over all steps and workers.
type Count struct {
	Name  string
	Value int64
}

// Counted returns the counters of a run, in a fixed order. Those that are zero are left out.
func Counted(r metrics.QueryResults) []Count {
	sums := map[string]int64{}
	for _, c := range r.Counters() {
		if c.Namespace() == Namespace {
			sums[c.Name()] += c.Result()
		}
	}
	list := make([]Count, 0, len(sums))
	for name, value := range sums {
		list = append(list, Count{name, value})
	}
	slices.SortFunc(list, func(a, b Count) int {
		x, y := slices.Index(order, a.Name), slices.Index(order, b.Name)
		if x >= 0 && y >= 0 {
			return x - y
		}
		if x >= 0 || y >= 0 {
			return y - x // one of them is -1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list
}
