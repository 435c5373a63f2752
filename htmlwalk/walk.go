// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// Rewrite copies the HTML document or fragment in r to w and makes links of what is one in its text. The
// fragment is one that stands in the body, or in the element that the options name.
//
// It fails with [ErrEncoding] or [ErrBinary] before it has written anything, if r cannot be HTML that it can read; with
// the error of w; with the error of r after it has written what it read; with one that wraps [ErrDifferent], if Options.Verify is set and there is more of a
// difference than links: then it has written the input; and if the options are wrong.
//
// For many documents with the same options, [New] prepares these once.
func Rewrite(w io.Writer, r io.Reader, o Options) (Stats, error) {
	return rewrite(w, r, o, nil, nil)
}

// rewrite is Rewrite. It reports the insertions to record, unless nil, in order, and finds links with find, unless nil.
func rewrite(w io.Writer, r io.Reader, o Options, find finder, record func(edit)) (Stats, error) {
	rw, err := New(o)
	if err != nil {
		return Stats{}, err
	}
	return rw.rewrite(w, r, find, record)
}

// A Rewriter is [Rewrite] with options that are checked and prepared: so a small document takes less time. It does not change, and is safe for concurrent
// use, as far as the Link of its options is.
type Rewriter struct {
	o          Options
	find       *engine.Detector
	selection  selection
	attributes []byte   // that each anchor has, as they are written
	schemes    []string // that addresses may have
}

// New checks and copies the options. It fails if they are wrong.
func New(o Options) (*Rewriter, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	rw := &Rewriter{}
	if rw.selection, err = newSelection(&o); err != nil {
		return nil, err
	}
	if rw.find, err = engine.New(o.Links); err != nil {
		return nil, fmt.Errorf("htmlwalk: %w", err)
	}
	if o.Attributes, err = o.checkAttributes(); err != nil {
		return nil, err
	}
	rw.o = o
	rw.attributes = appendAttributes(nil, o.Attributes, nil)
	for _, s := range o.Links.Schemes {
		rw.schemes = append(rw.schemes, strings.ToLower(s))
	}
	rw.schemes = append(rw.schemes, "http", "https", "mailto")
	return rw, nil
}

// Rewrite is the function [Rewrite] with the options of rw.
func (rw *Rewriter) Rewrite(w io.Writer, r io.Reader) (Stats, error) {
	return rw.rewrite(w, r, nil, nil)
}

// rewrite is Rewrite. It reports the insertions to record, unless nil, in order, and finds links with find, unless nil.
func (rw *Rewriter) rewrite(w io.Writer, r io.Reader, find finder, record func(edit)) (Stats, error) {
	if rw.o.Verify {
		return rw.verified(w, r, find, record)
	}
	walk, err := rw.newWalker(w, r, find, record)
	if err != nil {
		return Stats{}, err
	}
	stats, err := walk.document()
	walk.release() // but not after a panic, of the hook
	return stats, err
}

// Append appends the document doc to dst as [Rewriter.Rewrite] writes it. It takes less time than that, as it has the document in memory already: doc must not change
// meanwhile, nor be in the room behind dst. Where Rewrite fails, it fails with the same error, and returns dst as it is, unless Rewrite has written the input.
func (rw *Rewriter) Append(dst, doc []byte) ([]byte, Stats, error) {
	if rw.o.Verify {
		out := bytes.NewBuffer(dst)
		stats, err := rw.Rewrite(out, bytes.NewReader(doc))
		return out.Bytes(), stats, err
	}
	walk, err := rw.walkerOf(nil, doc, nil)
	if err != nil {
		return dst, Stats{}, err
	}
	own := walk.out.buf
	walk.out.buf, walk.out.whole = slices.Grow(dst, len(doc)+len(doc)/8), true
	stats, err := walk.document()
	dst = walk.out.buf
	walk.out.buf = own
	walk.release()
	return dst, stats, err
}

// Walkers are used again with their buffers. Most documents need no others.
var walkers = sync.Pool{New: func() any {
	return &walker{buffer: make([]byte, 2*readSize), known: knownTags(), seen: new([64]seenTag), root: new(parser), pool: new(pool)}
}}

