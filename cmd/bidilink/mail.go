// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/mailfilter"
)

// exitTempFail is EX_TEMPFAIL: mail servers try again later.
const exitTempFail = 75

// An exitCode ends a command whose messages were written already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// mailFlags are the flags of bidilink mail.
type mailFlags struct {
	links                                       linkFlags
	refuse                                      refuseFlag
	order, isolate, dir, plain                  string
	wrapFileNames                               bool
	final                                       bool
	write, mbox, explain, check, diff, tempfail bool
}

func mailCommand() *cobra.Command {
	var f mailFlags
	c := &cobra.Command{
		Use:   "mail [flags] [file...]",
		Short: "Make the links of mail messages",
		Long: `mail makes links of the URLs, IRIs and e-mail addresses in the HTML parts of mail messages. Nothing but these parts changes, and in these
nothing but the tags of the links is added: no header field, no plain text, no attachment, nothing that is signed or encrypted. The result is
verified, or the message stays as it is. A second run changes nothing. Line ends stay what they are.

Without a file it is a filter: one message from standard input to standard output, for a pipe, procmail, Sieve (vnd.dovecot.filter), maildrop or
mutt (display_filter). Whatever is wrong with the message, it comes out as it came in, and the exit status is 0. With --tempfail, an error of ours
writes nothing and exits with 75, so that the mail server tries again; so does an error in the flags, and all else that would end with 2, but
lack of memory. If standard input cannot be read to its end, or standard output not be written, or one of them is not open, the exit status is 2,
or 75. A message beyond 25 MiB is copied as it is read, so that part of it may be written by then.

A file is a message; an mbox, which begins with "From "; or a Maildir, a folder with cur and new in it. One message or mbox is written to standard
output. With -w, files are replaced: a message as a whole, in one step; in a Maildir, a message gets a new name with its flags, and its sizes (S=, W=) are
kept right. An mbox is written in place, under its lock file FILE.lock and the lock of fcntl, both of which are not waited for; a copy of what it was,
.FILE.bidilink, is there until that is done, and an error brings it back. Programs that take neither lock must not use the mbox meanwhile. A file that begins
with "From ", but not with an address and a date in the form of mbox, is an error with -w. Messages of an mbox with a Content-Length are left alone.

A message with a line in it that begins with "From ", and may begin another message, is left alone, in an mbox, in a file and as a filter: in one that
begins with "From " itself, any such line that has no ">" before it; in others, one with nothing or a time behind it, or before a field of a header.

A message with a DKIM-Signature or an ARC-Seal, or of a mailing list, is left alone, as it may travel on: --final says that it does not, and that
signatures were verified before.

  --explain  the parts of each message, what becomes of them, and why; nothing else is written
  --check    nothing is written but the names of files with something to change; then the exit status is 1
  -d         the changes, line by line; nothing else is written

Why a message or part is left alone is one of these words: ` + reasonWords() + `.`,
		Example: `  bidilink mail --final < message.eml > linked.eml
  :0 fwr                            # procmail
  | bidilink mail --final
  bidilink mail --explain *.eml
  bidilink mail -w --final ~/Maildir`,
		RunE: func(c *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return err
			}
			return f.run(c, args, o)
		},
	}
	f.add(c, "the message goes no further: change it also if it is signed by DKIM or ARC, or of a list")
	p := c.Flags()
	p.BoolVarP(&f.write, "write", "w", false, "replace the files")
	p.BoolVar(&f.mbox, "mbox", false, "standard input is an mbox")
	p.BoolVar(&f.explain, "explain", false, "write the parts of each message, what becomes of them, and why")
	p.BoolVar(&f.check, "check", false, "write the names of files with something to change, and exit with 1 if there are any")
	p.BoolVarP(&f.diff, "diff", "d", false, "write the changes")
	p.BoolVar(&f.tempfail, "tempfail", false, "exit with 75 on an error of ours, with nothing written")
	c.MarkFlagsMutuallyExclusive("write", "explain", "check", "diff")
	return c
}

