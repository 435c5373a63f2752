// SPDX-License-Identifier: MIT

//go:build browser && unix

package serve

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/explain"
)

// axeVariable is the variable that names the file axe.min.js of axe-core, which looks for what keeps people from using a page.
const axeVariable = "BIDILINK_AXE"

// screenshotVariable is the variable that names a file to which the test writes a picture of the page, if it is set.
const screenshotVariable = "BIDILINK_SCREENSHOT"

// A driver is a browser with one page.
type driver interface {
	open(url string) error
	eval(script string, result any) error // of an expression, which may be a promise
	troubles() ([]string, error)          // errors since the last call: of scripts, of the console, of the network
	close()
}

// start serves on loopback, and returns the address.
func start(t *testing.T) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	l, err := Listen(ctx, "127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, l, Options{}) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + "/"
}

func TestBrowser(t *testing.T) {
	if _, err := os.Stat(os.Getenv(axeVariable)); err != nil {
		t.Fatalf("%s does not name axe.min.js of axe-core: %v; npm pack axe-core gets it", axeVariable, err)
	}
	t.Run("chromium", func(t *testing.T) {
		// Where requests arrive that must not be made.
		evil := make(chan string, 1000)
		var connections atomic.Int64
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { evil <- r.URL.Path }))
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		server.Start()
		defer server.Close()
		c := startChromium(t, server.Listener.Addr().String())
		defer c.close()
		p := &tester{T: t, driver: c, url: start(t)}
		p.usual()
		p.keyboard(c)
		p.accessible(c)
		p.gadgets(c, evil, &connections)
		p.picture(c)
	})
	t.Run("firefox-esr", func(t *testing.T) {
		f := startFirefox(t)
		defer f.close()
		p := &tester{T: t, driver: f, url: start(t)}
		p.usual()
	})
}

// A tester tests the page in a browser.
type tester struct {
	*testing.T
	driver
	url string
}

func (p *tester) must(script string, result any) {
	p.Helper()
	if err := p.eval(script, result); err != nil {
		p.Fatalf("%s: %v", script, err)
	}
}

// quiet checks that nothing has gone wrong.
func (p *tester) quiet(when string) {
	p.Helper()
	list, err := p.troubles()
	if err != nil {
		p.Fatal(err)
	}
	for _, s := range list {
		p.Errorf("%s: %s", when, s)
	}
}

// settled waits until what is entered has been drawn: until script, an expression, is true.
func (p *tester) settled(script string) {
	p.Helper()
	const wait = `new Promise((ok, bad) => {
		const begin = Date.now();
		const look = () => { if (%s) { ok(true) } else if (Date.now() - begin > 20000) { bad(new Error("not drawn: " + document.getElementById("alert").textContent + document.getElementById("status").textContent)) } else { setTimeout(look, 5) } };
		look();
	})`
	p.must(fmt.Sprintf(wait, script), nil)
}

