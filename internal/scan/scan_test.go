// SPDX-License-Identifier: MIT

package scan

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// triggers is Triggers, a byte at a time.
func triggers(b []byte, i int) (block int, hits uint64) {
	last := len(b) - Block - Ahead
	for block = min(i, last); ; block = min(block+Block, last) {
		for j := range Block {
			c, d, e := b[block+j], b[block+j+1], b[block+j+2]
			if c == '.' && d >= '-' || c == '/' && d == '[' || c == 0xE3 && d == 0x80 && e == 0x82 || c == 0xEF && (d == 0xBC && e == 0x8E || d == 0xBD && e == 0xA1) {
				hits |= 1 << j
			}
		}
		if hits != 0 || block == last {
			return block, hits
		}
	}
}

// host is Host, a byte at a time.
func host(b []byte, i int) (part, dots, hyphens uint64) {
	for j, c := range b[i : i+Block] {
		bit := uint64(1) << j
		switch {
		case c == '.':
			part |= bit
			dots |= bit
		case c == '-':
			part |= bit
			hyphens |= bit
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			part |= bit
		}
	}
	return part, dots, hyphens
}

func TestScan(t *testing.T) {
	if !Fast {
		t.Skip("this processor has no AVX2, or the tag purego is set")
	}
	// Every pair of bytes that may make a difference, and bytes round those that are compared with, stand in some text.
	alphabet := []byte(".,-/[0129:@AZ[`az{\x7f\x80\x81\x82\xBC\xBD\x8E\xA1\xE3\xEF \x00\x0D\x0E\x10\x1A\xAE\xFF")
	r := rand.New(rand.NewPCG(1, 2))
	fill := func(b []byte) {
		plain := r.IntN(2) == 0
		for i := range b {
			switch {
			case plain && r.IntN(20) > 0:
				b[i] = 'a'
			case r.IntN(2) == 0:
				b[i] = alphabet[r.IntN(len(alphabet))]
			default:
				b[i] = byte(r.Uint32())
			}
		}
		for i := range b {
			if r.IntN(16) == 0 {
				copy(b[i:], []string{"。", "．", "｡", "\xE3\x80\xA1", "\xEF\x80\x82", "\xEF\xBC\xA1", "\xEF\xBD\x8E", "\u1002", "\u0F0E", "\u0F61"}[r.IntN(10)])
			}
		}
	}
	for range 20000 {
		b := make([]byte, r.IntN(300))
		fill(b)
		compare(t, b, r.IntN(len(b)+1))
	}
	// Each length and each place.
	for n := range 201 {
		for range 3 {
			b := make([]byte, n)
			fill(b)
			for i := range n + 1 {
				compare(t, b, i)
			}
		}
	}
}

func compare(t *testing.T, b []byte, i int) {
	t.Helper()
	if i+Block <= len(b) {
		part, dots, hyphens := Host(b, i)
		if p, d, h := host(b, i); part != p || dots != d || hyphens != h {
			t.Fatalf("Host(%q, %d) = %064b, %064b, %064b; want %064b, %064b, %064b", b, i, part, dots, hyphens, p, d, h)
		}
	}
	if len(b) < Block+Ahead {
		return
	}
	block, hits := Triggers(b, i)
	if wantBlock, want := triggers(b, i); block != wantBlock || hits != want {
		t.Fatalf("Triggers(%q, %d) = %d, %064b; want %d, %064b", b, i, block, hits, wantBlock, want)
	}
}

func FuzzScan(f *testing.F) {
	if !Fast {
		f.Skip("this processor has no AVX2, or the tag purego is set")
	}
	f.Add(bytes.Repeat([]byte("a.b。a /["), 20), 3)
	f.Fuzz(func(t *testing.T, b []byte, i int) {
		if i < 0 || i > len(b) {
			return
		}
		compare(t, b, i)
	})
}
