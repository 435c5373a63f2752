// SPDX-License-Identifier: MIT

package display_test

import (
	"fmt"
	"strings"

	"github.com/bidilink/bidilink/engine"
	"github.com/bidilink/bidilink/engine/display"
)

// The examples write capitals for Hebrew letters, since an editor would show these in an order of its own.

var (
	toHebrew   = strings.NewReplacer("A", "א", "B", "ב", "C", "ג", "D", "ד", "E", "ה", "F", "ו", "G", "ז", "H", "ח", "I", "ט", "J", "י", "K", "ך", "L", "כ")
	fromHebrew = strings.NewReplacer("א", "A", "ב", "B", "ג", "C", "ד", "D", "ה", "E", "ו", "F", "ז", "G", "ח", "H", "ט", "I", "י", "J", "ך", "K", "כ", "L")
	controls   = strings.NewReplacer("\u2066", "{LRI}", "\u2067", "{RLI}", "\u2069", "{PDI}", "\u202a", "{LRE}", "\u202b", "{RLE}", "\u202c", "{PDF}", "\u202d", "{LRO}", "\u200e", "{LRM}", "\u200f", "{RLM}")
)

// hebrew takes capitals for Hebrew letters; latin is the inverse, and names bidi controls.
func hebrew(s string) string { return toHebrew.Replace(s) }
func latin(s string) string  { return controls.Replace(fromHebrew.Replace(s)) }