// reset leaves nothing of a walker but what is empty, or holds for all documents.
func (w *walker) reset() {
	const (
		most     = 64 << 10 // bytes of a buffer that is kept
		mostKeys = 100
	)
	if w.root.profiles == everyProfile {
		w.root.cut(1) // to the pool
	}
	kept := walker{
		buffer: w.buffer, known: w.known, seen: w.seen, root: w.root, pool: w.pool, others: w.others, attrs: w.attrs, doctypes: w.doctypes,
		out:     output{buf: keep(w.out.buf, most), spare: keep(w.out.spare, most), slots: keep(w.out.slots, most/slotSize), ways: keep(w.out.ways, most/slotSize)},
		before:  w.before[:0],
		pending: pending{holes: keep(w.pending.holes, most), before: w.pending.before[:0]},
		run:     run{refs: keep(w.run.refs, most), buf: keep(w.run.buf, most)},
		links:   keep(w.links, most/slotSize), simpleLinks: keep(w.simpleLinks, most/slotSize), both: keep(w.both, most/slotSize), edits: keep(w.edits, most),
		noscript: keep(w.noscript, most), href: keep(w.href, most), tags: keep(w.tags, most), word: keep(w.word, most),
		rendered: w.rendered,
	}
	kept.rendered.reset()
	if cap(kept.rendered.text) > most || cap(kept.rendered.edits) > most {
		kept.rendered = renderings{}
	}
	if len(kept.others) > mostKeys {
		kept.others = nil
	}
	if len(kept.attrs) > mostKeys {
		kept.attrs = nil
	}
	*w = kept
}

// keep returns a slice without its elements, or nil if it has room for more of them than some number.
func keep[T any](s []T, most int) []T {
	if cap(s) > most {
		return nil
	}
	return s[:0]
}

// release gives back the walker. Nobody may have a part of its buffers.
func (w *walker) release() {
	w.reset()
	if unused != nil {
		for _, b := range [][]byte{w.buffer, w.out.buf[:cap(w.out.buf)], w.run.buf[:cap(w.run.buf)], w.tags[:cap(w.tags)]} {
			for i := range b[:min(len(b), readSize/4)] {
				b[i] = '<'
			}
		}
	}
	walkers.Put(w)
}

// newWalker returns a walker for one document. It has looked at the beginning of that.
func newWalker(w io.Writer, r io.Reader, o Options, find finder, record func(edit)) (*walker, error) {
	rw, err := New(o)
	if err != nil {
		return nil, err
	}
	return rw.newWalker(w, r, find, record)
}

func (rw *Rewriter) newWalker(w io.Writer, r io.Reader, find finder, record func(edit)) (*walker, error) {
	walk := walkers.Get().(*walker)
	in := &walk.input
	in.r = r
	head := walk.buffer[:sniffed]
	n, _ := io.ReadFull(in, head) // the error is kept in in
	return walk, rw.begin(walk, head[:n], w, find, record)
}

// walkerOf is newWalker for a document in memory.
func (rw *Rewriter) walkerOf(w io.Writer, doc []byte, record func(edit)) (*walker, error) {
	walk := walkers.Get().(*walker)
	walk.input = input{n: int64(len(doc)), err: io.EOF}
	err := rw.begin(walk, doc, w, nil, record)
	if err == nil && !walk.isUTF8 {
		walk.input.escapes = bytes.IndexByte(doc, 0x1b) >= 0
	}
	return walk, err
}

// begin prepares a walker for a document, what is read of which is in head. If it fails, it has released the walker.
func (rw *Rewriter) begin(walk *walker, head []byte, w io.Writer, find finder, record func(edit)) error {
	label, isUTF8, err := sniff(head[:min(len(head), sniffed)], rw.o.Charset, rw.o.XHTML)
	if err != nil {
		walk.release()
		return err
	}
	walk.o, walk.find, walk.own = rw.o, find, find == nil
	if find == nil {
		walk.find = rw.find
	}
	walk.detector = rw.find
	walk.simple = walk.own && rw.o.Link == nil && rw.o.Refuse == 0 && !rw.o.WrapFileNames && rw.o.Order != display.Environment
	walk.out.w, walk.out.record, walk.out.limit = w, record, rw.o.MaxToken
	walk.in, walk.head, walk.label, walk.isUTF8 = &walk.input, head, label, isUTF8
	walk.selection, walk.attributes, walk.schemes = rw.selection, rw.attributes, rw.schemes
	walk.root.begin(rw.o.MaxDepth, walk.pool)
	walk.parsers = append(walk.fewParsers[:0], walk.root)
	if rw.o.Context != "" {
		walk.root.fragment(rw.o.Context)
		walk.place = inTheBody
	}
	walk.blocks = rw.o.Isolate == display.IsolateAuto || rw.o.Order == display.Environment
	return nil
}

