// SPDX-License-Identifier: MIT

package mailfilter

import (
	"errors"
	"fmt"
	"testing"
)

func TestTexts(t *testing.T) {
	const (
		plain = "MIME-Version: 1.0\r\nContent-Type: "
		mixed = plain + "multipart/mixed; boundary=b\r\nDKIM-Signature: x\r\nList-Id: <x.example>\r\n\r\n"
	)
	for name, c := range map[string]struct{ msg, want string }{
		"no header":        {"\nexample.com\n", "[{ text/plain example.com\n}]"},
		"flowed":           {plain + "text/plain; format=flowed\r\n\r\na \r\nb", "[{ text/plain a \r\nb}]"},
		"quoted-printable": {plain + "text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>http://=\r\nexample.com/=D7=93", "[{ text/html <p>http://example.com/ד}]"},
		"base64":           {plain + "text/plain; charset=windows-1255\r\nContent-Transfer-Encoding: base64\r\n\r\nZS5jb20v4w==", "[{ text/plain e.com/ד}]"},
		"not in it":        {plain + "text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n\xff", "[]"},
		"not base64":       {plain + "text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n*", "[]"},
		"parts": {mixed + "--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\na\r\n--c\r\nContent-Type: text/html\r\n\r\nb\r\n--c--\r\n--b\r\nContent-Disposition: attachment\r\n\r\nc\r\n" +
			"--b\r\nContent-Type: image/png\r\n\r\nd\r\n--b--\r\n", "[{1.1 text/plain a} {1.2 text/html b}]"},
		"signed": {plain + "multipart/signed; boundary=b\r\n\r\n--b\r\n\r\na\r\n--b--\r\n", "[]"},
	} {
		texts, err := Texts([]byte(c.msg), Options{})
		got := "["
		for i, x := range texts {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("{%s %s %s}", x.Path, x.Type, x.Text)
		}
		if got += "]"; err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
	var limit *LimitError
	if _, err := Texts(make([]byte, 11), Options{MaxMessage: 10}); !errors.As(err, &limit) {
		t.Error(err)
	}
	if _, err := Texts([]byte("\nabcdef"), Options{MaxPart: 3}); err != nil && !errors.As(err, &limit) {
		t.Error(err)
	}
	if _, err := Texts(nil, Options{MaxPart: -1}); err == nil {
		t.Error("no error")
	}
}

// Texts says of no message anything else than Rewrite: a part that is changed is among them.
func FuzzTexts(f *testing.F) {
	f.Add([]byte("MIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>http://example.com/=C3=BC"))
	f.Add([]byte("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\nhttp://example.com\n--b--"))
	f.Fuzz(func(t *testing.T, msg []byte) {
		before := string(msg)
		texts, err := Texts(msg, Options{})
		if string(msg) != before {
			t.Fatal("the message is changed")
		}
		_, report, _ := RewriteMessage(msg, Options{RewriteDKIM: true, RewriteLists: true})
		for _, p := range report.Parts {
			found := p.Result != Modified
			for _, x := range texts {
				found = found || x.Path == p.Path
			}
			if !found {
				t.Fatalf("part %q is changed, but no text: %v", p.Path, err)
			}
		}
	})
}
