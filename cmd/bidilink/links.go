// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

func linksCommand() *cobra.Command {
	var flags linkFlags
	var refuse refuseFlag
	var asJSON bool
	c := &cobra.Command{
		Use:   "links [flags] [file...]",
		Short: "List the links of a text",
		Long: `links lists the links of a text in UTF-8, one a line:

  file:line:column: kind text -> href

Lines and columns count from 1, columns in code points; a byte order mark does not count. The kind is url or email, the
text is as it stands in the file, but that bidi controls in it are escaped, the href is what a browser should be given. Standard input is "-".

With --json it writes one object a line with the members

  file      as given, "-" for standard input
  start     offset of the first byte in the file
  end       offset after the last byte
  line      from 1
  column    from 1, in code points
  kind      "url" or "email"
  text      the link as it stands in the file
  href      the URL that it means: scheme added, ASCII unless --iri
  readable  the href as people read it
  host      the host as it stands in the file
  bidi      whether the text has right-to-left letters or Arabic numbers
  warnings  names of what is suspicious about the link

` + warningsHelp + `
With --refuse, links with one of the warnings that it names are left out.`,
		Example: `  bidilink links notes.txt
  git log | bidilink links --json --scheme ftp
  bidilink links --refuse control,invisible,scripts mail.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			options, err := flags.engine()
			if err != nil {
				return err
			}
			refused, err := refuse.warnings()
			if err != nil {
				return err
			}
			d, err := engine.New(options)
			if err != nil {
				return err
			}
			return eachFile(c, args, func(name string, data []byte) ([]byte, error) {
				if err := checkText(data); err != nil {
					return nil, err
				}
				return listLinks(d, name, string(data), asJSON, refused)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write one JSON object a line")
	flags.add(c, false)
	flags.addHref(c)
	refuse.add(c)
	return c
}

// A foundLink is one link as --json writes it.
type foundLink struct {
	File     string   `json:"file"`
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

// listLinks returns the lines about the links of text that have none of the warnings in refused.
func listLinks(d *engine.Detector, file, text string, asJSON bool, refused display.Warnings) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	pos := position{text: text, line: 1}
	if strings.HasPrefix(text, "\ufeff") {
		pos.offset, pos.lineStart = len("\ufeff"), len("\ufeff")
	}
	for l := range d.Links(text) {
		warnings := display.Check(text, l)
		if warnings&refused != 0 {
			continue
		}
		href := string(d.AppendHref(nil, text, l))
		if href == "" {
			continue
		}
		line, column := pos.of(l.Start)
		if !asJSON {
			// A bidi control would turn the rest of the line round.
			fmt.Fprintf(&out, "%s:%d:%d: %s %s -> %s\n", shown(file), line, column, l.Kind, display.EscapeControls(l.In(text)), href)
			continue
		}
		if err := enc.Encode(foundLink{
			File: file, Start: l.Start, End: l.End, Line: line, Column: column,
			Kind: l.Kind.String(), Text: l.In(text), Href: href, Readable: engine.Readable(href),
			Host: l.Host.In(text), Bidi: display.RightToLeft(l.In(text)), Warnings: append([]string{}, warnings.Names()...),
		}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// A position finds lines and columns of growing offsets into a text.
type position struct {
	text      string
	offset    int // up to here, lines and columns are counted
	line      int // of offset
	lineStart int // where the line of offset begins, or up to where its columns are counted
	columns   int // counted before lineStart
}

// of returns the line and the column of offset, which is not below that of the last call. A byte that is not UTF-8 counts as one
// code point.
func (p *position) of(offset int) (line, column int) {
	p.line += strings.Count(p.text[p.offset:offset], "\n")
	if i := strings.LastIndexByte(p.text[p.offset:offset], '\n'); i >= 0 {
		p.lineStart, p.columns = p.offset+i+1, 0
	}
	p.columns += utf8.RuneCountInString(p.text[p.lineStart:offset])
	p.offset, p.lineStart = offset, offset
	return p.line, p.columns + 1
}
