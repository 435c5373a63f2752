// SPDX-License-Identifier: MIT

package display

import (
	"fmt"
	"html"
	"strings"
)

// A Profile is the kind of program that shows the HTML. Any but Mail counts as Web.
type Profile uint8

const (
	// Web is for browsers: isolates are <bdi dir="ltr"> elements.
	Web Profile = iota
	// Mail is for mail programs, many of which drop bdi tags, but keep dir: beside the bdi round the
	// anchor there is a span with dir in it, and inner isolates are spans. The anchor has no dir, which Outlook has trouble with.
	Mail
)

// String returns "web" or "mail".
func (p Profile) String() string {
	switch p {
	case Web:
		return "web"
	case Mail:
		return "mail"
	}
	return fmt.Sprintf("Profile(%d)", uint8(p))
}

// ParseProfile returns the profile of a name, as [Profile.String] gives it.
func ParseProfile(name string) (Profile, error) {
	switch name {
	case "web":
		return Web, nil
	case "mail":
		return Mail, nil
	}
	return 0, fmt.Errorf("display: unknown profile %q: want web or mail", name)
}

// Outside returns the tags that stand round the anchor, or round a file name.
func (p Profile) Outside(d Direction) (open, close string) {
	return d.of(`<bdi dir="ltr">`, `<bdi dir="rtl">`), "</bdi>"
}

// Inside returns the tags that stand in the anchor, round its text. There are some in the profile [Mail] only.
func (p Profile) Inside(d Direction) (open, close string) {
	if p != Mail {
		return "", ""
	}
	return d.of(`<span dir="ltr">`, `<span dir="rtl">`), "</span>"
}

// AppendEdits appends the changes that write y into the text of an anchor, in order: the tags of the inner
// isolates, and the escapes of bidi controls. The text that they leave is not escaped for HTML.
func (y Layout) AppendEdits(dst []Edit, text string, p Profile) []Edit {
	open := func(i Isolated) string {
		if p == Mail {
			return i.Dir.of(`<span dir="ltr">`, `<span dir="rtl">`)
		}
		return i.Dir.of(`<bdi dir="ltr">`, `<bdi dir="rtl">`)
	}
	close := func(Isolated) string {
		if p == Mail {
			return "</span>"
		}
		return "</bdi>"
	}
	return y.edits(dst, text, open, close)
}

// AppendHTML appends the link or file name as HTML, escaped, with an anchor unless href is empty. The href is escaped for HTML, and nothing else is
// done to it: its scheme is not checked, and it may be that of a script. [engine.Detector.AppendHref] gives the href of a link that was detected.
func (y Layout) AppendHTML(dst []byte, text, href string, p Profile) []byte {
	open, close := p.Outside(y.Dir)
	dst = append(dst, open...)
	if href != "" {
		dst = append(append(append(dst, `<a href="`...), html.EscapeString(href)...), `">`...)
	}
	inOpen, inClose := p.Inside(y.Dir)
	dst = append(dst, inOpen...)
	at := y.Start
	for _, e := range y.AppendEdits(nil, text, p) {
		dst = append(append(dst, html.EscapeString(text[at:e.Start])...), e.Text...)
		at = e.End
	}
	dst = append(append(dst, html.EscapeString(text[at:y.End])...), inClose...)
	if href != "" {
		dst = append(dst, "</a>"...)
	}
	return append(dst, close...)
}

// Isolation says which links get an isolate round them.
type Isolation uint8

const (
	// IsolateAuto isolates links with a character of bidi class R, AL or AN, or with a bidi control, and all links in right-to-left text.
	IsolateAuto Isolation = iota
	IsolateBidi           // the former only
	IsolateAll            // all links
	IsolateNone           // no link
)

var isolationNames = [...]string{"auto", "bidi", "all", "none"}

// String returns "auto", "bidi", "all" or "none".
func (i Isolation) String() string {
	if int(i) < len(isolationNames) {
		return isolationNames[i]
	}
	return fmt.Sprintf("Isolation(%d)", uint8(i))
}

// ParseIsolation returns the isolation of a name, as [Isolation.String] gives it.
func ParseIsolation(name string) (Isolation, error) {
	for i, n := range isolationNames {
		if n == name {
			return Isolation(i), nil
		}
	}
	return 0, fmt.Errorf("display: unknown isolation %q: want one of %s", name, strings.Join(isolationNames[:], ", "))
}

// Isolates reports whether a link or file name gets an isolate in text of a direction.
func (i Isolation) Isolates(s string, paragraph Direction) bool {
	switch i {
	case IsolateAuto:
		return paragraph == RTL || RightToLeft(s) || HasControl(s)
	case IsolateBidi:
		return RightToLeft(s) || HasControl(s)
	}
	return i == IsolateAll
}
