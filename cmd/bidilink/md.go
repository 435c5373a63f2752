// SPDX-License-Identifier: MIT

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"

	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/goldmark-uts58/frontmatter"
	"github.com/bidilink/bidilink/htmlwalk"
)

func mdCommand() *cobra.Command {
	var flags linkFlags
	var show displayFlags
	var asText textFlags
	var gfm, unsafe, page bool
	var lang string
	c := &cobra.Command{
		Use:   "md [flags] [file...]",
		Short: "Render Markdown to HTML, with its links, or to plain text",
		Long: `md renders Markdown to HTML on standard output, one file after the other, with links made of the URLs, IRIs and e-mail addresses
in the text. It is CommonMark with the tables, strikethrough, task lists of GitHub Flavored Markdown, and footnotes.

What is a link, and how it is wrapped, is as in bidilink html. URLs are safe from emphasis; a backslash in a host (example\.com) makes
that it is no link. No link is made in links, images and code, nor in raw HTML where there must not be one.

Front matter is skipped: YAML between lines of ---, the first of which is followed by a line that is not empty, TOML between lines of +++,
and a JSON object. With --page, the title of the document is its title there, or else the first heading. Raw HTML is left out, unless --unsafe is given.
With several files, the ids of footnotes are fn:1, from the second file on f2-fn:1, and so on.

With --text, the output is plain text for people to read, such as the text half of a letter: wrapped by the width of its characters, without ever breaking a
URL, with headings underlined, and lists, quotes, tables and code as they are read in a letter. URLs are in their readable form, as bidilink format writes
them. Emphasis is not shown. Of a link that has a text of its own, the URL stands behind it:

  --links inline     text <URL>, the default
  --links footnotes  text [1], and the URL in a list at the end; footnotes are in the same list
  --flowed           format=flowed (RFC 3676), for mail whose Content-Type says so: programs wrap the paragraphs as their windows need. Lines are broken
                     at spaces only

Flags about HTML, such as --order and --lang, do not go with it.

Of a file that cannot be read, or is not text in UTF-8, nothing is written, and a message says why; the other files are still written,
and the exit status is 2.`,
		Example: `  bidilink md --page --lang he --dir rtl post.md > post.html
  bidilink md < README.md
  bidilink md --text --links footnotes letter.md`,
		RunE: func(c *cobra.Command, args []string) error {
			links, err := flags.engine()
			if err != nil {
				return err
			}
			var o htmlwalk.Options
			if err := show.set(&o); err != nil {
				return err
			}
			if !validLang(lang) {
				return fmt.Errorf("--lang %s: want a language tag, such as en, ar or zh-Hant", lang)
			}
			if page && len(args) > 1 {
				return errors.New("--page: want one file")
			}
			if err := asText.check(c, "page", "unsafe", "lang", "order", "profile", "isolate", "dir", "refuse"); err != nil {
				return err
			}
			if lang != "" && !page {
				return errors.New("--lang is for --page")
			}
			if gfm {
				for _, name := range []string{"bare", "no-email", "file-names", "extra-tld", "exclude-tld", "scheme", "local-hosts", "mailto-query", "stop-at-cjk-punctuation", "strict", "http"} {
					if c.Flags().Changed(name) {
						return fmt.Errorf("--gfm and --%s exclude each other", name)
					}
				}
			}
			var options []renderer.Option
			if unsafe {
				options = append(options, gmhtml.WithUnsafe())
			}
			// The ids of footnotes are unique in the whole output.
			files, prefix := 0, []byte(nil)
			notes := extension.NewFootnote(extension.WithFootnoteIDPrefixFunction(func(ast.Node) []byte { return prefix }))
			md := goldmark.New(
				goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, notes, &uts58.Extender{
					Links: links, LinkFileNames: !links.FileNames, GFM: gfm,
					Isolation: o.Isolate, Order: o.Order, Profile: o.Profile, Dir: o.Dir, Refuse: o.Refuse,
				}),
				goldmark.WithRendererOptions(options...))
			if asText.on {
				r, err := asText.renderer(links)
				if err != nil {
					return err
				}
				md.SetRenderer(r)
			}
			return eachFile(c, args, func(name string, data []byte) ([]byte, error) {
				if err := checkText(data); err != nil {
					return nil, err
				}
				data = bytes.TrimPrefix(data, []byte("\ufeff"))
				source := frontmatter.Text(data)
				if files++; files > 1 {
					prefix = fmt.Appendf(nil, "f%d-", files)
				}
				doc := md.Parser().Parse(text.NewReader(source))
				var out bytes.Buffer
				if page {
					title := frontTitle(data[:len(data)-len(source)])
					if title == "" {
						title = pageTitle(doc, source, name)
					}
					pageHead(&out, lang, show.dir, title)
				}
				if err := md.Renderer().Render(&out, source, doc); err != nil {
					return nil, err
				}
				if page {
					out.WriteString("</body>\n</html>\n")
				}
				return out.Bytes(), nil
			})
		},
	}
	flags.add(c, true)
	flags.addHref(c)
	show.add(c, false)
	c.Flags().BoolVar(&gfm, "gfm", false, "links as in GitHub Flavored Markdown: where it finds and ends them, instead of UTS #58")
	c.Flags().BoolVar(&unsafe, "unsafe", false, "keep raw HTML, and links such as javascript:")
	c.Flags().BoolVar(&page, "page", false, "a whole document, with the language and the direction (--dir) of its text")
	asText.add(c)
	c.Flags().StringVar(&lang, "lang", "", "language of the document, for --page: a `tag` such as en, ar, zh-Hant")
	return c
}

