// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/netip"

	"github.com/bidilink/bidilink/mailfilter"
	"github.com/bidilink/bidilink/mailfilter/milter"
)

func Example() {
	s, err := milter.NewServer(milter.Options{
		Policy: &milter.Policy{
			Networks: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
			// Signatures were verified before, and the mailboxes are here.
			Inbound: milter.Rules{Options: mailfilter.Options{RewriteDKIM: true}},
			// What our users send to the bank stays as it is.
			Outbound: milter.Rules{Recipients: milter.Domains{Except: []string{"bank.example", ".bank.example"}}},
		},
		Record: func(r milter.Record) { fmt.Println(r.QueueID, r.Result, r.Reason) },
	})
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- s.Serve(l) }()
	// ... until a signal comes.
	if err := s.Shutdown(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-ended)
	// Output: <nil>
}

func ExamplePolicy_Check() {
	p := milter.Policy{Inbound: milter.Rules{Senders: milter.Domains{Only: []string{"ann@example.com"}}}}
	fmt.Println(p.Check())
	// Output: milter: inbound senders: not a domain, or . and a domain
}
