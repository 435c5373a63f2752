// SPDX-License-Identifier: MIT

package pri185

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/internal/hostname"
)

const (
	markOpen  = "⸠"
	markClose = "⸡"
)

// Options that find only structures of one kind, by the letter.
var (
	onlyIRI      = Options{Strict: true, NoEmail: true, NoFileName: true}
	onlyEmail    = Options{Strict: true, NoIRI: true, NoFileName: true}
	onlyFileName = Options{Strict: true, NoIRI: true, NoEmail: true}
)

func draft(o Options) Options { o.Draft = true; return o }

// mark puts marks around the matches in text.
func mark(text string, o Options) string {
	var b strings.Builder
	end := 0
	for m := range All(text, o) {
		b.WriteString(text[end:m.Start] + markOpen + m.In(text) + markClose)
		end = m.End
	}
	return b.String() + text[end:]
}

// check finds what is marked and nothing else.
func check(t *testing.T, o Options, marked string) {
	t.Helper()
	text := strings.NewReplacer(markOpen, "", markClose, "").Replace(marked)
	if got := mark(text, o); got != marked {
		t.Errorf("%+v\n got %+q\nwant %+q", o, got, marked)
	}
}

// Checklist of the issue, 0.1: a bidi_structure is an IRI, a file name or an e-mail address.
func TestStructure(t *testing.T) {
	const text = `see http://ab.cd/ef, a@b.com (דוח/א.txt)`
	var got []string
	for m := range All(text, Options{}) {
		got = append(got, fmt.Sprint(m.Kind, " ", m.In(text)))
	}
	want := []string{"iri http://ab.cd/ef", "email a@b.com", "filename דוח/א.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{NoIRI: true}, "see http://ab.cd/ef, ⸠a@b.com⸡ (⸠דוח/א.txt⸡)"},
		{Options{NoEmail: true}, "see ⸠http://ab.cd/ef⸡, a@⸠b.com⸡ (⸠דוח/א.txt⸡)"},
		{Options{NoFileName: true}, "see ⸠http://ab.cd/ef⸡, ⸠a@b.com⸡ (דוח/א.txt)"},
		{Options{NoIRI: true, NoEmail: true, NoFileName: true}, text},
		{Options{Strict: true}, "⸠see⸡ ⸠http://ab.cd/ef⸡, ⸠a@b.com⸡ (⸠דוח/א.txt⸡)"},
	} {
		check(t, c.o, c.want)
	}
}

// What begins first is found, then what is longest, then in the order of Kind.
func TestPrecedence(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want Kind
	}{
		{"http://a.com/b@c.com", Options{Strict: true}, IRI},
		{"a@b.com", Options{Strict: true}, Email},
		{"http://a@b.com", Options{Strict: true}, Email},
		{"http://a@b.com", onlyIRI, IRI},
		{"http://a:80/b", Options{Strict: true}, FileName},
		{"a.com/א", Options{}, IRI},
		{"א/a.com/א", Options{}, FileName},
	} {
		if m, ok := Find(c.text, 0, c.o); !ok || m.Kind != c.want || m.Start != 0 {
			t.Errorf("%s: %+v", c.text, m)
		}
	}
}

