// SPDX-License-Identifier: MIT

package serve

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// MaxMarkdown is the length of the longest text, in bytes, that is rendered as Markdown: a tree takes some hundred times the memory of its text.
	MaxMarkdown = 256 << 10

	readersPerSlot = 16       // bodies that may be read at once, for each request that may be worked on
	bodiesAtOnce   = 4        // bodies of the greatest length that may be read at once, and worked on at once
	smallBody      = 64 << 10 // bytes of a body that count for nothing: the number of requests bounds them
)

// A budget is an amount of memory that requests share.
type budget struct {
	most int64 // bytes

	mu   sync.Mutex
	used int64
}

// take takes n bytes, if there are as many. Nobody who is alone is refused.
func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > 0 && b.used > 0 && b.used+n > b.most {
		return false
	}
	b.used += n
	return true
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}

// busy is the answer to those for whom there is no place.
func (h *handler) busy(format string, args ...any) *problem {
	h.metrics.refused.Inc()
	return failure(http.StatusServiceUnavailable, format+"; try again", args...).with("Retry-After", "1")
}

// body reads the body of a request, of at most limit bytes. It takes no place from those that are worked on, and as much of the budget as has come.
func (h *handler) body(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, *problem) {
	tooLong := failure(http.StatusRequestEntityTooLarge, "the body is longer than %d bytes", limit)
	if r.ContentLength > limit {
		return nil, tooLong
	}
	select {
	case h.reading <- struct{}{}:
		defer func() { <-h.reading }()
	default:
		return nil, h.busy("%d bodies are read already", cap(h.reading))
	}
	var taken int64
	defer func() { h.read.give(taken) }()
	// The server may have a deadline for all requests on its connections; this is one for the body. Not all writers know of any.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(h.o.Timeout))
	in := http.MaxBytesReader(w, r.Body, limit)
	var data []byte
	for {
		if len(data) == cap(data) {
			size := max(4<<10, 2*int64(cap(data)))
			if size > smallBody {
				if !h.read.take(size - taken) {
					return nil, h.busy("too many long bodies are read already").with("Connection", "close")
				}
				taken = size
			}
			data = append(make([]byte, 0, size), data...)
		}
		n, err := in.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		var tooMany *http.MaxBytesError
		switch {
		case err == nil:
		case err == io.EOF:
			return data, nil
		case errors.As(err, &tooMany):
			return nil, tooLong
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, failure(http.StatusRequestTimeout, "the body did not come within %v", h.o.Timeout).with("Connection", "close")
		default:
			return nil, failure(http.StatusBadRequest, "the body cannot be read to its end").with("Connection", "close")
		}
	}
}

// An outcome is what becomes of an operation.
type outcome struct {
	answer *answer
	err    error
	panic  any
	stack  []byte // of a panic
}

// run does an operation. What takes too long is answered all the same: it goes on, and keeps the memory that it has been given, but not always its place.
// All operations but Markdown take time that is linear in the length of the body, so that they come to their end soon and may keep their place; the parser of
// Markdown does not, so that it gives the place back to the others, and only keeps one of the few for renderings.
func (h *handler) run(in *input, op operation, path string) (*answer, *problem) {
	select {
	case h.slots <- struct{}{}:
	default:
		return nil, h.busy("%d requests are worked on already", h.o.MaxAtOnce)
	}
	free := func() { <-h.slots }
	memory := &h.work
	var taken int64
	if len(in.body) > smallBody {
		taken = int64(len(in.body))
	}
	if in.rendered {
		memory, taken = &h.trees, int64(len(in.body))
		select {
		case h.render <- struct{}{}:
		default:
			free()
			return nil, h.busy("%d texts are rendered already", cap(h.render))
		}
	}
	if !memory.take(taken) {
		if in.rendered {
			<-h.render
		}
		free()
		return nil, h.busy("too many long bodies are worked on already")
	}
	h.metrics.now.Inc()
	result := make(chan outcome, 1)
	go func() {
		var out outcome
		ended := false
		defer func() {
			if !ended { // also if it is by runtime.Goexit
				out = outcome{panic: recover(), stack: debug.Stack()}
			}
			h.metrics.now.Dec()
			memory.give(taken)
			if in.rendered {
				<-h.render
			} else {
				free()
			}
			result <- out
		}()
		if h.o.beforeWork != nil {
			h.o.beforeWork()
		}
		out.answer, out.err = op.do(in)
		ended = true
	}()
	if in.rendered {
		defer free()
	}
	timer := time.NewTimer(h.o.Timeout)
	defer timer.Stop()
	select {
	case out := <-result:
		return h.ended(out, path)
	case <-timer.C:
	}
	h.metrics.late.WithLabelValues(path).Inc()
	go func() {
		if out := <-result; out.stack != nil {
			h.logPanic(path, out.panic, out.stack)
		}
	}()
	return nil, failure(http.StatusServiceUnavailable, "the body could not be worked on within %v", h.o.Timeout)
}

// A panicking is a panic of another goroutine.
type panicking struct {
	value any
	stack []byte
}

// ended returns what an operation has given.
func (h *handler) ended(out outcome, path string) (*answer, *problem) {
	if out.stack != nil {
		panic(panicking{out.panic, out.stack})
	}
	if out.err != nil {
		if p := new(problem); errors.As(out.err, &p) {
			return nil, p
		}
		h.o.Log.Error("an error that is no problem", "path", path, "type", fmt.Sprintf("%T", out.err))
		return nil, failure(http.StatusInternalServerError, "an error of this program")
	}
	h.metrics.links.WithLabelValues(path).Add(float64(out.answer.links))
	return out.answer, nil
}
