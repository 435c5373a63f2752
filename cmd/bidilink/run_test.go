// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

var update = flag.Bool("update", false, "write the golden files anew")

// command runs the program and returns what it writes and its exit code.
func command(stdin string, args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return out.String(), errs.String(), code
}

// inFolder writes files into a new folder, which becomes the current one, so that names in messages are short.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range files {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLinks(t *testing.T) {
	inFolder(t, map[string]string{
		"a.txt":   "See example.com,\nand a.b@example.com.\n",
		"b.txt":   "\ufeffпример.рф\r\n\tx 𝒳 http://مثال.السعودية/كتاب\n\xffe.com",
		"none":    "nothing here\n",
		"x.md":    "README.md x.onion ftp://e.com/ http://localhost/ e.com/。x mailto:a@e.com?subject=x",
		"a:b.txt": "e.com",
	})
	for _, c := range []struct {
		name, stdin string
		args        []string
		want        string
	}{
		{"a file", "", []string{"a.txt"}, "a.txt:1:5: url example.com -> https://example.com\na.txt:2:5: email a.b@example.com -> mailto:a.b@example.com\n"},
		{"standard input", "e.com e.org", nil, "-:1:1: url e.com -> https://e.com\n-:1:7: url e.org -> https://e.org\n"},
		{"its name", "e.com", []string{"-", "none", "a:b.txt"}, "-:1:1: url e.com -> https://e.com\na:b.txt:1:1: url e.com -> https://e.com\n"},
		{"columns", "", []string{"b.txt"}, "b.txt:1:1: url пример.рф -> https://xn--e1afmkfd.xn--p1ai\n" +
			"b.txt:2:6: url http://مثال.السعودية/كتاب -> http://xn--mgbh0fb.xn--mgberp4a5d4ar/%D9%83%D8%AA%D8%A7%D8%A8\n" +
			"b.txt:3:2: url e.com -> https://e.com\n"},
		{"empty", "", nil, ""},
		{"none", "", []string{"none"}, ""},
		{"bare none", "e.com www.e.com http://e.com", []string{"--bare", "none"}, "-:1:17: url http://e.com -> http://e.com\n"},
		{"bare www", "e.com www.e.com", []string{"--bare=www"}, "-:1:7: url www.e.com -> https://www.e.com\n"},
		{"no e-mail", "a@e.com e.com", []string{"--no-email"}, "-:1:9: url e.com -> https://e.com\n"},
		{"file names", "README.md", nil, "-:1:1: url README.md -> https://readme.md\n"},
		{"no file names", "README.md", []string{"--file-names"}, ""},
		{"extra", "x.onion y.internal", []string{"--extra-tld", "onion,internal"}, "-:1:1: url x.onion -> https://x.onion\n-:1:9: url y.internal -> https://y.internal\n"},
		{"exclude", "e.com e.org https://e.com", []string{"--exclude-tld", "com"}, "-:1:7: url e.org -> https://e.org\n-:1:13: url https://e.com -> https://e.com\n"},
		{"scheme", "ftp://e.com/ tel:+1-2", []string{"--scheme", "ftp", "--scheme", "tel"}, "-:1:1: url ftp://e.com/ -> ftp://e.com/\n-:1:14: url tel:+1-2 -> tel:+1-2\n"},
		{"local", "http://localhost:1313/", []string{"--local-hosts"}, "-:1:1: url http://localhost:1313/ -> http://localhost:1313/\n"},
		{"mailto", "mailto:a@e.com?subject=x", []string{"--mailto-query"}, "-:1:1: email mailto:a@e.com?subject=x -> mailto:a@e.com?subject=x\n"},
		{"cjk", "e.com/a。b", []string{"--stop-at-cjk-punctuation"}, "-:1:1: url e.com/a -> https://e.com/a\n"},
		{"http", "e.com", []string{"--http"}, "-:1:1: url e.com -> http://e.com\n"},
		{"a control", "e.com/a\u202eb", nil, "-:1:1: url e.com/a%E2%80%AEb -> https://e.com/a%E2%80%AEb\n"},
		{"iri", "e.com/é", []string{"--iri"}, "-:1:1: url e.com/é -> https://e.com/é\n"},
		{"strict", "e.com에서", []string{"--strict"}, ""},
		{"not strict", "e.com에서", nil, "-:1:1: url e.com -> https://e.com\n"},
		{"refuse", "e.com/ש1 e.com/ש pаypal.com e.org", []string{"--refuse", "edge,scripts"}, "-:1:10: url e.com/ש -> https://e.com/%D7%A9\n-:1:29: url e.org -> https://e.org\n"},
		{"refuse twice", "e.com/\u202ex e.com/\u00ady e.com/z", []string{"--refuse", "control", "--refuse=invisible"}, "-:1:19: url e.com/z -> https://e.com/z\n"},
		{"refuse nothing", "e.com/\u202ex", []string{"--refuse="}, "-:1:1: url e.com/%E2%80%AEx -> https://e.com/%E2%80%AEx\n"},
	} {
		out, errs, code := command(c.stdin, append([]string{"links"}, c.args...)...)
		if out != c.want || errs != "" || code != 0 {
			t.Errorf("%s: exit %d, stderr %q\n got %s\nwant %s", c.name, code, errs, out, c.want)
		}
	}
}

