// SPDX-License-Identifier: MIT

package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// ErrNotLoopback is what Listen and Serve return, wrapped, for an address that others than the same machine can reach.
var ErrNotLoopback = errors.New("serve: not a loopback address")

// Listen listens on a TCP address, host:port. Unless public is set, the host must be, or stand for, a loopback address; without a host,
// the address is public.
func Listen(ctx context.Context, address string, public bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("serve: %s: want host:port", address)
	}
	if !public {
		// Before anybody can connect.
		addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if host == "" {
			return nil, fmt.Errorf("%w: %s", ErrNotLoopback, address)
		}
		if err != nil {
			return nil, fmt.Errorf("serve: %s: %w", address, err)
		}
		for _, a := range addrs {
			if !a.Unmap().IsLoopback() {
				return nil, fmt.Errorf("%w: %s", ErrNotLoopback, address)
			}
		}
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	if !public && !loopbackAddr(l.Addr()) {
		l.Close()
		return nil, fmt.Errorf("%w: %s", ErrNotLoopback, address)
	}
	return l, nil
}

// Serve answers requests that l accepts, until ctx is done; then it waits for those that have begun, at most Options.GraceStop. It closes l, and
// returns nil if it was told to stop and nothing was cut off.
func Serve(ctx context.Context, l net.Listener, o Options) error {
	defer l.Close()
	h, err := newHandler(o)
	if err != nil {
		return err
	}
	if !o.Public && !loopbackAddr(l.Addr()) {
		return fmt.Errorf("%w: %s", ErrNotLoopback, l.Addr())
	}
	s := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: min(5*time.Second, h.o.Timeout),
		ReadTimeout:       h.o.Timeout,
		WriteTimeout:      3 * h.o.Timeout, // reading, working, writing
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		// "OPTIONS *" is for the handler as well, which looks at the Host.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(h.o.Log.Handler(), slog.LevelWarn),
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.o.GraceStop)
	defer cancel()
	if err := s.Shutdown(grace); err != nil {
		s.Close()
		return fmt.Errorf("serve: requests were cut off: %w", err)
	}
	return nil
}