// An input reads the document and remembers the error that ended it.
type input struct {
	r   io.Reader
	n   int64
	err error

	escapes bool // it holds an escape character; of a document in memory that says it is in UTF-8, nobody asks
}

func (in *input) Read(p []byte) (int, error) {
	if in.err != nil {
		return 0, in.err
	}
	for range 100 {
		n, err := in.r.Read(p)
		in.n += int64(n)
		in.err = err
		in.escapes = in.escapes || bytes.IndexByte(p[:n], 0x1b) >= 0
		if n > 0 || err != nil {
			return n, err
		}
	}
	in.err = io.ErrNoProgress
	return 0, in.err
}

// broken reports whether the input ended otherwise than it should.
func (in *input) broken() bool { return in.err != nil && in.err != io.EOF }

// A place is a part of the document, as far as what is written tells: without a head tag, there is no inTheHead.
type place uint8

const (
	beforeDoctype place = iota // only comments and white space so far
	beforeTheHead
	inTheHead
	inTheBody
)

// A walker goes through one document. Every byte of a token is given to the output before the next token is read, or
// is in the pending run.
type walker struct {
	o        Options
	find     finder
	own      bool             // find is our engine
	detector *engine.Detector // our engine
	simple   bool             // all that is written into a text of ASCII is anchors, as they are found, and isolates
	head     []byte           // the beginning of the document, the rest of which is in in: the beginning of buffer, or all that somebody has in memory
	label    string           // of the encoding that it says it is in, or "": UTF-8
	isUTF8   bool             // something says so
	legacy   *legacy          // that it is in, or nil: UTF-8
	in       *input
	out      output
	z        tokens
	quick    *scanner // z, if the walker may look into it: see skim
	stats    Stats

	trace   func(tt html.TokenType, end int64) // if not nil, is told of each token and where it ends in the input: for tests
	offset  int64                              // of the current token in the input
	dropped int                                // newlines between offset and the current token, in a run that was dropped
	parsers []*parser                          // at least one; the first decides about what is but display
	place   place
	rawText atom.Atom // the raw text element that is open, or 0
	cdata   bool      // the tokenizer is to find CDATA sections
	opened  *element  // the element whose start tag is the last token, or nil
	made    int       // anchors, those of the input among them
	full    bool      // there would be more than the limit

	blocks     bool     // it matters what else is in the block of a link
	attributes []byte   // that each anchor has, as they are written
	schemes    []string // that addresses may have

	selection selection
	autos     bool // there was an element whose direction is that of its first letter
	directed  bool // there was an element that gives a direction
	block     block

	pending pending // the run that is read, but not yet written
	before  []byte  // the last character of the text so far, if nothing stands between it and the next; not white space

	// Buffers.
	buffer      []byte
	known       *[512]knownTag
	seen        *[64]seenTag // by a hash of the name; this holds for all documents
	root        *parser      // the first
	fewParsers  [1]*parser
	input       input
	scan        scanner
	pool        *pool            // of elements
	others      map[string]*more // for names that atom does not know
	attrs       map[string]*more // for formatting elements with attributes
	doctypes    map[string]bool  // whether they leave quirks mode off; this holds for all documents
	noscript    []byte           // the content of the noscript element that is open
	run         run              // the pending run, decoded
	links       []anchor         // in it
	simpleLinks []simpleLink     // the same, where they are simple
	both        []anchor         // and its file names
	edits       []display.Edit   // in one of them
	rendered    renderings       // those that are not written yet, and some that are
	href        []byte
	existing    bool   // the run is in an anchor of the input
	tags        []byte // start tags of the anchors
	shown       string // the text of the run, for the hook; or empty
	word        []byte // the character before a run, and its first word
}

