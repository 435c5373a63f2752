// SPDX-License-Identifier: MIT

package engine_test

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/linkprop"
)

// The cases of testdata/links.txt and testdata/notlinks.txt: marked text, the reason of each, and the options for it.
// The format is described at the top of links.txt.

const (
	markOpen  = "⸠"
	markClose = "⸡"
)

// A markedCase is one line of the files: a text, and the spans of the links that are expected in it.
type markedCase struct {
	file    string
	line    int
	why     string
	options string // as in the file
	opts    engine.Options
	text    string
	want    []engine.Span
}

func (c markedCase) where() string { return fmt.Sprintf("%s:%d", c.file, c.line) }

// loadCases reads both files once.
var loadCases = sync.OnceValues(func() ([]markedCase, error) {
	var all []markedCase
	seen := make(map[string]string)
	for _, file := range []string{"links.txt", "notlinks.txt"} {
		path := filepath.Join("testdata", file)
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		cases, err := parseCases(path, string(data))
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			if linked := len(c.want) > 0; linked != (file == "links.txt") {
				return nil, fmt.Errorf("%s: a case with links belongs to links.txt, one without to notlinks.txt", c.where())
			}
			key := c.options + "\n" + c.text
			if first, ok := seen[key]; ok {
				return nil, fmt.Errorf("%s: the same case as %s", c.where(), first)
			}
			seen[key] = c.where()
		}
		all = append(all, cases...)
	}
	return all, nil
})

func cases(t *testing.T) []markedCase {
	t.Helper()
	all, err := loadCases()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parseCases reads a file of cases. A reason holds up to an empty line or the next reason, options up to the next options.
func parseCases(path, data string) ([]markedCase, error) {
	var (
		all     []markedCase
		why     string
		whyUsed = true
		options string
		opts    engine.Options
		header  = true
	)
	for i, line := range strings.Split(strings.TrimSuffix(data, "\n"), "\n") {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", path, i+1, fmt.Sprintf(format, args...))
		}
		reason, isReason := strings.CutPrefix(line, "# why ")
		set, isOptions := strings.CutPrefix(line, "#! options:")
		if (line == "" || isReason || isOptions) && !whyUsed {
			return nil, fail("the reason before has no case")
		}
		switch {
		case line == "":
			why = ""
		case isReason:
			why, whyUsed, header = reason, false, false
		case isOptions:
			o, err := parseOptions(set)
			if err != nil {
				return nil, fail("%v", err)
			}
			why, options, opts = "", strings.TrimSpace(set), o
		case strings.HasPrefix(line, "## "):
			why, header = "", false
		case strings.HasPrefix(line, "#") && header:
			// The description at the top of the file.
		case strings.HasPrefix(line, "#"):
			return nil, fail("neither a reason nor options: %s", line)
		case why == "":
			return nil, fail("a case without a reason")
		default:
			text, want, err := parseMarked(line)
			if err != nil {
				return nil, fail("%v", err)
			}
			all = append(all, markedCase{path, i + 1, why, options, opts, text, want})
			whyUsed = true
		}
	}
	return all, nil
}

func parseOptions(list string) (o engine.Options, err error) {
	for _, word := range strings.Fields(list) {
		name, value, hasValue := strings.Cut(word, "=")
		flags := map[string]*bool{
			"no-email": &o.NoEmail, "local-hosts": &o.LocalHosts, "file-names": &o.FileNames, "mailto-query": &o.MailtoQuery,
			"stop-cjk": &o.StopAtCJKPunctuation, "strict": &o.Strict, "keep-controls": &o.KeepControls,
			"no-host-prefix": &o.NoHostPrefix, "no-suffix-hosts": &o.NoSuffixHosts,
		}
		lists := map[string]*[]string{"extra-tld": &o.ExtraTLDs, "exclude-tld": &o.ExcludeTLDs, "scheme": &o.Schemes}
		switch {
		case flags[name] != nil && !hasValue:
			*flags[name] = true
		case lists[name] != nil && value != "":
			*lists[name] = strings.Split(value, ",")
		case word == "bare=www":
			o.Bare = engine.BareWWW
		case word == "bare=none":
			o.Bare = engine.BareNone
		case name == "max-length" && hasValue:
			if o.MaxLength, err = strconv.Atoi(value); err != nil {
				return o, fmt.Errorf("option %s: %v", word, err)
			}
		default:
			return o, fmt.Errorf("no such option: %s", word)
		}
	}
	return o, nil
}

