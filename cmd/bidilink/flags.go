// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/htmlwalk"
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
	p.BoolVar(&o.FileNames, "file-names", fileNames, "leave hosts alone that look like names of files (README.md) or in programs (java.util.Map)")
	p.StringSliceVar(&o.ExtraTLDs, "extra-tld", nil, "further top-level domains, `name,...`: onion,internal")
	p.StringSliceVar(&o.ExcludeTLDs, "exclude-tld", nil, "top-level domains, `name,...`, whose bare hosts are no links")
	p.StringSliceVar(&o.Schemes, "scheme", nil, "further schemes, `name,...`: ftp,xmpp,tel")
	p.BoolVar(&o.LocalHosts, "local-hosts", false, "accept any host behind a scheme: http://localhost:1313/")
	p.BoolVar(&o.MailtoQuery, "mailto-query", false, "the query of a mailto: URL belongs to it")
	p.BoolVar(&o.StopAtCJKPunctuation, "stop-at-cjk-punctuation", false, "full-width and ideographic punctuation ends links")
	p.BoolVar(&o.Strict, "strict", false, "the bare standard, without our tailoring")
}

// addHref adds the flags about hrefs to c.
func (f *linkFlags) addHref(c *cobra.Command) {
	c.Flags().BoolVar(&f.options.HTTP, "http", false, "the href of a bare host begins with http:// instead of https://")
	c.Flags().BoolVar(&f.options.IRI, "iri", false, "hrefs keep Unicode")
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

// warningsHelp says what the warnings are, for the help of commands that know them.
const warningsHelp = `Warnings:

  control        a bidi control in the link
  invisible      another invisible character
  mixed          right-to-left and left-to-right letters in one part: a label, a segment, a name, a value
  edge           a part with right-to-left letters that does not begin and end with one
  other-classes  a part with right-to-left letters and something else, such as digits; for information
  digits         right-to-left letters in one part, and in the next a number that can change its place
  crossing       parts change places where the link is displayed in one piece, as address bars do; escapes do not count
  scripts        a label of the host that mixes scripts, in Unicode or as an A-label (xn--)
  lookalike      a character that looks like the syntax of URLs; in the host also one like ノ or · beside ASCII, or in an A-label
`

// A refuseFlag is the flag --refuse, which several commands have.
type refuseFlag struct {
	names []string
}

func (f *refuseFlag) add(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.names, "refuse", nil, "leave links alone that have one of the warnings `name,...` (see links --help)")
}

// warnings returns the warnings whose links are left alone.
func (f *refuseFlag) warnings() (display.Warnings, error) {
	w, err := display.ParseWarnings(f.names)
	if err != nil {
		return 0, fmt.Errorf("--refuse: %s", trimPackage(err, "display"))
	}
	return w, nil
}

// displayFlags are the flags about the order in which links are displayed.
type displayFlags struct {
	order, profile, isolate, dir string
	fileNames                    bool
	refuse                       refuseFlag
}

// add adds the flags to c. fileNames says whether there is one about file names.
func (f *displayFlags) add(c *cobra.Command, fileNames bool) {
	p := c.Flags()
	p.StringVar(&f.order, "order", "constant", "how fields are ordered: `constant|embedding|environment|content|tld`")
	p.StringVar(&f.profile, "profile", "web", "who shows the HTML, browsers or mail programs, which need spans: `web|mail`")
	p.StringVar(&f.isolate, "isolate", "auto", "links that are wrapped: with right-to-left characters or in right-to-left text, only the former, ...: `auto|bidi|all|none`")
	if fileNames {
		p.BoolVar(&f.fileNames, "wrap-file-names", false, "also wrap file names: words with a right-to-left letter and a / or \\, which in prose are not always names")
	}
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
	return fmt.Errorf("--%s %s: want %s", name, shown(value), want)
}
