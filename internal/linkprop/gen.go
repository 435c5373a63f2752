// SPDX-License-Identifier: MIT

//go:build ignore

// This program writes tables.go from the property files of UTS #58:
//
//	BIDILINK_UCD=DIR go run gen.go [-version 17.0.0] [-out tables.go]
//
// It reads DIR/VERSION/LinkTerm.txt, LinkBracket.txt and LinkEmail.txt, and
// tablebits.go in the current folder, from which it takes the layout. Its output
// depends on nothing else.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const maxRune = 0x10FFFF

func main() {
	version := flag.String("version", "17.0.0", "version of the files: the folder's name in BIDILINK_UCD")
	out := flag.String("out", "tables.go", "file to write")
	flag.Parse()
	if flag.NArg() > 0 {
		fail(fmt.Errorf("unexpected argument %q", flag.Arg(0)))
	}
	src, err := generate(*version)
	if err == nil {
		err = os.WriteFile(*out, src, 0o666)
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "gen.go:", err)
	os.Exit(1)
}

func generate(version string) ([]byte, error) {
	ucd := os.Getenv("BIDILINK_UCD")
	if ucd == "" {
		return nil, fmt.Errorf(`BIDILINK_UCD is not set.
It names the folder that holds %[1]s/LinkTerm.txt and its like. To get them:
	go run ./internal/linkprop/fetch -version %[1]s -dir DIR
in the root of the module, then set BIDILINK_UCD to DIR as an absolute path`, version)
	}
	if !filepath.IsAbs(ucd) {
		return nil, fmt.Errorf("BIDILINK_UCD=%s: must be an absolute path, because go generate changes the current folder", ucd)
	}
	l, err := readLayout("tablebits.go")
	if err != nil {
		return nil, err
	}
	p := properties{layout: l, props: make([]uint8, maxRune+1)}
	dir := filepath.Join(ucd, version)
	for _, f := range []struct {
		name string
		line func(fields []string) error
	}{
		{"LinkTerm.txt", p.term},
		{"LinkEmail.txt", p.email},
		{"LinkBracket.txt", p.bracket}, // last: it is checked against Link_Term
	} {
		if err := readFile(filepath.Join(dir, f.name), f.line); err != nil {
			return nil, err
		}
	}
	if err := p.checkBrackets(); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return p.write(version)
}

// A layout is what tablebits.go defines, as far as the generator needs it.
type layout struct {
	terms               map[string]uint8 // by name
	termMask, emailBit  uint8
	blockShift          int
	hard, openT, closeT uint8
}

// readLayout evaluates the constants of the file. The file is parsed rather than
// compiled into this program because it belongs to the package, and the package
// cannot be imported before its tables exist.
func readLayout(name string) (layout, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return layout{}, err
	}
	pkg, err := new(types.Config).Check("linkprop", fset, []*ast.File{f}, nil)
	if err != nil {
		return layout{}, err
	}
	l := layout{terms: map[string]uint8{}}
	consts := map[string]int{}
	for _, id := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(id).(*types.Const)
		if !ok {
			continue
		}
		v, exact := constant.Int64Val(constant.ToInt(c.Val()))
		if !exact || v < 0 || v > 255 {
			return layout{}, fmt.Errorf("%s: constant %s = %s does not fit into a byte", fset.Position(c.Pos()), id, c.Val())
		}
		consts[id] = int(v)
		if types.TypeString(c.Type(), types.RelativeTo(pkg)) == "Term" {
			l.terms[id] = uint8(v)
		}
	}
	for _, id := range []string{"Hard", "Include", "Open", "Close", "termMask", "emailBit", "blockShift"} {
		if _, ok := consts[id]; !ok {
			return layout{}, fmt.Errorf("%s: no constant %s", name, id)
		}
	}
	l.termMask, l.emailBit, l.blockShift = uint8(consts["termMask"]), uint8(consts["emailBit"]), consts["blockShift"]
	l.hard, l.openT, l.closeT = l.terms["Hard"], l.terms["Open"], l.terms["Close"]
	if l.hard != 0 {
		return layout{}, fmt.Errorf("%s: Hard is the default and must be 0, not %d", name, l.hard)
	}
	if l.termMask&l.emailBit != 0 {
		return layout{}, fmt.Errorf("%s: termMask and emailBit overlap", name)
	}
	for id, v := range l.terms {
		if v&^l.termMask != 0 {
			return layout{}, fmt.Errorf("%s: %s = %d is outside termMask", name, id, v)
		}
	}
	return l, nil
}

// properties collects what the files say.
type properties struct {
	layout
	props    []uint8 // packed, by code point
	termSet  [maxRune + 1]bool
	brackets []bracket
}

