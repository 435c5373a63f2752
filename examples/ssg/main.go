// SPDX-License-Identifier: MIT

// Ssg makes a site of a folder of Markdown in several languages, with the links of bidilink.
//
//	ssg [-site DIR] [-out DIR]     writes the site, to DIR/public
//	ssg [-site DIR] -serve ADDR    shows it on this machine, and again whenever a file changes
//
// In the site's folder, content/LANG/NAME.md becomes LANG/NAME.html, by the template layout/page.html; the other files in content and layout
// are copied, but for those whose names begin with a dot, and others of editors. The page named index is the home page of its
// language: its front matter says what the language is called, and its direction.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log"
	"maps"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
)

// A page is a file content/Lang/Name.md; the other fields are its front matter, and its text.
type page struct {
	Lang, Name, Title, Description string
	Date                           time.Time
	Language, Dir                  string // of home pages
	Body                           template.HTML

	source []byte
}

// A view is what the template gets: a page, the home page of its language, the other pages of it, the newest first,
// and the page and its translations.
type view struct {
	page
	Home           page
	Pages, Tongues []page
	Live           bool
}

// markdown is the reason for this program: goldmark, with our extension in place of its Linkify.
func markdown(dir display.Direction) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Footnote, extension.Typographer, &uts58.Extender{Dir: dir}),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)
}

// parse reads the front matter of a page: lines "key: value" between two lines of "---".
func parse(lang, name string, data []byte) (p page, err error) {
	p = page{Lang: lang, Name: name}
	rest, ok := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n")
	head, body, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		return p, errors.New("want front matter between two lines of ---")
	}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); key {
		case "title":
			p.Title = value
		case "description":
			p.Description = value
		case "language":
			p.Language = value
		case "dir":
			p.Dir = value
		case "date":
			if p.Date, err = time.Parse(time.DateOnly, value); err != nil {
				return p, err
			}
		default:
			return p, fmt.Errorf("front matter: unknown key %q", key)
		}
	}
	if p.Title == "" || name == "index" && (p.Language == "" || p.Dir != "ltr" && p.Dir != "rtl") {
		return p, errors.New("front matter: want a title; and of a home page, the language and dir: ltr or rtl")
	}
	p.source = []byte(body)
	return p, nil
}

// hidden reports whether a name is of a file that is not published, such as those that editors write beside the one that they have open.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~")
}

