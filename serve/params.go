// SPDX-License-Identifier: MIT

package serve

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// A param is a parameter of the query.
type param struct {
	name   string
	kind   string   // "boolean", "integer", "string", or "array": strings, joined by commas or the parameter several times
	values []string // that there are, if it is one of a few
	def    string   // the default
	help   string
}

// The parameters that several operations have: they are those of the flags of the command.
var (
	linkParams = []param{
		{"bare", "string", []string{"all", "www", "none"}, "all", "hosts without a scheme that are links"},
		{"no-email", "boolean", nil, "false", "leave e-mail addresses alone"},
		{"extra-tld", "array", nil, "", "further top-level domains: onion,internal"},
		{"exclude-tld", "array", nil, "", "top-level domains whose bare hosts are no links"},
		{"scheme", "array", nil, "", "further schemes: ftp,xmpp,tel"},
		{"local-hosts", "boolean", nil, "false", "accept any host behind a scheme: http://localhost:1313/"},
		{"mailto-query", "boolean", nil, "false", "the query of a mailto: URL belongs to it"},
		{"stop-at-cjk-punctuation", "boolean", nil, "false", "full-width and ideographic punctuation ends links"},
		{"strict", "boolean", nil, "false", "the bare standard, without our tailoring"},
	}
	hrefParams = []param{
		{"http", "boolean", nil, "false", "the href of a bare host begins with http:// instead of https://"},
		{"iri", "boolean", nil, "false", "hrefs keep Unicode"},
	}
	refuseParam  = param{"refuse", "array", display.Warnings(^display.Warnings(0)).Names(), "", "leave links alone that have one of these warnings"}
	orderParam   = param{"order", "string", []string{"constant", "embedding", "environment", "content", "tld"}, "constant", "how the fields of a link are ordered"}
	profileParam = param{"profile", "string", []string{"web", "mail"}, "web", "who shows the HTML: browsers, or mail programs, which need spans"}
	isolateParam = param{"isolate", "string", []string{"auto", "bidi", "all", "none"}, "auto", "links that are isolated: those with right-to-left characters and all in right-to-left text, only the former, and so on"}
	dirParam     = param{"dir", "string", []string{"ltr", "rtl"}, "ltr", "direction of text that no dir attribute is about"}
	namesParam   = param{"wrap-file-names", "boolean", nil, "false", "isolate file names with a right-to-left letter and a / or \\ as well"}
)

// fileNames is the parameter file-names with a default.
func fileNames(def string) param {
	return param{"file-names", "boolean", nil, def, "leave hosts alone that look like names of files (README.md) or in programs (java.util.Map)"}
}

// together joins lists of parameters.
func together(lists ...[]param) []param { return slices.Concat(lists...) }

// withDefault returns params, with another default for one of them.
func withDefault(params []param, name, def string) []param {
	list := slices.Clone(params)
	for i := range list {
		if list[i].name == name {
			list[i].def = def
		}
	}
	return list
}

// parameters checks the query of a request against the parameters of its operation, and returns the value of each, with defaults.
func parameters(query string, params []param) (map[string][]string, *problem) {
	given, err := url.ParseQuery(query)
	if err != nil {
		return nil, failure(http.StatusBadRequest, "the query is not well-formed")
	}
	values := make(map[string][]string, len(params))
	for _, p := range params {
		v, ok := given[p.name]
		delete(given, p.name)
		if !ok {
			if p.def != "" {
				values[p.name] = []string{p.def}
			}
			continue
		}
		if p.kind == "array" {
			v = strings.Split(strings.Join(v, ","), ",")
			v = slices.DeleteFunc(v, func(s string) bool { return s == "" })
		} else if len(v) > 1 {
			return nil, badParameter(p.name, "is given %d times", len(v))
		}
		for i, s := range v {
			switch {
			case p.kind == "boolean":
				if s == "" {
					s = "true"
				}
				b, err := strconv.ParseBool(s)
				if err != nil {
					return nil, badParameter(p.name, "is %s; want true or false", strconv.QuoteToASCII(cut(s, 100)))
				}
				v[i] = strconv.FormatBool(b)
			case p.kind == "integer":
				n, err := strconv.Atoi(s)
				if err != nil {
					return nil, badParameter(p.name, "is %s; want a number", strconv.QuoteToASCII(cut(s, 100)))
				}
				v[i] = strconv.Itoa(n)
			case p.values != nil && !slices.Contains(p.values, s):
				return nil, badParameter(p.name, "is %s; want %s", strconv.QuoteToASCII(cut(s, 100)), strings.Join(p.values, ", "))
			}
		}
		values[p.name] = v
	}
	for name := range given {
		var names []string
		for _, p := range params {
			names = append(names, p.name)
		}
		return nil, badParameter(cut(name, 100), "is unknown; there are %s", strings.Join(names, ", "))
	}
	return values, nil
}

