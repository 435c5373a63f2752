// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"io"

	"golang.org/x/net/html"
)

// Tokens cut a document into tokens: HTML §13.2.5. There is our scanner, and as the reference the tokenizer of golang.org/x/net/html.
type tokens interface {
	// Next goes to the next token. The keep bytes before it stay in memory. At the end of the input, it returns an ErrorToken that is empty, or an unfinished tag;
	// where a token is too long, one with the beginning of it.
	Next(keep int) html.TokenType
	// Raw returns the current token. It is valid until the next call of Next.
	Raw() []byte
	// Kept returns the n bytes before the current token, and Last those before its end: no more than what was kept.
	Kept(n int) []byte
	Last(n int) []byte
	// Buffered returns what is read of the input and is behind the current token.
	Buffered() []byte
	// Err returns why there is no token: ErrBufferExceeded, or the error of the reader.
	Err() error

	AllowCDATA(is bool)
	NextIsNotRawText()

	// tag returns the end of the name in the current tag, and whether the tag may have an attribute that attributesOf looks for in all elements.
	tag() (nameEnd int, notable bool)
	// newlines returns the number of newlines before the current token.
	newlines() int
	// readAll reports whether all of the input is read.
	readAll() bool
}

// newTokens sets w.z to the tokens of what is in buf from an offset on, and then of what r gives: if buf is not nil, that is the input. It returns what they read.
func (w *walker) newTokens(r io.Reader, buf []byte, from int) io.Reader {
	if w.o.ReferenceScanner {
		r = io.MultiReader(bytes.NewReader(bytes.Clone(buf[from:])), r)
		w.z = newReference(r, w.o.MaxToken, &w.out)
		return r
	}
	w.scan = scanner{r: r, max: w.o.MaxToken, buf: buf, start: from, end: from, out: &w.out}
	if buf != nil {
		w.scan.err = w.in.err // nothing follows
	}
	w.z, w.quick = &w.scan, &w.scan
	return r
}

// tokensOf returns the tokens of a document that is in memory, and is not written to.
func (w *walker) tokensOf(b []byte) tokens {
	if w.o.ReferenceScanner {
		return newReference(bytes.NewReader(b), len(b)+1, nil)
	}
	return newBytesScanner(b)
}

// A reference has the tokens of html.Tokenizer.
type reference struct {
	z          *html.Tokenizer
	buf        []byte // the current token is in it, and what is kept before it
	start, end int
	lines      int     // newlines before what is in buf
	at         int     // the end of the name of a tag
	out        *output // has what it is given of buf passed before that moves; or nil
	max        int     // the token is to be shorter
	err        error
	r          *ended
}

// An ended reader knows whether it has ended.
type ended struct {
	io.Reader
	is bool
}

func (e *ended) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.is = e.is || err != nil
	return n, err
}

func newReference(r io.Reader, longest int, out *output) *reference {
	e := &ended{Reader: r}
	z := html.NewTokenizer(e)
	z.SetMaxBuf(longest + farthest) // it counts bytes behind the token, too
	return &reference{z: z, max: longest, r: e, out: out}
}

func (z *reference) Next(keep int) html.TokenType {
	z.start = z.end
	if z.start-keep > readSize {
		if z.out != nil {
			z.out.pass()
		}
		z.lines += bytes.Count(z.buf[:z.start-keep], []byte{'\n'})
		z.buf = append(z.buf[:0], z.buf[z.start-keep:]...)
		z.start = keep
	}
	tt := z.z.Next()
	raw := z.z.Raw()
	z.buf = append(z.buf, raw...)
	z.end = len(z.buf)
	z.err = z.z.Err()
	z.at = 0
	if len(raw) >= z.max {
		z.end = z.start + z.max
		z.err = html.ErrBufferExceeded
		return html.ErrorToken
	}
	switch tt {
	case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
		z.at = 1
		if tt == html.EndTagToken {
			z.at = 2
		}
		z.at += bytes.IndexAny(raw[z.at:], space+"/>")
	}
	return tt
}

func (z *reference) Raw() []byte        { return z.buf[z.start:z.end] }
func (z *reference) Kept(n int) []byte  { return z.buf[z.start-n : z.start] }
func (z *reference) Last(n int) []byte  { return z.buf[z.end-n : z.end] }
func (z *reference) Buffered() []byte   { return append(bytes.Clone(z.buf[z.end:]), z.z.Buffered()...) }
func (z *reference) Err() error         { return z.err }
func (z *reference) AllowCDATA(is bool) { z.z.AllowCDATA(is) }
func (z *reference) NextIsNotRawText()  { z.z.NextIsNotRawText() }
func (z *reference) tag() (int, bool)   { return z.at, true }
func (z *reference) readAll() bool      { return z.r.is }
func (z *reference) newlines() int      { return z.lines + bytes.Count(z.buf[:z.start], []byte{'\n'}) }

// tokenize returns a tokenizer that is at the token raw: it knows what is in it.
func tokenize(raw []byte) *html.Tokenizer {
	z := html.NewTokenizer(bytes.NewReader(raw))
	z.Next()
	return z
}