// enter makes text the input, as if it were typed, and waits.
func (p *tester) enter(kind, text string) {
	p.Helper()
	p.must(fmt.Sprintf(`(() => {
		window.drawnBefore = Number(document.documentElement.dataset.drawn || 0);
		document.querySelector("input[name=kind][value=%s]").checked = true;
		const i = document.getElementById("input");
		i.value = %s;
		i.dispatchEvent(new InputEvent("input"));
	})()`, kind, quote(text)), nil)
	p.settled(`Number(document.documentElement.dataset.drawn || 0) > window.drawnBefore`)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// usual is what the page is for: in every browser.
func (p *tester) usual() {
	if err := p.open(p.url); err != nil {
		p.Fatal(err)
	}
	p.settled(`document.documentElement.dataset.drawn`)
	p.quiet("opening")
	p.typing()
	p.switching()
	p.long()
	p.layout()
	p.controls()
	p.sharing()
}

// typing types a text, and looks at what the page says at each character.
func (p *tester) typing() {
	const text = "See http://מזל.ישראל/דרך, x.cmo and (example.com/a_(b)). 𝒳 a@b.com"
	e, err := explain.New(engine.Options{})
	if err != nil {
		p.Fatal(err)
	}
	entered := ""
	for _, r := range text {
		entered += string(r)
		p.enter("text", entered)
		var got struct {
			Status, Marked string
			Links, Misses  []string
			Heads, Ends    []string
		}
		p.must(`(() => { const all = (s, f) => Array.from(document.querySelectorAll(s), f || (e => e.textContent)); return {
			Status: document.getElementById("status").textContent, Marked: document.getElementById("marked").textContent,
			Links: all("#marked mark:not(.miss)"), Misses: all("#marked mark.miss"), Heads: all("#links h3"),
			Ends: all("#links dt").filter(e => e === "Ends").length ? Array.from(document.querySelectorAll("#links dt")).filter(e => e.textContent === "Ends").map(e => e.nextSibling.textContent) : [],
		} })()`, &got)
		links, misses := []string{}, []string{}
		i := 0
		for l := range e.Links(entered) {
			links = append(links, l.Text)
			if i < len(got.Ends) && !strings.HasPrefix(got.Ends[i], l.Stop.Sentence) {
				p.Errorf("%q: %q, want %q", entered, got.Ends[i], l.Stop.Sentence)
			}
			i++
		}
		near, _ := e.Misses(entered)
		for _, m := range near {
			misses = append(misses, m.Text)
		}
		if !slices.Equal(got.Links, links) || !slices.Equal(got.Heads, links) || !slices.Equal(got.Misses, misses) || got.Marked != entered || len(got.Ends) != len(links) ||
			!strings.HasPrefix(got.Status, strconv.Itoa(len(links))+" link") {
			p.Errorf("%q: %+v; want %q, %q", entered, got, links, misses)
		}
	}
	p.quiet("typing")
}

// switching goes through the kinds of input, and looks at the output.
func (p *tester) switching() {
	h, err := newHandler(Options{})
	if err != nil {
		p.Fatal(err)
	}
	for _, c := range []struct {
		kind, media, text, want string
		links                   []string // that are marked
	}{
		{"markdown", "text/markdown", "*http://מזל.ישראל/דרך_1* and README.md", "", []string{"http://מזל.ישראל/דרך_1"}},
		{"html", "text/html", "<p dir=rtl>ראו example.com/a/ & <b>x</b><p>a&#46;com", "", []string{"example.com/a/", "a.com"}},
		{"mail", "message/rfc822", "From: a@example.com\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>www.exam=\nple.com example.org\n", "", []string{"www.example.com"}},
		{"text", "", "a <b> & http://מזל.ישראל", "<p>a &lt;b&gt; &amp; <bdi dir=\"ltr\">", []string{"http://מזל.ישראל"}},
	} {
		p.must(fmt.Sprintf(`document.querySelector("input[name=kind][value=%s]").click()`, c.kind), nil)
		p.enter(c.kind, c.text)
		var got struct {
			Source, Alert  string
			Frames, Marked bool
			Sandbox, Links []string
		}
		p.must(`({ Source: document.getElementById("source").textContent, Alert: document.getElementById("alert").textContent, Frames: !document.getElementById("preview").hidden,
			Marked: !document.getElementById("marked-section").hidden, Sandbox: Array.from(document.querySelectorAll("iframe"), f => f.getAttribute("sandbox")),
			Links: Array.from(document.querySelectorAll("#marked mark:not(.miss)"), m => m.textContent) })`, &got)
		want := c.want
		if want == "" {
			want = send(h, http.MethodPost, "/v1/"+c.kind, c.text, "Content-Type", c.media).Body.String()
		}
		if !strings.HasPrefix(got.Source, want) || want == "" || got.Alert != "" || got.Frames == (c.kind == "mail") || !got.Marked || !slices.Equal(got.Links, c.links) {
			p.Errorf("%s: %+v; want %s", c.kind, got, want)
		}
		if !slices.Equal(got.Sandbox, []string{"", ""}) {
			p.Errorf("sandbox: %q", got.Sandbox)
		}
	}
	// What is wrong is said.
	p.enter("html", "\x00\x00\x00\x00")
	var alert string
	p.must(`document.getElementById("alert").textContent`, &alert)
	if !strings.Contains(alert, "binary data") {
		p.Errorf("alert %q", alert)
	}
	if list, err := p.troubles(); err != nil {
		p.Fatal(err)
	} else {
		for _, s := range list {
			if !strings.Contains(s, "422") { // which browsers have on the console
				p.Errorf("an error: %s", s)
			}
		}
	}
}

// long enters what is too long for one thing or the other: what was there before is gone, and what can be shown is.
func (p *tester) long() {
	type state struct {
		Alert, Status, Source, Marked string
		Links, Output, Go             bool
		Frame                         int
	}
	look := func() (got state) {
		p.Helper()
		p.must(`(() => { const $ = id => document.getElementById(id); return { Alert: $("alert").textContent, Status: $("status").textContent, Source: $("source").textContent.slice(0, 9), Marked: $("marked").textContent.slice(0, 9),
			Links: !$("links-section").hidden && $("links").children.length > 0, Output: !$("output-section").hidden, Go: !$("go").hidden, Frame: $("ltr").srcdoc.length } })()`, &got)
		got.Frame /= 1000
		return got
	}
	for _, c := range []struct {
		kind, text string
		want       state
	}{
		{"text", strings.Repeat("a ", 128<<10) + "b", state{Alert: "This is longer than 256 KiB; its links are not explained.", Source: "<p>a a a ", Output: true, Frame: 262}},
		{"markdown", strings.Repeat("![a](", 13200), state{Alert: "This is longer than 64 KiB; Markdown of that length is not rendered here."}},
		{"html", strings.Repeat("a ", 1<<19) + "b", state{Alert: "This is longer than 1 MiB, and nothing is made of it here."}},
	} {
		p.enter("text", "e.com")
		if got := look(); got != (state{Status: "1 link, 0 near misses", Source: "<p><a hre", Marked: "e.com", Links: true, Output: true}) {
			p.Errorf("before: %+v", got)
		}
		p.enter(c.kind, c.text)
		if got := look(); got != c.want {
			p.Errorf("%s: %+v; want %+v", c.kind, got, c.want)
		}
	}
	// What comes with the address is not sent unasked if it is long.
	p.enter("text", "e.com")
	p.must(fmt.Sprintf(`(() => { window.drawnBefore = Number(document.documentElement.dataset.drawn); location.hash = "#" + new URLSearchParams({ kind: "markdown", text: %s }) })()`, quote(strings.Repeat("a e.com\n", 2100))), nil)
	p.settled(`Number(document.documentElement.dataset.drawn) > window.drawnBefore`)
	if got := look(); got != (state{Alert: "The text in the address is long, and has not been sent to the server yet.", Go: true}) {
		p.Errorf("a long address: %+v", got)
	}
	p.must(`(() => { window.drawnBefore = Number(document.documentElement.dataset.drawn); document.getElementById("go").click() })()`, nil)
	p.settled(`Number(document.documentElement.dataset.drawn) > window.drawnBefore`)
	if got := look(); got.Alert != "" || got.Go || !got.Links || !got.Output {
		p.Errorf("a long address, after the button: %+v", got)
	}
	p.must(`history.replaceState(null, "", "#")`, nil)
	p.quiet("long")
}

// layout compares the places of the characters in the tables with what package display computes.
func (p *tester) layout() {
	const text = "http://מזל.ישראל/דרך/1 example.com/a/"
	p.must(`(() => { const s = document.createElement("link"); s.rel = "stylesheet"; document.head.append(s);
		for (const [id, value] of [["order", "constant"], ["isolate", "auto"]]) { document.getElementById(id).value = value } })()`, nil)
	p.enter("text", text)
	var got [][]struct{ Order, Dir, Seen string }
	p.must(`Array.from(document.querySelectorAll("#links > li"), li => Array.from(li.querySelectorAll("tbody td"), td => {
		const places = [], walk = document.createTreeWalker(td, NodeFilter.SHOW_TEXT), range = document.createRange();
		while (walk.nextNode()) {
			const node = walk.currentNode;
			if (node.parentNode.className === "notation") { continue }
			for (let i = 0; i < node.data.length; i++) {
				range.setStart(node, i); range.setEnd(node, i + 1);
				const rects = Array.from(range.getClientRects()).filter(r => r.width > 0);
				if (rects.length !== 1) { throw new Error(rects.length + " rectangles in " + td.textContent) }
				places.push([rects[0].left, node.data[i]]);
			}
		}
		places.sort((a, b) => a[0] - b[0]);
		return { Order: td.parentNode.querySelector("th").textContent, Dir: td.dir, Seen: places.map(p => p[1]).join("") };
	}))`, &got)
	e, err := explain.New(engine.Options{})
	if err != nil {
		p.Fatal(err)
	}
	i, different := 0, 0
	for l := range e.Links(text) {
		if i >= len(got) || len(got[i]) != len(l.Displays) {
			p.Fatalf("%d tables", len(got))
		}
		for k, y := range l.Displays {
			if g := got[i][k]; g.Order != y.Order || g.Dir != y.Paragraph || g.Seen != y.Visual {
				p.Errorf("%s: %+v; want %+v", l.Text, g, y)
			}
			if y.Visual != l.Displays[0].Visual {
				different++
			}
		}
		i++
	}
	if i != 2 || different == 0 {
		p.Errorf("%d links, %d displays that differ", i, different)
	}
	p.quiet("layout")
}

// controls enters bidi controls. What is said of links and near misses has escapes for them; only what shows a link without mark-up has them, in a bdi,
// and the text with its marks and the output, which are what they are.
func (p *tester) controls() {
	p.enter("text", "http://example.com/א\u202eb/moc.knab/١٢ exam\u202eple.com http://u\u202es@example.com/\u202ex")
	var got struct {
		Raw, Heads, Notations, Bidi []string
	}
	p.must(`(() => { const raw = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) { if (/\p{Bidi_Control}/u.test(walk.currentNode.data)) { const e = walk.currentNode.parentNode; raw.push((e.closest("tr") ? e.closest("tr").firstChild.textContent + " " + e.nodeName : e.closest("[id]").id)) } }
		const all = s => Array.from(document.querySelectorAll(s), e => e.textContent), notations = "#links dd bdo, #links .notation";
		return { Raw: raw, Heads: all("#links h3, #misses h3"), Notations: all(notations), Bidi: Array.from(document.querySelectorAll(notations), e => e.nodeName + e.dir + getComputedStyle(e).unicodeBidi) } })()`, &got)
	var raw []string
	for _, where := range got.Raw {
		if !slices.Contains([]string{"none BDI", "marked", "source"}, where) {
			p.Errorf("a bidi control in %s", where)
		}
		raw = append(raw, where)
	}
	if n := len(raw); n < 2 || !slices.Equal(got.Heads, []string{"http://example.com/א%E2%80%AEb/moc.knab/١٢", "exam%E2%80%AEple.com", "http://u%E2%80%AEs@example.com/%E2%80%AEx"}) {
		p.Errorf("%+v", got)
	}
	if len(got.Notations) != 13 || got.Notations[0] != "http://example.com/A%e2%80%aeb/moc.knab/12" {
		p.Errorf("notations %q", got.Notations)
	}
	for _, b := range got.Bidi {
		if b != "BDOltrisolate-override" {
			p.Errorf("a notation is in %s", b)
		}
	}
	p.quiet("controls")
}

// sharing opens an address with something in its fragment, and reads it back.
func (p *tester) sharing() {
	const text = "ÄÖ & #x=1 http://מזל.ישראל/\n\"<b>"
	p.must(fmt.Sprintf(`(() => { window.drawnBefore = Number(document.documentElement.dataset.drawn); location.hash = "#" + new URLSearchParams({ kind: "markdown", text: %s, order: "tld", strict: "1", isolate: "no-such" }) })()`, quote(text)), nil)
	p.settled(`Number(document.documentElement.dataset.drawn) > window.drawnBefore`)
	var got struct {
		Kind, Text, Order, Isolate string
		Strict                     bool
	}
	p.must(`({ Kind: document.querySelector("input[name=kind]:checked").value, Text: document.getElementById("input").value, Order: document.getElementById("order").value,
		Isolate: document.getElementById("isolate").value, Strict: document.getElementById("strict").checked })`, &got)
	if got.Kind != "markdown" || got.Text != text || got.Order != "tld" || got.Isolate != "auto" || !got.Strict {
		p.Errorf("from the fragment: %+v", got)
	}
	p.enter("html", text+"!")
	p.settled(`new URLSearchParams(location.hash.slice(1)).get("text") === document.getElementById("input").value`)
	p.must(`document.getElementById("strict").click()`, nil)
	p.quiet("sharing")
}

// keyboard goes through the page with the tabulator, and changes the kind with an arrow.
func (p *tester) keyboard(c *chromium) {
	p.enter("text", "see http://מזל.ישראל/דרך")
	p.must(`(() => { document.activeElement.blur(); window.scrollTo(0, 0) })()`, nil)
	seen := make(map[string]bool)
	for range 25 {
		c.press(p.T, "Tab", 9)
		var got struct {
			Name    string
			Visible bool
		}
		p.must(`(() => { const e = document.activeElement, s = getComputedStyle(e); return { Name: e.id || e.name || e.getAttribute("href") || e.nodeName, Visible: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 1 } })()`, &got)
		seen[got.Name] = true
		if got.Name != "BODY" && got.Name != "ltr" && got.Name != "rtl" && !got.Visible {
			p.Errorf("the focus on %s is not seen", got.Name)
		}
	}
	for _, name := range []string{"kind", "input", "order", "isolate", "bare", "strict", "share", "source"} {
		if !seen[name] {
			p.Errorf("the tabulator does not reach %s: %v", name, seen)
		}
	}
	p.must(`document.querySelector("input[name=kind]:checked").focus()`, nil)
	c.press(p.T, "ArrowRight", 39)
	var kind string
	if p.must(`document.querySelector("input[name=kind]:checked").value`, &kind); kind != "markdown" {
		p.Errorf("the arrow chooses %s", kind)
	}
	p.quiet("keyboard")
}

// accessible has axe-core look at the page: in light and dark, with each kind of input.
func (p *tester) accessible(c *chromium) {
	axe, err := os.ReadFile(os.Getenv(axeVariable))
	if err != nil {
		p.Fatal(err)
	}
	p.must(string(axe)+"\n;0", nil)
	for _, scheme := range []string{"light", "dark"} {
		if err := c.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": scheme}}}, nil); err != nil {
			p.Fatal(err)
		}
		for kind, text := range map[string]string{
			"text": "see http://מזל.ישראל/דרך, example.com/ש1 and x.cmo", "markdown": "*example.com* https://example.com/", "html": "<p>example.com", "mail": "Subject: x\n\nexample.com\n",
		} {
			p.enter(kind, text)
			var got struct {
				Violations []struct {
					ID, Help string
					Nodes    []struct{ HTML, FailureSummary string }
				}
				Passes int
			}
			p.must(`axe.run(document, { iframes: false }).then(r => ({ Violations: r.violations.map(v => ({ ID: v.id, Help: v.help, Nodes: v.nodes.map(n => ({ HTML: n.html, FailureSummary: n.failureSummary })) })), Passes: r.passes.length }))`, &got)
			if got.Passes < 20 {
				p.Errorf("%s, %s: only %d rules", scheme, kind, got.Passes)
			}
			for _, v := range got.Violations {
				p.Errorf("%s, %s: %s: %s: %+v", scheme, kind, v.ID, v.Help, v.Nodes)
			}
			p.Logf("axe-core, %s, %s: %d rules pass, %d violations", scheme, kind, got.Passes, len(got.Violations))
		}
	}
	p.quiet("axe-core")
}