// add adds the flags about links and how they are written, which bidilink milter has as well. final is the help of --final.
func (f *mailFlags) add(c *cobra.Command, final string) {
	f.links.add(c, true)
	p := c.Flags()
	bare := p.Lookup("bare")
	bare.DefValue, f.links.bare = "www", "www"
	p.BoolVar(&f.links.options.HTTP, "http", false, "the href of a bare host begins with http:// instead of https://")
	f.refuse.add(c)
	p.StringVar(&f.order, "order", "constant", "how fields are ordered: `constant|embedding|environment|content|tld`")
	p.StringVar(&f.isolate, "isolate", "auto", "links that are wrapped: with right-to-left characters or in right-to-left text, only the former, ...: `auto|bidi|all|none`")
	p.StringVar(&f.dir, "dir", "ltr", "direction of text that no dir attribute is about: `ltr|rtl`")
	p.BoolVar(&f.wrapFileNames, "wrap-file-names", false, "wrap file names with right-to-left letters and a / or \\ as well")
	p.StringVar(&f.plain, "plain", "leave", "what is done to plain text; isolate: invisible controls round right-to-left links: `leave|isolate`")
	p.BoolVar(&f.final, "final", false, final)
}

// reasonWords returns the reasons for the help.
func reasonWords() string {
	var b strings.Builder
	for i, r := range mailfilter.Reasons() {
		if i > 0 {
			b.WriteByte(',')
			if i%14 == 0 {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteString(r.String())
	}
	return b.String()
}

// options returns what the flags stand for.
func (f *mailFlags) options() (o mailfilter.Options, err error) {
	if o.Links, err = f.links.engine(); err != nil {
		return o, err
	}
	switch f.links.bare {
	case "all":
		o.Bare = mailfilter.BareAll
	case "none":
		o.Bare = mailfilter.BareNone
	}
	o.LinkFileNames = !f.links.options.FileNames
	if o.Refuse, err = f.refuse.warnings(); err != nil {
		return o, err
	}
	if o.Order, err = display.ParseOrder(f.order); err != nil {
		return o, flagError("order", f.order, err)
	}
	if o.Isolate, err = display.ParseIsolation(f.isolate); err != nil {
		return o, flagError("isolate", f.isolate, err)
	}
	if o.Dir, err = display.ParseDirection(f.dir); err != nil {
		return o, flagError("dir", f.dir, err)
	}
	switch f.plain {
	case "leave":
	case "isolate":
		o.Plain = mailfilter.Isolate
	default:
		return o, fmt.Errorf("--plain %s: want leave or isolate", shown(f.plain))
	}
	o.WrapFileNames = f.wrapFileNames
	o.RewriteDKIM, o.RewriteLists = f.final, f.final
	return o, o.Check()
}

// run does what the flags say, with files or as a filter.
func (f *mailFlags) run(c *cobra.Command, args []string, o mailfilter.Options) error {
	reads := f.explain || f.check || f.diff
	if f.mbox && len(args) > 0 {
		return errors.New("--mbox is for standard input: of a file, its beginning tells")
	}
	if len(args) == 0 && !reads && !f.mbox {
		if f.write {
			return errors.New("-w without a file")
		}
		return f.filter(c, o)
	}
	if len(args) > 1 && !reads && !f.write {
		return errors.New("several files: want -w, --check, --explain or -d")
	}
	if len(args) == 0 {
		args = []string{stdinName}
	}
	ctx, guard, stop := interruptible()
	defer stop()
	m := &mailRun{f: f, c: c, o: o, ctx: ctx, guard: guard}
	for _, name := range args {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.path(name); err != nil {
			var code exitCode
			if errors.As(err, &code) {
				return err
			}
			report(c, name, err)
			m.failed = true
		}
	}
	switch {
	case m.failed:
		return errReported
	case f.check && m.changes > 0:
		return errFound
	}
	return nil
}

// tempFails reports whether --tempfail is among the arguments, which may have an error in them.
func tempFails(args []string) bool {
	for _, a := range args {
		value, ok := strings.CutPrefix(a, "--tempfail")
		switch {
		case a == "--":
			return false
		case !ok:
		case value == "":
			return true
		case value[0] == '=':
			if on, err := strconv.ParseBool(value[1:]); on || err != nil {
				return true
			}
		}
	}
	return false
}

// trouble returns the exit code of the filter if the message could not be read or written as a whole.
func (f *mailFlags) trouble() exitCode {
	if f.tempfail {
		return exitTempFail
	}
	return exitError
}

// filter copies one message from standard input to standard output.
func (f *mailFlags) filter(c *cobra.Command, o mailfilter.Options) error {
	err := f.copyMessage(c, o)
	if err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "bidilink: %s\n", firstLine(err))
		return f.trouble()
	}
	return nil
}

