// SPDX-License-Identifier: MIT

package mailfilter

import (
	"fmt"
	"math"
	"time"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
	"github.com/bidilink/bidilink/htmlwalk"
)

// Bare says which hosts without a scheme are links. URLs with a scheme and addresses are links whatever it says.
type Bare uint8

const (
	BareWWW  Bare = iota // only hosts that begin with "www."
	BareAll              // every host that ends in a known public suffix
	BareNone             // none
)

// Plain says what is done to text/plain.
type Plain uint8

const (
	LeavePlain Plain = iota // nothing
	// Isolate puts the bidi controls LRI and PDI round links with right-to-left characters. They are the one thing that is added
	// that a reader can copy. Only texts in UTF-8 that are neither format=flowed nor 7bit are changed.
	Isolate
)

// Options configure [Rewrite]. The zero value is the documented profile, and the limits.
type Options struct {
	// Links says what is a link. Its Bare is ignored in favour of Bare, its FileNames in favour of LinkFileNames, and
	// its IRI at all, as only ASCII is inserted in HTML. Default: the profile of package engine.
	Links engine.Options

	// Bare says which hosts without a scheme are links. Default: BareWWW.
	Bare Bare

	// LinkFileNames links bare hosts and addresses also if they look like the name of a file, or of something in a program: see FileNames
	// of package engine. Default: they are left alone.
	LinkFileNames bool

	// Refuse leaves links alone that have one of these warnings, as display.Check finds them. Default: none.
	Refuse display.Warnings

	// WrapFileNames isolates file names with right-to-left letters, as in package htmlwalk. Default: they are left alone.
	WrapFileNames bool

	// Order says in which order the fields of an isolated link are displayed. Default: display.Constant.
	Order display.Order

	// Isolate says which links get an isolate round them. Default: display.IsolateAuto.
	Isolate display.Isolation

	// Dir is the direction of paragraphs that no dir attribute says anything about. Default: display.LTR.
	Dir display.Direction

	// Plain says what is done to text/plain. Default: LeavePlain.
	Plain Plain

	// RewriteDKIM changes messages with a DKIM-Signature or an ARC-Seal, too: the signature does not verify any more. That is
	// right only after it was verified, where the message goes no further. Default: they are left alone.
	RewriteDKIM bool

	// RewriteLists changes messages of mailing lists, which have a List-Id, too. Default: they are left alone.
	RewriteLists bool

	// Observe changes nothing. The report says what would have been changed. Default: off.
	Observe bool

	// Limits. A message beyond one of them is left alone as a whole.

	MaxMessage     int64         // bytes of the message. Default: 25 MiB
	MaxPart        int64         // bytes of a part that is looked at, decoded. Default: 4 MiB
	MaxDepth       int           // multiparts round a part. Default: 20
	MaxParts       int           // parts, multiparts among them. Default: 500
	MaxHeader      int64         // bytes of a header block. Default: 1 MiB
	MaxHeaderLines int           // lines of a header block. Default: 1000
	MaxLinks       int           // links made in the message. Default: 5000
	MaxAdded       int64         // bytes by which the message grows. Default: 8 MiB
	Timeout        time.Duration // looked at between the steps. Default: 5 s

	now func() time.Time // for tests
}

// The limits of the zero [Options].
const (
	DefaultMaxMessage     = 25 << 20
	DefaultMaxPart        = 4 << 20
	DefaultMaxDepth       = 20
	DefaultMaxParts       = 500
	DefaultMaxHeader      = 1 << 20
	DefaultMaxHeaderLines = 1000
	DefaultMaxLinks       = 5000
	DefaultMaxAdded       = 8 << 20
	DefaultTimeout        = 5 * time.Second
)

// Check reports what is wrong with the options, if anything. [Rewrite] does the same.
func (o Options) Check() error {
	_, err := newFilter(o)
	return err
}

// A filter is what one message needs.
type filter struct {
	o        Options // with defaults
	html     htmlwalk.Options
	walk     *htmlwalk.Rewriter // with these options; nil before the first HTML part
	detector *engine.Detector   // for text/plain; nil if that is left alone
	reads    bool               // nothing will be changed: text/plain is looked at, whatever it is written in
	deadline time.Time
	scratch  *scratch
	steps    int // lines and bytes looked at by the scanner, for tests
}

// newFilter checks o and fills in what is zero.
func newFilter(o Options) (*filter, error) {
	if o.MaxMessage < 0 || o.MaxPart < 0 || o.MaxDepth < 0 || o.MaxParts < 0 || o.MaxHeader < 0 || o.MaxHeaderLines < 0 || o.MaxLinks < 0 || o.MaxAdded < 0 || o.Timeout < 0 {
		return nil, fmt.Errorf("mailfilter: a limit is negative")
	}
	if o.Bare > BareNone || o.Plain > Isolate || o.Isolate > display.IsolateNone || o.Order > display.TLD || o.Dir > display.RTL {
		return nil, fmt.Errorf("mailfilter: unknown value (Bare %d, Plain %d, Isolate %v, Order %v, Dir %d)", o.Bare, o.Plain, o.Isolate, o.Order, o.Dir)
	}
	orDefault(&o.MaxMessage, DefaultMaxMessage)
	orDefault(&o.MaxPart, DefaultMaxPart)
	orDefault(&o.MaxDepth, DefaultMaxDepth)
	orDefault(&o.MaxParts, DefaultMaxParts)
	orDefault(&o.MaxHeader, DefaultMaxHeader)
	orDefault(&o.MaxHeaderLines, DefaultMaxHeaderLines)
	orDefault(&o.MaxLinks, DefaultMaxLinks)
	orDefault(&o.MaxAdded, DefaultMaxAdded)
	orDefault(&o.Timeout, DefaultTimeout)
	o.MaxMessage = min(o.MaxMessage, math.MaxInt32) // offsets are int on every machine
	if o.now == nil {
		o.now = time.Now
	}
	switch o.Bare {
	case BareWWW:
		o.Links.Bare = engine.BareWWW
	case BareAll:
		o.Links.Bare = engine.BareAll
	case BareNone:
		o.Links.Bare = engine.BareNone
	}
	o.Links.FileNames, o.Links.IRI = !o.LinkFileNames, false
	d, err := engine.New(o.Links)
	if err != nil {
		return nil, fmt.Errorf("mailfilter: %w", err)
	}
	f := &filter{
		o: o,
		html: htmlwalk.Options{
			Links: o.Links, LinkFileNames: o.LinkFileNames, WrapFileNames: o.WrapFileNames, Refuse: o.Refuse,
			Order: o.Order, Profile: display.Mail, Isolate: o.Isolate, Dir: o.Dir,
			Charset:  "utf-8",                                             // which a part is decoded to
			MaxToken: int(min(max(o.MaxPart+1, 64<<10)*4, math.MaxInt32)), // a part has no token that is too long
		},
	}
	if o.Plain == Isolate {
		f.detector = d
	}
	f.deadline = o.now().Add(o.Timeout)
	return f, nil
}

func orDefault[T int | int64 | time.Duration](v *T, d T) {
	if *v == 0 {
		*v = d
	}
}

// expired returns the error of the time limit if that is over.
func (f *filter) expired() error {
	if f.o.now().After(f.deadline) {
		return &LimitError{"milliseconds", f.o.Timeout.Milliseconds()}
	}
	return nil
}
