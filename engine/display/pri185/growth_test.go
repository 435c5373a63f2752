// SPDX-License-Identifier: MIT

package pri185

import (
	"fmt"
	"strings"
	"testing"
)

// allOptions are all combinations of options.
func allOptions() (all []Options) {
	for i := range 32 {
		all = append(all, Options{Strict: i&1 != 0, Draft: i&2 != 0, NoIRI: i&4 != 0, NoEmail: i&8 != 0, NoFileName: i&16 != 0})
	}
	return all
}

// shapes are a beginning, what is repeated, and an end.
func shapes() (all [][3]string) {
	for _, unit := range []string{
		"@", "a@", "a@b", "a@b.com", "@b.com", "a@b.com,", "a@b.com/", "@b。com", "@b。com。", "a.", ".", "..", "a.com", "a.com.", "a.com/", "a.com/א", "a.com,", "a.com+", "a.com:", "a.com?", "a.com#", "a.com!",
		"a.com·", "·", "·.", "·a.com:", "a。", "a。b/", "a。com/", "a.com。", "。", "a・", "・", "・.com", "・com/", "a.bar1", "a.bar1/", "a.bar1/!", "a/", "/", "//", `\`, "א/", "א", "א.", "/א", "א,", "א/ב,", "א/ב。", "א/ב ",
		"://", "http://", "http://a", "http://a:", "http://a:80/א,", "http://a/", "http://a。", "http://·", "http://·:", "http://·/", "http://a·", "a+", "a+b://", "a://b", "a://b!", "a://b!!!!/א", "א/a://b:", "a://b@", "a://b@c.com",
		"!", "?", "#", "%", "%41", "%D7%90/", "\u200e", "\u200e.", "א/\u200e", "\u200b", "a\u200b", "a\u00ad.", "\u2066א/ב\u2069", "é", "É.", "ｃｏｍ．", "例.中国/", "xn--", "xn--p1ai.", "(", "א/(", "\xff", "א/\xff", "\xd7", "\x00", "\n", "a ", "word. ", "1.1.",
	} {
		all = append(all, [3]string{"", unit, ""}, [3]string{"a.com/", unit, ""}, [3]string{"א/", unit, ""}, [3]string{"", unit, "@b.com"}, [3]string{"", unit, "/א"}, [3]string{"", unit, "://b"},
			[3]string{"", unit, strings.Repeat("!", 2000)}, [3]string{"http://", unit, ".com"}, [3]string{"http://a:", unit, "é"})
	}
	return all
}

// TestGrowth counts the bytes and code points looked at for n, 2n and 4n bytes of every shape: twice the text takes
// at most 2.2 times the steps.
func TestGrowth(t *testing.T) {
	options := []Options{
		{}, {Draft: true}, {Strict: true}, {Strict: true, Draft: true}, {NoIRI: true}, {NoEmail: true}, {NoFileName: true}, {NoIRI: true, NoEmail: true},
	}
	worst, worstPerByte := 0.0, 0.0
	for _, s := range shapes() {
		const n = 1200
		var texts [3]string
		for i := range texts {
			size := n << i
			end := s[2]
			if len(end) > 600 {
				end = strings.Repeat(end[:1], size/2)
			}
			texts[i] = s[0] + strings.Repeat(s[1], size/len(s[1])+1) + end
		}
		for _, o := range options {
			var steps [3]int
			for i, text := range texts {
				f := newFinder(text, o)
				for m, ok := f.find(0); ok; m, ok = f.find(m.End) {
				}
				steps[i] = f.steps
				worstPerByte = max(worstPerByte, float64(f.steps)/float64(len(text)))
			}
			for i := 1; i < len(steps); i++ {
				ratio := float64(steps[i]) / float64(max(steps[i-1], 100))
				if worst = max(worst, ratio); ratio > 2.2 {
					t.Errorf("%+q %s: steps %v: ratio %.2f", s, fmt.Sprintf("%+v", o), steps, ratio)
				}
			}
			if most := 40 * len(texts[2]); steps[2] > most {
				t.Errorf("%+q %+v: %d steps for %d bytes, more than %d", s, o, steps[2], len(texts[2]), most)
			}
		}
	}
	t.Logf("%d shapes, %d options: greatest ratio %.2f, %.1f steps for a byte", len(shapes()), len(options), worst, worstPerByte)
}
