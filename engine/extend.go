// SPDX-License-Identifier: MIT

package engine

import "strings"

// Extend takes a match that another detector found in text, from start to end in bytes, keeps its start and its host,
// and gives it the end that UTS #58 gives it: other detectors stop at the first non-ASCII letter, or
// take the punctuation of the sentence in. It is the post-processing of UTS #58 §5.
//
// An address, with mailto: or without a scheme, keeps its end; of another scheme without "//", everything after the
// colon is one opaque path. Extend is not ok, and the link is zero, if the range is none in text or is empty.
// It checks nothing about the host, which is the other detector's; userinfo is taken for part of it.
func (d *Detector) Extend(text string, start, end int) (l Link, ok bool) {
	if start < 0 || start >= end || end > len(text) {
		return l, false
	}
	l = Link{Span: Span{start, end}, Kind: URL}
	n := schemeLength(text[start:end])
	host := start + n
	if n > 0 {
		l.Scheme = Span{start, host}
		if !strings.HasSuffix(text[start:host], "//") && !foldHas(text[start:host], "mailto:") {
			if i, _, _ := d.terminate(text, host, true, &l); i > host {
				l.End = i
				return l, true
			}
			return Link{}, false
		}
	}
	// The authority ends at the first initiator, which may stand just behind the match.
	stop := host
	for stop < end && text[stop] != '/' && text[stop] != '?' && text[stop] != '#' {
		stop++
	}
	if at := strings.LastIndexByte(text[host:stop], '@'); at >= 0 && !strings.HasSuffix(text[start:host], "//") {
		l.Kind = Email
		l.Local, l.Host = Span{host, host + at}, Span{host + at + 1, stop}
		if n > 0 && stop < end && text[stop] == '?' {
			l.Query = Span{stop, end}
		} else {
			l.End = stop
		}
		return l, true
	}
	l.Host = Span{host, stop}
	if i := strings.LastIndexByte(text[host:stop], ':'); i >= 0 && digits(text[host+i+1:stop]) {
		l.Host.End, l.Port = host+i, Span{host + i, stop}
	}
	if l.Host.Empty() {
		return Link{}, false
	}
	if stop == end && (stop == len(text) || text[stop] != '/' && text[stop] != '?' && text[stop] != '#') {
		return l, true
	}
	l.End, _, _ = d.terminate(text, stop, false, &l)
	return l, true
}

// schemeLength returns the length of the scheme that match begins with, its colon and "//" if there are any
// included; 0 if there is none. A name with a dot before a colon and a digit is a host with a port.
func schemeLength(match string) int {
	i := 0
	for i < len(match) && class[match[i]]&cScheme != 0 {
		i++
	}
	if i == 0 || i == len(match) || match[i] != ':' || class[match[0]]&cAlnum == 0 || class[match[0]]&cDigit != 0 {
		return 0
	}
	if strings.HasPrefix(match[i:], "://") {
		return i + len("://")
	}
	if i+1 < len(match) && class[match[i+1]]&cDigit != 0 && strings.Contains(match[:i], ".") {
		return 0
	}
	return i + 1
}

// digits reports whether s is not empty and all ASCII digits.
func digits(s string) bool {
	for i := range len(s) {
		if class[s[i]]&cDigit == 0 {
			return false
		}
	}
	return s != ""
}
