// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/htmlwalk"
)

func htmlCommand() *cobra.Command {
	var flags linkFlags
	var show displayFlags
	var files siteFlags
	var skip, linkIn, charset, context string
	var xhtml, reference bool
	var existing bool
	var anchors anchorFlags
	c := &cobra.Command{
		Use:   "html [flags] [path...]",
		Short: "Make the links of HTML documents, of one or of a whole site",
		Long: `html makes links of the URLs, IRIs and e-mail addresses in the text of HTML documents. Nothing but the tags of the links is added, and
no other byte changes, but for one: a bidi control in a link, which would turn its order round, becomes its escapes (%E2%80%AE). A second
run changes nothing.

No link is made in anchors, buttons, labels, code, pre, form fields, titles, scripts, svg, math, template, noscript and the like. Where
parsers do not agree on what is text (after frameset or plaintext, in a noscript with half a tag, in a select with a style in it), a
document is copied unchanged from there on; a message on standard error says so. A document that begins with <?xml is left alone, as XHTML
has other rules, unless --xhtml is given. The attribute data-bidilink="off" or "on", and --skip and --link-in, say where else no links are made, or where there are some.

A link with right-to-left characters, and any link in right-to-left text, is wrapped in <bdi dir="ltr">, so that it reads in one order
everywhere: host, path and query from left to right, each of their fields as its letters want it. Where the wrapper alone does not give
that order, each field with right-to-left characters has one as well.

Without any of the flags -w, -o, -l, -d, --check and --json, the documents are written to standard output, one after the other. With one of
them a path may also be a folder, whose files are those that match --include and do not match --exclude:

  A pattern without a slash is about names, of files and, in --exclude, of folders: *.html, drafts.
  One with a slash is about paths from the given folder on, where ** stands for any number of folders: archive/**, /index.html.
  There are *, ?, [a-z] and {a,b}. Case does not matter.

Files and folders whose name begins with a dot are passed over, but for .well-known, and so are they where a symbolic link leads to one. A
file that is given by name is always looked at.

-w replaces a file as a whole or not at all, and keeps its mode, owner and extended attributes; a file that would stay the same is not
touched. A file that nobody may write to stays as it is, in error, unless --force is given. -o writes all pages that it finds, changed or not,
to the same relative paths in another folder, where folders that are not there yet get the modes of those of the pages; files
that are not looked at, such as images, are not copied there. It writes nothing through a symbolic link in that folder, and nothing to where a page is, or
would be, that it reads. If that folder does not tell a.html from A.html, one takes the place of the other.

Left alone, with a message: symbolic links that lead out of the folder (others are resolved; a folder is visited under its own name only),
named pipes and devices, files with several hard links, unless -o is given, and, without --xhtml, documents that begin with <?xml, which -o
copies as they are. A compressed copy (page.html.gz, .br, .zst) beside a page that was written, or beside a symbolic link to it, is out of date, and a
message says so.

Files are found while others are worked on, so any number of them takes the same memory. One that another program changes meanwhile is read once
more, and what it is by then counts; if it changes again, or is no regular file any more, it stays as it is, in error. So two runs on one
folder at once are safe: each leaves alone what the other one has done.

After the first Ctrl-C (or SIGTERM, or SIGHUP), no further file is written. Each is either done or as it was, no temporary file is left, a message says how many
were done and how many are left, and the exit status is 2. The second one ends the program at once, and the files are in the same state. Another run goes
on where that one ended: what is done it reads, but does not write again, as -w leaves alone what stays the same, and -o a file that has the right bytes.
After a crash of the machine, too, a file is the old or the new one. A program that was killed can leave temporary files, whose names are .bidilink-tmp- and 26 capital letters and digits from 2 to 7.
They are never pages. A run that writes removes them from the folders where it looks for pages or that files given by name are in, with -o from the
folders of the same paths that it writes to; not from excluded folders, nor from those in the target that have nothing to come from any more. It removes only
regular files with one name that belong to who runs it (of the superuser, to anybody), and that no program holds locked; on Windows, those that are an
hour old. With -v, there is a message for each; the summary has their number.

A document is in the encoding of its byte order mark, of --charset, or of its meta element, and is in UTF-8 if all of it is, or if it says nothing.
What is inserted is ASCII, whatever the encoding. Of a file that cannot be read, is larger than --max-size, or is in UTF-16 or another
encoding that is not an extension of ASCII, nothing is written, and a message says why; the other files are still written.

A document is held in memory, in some 10 times its size; with -d it is 20 times, and with --verify 75 times more. So many are worked on at
once, up to --jobs and, while as many wait for the disk, 8 more, as find room in 40 MiB, but always one: the largest page and --max-size tell how much memory is needed.

With --json, there is one object a line for each file, with the members

  file       as messages name it, "-" for standard input
  fileBytes  null, or the bytes of the name in base64, if it is in quotes in file
  changed    whether the document changes
  links      number of links made
  isolated   number of isolates made, round links and file names
  copied     null, or from where on the document was copied unchanged, and why: {"reason", "line", "offset"}
  skipped    null, or why the file was left alone
  warnings   list of messages, such as the one about compressed copies
  error      null, or what went wrong

Messages, -l and --json write the name of a file in quotes, as a string of Go ("a\nb\xff"), if it is empty, begins with a quote, or has bytes
that are not UTF-8 or characters that a terminal does not show as they are. With -0, -l writes all names as they are, each with a NUL byte after it.
-l, -d and --json are in the order of the names, however many files are worked on at once.

Exit status: 0 done, 1 --check has found a document that would change, 2 an error, or a file that was given by name, or standard input,
was left alone.`,
		Example: `  bidilink html page.html > linked.html
  curl -s https://example.com | bidilink html --bare www
  bidilink html -w public
  bidilink html -o linked --exclude 'drafts,api/**' public
  bidilink html -d public | less
  bidilink html --check --verify public`,
		RunE: func(c *cobra.Command, args []string) error {
			links, err := flags.engine()
			if err != nil {
				return err
			}
			options := htmlwalk.Options{Links: links, LinkFileNames: !links.FileNames, Skip: skip, LinkIn: linkIn, Charset: charset, IsolateExisting: existing, Context: context, XHTML: xhtml, ReferenceScanner: reference}
			anchors.set(c, &options)
			if err := show.set(&options); err != nil {
				return err
			}
			rw, err := htmlwalk.New(options)
			if err == nil {
				_, err = rw.Rewrite(io.Discard, strings.NewReader(""))
			}
			if err != nil { // the selectors, attributes and the encoding
				if errors.Is(err, htmlwalk.ErrEncoding) {
					return errors.New("--charset: " + trimPackage(err, "htmlwalk"))
				}
				return errors.New(strings.NewReplacer("Skip: ", "--skip: ", "LinkIn: ", "--link-in: ", "Attributes: ", "", "Charset: ", "--charset: ", "Context: ", "--fragment: ").Replace(trimPackage(err, "htmlwalk")))
			}
			s, err := files.checked(c, args, rw, context)
			if err != nil {
				return err
			}
			if s.report() || s.writes() {
				return s.run(args)
			}
			return s.toStdout(args)
		},
	}
	files.add(c)
	flags.add(c, true)
	flags.addHref(c)
	show.add(c, true)
	anchors.add(c)
	c.Flags().StringVar(&skip, "skip", "", "no links in these `elements`: \"blockquote, .nolink, #toc, [hidden], [translate=no]\"")
	c.Flags().StringVar(&linkIn, "link-in", "", "links in these `elements`, which have none by default: \"pre, code, label\"")
	c.Flags().BoolVar(&xhtml, "xhtml", false, "read documents that begin with <?xml as HTML, as browsers do if a server calls them text/html")
	c.Flags().StringVar(&charset, "charset", "", "encoding of the documents, whatever they say: `label`, such as windows-1256")
	c.Flags().BoolVar(&reference, "reference-scanner", false, "cut documents into tokens with the tokenizer of golang.org/x/net/html, to compare: the same output, but slower")
	c.Flags().BoolVar(&existing, "isolate-existing", false, "also wrap links with right-to-left characters in the text of anchors that are already there")
	c.Flags().StringVar(&context, "fragment", "", "the documents are fragments of an `element`, such as td or li")
	return c
}

