// SPDX-License-Identifier: MIT

package uts58

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// The marked cases of package engine, each as a paragraph. The format is described at the top of engine/testdata/links.txt.

type markedCase struct {
	where, options, text string
	opts                 engine.Options
}

func markedCases(t *testing.T) (all []markedCase) {
	for _, file := range []string{"links.txt", "notlinks.txt"} {
		data, err := os.ReadFile(filepath.Join("..", "engine", "testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var options string
		var opts engine.Options
		for i, line := range strings.Split(string(data), "\n") {
			if set, ok := strings.CutPrefix(line, "#! options:"); ok {
				options, opts = strings.TrimSpace(set), optionsOf(t, set)
			}
			if line == "" || line[0] == '#' {
				continue
			}
			all = append(all, markedCase{fmt.Sprintf("%s:%d", file, i+1), options, unmark(t, line), opts})
		}
	}
	if len(all) < 500 {
		t.Fatalf("only %d cases", len(all))
	}
	return all
}

func optionsOf(t *testing.T, list string) (o engine.Options) {
	flags := map[string]*bool{"no-email": &o.NoEmail, "local-hosts": &o.LocalHosts, "file-names": &o.FileNames, "mailto-query": &o.MailtoQuery,
		"stop-cjk": &o.StopAtCJKPunctuation, "strict": &o.Strict, "keep-controls": &o.KeepControls, "no-host-prefix": &o.NoHostPrefix,
		"no-suffix-hosts": &o.NoSuffixHosts}
	lists := map[string]*[]string{"extra-tld": &o.ExtraTLDs, "exclude-tld": &o.ExcludeTLDs, "scheme": &o.Schemes}
	for word := range strings.FieldsSeq(list) {
		name, value, _ := strings.Cut(word, "=")
		switch {
		case flags[name] != nil:
			*flags[name] = true
		case lists[name] != nil:
			*lists[name] = strings.Split(value, ",")
		case word == "bare=www":
			o.Bare = engine.BareWWW
		case word == "bare=none":
			o.Bare = engine.BareNone
		case name == "max-length":
			o.MaxLength, _ = strconv.Atoi(value)
		default:
			t.Fatalf("no such option: %s", word)
		}
	}
	return o
}

// unmark takes the marks out of a line and undoes its escapes.
func unmark(t *testing.T, line string) string {
	line = strings.NewReplacer("⸠", "", "⸡", "").Replace(line)
	var b []byte
	for line != "" {
		if line[0] != '\\' {
			b, line = append(b, line[0]), line[1:]
			continue
		}
		c := line[1]
		line = line[2:]
		switch c {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case '\\':
			b = append(b, '\\')
		default:
			hex, rest, _ := strings.Cut(line[1:], "}")
			n, err := strconv.ParseUint(hex, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			line = rest
			if c == 'x' {
				b = append(b, byte(n))
			} else {
				b = utf8.AppendRune(b, rune(n))
			}
		}
	}
	return string(b)
}

// references writes white space and ASCII punctuation as character references: nothing in it has a meaning in Markdown.
func references(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\v' || c == '\r' || util.IsPunct(c) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// linked is the HTML of a paragraph with a text and the links that a detector finds in it.
func linked(d *engine.Detector, text string) string {
	var b strings.Builder
	b.WriteString("<p>")
	for s := range d.Segments(text) {
		if s.Kind == engine.None {
			b.WriteString(escape(s.In(text)))
			continue
		}
		fmt.Fprintf(&b, `<a href="%s">`, escape(string(d.AppendHref(nil, text, s))))
		y := display.Layout{Span: s.Span}
		at := s.Start
		for _, e := range y.AppendEdits(nil, text, display.Web) {
			b.WriteString(escape(text[at:e.Start]) + e.Text)
			at = e.End
		}
		b.WriteString(escape(text[at:s.End]) + "</a>")
	}
	return b.String() + "</p>\n"
}

// escape escapes as goldmark does.
func escape(s string) string {
	return strings.ReplaceAll(html.EscapeString(s), "&#34;", "&quot;")
}

var undo = strings.NewReplacer("&#39;", "'", "%5B", "[", "%5D", "]")

func TestMarkedCases(t *testing.T) {
	alone := goldmark.New()
	detectors := make(map[string]*engine.Detector)
	extended := make(map[string]goldmark.Markdown)
	plain := 0
	for _, c := range markedCases(t) {
		if detectors[c.options] == nil {
			d, err := engine.New(c.opts)
			if err != nil {
				t.Fatal(err)
			}
			detectors[c.options] = d
			// Bdi, since it has anchors for what goldmark's renderer would change.
			extended[c.options] = goldmark.New(goldmark.WithExtensions(&Extender{Links: c.opts, LinkFileNames: !c.opts.FileNames, Isolation: display.IsolateNone}))
		}
		d, md := detectors[c.options], extended[c.options]
		if strings.Contains(c.text, "\x00") {
			continue // it shows as another character
		}
		want := linked(d, c.text)
		if got := convert(t, md, references(c.text)); undo.Replace(got) != undo.Replace(want) && !wordRule(t, d, c.text, got) {
			t.Errorf("%s: as references\n got %s\nwant %s", c.where, got, want)
		}
		// As it is, if goldmark takes it for text.
		if undo.Replace(convert(t, alone, c.text)) != undo.Replace("<p>"+escape(c.text)+"</p>\n") || strings.Contains(c.text, `\`) {
			continue
		}
		plain++
		if got := convert(t, md, c.text); undo.Replace(got) != undo.Replace(want) && !wordRule(t, d, c.text, got) {
			t.Errorf("%s: as it is\n got %s\nwant %s", c.where, got, want)
		}
	}
	if plain < 500 {
		t.Errorf("only %d cases as they are", plain)
	}
}

// wordRule reports whether the links of text differ from those in got because of a word beside whose links there would be another:
// none of such a word is made, in HTML neither.
func wordRule(t *testing.T, d *engine.Detector, text, got string) bool {
	var b bytes.Buffer
	dropped := false
	b.WriteString("<p>")
	for rest := text; rest != ""; {
		i := strings.IndexAny(rest, " \t\n\f\r")
		if i < 0 {
			i = len(rest)
		}
		word := rest[:i]
		another := false
		for s := range d.Segments(word) {
			if _, ok := d.Find(s.In(word), 0); s.Kind == engine.None && ok {
				another = true
			}
		}
		if another {
			dropped = true
			b.WriteString(escape(word))
		} else {
			b.WriteString(strings.TrimSuffix(strings.TrimPrefix(linked(d, word), "<p>"), "</p>\n"))
		}
		if rest = rest[i:]; rest != "" {
			b.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	if dropped {
		t.Logf("word rule: %q", text)
	}
	return dropped && undo.Replace(got) == undo.Replace(b.String()+"</p>\n")
}