// A pending run is a text that may go on, as wbr tags do not end it: they are in it. The stack does not change while it lasts,
// but for formatting elements that are opened again after NUL characters.
type pending struct {
	raw    []byte   // empty if there is no run; it is what stands before the current token in the buffer of the scanner
	holes  []hole   // the wbr tags, in order
	offset int64    // in the input
	opened *element // the element that begins with the run, or nil
	first  int      // before it, there is no byte that a link has: see nextLinkByte
	before []byte   // the character that stands directly before the run, if only tags of phrasing or comments lie between
}

// open reports whether a text that follows belongs to the run: it ends with a wbr tag.
func (p *pending) open() bool {
	return len(p.holes) > 0 && p.holes[len(p.holes)-1].end == len(p.raw)
}

// document walks the document.
func (w *walker) document() (Stats, error) {
	head := w.head
	if bom := []byte(utf8BOM); bytes.HasPrefix(head, bom) {
		// A decoder drops it: the tokenizer must not take it for text.
		w.out.Write(bom)
		head = head[len(bom):]
		w.offset = int64(len(bom))
	}
	if !w.o.XHTML && isXML(head) {
		return w.copyRest(XML, head, w.in)
	}
	rest := io.Reader(w.in)
	if w.label == "" {
		rest = w.newTokens(rest, w.head, len(w.head)-len(head))
	} else {
		var reason Reason
		if rest, reason = w.choose(io.MultiReader(bytes.NewReader(head), w.in)); reason != NotCopied {
			return w.copyRest(reason, nil, rest)
		}
		rest = w.newTokens(rest, nil, 0)
	}
	for {
		if w.quick != nil && w.maySkim() {
			reason := w.skim()
			if reason != NotCopied {
				w.stats.Copied = Copied{reason, w.line(), w.offset}
				w.offset += int64(len(w.z.Raw()))
				return w.copyRest(NotCopied, w.z.Buffered(), rest)
			}
		}
		tt := w.z.Next(len(w.pending.raw))
		raw := w.z.Raw()
		if w.trace != nil {
			w.trace(tt, w.offset+int64(len(raw)))
		}
		if n := len(w.pending.raw); n > 0 {
			w.pending.raw = w.z.Kept(n)
		}
		if tt == html.ErrorToken {
			// The rest is the unfinished token, and what follows if it got too long.
			reason := NotCopied
			if w.z.Err() == html.ErrBufferExceeded {
				reason = TokenLimit
				w.limit(raw)
			} else {
				w.endRun(tt, raw)
				if w.full {
					reason = LinkLimit
				}
			}
			w.out.Write(raw)
			return w.copyRest(reason, w.z.Buffered(), rest)
		}
		reason := w.token(tt, raw)
		if reason != NotCopied {
			w.dropRun()
			w.stats.Copied = Copied{reason, w.line(), w.offset}
		}
		w.offset += int64(len(raw))
		if reason != NotCopied {
			return w.copyRest(NotCopied, w.z.Buffered(), rest)
		}
		if w.out.err != nil {
			return w.finish()
		}
	}
}

// copyRest copies what is left of the document, what is read of it and the rest, for a reason unless that is NotCopied.
func (w *walker) copyRest(reason Reason, read []byte, rest io.Reader) (Stats, error) {
	if reason != NotCopied {
		w.stats.Copied = Copied{reason, w.line(), w.offset}
	}
	w.out.settle(w.block.rtl)
	w.out.Write(read)
	if w.z == nil || !w.z.readAll() {
		w.out.copy(rest) // w.out and w.in keep the errors, each its own
	}
	return w.finish()
}

// line returns the line that offset is in, from 1.
func (w *walker) line() int {
	if w.z == nil {
		return 1
	}
	return 1 + w.z.newlines() - w.dropped
}

// finish writes out what is buffered.
func (w *walker) finish() (Stats, error) {
	w.stats.Bytes, w.stats.Isolated = w.in.n, w.out.isolated
	if err := w.out.Flush(); err != nil {
		return w.stats, fmt.Errorf("htmlwalk: writing: %w", err)
	}
	if w.in.broken() {
		return w.stats, fmt.Errorf("htmlwalk: reading: %w", w.in.err)
	}
	return w.stats, nil
}