func TestLinksJSON(t *testing.T) {
	const text = "\ufeffa\nש e.com/ש, <x@e.com> http://e.com/?a=1&b=<2>"
	out, errs, code := command(text, "links", "--json")
	if errs != "" || code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	want := `{"file":"-","start":8,"end":16,"line":2,"column":3,"kind":"url","text":"e.com/ש","href":"https://e.com/%D7%A9","readable":"https://e.com/ש","host":"e.com","bidi":true,"warnings":[]}
{"file":"-","start":19,"end":26,"line":2,"column":13,"kind":"email","text":"x@e.com","href":"mailto:x@e.com","readable":"mailto:x@e.com","host":"e.com","bidi":false,"warnings":[]}
{"file":"-","start":28,"end":49,"line":2,"column":22,"kind":"url","text":"http://e.com/?a=1&b=<2>","href":"http://e.com/?a=1&b=%3C2%3E","readable":"http://e.com/?a=1&b=<2>","host":"e.com","bidi":false,"warnings":[]}
`
	want = strings.Replace(want, `"end":49`, `"end":51`, 1)
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
	for line := range strings.Lines(out) {
		var l foundLink
		if err := json.Unmarshal([]byte(line), &l); err != nil || text[l.Start:l.End] != l.Text {
			t.Errorf("%v: %s", err, line)
		}
	}
}

func TestLinksWarnings(t *testing.T) {
	for text, want := range map[string]string{
		"e.com/":                    `"warnings":[]`,
		"e.com/ש1/x":                `"warnings":["edge","other-classes"]`,
		"good.com/אב/٠/123/x.org":   `"warnings":["digits","crossing"]`,
		"pаypal.com/⁄\u202e\u00adx": `"warnings":["control","invisible","scripts","lookalike"]`,
	} {
		out, errs, code := command(text, "links", "--json")
		if !strings.Contains(out, want) || errs != "" || code != 0 {
			t.Errorf("%q: exit %d, stderr %q, want %s in\n%s", text, code, errs, want, out)
		}
	}
}

// The help names every warning.
func TestWarningsHelp(t *testing.T) {
	var names []string
	for line := range strings.Lines(warningsHelp) {
		if rest, ok := strings.CutPrefix(line, "  "); ok {
			name, _, _ := strings.Cut(rest, " ")
			names = append(names, name)
		}
	}
	w, err := display.ParseWarnings(names)
	if err != nil || len(w.Names()) != len((^display.Warnings(0)).Names()) {
		t.Errorf("%v, %v", w, err)
	}
}

// Lines and columns are those that counting from the beginning gives.
func FuzzPosition(f *testing.F) {
	f.Add("a\nbç\n\n\xffe.com e.org\r\né e.net")
	d, err := engine.New(engine.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := position{text: text, line: 1}
		for s := range d.Segments(text) {
			before := text[:s.Start]
			line, column := p.of(s.Start)
			wantLine := 1 + strings.Count(before, "\n")
			wantColumn := 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
			if line != wantLine || column != wantColumn {
				t.Errorf("%q at %d: %d:%d, want %d:%d", text, s.Start, line, column, wantLine, wantColumn)
			}
		}
	})
}

