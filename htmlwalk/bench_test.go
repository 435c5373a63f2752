// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/bidilink/bidilink/engine"
)

const prose = "<p>Some <em>words</em> about nothing in particular, with <a href=\"/x\">an anchor</a> and a full stop.</p>\n"

func BenchmarkRewrite(b *testing.B) {
	for _, c := range []struct{ name, doc string }{
		{"few", strings.Repeat(strings.Repeat(prose, 20)+"<p>See https://example.com/a?b=1&amp;c=2.</p>\n", 40)},
		{"many", strings.Repeat("<p>See example.com, https://example.org/a_(b) and a.b@example.net.</p>\n", 1200)},
		{"none", strings.Repeat(prose, 900)},
		{"tables", strings.Repeat("<table><tr><td class=x>1<td>2<td>3.4</table>", 2000)},
		{"right-to-left", strings.Repeat("<p dir=rtl>انظر http://مثال.السعودية/كتاب، ثم نكمل القراءة.</p>\n", 800)},
		{"hostile", strings.Repeat("<b x=1><p>e.com</b>&amp;.@", 3000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Rewrite(io.Discard, strings.NewReader(c.doc), Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// mail is a page as programs write them for mail: tables in tables, styles in every tag, hardly any text.
const mail = `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;">
<tr><td align="center" bgcolor="#f4f4f4" style="padding:20px 10px 20px 10px;font-family:Arial, Helvetica, sans-serif;">
<table role="presentation" width="600" style="max-width:600px;"><tbody><tr><td style="color:#333333;font-size:14px;line-height:20px;">
<p style="margin:0 0 12px 0;"><span style="font-weight:bold;">Hello&nbsp;there,</span> your order&nbsp;#123.456 has been sent &amp; is on its way.<br />
<font face="Arial" size="2" color="#666666">Track it on <b>www.example.com/track?id=1&amp;lang=en</b>, or ask help@example.com.</font></p>
<a href="https://example.com/u/1?utm_source=mail&amp;utm_medium=x" target="_blank" style="color:#0066cc;text-decoration:none;"><img src="https://example.com/i/1.png" width="120" height="40" alt="Track" style="display:block;border:0;" /></a>
</td></tr></tbody></table>&nbsp;
</td></tr></table>
`

type page struct{ name, doc string }

// pages returns documents of 2 MB.
func pages(tb testing.TB) []page {
	demo, err := os.ReadFile(filepath.Join("..", "testdata", "demo", "page.html"))
	if err != nil {
		tb.Fatal(err)
	}
	list := []page{
		{"demo", string(demo)},
		{"mail", mail},
		{"prose", prose},
		{"tables", "<table><tr><td class=x>1<td>2<td>3.4</table>"},
	}
	for i, p := range list {
		list[i].doc = strings.Repeat(p.doc, 2<<20/len(p.doc))
	}
	return list
}

// folder returns HTML files of a folder that Rewrite can read: up to some bytes, every file with the same chance.
func folder(tb testing.TB, dir string, bytes int) []string {
	var files []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".html") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(files), func(i, k int) { files[i], files[k] = files[k], files[i] })
	var docs []string
	for _, path := range files {
		doc, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		if stats, err := Rewrite(io.Discard, strings.NewReader(string(doc)), Options{}); err == nil && stats.Copied.Reason == NotCopied {
			docs = append(docs, string(doc))
			if bytes -= len(doc); bytes < 0 {
				break
			}
		}
	}
	return docs
}

// BenchmarkRatio measures Rewrite and the tokenizer in turn, so that both meet the same noise, and reports how many times the throughput of the
// tokenizer Rewrite has: by the best runs of both, and by the medians. If BIDILINK_PAGES names a folder of HTML files, 20 MB of these are
// a case as well, each a document of its own.
func BenchmarkRatio(b *testing.B) {
	cases := map[string][]string{}
	for _, c := range pages(b) {
		cases[c.name] = []string{c.doc}
	}
	if dir := os.Getenv("BIDILINK_PAGES"); dir != "" {
		cases["folder"] = folder(b, dir, 20<<20)
	}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		b.Run(name, func(b *testing.B) {
			size := 0
			for _, doc := range cases[name] {
				size += len(doc)
			}
			var ours, theirs []time.Duration
			for b.Loop() {
				start := time.Now()
				for _, doc := range cases[name] {
					if _, err := Rewrite(io.Discard, strings.NewReader(doc), Options{}); err != nil {
						b.Fatal(err)
					}
				}
				between := time.Now()
				for _, doc := range cases[name] {
					z := html.NewTokenizer(strings.NewReader(doc))
					for z.Next() != html.ErrorToken {
						z.Raw()
					}
				}
				ours, theirs = append(ours, between.Sub(start)), append(theirs, time.Since(between))
			}
			slices.Sort(ours)
			slices.Sort(theirs)
			ratio := func(i int) float64 { return float64(theirs[i]) / float64(ours[i]) }
			b.ReportMetric(float64(size)/1e6/ours[0].Seconds(), "MB/s")
			b.ReportMetric(float64(size)/1e6/theirs[0].Seconds(), "tokenizer-MB/s")
			b.ReportMetric(ratio(0), "ratio-best")
			b.ReportMetric(ratio(len(ours)/2), "ratio-median")
		})
	}
}

// BenchmarkPages compares Rewrite with the tokenizer that it is built on, over 2 MB of the demo page and of mail.
func BenchmarkPages(b *testing.B) {
	for _, c := range pages(b) {
		b.Run(c.name+"/rewrite", func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				stats, err := Rewrite(io.Discard, strings.NewReader(c.doc), Options{})
				if err != nil || stats.Copied.Reason != NotCopied {
					b.Fatal(err, stats)
				}
			}
		})
		b.Run(c.name+"/tokenizer", func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				z := html.NewTokenizer(strings.NewReader(c.doc))
				n := 0
				for z.Next() != html.ErrorToken {
					n += len(z.Raw())
				}
				if n+len(z.Raw()) != len(c.doc) {
					b.Fatal(n)
				}
			}
		})
	}
}

