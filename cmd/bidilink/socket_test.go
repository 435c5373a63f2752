// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package main

import (
	"strings"
	"testing"
)

func TestParseSocket(t *testing.T) {
	for in, want := range map[string]string{
		"inet:127.0.0.1:10027":    "",
		"inet:10027@127.0.0.1":    "inet:127.0.0.1:10027",
		"inet:localhost:1":        "inet:127.0.0.1:1",
		"inet:1@localhost":        "inet:127.0.0.1:1",
		"inet6:1@localhost":       "inet:[::1]:1",
		"inet:[::1]:65535":        "",
		"inet:10027@::1":          "inet:[::1]:10027",
		"inet:10027@[::1]":        "inet:[::1]:10027",
		"inet6:10027@2001:DB8::1": "inet:[2001:db8::1]:10027",
		"inet:[fe80::1%eth0]:1":   "",
		"inet:0.0.0.0:0":          "",
		"unix:/run/b/milter.sock": "",
		"local:/run/x":            "unix:/run/x",
		"unix:/a@b:c":             "",
	} {
		if want == "" {
			want = in
		}
		if got, err := parseSocket(in); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v, want %s", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		"":                                  wantSocket,
		"/run/x":                            wantSocket,
		"tcp:127.0.0.1:1":                   wantSocket,
		"inet:10027":                        wantSocket,
		"inet:127.0.0.1":                    wantSocket,
		"unix:":                             "begins with /",
		"unix:run/x":                        "begins with /",
		"unix:/run/":                        "ends with a name",
		"unix:/a\x00b":                      "ends with a name",
		"unix:/" + strings.Repeat("x", 103): "at most 103 bytes",
		"inet:mail.example.com:25":          "not looked up",
		"inet:25@mail.example.com":          "not looked up",
		"inet:*:25":                         "not looked up",
		"inet::25":                          "not looked up",
		"inet:25@":                          "not looked up",
		"inet:::1:25":                       "brackets",
		"inet:[::1:25":                      "no IP address",
		"inet:[127.0.0.1]:25":               "no IP address",
		"inet6:25@127.0.0.1":                "no IP address",
		"inet:127.0.0.1:65536":              "no port",
		"inet:127.0.0.1:smtp":               "no port",
		"inet:127.0.0.1:+1":                 "no port",
		"inet:127.0.0.1:":                   "no port",
		"inet:@127.0.0.1":                   "no port",
	} {
		if got, err := parseSocket(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %s", in, got, err, want)
		}
	}
}

// FuzzSocket reads a socket, and what it is written as.
func FuzzSocket(f *testing.F) {
	for _, s := range []string{"inet:127.0.0.1:1", "inet:1@::1", "inet6:1@[::1]", "unix:/x", "local:/x/y", "inet:[fe80::1%eth0]:1", "inet:localhost:0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := parseSocket(s)
		if err != nil {
			if err.Error() == "" || k != (socket{}) {
				t.Fatalf("%q: %v, %q", s, k, err)
			}
			return
		}
		if (k.path != "") == k.addr.IsValid() {
			t.Fatalf("%q: %+v", s, k)
		}
		if again, err := parseSocket(k.String()); err != nil || again != k {
			t.Fatalf("%q: %v, then %v, %v", s, k, again, err)
		}
	})
}