func TestHTML(t *testing.T) {
	inFolder(t, map[string]string{
		"a.html": "<p>e.com README.md\n",
		"b.html": "<p>e.com/ש\n<plaintext>e.com\n",
	})
	const link, bidi = `<a href="https://e.com">e.com</a>`, `<a href="https://e.com/%D7%A9">e.com/ש</a>`
	const copied = "bidilink: b.html:2: copied unchanged from here on: a plaintext element\n"
	for _, c := range []struct {
		name, stdin string
		args        []string
		want, errs  string
	}{
		{"standard input", "<p>e.com", nil, "<p>" + link, ""},
		{"a file", "", []string{"a.html"}, "<p>" + link + " README.md\n", ""},
		{"two", "", []string{"a.html", "b.html"}, "<p>" + link + " README.md\n<p><bdi dir=\"ltr\">" + bidi + "</bdi>\n<plaintext>e.com\n", copied},
		{"quiet", "", []string{"-q", "--isolate", "none", "b.html"}, "<p>" + bidi + "\n<plaintext>e.com\n", ""},
		{"isolate auto", "e.com/ ש", nil, `<bdi dir="ltr"><a href="https://e.com/">e.com/</a></bdi> ש`, ""},
		{"isolate bidi", "e.com/ ש", []string{"--isolate=bidi"}, `<a href="https://e.com/">e.com/</a> ש`, ""},
		{"dir", "e.com/", []string{"--dir=rtl"}, `<bdi dir="ltr"><a href="https://e.com/">e.com/</a></bdi>`, ""},
		{"order", "e.com/", []string{"--dir=rtl", "--order=environment"}, `<bdi dir="rtl"><a href="https://e.com/"><bdi dir="rtl">e</bdi>.<bdi dir="rtl">com</bdi>/</a></bdi>`, ""},
		{"profile", "e.com/ש", []string{"--profile=mail"}, `<bdi dir="ltr"><a href="https://e.com/%D7%A9"><span dir="ltr">e.com/ש</span></a></bdi>`, ""},
		{"refuse", "e.com/a\u202eb e.com", []string{"--refuse=control,crossing"}, "e.com/a\u202eb " + strings.Replace(`<bdi dir="ltr">@</bdi>`, "@", link, 1), ""},
		{"wrap file names", "ab/ש", []string{"--wrap-file-names"}, `<bdi dir="ltr">ab/ש</bdi>`, ""},
		{"existing", "<a href=x>e.com/ש</a>", []string{"--isolate-existing", "--verify"}, `<a href=x><bdi dir="ltr">e.com/ש</bdi></a>`, ""},
		{"reference scanner", "e.com<!-- <b --> <B\na=/>e.com", []string{"--reference-scanner"}, link + "<!-- <b --> <B\na=/>" + link, ""},
		{"fragment", "e.com<td>e.com", []string{"--fragment=tr", "--verify"}, "e.com<td>" + link, ""},
		{"isolate all", "e.com", []string{"--isolate=all"}, `<bdi dir="ltr">` + link + "</bdi>", ""},
		{"file names", "", []string{"--file-names=false", "a.html"}, "<p>" + link + " <a href=\"https://readme.md\">README.md</a>\n", ""},
		{"bare", "e.com www.e.com", []string{"--bare", "none"}, "e.com www.e.com", ""},
		{"windows-1256", "<meta charset=windows-1256>\xe3 e.com", nil, "<meta charset=windows-1256>\xe3 <bdi dir=\"ltr\">" + link + "</bdi>", ""},
		{"--charset", "\xe3 e.com", []string{"--charset=Windows-1256"}, "\xe3 <bdi dir=\"ltr\">" + link + "</bdi>", ""},
		{"unknown", "<meta charset=x-unknown>e.com \xe3", nil, "<meta charset=x-unknown>e.com \xe3", "bidilink: -:1: copied unchanged from here on: an encoding that is unknown or in doubt\n"},
		{"skip", "<p class=x>e.com<p>e.com", []string{"--skip", ".x"}, "<p class=x>e.com<p>" + link, ""},
		{"link in", "<pre>e.com</pre><kbd>e.com", []string{"--link-in=pre, code"}, "<pre>" + link + "</pre><kbd>e.com", ""},
		{"empty", "", nil, "", ""},
	} {
		out, errs, code := command(c.stdin, append([]string{"html"}, c.args...)...)
		if out != c.want || errs != c.errs || code != 0 {
			t.Errorf("%s: exit %d, stderr %q\n got %s\nwant %s", c.name, code, errs, out, c.want)
		}
	}
}