// 0.2 and 0.5: the parts of an IRI. They are listed with "|" between them.
func TestIRI(t *testing.T) {
	for _, parts := range []string{
		"http://|ab.cd", "http://|ab", "ab.com",
		"http://|ab.cd|/ef", "http://|ab.cd|/ef|?gh", "http://|ab.cd|/ef|?gh|#ij", "http://|ab.cd|/ef|#ij", "http://|ab.cd|?gh", "http://|ab.cd|?gh|#ij", "http://|ab.cd|#ij",
		"ab.com|/ef", "ab.com|/ef|?gh", "ab.com|/ef|?gh|#ij", "ab.com|/ef|#ij", "ab.com|?gh", "ab.com|?gh|#ij", "ab.com|#ij",
		// A path stops at "?" and "#", a query at "#", a fragment takes the rest.
		"ab.com|/e/f", "ab.com|/e|?f/g", "ab.com|?f?g/h", "ab.com|#f?g/h#i", "ab.com|/e|?f|#g?h#i", "ab.com|?|#x", "ab.com|/|?x", "ab.com|/|?|#x",
		"z39.50+a-b://|ab", "FTP://|ab|/c", "http://|אב.גד|/הו|?ז=ח|#ט",
	} {
		text := strings.ReplaceAll(parts, "|", "")
		m, ok := Find(text, 0, onlyIRI)
		if !ok || m.Kind != IRI {
			t.Errorf("%s: none", parts)
			continue
		}
		var got []string
		for _, s := range []engine.Span{m.Scheme, m.Domain, m.Path, m.Query, m.Fragment} {
			if !s.Empty() {
				got = append(got, s.In(text))
			}
		}
		if s := strings.Join(got, "|"); s != parts {
			t.Errorf("got %s, want %s", s, parts)
		}
	}
	for _, marked := range []string{
		"://ab", "http://", "http:// ab", "http:ab", "http:/ab", "http:///ab", "1://ab", "+://ab", "http", "/ab", "?ab", "#ab", "",
		"1⸠http://ab⸡", "я⸠http://ab⸡", "⸠http://ab⸡:80/cd", "⸠http://ab⸡@cd/", "http://.ab", "http://·", "⸠http://ab⸡..cd", "http://:/⸠ab.com⸡",
		"⸠http://ab⸡,⸠http://cd⸡", "⸠http://ab/,http://cd⸡", "foo_⸠adobe.com⸡", "⸠adobe.com⸡:80/x", "⸠a.com⸡,⸠b.com⸡",
	} {
		check(t, onlyIRI, marked)
	}
}

// 0.3: domains and the four dots.
func TestIDNSep(t *testing.T) {
	for _, sep := range []string{".", "．", "。", "｡"} {
		for _, marked := range []string{
			"⸠http://ab|cd⸡", "⸠http://a|b|c|d/ef⸡", "⸠ab|com⸡", "⸠a|b|com/ef⸡", "⸠a@b|com⸡",
			"⸠http://ab|/ef⸡", "⸠ab|com|/ef⸡", "⸠ab|com|?ef⸡", "⸠ab|com|#ef⸡", // the final one, where something follows
			"http://|ab", "|⸠ab|com⸡", "ab||com", "a@|b",
		} {
			o := onlyIRI
			if strings.Contains(marked, "@") {
				o = onlyEmail
			}
			check(t, o, strings.ReplaceAll(marked, "|", sep))
		}
	}
	// At the end of the domain, where nothing follows: only "." is an inclusionChar.
	for _, marked := range []string{"⸠http://ab.cd⸡. x", "⸠http://ab.cd．⸡ x", "⸠http://ab.cd。⸡ x", "⸠http://ab.cd｡⸡ x", "⸠ab.com。⸡", "⸠ab.com⸡.", "⸠ab.com。⸡。de", "⸠ab.com⸡..de"} {
		check(t, onlyIRI, marked)
	}
}

// 0.3: what stands in a label.
func TestLabelChar(t *testing.T) {
	for _, r := range "aZ09-é例אا٣ßς·・™☃₂\u00ad\u200c\u200d\u200b\ufe0f" {
		check(t, onlyIRI, "⸠http://a"+string(r)+"b/c⸡")
	}
	for _, r := range "_~$+=!%,:;@&*'\"\\()<>[]{}«»“”‘’†、！\u00a0\u0378\ue000\u0085" {
		check(t, onlyIRI, "⸠http://a⸡"+string(r)+"b/c")
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if labelChar(r) && (idnSep(r) || unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Z, unicode.Cc, unicode.Co)) {
			t.Errorf("%U is in a label", r)
		}
	}
}

// What IDNA has in a host is in a label, unless it terminates.
func TestLabelCharsOfIDNA(t *testing.T) {
	if hostname.IDNAVersion != unicode.Version {
		t.Skip("versions differ")
	}
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		valid := hostname.Classify("a"+string(r)+"b.com") >= hostname.Suffix
		if valid && !idnSep(r) && char(r) != labelChar(r) && hostname.Of(r)&hostname.Label == 0 {
			t.Errorf("%U: valid in a host, in a label: %v", r, labelChar(r))
		}
		if unicode.Is(ignored, r) && !valid {
			t.Errorf("%U is not ignored", r)
		}
	}
}

