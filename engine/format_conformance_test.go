// SPDX-License-Identifier: MIT

package engine_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/bidilink/bidilink/engine"
)

// notInString are the pairs of LinkFormattingTest.txt whose source, a string, does not say what the comment above
// it says: the string form takes it as it stands. By their result.
var notInString = map[string]string{
	"https://example.com/α%23β?γ=δ%23ε":                          `the "#" stands unescaped in path and query: it begins the fragment`,
	"https://example.com/α/β%2Fγ":                                `the "/" in the segment stands unescaped: it parts two segments`,
	"https://example.com?α%26=β&γ=%26δ":                          `the "&" in name and value stand unescaped: they part pairs`,
	"https://example.com?α%3Dβ=γ%3Dδ":                            `the "=" in name and value stand unescaped: the first ends the name`,
	"https://example.com/α/b%2F%3F%23c?αβ=γ%26ζ%3D%23Ξ&k=v#frag": `"/", "#", "&" and "=" stand unescaped`,
}

// contradictions are the pairs of 17.0.0 that keep a Soft at the end of the last part, against UTS #58 §4 and
// against the same file's pairs "Escape soft at end of …". 18.0.0-draft has them escaped. By the beginning of their
// result.
var contradictions = map[string]string{
	"https://bo.wikipedia.org/wiki/སའི": "U+0F0D at the end",
	"https://mni.wikipedia.org/":        `"." at the end`,
	"https://azb.wikipedia.org/":        `"." at the end`,
	"https://mad.wikipedia.org/":        "U+2019 at the end",
	"https://vep.wikipedia.org/":        `"'" at the end`,
	"https://ja.wikibooks.org/":         "U+FF1F at the end",
	"https://new.wikipedia.org/":        `":" at the end`,
	"https://ks.wikipedia.org/":         "U+06D4 at the end",
	"https://am.wikipedia.org/wiki/«የሰብዓዊ_መብት_አቀፋዊ_መግለጽ»": "U+00BB at the end",
	"https://it.wikibooks.org/": `"!" at the end`,
}

// TestConformanceFormatting runs LinkFormattingTest.txt, through the structured form and through the string form.
func TestConformanceFormatting(t *testing.T) {
	const pairs = 55
	for _, version := range ucdVersions() {
		t.Run(version, func(t *testing.T) {
			deviations := map[string]string{}
			if version == "17.0.0" {
				deviations = contradictions
			}
			var structured, strung, listed, n int
			var comment, source string
			for i, line := range ucdFile(t, version, "LinkFormattingTest.txt") {
				switch {
				case strings.HasPrefix(line, "# {"):
					comment = line
				case line == "" || strings.HasPrefix(line, "#"):
				case source == "":
					source = line
				default:
					n++
					deviates := ""
					for prefix, reason := range deviations {
						if strings.HasPrefix(line, prefix) {
							deviates = reason
							listed++
						}
					}
					check := func(form, got string, passed *int, reason string) {
						switch {
						case got == line:
							*passed++
							if reason != "" {
								t.Errorf("%d, %s: passes, and is listed as a deviation: %s", i+1, form, reason)
							}
						case reason == "":
							t.Errorf("%d, %s:\n got %s\nwant %s", i+1, form, got, line)
						}
					}
					p := partsOfComment(t, comment)
					check("structured form", engine.Format(p), &structured, deviates)
					got, err := engine.FormatURL(source)
					if err != nil {
						t.Errorf("%d: %v", i+1, err)
					}
					reason := notInString[line]
					check("string form", got, &strung, deviates+reason)
					if again, err := engine.ParseParts(source); err != nil || reason == "" && !reflect.DeepEqual(again, p) {
						t.Errorf("%d: %s is %+v, %v, want %+v", i+1, source, again, err, p)
					}
					if again, err := engine.ParseParts(line); err != nil || !reflect.DeepEqual(again, p) {
						t.Errorf("%d: %s is %+v, %v, want %+v", i+1, line, again, err, p)
					}
					source = ""
				}
			}
			if n != pairs || listed != len(deviations) || structured != pairs-len(deviations) || strung != pairs-len(deviations)-len(notInString) {
				t.Errorf("%d pairs, %d listed as contradictions: %d pass in the structured form, %d in the string form", n, listed, structured, strung)
			}
		})
	}
}

// partsOfComment reads the structure of a pair, {𝑺=https:// 𝑯=example.com 𝑷=α 𝑸=θ 𝑽=ικλ 𝑭=πρς}. Blanks do not
// part its fields, because there are blanks in them; the letters before "=" do.
func partsOfComment(t *testing.T, comment string) (p engine.Parts) {
	t.Helper()
	text := strings.TrimSuffix(strings.TrimPrefix(comment, "# {"), "}")
	mark := strings.NewReplacer("𝑺=", "\x00S", " 𝑯=", "\x00H", " 𝑷=", "\x00P", " 𝑸=", "\x00Q", " 𝑽=", "\x00V", " 𝑭=", "\x00F", " 𝑫=", "\x00D")
	for _, field := range strings.Split(mark.Replace(text), "\x00")[1:] {
		value := field[1:]
		switch field[0] {
		case 'S':
			p.Scheme = strings.TrimSuffix(value, "://")
		case 'H':
			p.Host = value
		case 'P':
			p.Path = append(p.Path, value)
		case 'Q':
			p.Query = append(p.Query, engine.Pair{Key: value})
		case 'V':
			q := &p.Query[len(p.Query)-1]
			q.Value, q.HasValue = value, true
		case 'F':
			p.Fragment, p.HasFragment = value, true
		case 'D':
			p.Directives = append(p.Directives, value)
		}
	}
	return p
}
