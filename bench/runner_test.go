// SPDX-License-Identifier: MIT

package bench

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestPeers starts each peer that is installed, and checks what it finds in texts of which we know that: so the places are those of the text, in
// bytes, also behind letters of several bytes, and what is compared is that peer and not something else.
func TestPeers(t *testing.T) {
	const (
		two     = "See ⸠https://example.com/a_(b)⸡, or (⸠http://example.org⸡).\n"
		iri     = "Ä€😀 ⸠https://example.com/ü?x=1&y=2⸡ or "
		cut     = "Ä€😀 ⸠https://example.com/⸡ü?x=1&y=2 or "
		address = "⸠a.b@example.net⸡.\n"
		bare    = "Go to ⸠www.example.com⸡ or ⸠example.de/x⸡ “now”."
		www     = "Go to ⸠www.example.com⸡ or example.de/x “now”."
	)
	var (
		all     = two + iri + address + bare
		none    = strings.NewReplacer("⸠", "", "⸡", "")
		schemes = two + iri + address + none.Replace(bare)
		webOnly = two + iri + none.Replace(address+bare)
		nothing = none.Replace(all)
	)
	finds := map[string]string{
		Bidilink: all, LinkifyGo: all, "xurls-relaxed": all, "xurls-strict": webOnly, LinkifyRust: all, LinkifyRust + "-scheme": schemes,
		"linkify-it": all, "linkifyjs": all, "autolinker": all, "anchorme": two + cut + address + bare, "twitter-text": two + iri + none.Replace(address) + bare,
		BidilinkHTML: all, "rinku": two + iri + address + www, "linkify-html": all, "autolinker-html": all, "anchorme-html": two + cut + address + bare, "bleach": all,
		GoldmarkOurs: all, "goldmark-linkify": two + cut + address + www, "cmark-gfm-autolink": two + iri + address + www, "markdown-it-linkify": schemes,
		Goldmark: nothing, "cmark-gfm": nothing, "markdown-it": nothing,
	}
	for _, p := range Peers() {
		t.Run(p.Name, func(t *testing.T) {
			r := open(t, p)
			if p.Runner != nil && r.Version() == "" {
				t.Error("no version")
			}
			want, known := finds[p.Name]
			if known == (p.Yardstick && p.Convert == nil && p.Runner == nil) {
				t.Fatalf("what it finds is known: %v", known)
			}
			if known {
				c, err := marked(want)
				if err != nil {
					t.Fatal(err)
				}
				_, exact, err := Judge(p, r, []Case{c, {Text: "é"}, c})
				if err != nil {
					t.Fatal(err)
				}
				if exact != 3 {
					t.Errorf("found\n%s\nwant\n%s", show(t, p, r, c.Text), want)
				}
			}
			texts := []string{"See https://example.com/.", "\n", "Ω"}
			if err := r.Read(texts); err != nil {
				t.Fatal(err)
			}
			if passes, taken, err := r.Time(time.Millisecond); err != nil || passes < 1 || taken < time.Millisecond {
				t.Errorf("Time: %d passes, %v, %v", passes, taken, err)
			}
		})
	}
}

