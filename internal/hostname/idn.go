// SPDX-License-Identifier: MIT

package hostname

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bufSize is enough for a name whose last label is written before its length is known.
const bufSize = 328

// A verdict on a name.
type verdict uint8

const (
	good verdict = iota
	bad
	unsure // x/net/idna has to say
)

// direction holds the bidi classes of a label for the rule of RFC 5893.
type direction struct {
	seen  uint // all classes
	first uint // the first one
	last  uint // the last one that is not bidiNSM
}

// ok reports whether the label satisfies the rule. The fields may have other bits of an info too.
func (d direction) ok() bool {
	switch {
	case d.first&bidiL != 0:
		return d.seen&(bidiR|bidiAN) == 0 && d.last&(bidiL|bidiEN) != 0
	case d.first&bidiR != 0:
		return d.seen&bidiL == 0 && d.last&(bidiR|bidiEN|bidiAN) != 0 && d.seen&(bidiEN|bidiAN) != bidiEN|bidiAN
	}
	return false
}

// These are what the ASCII characters of labels have as their info.
const (
	infoLetter = bidiL | infoFirst
	infoDigit  = bidiEN
	infoHyphen = bidiNeutral
)

// asciiInfo holds the info of the ASCII characters, 0 for all other bytes.
var asciiInfo = [256]uint16{
	'-': infoHyphen,
	'0': infoDigit, infoDigit, infoDigit, infoDigit, infoDigit, infoDigit, infoDigit, infoDigit, infoDigit, infoDigit,
	'A': infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter,
	'N': infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter,
	'a': infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter,
	'n': infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter, infoLetter,
}

// sequence is the info of the character before in a label, and knows whether the next one stays as
// it is under normalisation.
type sequence uint

// infoRank is where the rank is.
const infoRank = 1<<16 - 1<<infoGroupShift

// afterMaybe is a rank above all others.
const afterMaybe = 0x7f << infoGroupShift

// next returns q after a character with the given info, and whether that one surely stays. It does if
//   - its combining class is 0 or greater than that of a mark before it, and
//   - it follows, if it may compose at all, a character of combining class 0 that composes with nothing.
func (q sequence) next(info uint) (sequence, bool) {
	rank := sequence(info) >> infoGroupShift
	switch {
	case rank != 0 && rank <= q>>infoGroupShift:
		return q, false
	case info&infoMaybe == 0:
		return sequence(info), true
	case q&infoFirst != 0 || q>>infoGroupShift != 0:
		return q, false
	case rank != 0:
		return sequence(info) | afterMaybe, true
	}
	return sequence(info), true
}

// add is next for what is not in a hurry.
func (q *sequence) add(info uint16) (ok bool) {
	*q, ok = q.next(uint(info))
	return ok
}

// convert writes the name host in lower-case A-labels to dst. It returns the length, the place of the last
// label, and the number of labels.
func convert(dst *[bufSize]byte, host string) (n, tld, labels int, v verdict) {
	rtl, ok := false, true // a label is right-to-left; all satisfy the Bidi rule
	for i, o := 0, 0; ; {  // where a label begins in host and in dst
		size, seen := asciiLabel(dst, o, host[i:])
		end, e := i+size, o+size
		var dir direction
		switch {
		case size == 0 || end < len(host) && host[end] != '.':
			if e, end, dir, v = anyLabel(dst, o, host, i); v != good {
				return 0, 0, 0, v
			}
		case size > maxLabel || dst[o] == '-' || dst[e-1] == '-':
			return 0, 0, 0, bad
		case size > 4 && string(dst[o:o+4]) == "xn--":
			if dir, v = checkALabel(dst[o+4 : e]); v != good {
				return 0, 0, 0, v
			}
		default:
			dir = direction{seen, uint(asciiInfo[dst[o]]), uint(asciiInfo[dst[e-1]])}
		}
		rtl = rtl || dir.seen&(bidiR|bidiAN) != 0
		ok = ok && dir.ok()
		labels++
		if e > maxName {
			return 0, 0, 0, bad
		}
		if end == len(host) {
			if rtl && !ok {
				return 0, 0, 0, bad
			}
			return e, o, labels, good
		}
		if host[end] == '.' {
			i = end + 1
		} else {
			i = end + 3 // the other dots
		}
		dst[e] = '.'
		o = e + 1
	}
}

// asciiLabel writes the label characters at the beginning of host to dst[o:], as far as they are ASCII, in
// lower case, but not much more than a label. It returns how many there are, and what they are.
func asciiLabel(dst *[bufSize]byte, o int, host string) (n int, seen uint) {
	d := dst[o : o+maxLabel+1]
	for n < len(host) && n < len(d) {
		c := host[n]
		info := asciiInfo[c]
		if info == 0 {
			break
		}
		d[n] = c | 0x20
		seen |= uint(info)
		n++
	}
	return n, seen
}