// gadgets enters what would run a script, or load something, in a page that lets it.
func (p *tester) gadgets(c *chromium, evil chan string, connections *atomic.Int64) {
	list := []string{
		`<script>top.pwned = 1; console.log("pwned")</script>`,
		`<img src=x onerror="top.pwned = 1; console.log('pwned')">`,
		`<svg onload="top.pwned = 1; console.log('pwned')"></svg>`,
		`<iframe src="javascript:top.pwned=1"></iframe>`, `<iframe srcdoc="<script>top.pwned=1</script>"></iframe>`,
		`</title></style></textarea></script><script>top.pwned=1</script>`,
		`<a href="javascript:top.pwned=1" id=click>x</a>`, `<base href="http://evil.example/"><img src=a>`,
		`<link rel=stylesheet href=//evil.example/x.css><style>@import "http://evil.example/y.css"</style>`,
		`<meta http-equiv=refresh content="0;url=http://evil.example/">`, `<form action=http://evil.example/><input name=x autofocus onfocus="top.pwned=1"></form>`,
		`<object data=http://evil.example/></object><embed src=http://evil.example/><video src=http://evil.example/ onerror="top.pwned=1"></video>`,
		`http://example.com/"onmouseover="top.pwned=1`, `http://example.com/'><script>top.pwned=1</script>`, `example.com/<img/src=x/onerror=top.pwned=1>`,
		"http://example.com/\u202e</bdi><script>top.pwned=1</script>", `[x](javascript:top.pwned=1) <javascript:top.pwned=1>`, `![x](http://evil.example/x.png)`,
		`x@example.com"><svg/onload=top.pwned=1>`, `<x.cmo><img src=x onerror=top.pwned=1>.cmo`,
		`<link rel=preconnect href=http://evil.example/><link rel=dns-prefetch href=//evil.example><link rel=prefetch href=http://evil.example/z>`, `<p style="background: url(http://evil.example/s)">x</p>`,
		`<iframe src=http://evil.example/f></iframe><frameset><frame src=http://evil.example/g></frameset>`, `<svg><image href=http://evil.example/i /></svg><body background=http://evil.example/b>`,
		`<template><script>top.pwned=1</script></template><math><mtext></form><form><mglyph><style></math><img src onerror=top.pwned=1>`,
	}
	p.must(`for (const f of document.querySelectorAll("iframe")) { f.addEventListener("load", () => { window.loads++ }) }`, nil)
	for _, kind := range []string{"text", "markdown", "html", "mail"} {
		for _, g := range list {
			p.must(`window.loads = 0`, nil)
			text := g
			if kind == "mail" {
				text = "MIME-Version: 1.0\nContent-Type: text/html\n\n" + g + " www.example.com\n"
			}
			p.enter(kind, text)
			p.settled(`window.loads >= 2`) // both frames have it
			var left []string
			p.must(`Array.from(document.querySelectorAll("iframe"), f => f.srcdoc.split("<title>Output</title>")[1]).filter(s => /<(script|img|image|i?frame|link|style|base|meta|form|object|embed|video|svg|math|template|input|textarea)|<[^>]* (on\w+|style|src|background|data|srcdoc)=|javascript:[^<>]*>/i.test(s))`, &left)
			if len(left) > 0 {
				p.Errorf("%s: in the frames: %q", g, left)
			}
		}
		p.must(`new Promise(ok => setTimeout(ok, 300))`, nil)
	}
	// And from the address.
	for _, g := range list {
		if err := p.open(p.url + "?" + strconv.Itoa(len(g)) + "#kind=html&text=" + strings.NewReplacer("%", "%25", "&", "%26", "+", "%2B", "#", "%23").Replace(g)); err != nil {
			p.Fatal(err)
		}
		p.settled(`document.documentElement.dataset.drawn`)
		p.must(`new Promise(ok => setTimeout(ok, 100))`, nil)
		var pwned bool
		if p.must(`"pwned" in window || location.origin + "/" !== `+quote(p.url)+` || Object.keys(window).includes("pwned")`, &pwned); pwned {
			p.Errorf("%s has run", g)
		}
	}
	log, err := p.troubles()
	if err != nil {
		p.Fatal(err)
	}
	// Nothing that is to be refused gets as far as that.
	for _, s := range log {
		p.Errorf("on the console: %s", s)
	}
	if c.frames == 0 {
		p.Error("there were no frames")
	}
	for _, url := range c.urls {
		if !strings.HasPrefix(url, p.url) && url != "about:srcdoc" && url != "about:blank" && !strings.HasPrefix(url, "data:") {
			p.Errorf("a request for %s", url)
		}
	}
	if len(c.urls) < 100 {
		p.Errorf("only %d requests were seen", len(c.urls))
	}
	if n := connections.Load(); n != 0 {
		p.Errorf("%d connections to elsewhere", n)
	}
	// There, nothing has arrived; and what is asked for on purpose does.
	if err := p.open("http://evil.example/on-purpose"); err != nil {
		p.Fatal(err)
	}
	if got := <-evil; got != "/on-purpose" {
		p.Errorf("a request for %s", got)
	}
	if connections.Load() == 0 {
		p.Error("connections are not counted")
	}
	p.Logf("%d gadgets in 4 kinds of input and in the address, %d requests, all to the server", len(list), len(c.urls))
}

