// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/bidilink/bidilink/serve"
)

func TestServeRefuses(t *testing.T) {
	t.Setenv(tokenVariable, "")
	dir := t.TempDir()
	file := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty, short, blank, good := file("empty", "\nx"), file("short", "secret\n"), file("blank", "a secret with blanks in it\n"), file("good", "0123456789abcdef\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--listen", "0.0.0.0:0"}, "--listen 0.0.0.0:0: others can reach it; want a loopback address such as 127.0.0.1:8058, or --public"},
		{[]string{"--listen", ":0"}, "--listen :0: others can reach it"},
		{[]string{"--listen", "[::]:0"}, "--listen [::]:0: others can reach it"},
		{[]string{"--listen", "0.0.0.0:0", "--token-file", good}, "--listen 0.0.0.0:0: others can reach it"},
		{[]string{"--listen", "localhost"}, "--listen: localhost: want host:port"},
		{[]string{"--public", "--listen", "0.0.0.0:0"}, "--public needs a token: --token-file, or the variable BIDILINK_TOKEN"},
		{[]string{"--public", "--token-file", filepath.Join(dir, "none")}, "--token-file " + filepath.Join(dir, "none") + ": no such file or directory"},
		{[]string{"--token-file", empty}, "--token-file " + empty + ": its first line is empty"},
		{[]string{"--token-file", short}, "--token-file " + short + ": the token has 6 bytes; want at least 16"},
		{[]string{"--token-file", blank}, "--token-file " + blank + ": the token has other characters than visible ASCII"},
		{[]string{"--max-body", "0"}, "--max-body 0: want at least 1"},
		{[]string{"--max-requests", "-1"}, "--max-requests -1: want at least 1"},
		{[]string{"--timeout", "0s"}, "--timeout 0s: want at least 1ms"},
		{[]string{"file"}, "unknown command"},
	} {
		if runtime.GOOS == "windows" && strings.Contains(c.want, "no such file") {
			continue
		}
		out, errs, code := command("", append([]string{"serve"}, c.args...)...)
		if out != "" || !strings.HasPrefix(errs, "bidilink: "+c.want) || code != exitError || strings.Contains(errs, "secret") && !strings.Contains(c.want, "secret") {
			t.Errorf("%v: exit %d, %q, %s", c.args, code, out, errs)
		}
	}
}

// The parameters of an operation are the flags of its command, with the same defaults, but for those about files and output.
func TestServeParameters(t *testing.T) {
	h, err := serve.NewHandler(serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/openapi.json", nil)
	r.Host = "localhost"
	h.ServeHTTP(w, r)
	var api struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema struct{ Default any }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &api); err != nil {
		t.Fatal(err)
	}
	site := []string{"check", "diff", "exclude", "force", "max-size", "null", "include", "jobs", "json", "list", "output", "quiet", "verbose", "verify", "write"}
	for path, c := range map[string]struct {
		command *cobra.Command
		except  []string
	}{
		"/v1/links":    {linksCommand(), []string{"json", "offsets"}},
		"/v1/show":     {showCommand(), []string{"json"}},
		"/v1/text":     {textCommand(), nil},
		"/v1/html":     {htmlCommand(), append(site, "charset", "reference-scanner")}, // the charset is in the header
		"/v1/markdown": {mdCommand(), []string{"lang", "page"}},
		"/v1/mail":     {mailCommand(), []string{"check", "diff", "explain", "mbox", "tempfail", "write"}},
		"/v1/format":   {formatCommand(), nil},
	} {
		got, want := make(map[string]string), make(map[string]string)
		for _, p := range api.Paths[path]["post"].Parameters {
			if b, ok := p.Schema.Default.(bool); ok && b {
				got[p.Name] = "true"
			} else if s, ok := p.Schema.Default.(string); ok {
				got[p.Name] = s
			} else if n, ok := p.Schema.Default.(float64); ok {
				got[p.Name] = fmt.Sprint(n)
			} else {
				got[p.Name] = ""
			}
		}
		c.command.Flags().VisitAll(func(f *pflag.Flag) {
			want[f.Name] = strings.NewReplacer("[]", "", "false", "").Replace(f.DefValue)
		})
		delete(want, "help")
		for name, def := range want {
			if g, ok := got[name]; (!ok || g != def) && !slices.Contains(c.except, name) {
				t.Errorf("%s: the flag %s has the default %q, the parameter %q (%v)", path, name, def, g, ok)
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok && !slices.Contains(c.except, name) {
				t.Errorf("%s: %s is no flag", path, name)
			}
		}
	}
}
