// SPDX-License-Identifier: MIT

package mailfilter

import (
	"fmt"
	"testing"
)

func TestSmoke(t *testing.T) {
	for _, m := range []string{
		"Content-Type: text/html; charset=utf-8\n\n<p>see www.example.com/ש ok\n",
		"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>see http://example.com/?a=3D1&amp;b=3D=D7=\r\n=A9 ok http://e.com/x http://e.com/y\r\nnext\r\n",
		"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+c2VlIGh0dHA6Ly9l\r\neGFtcGxlLmNvbS8gYW5k\r\nIG1vcmUgdGV4dCBoZXJl\r\n\r\n",
		"MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\npre\n--x\n\nplain\n--x\nContent-Type: text/html\n\n<p>http://e.com/\n--x--\nepilogue",
	} {
		out, rep, err := RewriteMessage([]byte(m), Options{})
		fmt.Printf("%s\n=> %+v %v\n", out, rep, err)
	}
}
