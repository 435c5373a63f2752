// SPDX-License-Identifier: MIT

package warc_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/bidilink/bidilink/examples/beam/warc"
)

// record returns a record with a block.
func record(id, block string) string {
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:%s>\r\nWARC-Date: 2026-11-21T10:00:00Z\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		id, len(block), block)
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// read returns what is in a file: "ID" of a record, and "OFFSET+LENGTH CAUSE" of a gap. It checks that they are the whole file.
func read(t *testing.T, in io.Reader, file string, limit int) (list []string) {
	t.Helper()
	r := warc.NewReader(in, limit)
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	at := 0
	for {
		rec, gap, err := r.Next()
		if err == io.EOF {
			if at != len(file) {
				t.Errorf("%d bytes of %d", at, len(file))
			}
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		var raw []byte
		size, offset := 0, int64(0)
		if rec != nil {
			list = append(list, strings.Trim(rec.Field("warc-record-id"), "<>"))
			raw, offset, size = rec.Raw, rec.Offset, len(rec.Raw)
		} else {
			list = append(list, fmt.Sprintf("%d+%d %v", gap.Offset, gap.Length, gap.Cause))
			raw, offset, size = gap.Raw, gap.Offset, int(gap.Length)
		}
		if offset != int64(at) || size == 0 || at+size > len(file) || raw != nil && string(raw) != file[at:at+size] {
			t.Fatalf("%s: offset %d after %d, %d bytes: %.200q", list[len(list)-1], offset, at, size, raw)
		}
		at += size
	}
}

func TestReader(t *testing.T) {
	a, b, c := record("a", "<p>a"), record("b", ""), record("c", strings.Repeat("c", 70_000))
	embedded := record("e", "x\r\n\r\n"+record("inner", "y"))
	for _, test := range []struct {
		name, file string
		want       []string
	}{
		{"empty", "", nil},
		{"three", a + b + c, []string{"urn:a", "urn:b", "urn:c"}},
		{"a record in a record", embedded + a, []string{"urn:e", "urn:a"}},
		{"names in any case, folded", strings.NewReplacer("WARC-Type: resource", "warc-type:\r\n resource", "Content-Length", "CONTENT-LENGTH").Replace(a), []string{"urn:a"}},
		{"WARC/1.0", strings.Replace(a, "WARC/1.1", "WARC/1.0", 1), []string{"urn:a"}},
		{"junk between", a + "junk" + b, []string{"urn:a", fmt.Sprintf("%d+4 does not begin with a line WARC/1.0 or WARC/1.1", len(a)), "urn:b"}},
		{"junk only", "junk", []string{"0+4 does not begin with a line WARC/1.0 or WARC/1.1"}},
		{"too long a length", strings.Replace(a, "Content-Length: 4", "Content-Length: 5", 1) + b, []string{
			fmt.Sprintf("0+%d the record does not end where its Content-Length of 5 says", len(a)), "urn:b"}},
		{"much too long a length", strings.Replace(a, "Content-Length: 4", "Content-Length: 50000", 1) + b, []string{
			fmt.Sprintf("0+%d the file ends before the record: Content-Length is 50000, there are %d bytes", len(a)+4, 8+len(b)), "urn:b"}},
		{"too short a length", strings.Replace(a, "Content-Length: 4", "Content-Length: 3", 1) + b, []string{
			fmt.Sprintf("0+%d the record does not end where its Content-Length of 3 says", len(a)), "urn:b"}},
		{"cut in the header", a + b[:20], []string{"urn:a", fmt.Sprintf("%d+20 the file ends in the header of a record", len(a))}},
		{"cut in the block", a + c[:1000], []string{"urn:a", fmt.Sprintf("%d+1000 the file ends before the record: Content-Length is 70000, there are %d bytes", len(a), 1000-len(c)+70_004)}},
		{"cut, and another file behind it", a[:100] + b, []string{"0+100 the header has a line that is no named field: \"Content-TypWARC/1.1\"", "urn:b"}},
		{"no type", strings.Replace(a, "WARC-Type", "X-Type", 1) + b, []string{fmt.Sprintf("0+%d the header has no WARC-Type", len(a)-3), "urn:b"}},
		{"two lengths", strings.Replace(a, "Content-Length: 4", "Content-Length: 4\r\nContent-Length: 5", 1), []string{
			fmt.Sprintf("0+%d the header has no single number for Content-Length: \"5\"", len(a)+19)}},
		{"no number", strings.Replace(a, "Content-Length: 4", "Content-Length: +4", 1), []string{
			fmt.Sprintf("0+%d the header has no single number for Content-Length: \"+4\"", len(a)+1)}},
		{"a number beyond all", strings.Replace(a, "Content-Length: 4", "Content-Length: 99999999999999999999", 1), []string{
			fmt.Sprintf("0+%d the header has no single number for Content-Length: \"99999999999999999999\"", len(a)+19)}},
		{"LF only", strings.ReplaceAll(a, "\r\n", "\n") + b, []string{fmt.Sprintf("0+%d does not begin with a line WARC/1.0 or WARC/1.1", len(strings.ReplaceAll(a, "\r\n", "\n"))), "urn:b"}},
		{"an endless header", "WARC/1.1\r\n" + strings.Repeat("A: b\r\n", 20_000) + a, []string{"0+120010 the header is longer than 65536 bytes", "urn:a"}},
		{"a version in a name", "WARC/1.1\r\nX: WARC/1.1\r\nA\r\n" + a, []string{"0+26 the header has a line that is no named field: \"A\"", "urn:a"}},

		{"compressed", zipped(a) + zipped(b) + zipped(c), []string{"urn:a", "urn:b", "urn:c"}},
		{"compressed, two in a member", zipped(a+b) + zipped(c), []string{
			fmt.Sprintf("0+%d the record does not end where its Content-Length of 4 says, and with its gzip member", len(zipped(a+b))), "urn:c"}},
		{"compressed, too long a length", zipped(strings.Replace(a, "Content-Length: 4", "Content-Length: 50", 1)) + zipped(b), []string{
			fmt.Sprintf("0+%d its gzip member ends before the record: Content-Length is 50, there are 8 bytes", len(zipped(strings.Replace(a, "Content-Length: 4", "Content-Length: 50", 1)))), "urn:b"}},
		{"compressed, junk between", zipped(a) + "junk" + zipped(b), []string{"urn:a", fmt.Sprintf("%d+4 gzip: gzip: invalid header", len(zipped(a))), "urn:b"}},
		{"compressed, cut at the end", zipped(a) + zipped(b)[:30], []string{"urn:a", fmt.Sprintf("%d+30 the file ends in a gzip member", len(zipped(a)))}},
		{"compressed, a wrong sum", zipped(a)[:len(zipped(a))-8] + "12345678" + zipped(b), []string{fmt.Sprintf("0+%d gzip: gzip: invalid checksum", len(zipped(a))), "urn:b"}},
		{"compressed, another gzip file", zipped("x") + zipped(a), []string{fmt.Sprintf("0+%d does not begin with a line WARC/1.0 or WARC/1.1", len(zipped("x"))), "urn:a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for name, in := range map[string]io.Reader{"at once": strings.NewReader(test.file), "byte by byte": iotest.OneByteReader(strings.NewReader(test.file))} {
				if got := read(t, in, test.file, 0); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
					t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
				}
			}
		})
	}
}

