// SPDX-License-Identifier: MIT

package engine_test

import (
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// TestAllocations checks that finding allocates nothing, in every way of finding.
func TestAllocations(t *testing.T) {
	for name, text := range map[string]string{
		"no link":         strings.Repeat("No link here, e.g. 3.14 or U.S. or nothing at all. ", 20),
		"ASCII hosts":     strings.Repeat("See https://example.com:80/a(b)?c#d, WWW.Example.ORG, mailto:john.doe@example.co.uk and http://1.2.3.4/ or http://[::1]/. ", 20),
		"A-labels":        strings.Repeat("See xn--e1afmkfd.xn--p1ai and info@xn--80aswg.xn--p1ai. ", 20),
		"paths":           strings.Repeat("Siehe https://de.example.org/wiki/Straße_(Köln)?q=ä(ö)#ü. ", 20),
		"invalid":         strings.Repeat("a..b.com -a.com a.com:99999 http://u@a.com john..doe@example.com foo.is_valid example.con ", 20),
		"Cyrillic hosts":  strings.Repeat("Смотри пример.рф и https://пример.укр/путь. ", 20),
		"Han and Hebrew":  strings.Repeat("例子.中国 和 אתר.קום. ", 20),
		"controls":        strings.Repeat("\u200eexample.com\u200e. \u2068example.org/a\u2069 exam\u200eple.com ", 20),
		"ASCII beginning": strings.Repeat("example.com에서 https://example.com。然后 ", 20),
		"not UTF-8":       strings.Repeat("\xffexample.com\xff/a ", 20),
	} {
		for _, o := range []engine.Options{{}, {Strict: true}, {LocalHosts: true, Schemes: []string{"ftp", "tel"}}} {
			d := detector(t, o)
			b := []byte(text)
			dst := make([]engine.Link, 0, 1000)
			for way, f := range map[string]func(){
				"Find": func() {
					for i := 0; ; {
						l, ok := d.Find(text, i)
						if !ok {
							return
						}
						i = l.End
					}
				},
				"Links": func() {
					for range d.Links(text) {
					}
				},
				"LinksBytes": func() {
					for range d.LinksBytes(b) {
					}
				},
				"Segments": func() {
					for range d.Segments(text) {
					}
				},
				"AppendLinks": func() { dst = d.AppendLinks(dst[:0], text) },
			} {
				if n := testing.AllocsPerRun(10, f); n != 0 {
					t.Errorf("%s, %s, Strict %v, LocalHosts %v: %v allocations", name, way, o.Strict, o.LocalHosts, n)
				}
			}
		}
	}
	// A host that IDNA has to map: a small constant for each.
	text := strings.Repeat("ПРИМЕР.РФ ", 10)
	d := detector(t, engine.Options{})
	if n := testing.AllocsPerRun(10, func() {
		for range d.Links(text) {
		}
	}); n > 200 {
		t.Errorf("mapped hosts: %v allocations for 10 hosts", n)
	} else {
		t.Logf("mapped hosts: %v allocations for 10 hosts", n)
	}
}
