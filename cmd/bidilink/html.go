// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/htmlwalk"
)

func htmlCommand() *cobra.Command {
	var flags linkFlags
	var show displayFlags
	var quiet bool
	c := &cobra.Command{
		Use:   "html [flags] [file...]",
		Short: "Make the links of HTML documents",
		Long: `html writes HTML documents to standard output, one after the other, with links made of the URLs, IRIs and e-mail addresses
in their text. Nothing but the tags of the links is added, and no other byte changes. A second run changes nothing.

No link is made in anchors, buttons, labels, code, pre, form fields, titles, scripts and the like. From the first svg, math, template, select,
frameset, plaintext or noscript on, a document is copied unchanged; a message on standard error says so.

A link with right-to-left characters, and any link in right-to-left text, is wrapped in <bdi dir="ltr">, so that it reads in one order
everywhere: host, path and query from left to right, each of their fields as its letters want it. Where the wrapper alone does not give
that order, each field with right-to-left characters has one as well.

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
			if err := show.set(&options); err != nil {
				return err
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
	show.add(c)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "no messages about documents that are copied in part")
	return c
}

// displayFlags are the flags about the order in which links are displayed.
type displayFlags struct {
	order, profile, isolate, dir string
	fileNames                    bool
	refuse                       refuseFlag
}

func (f *displayFlags) add(c *cobra.Command) {
	p := c.Flags()
	p.StringVar(&f.order, "order", "constant", "how fields are ordered: `constant|embedding|environment|content|tld`")
	p.StringVar(&f.profile, "profile", "web", "who shows the HTML, browsers or mail programs, which need spans: `web|mail`")
	p.StringVar(&f.isolate, "isolate", "auto", "links that are wrapped: with right-to-left characters or in right-to-left text, only the former, ...: `auto|bidi|all|none`")
	p.BoolVar(&f.fileNames, "wrap-file-names", false, "wrap file names with right-to-left letters and a / or \\ as well")
	f.refuse.add(c)
	p.StringVar(&f.dir, "dir", "ltr", "direction of text that no dir attribute is about: `ltr|rtl`")
}

// set sets what the flags stand for.
func (f *displayFlags) set(o *htmlwalk.Options) (err error) {
	if o.Order, err = display.ParseOrder(f.order); err != nil {
		return flagError("order", f.order, err)
	}
	if o.Profile, err = display.ParseProfile(f.profile); err != nil {
		return flagError("profile", f.profile, err)
	}
	if o.Isolate, err = display.ParseIsolation(f.isolate); err != nil {
		return flagError("isolate", f.isolate, err)
	}
	if o.Dir, err = display.ParseDirection(f.dir); err != nil {
		return flagError("dir", f.dir, err)
	}
	o.WrapFileNames = f.fileNames
	o.Refuse, err = f.refuse.warnings()
	return err
}

// flagError says what is wrong with the value of a flag. The message of package display ends with what it may be.
func flagError(name, value string, err error) error {
	_, want, _ := strings.Cut(err.Error(), ": want ")
	return fmt.Errorf("--%s %s: want %s", name, value, want)
}