// parseMarked undoes the escapes of a case line and takes the marks out.
func parseMarked(line string) (text string, want []engine.Span, err error) {
	var b []byte
	start := -1
	for len(line) > 0 {
		switch {
		case strings.HasPrefix(line, markOpen):
			if start >= 0 {
				return "", nil, fmt.Errorf("%s inside a link", markOpen)
			}
			start, line = len(b), line[len(markOpen):]
		case strings.HasPrefix(line, markClose):
			if start < 0 || start == len(b) {
				return "", nil, fmt.Errorf("%s without a link", markClose)
			}
			want = append(want, engine.Span{Start: start, End: len(b)})
			start, line = -1, line[len(markClose):]
		case line[0] == '\\':
			if b, line, err = appendEscape(b, line); err != nil {
				return "", nil, err
			}
		default:
			b, line = append(b, line[0]), line[1:]
		}
	}
	if start >= 0 {
		return "", nil, fmt.Errorf("no %s", markClose)
	}
	return string(b), want, nil
}

func appendEscape(b []byte, line string) (out []byte, rest string, err error) {
	if len(line) < 2 {
		return nil, "", fmt.Errorf(`a lone \`)
	}
	switch line[1] {
	case '\\':
		return append(b, '\\'), line[2:], nil
	case 'n':
		return append(b, '\n'), line[2:], nil
	case 't':
		return append(b, '\t'), line[2:], nil
	case 'u', 'x':
		bits := 32
		if line[1] == 'x' {
			bits = 8
		}
		hex, found := strings.CutPrefix(line[2:], "{")
		hex, rest, closed := strings.Cut(hex, "}")
		n, err := strconv.ParseUint(hex, 16, bits)
		if !found || !closed || err != nil || bits == 32 && !utf8.ValidRune(rune(n)) {
			return nil, "", fmt.Errorf("bad escape: %.10s", line)
		}
		if bits == 8 {
			return append(b, byte(n)), rest, nil
		}
		return utf8.AppendRune(b, rune(n)), rest, nil
	}
	return nil, "", fmt.Errorf("no such escape: %.2s", line)
}

// markText marks the spans in text.
func markText(text string, spans []engine.Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start] + markOpen + s.In(text) + markClose)
		at = s.End
	}
	return b.String() + text[at:]
}

// spansOf collects the spans of links, and complains about links that do not go forward.
func spansOf(t *testing.T, where, text string, links iter.Seq[engine.Link]) []engine.Span {
	t.Helper()
	var spans []engine.Span
	at := 0
	for l := range links {
		if l.Start < at || l.End <= l.Start || l.End > len(text) {
			t.Errorf("%s: link %d..%d after offset %d in a text of %d bytes", where, l.Start, l.End, at, len(text))
			break
		}
		spans, at = append(spans, l.Span), l.End
	}
	return spans
}

// rows describes the characters of text near the first place where the marks of want and got differ.
func rows(text string, want, got []engine.Span) string {
	marks := func(spans []engine.Span) map[int]string {
		m := make(map[int]string)
		for _, s := range spans {
			m[s.Start] += markOpen
			m[s.End] = markClose + m[s.End]
		}
		return m
	}
	w, g := marks(want), marks(got)
	first := 0
	for first < len(text) && w[first] == g[first] {
		first++
	}
	// Eight characters before and after.
	from, to := first, first
	for range 8 {
		_, n := utf8.DecodeLastRuneInString(text[:from])
		from -= n
		_, n = utf8.DecodeRuneInString(text[to:])
		to += n
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\t%6s  %-8s  %-6s  %-9s  %-7s  %-5s  %s\n", "offset", "code", "char", "Link_Term", "e-mail", "want", "got")
	for at := from; at <= to; {
		r, n := utf8.DecodeRuneInString(text[at:])
		code, char, term, email := fmt.Sprintf("U+%04X", r), fmt.Sprintf("%+q", r), linkprop.Of(r).Term().String(), linkprop.Of(r).Email()
		if strconv.IsPrint(r) {
			char = string(r)
		}
		switch {
		case n == 0:
			code, char, term, email, n = "end", "", "", false, 1
		case r == utf8.RuneError && n == 1:
			code, char, term, email = fmt.Sprintf("byte %02X", text[at]), "", "Hard", false
		}
		fmt.Fprintf(&b, "\t%6d  %-8s  %-6s  %-9s  %-7v  %-5s  %s\n", at, code, char, term, email, w[at], g[at])
		at += n
	}
	return b.String()
}

// caseDetector returns a detector for the options of c.
func caseDetector(t *testing.T, c markedCase) *engine.Detector {
	t.Helper()
	d, err := engine.New(c.opts)
	if err != nil {
		t.Fatalf("%s: options %s: %v", c.where(), c.options, err)
	}
	return d
}

func TestCasesCount(t *testing.T) {
	const least = 300
	all := cases(t)
	none := 0
	for _, c := range all {
		if len(c.want) == 0 {
			none++
		}
	}
	t.Logf("%d cases, %d of them without a link", len(all), none)
	if len(all) < least {
		t.Errorf("%d cases, want at least %d", len(all), least)
	}
}

func TestCases(t *testing.T) {
	for _, c := range cases(t) {
		got := spansOf(t, c.where(), c.text, caseDetector(t, c).Links(c.text))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %s\n\toptions: %s\n\twant %q\n\tgot  %q\n%s",
				c.where(), c.why, c.options, markText(c.text, c.want), markText(c.text, got), rows(c.text, c.want, got))
		}
	}
}

// TestCasesBytesAndSegments: every way to ask gives the same links.
func TestCasesBytesAndSegments(t *testing.T) {
	for _, c := range cases(t) {
		d := caseDetector(t, c)
		want := slices.Collect(d.Links(c.text))
		if got := slices.Collect(d.LinksBytes([]byte(c.text))); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: LinksBytes and Links differ\n\tbytes  %v\n\tstring %v", c.where(), got, want)
		}
		var got []engine.Link
		at, gap := 0, false
		for s := range d.Segments(c.text) {
			switch {
			case s.Start != at || s.End <= s.Start || s.End > len(c.text):
				t.Errorf("%s: segment %d..%d after offset %d", c.where(), s.Start, s.End, at)
			case s.Kind != engine.None:
				got = append(got, s)
			case gap:
				t.Errorf("%s: two gaps in sequence at offset %d", c.where(), at)
			case s != engine.Link{Span: s.Span}:
				t.Errorf("%s: a gap with parts: %+v", c.where(), s)
			}
			at, gap = s.End, s.Kind == engine.None
			if utf8.ValidString(c.text) && at < len(c.text) && !utf8.RuneStart(c.text[at]) {
				t.Errorf("%s: a segment ends inside a character, at offset %d", c.where(), at)
			}
		}
		if at != len(c.text) {
			t.Errorf("%s: the segments end at %d of %d", c.where(), at, len(c.text))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: Segments and Links differ\n\tsegments %v\n\tlinks    %v", c.where(), got, want)
		}
	}
}

// TestCasesParts: the parts of a link lie in order, begin with their delimiters, and are the link.
func TestCasesParts(t *testing.T) {
	for _, c := range cases(t) {
		for l := range caseDetector(t, c).Links(c.text) {
			if err := checkParts(c.text, l); err != nil {
				t.Errorf("%s: %q: %v\n\t%+v", c.where(), l.In(c.text), err, l)
			}
		}
	}
}

func checkParts(text string, l engine.Link) error {
	parts := []struct {
		name  string
		begin string // the delimiter, which is part of the part
		span  engine.Span
	}{
		{"scheme", "", l.Scheme}, {"local part", "", l.Local}, {"host", "", l.Host}, {"port", ":", l.Port},
		{"path", "/", l.Path}, {"query", "?", l.Query}, {"fragment", "#", l.Fragment},
	}
	at := l.Start
	for _, p := range parts {
		s := p.span
		if s.Empty() {
			if s != (engine.Span{}) {
				return fmt.Errorf("absent %s at %d", p.name, s.Start)
			}
			continue
		}
		if p.name == "host" && !l.Local.Empty() {
			if text[at] != '@' {
				return fmt.Errorf("no @ before the host")
			}
			at++
		}
		if s.Start != at || s.End < s.Start || s.End > l.End {
			return fmt.Errorf("%s is %d..%d, want it to begin at %d", p.name, s.Start, s.End, at)
		}
		opaque := p.name == "path" && l.Host.Empty()
		if !strings.HasPrefix(s.In(text), p.begin) && !opaque {
			return fmt.Errorf("%s begins with %q", p.name, s.In(text))
		}
		at = s.End
	}
	if at != l.End {
		return fmt.Errorf("the parts end at %d, the link at %d", at, l.End)
	}
	switch scheme := strings.ToLower(l.Scheme.In(text)); {
	case scheme != "" && !strings.HasSuffix(scheme, "://") && !strings.HasSuffix(scheme, ":"):
		return fmt.Errorf("scheme %q", scheme)
	case l.Kind != engine.URL && l.Kind != engine.Email:
		return fmt.Errorf("kind %v", l.Kind)
	case (l.Kind == engine.Email) == l.Local.Empty():
		return fmt.Errorf("an address has a local part, a URL has none")
	case l.Kind == engine.Email && scheme != "" && scheme != "mailto:":
		return fmt.Errorf("an address with scheme %q", scheme)
	case l.Host.Empty() && l.Path.Empty():
		return fmt.Errorf("neither host nor path")
	case l.Port.Len() == 1:
		return fmt.Errorf("a port without digits")
	}
	return nil
}

// TestCasesContext: a line before, and a word before and after, change no link.
func TestCasesContext(t *testing.T) {
	const before, after = "\nx ", " x"
	for _, c := range cases(t) {
		d := caseDetector(t, c)
		alone := spansOf(t, c.where(), c.text, d.Links(c.text))
		for i := range alone {
			alone[i].Start += len(before)
			alone[i].End += len(before)
		}
		text := before + c.text + after
		if got := spansOf(t, c.where(), text, d.Links(text)); !slices.Equal(got, alone) {
			t.Errorf("%s: changed by what stands before and after\n\talone %q\n\tnow   %q\n%s",
				c.where(), markText(text, alone), markText(text, got), rows(text, alone, got))
		}
	}
}

// TestCasesFind: Find from the start of a link finds it, from its end the next, and from inside it not the same link,
// nor one that begins within its scheme or host.
func TestCasesFind(t *testing.T) {
	for _, c := range cases(t) {
		d := caseDetector(t, c)
		links := slices.Collect(d.Links(c.text))
		for i, l := range links {
			if got, ok := d.Find(c.text, l.Start); !ok || got != l {
				t.Errorf("%s: Find from %d, the start of %q, finds %q", c.where(), l.Start, l.In(c.text), got.In(c.text))
			}
			next, more := engine.Link{}, false
			if i+1 < len(links) {
				next, more = links[i+1], true
			}
			if got, ok := d.Find(c.text, l.End); ok != more || got != next {
				t.Errorf("%s: Find from %d, the end of %q, finds %q, want %q", c.where(), l.End, l.In(c.text), got.In(c.text), next.In(c.text))
			}
			got, ok := d.Find(c.text, l.Start+1)
			within := func(s engine.Span) bool { return s.Start <= got.Start && got.Start < s.End }
			if ok && (got.Start <= l.Start || within(l.Scheme) || within(l.Host)) {
				t.Errorf("%s: Find from %d, inside %q, finds %q", c.where(), l.Start+1, l.In(c.text), got.In(c.text))
			}
		}
	}
}

// TestCasesJoined: all cases of a set of options, a line each, give the links that each gives alone.
func TestCasesJoined(t *testing.T) {
	groups := make(map[string][]markedCase)
	for _, c := range cases(t) {
		groups[c.options] = append(groups[c.options], c)
	}
	for options, group := range groups {
		d := caseDetector(t, group[0])
		var text strings.Builder
		var alone []engine.Span
		var origin []markedCase // of each span
		for _, c := range group {
			for _, s := range spansOf(t, c.where(), c.text, d.Links(c.text)) {
				alone = append(alone, engine.Span{Start: text.Len() + s.Start, End: text.Len() + s.End})
				origin = append(origin, c)
			}
			text.WriteString(c.text + "\n")
		}
		got := spansOf(t, "options: "+options, text.String(), d.Links(text.String()))
		if slices.Equal(got, alone) {
			continue
		}
		i := 0
		for i < len(got) && i < len(alone) && got[i] == alone[i] {
			i++
		}
		where := "the end"
		if i < len(origin) {
			where = origin[i].where()
		}
		t.Errorf("options %q: joined cases differ near %s: %d links, want %d\n%s",
			options, where, len(got), len(alone), rows(text.String(), alone, got))
	}
}
