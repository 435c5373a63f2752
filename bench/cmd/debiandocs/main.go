// SPDX-License-Identifier: MIT

// Command debiandocs runs bidilink html over the documentation that Debian packages ship as HTML, checks that nothing but links is
// added, and writes a sample of the links, for a human to look at. It needs apt-get and dpkg-deb, but installs nothing and needs no root.
//
//	go run ./cmd/debiandocs                          # some 30 packages, 190 MB of downloads, half an hour
//	go run ./cmd/debiandocs -dir /tmp/docs           # keeps packages, pages and samples there; a second run downloads nothing
//	go run ./cmd/debiandocs -xhtml                   # XHTML, too, which is left alone otherwise
//	go run ./cmd/debiandocs -packages 'git-doc,postgresql-doc-*'
//
// The exit status is 1 if a page differs in more than links, if an error or a crash comes up, or if a second run changes anything.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// defaultPackages are documents of many origins: Sphinx, DocBook, Texinfo, AsciiDoc, Debiandoc, Doxygen, QuickBook, LaTeX2HTML, javadoc, and by
// hand; in Arabic, Persian, Hebrew, Chinese, Japanese, Korean, Russian and other languages. A pattern stands for the newest that matches it.
var defaultPackages = []string{
	"apache2-doc", "bash-doc", "bind9-doc", "debian-faq-ko", "debian-faq-ru", "debian-handbook", "debian-policy", "debian-reference-zh-cn",
	"debmake-doc", "developers-reference-ja", "exim4-doc-html", "fetchmail", "git-doc", "gnuplot-doc", "harden-doc", "installation-guide-amd64",
	"libboost1.*-doc", "libglib2.0-doc", "libmail-java-doc", "lilypond-doc-html", "linux-doc-6.*", "mailman3-doc", "maint-guide-ja", "maint-guide-zh-tw", "mutt",
	"ntpsec-doc", "octave-doc", "openjdk-*-doc", "postfix-doc", "postgresql-doc-*", "privoxy", "python-django-doc", "python3.*-doc", "r-doc-html", "sqlite3-doc",
}

func main() {
	dir := flag.String("dir", "", "where packages, pages and samples are kept; by default a temporary folder, which is removed in the end")
	packages := flag.String("packages", strings.Join(defaultPackages, ","), "names or patterns of packages, separated by commas")
	sample := flag.Int("sample", 6, "number of links to look at, of each package and kind")
	seed := flag.Uint64("seed", 1, "chooses another sample")
	xhtml := flag.Bool("xhtml", false, "run bidilink html --xhtml")
	out := flag.String("o", "", "file for the sample; standard output by default")
	flag.Parse()
	ok, err := run(*dir, strings.Split(*packages, ","), *xhtml, *out, *sample, *seed)
	if err != nil {
		fmt.Fprintln(os.Stderr, "debiandocs:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(dir string, patterns []string, xhtml bool, out string, sample int, seed uint64) (ok bool, err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "bidilink-debiandocs-"); err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false, err
	}
	packages, err := fetch(filepath.Join(dir, "packages"), patterns)
	if err != nil {
		return false, err
	}
	pages := filepath.Join(dir, "pages")
	if err := unpack(packages, pages); err != nil {
		return false, err
	}
	report, err := check(dir, pages, xhtml, os.Stdout)
	if err != nil {
		return false, err
	}
	found, err := look(pages, xhtml)
	if err != nil {
		return false, err
	}
	found.print(os.Stdout, packages)
	w := io.Writer(os.Stdout)
	if out != "" {
		f, err := os.Create(out)
		if err != nil {
			return false, err
		}
		defer f.Close()
		w = f
	}
	if err := found.sample(w, sample, seed); err != nil {
		return false, err
	}
	if found.links != report.links {
		fmt.Printf("FAILED: the command makes %d links, the library %d\n", report.links, found.links)
	}
	return report.ok && found.links == report.links, nil
}