// copyMessage is filter, with the error that is not yet reported.
func (f *mailFlags) copyMessage(c *cobra.Command, o mailfilter.Options) error {
	in, out := c.InOrStdin(), c.OutOrStdout()
	switch {
	case notOpen(in):
		return errStdin
	case notOpen(out):
		return errStdout
	}
	msg, err := readMessage(in, mailfilter.DefaultMaxMessage+1)
	if err != nil {
		err = fmt.Errorf("reading: %w", cause(err))
		if !f.tempfail {
			if _, werr := out.Write(msg); werr != nil {
				err = fmt.Errorf("%w; writing: %w", err, cause(werr))
			}
		}
		return err
	}
	result := msg
	switch {
	case len(msg) > mailfilter.DefaultMaxMessage:
		// It is copied as it comes.
	case mailfilter.HoldsAnother(msg):
	default:
		var rep mailfilter.Report
		if result, rep, err = mailfilter.RewriteMessage(msg, o); err != nil {
			return err
		}
		if rep.Err != nil && rep.Reason != mailfilter.Limit {
			if f.tempfail {
				return rep.Err
			}
			fmt.Fprintf(c.ErrOrStderr(), "bidilink: %s; the message is left as it is\n", firstLine(rep.Err))
		}
	}
	if _, err := out.Write(result); err != nil {
		return fmt.Errorf("writing: %w", cause(err))
	}
	if len(msg) > mailfilter.DefaultMaxMessage {
		rest := &source{r: in}
		if _, err := io.Copy(struct{ io.Writer }{out}, rest); rest.err != nil {
			return fmt.Errorf("reading: %w", cause(rest.err))
		} else if err != nil {
			return fmt.Errorf("writing: %w", cause(err))
		}
	}
	return nil
}

// The errors for streams that were closed when the program began: a message would come from nowhere, or be lost.
var (
	errStdin  = errors.New("standard input is not open")
	errStdout = errors.New("standard output is not open")
)

// A source notes the error of a reader.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// readMessage reads at most limit bytes. It needs no more than twice their space, and returns no more than that.
func readMessage(r io.Reader, limit int64) ([]byte, error) {
	r = io.LimitReader(r, limit)
	var chunks [][]byte
	var err error
	size := 0
	for next := 32 << 10; err == nil; next = min(2*next, 1<<20) {
		chunk := make([]byte, next)
		var n int
		n, err = io.ReadFull(r, chunk)
		chunks = append(chunks, chunk[:n])
		size += n
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	if len(chunks) == 1 {
		return chunks[0], err
	}
	msg := make([]byte, 0, size)
	for i, c := range chunks {
		msg = append(msg, c...)
		chunks[i] = nil
	}
	return msg, err
}

// firstLine returns the message of an error without the stack of a panic.
func firstLine(err error) string {
	line, _, _ := strings.Cut(trimPackage(err, "mailfilter"), "\n")
	return line
}

// A mailRun goes through files.
type mailRun struct {
	ctx     context.Context
	guard   *guard
	f       *mailFlags
	c       *cobra.Command
	o       mailfilter.Options
	changes int
	failed  bool
}

// path does a file or a Maildir.
func (m *mailRun) path(name string) error {
	if name != stdinName && isMaildir(name) {
		return m.maildir(name)
	}
	if m.f.write {
		if name == stdinName {
			return errors.New("-w without a file")
		}
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			return m.replace(name, info)
		}
		if !info.IsDir() {
			return errors.New("not a regular file")
		}
	}
	if name == stdinName && notOpen(m.c.InOrStdin()) {
		return errStdin
	}
	data, err := readFile(m.c, name)
	if err != nil {
		return err
	}
	out, err := m.messages(name, data, name == stdinName && m.f.mbox || name != stdinName && mailfilter.IsMbox(data))
	if err != nil || m.f.explain || m.f.check || m.f.diff {
		return err
	}
	if notOpen(m.c.OutOrStdout()) {
		fmt.Fprintf(m.c.ErrOrStderr(), "bidilink: %v\n", errStdout)
		return m.f.trouble()
	}
	if _, err := m.c.OutOrStdout().Write(out); err != nil {
		fmt.Fprintf(m.c.ErrOrStderr(), "bidilink: standard output: %v\n", cause(err))
		return m.f.trouble()
	}
	return nil
}

// messages returns what data becomes, which is an mbox or one message, and writes what the flags ask for.
func (m *mailRun) messages(name string, data []byte, mbox bool) ([]byte, error) {
	before := m.changes
	out, err := data, error(nil)
	if mbox {
		out, err = m.members(name, data)
	} else {
		out, err = m.message(place{file: name}, data)
	}
	if err == nil && m.f.check && m.changes > before {
		err = m.print("%s\n", shown(name))
	}
	return out, err
}

