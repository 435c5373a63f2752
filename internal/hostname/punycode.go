// SPDX-License-Identifier: MIT

package hostname

import "math/bits"

// The parameters of RFC 3492, section 5.
const (
	pcBase        = 36
	pcTMin        = 1
	pcTMax        = 26
	pcSkew        = 38
	pcDamp        = 700
	pcInitialBias = 72
	pcInitialN    = 0x80
)

const pcDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

// maxState is above all states of the decoder that stand for a label: a code point times the places for it.
const maxState = 0x110000 * (maxLabel + 1)

// reciprocals holds 1/d in units of 1/(1<<32), rounded up. It makes quotients exact for dividends up to maxState.
var reciprocals = [maxLabel + 2]uint64{
	0, // no divisor
	0x100000000, 0x80000000, 0x55555556, 0x40000000, 0x33333334, 0x2aaaaaab, 0x24924925, 0x20000000,
	0x1c71c71d, 0x1999999a, 0x1745d175, 0x15555556, 0x13b13b14, 0x12492493, 0x11111112, 0x10000000,
	0xf0f0f10, 0xe38e38f, 0xd79435f, 0xccccccd, 0xc30c30d, 0xba2e8bb, 0xb21642d, 0xaaaaaab,
	0xa3d70a4, 0x9d89d8a, 0x97b425f, 0x924924a, 0x8d3dcb1, 0x8888889, 0x8421085, 0x8000000,
	0x7c1f07d, 0x7878788, 0x7507508, 0x71c71c8, 0x6eb3e46, 0x6bca1b0, 0x6906907, 0x6666667,
	0x63e7064, 0x6186187, 0x5f417d1, 0x5d1745e, 0x5b05b06, 0x590b217, 0x572620b, 0x5555556,
	0x539782a, 0x51eb852, 0x5050506, 0x4ec4ec5, 0x4d4873f, 0x4bda130, 0x4a7904b, 0x4924925,
	0x47dc120, 0x469ee59, 0x456c798, 0x4444445, 0x4325c54, 0x4210843, 0x4104105, 0x4000000,
}

// divide returns n/d for n up to maxState and d from 1 to 64.
func divide(n, d uint32) uint32 { return uint32(uint64(n) * reciprocals[d] >> 32) }

// lastStep holds (pcBase-pcTMin+1)*delta/(delta+pcSkew) for what the loop of adapt leaves of delta.
const lastStep = "" +
	"\x00\x00\x01\x02\x03\x04\x04\x05\x06\x06\x07\x08\x08\x09\x09\x0a\x0a\x0b\x0b\x0c\x0c\x0c\x0d\x0d" +
	"\x0d\x0e\x0e\x0e\x0f\x0f\x0f\x10\x10\x10\x11\x11\x11\x11\x12\x12\x12\x12\x12\x13\x13\x13\x13\x13" +
	"\x14\x14\x14\x14\x14\x14\x15\x15\x15\x15\x15\x15\x16\x16\x16\x16\x16\x16\x16\x16\x17\x17\x17\x17" +
	"\x17\x17\x17\x17\x18\x18\x18\x18\x18\x18\x18\x18\x18\x18\x18\x19\x19\x19\x19\x19\x19\x19\x19\x19" +
	"\x19\x19\x19\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1b\x1b\x1b\x1b\x1b\x1b" +
	"\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1b\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c" +
	"\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1c\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d" +
	"\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1d\x1e\x1e" +
	"\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e" +
	"\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1f\x1f\x1f\x1f" +
	"\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f" +
	"\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f" +
	"\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x20\x20\x20\x20\x20\x20\x20\x20" +
	"\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20" +
	"\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20" +
	"\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20" +
	"\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20" +
	"\x20\x20\x20\x20\x20\x20\x20\x20\x20\x20\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21" +
	"\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21\x21"

