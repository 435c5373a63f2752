// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/bidilink/bidilink/mailfilter"
)

// TestMain has what was in a buffer be wrong afterwards, but for benchmarks.
func TestMain(m *testing.M) {
	flag.Parse()
	bench := flag.Lookup("test.bench")
	poison = bench == nil || bench.Value.String() == ""
	os.Exit(m.Run())
}

func TestPutBack(t *testing.T) {
	short, long := make([]byte, 10, freeMemory), make([]byte, 10, freeMemory+1)
	p := new([]byte)
	putBack(p, short)
	if len(*p) != 0 || cap(*p) != freeMemory || short[9] != '<' {
		t.Errorf("%d, %d, %q", len(*p), cap(*p), short)
	}
	q := new([]byte)
	putBack(q, long)
	if *q != nil || long[9] != 0 {
		t.Errorf("one that is too long: %d, %q", len(*q), long)
	}
}

// TestPutBackCleared has what was in a buffer be gone for the next message, behind the end of what is given back, too.
func TestPutBackCleared(t *testing.T) {
	defer func(was bool) { poison = was }(poison)
	poison = false
	b := []byte("a message with a secret")
	putBack(new([]byte), b[:5])
	if want := make([]byte, len(b)); !bytes.Equal(b, want) {
		t.Errorf("%q", b)
	}
}

func TestSize(t *testing.T) {
	for parameters, want := range map[string]int64{
		"": 0, "SIZE=25000000": 25_000_000, "BODY=8BITMIME size=17 SMTPUTF8": 17, "SIZE": 0, "SIZE=": 0, "SIZE=-1": 0, "SIZE=x": 0,
		"XSIZE=5": 0, "SIZE=99999999999999999999": 0, "RET=HDRS": 0,
	} {
		if got := size(parameters); got != want {
			t.Errorf("%q: %d, want %d", parameters, got, want)
		}
	}
}

// Whatever length a client announces, the message is what came, and the room for it within the limit.
func TestGrow(t *testing.T) {
	const limit = 12 << 20
	for _, parameters := range []string{"", "SIZE=1", "SIZE=5000000", "SIZE=11000000", "SIZE=9999999999"} {
		c, s := newSession(t, Options{Policy: everywhere(mailfilter.Options{MaxMessage: limit})})
		m := &modifier{bodies: &s.bodies}
		c.MailFrom("", parameters, m)
		for _, f := range page {
			c.Header(f[0], f[1], m)
		}
		c.Headers(m)
		chunk := bytes.Repeat([]byte("0123456789abcde\n"), 4000)
		var want []byte
		for len(want) < 10<<20 {
			want = append(want, chunk...)
			if resp, err := c.BodyChunk(chunk, m); err != nil || resp.String() == "" {
				t.Fatal(resp, err)
			}
			if len(c.msg) < largeMessage && cap(c.msg) >= 2*largeMessage {
				t.Fatalf("%s: room for %d bytes with %d there", parameters, cap(c.msg), len(c.msg))
			}
			if cap(c.msg) > limit {
				t.Fatalf("%s: room for %d bytes, more than the limit", parameters, cap(c.msg))
			}
		}
		if !bytes.Equal(c.msg[c.header:], want) {
			t.Errorf("%s: not what came", parameters)
		}
		c.Abort(m)
	}
}
