// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/htmlwalk"
)

// A finding is a link, or a word that looks like one and is none, with what stands round it.
type finding struct{ file, before, text, after, href string }

// count says what there is of one package.
type count struct {
	pages, links, missed int
	bytes                int64
}

// findings are those of all pages.
type findings struct {
	xhtml              bool
	links              int
	packages           map[string]*count
	strata             map[[2]string][]finding // by package and kind
	rewrite, tokenizer time.Duration
}

// look finds the links with the library, as the command does, and the words that look like links where there could be some.
func look(pages string, xhtml bool) (*findings, error) {
	f := &findings{xhtml: xhtml, packages: map[string]*count{}, strata: map[[2]string][]finding{}}
	err := filepath.WalkDir(pages, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(pages, name)
		if err != nil {
			return err
		}
		if err := f.page(filepath.ToSlash(relative), data); err != nil {
			return fmt.Errorf("%s: %w", relative, err)
		}
		return nil
	})
	return f, err
}

// page looks at one page. The first folder of its name is the package.
func (f *findings) page(name string, data []byte) error {
	pkg, _, _ := strings.Cut(name, "/")
	c := f.packages[pkg]
	if c == nil {
		c = &count{}
		f.packages[pkg] = c
	}
	c.pages++
	c.bytes += int64(len(data))

	begin := time.Now()
	for z := html.NewTokenizer(bytes.NewReader(data)); z.Next() != html.ErrorToken; {
		z.Raw()
	}
	f.tokenizer += time.Since(begin)
	begin = time.Now()
	_, err := htmlwalk.Rewrite(io.Discard, bytes.NewReader(data), htmlwalk.Options{XHTML: f.xhtml})
	f.rewrite += time.Since(begin)
	if errors.Is(err, htmlwalk.ErrEncoding) || errors.Is(err, htmlwalk.ErrBinary) {
		return nil
	}
	if err != nil {
		return err
	}

	var out bytes.Buffer
	stats, err := htmlwalk.Rewrite(&out, bytes.NewReader(data), htmlwalk.Options{XHTML: f.xhtml, Link: func(l *htmlwalk.Link) bool {
		text := l.In(l.Text)
		key := [2]string{pkg, kind(l.Link, text)}
		f.strata[key] = append(f.strata[key], finding{name, tail(l.Text[:l.Start]), strings.Clone(text), head(l.Text[l.End:]), l.Href})
		return true
	}})
	if err != nil {
		return err
	}
	f.links += stats.Links
	c.links += stats.Links
	tree, err := html.Parse(&out)
	if err != nil {
		return nil // too deep
	}
	f.missed(pkg, name, tree)
	return nil
}

func kind(l engine.Link, text string) string {
	var k string
	switch {
	case l.Kind == engine.Email:
		k = "email"
	case !l.Scheme.Empty():
		k = "scheme"
	case len(text) > 4 && strings.EqualFold(text[:4], "www."):
		k = "www"
	default:
		k = "bare"
	}
	for _, r := range text {
		if r >= utf8.RuneSelf {
			return k + ", not ASCII"
		}
	}
	return k
}

// elements have no links: the text in them is not looked at.
var elements = map[string]bool{
	"a": true, "head": true, "script": true, "style": true, "code": true, "pre": true, "samp": true, "kbd": true, "tt": true, "var": true, "listing": true,
	"label": true, "summary": true, "button": true, "select": true, "datalist": true, "svg": true, "math": true, "template": true, "noscript": true,
	"audio": true, "video": true, "canvas": true, "object": true, "applet": true, "iframe": true, "noembed": true, "noframes": true, "textarea": true, "title": true, "xmp": true,
}

// candidate is what a reader could take for a link.
var candidate = regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]*://\S+|\bwww\.\S+|\bmailto:\S+|[^\s<>()"]+@[^\s<>()"]+`)

// missed collects the candidates in the text of n that are not in an anchor.
func (f *findings) missed(pkg, name string, n *html.Node) {
	if n.Type == html.ElementNode && elements[n.Data] {
		return
	}
	if n.Type == html.TextNode {
		for _, at := range candidate.FindAllStringIndex(n.Data, -1) {
			f.packages[pkg].missed++
			key := [2]string{pkg, "no link"}
			f.strata[key] = append(f.strata[key], finding{name, tail(n.Data[:at[0]]), strings.Clone(n.Data[at[0]:at[1]]), head(n.Data[at[1]:]), ""})
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		f.missed(pkg, name, c)
	}
}

// round is how many bytes are shown at least on each side of a link, if there are as many.
const round = 40

func tail(s string) string {
	i := max(len(s)-round, 0)
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return strings.Clone(s[i:])
}

func head(s string) string {
	i := min(len(s), round)
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return strings.Clone(s[:i])
}

// print writes the numbers.
func (f *findings) print(w io.Writer, packages []pack) {
	kinds := map[string]int{}
	for key, list := range f.strata {
		kinds[key[1]] += len(list)
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(w, "%6d %s\n", kinds[k], k)
	}
	fmt.Fprintf(w, "rewriting took %.2f times as long as the tokenizer of golang.org/x/net/html alone\n\n", f.rewrite.Seconds()/f.tokenizer.Seconds())
	fmt.Fprintln(w, "| package | version | pages | MB | links | words like links |\n|---|---|---:|---:|---:|---:|")
	var all count
	for _, p := range packages {
		c := f.packages[p.name]
		if c == nil {
			c = &count{}
		}
		fmt.Fprintf(w, "| %s | %s | %d | %.1f | %d | %d |\n", p.name, p.version, c.pages, float64(c.bytes)/1e6, c.links, c.missed)
		all.pages, all.links, all.missed, all.bytes = all.pages+c.pages, all.links+c.links, all.missed+c.missed, all.bytes+c.bytes
	}
	fmt.Fprintf(w, "| all | | %d | %.1f | %d | %d |\n", all.pages, float64(all.bytes)/1e6, all.links, all.missed)
}

// sample writes n findings of each package and kind, of different texts, as marked text: ⸠ and ⸡ are round the link. n < 0 is all.
func (f *findings) sample(w io.Writer, n int, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 0))
	for _, key := range slices.SortedFunc(maps.Keys(f.strata), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		list, seen := f.strata[key], map[string]bool{}
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if _, err := fmt.Fprintf(w, "\n== %s: %s, %d\n", key[0], key[1], len(list)); err != nil {
			return err
		}
		for _, x := range list {
			if seen[x.text] || n >= 0 && len(seen) >= n {
				continue
			}
			seen[x.text] = true
			line := strings.Join(strings.Fields(x.before+"⸠"+x.text+"⸡"+x.after), " ")
			if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", line, x.href, x.file); err != nil {
				return err
			}
		}
	}
	return nil
}