// read returns the pages of a site, in the order of their languages and dates, and the files that are copied.
func read(site fs.FS) (pages []page, files map[string][]byte, err error) {
	files = map[string][]byte{}
	for _, root := range []string{"content", "layout"} {
		err = fs.WalkDir(site, root, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case hidden(e.Name()) && e.IsDir():
				return fs.SkipDir
			case e.IsDir() || hidden(e.Name()) || name == "layout/page.html":
				return nil
			}
			data, err := fs.ReadFile(site, name)
			if err != nil {
				return err
			}
			rel := strings.TrimPrefix(name, root+"/")
			base, isPage := strings.CutSuffix(rel, ".md")
			if root != "content" || !isPage {
				files[rel] = data
				return nil
			}
			p, err := parse(path.Dir(base), path.Base(base), data)
			if err == nil && strings.Count(base, "/") != 1 {
				err = errors.New("want content/LANG/NAME.md")
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			pages = append(pages, p)
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	slices.SortStableFunc(pages, func(a, b page) int {
		if c := strings.Compare(a.Lang, b.Lang); c != 0 {
			return c
		}
		return b.Date.Compare(a.Date)
	})
	return pages, files, nil
}

// build returns the files of a site by their names. With live, its pages reload themselves.
func build(site fs.FS, live bool) (map[string][]byte, error) {
	layout, err := template.ParseFS(site, "layout/page.html")
	if err != nil {
		return nil, err
	}
	pages, files, err := read(site)
	if err != nil {
		return nil, err
	}
	homes := map[string]page{}
	for _, p := range pages {
		if p.Name == "index" {
			homes[p.Lang] = p
		}
	}
	md := map[string]goldmark.Markdown{"ltr": markdown(display.LTR), "rtl": markdown(display.RTL)}
	for _, p := range pages {
		home, ok := homes[p.Lang]
		if !ok {
			return nil, fmt.Errorf("content/%s: want a home page, index.md", p.Lang)
		}
		var body, out bytes.Buffer
		if err := md[home.Dir].Convert(p.source, &body); err != nil {
			return nil, fmt.Errorf("content/%s/%s.md: %w", p.Lang, p.Name, err)
		}
		p.Body = template.HTML(body.String())
		v := view{page: p, Home: home, Live: live}
		for _, q := range pages {
			if q.Name == p.Name {
				q.Language = homes[q.Lang].Language
				v.Tongues = append(v.Tongues, q)
			}
			if q.Lang == p.Lang && q.Name != "index" {
				v.Pages = append(v.Pages, q)
			}
		}
		if err := layout.Execute(&out, v); err != nil {
			return nil, err
		}
		files[p.Lang+"/"+p.Name+".html"] = out.Bytes()
	}
	return files, nil
}

// write puts the files of a site into a folder. Those that are there already, with the same bytes, are not touched.
func write(files map[string][]byte, dir string) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// local reports whether a host, with or without a port, is this machine by name or address.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.EqualFold(host, "localhost") || net.ParseIP(strings.Trim(host, "[]")).IsLoopback()
}

// A preview shows a site, and has its pages reload after each build.
type preview struct{ now atomic.Pointer[built] }

// A built is a site at some time. Its channel is closed when there is a newer one.
type built struct {
	files map[string][]byte
	stale chan struct{}
}

func (p *preview) set(files map[string][]byte) {
	if old := p.now.Swap(&built{files, make(chan struct{})}); old != nil {
		close(old.stale)
	}
}

// ServeHTTP implements http.Handler.
func (p *preview) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !local(r.Host) {
		// The name of another machine may lead to this one: a page of it could read what is shown here.
		http.Error(w, "this preview is for localhost only", http.StatusMisdirectedRequest)
		return
	}
	now := p.now.Load()
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	switch data, ok := now.files[name]; {
	case name == "live": // asked for by each page that is shown; answered when it is old
		select {
		case <-now.stale:
			io.WriteString(w, "reload")
		case <-r.Context().Done():
		}
	case ok:
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		w.Header().Set("Cache-Control", "no-store")
		w.Write(data)
	default:
		http.NotFound(w, r)
	}
}

// state tells versions of the files of a site apart.
func state(site fs.FS) string {
	var s strings.Builder
	for _, root := range []string{"content", "layout"} {
		_ = fs.WalkDir(site, root, func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil // the build will say so
			}
			if info, err := e.Info(); err == nil {
				fmt.Fprintln(&s, name, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return s.String()
}

// watch builds the site again whenever its state is not the last one any more. It does not return.
func (p *preview) watch(site fs.FS, last string) {
	for ; ; time.Sleep(300 * time.Millisecond) {
		next := state(site)
		if next == last {
			continue
		}
		last = next
		files, err := build(site, true)
		if err != nil {
			log.Print(err) // what was built before is still shown
			continue
		}
		p.set(files)
	}
}

func run(dir, out, serve string) error {
	site := os.DirFS(dir)
	before := state(site)
	files, err := build(site, serve != "")
	if err != nil {
		return err
	}
	if serve == "" {
		return write(files, out)
	}
	if _, _, err := net.SplitHostPort(serve); err != nil {
		return err
	}
	if !local(serve) {
		return fmt.Errorf("-serve %s: want an address of this machine only, such as localhost:8080", serve)
	}
	l, err := net.Listen("tcp", serve)
	if err != nil {
		return err
	}
	log.Printf("http://%s/", l.Addr())
	var p preview
	p.set(files)
	go p.watch(site, before)
	return http.Serve(l, &p)
}

func main() {
	log.SetFlags(0)
	site := flag.String("site", ".", "folder of the site, with content and layout in it")
	out := flag.String("out", "", "folder that the site is written to (default public in that of the site)")
	serve := flag.String("serve", "", "show the site at this address instead, such as localhost:8080")
	flag.Parse()
	if *out == "" {
		*out = filepath.Join(*site, "public")
	}
	if err := run(*site, *out, *serve); err != nil {
		log.Fatal("ssg: ", err)
	}
}
