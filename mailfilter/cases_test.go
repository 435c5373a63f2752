// SPDX-License-Identifier: MIT

package mailfilter

import (
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/bidilink/bidilink/engine/display"
)

// A mailCase is a message of testdata: NAME.eml, and NAME.want.eml if it is modified. The files are written by
// go test -run TestMessages -update; the messages are made here because most differ in one thing.
type mailCase struct {
	name string
	msg  string
	want string // "modified", "unchanged", or the reason for which it is left alone
	o    Options
}

// crlf returns s with CRLF for LF.
func crlf(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

const from = "From: Ann Example <ann@example.com>\nTo: b@example.net\nSubject: =?utf-8?q?t=C3=A9st?=\nDate: Sat, 21 Nov 2026 10:00:00 +0000\nMessage-ID: <1@example.com>\nMIME-Version: 1.0\n"

// hello is a text with one link.
const hello = "<html><body>\n<p>Hello, see http://example.com/a?b=1&amp;c=2 today.</p>\n</body></html>\n"

// mailOf is a message of one part; the fields come without those of from.
func mailOf(fields, body string) string { return from + fields + "\n" + body }

// page is a message of one HTML part in UTF-8, 8bit.
func page(body string) string {
	return mailOf("Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n", body)
}

// with is a message of one HTML part with more fields.
func with(fields string) string {
	return mailOf("Content-Type: text/html; charset=utf-8\n"+fields, hello)
}

// multi is a multipart with a boundary, of parts that begin with their header.
func multi(subtype, boundary string, parts ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Content-Type: multipart/%s; boundary=\"%s\"\n\nThis is a message with parts.\n", subtype, boundary)
	for _, p := range parts {
		fmt.Fprintf(&b, "--%s\n%s\n", boundary, p)
	}
	fmt.Fprintf(&b, "--%s--\n", boundary)
	return b.String()
}

const (
	plainPart = "Content-Type: text/plain; charset=utf-8\n\nHello, see http://example.com/plain today."
	htmlPart  = "Content-Type: text/html; charset=utf-8\n\n<p>Hello, see http://example.com/html today.</p>"
	pdfPart   = "Content-Type: application/pdf; name=\"x.pdf\"\nContent-Disposition: attachment; filename=\"x.pdf\"\nContent-Transfer-Encoding: base64\n\nJVBERi0xLjQKJcOkw7zDtsOfCg=="
)

func qp(s string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
}

// b64 is base64 in lines of a width.
func b64(s string, width int) string {
	e := base64.StdEncoding.EncodeToString([]byte(s))
	var b strings.Builder
	for len(e) > width {
		b.WriteString(e[:width] + "\n")
		e = e[width:]
	}
	return b.String() + e + "\n"
}

// in returns s in a charset.
func in(charset, s string) string {
	enc, err := htmlindex.Get(charset)
	if err != nil {
		panic(err)
	}
	out, err := enc.NewEncoder().String(s)
	if err != nil {
		panic(charset + ": " + err.Error())
	}
	return out
}

func htmlIn(charset, cte, body string) string {
	return mailOf("Content-Type: text/html; charset="+charset+"\nContent-Transfer-Encoding: "+cte+"\n", body)
}

// scripts are texts with links in the letters of charsets.
var scripts = []struct{ charset, text string }{
	{"utf-8", "<p>שלום http://example.com/שלום/א?ב=ג ועוד, пример http://пример.рф/путь и www.example.com, 😀.</p>\n"},
	{"iso-8859-1", "<p>Déjà vu sur http://example.com/été/où, ça va.</p>\n"},
	{"iso-8859-15", "<p>Prix en € sur http://example.com/œuvre.</p>\n"},
	{"iso-8859-2", "<p>Zażółć gęślą http://example.com/jaźń/łódź już.</p>\n"},
	{"iso-8859-3", "<p>Ĉu http://example.com/ĉapelo/ĝi jes.</p>\n"},
	{"iso-8859-4", "<p>Šis http://example.com/ķēde/ēst ir.</p>\n"},
	{"iso-8859-5", "<p>Смотри http://example.com/путь/дом здесь.</p>\n"},
	{"iso-8859-6", "<p>انظر http://example.com/كتاب هنا.</p>\n"},
	{"iso-8859-7", "<p>Δες http://example.com/δρόμος εδώ.</p>\n"},
	{"iso-8859-8-i", "<p>ראו http://example.com/ספר/דף כאן.</p>\n"},
	{"logical", "<p>ראו http://example.com/ספר/דף כאן.</p>\n"},
	{"iso-8859-9", "<p>Bakın http://example.com/ağaç/şey işte.</p>\n"},
	{"iso-8859-10", "<p>Þú http://example.com/ðŋ æ.</p>\n"},
	{"iso-8859-13", "<p>Žiūrėk http://example.com/kelią čia.</p>\n"},
	{"iso-8859-14", "<p>Gweler http://example.com/tŷ/dŵr yma.</p>\n"},
	{"iso-8859-16", "<p>Vezi http://example.com/țară/știre aici.</p>\n"},
	{"windows-1250", "<p>Zažluť http://example.com/kůň/žlutý zde.</p>\n"},
	{"windows-1251", "<p>Смотри http://example.com/путь/дом – здесь.</p>\n"},
	{"windows-1252", "<p>“See” http://example.com/naïve – here.</p>\n"},
	{"windows-1253", "<p>Δες http://example.com/δρόμος εδώ.</p>\n"},
	{"windows-1254", "<p>Bakın http://example.com/ağaç işte.</p>\n"},
	{"windows-1255", "<p>ראו http://example.com/ספר/דף?א=ב כאן, www.דוגמה.com/א.</p>\n"},
	{"windows-1256", "<p>انظر http://example.com/كتاب/صفحة هنا، پ.</p>\n"},
	{"windows-1257", "<p>Žiūrėk http://example.com/kelią čia.</p>\n"},
	{"windows-1258", "<p>Xem http://example.com/đươ\u0300ng đây.</p>\n"},
	{"windows-874", "<p>ดู http://example.com/ทาง/ไทย ที่นี่</p>\n"},
	{"tis-620", "<p>ดู http://example.com/ทาง ที่นี่</p>\n"},
	{"koi8-r", "<p>Смотри http://example.com/путь/дом здесь.</p>\n"},
	{"koi8-u", "<p>Дивись http://example.com/шлях/їжак тут.</p>\n"},
	{"ibm866", "<p>Смотри http://example.com/путь/дом здесь.</p>\n"},
	{"macintosh", "<p>Voilà http://example.com/été là.</p>\n"},
	{"gb2312", "<p>请看 http://example.com/文件/图 这里。</p>\n"},
	{"gbk", "<p>請看 http://example.com/文件/圖 這裡。</p>\n"},
	{"gb18030", "<p>请看 http://example.com/文件/㐀/😀 这里。</p>\n"},
	{"big5", "<p>請看 http://example.com/文件/圖 這裡 功能。</p>\n"},
	{"euc-jp", "<p>見て http://example.com/日本/ソ 下さい。</p>\n"},
	{"shift_jis", "<p>ソ表 http://example.com/日本/ソ表 能。</p>\n"},
	{"euc-kr", "<p>보세요 http://example.com/한국/길 여기.</p>\n"},
	{"ks_c_5601-1987", "<p>보세요 http://example.com/한국 여기.</p>\n"},
}

