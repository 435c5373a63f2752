// SPDX-License-Identifier: MIT

package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/engine/explain"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/goldmark-uts58/plaintext"
	"github.com/bidilink/bidilink/htmlwalk"
	"github.com/bidilink/bidilink/mailfilter"
)

// An operation is what POST to a path does.
type operation struct {
	summary string
	accepts []string // media types; a body without one is of the first
	gives   string   // media type
	orText  bool     // with the parameter text, it gives text/plain
	params  []param
	do      func(*input) (*answer, error) // an error that is not a *problem is ours
}

// An answer is what an operation gives.
type answer struct {
	kind   string // Content-Type
	body   []byte
	header map[string]string
	links  int // that were found or made
}

// MaxLinks is how many links /v1/links lists, and /v1/html makes; the rest of the document is copied.
const MaxLinks = 100_000

// maxRun is how long a text without a tag, or a line, may be for links to be made or marked in it, in bytes: looking at one takes some hundred times its length.
const maxRun = 1 << 20

// MaxShown is how many links /v1/show explains, and MaxShow how long a text it takes, in bytes: what is said of a link is much longer than it.
const (
	MaxShown = 500
	MaxShow  = 256 << 10
)

// operations returns the operations by their paths.
func operations() map[string]operation {
	shown := []param{orderParam, isolateParam, dirParam, refuseParam, namesParam}
	return map[string]operation{
		"/v1/links": {
			"List the links of a text.", []string{"text/plain"}, "application/json", false,
			together(linkParams, []param{fileNames("false")}, hrefParams, []param{refuseParam,
				{"offsets", "string", []string{"bytes", "utf16", "codepoints"}, "bytes", "what start and end count: bytes of UTF-8, UTF-16 code units (JavaScript, Java, C#), or code points (Python)"}}),
			listLinks,
		},
		"/v1/show": {
			"Say why links begin and end where they do, and how they are displayed; and, of a text, what looks like a link and is none. Of a message, the decoded text parts are looked at, with bare=www and file-names=true by default.", []string{"text/plain", "text/markdown", "text/html", "message/rfc822"}, "application/json", false,
			together(linkParams, []param{fileNames("false")}, hrefParams), show,
		},
		"/v1/text": {
			"Write plain text with directional marks round its links, or without.", []string{"text/plain"}, "text/plain", false,
			together(linkParams, []param{fileNames("false"), {"marks", "string", []string{"none", "isolate", "embedding", "lrm"}, "none", "marks round links"},
				{"strip", "boolean", nil, "false", "take marks away"}, isolateParam,
				{"dir", "string", []string{"ltr", "rtl"}, "", "the direction of all lines; without it, each has its own"}, refuseParam}),
			markText,
		},
		"/v1/html": {
			"Make the links of an HTML document or fragment. Nothing else in it changes.", []string{"text/html"}, "text/html", false,
			together(linkParams, []param{fileNames("true")}, hrefParams, shown, []param{profileParam,
				{"skip", "string", nil, "", "no links in these elements: blockquote, .nolink, #toc, [translate=no]"},
				{"link-in", "string", nil, "", "links in these elements, which have none by default: pre, code"},
				{"fragment", "string", nil, "", "the body is a fragment of this element, such as td or li"},
				{"isolate-existing", "boolean", nil, "false", "also isolate links with right-to-left characters in anchors that are already there"},
				{"xhtml", "boolean", nil, "false", "read documents that begin with <?xml as HTML, as browsers do if a server calls them text/html"},
				{"rel", "string", nil, "", "the attribute rel of the anchors"}, {"target", "string", nil, "", "the attribute target of the anchors"}, {"class", "string", nil, "", "the attribute class of the anchors"}}),
			rewriteHTML,
		},
		"/v1/markdown": {
			"Render Markdown (CommonMark, with tables, strikethrough, task lists and footnotes) to HTML, with its links, or to plain text, with readable URLs. Front matter is not looked for.", []string{"text/markdown", "text/plain"}, "text/html", true,
			together(linkParams, []param{fileNames("true")}, hrefParams, []param{orderParam, profileParam, isolateParam, dirParam, refuseParam,
				{"gfm", "boolean", nil, "false", "links as in GitHub Flavored Markdown, instead of UTS #58"},
				{"unsafe", "boolean", nil, "false", "keep raw HTML, and links such as javascript:"},
				{"text", "boolean", nil, "false", "plain text instead of HTML"},
				{"links", "string", []string{"inline", "footnotes"}, "inline", "where the URLs of text are"},
				{"width", "integer", nil, "72", "columns of a line of text, 20 or more; 0 for lines that are not broken"},
				{"flowed", "boolean", nil, "false", "format=flowed (RFC 3676), for text"}}),
			renderMarkdown,
		},
		"/v1/mail": {
			"Make the links in the HTML parts of a mail message. All other bytes stay.", []string{"message/rfc822"}, "message/rfc822", false,
			together(withDefault(linkParams, "bare", "www"), []param{fileNames("true"), hrefParams[0]}, shown, []param{
				{"plain", "string", []string{"leave", "isolate"}, "leave", "what is done to plain text; isolate: invisible controls round right-to-left links"},
				{"final", "boolean", nil, "false", "the message goes no further: change it also if it is signed by DKIM or ARC, or of a list"}}),
			rewriteMail,
		},
		"/v1/format": {
			"Write URLs, one a line, as people read them, or as ASCII.", []string{"text/plain"}, "text/plain", false,
			[]param{{"href", "boolean", nil, "false", "write the ASCII form for an href"}},
			formatLines,
		},
	}
}

