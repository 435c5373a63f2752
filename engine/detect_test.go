// SPDX-License-Identifier: MIT

package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// deadline ends the test binary if the function that it returns is not called in a minute: a search that finds the same link again and
// again never ends.
func deadline(what string) (done func() bool) {
	return time.AfterFunc(time.Minute, func() { panic("no end of the search: " + what) }).Stop
}

// maxLengthOptions are those under which a link may end before the trigger that it was found by.
var maxLengthOptions = []Options{
	{}, {LocalHosts: true}, {Strict: true, LocalHosts: true}, {ExtraTLDs: []string{"b", "א"}}, {HostOK: func(h string) bool { return len(h)%2 == 0 }},
	{Schemes: []string{"ftp", "tel", "xmpp"}}, {Bare: BareNone}, {FileNames: true, Bare: BareWWW}, {SymbolLabels: true}, {NoHostPrefix: true, KeepQuotes: true},
}

// checkMaxLength checks that MaxLength leaves out the links that are longer, and changes nothing else.
func checkMaxLength(t *testing.T, o Options, most int, text string) {
	t.Helper()
	defer deadline(fmt.Sprintf("%+v, MaxLength %d: %q", o, most, text))()
	d := newDetector(t, o)
	var want []Link
	for l := range d.Links(text) {
		if l.Len() <= most {
			want = append(want, l)
		}
	}
	o.MaxLength = most
	short := newDetector(t, o)
	if got := short.AppendLinks(nil, text); !slices.Equal(got, want) {
		t.Fatalf("%+v: %q: %v, want %v", o, text, got, want)
	}
	for i := 0; i <= len(text); i += 1 + i/16 {
		got, _ := short.Find(text, i)
		var want Link
		f := finder{d: d, text: text, from: i, chunk: chunkOne}
		for f.find() {
			if f.link.Len() <= most {
				want = f.link
				break
			}
			f.from = f.link.End
		}
		if i < len(text) && text[i]&0xC0 != 0x80 && got != want {
			t.Fatalf("%+v: %q from %d: %v, want %v", o, text, i, got, want)
		}
	}
}

func newDetector(t *testing.T, o Options) *Detector {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestMaxLength has links that end before the trigger that they are found by, and are too long.
func TestMaxLength(t *testing.T) {
	for _, text := range []string{
		"日本a.b.co。かa@", "日本" + strings.Repeat("b", 60) + "." + strings.Repeat("b", 60) + ".co。かa@", "日本a.b.co。かa@b.co c.co",
		"http://EXみんな1א.cj", "http://EX。1.", "http://EX。1. a.co", "x https://example.com/path and a.co, then someone@example.com.",
	} {
		for _, o := range maxLengthOptions {
			for _, most := range []int{1, 4, 5, 10, 30, 100, 200} {
				checkMaxLength(t, o, most, text)
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 40))
	n := 20000
	if testing.Short() {
		n = 2000
	}
	var b strings.Builder
	for range n {
		b.Reset()
		for range 1 + r.IntN(12) {
			b.WriteString(plainPieces[r.IntN(len(plainPieces))])
			if r.IntN(8) == 0 {
				b.WriteByte(' ')
			}
		}
		checkMaxLength(t, maxLengthOptions[r.IntN(len(maxLengthOptions))], 1+r.IntN(40), b.String())
	}
}

func FuzzMaxLength(f *testing.F) {
	f.Add("日本a.b.co。かa@", uint8(0), uint8(4))
	f.Add("http://EXみんな1א.cj", uint8(1), uint8(4))
	f.Add("http://EX。1. ไทยwww.example.comไทย", uint8(1), uint8(4))
	f.Fuzz(func(t *testing.T, text string, o, most uint8) {
		checkMaxLength(t, maxLengthOptions[int(o)%len(maxLengthOptions)], 1+int(most)%40, text)
	})
}

// TestLongTexts has a trigger at every place round the end of what package scan is given at once.
func TestLongTexts(t *testing.T) {
	const n = longestScan
	b := []byte(strings.Repeat("a ", n+100))
	d := newDetector(t, Options{})
	for _, end := range []int{n, 2 * n} {
		for i := end - 140; i < end+140; i++ {
			s := "a.co www.例。中国 "
			copy(b[i:], s)
			l := slices.Collect(d.LinksBytes(b))
			if len(l) != 2 || l[0].Start != i && b[i-1] == ' ' || l[0].End != i+4 || l[1].Span != (Span{i + 5, i + len(s) - 1}) {
				t.Fatalf("%q at %d: %v", s, i, l)
			}
			copy(b[i:], strings.Repeat("a ", 20)[i%2:][:len(s)])
		}
	}
}