// token writes one token and follows what it does. It returns why the document cannot be followed further.
func (w *walker) token(tt html.TokenType, raw []byte) Reason {
	if w.in.escapes && !w.isUTF8 && designates(raw) {
		// What is before the token is the same in all encodings. A text that may go on in it is not.
		if w.pending.open() || tt != html.TextToken && isWbr(raw) {
			w.dropRun()
		}
		w.endRun(tt, raw)
		w.out.Write(raw)
		if w.full {
			return LinkLimit
		}
		return Charset
	}
	opened := w.opened
	w.opened = nil
	if len(w.pending.raw) > 0 && tt != html.TextToken {
		if !isWbr(raw) {
			if w.endRun(tt, raw); w.full {
				w.out.Write(raw)
				return LinkLimit
			}
		} else if reason := w.extendRun(raw, true); reason != NotCopied {
			return reason
		}
	}
	switch tt {
	case html.TextToken:
		return w.text(raw, opened)
	case html.StartTagToken, html.SelfClosingTagToken: // HTML elements do not close themselves
		w.endBlock(raw)
		if len(w.pending.raw) == 0 {
			w.out.Write(raw)
		}
		return w.startTag(tt, raw)
	case html.EndTagToken:
		w.endBlock(raw)
		if len(w.pending.raw) == 0 {
			w.out.Write(raw)
		}
		return w.endTag(raw)
	case html.DoctypeToken:
		w.out.Write(raw)
		if w.place == beforeDoctype {
			noQuirks := w.noQuirks(raw)
			for _, p := range w.parsers {
				p.doctype(noQuirks)
			}
			w.place = beforeTheHead
		}
	case html.CommentToken:
		w.out.Write(raw)
		if bytes.HasPrefix(raw, []byte(cdataStart)) && anyForeign(w.parsers) {
			return CDATA
		}
	}
	return NotCopied
}

// noQuirks reports whether a doctype leaves quirks mode off.
func (w *walker) noQuirks(raw []byte) bool {
	if strings.EqualFold(bytesView(raw), "<!doctype html>") {
		return true
	}
	is, ok := w.doctypes[string(raw)]
	if !ok {
		whole := string(raw)
		is = !quirks(whole, string(tokenize(raw).Text()))
		if w.doctypes == nil {
			w.doctypes = map[string]bool{}
		}
		if len(w.doctypes) < 100 && len(whole) < 1000 {
			w.doctypes[whole] = is
		}
	}
	return is
}

// text takes up a text token: into the run, or to the output. The token before it opened an element, unless that is nil.
func (w *walker) text(raw []byte, opened *element) Reason {
	if w.rawText != 0 {
		w.out.Write(raw)
		if w.rawText == atom.Noscript {
			w.noscript = append(w.noscript[:0], raw...)
		}
		if w.rawText == atom.Script && hidesScript(raw) {
			return ScriptInner
		}
		return NotCopied
	}
	if raw[0] == '<' && bytes.HasPrefix(raw, []byte(cdataStart)) {
		// In foreign content: there are no links.
		w.endRun(html.TextToken, raw)
		w.out.Write(raw)
		if w.full {
			return LinkLimit
		}
		if w.maySplit(raw) {
			return CDATA
		}
		w.before = w.before[:0]
		return cdataTo(w.parsers, raw, opened)
	}
	if len(w.pending.raw) > 0 && (!w.pending.open() || w.legacy == nil && !utf8.RuneStart(raw[0])) {
		// In the latter case, what is no character in the document would become one.
		if w.endRun(html.TextToken, raw); w.full {
			w.out.Write(raw)
			return LinkLimit
		}
	}
	kind, nul := classify(raw)
	if kind == solid && w.place < inTheHead {
		w.place = inTheBody
	}
	reason := textTo(w.parsers, raw, kind, nul, opened)
	switch {
	case reason != NotCopied:
		w.dropRun()
		w.out.Write(raw)
		return reason
	case len(w.pending.raw) > 0:
		return w.extendRun(raw, false)
	case kind == blank, w.place == inTheHead:
		w.out.Write(raw)
		w.before = w.before[:0]
	default:
		w.pending.raw = raw
		w.pending.offset, w.pending.opened = w.offset, opened
		w.pending.before = append(w.pending.before, w.before...)
	}
	return NotCopied
}