// anchorFlags are the flags about the attributes of anchors.
type anchorFlags struct {
	rel, target, class string
}

func (f *anchorFlags) add(c *cobra.Command) {
	p := c.Flags()
	p.StringVar(&f.rel, "rel", "", "the attribute rel of the anchors, `words`: \"nofollow ugc\"")
	p.StringVar(&f.target, "target", "", "the attribute target of the anchors, a `name`; _blank adds rel=\"noopener\"")
	p.StringVar(&f.class, "class", "", "the attribute class of the anchors, `words`")
}

// set sets what the flags stand for.
func (f *anchorFlags) set(c *cobra.Command, o *htmlwalk.Options) {
	for _, a := range []htmlwalk.Attribute{{Name: "rel", Value: f.rel}, {Name: "target", Value: f.target}, {Name: "class", Value: f.class}} {
		if c.Flags().Changed(a.Name) {
			o.Attributes = append(o.Attributes, a)
		}
	}
}

// maxJobs is the largest number of files worked on at once: each is open.
const maxJobs = 256

// siteFlags are the flags about files.
type siteFlags struct {
	site
	include, exclude []string
}

func (f *siteFlags) add(c *cobra.Command) {
	p := c.Flags()
	p.SortFlags = false
	p.BoolVarP(&f.inPlace, "write", "w", false, "change files in place")
	p.StringVarP(&f.out, "output", "o", "", "write the pages to the folder `DIR`")
	p.BoolVarP(&f.list, "list", "l", false, "list the files that change, or would")
	p.BoolVarP(&f.null, "null", "0", false, "with -l, names as they are, each with a NUL byte after it")
	p.BoolVarP(&f.diff, "diff", "d", false, "show what changes, or would, as a unified diff")
	p.BoolVar(&f.check, "check", false, "write nothing; the exit status is 1 if a file would change")
	p.BoolVar(&f.json, "json", false, "report on each file, one JSON object a line")
	p.BoolVar(&f.force, "force", false, "with -w, also replace read-only files")
	p.StringArrayVar(&f.include, "include", []string{"*.html", "*.htm"}, "files to look at in folders: `glob,...`")
	p.StringArrayVar(&f.exclude, "exclude", nil, "files and folders to pass over: `glob,...`")
	f.maxSize = 256 << 20
	p.Var(&f.maxSize, "max-size", "leave larger files alone, in error: `bytes`, with K, M or G; with --verify, 32M unless it is given")
	p.IntVarP(&f.jobs, "jobs", "j", min(runtime.GOMAXPROCS(0), maxJobs), "number `N` of files worked on at once, not counting those that wait for the disk")
	p.BoolVar(&f.verify, "verify", false, "parse each document before and after; if more differs than our links, it stays as it is, in error")
	p.BoolVarP(&f.quiet, "quiet", "q", false, "no messages but errors")
	p.BoolVarP(&f.verbose, "verbose", "v", false, "a message for each file")
}

