// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	gomail "github.com/wneessen/go-mail"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	uts58 "github.com/bidilink/bidilink/goldmark-uts58"
	"github.com/bidilink/bidilink/goldmark-uts58/plaintext"
)

// A letter is a file letter.md: its front matter, and its text.
type letter struct {
	Subject, From, Lang, Dir string
	Preview                  string   // what mailboxes show beside the subject
	Campaign                 string   // for the addresses of the HTML: utm_campaign
	Footer                   string   // why the reader gets this, in Markdown
	Leave                    string   // the text of the link to unsubscribe
	Unsubscribe              []string // addresses: https: and mailto:
	Date                     time.Time

	source []byte
}

// read reads the letter in a folder.
func read(dir string) (*letter, error) {
	name := filepath.Join(dir, "letter.md")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	l, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

// parse reads a letter: lines "key: value" between two lines of "---", and Markdown.
func parse(data []byte) (*letter, error) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n")
	head, body, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		return nil, errors.New("want front matter between two lines of ---")
	}
	l := &letter{source: []byte(body), Leave: "Unsubscribe"}
	fields := map[string]*string{"subject": &l.Subject, "from": &l.From, "lang": &l.Lang, "dir": &l.Dir, "preview": &l.Preview, "campaign": &l.Campaign,
		"footer": &l.Footer, "unsubscribe": &l.Leave}
	for i, line := range strings.Split(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case fields[key] != nil:
			*fields[key] = value
		case key == "date":
			date, err := time.Parse(time.RFC3339, value)
			if err != nil {
				return nil, fmt.Errorf("line %d: date: want one like 2026-11-20T09:00:00Z", i+2)
			}
			l.Date = date
		case key == "list-unsubscribe":
			for s := range strings.SplitSeq(value, ",") {
				s = strings.Trim(strings.TrimSpace(s), "<>")
				href, ok := ascii(s)
				if !ok {
					return nil, fmt.Errorf("line %d: list-unsubscribe: %q: want addresses with https: or mailto:, and commas between them", i+2, s)
				}
				l.Unsubscribe = append(l.Unsubscribe, href)
			}
		default:
			return nil, fmt.Errorf("line %d: unknown key %q", i+2, key)
		}
	}
	if l.Subject == "" || l.Lang == "" {
		return nil, errors.New("front matter: want a subject, and a lang such as en, ar or he")
	}
	if !langTag.MatchString(l.Lang) {
		return nil, fmt.Errorf("front matter: lang: %q: want a language tag, such as en, ar or zh-Hant", l.Lang)
	}
	if l.Dir != "ltr" && l.Dir != "rtl" {
		return nil, fmt.Errorf("front matter: dir: %q: want ltr or rtl", l.Dir)
	}
	if _, err := mail.ParseAddress(l.From); err != nil {
		return nil, fmt.Errorf("front matter: from: %q: want an address, such as News <news@example.com>", l.From)
	}
	return l, nil
}

// langTag is what language tags look like (RFC 5646).
var langTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

// ascii returns an address with https: or mailto: as it can stand in a header, in ASCII, or false if it is none.
func ascii(s string) (string, bool) {
	d, err := engine.New(engine.Options{MailtoQuery: true})
	if err != nil {
		return "", false
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		text := "<" + s + ">"
		k, ok := d.Find(text, 0)
		if !ok || k.In(text) != s {
			return "", false
		}
		s = string(d.AppendHref(nil, text, k))
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "mailto" && (u.Scheme != "https" || u.Host == "") || strings.ContainsAny(s, " <>\"") {
		return "", false
	}
	return s, true
}

// markdown returns the goldmark of a letter: with our extension, in the profile for mail programs. Its hook tags the addresses, and the text stays.
func (l *letter) markdown() goldmark.Markdown {
	dir := display.LTR
	if l.Dir == "rtl" {
		dir = display.RTL
	}
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, &uts58.Extender{
		Profile: display.Mail, Dir: dir,
		Link: func(k *uts58.Link) bool {
			k.Href = l.tag(k.Href)
			return true
		},
	}))
}