// With --reference-scanner, the output, the messages and the exit status are the same: for all golden pages, and some that end with a message.
func TestReferenceScanner(t *testing.T) {
	var pages []string
	for _, pattern := range []string{filepath.Join("..", "..", "htmlwalk", "testdata", "*.html"), filepath.Join("..", "..", "testdata", "demo", "*.html")} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		pages = append(pages, files...)
	}
	for i, doc := range []string{"<p>e.com/ש\n<plaintext>e.com\n", "\xff\xfee.com", "<meta charset=x-unknown>e.com \xe3", strings.Repeat("<p>xx</p>", 3184) + "<p>\nsee e.com<b title=\"\x1b$B\">e.com"} {
		page := filepath.Join(t.TempDir(), strconv.Itoa(i)+".html")
		if err := os.WriteFile(page, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, page)
	}
	for _, page := range pages {
		for _, args := range [][]string{nil, {"--check"}, {"--order=environment", "--isolate-existing"}, {"--link-in=pre, code", "--profile=mail"}} {
			args = append([]string{"html", page}, args...)
			want, wantErrs, wantCode := command("", args...)
			out, errs, code := command("", append(args, "--reference-scanner")...)
			if out != want || errs != wantErrs || code != wantCode {
				t.Errorf("%q: exit %d, stderr %q, %d bytes; without the flag: exit %d, stderr %q, %d bytes", args, code, errs, len(out), wantCode, wantErrs, len(want))
			}
		}
	}
}

func TestAnchorFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--rel=nofollow ugc"}, `<a href="https://e.com" rel="nofollow ugc">e.com</a>`},
		{[]string{"--target=_blank"}, `<a href="https://e.com" target="_blank" rel="noopener">e.com</a>`},
		{[]string{"--class", `a"b`, "--rel=nofollow", "--target=_blank"}, `<a href="https://e.com" rel="nofollow noopener" target="_blank" class="a&quot;b">e.com</a>`},
	} {
		if out, errs, code := command("e.com", append([]string{"html", "--verify"}, c.args...)...); out != c.want || errs != "" || code != 0 {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", c.args, code, out, errs)
		}
	}
	if out, errs, code := command("e.com", "html", "--class=a\nb"); out != "" || errs != "bidilink: a control character in the value of class\n" || code != 2 {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
}

// Selectors are checked before anything is read.
func TestSelectorErrors(t *testing.T) {
	for _, c := range []struct{ flag, want string }{
		{"--skip=p q", "bidilink: --skip: selector \"p q\": want a comma at \"q\"\n"},
		{"--charset=nonsense", "bidilink: --charset: no encoding \"nonsense\" that can be walked\n"},
		{"--charset=UTF-16", "bidilink: --charset: neither UTF-8 nor compatible with ASCII: given as \"utf-16\"\n"},
		{"--fragment=textarea", "bidilink: --fragment: no fragment of <textarea> can be walked\n"},
		{"--link-in=a", "bidilink: --link-in: no links can be made in <a>\n"},
	} {
		if out, errs, code := command("e.com", "html", c.flag); out != "" || errs != c.want || code != 2 {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", c.flag, code, out, errs)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"https://hi.wikipedia.org/wiki/%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80"}, "https://hi.wikipedia.org/wiki/गांधी\n"},
		{[]string{"http://xn--e1afmkfd.xn--p1ai/%D0%BF", "https://e.com/"}, "http://пример.рф/п\nhttps://e.com/\n"},
		{[]string{"https://en.wikipedia.org/wiki/Jr."}, "https://en.wikipedia.org/wiki/Jr%2E\n"},
		{[]string{"--href", "http://пример.рф/путь"}, "http://xn--e1afmkfd.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C\n"},
		{[]string{"--href", "example.com", "a@e.com", "http://localhost:8080/ü", "http://x.invalid/%41"}, "https://example.com\nmailto:a@e.com\nhttp://localhost:8080/%C3%BC\nhttp://x.invalid/%41\n"},
		{[]string{"--href", "https://en.wikipedia.org/wiki/Jr."}, "https://en.wikipedia.org/wiki/Jr%2E\n"},
	} {
		out, errs, code := command("", append([]string{"format"}, c.args...)...)
		if out != c.want || errs != "" || code != 0 {
			t.Errorf("%q: exit %d, stderr %q\n got %s\nwant %s", c.args, code, errs, out, c.want)
		}
	}
	out, errs, code := command("", "format", "https://e.com/", "no URL")
	if out != "https://e.com/\n" || errs != "bidilink: no URL: not a URL\n" || code != 2 {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"help"}, {"links", "--help"}, {"help", "html"}, {"md", "--help"}, {"format", "-h"}} {
		if out, errs, code := command("", args...); !strings.Contains(out, "Usage:") || errs != "" || code != 0 {
			t.Errorf("%q: exit %d, stderr %q", args, code, errs)
		}
	}
}