// A label as it is read.
type label struct {
	runes  [maxLabel + 1]pcRune // what is not ASCII
	nRunes int
	count  int    // of code points
	basic  uint64 // which of them are ASCII; their bytes are in dst
	seen   uint   // see direction
	first  uint
	last   uint // before a sequence of bidiNSM; otherwise the last one is in seq
	seq    sequence
}

// anyLabel writes the label at host[i:] to dst[o:]. It returns its ends in dst and in host.
func anyLabel(dst *[bufSize]byte, o int, host string, i int) (e, end int, dir direction, v verdict) {
	var l label
	e = o + 4
	for i < len(host) {
		c := host[i]
		if c < utf8.RuneSelf {
			info := uint(asciiInfo[c])
			if info == 0 {
				if c == '.' {
					break
				}
				if !isASCII(host[i:]) {
					return 0, 0, dir, unsure // it may compose with what follows
				}
				return 0, 0, dir, bad
			}
			if l.count == 0 {
				l.first = info
			} else if l.count == maxLabel {
				return 0, 0, dir, bad
			}
			i++
			l.seen |= info
			l.seq = sequence(info)
			dst[e] = c | 0x20
			e++
			l.basic |= 1 << (l.count & 63)
			l.count++
			continue
		}
		if j := l.plain(host, i); j > i {
			i = j
			continue
		}
		r, size := utf8.DecodeRuneInString(host[i:])
		if r == utf8.RuneError {
			return 0, 0, dir, bad
		}
		if r == 0x3002 || r == 0xff0e || r == 0xff61 {
			break
		}
		i += size
		switch Of(r) >> classShift {
		case classSlow:
			return 0, 0, dir, unsure
		case classIgnored:
			continue
		case classUpper:
			r = unicode.ToLower(r)
		case classAM:
			// The first of the two is a mark, the second a letter.
			if l.count == 0 {
				return 0, 0, dir, unsure
			}
			if v := l.add(r + 0x1a); v != good {
				return 0, 0, dir, v
			}
			r--
		}
		if v := l.add(r); v != good {
			return 0, 0, dir, v
		}
	}
	if l.count == 0 || l.basic&1 != 0 && dst[o+4] == '-' || l.basic>>(l.count-1) != 0 && dst[e-1] == '-' {
		return 0, 0, dir, bad
	}
	dir = direction{l.seen, l.first, l.last}
	if l.seq&bidiNSM == 0 {
		dir.last = uint(l.seq)
	}
	if l.nRunes == 0 {
		size := copy(dst[o:], dst[o+4:e])
		if size > 4 && string(dst[o:o+4]) == "xn--" {
			dir, v = checkALabel(dst[o+4 : o+size])
		}
		return o + size, i, dir, v
	}
	if l.basic&0xc == 0xc {
		if p := o + 4 + bits.OnesCount64(l.basic&3); dst[p] == '-' && dst[p+1] == '-' {
			return 0, 0, dir, bad
		}
	}
	dst[o], dst[o+1], dst[o+2], dst[o+3] = 'x', 'n', '-', '-'
	if l.basic != 0 {
		dst[e] = '-'
		e++
	}
	sortRunes(l.runes[:l.nRunes])
	if e = encode(dst, e, o+maxLabel, l.basic, l.runes[:l.nRunes]); e < 0 {
		return 0, 0, dir, bad
	}
	return e, i, dir, good
}

// add adds a character that is not ASCII.
func (l *label) add(r rune) verdict {
	info := uint(classInfo[Of(r)>>classShift])
	if info&bidiNSM != 0 && l.seq&bidiNSM == 0 {
		l.last = uint(l.seq)
	}
	seq, ok := l.seq.next(info)
	switch {
	case info == 0 || !ok:
		return unsure
	case l.count == 0 && info&infoMark != 0 || l.count == maxLabel:
		return bad
	case l.count == 0:
		l.first = info
	}
	l.seq = seq
	l.seen |= info
	l.runes[l.nRunes] = makePCRune(r, l.count)
	l.nRunes++
	l.count++
	return good
}