// tag adds to a web address what says where a reader comes from, unless it has such already.
func (l *letter) tag(href string) string {
	scheme, _, web := strings.Cut(href, "://")
	if l.Campaign == "" || !web || !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "http") {
		return href
	}
	whole := href
	href, fragment, hash := strings.Cut(href, "#")
	_, query, has := strings.Cut(href, "?")
	between := "?"
	if has {
		between = "&"
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if s, err := url.QueryUnescape(name); err == nil {
			name = s
		}
		if strings.HasPrefix(strings.ToLower(name), "utm_") {
			return whole
		}
	}
	href += between + "utm_source=newsletter&utm_medium=email&utm_campaign=" + url.QueryEscape(l.Campaign)
	if hash {
		href += "#" + fragment
	}
	return href
}

//go:embed template.html
var layout string

// halves returns the text and the HTML of a letter.
func (l *letter) halves() (plain, html string, err error) {
	signature, footer, err := l.render([]byte(l.Footer), plaintext.Options{Width: -1})
	if err != nil {
		return "", "", err
	}
	view := struct {
		*letter
		Body, Foot template.HTML
		Link       template.URL
	}{letter: l, Foot: template.HTML(footer)}
	if len(l.Unsubscribe) > 0 {
		view.Link = template.URL(l.Unsubscribe[0])
		signature += l.Leave + ": " + engine.Readable(l.Unsubscribe[0])
	}
	plain, body, err := l.render(l.source, plaintext.Options{Flowed: true, Signature: signature})
	if err != nil {
		return "", "", err
	}
	view.Body = template.HTML(body)
	t, err := template.New("template.html").Parse(layout)
	if err != nil {
		return "", "", err
	}
	var page bytes.Buffer
	if err := t.Execute(&page, view); err != nil {
		return "", "", err
	}
	return plain, page.String(), nil
}

// render returns Markdown as text and as HTML, both from one tree.
func (l *letter) render(source []byte, o plaintext.Options) (plain, html string, err error) {
	r, err := plaintext.New(o)
	if err != nil {
		return "", "", err
	}
	md := l.markdown()
	doc := md.Parser().Parse(text.NewReader(source))
	var out, body bytes.Buffer
	if err := r.Render(&out, source, doc); err != nil {
		return "", "", err
	}
	if err := l.decorate(doc, source); err != nil {
		return "", "", err
	}
	if err := md.Renderer().Render(&body, source, doc); err != nil {
		return "", "", err
	}
	return out.String(), body.String(), nil
}

// styles are those of the elements, since many mail programs drop style sheets. START is the side where lines begin: left, or right.
var styles = map[ast.NodeKind]string{
	ast.KindParagraph:       "margin:0 0 16px",
	ast.KindList:            "margin:0 0 16px;padding:0;padding-START:24px",
	ast.KindListItem:        "margin:0 0 6px",
	ast.KindBlockquote:      "margin:0 0 16px;padding:0;padding-START:12px;border-START:4px solid #8a8a8a",
	ast.KindImage:           "max-width:100%;height:auto",
	ast.KindThematicBreak:   "border:0;border-top:1px solid #8a8a8a;margin:24px 0",
	extast.KindTable:        "margin:0 0 16px;border-collapse:collapse",
	extast.KindTableCell:    "padding:6px 10px;border:1px solid #8a8a8a;text-align:START",
	ast.KindCodeSpan:        "font-family:monospace",
	ast.KindFencedCodeBlock: "font-family:monospace",
}

// headings are the styles of headings by their level.
var headings = [...]string{"font-size:26px", "font-size:21px", "font-size:18px", "font-size:16px", "font-size:16px", "font-size:16px"}

