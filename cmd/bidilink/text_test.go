// SPDX-License-Identifier: MIT

package main

import (
	"strings"
	"testing"
)

const (
	lrm = "\u200e"
	lre = "\u202a"
	pdf = "\u202c"
	lri = "\u2066"
	pdi = "\u2069"
)

func TestText(t *testing.T) {
	const text = "\ufeffראו http://e.com/x/ ו-e.com/ש.\r\nsee e.com/ש now\r\n\xff e.com\r\n"
	const isolated = "\ufeffראו" + lri + " http://e.com/x/ " + pdi + "ו-e.com/ש.\r\nsee" + lri + " e.com/ש " + pdi + "now\r\n\xff e.com\r\n"
	inFolder(t, map[string]string{
		"a.txt": text,
		"b.txt": lri + "e.com/א" + pdi + " C++" + lrm + "\n",
		"none":  "nothing here",
	})
	for _, c := range []struct {
		name, stdin string
		args        []string
		want        string
	}{
		{"as it is", text, nil, text},
		{"as it is, with marks", isolated, nil, isolated},
		{"as it is, whatever links", isolated, []string{"--marks=none", "--isolate=all"}, isolated},
		{"isolate", "", []string{"--marks", "isolate", "a.txt"}, "\ufeffראו" + lri + " http://e.com/x/ " + pdi + "ו-e.com/ש.\r\nsee" + lri + " e.com/ש " + pdi + "now\r\n\xff e.com\r\n"},
		{"again", isolated, []string{"--marks", "isolate"}, isolated},
		{"strip", isolated, []string{"--strip"}, text},
		{"strip nothing", text, []string{"--strip"}, text},
		{"embedding", "see e.com/ש now", []string{"--marks", "embedding"}, "see " + lre + "e.com/ש" + pdf + " now"},
		{"replaced", "see" + lri + " e.com/a " + pdi + "now", []string{"--marks", "embedding", "--isolate", "all"}, "see " + lre + "e.com/a" + pdf + " now"},
		{"lrm", "see http://אב.קום/ש now", []string{"--marks", "lrm", "--dir", "ltr"}, "see http://" + lrm + "אב" + lrm + "." + lrm + "קום" + lrm + "/" + lrm + "ש" + lrm + " now"},
		{"rtl", "see e.com, now", []string{"--marks", "embedding", "--dir", "rtl"}, "see " + lre + "e.com" + pdf + ", now"},
		{"ltr", "א e.com ב e.com/ב", []string{"--marks", "isolate", "--dir=ltr"}, "א e.com ב " + lri + "e.com/ב"},
		{"bidi", "א e.com ב", []string{"--marks", "isolate", "--isolate=bidi"}, "א e.com ב"},
		{"all", "a e.com b", []string{"--marks", "isolate", "--isolate=all"}, "a" + lri + " e.com " + pdi + "b"},
		{"no links", "א e.com/ב", []string{"--marks", "isolate", "--isolate=none"}, "א e.com/ב"},
		{"link flags", "א e.com a@e.com ftp://e.com ב", []string{"--marks", "embedding", "--bare=none", "--no-email", "--scheme=ftp"}, "א e.com a@e.com " + lre + "ftp://e.com" + pdf + " ב"},
		{"refuse", "e.com/א1 e.com/ב", []string{"--marks", "embedding", "--refuse", "edge"}, "e.com/א1 " + lre + "e.com/ב" + pdf},
		{"two files", "", []string{"--marks", "embedding", "b.txt", "none"}, lre + "e.com/א" + pdf + " C++" + lrm + "\nnothing here"},
		{"control in a link", "e.com/" + lrm + "x", []string{"--marks", "embedding"}, lre + "e.com/" + lrm + "x" + pdf},
		{"empty", "", []string{"--marks", "isolate"}, ""},
	} {
		out, errs, code := command(c.stdin, append([]string{"text"}, c.args...)...)
		if out != c.want || errs != "" || code != exitDone {
			t.Errorf("%s: exit %d, stderr %q\n got %+q\nwant %+q", c.name, code, errs, out, c.want)
		}
	}
}

func TestTextErrors(t *testing.T) {
	inFolder(t, map[string]string{
		"good.txt":  "e.com\n",
		"utf16.txt": "\xff\xfee\x00.\x00c\x00o\x00m\x00",
		"image.png": "e.com \x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
	})
	for _, c := range []struct {
		args []string
		out  string
		want string
	}{
		{[]string{"missing", "good.txt"}, "e.com\n", "bidilink: missing: "},
		{[]string{"utf16.txt", "good.txt"}, "e.com\n", "bidilink: utf16.txt: neither UTF-8 nor compatible with ASCII: a byte order mark of UTF-16"},
		{[]string{"--strip", "image.png"}, "", "bidilink: image.png: binary data"},
		{[]string{"--marks", "some"}, "", "bidilink: --marks some: want one of none, isolate, embedding, lrm\n"},
		{[]string{"--isolate", "some"}, "", "bidilink: --isolate some: want one of auto, bidi, all, none\n"},
		{[]string{"--dir", "up"}, "", "bidilink: --dir up: want "},
		{[]string{"--refuse", "x"}, "", "bidilink: --refuse: unknown warning"},
		{[]string{"--strip", "--marks", "lrm"}, "", "bidilink: --strip and --marks exclude each other"},
		{[]string{"--bare", "some"}, "", "bidilink: --bare some: want all, www or none\n"},
	} {
		out, errs, code := command("e.com", append([]string{"text"}, c.args...)...)
		if out != c.out || code != exitError || !strings.HasPrefix(errs, c.want) {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", c.args, code, out, errs)
		}
	}
	if out, errs, code := command("", "text", "--help"); !strings.Contains(out, "Usage:") || errs != "" || code != exitDone {
		t.Errorf("exit %d, stderr %q", code, errs)
	}
}