// plain adds the characters at host[i:] as far as they are of two or three bytes, are mapped to themselves and
// do not compose. It returns where it stops. This is add with everything in registers.
func (l *label) plain(host string, i int) int {
	n, pos, seq, seen, last := l.nRunes, l.count, l.seq, l.seen, l.last
	for i < len(host) && pos < maxLabel {
		var r rune
		size := 2
		if c := host[i]; c < 0xe0 {
			if c < 0xc2 || i+1 >= len(host) || host[i+1]&0xc0 != 0x80 {
				break
			}
			r = rune(c&0x1f)<<6 | rune(host[i+1]&0x3f)
		} else {
			if c >= 0xf0 || i+2 >= len(host) || host[i+1]&0xc0 != 0x80 || host[i+2]&0xc0 != 0x80 {
				break
			}
			r = rune(c&0x0f)<<12 | rune(host[i+1]&0x3f)<<6 | rune(host[i+2]&0x3f)
			if r < 0x800 {
				break
			}
			size = 3
		}
		info := uint(classInfo[blocks[int(blockIndex[r>>blockShift&0xff])<<blockShift|int(r&blockMask)]>>classShift])
		switch {
		case info&infoMark == 0 && info&(infoMaybe|bidiMask) < infoMaybe && info != 0:
			seq = sequence(info)
		case info == 0 || pos == 0:
			goto done
		default:
			next, ok := seq.next(info)
			if !ok {
				goto done
			}
			if info&bidiNSM != 0 && seq&bidiNSM == 0 {
				last = uint(seq)
			}
			seq = next
		}
		if pos == 0 {
			l.first = info
		}
		seen |= info
		l.runes[n&63] = makePCRune(r, pos)
		n++
		pos++
		i += size
	}
done:
	l.nRunes, l.count, l.seq, l.seen, l.last = n, pos, seq, seen, last
	return i
}

// A Host is the host at the beginning of a text, as [Plain] finds it.
type Host struct {
	Last   int    // where its last label begins
	Name   int    // where that ends
	End    int    // Name, or the place behind one full stop more
	Status Status // of the host up to Name: never Invalid
}

// quick is Classify for the names that Plain knows.
func quick(host string) (s Status, ok bool) {
	h, ok := Plain(host, 0)
	return h.Status, ok && h.Name == len(host)
}

// Plain finds the longest host of plain characters at text[from:], and says what it is, without its A-labels: that is Classify for the
// common names beyond ASCII. Plain characters are label characters ([Label]): the ASCII ones, and those that are mapped to themselves and
// surely do not compose; the dots are full stops. It is not ok where a label may be too long, or where it cannot tell the suffix; among
// that is all that is Invalid. The character behind the host may be one of hosts too, but no plain one.
func Plain(text string, from int) (h Host, ok bool) {
	rtl, bidi := false, true // as in convert
	size, labels := 0, 0
	last, count, basic := from, 0, 0 // the label that was read last: where it begins, how many characters it has, how many of them of ASCII
	i := from
	for {
		start, chars, ascii := i, 0, 0
		lo, hi := rune(0x10000), rune(0)
		var seq sequence
		var dir direction
		for i < len(text) {
			c := text[i]
			info, next := uint(0), i+1
			if c < utf8.RuneSelf {
				info = uint(asciiInfo[c])
				if info == 0 {
					break
				}
				if c == '-' && (chars == 0 || chars == 3 && text[i-1] == '-') {
					return h, false
				}
				ascii++
				seq = sequence(info)
			} else {
				var r rune
				if c >= 0xc2 && c < 0xe0 && i+1 < len(text) && text[i+1]&0xc0 == 0x80 {
					r, next = rune(c&0x1f)<<6|rune(text[i+1]&0x3f), i+2
				} else if c >= 0xe0 && c < 0xed && i+2 < len(text) && text[i+1]&0xc0 == 0x80 && text[i+2]&0xc0 == 0x80 {
					r, next = rune(c&0x0f)<<12|rune(text[i+1]&0x3f)<<6|rune(text[i+2]&0x3f), i+3
					if r < 0x800 {
						break
					}
				} else {
					break
				}
				props := Props(blocks[int(blockIndex[r>>blockShift&0xff])<<blockShift|int(r&blockMask)])
				info = uint(classInfo[props>>classShift])
				if info == 0 || props&Label == 0 {
					break
				}
				if info&(infoMaybe|infoRank) == 0 {
					seq = sequence(info)
				} else {
					if chars == 0 {
						return h, false
					}
					var stays bool
					if seq, stays = seq.next(info); !stays {
						return h, false
					}
				}
				lo, hi = min(lo, r), max(hi, r)
			}
			if chars == 0 {
				dir.first = info
			}
			if info&bidiNSM == 0 {
				dir.last = info
			}
			dir.seen |= info
			chars++
			i = next
		}
		h.End = i
		if chars == 0 { // a full stop was the last one, or there is nothing
			h.Name = i - 1
			break
		}
		if text[i-1] == '-' || dir.first&infoMark != 0 {
			return h, false
		}
		n := longest(chars, ascii, lo, hi)
		if size += n + 1; n > maxLabel {
			return h, false
		}
		rtl = rtl || dir.seen&(bidiR|bidiAN) != 0
		bidi = bidi && dir.ok()
		labels++
		last, count, basic = start, chars, ascii
		if i == len(text) || text[i] != '.' {
			h.Name = i
			break
		}
		i++
	}
	h.Last = last
	if labels == 0 || size-1 > maxName || rtl && !bidi {
		return h, false
	}
	if basic < count {
		place := unicodeTLD(text[last:h.Name])
		switch {
		case place < 0:
			h.Status = Name
			return h, basic == 0 // it may have capitals
		case labels == 1:
			h.Status = Suffix
			return h, true
		}
		h.Status = Registrable
		return h, labels > int(multiTLDs[place]) || !mayBeRule(text[from:h.Name])
	}
	if text[last] <= '9' {
		return h, false // a number, perhaps
	}
	info := ending(text[:h.Name], last)
	switch {
	case info == 0:
		h.Status = Name
		return h, true
	case labels == 1:
		h.Status = Suffix
		return h, true
	}
	h.Status = Registrable
	if labels > 4 || info&(tldTwo<<(8*(labels-2)&63)) == 0 {
		return h, true
	}
	// A label before the domain is not ASCII, or the name is longer than any suffix: none is the whole name unless it has an
	// A-label or a wildcard.
	host := text[from:h.Name]
	if info&tldALabel != 0 && mayBeRule(host) {
		return h, false
	}
	if info&(tldWild2<<(8*(labels-2)&63)) != 0 && rule(host[1+strings.IndexByte(host, '.'):])&ruleWild != 0 {
		h.Status = Suffix
	}
	return h, true
}

