// SPDX-License-Identifier: MIT

package display

import (
	"html"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"

	"github.com/bidilink/bidilink/engine"
)

// linkPieces are what random links are made of: every bidi class that matters, separators, brackets, escapes and controls.
var linkPieces = []string{
	"a", "b", "א", "ב", "ع", "غ", "1", "2", "٣", "٤", "۵", ".", "。", "/", "?", "=", "&", "#", ":", "@", "-", "+", "$", ",", ";", "!", "%", "(", ")", "[", "]", "«", "»", "<", ">", `"`, "'", `\`,
	"%20", "%31", "%d7", "%AB", "\u0300", "\u05b0", "\u200d", "\u00ad", "\u200e", "\u200f", "\u061c", "\u202a", "\u202b", "\u202c", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069",
	"\xff", "\xd7", "\x90", "\u00a0", "\u3000", "http://", "mailto:", "xmpp:", ".com", "&amp;", "&#x5d0;", "<b>", "\U0001e900", "\U00010e60",
}

// pieced returns a link for a row of bytes.
func pieced(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(linkPieces[int(s[i])%len(linkPieces)])
	}
	return b.String()
}

// escapedControls returns s with escapes for bidi controls.
func escapedControls(s string) string {
	return strings.NewReplacer("\u061c", "%D8%9C", "\u200e", "%E2%80%8E", "\u200f", "%E2%80%8F", "\u202a", "%E2%80%AA", "\u202b", "%E2%80%AB", "\u202c", "%E2%80%AC",
		"\u202d", "%E2%80%AD", "\u202e", "%E2%80%AE", "\u2066", "%E2%81%A6", "\u2067", "%E2%81%A7", "\u2068", "%E2%81%A8", "\u2069", "%E2%81%A9").Replace(s)
}

var (
	row          = regexp.MustCompile(`^(?:%[[:xdigit:]]{2})+$`)
	anEscape     = regexp.MustCompile(`%[[:xdigit:]]{2}`)
	tags         = regexp.MustCompile(`</?(?:bdi|span|a)(?: [^<>]*)?>`)
	tagsControls = strings.NewReplacer(`<bdi dir="ltr">`, "\u2066", `<bdi dir="rtl">`, "\u2067", "</bdi>", "\u2069", `<span dir="ltr">`, "\u2066", `<span dir="rtl">`, "\u2067", "</span>", "\u2069",
		`<a href="x">`, "", "</a>", "")
)

// checkFields checks that fields and separators are the text.
func checkFields(t *testing.T, text string, whole engine.Span, fields []Field, separators []string) {
	t.Helper()
	at := whole.Start
	for i, f := range fields {
		if f.Start < at || f.End < f.Start || i == 0 && f.Start != at || i > 0 && !slices.Contains(separators, text[at:f.Start]) {
			t.Fatalf("%+q: field %d is %v, after %d", text, i, f.Span, at)
		}
		if want := classesOf(f.In(text)); f.Classes != want {
			t.Errorf("%+q: field %d: classes %b, want %b", text, i, f.Classes, want)
		}
		at = f.End
	}
	if at != whole.End || len(fields) == 0 {
		t.Fatalf("%+q: %d fields end at %d", text, len(fields), at)
	}
}

// checkInner checks that inner isolates are fields, all that need one or none, and rows of escapes in one of them.
func checkInner(t *testing.T, text string, o Order, y Layout) {
	t.Helper()
	var against Classes = Right | Arabic
	if y.Dir == RTL {
		against |= Left | European | Escapes | Control
		against &^= Right
	}
	inner := y.Inner
	isolated, not := 0, 0
	for _, f := range y.Fields {
		if len(inner) > 0 && inner[0] == (Isolated{f.Span, y.Dir, false}) {
			isolated++
			inner = inner[1:]
			if f.Classes&against == 0 {
				t.Errorf("%+q, %s: field %+q has an isolate", text, o, f.In(text))
			}
		} else if f.Classes&against != 0 {
			not++
		}
		for at := f.Start; len(inner) > 0 && inner[0].Start < f.End; inner = inner[1:] {
			i := inner[0]
			if !i.Escapes || i.Dir != LTR || i.Start < at || i.End > f.End || !row.MatchString(escapedControls(i.In(text))) {
				t.Errorf("%+q, %s: isolate %+v of %+q", text, o, i, i.In(text))
			}
			at = i.End + 1 // two rows are not side by side
		}
	}
	if len(inner) != 0 || isolated > 0 && not > 0 || o == Embedding && len(y.Inner) > 0 {
		t.Errorf("%+q, %s: isolates %+v are left; %d fields have one, %d need one", text, o, inner, isolated, not)
	}
}

// ownVisual returns a field as it is displayed on its own: with its rows of escapes, in an isolate of the direction of the whole.
func ownVisual(text string, y Layout, f Field) string {
	var b strings.Builder
	at := f.Start
	for _, i := range y.Inner {
		if i.Escapes && i.Start >= f.Start && i.End <= f.End && i.Start < i.End {
			b.WriteString(escapedControls(text[at:i.Start]) + "\u2066" + escapedControls(i.In(text)) + "\u2069")
			at = i.End
		}
	}
	b.WriteString(escapedControls(text[at:f.End]))
	return Visual(b.String(), y.Dir)
}

// fieldByField returns what the definition of every order but Embedding says that a reader sees.
func fieldByField(text string, y Layout) string {
	var parts []string
	at := y.Start
	for _, f := range y.Fields {
		separator := []rune(text[at:f.Start])
		if y.Dir == RTL {
			slices.Reverse(separator)
		}
		parts = append(parts, string(separator), ownVisual(text, y, f))
		at = f.End
	}
	if y.Dir == RTL {
		slices.Reverse(parts)
	}
	return strings.Join(parts, "")
}

// checkLayout checks everything that is written with a layout.
func checkLayout(t *testing.T, text string, o Order, y Layout) {
	t.Helper()
	checkInner(t, text, o, y)
	checkEmbeds(t, text, y)
	shown := escapedControls(text[y.Start:y.End])
	visual := y.Visual(text)
	if o != Embedding {
		if want := fieldByField(text, y); visual != want {
			t.Errorf("%+q, %s, %s: displayed as\n%+q, field by field\n%+q", text, o, y.Dir, visual, want)
		}
		if got, want := len(anEscape.FindAllString(visual, -1)), len(anEscape.FindAllString(shown, -1)); got < want {
			t.Errorf("%+q, %s, %s: displayed as\n%+q, with %d of %d escapes", text, o, y.Dir, visual, got, want)
		}
	} else if want := Visual(shown, LTR); visual != want {
		t.Errorf("%+q, %s: displayed as\n%+q, in left-to-right text\n%+q", text, o, visual, want)
	}
	for _, p := range []Profile{Web, Mail} {
		h := string(y.AppendHTML(nil, text, "x", p))
		if got := html.UnescapeString(tags.ReplaceAllString(h, "")); got != html.UnescapeString(html.EscapeString(shown)) {
			t.Errorf("%+q, %s, %s: %+q has the text %+q", text, o, p, h, got)
		}
		for _, around := range []Direction{LTR, RTL} {
			if got := Visual(html.UnescapeString(tagsControls.Replace(h)), around); got != visual {
				t.Errorf("%+q, %s, %s: %+q is displayed in %s as\n%+q, want\n%+q", text, o, p, h, around, got, visual)
			}
		}
	}
	for _, c := range []Controls{Isolates, Embeddings} {
		if c == Embeddings && !embeddingsEqual(text, y) {
			continue
		}
		written := string(y.AppendControls(nil, text, c))
		for _, around := range []Direction{LTR, RTL} {
			if got := Visual(written, around); got != visual {
				t.Errorf("%+q, %s, controls %d: %+q is displayed in %s as\n%+q, want\n%+q", text, o, c, written, around, got, visual)
			}
		}
	}
}

// embeddingsEqual reports whether a layout is one that the controls Embeddings give as well, see there: without brackets, which pair
// from field to field, and with rows of escapes directly between right-to-left letters only.
func embeddingsEqual(text string, y Layout) bool {
	if len(y.Inner) == 0 {
		return true
	}
	if strings.ContainsFunc(y.In(text), func(r rune) bool { p, _ := bidi.LookupRune(r); return p.IsBracket() }) {
		return false
	}
	for _, i := range y.Inner {
		before, _ := utf8.DecodeLastRuneInString(text[:i.Start])
		after, _ := utf8.DecodeRuneInString(text[i.End:])
		if i.Escapes && !(RightToLeftText(string(before)) && RightToLeftText(string(after))) {
			return false
		}
	}
	return true
}

// checkParse checks that a string is rebuilt from its parts, and from its fields, if it is a link.
func checkParse(t *testing.T, s string) (engine.Link, bool) {
	t.Helper()
	l, ok := Parse(s)
	if !ok {
		if l != (engine.Link{}) {
			t.Errorf("%+q: no link, but %v", s, spans(l))
		}
		return l, false
	}
	var b strings.Builder
	for i, part := range spans(l)[1:] {
		if i == 2 && l.Host.Start > 0 && s[l.Host.Start-1] == '@' {
			b.WriteByte('@')
		}
		b.WriteString(part.In(s))
	}
	if b.String() != s || l.In(s) != s {
		t.Errorf("%+q: the parts are %+q", s, b.String())
	}
	checkFields(t, s, l.Span, AppendFields(nil, s, l), []string{"://", ":", "@", ".", "。", "．", "｡", "/", "?", "=", "&", "#"})
	return l, true
}

// checkOrders checks a string as a link and as a file name, in every order.
func checkOrders(t *testing.T, s string) {
	t.Helper()
	l, ok := checkParse(t, s)
	name := engine.Span{Start: 0, End: len(s)}
	checkFields(t, s, name, AppendFileFields(nil, s, name), []string{"/", `\`})
	for o := Constant; o <= TLD; o++ {
		for _, around := range []Direction{LTR, RTL} {
			if ok {
				checkLayout(t, s, o, o.Layout(s, l, around))
			}
			if !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
				checkLayout(t, s, o, o.FileLayout(s, name, around))
			}
		}
	}
}

// checkEmbeds compares what is known of a layout without the bidi algorithm with what the algorithm says. It returns what embeds does.
func checkEmbeds(t *testing.T, text string, y Layout) (is, known bool) {
	t.Helper()
	if is, known = y.embeds(text, Right|Arabic); !known {
		return
	}
	one, each := Layout{Span: y.Span, Dir: LTR}, Layout{Span: y.Span, Dir: LTR}
	for _, f := range y.Fields {
		if f.Classes&(Right|Arabic) != 0 {
			each.Inner = append(each.Inner, Isolated{f.Span, LTR, false})
		}
	}
	if got, want := one.Visual(text), each.Visual(text); is != (got == want) {
		t.Fatalf("%+q: embeds: %v, but as a whole it is %+q, with isolates %+q", y.In(text), is, got, want)
	}
	return
}

// TestEmbeds checks what is known without the bidi algorithm, on links where much is.
func TestEmbeds(t *testing.T) {
	pieces := []string{"a", "b", "1", "א", "ב", "ع", "א", "ב", "-", "_", "/", "/", "/", ".", "?", "=", "&", "#", "(", ")", "%20", "٣", "\u0300", "\u05b0", "\u202e", "。", "+", "$", ":", "@"}
	rnd := rand.New(rand.NewPCG(2, 85))
	count := map[[2]bool]int{}
	for i := range 20_000 {
		from := pieces
		if i%2 == 0 {
			from = []string{"a", "א", "ב", "ع", "א", "ב", "-", "/", "/", ".", "?", "1"}
		}
		s := "http://"
		for range 1 + rnd.IntN(9) {
			s += from[rnd.IntN(len(from))]
		}
		if l, ok := Parse(s); ok {
			y := Constant.Layout(s, l, LTR)
			is, known := checkEmbeds(t, s, y)
			count[[2]bool{is, known}]++
		}
	}
	if n := count[[2]bool{false, true}]; n < 300 || count[[2]bool{true, true}] < 300 {
		t.Errorf("%v", count)
	}
}

func TestLayoutRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 85))
	n := 400
	if testing.Short() {
		n = 200
	}
	for range n {
		b := make([]byte, 1+rnd.IntN(12))
		for i := range b {
			b[i] = byte(rnd.IntN(len(linkPieces)))
		}
		checkOrders(t, "http://"+pieced(string(b)))
		checkOrders(t, pieced(string(b)))
		if t.Failed() {
			return
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.b:80/x?y=z#w", "user@host", "mailto:a@b?c", "http://u:p@[::1]:80", "xmpp:a@b/c", "file:///x", "a:b", "。．｡"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkParse(t, s)
		checkParse(t, "http://"+s)
		checkParse(t, "mailto:"+s)
		checkParse(t, "x:"+s)
	})
}

func FuzzLayout(f *testing.F) {
	for _, c := range layoutTests {
		for _, script := range scripts {
			f.Add(script.of(shapeMarks.Replace(c.shape)), false)
		}
	}
	f.Add("http://a.b/א(ב/ג)ד", false)
	f.Add("http://«\u202b=%31[,\u05b0\u2067/a", false)
	f.Add("\x02\x0d\x03", true)
	f.Fuzz(func(t *testing.T, s string, pieces bool) {
		if pieces {
			s = pieced(s)
		}
		checkOrders(t, s)
	})
}