// 0.4: without a scheme, the last label is a TLD.
func TestTLD(t *testing.T) {
	for _, marked := range []string{
		"⸠adobe.com⸡", "foo.bar1", "⸠microsoft.com⸡", "⸠google.de⸡", "⸠a.b.c.COM⸡", "⸠a.co.uk⸡", "⸠a.ck⸡", "⸠президент.рф⸡", "⸠президент.xn--p1ai⸡", "⸠a.ｃｏｍ⸡",
		"⸠אתר.קום⸡", "⸠مثال.السعودية⸡", "com", ".com", "com.", "adobe.com.bar1", "adobe.com1", "1.2.3.4", "a.localhost", "a.test", "README.txt", "⸠readme.md⸡",
		"⸠http://foo.bar1⸡", "⸠http://localhost/x⸡", "⸠http://1.2.3.4/x⸡", "⸠adobe.com⸡ 👉", "⸠👉adobe.com⸡", "adobe.com™", "adobe.com—and", "“⸠adobe.com⸡”", "⸠adobe.com⸡、",
		"a." + strings.Repeat("m", 3000), "a.com" + strings.Repeat("\u00ad", 3000),
	} {
		check(t, onlyIRI, marked)
	}
}

// 0.6: one character of each class of char.
var chars = map[string]rune{
	"Lu": 'A', "Ll": 'я', "Lt": 'ǅ', "Lm": 'ー', "Lo": 'א', "Nd": '٣', "Nl": 'Ⅷ', "No": '²', "Mn": '\u0301', "Mc": '\u0903', "Me": '\u20dd',
	"Sm": '+', "Sc": '$', "Sk": '^', "So": '©', "Pd": '—', "Pc": '_', "Cf": '\u200e',
}

func TestChar(t *testing.T) {
	for class, r := range chars {
		if !unicode.Is(unicode.Categories[class], r) {
			t.Errorf("%U is not %s", r, class)
		}
		for _, marked := range []string{"⸠ab.com/x|y⸡", "⸠ab.com/x|⸡", "⸠ab.com?x|⸡", "⸠ab.com#|⸡", "⸠http://ab/|y⸡ z"} {
			check(t, onlyIRI, strings.ReplaceAll(marked, "|", string(r)))
		}
		check(t, onlyFileName, "⸠x"+string(r)+"⸡ ⸠"+string(r)+"y⸡")
		check(t, onlyEmail, "⸠"+string(r)+"@b.com⸡")
	}
	for _, r := range []rune{0xad, 0x200b, 0x200c, 0x2066, 0x2069, 0x061c, 0xfeff, 0xe0001} { // Cf is included, as in UTS #58 17.0
		check(t, onlyIRI, "⸠ab.com/x"+string(r)+"⸡")
	}
}

// 0.6: percent-encoded UTF-8 stays in its part, and so does what only looks like it.
func TestPercentEncoded(t *testing.T) {
	for _, marked := range []string{
		"⸠ab.com/%C3%A9⸡", "⸠ab.com/%D7%90%D7%91/x⸡", "⸠ab.com/%61⸡.", "⸠ab.com/x.%61⸡", "⸠ab.com/%F0%9F%91%89⸡", "⸠ab.com/%3C%20⸡>",
		"⸠ab.com/%FF⸡", "⸠ab.com/%C3⸡", "⸠ab.com/%zz⸡", "⸠ab.com/%4⸡", "⸠ab.com/x⸡%", "⸠ab.com/x⸡%%", "⸠ab.com/%%41⸡", "⸠ab.com⸡%41",
	} {
		check(t, onlyIRI, marked)
	}
	const text = "ab.com/a%3Fb%23c?d%23e#f"
	if m, _ := Find(text, 0, onlyIRI); m.Path.In(text) != "/a%3Fb%23c" || m.Query.In(text) != "?d%23e" {
		t.Errorf("%+v", m)
	}
}

// 0.7: each inclusionChar.
func TestInclusionChar(t *testing.T) {
	rows := []rune{'!', '"', '#', '%', '&', '\'', '*', ',', '.', '/', ':', ';', '?', '@', '\\', '¡', '·', '¿'}
	if len(rows) != 18 || string(rows) != inclusionChars {
		t.Fatalf("%q", rows)
	}
	for _, r := range rows {
		for _, marked := range []string{
			"⸠ab.com/x|y⸡", "⸠ab.com/x⸡|", "⸠ab.com/x⸡| y", "⸠ab.com/x⸡|(y", "⸠ab.com/x||y⸡", "⸠ab.com/x⸡||", "⸠ab.com/x|—⸡", "⸠ab.com?x|y⸡|", "⸠ab.com#x|y⸡|", "⸠http://ab/|x⸡|",
		} {
			check(t, onlyIRI, strings.ReplaceAll(marked, "|", string(r)))
			check(t, onlyFileName, strings.NewReplacer("|", string(r), "(y", "(⸠y⸡", " y", " ⸠y⸡").Replace(marked))
		}
		check(t, draft(onlyIRI), strings.ReplaceAll("⸠ab.com/x|⸡|", "|", string(r)))
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if inclusionChar(r) != slices.Contains(rows, r) {
			t.Errorf("%U", r)
		}
	}
	// All of them are the punctuation of Latin-1 that its category Po has, but for the two of TestLatin1.
	for _, r := range rows {
		if !unicode.Is(unicode.Po, r) {
			t.Errorf("%c is not Po", r)
		}
	}
}

