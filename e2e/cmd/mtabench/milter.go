// SPDX-License-Identifier: MIT

//go:build linux

package main

import (
	"bytes"
	"net"
	"os"
	"strings"

	"github.com/d--j/go-milter"
)

// A replacer is the milter that ours is compared with: it receives the body and replaces it with itself, and does nothing else. It asks for the same steps of the protocol,
// with the same answers.
type replacer struct {
	milter.NoOpMilter
	body   bytes.Buffer
	accept bool // it does not replace
}

func (r *replacer) BodyChunk(chunk []byte, _ milter.Modifier) (*milter.Response, error) {
	if !r.accept {
		r.body.Write(chunk)
	}
	return milter.RespContinue, nil
}

func (r *replacer) EndOfMessage(m milter.Modifier) (*milter.Response, error) {
	if r.accept {
		return milter.RespAccept, nil
	}
	err := m.ReplaceBody(bytes.NewReader(r.body.Bytes()))
	r.body.Reset()
	return milter.RespAccept, err
}

func (r *replacer) Abort(milter.Modifier) error {
	r.body.Reset()
	return nil
}

// serve is the milter, in a process of its own, listening to "inet:127.0.0.1:PORT" or "unix:/PATH". With accept, it only accepts each message, at its end.
func serve(address string, accept bool) error {
	network, address, _ := strings.Cut(address, ":")
	if network == "inet" {
		network = "tcp4"
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return err
	}
	if network == "unix" {
		if err := os.Chmod(address, 0o666); err != nil {
			return err
		}
	}
	s := milter.NewServer(
		milter.WithMilter(func() milter.Milter { return &replacer{accept: accept} }),
		milter.WithAction(milter.OptChangeBody),
		milter.WithProtocol(milter.OptNoHelo|milter.OptNoUnknown|milter.OptNoData|
			milter.OptNoConnReply|milter.OptNoMailReply|milter.OptNoRcptReply|milter.OptNoHeaderReply|milter.OptHeaderLeadingSpace),
	)
	return s.Serve(l)
}
