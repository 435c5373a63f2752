// SPDX-License-Identifier: MIT

package htmlwalk

import (
	"strings"
	"testing"

	"golang.org/x/net/html/atom"
)

// stateTags are tags, an end tag with its slash, that states of the parser are made of.
var stateTags = strings.Fields("p b a div li ul dd h1 table tbody tr td caption button form object span pre /p /b /div /td /table")

// see makes the parser of a walker begin anew, and see some tags as the rules say.
func (w *walker) see(tags []string, noQuirks bool) {
	w.root.cut(1)
	w.root.begin(defaultMaxDepth, w.pool)
	w.root.doctype(noQuirks)
	w.root.start(w.newElement(atom.Body), 0)
	for _, tag := range tags {
		if name, ok := strings.CutPrefix(tag, "/"); ok {
			w.root.end(atom.Lookup([]byte(name)), "")
		} else {
			w.root.start(w.newElement(atom.Lookup([]byte(tag))), 0)
		}
	}
}

func (w *walker) newElement(name atom.Atom) *element {
	e := w.pool.get()
	e.name, e.kind = name, kindOf(name)
	e.flags = flagsOf(e.kind)
	return e
}

// TestActions checks that actions come to what the rules say: for each name with an action, in the states that up to three tags make.
func TestActions(t *testing.T) {
	depth := 3
	if testing.Short() {
		depth = 2
	}
	var actions []*knownTag
	table := knownTags()
	for i := range table {
		if table[i].key != 0 && table[i].does != otherwise {
			actions = append(actions, &table[i])
		}
	}
	var walkers [3]*walker
	for i := range walkers {
		walkers[i] = &walker{root: new(parser), pool: new(pool)}
		walkers[i].root.begin(defaultMaxDepth, walkers[i].pool)
	}
	state, quick, rules := walkers[0], walkers[1], walkers[2]
	compared, tags := 0, []string(nil)
	var visit func()
	visit = func() {
		p := state.root
		state.see(tags, false)
		if p.reason == NotCopied && p.mode >= inBody && p.mode <= inCell && p.mode != inColumnGroup && p.top().ns == htmlNS {
			for _, a := range actions {
				for _, isEnd := range []bool{false, true} {
					if a.does == void && (isEnd || !p.inFlow()) {
						continue // an end tag is left to the rules, as quickEnd does, and so is a void element elsewhere
					}
					quick.see(tags, compared/2%2 == 0)
					rules.see(tags, compared/2%2 == 0)
					x, y := quick.newElement(a.element.name), rules.newElement(a.element.name)
					switch {
					case isEnd:
						quick.quickEnd(a)
						rules.root.end(a.element.name, "")
					case a.does == void:
						quick.root.reconstruct()
						rules.root.start(y, 0)
					default:
						quick.quickStart(a, x)
						rules.root.start(y, 0)
					}
					compared++
					if quick.root.reason != rules.root.reason || !quick.root.same(rules.root) || (quick.root.top() == x) != (rules.root.top() == y) {
						t.Errorf("<%s>, then %s, end %v: mode %d, %d open, %d formatting, reason %v, want %d, %d, %d, %v", strings.Join(tags, "><"), a.element.name, isEnd,
							quick.root.mode, len(quick.root.open), len(quick.root.formatting), quick.root.reason,
							rules.root.mode, len(rules.root.open), len(rules.root.formatting), rules.root.reason)
					}
				}
			}
		}
		if len(tags) < depth && !t.Failed() {
			for _, tag := range stateTags {
				tags = append(tags, tag)
				visit()
				tags = tags[:len(tags)-1]
			}
		}
	}
	visit()
	if len(actions) < 80 {
		t.Errorf("%d names with an action", len(actions))
	}
	t.Logf("%d names, %d comparisons", len(actions), compared)
}