// 0.8: the extra condition, as the issue has it and as its draft does.
func TestFinalInclusionChar(t *testing.T) {
	for _, c := range []struct {
		o              Options
		marked, drafts string
	}{
		{onlyIRI, "⸠abc.com/foo.bar⸡", "⸠abc.com/foo.bar⸡"},
		{onlyIRI, "⸠abc.com/foo⸡. other text", "⸠abc.com/foo⸡. other text"},
		{onlyIRI, "⸠abc.com/foo⸡!!", "⸠abc.com/foo!⸡!"},
		{onlyIRI, "⸠abc.com/foo⸡?!.", "⸠abc.com/foo?!⸡."},
		{onlyIRI, "⸠abc.com/foo!?x⸡", "⸠abc.com/foo!?x⸡"},
		{onlyIRI, "⸠abc.com/foo!!x⸡", "⸠abc.com/foo!!x⸡"},
		{onlyIRI, "⸠abc.com/foo⸡!)x", "⸠abc.com/foo⸡!)x"},
		{onlyIRI, "⸠abc.com⸡/", "⸠abc.com⸡/"},
		{onlyIRI, "⸠abc.com⸡//", "⸠abc.com/⸡/"},
		{onlyIRI, "⸠abc.com⸡/?", "⸠abc.com/⸡?"},
		{onlyIRI, "⸠abc.com⸡?", "⸠abc.com⸡?"},
		{onlyIRI, "⸠abc.com⸡./", "⸠abc.com.⸡/"},
		{onlyIRI, "⸠abc.com⸡./!", "⸠abc.com./⸡!"},
		{onlyIRI, "⸠abc.com⸡.", "⸠abc.com⸡."},
		{onlyIRI, "⸠abc.com⸡..", "⸠abc.com⸡.."},
		{onlyIRI, "⸠abc.com⸡.,", "⸠abc.com⸡.,"},
		{onlyIRI, "⸠abc.com⸡·", "⸠abc.com⸡·"},
		{onlyIRI, "⸠abc.com⸡··", "abc.com··"},
		{onlyIRI, "⸠http://ab⸡··", "⸠http://ab·⸡·"},
		{onlyIRI, "http://·", "http://·"},
		{onlyEmail, "⸠a@abc.com⸡.", "⸠a@abc.com⸡."},
		{onlyEmail, "⸠a@abc.com⸡!!", "⸠a@abc.com⸡!!"},
		{onlyEmail, "⸠a@abc.com⸡··", "a@abc.com··"},
		{onlyFileName, "⸠foo⸡!!", "⸠foo!⸡!"},
		{onlyFileName, "⸠foo!?x⸡", "⸠foo!?x⸡"},
		{onlyFileName, "⸠a/b⸡/", "⸠a/b⸡/"},
		{onlyFileName, "!!", "⸠!⸡!"},
		{onlyFileName, "/", "/"},
		{Options{}, "⸠א/ב⸡!!", "⸠א/ב!⸡!"},
	} {
		check(t, c.o, c.marked)
		check(t, draft(c.o), c.drafts)
	}
}

