// SPDX-License-Identifier: MIT

package rewrite_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/bidilink/bidilink/examples/beam/rewrite"
	"github.com/bidilink/bidilink/examples/beam/warc"
)

const page, linked = "<p>See example.com and a@example.com.\n", "<p>See <a href=\"https://example.com\">example.com</a> and <a href=\"mailto:a@example.com\">a@example.com</a>.\n"

// record returns a record of a type.
func record(kind, id, contentType, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:%s>\r\nWARC-Date: 2026-11-21T10:00:00Z\r\nWARC-Target-URI: http://e.com/%s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, id, id, contentType, len(block), block)
}

// response returns a record with a response.
func response(id, header, body string) string {
	return record("response", id, "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n"+header+"\r\n\r\n"+body)
}

func compressed(w func(io.Writer) io.WriteCloser, text string) string {
	var b bytes.Buffer
	z := w(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func zip(text string) string {
	return compressed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, text)
}

func chunked(text string) string {
	return fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 5, text[:5], len(text)-5, text[5:])
}

const html = "Content-Type: text/html; charset=utf-8"

func TestWARCRecords(t *testing.T) {
	w := zlibbed(page)
	for _, c := range []struct {
		name, record string
		want         string // the block of the conversion, or a reason
	}{
		{"response", response("a", html, page), linked},
		{"line ends of Unix", record("response", "a", "application/http", "HTTP/1.0 200 OK\ncontent-type: TEXT/HTML\n\n"+page), linked},
		{"HTTP/2", record("response", "a", "application/http", "HTTP/2 200\r\n"+html+"\r\n\r\n"+page), linked},
		{"folded", response("a", "Content-Type:\r\n text/html", page), linked},
		{"a line without a colon", response("a", "x\r\n"+html, page), linked},
		{"resource", record("resource", "a", "text/html", page), linked},
		{"length", response("a", html+fmt.Sprintf("\r\nContent-Length: %d", len(page)), page), linked},
		{"cut by the crawler", response("a", html+"\r\nContent-Length: 1000", page), linked},
		{"chunked", response("a", html+"\r\nTransfer-Encoding: chunked", chunked(page)), linked},
		{"gzip", response("a", html+"\r\nContent-Encoding: gzip", zip(page)), linked},
		{"gzip, chunked", response("a", html+"\r\nContent-Encoding: x-gzip\r\nTransfer-Encoding: Chunked", chunked(zip(page))), linked},
		{"deflate", response("a", html+"\r\nContent-Encoding: deflate", w), linked},
		{"a charset", response("a", "Content-Type: text/html; charset=windows-1252", "<p>caf\xe9 example.com"), "<p>caf\xe9 <a href=\"https://example.com\">example.com</a>"},
		{"no link", response("a", html, "<p>x"), ""},

		{"request", record("request", "a", "application/http; msgtype=request", "GET / HTTP/1.1\r\n\r\n"), "record-type"},
		{"metadata", record("metadata", "a", "text/html", page), "record-type"},
		{"conversion", record("conversion", "a", "text/html", page), "record-type"},
		{"revisit", record("revisit", "a", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n"+html+"\r\n\r\n"), "record-type"},
		{"picture", response("a", "Content-Type: image/png", page), "not-html"},
		{"no type", response("a", "X: y", page), "not-html"},
		{"DNS", record("response", "a", "text/dns", "x"), "not-html"},
		{"text", record("resource", "a", "text/plain", page), "not-html"},
		{"segment", strings.Replace(response("a", html, page), "WARC-Type", "WARC-Segment-Number: 1\r\nWARC-Type", 1), "segment"},
		{"chunked, and is not", response("a", html+"\r\nTransfer-Encoding: chunked", page), "transfer-encoding"},
		{"another transfer encoding", response("a", html+"\r\nTransfer-Encoding: gzip, chunked", page), "transfer-encoding"},
		{"brotli", response("a", html+"\r\nContent-Encoding: br", page), "content-encoding"},
		{"gzip, and is not", response("a", html+"\r\nContent-Encoding: gzip", page), "content-encoding"},
		{"gzip, cut", response("a", html+"\r\nContent-Encoding: gzip", zip(page)[:40]), "content-encoding"},
		{"deflate, and is not", response("a", html+"\r\nContent-Encoding: deflate", page), "content-encoding"},
		{"gzip twice", response("a", html+"\r\nContent-Encoding: gzip, gzip", zip(zip(page))), "content-encoding"},
		{"longer than its length", response("a", html+"\r\nContent-Length: 3", page), "content-length"},
		{"no length", response("a", html+"\r\nContent-Length: x", page), "content-length"},
		{"a bomb", response("a", html+"\r\nContent-Encoding: gzip", zip(strings.Repeat(" ", 1<<20))), "limit"},
		{"an unknown charset", response("a", "Content-Type: text/html; charset=utf-16le", page), "encoding"},
		{"a long type", response("a", html+"; x="+strings.Repeat("x", 60_000), page), linked},
		{"folded often", response("a", "Content-Type: text/html;\r\n \r\n\tcharset=utf-8"+strings.Repeat("\r\n ", 10_000), page), linked},
		{"a long header of HTTP", response("a", html+strings.Repeat("\r\nX: y", 11_000), page), "http-header"},
		{"a header of HTTP without an end", record("response", "a", "application/http", "HTTP/1.1 200 OK\r\n"+strings.Repeat("X: y\r\n", 11_000)), "http-header"},
		{"a header that grows too long", strings.Replace(response("a", html, page), "WARC-Date", "WARC-Truncated: "+strings.Repeat("x", 65_300)+"\r\nWARC-Date", 1), "limit"},
		{"a page that grows too long", response("a", html, strings.Repeat(page, 2000)), "limit"},
		{"binary", response("a", html, strings.Repeat("\x00", 100)), "encoding"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRewriter(t, rewrite.Options{MaxRecord: 100_000})
			var out bytes.Buffer
			counts, err := r.WARC(&out, strings.NewReader(c.record), func(d rewrite.Dead) error { return fmt.Errorf("dead: %s", d.Cause) })
			if err != nil {
				t.Fatal(err)
			}
			added, ok := strings.CutPrefix(out.String(), c.record)
			if !ok {
				t.Fatalf("the original is not as it was: %q", out.String())
			}
			if !strings.HasPrefix(c.want, "<") {
				want := map[string]int64{"warc: " + c.want: 1}
				if c.want == "" {
					want = nil
				}
				if added != "" || !maps.Equal(counts.Skipped, want) || counts.Conversions != 0 {
					t.Errorf("%v, want %v; added %q", counts.Skipped, want, added)
				}
				return
			}
			rec, _, err := warc.NewReader(strings.NewReader(added), 0).Next()
			if err != nil || rec == nil {
				t.Fatalf("%v: %q", err, added)
			}
			if string(rec.Block) != c.want || rec.Field("Content-Type") != strings.TrimSuffix("text/html; charset="+charsetOf(c.record), "; charset=") || rec.Field("WARC-Refers-To") != "<urn:a>" || rec.Field("WARC-Target-URI") != "http://e.com/a" || rec.Version != "WARC/1.0" || counts.Conversions != 1 {
				t.Errorf("%q", added)
			}
		})
	}
}

// charsetOf returns the charset that a record names.
func charsetOf(record string) string {
	_, name, _ := strings.Cut(record[:min(len(record), 1000)], "charset=")
	return name[:max(0, strings.IndexAny(name, ";\r\n"))]
}

func zlibbed(text string) string {
	return compressed(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, text)
}

func newRewriter(t testing.TB, o rewrite.Options) *rewrite.Rewriter {
	t.Helper()
	r, err := rewrite.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// rewritten is what has become of a file.
type rewritten struct {
	out    string
	dead   []rewrite.Dead
	counts rewrite.WARCCounts
}

const maxRecord = 100_000

func run(t testing.TB, file string) (w rewritten) {
	t.Helper()
	var out bytes.Buffer
	r := newRewriter(t, rewrite.Options{MaxRecord: maxRecord})
	counts, err := r.WARC(&out, strings.NewReader(file), func(d rewrite.Dead) error {
		d.Bytes = bytes.Clone(d.Bytes)
		w.dead = append(w.dead, d)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.out, w.counts = out.String(), counts
	return w
}

// whole checks that nothing is lost: the records of the output without the conversions, and the dead letters, in the order of their offsets, are the input.
func (w *rewritten) whole(t testing.TB, file string) {
	t.Helper()
	letters := slices.Clone(w.dead)
	at := 0
	letter := func() bool {
		if len(letters) == 0 || letters[0].Offset != int64(at) {
			return false
		}
		d := letters[0]
		letters = letters[1:]
		end := at + int(d.Length)
		if end > len(file) || d.Bytes != nil && string(d.Bytes) != file[at:end] {
			t.Fatalf("dead letter at %d, %d bytes: %q", d.Offset, d.Length, d.Bytes)
		}
		at = end
		return true
	}
	reader := warc.NewReader(strings.NewReader(w.out), maxRecord)
	added := int64(0)
	for {
		for letter() {
		}
		rec, gap, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil || gap != nil {
			t.Fatalf("the output has a gap: %v %v\n%q", gap, err, w.out)
		}
		if bytes.HasPrefix([]byte(file[at:]), rec.Raw) {
			at += len(rec.Raw)
		} else if rec.Field("WARC-Type") == "conversion" {
			added += int64(len(rec.Raw))
		} else {
			t.Fatalf("at %d there is %q", at, rec.Raw)
		}
	}
	if at != len(file) || len(letters) > 0 {
		t.Fatalf("%d bytes of %d, %d dead letters left", at, len(file), len(letters))
	}
	if c := w.counts; c.BytesCopied+c.BytesDead != int64(len(file)) || c.BytesCopied+c.BytesAdded != int64(len(w.out)) || c.BytesAdded != added || c.Dead != int64(len(w.dead)) {
		t.Errorf("%d bytes in, %d out, %d added, %d dead letters: counted %+v", len(file), len(w.out), added, len(w.dead), c)
	}
}

// Bad records are dead letters, and the others go on.
func TestWARCDead(t *testing.T) {
	good := response("good", html, page)
	for _, zipIt := range []bool{false, true} {
		form := func(s string) string {
			if zipIt {
				return zip(s)
			}
			return s
		}
		bad := []string{
			form(record("response", "http", "application/http; msgtype=response", "<p>example.com")),
			form(record("response", "http2", "application/http", "HTTP/1.1 200 OK\r\nno end of the header")),
			form(strings.Replace(good, "Content-Length", "Content-Length: 3\r\nX", 1)),
			form(strings.Replace(good, "WARC-Date", "X", 1)),
			form(record("resource", "long", "text/html", strings.Repeat("long example.com ", 10_000))),
			"junk",
		}
		file := ""
		for i, b := range bad {
			file += form(response(fmt.Sprint("good", i), html, page)) + b
		}
		file += form(good) + form(good)[:50]
		w := run(t, file)
		w.whole(t, file)
		if w.counts.Conversions != int64(len(bad)+1) || len(w.dead) != len(bad)+1 {
			t.Errorf("compressed %v: %d conversions, %d dead letters", zipIt, w.counts.Conversions, len(w.dead))
		}
		for _, d := range w.dead {
			if d.Cause == "" || d.Bytes == nil != (d.Length > 100_000) {
				t.Errorf("compressed %v: %+v", zipIt, d)
			}
		}
	}
}

// A second run changes nothing.
func TestWARCTwice(t *testing.T) {
	for _, file := range []string{response("a", html, page) + response("b", html, page), zip(response("a", html, page)) + zip(response("b", html, page))} {
		once := run(t, file)
		once.whole(t, file)
		twice := run(t, once.out)
		if once.counts.Conversions != 2 || twice.out != once.out {
			t.Errorf("%d conversions\nonce  %q\ntwice %q", once.counts.Conversions, once.out, twice.out)
		}
	}
}

// nearLimits are files whose conversions are a little longer or shorter than what is taken.
func nearLimits() (files []string) {
	overhead := len(response("a", html, page))
	for d := -800; d <= 200; d += 20 {
		text := response("a", html, page+strings.Repeat(" ", maxRecord-overhead-len(linked)+len(page)+d))
		files = append(files, text, zip(text))
	}
	for d := 65_200; d < 65_400; d += 10 {
		files = append(files, strings.Replace(response("a", html, page), "WARC-Date", "WARC-Truncated: "+strings.Repeat("x", d)+"\r\nWARC-Date", 1))
	}
	for _, d := range []int{60_000, 65_000, 66_000, 70_000} {
		files = append(files, response("a", html+"; x="+strings.Repeat("x", d), page), record("resource", "a", "text/html; x="+strings.Repeat("x", d), page))
	}
	return files
}

// What is written can be read by the same program: the output has no dead letters.
func TestWARCOwnOutput(t *testing.T) {
	made, limited := int64(0), int64(0)
	for i, file := range nearLimits() {
		once := run(t, file)
		once.whole(t, file)
		twice := run(t, once.out)
		if twice.out != once.out || len(twice.dead) > 0 {
			t.Errorf("%d, of %d bytes: %d dead letters in the second run (%v), %d bytes, %d before", i, len(file), len(twice.dead), twice.dead, len(twice.out), len(once.out))
		}
		if n := once.counts.Skipped["warc: limit"]; n > 0 && once.counts.Links > 0 {
			t.Errorf("%d: no conversion, and %d links", i, once.counts.Links)
		}
		made += once.counts.Conversions
		limited += once.counts.Skipped["warc: limit"]
	}
	if made < 10 || limited < 10 {
		t.Errorf("%d conversions, %d without one: want some of both", made, limited)
	}
}

// A limit that is none does not overflow.
func TestNoLimit(t *testing.T) {
	r := newRewriter(t, rewrite.Options{MaxRecord: math.MaxInt})
	file := response("a", html+"\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked", chunked(zip(page)))
	for _, file := range []string{file, zip(file)} {
		counts, err := r.WARC(io.Discard, strings.NewReader(file), func(d rewrite.Dead) error { return errors.New(d.Cause) })
		if err != nil || counts.Conversions != 1 {
			t.Errorf("%v: %+v", err, counts)
		}
	}
}

// Twice the file takes at most 2.2 times the memory that is allocated, which strings that are joined piece by piece would.
func TestWARCGrowth(t *testing.T) {
	for name, shape := range map[string]func(n int) string{
		"folded in HTTP": func(n int) string { return response("a", html+strings.Repeat("\r\n x", n), page) },
		"folded in WARC": func(n int) string {
			return strings.Replace(response("a", html, page), "WARC-Date: ", "X: y\r\n"+strings.Repeat(" x\r\n", n)+"WARC-Date: ", 1)
		},
		"fields in HTTP":         func(n int) string { return response("a", html+strings.Repeat("\r\nX:y", n), page) },
		"encodings":              func(n int) string { return response("a", html+"\r\nContent-Encoding: "+strings.Repeat("x,", n), page) },
		"parameters of the type": func(n int) string { return response("a", html+strings.Repeat(";x=y", n), page) },
		"chunks": func(n int) string {
			return response("a", html+"\r\nTransfer-Encoding: chunked", strings.Repeat("1\r\nx\r\n", n)+"0\r\n\r\n")
		},
		"wrong lengths": func(n int) string {
			return strings.Repeat(strings.Replace(response("a", html, page), "Content-Length: ", "Content-Length: 9999", 1), n)
		},
	} {
		var allocated [3]float64
		for i := range allocated {
			file := shape(3000 << i)
			r := newRewriter(t, rewrite.Options{MaxRecord: maxRecord})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := r.WARC(io.Discard, strings.NewReader(file), func(rewrite.Dead) error { return nil }); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			allocated[i] = float64(after.TotalAlloc - before.TotalAlloc)
		}
		// The compressor and the buffer of the reader come at once.
		for i := 1; i < len(allocated); i++ {
			if ratio := allocated[i] / max(allocated[i-1], 2<<20); ratio > 2.2 {
				t.Errorf("%s: %.0f bytes allocated: ratio %.2f", name, allocated, ratio)
			}
		}
	}
}

func TestWARCErrors(t *testing.T) {
	r := newRewriter(t, rewrite.Options{})
	file := response("a", html, page)
	broken := errors.New("broken")
	if _, err := r.WARC(io.Discard, io.MultiReader(strings.NewReader(file[:50]), iotest.ErrReader(broken)), nil); err != broken {
		t.Errorf("reading: %v", err)
	}
	if _, err := r.WARC(failing{broken}, strings.NewReader(file), nil); err != broken {
		t.Errorf("writing: %v", err)
	}
	if _, err := r.WARC(io.Discard, strings.NewReader("junk"), func(rewrite.Dead) error { return broken }); err != broken {
		t.Errorf("dead letter: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestOptions(t *testing.T) {
	for _, o := range []rewrite.Options{{Bare: "x"}, {Isolate: "x"}, {Order: "x"}, {Dir: "x"}, {MaxRecord: -1}} {
		if _, err := rewrite.New(o); err == nil || !strings.HasPrefix(err.Error(), "rewrite: ") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// records are n records, one after the other.
type records struct {
	n    int
	rest string
	form func(string) string
}

func (r *records) Read(p []byte) (int, error) {
	if r.rest == "" {
		if r.n == 0 {
			return 0, io.EOF
		}
		r.n--
		r.rest = r.form(response(fmt.Sprint(r.n), html, strings.Repeat(page, 200)))
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// A file is never in memory: with ten times as many records, the heap does not grow, and what is allocated grows as the file does.
func TestWARCMemory(t *testing.T) {
	for name, form := range map[string]func(string) string{"plain": func(s string) string { return s }, "compressed": zip} {
		measure := func(n int) (most, total uint64) {
			r := newRewriter(t, rewrite.Options{})
			var before, after, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			i := 0
			counts, err := r.WARC(writerFunc(func(p []byte) (int, error) {
				if i++; i%20 == 0 {
					runtime.GC()
					runtime.ReadMemStats(&now)
					most = max(most, now.HeapAlloc)
				}
				return len(p), nil
			}), &records{n: n, form: form}, nil)
			if err != nil || counts.Conversions != int64(n) {
				t.Fatal(err, counts)
			}
			runtime.ReadMemStats(&after)
			return most, after.TotalAlloc - before.TotalAlloc
		}
		measure(10)
		small, once := measure(30)
		large, ten := measure(300)
		if large > small+1<<20 {
			t.Errorf("%s: heap of %d bytes with 30 records, %d with 300", name, small, large)
		}
		if float64(ten) > 11*float64(once) {
			t.Errorf("%s: %d bytes allocated for 30 records, %d for 300", name, once, ten)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// FuzzWARC: nothing is lost, and a second run changes nothing.
func FuzzWARC(f *testing.F) {
	good := response("good", html, page)
	for _, s := range []string{
		good, zip(good), good[:100] + good, response("a", html+"\r\nTransfer-Encoding: chunked", chunked(page)), response("a", html+"\r\nContent-Encoding: gzip", zip(page)),
		record("resource", "a", "text/html; charset=x", page), record("response", "a", "application/http", "HTTP/"), "junk" + good, zip(good)[:60] + zip(good),
	} {
		f.Add([]byte(s))
	}
	for _, s := range nearLimits() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		once := run(t, string(data))
		once.whole(t, string(data))
		if twice := run(t, once.out); twice.out != once.out || len(twice.dead) > 0 {
			t.Errorf("once  %q\ntwice %q\n%v", once.out, twice.out, twice.dead)
		}
	})
}