type bracket struct{ close, open int }

// missing is the default value that each file declares in a comment, for all
// code points that it does not list. The tables rely on these.
var missing = map[string]string{
	"LinkTerm.txt":    "Hard",
	"LinkBracket.txt": "<none>",
}

// readFile calls line with the fields of each line that has any. An error that
// line returns is given the file and the line number.
func readFile(name string, line func(fields []string) error) error {
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w; go run ./internal/linkprop/fetch gets it", err)
	}
	if err != nil {
		return err
	}
	n, found := 0, false
	for s := range strings.Lines(string(data)) {
		n++
		if rest, ok := strings.CutPrefix(s, "# @missing:"); ok {
			_, value, _ := strings.Cut(rest, ";")
			if value = strings.TrimSpace(value); value != missing[filepath.Base(name)] {
				return fmt.Errorf("%s:%d: the default is %q, but the tables are made for %q", name, n, value, missing[filepath.Base(name)])
			}
		}
		s, _, _ = strings.Cut(s, "#")
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		fields := strings.Split(s, ";")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if err := line(fields); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		found = true
	}
	if !found {
		return fmt.Errorf("%s: no data", name)
	}
	return nil
}

// term takes "0021..0022 ; Soft".
func (p *properties) term(fields []string) error {
	if len(fields) != 2 {
		return fmt.Errorf("%d fields, want 2: a range and a Link_Term value", len(fields))
	}
	first, last, err := codeRange(fields[0])
	if err != nil {
		return err
	}
	v, ok := p.terms[fields[1]]
	if !ok {
		return fmt.Errorf("unknown Link_Term value %q", fields[1])
	}
	for c := first; c <= last; c++ {
		if p.termSet[c] {
			return fmt.Errorf("U+%04X has a value already", c)
		}
		p.termSet[c] = true
		p.props[c] |= v
	}
	return nil
}

// email takes "0023..0027".
func (p *properties) email(fields []string) error {
	if len(fields) != 1 {
		return fmt.Errorf("%d fields, want 1: a range", len(fields))
	}
	first, last, err := codeRange(fields[0])
	if err != nil {
		return err
	}
	for c := first; c <= last; c++ {
		if p.props[c]&p.emailBit != 0 {
			return fmt.Errorf("U+%04X is listed already", c)
		}
		p.props[c] |= p.emailBit
	}
	return nil
}

// bracket takes "0029 ; 0028".
func (p *properties) bracket(fields []string) error {
	if len(fields) != 2 {
		return fmt.Errorf("%d fields, want 2: a closing and an opening bracket", len(fields))
	}
	close, err := codePoint(fields[0])
	if err != nil {
		return err
	}
	open, err := codePoint(fields[1])
	if err != nil {
		return err
	}
	if p.props[close]&p.termMask != p.closeT {
		return fmt.Errorf("U+%04X has a Link_Bracket value, but its Link_Term is not Close", close)
	}
	if p.props[open]&p.termMask != p.openT {
		return fmt.Errorf("U+%04X is a Link_Bracket value, but its Link_Term is not Open", open)
	}
	i, found := slices.BinarySearchFunc(p.brackets, close, func(b bracket, c int) int { return cmp.Compare(b.close, c) })
	if found {
		return fmt.Errorf("U+%04X has a value already", close)
	}
	p.brackets = slices.Insert(p.brackets, i, bracket{close, open})
	return nil
}

// checkBrackets finds a Close that has no opening bracket, and an Open that no
// bracket closes.
func (p *properties) checkBrackets() error {
	paired := map[int]bool{}
	for _, b := range p.brackets {
		paired[b.close], paired[b.open] = true, true
	}
	for c, v := range p.props {
		if t := v & p.termMask; (t == p.openT || t == p.closeT) && !paired[c] {
			return fmt.Errorf("U+%04X is Open or Close in LinkTerm.txt, but is not in LinkBracket.txt", c)
		}
	}
	return nil
}

// codeRange parses "0021" or "0021..0022".
func codeRange(s string) (first, last int, err error) {
	a, b, ok := strings.Cut(s, "..")
	if !ok {
		b = a
	}
	if first, err = codePoint(a); err != nil {
		return 0, 0, err
	}
	if last, err = codePoint(b); err != nil {
		return 0, 0, err
	}
	if first > last {
		return 0, 0, fmt.Errorf("range %s is backwards", s)
	}
	return first, last, nil
}

func codePoint(s string) (int, error) {
	c, err := strconv.ParseUint(s, 16, 32)
	if err != nil || c > maxRune {
		return 0, fmt.Errorf("%q is not a code point", s)
	}
	return int(c), nil
}