// open opens a peer, or skips the test.
func open(t *testing.T, p Peer) Reader {
	t.Helper()
	r, err := p.Open()
	if missing := (*MissingError)(nil); errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// show returns text with marks round what the peer finds in it.
func show(t *testing.T, p Peer, r Reader, text string) string {
	t.Helper()
	if p.Input == HTML {
		text = "<p>" + escape.Replace(text) + "</p>"
	}
	found, err := r.Found([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	if p.Input != Text {
		return found.HTML[0]
	}
	var b strings.Builder
	at := 0
	for _, l := range found.Links[0] {
		b.WriteString(text[at:l.Start] + "⸠" + text[l.Start:l.End] + "⸡")
		at = l.End
	}
	return b.String() + text[at:]
}

// TestRequests checks that a runner answers what it cannot do with an error that says so, and goes on.
func TestRequests(t *testing.T) {
	for _, p := range Peers() {
		if p.Runner == nil {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			c := open(t, p).(*child)
			for _, request := range [][2]string{{"read", "/nonexistent/file"}, {"write", "/nonexistent/file"}, {"dance", "x"}} {
				if words, err := c.ask(1, request[0], request[1]); err == nil || !strings.Contains(err.Error(), "error") {
					t.Errorf("%v: %v, %v", request, words, err)
				}
			}
			if err := c.Read([]string{"a", "", "b"}); err != nil {
				t.Error(err)
			}
		})
	}
}

// script is a peer whose program is a script of sh.
func script(input Input, lines ...string) Peer {
	return Peer{Name: "script", Input: input, Runner: &Runner{Install: "install it", commands: func() ([][]string, error) {
		return [][]string{{"sh", "-c", strings.Join(lines, "\n")}}, nil
	}}}
}

// TestMissing checks that a peer that cannot be started, or says that it is not there, is not installed, and that the cause is told.
func TestMissing(t *testing.T) {
	absent := Peer{Name: "absent", Runner: &Runner{Install: "install it", commands: func() ([][]string, error) {
		return [][]string{{"/nonexistent/program"}, {"sh", "-c", "exit 3"}}, nil
	}}}
	for want, p := range map[string]Peer{
		"not installed: install it (no such gem)": script(Text, `printf 'missing\tno such gem\n'`),
		"not installed: install it (fork/exec /nonexistent/program: no such file or directory; sh ended without an answer\nexit status 3)": absent,
	} {
		_, err := p.Open()
		if missing := (*MissingError)(nil); !errors.As(err, &missing) || err.Error() != want {
			t.Errorf("%s: %v, want %s", p.Name, err, want)
		}
	}
	second := Peer{Name: "second", Runner: &Runner{commands: func() ([][]string, error) {
		return [][]string{{"/nonexistent/program"}, {"sh", "-c", "printf 'ready\\t1.2\\n'; cat >/dev/null"}}, nil
	}}}
	if r := open(t, second); r.Version() != "1.2" {
		t.Errorf("version %q", r.Version())
	}
}

// TestWrongAnswers checks that what a program must not answer is an error that names it.
func TestWrongAnswers(t *testing.T) {
	const ready = `printf 'ready\t1\n'; read -r a b; printf 'read\t1\n'; read -r a file`
	for want, p := range map[string]Peer{
		"sh ended without an answer":          script(Text, ready),
		"where no text is":                    script(Text, ready, `printf '0\t0\t9\n' >"$file"; echo write; cat`),
		"a link \"x\\n\"":                     script(Text, ready, `echo x >"$file"; echo write; cat`),
		"has written 0 of 1 documents":        script(HTML, ready, `: >"$file"; : >"$file.sizes"; echo write; cat`),
		"2 bytes more than the sizes say":     script(HTML, ready, `printf 'abcd' >"$file"; echo 2 >"$file.sizes"; echo write; cat`),
		"\"9\\n\" where 4 bytes are left":     script(HTML, ready, `printf 'abcd' >"$file"; echo 9 >"$file.sizes"; echo write; cat`),
		"script: error it does not feel well": script(HTML, ready, `printf 'error\tit does not feel well\n'; cat`),
	} {
		r, err := p.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err = r.Found([]string{"text"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestMarked(t *testing.T) {
	c, err := marked("a ⸠b.de⸡, ⸠ü⸡")
	if want := (Case{"a b.de, ü", []Span{{2, 6}, {8, 10}}}); err != nil || c.Text != want.Text || len(c.Links) != 2 || c.Links[0] != want.Links[0] || c.Links[1] != want.Links[1] {
		t.Errorf("%v, %v, want %v", c, err, want)
	}
	if _, err := marked("a ⸠b"); err == nil {
		t.Error("no error for a link without an end")
	}
}

func TestAnchors(t *testing.T) {
	text, links := anchors("<p>&lt;é <a href=x>y&amp;<b>z</b></a><!-- c --> <a name>q</a></p>")
	if want := "<é y&z q"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if len(links) != 2 || links[0] != (Span{4, 7}) || links[1] != (Span{8, 9}) {
		t.Errorf("%v", links)
	}
}

// A liar finds a link too many and one too short.
type liar struct{ inProcess }

func (liar) Found([]string) (Found, error) {
	return Found{Links: [][]Span{{{0, 1}}, {{0, 2}, {3, 4}}, nil}}, nil
}

func TestJudge(t *testing.T) {
	score, exact, err := Judge(Peer{}, &liar{}, []Case{{"abc", []Span{{0, 2}}}, {"abcd", []Span{{0, 2}}}, {"x", nil}})
	if err != nil || exact != 1 || score != (Score{Right: 1, Found: 3, There: 2}) {
		t.Errorf("%+v, %d exact, %v", score, exact, err)
	}
	if score.Precision() != 1.0/3 || score.Recall() != 0.5 {
		t.Errorf("precision %v, recall %v", score.Precision(), score.Recall())
	}
}