// checked checks the flags and returns what they stand for.
func (f *siteFlags) checked(c *cobra.Command, args []string, rw *htmlwalk.Rewriter, context string) (_ *site, err error) {
	s := f.site
	s.c, s.html, s.context = c, rw, context
	if s.include, err = parseGlobs("include", f.include); err != nil {
		return nil, err
	}
	if s.exclude, err = parseGlobs("exclude", f.exclude); err != nil {
		return nil, err
	}
	if s.verify && !c.Flags().Changed("max-size") {
		s.maxSize = 32 << 20
	}
	reports := 0
	for _, on := range []bool{s.list, s.diff, s.json} {
		if on {
			reports++
		}
	}
	stdin := len(args) == 0
	for _, a := range args {
		stdin = stdin || a == stdinName
	}
	switch {
	case s.jobs < 1 || s.jobs > maxJobs:
		return nil, fmt.Errorf("--jobs %d: want 1 to %d", s.jobs, maxJobs)
	case s.null && !s.list:
		return nil, errors.New("-0 is for -l")
	case s.force && !s.inPlace:
		return nil, errors.New("--force is for -w")
	case c.Flags().Changed("output") && s.out == "":
		return nil, errors.New("--output: want the name of a folder")
	case s.inPlace && s.out != "":
		return nil, errors.New("-w and -o: want one of them")
	case s.check && s.writes():
		return nil, errors.New("--check writes nothing: it does not go with -w or -o")
	case reports > 1:
		return nil, errors.New("-l, -d and --json: want one of them")
	case s.quiet && s.verbose:
		return nil, errors.New("-q and -v: want one of them")
	case s.writes() && stdin:
		return nil, errors.New("-w and -o want the names of files or folders")
	}
	if !s.report() && !s.writes() {
		for _, a := range args {
			if info, err := os.Stat(a); err == nil && info.IsDir() {
				return nil, fmt.Errorf("%s: is a folder: want -w to change its files, -o DIR to write them to another folder, or -l, -d, --check or --json to look", shown(a))
			}
		}
	}
	return &s, nil
}