// members is messages for an mbox.
func (m *mailRun) members(name string, data []byte) ([]byte, error) {
	var out []byte
	at, n, changed := 0, 0, false
	for msg := range mailfilter.Messages(data) {
		n++
		where := place{name, n}
		var b []byte
		var err error
		if mailfilter.HasLength(msg) {
			// What it says would not be true any more, and programs that go by it would lose their way.
			if b = msg; m.f.explain {
				err = m.print("%v: %v %v: it has a Content-Length\n", where, mailfilter.Skipped, mailfilter.Policy)
			}
		} else {
			b, err = m.message(where, msg)
		}
		if err != nil {
			return nil, err
		}
		if !changed && len(b) > 0 && &b[0] != &msg[0] {
			changed = true
			out = append(make([]byte, 0, len(data)+len(data)/8), data[:at]...)
		}
		if changed {
			out = append(out, b...)
		}
		at += len(msg)
	}
	if !changed {
		return data, nil
	}
	return out, nil
}

// A place says which message it is: a file, or with a number from 1 on, a message of an mbox.
type place struct {
	file   string
	number int
}

// String returns the place as messages name it.
func (p place) String() string { return shown(p.file) + p.member() }

// member returns what stands behind the name of the file.
func (p place) member() string {
	if p.number == 0 {
		return ""
	}
	return fmt.Sprintf(": message %d", p.number)
}

// message returns what a message becomes, and writes what the flags ask for.
func (m *mailRun) message(where place, msg []byte) ([]byte, error) {
	if mailfilter.HoldsAnother(msg) {
		if m.f.explain {
			return msg, m.print("%v: %v %v: a line that begins with \"From \" may begin another message\n", where, mailfilter.Skipped, mailfilter.Malformed)
		}
		return msg, nil
	}
	out, rep, err := mailfilter.RewriteMessage(msg, m.o)
	if err != nil {
		return nil, errors.New(trimPackage(err, "mailfilter"))
	}
	if rep.Err != nil && rep.Reason != mailfilter.Limit {
		m.failure(where, rep.Err)
	}
	if rep.Result == mailfilter.Modified {
		m.changes++
	}
	switch {
	case m.f.explain:
		return out, m.explain(where, rep)
	case m.f.diff && rep.Result == mailfilter.Modified:
		if _, err := m.c.OutOrStdout().Write(appendMailDiff(nil, where.file+where.member(), msg, out)); err != nil {
			return nil, fmt.Errorf("standard output: %w", cause(err))
		}
	}
	return out, nil
}

// failure reports an error of ours about a message.
func (m *mailRun) failure(where place, err error) {
	fmt.Fprintf(m.c.ErrOrStderr(), "bidilink: %v: %s; the message is left as it is\n", where, firstLine(err))
	m.failed = true
}

func (m *mailRun) print(format string, args ...any) error {
	if _, err := fmt.Fprintf(m.c.OutOrStdout(), format, args...); err != nil {
		return fmt.Errorf("standard output: %w", cause(err))
	}
	return nil
}

// explain writes a report: one line for the message, and one for each part, indented as it lies in others.
func (m *mailRun) explain(where place, rep mailfilter.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %s", where, verdict(rep.Result, rep.Reason, rep.Links))
	if rep.Err != nil {
		fmt.Fprintf(&b, ": %s", firstLine(rep.Err))
	}
	b.WriteByte('\n')
	for _, p := range rep.Parts {
		depth := 0
		if p.Path != "" {
			depth = strings.Count(p.Path, ".") + 1
		}
		kind := p.Type
		if kind == "" {
			kind = "?"
		}
		path := p.Path
		if path == "" {
			path = "message"
		}
		fmt.Fprintf(&b, "  %s%s %s: ", strings.Repeat("  ", depth), path, shown(kind))
		if strings.HasPrefix(p.Type, "multipart/") && p.Result == mailfilter.Unchanged {
			b.WriteString("its parts\n")
			continue
		}
		b.WriteString(verdict(p.Result, p.Reason, p.Links))
		if p.Copied.Reason != 0 {
			fmt.Fprintf(&b, ", not looked at from line %d on: %v", p.Copied.Line, p.Copied.Reason)
		}
		b.WriteByte('\n')
	}
	return m.print("%s", b.String())
}

func verdict(r mailfilter.Result, reason mailfilter.Reason, links int) string {
	switch {
	case r == mailfilter.Skipped:
		return fmt.Sprintf("%v %v", r, reason)
	case links == 1:
		return fmt.Sprintf("%v, 1 link", r)
	case links > 1:
		return fmt.Sprintf("%v, %d links", r, links)
	}
	return r.String()
}