// extendRun appends a text or a wbr tag to the run.
func (w *walker) extendRun(raw []byte, isHole bool) Reason {
	if len(w.pending.raw)+len(raw) >= w.o.MaxToken {
		w.dropRun()
		w.out.Write(raw)
		return TokenLimit
	}
	if isHole {
		w.pending.holes = append(w.pending.holes, hole{len(w.pending.raw), len(w.pending.raw) + len(raw)})
	}
	w.pending.raw = w.z.Last(len(w.pending.raw) + len(raw))
	return NotCopied
}

// endRun writes the run with its links. The token that follows it is not part of it.
func (w *walker) endRun(tt html.TokenType, raw []byte) {
	if len(w.pending.raw) == 0 {
		return
	}
	w.writePending(couldHoldLink(bytesView(w.pending.raw)), tt, raw)
	text := w.pending.raw
	for len(w.pending.holes) > 0 && w.pending.open() {
		last := len(w.pending.holes) - 1
		text, w.pending.holes = w.pending.raw[:w.pending.holes[last].start], w.pending.holes[:last]
		w.pending.raw = text
	}
	for len(text) > 0 && text[len(text)-1] == 0 {
		text = text[:len(text)-1]
	}
	if len(text) > 0 {
		if w.legacy != nil {
			w.word = w.legacy.append(w.word[:0], bytesView(text))
			text = w.word
		}
		w.before = appendLastCharacter(w.before[:0], text)
	}
	w.clearRun()
}

// writePending writes the run, with its links if it may hold some, for endRun.
func (w *walker) writePending(linkable bool, tt html.TokenType, raw []byte) {
	if !linkable {
		if w.autos {
			w.seeRun(w.pending.raw) // there are no right-to-left letters
		}
		w.out.Write(w.pending.raw)
	} else if w.o.IsolateExisting && w.o.Isolate != display.IsolateNone && !w.in.broken() && w.mayIsolate() {
		w.existing = true
		w.writeRun(nil)
		w.existing = false
	} else if w.in.broken() || !w.mayLink() {
		w.seeRun(w.pending.raw)
		w.out.Write(w.pending.raw)
	} else {
		around := w.parsers[0].top()
		if around != w.pending.opened || tt != html.EndTagToken || !isTag(raw, "/"+around.name.String()) {
			around = nil
		}
		w.writeRun(around)
	}
}

// appendLastCharacter appends the last character of a text, decoded, unless it is white space.
func appendLastCharacter(dst, raw []byte) []byte {
	last := bytesView(raw)
	i := len(last) - 1
	if last[i] == ';' {
		i--
	}
	for i >= 0 && (isAlnum(last[i]) || last[i] == '#') {
		i--
	}
	if i >= 0 && last[i] == '&' {
		if text, n := decodeReference(last[i:]); n == len(last)-i {
			last = text
		}
	}
	if c := last[len(last)-1]; c < utf8.RuneSelf {
		if unicode.IsSpace(rune(c)) {
			return dst
		}
		return append(dst, c)
	}
	r, n := utf8.DecodeLastRuneInString(last)
	if unicode.IsSpace(r) {
		return dst
	}
	return append(dst, last[len(last)-n:]...)
}

// dropRun writes the run as it is, and goes back to its beginning: the document is copied from there on.
func (w *walker) dropRun() {
	if len(w.pending.raw) == 0 {
		return
	}
	w.out.Write(w.pending.raw)
	w.offset = w.pending.offset
	w.dropped = bytes.Count(w.pending.raw, []byte{'\n'})
	w.clearRun()
}

func (w *walker) clearRun() {
	p := &w.pending
	p.raw, p.holes, p.before, p.first = nil, p.holes[:0], p.before[:0], 0
	if p.opened != nil {
		p.opened = nil
	}
}

// limit writes what comes before a token that is too long, of which raw is the beginning: a run only as it is, if
// the token may belong to it.
func (w *walker) limit(raw []byte) {
	if w.pending.open() || isWbr(raw) || len(raw) < len("</wbr>") {
		w.dropRun()
	} else {
		w.endRun(html.ErrorToken, raw)
	}
}

