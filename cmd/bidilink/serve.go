// SPDX-License-Identifier: MIT

package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bidilink/bidilink/serve"
)

// tokenVariable is the variable of the environment that holds the token of bidilink serve, if no file does.
const tokenVariable = "BIDILINK_TOKEN"

func serveCommand() *cobra.Command {
	var address, tokenFile string
	var o serve.Options
	c := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Offer all this over HTTP, and a page to try it, on loopback",
		Long: `serve answers HTTP requests of programs on the same machine, in whatever language, and has a page to try everything on, which shows at each
character what is a link, why it ends where it does, and how it displays in every order. It prints the address of the page.

  POST /v1/links     text/plain      the links, as JSON
  POST /v1/show      text/plain      why they are links, and what nearly is one, as JSON; also Markdown, HTML, mail
  POST /v1/text      text/plain      text with directional marks, or without
  POST /v1/html      text/html       HTML with links
  POST /v1/markdown  text/markdown   HTML, or with text=true plain text
  POST /v1/mail      message/rfc822  the message with links in its HTML parts
  POST /v1/format    text/plain      URLs, one a line, as people read them, or for an href
  GET  /openapi.json, /healthz, /metrics (for Prometheus), and / (the page)

The body is what is worked on. Options are parameters of the query, with the names of the flags of the other commands. An error is a JSON object (RFC 9457) that
says what is wrong. Bodies must not be compressed. Markdown has at most 256 KiB, and a list at most 100000 links.

It listens on loopback only, and answers no request that names another host or comes from a web page of another origin, so that no page that you
visit can use it. With --public it listens on other addresses as well, and then every request but those for the page, /openapi.json and /healthz needs a token, which
is in the file of --token-file or in the variable ` + tokenVariable + `: Authorization: Bearer TOKEN. There is no TLS.

It stops on SIGINT and SIGTERM, when the requests that it works on are done. Messages go to standard error; they have nothing of a body.`,
		Example: `  bidilink serve
  curl --data-binary @page.html -H 'Content-Type: text/html' 'http://127.0.0.1:8058/v1/html?rel=nofollow'
  BIDILINK_TOKEN=$(openssl rand -hex 16) bidilink serve --public --listen 192.0.2.1:8058`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			token, err := readToken(tokenFile)
			if err != nil {
				return err
			}
			o.Token = token
			o.Log = slog.New(slog.NewTextHandler(c.ErrOrStderr(), nil))
			switch {
			case o.Public && token == "":
				return fmt.Errorf("--public needs a token: --token-file, or the variable %s", tokenVariable)
			case o.MaxBody < 1:
				return fmt.Errorf("--max-body %d: want at least 1", o.MaxBody)
			case o.MaxAtOnce < 1:
				return fmt.Errorf("--max-requests %d: want at least 1", o.MaxAtOnce)
			case o.Timeout < time.Millisecond:
				return fmt.Errorf("--timeout %v: want at least 1ms", o.Timeout)
			}
			ctx, _, stop := interruptible()
			defer stop()
			l, err := serve.Listen(ctx, address, o.Public)
			if errors.Is(err, serve.ErrNotLoopback) {
				return fmt.Errorf("--listen %s: others can reach it; want a loopback address such as 127.0.0.1:8058, or --public", shown(address))
			}
			if err != nil {
				return errors.New("--listen: " + trimPackage(err, "serve"))
			}
			if _, err := fmt.Fprintf(c.OutOrStdout(), "http://%s/\n", l.Addr()); err != nil {
				l.Close()
				return fmt.Errorf("standard output: %w", cause(err))
			}
			if err := serve.Serve(ctx, l, o); err != nil {
				return errors.New(trimPackage(err, "serve"))
			}
			return nil
		},
	}
	p := c.Flags()
	p.SortFlags = false
	p.StringVar(&address, "listen", "127.0.0.1:8058", "`host:port` to listen on; port 0 is any that is free")
	p.BoolVar(&o.Public, "public", false, "let the address be one that others can reach; needs a token")
	p.StringVar(&tokenFile, "token-file", "", "`file` whose first line is the token that requests must have; without it, "+tokenVariable+" of the environment")
	p.Int64Var(&o.MaxBody, "max-body", 4<<20, "longest body, in `bytes`")
	p.IntVar(&o.MaxAtOnce, "max-requests", 32, "`number` of requests that are worked on at once; beyond it, the answer is 503")
	p.DurationVar(&o.Timeout, "timeout", 10*time.Second, "`time` for reading a request, again for working on it, and again for answering")
	return c
}

// readToken returns the token of a file, or of the environment if no file is given, or "".
func readToken(file string) (string, error) {
	if file == "" {
		return checkToken(tokenVariable, os.Getenv(tokenVariable))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--token-file %s: %w", shown(file), cause(err))
	}
	line, _, _ := strings.Cut(string(data), "\n")
	token := strings.TrimRight(line, "\r")
	if token == "" {
		return "", fmt.Errorf("--token-file %s: its first line is empty", shown(file))
	}
	return checkToken("--token-file "+shown(file), token)
}

// checkToken refuses a token that is none. The message does not have it.
func checkToken(where, token string) (string, error) {
	if token != "" && len(token) < serve.MinToken {
		return "", fmt.Errorf("%s: the token has %d bytes; want at least %d", where, len(token), serve.MinToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("%s: the token has other characters than visible ASCII", where)
	}
	return token, nil
}