// A gzip member that is cut in the middle of a file may seem to go on in the next one; that one is found all the same.
func TestCutMember(t *testing.T) {
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	a, b := zipped(record("a", string(noise))), zipped(record("b", "b"))
	for cut := 2; cut < len(a); cut += 7 {
		file := a[:cut] + b
		got := read(t, strings.NewReader(file), file, 0)
		if len(got) != 2 || got[1] != "urn:b" || !strings.HasPrefix(got[0], fmt.Sprintf("0+%d ", cut)) {
			t.Errorf("cut at %d: %q", cut, got)
		}
	}
}

// A record that is too long is a gap, with its bounds, and takes no memory.
func TestLimit(t *testing.T) {
	const limit = 100_000
	long := record("long", strings.Repeat("long ", 100_000))
	bad := strings.Replace(long, "Content-Length: 500000", "Content-Length: 499999", 1)
	a := record("a", "a")
	for name, test := range map[string]struct {
		file string
		want []string
	}{
		"plain": {long + a, []string{fmt.Sprintf("0+%d longer than the limit of 100000 bytes for a record", len(long)), "urn:a"}},
		"plain, wrong length": {bad + a, []string{
			fmt.Sprintf("0+%d longer than the limit of 100000 bytes for a record, and it does not end where its Content-Length of 499999 says", len(long)), "urn:a"}},
		"plain, cut":  {long[:200_000], []string{"0+200000 longer than the limit of 100000 bytes for a record, and the file ends before it: Content-Length is 500000"}},
		"plain, junk": {strings.Repeat("junk", 100_000) + a, []string{"0+400000 does not begin with a line WARC/1.0 or WARC/1.1", "urn:a"}},
		"compressed":  {zipped(long) + zipped(a), []string{fmt.Sprintf("0+%d longer than the limit of 100000 bytes for a record", len(zipped(long))), "urn:a"}},
		"compressed, junk": {zipped(a) + strings.Repeat("junk", 100_000) + zipped(a), []string{
			"urn:a", fmt.Sprintf("%d+400000 gzip: gzip: invalid header", len(zipped(a))), "urn:a"}},
	} {
		t.Run(name, func(t *testing.T) {
			for name, in := range map[string]io.Reader{"a file": strings.NewReader(test.file), "a stream": iotest.HalfReader(strings.NewReader(test.file))} {
				if got := read(t, in, test.file, limit); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
					t.Errorf("%s: %q\nwant %q", name, got, test.want)
				}
			}
		})
	}
}