// toStdout writes the documents to standard output.
func (s *site) toStdout(args []string) error {
	if len(args) == 0 {
		args = []string{stdinName}
	}
	out := &standardOutput{w: s.c.OutOrStdout()}
	failed := false
	for _, name := range args {
		if err := s.oneToStdout(out, name); out.err != nil {
			return fmt.Errorf("standard output: %w", cause(out.err))
		} else if err != nil {
			report(s.c, name, err)
			failed = true
		}
	}
	if failed {
		return errReported
	}
	return nil
}

// A standardOutput keeps the error of its writer, which ends the command.
type standardOutput struct {
	w   io.Writer
	err error
}

func (o *standardOutput) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	o.err = err
	return n, err
}

// oneToStdout writes a document to standard output.
func (s *site) oneToStdout(out *standardOutput, name string) (err error) {
	r := result{page: page{name: name}}
	var data, linked bytes.Buffer
	from := reading{r: s.c.InOrStdin(), max: int64(s.maxSize), in: &data, out: &linked}
	if name != stdinName {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		switch {
		case err != nil:
			return err
		case info.IsDir():
			return errors.New("is a directory")
		case info.Size() > from.max:
			return &sizeError{info.Size(), s.maxSize}
		}
		from.r, from.size = f, info.Size()
	}
	if r.stats, err = s.rewrite(&from); err != nil {
		return err
	}
	if err := s.verified(data.Bytes(), linked.Bytes()); err != nil {
		out.Write(data.Bytes())
		return err
	}
	if _, err := out.Write(linked.Bytes()); err != nil {
		return err
	}
	if r.stats.Copied.Reason == htmlwalk.XML {
		return leftAlone(leftXML)
	}
	if m := r.copied(); m != "" && !s.quiet {
		fmt.Fprintf(s.c.ErrOrStderr(), "bidilink: %s\n", m)
	}
	if s.verbose {
		fmt.Fprintf(s.c.ErrOrStderr(), "bidilink: %s\n", r.links())
	}
	return nil
}

// leftAlone is the error about a file that is an argument, and was left alone.
func leftAlone(why string) error { return fmt.Errorf("left alone: %s", why) }