// Errors are on standard error, name the file and the cause, and nothing is written for that file.
func TestErrors(t *testing.T) {
	inFolder(t, map[string]string{
		"good.txt":  "e.com\n",
		"utf16.txt": "\xff\xfee\x00.\x00c\x00o\x00m\x00",
		"utf32.txt": "\x00\x00\xfe\xff\x00\x00\x00e",
		"nomark":    "e\x00.\x00c\x00o\x00m\x00",
		"image.png": "e.com \x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"jis.html":  "<meta charset=iso-2022-jp>e.com",
	})
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	const good = "good.txt:1:1: url e.com -> https://e.com\n"
	for _, c := range []struct {
		args []string
		out  string
		errs []string
	}{
		{[]string{"links", "missing", "good.txt"}, good, []string{"bidilink: missing: "}},
		{[]string{"links", "folder", "good.txt"}, good, []string{"bidilink: folder: is a directory\n"}},
		{[]string{"links", "utf16.txt", "good.txt", "utf32.txt"}, good, []string{"bidilink: utf16.txt: neither UTF-8 nor compatible with ASCII: a byte order mark of UTF-16", "bidilink: utf32.txt: neither UTF-8 nor compatible with ASCII: a byte order mark of UTF-32"}},
		{[]string{"links", "nomark"}, "", []string{"bidilink: nomark: binary data: a NUL byte at offset 1\n"}},
		{[]string{"links", "--json", "image.png"}, "", []string{"bidilink: image.png: binary data"}},
		{[]string{"html", "missing"}, "", []string{"bidilink: missing: "}},
		{[]string{"html", "folder"}, "", []string{"bidilink: folder: is a folder: want -w to change its files, -o DIR"}},
		{[]string{"html", "utf16.txt", "utf32.txt", "nomark"}, "", []string{"bidilink: utf16.txt: neither UTF-8", "a byte order mark of UTF-16", "bidilink: utf32.txt: ", "bidilink: nomark: ", "UTF-16 without a byte order mark"}},
		{[]string{"html", "image.png"}, "", []string{"bidilink: image.png: binary data: "}},
		{[]string{"html", "jis.html"}, "", []string{"bidilink: jis.html: ", `declared as "iso-2022-jp"`}},
		{[]string{"nonsense"}, "", []string{`bidilink: unknown command "nonsense"`}},
		{[]string{"--nonsense"}, "", []string{"bidilink: unknown flag: --nonsense"}},
		{[]string{"links", "--nonsense"}, "", []string{"bidilink: unknown flag: --nonsense"}},
		{[]string{"links", "--bare", "some", "good.txt"}, "", []string{"bidilink: --bare some: want all, www or none\n"}},
		{[]string{"links", "--scheme", "javascript", "good.txt"}, "", []string{"bidilink: ", "javascript"}},
		{[]string{"links", "--refuse", "edge,odd", "good.txt"}, "", []string{`bidilink: --refuse: unknown warning "odd": want some of control, `}},
		{[]string{"html", "--isolate", "some", "good.txt"}, "", []string{"bidilink: --isolate some: want one of auto, bidi, all, none\n"}},
		{[]string{"html", "--order", "\x1b[31m", "good.txt"}, "", []string{`bidilink: --order "\x1b[31m": want one of constant, `}},
		{[]string{"html", "--profile", "", "good.txt"}, "", []string{`bidilink: --profile "": want web or mail`}},
		{[]string{"html", "--dir", "up", "good.txt"}, "", []string{"bidilink: --dir up: want ltr or rtl"}},
		{[]string{"format"}, "", []string{"bidilink: requires at least 1 arg"}},
		{[]string{"format", "--href", ""}, "", []string{`bidilink: "": not a URL`}},
		{[]string{"links", "", "a\nb\x1b[2J", `a\b"c`}, "", []string{`bidilink: "": `, `bidilink: "a\nb\x1b[2J": `, `bidilink: a\b"c: `}},
		{[]string{"version", "x"}, "", []string{"bidilink: unknown command \"x\""}},
	} {
		out, errs, code := command("e.com", c.args...)
		if out != c.out || code != exitError {
			t.Errorf("%q: exit %d, stdout %q", c.args, code, out)
		}
		for _, want := range c.errs {
			if !strings.Contains(errs, want) {
				t.Errorf("%q: stderr %q, want %q", c.args, errs, want)
			}
		}
		for line := range strings.Lines(errs) {
			if !strings.HasPrefix(line, "bidilink: ") {
				t.Errorf("%q: stderr %q", c.args, line)
			}
		}
	}
}

