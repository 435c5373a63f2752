// SPDX-License-Identifier: MIT

package mailfilter

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// checkFields fails if the fields of a block say anything else than those of them that matter.
func checkFields(t *testing.T, block []byte) (well bool) {
	t.Helper()
	some, ok := thatMatter(block)
	if !ok {
		return false
	}
	want := parseFields(block)
	if got := parseFields(some); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, of which %q matters:\n got %+v\nwant %+v", block, some, got, want)
	}
	for range 2 { // the second time, it is remembered
		if got := readFields(block); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n got %+v\nwant %+v", block, got, want)
		}
	}
	return true
}

func TestFieldsThatMatter(t *testing.T) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	well := 0
	for _, name := range files {
		msg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := newFilter(Options{RewriteDKIM: true, RewriteLists: true})
		if err != nil {
			t.Fatal(err)
		}
		entities, _, err := f.scan(msg, nil)
		if err != nil {
			continue // beyond a limit
		}
		for i := range entities {
			if checkFields(t, entities[i].block) {
				well++
			}
		}
	}
	if well < 500 {
		t.Errorf("only %d headers", well)
	}
	for block, want := range map[string]string{
		"Subject: x\r\ncontent-TYPE: text/html;\r\n\tcharset=utf-8\r\nX: y\r\n z\r\nSig: a\r\n": "content-TYPE: text/html;\r\n\tcharset=utf-8\r\nSig: a\r\n",
		"Content-Typ: a\nContent-Type2: b\nXContent-Type: c\nTo: Content-Type: d\n":             "",
		"Arc-Seal: a\nARC-SEAL: b":        "Arc-Seal: a\nARC-SEAL: b",
		"List-ID: l\nX: a\n List-Id: m\n": "List-ID: l\n",
	} {
		if got, ok := thatMatter([]byte(block)); string(got) != want || !ok {
			t.Errorf("%q: %q, %v, want %q", block, got, ok, want)
		}
	}
	for _, block := range []string{" a: b\n", "a\n", "a : b\n", "a: b\n\nc: d\n", "a: \rb\n", "a: \x00\n", ": a\n", "é: a\n"} {
		if some, ok := thatMatter([]byte(block)); ok {
			t.Errorf("%q: %q", block, some)
		}
	}
}

// isRemembered reports whether the fields of a block are remembered now.
func isRemembered(block string) bool {
	for i := range remembered {
		if r := remembered[i].Load(); r != nil && r.block == block {
			return true
		}
	}
	return false
}

// TestRemembered looks at which headers stay in memory: none with anything that is of one message.
func TestRemembered(t *testing.T) {
	for _, block := range []string{
		"Content-Type: text/html; charset=utf-8\r\n",
		"content-type: TEXT/HTML;\r\n\tcharset=\"UTF-8\"\r\nContent-Transfer-Encoding: Quoted-Printable\r\nContent-Disposition: inline\r\n",
		"Content-Type: text/plain; charset=iso-8859-1; format=flowed; delsp=yes\nContent-Transfer-Encoding: 7bit\n",
		"Content-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: base64\n",
		"", // text/plain
	} {
		if readFields([]byte(block)); !isRemembered(block) {
			t.Errorf("%q is not remembered", block)
		}
	}
	const plain = "Content-Type: text/plain\n"
	for _, block := range []string{
		"Content-Type: text/html; charset=utf-8; name=secret.html\n",
		"Content-Type: text/html; charset=utf-8; name*=utf-8''secret.html\n",
		"Content-Type: text/html; charset=utf-8; x=secret\n",
		"Content-Type: text/html; charset=secret\n",
		"Content-Type: text/html; charset*=utf-8'secret'utf-8\n",
		"Content-Type: text/plain; format=secret\n",
		"Content-Type: text/plain; delsp=secret\n",
		"Content-Type: text/secret\n",
		"Content-Type: secret\n",
		"Content-Type: text/html (secret)\n",
		"Content-Type: text/html; =secret\n",
		"Content-Type: multipart/mixed; boundary=secret\n",
		"Content-Type: image/png\n",
		plain + "Content-Type: text/plain; x=secret\n",
		plain + "Content-Transfer-Encoding: secret\n",
		plain + "Content-Transfer-Encoding: 8bit (secret)\n",
		plain + "Content-Disposition: attachment\n",
		plain + "Content-Disposition: secret\n",
		plain + "Content-Disposition: inline; filename=secret\n",
		plain + "Content-Disposition: inline; x=secret\n",
		plain + "Content-Disposition: inline (secret)\n",
		plain + "Content-Disposition: ;secret\n",
		plain + "Content-Id: <secret@example.com>\n",
		plain + "Content-Md5: secret\n",
		plain + "Content-Digest: secret\n",
		plain + "Sig: secret\n",
		plain + "Dkim-Signature: secret\n",
		plain + "Arc-Seal: secret\n",
		plain + "List-Id: <secret.example.com>\n",
	} {
		for range 2 {
			readFields([]byte(block))
		}
		if isRemembered(block) {
			t.Errorf("%q is remembered", block)
		}
	}
	for _, name := range names { // one that parseFields comes to look at
		if block := plain + name + ": secret\n"; readFields([]byte(block)).mediaType != "" && isRemembered(block) {
			t.Errorf("%q is remembered", block)
		}
	}
}

func FuzzFieldsThatMatter(f *testing.F) {
	for _, name := range names {
		f.Add([]byte(name + ": text/html; charset=\"utf-8\"\r\n\tname=x\r\n" + strings.ToUpper(name) + ": b\nX: y\n"))
	}
	f.Add([]byte("Content-Type: multipart/mixed; boundary==?utf-8?q?b?=\nDKIM-Signature: v=1\n \nList-Id:\n"))
	f.Fuzz(func(t *testing.T, block []byte) { checkFields(t, block) })
}