// adapt is the function of RFC 3492, section 6.1.
func adapt(delta, points uint32, first bool) int32 {
	if first {
		delta /= pcDamp
	} else {
		delta /= 2
	}
	delta += divide(delta, points)
	k := int32(0)
	for delta > (pcBase-pcTMin)*pcTMax/2 {
		delta /= pcBase - pcTMin
		k += pcBase
	}
	return k + int32(lastStep[delta])
}

// threshold is t of RFC 3492, section 6.2, for what is left of k after bias is taken off.
func threshold(k int32) uint32 { return uint32(min(max(k, pcTMin), pcTMax)) }

// A pcRune is a code point above ASCII and its position in the label, which is below 64; sorted, they
// are in the order in which Punycode writes them.
type pcRune uint32

func makePCRune(r rune, pos int) pcRune { return pcRune(r)<<6 | pcRune(pos) }

// encode writes the digits of a label to dst[o:]: those of runes, which are sorted, among the basic
// code points, whose positions are the bits of basic. It returns the end, or -1 where that would be beyond limit.
//
// The state of RFC 3492's decoder, a code point n and a position i, is one number that only grows;
// the difference from one insertion to the next is what is written. A position is the number of
// characters before it that are already there, so no pass over the label is needed.
func encode(dst *[bufSize]byte, o, limit int, basic uint64, runes []pcRune) int {
	there := basic
	places := uint32(bits.OnesCount64(basic)) + 1
	n, i, bias := uint32(pcInitialN), uint32(0), int32(pcInitialBias)
	for j, key := range runes {
		if o >= limit {
			return -1
		}
		r, bit := uint32(key>>6), uint64(1)<<(key&63)
		pos := uint32(bits.OnesCount64(there & (bit - 1)))
		delta := (r-n)*places + pos - i
		q, k := delta, pcBase-bias
		t := threshold(k)
		for q >= t {
			q -= t
			d := divide(q, pcBase-t)
			dst[o] = pcDigits[t+q-d*(pcBase-t)]
			o++
			q = d
			k += pcBase
			t = threshold(k)
		}
		dst[o] = pcDigits[q]
		o++
		there |= bit
		bias = adapt(delta, places, j == 0)
		places++
		n, i = r, pos+1
	}
	if o > limit {
		return -1
	}
	return o
}

// decode writes the code points of an A-label without its prefix, in lower case, to dst, and returns how many there are:
// 0 if it is no Punycode, if they are all ASCII or too many.
func decode(dst *[maxLabel]rune, s []byte) int {
	n := 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != '-' {
			continue
		}
		if i == 0 || i == len(s)-1 || i > len(dst) {
			return 0
		}
		for ; n < i; n++ {
			dst[n] = rune(s[n])
		}
		s = s[i+1:]
		break
	}
	r, pos, bias := uint32(pcInitialN), uint32(0), int32(pcInitialBias)
	first := true
	for p := 0; p < len(s); {
		old, w := pos, uint32(1)
		for k := pcBase - bias; ; k += pcBase {
			if p == len(s) {
				return 0
			}
			var d uint32
			switch c := s[p]; {
			case 'a' <= c && c <= 'z':
				d = uint32(c - 'a')
			case '0' <= c && c <= '9':
				d = uint32(c-'0') + 26
			default:
				return 0
			}
			p++
			next := uint64(pos) + uint64(d)*uint64(w)
			if next > maxState {
				return 0
			}
			pos = uint32(next)
			t := threshold(k)
			if d < t {
				break
			}
			// The digit was not 0, so w was no more than pos, and this fits into 32 bits. The
			// limit is that of x/net/idna.
			if w *= pcBase - t; w > 1<<31-1 {
				return 0
			}
		}
		if n == len(dst) {
			return 0
		}
		places := uint32(n) + 1
		bias = adapt(pos-old, places, first)
		first = false
		d := divide(pos, places)
		r += d
		pos -= d * places
		if r > 0x10ffff || r-0xd800 < 0x800 {
			return 0
		}
		copy(dst[pos+1:n+1], dst[pos:n])
		dst[pos] = rune(r)
		n++
		pos++
	}
	if first {
		return 0
	}
	return n
}