// none finds no links.
type none struct{ eager }

func (none) Find(string, int) (engine.Link, bool) { return engine.Link{}, false }

// BenchmarkStages says what the parts of Rewrite take, in nanoseconds a byte, as the best of the runs, which take turns: the scanner alone, token by token; the same in Rewrite,
// with what follows the parser and looks at the text, but with an engine that finds no link; and Rewrite, in which the engine finds links and they are written. The tokenizer is
// for comparison.
func BenchmarkStages(b *testing.B) {
	for _, c := range pages(b) {
		c.doc = c.doc[:100<<10] // so short a run may be without other work on the machine
		b.Run(c.name, func(b *testing.B) {
			best := map[string]time.Duration{}
			for b.Loop() {
				for name, run := range map[string]func() error{
					"scanner": func() error {
						for z := newBytesScanner([]byte(c.doc)); z.Next(0) != html.ErrorToken; {
						}
						return nil
					},
					"no-link": func() error {
						_, err := rewrite(io.Discard, strings.NewReader(c.doc), Options{}, none{}, nil)
						return err
					},
					"rewrite": func() error {
						_, err := Rewrite(io.Discard, strings.NewReader(c.doc), Options{})
						return err
					},
					"tokenizer": func() error {
						for z := html.NewTokenizer(strings.NewReader(c.doc)); z.Next() != html.ErrorToken; {
							z.Raw()
						}
						return nil
					},
				} {
					start := time.Now()
					if err := run(); err != nil {
						b.Fatal(err)
					}
					if took := time.Since(start); best[name] == 0 || took < best[name] {
						best[name] = took
					}
				}
			}
			for name, took := range best {
				b.ReportMetric(float64(took.Nanoseconds())/float64(len(c.doc)), name+"-ns/B")
			}
		})
	}
}
