// SPDX-License-Identifier: MIT

package engine

import (
	"iter"
	"unicode/utf8"
)

// A Detector finds links. It is immutable and safe for concurrent use.
type Detector struct {
	opts        Options
	colons      bool                // colons are triggers: hosts of one label, opaque schemes
	anyName     bool                // a host may end in something that is no known public suffix
	allBare     bool                // no host is refused for having no scheme
	schemesOnly bool                // only hosts with "://" before them are links
	schemes     []string            // the further schemes, lower case
	extra       map[string]struct{} // ExtraTLDs, A-label form
	excluded    map[string]struct{} // ExcludeTLDs, A-label form

	// For the tests, which compare: without plain.go, nextScheme and the fast ways of terminate, and without package scan.
	noPlain, noScan bool
}

// New checks and copies the options.
func New(o Options) (*Detector, error) {
	d := &Detector{opts: o}
	if err := d.compile(); err != nil {
		return nil, err
	}
	return d, nil
}

// Find returns the first link that starts at or after from, a byte offset into text between 0 and len(text).
// The text before from is context: it can forbid a link, but no link starts in it, and no link that
// starts in it is found in part; but an address may be, when from is inside its local part. An offset inside a code point
// counts as the end of that code point.
// All other ways of finding give what a loop over Find gives.
//
// It takes time linear in the length of the text between from and the end of the link, and allocates
// nothing unless a host is neither ASCII nor plain under IDNA.
func (d *Detector) Find(text string, from int) (Link, bool) {
	from = max(from, 0)
	for n := 1; n < utf8.UTFMax && from < len(text) && !utf8.RuneStart(text[from]); n++ {
		from++
	}
	f := finder{d: d, text: text, from: from, chunk: chunkOne}
	if !f.find() {
		return Link{}, false
	}
	return f.link, true
}

// Links yields the links of text in order.
func (d *Detector) Links(text string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		f := finder{d: d, text: text, chunk: chunkMany}
		for f.find() && yield(f.link) {
			f.from = f.link.End
		}
	}
}

// LinksBytes yields the links of b in order, with offsets into b. The bytes must not change meanwhile.
func (d *Detector) LinksBytes(b []byte) iter.Seq[Link] { return d.Links(bytesView(b)) }

// Segments yields the links of text and the gaps between them, which have the Kind None.
// No segment is empty, and their concatenation is text.
func (d *Detector) Segments(text string) iter.Seq[Link] {
	return func(yield func(Link) bool) {
		i := 0
		for l := range d.Links(text) {
			if i < l.Start && !yield(Link{Span: Span{i, l.Start}}) || !yield(l) {
				return
			}
			i = l.End
		}
		if i < len(text) {
			yield(Link{Span: Span{i, len(text)}})
		}
	}
}

// AppendLinks appends the links of text to dst.
func (d *Detector) AppendLinks(dst []Link, text string) []Link {
	for l := range d.Links(text) {
		dst = append(dst, l)
	}
	return dst
}

// A finder is one search, for one link or, with from moved to the end of each, for all of them.
type finder struct {
	d     *Detector
	text  string
	from  int  // no link starts before it
	taken int  // what lies before it belongs to a URL that is no link: an "@" there makes no address
	link  Link // what was found; anything until then
	steps int  // bytes and code points looked at, for the tests of linear growth

	// The block that was looked at last, see nextHit.
	hits    uint64 // what may be a trigger in it
	scanned int    // its end; 0 if there is none yet

	// The full stops of the block that was looked at last, see nextDot.
	dots   uint64 // those that may be triggers
	looked int    // its end

	// Where the characters end that may be of the host behind the last "://", see nextScheme.
	hostEnds int

	// The rare triggers ahead, see next.
	chunk       int  // how far to look ahead
	ahead       int  // the end of the chunk that was looked at
	bracket     int  // the first "[" behind "://" in it, or ahead
	ideographic int  // the first ideographic dot in it, or ahead
	lead        bool // ideographic is only where to look for one
}

// find finds the first link at or after f.from, and leaves it in f.link.
func (f *finder) find() bool {
	text := f.text
	for i := f.from; ; {
		p := f.next(i)
		f.steps += p - i + 1
		if p >= len(text) {
			return false
		}
		var ok bool
		switch text[p] {
		case '[':
			i, ok = f.ipv6(p)
		case ':':
			i, ok = f.colon(p)
		default:
			done := false
			if text[p] == '.' && !f.d.anyName && !f.d.noPlain {
				i, ok, done = f.plain(p)
			}
			if !done {
				i, ok = f.dot(p)
			}
		}
		if !ok {
			continue
		}
		if f.d.opts.MaxLength == 0 || f.link.Len() <= f.d.opts.MaxLength {
			return true
		}
		// Nothing in it is a link. It may end before p, so that it would be found again if links could still start in it.
		i = f.link.End
		f.from = i
	}
}
