// SPDX-License-Identifier: MIT

package whatwg

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/bidilink/bidilink/engine"
)

// A parsed URL, as its standard takes it apart and as it writes the parts.
type parsed struct {
	OK                             bool
	Protocol, Host, Port           string
	Pathname, Search, Hash, String string
}

// parse is the Go implementation.
func parse(s string) parsed {
	u, err := whatwg.Parse(s)
	if err != nil {
		return parsed{}
	}
	return parsed{true, u.Protocol(), u.Hostname(), u.Port(), u.Pathname(), u.Search(), u.Hash(), u.Href(false)}
}

// parseNode is Node's. It skips the test where there is no Node, unless BIDILINK_NODE names one.
func parseNode(t *testing.T, urls []string) []parsed {
	t.Helper()
	node := os.Getenv("BIDILINK_NODE")
	if node == "" {
		var err error
		if node, err = exec.LookPath("node"); err != nil {
			t.Skip("no node, and BIDILINK_NODE is not set")
		}
	}
	in, err := json.Marshal(urls)
	if err != nil {
		t.Fatal(err)
	}
	const script = `
const urls = JSON.parse(require("fs").readFileSync(0, "utf8"))
process.stdout.write(JSON.stringify(urls.map(s => {
	try {
		const u = new URL(s)
		return {OK: true, Protocol: u.protocol, Host: u.hostname, Port: u.port, Pathname: u.pathname, Search: u.search, Hash: u.hash, String: u.href}
	} catch { return {OK: false} }
})))`
	cmd := exec.Command(node, "-e", script)
	cmd.Stdin = strings.NewReader(string(in))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []parsed
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// canonical decodes the escapes of p that mean the same as their characters: what minimal escaping and encoding
// may change. An escape that means something else, because the character is syntax there, stays one.
func canonical(p parsed) parsed {
	path := `/\?#`
	switch {
	case p.Protocol == "mailto:":
		path = "?#@"
	case p.Host == "":
		path = "/?#@$&*+=" // without those that are Soft, which are escaped at the end
	}
	p.Pathname = decode(p.Pathname, path)
	p.Search = decode(p.Search, "&=+#")
	for strings.HasSuffix(p.Hash, ":~:") && strings.Count(p.Hash, ":~:") == strings.Count(strings.TrimSuffix(p.Hash, ":~:"), ":~:")+1 {
		p.Hash = strings.TrimSuffix(p.Hash, ":~:") // an empty directive
	}
	text, directives, ok := strings.Cut(p.Hash, ":~:")
	p.Hash = decode(text, "")
	if ok {
		p.Hash += "\x01" + decode(strings.ReplaceAll(directives, ":~:", "\x01"), "&-=") // "," is Soft
	}
	if p.Hash == "#" {
		p.Hash = ""
	}
	p.String = ""
	return p
}

func decode(s, syntax string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				if strings.IndexByte(syntax, byte(c)) >= 0 {
					b.WriteByte(0)
				}
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// absolute gives a bare host its scheme.
func absolute(s string) string {
	if p, err := engine.ParseParts(s); err == nil && p.Scheme == "" && p.Local == "" {
		return "https://" + s
	}
	return s
}

var (
	heads = []string{
		"https://example.com", "http://пример.рф:8080", "example.com", "HTTPS://xn--p1ai.xn--p1ai.", "http://[::1]:1", "http://127.0.0.1",
		"mailto:a@example.com?", "mailto:", "exam\u00adple.com", "ftp://example.com", "http://中国。中国:80", "https://faß.de:443", "tel:", "http://EXAMPLE.com:0080",
	}
	pieces = []string{
		"a", "4", "1", "α", "א", "한", "👍", "%41", "%34", "%CE%B1", "\u0301", "/", "?", "#", "&", "=", "+", "%2F", "%3f", "%23", "%26", "%3D", "%2B", "%25", "%", "%2",
		":~:", ":", "~", "%3A", "%7e", ".", "..", "/../", "%2E", ",", ";", "!", "'", "\"", "。", "，", "’", "%E3%80%82", "(", ")", "[", "]", "<", ">", "{", "}", "「", "」", "（",
		"%28", "%29", "%5B", "%22", "%27", "%3C", "%60", " ", "%20", "\u00a0", "%00", "\x7f", "\u200c", "%E2%80%8D", "\u202e", "%E2%80%8F", "\u00ad", "\ufe0f", "%EF%BB%BF",
		"\\", "%5c", "@", "|", "^", "`", "%FF", "%82", "%E2%82", "$", "*", "_", "-", "\u0378", "\ue000", "⁄", "／", "？", "�",
	}
)

// random makes URLs of the pieces, the same ones each time.
func random(n int) []string {
	rnd := rand.New(rand.NewPCG(58, 17))
	all := make([]string, n)
	for i := range all {
		s := heads[rnd.IntN(len(heads))]
		for range rnd.IntN(12) {
			s += pieces[rnd.IntN(len(pieces))]
		}
		all[i] = s
	}
	return all
}

// A pair are two writings of one URL.
type pair struct{ what, in, out string }

// formatted returns URLs with what FormatURL makes of them. That leaves out what these parsers repair and
// ParseParts does not.
func formatted(t *testing.T, urls []string) (pairs []pair) {
	t.Helper()
	for _, s := range urls {
		if !utf8.ValidString(s) {
			continue
		}
		if strings.HasPrefix(s, "mailto:/") {
			continue // they take it for a path, with dot segments; the engine takes it for a local part
		}
		out, err := engine.FormatURL(s)
		if p, perr := engine.ParseParts(s); err != nil || perr != nil || p.Scheme == "" && p.Local != "" {
			continue // they know no bare addresses
		}
		pairs = append(pairs, pair{"FormatURL", absolute(s), absolute(out)}, pair{"Readable", absolute(s), absolute(engine.Readable(s))})
	}
	return pairs
}

// hrefs returns the links in texts with their hrefs.
func hrefs(t *testing.T, texts []string) (pairs []pair) {
	t.Helper()
	d, err := engine.New(engine.Options{Schemes: []string{"tel"}, MailtoQuery: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range texts {
		for l := range d.Links(s) {
			if l.Kind == engine.Email && l.Scheme.Empty() {
				continue
			}
			href := string(d.AppendHref(nil, s, l))
			if href == "" {
				t.Fatalf("%q has no href", l.In(s))
			}
			for i := range len(href) {
				if c := href[i]; c <= ' ' || c >= 0x7F || strings.IndexByte("\"'`<>\\^{|}", c) >= 0 {
					t.Fatalf("%q holds %q", href, c)
				}
			}
			in := l.In(s)
			if l.Scheme.Empty() {
				in = "https://" + in
			}
			if l.Kind == engine.Email {
				// These parsers know no host here; in the href it is in A-label form.
				in = "mailto:" + l.Local.In(s) + href[strings.IndexByte(href, '@'):]
				if strings.ContainsAny(l.Local.In(s), "?#") {
					continue // found as a local part, which they are not in a URL
				}
			}
			if !strings.Contains(l.Path.In(s), `\`) || l.Host.Empty() { // which they take for "/", and the href does not
				pairs = append(pairs, pair{"AppendHref", in, href})
			}
		}
	}
	return pairs
}

// check compares what the two writings of each pair are parsed to. The parser must take the second if it takes the
// first, and a href in any case.
func check(t *testing.T, pairs []pair, parseAll func([]string) []parsed) {
	t.Helper()
	urls := make([]string, 0, 2*len(pairs))
	for _, p := range pairs {
		urls = append(urls, p.in, p.out)
	}
	all := parseAll(urls)
	taken := 0
	for i, p := range pairs {
		in, out := all[2*i], all[2*i+1]
		if in.OK || p.what == "AppendHref" {
			taken++
			if !in.OK || !out.OK || !reflect.DeepEqual(canonical(in), canonical(out)) {
				t.Errorf("%s:\n%q is %+v\n%q is %+v\n%+v\n%+v", p.what, p.in, in, p.out, out, canonical(in), canonical(out))
			}
		}
		if p.what == "AppendHref" {
			u, err := url.Parse(p.out)
			if err != nil || u.Opaque == "" && !strings.EqualFold(u.Hostname(), strings.Trim(out.Host, "[]")) {
				t.Errorf("%q: host %q, net/url %v, %v", p.out, out.Host, u, err)
			}
		}
	}
	t.Logf("%d of %d pairs compared", taken, len(pairs))
	if taken < len(pairs)/2 {
		t.Error("too few")
	}
}

func parseEach(urls []string) []parsed {
	all := make([]parsed, len(urls))
	for i, s := range urls {
		all[i] = parse(s)
	}
	return all
}

// TestFormatURL: the parse of what is written equals that of what was given, but for escapes that mean the same.
func TestFormatURL(t *testing.T) { check(t, formatted(t, random(50000)), parseEach) }

// TestAppendHref: the href is a URL for these parsers and for net/url, with the same host, and the URL that the
// text names.
func TestAppendHref(t *testing.T) { check(t, hrefs(t, random(50000)), parseEach) }

func TestFormatURLNode(t *testing.T) {
	check(t, formatted(t, random(50000)), func(urls []string) []parsed { return parseNode(t, urls) })
}

func TestAppendHrefNode(t *testing.T) {
	check(t, hrefs(t, random(50000)), func(urls []string) []parsed { return parseNode(t, urls) })
}

// FuzzURL checks any text.
func FuzzURL(f *testing.F) {
	for _, s := range random(100) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		pairs := append(formatted(t, []string{s}), hrefs(t, []string{s})...)
		for _, p := range pairs {
			in, out := parse(p.in), parse(p.out)
			if in.Host != "" && !strings.Contains(" http: https: ftp: ws: wss: ", " "+in.Protocol+" ") {
				continue // an opaque host, in which escapes stay
			}
			if in.OK && (!out.OK || !reflect.DeepEqual(canonical(in), canonical(out))) {
				t.Fatalf("%s:\n%q is %+v\n%q is %+v", p.what, p.in, in, p.out, out)
			}
		}
	})
}