// isWbr reports whether a token is a tag wbr, if it is a tag.
func isWbr(raw []byte) bool {
	if len(raw) < len("<wbr>") || raw[1]|0x20 != 'w' && raw[2]|0x20 != 'w' {
		return false
	}
	return isTag(raw, "wbr") || isTag(raw, "/wbr")
}

// isTag reports whether a token is a tag of this name, which begins with a slash if it is an end tag, if it is a tag.
func isTag(raw []byte, name string) bool {
	if len(raw) < len(name)+2 || raw[0] != '<' || !strings.EqualFold(bytesView(raw[1:len(name)+1]), name) {
		return false
	}
	switch raw[len(name)+1] {
	case ' ', '\t', '\n', '\f', '\r', '/', '>':
		return true
	}
	return false
}

// classify says what a text consists of, and whether it holds a NUL character, if it is not solid.
func classify(raw []byte) (k textKind, nul bool) {
	if c := raw[0]; c > ' ' && c != '&' {
		return solid, false
	}
	k = absent
	for len(raw) > 0 {
		c, n := raw[0], 1
		if c == '&' {
			s, length := decodeReference(bytesView(raw))
			if length > 0 {
				c, n = s[0], length
			}
		}
		switch c {
		case 0:
			nul = true
		case ' ', '\t', '\n', '\f', '\r':
			k = blank
		default:
			return solid, false
		}
		raw = raw[n:]
	}
	return k, nul
}

// couldHoldLink reports whether there is a byte in the text that a link has: a dot that ends neither a sentence nor a number, an @, a colon that no white space follows, or one that
// a character beyond ASCII or a character reference is written with, other than to those that hold no link together.
func couldHoldLink(raw string) bool {
	for i := 0; i < len(raw); i++ {
		for i+8 <= len(raw) {
			x := binary.LittleEndian.Uint64(bytesOf(raw)[i:])
			found := (x | hasByte(x, '.') | hasByte(x, ':') | hasByte(x, '@') | hasByte(x, '&')) & highBits
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
			break
		}
		if i == len(raw) {
			return false
		}
		switch c := raw[i]; {
		case c >= utf8.RuneSelf, c == '@', c == ':' && (i+1 == len(raw) || !isTagSpace(raw[i+1])):
			return true
		case c == '.':
			next := i + 1
			for next < len(raw) && '0' <= raw[next] && raw[next] <= '9' {
				next++
			}
			// A number is no top-level domain.
			switch {
			case next == len(raw), isTagSpace(raw[next]), next == i+1 && endsSentence(bytesOf(raw[next:])), next > i+1 && strings.IndexByte(behindNumber, raw[next]) >= 0:
			default:
				return true
			}
			i = next - 1
		case c == '&':
			n := commonReference(raw[i:])
			if n == 0 {
				return true
			}
			i += n - 1
		}
	}
	return false
}

const (
	lowBits  = 0x0101010101010101
	highBits = 0x80 * lowBits
)

// hasByte has the high bit of each byte of x set that is c, and perhaps some above the lowest of these.
func hasByte(x uint64, c byte) uint64 {
	x ^= uint64(c) * lowBits
	return (x - lowBits) &^ x
}

// hidesScript reports whether a script has a script tag in a comment. There the end of the script is not the first end tag.
// QUIRK: after "<!-- < ", golang.org/x/net/html takes the comment to be over (its scriptDataEscapedLessThanSign goes back to
// scriptData), and would find tags where a browser still reads the script.
func hidesScript(raw []byte) bool {
	i := bytes.Index(raw, []byte("<!--"))
	return i >= 0 && bytes.Contains(bytes.ToLower(raw[i:]), []byte("<script"))
}