// A wrong length beyond the limit hides no record, wherever it leads: in a file, in a part of one, and in a stream.
func TestWrongLength(t *testing.T) {
	const n = 100
	good := record("a", "<p>a")
	for _, length := range []string{"999999999999", "4611686018427387903", "3000", "7000", strconv.Itoa(n*len(good) - 300)} {
		file := strings.Replace(good, "Content-Length: 4", "Content-Length: "+length, 1)
		first := len(file)
		for range n {
			file += strings.Replace(good, "Content-Length: 4", "Content-Length: "+length, 1) + good
		}
		name := filepath.Join(t.TempDir(), "a.warc")
		if err := os.WriteFile(name, []byte("before"+file), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.Seek(6, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		for name, in := range map[string]io.Reader{"memory": strings.NewReader(file), "a file": f, "a stream": iotest.HalfReader(strings.NewReader(file)), "few bytes": iotest.OneByteReader(strings.NewReader(file))} {
			got := read(t, in, file, 2000)
			records, gaps := 0, 0
			for _, what := range got {
				if what == "urn:a" {
					records++
				} else if strings.HasPrefix(what, "0+"+strconv.Itoa(first)+" ") || strings.Contains(what, "longer than the limit of 2000 bytes for a record, and ") {
					gaps++
				}
			}
			if records != n || gaps != n+1 || len(got) != records+gaps {
				t.Errorf("Content-Length %s, %s: %d records and %d gaps, want %d and %d: %.300q", length, name, records, gaps, n, n+1, got)
			}
		}
	}
}

// What cannot be put aside is an error, not the end of the file.
func TestNoRoomToLookAhead(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	t.Setenv("TMP", filepath.Join(t.TempDir(), "none"))
	file := strings.Repeat(record("a", strings.Repeat("a", 200_000)), 2)
	r := warc.NewReader(iotest.OneByteReader(strings.NewReader(file)), 100)
	defer r.Close()
	if rec, gap, err := r.Next(); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "warc: reading ahead: ") {
		t.Errorf("%v %v %v", rec, gap, err)
	}
}

// Nothing is left of the temporary file.
func TestClose(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	file := record("a", strings.Repeat("a", 500_000))
	r := warc.NewReader(iotest.HalfReader(strings.NewReader(file)), 100)
	if _, gap, err := r.Next(); gap == nil || gap.Length != int64(len(file)) || err != nil {
		t.Errorf("%v %v", gap, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("left: %v %v", left, err)
	}
}

// Memory is taken for what is read, whatever a header says and whatever the limit is.
func TestClaimedLength(t *testing.T) {
	file := strings.Replace(record("a", "<p>a"), "Content-Length: 4", "Content-Length: 400000000000", 1) + record("b", "<p>b")
	for _, file := range []string{file, zipped(file[:len(file)/2]) + zipped(record("b", "<p>b"))} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := read(t, strings.NewReader(file), file, math.MaxInt)
		runtime.ReadMemStats(&after)
		if len(got) != 2 || got[1] != "urn:b" || after.TotalAlloc-before.TotalAlloc > 4<<20 {
			t.Errorf("%d bytes of memory: %q", after.TotalAlloc-before.TotalAlloc, got)
		}
	}
}

func TestReaderError(t *testing.T) {
	broken := errors.New("broken")
	for _, file := range []string{record("a", "a"), zipped(record("a", "a"))} {
		r := warc.NewReader(io.MultiReader(strings.NewReader(file+file[:20]), iotest.ErrReader(broken)), 0)
		for n := 0; ; n++ {
			if _, _, err := r.Next(); err == broken {
				break
			} else if err != nil || n > 1 {
				t.Fatalf("after %d records: %v", n, err)
			}
		}
	}
}

func TestConversion(t *testing.T) {
	r := warc.NewReader(strings.NewReader(strings.Replace(record("a", "<p>a"), "Content-Type", "WARC-Target-URI: http://e.com/\r\nContent-Type", 1)), 0)
	rec, _, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	date := time.Date(2026, 11, 22, 1, 2, 3, 4, time.UTC)
	raw, id, err := warc.NewConversion(rec, []byte("<p>b"), "text/html", "test", date)
	if err != nil {
		t.Fatal(err)
	}
	want := "WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Record-ID: " + id + "\r\nWARC-Date: 2026-11-22T01:02:03Z\r\nWARC-Target-URI: http://e.com/\r\n" +
		"WARC-Refers-To: <urn:a>\r\nWARC-Block-Digest: sha1:YFYEAXYWWJWI34CYGFVGBYKN2V75QG7Z\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>b\r\n\r\n"
	if string(raw) != want {
		t.Errorf("%s\nwant\n%s", raw, want)
	}
	if _, again, _ := warc.NewConversion(rec, []byte("<p>b"), "text/html", "test", date.Add(time.Hour)); again != id {
		t.Errorf("an hour later the identifier is %s, not %s", again, id)
	}
	if _, other, _ := warc.NewConversion(rec, []byte("<p>c"), "text/html", "test", date); other == id {
		t.Errorf("another block has the same identifier %s", id)
	}
	if _, _, err := warc.NewConversion(rec, nil, strings.Repeat("a", 64<<10), "test", date); err != warc.ErrHeader {
		t.Errorf("a long header: %v", err)
	}
	if got := read(t, bytes.NewReader(raw), string(raw), 0); len(got) != 1 || "<"+got[0]+">" != id {
		t.Errorf("read again: %q", got)
	}
}

// FuzzReader: records and gaps are the whole file, however it comes and whatever the limit; a good record behind it is found.
func FuzzReader(f *testing.F) {
	a := record("a", "<p>a")
	for _, s := range []string{"", a, a + a, zipped(a) + zipped(a), a[:50] + a, zipped(a)[:50] + zipped(a), "WARC/1.0\r\nA: b\r\n\r\n", zipped("x"), zipped(a + a), "\x1f\x8b\b", strings.Replace(a, ": 4", ": 400", 1) + a,
		strings.Replace(a, ": 4", ": 99999999", 1) + a + a, strings.Replace(a, ": 4", ": 450", 1) + a + a + a, record("long", strings.Repeat(a, 5)) + a, zipped(zipped(a)[:60]) + zipped(a)} {
		f.Add([]byte(s), 100)
		f.Add([]byte(s), 400)
	}
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		limit = max(limit, 1) % 100_000
		one := read(t, bytes.NewReader(data), string(data), limit)
		if other := read(t, iotest.HalfReader(bytes.NewReader(data)), string(data), limit); strings.Join(one, "\n") != strings.Join(other, "\n") {
			t.Errorf("at once %q, in pieces %q", one, other)
		}
	})
}