// picture writes a picture of the page.
func (p *tester) picture(c *chromium) {
	name := os.Getenv(screenshotVariable)
	if name == "" {
		return
	}
	if err := c.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]string{"name": "prefers-color-scheme", "value": "light"}}}, nil); err != nil {
		p.Fatal(err)
	}
	if err := c.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 1100, "height": 1250, "deviceScaleFactor": 1, "mobile": false}, nil); err != nil {
		p.Fatal(err)
	}
	if err := p.open(p.url + "?picture#kind=text"); err != nil {
		p.Fatal(err)
	}
	p.enter("text", "See http://מזל.ישראל/דרך/1, and mail@example.com. Not example.cmo.")
	var shot struct{ Data string }
	if err := c.call("Page.captureScreenshot", map[string]any{"format": "png", "optimizeForSpeed": false}, &shot); err != nil {
		p.Fatal(err)
	}
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		p.Fatal(err)
	}
}

// program returns the path of a browser, and says its version.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v; on Debian, it is in the package of this name", err)
	}
	version, err := exec.Command(path, "--version").Output()
	if err != nil {
		t.Fatalf("%s --version: %v", path, err)
	}
	t.Logf("%s", strings.TrimSpace(string(version)))
	return path
}

// folder returns a new folder. Browsers are many processes, which do not all end at once: it may still be written to when it is removed.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for i := 0; os.RemoveAll(dir) != nil && i < 50; i++ {
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}

// logOf returns a file for what a browser says.
func logOf(t *testing.T, dir string) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			said, _ := os.ReadFile(f.Name())
			t.Logf("%s", said[max(0, len(said)-2000):])
		}
		f.Close()
	})
	return f
}