// 0.9: what terminates, one character of each class.
func TestTerminators(t *testing.T) {
	for class, s := range map[string]string{
		"Cn": "\u0378", "Co": "\ue000", "Cc": "\x01", "Zs": " ", "Zl": "\u2028", "Zp": "\u2029", "Ps": "「", "Pe": "」", "Pi": "“", "Pf": "”", "Po": "、",
		"surrogate, which is not UTF-8": "\xed\xa0\x80", "no UTF-8": "\xff", "half a code point": "\xd7", "noncharacter": "\uffff",
		"DEL": "\x7f", "NEL": "\u0085", "no-break space": "\u00a0", "plane 15": "\U000F0000", "line feed": "\n", "full-width": "！",
		"<": "<", ">": ">", "(": "(", ")": ")", "[": "[", "]": "]", "{": "{", "}": "}", "«": "«", "»": "»",
	} {
		if r, n := utf8.DecodeRuneInString(s); class != "Cn" && len(class) == 2 && n == len(s) && unicode.Categories[class] != nil && !unicode.Is(unicode.Categories[class], r) {
			t.Errorf("%q is not %s", s, class)
		}
		for _, marked := range []string{"⸠ab.com/x⸡|y", "⸠ab.com/x⸡.|y", "⸠ab.com⸡|/y", "⸠http://ab⸡|c/d", "⸠ab.com⸡/|y", "⸠ab.com⸡|⸠cd.com⸡|"} {
			check(t, onlyIRI, strings.ReplaceAll(marked, "|", s))
		}
		check(t, onlyFileName, "⸠x⸡"+s+"⸠y/z⸡")
		check(t, onlyEmail, "a"+s+"⸠b@c.com⸡"+s+"d")
	}
}

// 0.9: all the punctuation of Latin-1 that terminates: the ten of the issue, and two that were symbols in its time.
func TestLatin1(t *testing.T) {
	var got []rune
	for r := rune(0); r <= 0xff; r++ {
		if !char(r) && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			got = append(got, r)
		}
	}
	if want := "()<>[]{}§«¶»"; string(got) != want {
		t.Errorf("got %s, want %s", string(got), want)
	}
}

// 0.6, 0.7 and 0.9: every code point is a char or terminates, by its category.
func TestCategories(t *testing.T) {
	terminating := []*unicode.RangeTable{unicode.Cc, unicode.Co, unicode.Cs, unicode.Z, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Po}
	included := []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.S, unicode.Pd, unicode.Pc, unicode.Cf}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		terminates := unicode.In(r, terminating...) && !inclusionChar(r) || exclusionChar(r) || !unicode.In(r, terminating...) && !unicode.In(r, included...)
		if char(r) == terminates {
			t.Errorf("%U: char is %v", r, char(r))
		}
	}
}

// 0.10: the grammar of file names by the letter, and with our tailoring.
func TestFileName(t *testing.T) {
	for _, marked := range []string{
		"⸠foo⸡", "⸠foo/bar⸡", `⸠foo\bar⸡`, "⸠/foo⸡", `⸠\foo⸡`, "⸠foo⸡/", "⸠//foo//bar⸡//", `⸠C:\foo\bar.txt⸡`, "⸠any⸡ ⸠word⸡, ⸠as⸡ ⸠written⸡.", "⸠א/ב⸡", `"`, "/", "⸠http://ab/cd⸡",
		`⸠"foo⸡"`, "(⸠foo⸡)",
	} {
		check(t, onlyFileName, marked)
	}
	for _, marked := range []string{
		"foo", "foo/bar", "אב", "אב,גד", "⸠א/ב⸡", `⸠א\ב⸡`, "⸠/א⸡", "⸠א/b⸡", "⸠a/ב⸡", "⸠/home/משה/a.txt⸡", `⸠C:\משתמשים\משה⸡`, `⸠\\server\שיתוف⸡`, "⸠../א⸡", "⸠./א.txt⸡",
		"⸠مجلد/ملف.pdf⸡", "⸠a/ހ⸡", "⸠a/\U0001e900⸡", "⸠ߊ/a⸡",
		"a/٣", "a/\u200f", "я/é", "a/%D7%90", "א/ x", "/ א", "א /", // no letter, or no separator inside
		"⸠א/ב/⸡", "⸠א/ב/⸡/", "⸠א/ב⸡.", "⸠א/ב⸡, ⸠ג/ד⸡;", "(⸠א/ב⸡)", `"⸠א/ב⸡"`, `'⸠א/ב/⸡'`, ":,⸠א/ב⸡,:", "⸠*/א⸡", "⸠%א/ב⸡", "¿⸠א/ב⸡?", "·⸠א/ב⸡", "«⸠א/ב⸡»", "⸠א/ב⸡\xff⸠ג/ד⸡",
		"\u2066⸠א/ב⸡\u2069", "\u2066⸠א/ב⸡.\u2069.", "\u200e⸠א\u200e/\u200eב⸡\u200e", "\ufeff⸠א/ב⸡\u200b", "\u2067\"⸠א/ב⸡\"\u2069",
		"⸠שם/א⸡:http://ab.cd/ו", "http://ab/א,http://cd/ב", "http://א/ב", "⸠א/ב⸡:ftp://ab", "⸠א/ftp⸡://", "⸠ftp:///א⸡", "http://ab:⸠80/א⸡", "⸠a.com/א⸡", "⸠א/readme.md⸡", "⸠א/a@b.com⸡",
	} {
		o := Options{NoIRI: true, NoEmail: true}
		check(t, o, marked)
	}
	for _, marked := range []string{"⸠a.com/א⸡", "⸠א/readme.md⸡", "⸠שם/א⸡:⸠http://ab.cd/ו⸡", "⸠http://ab/א,http://cd/ב⸡", "⸠א/ב@c.com⸡", "⸠a@b.com/א⸡"} {
		check(t, Options{}, marked)
	}
}