// decorate gives the elements their styles, and tags the addresses of the links that were written as such; the hook has tagged those that were found.
func (l *letter) decorate(doc ast.Node, source []byte) error {
	start := "left"
	if l.Dir == "rtl" {
		start = "right"
	}
	found := uts58.Originals(doc.OwnerDocument())
	var autolinks []*ast.AutoLink
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if style := styles[n.Kind()]; style != "" {
			n.SetAttributeString("style", strings.ReplaceAll(style, "START", start))
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.SetAttributeString("style", "margin:24px 0 12px;line-height:1.3;"+headings[n.Level-1])
		case *ast.Link:
			if _, ok := found[n]; !ok {
				n.Destination = escaped(l.tag(unescaped(n.Destination)))
			}
		case *ast.AutoLink:
			autolinks = append(autolinks, n)
		}
		if n.Kind() == ast.KindLink || n.Kind() == uts58.KindElement && n.(*uts58.Element).Tag == "a" {
			n.SetAttributeString("class", "link")
			n.SetAttributeString("style", "color:#0b57d0")
		}
		return ast.WalkContinue, nil
	})
	for _, n := range autolinks { // goldmark's have their text for an address
		link := ast.NewLink()
		href := string(n.URL(source))
		if n.AutoLinkType == ast.AutoLinkEmail {
			href = "mailto:" + strings.TrimPrefix(href, "mailto:")
		}
		link.Destination = escaped(l.tag(href))
		link.SetAttributeString("class", "link")
		link.SetAttributeString("style", "color:#0b57d0")
		label := ast.NewString(slices.Clone(n.Label(source)))
		label.SetRaw(true)
		// Isolated, as those that were found are.
		outer, inner := &uts58.Element{Tag: "bdi", Dir: display.LTR}, &uts58.Element{Tag: "span", Dir: display.LTR}
		n.Parent().ReplaceChild(n.Parent(), n, outer)
		outer.AppendChild(outer, link)
		link.AppendChild(link, inner)
		inner.AppendChild(inner, label)
	}
	return err
}

// unescaped and escaped turn the destination of a link in Markdown into an address, and back.
func unescaped(b []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b))))
}

func escaped(href string) []byte {
	return []byte(strings.NewReplacer(`\`, `\\`, "&", "&amp;").Replace(href))
}

// message returns a letter as a message to one reader, or to nobody if to is "".
func (l *letter) message(to string) (*gomail.Msg, error) {
	plain, html, err := l.halves()
	if err != nil {
		return nil, err
	}
	m := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := m.From(l.From); err != nil {
		return nil, err
	}
	if to != "" {
		if err := m.To(to); err != nil {
			return nil, err
		}
	}
	if strings.Contains(l.Subject, "=?") {
		// go-mail leaves ASCII as it is, and what looks like an encoded word would be read as one.
		m.SetGenHeaderPreformatted(gomail.HeaderSubject, encodedWords(l.Subject))
	} else {
		m.Subject(l.Subject)
	}
	m.SetGenHeader("Content-Language", l.Lang)
	if l.Date.IsZero() {
		m.SetDate()
	} else {
		m.SetDateWithValue(l.Date)
	}
	m.SetMessageID()
	if i := slices.IndexFunc(l.Unsubscribe, func(s string) bool { return strings.HasPrefix(s, "https:") }); i >= 0 {
		// RFC 8058: programs may unsubscribe with one click.
		others := slices.Delete(slices.Clone(l.Unsubscribe), i, i+1)
		if err := m.SetListUnsubscribeOneClick(l.Unsubscribe[i], others...); err != nil {
			return nil, err
		}
	} else if len(l.Unsubscribe) > 0 {
		m.SetListUnsubscribe(l.Unsubscribe...)
	}
	m.SetBodyString("text/plain; format=flowed", plain)
	m.AddAlternativeString(gomail.TypeTextHTML, html)
	return m, nil
}

// encodedWords returns a text as encoded words (RFC 2047), each in a line of its own.
func encodedWords(s string) string {
	const most = 39 // bytes of a word: 52 in base64. A line is no longer than 76, with the name of the field
	var words []string
	for s = strings.ToValidUTF8(s, "\ufffd"); s != ""; {
		n := min(most, len(s))
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n--
		}
		words = append(words, "=?UTF-8?B?"+base64.StdEncoding.EncodeToString([]byte(s[:n]))+"?=")
		s = s[n:]
	}
	return strings.Join(words, "\r\n ")
}