// write returns the source of the tables.
func (p *properties) write(version string) ([]byte, error) {
	size := 1 << p.blockShift
	var (
		index  []uint8
		blocks [][]uint8
		starts []int                // the first code point that uses the block
		seen   = map[string]uint8{} // block to number
		used   int                  // length of index up to the last block that is not all defaults
	)
	for start := 0; start <= maxRune; start += size {
		block := p.props[start : start+size]
		n, ok := seen[string(block)]
		if !ok {
			if len(blocks) > 255 {
				return nil, errors.New("more than 256 blocks: index needs a wider type")
			}
			n = uint8(len(blocks))
			seen[string(block)] = n
			blocks = append(blocks, block)
			starts = append(starts, start)
		}
		index = append(index, n)
		if slices.Max(block) != 0 {
			used = len(index)
		}
	}
	index = index[:used]

	var b bytes.Buffer
	fmt.Fprintf(&b, "// SPDX-License-Identifier: MIT\n\n")
	fmt.Fprintf(&b, "// Code generated by gen.go from UTS #58 %s; DO NOT EDIT.\n\n", version)
	fmt.Fprintf(&b, "package linkprop\n\n")
	fmt.Fprintf(&b, "// UnicodeVersion is the version of UTS #58 that the properties are from.\n")
	fmt.Fprintf(&b, "const UnicodeVersion = %q\n\n", version)

	fmt.Fprintf(&b, "// ascii holds the properties of U+0000 to U+007F. The other half is zero; it\n")
	fmt.Fprintf(&b, "// spares the bounds check. %d bytes.\n", 256)
	fmt.Fprintf(&b, "var ascii = [256]Props{\n")
	row(&b, p.props[:128])
	fmt.Fprintf(&b, "}\n\n")

	fmt.Fprintf(&b, "// index holds the number of the block for each %d code points, up to the last\n", size)
	fmt.Fprintf(&b, "// block that has anything but defaults. %d bytes.\n", len(index))
	fmt.Fprintf(&b, "var index = [%d]uint8{\n", len(index))
	row(&b, index)
	fmt.Fprintf(&b, "}\n\n")

	fmt.Fprintf(&b, "// blocks holds the properties of %d code points each. %d bytes.\n", size, len(blocks)*size)
	fmt.Fprintf(&b, "var blocks = [%d][%d]Props{\n", len(blocks), size)
	for i, block := range blocks {
		fmt.Fprintf(&b, "{ // %d: first U+%04X\n", i, starts[i])
		row(&b, block)
		fmt.Fprintf(&b, "},\n")
	}
	fmt.Fprintf(&b, "}\n\n")

	// 64 code points a row, for those of two and three bytes of UTF-8.
	var (
		rows    []uint64
		include []uint8
	)
	for start := 0; start < 0x10000; start += 64 {
		bits := uint64(0)
		for i, v := range p.props[start : start+64] {
			if v&p.termMask == p.terms["Include"] {
				bits |= 1 << i
			}
		}
		n := slices.Index(rows, bits)
		if n < 0 {
			n = len(rows)
			rows = append(rows, bits)
		}
		if n > 255 {
			return nil, errors.New("more than 256 rows of Include: includeIndex needs a wider type")
		}
		include = append(include, uint8(n))
	}
	fmt.Fprintf(&b, "// includeIndex holds the number of the row of includeBits for each 64 code points up to U+FFFF. %d bytes.\n", len(include))
	fmt.Fprintf(&b, "var includeIndex = [%d]uint8{\n", len(include))
	row(&b, include)
	fmt.Fprintf(&b, "}\n\n")
	fmt.Fprintf(&b, "// includeBits has a bit for each code point that is Include. The rows after the first %d are zero; they spare the bounds check. %d bytes.\n", len(rows), 8*256)
	fmt.Fprintf(&b, "var includeBits = [256]uint64{\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "%#016x,\n", r)
	}
	fmt.Fprintf(&b, "}\n\n")

	fmt.Fprintf(&b, "// brackets holds Link_Bracket, in ascending order of the closing bracket.\n")
	fmt.Fprintf(&b, "// %d bytes.\n", len(p.brackets)*8)
	fmt.Fprintf(&b, "var brackets = [%d]bracket{\n", len(p.brackets))
	for _, br := range p.brackets {
		fmt.Fprintf(&b, "{0x%04X, 0x%04X},\n", br.close, br.open)
	}
	fmt.Fprintf(&b, "}\n")
	return format.Source(b.Bytes())
}

// row writes numbers, 32 to a line.
func row(b *bytes.Buffer, v []uint8) {
	for line := range slices.Chunk(v, 32) {
		for i, n := range line {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(b, "%d,", n)
		}
		b.WriteByte('\n')
	}
}