// badParameter returns a problem about a parameter.
func badParameter(name, format string, args ...any) *problem {
	p := failure(http.StatusBadRequest, "the parameter %s "+format, append([]any{strconv.QuoteToASCII(name)}, args...)...)
	p.Parameter = name
	return p
}

// An input is what an operation is given.
type input struct {
	body    []byte
	kind    string // media type of the body
	charset string // that its Content-Type says; may be empty
	params  map[string][]string
	query   url.Values // as it came
	observe func(string)

	rendered bool // as Markdown
}

func (in *input) list(name string) []string {
	if in.observe != nil {
		in.observe(name)
	}
	return in.params[name]
}

func (in *input) text(name string) string {
	if v := in.list(name); len(v) > 0 {
		return v[0]
	}
	return ""
}

// given reports whether a parameter is in the query.
func (in *input) given(name string) bool { return in.query.Has(name) }

func (in *input) is(name string) bool { return in.text(name) == "true" }

// links returns what the parameters say is a link.
func (in *input) links() (engine.Options, error) {
	o := engine.Options{
		NoEmail: in.is("no-email"), FileNames: in.is("file-names"), ExtraTLDs: in.list("extra-tld"), ExcludeTLDs: in.list("exclude-tld"), Schemes: in.list("scheme"),
		LocalHosts: in.is("local-hosts"), MailtoQuery: in.is("mailto-query"), StopAtCJKPunctuation: in.is("stop-at-cjk-punctuation"), Strict: in.is("strict"),
		HTTP: in.is("http"), IRI: in.is("iri"),
	}
	switch in.text("bare") {
	case "www":
		o.Bare = engine.BareWWW
	case "none":
		o.Bare = engine.BareNone
	}
	if _, err := engine.New(o); err != nil {
		message := strings.TrimPrefix(err.Error(), "engine: ")
		for option, name := range map[string]string{"ExtraTLDs": "extra-tld", "ExcludeTLDs": "exclude-tld", "Schemes": "scheme"} {
			if rest, ok := strings.CutPrefix(message, option+": "); ok {
				return o, badParameter(name, "is wrong: %s", rest)
			}
		}
		return o, failure(http.StatusBadRequest, "%s", message)
	}
	return o, nil
}

// A showing is how links are displayed.
type showing struct {
	order   display.Order
	profile display.Profile
	isolate display.Isolation
	dir     display.Direction
	refuse  display.Warnings
}

// showing returns what the parameters say. Their values have been checked.
func (in *input) showing() (s showing, err error) {
	var errs []error
	parse := func(name string, set func(string) error) {
		if v := in.text(name); v != "" {
			errs = append(errs, set(v))
		}
	}
	parse("order", func(v string) (err error) { s.order, err = display.ParseOrder(v); return })
	parse("profile", func(v string) (err error) { s.profile, err = display.ParseProfile(v); return })
	parse("isolate", func(v string) (err error) { s.isolate, err = display.ParseIsolation(v); return })
	parse("dir", func(v string) (err error) { s.dir, err = display.ParseDirection(v); return })
	s.refuse, err = display.ParseWarnings(in.list("refuse"))
	return s, errors.Join(append(errs, err)...)
}