func Example() {
	d, err := engine.New(engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := hebrew("ABC http://ab.CD.EF.com/x, GH")
	for l := range d.Links(text) {
		layout := display.Constant.Layout(text, l, display.RTL)
		href := d.AppendHref(nil, text, l)
		fmt.Println(latin(string(layout.AppendHTML(nil, text, string(href), display.Web))))
		fmt.Println(latin(layout.Visual(text)))
	}
	// Output:
	// <bdi dir="ltr"><a href="http://ab.xn--6dbc.xn--8dbc.com/x">http://ab.<bdi dir="ltr">CD</bdi>.<bdi dir="ltr">EF</bdi>.com/x</a></bdi>
	// http://ab.DC.FE.com/x
}

// What the package documentation shows.
func ExampleOrder_Layout() {
	for _, s := range []string{"http://ab.cd.EF.GH.com/IJ/KL/mn/op", "http://EF.GH/IJ/KL"} {
		link := hebrew(s)
		l, _ := display.Parse(link)
		fmt.Println("memory", s)
		fmt.Println("no mark-up", latin(display.Visual(link, display.LTR)), latin(display.Visual(link, display.RTL)))
		for _, o := range []display.Order{display.Constant, display.Embedding, display.Environment, display.Content, display.TLD} {
			fmt.Println(o, latin(o.Layout(link, l, display.LTR).Visual(link)), latin(o.Layout(link, l, display.RTL).Visual(link)))
		}
	}
	// Output:
	// memory http://ab.cd.EF.GH.com/IJ/KL/mn/op
	// no mark-up http://ab.cd.HG.FE.com/LK/JI/mn/op mn/op/LK/JI/com.HG.FE.http://ab.cd
	// constant http://ab.cd.FE.HG.com/JI/LK/mn/op http://ab.cd.FE.HG.com/JI/LK/mn/op
	// embedding http://ab.cd.HG.FE.com/LK/JI/mn/op http://ab.cd.HG.FE.com/LK/JI/mn/op
	// environment http://ab.cd.FE.HG.com/JI/LK/mn/op op/mn/LK/JI/com.HG.FE.cd.ab//:http
	// content op/mn/LK/JI/com.HG.FE.cd.ab//:http op/mn/LK/JI/com.HG.FE.cd.ab//:http
	// tld http://ab.cd.FE.HG.com/JI/LK/mn/op http://ab.cd.FE.HG.com/JI/LK/mn/op
	// memory http://EF.GH/IJ/KL
	// no mark-up http://LK/JI/HG.FE LK/JI/HG.FE//:http
	// constant http://FE.HG/JI/LK http://FE.HG/JI/LK
	// embedding http://LK/JI/HG.FE http://LK/JI/HG.FE
	// environment http://FE.HG/JI/LK LK/JI/HG.FE//:http
	// content LK/JI/HG.FE//:http LK/JI/HG.FE//:http
	// tld LK/JI/HG.FE//:http LK/JI/HG.FE//:http
}

func ExampleOrder_FileLayout() {
	text := hebrew(`in c:\AB\CD\EF.txt`)
	name := engine.Span{Start: len("in "), End: len(text)}
	layout := display.Constant.FileLayout(text, name, display.LTR)
	fmt.Println(latin(layout.Visual(text)))
	// Output:
	// c:\BA\DC\FE.txt
}

func ExampleLayout_AppendHTML() {
	link := hebrew("http://AB.CD/x&y")
	l, _ := display.Parse(link)
	layout := display.Constant.Layout(link, l, display.RTL)
	for _, p := range []display.Profile{display.Web, display.Mail} {
		fmt.Println(p, latin(string(layout.AppendHTML(nil, link, "http://example.com/", p))))
	}
	// Output:
	// web <bdi dir="ltr"><a href="http://example.com/">http://<bdi dir="ltr">AB</bdi>.<bdi dir="ltr">CD</bdi>/x&amp;y</a></bdi>
	// mail <bdi dir="ltr"><a href="http://example.com/"><span dir="ltr">http://<span dir="ltr">AB</span>.<span dir="ltr">CD</span>/x&amp;y</span></a></bdi>
}

func ExampleLayout_AppendEdits() {
	link := hebrew("http://AB.CD/x")
	l, _ := display.Parse(link)
	for _, e := range display.Constant.Layout(link, l, display.LTR).AppendEdits(nil, link, display.Web) {
		fmt.Println(e.Start, e.End, e.Text)
	}
	// Output:
	// 7 7 <bdi dir="ltr">
	// 11 11 </bdi>
	// 12 12 <bdi dir="ltr">
	// 16 16 </bdi>
}

func ExampleLayout_AppendControls() {
	link := hebrew("http://AB.CD/EF%20GH")
	l, _ := display.Parse(link)
	layout := display.Constant.Layout(link, l, display.RTL)
	fmt.Println(latin(string(layout.AppendControls(nil, link, display.Isolates))))
	fmt.Println(latin(string(layout.AppendControls(nil, link, display.Embeddings))))
	// Output:
	// {LRI}http://{LRI}AB{PDI}.{LRI}CD{PDI}/{LRI}EF{LRI}%20{PDI}GH{PDI}{PDI}
	// {LRE}http://{LRM}AB{LRM}.{LRM}CD{LRM}/{LRM}EF{LRO}%20{PDF}GH{LRM}{PDF}
}

func ExampleLayout_Visual() {
	link := hebrew("http://AB/1.2.3.4")
	l, _ := display.Parse(link)
	fmt.Println(latin(display.Embedding.Layout(link, l, display.LTR).Visual(link)))
	fmt.Println(latin(display.Constant.Layout(link, l, display.LTR).Visual(link)))
	// Output:
	// http://1.2.3.4/BA
	// http://BA/1.2.3.4
}

func ExampleVisual() {
	s := hebrew("ab.CD, ef.GH")
	fmt.Println(latin(display.Visual(s, display.LTR)))
	fmt.Println(latin(display.Visual(s, display.RTL))) // the names have changed their neighbours
	// Output:
	// ab.DC, ef.HG
	// HG.ef ,DC.ab
}

func ExampleAppendFields() {
	link := hebrew("http://AB.cd:8080/EF?G=1#h")
	l, _ := display.Parse(link)
	for _, f := range display.AppendFields(nil, link, l) {
		fmt.Printf("%s %v\n", latin(f.In(link)), f.Classes.RightToLeft())
	}
	// Output:
	// http false
	// AB true
	// cd false
	// 8080 false
	// EF true
	// G true
	// 1 false
	// h false
}

func ExampleAppendFileFields() {
	name := hebrew(`c:\AB/CD.txt`)
	for _, f := range display.AppendFileFields(nil, name, engine.Span{Start: 0, End: len(name)}) {
		fmt.Println(latin(f.In(name)))
	}
	// Output:
	// c:
	// AB
	// CD.txt
}

func ExampleClasses_RightToLeft() {
	fmt.Println(display.Left.RightToLeft(), (display.Left | display.Right).RightToLeft(), display.Arabic.RightToLeft())
	// Output:
	// false true true
}

func ExampleParse() {
	for _, s := range []string{"example.com:80/path", "mailto:user@example.com", "two words"} {
		l, ok := display.Parse(s)
		fmt.Println(ok, l.Kind, l.Host.In(s))
	}
	// Output:
	// true url example.com
	// true email example.com
	// false none
}

func ExampleParseOrder() {
	o, err := display.ParseOrder("embedding")
	fmt.Println(o == display.Embedding, err)
	_, err = display.ParseOrder("any")
	fmt.Println(err)
	// Output:
	// true <nil>
	// display: unknown order "any": want one of constant, embedding, environment, content, tld
}

func ExampleOrder_String() {
	fmt.Println(display.Constant, display.TLD)
	// Output:
	// constant tld
}

func ExampleDirection_String() {
	fmt.Println(display.Unknown, display.LTR, display.RTL)
	// Output:
	// unknown ltr rtl
}

func ExampleParseProfile() {
	p, err := display.ParseProfile("mail")
	fmt.Println(p == display.Mail, err)
	_, err = display.ParseProfile("print")
	fmt.Println(err)
	// Output:
	// true <nil>
	// display: unknown profile "print": want web or mail
}

func ExampleProfile_String() {
	fmt.Println(display.Web, display.Mail)
	// Output:
	// web mail
}

func ExampleProfile_Outside() {
	for _, p := range []display.Profile{display.Web, display.Mail} {
		open, end := p.Outside(display.LTR)
		fmt.Println(open, end)
	}
	// Output:
	// <bdi dir="ltr"> </bdi>
	// <bdi dir="ltr"> </bdi>
}

func ExampleProfile_Inside() {
	open, end := display.Mail.Inside(display.LTR)
	fmt.Println(open, end)
	open, end = display.Web.Inside(display.LTR)
	fmt.Println(open == "", end == "")
	// Output:
	// <span dir="ltr"> </span>
	// true true
}

func ExampleParseIsolation() {
	i, err := display.ParseIsolation("bidi")
	fmt.Println(i == display.IsolateBidi, err)
	_, err = display.ParseIsolation("some")
	fmt.Println(err)
	// Output:
	// true <nil>
	// display: unknown isolation "some": want one of auto, bidi, all, none
}

func ExampleIsolation_String() {
	fmt.Println(display.IsolateAuto, display.IsolateNone)
	// Output:
	// auto none
}

func ExampleIsolation_Isolates() {
	// The last slash of a link without right-to-left letters is seen first in right-to-left text.
	fmt.Println(display.IsolateAuto.Isolates("http://ab.com/x/", display.LTR))
	fmt.Println(display.IsolateAuto.Isolates("http://ab.com/x/", display.RTL))
	fmt.Println(display.IsolateBidi.Isolates("http://ab.com/x/", display.RTL))
	// Output:
	// false
	// true
	// false
}

func ExampleRightToLeft() {
	fmt.Println(display.RightToLeft("https://example.com/path"))
	fmt.Println(display.RightToLeft("https://example.com/مسار"))
	fmt.Println(display.RightToLeft("https://example.com/٣"))
	// Output:
	// false
	// true
	// true
}

func ExampleRightToLeftText() {
	fmt.Println(display.RightToLeftText("مسار"))
	fmt.Println(display.RightToLeftText("٣")) // a number
	// Output:
	// true
	// false
}

func ExampleHasControl() {
	fmt.Println(display.HasControl("http://example.com/\u202etxt.exe"))
	// Output:
	// true
}

func ExampleIsControl() {
	fmt.Println(display.IsControl('\u200e'), display.IsControl('\u200d'))
	// Output:
	// true false
}

func ExampleFirstStrong() {
	fmt.Println(display.FirstStrong("1. שלום"), display.FirstStrong("see שלום"), display.FirstStrong("12"))
	// Output: rtl ltr unknown
}

func ExampleBeginsRightToLeft() {
	fmt.Println(display.BeginsRightToLeft("\u202ehttp://moc.elpmaxe.evil.example/"), display.BeginsRightToLeft("\u2066a\u2069"))
	// Output: true false
}

func ExampleEscapeControls() {
	fmt.Println(display.EscapeControls("http://example.com/a\u202eb"))
	// Output: http://example.com/a%E2%80%AEb
}