func TestUnreadable(t *testing.T) {
	inFolder(t, map[string]string{"secret": "e.com"})
	if err := os.Chmod("secret", 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open("secret"); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	if out, errs, code := command("", "links", "secret"); out != "" || code != exitError || !strings.HasPrefix(errs, "bidilink: secret: ") {
		t.Errorf("exit %d, %q, %q", code, out, errs)
	}
}

func TestReadError(t *testing.T) {
	for _, name := range []string{"links", "html"} {
		var out, errs bytes.Buffer
		code := run([]string{name}, io.MultiReader(strings.NewReader("e.com"), broken{errors.New("boom")}), &out, &errs)
		if code != exitError || out.Len() > 0 || errs.String() != "bidilink: -: boom\n" {
			t.Errorf("%s: exit %d, %q, %q", name, code, out.String(), errs.String())
		}
	}
}

// Nobody reads any more: no message. Any other error of standard output is one.
func TestWriteError(t *testing.T) {
	for _, args := range [][]string{{"links"}, {"links", "--json"}, {"html"}, {"format", "https://e.com/"}, {"version"}} {
		for _, c := range []struct {
			err  error
			code int
			want string
		}{
			{&os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, exitDone, ""},
			{io.ErrClosedPipe, exitDone, ""},
			{errors.New("boom"), exitError, "boom"},
		} {
			var errs bytes.Buffer
			if code := run(args, strings.NewReader("e.com"), broken{c.err}, &errs); code != c.code || !strings.Contains(errs.String(), c.want) || c.want == "" && errs.Len() > 0 {
				t.Errorf("%q: exit %d, %q", args, code, errs.String())
			}
		}
	}
}

// broken fails whatever is asked of it.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error)  { return 0, b.err }
func (b broken) Write([]byte) (int, error) { return 0, b.err }

// The page that the README shows.
func TestDemo(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "demo")
	page, golden := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.want.html")
	out, errs, code := command("", "html", page)
	if errs != "" || code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.SplitAfter(out, "\n"), strings.SplitAfter(string(want), "\n")
	for i := range min(len(got), len(wanted)) {
		if got[i] != wanted[i] {
			t.Errorf("line %d\n got %swant %s", i+1, got[i], wanted[i])
		}
	}
	if len(got) != len(wanted) {
		t.Errorf("%d lines, want %d", len(got), len(wanted))
	}
	if again, _, _ := command(out, "html"); again != out {
		t.Error("a second run changes it")
	}
}