// mayBeRule reports whether a name with characters beyond ASCII, in their Unicode form, may be a public suffix of two labels or more.
func mayBeRule(s string) bool {
	h := unicodeHash(s)
	return mayUnicode[h/64]>>(h%64)&1 != 0
}

// unicodeHash returns the place of the bit of s in mayUnicode. It does not depend on the case of ASCII. The last bytes are mostly those of the
// top-level domain, so the first ones count too.
func unicodeHash(s string) uint64 {
	var first, last uint64
	if len(s) >= 8 {
		first, last = load8(s, 0), load8(s, len(s)-8)
	} else {
		first = loadShort(s)
	}
	h := ((first | lower8) ^ uint64(len(s))) * hashMul
	return (h ^ h>>32 ^ (last | lower8)) * hashMul >> (64 - unicodeBits)
}

// longest returns a bound for the length of the ASCII form of a label of count characters, of which basic are ASCII and the
// others lie from lo to hi, below U+10000. It is more than maxLabel where nothing better is known.
//
// Punycode writes one number for each character that is not ASCII. The base is 36, and the thresholds of the digits of a
// number are from 1 to 26 and do not fall; so whatever they are, two digits hold all numbers below 36, three those below
// 1261 (the thresholds are 1), four those below 28886 and five those below 288886 (they are 26). The thresholds of the first
// number are 1, 1, 26, 26, …: five digits hold what is below 3.5 millions. A later one is less than the distance from one
// character to the next, plus one, times the characters that are there.
func longest(count, basic int, lo, hi rune) int {
	if basic == count {
		return count
	}
	digits := maxLabel
	switch later := (int(hi-lo) + 1) * count; {
	case basic >= 32 || count > maxLabel:
	case later <= 36:
		digits = 2
	case later <= 1261:
		digits = 3
	case later <= 28886:
		digits = 4
	case later <= 288886:
		digits = 5
	}
	n := len("xn--") + 5 + digits*(count-basic-1)
	if digits == maxLabel {
		n = 2 * maxLabel
	}
	if basic > 0 {
		n += basic + 1
	}
	return n
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// sortRunes sorts s, which is short.
func sortRunes(s []pcRune) {
	for i := 1; i < len(s); i++ {
		k, j := s[i], i
		for ; j > 0 && s[j-1] > k; j-- {
			s[j] = s[j-1]
		}
		s[j] = k
	}
}

// checkALabel decides about a label from what follows xn--, in lower case, and returns the direction of the
// label it stands for.
func checkALabel(s []byte) (dir direction, v verdict) {
	var label [maxLabel]rune
	n := decode(&label, s)
	if n == 0 {
		return dir, bad
	}
	var seq sequence
	hyphens := uint64(0)
	for i, r := range label[:n] {
		var info uint
		switch {
		case r >= utf8.RuneSelf:
			info = uint(classInfo[Of(r)>>classShift]) // 0 for the classes before classFirst
			if info == 0 {
				return dir, unsure
			}
		default:
			info = uint(asciiInfo[r])
			if r == '-' {
				hyphens |= 1 << i
			}
		}
		if !seq.add(uint16(info)) {
			return dir, unsure
		}
		if i == 0 {
			if info&infoMark != 0 {
				return dir, bad
			}
			dir.first = info
		}
		dir.seen |= info
		if info&bidiNSM == 0 {
			dir.last = info
		}
	}
	if hyphens&(1|1<<(n-1)) != 0 || hyphens&0xc == 0xc {
		return dir, bad
	}
	return dir, good
}
