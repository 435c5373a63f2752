// SPDX-License-Identifier: MIT

package serve

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Options configure a handler or server. The zero value is the documented profile.
type Options struct {
	// Public answers requests for any Host, and demands a Token. Default: only for loopback.
	Public bool

	// Token is what requests must have in their header Authorization, behind "Bearer": visible ASCII, at least MinToken bytes. Default: none,
	// and nothing is asked for.
	Token string

	MaxBody    int64         // bytes of a body. Default: 4 MiB
	MaxAtOnce  int           // requests that are worked on at once; beyond it, the answer is 503. A quarter of them may be for Markdown. Default: 32
	Timeout    time.Duration // for reading a request and its body, again for the work, beyond which the answer is 503, and again for writing. Default: 10 s
	GraceStop  time.Duration // how long Serve waits for requests when it is to stop. Default: 10 s
	beforeWork func()        // for tests: called before an operation
	observe    func(string)  // for tests: called with the name of each parameter that is read

	// Log is given errors of ours. It is never given anything of a body. Default: nothing is logged.
	Log *slog.Logger
}

// MinToken is the least length of a token in bytes.
const MinToken = 16

// withDefaults checks the options and fills in defaults. Its errors name the option and the value.
func (o Options) withDefaults() (Options, error) {
	switch {
	case o.MaxBody < 0:
		return o, fmt.Errorf("serve: MaxBody: %d is negative", o.MaxBody)
	case o.MaxAtOnce < 0:
		return o, fmt.Errorf("serve: MaxAtOnce: %d is negative", o.MaxAtOnce)
	case o.Timeout < 0:
		return o, fmt.Errorf("serve: Timeout: %v is negative", o.Timeout)
	case o.GraceStop < 0:
		return o, fmt.Errorf("serve: GraceStop: %v is negative", o.GraceStop)
	case o.Public && o.Token == "":
		return o, errors.New("serve: Public: a token is needed")
	case o.Token != "" && len(o.Token) < MinToken:
		return o, fmt.Errorf("serve: Token: %d bytes are too few, want at least %d", len(o.Token), MinToken)
	}
	for _, c := range []byte(o.Token) {
		if c <= ' ' || c > '~' {
			return o, errors.New("serve: Token: want visible ASCII")
		}
	}
	if o.MaxBody == 0 {
		o.MaxBody = 4 << 20
	}
	if o.MaxAtOnce == 0 {
		o.MaxAtOnce = 32
	}
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.GraceStop == 0 {
		o.GraceStop = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}
