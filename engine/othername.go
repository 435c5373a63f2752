// SPDX-License-Identifier: MIT

package engine

import (
	"strings"
	"unicode"
)

// fileTLDs are the top-level domains that are met more often as extensions of file names: the
// FileNames option leaves bare hosts of two labels in them alone. Domains that are some country's
// everyday ones (pl, in, do) are not among them.
var fileTLDs = [...]string{
	"bz",         // bzip
	"cab",        // Windows cabinets
	"cc",         // C++
	"cf",         // Postfix, Sendmail
	"data",       // anything
	"dot",        // Graphviz
	"java",       // Java
	"map",        // symbols, source maps
	"md",         // Markdown
	"mk",         // Make
	"ml",         // OCaml
	"mm",         // Objective-C++
	"mov",        // QuickTime
	"pid",        // daemons
	"pm",         // Perl modules
	"properties", // Java
	"ps",         // PostScript
	"py",         // Python
	"rs",         // Rust
	"sh",         // shells
	"so",         // shared objects
	"tf",         // Terraform
	"zip",        // archives
}

// names are of files whose extension is an everyday domain; and two abbreviations: "among others" in Polish, "for example" in Italian.
var names = [...]string{"configure.ac", "configure.in", "makefile.am", "makefile.in", "makefile.win", "manifest.in", "m.in", "p.es"}

// otherName reports whether a bare host, without a final dot, is more likely to be something else, with what stands after it.
func otherName(host, after string) bool {
	i := strings.LastIndexByte(host, '.')
	if i <= 0 {
		return false
	}
	if strings.HasPrefix(after, "()") || strings.HasPrefix(after, "[]") {
		return true // a function or an array
	}
	last := host[i+1:]
	if !twoLabels(host[:i]) {
		return fileName(host, last) || unlike(host, last) || foreign(host[:i], last, false)
	}
	if foldHas(host, "www.") {
		return false
	}
	first := host[:strings.IndexByte(host, '.')]
	return unlike(host, last) || foreign(first, last, true)
}

// unlike reports whether the last label is none of a host that has pages.
func unlike(host, last string) bool { return foldIs(last, "arpa") || capital(host, last) }

// fileName reports whether a host of two labels looks like the name of a file, or is one of the names above.
func fileName(host, last string) bool {
	for _, t := range fileTLDs {
		if foldIs(last, t) {
			return true
		}
	}
	for _, f := range names {
		if foldIs(host, f) {
			return true
		}
	}
	return false
}

// capital reports whether the last label is written as hosts never are: it begins with a capital letter and the name with a small one, as a class does
// (java.util.Map), or a sentence (end.It); or it alone is in capitals, as a constant is (Calendar.DATE). Old texts have host.EDU and host.UK.
func capital(host, last string) bool {
	if !upper(last[0]) {
		return false
	}
	for i := range len(last) {
		if !upper(last[i]) {
			return host[0] >= 'a' && host[0] <= 'z'
		}
	}
	return len(last) > len("UK") && !foldIs(last, "mil") && !oldest(last) && strings.IndexFunc(host, unicode.IsLower) >= 0
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }

// foreign reports whether a name begins as packages of Java do, and others that are domains from right to left: org.example.app. Hosts that begin so (org.example.com)
// end in one of the oldest domains, or that of a country.
func foreign(first, last string, more bool) bool {
	switch first {
	case "javax", "jdk":
		return true
	case "java":
		return !oldest(last) || last == "net"
	}
	if oldest(last) {
		return false
	}
	switch first {
	case "self", "this":
		return true
	case "com", "org", "net":
		return more && len(last) > 2
	}
	return false
}

// oldest reports whether a top-level domain is one of the first.
func oldest(last string) bool {
	for _, t := range [...]string{"com", "edu", "gov", "net", "org"} {
		if foldIs(last, t) {
			return true
		}
	}
	return false
}

// foldIs reports whether text is word, which is lower-case ASCII, in any case.
func foldIs(text, word string) bool { return len(text) == len(word) && foldHas(text, word) }

// remote reports whether what follows an address makes it the place of a repository or a file: git@example.com:name/of.git.
func remote(after string) bool {
	return len(after) > 1 && after[0] == ':' && (after[1] == '/' || after[1] == '~' || upper(after[1]&^0x20))
}