// startTag follows the start tag that the tokenizer has just read.
func (w *walker) startTag(tt html.TokenType, raw []byte) Reason {
	e, bits := w.element(w.z, tt, raw, w.parsers)
	if w.legacyName(e.more) {
		return Charset
	}
	w.seeTag(e.kind)
	if e.name == atom.A {
		w.made++
	}
	if e.name == atom.Meta && w.offset >= sniffed {
		if label := charsetOfMeta(tokenize(raw), true); label != "" && (encodingOf(label) == unfitEncoding || encodingOf(label) == otherEncoding && w.label == "" && w.o.Charset == "") {
			return Charset
		}
	}
	if !w.parsers[0].inTemplates() {
		switch {
		case e.name == atom.Html:
			w.place = max(w.place, beforeTheHead)
		case e.name == atom.Head && w.place < inTheHead:
			w.place = inTheHead
		case w.place != inTheHead || !staysInHead(e.name):
			w.place = inTheBody
		}
	}
	switch e.name {
	case atom.Noscript:
		w.fork(scriptingOn)
		w.noscript = w.noscript[:0]
	case atom.Select:
		w.fork(newSelect)
	}
	w.seeDirection(e)
	raws := e.kind&rawContent != 0
	isRaw, reason := startIn(w.parsers, e, bits)
	if reason != NotCopied {
		return reason
	}
	if isRaw {
		w.rawText = e.name
	} else if raws {
		w.z.NextIsNotRawText()
	}
	if w.parsers[0].top() == e {
		w.opened = e
	} else if !e.kept {
		w.pool.put(e)
	}
	if len(w.parsers) > 1 {
		w.join()
	}
	w.allowCDATA()
	return NotCopied
}

// element reads a start tag.
func (w *walker) element(z tokens, tt html.TokenType, raw []byte, parsers []*parser) (*element, tagBits) {
	e := w.pool.get()
	end, notable := z.tag()
	e.name, e.kind, e.more = w.tagName(raw, len("<"), end)
	e.flags = flagsOf(e.kind)
	var bits tagBits
	ok := true
	if notable || e.name == atom.Font || e.name == atom.Input || e.name == atom.AnnotationXml {
		bits, ok = e.attributesOf(raw, end, len(raw))
	}
	selected := inherited
	if len(w.selection.skip)+len(w.selection.linkIn) > 0 {
		w.selection.apply(e, raw, end)
		selected = e.links
	}
	if e.kind&formatting != 0 && e.name != atom.A && len(raw) > end+1 {
		if w.legacy == nil {
			e.more = w.moreOf(raw[end:])
		} else {
			e.more = &more{attrs: w.legacy.decode(raw[end:])}
		}
	}
	if tt == html.SelfClosingTagToken {
		bits |= selfClosing
		if (e.name == atom.Svg || e.name == atom.Math || anyForeign(parsers)) && endsInValue(raw, end) {
			bits |= odd
		}
	}
	if (!ok || w.o.ReferenceScanner) && e.name != atom.Meta { // which is void, and read elsewhere
		bits = bits&(selfClosing|odd) | e.attributes(tokenize(raw))
		if selected != inherited {
			e.links = selected
		}
	}
	return e, bits
}

// moreOf returns what a formatting element with these attributes has.
func (w *walker) moreOf(attrs []byte) *more {
	m := w.attrs[string(attrs)]
	if m == nil {
		m = &more{attrs: string(attrs)}
		if len(w.attrs) < 1000 && len(attrs) < 1000 {
			if w.attrs == nil {
				w.attrs = map[string]*more{}
			}
			w.attrs[m.attrs] = m
		}
	}
	return m
}

// seeTag forgets the character before, unless the tag is of phrasing.
func (w *walker) seeTag(k kind) {
	if k&phrasing == 0 {
		w.before = w.before[:0]
	}
}

// endTag follows the end tag that the tokenizer has just read.
func (w *walker) endTag(raw []byte) Reason {
	if name := w.rawText; name != 0 {
		w.rawText = 0 // it is of no other element
		w.before = w.before[:0]
		if name == atom.Noscript {
			return w.endNoscript(raw)
		}
		return NotCopied
	}
	end, _ := w.z.tag()
	name, k, more := w.tagName(raw, len("</"), end)
	if w.legacyName(more) {
		return Charset
	}
	w.seeTag(k)
	if !w.parsers[0].inTemplates() {
		switch name {
		case atom.Head, atom.Body, atom.Html, atom.Br:
			// Other end tags are ignored before the body.
			w.place = inTheBody
		}
		w.place = max(w.place, beforeTheHead)
	}
	reason := endIn(w.parsers, name, more)
	if len(w.parsers) > 1 {
		w.join()
	}
	w.allowCDATA()
	return reason
}