// validLang reports whether tag is empty or looks like a language tag.
func validLang(tag string) bool { return tag == "" || langTag.MatchString(tag) }

var langTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

// pageHead writes what comes before the text of a document.
func pageHead(out *bytes.Buffer, lang, dir, title string) {
	out.WriteString("<!DOCTYPE html>\n<html")
	if lang != "" {
		fmt.Fprintf(out, ` lang="%s"`, html.EscapeString(lang))
	}
	fmt.Fprintf(out, " dir=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n</head>\n<body>\n",
		dir, html.EscapeString(title))
}

// pageTitle returns the text of the first heading that has one, or else the name of the file.
func pageTitle(doc ast.Node, source []byte, name string) string {
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindHeading {
			continue
		}
		if title := headingText(n, source); title != "" {
			return title
		}
	}
	if name == stdinName {
		return "Untitled"
	}
	base := filepath.Base(name)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// headingText returns what the reader sees of a heading.
func headingText(heading ast.Node, source []byte) string {
	// Character references and escapes are those of Markdown, which goldmark's writer knows. What it writes has them for & < > and quotes only.
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	writer := gmhtml.DefaultWriter
	_ = ast.Walk(heading, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			if n.IsRaw() {
				writer.RawWrite(out, n.Value(source))
			} else {
				writer.Write(out, n.Value(source))
			}
			if n.SoftLineBreak() || n.HardLineBreak() {
				_ = out.WriteByte(' ')
			}
		case *ast.String:
			writer.RawWrite(out, n.Value)
		case *ast.AutoLink:
			writer.RawWrite(out, n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	_ = out.Flush()
	return titleText(html.UnescapeString(b.String()))
}

// titleText returns a text as it stands in a title: in one line, without bidi controls, which would change the order of what a browser shows beside it.
func titleText(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case display.IsControl(r):
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// A head is what is read of front matter.
type head struct {
	Title string `yaml:"title" toml:"title" json:"title"`
}

// frontTitle returns the title in the front matter of a document, without the text behind it. It is empty if there is none, or the front matter is not
// well-formed: other programs may know what to do with it.
func frontTitle(data []byte) string {
	var h head
	var err error
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	switch {
	case bytes.HasPrefix(first, []byte("---")):
		// A line of hyphens begins a document, and dots end one.
		err = yaml.NewDecoder(bytes.NewReader(data)).Decode(&h)
	case bytes.HasPrefix(first, []byte("+++")):
		if i := bytes.LastIndex(rest, []byte("+++")); i >= 0 {
			err = toml.Unmarshal(rest[:i], &h)
		}
	case bytes.HasPrefix(first, []byte("{")):
		err = json.Unmarshal(data, &h)
	}
	if err != nil {
		return ""
	}
	return titleText(h.Title)
}