func TestFileNames(t *testing.T) {
	const text = `http://ab/א, a.com/ב, x@y.com, word, "ג/ד.txt", C:\ה\`
	var got []string
	for s := range FileNames(text) {
		got = append(got, s.In(text))
	}
	if want := []string{"ג/ד.txt", `C:\ה\`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range FileNames("א/ב ג/ד") {
		break
	}
	for _, text := range []string{"", "אב", "a/b", "é/я", "٣/٣", "a/\xff"} {
		for s := range FileNames(text) {
			t.Errorf("%q: %v", text, s)
		}
	}
}

// 0.11: addresses, with an empty local part by the letter only.
func TestEmail(t *testing.T) {
	lenient := onlyEmail
	lenient.Strict = false
	for _, c := range []struct{ strict, lenient string }{
		{"⸠a@b.com⸡", "⸠a@b.com⸡"},
		{"⸠@b.com⸡", "@b.com"},
		{"(⸠@b.com⸡)", "(@b.com)"},
		{"⸠@@b.com⸡", "⸠@@b.com⸡"},
		{"a@b.bar1", "a@b.bar1"},
		{"a@b", "a@b"},
		{"a@ b.com", "a@ b.com"},
		{"⸠a.b+c@d.e.com⸡.", "⸠a.b+c@d.e.com⸡."},
		{"⸠a@b.com⸡/c", "⸠a@b.com⸡/c"},
		{"⸠a@b@c.com⸡", "⸠a@b@c.com⸡"}, // char includes "@"
		{"⸠a/b@c.com⸡", "⸠a/b@c.com⸡"}, // and "/"
		{"⸠see:a@b.com⸡", "⸠see:a@b.com⸡"},
		{"⸠a@b.com,c@d.com⸡", "⸠a@b.com,c@d.com⸡"},
		{"⸠a@b.com,c@d.com⸡@", "⸠a@b.com,c@d.com⸡@"},
		{"⸠a@b.com⸡,c@d", "⸠a@b.com⸡,c@d"},
		{"⸠a@b.com⸡ ⸠c@d.com⸡", "⸠a@b.com⸡ ⸠c@d.com⸡"},
		{"⸠אב@גד.קום⸡", "⸠אב@גד.קום⸡"},
		{"⸠a%40@b。com⸡", "⸠a%40@b。com⸡"},
		{"⸠http://a@b.com⸡", "⸠http://a@b.com⸡"},
	} {
		check(t, onlyEmail, c.strict)
		check(t, lenient, c.lenient)
	}
	const text = "see AB.CD@EF.com."
	m, ok := Find(text, 3, Options{})
	if !ok || m.Kind != Email || m.Local.In(text) != "AB.CD" || m.Domain.In(text) != "EF.com" || m.In(text) != "AB.CD@EF.com" {
		t.Errorf("%+v", m)
	}
}

// Any offset has an answer.
func TestFindFrom(t *testing.T) {
	const text = "אב.com é"
	for from, want := range map[int]int{-1: 0, 0: 0, 1: 2, 2: 2, 3: -1, 4: -1, len(text): -1, len(text) + 1: -1} {
		m, ok := Find(text, from, Options{})
		if !ok {
			m.Start = -1
		}
		if m.Start != want {
			t.Errorf("from %d: %+v", from, m)
		}
	}
}

func TestKind(t *testing.T) {
	for k, want := range map[Kind]string{None: "none", IRI: "iri", Email: "email", FileName: "filename", 9: "none"} {
		if got := k.String(); got != want {
			t.Errorf("%d: %s", k, got)
		}
	}
}
