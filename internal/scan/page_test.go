// SPDX-License-Identifier: MIT

//go:build linux && amd64 && !purego

package scan

import (
	"math/rand/v2"
	"syscall"
	"testing"
)

// TestPages looks at texts that begin or end where a page does whose neighbour cannot be read: a load outside the text is a fault.
func TestPages(t *testing.T) {
	if !Fast {
		t.Skip("this processor has no AVX2")
	}
	page := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(m)
	for _, outside := range [][]byte{m[:page], m[2*page:]} {
		if err := syscall.Mprotect(outside, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	p := m[page : 2*page : 2*page]
	alphabet := []byte(".-/[aZ09 \x80\x82\xBC\x8E\xBD\xA1\xE3\xEF")
	r := rand.New(rand.NewPCG(1, 2))
	// From a text without triggers to one that is full of them, since a search ends at the first.
	for _, share := range []int{0, 2, 10, 100} {
		for i := range p {
			p[i] = 'q'
			if r.IntN(100) < share {
				p[i] = alphabet[r.IntN(len(alphabet))]
			}
		}
		for n := Block; n <= 4*Block+Ahead; n++ {
			for i := range n + 1 {
				compare(t, p[:n:n], i)
				compare(t, p[len(p)-n:], i)
			}
		}
	}
}
