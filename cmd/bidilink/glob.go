// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// globs are patterns in lower case, without slashes at their ends. One that is about a path begins with a slash.
type globs []string

// parseGlobs reads the values of a flag, each of which is a list of patterns.
func parseGlobs(flag string, values []string) (globs, error) {
	var list globs
	for _, v := range values {
		for _, p := range splitGlobs(v) {
			p = strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(p), "./"), "/")
			if p == "" || !doublestar.ValidatePattern(p) {
				return nil, fmt.Errorf("--%s %s: not a pattern", flag, v)
			}
			if strings.Contains(p, "/") && !strings.HasPrefix(p, "/") {
				p = "/" + p
			}
			list = append(list, p)
		}
	}
	return list, nil
}

// splitGlobs cuts at the commas that are not in braces.
func splitGlobs(s string) []string {
	var list []string
	start, depth := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth <= 0 {
				list = append(list, s[start:i])
				start = i + 1
			}
		}
	}
	return append(list, s[start:])
}

// match reports whether one of the patterns is about a file or folder, given by its path from the root on, with slashes.
func (g globs) match(rel string) bool {
	rel = "/" + strings.ToLower(rel)
	for _, p := range g {
		name := rel
		if p[0] != '/' {
			name = path.Base(rel)
		}
		if doublestar.MatchUnvalidated(p, name) {
			return true
		}
	}
	return false
}

// matchAbove reports whether one of the patterns is about a file or a folder that it is in.
func (g globs) matchAbove(rel string) bool {
	for ; rel != "." && rel != "/"; rel = path.Dir(rel) {
		if g.match(rel) {
			return true
		}
	}
	return false
}