// utf8Text refuses bodies that are said to be in another charset than UTF-8, and, unless raw, those that are not in it.
func (in *input) utf8Text(raw bool) (string, error) {
	switch strings.ToLower(in.charset) {
	case "", "utf-8", "utf8", "us-ascii":
	default:
		return "", failure(http.StatusUnsupportedMediaType, "the charset is %s; want utf-8", strconv.QuoteToASCII(cut(in.charset, 100)))
	}
	text := string(in.body)
	if !raw && !utf8.ValidString(text) {
		i := 0
		for {
			r, n := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && n == 1 {
				return "", failure(http.StatusUnprocessableEntity, "the body is not UTF-8: the byte %02X at offset %d", text[i], i)
			}
			i += n
		}
	}
	return text, nil
}

// asJSON returns an answer.
func asJSON(v any, links int) (*answer, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return &answer{kind: "application/json", body: b.Bytes(), links: links}, nil
}

// A foundLink is a link as /v1/links gives it: as bidilink links --json, without the file.
type foundLink struct {
	Start    int      `json:"start"`
	End      int      `json:"end"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Kind     string   `json:"kind"`
	Text     string   `json:"text"`
	Href     string   `json:"href"`
	Readable string   `json:"readable"`
	Host     string   `json:"host"`
	Bidi     bool     `json:"bidi"`
	Warnings []string `json:"warnings"`
}

func listLinks(in *input) (*answer, error) {
	o, err := in.links()
	if err != nil {
		return nil, err
	}
	s, err := in.showing()
	if err != nil {
		return nil, err
	}
	text, err := in.utf8Text(false)
	if err != nil {
		return nil, err
	}
	d, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	offsets := in.text("offsets")
	var out bytes.Buffer
	out.WriteString(`{"links":[`)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	n := 0
	at := place{text: text, line: 1, column: 1}
	if strings.HasPrefix(text, "\ufeff") {
		at.column = 0
	}
	for l := range d.Links(text) {
		warnings := display.Check(text, l)
		if warnings&s.refuse != 0 {
			continue
		}
		href := string(d.AppendHref(nil, text, l))
		if href == "" {
			continue
		}
		at.to(l.Start)
		f := foundLink{Start: at.count(offsets), Line: at.line, Column: at.column, Kind: l.Kind.String(), Text: l.In(text), Href: href,
			Readable: engine.Readable(href), Host: l.Host.In(text), Bidi: display.RightToLeft(l.In(text)), Warnings: append([]string{}, warnings.Names()...)}
		at.to(l.End)
		f.End = at.count(offsets)
		if n++; n > MaxLinks {
			p := failure(http.StatusUnprocessableEntity, "line %d: the body has more than %d links, which is what is listed; send it in pieces", f.Line, MaxLinks)
			p.Line = f.Line
			return nil, p
		}
		// Each is written at once: a list of all would take several times the memory.
		if n > 1 {
			out.WriteByte(',')
		}
		if err := enc.Encode(f); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // its line feed
	}
	out.WriteString("]}\n")
	return &answer{kind: "application/json", body: out.Bytes(), links: n}, nil
}

// A place is a position in a text, which only moves on.
type place struct {
	text                 string
	bytes, utf16, points int
	line, column         int // from 1; columns are code points
}

// to moves the position.
func (p *place) to(offset int) {
	for p.bytes < offset {
		r, n := utf8.DecodeRuneInString(p.text[p.bytes:])
		p.bytes += n
		p.points++
		p.utf16++
		if r > 0xFFFF {
			p.utf16++
		}
		p.column++
		if r == '\n' {
			p.line, p.column = p.line+1, 1
		}
	}
}

// count returns the offset of the position in a unit.
func (p *place) count(unit string) int {
	switch unit {
	case "utf16":
		return p.utf16
	case "codepoints":
		return p.points
	}
	return p.bytes
}

// shown is what /v1/show gives.
type shown struct {
	Links    []shownLink `json:"links"`
	Contexts []string    `json:"contexts"` // of HTML, Markdown and messages: the texts that offsets are about
	Misses   []shownMiss `json:"misses"`   // of text/plain, also in messages
	More     bool        `json:"more"`     // there may be further ones: only so many are explained
}

// A shownLink is an explained link.
type shownLink struct {
	explain.Link
	Context int `json:"context"` // of which of the contexts it is; -1: its offsets are those of the body
}

// A shownMiss is an explained text that is no link.
type shownMiss struct {
	explain.Miss
	Context int `json:"context"` // as of a shownLink
}

func show(in *input) (*answer, error) {
	if in.kind == "message/rfc822" { // the defaults of /v1/mail
		for name, def := range map[string]string{"bare": "www", "file-names": "true"} {
			if !in.given(name) {
				in.params[name] = []string{def}
			}
		}
	}
	o, err := in.links()
	if err != nil {
		return nil, err
	}
	if len(in.body) > MaxShow {
		return nil, failure(http.StatusRequestEntityTooLarge, "the body is longer than %d bytes, which is what is explained", MaxShow)
	}
	e, err := explain.New(o)
	if err != nil {
		return nil, err
	}
	result := shown{Links: []shownLink{}, Contexts: []string{}, Misses: []shownMiss{}}
	hook := func(text string, l engine.Link) bool {
		if len(result.Links) == MaxShown {
			result.More = true
			return false
		}
		n := len(result.Contexts)
		if n == 0 || result.Contexts[n-1] != text {
			result.Contexts = append(result.Contexts, strings.Clone(text))
			n++
		}
		result.Links = append(result.Links, shownLink{e.Link(text, l), n - 1})
		return true
	}
	plain := func(text string, context int) {
		for l := range e.Links(text) {
			if len(result.Links) == MaxShown {
				result.More = true
				break
			}
			result.Links = append(result.Links, shownLink{l, context})
		}
		misses, more := e.Misses(text)
		for _, m := range misses {
			if len(result.Misses) == MaxShown {
				more = true
				break
			}
			result.Misses = append(result.Misses, shownMiss{m, context})
		}
		result.More = result.More || more
	}
	html := htmlwalk.Options{Links: o, LinkFileNames: !o.FileNames, Link: func(l *htmlwalk.Link) bool { return hook(l.Text, l.Link) }}
	switch in.kind {
	case "text/plain":
		text, err := in.utf8Text(false)
		if err != nil {
			return nil, err
		}
		plain(text, -1)
	case "message/rfc822":
		texts, err := mailfilter.Texts(in.body, mailfilter.Options{})
		if err != nil {
			return nil, failure(http.StatusUnprocessableEntity, "the body: %s", strings.TrimPrefix(err.Error(), "mailfilter: "))
		}
		html.Charset = "utf-8"
		for _, t := range texts {
			if t.Type == "text/plain" {
				result.Contexts = append(result.Contexts, string(t.Text))
				plain(string(t.Text), len(result.Contexts)-1)
			} else if _, err := htmlwalk.Rewrite(io.Discard, bytes.NewReader(t.Text), html); err != nil {
				continue // nor is it changed
			}
		}
	case "text/markdown":
		if _, err := in.utf8Text(false); err != nil {
			return nil, err
		}
		x := uts58.Extender{Links: o, LinkFileNames: !o.FileNames, Link: func(l *uts58.Link) bool { return hook(l.Text, l.Link) }}
		if _, err := renderWith(in, &x); err != nil {
			return nil, err
		}
	default:
		html.Charset = in.charset
		if _, _, err := walk(in.body, html); err != nil {
			return nil, err
		}
	}
	return asJSON(result, len(result.Links))
}

func markText(in *input) (*answer, error) {
	o, err := in.links()
	if err != nil {
		return nil, err
	}
	s, err := in.showing()
	if err != nil {
		return nil, err
	}
	text, err := in.utf8Text(true)
	if err != nil {
		return nil, err
	}
	marks, err := display.ParseMarks(in.text("marks"))
	if err != nil {
		return nil, err
	}
	strip := in.is("strip")
	if strip && marks != display.MarksNone {
		return nil, badParameter("strip", "and marks exclude each other: marks of another form are replaced anyway")
	}
	d, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	out := in.body
	switch {
	case strip:
		out = display.AppendStripped(nil, d, text)
	case marks != display.MarksNone:
		n := 0
		for line := range strings.Lines(text) {
			if n++; len(line) > maxRun {
				p := failure(http.StatusUnprocessableEntity, "line %d: longer than %d bytes, which is what is marked", n, maxRun)
				p.Line = n
				return nil, p
			}
		}
		out = make([]byte, 0, len(text)+len(text)/8)
		for piece := range pieces(text, smallBody) {
			out = display.AppendMarked(out, d, piece, display.MarkOptions{Marks: marks, Isolate: s.isolate, Dir: s.dir, Refuse: s.refuse})
		}
	}
	return &answer{kind: "text/plain; charset=utf-8", body: out}, nil
}

// pieces yields whole lines, as many as come to n bytes: a line is a paragraph, and nothing in it depends on others.
func pieces(text string, n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			end := len(text)
			if n < end {
				if i := strings.IndexByte(text[n:], '\n'); i >= 0 {
					end = n + i + 1
				}
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
	}
}

// htmlNames are the options of package htmlwalk by the names that its messages have for them.
var htmlNames = map[string]string{"Skip": "skip", "LinkIn": "link-in", "Context": "fragment"}

func rewriteHTML(in *input) (*answer, error) {
	links, err := in.links()
	if err != nil {
		return nil, err
	}
	s, err := in.showing()
	if err != nil {
		return nil, err
	}
	o := htmlwalk.Options{
		Links: links, LinkFileNames: !links.FileNames, Skip: in.text("skip"), LinkIn: in.text("link-in"), Refuse: s.refuse, WrapFileNames: in.is("wrap-file-names"),
		Order: s.order, Profile: s.profile, Isolate: s.isolate, Dir: s.dir, IsolateExisting: in.is("isolate-existing"), Context: in.text("fragment"), Charset: in.charset,
		XHTML: in.is("xhtml"), MaxLinks: MaxLinks, MaxToken: maxRun,
	}
	for _, name := range []string{"rel", "target", "class"} {
		if v := in.list(name); v != nil {
			o.Attributes = append(o.Attributes, htmlwalk.Attribute{Name: name, Value: v[0]})
		}
	}
	out, stats, err := walk(in.body, o)
	if err != nil {
		return nil, err
	}
	kind := "text/html"
	if in.charset != "" {
		kind += "; charset=" + in.charset
	}
	header := map[string]string{"Bidilink-Links": strconv.Itoa(stats.Links), "Bidilink-Isolated": strconv.Itoa(stats.Isolated)}
	if c := stats.Copied; c.Reason != htmlwalk.NotCopied {
		header["Bidilink-Copied"] = fmt.Sprintf("line=%d, offset=%d, reason=%q", c.Line, c.Offset, c.Reason.String())
	}
	return &answer{kind: kind, body: out, header: header, links: stats.Links}, nil
}

// walk rewrites HTML. Its errors are problems.
func walk(body []byte, o htmlwalk.Options) ([]byte, htmlwalk.Stats, error) {
	// What is wrong with the options is also with an empty document.
	rw, err := htmlwalk.New(o)
	if err == nil {
		_, _, err = rw.Append(nil, nil)
	}
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "htmlwalk: ")
		if errors.Is(err, htmlwalk.ErrEncoding) || strings.HasPrefix(message, "Charset: ") {
			message = strings.TrimPrefix(message, "Charset: ")
			return nil, htmlwalk.Stats{}, failure(http.StatusUnsupportedMediaType, "the charset of the body: %s", message)
		}
		for option, name := range htmlNames {
			if rest, ok := strings.CutPrefix(message, option+": "); ok {
				return nil, htmlwalk.Stats{}, badParameter(name, "is wrong: %s", rest)
			}
		}
		return nil, htmlwalk.Stats{}, failure(http.StatusBadRequest, "%s", message)
	}
	out, stats, err := rw.Append(nil, body)
	if err != nil {
		return nil, stats, failure(http.StatusUnprocessableEntity, "the body: %s", strings.TrimPrefix(err.Error(), "htmlwalk: "))
	}
	return out, stats, nil
}

func renderMarkdown(in *input) (*answer, error) {
	links, err := in.links()
	if err != nil {
		return nil, err
	}
	s, err := in.showing()
	if err != nil {
		return nil, err
	}
	if _, err := in.utf8Text(false); err != nil {
		return nil, err
	}
	made := 0
	asText := in.is("text")
	plain, err := in.plaintext(links)
	if err != nil {
		return nil, err
	}
	var options []goldmark.Option
	if asText {
		options = append(options, goldmark.WithRenderer(plain))
	}
	out, err := renderWith(in, &uts58.Extender{
		Links: links, LinkFileNames: !links.FileNames, GFM: in.is("gfm"), Isolation: s.isolate, Order: s.order, Profile: s.profile, Dir: s.dir, Refuse: s.refuse,
		Link: func(*uts58.Link) bool { made++; return true },
	}, options...)
	if err != nil {
		return nil, err
	}
	kind := "text/html; charset=utf-8"
	if asText {
		kind = "text/plain; charset=utf-8"
		if in.is("flowed") {
			kind += "; format=flowed"
		}
	}
	return &answer{kind: kind, body: out, header: map[string]string{"Bidilink-Links": strconv.Itoa(made)}, links: made}, nil
}

// plaintext returns the renderer of plain text that the parameters say. Those about it are wrong without it, and some others with it.
func (in *input) plaintext(links engine.Options) (*plaintext.Renderer, error) {
	asText := in.is("text")
	for _, name := range []string{"links", "width", "flowed"} {
		if in.given(name) && !asText {
			return nil, badParameter(name, "is for text")
		}
	}
	for _, name := range []string{"order", "profile", "isolate", "dir", "refuse", "unsafe"} {
		if in.given(name) && asText {
			return nil, badParameter(name, "and text exclude each other")
		}
	}
	width, err := strconv.Atoi(in.text("width"))
	if err != nil {
		return nil, err
	}
	switch {
	case width == 0:
		width = -1
	case width < 20:
		return nil, badParameter("width", "is %d; want 20 or more, or 0 for lines that are not broken", width)
	}
	return plaintext.New(plaintext.Options{Links: links, Footnotes: in.text("links") == "footnotes", Width: width, Flowed: in.is("flowed")})
}

// renderWith renders Markdown with an extender.
func renderWith(in *input, x *uts58.Extender, more ...goldmark.Option) ([]byte, error) {
	if err := x.Check(); err != nil {
		return nil, failure(http.StatusBadRequest, "%s", err)
	}
	if err := checkMarkdown(string(in.body)); err != nil {
		return nil, err
	}
	var options []renderer.Option
	if in.is("unsafe") {
		options = append(options, gmhtml.WithUnsafe())
	}
	// The renderer is chosen before the extensions add to it.
	md := goldmark.New(append(more, goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote, x), goldmark.WithRendererOptions(options...))...)
	var out bytes.Buffer
	if err := md.Convert(in.body, &out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func rewriteMail(in *input) (*answer, error) {
	links, err := in.links()
	if err != nil {
		return nil, err
	}
	s, err := in.showing()
	if err != nil {
		return nil, err
	}
	o := mailfilter.Options{
		Links: links, LinkFileNames: !links.FileNames, Refuse: s.refuse, WrapFileNames: in.is("wrap-file-names"), Order: s.order, Isolate: s.isolate, Dir: s.dir,
		RewriteDKIM: in.is("final"), RewriteLists: in.is("final"),
	}
	switch in.text("bare") {
	case "all":
		o.Bare = mailfilter.BareAll
	case "none":
		o.Bare = mailfilter.BareNone
	}
	if in.text("plain") == "isolate" {
		o.Plain = mailfilter.Isolate
	}
	if err := o.Check(); err != nil {
		return nil, failure(http.StatusBadRequest, "%s", strings.TrimPrefix(err.Error(), "mailfilter: "))
	}
	out, report, err := mailfilter.RewriteMessage(in.body, o)
	if err != nil {
		return nil, err
	}
	header := map[string]string{"Bidilink-Result": report.Result.String(), "Bidilink-Links": strconv.Itoa(report.Links), "Bidilink-Isolated": strconv.Itoa(report.Isolated)}
	if r := report.Reason.String(); r != "" {
		header["Bidilink-Reason"] = r
	}
	return &answer{kind: "message/rfc822", body: out, header: header, links: report.Links}, nil
}

func formatLines(in *input) (*answer, error) {
	text, err := in.utf8Text(false)
	if err != nil {
		return nil, err
	}
	text = strings.TrimPrefix(text, "\ufeff")
	href := in.is("href")
	var out bytes.Buffer
	n := 0
	for line := range strings.Lines(text) {
		n++
		url := strings.TrimRight(line, "\r\n")
		if url == "" {
			out.WriteByte('\n')
			continue
		}
		formatted, err := engine.FormatURL(url)
		if err == nil && href {
			formatted, err = engine.Href(url)
		} else if err == nil {
			formatted = engine.Readable(url)
		}
		if err != nil {
			p := failure(http.StatusUnprocessableEntity, "line %d: %s", n, strings.TrimPrefix(err.Error(), "engine: "))
			p.Line = n
			return nil, p
		}
		out.WriteString(formatted + "\n")
	}
	return &answer{kind: "text/plain; charset=utf-8", body: out.Bytes(), links: n}, nil
}
