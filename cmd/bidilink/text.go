// SPDX-License-Identifier: MIT

package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

func textCommand() *cobra.Command {
	var flags linkFlags
	var refuse refuseFlag
	var marks, isolate, dir string
	var strip bool
	c := &cobra.Command{
		Use:   "text [flags] [file...]",
		Short: "Write plain text with directional marks round its links, or without",
		Long: `text writes plain text in UTF-8 to standard output, with marks round its links that keep their parts in one order: invisible directional
controls of Unicode. No other byte changes. A text that is marked already is marked anew, so that a second run changes nothing.

Marks are off by default, and then the text is copied as it is. They are for text that is only looked at: a terminal, a printed page, a message in a
program that shows plain text. They go along when somebody copies a link, and most programs that make links of URLs take a mark that
touches one for part of it. Keep the text without them, and give a text to other programs without them: --strip.
In HTML, use bidilink html, which needs no marks.

  --marks isolate    LRI and PDI; what is beside the link does not change how it reads. The one to use. Where there is a space on either
                     side of a link, they stand beyond those, and other programs still find it. It reads as in an address bar (RFC 3987), which
                     is --order embedding of bidilink html, not its default. A bidi control in the link stays, and may still turn
                     what follows round; links --json warns of it.
  --marks embedding  LRE and PDF at the link, for programs older than Unicode 6.3 (2013). A number after the link may be drawn to it.
  --marks lrm        LRM round each right-to-left part of a link, and LRE and PDF round the link in right-to-left lines
                     (draft-duerst-iri-bidi): parts read from left to right, always. No other program understands such a link.
  --strip            no marks: those of all three forms are taken away round all links, and a control anywhere else stays. What a link
                     is, the same flags must say as when it was marked.

By default (--isolate auto), links with right-to-left characters or bidi controls get marks, and all links in right-to-left lines. A line is
right-to-left if it has a right-to-left letter, or a control that begins such text, unless --dir says what all lines are.

Of a file that cannot be read, or is no text in UTF-8, nothing is written, and a message says why; the other files are still written, and
the exit status is 2.`,
		Example: `  bidilink text --marks isolate notes.txt | less
  bidilink text --strip < marked.txt > clean.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			links, err := flags.engine()
			if err != nil {
				return err
			}
			d, err := engine.New(links)
			if err != nil {
				return err
			}
			var o display.MarkOptions
			if o.Marks, err = display.ParseMarks(marks); err != nil {
				return flagError("marks", marks, err)
			}
			if o.Isolate, err = display.ParseIsolation(isolate); err != nil {
				return flagError("isolate", isolate, err)
			}
			if dir != "" {
				if o.Dir, err = display.ParseDirection(dir); err != nil {
					return flagError("dir", dir, err)
				}
			}
			if o.Refuse, err = refuse.warnings(); err != nil {
				return err
			}
			if strip && o.Marks != display.MarksNone {
				return errors.New("--strip and --marks exclude each other: marks of another form are replaced anyway")
			}
			return eachFile(c, args, func(_ string, data []byte) ([]byte, error) {
				if err := checkText(data); err != nil {
					return nil, err
				}
				switch {
				case strip:
					return display.AppendStripped(nil, d, string(data)), nil
				case o.Marks == display.MarksNone:
					return data, nil
				}
				return display.AppendMarked(nil, d, string(data), o), nil
			})
		},
	}
	flags.add(c, false)
	c.Flags().StringVar(&marks, "marks", "none", "marks round links: `none|isolate|embedding|lrm`")
	c.Flags().BoolVar(&strip, "strip", false, "take marks away")
	c.Flags().StringVar(&isolate, "isolate", "auto", "links that get marks: `auto|bidi|all|none`")
	c.Flags().StringVar(&dir, "dir", "", "the direction of all lines: `ltr|rtl`")
	refuse.add(c)
	return c
}
