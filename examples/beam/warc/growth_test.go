// SPDX-License-Identifier: MIT

package warc

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// named returns a record that says that it has a block of some length.
func named(length int, more, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:a>\r\nWARC-Date: 2026-11-21T10:00:00Z\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", more, length, block)
}

// nested returns n gzip members in one another: each begins with the first line of a record, and has the next ones in stored blocks, which are the same for all. So they have one end,
// which is damaged.
func nested(n int) string {
	const begin = "WARC/1.1\r\n"
	const own = 10 + 5 + len(begin) + 5 // the header, and two blocks, the second one without its data
	var out []byte
	for i := range n {
		if i > 0 {
			out = stored(out, own) // for those before
		}
		out = append(out, "\x1f\x8b\b\x00\x00\x00\x00\x00\x00\xff"...)
		out = append(stored(out, len(begin)), begin...)
		out = stored(out, 5+own) // has the block for those before, and the next member
	}
	out = append(stored(out, own), make([]byte, own)...)
	for range 40 {
		out = append(stored(out, 500), make([]byte, 500)...)
	}
	return string(append(out, 7)) // a block of no type
}

// stored appends the header of a stored block (RFC 1951, 3.2.4).
func stored(out []byte, length int) []byte {
	out = binary.LittleEndian.AppendUint16(append(out, 0), uint16(length))
	return binary.LittleEndian.AppendUint16(out, ^uint16(length))
}

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// stream hides what else a reader can do.
type stream struct{ io.Reader }

// Twice the file takes at most 2.2 times the steps, and a number of them in proportion to its bytes.
func TestGrowth(t *testing.T) {
	long := func(n int) string { return strings.Repeat(named(5000, "", "<p>a"), n) }
	for name, shape := range map[string]struct {
		file  func(n int) string
		n     int
		limit int
	}{
		"good":                           {func(n int) string { return strings.Repeat(named(4, "", "<p>a"), n) }, 4000, 0},
		"lengths within the limit":       {func(n int) string { return strings.Repeat(named(200_000, "", "<p>a"), n) }, 4000, 0},
		"lengths beyond the limit":       {long, 4000, 2000},
		"lengths beyond the end":         {func(n int) string { return strings.Repeat(named(1<<40, "", "<p>a"), n) }, 4000, 2000},
		"lengths to the end":             {func(n int) string { return strings.Repeat(named(n*100+1, "", "<p>a"), n) }, 4000, 2000},
		"long records":                   {func(n int) string { return strings.Repeat(named(5000, "", strings.Repeat("a", 5000)), n) }, 200, 2000},
		"versions":                       {func(n int) string { return strings.Repeat("WARC/1.", n) }, 50_000, 0},
		"version lines":                  {func(n int) string { return strings.Repeat("WARC/1.1\r\n", n) }, 50_000, 0},
		"headers without an end":         {func(n int) string { return strings.Repeat("WARC/1.1\r\nA:", n) }, 50_000, 0},
		"records of one byte, and junk":  {func(n int) string { return strings.Repeat(named(1, "", "a")+"junk", n) }, 4000, 0},
		"folded":                         {func(n int) string { return named(0, "A: b\r\n"+strings.Repeat(" c\r\n", n), "") }, 7000, 0},
		"gzip":                           {func(n int) string { return strings.Repeat(zip(named(4, "", "<p>a")), n) }, 1000, 0},
		"gzip, cut":                      {func(n int) string { return strings.Repeat(zip(named(4, "", "<p>a"))[:60], n) }, 4000, 0},
		"gzip, nested":                   {nested, 5000, 0},
		"gzip, nested, beyond the limit": {nested, 5000, 2000},
		"gzip, beginnings":               {func(n int) string { return strings.Repeat("\x1f\x8b\b", n) }, 50_000, 0},
		"gzip, extra fields":             {func(n int) string { return strings.Repeat("\x1f\x8b\b\x04\x00\x00\x00\x00\x00\xff\xff\xff", n) }, 20_000, 0},
		"gzip, empty blocks": {func(n int) string {
			return strings.Repeat("\x1f\x8b\b\x00\x00\x00\x00\x00\x00\xff"+strings.Repeat("\x00\x00\x00\xff\xff", 20), n)
		}, 3000, 0},
	} {
		for _, seekable := range []bool{true, false} {
			var steps, allocated [3]float64
			for i := range steps {
				file := shape.file(shape.n << i)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				var in io.Reader = strings.NewReader(file)
				if !seekable {
					in = stream{in}
				}
				r := NewReader(in, shape.limit)
				for {
					if _, _, err := r.Next(); err == io.EOF {
						break
					} else if err != nil {
						t.Fatal(err)
					}
				}
				runtime.ReadMemStats(&after)
				steps[i], allocated[i] = float64(r.steps+r.in.steps), float64(after.TotalAlloc-before.TotalAlloc)
				if err := r.Close(); err != nil {
					t.Fatal(err)
				}
				if most := 10*float64(len(file)) + 5*maxWasted; steps[i] > most {
					t.Errorf("%s, seekable %v: %.0f steps for %d bytes, more than %.0f", name, seekable, steps[i], len(file), most)
				}
				// Room for 128 KiB, that of the decompressors, and buffers that double: these come at once.
				if most := 30*float64(len(file)) + 1<<20; allocated[i] > most {
					t.Errorf("%s, seekable %v: %.0f bytes of memory for %d bytes, more than %.0f", name, seekable, allocated[i], len(file), most)
				}
			}
			if a, b := steps[1]/steps[0], steps[2]/steps[1]; a > 2.2 || b > 2.2 {
				t.Errorf("%s, seekable %v: steps %.0f: ratios %.2f and %.2f", name, seekable, steps, a, b)
			}
		}
	}
}
