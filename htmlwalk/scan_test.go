// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sameTokens checks that the scanner finds the tokens of the tokenizer. The bits of how are what they are told: whether there are CDATA
// sections, and whether, after every other start tag, no raw text follows.
func sameTokens(t *testing.T, doc string, how uint8) {
	t.Helper()
	for _, r := range []io.Reader{strings.NewReader(doc), iotest.OneByteReader(strings.NewReader(doc)), nil} {
		z := html.NewTokenizer(strings.NewReader(doc))
		s := newBytesScanner([]byte(doc))
		if r != nil {
			s = newScanner(r, defaultMaxToken, nil)
			s.buf = make([]byte, 0, 1+how>>4)
		}
		at, keep := 0, 0
		for i := uint8(0); ; i++ {
			cdata := how&1 != 0 && (how&2 == 0 || i&2 == 0)
			z.AllowCDATA(cdata)
			s.AllowCDATA(cdata)
			tt, raw := z.Next(), bytes.Clone(z.Raw())
			if got := s.Next(keep); got != tt || !bytes.Equal(s.Raw(), raw) {
				t.Fatalf("%q, %b: at %d, %v %q, want %v %q", doc, how, at, got, s.Raw(), tt, raw)
			}
			if n := strings.Count(doc[:at], "\n"); s.newlines() != n {
				t.Fatalf("%q: %d newlines before %d, want %d", doc, s.newlines(), at, n)
			}
			if string(s.Kept(keep)) != doc[at-keep:at] {
				t.Fatalf("%q: kept %q, want %q", doc, s.Kept(keep), doc[at-keep:at])
			}
			at += len(raw)
			if keep += len(raw); i%3 == 0 {
				keep = 0
			}
			if tt == html.ErrorToken {
				if at != len(doc) || len(s.Buffered()) > 0 || s.Err() != io.EOF {
					t.Fatalf("%q: ends at %d with %v, and %q left", doc, at, s.Err(), s.Buffered())
				}
				break
			}
			if tt == html.StartTagToken && how&4 != 0 && (how&8 == 0 || i&1 == 0) {
				z.NextIsNotRawText()
				s.NextIsNotRawText()
			}
		}
	}
}

var tokenTests = []string{
	"", "<", "</", "<!", "<?", "a<", "a</", "a</>b", "</ a>b", "<!->b", "<!>b", "<!-->b", "<!--->b", "<!---->b", "<!--a--!>b", "<!--a--!->--!b-->c", "<!---!>-->", "<!--",
	"<!doctype>x", "<!DOCTYPE\n html>x", "<!doctyp>x", "<!doctype", "<![CDATA[a>b]]>c", "<![CDATA[a]>]]", "<![CDATA[]]]>", "<![CDAT", "<?x>y", "< a>", "<<a>", "<1>",
	"<p a=/>", "<p a=b/ >", "<p a/>", "<p a=x a=/>", "<p b=1 a=x A=/>", "<p/>", "<p / / a = 'x>' b=\">\"c=>", "<p =a==b '>", "<p a='>", "</p a='>'>x", "</p a='", "<p a=b",
	"<title>a<b></titl></TITLE >c", "<title></title>", "<title/>x</title>", "<title>", "<textarea>x</textarea", "<plaintext>a</plaintext>", "<noscript><p></noscript>", "<noembed><p></noembed><noframes>x</noframes>",
	"<nosomething><p>", "<style>a</style\f>", "<xmp><a></xmp>", "<iframe><a></iframe>", "<sty><a>",
	"<script>a</script>b", "<script><!--<script></script>--></script>x", "<script><!--<script></script></script>x", "<script><!--<script>--></script>x", "<script><!-- < <script></script>x",
	"<script><!--</scrip></script/>x", "<script><!--<scriptx></script>x", "<script><!-</script>", "<script><!<!--<script </script ></script >x", "<script><!--<script>-</-->x</script>",
	"<p dir=x\nrole=y>", "\n<\n</\n>\n",
}

func TestScanner(t *testing.T) {
	docs, err := treeTests()
	if err != nil {
		t.Log(err)
	}
	for _, doc := range append(docs, tokenTests...) {
		for how := range uint8(16) {
			sameTokens(t, doc, how|how<<4)
		}
	}
}

// TestScannerLimit checks that a token that is too long is told from one that is not, however the input comes.
func TestScannerLimit(t *testing.T) {
	const limit = 40
	for _, shape := range []struct{ front, rest, back string }{
		{"", "a", "<b>"}, {"<p ", "a", ">"}, {"<!--", "a", "-->"}, {"<", "?", ">"}, {"", "a", "</"}, {"", "a", "<"}, {"", "<", "<b>"}, {"", "a", ""}, {"<p ", "a", ""},
	} {
		for n := limit - 10; n < limit+40; n++ {
			doc := shape.front + strings.Repeat(shape.rest, n-len(shape.front)) + shape.back
			z := html.NewTokenizer(strings.NewReader(doc))
			z.Next()
			long := len(z.Raw()) >= limit
			for _, r := range []io.Reader{strings.NewReader(doc), iotest.OneByteReader(strings.NewReader(doc))} {
				s := newScanner(r, limit, nil)
				tt := s.Next(0)
				if got := s.Err() == html.ErrBufferExceeded; got != long || long && (tt != html.ErrorToken || string(s.Raw()) != doc[:limit]) {
					t.Errorf("%q: %v, %v %q", doc, s.Err(), tt, s.Raw())
				}
			}
		}
	}
}

// FuzzScanner compares the scanner with the tokenizer.
func FuzzScanner(f *testing.F) {
	for i, s := range tokenTests {
		f.Add(s, uint8(i))
	}
	f.Fuzz(sameTokens)
}

// TestHashes checks that each name of an element has a place of its own, and that what is known about it is right.
func TestHashes(t *testing.T) {
	n := 0
	for _, known := range knownTags() {
		if known.key == 0 {
			continue
		}
		n++
		name := known.element.name
		tag := []byte(name.String())
		if key, ok := shortName(tag, 0, len(tag)); !ok || key != known.key || known.element.kind != kindOf(name) || known.does != actionOf(name) {
			t.Errorf("%v: %+v", name, known)
		}
	}
	if n != len(commonNames) {
		t.Errorf("%d names have a place of their own, want %d", n, len(commonNames))
	}
	for _, name := range []atom.Atom{atom.Tbody, atom.Tr} {
		if kindOf(name) != tablePart {
			t.Errorf("%v: %b, want %b", name, tablePart, kindOf(name))
		}
	}
}
