// SPDX-License-Identifier: MIT

// Package explain says why links begin and end where they do, why what looks like one is none, and how each is displayed.
//
//	e, err := explain.New(engine.Options{})
//	for l := range e.Links(text) {
//		fmt.Println(l.Text, l.Stop.Sentence) // example.com/a: FULL STOP is Soft, and nothing follows
//	}
//	misses, _ := e.Misses(text)
//	for _, m := range misses {
//		fmt.Println(m.Text, m.Causes[0].Sentence) // example.cmo: no such top-level domain: cmo
//	}
//
// It decides nothing itself. The links, and the code point and rule that end each, are those of package engine
// ([engine.Detector.Stop]); fields, orders and warnings are those of package display.
//
// # Near misses
//
// A [Miss] is what looks like a link and is none: something with a dot, "@", "://" or the colon of a well-known scheme in it. Its causes are
// found by trial: with each of them taken away, in the text or in the options, the engine does find a link there, and
// with one of them left it does not. So a cause that is named is one; what has no such set of at most [MaxCauses] is not reported. A number such as 3.14 and
// a lone name (localhost) look like no link.
//
// # Forms
//
// Terminals, editors and browsers reorder right-to-left text, each in its own way, so that neither the text of a link nor a
// picture of its display can be trusted on sight. A link with right-to-left letters therefore has a Notation, in which capital letters stand for these: in memory
// http://AB.com/CD, displayed http://BA.com/DC. Arabic-Indic digits, which are reordered too, are digits of ASCII in it. It is that of PRI 185 and of the documentation of package display.
//
// # Limits
//
// Time is linear in the length of the text, with a factor for near misses, of which [MaxMisses] are sought.
// Names of code points are those of golang.org/x/text/unicode/runenames.
package explain
