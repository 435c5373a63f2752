// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
)

// linkFlags are the flags about what is a link, which several commands have.
type linkFlags struct {
	bare    string
	options engine.Options
}

// add adds the flags to c. fileNames says whether file names are left alone by default.
func (f *linkFlags) add(c *cobra.Command, fileNames bool) {
	p, o := c.Flags(), &f.options
	p.SortFlags = false
	p.StringVar(&f.bare, "bare", "all", "hosts without a scheme that are links: `all|www|none`")
	p.BoolVar(&o.NoEmail, "no-email", false, "leave e-mail addresses alone")
	p.BoolVar(&o.FileNames, "file-names", fileNames, "leave hosts alone that look like file names (README.md)")
	p.StringSliceVar(&o.ExtraTLDs, "extra-tld", nil, "further top-level domains, `name,...`: onion,internal")
	p.StringSliceVar(&o.ExcludeTLDs, "exclude-tld", nil, "top-level domains, `name,...`, whose bare hosts are no links")
	p.StringSliceVar(&o.Schemes, "scheme", nil, "further schemes, `name,...`: ftp,xmpp,tel")
	p.BoolVar(&o.LocalHosts, "local-hosts", false, "accept any host behind a scheme: http://localhost:1313/")
	p.BoolVar(&o.MailtoQuery, "mailto-query", false, "the query of a mailto: URL belongs to it")
	p.BoolVar(&o.StopAtCJKPunctuation, "stop-at-cjk-punctuation", false, "full-width and ideographic punctuation ends links")
	p.BoolVar(&o.Strict, "strict", false, "the bare standard, without our tailoring")
	p.BoolVar(&o.HTTP, "http", false, "the href of a bare host begins with http:// instead of https://")
	p.BoolVar(&o.IRI, "iri", false, "hrefs keep Unicode")
}

// engine returns the options that the flags stand for.
func (f *linkFlags) engine() (engine.Options, error) {
	switch f.bare {
	case "all":
		f.options.Bare = engine.BareAll
	case "www":
		f.options.Bare = engine.BareWWW
	case "none":
		f.options.Bare = engine.BareNone
	default:
		return engine.Options{}, fmt.Errorf("--bare %s: want all, www or none", f.bare)
	}
	if _, err := engine.New(f.options); err != nil {
		return engine.Options{}, errors.New(trimPackage(err, "engine"))
	}
	return f.options, nil
}
