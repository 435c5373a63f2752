// SPDX-License-Identifier: MIT

package bench

import (
	"bytes"
	"testing"

	"github.com/bidilink/bidilink/bench/clock"
	"github.com/bidilink/bidilink/bench/corpus"
)

// BenchmarkFind has one benchmark for each corpus of plain text, peer of this process and reading: by paragraphs, or the whole text at once.
func BenchmarkFind(b *testing.B) {
	for _, c := range Corpora() {
		for _, p := range Peers() {
			if p.Input != Text || p.Runner != nil {
				continue
			}
			for _, reading := range []string{"paragraph", "whole"} {
				if reading == "whole" && p.NoWhole {
					continue
				}
				texts := Texts(c, reading == "whole", p.Part)
				b.Run(c.Name+"/"+p.Name+"/"+reading, func(b *testing.B) {
					bench(b, texts, func(text string) { p.Find(text) })
				})
			}
		}
	}
}

// BenchmarkConvert has one benchmark for each corpus of documents and peer of this process that reads such.
func BenchmarkConvert(b *testing.B) {
	for _, name := range corpus.Documents {
		texts := Texts(corpus.Build(name), false, 0)
		for _, p := range Peers() {
			if p.Input != inputOf(name) || p.Convert == nil {
				continue
			}
			b.Run(name+"/"+p.Name, func(b *testing.B) {
				var out bytes.Buffer
				bench(b, texts, func(text string) {
					out.Reset()
					p.Convert(&out, text)
				})
			})
		}
	}
}

// bench reports the processor time as well, which other work on the machine does not change as much.
func bench(b *testing.B, texts []string, read func(string)) {
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	start := clock.Now()
	for b.Loop() {
		for _, text := range texts {
			read(text)
		}
	}
	b.ReportMetric(float64(clock.Now()-start)/float64(b.N), "cpu-ns/op")
}

// inputOf says what the documents of a corpus are.
func inputOf(name string) Input {
	if name == "mail" {
		return HTML
	}
	return Markdown
}
