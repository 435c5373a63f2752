// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/htmlwalk"
)

func htmlCommand() *cobra.Command {
	var flags linkFlags
	var isolate string
	var quiet bool
	c := &cobra.Command{
		Use:   "html [flags] [file...]",
		Short: "Make the links of HTML documents",
		Long: `html writes HTML documents to standard output, one after the other, with links made of the URLs, IRIs and e-mail addresses
in their text. Nothing but the tags of the links is added, and no other byte changes. A second run changes nothing.

No link is made in anchors, buttons, labels, code, pre, form fields, titles, scripts and the like. From the first svg, math, template, select,
frameset, plaintext or noscript on, a document is copied unchanged; a message on standard error says so.

A link with right-to-left characters is wrapped in <bdi dir="ltr">, so that it reads in one order everywhere.

Of a file that cannot be read, or is not HTML in UTF-8 or an extension of ASCII, nothing is written, and a message says why; the other files
are still written, and the exit status is 2.`,
		Example: `  bidilink html page.html > linked.html
  curl -s https://example.com | bidilink html --bare www`,
		RunE: func(c *cobra.Command, args []string) error {
			links, err := flags.engine()
			if err != nil {
				return err
			}
			options := htmlwalk.Options{Links: links, LinkFileNames: !links.FileNames}
			switch isolate {
			case "bidi":
				options.Isolate = htmlwalk.IsolateBidi
			case "all":
				options.Isolate = htmlwalk.IsolateAll
			case "none":
				options.Isolate = htmlwalk.IsolateNone
			default:
				return fmt.Errorf("--isolate %s: want bidi, all or none", isolate)
			}
			return eachFile(c, args, func(name string, data []byte) ([]byte, error) {
				var out bytes.Buffer
				out.Grow(len(data) + len(data)/8)
				stats, err := htmlwalk.Rewrite(&out, bytes.NewReader(data), options)
				if err != nil {
					return nil, errors.New(trimPackage(err, "htmlwalk"))
				}
				if at := stats.Copied; at.Reason != htmlwalk.NotCopied && !quiet {
					fmt.Fprintf(c.ErrOrStderr(), "bidilink: %s:%d: copied unchanged from here on: %v\n", shown(name), at.Line, at.Reason)
				}
				return out.Bytes(), nil
			})
		},
	}
	flags.add(c, true)
	c.Flags().StringVar(&isolate, "isolate", "bidi", "links that get <bdi dir=\"ltr\">: `bidi|all|none`")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "no messages about documents that are copied in part")
	return c
}
