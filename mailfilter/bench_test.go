// SPDX-License-Identifier: MIT

package mailfilter

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// newsletter is HTML as programs write it for mail, of about n bytes.
func newsletter(n int) string {
	const row = `<tr><td align="center" style="padding:20px 10px 20px 10px;font-family:Arial, Helvetica, sans-serif;"><p style="margin:0;">Hello&nbsp;there, see <b>www.example.com/track?id=1&amp;lang=en</b> or ask
 help@example.com.</p><a href="https://example.com/u/1?utm_source=mail"><img src="https://example.com/i/1.png" alt="x" style="display:block;border:0;" /></a> some more words, é.</td></tr>
`
	return "<html><body><table>\n" + strings.Repeat(row, max(n/len(row), 1)) + "</table></body></html>\n"
}

func benchMessage(cte string, n int) string {
	body := newsletter(n)
	switch cte {
	case "quoted-printable":
		body = qp(body)
	case "base64":
		body = b64(body, 76)
	}
	part := "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: " + cte + "\n\n" + body
	return crlf(from + multi("alternative", "b", plainPart, part))
}

func BenchmarkRewrite(b *testing.B) {
	for _, c := range []struct{ name, msg string }{
		{"20kB/8bit", benchMessage("8bit", 20<<10)},
		{"20kB/quoted-printable", benchMessage("quoted-printable", 20<<10)},
		{"20kB/base64", benchMessage("base64", 20<<10)},
		{"1MB/8bit", benchMessage("8bit", 1<<20)},
		{"plain", crlf(mailOf("", strings.Repeat("Only text, http://example.com/\n", 700)))},
		{"attachment", crlf(from + multi("mixed", "b", htmlPart, "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"+b64(strings.Repeat("x", 5<<20), 76)))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.msg)))
			b.ReportAllocs()
			msg := []byte(c.msg)
			for b.Loop() {
				if _, rep, err := RewriteMessage(msg, Options{MaxLinks: 1 << 20, Timeout: time.Hour}); err != nil || rep.Reason != NoReason && rep.Reason != NoCandidate {
					b.Fatal(err, rep.Reason)
				}
			}
		})
	}
}

// With the message itself, what is allocated for one of 22 MB with a megabyte of HTML, with nothing taken back, is less than three times its size.
func TestMemory(t *testing.T) {
	attachment := "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n" + b64(strings.Repeat("x", 15<<20), 76)
	for _, cte := range []string{"8bit", "quoted-printable", "base64"} {
		part := "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: " + cte + "\n\n"
		body := newsletter(1 << 20)
		switch cte {
		case "quoted-printable":
			body = qp(body)
		case "base64":
			body = b64(body, 76)
		}
		msg := []byte(crlf(from + multi("mixed", "b", part+body, attachment)))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, rep, err := RewriteMessage(msg, Options{MaxLinks: 1 << 20, Timeout: time.Hour})
		runtime.ReadMemStats(&after)
		if err != nil || rep.Result != Modified {
			t.Fatalf("%v, %v %v %v", err, rep.Result, rep.Reason, rep.Err)
		}
		total := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(msg))
		t.Logf("%s: %d bytes, %.2f times that", cte, len(msg), total)
		if total > 2 {
			t.Errorf("%s: %.2f times the message, and the message", cte, total)
		}
	}
}
