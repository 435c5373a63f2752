// SPDX-License-Identifier: MIT

// Package serve offers the other packages of this module over HTTP, for programs in other languages, and a page to try them on.
//
//	l, err := serve.Listen(ctx, "127.0.0.1:8058", false)
//	err = serve.Serve(ctx, l, serve.Options{})
//
//	curl --data-binary @page.html -H 'Content-Type: text/html' http://127.0.0.1:8058/v1/html
//
// The operations are POST /v1/links, /v1/show, /v1/text, /v1/html, /v1/markdown, /v1/mail and /v1/format: the body is what is worked on, options are
// parameters of the query with the names of the flags of the command. GET /openapi.json describes them. GET /healthz says whether the server runs,
// GET /metrics what it has done, for Prometheus. GET / is the page.
//
// # Errors
//
// An error is a problem (RFC 9457, application/problem+json) that says what is wrong with which parameter, header or body. There is nothing about the
// inside of the server in it: after a panic, the log has the stack, without anything of the body.
//
// # Security
//
// The server is for programs of the same machine. It listens on loopback, and a web page that the user visits elsewhere cannot use it: the header Host
// must name loopback, so that no name that somebody makes point there (DNS rebinding) is answered; a request with an Origin that is not the
// server's own is refused, and there are no CORS headers. With Options.Public it listens elsewhere and needs a token, which all but the page, its
// files, the description and /healthz ask for (Authorization: Bearer). There is no TLS: put a proxy before it.
//
// Bodies have a limit, and those with a Content-Encoding are refused, so that they are as long as they seem. Requests have a limit of time for reading,
// working and writing. There is a number of them at once, and a number of bytes in long bodies, beyond which the answer is 503; a body that has not come takes
// no place. What a request costs is linear in the length of its body, except for Markdown: that has a limit of MaxMarkdown bytes, is refused if it has
// more open brackets, delimiters or nested markers in a block than anybody writes, and has few places of its own. A rendering that is not done in time is
// answered, and keeps only such a place until it ends.
//
// What net/http itself refuses, before it is a request (400, 417, 431, 501), is answered in plain text.
//
// The page loads nothing from elsewhere, and its Content-Security-Policy allows nothing else. HTML that somebody enters is shown as source, and in
// frames with sandbox, in which no script runs.
package serve