// mailCases returns the messages of testdata.
func mailCases() []mailCase {
	var list []mailCase
	add := func(name, want, msg string, o ...Options) {
		c := mailCase{name: name, msg: msg, want: want}
		if len(o) > 0 {
			c.o = o[0]
		}
		list = append(list, c)
	}

	// Transfer encodings and line ends.
	long := "<p>" + strings.Repeat("Some words that fill lines, ", 6) + "then http://example.com/a/long/path?with=a&amp;query=of&amp;many=pairs#frag and " + strings.Repeat("more words, ", 9) + "www.example.org/é, done.</p>\n"
	for _, c := range []struct{ name, cte, body string }{
		{"none", "", hello}, {"7bit", "7bit", hello}, {"8bit", "8bit", hello + long},
		{"qp", "quoted-printable", qp(hello + long)}, {"base64", "base64", b64(hello+long+hello, 76)},
	} {
		fields := "Content-Type: text/html; charset=utf-8\n"
		if c.cte != "" {
			fields += "Content-Transfer-Encoding: " + c.cte + "\n"
		}
		m := mailOf(fields, c.body)
		add("cte-"+c.name+"-lf", "modified", m)
		add("cte-"+c.name+"-crlf", "modified", crlf(m))
		half := strings.Split(m, "\n")
		for i := range half {
			if i%3 == 0 && i < len(half)-1 {
				half[i] += "\r"
			}
		}
		add("cte-"+c.name+"-mixed", "modified", strings.Join(half, "\n"))
	}
	add("cte-upper", "modified", mailOf("content-type: TEXT/HTML; CHARSET=\"UTF-8\"\nCONTENT-TRANSFER-ENCODING: Quoted-Printable\n", qp(hello)))
	add("cte-binary", "cte", htmlIn("utf-8", "binary", hello))
	add("cte-uuencode", "cte", htmlIn("utf-8", "x-uuencode", hello))
	add("cte-comment", "cte", htmlIn("utf-8", "quoted-printable (really)", qp(hello)))
	add("cte-empty", "modified", htmlIn("utf-8", "", hello))
	add("cte-twice-same", "modified", with("Content-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: 8bit\n"))
	add("cte-twice", "malformed", with("Content-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: quoted-printable\n"))
	add("cte-7bit-with-8bit", "modified", htmlIn("utf-8", "7bit", "<p>é http://example.com/é</p>\n"))

	// Quoted-printable.
	add("qp-lower-case", "modified", htmlIn("utf-8", "quoted-printable", "<p>caf=c3=a9 http://example.com/=c3=a9?a=3d1 x=\n</p>\n"))
	add("qp-soft-break-in-link", "modified", htmlIn("utf-8", "quoted-printable", "<p>http://exam=\nple.com/a=3D=\n=C3=A9, then www.exam=\nple.org.</p>\n"))
	add("qp-soft-break-in-link-crlf", "modified", crlf(htmlIn("utf-8", "quoted-printable", "<p>http://exam=\nple.com/a=3D=\n=C3=A9, then www.exam=\nple.org.</p>\n")))
	add("qp-soft-break-and-blanks", "cte", htmlIn("utf-8", "quoted-printable", "<p>http://example.com/a=3D=  \n=C3=A9.</p>\n"))
	add("qp-narrow", "modified", htmlIn("utf-8", "quoted-printable", "<p>a narrow text that is broken at f=\norty columns, http://example.com/ in=\n it</p>\n"))
	add("qp-long-lines", "modified", htmlIn("utf-8", "quoted-printable", "<p>"+strings.Repeat("long ", 60)+"http://example.com/ "+strings.Repeat("long ", 60)+"</p>\n<p>untouched "+strings.Repeat("long ", 30)+"\n"))
	add("qp-final-soft-break", "modified", htmlIn("utf-8", "quoted-printable", "<p>http://example.com/ x="))
	add("qp-all-escaped", "modified", htmlIn("utf-8", "quoted-printable", escapeAll("<p>http://example.com/</p>")))
	add("qp-trailing-blanks", "modified", htmlIn("utf-8", "quoted-printable", "<p>http://example.com/  \t\nwww.example.com=20\n</p>\n"))
	add("qp-bad-escape", "cte", htmlIn("utf-8", "quoted-printable", "<p class=x>http://example.com/ =ZZ</p>\n"))
	add("qp-raw-8bit", "cte", htmlIn("utf-8", "quoted-printable", "<p>é http://example.com/</p>\n"))
	add("qp-not-encoded", "cte", htmlIn("utf-8", "quoted-printable", "<p><a href=\"http://example.com/\">x</a> http://example.org/</p>\n"))
	add("qp-bare-cr", "cte", htmlIn("utf-8", "quoted-printable", "<p>http://example.com/\r</p>\n"))
	add("qp-dots-and-dashes", "modified", htmlIn("utf-8", "quoted-printable", "<p>http://example.com/"+strings.Repeat("-.F", 30)+"x "+strings.Repeat("-", 100)+" "+strings.Repeat(".", 50)+"=\n"+strings.Repeat("From ", 20)+"</p>\n"))
	add("qp-control", "modified", htmlIn("utf-8", "quoted-printable", "<p>http://example.com/=E2=80=\n=AEabc/=D7=A9</p>\n"))

	// base64.
	for _, w := range []int{4, 20, 60, 72, 76, 120} {
		add(fmt.Sprintf("base64-width-%d", w), "modified", htmlIn("utf-8", "base64", b64(hello+hello+long, w)))
	}
	add("base64-one-line", "modified", htmlIn("utf-8", "base64", b64(hello, 1<<20)))
	add("base64-one-long-line", "modified", htmlIn("utf-8", "base64", b64(strings.Repeat(hello, 20), 1<<20)))
	add("base64-no-final-line-end", "modified", htmlIn("utf-8", "base64", strings.TrimSuffix(b64(hello, 76), "\n")))
	add("base64-blank-lines-behind", "modified", htmlIn("utf-8", "base64", b64(hello, 76)+"\n\n"))
	add("base64-ragged", "modified", htmlIn("utf-8", "base64", "PHA+"+"\nc2VlIGh0d\nHA6Ly9leGFt\ncGxlLmNvbS8g\nbm93PC9wPg==\n"))
	add("base64-blank-line-within", "cte", htmlIn("utf-8", "base64", "PHA+\n\naHR0cDovL2V4YW1wbGUuY29tLw==\n"))
	add("base64-junk", "cte", htmlIn("utf-8", "base64", "PHA+aHR0cDovL2V4YW1w*GUuY29tLw==\n"))
	add("base64-footer", "cte", htmlIn("utf-8", "base64", b64(hello, 76)+"-- \nA footer that a list has added\n"))
	add("base64-two", "cte", htmlIn("utf-8", "base64", b64(hello, 76)+b64(hello, 76)))
	add("base64-no-padding", "cte", htmlIn("utf-8", "base64", strings.TrimRight(b64(hello, 76), "=\n")+"\n"))
	add("base64-bits-left", "cte", htmlIn("utf-8", "base64", "PHA+aHR0cDovL2V4YW1wbGUuY29tLx==\n"))
	add("base64-empty", "unchanged", htmlIn("utf-8", "base64", ""))

	// Charsets.
	for _, s := range scripts {
		add("charset-"+s.charset, "modified", htmlIn(s.charset, "8bit", in(s.charset, s.text)))
		if s.charset == "windows-1255" || s.charset == "shift_jis" || s.charset == "gb18030" {
			add("charset-"+s.charset+"-qp", "modified", htmlIn(s.charset, "quoted-printable", qp(in(s.charset, s.text))))
			add("charset-"+s.charset+"-base64", "modified", htmlIn(s.charset, "base64", b64(in(s.charset, s.text), 76)))
		}
	}
	add("charset-none", "modified", mailOf("Content-Type: text/html\n", hello))
	add("charset-us-ascii", "modified", htmlIn("us-ascii", "7bit", hello))
	add("charset-none-8bit", "charset", mailOf("Content-Type: text/html\n", "<p>é http://example.com/</p>\n"))
	add("charset-us-ascii-8bit", "charset", htmlIn("us-ascii", "8bit", "<p>é http://example.com/</p>\n"))
	add("charset-quoted", "modified", mailOf("Content-Type: text/html; charset='utf-8'\n", hello))
	add("charset-utf-8-wrong", "charset", htmlIn("utf-8", "8bit", "<p>\xe9 http://example.com/</p>\n"))
	add("charset-gbk-wrong", "charset", htmlIn("gbk", "8bit", "<p>\xff\xff http://example.com/</p>\n"))
	add("charset-big5-ambiguous", "charset", htmlIn("big5", "8bit", "<p>\xa2\xcc http://example.com/</p>\n"))
	for _, name := range []string{"iso-8859-8", "iso-8859-8-e", "visual", "hebrew"} {
		add("charset-"+name, "charset", htmlIn(name, "8bit", "<p>\xf9\xec\xe5\xed http://example.com/</p>\n"))
	}
	for _, name := range []string{"iso-2022-kr", "iso-2022-cn", "hz-gb-2312", "utf-7", "utf-32", "cp864", "unknown-8bit", "x-user-defined", "default", "viscii"} {
		add("charset-"+name, "charset", htmlIn(name, "7bit", hello))
	}
	add("charset-iso-2022-jp", "charset", htmlIn("iso-2022-jp", "7bit", in("iso-2022-jp", "<p>日本 http://example.com/</p>\n")))
	add("charset-utf-16-base64", "charset", htmlIn("utf-16", "base64", b64("\xfe\xff\x00<\x00p\x00>\x00e\x00.\x00c\x00o\x00m", 76)))
	add("charset-utf-16le", "charset", htmlIn("utf-16le", "base64", b64("<\x00p\x00>\x00", 76)))
	add("charset-meta-contradicts", "modified", htmlIn("utf-8", "8bit", "<meta charset=windows-1252><p>é http://example.com/é</p>\n"))
	add("charset-meta-iso-2022-jp", "charset", htmlIn("utf-8", "8bit", "<meta charset=iso-2022-jp><p>http://example.com/</p>\n"))
	add("charset-escape-sequence", "charset", htmlIn("us-ascii", "7bit", "<p>\x1b$B8+$F\x1b(B http://example.com/</p>\n"))
	add("charset-bom", "modified", htmlIn("utf-8", "8bit", "\ufeff<p>http://example.com/é</p>\n"))

	// Structure.
	add("multi-alternative", "modified", from+multi("alternative", "b1", plainPart, htmlPart))
	add("multi-alternative-crlf", "modified", crlf(from+multi("alternative", "b1", plainPart, htmlPart)))
	add("multi-mixed", "modified", from+multi("mixed", "=_b", plainPart, htmlPart, pdfPart))
	add("multi-nested", "modified", from+multi("mixed", "outer", multi("alternative", "inner", plainPart, multi("related", "rel", htmlPart, pdfPart)), pdfPart))
	add("multi-two-html", "modified", from+multi("mixed", "b", htmlPart, htmlPart))
	add("multi-unknown-subtype", "modified", from+multi("x-strange", "b", htmlPart))
	add("multi-parallel", "modified", from+multi("parallel", "b", htmlPart, plainPart))
	add("multi-form-data", "no-candidate", from+multi("form-data", "b", htmlPart))
	add("multi-appledouble", "no-candidate", from+multi("appledouble", "b", htmlPart))
	add("multi-prefix-inner-longer", "modified", from+multi("mixed", "x", multi("alternative", "xx", plainPart, htmlPart), htmlPart))
	add("multi-prefix-outer-longer", "modified", from+multi("mixed", "xx", multi("alternative", "x", plainPart, htmlPart), htmlPart))
	add("multi-prefix-in-html", "malformed", from+multi("mixed", "x", htmlPart+"\n--xyz\nhttp://example.com/"))
	add("multi-prefix-dashes", "malformed", from+multi("mixed", "x", multi("mixed", "x--", htmlPart)))
	// Lines that are delimiters for some programs, before the parts of a multipart within another.
	file := "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=x.bin\n\ndata"
	for _, c := range []struct{ name, line string }{
		{"longer", "--bX\n" + file},
		{"form-feed", "--b\f\n" + file},
		{"word", "--b x\n" + file},
		{"cr", "--b\r" + strings.ReplaceAll(file, "\n", "\r")},
		{"cr-lf", "--b\r\r\n" + file},
		{"final-cr", "--b--\r\r\n"},
		{"blank-cr", "--b \rx"},
	} {
		inner := strings.Replace(multi("alternative", "c", plainPart, htmlPart), "This is a message with parts.", c.line, 1)
		add("suspect-"+c.name, "malformed", from+multi("mixed", "b", inner))
	}
	add("suspect-own-preamble", "modified", from+multi("mixed", "b", strings.Replace(multi("mixed", "c", plainPart, htmlPart), "This is", "--c is", 1)))
	add("suspect-deep", "malformed", from+multi("mixed", "b", strings.Replace(multi("mixed", "c", multi("related", "d", multi("alternative", "e", plainPart, htmlPart))), "This is", "--bX is", 1)))
	add("suspect-before", "modified", from+multi("mixed", "b", "\n--bX", htmlPart))
	add("suspect-behind", "modified", from+multi("mixed", "b", multi("alternative", "c", plainPart, htmlPart)+"--bX\n", htmlPart))
	add("multi-same-boundary", "modified", from+multi("mixed", "x", multi("mixed", "x", htmlPart)))
	add("multi-no-final", "modified", strings.TrimSuffix(from+multi("mixed", "b", plainPart, htmlPart), "--b--\n"))
	add("multi-no-final-no-line-end", "modified", strings.TrimSuffix(from+multi("mixed", "b", htmlPart), "\n--b--\n"))
	add("multi-inner-no-final", "modified", from+strings.Replace(multi("mixed", "b", multi("alternative", "i", plainPart, htmlPart), htmlPart), "--i--\n", "", 1))
	add("multi-no-parts", "no-candidate", from+multi("mixed", "b"))
	add("multi-only-preamble", "no-candidate", mailOf("Content-Type: multipart/mixed; boundary=b\n", "<p>http://example.com/</p>\n"))
	add("multi-epilogue", "modified", from+multi("mixed", "b", htmlPart)+"An epilogue, http://example.com/\n--b\nContent-Type: text/html\n\n<p>http://example.com/not-a-part</p>\n--b--\n")
	add("multi-preamble", "modified", mailOf("Content-Type: multipart/mixed; boundary=b\n", "<p>http://example.com/preamble</p>\n -- b\n--c\n--b\n"+htmlPart+"\n--b--\n"))
	add("multi-blanks-behind-delimiter", "modified", mailOf("Content-Type: multipart/mixed; boundary=b\n", "--b \t \n"+htmlPart+"\n--b--  \n"))
	add("multi-empty-part", "modified", mailOf("Content-Type: multipart/mixed; boundary=b\n", "--b\n\n--b\nContent-Type: text/html\n\n--b\n"+htmlPart+"\n--b--\n"))
	add("multi-delimiters-in-a-row", "modified", mailOf("Content-Type: multipart/mixed; boundary=b\n", "--b\n--b\n--b\n"+htmlPart+"\n--b--\n"))
	add("multi-part-no-header", "modified", from+multi("mixed", "b", "\nplain text, http://example.com/", htmlPart))
	add("multi-part-no-blank-line", "malformed", mailOf("Content-Type: multipart/mixed; boundary=b\n", "--b\nContent-Type: text/html\n--b--\n"))
	add("multi-part-header-only-text", "malformed", mailOf("Content-Type: multipart/mixed; boundary=b\n", "--b\nContent-Type: text/html\n<p>http://example.com/</p>\n--b--\n"))
	add("multi-part-bad-header", "modified", from+multi("mixed", "b", "Content-Type: text/html\nno colon here\n\n<p>http://example.com/</p>", htmlPart))
	add("multi-no-boundary", "malformed", mailOf("Content-Type: multipart/mixed\n", "--b\n"+htmlPart+"\n--b--\n"))
	add("multi-empty-boundary", "malformed", mailOf("Content-Type: multipart/mixed; boundary=\"\"\n", "--\n"+htmlPart+"\n----\n"))
	add("multi-boundary-trailing-space", "malformed", from+multi("mixed", "b ", htmlPart))
	add("multi-boundary-spaces", "modified", from+multi("mixed", "a b'()+_,-./:=?", htmlPart))
	add("multi-boundary-8bit", "malformed", from+multi("mixed", "é", htmlPart))
	add("multi-boundary-long", "modified", from+multi("mixed", strings.Repeat("b", 100), htmlPart))
	add("multi-boundary-too-long", "malformed", from+multi("mixed", strings.Repeat("b", 201), htmlPart))
	add("multi-boundary-folded", "modified", mailOf("Content-Type: multipart/mixed;\n\tboundary=\"b\"\n", "--b\n"+htmlPart+"\n--b--\n"))
	add("multi-boundary-2231", "malformed", mailOf("Content-Type: multipart/mixed; boundary*0=b; boundary*1=c\n", "--bc\n"+htmlPart+"\n--bc--\n"))
	// Boundaries that programs read in different ways. What one takes for a part is in an attachment for the other.
	for _, c := range []struct{ name, params, one, other string }{
		{"2231-upper", "boundary=\"b\"; BOUNDARY*=us-ascii''c", "b", "c"},
		{"2231-first", "boundary=\"x\"; boundary*0=\"y\"", "x", "y"},
		{"2231-second", "boundary=\"x\"; boundary*0=\"y\"", "y", "x"},
		{"2231-charset", "boundary=\"x\"; boundary*=us-ascii''y", "x", "y"},
		{"2231-unknown", "boundary=a%62; boundary*=''zz", "a%62", "zz"},
		{"2231-dropped", "boundary=x; boundary*=iso-8859-1''y", "y", "x"},
		{"encoded-word", "boundary=\"=?us-ascii?q?abc?=\"", "=?us-ascii?q?abc?=", "abc"},
		{"backslash", "boundary=\"a\\(b\"", "a\\(b", "a(b"},
		{"repeated", "boundary=x; Boundary=x", "y", "x"},
		{"angle", "boundary=\"<x>\"", "x", "<x>"},
		{"leading-space", "boundary=\" x\"", "x", " x"},
	} {
		file := "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=x.bin\n\n"
		add("boundary-"+c.name, "malformed", mailOf("Content-Type: multipart/mixed; "+c.params+"\n", "--"+c.one+"\n"+file+"--"+c.other+"\n"+htmlPart+"\n--"+c.other+"--\n\n--"+c.one+"--\n"))
	}
	add("boundary-question-mark", "modified", from+multi("mixed", "_?=x", plainPart, htmlPart))
	add("multi-boundary-twice", "malformed", mailOf("Content-Type: multipart/mixed; boundary=b; boundary=c\n", "--b\n"+htmlPart+"\n--b--\n"))
	add("multi-double-semicolon", "malformed", mailOf("Content-Type: multipart/mixed;; boundary=b\n", "--b\n"+htmlPart+"\n--b--\n"))
	add("multi-base64", "malformed", mailOf("Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n", "--b\n"+htmlPart+"\n--b--\n"))
	add("multi-binary", "cte", mailOf("Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: binary\n", "--b\n"+htmlPart+"\n--b--\n"))
	add("multi-bare-cr-delimiter", "malformed", from+multi("mixed", "b", plainPart+"\r--b\rContent-Type: text/html\r\rx", htmlPart))
	add("multi-mixed-line-ends", "modified", strings.Replace(strings.Replace(from+multi("mixed", "b", plainPart, htmlPart), "--b\n", "--b\r\n", 1), "today.</p>\n", "today.</p>\r\n", 1))
	add("multi-related-start", "modified", from+strings.Replace(multi("related", "b", "Content-Type: text/html\nContent-ID: <other>\n\n<p>http://example.com/other</p>", "Content-ID: <root>\n"+htmlPart), "multipart/related;", "multipart/related; start=\"<root>\";", 1))
	add("multi-related-second", "resource", from+multi("related", "b", "Content-Type: image/png\n\nx", htmlPart))
	add("multi-related-multipart-second", "no-candidate", from+multi("related", "b", "Content-Type: image/png\n\nx", multi("alternative", "a", plainPart, htmlPart)))
	add("multi-related-alternative-first", "modified", from+multi("related", "b", multi("alternative", "a", plainPart, htmlPart), htmlPart))
	deep := htmlPart
	for i := range 18 {
		deep = multi("mixed", fmt.Sprintf("d%02d", i), deep)
	}
	add("multi-deep", "modified", from+deep)

	// Headers.
	add("header-no-mime-version", "modified", "Subject: x\nContent-Type: text/html\n\n"+hello)
	add("header-no-type", "no-candidate", "Subject: x\n\n"+hello)
	add("header-empty-type", "no-candidate", mailOf("Content-Type:\n", hello))
	add("header-no-slash", "malformed", mailOf("Content-Type: text\n", hello))
	add("header-type-comment", "malformed", mailOf("Content-Type: text/html (comment); charset=utf-8\n", hello))
	add("header-unclosed-quote", "malformed", mailOf("Content-Type: text/html; charset=\"utf-8\n", hello))
	add("header-double-semicolon", "malformed", mailOf("Content-Type: text/html;; charset=utf-8\n", hello))
	add("header-final-semicolon", "modified", mailOf("Content-Type: text/html; charset=utf-8;\n", hello))
	add("header-type-twice", "malformed", mailOf("Content-Type: text/html\nContent-Type: text/plain\n", hello))
	add("header-type-twice-same", "modified", mailOf("Content-Type: text/html\nContent-Type: text/html\n", hello))
	add("header-type-folded", "modified", mailOf("Content-Type:\n text/html;\n\tcharset=utf-8\n", hello))
	add("header-no-space", "modified", mailOf("Content-Type:text/html\nX:y\n", hello))
	add("header-blank-before-colon", "malformed", mailOf("Content-Type : text/html\n", hello))
	add("header-other-blank-before-colon", "malformed", mailOf("X-Y : z\nContent-Type: text/html\n", hello))
	add("header-no-colon", "malformed", mailOf("this is no field\nContent-Type: text/html\n", hello))
	add("header-no-name", "malformed", mailOf(": x\nContent-Type: text/html\n", hello))
	add("header-leading-continuation", "malformed", " x\nContent-Type: text/html\n\n"+hello)
	add("header-blank-continuation", "modified", mailOf("X-Y: z\n \t\nContent-Type: text/html\n", hello))
	add("header-8bit", "modified", mailOf("X-Y: é\xff\nContent-Type: text/html\n", hello))
	add("header-nul", "malformed", mailOf("X-Y: a\x00b\nContent-Type: text/html\n", hello))
	add("header-bare-cr", "malformed", mailOf("X-Y: a\rb\nContent-Type: text/html\n", hello))
	add("header-cr-cr-lf", "malformed", strings.ReplaceAll(with(""), "\n", "\r\r\n"))
	add("header-long-line", "modified", mailOf("X-Y: "+strings.Repeat("z", 2000)+"\nContent-Type: text/html\n", hello))
	add("header-odd-case", "modified", mailOf("cOnTeNt-tYpE: tExT/hTmL; ChArSeT=uTf-8\n", hello))
	add("header-only", "malformed", "Subject: x\nContent-Type: text/html\n")
	add("header-only-no-line-end", "malformed", "Subject: x\nContent-Type: text/html")
	add("header-then-nothing", "unchanged", "Subject: x\nContent-Type: text/html\n\n")
	add("header-mbox-line", "modified", "From ann@example.com Sat Nov 21 10:00:00 2026\n"+with(""))
	add("header-mbox-line-quoted", "malformed", ">From ann@example.com Sat Nov 21 10:00:00 2026\n"+with(""))
	add("header-smtputf8", "modified", "From: אבג@דוגמה.com\nSubject: é\nContent-Type: text/html; charset=utf-8\n\n<p>א http://example.com/א</p>\n")
	add("empty", "no-candidate", "")
	add("no-header", "no-candidate", "\nhttp://example.com/\n")
	add("nothing-but-a-line-end", "no-candidate", "\n")
	add("no-message", "malformed", "just some text, www.example.com\nand more\n")

	// What is never touched.
	signature := "Content-Type: application/pkcs7-signature; name=smime.p7s\nContent-Transfer-Encoding: base64\n\nMIIB"
	pgp := "Content-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----"
	add("never-smime-signed", "signed", from+strings.Replace(multi("signed", "s", htmlPart, signature), "signed;", "signed; protocol=\"application/pkcs7-signature\"; micalg=sha-256;", 1))
	add("never-pgp-signed", "signed", from+multi("signed", "s", multi("alternative", "a", plainPart, htmlPart), pgp))
	add("never-signed-in-mixed", "signed", from+multi("mixed", "m", multi("signed", "s", htmlPart, pgp), plainPart))
	add("beside-signed", "modified", from+multi("mixed", "m", multi("signed", "s", htmlPart, pgp), htmlPart))
	add("never-encrypted", "encrypted", from+multi("encrypted", "e", "Content-Type: application/pgp-encrypted\n\nVersion: 1", "Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n\nx\n-----END PGP MESSAGE-----"))
	add("never-pkcs7-mime", "encrypted", mailOf("Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n", "MIIB\n"))
	add("never-pkcs7-mime-signed", "signed", mailOf("Content-Type: application/x-pkcs7-mime; smime-type=signed-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n", "MIIB\n"))
	add("never-inline-pgp", "inline-pgp", page("<pre>-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nx\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----</pre><p>http://example.com/</p>\n"))
	add("never-inline-pgp-qp", "inline-pgp", htmlIn("utf-8", "quoted-printable", "<p>-----BEGIN=20PGP MESS=\nAGE-----</p>http://example.com/\n"))
	for name, line := range map[string]string{
		"references":  "&#45;&#x2D;&#45;&#45;&#45;BEGIN PGP SIGNED MESSAGE-----",
		"letters":     "-----&#66;E&#x47IN &#80;G&#x50; SIGNED MESSAGE-----",
		"nbsp":        "-----BEGIN&nbsp;PGP&nbsp;SIGNED&nbsp;MESSAGE-----",
		"nbsp-utf-8":  "-----BEGIN\u00a0PGP SIGNED MESSAGE-----",
		"line-end":    "-----BEGIN\nPGP SIGNED MESSAGE-----",
		"blanks":      "-----BEGIN  PGP SIGNED MESSAGE-----",
		"tag":         "-----BEGIN <b>PGP SIGNED MESSAGE</b>-----",
		"tag-in-word": "-----BEGIN P<wbr>GP SIGNED MESSAGE-----",
	} {
		add("never-inline-pgp-"+name, "inline-pgp", page("<p>a < b, 1&#39;<br>\n"+line+"<br>\nhttp://example.com/</p>\n"))
	}
	for name, text := range map[string]string{"almost": "<p>BEGIN -----<!-- PGP http://example.com/ 1 < 2 &#80;</p>\n", "references": "<p>&#39;&#x3a;&#66&#99999999999999999999999;PGP http://example.com/ &#</p>\n"} {
		add("no-inline-pgp-"+name, "modified", page(strings.Replace(text, "<!--", "", 1)))
	}
	signed := "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSee http://example.com/ today.\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----"
	for name, part := range map[string]string{
		"7bit":    "Content-Type: text/plain\n\n" + signed,
		"qp":      "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.ReplaceAll(signed, "-----BEGIN P", "=2D----BEG=\nIN=20P"),
		"base64":  "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + b64(signed, 76),
		"no-type": "\n" + signed,
		"within":  multi("mixed", "w", "Content-Type: text/plain\n\n"+signed),
	} {
		add("never-alternative-pgp-"+name, "inline-pgp", from+multi("alternative", "b", part, multi("related", "r", htmlPart)))
	}
	add("beside-pgp-in-mixed", "modified", from+multi("mixed", "b", "Content-Type: text/plain\n\n"+signed, htmlPart))
	add("beside-alternative-pgp", "modified", from+multi("mixed", "m", multi("alternative", "b", "Content-Type: text/plain\n\n"+signed, htmlPart), htmlPart))
	for _, t := range []string{"application/pgp-signature; name=signature.asc", "application/pkcs7-signature; name=smime.p7s", "Application/X-PKCS7-Signature; name=a b"} {
		name := strings.ToLower(strings.NewReplacer("/", "-", "; name=", "-", ".", "-", " ", "-").Replace(t))
		part := "Content-Type: " + t + "\nContent-Disposition: attachment\n\nabc"
		add("never-"+name, "signed", from+multi("mixed", "b", htmlPart, part))
		add("never-before-"+name, "signed", from+multi("related", "b", multi("alternative", "a", plainPart, htmlPart), part))
	}
	add("beside-detached-signature", "modified", from+multi("mixed", "m", multi("mixed", "b", htmlPart, "Content-Type: application/pgp-signature\n\nabc"), htmlPart))
	add("never-sig", "unobtrusive-sig", from+multi("mixed", "u", "Sig: t=p; b=abc\n"+htmlPart))
	add("never-sig-nested", "unobtrusive-sig", from+multi("mixed", "u", "Sig: t=c; b=abc\n"+multi("alternative", "a", plainPart, htmlPart)))
	add("never-report", "report", from+multi("report", "r", plainPart, "Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n", "Content-Type: message/rfc822\n\n"+with("")))
	add("never-report-html", "report", from+multi("report", "r", htmlPart))
	add("never-delivery-status", "report", mailOf("Content-Type: message/delivery-status\n", "Reporting-MTA: dns; x\n"))
	add("never-rfc822", "embedded", from+multi("mixed", "m", plainPart, "Content-Type: message/rfc822\n\n"+with("")))
	add("never-rfc822-multipart", "embedded", from+multi("mixed", "m", plainPart, "Content-Type: message/rfc822\n\n"+from+multi("alternative", "in", plainPart, htmlPart)))
	add("beside-rfc822", "modified", from+multi("mixed", "m", htmlPart, "Content-Type: message/rfc822\n\n"+from+multi("alternative", "in", plainPart, htmlPart)))
	add("never-message-global", "embedded", mailOf("Content-Type: message/global\n", with("")))
	add("never-digest", "embedded", from+multi("digest", "d", "\n"+with(""), htmlPart))
	add("never-partial", "embedded", mailOf("Content-Type: message/partial; id=x; number=1; total=2\n", with("")))
	add("never-external-body", "embedded", mailOf("Content-Type: message/external-body; access-type=URL; URL=\"http://example.com/\"\n", "Content-Type: text/html\n\n"))
	for _, t := range []string{"text/plain", "text/calendar", "text/x-amp-html", "text/enriched", "text/markdown", "text/csv", "text/x-patch", "text/vcard", "application/xhtml+xml", "application/octet-stream", "image/svg+xml"} {
		add("never-"+strings.ReplaceAll(t, "/", "-"), "no-candidate", mailOf("Content-Type: "+t+"; charset=utf-8\n", hello))
	}
	add("never-flowed", "no-candidate", mailOf("Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n", "See http://example.com/ \nfor more.\n"))
	add("never-uuencode-inline", "no-candidate", mailOf("", "begin 644 x.txt\n#0V%T\n`\nend\n"))
	add("beside-amp", "modified", from+multi("alternative", "b", plainPart, "Content-Type: text/x-amp-html\n\n<html amp4email><p>http://example.com/</p>", htmlPart))
	add("beside-calendar", "modified", from+multi("alternative", "b", plainPart, htmlPart, "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nURL:http://example.com/\nEND:VCALENDAR"))
	add("never-attachment", "attachment", with("Content-Disposition: attachment\n"))
	add("never-filename", "attachment", with("Content-Disposition: inline; filename=x.html\n"))
	add("never-filename-2231", "attachment", with("Content-Disposition: inline; filename*=utf-8''%D7%90.html\n"))
	add("never-name", "attachment", mailOf("Content-Type: text/html; name=x.html\n", hello))
	for name, params := range map[string]string{"charset": "filename*=windows-1252'en'r%E9sum%E9.html", "utf-16": "filename*=UTF-16''x.html", "no-charset": "filename*=report.html", "no-first": "filename*1=rt.html; filename*2=x", "pieces": "filename*0*=iso-8859-1''r%E9; FILENAME*1=x.html"} {
		add("never-filename-2231-"+name, "attachment", with("Content-Disposition: inline; "+params+"\n"))
		add("never-name-2231-"+name, "attachment", mailOf("Content-Type: text/html; "+strings.ReplaceAll(strings.ToLower(params), "filename", "name")+"\n", hello))
	}
	add("never-charset-2231", "malformed", mailOf("Content-Type: text/html; charset*=iso-8859-1''utf-16\n", hello))
	add("never-charset-2231-pieces", "malformed", mailOf("Content-Type: text/html; charset*0*=iso-8859-1''utf-; charset*1=16\n", hello))
	add("never-charset-twice-2231", "malformed", mailOf("Content-Type: text/html; charset=utf-8; charset*=iso-8859-1''utf-16\n", hello))
	add("never-start-2231", "malformed", from+strings.Replace(multi("related", "b", htmlPart, "Content-ID: <root>\n"+htmlPart), "boundary=", "start*=iso-8859-1''root; boundary=", 1))
	add("never-format-2231", "malformed", mailOf("Content-Type: text/plain; charset=utf-8; format*=iso-8859-1''flowed\nContent-Transfer-Encoding: 8bit\n", "ראו http://example.com/ספר \nx\n"), Options{Plain: Isolate})
	add("semicolon-in-quotes", "modified", mailOf("Content-Type: text/html; x=\"a\\\"; name=b\"; charset=utf-8\n", hello))
	add("never-unknown-disposition", "attachment", with("Content-Disposition: form-data\n"))
	add("never-bad-disposition", "attachment", with("Content-Disposition: inline; x=a b c\n"))
	add("never-attached-multipart", "no-candidate", from+"Content-Disposition: attachment\n"+multi("mixed", "b", htmlPart))
	add("inline", "modified", with("Content-Disposition: inline\n"))
	add("never-content-md5", "checksum", with("Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\n"))
	add("never-content-digest", "checksum", with("Content-Digest: sha-256=:abc:\n"))
	add("never-dkim", "dkim", "DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; bh=abc; b=def\n"+with(""))
	add("dkim-final", "modified", "DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; bh=abc; b=def\n"+with(""), Options{RewriteDKIM: true})
	add("never-arc", "dkim", "ARC-Seal: i=1; a=rsa-sha256; d=example.com; s=s1; b=def\n"+with(""))
	add("never-list", "list", "List-Id: A list <list.example.com>\n"+with(""))
	add("list-final", "modified", "List-Id: A list <list.example.com>\n"+with(""), Options{RewriteLists: true})
	add("observe", "observe", from+multi("alternative", "b1", plainPart, htmlPart), Options{Observe: true})

	// HTML.
	add("html-bare", "unchanged", page("<p>example.com README.md</p>\n"))
	add("html-bare-all", "modified", page("<p>example.com README.md</p>\n"), Options{Bare: BareAll})
	add("html-file-names", "modified", page("<p>Look into docs/קובץ/x.txt, please.</p>\n"), Options{WrapFileNames: true})
	add("html-bare-none", "modified", page("<p>www.example.com http://example.com/</p>\n"), Options{Bare: BareNone})
	add("html-email", "modified", page("<p>Ask a.b@example.com, איש@example.com.</p>\n"))
	add("html-anchors", "unchanged", page("<p><a href=\"http://example.com/\">http://example.com/</a> <code>www.example.com</code></p>\n"))
	add("html-outlook", "modified", page("<!--[if mso]><p>http://example.com/mso</p><![endif]--><style>a{b:url(http://example.com/)}</style><p class=MsoNormal>http://example.com/</p>\n"))
	add("html-right-to-left", "modified", page("<div dir=rtl>ראו http://example.com/ספר/דף, וגם http://example.com/.</div>\n"))
	add("html-again", "unchanged", page("<p><bdi dir=\"ltr\"><a href=\"http://example.com/%D7%A9\"><span dir=\"ltr\">http://example.com/ש</span></a></bdi></p>\n"))
	add("html-xml", "html", page("<?xml version=\"1.0\"?><html><p>http://example.com/</p></html>\n"))
	add("html-svg", "modified", page("<p>http://example.com/</p><svg><text>http://example.com/</text></svg><p>http://example.com/</p>\n"))
	add("html-pdf", "html", page("%PDF-1.4 http://example.com/\n"))
	add("html-nul", "modified", page("<p>x\x00y http://example.com/</p>\n"))
	add("html-control", "modified", page("<p>http://example.com/\u202ecba/ש http://example.com/x&#x202e;y</p>\n"))
	add("html-bare-cr", "modified", page("<p>a\rhttp://example.com/\rb</p>\n"))
	add("html-no-line-end", "modified", page("<p>http://example.com/</p>"))
	add("html-nothing", "unchanged", page("<p>nothing here</p>\n"))

	// Lines of at most 998 bytes.
	add("line-998", "modified", page("<p>"+strings.Repeat("x", 900)+" http://example.com/ "+strings.Repeat("y", 74)+"\n"))
	add("line-many-links", "modified", page("<p>"+strings.Repeat("http://e.com/a ", 66)+"\n"))
	add("line-many-links-crlf", "modified", crlf(page("<p>"+strings.Repeat("http://e.com/ש ", 60)+"\n")))
	add("line-long-before", "modified", page("<p>"+strings.Repeat("word ", 300)+"http://example.com/ "+strings.Repeat("word ", 300)+"\n"))
	add("line-long-href", "length", page("<p>http://example.com/"+strings.Repeat("ש", 170)+"\n"))
	add("line-long-href-fits", "modified", page("<p>http://example.com/"+strings.Repeat("ש", 150)+"\n"))
	add("line-long-href-qp", "modified", htmlIn("utf-8", "quoted-printable", qp("<p>http://example.com/"+strings.Repeat("ש", 170)+"\n")))

	// Plain text.
	iso := Options{Plain: Isolate}
	plain := func(fields, text string) string {
		return mailOf("Content-Type: text/plain; charset=utf-8"+fields+"\n", text)
	}
	add("plain-isolate", "modified", plain("\nContent-Transfer-Encoding: 8bit", "ראו http://example.com/ספר, וגם http://example.com/.\n"), iso)
	add("plain-isolate-neighbours", "modified", plain("\nContent-Transfer-Encoding: 8bit", "a http://example.com/א http://example.com/ב http://example.com/ג, http://example.com/ד b\nhttp://example.com/ה\n"), iso)
	add("plain-isolate-refuse", "unchanged", plain("\nContent-Transfer-Encoding: 8bit", "http://example.com/אa1\n"), Options{Plain: Isolate, Refuse: ^display.Warnings(0)})
	add("html-refuse", "unchanged", page("<p>http://example.com/אa1</p>\n"), Options{Refuse: ^display.Warnings(0)})
	add("plain-isolate-qp", "modified", plain("\nContent-Transfer-Encoding: quoted-printable", qp("ראו http://example.com/ספר, וגם http://example.com/.\n")), iso)
	add("plain-isolate-base64", "modified", plain("\nContent-Transfer-Encoding: base64", b64("ראו http://example.com/ספר, וגם http://example.com/.\n", 76)), iso)
	add("plain-isolate-flowed", "flowed", plain("; format=flowed\nContent-Transfer-Encoding: 8bit", "http://example.com/ספר \nx\n"), iso)
	add("plain-isolate-7bit", "cte", plain("", "http://example.com/x\n"), iso)
	add("plain-isolate-pgp", "inline-pgp", plain("\nContent-Transfer-Encoding: 8bit", "-----BEGIN PGP SIGNED MESSAGE-----\n\nhttp://example.com/ספר\n"), iso)
	add("plain-isolate-charset", "charset", mailOf("Content-Type: text/plain; charset=windows-1255\nContent-Transfer-Encoding: 8bit\n", in("windows-1255", "http://example.com/ספר\n")), iso)
	add("plain-isolate-again", "unchanged", plain("\nContent-Transfer-Encoding: 8bit", "\u2066http://example.com/ספר\u2069 \u200ehttp://example.com/ספר\n"), iso)
	return list
}

// escapeAll escapes each byte.
func escapeAll(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "=%02X", s[i])
		if i%24 == 23 {
			b.WriteString("=\n")
		}
	}
	return b.String()
}
