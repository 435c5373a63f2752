// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/goldmark-uts58/plaintext"
)

// textFlags are the flags of md about plain text.
type textFlags struct {
	on     bool
	links  string
	width  int
	flowed bool
}

func (f *textFlags) add(c *cobra.Command) {
	p := c.Flags()
	p.BoolVar(&f.on, "text", false, "plain text instead of HTML")
	p.StringVar(&f.links, "links", "inline", "where the URLs of --text are: `inline|footnotes`")
	p.IntVar(&f.width, "width", 72, "`columns` of a line of --text, 20 or more; 0 for lines that are not broken")
	p.BoolVar(&f.flowed, "flowed", false, "format=flowed (RFC 3676), for --text")
}

// check returns an error if flags are given that do not go together. Those named are about HTML.
func (f *textFlags) check(c *cobra.Command, html ...string) error {
	if f.on {
		for _, name := range html {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--text and --%s exclude each other", name)
			}
		}
		return nil
	}
	for _, name := range []string{"links", "width", "flowed"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s is for --text", name)
		}
	}
	return nil
}

// renderer returns the renderer of plain text.
func (f *textFlags) renderer(links engine.Options) (*plaintext.Renderer, error) {
	o := plaintext.Options{Flowed: f.flowed, Width: f.width, Links: links}
	switch f.links {
	case "inline":
	case "footnotes":
		o.Footnotes = true
	default:
		return nil, fmt.Errorf("--links %s: want inline or footnotes", shown(f.links))
	}
	switch {
	case f.width == 0:
		o.Width = -1
	case f.width < 0: // which means something else there
		return nil, fmt.Errorf("--width %d: want 20 or more, or 0 for lines that are not broken", f.width)
	}
	r, err := plaintext.New(o)
	if err != nil && f.width != 0 && f.width < 20 {
		return nil, fmt.Errorf("--width %d: want 20 or more, or 0 for lines that are not broken", f.width)
	}
	if err != nil {
		return nil, errors.New(trimPackage(err, "plaintext"))
	}
	return r, nil
}
