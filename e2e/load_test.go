// SPDX-License-Identifier: MIT

//go:build linux

package e2e

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bidilink/bidilink/e2e/mta"
)

const connections = 20

// kBOf returns the size of message i of the crash test: most have one packet, some need several.
func kBOf(i int) int {
	if i%50 == 0 {
		return 300
	}
	return 20
}

// The filter is killed and started again every second, and each message is delivered once, as it was or as it is to be.
func TestCrash(t *testing.T) {
	need(t, "postfix")
	const messages = 5000
	m := milter(t)
	p := postfix(t, mta.Config{Main: []string{"smtpd_milters = " + m.Address(), "milter_default_action = accept", "maximal_queue_lifetime = 0"}})
	stop, stopped := make(chan bool), make(chan error)
	kills := 0
	go func() {
		for {
			select {
			case <-stop:
				stopped <- nil
				return
			case <-time.After(time.Second):
			}
			m.Process().Kill()
			kills++
			if err := m.Restart(); err != nil {
				stopped <- err
				return
			}
		}
	}()
	err := mta.Load(p.Address(0), connections, mta.Recipient, messages, func(i int) []byte {
		before, _ := mta.Message(i, kBOf(i))
		return crlf(before)
	}, func(int) {})
	close(stop)
	if err := errors.Join(err, <-stopped); err != nil {
		t.Fatal(err)
	}
	originals, rewritten := take(t, p, 0, messages, kBOf)
	t.Logf("%d messages over %d connections, the filter killed %d times: %d as they were, %d rewritten", messages, connections, kills, originals, rewritten)
	if kills < 3 || originals == 0 || rewritten == 0 {
		t.Error("that is no test")
	}
}

// The memory of the filter does not grow with the number of messages.
func TestSoak(t *testing.T) {
	need(t, "postfix")
	messages := 2000
	if s := os.Getenv("BIDILINK_MTA_MESSAGES"); s != "" {
		var err error
		if messages, err = strconv.Atoi(s); err != nil || messages < 100 {
			t.Fatalf("BIDILINK_MTA_MESSAGES=%s: want a number from 100 on", s)
		}
	}
	m := milter(t)
	p := postfix(t, mta.Config{Main: []string{"smtpd_milters = " + m.Address()}})
	before, _ := mta.Message(0, 20)
	msg := crlf(before)
	var done atomic.Int64
	var mu sync.Mutex
	var peaks [2]int64
	var trouble error
	err := mta.Load(p.Address(0), connections, mta.Discard, messages, func(int) []byte { return msg }, func(int) {
		n := int(done.Add(1))
		if n%max(1, messages/500) != 0 || n < messages/20 { // the first ones fill the heap
			return
		}
		rss, err := m.Process().Memory("VmRSS")
		mu.Lock()
		defer mu.Unlock()
		half := min(1, n*2/messages)
		peaks[half], trouble = max(peaks[half], rss), errors.Join(trouble, err)
	})
	if err := errors.Join(err, trouble); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d messages of %d bytes: most memory in the first half %.1f MB, in the second %.1f MB (%.3f)", messages, len(msg), float64(peaks[0])/1e6, float64(peaks[1])/1e6, float64(peaks[1])/float64(peaks[0]))
	if peaks[0] == 0 || peaks[1] > peaks[0]*3/2 {
		t.Error("the memory grows")
	}
	// And it still does its work.
	b, a := mta.Message(1, 20)
	compare(t, "the last message", mta.Sent(bytes.ReplaceAll(pass(t, p, 0, crlf(b)), []byte("\r\n"), []byte("\n"))), crlf(a))
}

// A message of 25 MB is changed, with less than three times that in memory.
func TestLarge(t *testing.T) {
	need(t, "postfix")
	const size = 25_000_000
	m := milter(t)
	p := postfix(t, mta.Config{Main: []string{"smtpd_milters = " + m.Address()}})
	before, after := mta.Message(0, 300)
	line := strings.Repeat("QUJD", 19) + "\n"
	attachment := "\n--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
	attachment += strings.Repeat(line, (size-len(before)-len(attachment))/(len(line)+1))
	const end = "\n--b--\n"
	msg, want := crlf(strings.TrimSuffix(before, end)+attachment+end), crlf(strings.TrimSuffix(after, end)+attachment+end)
	if len(msg) < size*9/10 || len(msg) > 25<<20 {
		t.Fatalf("the message has %d bytes", len(msg))
	}
	// Once for what the program needs anyway.
	small, _ := message("small")
	pass(t, p, 0, crlf(small))
	idle, err := m.Process().Memory("VmHWM")
	if err != nil {
		t.Fatal(err)
	}
	got := pass(t, p, 0, msg)
	compare(t, "the large message", mta.Sent(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))), want)
	most, err := m.Process().Memory("VmHWM")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a message of %.1f MB: most memory %.1f MB (%.2f times), %.1f MB of it before", float64(len(msg))/1e6, float64(most)/1e6, float64(most)/float64(len(msg)), float64(idle)/1e6)
	if most >= 3*int64(len(msg)) {
		t.Error("that is three times the message or more")
	}
}
