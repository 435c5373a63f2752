// SPDX-License-Identifier: MIT

package bench

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/bidilink/bidilink/bench/clock"
)

// A Reader is a peer at work.
type Reader interface {
	// Version is the version of the peer, as it tells it itself; empty for ours and for loops.
	Version() string

	// Read gives the peer the texts that Time is about.
	Read(texts []string) error

	// Time has the peer read the texts again and again for at least the given processor time, and returns how often it did and what
	// it took: processor time of its process, with all its threads.
	Time(least time.Duration) (passes int, taken time.Duration, err error)

	// Found returns what the peer makes of texts. Call Read again before Time.
	Found(texts []string) (Found, error)

	Close() error
}

// Found is what a peer makes of texts: of each, the links, or, of a peer that does not read plain text, the HTML.
type Found struct {
	Links [][]Span
	HTML  []string
}

// Open begins the work of a peer. The error is a *MissingError if it is not installed.
func (p Peer) Open() (Reader, error) {
	if p.Runner != nil {
		c, err := p.Runner.start(p)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	return &inProcess{Peer: p}, nil
}

// inProcess is a peer of this process.
type inProcess struct {
	Peer
	texts []string
	out   bytes.Buffer
	sink  int // keeps the results alive
}

func (r *inProcess) Read(texts []string) error {
	r.texts = texts
	return nil
}

func (r *inProcess) Time(least time.Duration) (passes int, taken time.Duration, err error) {
	runtime.GC() // nobody pays for another's garbage
	for start := clock.Now(); ; {
		for _, text := range r.texts {
			if r.Convert != nil {
				r.out.Reset()
				r.Convert(&r.out, text)
				r.sink += r.out.Len()
			} else {
				r.sink += r.Peer.Find(text)
			}
		}
		passes++
		if taken = clock.Now() - start; taken >= least {
			return passes, taken, nil
		}
	}
}

func (r *inProcess) Found(texts []string) (f Found, err error) {
	for _, text := range texts {
		if r.Convert == nil {
			f.Links = append(f.Links, r.Links(text))
			continue
		}
		var out bytes.Buffer
		r.Convert(&out, text)
		f.HTML = append(f.HTML, out.String())
	}
	return f, nil
}

func (r *inProcess) Close() error { return nil }

func (r *inProcess) Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || r.Module == "" {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path != r.Module {
			continue
		}
		if strings.HasPrefix(m.Version, "v0.0.0-") {
			return m.Version[strings.LastIndexByte(m.Version, '-')+1:] // the commit: it has no releases
		}
		return m.Version
	}
	return ""
}
