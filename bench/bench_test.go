// SPDX-License-Identifier: MIT

package bench

import "testing"

// BenchmarkFind has one benchmark for each corpus, peer of this process and reading: by paragraphs, or the whole text at once.
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
					size := 0
					for _, text := range texts {
						size += len(text)
					}
					b.SetBytes(int64(size))
					b.ReportAllocs()
					for b.Loop() {
						for _, text := range texts {
							p.Find(text)
						}
					}
				})
			}
		}
	}
}
