// SPDX-License-Identifier: MIT

//go:build !(386 || arm || mips || mipsle)

package milter

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/d--j/go-milter"

	"github.com/bidilink/bidilink/mailfilter"
)

// newsletter returns a multipart/alternative of some 20 kB, with HTML of which each third paragraph has a link.
func newsletter(tb testing.TB) (fields [][2]string, body []byte) {
	tb.Helper()
	var plain, html strings.Builder
	for i := 0; html.Len() < 15_000; i++ {
		link := "nothing to see"
		if i%3 == 0 {
			link = fmt.Sprintf("see https://www.example.com/news/%d?from=mail", i)
		}
		fmt.Fprintf(&plain, "Paragraph %d of the news, %s.\r\n\r\n", i, link)
		fmt.Fprintf(&html, "<tr><td style=\"padding:0 24px\">\r\n<p class=\"text\">Paragraph %d of the <b>news</b>, %s, and more of it for a whole line of text.</p>\r\n</td></tr>\r\n", i, link)
	}
	fields = [][2]string{
		{"From", " News <news@example.com>"}, {"To", " Ben <ben@example.net>"}, {"Subject", " News"}, {"Date", " Sat, 21 Nov 2026 10:00:00 +0000"},
		{"Message-ID", " <1@example.com>"}, {"MIME-Version", " 1.0"}, {"Content-Type", " multipart/alternative;\n\tboundary=\"=_b\""},
	}
	body = fmt.Appendf(nil, "--=_b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n%s\r\n--=_b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body><table>\r\n%s</table></body></html>\r\n--=_b--\r\n",
		plain.String(), html.String())
	return fields, body
}

// same is a milter that replaces the body with itself: what the protocol costs, with the library that is ours.
type same struct {
	proto.NoOpMilter
	body bytes.Buffer
}

func (s *same) RcptTo(string, string, proto.Modifier) (*proto.Response, error) {
	return proto.RespContinue, nil
}
func (s *same) Header(string, string, proto.Modifier) (*proto.Response, error) {
	return proto.RespContinue, nil
}
func (s *same) BodyChunk(b []byte, _ proto.Modifier) (*proto.Response, error) {
	s.body.Write(b)
	return proto.RespContinue, nil
}
func (s *same) EndOfMessage(m proto.Modifier) (*proto.Response, error) {
	err := m.ReplaceBody(bytes.NewReader(s.body.Bytes()))
	s.body.Reset()
	return proto.RespAccept, err
}

// An mta delivers the same message again and again.
type mta struct {
	fields [][2]string
	body   []byte
}

// deliver delivers the message to the milter at a Unix socket, over a connection of its own, as Postfix does for each SMTP connection.
func (d *mta) deliver(b *testing.B, address string) {
	macros := proto.NewMacroBag()
	macros.Set(proto.MacroQueueId, "4X")
	s, err := proto.NewClient("unix", address).Session(macros)
	if err != nil {
		b.Fatal(err)
	}
	send := func(a *proto.Action, err error) {
		if err != nil || a.Type != proto.ActionContinue {
			b.Fatal(a, err)
		}
	}
	send(s.Conn("client.example.net", proto.FamilyInet, 4711, "192.0.2.1"))
	send(s.Helo("client.example.net"))
	send(s.Mail("news@example.com", ""))
	send(s.Rcpt("ben@example.net", ""))
	send(s.DataStart())
	for _, f := range d.fields {
		send(s.HeaderField(f[0], f[1], nil))
	}
	send(s.HeaderEnd())
	actions, a, err := s.BodyReadFrom(bytes.NewReader(d.body))
	if err != nil || a.Type != proto.ActionAccept || len(actions) != 1 {
		b.Fatal(actions, a, err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSession delivers a message of 20 kB over a Unix socket, with a connection for each, to our server and to one that replaces the body with itself; has
// package mailfilter alone rewrite it; and does all three in turn for their ratio.
func BenchmarkSession(b *testing.B) {
	var d mta
	d.fields, d.body = newsletter(b)
	_, msg := whole(d.fields, d.body)
	listen := func() net.Listener {
		l, err := net.Listen("unix", filepath.Join(b.TempDir(), "s"))
		if err != nil {
			b.Fatal(err)
		}
		return l
	}
	s, err := NewServer(Options{Policy: everywhere(final)})
	if err != nil {
		b.Fatal(err)
	}
	ours := listen()
	go s.Serve(ours)
	defer s.Close()
	other := proto.NewServer(proto.WithNegotiationCallback(negotiate), proto.WithDynamicMilter(func(uint32, proto.OptAction, proto.OptProtocol, proto.DataSize) proto.Milter { return &same{} }))
	theirs := listen()
	go other.Serve(theirs)
	defer other.Close()
	ways := []struct {
		name string
		once func(b *testing.B)
	}{
		{"ours", func(b *testing.B) { d.deliver(b, ours.Addr().String()) }},
		{"same", func(b *testing.B) { d.deliver(b, theirs.Addr().String()) }},
		{"mailfilter", func(b *testing.B) {
			if _, rep, err := mailfilter.RewriteMessage(msg, final); err != nil || rep.Result != mailfilter.Modified {
				b.Fatal(rep.Result, err)
			}
		}},
	}
	for _, way := range ways {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(msg)))
			for b.Loop() {
				way.once(b)
			}
		})
	}
	b.Run("ratio", func(b *testing.B) {
		times := make([][]time.Duration, len(ways))
		for b.Loop() {
			for i, way := range ways {
				begin := time.Now()
				way.once(b)
				times[i] = append(times[i], time.Since(begin))
			}
		}
		for i := range times {
			slices.Sort(times[i])
		}
		for _, m := range []struct {
			name string
			at   int
		}{{"best", 0}, {"median", len(times[0]) / 2}} {
			o, s, f := float64(times[0][m.at]), float64(times[1][m.at]), float64(times[2][m.at])
			b.ReportMetric(o/s, "ours/same-"+m.name)
			b.ReportMetric(o/(s+f), "ours/(same+mailfilter)-"+m.name)
		}
	})
}
