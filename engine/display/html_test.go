// SPDX-License-Identifier: MIT

package display

import (
	"reflect"
	"testing"
)

// What is in href cannot leave the attribute.
func TestHrefEscaped(t *testing.T) {
	const text = "a.b/x"
	y := Constant.Layout(text, parsed(t, text), LTR)
	const want = `<bdi dir="ltr"><a href="a.b/?&#34;&gt;&lt;b&gt;&amp;amp;&#39;x">a.b/x</a></bdi>`
	if got := string(y.AppendHTML(nil, text, `a.b/?"><b>&amp;'x`, Web)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// An unknown profile is Web in everything but its name.
func TestUnknownProfile(t *testing.T) {
	const other = Profile(7)
	if got := other.String(); got != "Profile(7)" {
		t.Error(got)
	}
	for _, d := range []Direction{LTR, RTL} {
		webOpen, webClose := Web.Inside(d)
		if open, end := other.Inside(d); open != webOpen || end != webClose {
			t.Errorf("inside %q, %q", open, end)
		}
		webOpen, webClose = Web.Outside(d)
		if open, end := other.Outside(d); open != webOpen || end != webClose {
			t.Errorf("outside %q, %q", open, end)
		}
	}
	const text = "אב.גד/ה%20ו"
	y := Constant.Layout(text, parsed(t, text), RTL)
	if got, want := y.AppendEdits(nil, text, other), y.AppendEdits(nil, text, Web); !reflect.DeepEqual(got, want) || len(got) == 0 {
		t.Errorf("got %v, want %v", got, want)
	}
}
